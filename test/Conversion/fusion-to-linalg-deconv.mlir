// RUN: fusion-opt %s --convert-fusion-to-linalg | FileCheck %s
// RUN: fusion-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --convert-fusion-to-runtime | FileCheck %s --check-prefix=RUNTIME
// RUN: fusion-opt %s --fusion-compile | FileCheck %s --check-prefix=LLVM

// A transposed convolution becomes a convolution of stride 1 of the input with zeros
// between its elements, with the filter read backwards.

// RUNTIME: fusion.rt.create @fusion_deconv{{.*}} #fusion.conv_desc<{{.*}}dilations = [1], {{.*}}transposed = true
// LLVM: llvm.call @fusion_rt_deconv_checked

// CHECK-LABEL: func @plain(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x5xf32>, %[[W:.*]]: tensor<4x3x3xf32>, %[[E:.*]]: tensor<2x4x11xf32>)
// CHECK:         %[[Z:.*]] = linalg.fill {{.*}} -> tensor<2x3x13xf32>
// CHECK:         %[[S:.*]] = tensor.insert_slice %[[X]] into %[[Z]][0, 0, 2] [2, 3, 5] [1, 1, 2] : tensor<2x3x5xf32> into tensor<2x3x13xf32>
// CHECK:         %[[F:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<4x3x3xf32>)
// CHECK:           %[[I:.*]] = linalg.index 2
// CHECK:           %[[J:.*]] = arith.subi %{{.*}}, %[[I]]
// CHECK:           tensor.extract %[[W]][%{{.*}}, %{{.*}}, %[[J]]]
// CHECK:         linalg.generic {{.*}} ins(%[[S]], %[[F]] : tensor<2x3x13xf32>, tensor<4x3x3xf32>)
func.func @plain(%x: tensor<2x3x5xf32>, %w: tensor<4x3x3xf32>, %e: tensor<2x4x11xf32>) -> tensor<2x4x11xf32> {
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 2>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
       ins(%x, %w : tensor<2x3x5xf32>, tensor<4x3x3xf32>) outs(%e : tensor<2x4x11xf32>) -> tensor<2x4x11xf32>
  return %r : tensor<2x4x11xf32>
}

// CHECK-LABEL: func @everything(
// CHECK:         tensor.insert_slice
// CHECK:         tensor.expand_shape
// CHECK:         tensor.collapse_shape
func.func @everything(%x: tensor<1x4x5x4xf32>, %w: tensor<4x3x2x6xf32>, %b: tensor<6xf32>, %s: tensor<1x6x9x17xf32>, %e: tensor<1x6x9x17xf32>) -> tensor<1x6x9x17xf32> {
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 2, 3>, dilations = array<i64: 1, 2>, pad_low = array<i64: 1, 0>, pad_high = array<i64: 0, 1>, groups = 2,
         input_layout = "nhwc", filter_layout = "hwcf", output_layout = "nchw",
         activation = #fusion.activation<relu>}
       ins(%x, %w : tensor<1x4x5x4xf32>, tensor<4x3x2x6xf32>) bias(%b : tensor<6xf32>) residual(%s : tensor<1x6x9x17xf32>)
       outs(%e : tensor<1x6x9x17xf32>) -> tensor<1x6x9x17xf32>
  return %r : tensor<1x6x9x17xf32>
}

// A padding beyond the window cuts elements of the input off.
// CHECK-LABEL: func @cropped(
// CHECK:         %[[S:.*]] = tensor.insert_slice
// CHECK:         tensor.extract_slice %[[S]][0, 0, 2] [1, 3, 8] [1, 1, 1] : tensor<1x3x13xf32> to tensor<1x3x8xf32>
func.func @cropped(%x: tensor<1x3x7xf32>, %w: tensor<4x3x2xf32>, %b: tensor<4xf32>, %e: tensor<1x4x7xf32>) -> tensor<1x4x7xf32> {
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 2>, dilations = array<i64: 1>, pad_low = array<i64: 3>, pad_high = array<i64: 4>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", activation = #fusion.activation<tanh>}
       ins(%x, %w : tensor<1x3x7xf32>, tensor<4x3x2xf32>) bias(%b : tensor<4xf32>) outs(%e : tensor<1x4x7xf32>) -> tensor<1x4x7xf32>
  return %r : tensor<1x4x7xf32>
}

// Without elements of the input there is nothing to insert.
// CHECK-LABEL: func @no_images(
// CHECK-NOT:     tensor.insert_slice
// CHECK:         linalg.fill {{.*}} -> tensor<0x3x13xf32>
// CHECK-LABEL: func @no_channels(
// CHECK-NOT:     tensor.insert_slice
// CHECK:         linalg.fill {{.*}} -> tensor<2x0x13xf32>
func.func @no_images(%x: tensor<0x3x5xf32>, %w: tensor<4x3x3xf32>, %e: tensor<0x4x11xf32>) -> tensor<0x4x11xf32> {
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 2>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
       ins(%x, %w : tensor<0x3x5xf32>, tensor<4x3x3xf32>) outs(%e : tensor<0x4x11xf32>) -> tensor<0x4x11xf32>
  return %r : tensor<0x4x11xf32>
}

func.func @no_channels(%x: tensor<2x0x5xf32>, %w: tensor<4x0x3xf32>, %b: tensor<4xf32>, %e: tensor<2x4x11xf32>) -> tensor<2x4x11xf32> {
  %r = fusion.fused_deconv_bias_act {
         strides = array<i64: 2>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
       ins(%x, %w : tensor<2x0x5xf32>, tensor<4x0x3xf32>) bias(%b : tensor<4xf32>) outs(%e : tensor<2x4x11xf32>) -> tensor<2x4x11xf32>
  return %r : tensor<2x4x11xf32>
}
