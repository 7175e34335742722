// RUN: fusion-opt %s --fusion-split-deconvolutions | FileCheck %s
// RUN: fusion-opt %s --fusion-split-deconvolutions --remarks-filter='fusion.*' --remark-format=emitRemark --verify-diagnostics -o /dev/null

// A transposed convolution runs as a convolution with an output channel for each
// place in a step, which are then put into rows and columns.

// CHECK-LABEL: func.func @steps(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x5x7x3xf32>, %[[W:[a-z0-9]*]]: tensor<4x4x6x3xf32>, %[[B:[a-z0-9]*]]: tensor<4xf32>
// CHECK:         %[[E:.*]] = tensor.expand_shape %[[W]] {{\[\[}}0], [1, 2], [3, 4], [5]] {{.*}} : tensor<4x4x6x3xf32> into tensor<4x2x2x2x3x3xf32>
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[E]] : {{.*}} permutation = [2, 4, 0, 1, 3, 5]
// CHECK:         %[[C:.*]] = tensor.collapse_shape %[[T]] {{\[\[}}0, 1, 2], [3], [4], [5]] : tensor<2x3x4x2x2x3xf32> into tensor<24x2x2x3xf32>
// CHECK:         %[[F:.*]] = linalg.generic
// CHECK:           tensor.extract %[[C]]
// CHECK:         %[[BB:.*]] = linalg.broadcast ins(%[[B]] : tensor<4xf32>) outs(%{{.*}} : tensor<2x3x4xf32>) dimensions = [0, 1]
// CHECK:         %[[BC:.*]] = tensor.collapse_shape %[[BB]] {{\[\[}}0, 1, 2]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu pad_low [1, 1] pad_high [1, 0] layouts(nhwc, fhwc, nhwc) ins(%[[X]], %[[F]] : {{.*}}) bias(%[[BC]] : tensor<24xf32>) outs(%{{.*}} : tensor<2x6x7x24xf32>)
// CHECK:         %[[RE:.*]] = tensor.expand_shape %[[R]] {{\[\[}}0], [1], [2], [3, 4, 5]] {{.*}} into tensor<2x6x7x2x3x4xf32>
// CHECK:         %[[RT:.*]] = linalg.transpose ins(%[[RE]] : {{.*}} permutation = [0, 1, 3, 2, 4, 5]
// CHECK:         %[[RC:.*]] = tensor.collapse_shape %[[RT]] {{\[\[}}0], [1, 2], [3, 4], [5]] : {{.*}} into tensor<2x12x21x4xf32>
// CHECK:         tensor.extract_slice %[[RC]][0, 1, 0, 0] [2, 10, 21, 4] [1, 1, 1, 1]
func.func @steps(%x: tensor<2x5x7x3xf32>, %w: tensor<4x4x6x3xf32>, %b: tensor<4xf32>) -> tensor<2x10x21x4xf32> {
  %e = tensor.empty() : tensor<2x10x21x4xf32>
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2, 3>, dilations = array<i64: 1, 1>, pad_low = array<i64: 1, 0>, pad_high = array<i64: 1, 3>, input_layout = "nhwc", filter_layout = "fhwc", output_layout = "nhwc", activation = #fusion.activation<relu>}
         ins(%x, %w : tensor<2x5x7x3xf32>, tensor<4x4x6x3xf32>) bias(%b : tensor<4xf32>) outs(%e : tensor<2x10x21x4xf32>) -> tensor<2x10x21x4xf32>
  return %c : tensor<2x10x21x4xf32>
}

// Other layouts; the step of one column is as it was.
// CHECK-LABEL: func.func @channels_first(
// CHECK:         linalg.transpose {{.*}} permutation = [3, 5, 1, 2, 4, 0]
// CHECK:         fusion.fused_conv_bias_act pad_high [1, 1] layouts(nchw, fhwc, nhwc) ins({{.*}} : tensor<2x3x5x6xf32>, tensor<8x2x2x3xf32>) outs(%{{.*}} : tensor<2x5x6x8xf32>)
// CHECK:         linalg.transpose {{.*}} permutation = [0, 5, 1, 3, 2, 4]
// CHECK:         tensor.extract_slice {{.*}}[0, 0, 1, 0] [2, 4, 8, 6]
func.func @channels_first(%x: tensor<2x3x5x6xf32>, %w: tensor<3x4x4x2xf32>) -> tensor<2x4x8x6xf32> {
  %e = tensor.empty() : tensor<2x4x8x6xf32>
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 3, 1>, pad_high = array<i64: 1, 0>, input_layout = "nchw", filter_layout = "cfhw", output_layout = "nchw"}
         ins(%x, %w : tensor<2x3x5x6xf32>, tensor<3x4x4x2xf32>) outs(%e : tensor<2x4x8x6xf32>) -> tensor<2x4x8x6xf32>
  return %c : tensor<2x4x8x6xf32>
}

// More is cut off than a padding of 0 leaves out.
// CHECK-LABEL: func.func @cropped(
// CHECK:         fusion.fused_conv_bias_act tanh layouts(ncw, fwc, nwc) ins(
// CHECK:         tensor.extract_slice {{.*}}[0, 0, 3] [2, 4, 6]
func.func @cropped(%x: tensor<2x3x7xf32>, %w: tensor<4x3x4xf32>) -> tensor<2x4x6xf32> {
  %e = tensor.empty() : tensor<2x4x6xf32>
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2>, dilations = array<i64: 1>, pad_low = array<i64: 5>, pad_high = array<i64: 5>, input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<tanh>}
         ins(%x, %w : tensor<2x3x7xf32>, tensor<4x3x4xf32>) outs(%e : tensor<2x4x6xf32>) -> tensor<2x4x6xf32>
  return %c : tensor<2x4x6xf32>
}

// Elements of the result beyond the last window are the bias.
// CHECK-LABEL: func.func @output_padding(
// CHECK:         fusion.fused_conv_bias_act pad_high [1] layouts(nwc, fwc, nwc) ins({{.*}} outs(%{{.*}} : tensor<2x5x6xf32>)
// CHECK:         tensor.extract_slice {{.*}}[0, 0, 0] [2, 14, 2]
func.func @output_padding(%x: tensor<2x4x3xf32>, %w: tensor<2x3x3xf32>, %b: tensor<2xf32>) -> tensor<2x14x2xf32> {
  %e = tensor.empty() : tensor<2x14x2xf32>
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 3>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
         ins(%x, %w : tensor<2x4x3xf32>, tensor<2x3x3xf32>) bias(%b : tensor<2xf32>) outs(%e : tensor<2x14x2xf32>) -> tensor<2x14x2xf32>
  return %c : tensor<2x14x2xf32>
}

// Nothing to put anywhere.
// CHECK-LABEL: func.func @steps_of_one(
// CHECK-NOT:     linalg.broadcast
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act pad_low [0, 1] pad_high [1, 1] layouts(nhwc, fhwc, nhwc) ins(
// CHECK-NEXT:    return %[[R]]
func.func @steps_of_one(%x: tensor<2x5x4x3xf32>, %w: tensor<4x3x2x3xf32>, %b: tensor<4xf32>) -> tensor<2x4x5x4xf32> {
  %e = tensor.empty() : tensor<2x4x5x4xf32>
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 2, 0>, pad_high = array<i64: 1, 0>, input_layout = "nhwc", filter_layout = "fhwc", output_layout = "nhwc"}
         ins(%x, %w : tensor<2x5x4x3xf32>, tensor<4x3x2x3xf32>) bias(%b : tensor<4xf32>) outs(%e : tensor<2x4x5x4xf32>) -> tensor<2x4x5x4xf32>
  return %c : tensor<2x4x5x4xf32>
}

// Three dimensions.
// CHECK-LABEL: func.func @volume(
// CHECK:         fusion.fused_conv_bias_act relu pad_low [0, 0, 1] pad_high [0, 0, 1] layouts(ncdhw, fdhwc, ndhwc) ins({{.*}} outs(%{{.*}} : tensor<1x3x4x6x18xf32>)
// CHECK:         linalg.transpose {{.*}} permutation = [0, 7, 1, 4, 2, 5, 3, 6]
func.func @volume(%x: tensor<1x2x3x4x5xf32>, %w: tensor<2x3x2x1x6xf32>) -> tensor<1x3x6x4x15xf32> {
  %e = tensor.empty() : tensor<1x3x6x4x15xf32>
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2, 1, 3>, dilations = array<i64: 1, 1, 1>, pad_low = array<i64: 0, 0, 1>, pad_high = array<i64: 0, 0, 2>, input_layout = "ncdhw", filter_layout = "cfdhw", output_layout = "ncdhw", activation = #fusion.activation<relu>}
         ins(%x, %w : tensor<1x2x3x4x5xf32>, tensor<2x3x2x1x6xf32>) outs(%e : tensor<1x3x6x4x15xf32>) -> tensor<1x3x6x4x15xf32>
  return %c : tensor<1x3x6x4x15xf32>
}

// NaN stays where it is.
// CHECK-LABEL: func.func @whole_steps(
// CHECK-NOT:     tensor.pad
// CHECK:         fusion.fused_conv_bias_act
func.func @whole_steps(%x: tensor<1x5x3xf32>, %w: tensor<4x4x3xf32>) -> tensor<1x10x4xf32> {
  %e = tensor.empty() : tensor<1x10x4xf32>
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2>, dilations = array<i64: 1>, pad_low = array<i64: 1>, pad_high = array<i64: 1>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc", nan_mode = #fusion.nan<propagate>}
         ins(%x, %w : tensor<1x5x3xf32>, tensor<4x4x3xf32>) outs(%e : tensor<1x10x4xf32>) -> tensor<1x10x4xf32>
  return %c : tensor<1x10x4xf32>
}

// A constant filter stays one.
// CHECK-LABEL: func.func @constant(
// CHECK:         %[[W:.*]] = arith.constant dense<{{\[\[\[}}3.000000e+00], [1.000000e+00]], {{\[\[}}4.000000e+00], [2.000000e+00]]]> : tensor<2x2x1xf32>
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%{{.*}}, %[[W]] :
func.func @constant(%x: tensor<1x5x1xf32>) -> tensor<1x11x1xf32> {
  %w = arith.constant dense<[[[1.0], [2.0], [3.0], [4.0]]]> : tensor<1x4x1xf32>
  %e = tensor.empty() : tensor<1x11x1xf32>
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 1>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
         ins(%x, %w : tensor<1x5x1xf32>, tensor<1x4x1xf32>) outs(%e : tensor<1x11x1xf32>) -> tensor<1x11x1xf32>
  return %c : tensor<1x11x1xf32>
}

// The batch may be dynamic,
// CHECK-LABEL: func.func @dynamic_batch(
// CHECK:         fusion.fused_conv_bias_act{{.*}} outs(%{{.*}} : tensor<?x6x8x24xf32>)
// CHECK:         tensor.expand_shape {{.*}} : tensor<?x6x8x24xf32> into tensor<?x6x8x2x3x4xf32>
func.func @dynamic_batch(%x: tensor<?x5x7x3xf32>, %w: tensor<4x4x6x3xf32>, %b: tensor<4xf32>, %e: tensor<?x11x23x4xf32>) -> tensor<?x11x23x4xf32> {
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2, 3>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 1, 1>, input_layout = "nhwc", filter_layout = "fhwc", output_layout = "nhwc"}
         ins(%x, %w : tensor<?x5x7x3xf32>, tensor<4x4x6x3xf32>) bias(%b : tensor<4xf32>) outs(%e : tensor<?x11x23x4xf32>) -> tensor<?x11x23x4xf32>
  return %c : tensor<?x11x23x4xf32>
}

// but no other size.
// CHECK-LABEL: func.func @dynamic_channels(
// CHECK:         fusion.fused_deconv_bias_act
func.func @dynamic_channels(%x: tensor<2x5x3xf32>, %w: tensor<?x4x3xf32>, %e: tensor<2x11x?xf32>) -> tensor<2x11x?xf32> {
  // expected-remark @below {{runs as a transposed convolution: dynamic size of the filter}}
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 1>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
         ins(%x, %w : tensor<2x5x3xf32>, tensor<?x4x3xf32>) outs(%e : tensor<2x11x?xf32>) -> tensor<2x11x?xf32>
  return %c : tensor<2x11x?xf32>
}

// A residual is added behind, where the result is put together, and so are the ops
// after it: in f32, and rounded once.
// CHECK-LABEL: func.func @residual(
// CHECK-SAME:    %[[R:[a-z0-9]*]]: tensor<2x11x4xbf16>, %[[B:[a-z0-9]*]]: tensor<4xf32>)
// CHECK:         fusion.fused_conv_bias_act pad_low [1] pad_high [1] layouts(nwc, fwc, nwc) ins({{.*}} bias(%{{.*}} : tensor<8xf32>) outs(%{{.*}} : tensor<2x6x8xf32>)
// CHECK:         %[[P:.*]] = tensor.extract_slice %{{.*}} : tensor<2x12x4xf32> to tensor<2x11x4xf32>
// CHECK:         linalg.generic {{.*}} ins(%[[P]], %[[R]] : tensor<2x11x4xf32>, tensor<2x11x4xbf16>) outs(%{{.*}} : tensor<2x11x4xbf16>)
// CHECK:           %[[W:.*]] = arith.extf
// CHECK:           %[[S:.*]] = arith.addf %{{.*}}, %[[W]] : f32
// CHECK:           %[[M:.*]] = arith.maximumf %[[S]], %{{.*}} : f32
// CHECK:           arith.truncf %[[M]] : f32 to bf16
func.func @residual(%x: tensor<2x5x3xbf16>, %w: tensor<4x4x3xbf16>, %r: tensor<2x11x4xbf16>, %b: tensor<4xf32>) -> tensor<2x11x4xbf16> {
  %e = tensor.empty() : tensor<2x11x4xbf16>
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 1>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc", activation = #fusion.activation<relu>}
         ins(%x, %w : tensor<2x5x3xbf16>, tensor<4x4x3xbf16>) bias(%b : tensor<4xf32>) residual(%r : tensor<2x11x4xbf16>) outs(%e : tensor<2x11x4xbf16>) -> tensor<2x11x4xbf16>
  return %c : tensor<2x11x4xbf16>
}

// Nor are there groups,
// CHECK-LABEL: func.func @groups(
// CHECK:         fusion.fused_deconv_bias_act
func.func @groups(%x: tensor<2x5x6xf32>, %w: tensor<4x4x3xf32>) -> tensor<2x11x4xf32> {
  %e = tensor.empty() : tensor<2x11x4xf32>
  // expected-remark @below {{runs as a transposed convolution: it has 2 groups}}
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 1>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc", groups = 2 : i64}
         ins(%x, %w : tensor<2x5x6xf32>, tensor<4x4x3xf32>) outs(%e : tensor<2x11x4xf32>) -> tensor<2x11x4xf32>
  return %c : tensor<2x11x4xf32>
}

// a step within the window,
// CHECK-LABEL: func.func @dilated(
// CHECK:         fusion.fused_deconv_bias_act
func.func @dilated(%x: tensor<2x5x3xf32>, %w: tensor<4x4x3xf32>) -> tensor<2x13x4xf32> {
  %e = tensor.empty() : tensor<2x13x4xf32>
  // expected-remark @below {{runs as a transposed convolution: it has a dilation of 2}}
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2>, dilations = array<i64: 2>, pad_low = array<i64: 0>, pad_high = array<i64: 2>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
         ins(%x, %w : tensor<2x5x3xf32>, tensor<4x4x3xf32>) outs(%e : tensor<2x13x4xf32>) -> tensor<2x13x4xf32>
  return %c : tensor<2x13x4xf32>
}

// or a part of a step at the end of the window.
// CHECK-LABEL: func.func @parts_of_steps(
// CHECK:         fusion.fused_deconv_bias_act
func.func @parts_of_steps(%x: tensor<1x5x3xf32>, %w: tensor<4x3x3xf32>) -> tensor<1x11x4xf32> {
  %e = tensor.empty() : tensor<1x11x4xf32>
  // expected-remark @below {{runs as a transposed convolution: the kernel has 3 elements in spatial dimension 0, no multiple of the stride of 2}}
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
         ins(%x, %w : tensor<1x5x3xf32>, tensor<4x3x3xf32>) outs(%e : tensor<1x11x4xf32>) -> tensor<1x11x4xf32>
  return %c : tensor<1x11x4xf32>
}

// The filter knows how long the bias is.
// CHECK-LABEL: func.func @bias_of_unknown_size(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<?xf32>
// CHECK:         %[[C:.*]] = tensor.cast %[[B]] : tensor<?xf32> to tensor<4xf32>
// CHECK:         linalg.broadcast ins(%[[C]] : tensor<4xf32>)
// CHECK:         fusion.fused_conv_bias_act
func.func @bias_of_unknown_size(%x: tensor<2x5x3xf32>, %w: tensor<4x4x3xf32>, %b: tensor<?xf32>) -> tensor<2x11x4xf32> {
  %e = tensor.empty() : tensor<2x11x4xf32>
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 1>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
         ins(%x, %w : tensor<2x5x3xf32>, tensor<4x4x3xf32>) bias(%b : tensor<?xf32>) outs(%e : tensor<2x11x4xf32>) -> tensor<2x11x4xf32>
  return %c : tensor<2x11x4xf32>
}
