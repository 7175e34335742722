// RUN: fusion-opt %s --split-input-file --transform-interpreter --verify-diagnostics

// An op that cannot be tiled gets a remark with the values.

func.func @part_of_a_group(%x: tensor<1x12x7x8xf32>, %w: tensor<8x3x3x2xf32>,
                           %e: tensor<1x8x5x7xf32>) -> tensor<1x8x5x7xf32> {
  // expected-remark @below {{not tiled: a tile of output channels must have a constant size that is a multiple of those of a group (2), got 1}}
  // expected-error @below {{to tile operation}}
  // expected-error @below {{failed to generate tiling loops}}
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
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 1] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// 8 channels in tiles of 6: the last one is smaller.

func.func @rest_of_groups(%x: tensor<1x12x7x8xf32>, %w: tensor<8x3x3x2xf32>,
                          %e: tensor<1x8x5x7xf32>) -> tensor<1x8x5x7xf32> {
  // expected-remark @below {{not tiled: a tile of output channels must have a constant size that is a multiple of those of a group (2), got a dynamic one}}
  // expected-error @below {{to tile operation}}
  // expected-error @below {{failed to generate tiling loops}}
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
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 6] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @dynamic_groups(%x: tensor<1x?x7x8xf32>, %w: tensor<?x3x3x2xf32>,
                          %e: tensor<1x?x5x7xf32>) -> tensor<1x?x5x7xf32> {
  // expected-remark @below {{not tiled: the number of output channels must be static to tile them with 'groups' (4)}}
  // expected-error @below {{to tile operation}}
  // expected-error @below {{failed to generate tiling loops}}
  %0 = fusion.fused_conv_bias_act {
      strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
      pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 4,
      input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
    ins(%x, %w : tensor<1x?x7x8xf32>, tensor<?x3x3x2xf32>)
    outs(%e : tensor<1x?x5x7xf32>) -> tensor<1x?x5x7xf32>
  return %0 : tensor<1x?x5x7xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["fusion.fused_conv_bias_act"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

// The slice that a consumer reads begins in the middle of a group.

func.func @offset_of_groups(%x: tensor<1x12x7x8xf32>, %w: tensor<8x3x3x2xf32>,
                            %e: tensor<1x8x5x7xf32>, %f: tensor<1x2x5x7xf32>) -> tensor<1x2x5x7xf32> {
  // expected-remark @below {{not tiled: the offset of a tile of output channels must be known to be a multiple of those of a group (2)}}
  %0 = fusion.fused_conv_bias_act {
      strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>,
      pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, groups = 4,
      input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
    ins(%x, %w : tensor<1x12x7x8xf32>, tensor<8x3x3x2xf32>)
    outs(%e : tensor<1x8x5x7xf32>) -> tensor<1x8x5x7xf32>
  %1 = scf.forall (%i) in (1) shared_outs(%out = %f) -> (tensor<1x2x5x7xf32>) {
    %slice = tensor.extract_slice %0[0, 3, 0, 0] [1, 2, 5, 7] [1, 1, 1, 1] : tensor<1x8x5x7xf32> to tensor<1x2x5x7xf32>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %slice into %out[0, 0, 0, 0] [1, 2, 5, 7] [1, 1, 1, 1] : tensor<1x2x5x7xf32> into tensor<1x2x5x7xf32>
    }
  }
  return %1 : tensor<1x2x5x7xf32>
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

func.func @deconv(%x: tensor<4x3x5x6xf32>, %w: tensor<8x3x3x2xf32>,
                  %e: tensor<4x8x10x12xf32>) -> tensor<4x8x10x12xf32> {
  // expected-remark @below {{not tiled: the spatial dimensions of a transposed convolution must be whole in a tile; 'w' is not}}
  // expected-error @below {{to tile operation}}
  // expected-error @below {{failed to generate tiling loops}}
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
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 0, 4] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}

// -----

func.func @padded_buffers(%x: memref<1x3x10x12xf32>, %w: memref<6x3x3x5xf32>, %e: memref<1x6x5x8xf32>) {
  // expected-remark @below {{not tiled: a padded dimension can be tiled on tensors only; tile before bufferization}}
  // expected-error @below {{to tile operation}}
  // expected-error @below {{failed to generate tiling loops}}
  fusion.fused_conv_bias_act {
      strides = array<i64: 2, 1>, dilations = array<i64: 1, 1>,
      pad_low = array<i64: 1, 0>, pad_high = array<i64: 0, 0>,
      input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
    ins(%x, %w : memref<1x3x10x12xf32>, memref<6x3x3x5xf32>) outs(%e : memref<1x6x5x8xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["fusion.fused_conv_bias_act"]} in %root : (!transform.any_op) -> !transform.any_op
    %tiled, %loop = transform.structured.tile_using_for %op tile_sizes [0, 0, 2] : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
