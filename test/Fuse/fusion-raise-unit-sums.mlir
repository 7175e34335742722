// Sums of products over one element, whose loops upstream's passes leave.
// ../Integration/raise-paths.test runs all of it.

// RUN: fusion-opt %s --fusion-optimize -o %t.mlir
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.mlir
// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:

#in = affine_map<(n, f, h, w, c, i, j) -> (n, c, i, j, h, w)>
#filter = affine_map<(n, f, h, w, c, i, j) -> (f, c, i, j)>
#out = affine_map<(n, f, h, w, c, i, j) -> (n, f, h, w)>

// The windows of a 1x1 convolution lie between channels and pixels.
// IR-LABEL: @pixels(
// IR: fused_conv_bias_act ins(%{{.*}}, %{{.*}} : tensor<2x3x5x7xf32>, tensor<4x3x1x1xf32>)
func.func @pixels(%x: tensor<2x3x5x7xf32>, %w: tensor<4x3x1x1xf32>, %o: tensor<2x4x5x7xf32>) -> tensor<2x4x5x7xf32> {
  %e = tensor.expand_shape %x [[0], [1, 2, 3], [4], [5]] output_shape [2, 3, 1, 1, 5, 7] : tensor<2x3x5x7xf32> into tensor<2x3x1x1x5x7xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %r = linalg.generic {indexing_maps = [#in, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%e, %w : tensor<2x3x1x1x5x7xf32>, tensor<4x3x1x1xf32>) outs(%o : tensor<2x4x5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x5x7xf32>
  return %r : tensor<2x4x5x7xf32>
}

// The body computes a factor.
// IR-LABEL: @factor(
// IR: fused_conv_bias_act ins(%{{.*}}, %{{.*}} : tensor<2x3x5x7xf32>, tensor<4x3x1x1xf32>)
func.func @factor(%x: tensor<2x3x5x7xf32>, %w: tensor<4x3x1x1xf32>, %o: tensor<2x4x5x7xf32>) -> tensor<2x4x5x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.expand_shape %x [[0], [1, 2, 3], [4], [5]] output_shape [2, 3, 1, 1, 5, 7] : tensor<2x3x5x7xf32> into tensor<2x3x1x1x5x7xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %r = linalg.generic {indexing_maps = [#in, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%e, %w : tensor<2x3x1x1x5x7xf32>, tensor<4x3x1x1xf32>) outs(%o : tensor<2x4x5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %t = arith.maximumf %a, %zero : f32
    %p = arith.mulf %t, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x5x7xf32>
  return %r : tensor<2x4x5x7xf32>
}

// Nothing else is summed up.
// IR-LABEL: @alone(
// IR: fused_matmul_bias_act ins(%{{.*}}, %{{.*}} : tensor<5x1xf32>, tensor<1x7xf32>)
func.func @alone(%x: tensor<5x1xf32>, %w: tensor<1x7xf32>, %o: tensor<5x7xf32>) -> tensor<5x7xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<5x1xf32>, tensor<1x7xf32>) outs(%o : tensor<5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<5x7xf32>
  return %r : tensor<5x7xf32>
}

// One of them is a part of a window, which reads 5 of 6 rows. It stays.
// IR-LABEL: @part(
// IR: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<2x3x6x7xf32>, tensor<4x3x1xf32>)
func.func @part(%x: tensor<2x3x1x6x7xf32>, %w: tensor<4x3x1x1xf32>, %o: tensor<2x4x5x7xf32>) -> tensor<2x4x5x7xf32> {
  // CHECK: :[[#@LINE+1]]:8: not fused: unsupported: 'input' has size 6 in dimension 'h', of which the output reads only 5{{$}}
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, h, w, c, i, j) -> (n, c, j, h + i, w)>, #filter, #out], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x3x1x6x7xf32>, tensor<4x3x1x1xf32>) outs(%o : tensor<2x4x5x7xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x5x7xf32>
  return %r : tensor<2x4x5x7xf32>
}

// No products: sums over windows of 3x1.
// IR-LABEL: @windows(
// IR: iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]
func.func @windows(%x: tensor<3x7x5xf32>, %k: tensor<3x1xf32>, %o: tensor<3x5x5xf32>) -> tensor<3x5x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: not fused: unsupported: pool in generic form, for which linalg has no name{{$}}
  %r = linalg.generic {indexing_maps = [affine_map<(c, h, w, i, j) -> (c, h + i, w + j)>, affine_map<(c, h, w, i, j) -> (i, j)>, affine_map<(c, h, w, i, j) -> (c, h, w)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %k : tensor<3x7x5xf32>, tensor<3x1xf32>) outs(%o : tensor<3x5x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %s = arith.addf %acc, %a : f32
    linalg.yield %s : f32
  } -> tensor<3x5x5xf32>
  return %r : tensor<3x5x5xf32>
}
