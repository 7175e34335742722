// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s

// A scale behind convolutions of all kinds: which dimension of the filter it
// varies along.

// CHECK-DAG: #[[$A3:.*]] = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
// CHECK-DAG: #[[$A3D0:.*]] = affine_map<(d0, d1, d2) -> (d0)>
// CHECK-DAG: #[[$A3D2:.*]] = affine_map<(d0, d1, d2) -> (d2)>
// CHECK-DAG: #[[$A4:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[$A4D0:.*]] = affine_map<(d0, d1, d2, d3) -> (d0)>
// CHECK-DAG: #[[$A4D3:.*]] = affine_map<(d0, d1, d2, d3) -> (d3)>
// CHECK-DAG: #[[$A5:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
// CHECK-DAG: #[[$A5D0:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d0)>
// CHECK-DAG: #[[$A5D4:.*]] = affine_map<(d0, d1, d2, d3, d4) -> (d4)>
#all3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#d3_1 = affine_map<(d0, d1, d2) -> (d1)>
#d3_2 = affine_map<(d0, d1, d2) -> (d2)>
#all4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#d4_1 = affine_map<(d0, d1, d2, d3) -> (d1)>
#d4_3 = affine_map<(d0, d1, d2, d3) -> (d3)>
#all5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#d5_1 = affine_map<(d0, d1, d2, d3, d4) -> (d1)>
#d5_4 = affine_map<(d0, d1, d2, d3, d4) -> (d4)>
#first5 = affine_map<(d0, d1, d2, d3, d4) -> (0)>

// The number of rows is the number of channels here and there: the axis is told by
// the layouts, never by sizes.
// CHECK-LABEL: func @conv_1d(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x4xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$A3]], #[[$A3D0]], #[[$A3]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK:           arith.mulf
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv_1d(%x: tensor<2x3x11xf32>, %w: tensor<5x3x4xf32>, %s: tensor<5xf32>) -> tensor<2x5x4xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x4xf32>
  %c = linalg.conv_1d_ncw_fcw {strides = dense<[2]> : tensor<1xi64>} ins(%x, %w : tensor<2x3x11xf32>, tensor<5x3x4xf32>) outs(%z : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  %e = tensor.empty() : tensor<2x5x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all3, #d3_1, #all3]
         ins(%c, %s : tensor<2x5x4xf32>, tensor<5xf32>) outs(%e : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  return %r : tensor<2x5x4xf32>
}

// CHECK-LABEL: func @conv_1d_nwc(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x11x3xf32>, %[[W:[a-z0-9]*]]: tensor<4x3x5xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$A3]], #[[$A3D2]], #[[$A3]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK:           arith.mulf
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nwc, wcf, nwc) {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv_1d_nwc(%x: tensor<2x11x3xf32>, %w: tensor<4x3x5xf32>, %s: tensor<5xf32>) -> tensor<2x8x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x8x5xf32>
  %c = linalg.conv_1d_nwc_wcf ins(%x, %w : tensor<2x11x3xf32>, tensor<4x3x5xf32>) outs(%z : tensor<2x8x5xf32>) -> tensor<2x8x5xf32>
  %e = tensor.empty() : tensor<2x8x5xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all3, #d3_2, #all3]
         ins(%c, %s : tensor<2x8x5xf32>, tensor<5xf32>) outs(%e : tensor<2x8x5xf32>) -> tensor<2x8x5xf32>
  return %r : tensor<2x8x5xf32>
}

// CHECK-LABEL: func @nhwc_hwcf(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x15x11x3xf32>, %[[W:[a-z0-9]*]]: tensor<3x2x3x5xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$A4]], #[[$A4D3]], #[[$A4]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK:           arith.mulf
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] layouts(nhwc, hwcf, nhwc) {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @nhwc_hwcf(%x: tensor<2x15x11x3xf32>, %w: tensor<3x2x3x5xf32>, %s: tensor<5xf32>) -> tensor<2x7x10x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x7x10x5xf32>
  %c = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x15x11x3xf32>, tensor<3x2x3x5xf32>) outs(%z : tensor<2x7x10x5xf32>) -> tensor<2x7x10x5xf32>
  %e = tensor.empty() : tensor<2x7x10x5xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all4, #d4_3, #all4]
         ins(%c, %s : tensor<2x7x10x5xf32>, tensor<5xf32>) outs(%e : tensor<2x7x10x5xf32>) -> tensor<2x7x10x5xf32>
  return %r : tensor<2x7x10x5xf32>
}

// CHECK-LABEL: func @nhwc_fhwc(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x15x11x3xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x2x3xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$A4]], #[[$A4D0]], #[[$A4]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK:           arith.mulf
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] layouts(nhwc, fhwc, nhwc) {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @nhwc_fhwc(%x: tensor<2x15x11x3xf32>, %w: tensor<5x3x2x3xf32>, %s: tensor<5xf32>) -> tensor<2x7x10x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x7x10x5xf32>
  %c = linalg.conv_2d_nhwc_fhwc {strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x15x11x3xf32>, tensor<5x3x2x3xf32>) outs(%z : tensor<2x7x10x5xf32>) -> tensor<2x7x10x5xf32>
  %e = tensor.empty() : tensor<2x7x10x5xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all4, #d4_3, #all4]
         ins(%c, %s : tensor<2x7x10x5xf32>, tensor<5xf32>) outs(%e : tensor<2x7x10x5xf32>) -> tensor<2x7x10x5xf32>
  return %r : tensor<2x7x10x5xf32>
}

// CHECK-LABEL: func @all_sizes_equal(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<3x3x4x4xf32>, %[[W:[a-z0-9]*]]: tensor<3x3x2x2xf32>, %[[S:[a-z0-9]*]]: tensor<3xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$A4]], #[[$A4D0]], #[[$A4]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK:           arith.mulf
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @all_sizes_equal(%x: tensor<3x3x4x4xf32>, %w: tensor<3x3x2x2xf32>, %s: tensor<3xf32>) -> tensor<3x3x3x3xf32> {
  %z = arith.constant dense<0.0> : tensor<3x3x3x3xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<3x3x4x4xf32>, tensor<3x3x2x2xf32>) outs(%z : tensor<3x3x3x3xf32>) -> tensor<3x3x3x3xf32>
  %e = tensor.empty() : tensor<3x3x3x3xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all4, #d4_1, #all4]
         ins(%c, %s : tensor<3x3x3x3xf32>, tensor<3xf32>) outs(%e : tensor<3x3x3x3xf32>) -> tensor<3x3x3x3xf32>
  return %r : tensor<3x3x3x3xf32>
}

// CHECK-LABEL: func @all_sizes_equal_nhwc(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<3x4x4x3xf32>, %[[W:[a-z0-9]*]]: tensor<2x2x3x3xf32>, %[[S:[a-z0-9]*]]: tensor<3xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$A4]], #[[$A4D3]], #[[$A4]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK:           arith.mulf
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(nhwc, hwcf, nhwc) {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @all_sizes_equal_nhwc(%x: tensor<3x4x4x3xf32>, %w: tensor<2x2x3x3xf32>, %s: tensor<3xf32>) -> tensor<3x3x3x3xf32> {
  %z = arith.constant dense<0.0> : tensor<3x3x3x3xf32>
  %c = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<3x4x4x3xf32>, tensor<2x2x3x3xf32>) outs(%z : tensor<3x3x3x3xf32>) -> tensor<3x3x3x3xf32>
  %e = tensor.empty() : tensor<3x3x3x3xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all4, #d4_3, #all4]
         ins(%c, %s : tensor<3x3x3x3xf32>, tensor<3xf32>) outs(%e : tensor<3x3x3x3xf32>) -> tensor<3x3x3x3xf32>
  return %r : tensor<3x3x3x3xf32>
}

// CHECK-LABEL: func @conv_3d(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x5x7x6xf32>, %[[W:[a-z0-9]*]]: tensor<4x3x2x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<4xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$A5]], #[[$A5D0]], #[[$A5]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK:           arith.mulf
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [1, 2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv_3d(%x: tensor<2x3x5x7x6xf32>, %w: tensor<4x3x2x3x2xf32>, %s: tensor<4xf32>) -> tensor<2x4x4x3x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x4x4x3x5xf32>
  %c = linalg.conv_3d_ncdhw_fcdhw {strides = dense<[1, 2, 1]> : tensor<3xi64>} ins(%x, %w : tensor<2x3x5x7x6xf32>, tensor<4x3x2x3x2xf32>) outs(%z : tensor<2x4x4x3x5xf32>) -> tensor<2x4x4x3x5xf32>
  %e = tensor.empty() : tensor<2x4x4x3x5xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all5, #d5_1, #all5]
         ins(%c, %s : tensor<2x4x4x3x5xf32>, tensor<4xf32>) outs(%e : tensor<2x4x4x3x5xf32>) -> tensor<2x4x4x3x5xf32>
  return %r : tensor<2x4x4x3x5xf32>
}

// CHECK-LABEL: func @conv_3d_ndhwc(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x5x7x6x3xf32>, %[[W:[a-z0-9]*]]: tensor<2x3x2x3x4xf32>, %[[S:[a-z0-9]*]]: tensor<4xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$A5]], #[[$A5D4]], #[[$A5]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK:           arith.mulf
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act layouts(ndhwc, dhwcf, ndhwc) {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv_3d_ndhwc(%x: tensor<2x5x7x6x3xf32>, %w: tensor<2x3x2x3x4xf32>, %s: tensor<4xf32>) -> tensor<2x4x5x5x4xf32> {
  %z = arith.constant dense<0.0> : tensor<2x4x5x5x4xf32>
  %c = linalg.conv_3d_ndhwc_dhwcf ins(%x, %w : tensor<2x5x7x6x3xf32>, tensor<2x3x2x3x4xf32>) outs(%z : tensor<2x4x5x5x4xf32>) -> tensor<2x4x5x5x4xf32>
  %e = tensor.empty() : tensor<2x4x5x5x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all5, #d5_4, #all5]
         ins(%c, %s : tensor<2x4x5x5x4xf32>, tensor<4xf32>) outs(%e : tensor<2x4x5x5x4xf32>) -> tensor<2x4x5x5x4xf32>
  return %r : tensor<2x4x5x5x4xf32>
}

// CHECK-LABEL: func @depthwise_nchw(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x4x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<4x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<4xf32>)
// CHECK:         %[[WE:.*]] = tensor.expand_shape %[[W]] {{.*}} into tensor<4x1x3x2xf32>
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$A4]], #[[$A4D0]], #[[$A4]]], {{.*}}} ins(%[[WE]], %[[S]] :
// CHECK:           arith.mulf
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] groups 4 {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @depthwise_nchw(%x: tensor<2x4x9x11xf32>, %w: tensor<4x3x2xf32>, %s: tensor<4xf32>) -> tensor<2x4x4x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x4x4x10xf32>
  %c = linalg.depthwise_conv_2d_nchw_chw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x4x9x11xf32>, tensor<4x3x2xf32>) outs(%z : tensor<2x4x4x10xf32>) -> tensor<2x4x4x10xf32>
  %e = tensor.empty() : tensor<2x4x4x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all4, #d4_1, #all4]
         ins(%c, %s : tensor<2x4x4x10xf32>, tensor<4xf32>) outs(%e : tensor<2x4x4x10xf32>) -> tensor<2x4x4x10xf32>
  return %r : tensor<2x4x4x10xf32>
}

// CHECK-LABEL: func @depthwise_nhwc(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x9x11x4xf32>, %[[W:[a-z0-9]*]]: tensor<3x2x4xf32>, %[[S:[a-z0-9]*]]: tensor<4xf32>)
// CHECK:         %[[WE:.*]] = tensor.expand_shape %[[W]] {{.*}} into tensor<3x2x1x4xf32>
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$A4]], #[[$A4D3]], #[[$A4]]], {{.*}}} ins(%[[WE]], %[[S]] :
// CHECK:           arith.mulf
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act groups 4 layouts(nhwc, hwcf, nhwc) {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @depthwise_nhwc(%x: tensor<2x9x11x4xf32>, %w: tensor<3x2x4xf32>, %s: tensor<4xf32>) -> tensor<2x7x10x4xf32> {
  %z = arith.constant dense<0.0> : tensor<2x7x10x4xf32>
  %c = linalg.depthwise_conv_2d_nhwc_hwc ins(%x, %w : tensor<2x9x11x4xf32>, tensor<3x2x4xf32>) outs(%z : tensor<2x7x10x4xf32>) -> tensor<2x7x10x4xf32>
  %e = tensor.empty() : tensor<2x7x10x4xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all4, #d4_3, #all4]
         ins(%c, %s : tensor<2x7x10x4xf32>, tensor<4xf32>) outs(%e : tensor<2x7x10x4xf32>) -> tensor<2x7x10x4xf32>
  return %r : tensor<2x7x10x4xf32>
}

// TOSA's depthwise convolution: four channels, three filters each, twelve factors.
// CHECK-LABEL: func @depthwise_multiplier(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x9x11x4xf32>, %[[W:[a-z0-9]*]]: tensor<3x2x4x3xf32>, %[[S:[a-z0-9]*]]: tensor<12xf32>)
// CHECK:         %[[WE:.*]] = tensor.{{expand|collapse}}_shape
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$A4]], #[[$A4D3]], #[[$A4]]], {{.*}}} ins(%{{.*}}, %[[S]] :
// CHECK:           arith.mulf
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act groups 4 layouts(nhwc, hwcf, nhwc) {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
func.func @depthwise_multiplier(%x: tensor<2x9x11x4xf32>, %w: tensor<3x2x4x3xf32>, %s: tensor<12xf32>) -> tensor<2x7x10x12xf32> {
  %z = arith.constant dense<0.0> : tensor<2x7x10x4x3xf32>
  %d = linalg.depthwise_conv_2d_nhwc_hwcm ins(%x, %w : tensor<2x9x11x4xf32>, tensor<3x2x4x3xf32>) outs(%z : tensor<2x7x10x4x3xf32>) -> tensor<2x7x10x4x3xf32>
  %c = tensor.collapse_shape %d [[0], [1], [2], [3, 4]] : tensor<2x7x10x4x3xf32> into tensor<2x7x10x12xf32>
  %e = tensor.empty() : tensor<2x7x10x12xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all4, #d4_3, #all4]
         ins(%c, %s : tensor<2x7x10x12xf32>, tensor<12xf32>) outs(%e : tensor<2x7x10x12xf32>) -> tensor<2x7x10x12xf32>
  return %r : tensor<2x7x10x12xf32>
}

// torch-mlir's grouped convolution: two groups of five filters, ten factors.
// CHECK-LABEL: func @grouped(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<2x5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<10xf32>)
// CHECK:         %[[XC:.*]] = tensor.collapse_shape %[[X]]
// CHECK:         %[[WC:.*]] = tensor.collapse_shape %[[W]] {{.*}} into tensor<10x3x3x2xf32>
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$A4]], #[[$A4D0]], #[[$A4]]], {{.*}}} ins(%[[WC]], %[[S]] :
// CHECK:           arith.mulf
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act groups 2 {fusion.folded = "scale"} ins(%[[XC]], %[[WS]] : {{[^)]*}}) outs(
func.func @grouped(%x: tensor<2x2x3x9x11xf32>, %w: tensor<2x5x3x3x2xf32>, %s: tensor<10xf32>) -> tensor<2x10x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x2x5x7x10xf32>
  %d = linalg.conv_2d_ngchw_gfchw ins(%x, %w : tensor<2x2x3x9x11xf32>, tensor<2x5x3x3x2xf32>) outs(%z : tensor<2x2x5x7x10xf32>) -> tensor<2x2x5x7x10xf32>
  %c = tensor.collapse_shape %d [[0], [1, 2], [3], [4]] : tensor<2x2x5x7x10xf32> into tensor<2x10x7x10xf32>
  %e = tensor.empty() : tensor<2x10x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all4, #d4_1, #all4]
         ins(%c, %s : tensor<2x10x7x10xf32>, tensor<10xf32>) outs(%e : tensor<2x10x7x10xf32>) -> tensor<2x10x7x10xf32>
  return %r : tensor<2x10x7x10xf32>
}

// CHECK-LABEL: func @grouped_nhwgc(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x9x11x2x3xf32>, %[[W:[a-z0-9]*]]: tensor<2x5x3x2x3xf32>, %[[S:[a-z0-9]*]]: tensor<10xf32>)
// CHECK:         %[[XC:.*]] = tensor.collapse_shape %[[X]]
// CHECK:         %[[WC:.*]] = tensor.collapse_shape %[[W]] {{.*}} into tensor<10x3x2x3xf32>
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$A4]], #[[$A4D0]], #[[$A4]]], {{.*}}} ins(%[[WC]], %[[S]] :
// CHECK:           arith.mulf
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act groups 2 layouts(nhwc, fhwc, nhwc) {fusion.folded = "scale"} ins(%[[XC]], %[[WS]] : {{[^)]*}}) outs(
func.func @grouped_nhwgc(%x: tensor<2x9x11x2x3xf32>, %w: tensor<2x5x3x2x3xf32>, %s: tensor<10xf32>) -> tensor<2x7x10x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x7x10x2x5xf32>
  %d = linalg.conv_2d_nhwgc_gfhwc ins(%x, %w : tensor<2x9x11x2x3xf32>, tensor<2x5x3x2x3xf32>) outs(%z : tensor<2x7x10x2x5xf32>) -> tensor<2x7x10x2x5xf32>
  %c = tensor.collapse_shape %d [[0], [1], [2], [3, 4]] : tensor<2x7x10x2x5xf32> into tensor<2x7x10x10xf32>
  %e = tensor.empty() : tensor<2x7x10x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all4, #d4_3, #all4]
         ins(%c, %s : tensor<2x7x10x10xf32>, tensor<10xf32>) outs(%e : tensor<2x7x10x10xf32>) -> tensor<2x7x10x10xf32>
  return %r : tensor<2x7x10x10xf32>
}

// One factor for all groups, before groups and filters are joined.
// CHECK-LABEL: func @factor_of_a_group(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<2x5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<1xf32>)
// CHECK:         %[[V:.*]] = linalg.fill {{.*}} -> tensor<10xf32>
// CHECK:         linalg.generic {indexing_maps = [#[[$A4]], #[[$A4D0]], #[[$A4]]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act groups 2 {fusion.folded = "scale"} ins(
func.func @factor_of_a_group(%x: tensor<2x2x3x9x11xf32>, %w: tensor<2x5x3x3x2xf32>, %s: tensor<1xf32>) -> tensor<2x2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x2x5x7x10xf32>
  %c = linalg.conv_2d_ngchw_gfchw ins(%x, %w : tensor<2x2x3x9x11xf32>, tensor<2x5x3x3x2xf32>) outs(%z : tensor<2x2x5x7x10xf32>) -> tensor<2x2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all5, #first5, #all5]
         ins(%c, %s : tensor<2x2x5x7x10xf32>, tensor<1xf32>) outs(%e : tensor<2x2x5x7x10xf32>) -> tensor<2x2x5x7x10xf32>
  return %r : tensor<2x2x5x7x10xf32>
}

// The transpose of the result goes first.
// CHECK-LABEL: func @transposed_result(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x15x11x3xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x2x3xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$A4]], #[[$A4D0]], #[[$A4]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK:           arith.mulf
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] layouts(nhwc, fhwc, nchw) {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @transposed_result(%x: tensor<2x15x11x3xf32>, %w: tensor<5x3x2x3xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x7x10x5xf32>
  %d = linalg.conv_2d_nhwc_fhwc {strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w : tensor<2x15x11x3xf32>, tensor<5x3x2x3xf32>) outs(%z : tensor<2x7x10x5xf32>) -> tensor<2x7x10x5xf32>
  %t = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.transpose ins(%d : tensor<2x7x10x5xf32>) outs(%t : tensor<2x5x7x10xf32>) permutation = [0, 3, 1, 2]
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all4, #d4_1, #all4]
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// So does a transpose of the filter.
// CHECK-LABEL: func @transposed_filter(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<3x2x3x5xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK-NOT:     linalg.transpose
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$A4]], #[[$A4D3]], #[[$A4]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK:           arith.mulf
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] layouts(nchw, hwcf, nchw) {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @transposed_filter(%x: tensor<2x3x15x11xf32>, %w: tensor<3x2x3x5xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %t = tensor.empty() : tensor<5x3x3x2xf32>
  %wt = linalg.transpose ins(%w : tensor<3x2x3x5xf32>) outs(%t : tensor<5x3x3x2xf32>) permutation = [3, 2, 0, 1]
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %wt : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all4, #d4_1, #all4]
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @dynamic_sizes(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<?x3x?x?xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>, %[[O:[a-z0-9]*]]: tensor<?x5x?x?xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$A4]], #[[$A4D0]], #[[$A4]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK:           arith.mulf
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @dynamic_sizes(%x: tensor<?x3x?x?xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xf32>, %o: tensor<?x5x?x?xf32>) -> tensor<?x5x?x?xf32> {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<?x5x?x?xf32>) -> tensor<?x5x?x?xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<?x3x?x?xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<?x5x?x?xf32>) -> tensor<?x5x?x?xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all4, #d4_1, #all4]
         ins(%c, %s : tensor<?x5x?x?xf32>, tensor<5xf32>) outs(%o : tensor<?x5x?x?xf32>) -> tensor<?x5x?x?xf32>
  return %r : tensor<?x5x?x?xf32>
}

// CHECK-LABEL: func @dynamic_channels(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<?x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<?xf32>, %[[O:[a-z0-9]*]]: tensor<2x?x7x10xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$A4]], #[[$A4D0]], #[[$A4]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK:           arith.divf
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @dynamic_channels(%x: tensor<2x3x9x11xf32>, %w: tensor<?x3x3x2xf32>, %s: tensor<?xf32>, %o: tensor<2x?x7x10xf32>) -> tensor<2x?x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<2x?x7x10xf32>) -> tensor<2x?x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<?x3x3x2xf32>) outs(%z : tensor<2x?x7x10xf32>) -> tensor<2x?x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<div> indexing_maps = [#all4, #d4_1, #all4]
         ins(%c, %s : tensor<2x?x7x10xf32>, tensor<?xf32>) outs(%o : tensor<2x?x7x10xf32>) -> tensor<2x?x7x10xf32>
  return %r : tensor<2x?x7x10xf32>
}

// CHECK-LABEL: func @dynamic_channels_number(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<?x3x3x2xf32>, %[[O:[a-z0-9]*]]: tensor<2x?x7x10xf32>)
// CHECK:         %[[V:.*]] = linalg.fill {{.*}} -> tensor<?xf32>
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$A4]], #[[$A4D0]], #[[$A4]]], {{.*}}} ins(%[[W]], %[[V]] :
// CHECK:           arith.mulf
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @dynamic_channels_number(%x: tensor<2x3x9x11xf32>, %w: tensor<?x3x3x2xf32>, %o: tensor<2x?x7x10xf32>) -> tensor<2x?x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<2x?x7x10xf32>) -> tensor<2x?x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<?x3x3x2xf32>) outs(%z : tensor<2x?x7x10xf32>) -> tensor<2x?x7x10xf32>
  %r = linalg.negf ins(%c : tensor<2x?x7x10xf32>) outs(%o : tensor<2x?x7x10xf32>) -> tensor<2x?x7x10xf32>
  return %r : tensor<2x?x7x10xf32>
}

// Vectors whose size the types do not tell.
// CHECK-LABEL: func @dynamic_factor(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<?xf32>, %[[B:[a-z0-9]*]]: tensor<?xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$A4]], #[[$A4D0]], #[[$A4]]], {{.*}}} ins(%[[W]], %{{.*}} :
// CHECK:           arith.divf
// CHECK:         %[[BS:.*]] = linalg.generic {{.*}} ins(%[[B]], %[[S]] :
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) bias(%[[BS]] :
// CHECK-NEXT:    return %[[R]]
func.func @dynamic_factor(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all4, #d4_1, #d4_1, #all4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s, %b : tensor<2x5x7x10xf32>, tensor<?xf32>, tensor<?xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %0 = arith.addf %p0, %p2 : f32
    %1 = arith.divf %0, %p1 : f32
    linalg.yield %1 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}
