// RUN: fusion-opt %s --fusion-drop-taps | FileCheck %s

// Taps that read only padding are cut off.

// A filter of 3 by 3 is one of 1 by 1. Its columns still read some padding.
// CHECK-LABEL: func.func @both_ends(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x5x7xf32>, %[[W:[a-z0-9]*]]: tensor<4x3x3x3xf32>, %[[B:[a-z0-9]*]]: tensor<4xf32>
// CHECK:         %[[V:.*]] = tensor.extract_slice %[[W]][0, 0, 1, 1] [4, 3, 1, 1] [1, 1, 1, 1] : tensor<4x3x3x3xf32> to tensor<4x3x1x1xf32>
// CHECK:         fusion.fused_conv_bias_act relu pad_low [0, 1] {acme.note} ins(%[[X]], %[[V]] : tensor<2x3x5x7xf32>, tensor<4x3x1x1xf32>) bias(%[[B]] : tensor<4xf32>) outs(%{{.*}} : tensor<2x4x5x8xf32>)
func.func @both_ends(%x: tensor<2x3x5x7xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<2x4x5x8xf32> {
  %e = tensor.empty() : tensor<2x4x5x8xf32>
  %c = fusion.fused_conv_bias_act relu dilations [6, 8] pad_low [6, 9] pad_high [6, 8] {acme.note}
         ins(%x, %w : tensor<2x3x5x7xf32>, tensor<4x3x3x3xf32>) bias(%b : tensor<4xf32>) outs(%e : tensor<2x4x5x8xf32>) -> tensor<2x4x5x8xf32>
  return %c : tensor<2x4x5x8xf32>
}

// One pixel, as in the heads of an SSD.
// CHECK-LABEL: func.func @one_pixel(
// CHECK:         tensor.extract_slice %{{.*}}[0, 1, 1, 0] [4, 1, 1, 3] [1, 1, 1, 1]
// CHECK:         fusion.fused_conv_bias_act layouts(nhwc, fhwc, nhwc) ins(%{{.*}}, %{{.*}} : tensor<2x1x1x3xf32>, tensor<4x1x1x3xf32>)
func.func @one_pixel(%x: tensor<2x1x1x3xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<2x1x1x4xf32> {
  %e = tensor.empty() : tensor<2x1x1x4xf32>
  %c = fusion.fused_conv_bias_act pad_low [1, 1] pad_high [1, 1] layouts(nhwc, fhwc, nhwc)
         ins(%x, %w : tensor<2x1x1x3xf32>, tensor<4x3x3x3xf32>) outs(%e : tensor<2x1x1x4xf32>) -> tensor<2x1x1x4xf32>
  return %c : tensor<2x1x1x4xf32>
}

// The first row alone; its columns all read elements.
// CHECK-LABEL: func.func @one_dimension(
// CHECK:         tensor.extract_slice %{{.*}}[0, 0, 1, 0] [4, 3, 2, 3] [1, 1, 1, 1]
// CHECK:         fusion.fused_conv_bias_act dilations [4, 2] pad_low [0, 2] pad_high [1, 2] ins(%{{.*}}, %{{.*}} : tensor<2x3x6x7xf32>, tensor<4x3x2x3xf32>)
func.func @one_dimension(%x: tensor<2x3x6x7xf32>, %w: tensor<4x3x3x3xf32>) -> tensor<2x4x3x7xf32> {
  %e = tensor.empty() : tensor<2x4x3x7xf32>
  %c = fusion.fused_conv_bias_act dilations [4, 2] pad_low [4, 2] pad_high [1, 2]
         ins(%x, %w : tensor<2x3x6x7xf32>, tensor<4x3x3x3xf32>) outs(%e : tensor<2x4x3x7xf32>) -> tensor<2x4x3x7xf32>
  return %c : tensor<2x4x3x7xf32>
}

// Several taps in front of the image, and more behind it.
// CHECK-LABEL: func.func @several(
// CHECK:         tensor.extract_slice %{{.*}}[0, 0, 2] [4, 3, 3] [1, 1, 1] : tensor<4x3x8xf32> to tensor<4x3x3xf32>
// CHECK:         fusion.fused_conv_bias_act dilations [2] pad_low [1] pad_high [2] ins(
func.func @several(%x: tensor<2x3x4xf32>, %w: tensor<4x3x8xf32>) -> tensor<2x4x3xf32> {
  %e = tensor.empty() : tensor<2x4x3xf32>
  %c = fusion.fused_conv_bias_act dilations [2] pad_low [5] pad_high [8]
         ins(%x, %w : tensor<2x3x4xf32>, tensor<4x3x8xf32>) outs(%e : tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
  return %c : tensor<2x4x3xf32>
}

// The last row reaches 5 below the first, with a padding of 2. Without it 3 rows are left
// behind the only window, fewer than the stride.
// CHECK-LABEL: func.func @strided(
// CHECK:         tensor.extract_slice %{{.*}}[0, 0, 0, 1] [4, 3, 1, 2] [1, 1, 1, 1]
// CHECK:         fusion.fused_conv_bias_act strides [4, 2] dilations [1, 3] pad_low [0, 1] pad_high [0, 1] ins(%{{.*}}, %{{.*}} : tensor<2x3x4x5xf32>, tensor<4x3x1x2xf32>)
func.func @strided(%x: tensor<2x3x4x5xf32>, %w: tensor<4x3x2x3xf32>) -> tensor<2x4x1x2xf32> {
  %e = tensor.empty() : tensor<2x4x1x2xf32>
  %c = fusion.fused_conv_bias_act strides [4, 2] dilations [5, 3] pad_low [0, 4] pad_high [2, 1]
         ins(%x, %w : tensor<2x3x4x5xf32>, tensor<4x3x2x3xf32>) outs(%e : tensor<2x4x1x2xf32>) -> tensor<2x4x1x2xf32>
  return %c : tensor<2x4x1x2xf32>
}

// CHECK-LABEL: func.func @depthwise(
// CHECK:         tensor.extract_slice %{{.*}}[1, 0, 0, 0] [1, 2, 1, 3] [1, 1, 1, 1] : tensor<3x3x1x3xf32> to tensor<1x2x1x3xf32>
// CHECK:         fusion.fused_conv_bias_act dilations [1, 3] pad_high [0, 2] groups 3 layouts(nhwc, hwcf, nhwc) ins(%{{.*}}, %{{.*}} : tensor<2x5x4x3xf32>, tensor<1x2x1x3xf32>)
func.func @depthwise(%x: tensor<2x5x4x3xf32>, %w: tensor<3x3x1x3xf32>) -> tensor<2x5x3x3xf32> {
  %e = tensor.empty() : tensor<2x5x3x3xf32>
  %c = fusion.fused_conv_bias_act dilations [6, 3] pad_low [6, 0] pad_high [6, 5] groups 3 layouts(nhwc, hwcf, nhwc)
         ins(%x, %w : tensor<2x5x4x3xf32>, tensor<3x3x1x3xf32>) outs(%e : tensor<2x5x3x3xf32>) -> tensor<2x5x3x3xf32>
  return %c : tensor<2x5x3x3xf32>
}

// One spatial dimension, with groups.
// CHECK-LABEL: func.func @grouped(
// CHECK:         tensor.extract_slice %{{.*}}[1, 0, 0] [4, 4, 3] [1, 1, 1] : tensor<6x4x3xf32> to tensor<4x4x3xf32>
// CHECK:         fusion.fused_conv_bias_act pad_low [2] pad_high [2] groups 2 layouts(nwc, wfc, nwc) ins(%{{.*}}, %{{.*}} : tensor<5x2x6xf32>, tensor<4x4x3xf32>)
func.func @grouped(%x: tensor<5x2x6xf32>, %w: tensor<6x4x3xf32>) -> tensor<5x3x4xf32> {
  %e = tensor.empty() : tensor<5x3x4xf32>
  %c = fusion.fused_conv_bias_act pad_low [3] pad_high [3] groups 2 layouts(nwc, wfc, nwc)
         ins(%x, %w : tensor<5x2x6xf32>, tensor<6x4x3xf32>) outs(%e : tensor<5x3x4xf32>) -> tensor<5x3x4xf32>
  return %c : tensor<5x3x4xf32>
}

// Three spatial dimensions: the first keeps its last tap, the second all, the third its first.
// CHECK-LABEL: func.func @volumes(
// CHECK:         tensor.extract_slice %{{.*}}[1, 0, 0, 0, 0] [1, 3, 1, 4, 3] [1, 1, 1, 1, 1] : tensor<2x3x2x4x3xf32> to tensor<1x3x1x4x3xf32>
// CHECK:         fusion.fused_conv_bias_act pad_high [0, 1, 0] layouts(ndhwc, dhwfc, ndhwc) ins(%{{.*}}, %{{.*}} : tensor<2x2x3x4x3xf32>, tensor<1x3x1x4x3xf32>)
func.func @volumes(%x: tensor<2x2x3x4x3xf32>, %w: tensor<2x3x2x4x3xf32>) -> tensor<2x2x2x4x4xf32> {
  %e = tensor.empty() : tensor<2x2x2x4x4xf32>
  %c = fusion.fused_conv_bias_act dilations [2, 1, 4] pad_low [2, 0, 0] pad_high [0, 1, 4] layouts(ndhwc, dhwfc, ndhwc)
         ins(%x, %w : tensor<2x2x3x4x3xf32>, tensor<2x3x2x4x3xf32>) outs(%e : tensor<2x2x2x4x4xf32>) -> tensor<2x2x2x4x4xf32>
  return %c : tensor<2x2x2x4x4xf32>
}

// Padding is the zero point, which adds nothing.
// CHECK-LABEL: func.func @integers(
// CHECK:         %[[V:.*]] = tensor.extract_slice %{{.*}}[0, 0, 1, 0] [4, 3, 2, 2] [1, 1, 1, 1]
// CHECK:         fusion.quantized_conv_bias_act relu dilations [3, 1] pad_high [2, 1] {input_zero_point = 3 : i32, output_unsigned, output_zero_point = 7 : i32} ins(%{{.*}}, %[[V]] : tensor<2x3x4x6xi8>, tensor<4x3x2x2xi8>) bias(%{{.*}} : tensor<4xi32>) scale(%{{.*}} : tensor<4xf32>) outs(%{{.*}} : tensor<2x4x3x6xi8>)
func.func @integers(%x: tensor<2x3x4x6xi8>, %w: tensor<4x3x3x2xi8>, %b: tensor<4xi32>, %s: tensor<4xf32>) -> tensor<2x4x3x6xi8> {
  %e = tensor.empty() : tensor<2x4x3x6xi8>
  %c = fusion.quantized_conv_bias_act relu dilations [3, 1] pad_low [3, 0] pad_high [2, 1] {input_zero_point = 3 : i32, output_unsigned, output_zero_point = 7 : i32}
         ins(%x, %w : tensor<2x3x4x6xi8>, tensor<4x3x3x2xi8>) bias(%b : tensor<4xi32>) scale(%s : tensor<4xf32>) outs(%e : tensor<2x4x3x6xi8>) -> tensor<2x4x3x6xi8>
  return %c : tensor<2x4x3x6xi8>
}

// Only spatial sizes have to be known, and of these only that which is cut.
// CHECK-LABEL: func.func @dynamic_channels(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<?x?x?x2xf32>, %[[W:[a-z0-9]*]]: tensor<?x?x?x3xf32>
// CHECK-DAG:     %[[F:.*]] = tensor.dim %[[W]], %c0
// CHECK-DAG:     %[[C:.*]] = tensor.dim %[[W]], %c1
// CHECK-DAG:     %[[H:.*]] = tensor.dim %[[W]], %c2
// CHECK:         tensor.extract_slice %[[W]][0, 0, 0, 1] [%[[F]], %[[C]], %[[H]], 1] [1, 1, 1, 1] : tensor<?x?x?x3xf32> to tensor<?x?x?x1xf32>
// CHECK:         fusion.fused_conv_bias_act pad_low [1, 0] pad_high [1, 0] ins(
func.func @dynamic_channels(%x: tensor<?x?x?x2xf32>, %w: tensor<?x?x?x3xf32>, %e: tensor<?x?x?x2xf32>) -> tensor<?x?x?x2xf32> {
  %c = fusion.fused_conv_bias_act dilations [1, 2] pad_low [1, 2] pad_high [1, 2]
         ins(%x, %w : tensor<?x?x?x2xf32>, tensor<?x?x?x3xf32>) outs(%e : tensor<?x?x?x2xf32>) -> tensor<?x?x?x2xf32>
  return %c : tensor<?x?x?x2xf32>
}
