// RUN: fusion-opt %s --fusion-raise-pools --fusion-fuse-quantized | FileCheck %s --implicit-check-not='"reduction"'

// Near misses of summed.mlir: a kernel adds up.

#n = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// A window that is smaller than the image.
// CHECK-LABEL: func @window(
// CHECK:         fusion.pool {{.*}}<sum>
func.func @window(%x: tensor<2x9x7x5xi8>) -> tensor<2x1x2x5xf32> {
  %d_e = tensor.empty() : tensor<2x9x7x5xf32>
  %d_z = arith.constant -3 : i32
  %d_s = arith.constant 0.05 : f32
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x9x7x5xi8>) outs(%d_e : tensor<2x9x7x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %d_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %d_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x9x7x5xf32>
  %r_w = tensor.empty() : tensor<9x6xf32>
  %r_i = arith.constant dense<0.0> : tensor<2x1x2x5xf32>
  %r = linalg.pooling_nhwc_sum {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
         ins(%d, %r_w : tensor<2x9x7x5xf32>, tensor<9x6xf32>) outs(%r_i : tensor<2x1x2x5xf32>) -> tensor<2x1x2x5xf32>
  return %r : tensor<2x1x2x5xf32>
}

// As large as the image, and padded.
// CHECK-LABEL: func @padded(
// CHECK:         fusion.pool {{.*}}<sum>
func.func @padded(%x: tensor<2x9x7x5xi8>) -> tensor<2x1x2x5xf32> {
  %d_e = tensor.empty() : tensor<2x9x7x5xf32>
  %d_z = arith.constant -3 : i32
  %d_s = arith.constant 0.05 : f32
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x9x7x5xi8>) outs(%d_e : tensor<2x9x7x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %d_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %d_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x9x7x5xf32>
  %q_n = arith.constant 0.0 : f32
  %q = tensor.pad %d low[0, 0, 1, 0] high[0, 0, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %q_n : f32
  } : tensor<2x9x7x5xf32> to tensor<2x9x8x5xf32>
  %r_w = tensor.empty() : tensor<9x7xf32>
  %r_i = arith.constant dense<0.0> : tensor<2x1x2x5xf32>
  %r = linalg.pooling_nhwc_sum {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
         ins(%q, %r_w : tensor<2x9x8x5xf32>, tensor<9x7xf32>) outs(%r_i : tensor<2x1x2x5xf32>) -> tensor<2x1x2x5xf32>
  return %r : tensor<2x1x2x5xf32>
}

// At the other end.
// CHECK-LABEL: func @padded_at_the_end(
// CHECK:         fusion.pool {{.*}}<sum>
func.func @padded_at_the_end(%x: tensor<2x9x7x5xi8>) -> tensor<2x3x1x5xf32> {
  %d_e = tensor.empty() : tensor<2x9x7x5xf32>
  %d_z = arith.constant -3 : i32
  %d_s = arith.constant 0.05 : f32
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x9x7x5xi8>) outs(%d_e : tensor<2x9x7x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %d_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %d_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x9x7x5xf32>
  %q_n = arith.constant 0.0 : f32
  %q = tensor.pad %d low[0, 0, 0, 0] high[0, 2, 0, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %q_n : f32
  } : tensor<2x9x7x5xf32> to tensor<2x11x7x5xf32>
  %r_w = tensor.empty() : tensor<9x7xf32>
  %r_i = arith.constant dense<0.0> : tensor<2x3x1x5xf32>
  %r = linalg.pooling_nhwc_sum {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
         ins(%q, %r_w : tensor<2x11x7x5xf32>, tensor<9x7xf32>) outs(%r_i : tensor<2x3x1x5xf32>) -> tensor<2x3x1x5xf32>
  return %r : tensor<2x3x1x5xf32>
}

// Floats that are there.
// CHECK-LABEL: func @floats(
// CHECK:         fusion.pool {{.*}}<sum>
func.func @floats(%x: tensor<2x9x7x5xf32>) -> tensor<2x1x1x5xf32> {
  %r_w = tensor.empty() : tensor<9x7xf32>
  %r_i = arith.constant dense<0.0> : tensor<2x1x1x5xf32>
  %r = linalg.pooling_nhwc_sum {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
         ins(%x, %r_w : tensor<2x9x7x5xf32>, tensor<9x7xf32>) outs(%r_i : tensor<2x1x1x5xf32>) -> tensor<2x1x1x5xf32>
  return %r : tensor<2x1x1x5xf32>
}

// Floats that are needed.
// CHECK-LABEL: func @read_twice(
// CHECK:         fusion.pool {{.*}}<sum>
func.func @read_twice(%x: tensor<2x9x7x5xi8>) -> (tensor<2x1x1x5xf32>, tensor<2x9x7x5xf32>) {
  %d_e = tensor.empty() : tensor<2x9x7x5xf32>
  %d_z = arith.constant -3 : i32
  %d_s = arith.constant 0.05 : f32
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x9x7x5xi8>) outs(%d_e : tensor<2x9x7x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %d_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %d_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x9x7x5xf32>
  %r_w = tensor.empty() : tensor<9x7xf32>
  %r_i = arith.constant dense<0.0> : tensor<2x1x1x5xf32>
  %r = linalg.pooling_nhwc_sum {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
         ins(%d, %r_w : tensor<2x9x7x5xf32>, tensor<9x7xf32>) outs(%r_i : tensor<2x1x1x5xf32>) -> tensor<2x1x1x5xf32>
  return %r, %d : tensor<2x1x1x5xf32>, tensor<2x9x7x5xf32>
}

// A maximum.
// CHECK-LABEL: func @maximum(
// CHECK:         fusion.pool {{.*}}<max>
func.func @maximum(%x: tensor<2x9x7x5xi8>) -> tensor<2x1x1x5xf32> {
  %d_e = tensor.empty() : tensor<2x9x7x5xf32>
  %d_z = arith.constant -3 : i32
  %d_s = arith.constant -0.05 : f32
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x9x7x5xi8>) outs(%d_e : tensor<2x9x7x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %d_z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %d_s : f32
    linalg.yield %3 : f32
  } -> tensor<2x9x7x5xf32>
  %r_w = tensor.empty() : tensor<9x7xf32>
  %r_i = arith.constant dense<0xFF800000> : tensor<2x1x1x5xf32>
  %r = linalg.pooling_nhwc_max {strides = dense<[1, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>}
         ins(%d, %r_w : tensor<2x9x7x5xf32>, tensor<9x7xf32>) outs(%r_i : tensor<2x1x1x5xf32>) -> tensor<2x1x1x5xf32>
  return %r : tensor<2x1x1x5xf32>
}
