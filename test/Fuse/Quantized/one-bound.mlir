// A maximum with another number than zero, a residual, and a quantisation. Where the result
// saturates is no bound in front of the residual. ../../Integration/fuse-dequantized.test runs it.

// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain 2>&1 | FileCheck %s

#m = affine_map<(d0, d1) -> (d0, d1)>

// CHECK: :[[#@LINE+29]]:8: partly fused: {{.*}}; unsupported: a residual is added behind an activation with one bound, {{[0-9.e-]+}}
// CHECK-LABEL: func @one_bound(
// CHECK:         fusion.quantized_matmul_bias_act clip(
// CHECK:         arith.fptosi
func.func @one_bound(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %sx = arith.constant 0.0085 : f32
  %sw = arith.constant 0.0093 : f32
  %zero = arith.constant 0.0 : f32
  %bound = arith.constant 0.05 : f32
  %so = arith.constant 44.7 : f32
  %zo = arith.constant 127.0 : f32
  %least = arith.constant -128.0 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %xd = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %a = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %bound : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  %yd = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x6xi8>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %s = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel"]} ins(%a, %yd : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %r: f32, %out: f32):
    %0 = arith.addf %in, %r : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %least : f32
    %4 = arith.minimumf %3, %zo : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}
