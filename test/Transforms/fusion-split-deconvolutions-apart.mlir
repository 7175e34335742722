// RUN: fusion-opt %s --fusion-split-deconvolutions | FileCheck %s

// Where one convolution would compute many steps that are cut off, each place in a
// step gets a convolution of its own.

// CHECK-LABEL: func.func @apart(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x4x5x96xf32>, %[[W:[a-z0-9]*]]: tensor<80x4x6x96xf32>, %[[B:[a-z0-9]*]]: tensor<80xf32>
// CHECK:         tensor.extract_slice %[[W]][0, 1, 2, 0] [80, 2, 2, 96] [1, 2, 3, 1]
// CHECK:         %[[C0:.*]] = fusion.fused_conv_bias_act relu pad_low [1, 1] layouts(nhwc, fhwc, nhwc) ins(%[[X]], %{{.*}} : {{.*}}, tensor<80x2x2x96xf32>) bias(%[[B]] : {{.*}} outs(%{{.*}} : tensor<2x4x5x80xf32>)
// CHECK:         %[[I0:.*]] = tensor.insert_slice %[[C0]] into %{{.*}}[0, 0, 0, 0, 0, 0] [1, 1, 2, 4, 5, 80]
// CHECK:         tensor.extract_slice %[[W]][0, 1, 0, 0] [80, 2, 2, 96] [1, 2, 3, 1]
// CHECK:         fusion.fused_conv_bias_act relu pad_low [1, 0] pad_high [0, 1] layouts
// CHECK:         tensor.extract_slice %[[W]][0, 1, 1, 0] [80, 2, 2, 96] [1, 2, 3, 1]
// CHECK:         fusion.fused_conv_bias_act relu pad_low [1, 0] pad_high [0, 1] layouts
// CHECK:         tensor.extract_slice %[[W]][0, 0, 2, 0] [80, 2, 2, 96] [1, 2, 3, 1]
// CHECK:         fusion.fused_conv_bias_act relu pad_low [0, 1] pad_high [1, 0] layouts
// CHECK:         tensor.extract_slice %[[W]][0, 0, 0, 0] [80, 2, 2, 96] [1, 2, 3, 1]
// CHECK:         fusion.fused_conv_bias_act relu pad_high [1, 1] layouts
// CHECK:         tensor.extract_slice %[[W]][0, 0, 1, 0] [80, 2, 2, 96] [1, 2, 3, 1]
// CHECK:         %[[C5:.*]] = fusion.fused_conv_bias_act relu pad_high [1, 1] layouts
// CHECK:         %[[I5:.*]] = tensor.insert_slice %[[C5]] into %{{.*}}[1, 2, 0, 0, 0, 0] [1, 1, 2, 4, 5, 80]
// CHECK:         linalg.transpose ins(%[[I5]] : tensor<2x3x2x4x5x80xf32>) outs(%{{.*}} : tensor<2x4x2x5x3x80xf32>) permutation = [2, 3, 0, 4, 1, 5]
// CHECK:         tensor.collapse_shape {{.*}} into tensor<2x8x15x80xf32>
func.func @apart(%x: tensor<2x4x5x96xf32>, %w: tensor<80x4x6x96xf32>, %b: tensor<80xf32>) -> tensor<2x8x15x80xf32> {
  %e = tensor.empty() : tensor<2x8x15x80xf32>
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2, 3>, dilations = array<i64: 1, 1>, pad_low = array<i64: 1, 2>, pad_high = array<i64: 1, 1>, input_layout = "nhwc", filter_layout = "fhwc", output_layout = "nhwc", activation = #fusion.activation<relu>}
         ins(%x, %w : tensor<2x4x5x96xf32>, tensor<80x4x6x96xf32>) bias(%b : tensor<80xf32>) outs(%e : tensor<2x8x15x80xf32>) -> tensor<2x8x15x80xf32>
  return %c : tensor<2x8x15x80xf32>
}

// Places of which the last has a step less, in other layouts, with a residual.
// CHECK-LABEL: func.func @apart_residual(
// CHECK-COUNT-4: fusion.fused_conv_bias_act{{.*}} layouts(nchw, fhwc, nhwc) {{.*}} -> tensor<1x4x6x64xf32>
// CHECK-NOT:     fusion.fused_conv_bias_act
// CHECK:         linalg.transpose {{.*}} permutation = [2, 5, 3, 0, 4, 1]
// CHECK:         tensor.extract_slice {{.*}}[0, 0, 0, 0] [1, 64, 8, 11] [1, 1, 1, 1] : tensor<1x64x8x12xf32>
// CHECK:         linalg.generic
// CHECK:           arith.addf
func.func @apart_residual(%x: tensor<1x96x4x6xf32>, %w: tensor<96x64x4x4xf32>, %r: tensor<1x64x8x11xf32>) -> tensor<1x64x8x11xf32> {
  %e = tensor.empty() : tensor<1x64x8x11xf32>
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pad_low = array<i64: 1, 1>, pad_high = array<i64: 1, 2>, input_layout = "nchw", filter_layout = "cfhw", output_layout = "nchw"}
         ins(%x, %w : tensor<1x96x4x6xf32>, tensor<96x64x4x4xf32>) residual(%r : tensor<1x64x8x11xf32>) outs(%e : tensor<1x64x8x11xf32>) -> tensor<1x64x8x11xf32>
  return %c : tensor<1x64x8x11xf32>
}

// The batch may be dynamic.
// CHECK-LABEL: func.func @apart_dynamic_batch(
// CHECK:         tensor.empty(%{{.*}}) : tensor<2x?x5x64xf32>
// CHECK:         tensor.insert_slice
// CHECK:         return
func.func @apart_dynamic_batch(%x: tensor<?x5x1024xf32>, %w: tensor<64x4x1024xf32>, %e: tensor<?x10x64xf32>) -> tensor<?x10x64xf32> {
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2>, dilations = array<i64: 1>, pad_low = array<i64: 1>, pad_high = array<i64: 1>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
         ins(%x, %w : tensor<?x5x1024xf32>, tensor<64x4x1024xf32>) outs(%e : tensor<?x10x64xf32>) -> tensor<?x10x64xf32>
  return %c : tensor<?x10x64xf32>
}

// Parts of constant filters are constants.
// CHECK-LABEL: func.func @apart_constant(
// CHECK-NOT:     tensor.extract_slice
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.fused_conv_bias_act
func.func @apart_constant(%x: tensor<1x5x1024xf32>) -> tensor<1x10x64xf32> {
  %w = arith.constant dense<0.5> : tensor<64x4x1024xf32>
  %e = tensor.empty() : tensor<1x10x64xf32>
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2>, dilations = array<i64: 1>, pad_low = array<i64: 1>, pad_high = array<i64: 1>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
         ins(%x, %w : tensor<1x5x1024xf32>, tensor<64x4x1024xf32>) outs(%e : tensor<1x10x64xf32>) -> tensor<1x10x64xf32>
  return %c : tensor<1x10x64xf32>
}

// One convolution computes all places where few channels would leave vectors empty,
// CHECK-LABEL: func.func @few_channels(
// CHECK-COUNT-1: fusion.fused_conv_bias_act
// CHECK-NOT:     fusion.fused_conv_bias_act
func.func @few_channels(%x: tensor<1x5x4096xf32>, %w: tensor<31x4x4096xf32>) -> tensor<1x10x31xf32> {
  %e = tensor.empty() : tensor<1x10x31xf32>
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2>, dilations = array<i64: 1>, pad_low = array<i64: 1>, pad_high = array<i64: 1>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
         ins(%x, %w : tensor<1x5x4096xf32>, tensor<31x4x4096xf32>) outs(%e : tensor<1x10x31xf32>) -> tensor<1x10x31xf32>
  return %c : tensor<1x10x31xf32>
}

// where fewer than one in eight multiplications are saved,
// CHECK-LABEL: func.func @few_saved(
// CHECK-COUNT-1: fusion.fused_conv_bias_act
// CHECK-NOT:     fusion.fused_conv_bias_act
func.func @few_saved(%x: tensor<1x8x1024xf32>, %w: tensor<64x4x1024xf32>) -> tensor<1x16x64xf32> {
  %e = tensor.empty() : tensor<1x16x64xf32>
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2>, dilations = array<i64: 1>, pad_low = array<i64: 1>, pad_high = array<i64: 1>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
         ins(%x, %w : tensor<1x8x1024xf32>, tensor<64x4x1024xf32>) outs(%e : tensor<1x16x64xf32>) -> tensor<1x16x64xf32>
  return %c : tensor<1x16x64xf32>
}

// where they take less time than the calls,
// CHECK-LABEL: func.func @small(
// CHECK-COUNT-1: fusion.fused_conv_bias_act
// CHECK-NOT:     fusion.fused_conv_bias_act
func.func @small(%x: tensor<1x5x64xf32>, %w: tensor<64x4x64xf32>) -> tensor<1x10x64xf32> {
  %e = tensor.empty() : tensor<1x10x64xf32>
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2>, dilations = array<i64: 1>, pad_low = array<i64: 1>, pad_high = array<i64: 1>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
         ins(%x, %w : tensor<1x5x64xf32>, tensor<64x4x64xf32>) outs(%e : tensor<1x10x64xf32>) -> tensor<1x10x64xf32>
  return %c : tensor<1x10x64xf32>
}

// where a place would leave out the first element of the input,
// CHECK-LABEL: func.func @first_input_cut_off(
// CHECK-COUNT-1: fusion.fused_conv_bias_act
// CHECK-NOT:     fusion.fused_conv_bias_act
func.func @first_input_cut_off(%x: tensor<1x5x1024xf32>, %w: tensor<64x4x1024xf32>) -> tensor<1x8x64xf32> {
  %e = tensor.empty() : tensor<1x8x64xf32>
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2>, dilations = array<i64: 1>, pad_low = array<i64: 3>, pad_high = array<i64: 1>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
         ins(%x, %w : tensor<1x5x1024xf32>, tensor<64x4x1024xf32>) outs(%e : tensor<1x8x64xf32>) -> tensor<1x8x64xf32>
  return %c : tensor<1x8x64xf32>
}

// or the last ones,
// CHECK-LABEL: func.func @last_inputs_cut_off(
// CHECK-COUNT-1: fusion.fused_conv_bias_act
// CHECK-NOT:     fusion.fused_conv_bias_act
func.func @last_inputs_cut_off(%x: tensor<1x5x1024xf32>, %w: tensor<64x4x1024xf32>) -> tensor<1x6x64xf32> {
  %e = tensor.empty() : tensor<1x6x64xf32>
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2>, dilations = array<i64: 1>, pad_low = array<i64: 1>, pad_high = array<i64: 5>, input_layout = "nwc", filter_layout = "fwc", output_layout = "nwc"}
         ins(%x, %w : tensor<1x5x1024xf32>, tensor<64x4x1024xf32>) outs(%e : tensor<1x6x64xf32>) -> tensor<1x6x64xf32>
  return %c : tensor<1x6x64xf32>
}

// or would read padding alone at the end.
// CHECK-LABEL: func.func @padding_alone(
// CHECK-COUNT-1: fusion.fused_conv_bias_act
// CHECK-NOT:     fusion.fused_conv_bias_act
func.func @padding_alone(%x: tensor<1x4x4x256xf32>, %w: tensor<64x4x2x256xf32>) -> tensor<1x8x9x64xf32> {
  %e = tensor.empty() : tensor<1x8x9x64xf32>
  %c = fusion.fused_deconv_bias_act {strides = array<i64: 2, 2>, dilations = array<i64: 1, 1>, pad_low = array<i64: 1, 0>, pad_high = array<i64: 1, 0>, input_layout = "nhwc", filter_layout = "fhwc", output_layout = "nhwc"}
         ins(%x, %w : tensor<1x4x4x256xf32>, tensor<64x4x2x256xf32>) outs(%e : tensor<1x8x9x64xf32>) -> tensor<1x8x9x64xf32>
  return %c : tensor<1x8x9x64xf32>
}
