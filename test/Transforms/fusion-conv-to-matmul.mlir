// RUN: fusion-opt %s --fusion-conv-to-matmul | FileCheck %s

// A convolution of images of one pixel multiplies matrices, with an image in each
// row. So does one of few pixels by a kernel of one pixel.

// Channels last, with everything that a fusion op has.
// CHECK-LABEL: func.func @linear(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<5x1x1x3xf32>, %[[W:[a-z0-9]*]]: tensor<7x1x1x3xf32>, %[[B:[a-z0-9]*]]: tensor<7xf32>, %[[R:[a-z0-9]*]]: tensor<5x1x1x7xf32>
// CHECK-DAG:     %[[M:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1, 2], [3]] : tensor<5x1x1x3xf32> into tensor<5x3xf32>
// CHECK-DAG:     %[[V:.*]] = tensor.collapse_shape %[[W]] {{\[\[}}0, 1, 2], [3]] : tensor<7x1x1x3xf32> into tensor<7x3xf32>
// CHECK-DAG:     %[[S:.*]] = tensor.collapse_shape %[[R]] {{\[\[}}0, 1, 2], [3]] : tensor<5x1x1x7xf32> into tensor<5x7xf32>
// CHECK:         %[[P:.*]] = fusion.fused_matmul_bias_act relu layouts(mk, nk, mn) {acme.note} ins(%[[M]], %[[V]] : tensor<5x3xf32>, tensor<7x3xf32>) bias(%[[B]] : tensor<7xf32>) residual_after_activation(%[[S]] : tensor<5x7xf32>) outs(%{{.*}} : tensor<5x7xf32>)
// CHECK:         tensor.expand_shape %[[P]] {{\[\[}}0, 1, 2], [3]] output_shape [5, 1, 1, 7]
func.func @linear(%x: tensor<5x1x1x3xf32>, %w: tensor<7x1x1x3xf32>, %b: tensor<7xf32>, %t: tensor<5x1x1x7xf32>) -> tensor<5x1x1x7xf32> {
  %e = tensor.empty() : tensor<5x1x1x7xf32>
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, input_layout = "nhwc", filter_layout = "fhwc", output_layout = "nhwc", activation = #fusion.activation<relu>, residual_after_activation, acme.note}
         ins(%x, %w : tensor<5x1x1x3xf32>, tensor<7x1x1x3xf32>) bias(%b : tensor<7xf32>) residual(%t : tensor<5x1x1x7xf32>) outs(%e : tensor<5x1x1x7xf32>) -> tensor<5x1x1x7xf32>
  return %c : tensor<5x1x1x7xf32>
}

// Any layout, three dimensions; strides and dilations mean nothing.
// CHECK-LABEL: func.func @layouts(
// CHECK-DAG:     tensor.collapse_shape %{{.*}} {{\[\[}}0, 1], [2, 3, 4]] : tensor<3x1x5x1x1xf32> into tensor<3x5xf32>
// CHECK-DAG:     tensor.collapse_shape %{{.*}} {{\[\[}}0, 1, 2, 3], [4]] : tensor<1x1x1x3x7xf32> into tensor<3x7xf32>
// CHECK:         fusion.fused_matmul_bias_act layouts(km, kn, mn) ins(
// CHECK:         tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2, 3, 4]] output_shape [5, 7, 1, 1, 1]
func.func @layouts(%x: tensor<3x1x5x1x1xf32>, %w: tensor<1x1x1x3x7xf32>) -> tensor<5x7x1x1x1xf32> {
  %e = tensor.empty() : tensor<5x7x1x1x1xf32>
  %c = fusion.fused_conv_bias_act {strides = array<i64: 2, 1, 3>, dilations = array<i64: 1, 4, 1>, pad_low = array<i64: 0, 0, 0>, pad_high = array<i64: 0, 0, 0>, input_layout = "cdnhw", filter_layout = "dhwcf", output_layout = "ncdhw"}
         ins(%x, %w : tensor<3x1x5x1x1xf32>, tensor<1x1x1x3x7xf32>) outs(%e : tensor<5x7x1x1x1xf32>) -> tensor<5x7x1x1x1xf32>
  return %c : tensor<5x7x1x1x1xf32>
}

// An unknown number of images.
// CHECK-LABEL: func.func @dynamic_batch(
// CHECK-SAME:    %{{.*}}: tensor<?x3x1xf32>, %{{.*}}: tensor<7x3x1xf32>, %[[E:[a-z0-9]*]]: tensor<?x7x1xf32>
// CHECK:         %[[N:.*]] = tensor.dim %[[E]], %{{.*}}
// CHECK:         tensor.empty(%[[N]]) : tensor<?x7xf32>
// CHECK:         fusion.fused_matmul_bias_act layouts(mk, nk, mn) ins(%{{.*}}, %{{.*}} : tensor<?x3xf32>, tensor<7x3xf32>)
// CHECK:         tensor.expand_shape %{{.*}} {{\[\[}}0], [1, 2]] output_shape [%[[N]], 7, 1]
func.func @dynamic_batch(%x: tensor<?x3x1xf32>, %w: tensor<7x3x1xf32>, %e: tensor<?x7x1xf32>) -> tensor<?x7x1xf32> {
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
         ins(%x, %w : tensor<?x3x1xf32>, tensor<7x3x1xf32>) outs(%e : tensor<?x7x1xf32>) -> tensor<?x7x1xf32>
  return %c : tensor<?x7x1xf32>
}

// Integers keep their scale and zero points.
// CHECK-LABEL: func.func @integers(
// CHECK:         fusion.quantized_matmul_bias_act relu layouts(mk, nk, mn) {input_zero_point = 3 : i32, output_unsigned, output_zero_point = 7 : i32} ins(%{{.*}}, %{{.*}} : tensor<5x3xi8>, tensor<7x3xi8>) bias(%{{.*}} : tensor<7xi32>) scale(%{{.*}} : tensor<7xf32>) outs(%{{.*}} : tensor<5x7xi8>)
func.func @integers(%x: tensor<5x1x1x3xi8>, %w: tensor<7x1x1x3xi8>, %b: tensor<7xi32>, %s: tensor<7xf32>) -> tensor<5x1x1x7xi8> {
  %e = tensor.empty() : tensor<5x1x1x7xi8>
  %c = fusion.quantized_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, input_layout = "nhwc", filter_layout = "fhwc", output_layout = "nhwc", activation = #fusion.activation<relu>, input_zero_point = 3 : i32, output_unsigned, output_zero_point = 7 : i32}
         ins(%x, %w : tensor<5x1x1x3xi8>, tensor<7x1x1x3xi8>) bias(%b : tensor<7xi32>) scale(%s : tensor<7xf32>) outs(%e : tensor<5x1x1x7xi8>) -> tensor<5x1x1x7xi8>
  return %c : tensor<5x1x1x7xi8>
}

// Each of four pixels is a row.
// CHECK-LABEL: func.func @four_pixels(
// CHECK-DAG:     %[[M:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1, 2], [3]] : tensor<5x2x2x3xf32> into tensor<20x3xf32>
// CHECK-DAG:     %[[V:.*]] = tensor.collapse_shape %{{.*}} {{\[\[}}0, 1, 2], [3]] : tensor<7x1x1x3xf32> into tensor<7x3xf32>
// CHECK:         fusion.fused_matmul_bias_act layouts(mk, nk, mn) ins(%[[M]], %[[V]] : {{.*}} -> tensor<20x7xf32>
// CHECK:         tensor.expand_shape %{{.*}} {{\[\[}}0, 1, 2], [3]] output_shape [5, 2, 2, 7]
func.func @four_pixels(%x: tensor<5x2x2x3xf32>, %w: tensor<7x1x1x3xf32>) -> tensor<5x2x2x7xf32> {
  %e = tensor.empty() : tensor<5x2x2x7xf32>
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, input_layout = "nhwc", filter_layout = "fhwc", output_layout = "nhwc"}
         ins(%x, %w : tensor<5x2x2x3xf32>, tensor<7x1x1x3xf32>) outs(%e : tensor<5x2x2x7xf32>) -> tensor<5x2x2x7xf32>
  return %c : tensor<5x2x2x7xf32>
}

// CHECK-LABEL: func.func @dynamic_batch_of_pixels(
// CHECK-SAME:    %{{.*}}: tensor<7x1x3xf32>, %[[E:[a-z0-9]*]]: tensor<?x3x7xf32>)
// CHECK:         %[[N:.*]] = tensor.dim %[[E]], %{{.*}}
// CHECK:         %[[ROWS:.*]] = affine.apply #{{.*}}()[%[[N]]]
// CHECK:         tensor.empty(%[[ROWS]]) : tensor<?x7xf32>
// CHECK:         tensor.expand_shape %{{.*}} {{\[\[}}0, 1], [2]] output_shape [%[[N]], 3, 7]
func.func @dynamic_batch_of_pixels(%x: tensor<?x3x3xf32>, %w: tensor<7x1x3xf32>, %e: tensor<?x3x7xf32>) -> tensor<?x3x7xf32> {
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
         ins(%x, %w : tensor<?x3x3xf32>, tensor<7x1x3xf32>) outs(%e : tensor<?x3x7xf32>) -> tensor<?x3x7xf32>
  return %c : tensor<?x3x7xf32>
}

// These stay convolutions.

// CHECK-LABEL: func.func @six_pixels(
// CHECK:         fusion.fused_conv_bias_act
func.func @six_pixels(%x: tensor<5x2x3x3xf32>, %w: tensor<7x1x1x3xf32>) -> tensor<5x2x3x7xf32> {
  %e = tensor.empty() : tensor<5x2x3x7xf32>
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, input_layout = "nhwc", filter_layout = "fhwc", output_layout = "nhwc"}
         ins(%x, %w : tensor<5x2x3x3xf32>, tensor<7x1x1x3xf32>) outs(%e : tensor<5x2x3x7xf32>) -> tensor<5x2x3x7xf32>
  return %c : tensor<5x2x3x7xf32>
}

// The pixels of a row would be apart.
// CHECK-LABEL: func.func @channels_first(
// CHECK:         fusion.fused_conv_bias_act
func.func @channels_first(%x: tensor<5x3x2x1xf32>, %w: tensor<7x1x1x3xf32>) -> tensor<5x7x2x1xf32> {
  %e = tensor.empty() : tensor<5x7x2x1xf32>
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, input_layout = "nchw", filter_layout = "fhwc", output_layout = "nchw"}
         ins(%x, %w : tensor<5x3x2x1xf32>, tensor<7x1x1x3xf32>) outs(%e : tensor<5x7x2x1xf32>) -> tensor<5x7x2x1xf32>
  return %c : tensor<5x7x2x1xf32>
}

// CHECK-LABEL: func.func @result_channels_first(
// CHECK:         fusion.fused_conv_bias_act
func.func @result_channels_first(%x: tensor<5x2x1x3xf32>, %w: tensor<7x1x1x3xf32>) -> tensor<5x7x2x1xf32> {
  %e = tensor.empty() : tensor<5x7x2x1xf32>
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, input_layout = "nhwc", filter_layout = "fhwc", output_layout = "nchw"}
         ins(%x, %w : tensor<5x2x1x3xf32>, tensor<7x1x1x3xf32>) outs(%e : tensor<5x7x2x1xf32>) -> tensor<5x7x2x1xf32>
  return %c : tensor<5x7x2x1xf32>
}

// CHECK-LABEL: func.func @strided(
// CHECK:         fusion.fused_conv_bias_act
func.func @strided(%x: tensor<5x2x2x3xf32>, %w: tensor<7x1x1x3xf32>) -> tensor<5x1x1x7xf32> {
  %e = tensor.empty() : tensor<5x1x1x7xf32>
  %c = fusion.fused_conv_bias_act {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, input_layout = "nhwc", filter_layout = "fhwc", output_layout = "nhwc"}
         ins(%x, %w : tensor<5x2x2x3xf32>, tensor<7x1x1x3xf32>) outs(%e : tensor<5x1x1x7xf32>) -> tensor<5x1x1x7xf32>
  return %c : tensor<5x1x1x7xf32>
}

// A kernel of two pixels.
// CHECK-LABEL: func.func @two_taps(
// CHECK:         fusion.fused_conv_bias_act
func.func @two_taps(%x: tensor<5x2x3xf32>, %w: tensor<7x2x3xf32>) -> tensor<5x1x7xf32> {
  %e = tensor.empty() : tensor<5x1x7xf32>
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
         ins(%x, %w : tensor<5x2x3xf32>, tensor<7x2x3xf32>) outs(%e : tensor<5x1x7xf32>) -> tensor<5x1x7xf32>
  return %c : tensor<5x1x7xf32>
}

// The one pixel of the result is that of the padding.
// CHECK-LABEL: func.func @padded(
// CHECK:         fusion.fused_conv_bias_act
func.func @padded(%x: tensor<5x1x3xf32>, %w: tensor<7x1x3xf32>) -> tensor<5x1x7xf32> {
  %e = tensor.empty() : tensor<5x1x7xf32>
  %c = fusion.fused_conv_bias_act {strides = array<i64: 2>, dilations = array<i64: 1>, pad_low = array<i64: 1>, pad_high = array<i64: 0>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
         ins(%x, %w : tensor<5x1x3xf32>, tensor<7x1x3xf32>) outs(%e : tensor<5x1x7xf32>) -> tensor<5x1x7xf32>
  return %c : tensor<5x1x7xf32>
}

// CHECK-LABEL: func.func @groups(
// CHECK:         fusion.fused_conv_bias_act
func.func @groups(%x: tensor<5x1x6xf32>, %w: tensor<8x1x3xf32>) -> tensor<5x1x8xf32> {
  %e = tensor.empty() : tensor<5x1x8xf32>
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, groups = 2 : i64, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
         ins(%x, %w : tensor<5x1x6xf32>, tensor<8x1x3xf32>) outs(%e : tensor<5x1x8xf32>) -> tensor<5x1x8xf32>
  return %c : tensor<5x1x8xf32>
}

// Maybe more than one pixel.
// CHECK-LABEL: func.func @dynamic_image(
// CHECK:         fusion.fused_conv_bias_act
func.func @dynamic_image(%x: tensor<5x?x3xf32>, %w: tensor<7x1x3xf32>, %e: tensor<5x?x7xf32>) -> tensor<5x?x7xf32> {
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
         ins(%x, %w : tensor<5x?x3xf32>, tensor<7x1x3xf32>) outs(%e : tensor<5x?x7xf32>) -> tensor<5x?x7xf32>
  return %c : tensor<5x?x7xf32>
}

// No rows, whatever the batch is: no size of it could be told from them.
// CHECK-LABEL: func.func @no_pixels(
// CHECK:         fusion.fused_conv_bias_act
func.func @no_pixels(%x: tensor<?x0x3xf32>, %w: tensor<7x1x3xf32>, %e: tensor<?x0x7xf32>) -> tensor<?x0x7xf32> {
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
         ins(%x, %w : tensor<?x0x3xf32>, tensor<7x1x3xf32>) outs(%e : tensor<?x0x7xf32>) -> tensor<?x0x7xf32>
  return %c : tensor<?x0x7xf32>
}
