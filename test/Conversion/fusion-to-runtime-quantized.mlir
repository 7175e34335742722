// RUN: fusion-opt %s --convert-fusion-to-runtime | FileCheck %s
// RUN: fusion-opt %s --convert-fusion-to-runtime=allow-winograd --convert-scf-to-cf --convert-to-llvm -o %t.llvm.mlir
// RUN: FileCheck %s --check-prefix=DESC --input-file=%t.llvm.mlir
// RUN: FileCheck %s --check-prefix=LLVM --input-file=%t.llvm.mlir

// Ops on integers of 8 bits become calls of the runtime that say what the integers mean.

memref.global "private" constant @scales : memref<5xf32> = dense<[0.5, 0.25, 1.0, 2.0, 4.0]>
memref.global "private" constant @bias : memref<5xi32> = dense<[1, -2, 3, -4, 5]>
memref.global "private" constant @filter : memref<5x7xi8> = dense<3>

// Bias and scales are constant, as is the filter. Only that is packed ahead.
// CHECK-LABEL: func @constants(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<4x7xi8>, %[[Y:[a-z0-9]*]]: memref<4x5xi8>)
// CHECK-DAG:     %[[W:.*]] = memref.get_global @filter
// CHECK-DAG:     %[[B:.*]] = memref.get_global @bias
// CHECK-DAG:     %[[S:.*]] = memref.get_global @scales
// CHECK:         fusion.rt.execute @[[$CONSTANTS:[a-z_0-9]+]] ins(%[[X]], %[[W]] : memref<4x7xi8>, memref<5x7xi8>) bias(%[[B]] : memref<5xi32>) scale(%[[S]] : memref<5xf32>) residual(%[[Y]] : memref<4x5xi8>) outs(%[[Y]] : memref<4x5xi8>)
func.func @constants(%x: memref<4x7xi8>, %y: memref<4x5xi8>) {
  %w = memref.get_global @filter : memref<5x7xi8>
  %b = memref.get_global @bias : memref<5xi32>
  %s = memref.get_global @scales : memref<5xf32>
  fusion.quantized_matmul_bias_act relu layouts(mk, nk, mn)
      {input_zero_point = 3 : i32, output_zero_point = -7 : i32, residual_zero_point = 128 : i32,
       residual_scale = 0.5 : f32, output_scale = 2.0 : f32, input_unsigned, residual_unsigned}
      ins(%x, %w : memref<4x7xi8>, memref<5x7xi8>) bias(%b : memref<5xi32>) scale(%s : memref<5xf32>)
      residual(%y : memref<4x5xi8>) outs(%y : memref<4x5xi8>)
  return
}

// A scale that may change is no constant, whatever the bias is.
// CHECK-LABEL: func @changing_scale(
// CHECK:         fusion.rt.execute @[[$CHANGING_SCALE:[a-z_0-9]+]] ins({{.*}}) bias({{.*}} : memref<5xi32>) scale({{.*}} : memref<1xf32>) outs(
func.func @changing_scale(%x: memref<4x7xi8>, %w: memref<5x7xi8>, %s: memref<1xf32>, %y: memref<4x5xf32>) {
  %b = memref.get_global @bias : memref<5xi32>
  fusion.quantized_matmul_bias_act layouts(mk, nk, mn) ins(%x, %w : memref<4x7xi8>, memref<5x7xi8>)
      bias(%b : memref<5xi32>) scale(%s : memref<1xf32>) outs(%y : memref<4x5xf32>)
  return
}

// Nor is a bias, whatever the scale is.
// CHECK-LABEL: func @changing_bias(
// CHECK:         fusion.rt.execute @[[$CHANGING_BIAS:[a-z_0-9]+]]
func.func @changing_bias(%x: memref<4x7xi8>, %w: memref<5x7xi8>, %b: memref<5xf32>, %s: memref<1xf32> {fusion.constant}, %y: memref<4x5xbf16>) {
  fusion.quantized_matmul_bias_act layouts(mk, nk, mn) ins(%x, %w : memref<4x7xi8>, memref<5x7xi8>)
      bias(%b : memref<5xf32>) scale(%s : memref<1xf32>) outs(%y : memref<4x5xbf16>)
  return
}

// CHECK-LABEL: func @convolution(
// CHECK:         fusion.rt.execute @[[$CONV:[a-z_0-9]+]] ins({{.*}} : memref<?x3x9xi8>, memref<5x3x2xi8>) residual({{.*}} : memref<?x5x8xf32>) outs({{.*}} : memref<?x5x8xi8>)
func.func @convolution(%x: memref<?x3x9xi8>, %w: memref<5x3x2xi8>, %s: memref<?x5x8xf32>, %y: memref<?x5x8xi8>) {
  fusion.quantized_conv_bias_act relu {output_unsigned}
      ins(%x, %w : memref<?x3x9xi8>, memref<5x3x2xi8>) residual_after_activation(%s : memref<?x5x8xf32>)
      outs(%y : memref<?x5x8xi8>)
  return
}

// CHECK-LABEL: func @sums(
// CHECK:         fusion.rt.execute @[[$SUMS:[a-z_0-9]+]] ins({{.*}} : memref<1x3x9xi8>, memref<5x3x2xi8>) outs({{.*}} : memref<1x5x8xi32>)
func.func @sums(%x: memref<1x3x9xi8>, %w: memref<5x3x2xi8>, %y: memref<1x5x8xi32>) {
  fusion.quantized_conv_bias_act ins(%x, %w : memref<1x3x9xi8>, memref<5x3x2xi8>) outs(%y : memref<1x5x8xi32>)
  return
}

// CHECK:      fusion.rt.create @[[$CONSTANTS]] #fusion.matmul_desc<input = <mk, ui8>, filter = <nk, si8>, init = <mn, si8>, bias = true, activation = <relu>, residual = ui8, constant_filter = true, quantization = <input_zero_point = 3, output_zero_point = -7, residual_zero_point = 128, residual_scale = 5.000000e-01 : f32, output_scale = 2.000000e+00 : f32, integer_bias = true, scale = true, constant_scale = true>>
// CHECK-NEXT: fusion.rt.create @[[$CHANGING_SCALE]] #fusion.matmul_desc<input = <mk, si8>, filter = <nk, si8>, init = <mn, f32>, bias = true, quantization = <integer_bias = true, scale = true>>
// CHECK-NEXT: fusion.rt.create @[[$CHANGING_BIAS]] #fusion.matmul_desc<{{.*}}init = <mn, bf16>, bias = true, quantization = <scale = true>>
// CHECK-NEXT: fusion.rt.create @[[$CONV]] #fusion.conv_desc<input = <ncw, si8>, filter = <fcw, si8>, init = <ncw, ui8>, {{.*}}, activation = <relu>, residual = f32, residual_after_activation = true, quantization = <>>
// CHECK-NEXT: fusion.rt.create @[[$SUMS]] #fusion.conv_desc<{{.*}}init = <ncw, si32>, {{.*}} quantization = <>>

// CHECK-LABEL: func private @_fusion_prepare_range_module(
// CHECK:         %[[W:.*]] = memref.get_global @filter
// CHECK-NEXT:    fusion.rt.prepare @[[$CONSTANTS]] ins memref<4x7xi8> filter memref<5x7xi8> bias memref<5xi32> scale memref<5xf32> residual memref<4x5xi8> outs memref<4x5xi8> in_place packs(%[[W]] : memref<5x7xi8>)
// CHECK:         fusion.rt.prepare @[[$CHANGING_SCALE]] {{.*}} scale memref<1xf32> outs

// The structs of FusionRuntime/quantized.h: version and size; the zero points; 0.5 and 2.0; the type of
// the bias, s32; flags; 0; and the descriptor of floats, with types u8, s8, s8, u8.
// DESC-DAG: @fusion_quantized_matmul_desc("\0E\00\01\00T\00\00\00\03\00\00\00\F9\FF\FF\FF\80\00\00\00\00\00\00?\00\00\00@\06\00\00\00\03\00\00\00\00\00\00\00\0E\00\01\00,\00\00\00\07\00\00\00\05\00\00\00\04\00\00\00\04\00\00\00\05\00\00\00\01\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00")
// Without constants flags are 1; the bias is f32.
// DESC-DAG: @fusion_quantized_matmul_0_desc("\0E\00\01\00T\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\80?\00\00\80?\06\00\00\00\01\00\00\00\00\00\00\00\0E\00\01\00,\00\00\00\01\00\00\00\04\00\00\00\04\00\00\00\01\00\00\00\00
// DESC-DAG: @fusion_quantized_matmul_1_desc("\0E\00\01\00T\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\80?\00\00\80?\01\00\00\00\01\00\00\00\00\00\00\00\0E\00\01\00,\00\00\00\01\00\00\00\04\00\00\00\04\00\00\00\02\00\00\00\00
// A convolution has 192 bytes. Its flags are those of a residual, for Winograd there is none.
// DESC-DAG: @fusion_quantized_conv_desc("\0E\00\01\00\C0\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\80?\00\00\80?\00\00\00\00\00\00\00\00\00\00\00\00\0E\00\01\00\98\00\00\00\12\00\00\00\01\00\00\00\04\00\00\00\04\00\00\00\05\00\00\00\01\00\00\00\01
// DESC-DAG: @fusion_quantized_conv_{{[0-9]+}}_desc("\0E\00\01\00\C0\00\00\00{{.*}}\0E\00\01\00\98\00\00\00\00\00\00\00\01\00\00\00\04\00\00\00\04\00\00\00\06\00\00\00\00
// The scales are the last of six shapes: no address, five elements, a stride of 1.
// DESC-DAG: @fusion_quantized_matmul_shapes("{{.*}}\00\00\00\00\00\00\00\00\05\00\00\00\00\00\00\00{{((\\00){32})}}\01\00\00\00\00\00\00\00{{((\\00){32})}}")

// DESC-DAG: @fusion_quantized_matmul_args("{{.*}}\00\00\00\00\00\00\00\00\05\00\00\00\00\00\00\00{{((\\00){32})}}\01\00\00\00\00\00\00\00{{((\\00){32})}}")

// The scales are the last of six operands.
// LLVM-DAG: llvm.func internal @fusion_call_quantized_conv_src_weights_dst(
// LLVM-DAG: llvm.func internal @fusion_call_quantized_matmul_src_weights_bias_residual_dst_scales(
// LLVM:         %[[SIX:.*]] = llvm.mlir.constant(6 : i64)
// LLVM:         llvm.alloca %[[SIX]] x !llvm.struct<(ptr, array<5 x i64>, array<5 x i64>)>
// LLVM:         llvm.getelementptr %{{.*}}[5, 0]
// LLVM-NEXT:    llvm.store
// LLVM:         llvm.call @fusion_rt_quantized_matmul_checked(

// LLVM-LABEL: llvm.func @_fusion_prepare_range_module(
// LLVM:         %[[FUNCTION:.*]] = llvm.mlir.constant(5 : i32) : i32
// LLVM:         llvm.call @fusion_rt_prepare_quantized_checked(%[[FUNCTION]],
// LLVM:         %[[FUNCTION:.*]] = llvm.mlir.constant(4 : i32) : i32
// LLVM:         llvm.call @fusion_rt_prepare_quantized_checked(%[[FUNCTION]],
