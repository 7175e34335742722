// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY --implicit-check-not=fused:
// RUN: fusion-opt %s --fusion-optimize="disable=deconv propagate-layout=false" --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=OFF

// A convolution of stride 1 whose channels a depth-to-space puts into rows and columns
// is a transposed convolution. The near misses are in fusion-fuse-depth-to-space-refused.

#id = affine_map<(n, w, c) -> (n, w, c)>
#channel = affine_map<(n, w, c) -> (c)>
#swap = affine_map<(n, a, w, c) -> (n, w, a, c)>
#same = affine_map<(n, a, w, c) -> (n, a, w, c)>

// Element 2m + r of the filter is element 1 - m of that of place r; without padding the
// first and the last step are cut off. The other laws fold the ops that follow.
// CHECK-LABEL: func @constant(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x6x1xf32>, %[[B:[a-z0-9]*]]: tensor<2xf32>)
// CHECK:         %[[W:.*]] = arith.constant dense<{{\[\[\[}}2.000000e+00], [6.000000e+00], [1.000000e+00], [5.000000e+00]], {{\[\[}}4.000000e+00], [8.000000e+00], [3.000000e+00], [7.000000e+00]]]> : tensor<2x4x1xf32>
// CHECK:         %[[R:.*]] = fusion.fused_deconv_bias_act relu strides [2] pad_low [2] pad_high [2] layouts(nwc, fwc, nwc) ins(%[[X]], %[[W]] : tensor<2x6x1xf32>, tensor<2x4x1xf32>) bias(%[[B]] : tensor<2xf32>) outs(%{{.*}} : tensor<2x10x2xf32>)
// CHECK-NEXT:    return %[[R]]
func.func @constant(%x: tensor<2x6x1xf32>, %b: tensor<2xf32>) -> tensor<2x10x2xf32> {
  %zero = arith.constant 0.0 : f32
  %w = arith.constant dense<[[[1.0], [2.0]], [[3.0], [4.0]], [[5.0], [6.0]], [[7.0], [8.0]]]> : tensor<4x2x1xf32>
  %e = tensor.empty() : tensor<2x5x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(n, w, f, k, c) -> (n, w + k, c)>, affine_map<(n, w, f, k, c) -> (f, k, c)>, affine_map<(n, w, f, k, c) -> (n, w, f)>], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
         ins(%x, %w : tensor<2x6x1xf32>, tensor<4x2x1xf32>) outs(%f : tensor<2x5x4xf32>) {
  // WHY: :[[#@LINE-2]]:8: fused: bias, relu{{$}}
  // OFF: :[[#@LINE-3]]:8: partly fused: convolution alone; depth-to-space of the result that ends with 'tensor.collapse_shape' at {{.*}}:[[#@LINE+7]]:8 can be folded; law 'deconv' has not run{{$}}
  ^bb0(%v: f32, %u: f32, %o: f32):
    %m = arith.mulf %v, %u : f32
    %a = arith.addf %o, %m : f32
    linalg.yield %a : f32
  } -> tensor<2x5x4xf32>
  %s = tensor.expand_shape %c [[0], [1], [2, 3]] output_shape [2, 5, 2, 2] : tensor<2x5x4xf32> into tensor<2x5x2x2xf32>
  %i = tensor.collapse_shape %s [[0], [1, 2], [3]] : tensor<2x5x2x2xf32> into tensor<2x10x2xf32>
  %re = tensor.empty() : tensor<2x10x2xf32>
  %r = linalg.generic {indexing_maps = [#id, #channel, #id], iterator_types = ["parallel", "parallel", "parallel"]} ins(%i, %b : tensor<2x10x2xf32>, tensor<2xf32>) outs(%re : tensor<2x10x2xf32>) {
  ^bb0(%v: f32, %u: f32, %o: f32):
    %a = arith.addf %v, %u : f32
    %m = arith.maximumf %a, %zero : f32
    linalg.yield %m : f32
  } -> tensor<2x10x2xf32>
  return %r : tensor<2x10x2xf32>
}

// PixelShuffle with its channel outermost, of a filter that is a constant argument, and a
// padding. The filter is flipped, its channel split, and the parts put behind the rows
// and columns that they are places of.
// CHECK-LABEL: func @pixel_shuffle(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<1x3x5x7xf32>, %[[W:[a-z0-9]*]]: tensor<12x3x3x2xf32> {{.*}}, %[[D:[a-z0-9]*]]: tensor<1x2x10x18xf32>)
// CHECK:         %[[F:.*]] = linalg.generic
// CHECK:           tensor.extract %[[W]]
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[F]] {{\[\[}}0, 1, 2], [3], [4], [5]] {{.*}} into tensor<2x2x3x3x3x2xf32>
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[E]] : {{.*}} permutation = [0, 3, 4, 1, 5, 2]
// CHECK:         %[[C:.*]] = tensor.collapse_shape %[[T]] {{\[\[}}0], [1], [2, 3], [4, 5]] : {{.*}} into tensor<2x3x6x6xf32>
// CHECK:         fusion.fused_deconv_bias_act relu strides [2, 3] pad_low [2, 3] pad_high [2, 3] ins(%[[X]], %[[C]] : tensor<1x3x5x7xf32>, tensor<2x3x6x6xf32>) bias(%{{.*}} : tensor<2xf32>) residual(%[[D]] : tensor<1x2x10x18xf32>) outs(
func.func @pixel_shuffle(%x: tensor<1x3x5x7xf32>, %w: tensor<12x3x3x2xf32> {fusion.constant}, %b: tensor<2xf32>, %d: tensor<1x2x10x18xf32>) -> tensor<1x2x10x18xf32> {
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x3x5x7xf32> to tensor<1x3x7x7xf32>
  %e = tensor.empty() : tensor<1x12x5x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x12x5x6xf32>) -> tensor<1x12x5x6xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x3x7x7xf32>, tensor<12x3x3x2xf32>) outs(%f : tensor<1x12x5x6xf32>) -> tensor<1x12x5x6xf32>
  // WHY: :[[#@LINE-1]]:8: fused: bias, residual, relu{{$}}
  // OFF: :[[#@LINE-2]]:8: partly fused: pad; depth-to-space of the result
  %s = tensor.expand_shape %c [[0], [1, 2, 3], [4], [5]] output_shape [1, 2, 2, 3, 5, 6] : tensor<1x12x5x6xf32> into tensor<1x2x2x3x5x6xf32>
  %te = tensor.empty() : tensor<1x2x5x2x6x3xf32>
  %t = linalg.transpose ins(%s : tensor<1x2x2x3x5x6xf32>) outs(%te : tensor<1x2x5x2x6x3xf32>) permutation = [0, 1, 4, 2, 5, 3]
  %i = tensor.collapse_shape %t [[0], [1], [2, 3], [4, 5]] : tensor<1x2x5x2x6x3xf32> into tensor<1x2x10x18xf32>
  %re = tensor.empty() : tensor<1x2x10x18xf32>
  %bb = linalg.broadcast ins(%b : tensor<2xf32>) outs(%re : tensor<1x2x10x18xf32>) dimensions = [0, 2, 3]
  %a = linalg.add ins(%i, %bb : tensor<1x2x10x18xf32>, tensor<1x2x10x18xf32>) outs(%re : tensor<1x2x10x18xf32>) -> tensor<1x2x10x18xf32>
  %z = linalg.fill ins(%zero : f32) outs(%re : tensor<1x2x10x18xf32>) -> tensor<1x2x10x18xf32>
  %g = linalg.add ins(%a, %d : tensor<1x2x10x18xf32>, tensor<1x2x10x18xf32>) outs(%re : tensor<1x2x10x18xf32>) -> tensor<1x2x10x18xf32>
  %r = linalg.max ins(%g, %z : tensor<1x2x10x18xf32>, tensor<1x2x10x18xf32>) outs(%re : tensor<1x2x10x18xf32>) -> tensor<1x2x10x18xf32>
  return %r : tensor<1x2x10x18xf32>
}

// Any order of the parts will do: columns before rows, the channel between them and in
// two parts, and rows that become columns. No op needs to follow.
// CHECK-LABEL: func @any_order(
// CHECK:         tensor.expand_shape %{{.*}} {{\[\[}}0], [1], [2], [3, 4, 5, 6]] {{.*}} into tensor<2x3x3x3x2x2x2xf32>
// CHECK:         linalg.transpose {{.*}} permutation = [0, 5, 1, 3, 2, 6, 4]
// CHECK:         fusion.fused_deconv_bias_act strides [2, 3] pad_low [2, 6] pad_high [2, 6] layouts(nhwc, hwcf, nwhc) ins({{.*}} outs(%{{.*}} : tensor<1x12x8x4xf32>)
func.func @any_order(%x: tensor<1x5x6x3xf32>, %w: tensor<2x3x3x24xf32> {fusion.constant}) -> tensor<1x12x8x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x4x4x24xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x24xf32>) -> tensor<1x4x4x24xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x5x6x3xf32>, tensor<2x3x3x24xf32>) outs(%f : tensor<1x4x4x24xf32>) -> tensor<1x4x4x24xf32>
  // WHY: :[[#@LINE-1]]:8: fused: transposed convolution alone{{$}}
  // OFF: :[[#@LINE-2]]:8: fused: convolution alone{{$}}
  %s = tensor.expand_shape %c [[0], [1], [2], [3, 4, 5, 6]] output_shape [1, 4, 4, 3, 2, 2, 2] : tensor<1x4x4x24xf32> into tensor<1x4x4x3x2x2x2xf32>
  %te = tensor.empty() : tensor<1x4x3x4x2x2x2xf32>
  %t = linalg.transpose ins(%s : tensor<1x4x4x3x2x2x2xf32>) outs(%te : tensor<1x4x3x4x2x2x2xf32>) permutation = [0, 2, 3, 1, 5, 6, 4]
  %r = tensor.collapse_shape %t [[0], [1, 2], [3, 4], [5, 6]] : tensor<1x4x3x4x2x2x2xf32> into tensor<1x12x8x4xf32>
  return %r : tensor<1x12x8x4xf32>
}

// A bias that is the same at all places, and a crop, which may come in two slices.
// CHECK-LABEL: func @bias_in_front(
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[5.000000e-01, -2.000000e+00, 3.000000e+00]> : tensor<3xf32>
// CHECK:         fusion.fused_deconv_bias_act relu strides [2] pad_low [5] pad_high [4] layouts(nwc, wcf, nwc) ins({{.*}} bias(%[[B]] : tensor<3xf32>) outs(%{{.*}} : tensor<2x7x3xf32>)
// CHECK-NOT:     tensor.extract_slice
func.func @bias_in_front(%x: tensor<2x7x3xf32>, %w: tensor<2x3x6xf32> {fusion.constant}) -> tensor<2x7x3xf32> {
  %zero = arith.constant 0.0 : f32
  %b = arith.constant dense<[0.5, -2.0, 3.0, 0.5, -2.0, 3.0]> : tensor<6xf32>
  %e = tensor.empty() : tensor<2x6x6xf32>
  %f = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<2x6x6xf32>) dimensions = [0, 1]
  %c = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<2x7x3xf32>, tensor<2x3x6xf32>) outs(%f : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  // WHY: :[[#@LINE-1]]:8: fused: bias, relu{{$}}
  // OFF: :[[#@LINE-2]]:8: partly fused: bias; depth-to-space of the result
  %s = tensor.expand_shape %c [[0], [1], [2, 3]] output_shape [2, 6, 2, 3] : tensor<2x6x6xf32> into tensor<2x6x2x3xf32>
  %i = tensor.collapse_shape %s [[0], [1, 2], [3]] : tensor<2x6x2x3xf32> into tensor<2x12x3xf32>
  %j = tensor.extract_slice %i[0, 1, 0] [2, 9, 3] [1, 1, 1] : tensor<2x12x3xf32> to tensor<2x9x3xf32>
  %k = tensor.extract_slice %j[0, 2, 0] [2, 7, 3] [1, 1, 1] : tensor<2x9x3xf32> to tensor<2x7x3xf32>
  %re = tensor.empty() : tensor<2x7x3xf32>
  %z = linalg.fill ins(%zero : f32) outs(%re : tensor<2x7x3xf32>) -> tensor<2x7x3xf32>
  %r = linalg.max ins(%k, %z : tensor<2x7x3xf32>, tensor<2x7x3xf32>) outs(%re : tensor<2x7x3xf32>) -> tensor<2x7x3xf32>
  return %r : tensor<2x7x3xf32>
}

// A slice of channels is none of rows and columns: it stays where it is.
// CHECK-LABEL: func @slice_of_channels(
// CHECK:         %[[R:.*]] = fusion.fused_deconv_bias_act{{.*}} outs(%{{.*}} : tensor<2x12x3xf32>)
// CHECK-NEXT:    tensor.extract_slice %[[R]]
func.func @slice_of_channels(%x: tensor<2x7x3xf32>, %w: tensor<2x3x6xf32> {fusion.constant}) -> tensor<2x12x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %c = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<2x7x3xf32>, tensor<2x3x6xf32>) outs(%f : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  // WHY: :[[#@LINE-1]]:8: fused: transposed convolution alone{{$}}
  %s = tensor.expand_shape %c [[0], [1], [2, 3]] output_shape [2, 6, 2, 3] : tensor<2x6x6xf32> into tensor<2x6x2x3xf32>
  %i = tensor.collapse_shape %s [[0], [1, 2], [3]] : tensor<2x6x2x3xf32> into tensor<2x12x3xf32>
  %j = tensor.extract_slice %i[0, 0, 1] [2, 12, 2] [1, 1, 1] : tensor<2x12x3xf32> to tensor<2x12x2xf32>
  return %j : tensor<2x12x2xf32>
}

// Through one dimension and back, as reshapes of TOSA are lowered: the step is in one
// dimension only. The transpose may be generic, of nothing but dimensions of size 1.
// CHECK-LABEL: func @one_dimension(
// CHECK:         fusion.fused_deconv_bias_act strides [2, 1] layouts(nhwc, hwcf, nhwc) ins({{.*}} outs(%{{.*}} : tensor<1x2x4x3xf32>)
func.func @one_dimension(%x: tensor<1x1x4x3xf32>, %w: tensor<1x1x3x6xf32> {fusion.constant}) -> tensor<1x2x4x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1x4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1x4x6xf32>) -> tensor<1x1x4x6xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x1x4x3xf32>, tensor<1x1x3x6xf32>) outs(%f : tensor<1x1x4x6xf32>) -> tensor<1x1x4x6xf32>
  // WHY: :[[#@LINE-1]]:8: fused: transposed convolution alone{{$}}
  %v = tensor.collapse_shape %c [[0, 1, 2, 3]] : tensor<1x1x4x6xf32> into tensor<24xf32>
  %s = tensor.expand_shape %v [[0, 1, 2, 3]] output_shape [1, 4, 2, 3] : tensor<24xf32> into tensor<1x4x2x3xf32>
  %te = tensor.empty() : tensor<1x2x4x3xf32>
  %t = linalg.generic {indexing_maps = [#swap, #same], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x4x2x3xf32>) outs(%te : tensor<1x2x4x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    linalg.yield %a : f32
  } -> tensor<1x2x4x3xf32>
  return %t : tensor<1x2x4x3xf32>
}

// A batch of one image stays the batch, wherever it is; split channels become rows.
// CHECK-LABEL: func @one_image(
// CHECK:         fusion.fused_deconv_bias_act strides [2, 1] layouts(nhwc, hwcf, hnwc) ins({{.*}} outs(%{{.*}} : tensor<2x1x4x3xf32>)
func.func @one_image(%x: tensor<1x1x4x3xf32>, %w: tensor<1x1x3x6xf32> {fusion.constant}) -> tensor<2x1x4x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x1x4x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x1x4x6xf32>) -> tensor<1x1x4x6xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x1x4x3xf32>, tensor<1x1x3x6xf32>) outs(%f : tensor<1x1x4x6xf32>) -> tensor<1x1x4x6xf32>
  // WHY: :[[#@LINE-1]]:8: fused: transposed convolution alone{{$}}
  %s = tensor.expand_shape %c [[0], [1], [2], [3, 4]] output_shape [1, 1, 4, 2, 3] : tensor<1x1x4x6xf32> into tensor<1x1x4x2x3xf32>
  %te = tensor.empty() : tensor<1x2x1x4x3xf32>
  %t = linalg.transpose ins(%s : tensor<1x1x4x2x3xf32>) outs(%te : tensor<1x2x1x4x3xf32>) permutation = [1, 3, 0, 2, 4]
  %r = tensor.collapse_shape %t [[0, 1], [2], [3], [4]] : tensor<1x2x1x4x3xf32> into tensor<2x1x4x3xf32>
  return %r : tensor<2x1x4x3xf32>
}

// Three dimensions, with a channel of size 1, which nothing is left for.
// CHECK-LABEL: func @volume(
// CHECK:         tensor.expand_shape {{.*}} {{\[\[}}0], [1], [2], [3], [4, 5, 6, 7]] {{.*}} into tensor<1x2x2x2x2x3x2x1xf32>
// CHECK:         fusion.fused_deconv_bias_act strides [2, 3, 2] pad_low [0, 3, 2] pad_high [0, 3, 2] layouts(ndhwc, dhwcf, ndhwc) ins({{.*}} outs(%{{.*}} : tensor<1x4x9x8x1xf32>)
func.func @volume(%x: tensor<1x2x4x5x2xf32>, %w: tensor<1x2x2x2x12xf32> {fusion.constant}) -> tensor<1x4x9x8x1xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x2x3x4x12xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x2x3x4x12xf32>) -> tensor<1x2x3x4x12xf32>
  %c = linalg.conv_3d_ndhwc_dhwcf ins(%x, %w : tensor<1x2x4x5x2xf32>, tensor<1x2x2x2x12xf32>) outs(%f : tensor<1x2x3x4x12xf32>) -> tensor<1x2x3x4x12xf32>
  // WHY: :[[#@LINE-1]]:8: fused: transposed convolution alone{{$}}
  %s = tensor.expand_shape %c [[0], [1], [2], [3], [4, 5, 6, 7]] output_shape [1, 2, 3, 4, 2, 3, 2, 1] : tensor<1x2x3x4x12xf32> into tensor<1x2x3x4x2x3x2x1xf32>
  %te = tensor.empty() : tensor<1x2x2x3x3x4x2x1xf32>
  %t = linalg.transpose ins(%s : tensor<1x2x3x4x2x3x2x1xf32>) outs(%te : tensor<1x2x2x3x3x4x2x1xf32>) permutation = [0, 1, 4, 2, 5, 3, 6, 7]
  %r = tensor.collapse_shape %t [[0], [1, 2], [3, 4], [5, 6], [7]] : tensor<1x2x2x3x3x4x2x1xf32> into tensor<1x4x9x8x1xf32>
  return %r : tensor<1x4x9x8x1xf32>
}

// A pad in front of the next convolution is its own.
// CHECK-LABEL: func @next_convolution(
// CHECK:         %[[R:.*]] = fusion.fused_deconv_bias_act
// CHECK:         fusion.fused_conv_bias_act pad_low [1] pad_high [1] layouts(nwc, wcf, nwc) ins(%[[R]],
func.func @next_convolution(%x: tensor<2x7x3xf32>, %w: tensor<2x3x6xf32> {fusion.constant}, %v: tensor<3x3x4xf32>) -> tensor<2x12x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %c = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<2x7x3xf32>, tensor<2x3x6xf32>) outs(%f : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  // WHY: :[[#@LINE-1]]:8: fused: transposed convolution alone{{$}}
  %s = tensor.expand_shape %c [[0], [1], [2, 3]] output_shape [2, 6, 2, 3] : tensor<2x6x6xf32> into tensor<2x6x2x3xf32>
  %i = tensor.collapse_shape %s [[0], [1, 2], [3]] : tensor<2x6x2x3xf32> into tensor<2x12x3xf32>
  %p = tensor.pad %i low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%a: index, %b: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<2x12x3xf32> to tensor<2x14x3xf32>
  %ne = tensor.empty() : tensor<2x12x4xf32>
  %nf = linalg.fill ins(%zero : f32) outs(%ne : tensor<2x12x4xf32>) -> tensor<2x12x4xf32>
  %n = linalg.conv_1d_nwc_wcf ins(%p, %v : tensor<2x14x3xf32>, tensor<3x3x4xf32>) outs(%nf : tensor<2x12x4xf32>) -> tensor<2x12x4xf32>
  // WHY: :[[#@LINE-1]]:8: fused: pad{{$}}
  return %n : tensor<2x12x4xf32>
}

// So is one that nothing element-wise reads.
// CHECK-LABEL: func @padded_result(
// CHECK:         %[[R:.*]] = fusion.fused_deconv_bias_act
// CHECK:         tensor.pad %[[R]]
func.func @padded_result(%x: tensor<2x7x3xf32>, %w: tensor<2x3x6xf32> {fusion.constant}) -> tensor<2x14x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  %c = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<2x7x3xf32>, tensor<2x3x6xf32>) outs(%f : tensor<2x6x6xf32>) -> tensor<2x6x6xf32>
  // WHY: :[[#@LINE-1]]:8: fused: transposed convolution alone{{$}}
  %s = tensor.expand_shape %c [[0], [1], [2, 3]] output_shape [2, 6, 2, 3] : tensor<2x6x6xf32> into tensor<2x6x2x3xf32>
  %i = tensor.collapse_shape %s [[0], [1, 2], [3]] : tensor<2x6x2x3xf32> into tensor<2x12x3xf32>
  %p = tensor.pad %i low[0, 1, 0] high[0, 1, 0] {
  ^bb0(%a: index, %b: index, %d: index):
    tensor.yield %zero : f32
  } : tensor<2x12x3xf32> to tensor<2x14x3xf32>
  return %p : tensor<2x14x3xf32>
}

// Places that are part of the batch on the way.
// CHECK-LABEL: func @through_the_batch(
// CHECK:         fusion.fused_deconv_bias_act strides [2] pad_low [2] pad_high [2] layouts(nwc, wcf, nwc) {{.*}} bias({{.*}} -> tensor<2x12x4xf32>
func.func @through_the_batch(%x: tensor<2x7x3xf32>, %w: tensor<2x3x8xf32> {fusion.constant}, %b: tensor<4xf32>) -> tensor<2x12x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  // WHY: :[[#@LINE+1]]:8: fused: bias{{$}}
  %c = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<2x7x3xf32>, tensor<2x3x8xf32>) outs(%f : tensor<2x6x8xf32>) -> tensor<2x6x8xf32>
  %s = tensor.expand_shape %c [[0], [1], [2, 3]] output_shape [2, 6, 2, 4] : tensor<2x6x8xf32> into tensor<2x6x2x4xf32>
  %te = tensor.empty() : tensor<2x2x6x4xf32>
  %t = linalg.transpose ins(%s : tensor<2x6x2x4xf32>) outs(%te : tensor<2x2x6x4xf32>) permutation = [0, 2, 1, 3]
  %i = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<2x2x6x4xf32> into tensor<4x6x4xf32>
  %j = tensor.expand_shape %i [[0, 1], [2], [3]] output_shape [2, 2, 6, 4] : tensor<4x6x4xf32> into tensor<2x2x6x4xf32>
  %ue = tensor.empty() : tensor<2x6x2x4xf32>
  %u = linalg.transpose ins(%j : tensor<2x2x6x4xf32>) outs(%ue : tensor<2x6x2x4xf32>) permutation = [0, 2, 1, 3]
  %v = tensor.collapse_shape %u [[0], [1, 2], [3]] : tensor<2x6x2x4xf32> into tensor<2x12x4xf32>
  %re = tensor.empty() : tensor<2x12x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#id, #channel, #id]
      ins(%v, %b : tensor<2x12x4xf32>, tensor<4xf32>) outs(%re : tensor<2x12x4xf32>) -> tensor<2x12x4xf32>
  return %r : tensor<2x12x4xf32>
}
