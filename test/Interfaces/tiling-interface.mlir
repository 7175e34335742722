// RUN: fusion-opt %s --split-input-file --transform-interpreter --canonicalize --cse --verify-diagnostics | FileCheck %s

// A padded dimension that is tiled is padded before the loop; another keeps its
// padding.

// CHECK-DAG: #[[$TWICE:.*]] = affine_map<()[s0] -> (s0 * 2)>
// CHECK-DAG: #[[$NEED:.*]] = affine_map<()[s0] -> (s0 * 2 + 1)>
// CHECK-LABEL: func @rows
//  CHECK-SAME: %[[X:.*]]: tensor<1x3x10x12xf32>, %[[W:.*]]: tensor<6x3x3x5xf32>, %[[B:.*]]: tensor<6xf32>, %[[R:.*]]: tensor<1x6x5x10xf32>, %[[E:.*]]: tensor<1x6x5x10xf32>
//       CHECK: %[[P:.*]] = tensor.pad %[[X]] low[0, 0, 1, 0] high[0, 0, 0, 0]
//       CHECK: scf.for %[[I:.*]] = %{{.*}} to %c5 step %c2 iter_args(%[[ACC:.*]] = %[[E]])
//       CHECK:   %[[SIZE:.*]] = affine.min #{{.*}}(%[[I]])
//   CHECK-DAG:   %[[FROM:.*]] = affine.apply #[[$TWICE]]()[%[[I]]]
//   CHECK-DAG:   %[[LONG:.*]] = affine.apply #[[$NEED]]()[%[[SIZE]]]
//   CHECK-DAG:   %[[XT:.*]] = tensor.extract_slice %[[P]][0, 0, %[[FROM]], 0] [1, 3, %[[LONG]], 12]
//   CHECK-DAG:   %[[RT:.*]] = tensor.extract_slice %[[R]][0, 0, %[[I]], 0] [1, 6, %[[SIZE]], 10]
//   CHECK-DAG:   %[[ET:.*]] = tensor.extract_slice %[[ACC]][0, 0, %[[I]], 0] [1, 6, %[[SIZE]], 10]
//       CHECK:   fusion.fused_conv_bias_act
//  CHECK-SAME:     strides [2, 1] pad_low [0, 2] ins(
//  CHECK-SAME:     %[[XT]], %[[W]] :
//  CHECK-SAME:     bias(%[[B]] :
//  CHECK-SAME:     residual(%[[RT]] :
//  CHECK-SAME:     outs(%[[ET]] :
func.func @rows(%x: tensor<1x3x10x12xf32>, %w: tensor<6x3x3x5xf32>, %b: tensor<6xf32>,
                %r: tensor<1x6x5x10xf32>, %e: tensor<1x6x5x10xf32>) -> tensor<1x6x5x10xf32> {
  %0 = fusion.fused_conv_bias_act {
      strides = array<i64: 2, 1>, dilations = array<i64: 1, 1>,
      pad_low = array<i64: 1, 2>, pad_high = array<i64: 0, 0>,
      input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
    ins(%x, %w : tensor<1x3x10x12xf32>, tensor<6x3x3x5xf32>)
    bias(%b : tensor<6xf32>) residual(%r : tensor<1x6x5x10xf32>)
    outs(%e : tensor<1x6x5x10xf32>) -> tensor<1x6x5x10xf32>
  return %0 : tensor<1x6x5x10xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["fusion.fused_conv_bias_act"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 2, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Output channels: filter, bias and destination. Layouts need not agree.

// CHECK-LABEL: func @channels
//  CHECK-SAME: %[[X:.*]]: tensor<?x10x12x3xf32>, %[[W:.*]]: tensor<3x3x3x6xf32>, %[[B:.*]]: tensor<6xf32>, %[[E:.*]]: tensor<?x6x5x8xf32>
//       CHECK: scf.for %[[N:arg[0-9]+]] =
//       CHECK: scf.for %[[C:arg[0-9]+]] = %{{.*}} to %c6 step %c3
//   CHECK-DAG:   %[[XT:.*]] = tensor.extract_slice %[[X]][%[[N]], 0, 0, 0] [%[[ONE:.*]], 10, 12, 3]
//   CHECK-DAG:   %[[WT:.*]] = tensor.extract_slice %[[W]][0, 0, 0, %[[C]]] [3, 3, 3, 3]
//   CHECK-DAG:   %[[BT:.*]] = tensor.extract_slice %[[B]][%[[C]]] [3]
//   CHECK-DAG:   %[[ET:.*]] = tensor.extract_slice %{{.*}}[%[[N]], %[[C]], 0, 0] [%{{.*}}, 3, 5, 8]
//       CHECK:   fusion.fused_conv_bias_act relu strides [2, 1] dilations [1, 2] pad_high [1, 0] layouts(nhwc, hwcf, nchw) ins(
//  CHECK-SAME:     %[[XT]], %[[WT]] :
//  CHECK-SAME:     bias(%[[BT]] :
//  CHECK-SAME:     outs(%[[ET]] :
func.func @channels(%x: tensor<?x10x12x3xf32>, %w: tensor<3x3x3x6xf32>, %b: tensor<6xf32>,
                    %e: tensor<?x6x5x8xf32>) -> tensor<?x6x5x8xf32> {
  %0 = fusion.fused_conv_bias_act {
      strides = array<i64: 2, 1>, dilations = array<i64: 1, 2>,
      pad_low = array<i64: 0, 0>, pad_high = array<i64: 1, 0>,
      input_layout = "nhwc", filter_layout = "hwcf", output_layout = "nchw",
      activation = #fusion.activation<relu>}
    ins(%x, %w : tensor<?x10x12x3xf32>, tensor<3x3x3x6xf32>) bias(%b : tensor<6xf32>)
    outs(%e : tensor<?x6x5x8xf32>) -> tensor<?x6x5x8xf32>
  return %0 : tensor<?x6x5x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["fusion.fused_conv_bias_act"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %op tile_sizes [2, 3, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Whole groups: those of the input go with them. A loop over numbers of tiles is
// as good as one over channels.

// CHECK-DAG: #[[$OUT:.*]] = affine_map<(d0) -> (d0 * 4)>
// CHECK-DAG: #[[$IN:.*]] = affine_map<(d0) -> (d0 * 6)>
// CHECK-LABEL: func @groups
//  CHECK-SAME: %[[X:.*]]: tensor<1x12x7x8xf32>, %[[W:.*]]: tensor<8x3x3x2xf32>
//       CHECK: scf.forall (%[[G:.*]]) in (2)
//   CHECK-DAG:   %[[OC:.*]] = affine.apply #[[$OUT]](%[[G]])
//   CHECK-DAG:   %[[IC:.*]] = affine.apply #[[$IN]](%[[G]])
//   CHECK-DAG:   %[[XT:.*]] = tensor.extract_slice %[[X]][0, %[[IC]], 0, 0] [1, 6, 7, 8]
//   CHECK-DAG:   %[[WT:.*]] = tensor.extract_slice %[[W]][%[[OC]], 0, 0, 0] [4, 3, 3, 2]
//       CHECK:   fusion.fused_conv_bias_act
//  CHECK-SAME:     groups 2 ins(
//  CHECK-SAME:     %[[XT]], %[[WT]] :
func.func @groups(%x: tensor<1x12x7x8xf32>, %w: tensor<8x3x3x2xf32>,
                  %e: tensor<1x8x5x7xf32>) -> tensor<1x8x5x7xf32> {
  %0 = fusion.fused_conv_bias_act {
      strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
      pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 4,
      input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
    ins(%x, %w : tensor<1x12x7x8xf32>, tensor<8x3x3x2xf32>)
    outs(%e : tensor<1x8x5x7xf32>) -> tensor<1x8x5x7xf32>
  return %0 : tensor<1x8x5x7xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["fusion.fused_conv_bias_act"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_forall %op num_threads [0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Transposed: batch and output channels.

// CHECK-LABEL: func @deconv
//  CHECK-SAME: %[[X:.*]]: tensor<4x3x5x6xf32>, %[[W:.*]]: tensor<8x3x3x2xf32>
//   CHECK-DAG:   %[[XT:.*]] = tensor.extract_slice %[[X]][%[[N:.*]], 0, 0, 0] [2, 3, 5, 6]
//   CHECK-DAG:   %[[WT:.*]] = tensor.extract_slice %[[W]][%[[C:.*]], 0, 0, 0] [4, 3, 3, 2]
//       CHECK:   fusion.fused_deconv_bias_act
//  CHECK-SAME:     strides [2, 2] pad_low [1, 0] ins(
//  CHECK-SAME:     %[[XT]], %[[WT]] :
func.func @deconv(%x: tensor<4x3x5x6xf32>, %w: tensor<8x3x3x2xf32>,
                  %e: tensor<4x8x10x12xf32>) -> tensor<4x8x10x12xf32> {
  %0 = fusion.fused_deconv_bias_act {
      strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>,
      pad_low = array<i64: 1, 0>, pad_high = array<i64: 0, 0>,
      input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
    ins(%x, %w : tensor<4x3x5x6xf32>, tensor<8x3x3x2xf32>)
    outs(%e : tensor<4x8x10x12xf32>) -> tensor<4x8x10x12xf32>
  return %0 : tensor<4x8x10x12xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["fusion.fused_deconv_bias_act"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %op tile_sizes [2, 4, 0, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A filter for all batches.

// CHECK-LABEL: func @matmul
//  CHECK-SAME: %[[X:.*]]: tensor<2x12x5xf32>, %[[W:.*]]: tensor<7x5xf32>, %[[B:.*]]: tensor<7xf32>
//   CHECK-DAG:   %[[XT:.*]] = tensor.extract_slice %[[X]][%[[I:.*]], %[[M:.*]], 0] [1, 4, 5]
//   CHECK-DAG:   %[[WT:.*]] = tensor.extract_slice %[[W]][%[[N:.*]], 0] [%[[COLUMNS:.*]], 5]
//   CHECK-DAG:   %[[BT:.*]] = tensor.extract_slice %[[B]][%[[N]]] [%[[COLUMNS]]]
//       CHECK:   fusion.fused_matmul_bias_act
//  CHECK-SAME:     ins(%[[XT]], %[[WT]] :
//  CHECK-SAME:     bias(%[[BT]] :
func.func @matmul(%x: tensor<2x12x5xf32>, %w: tensor<7x5xf32>, %b: tensor<7xf32>,
                  %e: tensor<2x12x7xf32>) -> tensor<2x12x7xf32> {
  %0 = fusion.fused_matmul_bias_act {
      input_layout = "bmk", filter_layout = "nk", output_layout = "bmn"}
    ins(%x, %w : tensor<2x12x5xf32>, tensor<7x5xf32>) bias(%b : tensor<7xf32>)
    outs(%e : tensor<2x12x7xf32>) -> tensor<2x12x7xf32>
  return %0 : tensor<2x12x7xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["fusion.fused_matmul_bias_act"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:3 = transform.structured.tile_using_for %op tile_sizes [1, 4, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// That of unsigned integers is 0, and a tile is unsigned, too.

// CHECK-LABEL: func @unsigned_pool
//   CHECK-DAG: %[[LEAST:.*]] = arith.constant 0 : i8
//       CHECK: tensor.pad
//       CHECK:   tensor.yield %[[LEAST]]
//       CHECK: fusion.pool {input_unsigned, {{.*}}pad_low = array<i64: 1, 0>
func.func @unsigned_pool(%x: tensor<1x9x7x4xi8>, %e: tensor<1x4x6x4xi8>) -> tensor<1x4x6x4xi8> {
  %0 = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc",
      kernel = array<i64: 3, 3>, strides = array<i64: 2, 1>,
      pad_low = array<i64: 1, 1>, pad_high = array<i64: 0, 0>, input_unsigned}
    ins(%x : tensor<1x9x7x4xi8>) outs(%e : tensor<1x4x6x4xi8>) -> tensor<1x4x6x4xi8>
  return %0 : tensor<1x4x6x4xi8>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["fusion.pool"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 4, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The padding of a maximum is minus infinity.

// CHECK-LABEL: func @pool
//  CHECK-SAME: %[[X:.*]]: tensor<1x9x7x4xf32>
//   CHECK-DAG: %[[LEAST:.*]] = arith.constant 0xFF800000 : f32
//       CHECK: %[[P:.*]] = tensor.pad %[[X]] low[0, 0, 1, 0] high[0, 0, 0, 0]
//       CHECK:   tensor.yield %[[LEAST]]
//       CHECK: scf.for %{{.*}} =
//   CHECK-DAG:   %[[XT:.*]] = tensor.extract_slice %[[P]][0, 0, %{{.*}}, 0] [1, 9, %{{.*}}, 4]
//       CHECK:   fusion.pool
//  CHECK-SAME:     pad_high = array<i64: 0, 0>, pad_low = array<i64: 1, 0>
//  CHECK-SAME:     ins(%[[XT]] :
func.func @pool(%x: tensor<1x9x7x4xf32>, %e: tensor<1x4x6x4xf32>) -> tensor<1x4x6x4xf32> {
  %0 = fusion.pool {pooling = #fusion.pooling<max>, layout = "nhwc",
      kernel = array<i64: 3, 3>, strides = array<i64: 2, 1>,
      pad_low = array<i64: 1, 1>, pad_high = array<i64: 0, 0>}
    ins(%x : tensor<1x9x7x4xf32>) outs(%e : tensor<1x4x6x4xf32>) -> tensor<1x4x6x4xf32>
  return %0 : tensor<1x4x6x4xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["fusion.pool"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 4, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Buffers.

// CHECK-LABEL: func @buffers
//  CHECK-SAME: %[[X:.*]]: memref<1x3x10x12xf32>, %[[W:.*]]: memref<6x3x3x5xf32>, %[[E:.*]]: memref<1x6x4x8xf32>
//       CHECK: scf.for %[[I:arg[0-9]+]] =
//   CHECK-DAG:   %[[XT:.*]] = memref.subview %[[X]][0, 0, %{{.*}}, 0] [1, 3, 5, 12]
//   CHECK-DAG:   %[[ET:.*]] = memref.subview %[[E]][0, 0, %[[I]], 0] [1, 6, 2, 8]
//       CHECK:   fusion.fused_conv_bias_act
//  CHECK-SAME:     ins(%[[XT]], %[[W]] :
//  CHECK-SAME:     outs(%[[ET]] :
func.func @buffers(%x: memref<1x3x10x12xf32>, %w: memref<6x3x3x5xf32>, %e: memref<1x6x4x8xf32>) {
  fusion.fused_conv_bias_act {
      strides = array<i64: 2, 1>, dilations = array<i64: 1, 1>,
      pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
      input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
    ins(%x, %w : memref<1x3x10x12xf32>, memref<6x3x3x5xf32>) outs(%e : memref<1x6x4x8xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["fusion.fused_conv_bias_act"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 2, 0] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A convolution is tiled together with the op that reads it.

// CHECK-LABEL: func @producer
//       CHECK: scf.for
//       CHECK:   %[[T:.*]] = fusion.fused_conv_bias_act
//  CHECK-SAME:     -> tensor<1x2x4x8xf32>
//       CHECK:   linalg.softmax {{.*}}ins(%[[T]] :
//   CHECK-NOT: fusion.fused_conv_bias_act
func.func @producer(%x: tensor<1x3x10x12xf32>, %w: tensor<6x3x3x5xf32>,
                    %e: tensor<1x6x4x8xf32>) -> tensor<1x6x4x8xf32> {
  %0 = fusion.fused_conv_bias_act {
      strides = array<i64: 2, 1>, dilations = array<i64: 1, 1>,
      pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
      input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
    ins(%x, %w : tensor<1x3x10x12xf32>, tensor<6x3x3x5xf32>)
    outs(%e : tensor<1x6x4x8xf32>) -> tensor<1x6x4x8xf32>
  %1 = linalg.softmax dimension(3) ins(%0 : tensor<1x6x4x8xf32>) outs(%e : tensor<1x6x4x8xf32>) -> tensor<1x6x4x8xf32>
  return %1 : tensor<1x6x4x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["linalg.softmax"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.fuse %op tile_sizes [0, 2, 0] {apply_cleanup} : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// A slice from the beginning is not the whole.

// CHECK-LABEL: func @first_rows
//  CHECK-SAME: %[[X:.*]]: tensor<1x3x10x12xf32>, %[[W:.*]]: tensor<6x3x3x5xf32>
//       CHECK:   %[[XT:.*]] = tensor.extract_slice %[[X]][0, 0, 0, 0] [1, 3, 5, 12]
//       CHECK:   %[[WT:.*]] = tensor.extract_slice %[[W]][0, 0, 0, 0] [4, 3, 3, 5]
//       CHECK:   fusion.fused_conv_bias_act
//  CHECK-SAME:     ins(%[[XT]], %[[WT]] :
//  CHECK-SAME:     -> tensor<1x4x2x8xf32>
func.func @first_rows(%x: tensor<1x3x10x12xf32>, %w: tensor<6x3x3x5xf32>,
                      %e: tensor<1x6x4x8xf32>, %f: tensor<1x4x2x8xf32>) -> tensor<1x4x2x8xf32> {
  %0 = fusion.fused_conv_bias_act {
      strides = array<i64: 2, 1>, dilations = array<i64: 1, 1>,
      pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
      input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
    ins(%x, %w : tensor<1x3x10x12xf32>, tensor<6x3x3x5xf32>)
    outs(%e : tensor<1x6x4x8xf32>) -> tensor<1x6x4x8xf32>
  %1 = scf.forall (%i) in (1) shared_outs(%out = %f) -> (tensor<1x4x2x8xf32>) {
    %slice = tensor.extract_slice %0[0, 0, 0, 0] [1, 4, 2, 8] [1, 1, 1, 1] : tensor<1x6x4x8xf32> to tensor<1x4x2x8xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %slice into %out[0, 0, 0, 0] [1, 4, 2, 8] [1, 1, 1, 1] : tensor<1x4x2x8xf32> into tensor<1x4x2x8xf32>
    }
  }
  return %1 : tensor<1x4x2x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["fusion.fused_conv_bias_act"]} in %root : (!transform.any_op) -> !transform.any_op
    %loop = transform.structured.match ops{["scf.forall"]} in %root : (!transform.any_op) -> !transform.any_op
    %fused, %new = transform.structured.fuse_into_containing_op %op into %loop : (!transform.any_op, !transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// Of integers: the padding of a cut dimension is the zero point, a scale for each output
// channel is cut as the bias is, and groups as those of floats.

// CHECK-LABEL: func @quantized_conv
//  CHECK-SAME: %[[X:[a-z0-9]+]]: tensor<1x6x9x7xi8>, %[[W:[a-z0-9]+]]: tensor<4x3x3x2xi8>, %[[B:[a-z0-9]+]]: tensor<4xi32>, %[[S:[a-z0-9]+]]: tensor<4xf32>, %[[R:[a-z0-9]+]]: tensor<1x4x9x6xi8>,
//       CHECK:   %[[Z:.*]] = arith.constant 9 : i8
//       CHECK:   %[[P:.*]] = tensor.pad %[[X]] low[0, 0, 2, 0] high[0, 0, 0, 0]
//       CHECK:     tensor.yield %[[Z]] : i8
//   CHECK-DAG:   %[[XT:.*]] = tensor.extract_slice %[[P]][0, %[[I:.*]], %[[H:.*]], 0] [1, 3, 5, 7]
//   CHECK-DAG:   %[[WT:.*]] = tensor.extract_slice %[[W]][%[[C:.*]], 0, 0, 0] [2, 3, 3, 2]
//   CHECK-DAG:   %[[BT:.*]] = tensor.extract_slice %[[B]][%[[C]]] [2]
//   CHECK-DAG:   %[[ST:.*]] = tensor.extract_slice %[[S]][%[[C]]] [2]
//   CHECK-DAG:   %[[RT:.*]] = tensor.extract_slice %[[R]][0, %[[C]], %[[H]], 0] [1, 2, 3, 6]
//       CHECK:   fusion.quantized_conv_bias_act
//   CHECK-NOT:     groups
//  CHECK-SAME:     input_zero_point = 9 : i32
//  CHECK-SAME:     ins(%[[XT]], %[[WT]] : {{.*}}) bias(%[[BT]] : {{.*}}) scale(%[[ST]] : {{.*}}) residual(%[[RT]] :
func.func @quantized_conv(%x: tensor<1x6x9x7xi8>, %w: tensor<4x3x3x2xi8>, %b: tensor<4xi32>, %s: tensor<4xf32>,
                          %r: tensor<1x4x9x6xi8>, %e: tensor<1x4x9x6xi8>) -> tensor<1x4x9x6xi8> {
  %0 = fusion.quantized_conv_bias_act {
      strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, groups = 2 : i64,
      pad_low = array<i64: 2, 0>, pad_high = array<i64: 0, 0>, input_zero_point = 9 : i32,
      input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
    ins(%x, %w : tensor<1x6x9x7xi8>, tensor<4x3x3x2xi8>) bias(%b : tensor<4xi32>) scale(%s : tensor<4xf32>)
    residual(%r : tensor<1x4x9x6xi8>) outs(%e : tensor<1x4x9x6xi8>) -> tensor<1x4x9x6xi8>
  return %0 : tensor<1x4x9x6xi8>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["fusion.quantized_conv_bias_act"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %op tile_sizes [0, 2, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// One scale is that of each tile.

// CHECK-LABEL: func @quantized_matmul
//  CHECK-SAME: %[[X:.*]]: tensor<12x5xi8>, %[[W:.*]]: tensor<5x7xi8>, %[[S:.*]]: tensor<1xf32>
//   CHECK-DAG:   %[[XT:.*]] = tensor.extract_slice %[[X]][%{{.*}}, 0] [4, 5]
//   CHECK-DAG:   %[[WT:.*]] = tensor.extract_slice %[[W]][0, %{{.*}}] [5, %{{.*}}]
//       CHECK:   fusion.quantized_matmul_bias_act
//  CHECK-SAME:     ins(%[[XT]], %[[WT]] : {{.*}}) scale(%[[S]] :
func.func @quantized_matmul(%x: tensor<12x5xi8>, %w: tensor<5x7xi8>, %s: tensor<1xf32>,
                            %e: tensor<12x7xf32>) -> tensor<12x7xf32> {
  %0 = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<12x5xi8>, tensor<5x7xi8>)
    scale(%s : tensor<1xf32>) outs(%e : tensor<12x7xf32>) -> tensor<12x7xf32>
  return %0 : tensor<12x7xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["fusion.quantized_matmul_bias_act"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loops:2 = transform.structured.tile_using_for %op tile_sizes [4, 3] : (!transform.any_op) -> (!transform.any_op, !transform.any_op, !transform.any_op)
    transform.yield
  }
}
