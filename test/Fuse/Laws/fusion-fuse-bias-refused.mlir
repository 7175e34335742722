// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s --check-prefix=NONE --implicit-check-not=' bias('

// Addends that look like a bias but are none: one reason each, below the convolution.
// The image has four channels, four rows and four columns, as many as the input has
// channels: sizes alone tell nothing.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#batch = affine_map<(d0, d1, d2, d3) -> (d0)>
#row = affine_map<(d0, d1, d2, d3) -> (d2)>
#column = affine_map<(d0, d1, d2, d3) -> (d3)>
#plane = affine_map<(d0, d1, d2, d3) -> (d1, d2)>
#row4 = affine_map<(d0, d1, d2, d3) -> (0, 0, d2, 0)>
#channel4 = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>
#all3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#second3 = affine_map<(d0, d1, d2) -> (d1)>
#swapped = affine_map<(d0, d1, d2, d3) -> (d0, d2, d1, d3)>

// NONE-LABEL: func @generic_along_rows(
// NONE:         fusion.fused_conv_bias_act
// NONE:         linalg.generic
func.func @generic_along_rows(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %b: tensor<4xf32>) -> tensor<4x4x4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; bias varies along dimension 2 (size 4), expected the output channel dimension 1{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %r = linalg.generic {indexing_maps = [#all, #row, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b : tensor<4x4x4x4xf32>, tensor<4xf32>) outs(%e : tensor<4x4x4x4xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

// The last dimension is the channel of an image in NHWC, not here.
func.func @elementwise_along_columns(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %b: tensor<4xf32>) -> tensor<4x4x4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; bias varies along dimension 3 (size 4), expected the output channel dimension 1{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #column, #all]
         ins(%c, %b : tensor<4x4x4x4xf32>, tensor<4xf32>) outs(%e : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

// The channel of an image in NCHW is none of one in NHWC.
func.func @second_dimension_of_nhwc(%x: tensor<4x6x6x4xf32>, %w: tensor<3x3x4x4xf32>, %b: tensor<4xf32>) -> tensor<4x4x4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<4x6x6x4xf32>, tensor<3x3x4x4xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; bias varies along dimension 1 (size 4), expected the output channel dimension 3{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %u = tensor.expand_shape %b [[0, 1, 2, 3]] output_shape [1, 4, 1, 1] : tensor<4xf32> into tensor<1x4x1x1xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel4, #all]
         ins(%c, %u : tensor<4x4x4x4xf32>, tensor<1x4x1x1xf32>) outs(%e : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

func.func @along_batch(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %b: tensor<4xf32>) -> tensor<4x4x4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; bias varies along dimension 0 (size 4), expected the output channel dimension 1{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #batch, #all]
         ins(%c, %b : tensor<4x4x4x4xf32>, tensor<4xf32>) outs(%e : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

func.func @along_channel_and_row(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %b: tensor<4x4xf32>) -> tensor<4x4x4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; bias varies along dimension 2 (size 4), expected the output channel dimension 1{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #plane, #all]
         ins(%c, %b : tensor<4x4x4x4xf32>, tensor<4x4xf32>) outs(%e : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

// TVM's gap: [1, 1, C, 1] in place of [1, C, 1, 1], and sizes that agree.
func.func @reshaped_to_rows(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %b: tensor<4xf32>) -> tensor<4x4x4x4xf32> {
  %shape = arith.constant dense<[1, 1, 4, 1]> : tensor<4xi64>
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; bias {{varies along|is reshaped to vary along}} dimension 2 (size 4), expected the output channel dimension 1{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %u = tensor.reshape %b(%shape) : (tensor<4xf32>, tensor<4xi64>) -> tensor<1x1x4x1xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #row4, #all]
         ins(%c, %u : tensor<4x4x4x4xf32>, tensor<1x1x4x1xf32>) outs(%e : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

// The reshape is right, the broadcast is along the rows.
func.func @broadcast_along_rows(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %b: tensor<4xf32>) -> tensor<4x4x4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: fused: residual{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %u = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<4x4x4x4xf32>) dimensions = [0, 1, 3]
  %r = linalg.add ins(%c, %u : tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>) outs(%e : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

// Read at a swapped place: no residual either.
func.func @transposed_tensor(%x: tensor<4x4x6x6xf32>, %w: tensor<4x4x3x3xf32>, %t: tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32> {
  %z = arith.constant dense<0.0> : tensor<4x4x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<4x4x6x6xf32>, tensor<4x4x3x3xf32>) outs(%z : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; what is added has type tensor<4x4x4x4xf32>, expected the shape of the result (tensor<4x4x4x4xf32>) read element for element{{$}}
  %e = tensor.empty() : tensor<4x4x4x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #swapped, #all]
         ins(%c, %t : tensor<4x4x4x4xf32>, tensor<4x4x4x4xf32>) outs(%e : tensor<4x4x4x4xf32>) -> tensor<4x4x4x4xf32>
  return %r : tensor<4x4x4x4xf32>
}

// Dimensions 0, 2 and 3 may be other than 1 at run time.
func.func @run_time_shape(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %shape: tensor<4xi64>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; bias comes through 'tensor.reshape' to a shape known only at run time: dimension 0 of tensor<?x?x?x?xf32> may be other than 1{{$}}
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %u = tensor.reshape %b(%shape) : (tensor<5xf32>, tensor<4xi64>) -> tensor<?x?x?x?xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel4, #all]
         ins(%c, %u : tensor<2x5x7x10xf32>, tensor<?x?x?x?xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// One size too few is known.
func.func @run_time_rows(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %shape: tensor<4xindex>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; bias comes through 'tensor.reshape' to a shape known only at run time: dimension 2 of tensor<1x?x?x1xf32> may be other than 1{{$}}
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %u = tensor.reshape %b(%shape) : (tensor<5xf32>, tensor<4xindex>) -> tensor<1x?x?x1xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel4, #all]
         ins(%c, %u : tensor<2x5x7x10xf32>, tensor<1x?x?x1xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// A reshape of the result mixes channels and rows: [2, 5, 7, 10] to [2, 35, 10].
func.func @channel_mixed_with_rows(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<35xf32>) -> tensor<2x35x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: convolution alone; a reshape of the result mixes the output channel with other dimensions before the addition{{$}}
  %v = tensor.collapse_shape %c [[0], [1, 2], [3]] : tensor<2x5x7x10xf32> into tensor<2x35x10xf32>
  %e = tensor.empty() : tensor<2x35x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all3, #second3, #all3]
         ins(%v, %b : tensor<2x35x10xf32>, tensor<35xf32>) outs(%e : tensor<2x35x10xf32>) -> tensor<2x35x10xf32>
  return %r : tensor<2x35x10xf32>
}
