// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bn_relu,conv2d,relu" | FileCheck %s --check-prefix=C94
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_relu,conv2d_bn,conv2d,relu" | FileCheck %s --check-prefix=C95
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bn_relu,conv2d_relu" | FileCheck %s --check-prefix=C96
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias_bn_relu,conv2d_relu" | FileCheck %s --check-prefix=C97
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_relu" | FileCheck %s --check-prefix=C98
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias_relu,conv2d,relu" | FileCheck %s --check-prefix=C99
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias_relu,conv2d_relu" | FileCheck %s --check-prefix=C100
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias,conv2d_relu,sigmoid" | FileCheck %s --check-prefix=C101
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias_bn_sigmoid,conv2d_relu" | FileCheck %s --check-prefix=C102
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias_bn_sigmoid,conv2d_sigmoid" | FileCheck %s --check-prefix=C103
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias_sum,relu" | FileCheck %s --check-prefix=C104
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias_sum_relu,relu" | FileCheck %s --check-prefix=C105

// The networks of test_dnnl_fuse as they are written, with the lists of patterns there in
// our names. TVM makes a bias of a batch norm before it partitions: its `bias` on such a
// network is `bn` here, and its numbers of functions are those of the networks in
// fusion-partition-counts.mlir. TVM 94 to 105.

// C94-LABEL: func.func @bn_relu_then_relu(
// C94:         call @fused_conv2d_bn_relu(
// C94-NEXT:    call @fused_conv2d(
// C94-NEXT:    call @fused_relu(
// C94-NEXT:    return
// C95-LABEL: func.func @bn_relu_then_relu(
// C95:         call @fused_conv2d_bn(
// C95-NEXT:    call @fused_relu(
// C95-NEXT:    call @fused_conv2d_relu(
// C95-NEXT:    return
// C96-LABEL: func.func @bn_relu_then_relu(
// C96:         call @fused_conv2d_bn_relu(
// C96-NEXT:    call @fused_conv2d_relu(
// C96-NEXT:    return
func.func @bn_relu_then_relu(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %mean: tensor<5xf32>, %s: tensor<5xf32>, %beta: tensor<5xf32>, %u: tensor<5x5x1x1xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %mean4 = linalg.broadcast ins(%mean : tensor<5xf32>) outs(%e : tensor<1x5x7x10xf32>) dimensions = [0, 2, 3]
  %s4 = linalg.broadcast ins(%s : tensor<5xf32>) outs(%e : tensor<1x5x7x10xf32>) dimensions = [0, 2, 3]
  %beta4 = linalg.broadcast ins(%beta : tensor<5xf32>) outs(%e : tensor<1x5x7x10xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %n0 = linalg.sub ins(%c, %mean4 : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %n1 = linalg.mul ins(%n0, %s4 : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %n2 = linalg.add ins(%n1, %beta4 : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.max ins(%n2, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%r, %u : tensor<1x5x7x10xf32>, tensor<5x5x1x1xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %t = linalg.max ins(%d, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %t : tensor<1x5x7x10xf32>
}

// C97-LABEL: func.func @bias_bn_relu_then_relu(
// C97:         call @fused_conv2d_bias_bn_relu(
// C97-NEXT:    call @fused_conv2d_relu(
// C97-NEXT:    return
func.func @bias_bn_relu_then_relu(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %mean: tensor<5xf32>, %s: tensor<5xf32>, %beta: tensor<5xf32>, %u: tensor<5x5x1x1xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %b4 = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<1x5x7x10xf32>) dimensions = [0, 2, 3]
  %mean4 = linalg.broadcast ins(%mean : tensor<5xf32>) outs(%e : tensor<1x5x7x10xf32>) dimensions = [0, 2, 3]
  %s4 = linalg.broadcast ins(%s : tensor<5xf32>) outs(%e : tensor<1x5x7x10xf32>) dimensions = [0, 2, 3]
  %beta4 = linalg.broadcast ins(%beta : tensor<5xf32>) outs(%e : tensor<1x5x7x10xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%b4 : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %n0 = linalg.sub ins(%c, %mean4 : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %n1 = linalg.mul ins(%n0, %s4 : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %n2 = linalg.add ins(%n1, %beta4 : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.max ins(%n2, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%r, %u : tensor<1x5x7x10xf32>, tensor<5x5x1x1xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %t = linalg.max ins(%d, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %t : tensor<1x5x7x10xf32>
}

// The second convolution is the same as in the networks above: one function.
// C98-LABEL: func.func @relu_twice(
// C98-NEXT:    call @fused_conv2d_relu_1(
// C98-NEXT:    call @fused_conv2d_relu(
// C98-NEXT:    return
// C99-LABEL: func.func @relu_twice(
// C99-NEXT:    call @fused_conv2d(
// C99-NEXT:    call @fused_relu(
// C99-NEXT:    call @fused_conv2d_1(
// C99-NEXT:    call @fused_relu(
// C99-NEXT:    return
func.func @relu_twice(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<5x5x1x1xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.max ins(%c, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%r, %u : tensor<1x5x7x10xf32>, tensor<5x5x1x1xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %t = linalg.max ins(%d, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %t : tensor<1x5x7x10xf32>
}

// Nothing is fused: the batch norm is in between.
// C100-LABEL: func.func @bn_sigmoid_relu(
// C100-NOT:     call
// C100:         return
func.func @bn_sigmoid_relu(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xf32>, %beta: tensor<5xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %s4 = linalg.broadcast ins(%s : tensor<5xf32>) outs(%e : tensor<1x5x7x10xf32>) dimensions = [0, 2, 3]
  %beta4 = linalg.broadcast ins(%beta : tensor<5xf32>) outs(%e : tensor<1x5x7x10xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %n1 = linalg.mul ins(%c, %s4 : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %n2 = linalg.add ins(%n1, %beta4 : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %g = linalg.map ins(%n2 : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) (%in: f32, %out: f32) {
    %a = arith.negf %in : f32
    %b = math.exp %a : f32
    %d = arith.addf %b, %one : f32
    %f = arith.divf %one, %d : f32
    linalg.yield %f : f32
  }
  %r = linalg.max ins(%g, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

// C101-LABEL: func.func @bias_bn_sigmoid(
// C101:         call @fused_conv2d_bias(
// C101:         linalg.mul
// C101:         linalg.add
// C101:         call @fused_sigmoid(
// C101:         call @fused_conv2d_relu(
// C101:         return
// C102-LABEL: func.func @bias_bn_sigmoid(
// C102:         call @fused_conv2d_bias_bn_sigmoid(
// C102-NEXT:    call @fused_conv2d_relu(
// C102-NEXT:    return
// C103-LABEL: func.func @bias_bn_sigmoid(
// C103:         call @fused_conv2d_bias_bn_sigmoid(
// C103-NEXT:    linalg.conv_2d_nchw_fchw
// C103-NEXT:    linalg.max
// C103-NEXT:    return
func.func @bias_bn_sigmoid(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %v: tensor<5xf32>, %s: tensor<5xf32>, %beta: tensor<5xf32>, %u: tensor<5x5x1x1xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %v4 = linalg.broadcast ins(%v : tensor<5xf32>) outs(%e : tensor<1x5x7x10xf32>) dimensions = [0, 2, 3]
  %s4 = linalg.broadcast ins(%s : tensor<5xf32>) outs(%e : tensor<1x5x7x10xf32>) dimensions = [0, 2, 3]
  %beta4 = linalg.broadcast ins(%beta : tensor<5xf32>) outs(%e : tensor<1x5x7x10xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%v4 : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %n1 = linalg.mul ins(%c, %s4 : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %n2 = linalg.add ins(%n1, %beta4 : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %g = linalg.map ins(%n2 : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) (%in: f32, %out: f32) {
    %a = arith.negf %in : f32
    %b = math.exp %a : f32
    %d = arith.addf %b, %one : f32
    %f = arith.divf %one, %d : f32
    linalg.yield %f : f32
  }
  %d = linalg.conv_2d_nchw_fchw ins(%g, %u : tensor<1x5x7x10xf32>, tensor<5x5x1x1xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %t = linalg.max ins(%d, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %t : tensor<1x5x7x10xf32>
}

// C104-LABEL: func.func @bias_sum_relu(
// C104:         call @fused_conv2d_bias_sum(
// C104-NEXT:    call @fused_relu(
// C104-NEXT:    return
// C105-LABEL: func.func @bias_sum_relu(
// C105-NEXT:    call @fused_conv2d_bias_sum_relu(
// C105-NEXT:    return
func.func @bias_sum_relu(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %s: tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %b4 = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<1x5x7x10xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %a = linalg.add ins(%c, %b4 : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %t = linalg.add ins(%a, %s : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.max ins(%t, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}
