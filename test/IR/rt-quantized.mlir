// RUN: fusion-opt %s | fusion-opt | FileCheck %s
// RUN: fusion-opt %s --mlir-print-op-generic | fusion-opt | FileCheck %s
// RUN: fusion-opt %s --emit-bytecode | fusion-opt | FileCheck %s

// Calls of the runtime on integers of 8 bits.

// CHECK:      fusion.rt.create @conv #fusion.conv_desc<input = <nhwc, ui8>, filter = <hwcf, si8>, init = <nhwc, si8>, strides = [2, 1], dilations = [1, 1], pad_low = [0, 1], pad_high = [1, 0], bias = true, activation = <relu>, residual = ui8, constant_filter = true, quantization = <input_zero_point = 3, output_zero_point = -7, residual_zero_point = 128, residual_scale = 5.000000e-01 : f32, output_scale = 7.300000e-01 : f32, integer_bias = true, scale = true, constant_scale = true>>{{$}}
fusion.rt.create @conv #fusion.conv_desc<
  input = <nhwc, ui8>, filter = <hwcf, si8>, init = <nhwc, si8>, strides = [2, 1], dilations = [1, 1],
  pad_low = [0, 1], pad_high = [1, 0], bias = true, activation = <relu>, residual = ui8, constant_filter = true,
  quantization = <input_zero_point = 3, output_zero_point = -7, residual_zero_point = 128, residual_scale = 0.5 : f32,
                  output_scale = 0.73 : f32, integer_bias = true, scale = true, constant_scale = true>>
// Defaults are left out.
// CHECK-NEXT: fusion.rt.create @sums #fusion.matmul_desc<input = <mk, si8>, filter = <nk, si8>, init = <mn, si32>, quantization = <>>{{$}}
fusion.rt.create @sums #fusion.matmul_desc<
  input = <mk, si8>, filter = <nk, si8>, init = <mn, si32>,
  quantization = <input_zero_point = 0, residual_scale = 1.0 : f32, integer_bias = false, scale = false>>
// CHECK-NEXT: fusion.rt.create @floats #fusion.matmul_desc<input = <mk, si8>, filter = <nk, si8>, init = <mn, bf16>, bias = true, residual = f32, quantization = <scale = true>>{{$}}
fusion.rt.create @floats #fusion.matmul_desc<
  input = <mk, si8>, filter = <nk, si8>, init = <mn, bf16>, bias = true, residual = f32, quantization = <scale = true>>
// CHECK-NEXT: fusion.rt.create @pool #fusion.pool_desc<pooling = max, input = <ncw, ui8>,
fusion.rt.create @pool #fusion.pool_desc<
  pooling = max, input = <ncw, ui8>, kernel = [2], strides = [1], pad_low = [0], pad_high = [0]>

// CHECK-LABEL: func @calls(
func.func @calls(%x: memref<1x9x8x3xi8>, %w: memref<3x2x3x5xi8>, %b: memref<5xi32>, %s: memref<5xf32>,
                 %y: memref<1x4x8x5xi8>, %x1: memref<4x7xi8>, %w1: memref<5x7xi8>, %y1: memref<4x5xi32>) {
  // CHECK-NEXT: fusion.rt.prepare @conv ins memref<1x9x8x3xi8> filter memref<3x2x3x5xi8> bias memref<5xi32> scale memref<5xf32> residual memref<1x4x8x5xi8> outs memref<1x4x8x5xi8> in_place packs(%{{.*}} : memref<3x2x3x5xi8>)
  fusion.rt.prepare @conv ins memref<1x9x8x3xi8> filter memref<3x2x3x5xi8> bias memref<5xi32> scale memref<5xf32>
    residual memref<1x4x8x5xi8> outs memref<1x4x8x5xi8> in_place packs(%w : memref<3x2x3x5xi8>)
  // CHECK-NEXT: fusion.rt.execute @conv ins(%{{.*}}, %{{.*}} : memref<1x9x8x3xi8>, memref<3x2x3x5xi8>) bias(%{{.*}} : memref<5xi32>) scale(%{{.*}} : memref<5xf32>) residual(%[[Y:.*]] : memref<1x4x8x5xi8>) outs(%[[Y]] : memref<1x4x8x5xi8>)
  fusion.rt.execute @conv ins(%x, %w : memref<1x9x8x3xi8>, memref<3x2x3x5xi8>) bias(%b : memref<5xi32>)
    scale(%s : memref<5xf32>) residual(%y : memref<1x4x8x5xi8>) outs(%y : memref<1x4x8x5xi8>)
  // CHECK-NEXT: fusion.rt.execute @sums ins(%{{.*}}, %{{.*}} : memref<4x7xi8>, memref<5x7xi8>) outs(%{{.*}} : memref<4x5xi32>)
  fusion.rt.execute @sums ins(%x1, %w1 : memref<4x7xi8>, memref<5x7xi8>) outs(%y1 : memref<4x5xi32>)
  return
}
