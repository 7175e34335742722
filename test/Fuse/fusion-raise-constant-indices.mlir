// Outputs of one element, where the stride reads one place of a larger input:
// upstream's linalg-fold-unit-extent-dims drops the loop.
// ../Integration/raise-paths.test runs all of it.

// RUN: fusion-opt %s --fusion-optimize -o %t.mlir
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.mlir
// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:

// A 1x1 convolution with strides, whose output is one column.
// IR-LABEL: @rows(
// IR: extract_slice %{{.*}}[0, 0, 0, 1] [2, 3, 9, 1]
// IR: fused_conv_bias_act strides [2] ins(%{{.*}}, %{{.*}} : tensor<2x3x9xf32>, tensor<5x3x1xf32>)
func.func @rows(%x: tensor<2x3x9x4xf32>, %w: tensor<5x3xf32>, %o: tensor<2x5x5xf32>) -> tensor<2x5x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, h, c) -> (n, c, h * 2, 1)>, affine_map<(n, f, h, c) -> (f, c)>, affine_map<(n, f, h, c) -> (n, f, h)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x3x9x4xf32>, tensor<5x3xf32>) outs(%o : tensor<2x5x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x5x5xf32>
  return %r : tensor<2x5x5xf32>
}

// A window of three rows.
// IR-LABEL: @windows(
// IR: extract_slice %{{.*}}[0, 0, 0, 3] [2, 3, 9, 1]
// IR: fused_conv_bias_act strides [2] ins(%{{.*}}, %{{.*}} : tensor<2x3x9xf32>, tensor<5x3x3xf32>)
func.func @windows(%x: tensor<2x3x9x4xf32>, %w: tensor<5x3x3xf32>, %o: tensor<2x5x4xf32>) -> tensor<2x5x4xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, h, c, k) -> (n, c, h * 2 + k, 3)>, affine_map<(n, f, h, c, k) -> (f, c, k)>, affine_map<(n, f, h, c, k) -> (n, f, h)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x3x9x4xf32>, tensor<5x3x3xf32>) outs(%o : tensor<2x5x4xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x5x4xf32>
  return %r : tensor<2x5x4xf32>
}

// An output of one pixel, with the filter first.
// IR-LABEL: @pixel(
// IR: extract_slice %{{.*}}[0, 0, 1, 0] [4, 7, 1, 1]
// IR: fused_matmul_bias_act {{.*}}tensor<4x7xf32>
func.func @pixel(%x: tensor<5x7xf32>, %w: tensor<4x7x2x3xf32>, %o: tensor<4x5xf32>) -> tensor<4x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, c) -> (f, c)>, affine_map<(n, f, c) -> (n, c, 1, 0)>, affine_map<(n, f, c) -> (n, f)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<5x7xf32>, tensor<4x7x2x3xf32>) outs(%o : tensor<4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// Both factors, one of them in a dimension of one element.
// IR-LABEL: @both(
// IR: extract_slice %{{.*}}[0, 2, 0] [4, 1, 7]
// IR: fused_matmul_bias_act {{.*}}tensor<4x7xf32>, tensor<5x7xf32>
func.func @both(%x: tensor<4x3x7xf32>, %w: tensor<1x5x7xf32>, %o: tensor<4x5xf32>) -> tensor<4x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, c) -> (n, 2, c)>, affine_map<(n, f, c) -> (0, f, c)>, affine_map<(n, f, c) -> (n, f)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x3x7xf32>, tensor<1x5x7xf32>) outs(%o : tensor<4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// The size of another dimension is not known.
// IR-LABEL: @batch(
// IR: extract_slice %{{.*}}[0, 1, 0] [%{{.*}}, 1, 7]
// IR: fused_matmul_bias_act {{.*}}tensor<?x7xf32>
func.func @batch(%x: tensor<?x3x7xf32>, %w: tensor<5x7xf32>, %o: tensor<?x5xf32>) -> tensor<?x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, c) -> (n, 1, c)>, affine_map<(n, f, c) -> (f, c)>, affine_map<(n, f, c) -> (n, f)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<?x3x7xf32>, tensor<5x7xf32>) outs(%o : tensor<?x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<?x5xf32>
  return %r : tensor<?x5xf32>
}

// The size of the dimension is not known.
// IR-LABEL: @unknown(
// IR: extract_slice %{{.*}}[0, 1, 0] [4, 1, 7]
// IR: fused_matmul_bias_act {{.*}}tensor<4x7xf32>
func.func @unknown(%x: tensor<4x?x7xf32>, %w: tensor<5x7xf32>, %o: tensor<4x5xf32>) -> tensor<4x5xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, c) -> (n, 1, c)>, affine_map<(n, f, c) -> (f, c)>, affine_map<(n, f, c) -> (n, f)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<4x?x7xf32>, tensor<5x7xf32>) outs(%o : tensor<4x5xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// One channel is read.
// IR-LABEL: @channel(
// IR: extract_slice %{{.*}}[0, 1, 0] [2, 1, 9]
// IR: fused_conv_bias_act ins(%{{.*}}, %{{.*}} : tensor<2x1x9xf32>, tensor<4x1x3xf32>)
func.func @channel(%x: tensor<2x3x9xf32>, %w: tensor<4x3xf32>, %o: tensor<2x4x7xf32>) -> tensor<2x4x7xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, w, k) -> (n, 1, w + k)>, affine_map<(n, f, w, k) -> (f, k)>, affine_map<(n, f, w, k) -> (n, f, w)>], iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<2x3x9xf32>, tensor<4x3xf32>) outs(%o : tensor<2x4x7xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x7xf32>
  return %r : tensor<2x4x7xf32>
}

// The filter has one channel.
// IR-LABEL: @channel_of_filter(
// IR: extract_slice %{{.*}}[0, 0, 0] [2, 1, 9]
// IR: fused_conv_bias_act ins(%{{.*}}, %{{.*}} : tensor<2x1x9xf32>, tensor<4x1x3xf32>)
func.func @channel_of_filter(%x: tensor<2x3x9xf32>, %w: tensor<4x1x3xf32>, %o: tensor<2x4x7xf32>) -> tensor<2x4x7xf32> {
  // CHECK: :[[#@LINE+1]]:8: fused: residual{{$}}
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, w, c, k) -> (n, 0, w + k)>, affine_map<(n, f, w, c, k) -> (f, c, k)>, affine_map<(n, f, w, c, k) -> (n, f, w)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x3x9xf32>, tensor<4x1x3xf32>) outs(%o : tensor<2x4x7xf32>) {
  ^bb0(%a: f32, %b: f32, %acc: f32):
    %p = arith.mulf %a, %b : f32
    %s = arith.addf %acc, %p : f32
    linalg.yield %s : f32
  } -> tensor<2x4x7xf32>
  return %r : tensor<2x4x7xf32>
}

// Integers, which are no factors of a fused op before `fusion-fuse-quantized`.
// IR-LABEL: @integers(
// IR: extract_slice %{{.*}}[0, 0, 0, 3] [2, 3, 9, 1]
// IR: quantized_conv_bias_act strides [2] ins(%{{.*}}, %{{.*}} : tensor<2x3x9xi8>, tensor<5x3x3xi8>)
func.func @integers(%x: tensor<2x3x9x4xi8>, %w: tensor<5x3x3xi8>) -> tensor<2x5x4xi32> {
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x5x4xi32>
  %o = linalg.fill ins(%zero : i32) outs(%e : tensor<2x5x4xi32>) -> tensor<2x5x4xi32>
  // CHECK: :[[#@LINE+1]]:8: fused: convolution alone{{$}}
  %r = linalg.generic {indexing_maps = [affine_map<(n, f, h, c, k) -> (n, c, h * 2 + k, 3)>, affine_map<(n, f, h, c, k) -> (f, c, k)>, affine_map<(n, f, h, c, k) -> (n, f, h)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x3x9x4xi8>, tensor<5x3x3xi8>) outs(%o : tensor<2x5x4xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %i = arith.extsi %a : i8 to i32
    %j = arith.extsi %b : i8 to i32
    %p = arith.muli %i, %j : i32
    %s = arith.addi %acc, %p : i32
    linalg.yield %s : i32
  } -> tensor<2x5x4xi32>
  return %r : tensor<2x5x4xi32>
}
