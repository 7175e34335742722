// RUN: mlir-opt %s --pass-pipeline='builtin.module(func.func(tosa-optional-decompositions,canonicalize,cse,tosa-to-linalg-named,tosa-to-linalg,tosa-to-arith,tosa-to-tensor),canonicalize,cse)' --mlir-print-debuginfo \
// RUN:   | fusion-opt --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:

// What becomes of a strided `tosa.transpose_conv2d`: a convolution of stride 1 with
// a channel for each place of a step, which a depth-to-space puts into rows and
// columns. Bias and activation come behind that and stay there: they run in one loop
// with it, and the transposed convolution of oneDNN would be slower than all three.

// A kernel of steps and a half, of which the end is cut off;
func.func @square_steps(%x: tensor<2x5x7x3xf32>, %w: tensor<4x3x3x3xf32>, %b: tensor<4xf32>) -> tensor<2x11x15x4xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %c = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>}
  // CHECK: :[[#@LINE-1]]:8: partly fused: pad; unsupported: next op 'linalg.transpose' at {{.*}}:[[#@LINE-1]]:8 spreads the channel over other dimensions: a depth-to-space{{$}}
    : (tensor<2x5x7x3xf32>, tensor<4x3x3x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x11x15x4xf32>
  %r = tosa.clamp %c {min_val = 0.0 : f32, max_val = 3.4028235e38 : f32} : (tensor<2x11x15x4xf32>) -> tensor<2x11x15x4xf32>
  return %r : tensor<2x11x15x4xf32>
}

// of two steps, nothing to cut off but what was asked for,
func.func @whole_steps(%x: tensor<2x5x6x3xf32>, %w: tensor<4x4x4x3xf32>, %b: tensor<4xf32>) -> tensor<2x10x12x4xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %c = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: -1, -1, -1, -1>, stride = array<i64: 2, 2>}
  // CHECK: :[[#@LINE-1]]:8: partly fused: pad; unsupported: next op 'linalg.transpose' at {{.*}}:[[#@LINE-1]]:8 spreads the channel over other dimensions: a depth-to-space{{$}}
    : (tensor<2x5x6x3xf32>, tensor<4x4x4x3xf32>, tensor<4xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x10x12x4xf32>
  %r = tosa.clamp %c {min_val = 0.0 : f32, max_val = 3.4028235e38 : f32} : (tensor<2x10x12x4xf32>) -> tensor<2x10x12x4xf32>
  return %r : tensor<2x10x12x4xf32>
}

// other ones in each dimension, the ends padded and cropped.
func.func @other_steps(%x: tensor<2x4x6x3xf32>, %w: tensor<5x5x3x3xf32>, %b: tensor<5xf32>) -> tensor<2x13x14x5xf32> {
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %c = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 1, -2, -1, 2>, stride = array<i64: 3, 2>}
  // CHECK: :[[#@LINE-1]]:8: partly fused: pad; unsupported: next op 'linalg.transpose' at {{.*}}:[[#@LINE-1]]:8 spreads the channel over other dimensions: a depth-to-space{{$}}
    : (tensor<2x4x6x3xf32>, tensor<5x5x3x3xf32>, tensor<5xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<2x13x14x5xf32>
  %r = tosa.clamp %c {min_val = 0.0 : f32, max_val = 3.4028235e38 : f32} : (tensor<2x13x14x5xf32>) -> tensor<2x13x14x5xf32>
  return %r : tensor<2x13x14x5xf32>
}

// PixelShuffle: the channel is the outermost part.
func.func @pixel_shuffle(%x: tensor<1x3x5x7xf32>, %w: tensor<8x3x2x3xf32>, %b: tensor<8xf32>) -> tensor<1x2x8x10xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x8x4x5xf32>
  %i = linalg.broadcast ins(%b : tensor<8xf32>) outs(%e : tensor<1x8x4x5xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x5x7xf32>, tensor<8x3x2x3xf32>) outs(%i : tensor<1x8x4x5xf32>) -> tensor<1x8x4x5xf32>
  // CHECK: :[[#@LINE-1]]:8: partly fused: bias; unsupported: next op 'linalg.transpose' at {{.*}}:[[#@LINE+3]]:8 spreads the channel over other dimensions: a depth-to-space{{$}}
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
  // CHECK: :[[#@LINE-1]]:8: partly fused: bias; unsupported: next op 'linalg.transpose' at {{.*}}:[[#@LINE+3]]:8 transposes a reshape of the result{{$}}
  %s = tensor.expand_shape %c [[0], [1, 2], [3], [4]] output_shape [1, 2, 4, 4, 5] : tensor<1x8x4x5xf32> into tensor<1x2x4x4x5xf32>
  %te = tensor.empty() : tensor<1x4x5x2x4xf32>
  %t = linalg.transpose ins(%s : tensor<1x2x4x4x5xf32>) outs(%te : tensor<1x4x5x2x4xf32>) permutation = [0, 3, 4, 1, 2]
  %z = linalg.fill ins(%zero : f32) outs(%te : tensor<1x4x5x2x4xf32>) -> tensor<1x4x5x2x4xf32>
  %r = linalg.max ins(%t, %z : tensor<1x4x5x2x4xf32>, tensor<1x4x5x2x4xf32>) outs(%te : tensor<1x4x5x2x4xf32>) -> tensor<1x4x5x2x4xf32>
  return %r : tensor<1x4x5x2x4xf32>
}
