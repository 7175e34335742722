// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s

// The transpose that brings the last result back is no convolution's fault.

func.func @chain(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %y = arith.constant dense<0.0> : tensor<2x4x7x9xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: convolution alone{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: convolution alone{{$}}
  %r = linalg.conv_2d_nchw_fchw ins(%c, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%y : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %r : tensor<2x4x7x9xf32>
}

// A transpose of the network's own, of a reshape: the op behind it is not folded.
func.func @behind_a_reshape(%x: tensor<2x3x9x11xf32>, %w: tensor<6x3x3x2xf32>, %t: tensor<2x2x7x10x3xf32>) -> tensor<2x2x7x10x3xf32> {
  %z = arith.constant dense<0.0> : tensor<2x6x7x10xf32>
  %e = tensor.empty() : tensor<2x2x7x10x3xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: convolution alone; unsupported: next op 'linalg.transpose' at {{.*}}:[[#@LINE+3]]:8 transposes a reshape of the result{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<6x3x3x2xf32>) outs(%z : tensor<2x6x7x10xf32>) -> tensor<2x6x7x10xf32>
  %v = tensor.expand_shape %c [[0], [1, 2], [3], [4]] output_shape [2, 3, 2, 7, 10] : tensor<2x6x7x10xf32> into tensor<2x3x2x7x10xf32>
  %p = linalg.transpose ins(%v : tensor<2x3x2x7x10xf32>) outs(%e : tensor<2x2x7x10x3xf32>) permutation = [0, 2, 3, 4, 1]
  %s = linalg.add ins(%p, %t : tensor<2x2x7x10x3xf32>, tensor<2x2x7x10x3xf32>) outs(%e : tensor<2x2x7x10x3xf32>) -> tensor<2x2x7x10x3xf32>
  return %s : tensor<2x2x7x10x3xf32>
}

// The heads of YOLO: each place of the image has several boxes, whose numbers the
// channels are. No part of the channel becomes rows or columns.
func.func @boxes(%x: tensor<1x3x7x9xf32>, %w: tensor<10x3x1x1xf32>) -> tensor<1x126x5xf32> {
  %z = arith.constant dense<0.0> : tensor<1x10x7x9xf32>
  %e = tensor.empty() : tensor<1x2x7x9x5xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: convolution alone; unsupported: next op 'linalg.transpose' at {{.*}}:[[#@LINE+3]]:8 transposes a reshape of the result{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x7x9xf32>, tensor<10x3x1x1xf32>) outs(%z : tensor<1x10x7x9xf32>) -> tensor<1x10x7x9xf32>
  %v = tensor.expand_shape %c [[0], [1, 2], [3], [4]] output_shape [1, 2, 5, 7, 9] : tensor<1x10x7x9xf32> into tensor<1x2x5x7x9xf32>
  %p = linalg.transpose ins(%v : tensor<1x2x5x7x9xf32>) outs(%e : tensor<1x2x7x9x5xf32>) permutation = [0, 1, 3, 4, 2]
  %s = linalg.tanh ins(%p : tensor<1x2x7x9x5xf32>) outs(%e : tensor<1x2x7x9x5xf32>) -> tensor<1x2x7x9x5xf32>
  %r = tensor.collapse_shape %s [[0], [1, 2, 3], [4]] : tensor<1x2x7x9x5xf32> into tensor<1x126x5xf32>
  return %r : tensor<1x126x5xf32>
}

// With nothing element-wise behind it, the transpose is where the network ends.
func.func @end_behind_a_reshape(%x: tensor<2x9x11x3xf32>, %w: tensor<6x3x2x3xf32>) -> tensor<2x3x2x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x7x10x6xf32>
  %e = tensor.empty() : tensor<2x3x2x7x10xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: convolution alone{{$}}
  %c = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<2x9x11x3xf32>, tensor<6x3x2x3xf32>) outs(%z : tensor<2x7x10x6xf32>) -> tensor<2x7x10x6xf32>
  %v = tensor.expand_shape %c [[0], [1], [2], [3, 4]] output_shape [2, 7, 10, 3, 2] : tensor<2x7x10x6xf32> into tensor<2x7x10x3x2xf32>
  %p = linalg.transpose ins(%v : tensor<2x7x10x3x2xf32>) outs(%e : tensor<2x3x2x7x10xf32>) permutation = [0, 3, 4, 1, 2]
  return %p : tensor<2x3x2x7x10xf32>
}

// The transposes that the pass puts behind the first convolution are not named, but their readers.
func.func @user_behind(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x1x2xf32>) -> (tensor<2x5x7x10xf32>, tensor<2x4x7x9xf32>) {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %y = arith.constant dense<0.0> : tensor<2x4x7x9xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: convolution alone; result has 2 users: 'linalg.exp' at {{.*}}:[[#@LINE+2]]:8, 'func.return' at {{.*}}:[[#@LINE+5]]:3{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %a = linalg.exp ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: convolution alone{{$}}
  %r = linalg.conv_2d_nchw_fchw ins(%a, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>) outs(%y : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
  return %c, %r : tensor<2x5x7x10xf32>, tensor<2x4x7x9xf32>
}

// A reshape in front of the op that it was made for.
func.func @user_in_front(%x: tensor<2x9x11x3xf32>, %w: tensor<5x3x2x3xf32>, %v: tensor<5x6xf32>) -> (tensor<2x7x10x5xf32>, tensor<2x7x10x6xf32>) {
  %z = arith.constant dense<0.0> : tensor<2x7x10x5xf32>
  %y = arith.constant dense<0.0> : tensor<2x7x10x6xf32>
  %e = tensor.empty() : tensor<2x7x10x5xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: convolution alone; result has 2 users: 'linalg.exp' at {{.*}}:[[#@LINE+2]]:8, 'fusion.fused_matmul_bias_act' at {{.*}}:[[#@LINE+4]]:8{{$}}
  %c = linalg.conv_2d_nhwc_fhwc ins(%x, %w : tensor<2x9x11x3xf32>, tensor<5x3x2x3xf32>) outs(%z : tensor<2x7x10x5xf32>) -> tensor<2x7x10x5xf32>
  %a = linalg.exp ins(%c : tensor<2x7x10x5xf32>) outs(%e : tensor<2x7x10x5xf32>) -> tensor<2x7x10x5xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: matrix multiplication alone{{$}}
  %r = linalg.contract indexing_maps = [affine_map<(n, h, w, f, k) -> (n, h, w, k)>, affine_map<(n, h, w, f, k) -> (k, f)>, affine_map<(n, h, w, f, k) -> (n, h, w, f)>]
      ins(%c, %v : tensor<2x7x10x5xf32>, tensor<5x6xf32>) outs(%y : tensor<2x7x10x6xf32>) -> tensor<2x7x10x6xf32>
  return %a, %r : tensor<2x7x10x5xf32>, tensor<2x7x10x6xf32>
}

// The order of the elements in the rows is that of channels first, which a copy makes.
func.func @flattened(%x: tensor<2x3x11x12xf32>, %u: tensor<4x3x3x2xf32>, %w: tensor<50x4x3x2xf32>, %v: tensor<3500x6xf32>) -> tensor<2x6xf32> {
  %z = arith.constant dense<0.0> : tensor<2x50x7x10xf32>
  %y = arith.constant dense<0.0> : tensor<2x6xf32>
  %k = arith.constant dense<0.0> : tensor<2x4x9x11xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: convolution alone{{$}}
  %b = linalg.conv_2d_nchw_fchw ins(%x, %u : tensor<2x3x11x12xf32>, tensor<4x3x3x2xf32>) outs(%k : tensor<2x4x9x11xf32>) -> tensor<2x4x9x11xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: convolution alone{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%b, %w : tensor<2x4x9x11xf32>, tensor<50x4x3x2xf32>) outs(%z : tensor<2x50x7x10xf32>) -> tensor<2x50x7x10xf32>
  %f = tensor.collapse_shape %c [[0], [1, 2, 3]] : tensor<2x50x7x10xf32> into tensor<2x3500xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: matrix multiplication alone; 'input' is brought to the layout of this op; each call makes 28000 bytes of it{{$}}
  %r = linalg.matmul ins(%f, %v : tensor<2x3500xf32>, tensor<3500x6xf32>) outs(%y : tensor<2x6xf32>) -> tensor<2x6xf32>
  return %r : tensor<2x6xf32>
}
