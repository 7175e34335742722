// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain 2>%t.txt | FileCheck %s
// RUN: FileCheck %s --check-prefix=WHY --input-file=%t.txt --implicit-check-not=fused:

// Padding spelled as an insertion into a tensor with one value, and padding
// without the dimensions of size 1.

// CHECK-LABEL: func @insert(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x8x11xf32>
// CHECK-NOT:     tensor.insert_slice
// CHECK:         fusion.fused_conv_bias_act pad_low [2, 1] pad_high [0, 1] ins(%[[X]],
func.func @insert(%x: tensor<2x3x8x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x8x12xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x10x13xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x10x13xf32>) -> tensor<2x3x10x13xf32>
  %p = tensor.insert_slice %x into %f[0, 0, 2, 1] [2, 3, 8, 11] [1, 1, 1, 1] : tensor<2x3x8x11xf32> into tensor<2x3x10x13xf32>
  %z = arith.constant dense<0.0> : tensor<2x5x8x12xf32>
  // WHY: :[[#@LINE+1]]:8: fused: pad{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<2x3x10x13xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x8x12xf32>) -> tensor<2x5x8x12xf32>
  return %c : tensor<2x5x8x12xf32>
}

// As linalg-fold-unit-extent-dims leaves a padding of one image.
// CHECK-LABEL: func @without_unit_dimensions(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<1x3x8x11xf32>
// CHECK-NOT:     tensor.pad
// CHECK:         fusion.fused_conv_bias_act pad_low [2, 1] pad_high [0, 1] ins(%[[X]],
func.func @without_unit_dimensions(%x: tensor<1x3x8x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<1x5x8x12xf32> {
  %zero = arith.constant 0.0 : f32
  %v = tensor.collapse_shape %x [[0, 1], [2], [3]] : tensor<1x3x8x11xf32> into tensor<3x8x11xf32>
  %q = tensor.pad %v low[0, 2, 1] high[0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<3x8x11xf32> to tensor<3x10x13xf32>
  %p = tensor.expand_shape %q [[0, 1], [2], [3]] output_shape [1, 3, 10, 13] : tensor<3x10x13xf32> into tensor<1x3x10x13xf32>
  %z = arith.constant dense<0.0> : tensor<1x5x8x12xf32>
  // WHY: :[[#@LINE+1]]:8: fused: pad{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x3x10x13xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x8x12xf32>) -> tensor<1x5x8x12xf32>
  return %c : tensor<1x5x8x12xf32>
}

// A height of 1 becomes one of 3: the dimension that was taken off is padded.
// CHECK-LABEL: func @padded_unit_dimension(
// CHECK:         tensor.collapse_shape
// CHECK:         fusion.fused_conv_bias_act ins(
func.func @padded_unit_dimension(%x: tensor<1x3x1x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<1x5x1x10xf32> {
  %zero = arith.constant 0.0 : f32
  %v = tensor.collapse_shape %x [[0], [1], [2, 3]] : tensor<1x3x1x11xf32> into tensor<1x3x11xf32>
  %q = tensor.pad %v low[0, 0, 11] high[0, 0, 11] {
  ^bb0(%i: index, %j: index, %k: index):
    tensor.yield %zero : f32
  } : tensor<1x3x11xf32> to tensor<1x3x33xf32>
  %p = tensor.expand_shape %q [[0], [1], [2, 3]] output_shape [1, 3, 3, 11] : tensor<1x3x33xf32> into tensor<1x3x3x11xf32>
  %z = arith.constant dense<0.0> : tensor<1x5x1x10xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; unsupported: 'tensor.expand_shape' at {{.*}}:[[#@LINE-2]]:8 comes between the input and 'tensor.pad'{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x3x3x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x1x10xf32>) -> tensor<1x5x1x10xf32>
  return %c : tensor<1x5x1x10xf32>
}

// CHECK-LABEL: func @into_ones(
// CHECK:         tensor.insert_slice
func.func @into_ones(%x: tensor<2x3x8x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x8x12xf32> {
  %f = arith.constant dense<1.0> : tensor<2x3x10x13xf32>
  %p = tensor.insert_slice %x into %f[0, 0, 2, 1] [2, 3, 8, 11] [1, 1, 1, 1] : tensor<2x3x8x11xf32> into tensor<2x3x10x13xf32>
  %z = arith.constant dense<0.0> : tensor<2x5x8x12xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; 'tensor.insert_slice' pads with 1, expected 0{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<2x3x10x13xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x8x12xf32>) -> tensor<2x5x8x12xf32>
  return %c : tensor<2x5x8x12xf32>
}

// CHECK-LABEL: func @along_the_channel(
// CHECK:         tensor.insert_slice
func.func @along_the_channel(%x: tensor<2x2x10x13xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x8x12xf32> {
  %f = arith.constant dense<0.0> : tensor<2x3x10x13xf32>
  %p = tensor.insert_slice %x into %f[0, 1, 0, 0] [2, 2, 10, 13] [1, 1, 1, 1] : tensor<2x2x10x13xf32> into tensor<2x3x10x13xf32>
  %z = arith.constant dense<0.0> : tensor<2x5x8x12xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; 'tensor.insert_slice' pads dimension 1 of layout "nchw", which is not spatial{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<2x3x10x13xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x8x12xf32>) -> tensor<2x5x8x12xf32>
  return %c : tensor<2x5x8x12xf32>
}

// Two insertions together are no padding.
// CHECK-LABEL: func @concatenation(
// CHECK-COUNT-2: tensor.insert_slice
func.func @concatenation(%x: tensor<2x2x10x13xf32>, %y: tensor<2x1x10x13xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x8x12xf32> {
  %f = arith.constant dense<0.0> : tensor<2x3x10x13xf32>
  %o = tensor.insert_slice %x into %f[0, 1, 0, 0] [2, 2, 10, 13] [1, 1, 1, 1] : tensor<2x2x10x13xf32> into tensor<2x3x10x13xf32>
  %p = tensor.insert_slice %y into %o[0, 0, 0, 0] [2, 1, 10, 13] [1, 1, 1, 1] : tensor<2x1x10x13xf32> into tensor<2x3x10x13xf32>
  %z = arith.constant dense<0.0> : tensor<2x5x8x12xf32>
  // WHY: :[[#@LINE+1]]:8: fused: convolution alone{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<2x3x10x13xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x8x12xf32>) -> tensor<2x5x8x12xf32>
  return %c : tensor<2x5x8x12xf32>
}

// The padded tensor stays for its other user.
// CHECK-LABEL: func @two_users(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x8x11xf32>
// CHECK:         %[[P:.*]] = tensor.insert_slice
// CHECK:         fusion.fused_conv_bias_act pad_low [2, 1] pad_high [0, 1] ins(%[[X]],
// CHECK:         return {{.*}}, %[[P]]
func.func @two_users(%x: tensor<2x3x8x11xf32>, %w: tensor<5x3x3x2xf32>) -> (tensor<2x5x8x12xf32>, tensor<2x3x10x13xf32>) {
  %f = arith.constant dense<0.0> : tensor<2x3x10x13xf32>
  %p = tensor.insert_slice %x into %f[0, 0, 2, 1] [2, 3, 8, 11] [1, 1, 1, 1] : tensor<2x3x8x11xf32> into tensor<2x3x10x13xf32>
  %z = arith.constant dense<0.0> : tensor<2x5x8x12xf32>
  // WHY: :[[#@LINE+1]]:8: fused: pad{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<2x3x10x13xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x8x12xf32>) -> tensor<2x5x8x12xf32>
  return %c, %p : tensor<2x5x8x12xf32>, tensor<2x3x10x13xf32>
}

// A batch of any size is inserted whole.
// CHECK-LABEL: func @dynamic_batch(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<?x3x8x11xf32>
// CHECK-NOT:     tensor.insert_slice
// CHECK:         fusion.fused_conv_bias_act pad_low [2, 1] pad_high [0, 1] ins(%[[X]],
func.func @dynamic_batch(%x: tensor<?x3x8x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<?x5x8x12xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x3x8x11xf32>
  %e = tensor.empty(%n) : tensor<?x3x10x13xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x3x10x13xf32>) -> tensor<?x3x10x13xf32>
  %p = tensor.insert_slice %x into %f[0, 0, 2, 1] [%n, 3, 8, 11] [1, 1, 1, 1] : tensor<?x3x8x11xf32> into tensor<?x3x10x13xf32>
  %m = tensor.dim %p, %c0 : tensor<?x3x10x13xf32>
  %o = tensor.empty(%m) : tensor<?x5x8x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<?x5x8x12xf32>) -> tensor<?x5x8x12xf32>
  // WHY: :[[#@LINE+1]]:8: fused: pad{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<?x3x10x13xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<?x5x8x12xf32>) -> tensor<?x5x8x12xf32>
  return %c : tensor<?x5x8x12xf32>
}

// Images of zeros may stand behind the batch.
// CHECK-LABEL: func @other_batch(
// CHECK:         tensor.insert_slice
func.func @other_batch(%x: tensor<?x3x8x11xf32>, %w: tensor<5x3x3x2xf32>, %m: index) -> tensor<?x5x8x12xf32> {
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %c0 : tensor<?x3x8x11xf32>
  %e = tensor.empty(%m) : tensor<?x3x10x13xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x3x10x13xf32>) -> tensor<?x3x10x13xf32>
  %p = tensor.insert_slice %x into %f[0, 0, 2, 1] [%n, 3, 8, 11] [1, 1, 1, 1] : tensor<?x3x8x11xf32> into tensor<?x3x10x13xf32>
  %o = tensor.empty(%m) : tensor<?x5x8x12xf32>
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<?x5x8x12xf32>) -> tensor<?x5x8x12xf32>
  // WHY: :[[#@LINE+1]]:8: fused: convolution alone{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<?x3x10x13xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<?x5x8x12xf32>) -> tensor<?x5x8x12xf32>
  return %c : tensor<?x5x8x12xf32>
}
