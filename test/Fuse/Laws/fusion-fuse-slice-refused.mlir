// RUN: fusion-opt %s --fusion-fuse | FileCheck %s

// Near misses of fusion-fuse-slice.mlir: the slice stays.

// The second row of windows begins in the input: padding would have to be negative.
// CHECK-LABEL: func @first_rows(
// CHECK:         fusion.fused_conv_bias_act strides [2, 1] pad_low [3, 2] pad_high [3, 2]
// CHECK:         tensor.extract_slice
func.func @first_rows(%x: tensor<2x3x9x7xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<2x4x5x7xf32> {
  %e = tensor.empty() : tensor<2x4x7x10xf32>
  %c = fusion.fused_conv_bias_act strides [2, 1] pad_low [3, 2] pad_high [3, 2] ins(%x, %w : tensor<2x3x9x7xf32>, tensor<4x3x3x2xf32>)
         outs(%e : tensor<2x4x7x10xf32>) -> tensor<2x4x7x10xf32>
  %s = tensor.extract_slice %c[0, 0, 2, 2] [2, 4, 5, 7] [1, 1, 1, 1] : tensor<2x4x7x10xf32> to tensor<2x4x5x7xf32>
  return %s : tensor<2x4x5x7xf32>
}

// The last window that is left ends in front of the end of the input.
// CHECK-LABEL: func @last_columns(
// CHECK:         fusion.fused_conv_bias_act strides [2, 1] pad_low [3, 2] pad_high [3, 2]
// CHECK:         tensor.extract_slice
func.func @last_columns(%x: tensor<2x3x9x7xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<2x4x5x5xf32> {
  %e = tensor.empty() : tensor<2x4x7x10xf32>
  %c = fusion.fused_conv_bias_act strides [2, 1] pad_low [3, 2] pad_high [3, 2] ins(%x, %w : tensor<2x3x9x7xf32>, tensor<4x3x3x2xf32>)
         outs(%e : tensor<2x4x7x10xf32>) -> tensor<2x4x7x10xf32>
  %s = tensor.extract_slice %c[0, 0, 1, 2] [2, 4, 5, 5] [1, 1, 1, 1] : tensor<2x4x7x10xf32> to tensor<2x4x5x5xf32>
  return %s : tensor<2x4x5x5xf32>
}

// Every second column of the padding.
// CHECK-LABEL: func @strided(
// CHECK:         fusion.fused_conv_bias_act strides [2, 1] pad_low [3, 3] pad_high [3, 3]
// CHECK:         tensor.extract_slice
func.func @strided(%x: tensor<2x3x9x2xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<2x4x7x3xf32> {
  %e = tensor.empty() : tensor<2x4x7x7xf32>
  %c = fusion.fused_conv_bias_act strides [2, 1] pad_low [3, 3] pad_high [3, 3] ins(%x, %w : tensor<2x3x9x2xf32>, tensor<4x3x3x2xf32>)
         outs(%e : tensor<2x4x7x7xf32>) -> tensor<2x4x7x7xf32>
  %s = tensor.extract_slice %c[0, 0, 0, 1] [2, 4, 7, 3] [1, 1, 1, 2] : tensor<2x4x7x7xf32> to tensor<2x4x7x3xf32>
  return %s : tensor<2x4x7x3xf32>
}

// A part of the channels.
// CHECK-LABEL: func @channels(
// CHECK:         fusion.fused_conv_bias_act strides [2, 1] pad_low [3, 2] pad_high [3, 2]
// CHECK:         tensor.extract_slice
func.func @channels(%x: tensor<2x3x9x7xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<2x3x5x7xf32> {
  %e = tensor.empty() : tensor<2x4x7x10xf32>
  %c = fusion.fused_conv_bias_act strides [2, 1] pad_low [3, 2] pad_high [3, 2] ins(%x, %w : tensor<2x3x9x7xf32>, tensor<4x3x3x2xf32>)
         outs(%e : tensor<2x4x7x10xf32>) -> tensor<2x4x7x10xf32>
  %s = tensor.extract_slice %c[0, 1, 1, 2] [2, 3, 5, 7] [1, 1, 1, 1] : tensor<2x4x7x10xf32> to tensor<2x3x5x7xf32>
  return %s : tensor<2x3x5x7xf32>
}

// A part of the batch.
// CHECK-LABEL: func @batch(
// CHECK:         fusion.fused_conv_bias_act strides [2, 1] pad_low [3, 2] pad_high [3, 2]
// CHECK:         tensor.extract_slice
func.func @batch(%x: tensor<2x3x9x7xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<1x4x5x7xf32> {
  %e = tensor.empty() : tensor<2x4x7x10xf32>
  %c = fusion.fused_conv_bias_act strides [2, 1] pad_low [3, 2] pad_high [3, 2] ins(%x, %w : tensor<2x3x9x7xf32>, tensor<4x3x3x2xf32>)
         outs(%e : tensor<2x4x7x10xf32>) -> tensor<2x4x7x10xf32>
  %s = tensor.extract_slice %c[0, 0, 1, 2] [1, 4, 5, 7] [1, 1, 1, 1] : tensor<2x4x7x10xf32> to tensor<1x4x5x7xf32>
  return %s : tensor<1x4x5x7xf32>
}

// The result is read as a whole, too.
// CHECK-LABEL: func @read_twice(
// CHECK:         fusion.fused_conv_bias_act strides [2, 1] pad_low [3, 2] pad_high [3, 2]
// CHECK:         tensor.extract_slice
func.func @read_twice(%x: tensor<2x3x9x7xf32>, %w: tensor<4x3x3x2xf32>) -> (tensor<2x4x5x7xf32>, tensor<2x4x7x10xf32>) {
  %e = tensor.empty() : tensor<2x4x7x10xf32>
  %c = fusion.fused_conv_bias_act strides [2, 1] pad_low [3, 2] pad_high [3, 2] ins(%x, %w : tensor<2x3x9x7xf32>, tensor<4x3x3x2xf32>)
         outs(%e : tensor<2x4x7x10xf32>) -> tensor<2x4x7x10xf32>
  %s = tensor.extract_slice %c[0, 0, 1, 2] [2, 4, 5, 7] [1, 1, 1, 1] : tensor<2x4x7x10xf32> to tensor<2x4x5x7xf32>
  return %s, %c : tensor<2x4x5x7xf32>, tensor<2x4x7x10xf32>
}

// The slice drops a dimension.
// CHECK-LABEL: func @dropped(
// CHECK:         fusion.fused_conv_bias_act strides [2, 1] pad_low [3, 2] pad_high [3, 2]
// CHECK:         tensor.extract_slice
func.func @dropped(%x: tensor<2x3x9x7xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<2x4x7xf32> {
  %e = tensor.empty() : tensor<2x4x7x10xf32>
  %c = fusion.fused_conv_bias_act strides [2, 1] pad_low [3, 2] pad_high [3, 2] ins(%x, %w : tensor<2x3x9x7xf32>, tensor<4x3x3x2xf32>)
         outs(%e : tensor<2x4x7x10xf32>) -> tensor<2x4x7x10xf32>
  %s = tensor.extract_slice %c[0, 0, 1, 2] [2, 4, 1, 7] [1, 1, 1, 1] : tensor<2x4x7x10xf32> to tensor<2x4x7xf32>
  return %s : tensor<2x4x7xf32>
}

// The size of the input is not known.
// CHECK-LABEL: func @dynamic(
// CHECK:         fusion.fused_conv_bias_act strides [2, 1] pad_low [3, 2] pad_high [3, 2]
// CHECK:         tensor.extract_slice
func.func @dynamic(%x: tensor<2x3x9x?xf32>, %w: tensor<4x3x3x2xf32>) -> tensor<2x4x5x7xf32> {
  %c3 = arith.constant 3 : index
  %d = tensor.dim %x, %c3 : tensor<2x3x9x?xf32>
  %n = arith.addi %d, %c3 : index
  %e = tensor.empty(%n) : tensor<2x4x7x?xf32>
  %c = fusion.fused_conv_bias_act strides [2, 1] pad_low [3, 2] pad_high [3, 2] ins(%x, %w : tensor<2x3x9x?xf32>, tensor<4x3x3x2xf32>)
         outs(%e : tensor<2x4x7x?xf32>) -> tensor<2x4x7x?xf32>
  %s = tensor.extract_slice %c[0, 0, 1, 2] [2, 4, 5, 7] [1, 1, 1, 1] : tensor<2x4x7x?xf32> to tensor<2x4x5x7xf32>
  return %s : tensor<2x4x5x7xf32>
}

// The slice is in another block.
// CHECK-LABEL: func @block(
// CHECK:         fusion.fused_conv_bias_act strides [2, 1] pad_low [3, 2] pad_high [3, 2]
// CHECK:         scf.if
// CHECK:           tensor.extract_slice
func.func @block(%x: tensor<2x3x9x7xf32>, %w: tensor<4x3x3x2xf32>, %other: tensor<2x4x5x7xf32>, %i: tensor<i8>) -> tensor<2x4x5x7xf32> {
  %e = tensor.empty() : tensor<2x4x7x10xf32>
  %c = fusion.fused_conv_bias_act strides [2, 1] pad_low [3, 2] pad_high [3, 2] ins(%x, %w : tensor<2x3x9x7xf32>, tensor<4x3x3x2xf32>)
         outs(%e : tensor<2x4x7x10xf32>) -> tensor<2x4x7x10xf32>
  %byte = tensor.extract %i[] : tensor<i8>
  %zero = arith.constant 0 : i8
  %if = arith.cmpi sgt, %byte, %zero : i8
  %r = scf.if %if -> tensor<2x4x5x7xf32> {
    %s = tensor.extract_slice %c[0, 0, 1, 2] [2, 4, 5, 7] [1, 1, 1, 1] : tensor<2x4x7x10xf32> to tensor<2x4x5x7xf32>
    scf.yield %s : tensor<2x4x5x7xf32>
  } else {
    scf.yield %other : tensor<2x4x5x7xf32>
  }
  return %r : tensor<2x4x5x7xf32>
}
