// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o %t.mlir 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.mlir

// With one output channel nearly every tensor has as many elements as a bias; and
// vectors of which only some elements are read.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#second_element = affine_map<(d0, d1, d2, d3) -> (2)>
#second_row = affine_map<(d0, d1, d2, d3) -> (1, d1)>
#diagonal = affine_map<(d0, d1, d2, d3) -> (d1, d1)>
#sliding = affine_map<(d0, d1, d2, d3) -> (d1 + d2)>

// IR-LABEL: func @one_channel(
// IR:         fusion.fused_conv_bias_act{{.*}} bias(%{{[a-z0-9]*}} : tensor<1xf32>)
func.func @one_channel(%x: tensor<2x4x9x7xf32>, %w: tensor<1x4x1x1xf32>, %b: tensor<1xf32>) -> tensor<2x1x9x7xf32> {
  %z = arith.constant dense<0.0> : tensor<2x1x9x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x4x9x7xf32>, tensor<1x4x1x1xf32>) outs(%z : tensor<2x1x9x7xf32>) -> tensor<2x1x9x7xf32>
  // CHECK: :{{[0-9]+}}:8: fused: bias{{$}}
  %e = tensor.empty() : tensor<2x1x9x7xf32>
  %u = linalg.broadcast ins(%b : tensor<1xf32>) outs(%e : tensor<2x1x9x7xf32>) dimensions = [0, 2, 3]
  %r = arith.addf %c, %u : tensor<2x1x9x7xf32>
  return %r : tensor<2x1x9x7xf32>
}

// The rows, collapsed with the only channel, are no channels: no bias is added.
// IR-LABEL: func @channel_collapsed_with_rows(
// IR:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) residual(
func.func @channel_collapsed_with_rows(%x: tensor<2x4x9x7xf32>, %w: tensor<1x4x1x1xf32>, %b: tensor<9xf32>) -> tensor<2x9x7xf32> {
  %z = arith.constant dense<0.0> : tensor<2x1x9x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x4x9x7xf32>, tensor<1x4x1x1xf32>) outs(%z : tensor<2x1x9x7xf32>) -> tensor<2x1x9x7xf32>
  // CHECK: :[[#@LINE-1]]:8: fused: residual{{$}}
  %v = tensor.collapse_shape %c [[0], [1, 2], [3]] : tensor<2x1x9x7xf32> into tensor<2x9x7xf32>
  %e = tensor.empty() : tensor<2x9x7xf32>
  %u = linalg.broadcast ins(%b : tensor<9xf32>) outs(%e : tensor<2x9x7xf32>) dimensions = [0, 2]
  %r = arith.addf %v, %u : tensor<2x9x7xf32>
  return %r : tensor<2x9x7xf32>
}

// Nor are the images.
// IR-LABEL: func @channel_collapsed_with_batch(
// IR:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) residual(
func.func @channel_collapsed_with_batch(%x: tensor<5x4x9x7xf32>, %w: tensor<1x4x9x7xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %z = arith.constant dense<0.0> : tensor<5x1x1x1xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<5x4x9x7xf32>, tensor<1x4x9x7xf32>) outs(%z : tensor<5x1x1x1xf32>) -> tensor<5x1x1x1xf32>
  // CHECK: :[[#@LINE-1]]:8: fused: residual{{$}}
  %v = tensor.collapse_shape %c [[0, 1, 2, 3]] : tensor<5x1x1x1xf32> into tensor<5xf32>
  %r = arith.addf %v, %b : tensor<5xf32>
  return %r : tensor<5xf32>
}

// Here the channels are all that is left.
// IR-LABEL: func @all_but_channels_collapsed(
// IR:         fusion.fused_conv_bias_act{{.*}} bias(
func.func @all_but_channels_collapsed(%x: tensor<1x4x9x7xf32>, %w: tensor<5x4x9x7xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x1x1xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x4x9x7xf32>, tensor<5x4x9x7xf32>) outs(%z : tensor<1x5x1x1xf32>) -> tensor<1x5x1x1xf32>
  // CHECK: :{{[0-9]+}}:8: fused: bias{{$}}
  %v = tensor.collapse_shape %c [[0, 1, 2, 3]] : tensor<1x5x1x1xf32> into tensor<5xf32>
  %r = arith.addf %v, %b : tensor<5xf32>
  return %r : tensor<5xf32>
}

// Rows split in two, a vector along one of the parts.
// IR-LABEL: func @rows_expanded(
// IR:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) residual(
func.func @rows_expanded(%x: tensor<2x4x9x7xf32>, %w: tensor<1x4x1x1xf32>, %b: tensor<3xf32>) -> tensor<2x1x3x3x7xf32> {
  %z = arith.constant dense<0.0> : tensor<2x1x9x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x4x9x7xf32>, tensor<1x4x1x1xf32>) outs(%z : tensor<2x1x9x7xf32>) -> tensor<2x1x9x7xf32>
  // CHECK: :[[#@LINE-1]]:8: fused: residual{{$}}
  %v = tensor.expand_shape %c [[0], [1], [2, 3], [4]] output_shape [2, 1, 3, 3, 7] : tensor<2x1x9x7xf32> into tensor<2x1x3x3x7xf32>
  %e = tensor.empty() : tensor<2x1x3x3x7xf32>
  %u = linalg.broadcast ins(%b : tensor<3xf32>) outs(%e : tensor<2x1x3x3x7xf32>) dimensions = [0, 1, 3, 4]
  %r = arith.addf %v, %u : tensor<2x1x3x3x7xf32>
  return %r : tensor<2x1x3x3x7xf32>
}

// One element for all channels, but not the only one.
// IR-LABEL: func @one_element_of_many(
// IR:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) outs(
func.func @one_element_of_many(%x: tensor<1x4x9x7xf32>, %w: tensor<4x4x1x1xf32>, %b: tensor<4xf32>) -> tensor<1x4x9x7xf32> {
  %z = arith.constant dense<0.0> : tensor<1x4x9x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x4x9x7xf32>, tensor<4x4x1x1xf32>) outs(%z : tensor<1x4x9x7xf32>) -> tensor<1x4x9x7xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; bias varies along dimension 0 of tensor<4xf32> (size 4), which is not the output channel{{$}}
  %e = tensor.empty() : tensor<1x4x9x7xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #second_element, #all]
         ins(%c, %b : tensor<1x4x9x7xf32>, tensor<4xf32>) outs(%e : tensor<1x4x9x7xf32>) -> tensor<1x4x9x7xf32>
  return %r : tensor<1x4x9x7xf32>
}

// IR-LABEL: func @one_row_of_many(
// IR:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) outs(
func.func @one_row_of_many(%x: tensor<1x4x9x7xf32>, %w: tensor<4x4x1x1xf32>, %b: tensor<3x4xf32>) -> tensor<1x4x9x7xf32> {
  %z = arith.constant dense<0.0> : tensor<1x4x9x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x4x9x7xf32>, tensor<4x4x1x1xf32>) outs(%z : tensor<1x4x9x7xf32>) -> tensor<1x4x9x7xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; bias varies along dimension 0 of tensor<3x4xf32> (size 3), expected the output channel dimension 1{{$}}
  %e = tensor.empty() : tensor<1x4x9x7xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #second_row, #all]
         ins(%c, %b : tensor<1x4x9x7xf32>, tensor<3x4xf32>) outs(%e : tensor<1x4x9x7xf32>) -> tensor<1x4x9x7xf32>
  return %r : tensor<1x4x9x7xf32>
}

// IR-LABEL: func @diagonal(
// IR:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) outs(
func.func @diagonal(%x: tensor<1x4x9x7xf32>, %w: tensor<4x4x1x1xf32>, %b: tensor<4x4xf32>) -> tensor<1x4x9x7xf32> {
  %z = arith.constant dense<0.0> : tensor<1x4x9x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x4x9x7xf32>, tensor<4x4x1x1xf32>) outs(%z : tensor<1x4x9x7xf32>) -> tensor<1x4x9x7xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; bias is read along the output channel twice{{$}}
  %e = tensor.empty() : tensor<1x4x9x7xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #diagonal, #all]
         ins(%c, %b : tensor<1x4x9x7xf32>, tensor<4x4xf32>) outs(%e : tensor<1x4x9x7xf32>) -> tensor<1x4x9x7xf32>
  return %r : tensor<1x4x9x7xf32>
}

// IR-LABEL: func @sliding(
// IR:         fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) outs(
func.func @sliding(%x: tensor<1x4x9x7xf32>, %w: tensor<4x4x1x1xf32>, %b: tensor<12xf32>) -> tensor<1x4x9x7xf32> {
  %z = arith.constant dense<0.0> : tensor<1x4x9x7xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x4x9x7xf32>, tensor<4x4x1x1xf32>) outs(%z : tensor<1x4x9x7xf32>) -> tensor<1x4x9x7xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; unsupported: bias is indexed by d1 + d2{{$}}
  %e = tensor.empty() : tensor<1x4x9x7xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #sliding, #all]
         ins(%c, %b : tensor<1x4x9x7xf32>, tensor<12xf32>) outs(%e : tensor<1x4x9x7xf32>) -> tensor<1x4x9x7xf32>
  return %r : tensor<1x4x9x7xf32>
}
