// RUN: mlir-opt %s --pass-pipeline='builtin.module(func.func(tosa-optional-decompositions,canonicalize,cse,tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),canonicalize,cse)' --mlir-print-debuginfo -o %t.mlir
// RUN: fusion-opt %t.mlir --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: fusion-opt %t.mlir --fusion-optimize | FileCheck %s --check-prefix=IR

// The IR of a strided `tosa.transpose_conv2d`: upstream makes it a convolution of
// stride 1 with a channel for each place of a step, which a depth-to-space puts into
// rows and columns. The law `deconv` makes it one transposed convolution again, and
// other laws fold the ops behind it.

// A kernel of steps and a half, which is filled up with zeros and the end cut off; the
// filter was put into order for the convolution, and that is undone;
// IR-LABEL: func @square_steps(
// IR-SAME:    %[[X:[a-z0-9]*]]: tensor<2x5x7x3xf32>, %[[W:[a-z0-9]*]]: tensor<4x3x3x3xf32>, %[[B:[a-z0-9]*]]: tensor<4xf32>)
// IR:         %[[P:.*]] = tensor.pad %[[W]] low[{{.*}}] high[
// IR:         %[[R:.*]] = fusion.fused_deconv_bias_act clip(0.000000e+00, 3.40282347E+38) strides [2, 2] pad_high [1, 1] layouts(nhwc, fhwc, nhwc) ins(%[[X]], %[[P]] : tensor<2x5x7x3xf32>, tensor<4x4x4x3xf32>) bias(%[[B]] : tensor<4xf32>)
// IR-NEXT:    return %[[R]]
func.func @square_steps(%x: tensor<2x5x7x3xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<2x11x15x4xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %c = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
  // CHECK: :[[#@LINE-1]]:8: fused: bias, clip{{$}}
    : (tensor<2x5x7x3xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x11x15x4xf32>
  %r = tosa.clamp %c {min_val = 0.0 : f32, max_val = 3.4028235e38 : f32} : (tensor<2x11x15x4xf32>) -> tensor<2x11x15x4xf32>
  return %r : tensor<2x11x15x4xf32>
}

// of two steps, nothing to cut off but what was asked for,
// IR-LABEL: func @whole_steps(
// IR-SAME:    %[[X:[a-z0-9]*]]: tensor<2x5x6x3xf32>, %[[W:[a-z0-9]*]]: tensor<4x4x4x3xf32>
// IR-NOT:     linalg.transpose
// IR:         fusion.fused_deconv_bias_act clip(0.000000e+00, 3.40282347E+38) strides [2, 2] pad_low [1, 1] pad_high [1, 1] layouts(nhwc, fhwc, nhwc) ins(%[[X]], %[[W]] :
func.func @whole_steps(%x: tensor<2x5x6x3xf32>, %w: tensor<4x4x4x3xf32>, %b: tensor<4xf32>) -> tensor<2x10x12x4xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %c = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: -1, -1, -1, -1>, stride = array<i64: 2, 2>}
  // CHECK: :[[#@LINE-1]]:8: fused: bias, clip{{$}}
    : (tensor<2x5x6x3xf32>, tensor<4x4x4x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x10x12x4xf32>
  %r = tosa.clamp %c {min_val = 0.0 : f32, max_val = 3.4028235e38 : f32} : (tensor<2x10x12x4xf32>) -> tensor<2x10x12x4xf32>
  return %r : tensor<2x10x12x4xf32>
}

// and of other ones in each dimension, of a constant filter.
// IR-LABEL: func @constant(
// IR:         %[[W:.*]] = arith.constant dense<{{\[\[\[\[}}1.000000e+00, 0.000000e+00, 0.000000e+00], [2.000000e+00, 0.000000e+00, 0.000000e+00], [3.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00]], {{\[\[}}4.000000e+00, 0.000000e+00, 0.000000e+00], [5.000000e+00, 0.000000e+00, 0.000000e+00], [6.000000e+00, 0.000000e+00, 0.000000e+00], [0.000000e+00, 0.000000e+00, 0.000000e+00]], {{\[\[}}7.000000e+00,
// IR:         fusion.fused_deconv_bias_act clip(0.000000e+00, 3.40282347E+38) strides [3, 2] pad_low [1, 0] pad_high [3, 1] layouts(nhwc, fhwc, nhwc) ins(%{{.*}}, %[[W]] : tensor<2x4x5x3xf32>, tensor<1x6x4x3xf32>)
func.func @constant(%x: tensor<2x4x5x3xf32>, %b: tensor<1xf32>) -> tensor<2x11x11x1xf32> {
  %w = "tosa.const"() {values = dense<[[[[1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [3.0, 0.0, 0.0]], [[4.0, 0.0, 0.0], [5.0, 0.0, 0.0], [6.0, 0.0, 0.0]], [[7.0, 1.0, 0.0], [8.0, 2.0, 0.0], [9.0, 0.0, -1.0]], [[0.0, 1.0, 0.0], [0.0, 0.5, 3.0], [0.0, 0.0, 4.0]]]]> : tensor<1x4x3x3xf32>} : () -> tensor<1x4x3x3xf32>
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %c = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: -1, -1, 0, 0>, stride = array<i64: 3, 2>}
  // CHECK: :[[#@LINE-1]]:8: fused: bias, clip{{$}}
    : (tensor<2x4x5x3xf32>, tensor<1x4x3x3xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x11x11x1xf32>
  %r = tosa.clamp %c {min_val = 0.0 : f32, max_val = 3.4028235e38 : f32} : (tensor<2x11x11x1xf32>) -> tensor<2x11x11x1xf32>
  return %r : tensor<2x11x11x1xf32>
}

// A step in one dimension is no transpose any more, but two reshapes. A residual.
// IR-LABEL: func @columns(
// IR-NOT:     tensor.collapse_shape
// IR:         fusion.fused_deconv_bias_act strides [1, 2] pad_high [0, 1] layouts(nhwc, fhwc, nhwc) ins({{.*}} residual(%{{.*}} : tensor<2x8x13x4xf32>)
func.func @columns(%x: tensor<2x5x6x3xf32>, %w: tensor<4x4x3x3xf32>, %b: tensor<4xf32>, %d: tensor<2x8x13x4xf32>) -> tensor<2x8x13x4xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %c = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 2>}
  // CHECK: :[[#@LINE-1]]:8: fused: bias, residual{{$}}
    : (tensor<2x5x6x3xf32>, tensor<4x4x3x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x8x13x4xf32>
  %r = tosa.add %c, %d : (tensor<2x8x13x4xf32>, tensor<2x8x13x4xf32>) -> tensor<2x8x13x4xf32>
  return %r : tensor<2x8x13x4xf32>
}

// One row, one channel of input and result;
// IR-LABEL: func @one_row(
// IR:         fusion.fused_deconv_bias_act strides [2, 2] pad_high [0, 1] layouts(nhwc, fhwc, nhwc) ins({{.*}}, tensor<1x4x4x1xf32>)
func.func @one_row(%x: tensor<1x1x6x1xf32>, %w: tensor<1x4x3x1xf32>, %b: tensor<1xf32>) -> tensor<1x4x13x1xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %c = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
  // CHECK: :[[#@LINE-1]]:8: fused: bias{{$}}
    : (tensor<1x1x6x1xf32>, tensor<1x4x3x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x4x13x1xf32>
  return %c : tensor<1x4x13x1xf32>
}

// and a batch that is dynamic.
// IR-LABEL: func @dynamic(
// IR:         fusion.fused_deconv_bias_act clip(0.000000e+00, 3.40282347E+38) strides [2, 2] pad_high [0, 1] layouts(nhwc, fhwc, nhwc) ins({{.*}} bias(%{{.*}}) outs(%{{.*}} : tensor<?x12x13x4xf32>)
func.func @dynamic(%x: tensor<?x5x6x3xf32>, %w: tensor<4x4x3x3xf32>, %b: tensor<4xf32>) -> tensor<?x12x13x4xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %c = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
  // CHECK: :[[#@LINE-1]]:8: fused: bias, clip{{$}}
    : (tensor<?x5x6x3xf32>, tensor<4x4x3x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<?x12x13x4xf32>
  %r = tosa.clamp %c {min_val = 0.0 : f32, max_val = 3.4028235e38 : f32} : (tensor<?x12x13x4xf32>) -> tensor<?x12x13x4xf32>
  return %r : tensor<?x12x13x4xf32>
}

// Padding of the result is none of a transposed convolution; here it is cropped too.
func.func @other_steps(%x: tensor<2x4x6x3xf32>, %w: tensor<5x5x3x3xf32>, %b: tensor<5xf32>) -> tensor<2x13x14x5xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %c = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 1, -2, -1, 2>, stride = array<i64: 3, 2>}
  // CHECK: :[[#@LINE-1]]:8: partly fused: pad; unsupported: 'tensor.pad' at {{.*}}:[[#@LINE-1]]:8 pads the image behind the depth-to-space{{$}}
    : (tensor<2x4x6x3xf32>, tensor<5x5x3x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x13x14x5xf32>
  %r = tosa.clamp %c {min_val = 0.0 : f32, max_val = 3.4028235e38 : f32} : (tensor<2x13x14x5xf32>) -> tensor<2x13x14x5xf32>
  return %r : tensor<2x13x14x5xf32>
}

// PixelShuffle: the channel is the outermost part. A bias of the convolution may differ
// from place to place; fusion-fuse-depth-to-space.mlir has those that are taken.
func.func @pixel_shuffle(%x: tensor<1x3x5x7xf32>, %w: tensor<8x3x2x3xf32>, %b: tensor<8xf32>) -> tensor<1x2x8x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x4x5xf32>
  %i = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<1x8x4x5xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x5x7xf32>, tensor<8x3x2x3xf32>) outs(%i : tensor<1x8x4x5xf32>) -> tensor<1x8x4x5xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: bias; bias is not known to be the same at all places of the depth-to-space{{$}}
  %s = tensor.expand_shape %c [[0], [1, 2, 3], [4], [5]] output_shape [1, 2, 2, 2, 4, 5] : tensor<1x8x4x5xf32> into tensor<1x2x2x2x4x5xf32>
  %te = tensor.empty() : tensor<1x2x4x2x5x2xf32>
  %t = linalg.transpose ins(%s : tensor<1x2x2x2x4x5xf32>) outs(%te : tensor<1x2x4x2x5x2xf32>) permutation = [0, 1, 4, 2, 5, 3]
  %d = tensor.collapse_shape %t [[0], [1], [2, 3], [4, 5]] : tensor<1x2x4x2x5x2xf32> into tensor<1x2x8x10xf32>
  %re = tensor.empty() : tensor<1x2x8x10xf32>
  %z = linalg.fill ins(%zero : f32) outs(%re : tensor<1x2x8x10xf32>) -> tensor<1x2x8x10xf32>
  %r = linalg.max ins(%d, %z : tensor<1x2x8x10xf32>, tensor<1x2x8x10xf32>) outs(%re : tensor<1x2x8x10xf32>) -> tensor<1x2x8x10xf32>
  return %r : tensor<1x2x8x10xf32>
}

// Nothing is left outside where nothing follows,
func.func @shuffle_alone(%x: tensor<1x3x5x7xf32>, %w: tensor<8x3x2x3xf32>, %b: tensor<8xf32>) -> tensor<1x2x8x10xf32> {
  %e = tensor.empty() : tensor<1x8x4x5xf32>
  %i = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<1x8x4x5xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x5x7xf32>, tensor<8x3x2x3xf32>) outs(%i : tensor<1x8x4x5xf32>) -> tensor<1x8x4x5xf32>
  // CHECK: :[[#@LINE-1]]:8: fused: bias{{$}}
  %s = tensor.expand_shape %c [[0], [1, 2, 3], [4], [5]] output_shape [1, 2, 2, 2, 4, 5] : tensor<1x8x4x5xf32> into tensor<1x2x2x2x4x5xf32>
  %te = tensor.empty() : tensor<1x2x4x2x5x2xf32>
  %t = linalg.transpose ins(%s : tensor<1x2x2x2x4x5xf32>) outs(%te : tensor<1x2x4x2x5x2xf32>) permutation = [0, 1, 4, 2, 5, 3]
  %d = tensor.collapse_shape %t [[0], [1], [2, 3], [4, 5]] : tensor<1x2x4x2x5x2xf32> into tensor<1x2x8x10xf32>
  return %d : tensor<1x2x8x10xf32>
}

// and parts of the channel that stay together are still the channel.
func.func @parts_together(%x: tensor<1x3x5x7xf32>, %w: tensor<8x3x2x3xf32>, %b: tensor<8xf32>) -> tensor<1x4x5x2x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x4x5xf32>
  %i = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<1x8x4x5xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x5x7xf32>, tensor<8x3x2x3xf32>) outs(%i : tensor<1x8x4x5xf32>) -> tensor<1x8x4x5xf32>
  // CHECK: :[[#@LINE-1]]:8: fused: bias, relu{{$}}
  %s = tensor.expand_shape %c [[0], [1, 2], [3], [4]] output_shape [1, 2, 4, 4, 5] : tensor<1x8x4x5xf32> into tensor<1x2x4x4x5xf32>
  %te = tensor.empty() : tensor<1x4x5x2x4xf32>
  %t = linalg.transpose ins(%s : tensor<1x2x4x4x5xf32>) outs(%te : tensor<1x4x5x2x4xf32>) permutation = [0, 3, 4, 1, 2]
  %z = linalg.fill ins(%zero : f32) outs(%te : tensor<1x4x5x2x4xf32>) -> tensor<1x4x5x2x4xf32>
  %r = linalg.max ins(%t, %z : tensor<1x4x5x2x4xf32>, tensor<1x4x5x2x4xf32>) outs(%te : tensor<1x4x5x2x4xf32>) -> tensor<1x4x5x2x4xf32>
  return %r : tensor<1x4x5x2x4xf32>
}
