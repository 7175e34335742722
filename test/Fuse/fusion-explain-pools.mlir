// RUN: fusion-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith{include-apply-rescale},tosa-to-tensor),fusion-optimize,fusion-explain)' -o /dev/null 2>&1 | FileCheck %s --match-full-lines
// RUN: fusion-opt %s --split-input-file --pass-pipeline='builtin.module(func.func(tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith{include-apply-rescale},tosa-to-tensor),fusion-explain)' -o /dev/null 2>&1 | FileCheck %s --match-full-lines --check-prefix=BEFORE

// Pools that stay loops, and why. A pool that is a kernel has no line: nothing is folded into it.

// The average pools of TOSA add up i8 in i32.
// CHECK: {{.*}}:[[#@LINE+5]]:8: not fused: unsupported: no kernel adds up integers (i8 into i32)
// BEFORE: {{.*}}:[[#@LINE+4]]:8: not fused: unsupported: no kernel adds up integers (i8 into i32)
func.func @tosa_image(%x: tensor<1x7x5x16xi8>) -> tensor<1x1x1x16xi8> {
  %iz = "tosa.const"() <{values = dense<3> : tensor<1xi8>}> : () -> tensor<1xi8>
  %oz = "tosa.const"() <{values = dense<-2> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.avg_pool2d %x, %iz, %oz {kernel = array<i64: 7, 5>, stride = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, acc_type = i32}
         : (tensor<1x7x5x16xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<1x1x1x16xi8>
  return %r : tensor<1x1x1x16xi8>
}

// -----

// Windows at the border have fewer elements.
// CHECK-NEXT: {{.*}}:[[#@LINE+5]]:8: not fused: unsupported: no kernel adds up integers (i8 into i32)
// BEFORE-NEXT: {{.*}}:[[#@LINE+4]]:8: not fused: unsupported: no kernel adds up integers (i8 into i32)
func.func @tosa_windows(%x: tensor<2x11x9x16xi8>) -> tensor<2x6x7x16xi8> {
  %iz = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %oz = "tosa.const"() <{values = dense<-128> : tensor<1xi8>}> : () -> tensor<1xi8>
  %r = tosa.avg_pool2d %x, %iz, %oz {kernel = array<i64: 2, 4>, stride = array<i64: 2, 1>, pad = array<i64: 0, 1, 1, 0>, acc_type = i32}
         : (tensor<2x11x9x16xi8>, tensor<1xi8>, tensor<1xi8>) -> tensor<2x6x7x16xi8>
  return %r : tensor<2x6x7x16xi8>
}

// -----

#map = affine_map<(n, h, w, c) -> (n, h, w, c)>

// A kernel adds up dequantised windows.
// CHECK-NOT: {{.*}}fused{{.*}}
// BEFORE-NEXT: {{.*}}:[[#@LINE+14]]:8: not fused: it can be raised; 'fusion-raise-pools' has not run
func.func @dequantized_windows(%x: tensor<2x11x9x16xi8>) -> tensor<2x5x6x16xf32> {
  %s = arith.constant 3.0e-2 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x11x9x16xf32>
  %d = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%x : tensor<2x11x9x16xi8>) outs(%e : tensor<2x11x9x16xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<2x11x9x16xf32>
  %w = tensor.empty() : tensor<3x4xf32>
  %f = tensor.splat %zero : tensor<2x5x6x16xf32>
  %p = linalg.pooling_nhwc_sum {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%d, %w : tensor<2x11x9x16xf32>, tensor<3x4xf32>) outs(%f : tensor<2x5x6x16xf32>) -> tensor<2x5x6x16xf32>
  return %p : tensor<2x5x6x16xf32>
}

// -----

#x = affine_map<(n, h, c, kh) -> (n, h * 2 + kh, c)>
#k = affine_map<(n, h, c, kh) -> (kh)>
#y = affine_map<(n, h, c, kh) -> (n, h, c)>

// BEFORE-NEXT: {{.*}}:[[#@LINE+4]]:8: not fused: pool in generic form; 'fusion-raise-pools' has not run
func.func @generic(%x: tensor<2x11x5xf32>) -> tensor<2x5x5xf32> {
  %f = arith.constant dense<0.0> : tensor<2x5x5xf32>
  %w = tensor.empty() : tensor<3xf32>
  %r = linalg.generic {indexing_maps = [#x, #k, #y], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<2x11x5xf32>, tensor<3xf32>) outs(%f : tensor<2x5x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<2x5x5xf32>
  return %r : tensor<2x5x5xf32>
}

// -----

// A maximum may have been left alone for the sake of NaN.
// BEFORE-NEXT: {{.*}}:[[#@LINE+4]]:8: not fused: 'fusion-raise-pools' has not run, or kernels may lose a NaN, and nan-mode is propagate
func.func @max(%x: tensor<2x9x5xf32>) -> tensor<2x7x5xf32> {
  %f = arith.constant dense<0xFF800000> : tensor<2x7x5xf32>
  %w = tensor.empty() : tensor<3xf32>
  %r = linalg.pooling_nwc_max {strides = dense<1> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}
         ins(%x, %w : tensor<2x9x5xf32>, tensor<3xf32>) outs(%f : tensor<2x7x5xf32>) -> tensor<2x7x5xf32>
  return %r : tensor<2x7x5xf32>
}
