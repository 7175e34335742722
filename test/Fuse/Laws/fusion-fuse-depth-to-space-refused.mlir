// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s --implicit-check-not=fused_deconv
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY --implicit-check-not=fused:

// Ops that look like the depth-to-space of a transposed convolution but are not, or
// would run slower as one.

#id = affine_map<(n, w, c) -> (n, w, c)>
#channel = affine_map<(n, w, c) -> (c)>

// Two numbers of the channel, of which the image has one, lie in front of each row.
// CHECK-LABEL: func @places_in_front(
func.func @places_in_front(%x: tensor<2x7x3xf32>, %w: tensor<2x3x8xf32> {fusion.constant}) -> tensor<2x12x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %c = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<2x7x3xf32>, tensor<2x3x8xf32>) outs(%f : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; dimension 1 of the depth-to-space that begins with 'tensor.expand_shape' at {{.*}}:[[#@LINE+1]]:8 is no spatial one with parts of the channel behind it{{$}}
  %s = tensor.expand_shape %c [[0], [1], [2, 3]] output_shape [2, 6, 2, 4] : tensor<2x6x8xf32> into tensor<2x6x2x4xf32>
  %te = tensor.empty() : tensor<2x2x6x4xf32>
  %t = linalg.transpose ins(%s : tensor<2x6x2x4xf32>) outs(%te : tensor<2x2x6x4xf32>) permutation = [0, 2, 1, 3]
  %i = tensor.collapse_shape %t [[0], [1, 2], [3]] : tensor<2x2x6x4xf32> into tensor<2x12x4xf32>
  %re = tensor.empty() : tensor<2x12x4xf32>
  %r = linalg.abs ins(%i : tensor<2x12x4xf32>) outs(%re : tensor<2x12x4xf32>) -> tensor<2x12x4xf32>
  return %r : tensor<2x12x4xf32>
}

// A part of the channel becomes part of the batch.
// CHECK-LABEL: func @depth_to_batch(
func.func @depth_to_batch(%x: tensor<2x7x3xf32>, %w: tensor<2x3x8xf32> {fusion.constant}) -> tensor<4x6x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %c = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<2x7x3xf32>, tensor<2x3x8xf32>) outs(%f : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; unsupported: next op 'linalg.transpose' at {{.*}}:[[#@LINE+3]]:8 transposes a reshape of the result{{$}}
  %s = tensor.expand_shape %c [[0], [1], [2, 3]] output_shape [2, 6, 2, 4] : tensor<2x6x8xf32> into tensor<2x6x2x4xf32>
  %te = tensor.empty() : tensor<2x2x6x4xf32>
  %t = linalg.transpose ins(%s : tensor<2x6x2x4xf32>) outs(%te : tensor<2x2x6x4xf32>) permutation = [0, 2, 1, 3]
  %i = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<2x2x6x4xf32> into tensor<4x6x4xf32>
  %re = tensor.empty() : tensor<4x6x4xf32>
  %r = linalg.abs ins(%i : tensor<4x6x4xf32>) outs(%re : tensor<4x6x4xf32>) -> tensor<4x6x4xf32>
  return %r : tensor<4x6x4xf32>
}

// The groups become the batch, and each image has the same bias.
// CHECK-LABEL: func @groups_to_batch(
func.func @groups_to_batch(%x: tensor<1x2x5x9xf32>, %w: tensor<2x7x5x3xf32> {fusion.constant}, %b: tensor<7xf32>) -> tensor<2x7x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x7x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x7x7xf32>) -> tensor<1x2x7x7xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; a reshape of the result mixes the output channel with other dimensions before the addition{{$}}
  %c = linalg.generic {indexing_maps = [affine_map<(n, g, f, w, c, k) -> (n, g, c, w + k)>, affine_map<(n, g, f, w, c, k) -> (g, f, c, k)>, affine_map<(n, g, f, w, c, k) -> (n, g, f, w)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<1x2x5x9xf32>, tensor<2x7x5x3xf32>) outs(%f : tensor<1x2x7x7xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %m = arith.mulf %p, %q : f32
    %a = arith.addf %out, %m : f32
    linalg.yield %a : f32
  } -> tensor<1x2x7x7xf32>
  %i = tensor.collapse_shape %c [[0, 1], [2], [3]] : tensor<1x2x7x7xf32> into tensor<2x7x7xf32>
  %re = tensor.empty() : tensor<2x7x7xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#id, affine_map<(n, c, w) -> (c)>, #id]
      ins(%i, %b : tensor<2x7x7xf32>, tensor<7xf32>) outs(%re : tensor<2x7x7xf32>) -> tensor<2x7x7xf32>
  return %r : tensor<2x7x7xf32>
}

// The parts stay dimensions of their own.
// CHECK-LABEL: func @no_image(
func.func @no_image(%x: tensor<2x7x3xf32>, %w: tensor<2x3x8xf32> {fusion.constant}) -> tensor<2x2x6x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %c = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<2x7x3xf32>, tensor<2x3x8xf32>) outs(%f : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; unsupported: next op 'linalg.transpose' at {{.*}}:[[#@LINE+3]]:8 transposes a reshape of the result{{$}}
  %s = tensor.expand_shape %c [[0], [1], [2, 3]] output_shape [2, 6, 2, 4] : tensor<2x6x8xf32> into tensor<2x6x2x4xf32>
  %te = tensor.empty() : tensor<2x2x6x4xf32>
  %t = linalg.transpose ins(%s : tensor<2x6x2x4xf32>) outs(%te : tensor<2x2x6x4xf32>) permutation = [0, 2, 1, 3]
  %r = linalg.abs ins(%t : tensor<2x2x6x4xf32>) outs(%te : tensor<2x2x6x4xf32>) -> tensor<2x2x6x4xf32>
  return %r : tensor<2x2x6x4xf32>
}

// An activation, of which the scale would not be part,
// CHECK-LABEL: func @activation_in_front(
func.func @activation_in_front(%x: tensor<2x7x3xf32>, %w: tensor<2x3x8xf32> {fusion.constant}, %b: tensor<4xf32>) -> tensor<2x12x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %c = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<2x7x3xf32>, tensor<2x3x8xf32>) outs(%f : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: relu; 'relu' comes before the depth-to-space{{$}}
  %m = linalg.max ins(%c, %f : tensor<2x6x8xf32>, tensor<2x6x8xf32>) outs(%e : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %s = tensor.expand_shape %m [[0], [1], [2, 3]] output_shape [2, 6, 2, 4] : tensor<2x6x8xf32> into tensor<2x6x2x4xf32>
  %i = tensor.collapse_shape %s [[0], [1, 2], [3]] : tensor<2x6x2x4xf32> into tensor<2x12x4xf32>
  %re = tensor.empty() : tensor<2x12x4xf32>
  %bb = linalg.broadcast ins(%b : tensor<4xf32>) outs(%re : tensor<2x12x4xf32>) dimensions = [0, 1]
  %r = linalg.mul ins(%i, %bb : tensor<2x12x4xf32>, tensor<2x12x4xf32>) outs(%re : tensor<2x12x4xf32>) -> tensor<2x12x4xf32>
  return %r : tensor<2x12x4xf32>
}

// and a residual, which would have to be put into rows and columns as well.
// CHECK-LABEL: func @residual_in_front(
func.func @residual_in_front(%x: tensor<2x7x3xf32>, %w: tensor<2x3x8xf32> {fusion.constant}, %b: tensor<4xf32>, %d: tensor<2x6x8xf32>) -> tensor<2x12x4xf32> {
  %e = tensor.empty() : tensor<2x6x8xf32>
  %c = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<2x7x3xf32>, tensor<2x3x8xf32>) outs(%d : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: residual; unsupported: a residual comes before the depth-to-space{{$}}
  %s = tensor.expand_shape %c [[0], [1], [2, 3]] output_shape [2, 6, 2, 4] : tensor<2x6x8xf32> into tensor<2x6x2x4xf32>
  %i = tensor.collapse_shape %s [[0], [1, 2], [3]] : tensor<2x6x2x4xf32> into tensor<2x12x4xf32>
  %re = tensor.empty() : tensor<2x12x4xf32>
  %bb = linalg.broadcast ins(%b : tensor<4xf32>) outs(%re : tensor<2x12x4xf32>) dimensions = [0, 1]
  %r = linalg.add ins(%i, %bb : tensor<2x12x4xf32>, tensor<2x12x4xf32>) outs(%re : tensor<2x12x4xf32>) -> tensor<2x12x4xf32>
  return %r : tensor<2x12x4xf32>
}

// A step of the window, or within it, is none of a transposed convolution.
// CHECK-LABEL: func @strides(
func.func @strides(%x: tensor<2x12x3xf32>, %w: tensor<2x3x8xf32> {fusion.constant}, %b: tensor<4xf32>) -> tensor<2x12x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %c = linalg.conv_1d_nwc_wcf {strides = dense<2> : tensor<1xi64>} ins(%x, %w : tensor<2x12x3xf32>, tensor<2x3x8xf32>) outs(%f : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; a convolution with strides comes before the depth-to-space{{$}}
  %s = tensor.expand_shape %c [[0], [1], [2, 3]] output_shape [2, 6, 2, 4] : tensor<2x6x8xf32> into tensor<2x6x2x4xf32>
  %i = tensor.collapse_shape %s [[0], [1, 2], [3]] : tensor<2x6x2x4xf32> into tensor<2x12x4xf32>
  %re = tensor.empty() : tensor<2x12x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#id, #channel, #id] ins(%i, %b : tensor<2x12x4xf32>, tensor<4xf32>) outs(%re : tensor<2x12x4xf32>) -> tensor<2x12x4xf32>
  return %r : tensor<2x12x4xf32>
}

// CHECK-LABEL: func @dilations(
func.func @dilations(%x: tensor<2x8x3xf32>, %w: tensor<2x3x8xf32> {fusion.constant}, %b: tensor<4xf32>) -> tensor<2x12x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %c = linalg.conv_1d_nwc_wcf {dilations = dense<2> : tensor<1xi64>} ins(%x, %w : tensor<2x8x3xf32>, tensor<2x3x8xf32>) outs(%f : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; a convolution with dilations comes before the depth-to-space{{$}}
  %s = tensor.expand_shape %c [[0], [1], [2, 3]] output_shape [2, 6, 2, 4] : tensor<2x6x8xf32> into tensor<2x6x2x4xf32>
  %i = tensor.collapse_shape %s [[0], [1, 2], [3]] : tensor<2x6x2x4xf32> into tensor<2x12x4xf32>
  %re = tensor.empty() : tensor<2x12x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#id, #channel, #id] ins(%i, %b : tensor<2x12x4xf32>, tensor<4xf32>) outs(%re : tensor<2x12x4xf32>) -> tensor<2x12x4xf32>
  return %r : tensor<2x12x4xf32>
}

// Groups are not of the places, and those of a transposed convolution run slower.
// CHECK-LABEL: func @groups(
func.func @groups(%x: tensor<2x7x6xf32>, %w: tensor<2x3x8xf32> {fusion.constant}, %b: tensor<4xf32>) -> tensor<2x12x4xf32> {
  %e = tensor.empty() : tensor<2x6x8xf32>
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, groups = 2 : i64, input_layout = "nwc", filter_layout = "wcf", output_layout = "nwc"}
         ins(%x, %w : tensor<2x7x6xf32>, tensor<2x3x8xf32>) outs(%e : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  // WHY: :[[#@LINE-2]]:8: partly fused: convolution alone; a convolution with groups comes before the depth-to-space{{$}}
  %s = tensor.expand_shape %c [[0], [1], [2, 3]] output_shape [2, 6, 2, 4] : tensor<2x6x8xf32> into tensor<2x6x2x4xf32>
  %i = tensor.collapse_shape %s [[0], [1, 2], [3]] : tensor<2x6x2x4xf32> into tensor<2x12x4xf32>
  %re = tensor.empty() : tensor<2x12x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#id, #channel, #id] ins(%i, %b : tensor<2x12x4xf32>, tensor<4xf32>) outs(%re : tensor<2x12x4xf32>) -> tensor<2x12x4xf32>
  return %r : tensor<2x12x4xf32>
}

// Nor is it split again where sizes are not known.
// CHECK-LABEL: func @dynamic_width(
func.func @dynamic_width(%x: tensor<2x?x3xf32>, %w: tensor<2x3x8xf32> {fusion.constant}, %b: tensor<4xf32>, %n: index, %m: index) -> tensor<2x?x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%n) : tensor<2x?x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x?x8xf32>) -> tensor<2x?x8xf32>
  %c = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<2x?x3xf32>, tensor<2x3x8xf32>) outs(%f : tensor<2x?x8xf32>) -> tensor<2x?x8xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; unsupported: sizes other than the batch are known only at run time before the depth-to-space{{$}}
  %s = tensor.expand_shape %c [[0], [1], [2, 3]] output_shape [2, %n, 2, 4] : tensor<2x?x8xf32> into tensor<2x?x2x4xf32>
  %i = tensor.collapse_shape %s [[0], [1, 2], [3]] : tensor<2x?x2x4xf32> into tensor<2x?x4xf32>
  %re = tensor.empty(%m) : tensor<2x?x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#id, #channel, #id] ins(%i, %b : tensor<2x?x4xf32>, tensor<4xf32>) outs(%re : tensor<2x?x4xf32>) -> tensor<2x?x4xf32>
  return %r : tensor<2x?x4xf32>
}

// With channels first a kernel of single elements reads rows, and loses more to a
// transpose than is won behind it.
// CHECK-LABEL: func @single_elements(
func.func @single_elements(%x: tensor<2x3x6xf32>, %w: tensor<8x3x1xf32> {fusion.constant}, %b: tensor<4xf32>) -> tensor<2x12x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x8x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x8x6xf32>) -> tensor<2x8x6xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<2x3x6xf32>, tensor<8x3x1xf32>) outs(%f : tensor<2x8x6xf32>) -> tensor<2x8x6xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; unsupported: a convolution of single elements with layout "ncw" comes before the depth-to-space{{$}}
  %s = tensor.expand_shape %c [[0], [1, 2], [3]] output_shape [2, 2, 4, 6] : tensor<2x8x6xf32> into tensor<2x2x4x6xf32>
  %te = tensor.empty() : tensor<2x6x2x4xf32>
  %t = linalg.transpose ins(%s : tensor<2x2x4x6xf32>) outs(%te : tensor<2x6x2x4xf32>) permutation = [0, 3, 1, 2]
  %i = tensor.collapse_shape %t [[0], [1, 2], [3]] : tensor<2x6x2x4xf32> into tensor<2x12x4xf32>
  %re = tensor.empty() : tensor<2x12x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#id, #channel, #id] ins(%i, %b : tensor<2x12x4xf32>, tensor<4xf32>) outs(%re : tensor<2x12x4xf32>) -> tensor<2x12x4xf32>
  return %r : tensor<2x12x4xf32>
}

// Each place has a bias of its own,
// CHECK-LABEL: func @other_bias(
func.func @other_bias(%x: tensor<2x7x3xf32>, %w: tensor<2x3x8xf32> {fusion.constant}, %b: tensor<4xf32>) -> tensor<2x12x4xf32> {
  %a = arith.constant dense<[0.5, -2.0, 3.0, 1.0, 0.5, -2.0, 4.0, 1.0]> : tensor<8xf32>
  %e = tensor.empty() : tensor<2x6x8xf32>
  %f = linalg.broadcast ins(%a : tensor<8xf32>) outs(%e : tensor<2x6x8xf32>) dimensions = [0, 1]
  %c = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<2x7x3xf32>, tensor<2x3x8xf32>) outs(%f : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: bias; bias is not known to be the same at all places of the depth-to-space{{$}}
  %s = tensor.expand_shape %c [[0], [1], [2, 3]] output_shape [2, 6, 2, 4] : tensor<2x6x8xf32> into tensor<2x6x2x4xf32>
  %i = tensor.collapse_shape %s [[0], [1, 2], [3]] : tensor<2x6x2x4xf32> into tensor<2x12x4xf32>
  %re = tensor.empty() : tensor<2x12x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#id, #channel, #id] ins(%i, %b : tensor<2x12x4xf32>, tensor<4xf32>) outs(%re : tensor<2x12x4xf32>) -> tensor<2x12x4xf32>
  return %r : tensor<2x12x4xf32>
}

// or may have one.
// CHECK-LABEL: func @unknown_bias(
func.func @unknown_bias(%x: tensor<2x7x3xf32>, %w: tensor<2x3x8xf32> {fusion.constant}, %b: tensor<4xf32>, %a: tensor<8xf32>) -> tensor<2x12x4xf32> {
  %e = tensor.empty() : tensor<2x6x8xf32>
  %f = linalg.broadcast ins(%a : tensor<8xf32>) outs(%e : tensor<2x6x8xf32>) dimensions = [0, 1]
  %c = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<2x7x3xf32>, tensor<2x3x8xf32>) outs(%f : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: bias; bias is not known to be the same at all places of the depth-to-space{{$}}
  %s = tensor.expand_shape %c [[0], [1], [2, 3]] output_shape [2, 6, 2, 4] : tensor<2x6x8xf32> into tensor<2x6x2x4xf32>
  %i = tensor.collapse_shape %s [[0], [1, 2], [3]] : tensor<2x6x2x4xf32> into tensor<2x12x4xf32>
  %re = tensor.empty() : tensor<2x12x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#id, #channel, #id] ins(%i, %b : tensor<2x12x4xf32>, tensor<4xf32>) outs(%re : tensor<2x12x4xf32>) -> tensor<2x12x4xf32>
  return %r : tensor<2x12x4xf32>
}

// A filter that may be another in each call would be put into order in each.
// CHECK-LABEL: func @variable_filter(
func.func @variable_filter(%x: tensor<2x7x3xf32>, %w: tensor<2x3x8xf32>, %b: tensor<4xf32>) -> tensor<2x12x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %c = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<2x7x3xf32>, tensor<2x3x8xf32>) outs(%f : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; unsupported: filter is not constant, and each call would put it into another order for a transposed convolution{{$}}
  %s = tensor.expand_shape %c [[0], [1], [2, 3]] output_shape [2, 6, 2, 4] : tensor<2x6x8xf32> into tensor<2x6x2x4xf32>
  %i = tensor.collapse_shape %s [[0], [1, 2], [3]] : tensor<2x6x2x4xf32> into tensor<2x12x4xf32>
  %re = tensor.empty() : tensor<2x12x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#id, #channel, #id] ins(%i, %b : tensor<2x12x4xf32>, tensor<4xf32>) outs(%re : tensor<2x12x4xf32>) -> tensor<2x12x4xf32>
  return %r : tensor<2x12x4xf32>
}

// Windows that read padding alone give 0. A transposed convolution cannot have these
// in front of the result,
// CHECK-LABEL: func @zeros_in_front(
func.func @zeros_in_front(%x: tensor<2x5x3xf32>, %w: tensor<2x3x8xf32> {fusion.constant}, %b: tensor<4xf32>) -> tensor<2x12x4xf32> {
  %e = tensor.empty() : tensor<2x6x8xf32>
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 2>, pad_high = array<i64: 0>, input_layout = "nwc", filter_layout = "wcf", output_layout = "nwc"}
         ins(%x, %w : tensor<2x5x3xf32>, tensor<2x3x8xf32>) outs(%e : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  // WHY: :[[#@LINE-2]]:8: partly fused: pad; unsupported: no window reaches the first 2 elements of dimension 1 of the depth-to-space{{$}}
  %s = tensor.expand_shape %c [[0], [1], [2, 3]] output_shape [2, 6, 2, 4] : tensor<2x6x8xf32> into tensor<2x6x2x4xf32>
  %i = tensor.collapse_shape %s [[0], [1, 2], [3]] : tensor<2x6x2x4xf32> into tensor<2x12x4xf32>
  %re = tensor.empty() : tensor<2x12x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#id, #channel, #id] ins(%i, %b : tensor<2x12x4xf32>, tensor<4xf32>) outs(%re : tensor<2x12x4xf32>) -> tensor<2x12x4xf32>
  return %r : tensor<2x12x4xf32>
}

// and runs slower with these behind it.
// CHECK-LABEL: func @zeros_behind(
func.func @zeros_behind(%x: tensor<2x5x3xf32>, %w: tensor<2x3x8xf32> {fusion.constant}, %b: tensor<4xf32>) -> tensor<2x11x4xf32> {
  %e = tensor.empty() : tensor<2x6x8xf32>
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 2>, input_layout = "nwc", filter_layout = "wcf", output_layout = "nwc"}
         ins(%x, %w : tensor<2x5x3xf32>, tensor<2x3x8xf32>) outs(%e : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  // WHY: :[[#@LINE-2]]:8: partly fused: pad; unsupported: no window reaches the last 1 elements of dimension 1 of the depth-to-space{{$}}
  %s = tensor.expand_shape %c [[0], [1], [2, 3]] output_shape [2, 6, 2, 4] : tensor<2x6x8xf32> into tensor<2x6x2x4xf32>
  %i = tensor.collapse_shape %s [[0], [1, 2], [3]] : tensor<2x6x2x4xf32> into tensor<2x12x4xf32>
  %j = tensor.extract_slice %i[0, 0, 0] [2, 11, 4] [1, 1, 1] : tensor<2x12x4xf32> to tensor<2x11x4xf32>
  %re = tensor.empty() : tensor<2x11x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#id, #channel, #id] ins(%j, %b : tensor<2x11x4xf32>, tensor<4xf32>) outs(%re : tensor<2x11x4xf32>) -> tensor<2x11x4xf32>
  return %r : tensor<2x11x4xf32>
}

// The same of a pad.
// CHECK-LABEL: func @padded(
func.func @padded(%x: tensor<2x7x3xf32>, %w: tensor<2x3x8xf32> {fusion.constant}, %b: tensor<4xf32>) -> tensor<2x13x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %c = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<2x7x3xf32>, tensor<2x3x8xf32>) outs(%f : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; unsupported: 'tensor.pad' at {{.*}}:[[#@LINE+3]]:8 pads the image behind the depth-to-space{{$}}
  %s = tensor.expand_shape %c [[0], [1], [2, 3]] output_shape [2, 6, 2, 4] : tensor<2x6x8xf32> into tensor<2x6x2x4xf32>
  %i = tensor.collapse_shape %s [[0], [1, 2], [3]] : tensor<2x6x2x4xf32> into tensor<2x12x4xf32>
  %j = tensor.pad %i low[0, 0, 0] high[0, 1, 0] {
  ^bb0(%o: index, %p: index, %q: index):
    tensor.yield %zero : f32
  } : tensor<2x12x4xf32> to tensor<2x13x4xf32>
  %re = tensor.empty() : tensor<2x13x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#id, #channel, #id] ins(%j, %b : tensor<2x13x4xf32>, tensor<4xf32>) outs(%re : tensor<2x13x4xf32>) -> tensor<2x13x4xf32>
  return %r : tensor<2x13x4xf32>
}

// Two users: of the result,
// CHECK-LABEL: func @two_users(
func.func @two_users(%x: tensor<2x7x3xf32>, %w: tensor<2x3x8xf32> {fusion.constant}, %b: tensor<4xf32>) -> (tensor<2x12x4xf32>, tensor<2x6x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %c = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<2x7x3xf32>, tensor<2x3x8xf32>) outs(%f : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; result has 2 users: 'tensor.expand_shape' at {{.*}}:[[#@LINE+1]]:8, 'linalg.abs' at {{.*}}:[[#@LINE+3]]:8{{$}}
  %s = tensor.expand_shape %c [[0], [1], [2, 3]] output_shape [2, 6, 2, 4] : tensor<2x6x8xf32> into tensor<2x6x2x4xf32>
  %i = tensor.collapse_shape %s [[0], [1, 2], [3]] : tensor<2x6x2x4xf32> into tensor<2x12x4xf32>
  %d = linalg.abs ins(%c : tensor<2x6x8xf32>) outs(%e : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %re = tensor.empty() : tensor<2x12x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#id, #channel, #id] ins(%i, %b : tensor<2x12x4xf32>, tensor<4xf32>) outs(%re : tensor<2x12x4xf32>) -> tensor<2x12x4xf32>
  return %r, %d : tensor<2x12x4xf32>, tensor<2x6x8xf32>
}

// and of it in parts.
// CHECK-LABEL: func @two_users_of_parts(
func.func @two_users_of_parts(%x: tensor<2x7x3xf32>, %w: tensor<2x3x8xf32> {fusion.constant}, %b: tensor<4xf32>) -> (tensor<2x12x4xf32>, tensor<2x6x2x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %c = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<2x7x3xf32>, tensor<2x3x8xf32>) outs(%f : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; result has 2 users: 'tensor.collapse_shape' at {{.*}}:[[#@LINE+2]]:8, 'linalg.abs' at {{.*}}:[[#@LINE+4]]:8{{$}}
  %s = tensor.expand_shape %c [[0], [1], [2, 3]] output_shape [2, 6, 2, 4] : tensor<2x6x8xf32> into tensor<2x6x2x4xf32>
  %i = tensor.collapse_shape %s [[0], [1, 2], [3]] : tensor<2x6x2x4xf32> into tensor<2x12x4xf32>
  %de = tensor.empty() : tensor<2x6x2x4xf32>
  %d = linalg.abs ins(%s : tensor<2x6x2x4xf32>) outs(%de : tensor<2x6x2x4xf32>) -> tensor<2x6x2x4xf32>
  %re = tensor.empty() : tensor<2x12x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#id, #channel, #id] ins(%i, %b : tensor<2x12x4xf32>, tensor<4xf32>) outs(%re : tensor<2x12x4xf32>) -> tensor<2x12x4xf32>
  return %r, %d : tensor<2x12x4xf32>, tensor<2x6x2x4xf32>
}

// Rows and channels that become one dimension are no image.
// CHECK-LABEL: func @flat(
func.func @flat(%x: tensor<2x7x3xf32>, %w: tensor<2x3x8xf32> {fusion.constant}, %b: tensor<48xf32>) -> tensor<2x1x48xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %c = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<2x7x3xf32>, tensor<2x3x8xf32>) outs(%f : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  // WHY: :[[#@LINE-1]]:8: partly fused: convolution alone; a reshape of the result mixes the output channel with other dimensions before the addition{{$}}
  %s = tensor.collapse_shape %c [[0], [1, 2]] : tensor<2x6x8xf32> into tensor<2x48xf32>
  %i = tensor.expand_shape %s [[0], [1, 2]] output_shape [2, 1, 48] : tensor<2x48xf32> into tensor<2x1x48xf32>
  %re = tensor.empty() : tensor<2x1x48xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#id, #channel, #id] ins(%i, %b : tensor<2x1x48xf32>, tensor<48xf32>) outs(%re : tensor<2x1x48xf32>) -> tensor<2x1x48xf32>
  return %r : tensor<2x1x48xf32>
}
