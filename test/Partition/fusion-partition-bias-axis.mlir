// RUN: mlir-pdll -x=mlir -I %fusion_source_dir/include %S/Inputs/partition-bias-axis.pdll -o %t.pdl.mlir
// RUN: fusion-opt %s --fusion-partition="pattern-file=%t.pdl.mlir" | FileCheck %s

// A vector is a bias where it is read along the output channel of the convolution. There
// are as many rows and columns as channels.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#row = affine_map<(d0, d1, d2, d3) -> (d2)>
#column = affine_map<(d0, d1, d2, d3) -> (d3)>
#shaped = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>
#shaped_row = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, 0)>

// CHECK-LABEL: func.func @channel(
// CHECK:         call @fused_bias_in_one_op(
func.func @channel(%x: tensor<2x3x9x6xf32>, %w: tensor<5x3x5x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x5x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x5x5xf32>
  %e = tensor.empty() : tensor<2x5x5x5xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x6xf32>, tensor<5x3x5x2xf32>) outs(%z : tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32>
  %s = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %b : tensor<2x5x5x5xf32>, tensor<5xf32>) outs(%e : tensor<2x5x5x5xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.addf %p, %q : f32
    linalg.yield %m : f32
  } -> tensor<2x5x5x5xf32>
  return %s : tensor<2x5x5x5xf32>
}

// CHECK-LABEL: func.func @row(
// CHECK-NOT:     call @fused_
// CHECK:         linalg.conv_2d_nchw_fchw
// CHECK-NOT:     call @fused_
// CHECK:         return
func.func @row(%x: tensor<2x3x9x6xf32>, %w: tensor<5x3x5x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x5x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x5x5xf32>
  %e = tensor.empty() : tensor<2x5x5x5xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x6xf32>, tensor<5x3x5x2xf32>) outs(%z : tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32>
  %s = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %b : tensor<2x5x5x5xf32>, tensor<5xf32>) outs(%e : tensor<2x5x5x5xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.addf %p, %q : f32
    linalg.yield %m : f32
  } -> tensor<2x5x5x5xf32>
  return %s : tensor<2x5x5x5xf32>
}

// CHECK-LABEL: func.func @broadcast(
// CHECK:         call @fused_bias_is_broadcast(
func.func @broadcast(%x: tensor<2x3x9x6xf32>, %w: tensor<5x3x5x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x5x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x5x5xf32>
  %e = tensor.empty() : tensor<2x5x5x5xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x6xf32>, tensor<5x3x5x2xf32>) outs(%z : tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32>
  %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x5x5xf32>) dimensions = [0, 2, 3]
  %s = linalg.sub ins(%c, %v : tensor<2x5x5x5xf32>, tensor<2x5x5x5xf32>) outs(%e : tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32>
  return %s : tensor<2x5x5x5xf32>
}

// CHECK-LABEL: func.func @broadcast_row(
// CHECK-NOT:     call @fused_
// CHECK:         linalg.conv_2d_nchw_fchw
// CHECK-NOT:     call @fused_
// CHECK:         return
func.func @broadcast_row(%x: tensor<2x3x9x6xf32>, %w: tensor<5x3x5x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x5x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x5x5xf32>
  %e = tensor.empty() : tensor<2x5x5x5xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x6xf32>, tensor<5x3x5x2xf32>) outs(%z : tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32>
  %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x5x5xf32>) dimensions = [0, 1, 3]
  %s = linalg.sub ins(%c, %v : tensor<2x5x5x5xf32>, tensor<2x5x5x5xf32>) outs(%e : tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32>
  return %s : tensor<2x5x5x5xf32>
}

// CHECK-LABEL: func.func @in_front(
// CHECK:         call @fused_bias_in_front(
func.func @in_front(%x: tensor<2x3x9x6xf32>, %w: tensor<5x3x5x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x5x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x5x5xf32>
  %e = tensor.empty() : tensor<2x5x5x5xf32>
  %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x5x5xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x6xf32>, tensor<5x3x5x2xf32>) outs(%v : tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32>
  return %c : tensor<2x5x5x5xf32>
}

// CHECK-LABEL: func.func @in_front_row(
// CHECK-NOT:     call @fused_
// CHECK:         linalg.conv_2d_nchw_fchw
// CHECK-NOT:     call @fused_
// CHECK:         return
func.func @in_front_row(%x: tensor<2x3x9x6xf32>, %w: tensor<5x3x5x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x5x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x5x5xf32>
  %e = tensor.empty() : tensor<2x5x5x5xf32>
  %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x5x5xf32>) dimensions = [0, 1, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x6xf32>, tensor<5x3x5x2xf32>) outs(%v : tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32>
  return %c : tensor<2x5x5x5xf32>
}

// CHECK-LABEL: func.func @transposed(
// CHECK:         call @fused_bias_is_transposed(
func.func @transposed(%x: tensor<2x3x9x6xf32>, %w: tensor<5x3x5x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x5x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x5x5xf32>
  %e = tensor.empty() : tensor<2x5x5x5xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x6xf32>, tensor<5x3x5x2xf32>) outs(%z : tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32>
  %t = linalg.transpose ins(%c : tensor<2x5x5x5xf32>) outs(%e : tensor<2x5x5x5xf32>) permutation = [0, 2, 3, 1]
  %s = linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%t, %b : tensor<2x5x5x5xf32>, tensor<5xf32>) outs(%e : tensor<2x5x5x5xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.addf %p, %q : f32
    linalg.yield %m : f32
  } -> tensor<2x5x5x5xf32>
  return %s : tensor<2x5x5x5xf32>
}

// CHECK-LABEL: func.func @transposed_row(
// CHECK-NOT:     call @fused_
// CHECK:         linalg.conv_2d_nchw_fchw
// CHECK-NOT:     call @fused_
// CHECK:         return
func.func @transposed_row(%x: tensor<2x3x9x6xf32>, %w: tensor<5x3x5x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x5x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x5x5xf32>
  %e = tensor.empty() : tensor<2x5x5x5xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x6xf32>, tensor<5x3x5x2xf32>) outs(%z : tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32>
  %t = linalg.transpose ins(%c : tensor<2x5x5x5xf32>) outs(%e : tensor<2x5x5x5xf32>) permutation = [0, 2, 3, 1]
  %s = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%t, %b : tensor<2x5x5x5xf32>, tensor<5xf32>) outs(%e : tensor<2x5x5x5xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.addf %p, %q : f32
    linalg.yield %m : f32
  } -> tensor<2x5x5x5xf32>
  return %s : tensor<2x5x5x5xf32>
}

// CHECK-LABEL: func.func @reshaped(
// CHECK:         call @fused_bias_is_reshaped(
func.func @reshaped(%x: tensor<2x3x9x6xf32>, %w: tensor<5x3x5x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x5x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x5x5xf32>
  %e = tensor.empty() : tensor<2x5x5x5xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x6xf32>, tensor<5x3x5x2xf32>) outs(%z : tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32>
  %v = tensor.expand_shape %b [[0, 1, 2, 3]] output_shape [1, 5, 1, 1] : tensor<5xf32> into tensor<1x5x1x1xf32>
  %s = linalg.generic {indexing_maps = [#all, #shaped, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %v : tensor<2x5x5x5xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x5x5xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.addf %p, %q : f32
    linalg.yield %m : f32
  } -> tensor<2x5x5x5xf32>
  return %s : tensor<2x5x5x5xf32>
}

// CHECK-LABEL: func.func @reshaped_row(
// CHECK-NOT:     call @fused_
// CHECK:         linalg.conv_2d_nchw_fchw
// CHECK-NOT:     call @fused_
// CHECK:         return
func.func @reshaped_row(%x: tensor<2x3x9x6xf32>, %w: tensor<5x3x5x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x5x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x5x5xf32>
  %e = tensor.empty() : tensor<2x5x5x5xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x6xf32>, tensor<5x3x5x2xf32>) outs(%z : tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32>
  %v = tensor.expand_shape %b [[0, 1, 2, 3]] output_shape [1, 1, 5, 1] : tensor<5xf32> into tensor<1x1x5x1xf32>
  %s = linalg.generic {indexing_maps = [#all, #shaped_row, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %v : tensor<2x5x5x5xf32>, tensor<1x1x5x1xf32>) outs(%e : tensor<2x5x5x5xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.addf %p, %q : f32
    linalg.yield %m : f32
  } -> tensor<2x5x5x5xf32>
  return %s : tensor<2x5x5x5xf32>
}

// CHECK-LABEL: func.func @splat(
// CHECK-NOT:     call @fused_
// CHECK:         linalg.conv_2d_nchw_fchw
// CHECK-NOT:     call @fused_
// CHECK:         return
func.func @splat(%x: tensor<2x3x9x6xf32>, %w: tensor<5x3x5x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x5x5xf32> {
  %i = arith.constant 2 : index
  %z = arith.constant dense<0.0> : tensor<2x5x5x5xf32>
  %e = tensor.empty() : tensor<2x5x5x5xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x6xf32>, tensor<5x3x5x2xf32>) outs(%z : tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32>
  %p = tensor.extract %b[%i] : tensor<5xf32>
  %v = tensor.splat %p : tensor<2x5x5x5xf32>
  %s = linalg.sub ins(%c, %v : tensor<2x5x5x5xf32>, tensor<2x5x5x5xf32>) outs(%e : tensor<2x5x5x5xf32>) -> tensor<2x5x5x5xf32>
  return %s : tensor<2x5x5x5xf32>
}
