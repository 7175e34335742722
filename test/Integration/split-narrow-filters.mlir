// Filters of i8 that are dequantised to bf16 or f16 in front of a convolution: before and after upstream's fusion
// of element-wise ops, from named ops and from generic ones, the same op in bf16.

// RUN: %python %S/verify-functions.py %s | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize | FileCheck %s --check-prefix=IR --implicit-check-not='{{linalg.conv|reduction}}'

// RUN: fusion-opt %s --linalg-generalize-named-ops --canonicalize --linalg-fuse-elementwise-ops --canonicalize -o %t.g.mlir
// RUN: %python %S/verify-functions.py %t.g.mlir | FileCheck %s
// RUN: fusion-opt %t.g.mlir --fusion-optimize | FileCheck %s --check-prefix=IR --implicit-check-not=reduction

// CHECK: {{^}}2 functions agree, 2 fused ops

#n4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#c3 = affine_map<(d0, d1, d2, d3) -> (d3)>
#c0 = affine_map<(d0, d1, d2, d3) -> (d0)>

// Dequantised in f32 and rounded.
// IR-LABEL: func.func @rounded(
// IR:         fusion.fused_conv_bias_act {{.*}} tensor<{{.*}}xbf16>, tensor<{{.*}}xbf16>
func.func @rounded(%x: tensor<2x8x9x3xbf16>, %w: tensor<3x2x3x5xi8>, %b: tensor<5xf32>) -> tensor<2x4x11x5xf32> {
  %s = arith.constant dense<[0.0013, 0.0027, 0.0021, 0.0036, 0.0012]> : tensor<5xf32>
  %z = arith.constant 9.0 : f32
  %zero = arith.constant 0.0 : bf16
  %ew = tensor.empty() : tensor<3x2x3x5xbf16>
  %wd = linalg.generic {indexing_maps = [#n4, #c3, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%w, %s : tensor<3x2x3x5xi8>, tensor<5xf32>) outs(%ew : tensor<3x2x3x5xbf16>) {
  ^bb0(%in: i8, %sc: f32, %out: bf16):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %z : f32
    %2 = arith.mulf %1, %sc : f32
    %3 = arith.truncf %2 : f32 to bf16
    linalg.yield %3 : bf16
  } -> tensor<3x2x3x5xbf16>
  %p = tensor.pad %x low[0, 1, 0, 0] high[0, 0, 3, 0] {
  ^bb0(%0: index, %1: index, %2: index, %3: index):
    tensor.yield %zero : bf16
  } : tensor<2x8x9x3xbf16> to tensor<2x9x12x3xbf16>
  %e = tensor.empty() : tensor<2x4x11x5xf32>
  %i = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x4x11x5xf32>) dimensions = [0, 1, 2]
  %r = linalg.conv_2d_nhwc_hwcf {dilations = dense<1> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>}
         ins(%p, %wd : tensor<2x9x12x3xbf16>, tensor<3x2x3x5xbf16>) outs(%i : tensor<2x4x11x5xf32>) -> tensor<2x4x11x5xf32>
  return %r : tensor<2x4x11x5xf32>
}

// Dequantised in f16 from the beginning.
// IR-LABEL: func.func @narrow(
// IR:         fusion.fused_conv_bias_act {{.*}} tensor<{{.*}}xf16>, tensor<{{.*}}xf16>
func.func @narrow(%x: tensor<2x3x8x9xf16>, %w: tensor<5x3x3x2xi8>, %s: tensor<5xf16>) -> tensor<2x5x3x8xf32> {
  %zero = arith.constant 0.0 : f32
  %ew = tensor.empty() : tensor<5x3x3x2xf16>
  %wd = linalg.generic {indexing_maps = [#n4, #c0, #n4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%w, %s : tensor<5x3x3x2xi8>, tensor<5xf16>) outs(%ew : tensor<5x3x3x2xf16>) {
  ^bb0(%in: i8, %sc: f16, %out: f16):
    %0 = arith.sitofp %in : i8 to f16
    %1 = arith.mulf %0, %sc : f16
    linalg.yield %1 : f16
  } -> tensor<5x3x3x2xf16>
  %e = tensor.empty() : tensor<2x5x3x8xf32>
  %i = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x3x8xf32>) -> tensor<2x5x3x8xf32>
  %r = linalg.conv_2d_nchw_fchw {dilations = dense<1> : tensor<2xi64>, strides = dense<[2, 1]> : tensor<2xi64>}
         ins(%x, %wd : tensor<2x3x8x9xf16>, tensor<5x3x3x2xf16>) outs(%i : tensor<2x5x3x8xf32>) -> tensor<2x5x3x8xf32>
  return %r : tensor<2x5x3x8xf32>
}
