// RUN: fusion-opt %s --fusion-raise | FileCheck %s
// RUN: fusion-opt %s --linalg-generalize-named-ops --fusion-raise | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s --check-prefix=NONE

// Every named convolution of linalg, as it is and as a generic op: the same fusion
// op (TVM 70). No two sizes of an operand that could be mistaken for each other are
// equal.

// NONE-NOT: linalg.{{.*}}conv_
// NONE-COUNT-22: fusion.fused_conv_bias_act
// NONE-NOT: fusion.fused_conv_bias_act

// CHECK-LABEL: func @conv_1d(
// CHECK-SAME:    %[[X:.*]]: tensor<6xf32>, %[[W:.*]]: tensor<2xf32>)
// CHECK:         %[[XR:.*]] = tensor.expand_shape %[[X]] {{.*}} : tensor<6xf32> into tensor<1x1x6xf32>
// CHECK:         %[[WR:.*]] = tensor.expand_shape %[[W]] {{.*}} : tensor<2xf32> into tensor<1x1x2xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins(
// CHECK-SAME:      %[[XR]], %[[WR]] : tensor<1x1x6xf32>, tensor<1x1x2xf32>) outs(%{{.*}} : tensor<1x1x5xf32>) -> tensor<1x1x5xf32>
// CHECK:         %[[Y:.*]] = tensor.collapse_shape %[[R]] {{.*}} : tensor<1x1x5xf32> into tensor<5xf32>
// CHECK:         return %[[Y]]
func.func @conv_1d(%x: tensor<6xf32>, %w: tensor<2xf32>) -> tensor<5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %r = linalg.conv_1d
         ins(%x, %w : tensor<6xf32>, tensor<2xf32>) outs(%f : tensor<5xf32>) -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// CHECK-LABEL: func @conv_1d_nwc_wcf(
// CHECK-SAME:    %[[X:.*]]: tensor<2x7x3xf32>, %[[W:.*]]: tensor<2x3x4xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act dilations [2] layouts(nwc, wcf, nwc) ins(
// CHECK-SAME:      %[[X]], %[[W]] : tensor<2x7x3xf32>, tensor<2x3x4xf32>) outs(%{{.*}} : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
// CHECK:         return %[[R]]
func.func @conv_1d_nwc_wcf(%x: tensor<2x7x3xf32>, %w: tensor<2x3x4xf32>) -> tensor<2x5x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  %r = linalg.conv_1d_nwc_wcf {strides = dense<[1]> : tensor<1xi64>, dilations = dense<[2]> : tensor<1xi64>}
         ins(%x, %w : tensor<2x7x3xf32>, tensor<2x3x4xf32>) outs(%f : tensor<2x5x4xf32>) -> tensor<2x5x4xf32>
  return %r : tensor<2x5x4xf32>
}

// CHECK-LABEL: func @conv_1d_ncw_fcw(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x7xf32>, %[[W:.*]]: tensor<4x3x2xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act dilations [2] ins(
// CHECK-SAME:      %[[X]], %[[W]] : tensor<2x3x7xf32>, tensor<4x3x2xf32>) outs(%{{.*}} : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
// CHECK:         return %[[R]]
func.func @conv_1d_ncw_fcw(%x: tensor<2x3x7xf32>, %w: tensor<4x3x2xf32>) -> tensor<2x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %r = linalg.conv_1d_ncw_fcw {strides = dense<[1]> : tensor<1xi64>, dilations = dense<[2]> : tensor<1xi64>}
         ins(%x, %w : tensor<2x3x7xf32>, tensor<4x3x2xf32>) outs(%f : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %r : tensor<2x4x5xf32>
}

// CHECK-LABEL: func @conv_2d(
// CHECK-SAME:    %[[X:.*]]: tensor<6x6xf32>, %[[W:.*]]: tensor<3x2xf32>)
// CHECK:         %[[XR:.*]] = tensor.expand_shape %[[X]] {{.*}} : tensor<6x6xf32> into tensor<1x1x6x6xf32>
// CHECK:         %[[WR:.*]] = tensor.expand_shape %[[W]] {{.*}} : tensor<3x2xf32> into tensor<1x1x3x2xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins(
// CHECK-SAME:      %[[XR]], %[[WR]] : tensor<1x1x6x6xf32>, tensor<1x1x3x2xf32>) outs(%{{.*}} : tensor<1x1x4x5xf32>) -> tensor<1x1x4x5xf32>
// CHECK:         %[[Y:.*]] = tensor.collapse_shape %[[R]] {{.*}} : tensor<1x1x4x5xf32> into tensor<4x5xf32>
// CHECK:         return %[[Y]]
func.func @conv_2d(%x: tensor<6x6xf32>, %w: tensor<3x2xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r = linalg.conv_2d
         ins(%x, %w : tensor<6x6xf32>, tensor<3x2xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// CHECK-LABEL: func @conv_2d_nhwc_hwcf(
// CHECK-SAME:    %[[X:.*]]: tensor<2x9x7x3xf32>, %[[W:.*]]: tensor<3x2x3x4xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] dilations [1, 2] layouts(nhwc, hwcf, nhwc) ins(
// CHECK-SAME:      %[[X]], %[[W]] : tensor<2x9x7x3xf32>, tensor<3x2x3x4xf32>) outs(%{{.*}} : tensor<2x4x5x4xf32>) -> tensor<2x4x5x4xf32>
// CHECK:         return %[[R]]
func.func @conv_2d_nhwc_hwcf(%x: tensor<2x9x7x3xf32>, %w: tensor<3x2x3x4xf32>) -> tensor<2x4x5x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5x4xf32>) -> tensor<2x4x5x4xf32>
  %r = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>}
         ins(%x, %w : tensor<2x9x7x3xf32>, tensor<3x2x3x4xf32>) outs(%f : tensor<2x4x5x4xf32>) -> tensor<2x4x5x4xf32>
  return %r : tensor<2x4x5x4xf32>
}

// CHECK-LABEL: func @conv_2d_nhwc_fhwc(
// CHECK-SAME:    %[[X:.*]]: tensor<2x9x7x3xf32>, %[[W:.*]]: tensor<4x3x2x3xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] dilations [1, 2] layouts(nhwc, fhwc, nhwc) ins(
// CHECK-SAME:      %[[X]], %[[W]] : tensor<2x9x7x3xf32>, tensor<4x3x2x3xf32>) outs(%{{.*}} : tensor<2x4x5x4xf32>) -> tensor<2x4x5x4xf32>
// CHECK:         return %[[R]]
func.func @conv_2d_nhwc_fhwc(%x: tensor<2x9x7x3xf32>, %w: tensor<4x3x2x3xf32>) -> tensor<2x4x5x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5x4xf32>) -> tensor<2x4x5x4xf32>
  %r = linalg.conv_2d_nhwc_fhwc {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>}
         ins(%x, %w : tensor<2x9x7x3xf32>, tensor<4x3x2x3xf32>) outs(%f : tensor<2x4x5x4xf32>) -> tensor<2x4x5x4xf32>
  return %r : tensor<2x4x5x4xf32>
}

// CHECK-LABEL: func @conv_2d_nchw_fchw(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x9x7xf32>, %[[W:.*]]: tensor<4x3x3x2xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] dilations [1, 2] ins(
// CHECK-SAME:      %[[X]], %[[W]] : tensor<2x3x9x7xf32>, tensor<4x3x3x2xf32>) outs(%{{.*}} : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
// CHECK:         return %[[R]]
func.func @conv_2d_nchw_fchw(%x: tensor<2x3x9x7xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<2x4x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>}
         ins(%x, %w : tensor<2x3x9x7xf32>, tensor<4x3x3x2xf32>) outs(%f : tensor<2x4x4x5xf32>) -> tensor<2x4x4x5xf32>
  return %r : tensor<2x4x4x5xf32>
}

// CHECK-LABEL: func @conv_2d_ngchw_fgchw(
// CHECK-SAME:    %[[X:.*]]: tensor<2x2x3x9x7xf32>, %[[W:.*]]: tensor<4x2x3x3x2xf32>)
// CHECK:         %[[XR:.*]] = tensor.collapse_shape %[[X]] {{.*}} : tensor<2x2x3x9x7xf32> into tensor<2x6x9x7xf32>
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[W]] : tensor<4x2x3x3x2xf32>) {{.*}} permutation = [1, 0, 2, 3, 4]
// CHECK:         %[[WR:.*]] = tensor.collapse_shape %[[T]] {{.*}} : tensor<2x4x3x3x2xf32> into tensor<8x3x3x2xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] dilations [1, 2] groups 2 ins(
// CHECK-SAME:      %[[XR]], %[[WR]] : tensor<2x6x9x7xf32>, tensor<8x3x3x2xf32>) outs(%{{.*}} : tensor<2x8x4x5xf32>) -> tensor<2x8x4x5xf32>
// CHECK:         %[[Y:.*]] = tensor.expand_shape %[[R]] {{.*}} : tensor<2x8x4x5xf32> into tensor<2x2x4x4x5xf32>
// CHECK:         return %[[Y]]
func.func @conv_2d_ngchw_fgchw(%x: tensor<2x2x3x9x7xf32>, %w: tensor<4x2x3x3x2xf32>) -> tensor<2x2x4x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2x4x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2x4x4x5xf32>) -> tensor<2x2x4x4x5xf32>
  %r = linalg.conv_2d_ngchw_fgchw {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>}
         ins(%x, %w : tensor<2x2x3x9x7xf32>, tensor<4x2x3x3x2xf32>) outs(%f : tensor<2x2x4x4x5xf32>) -> tensor<2x2x4x4x5xf32>
  return %r : tensor<2x2x4x4x5xf32>
}

// CHECK-LABEL: func @conv_2d_ngchw_gfchw(
// CHECK-SAME:    %[[X:.*]]: tensor<2x2x3x9x7xf32>, %[[W:.*]]: tensor<2x4x3x3x2xf32>)
// CHECK:         %[[XR:.*]] = tensor.collapse_shape %[[X]] {{.*}} : tensor<2x2x3x9x7xf32> into tensor<2x6x9x7xf32>
// CHECK:         %[[WR:.*]] = tensor.collapse_shape %[[W]] {{.*}} : tensor<2x4x3x3x2xf32> into tensor<8x3x3x2xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] dilations [1, 2] groups 2 ins(
// CHECK-SAME:      %[[XR]], %[[WR]] : tensor<2x6x9x7xf32>, tensor<8x3x3x2xf32>) outs(%{{.*}} : tensor<2x8x4x5xf32>) -> tensor<2x8x4x5xf32>
// CHECK:         %[[Y:.*]] = tensor.expand_shape %[[R]] {{.*}} : tensor<2x8x4x5xf32> into tensor<2x2x4x4x5xf32>
// CHECK:         return %[[Y]]
func.func @conv_2d_ngchw_gfchw(%x: tensor<2x2x3x9x7xf32>, %w: tensor<2x4x3x3x2xf32>) -> tensor<2x2x4x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2x4x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x2x4x4x5xf32>) -> tensor<2x2x4x4x5xf32>
  %r = linalg.conv_2d_ngchw_gfchw {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>}
         ins(%x, %w : tensor<2x2x3x9x7xf32>, tensor<2x4x3x3x2xf32>) outs(%f : tensor<2x2x4x4x5xf32>) -> tensor<2x2x4x4x5xf32>
  return %r : tensor<2x2x4x4x5xf32>
}

// CHECK-LABEL: func @conv_2d_nhwgc_gfhwc(
// CHECK-SAME:    %[[X:.*]]: tensor<2x9x7x2x3xf32>, %[[W:.*]]: tensor<2x4x3x2x3xf32>)
// CHECK:         %[[XR:.*]] = tensor.collapse_shape %[[X]] {{.*}} : tensor<2x9x7x2x3xf32> into tensor<2x9x7x6xf32>
// CHECK:         %[[WR:.*]] = tensor.collapse_shape %[[W]] {{.*}} : tensor<2x4x3x2x3xf32> into tensor<8x3x2x3xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] dilations [1, 2] groups 2 layouts(nhwc, fhwc, nhwc) ins(
// CHECK-SAME:      %[[XR]], %[[WR]] : tensor<2x9x7x6xf32>, tensor<8x3x2x3xf32>) outs(%{{.*}} : tensor<2x4x5x8xf32>) -> tensor<2x4x5x8xf32>
// CHECK:         %[[Y:.*]] = tensor.expand_shape %[[R]] {{.*}} : tensor<2x4x5x8xf32> into tensor<2x4x5x2x4xf32>
// CHECK:         return %[[Y]]
func.func @conv_2d_nhwgc_gfhwc(%x: tensor<2x9x7x2x3xf32>, %w: tensor<2x4x3x2x3xf32>) -> tensor<2x4x5x2x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5x2x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5x2x4xf32>) -> tensor<2x4x5x2x4xf32>
  %r = linalg.conv_2d_nhwgc_gfhwc {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>}
         ins(%x, %w : tensor<2x9x7x2x3xf32>, tensor<2x4x3x2x3xf32>) outs(%f : tensor<2x4x5x2x4xf32>) -> tensor<2x4x5x2x4xf32>
  return %r : tensor<2x4x5x2x4xf32>
}

// CHECK-LABEL: func @conv_3d(
// CHECK-SAME:    %[[X:.*]]: tensor<4x6x6xf32>, %[[W:.*]]: tensor<2x3x2xf32>)
// CHECK:         %[[XR:.*]] = tensor.expand_shape %[[X]] {{.*}} : tensor<4x6x6xf32> into tensor<1x1x4x6x6xf32>
// CHECK:         %[[WR:.*]] = tensor.expand_shape %[[W]] {{.*}} : tensor<2x3x2xf32> into tensor<1x1x2x3x2xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins(
// CHECK-SAME:      %[[XR]], %[[WR]] : tensor<1x1x4x6x6xf32>, tensor<1x1x2x3x2xf32>) outs(%{{.*}} : tensor<1x1x3x4x5xf32>) -> tensor<1x1x3x4x5xf32>
// CHECK:         %[[Y:.*]] = tensor.collapse_shape %[[R]] {{.*}} : tensor<1x1x3x4x5xf32> into tensor<3x4x5xf32>
// CHECK:         return %[[Y]]
func.func @conv_3d(%x: tensor<4x6x6xf32>, %w: tensor<2x3x2xf32>) -> tensor<3x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  %r = linalg.conv_3d
         ins(%x, %w : tensor<4x6x6xf32>, tensor<2x3x2xf32>) outs(%f : tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  return %r : tensor<3x4x5xf32>
}

// CHECK-LABEL: func @conv_3d_ndhwc_dhwcf(
// CHECK-SAME:    %[[X:.*]]: tensor<2x8x9x7x3xf32>, %[[W:.*]]: tensor<2x3x2x3x4xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [3, 2, 1] dilations [1, 1, 2] layouts(ndhwc, dhwcf, ndhwc) ins(
// CHECK-SAME:      %[[X]], %[[W]] : tensor<2x8x9x7x3xf32>, tensor<2x3x2x3x4xf32>) outs(%{{.*}} : tensor<2x3x4x5x4xf32>) -> tensor<2x3x4x5x4xf32>
// CHECK:         return %[[R]]
func.func @conv_3d_ndhwc_dhwcf(%x: tensor<2x8x9x7x3xf32>, %w: tensor<2x3x2x3x4xf32>) -> tensor<2x3x4x5x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x4x5x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x4x5x4xf32>) -> tensor<2x3x4x5x4xf32>
  %r = linalg.conv_3d_ndhwc_dhwcf {strides = dense<[3, 2, 1]> : tensor<3xi64>, dilations = dense<[1, 1, 2]> : tensor<3xi64>}
         ins(%x, %w : tensor<2x8x9x7x3xf32>, tensor<2x3x2x3x4xf32>) outs(%f : tensor<2x3x4x5x4xf32>) -> tensor<2x3x4x5x4xf32>
  return %r : tensor<2x3x4x5x4xf32>
}

// CHECK-LABEL: func @conv_3d_ncdhw_fcdhw(
// CHECK-SAME:    %[[X:.*]]: tensor<2x3x8x9x7xf32>, %[[W:.*]]: tensor<4x3x2x3x2xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [3, 2, 1] dilations [1, 1, 2] ins(
// CHECK-SAME:      %[[X]], %[[W]] : tensor<2x3x8x9x7xf32>, tensor<4x3x2x3x2xf32>) outs(%{{.*}} : tensor<2x4x3x4x5xf32>) -> tensor<2x4x3x4x5xf32>
// CHECK:         return %[[R]]
func.func @conv_3d_ncdhw_fcdhw(%x: tensor<2x3x8x9x7xf32>, %w: tensor<4x3x2x3x2xf32>) -> tensor<2x4x3x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x3x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x3x4x5xf32>) -> tensor<2x4x3x4x5xf32>
  %r = linalg.conv_3d_ncdhw_fcdhw {strides = dense<[3, 2, 1]> : tensor<3xi64>, dilations = dense<[1, 1, 2]> : tensor<3xi64>}
         ins(%x, %w : tensor<2x3x8x9x7xf32>, tensor<4x3x2x3x2xf32>) outs(%f : tensor<2x4x3x4x5xf32>) -> tensor<2x4x3x4x5xf32>
  return %r : tensor<2x4x3x4x5xf32>
}

// CHECK-LABEL: func @depthwise_conv_1d_nwc_wc(
// CHECK-SAME:    %[[X:.*]]: tensor<2x7x6xf32>, %[[W:.*]]: tensor<2x6xf32>)
// CHECK:         %[[WR:.*]] = tensor.expand_shape %[[W]] {{.*}} : tensor<2x6xf32> into tensor<2x1x6xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act dilations [2] groups 6 layouts(nwc, wcf, nwc) ins(
// CHECK-SAME:      %[[X]], %[[WR]] : tensor<2x7x6xf32>, tensor<2x1x6xf32>) outs(%{{.*}} : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
// CHECK:         return %[[R]]
func.func @depthwise_conv_1d_nwc_wc(%x: tensor<2x7x6xf32>, %w: tensor<2x6xf32>) -> tensor<2x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  %r = linalg.depthwise_conv_1d_nwc_wc {strides = dense<[1]> : tensor<1xi64>, dilations = dense<[2]> : tensor<1xi64>}
         ins(%x, %w : tensor<2x7x6xf32>, tensor<2x6xf32>) outs(%f : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %r : tensor<2x5x6xf32>
}

// CHECK-LABEL: func @depthwise_conv_1d_ncw_cw(
// CHECK-SAME:    %[[X:.*]]: tensor<2x6x7xf32>, %[[W:.*]]: tensor<6x2xf32>)
// CHECK:         %[[WR:.*]] = tensor.expand_shape %[[W]] {{.*}} : tensor<6x2xf32> into tensor<6x1x2xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act dilations [2] groups 6 ins(
// CHECK-SAME:      %[[X]], %[[WR]] : tensor<2x6x7xf32>, tensor<6x1x2xf32>) outs(%{{.*}} : tensor<2x6x5xf32>) -> tensor<2x6x5xf32>
// CHECK:         return %[[R]]
func.func @depthwise_conv_1d_ncw_cw(%x: tensor<2x6x7xf32>, %w: tensor<6x2xf32>) -> tensor<2x6x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x5xf32>) -> tensor<2x6x5xf32>
  %r = linalg.depthwise_conv_1d_ncw_cw {strides = dense<[1]> : tensor<1xi64>, dilations = dense<[2]> : tensor<1xi64>}
         ins(%x, %w : tensor<2x6x7xf32>, tensor<6x2xf32>) outs(%f : tensor<2x6x5xf32>) -> tensor<2x6x5xf32>
  return %r : tensor<2x6x5xf32>
}

// CHECK-LABEL: func @depthwise_conv_1d_nwc_wcm(
// CHECK-SAME:    %[[X:.*]]: tensor<2x7x6xf32>, %[[W:.*]]: tensor<2x6x4xf32>)
// CHECK:         %[[M:.*]] = tensor.collapse_shape %[[W]] {{.*}} : tensor<2x6x4xf32> into tensor<2x24xf32>
// CHECK:         %[[WR:.*]] = tensor.expand_shape %[[M]] {{.*}} : tensor<2x24xf32> into tensor<2x1x24xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act dilations [2] groups 6 layouts(nwc, wcf, nwc) ins(
// CHECK-SAME:      %[[X]], %[[WR]] : tensor<2x7x6xf32>, tensor<2x1x24xf32>) outs(%{{.*}} : tensor<2x5x24xf32>) -> tensor<2x5x24xf32>
// CHECK:         %[[Y:.*]] = tensor.expand_shape %[[R]] {{.*}} : tensor<2x5x24xf32> into tensor<2x5x6x4xf32>
// CHECK:         return %[[Y]]
func.func @depthwise_conv_1d_nwc_wcm(%x: tensor<2x7x6xf32>, %w: tensor<2x6x4xf32>) -> tensor<2x5x6x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5x6x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x5x6x4xf32>) -> tensor<2x5x6x4xf32>
  %r = linalg.depthwise_conv_1d_nwc_wcm {strides = dense<[1]> : tensor<1xi64>, dilations = dense<[2]> : tensor<1xi64>}
         ins(%x, %w : tensor<2x7x6xf32>, tensor<2x6x4xf32>) outs(%f : tensor<2x5x6x4xf32>) -> tensor<2x5x6x4xf32>
  return %r : tensor<2x5x6x4xf32>
}

// CHECK-LABEL: func @depthwise_conv_2d_nhwc_hwc(
// CHECK-SAME:    %[[X:.*]]: tensor<2x9x7x6xf32>, %[[W:.*]]: tensor<3x2x6xf32>)
// CHECK:         %[[WR:.*]] = tensor.expand_shape %[[W]] {{.*}} : tensor<3x2x6xf32> into tensor<3x2x1x6xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] dilations [1, 2] groups 6 layouts(nhwc, hwcf, nhwc) ins(
// CHECK-SAME:      %[[X]], %[[WR]] : tensor<2x9x7x6xf32>, tensor<3x2x1x6xf32>) outs(%{{.*}} : tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
// CHECK:         return %[[R]]
func.func @depthwise_conv_2d_nhwc_hwc(%x: tensor<2x9x7x6xf32>, %w: tensor<3x2x6xf32>) -> tensor<2x4x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>}
         ins(%x, %w : tensor<2x9x7x6xf32>, tensor<3x2x6xf32>) outs(%f : tensor<2x4x5x6xf32>) -> tensor<2x4x5x6xf32>
  return %r : tensor<2x4x5x6xf32>
}

// CHECK-LABEL: func @depthwise_conv_2d_nchw_chw(
// CHECK-SAME:    %[[X:.*]]: tensor<2x6x9x7xf32>, %[[W:.*]]: tensor<6x3x2xf32>)
// CHECK:         %[[WR:.*]] = tensor.expand_shape %[[W]] {{.*}} : tensor<6x3x2xf32> into tensor<6x1x3x2xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] dilations [1, 2] groups 6 ins(
// CHECK-SAME:      %[[X]], %[[WR]] : tensor<2x6x9x7xf32>, tensor<6x1x3x2xf32>) outs(%{{.*}} : tensor<2x6x4x5xf32>) -> tensor<2x6x4x5xf32>
// CHECK:         return %[[R]]
func.func @depthwise_conv_2d_nchw_chw(%x: tensor<2x6x9x7xf32>, %w: tensor<6x3x2xf32>) -> tensor<2x6x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x4x5xf32>) -> tensor<2x6x4x5xf32>
  %r = linalg.depthwise_conv_2d_nchw_chw {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>}
         ins(%x, %w : tensor<2x6x9x7xf32>, tensor<6x3x2xf32>) outs(%f : tensor<2x6x4x5xf32>) -> tensor<2x6x4x5xf32>
  return %r : tensor<2x6x4x5xf32>
}

// CHECK-LABEL: func @depthwise_conv_2d_nhwc_hwcm(
// CHECK-SAME:    %[[X:.*]]: tensor<2x9x7x6xf32>, %[[W:.*]]: tensor<3x2x6x4xf32>)
// CHECK:         %[[M:.*]] = tensor.collapse_shape %[[W]] {{.*}} : tensor<3x2x6x4xf32> into tensor<3x2x24xf32>
// CHECK:         %[[WR:.*]] = tensor.expand_shape %[[M]] {{.*}} : tensor<3x2x24xf32> into tensor<3x2x1x24xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] dilations [1, 2] groups 6 layouts(nhwc, hwcf, nhwc) ins(
// CHECK-SAME:      %[[X]], %[[WR]] : tensor<2x9x7x6xf32>, tensor<3x2x1x24xf32>) outs(%{{.*}} : tensor<2x4x5x24xf32>) -> tensor<2x4x5x24xf32>
// CHECK:         %[[Y:.*]] = tensor.expand_shape %[[R]] {{.*}} : tensor<2x4x5x24xf32> into tensor<2x4x5x6x4xf32>
// CHECK:         return %[[Y]]
func.func @depthwise_conv_2d_nhwc_hwcm(%x: tensor<2x9x7x6xf32>, %w: tensor<3x2x6x4xf32>) -> tensor<2x4x5x6x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5x6x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5x6x4xf32>) -> tensor<2x4x5x6x4xf32>
  %r = linalg.depthwise_conv_2d_nhwc_hwcm {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>}
         ins(%x, %w : tensor<2x9x7x6xf32>, tensor<3x2x6x4xf32>) outs(%f : tensor<2x4x5x6x4xf32>) -> tensor<2x4x5x6x4xf32>
  return %r : tensor<2x4x5x6x4xf32>
}

// CHECK-LABEL: func @depthwise_conv_3d_ndhwc_dhwc(
// CHECK-SAME:    %[[X:.*]]: tensor<2x8x9x7x6xf32>, %[[W:.*]]: tensor<2x3x2x6xf32>)
// CHECK:         %[[WR:.*]] = tensor.expand_shape %[[W]] {{.*}} : tensor<2x3x2x6xf32> into tensor<2x3x2x1x6xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [3, 2, 1] dilations [1, 1, 2] groups 6 layouts(ndhwc, dhwcf, ndhwc) ins(
// CHECK-SAME:      %[[X]], %[[WR]] : tensor<2x8x9x7x6xf32>, tensor<2x3x2x1x6xf32>) outs(%{{.*}} : tensor<2x3x4x5x6xf32>) -> tensor<2x3x4x5x6xf32>
// CHECK:         return %[[R]]
func.func @depthwise_conv_3d_ndhwc_dhwc(%x: tensor<2x8x9x7x6xf32>, %w: tensor<2x3x2x6xf32>) -> tensor<2x3x4x5x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x4x5x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x4x5x6xf32>) -> tensor<2x3x4x5x6xf32>
  %r = linalg.depthwise_conv_3d_ndhwc_dhwc {strides = dense<[3, 2, 1]> : tensor<3xi64>, dilations = dense<[1, 1, 2]> : tensor<3xi64>}
         ins(%x, %w : tensor<2x8x9x7x6xf32>, tensor<2x3x2x6xf32>) outs(%f : tensor<2x3x4x5x6xf32>) -> tensor<2x3x4x5x6xf32>
  return %r : tensor<2x3x4x5x6xf32>
}

// CHECK-LABEL: func @depthwise_conv_3d_ncdhw_cdhw(
// CHECK-SAME:    %[[X:.*]]: tensor<2x6x8x9x7xf32>, %[[W:.*]]: tensor<6x2x3x2xf32>)
// CHECK:         %[[WR:.*]] = tensor.expand_shape %[[W]] {{.*}} : tensor<6x2x3x2xf32> into tensor<6x1x2x3x2xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [3, 2, 1] dilations [1, 1, 2] groups 6 ins(
// CHECK-SAME:      %[[X]], %[[WR]] : tensor<2x6x8x9x7xf32>, tensor<6x1x2x3x2xf32>) outs(%{{.*}} : tensor<2x6x3x4x5xf32>) -> tensor<2x6x3x4x5xf32>
// CHECK:         return %[[R]]
func.func @depthwise_conv_3d_ncdhw_cdhw(%x: tensor<2x6x8x9x7xf32>, %w: tensor<6x2x3x2xf32>) -> tensor<2x6x3x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x3x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x3x4x5xf32>) -> tensor<2x6x3x4x5xf32>
  %r = linalg.depthwise_conv_3d_ncdhw_cdhw {strides = dense<[3, 2, 1]> : tensor<3xi64>, dilations = dense<[1, 1, 2]> : tensor<3xi64>}
         ins(%x, %w : tensor<2x6x8x9x7xf32>, tensor<6x2x3x2xf32>) outs(%f : tensor<2x6x3x4x5xf32>) -> tensor<2x6x3x4x5xf32>
  return %r : tensor<2x6x3x4x5xf32>
}

// CHECK-LABEL: func @depthwise_conv_3d_ndhwc_dhwcm(
// CHECK-SAME:    %[[X:.*]]: tensor<2x8x9x7x6xf32>, %[[W:.*]]: tensor<2x3x2x6x4xf32>)
// CHECK:         %[[M:.*]] = tensor.collapse_shape %[[W]] {{.*}} : tensor<2x3x2x6x4xf32> into tensor<2x3x2x24xf32>
// CHECK:         %[[WR:.*]] = tensor.expand_shape %[[M]] {{.*}} : tensor<2x3x2x24xf32> into tensor<2x3x2x1x24xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [3, 2, 1] dilations [1, 1, 2] groups 6 layouts(ndhwc, dhwcf, ndhwc) ins(
// CHECK-SAME:      %[[X]], %[[WR]] : tensor<2x8x9x7x6xf32>, tensor<2x3x2x1x24xf32>) outs(%{{.*}} : tensor<2x3x4x5x24xf32>) -> tensor<2x3x4x5x24xf32>
// CHECK:         %[[Y:.*]] = tensor.expand_shape %[[R]] {{.*}} : tensor<2x3x4x5x24xf32> into tensor<2x3x4x5x6x4xf32>
// CHECK:         return %[[Y]]
func.func @depthwise_conv_3d_ndhwc_dhwcm(%x: tensor<2x8x9x7x6xf32>, %w: tensor<2x3x2x6x4xf32>) -> tensor<2x3x4x5x6x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x4x5x6x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x4x5x6x4xf32>) -> tensor<2x3x4x5x6x4xf32>
  %r = linalg.depthwise_conv_3d_ndhwc_dhwcm {strides = dense<[3, 2, 1]> : tensor<3xi64>, dilations = dense<[1, 1, 2]> : tensor<3xi64>}
         ins(%x, %w : tensor<2x8x9x7x6xf32>, tensor<2x3x2x6x4xf32>) outs(%f : tensor<2x3x4x5x6x4xf32>) -> tensor<2x3x4x5x6x4xf32>
  return %r : tensor<2x3x4x5x6x4xf32>
}
