// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias_relu,conv2d,relu" | FileCheck %s --check-prefix=C94
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_relu,conv2d,add,relu" | FileCheck %s --check-prefix=C95
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias_relu,conv2d_relu" | FileCheck %s --check-prefix=C96
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_relu" | FileCheck %s --check-prefix=C98
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias_relu,conv2d,relu" | FileCheck %s --check-prefix=C99
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias_relu,conv2d_relu,conv2d,add,sigmoid,relu" | FileCheck %s --check-prefix=C100
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias,conv2d_relu,conv2d,sigmoid,relu" | FileCheck %s --check-prefix=C101
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias_sigmoid,conv2d_relu,conv2d,sigmoid,relu" | FileCheck %s --check-prefix=C102
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias_sigmoid,conv2d_sigmoid,relu" | FileCheck %s --check-prefix=C103

// The networks of test_dnnl_fuse, after TVM has turned each batch norm into a bias, and
// its numbers of functions: it has a list of patterns, and single ops for the rest. We
// count calls: equal functions are one here. TVM 94 to 103; 97 is the network of 96 by
// then. The batch norm as it is written is in fusion-partition-tvm.mlir.

// C94-LABEL: func.func @biased(
// C94-NOT:     call
// C94:         call @fused_conv2d_bias_relu{{(_[0-9]+)?}}(
// C94-NOT:     call
// C94:         call @fused_conv2d{{(_[0-9]+)?}}(
// C94-NOT:     call
// C94:         call @fused_relu{{(_[0-9]+)?}}(
// C94-NOT:     call
// C94:         return
// C95-LABEL: func.func @biased(
// C95-NOT:     call
// C95:         call @fused_conv2d{{(_[0-9]+)?}}(
// C95-NOT:     call
// C95:         call @fused_add{{(_[0-9]+)?}}(
// C95-NOT:     call
// C95:         call @fused_relu{{(_[0-9]+)?}}(
// C95-NOT:     call
// C95:         call @fused_conv2d_relu{{(_[0-9]+)?}}(
// C95-NOT:     call
// C95:         return
// C96-LABEL: func.func @biased(
// C96-NOT:     call
// C96:         call @fused_conv2d_bias_relu{{(_[0-9]+)?}}(
// C96-NOT:     call
// C96:         call @fused_conv2d_relu{{(_[0-9]+)?}}(
// C96-NOT:     call
// C96:         return
func.func @biased(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %u: tensor<4x5x2x3xf32>) -> tensor<1x4x6x8xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %y = arith.constant dense<0.0> : tensor<1x4x6x8xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %f = tensor.empty() : tensor<1x4x6x8xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<1x5x7x10xf32>) dimensions = [0, 2, 3]
  %a = linalg.add ins(%c, %v : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.max ins(%a, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%r, %u : tensor<1x5x7x10xf32>, tensor<4x5x2x3xf32>) outs(%y : tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  %t = linalg.max ins(%d, %y : tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>) outs(%f : tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  return %t : tensor<1x4x6x8xf32>
}

// C98-LABEL: func.func @relu_twice(
// C98-NOT:     call
// C98:         call @fused_conv2d_relu{{(_[0-9]+)?}}(
// C98-NOT:     call
// C98:         call @fused_conv2d_relu{{(_[0-9]+)?}}(
// C98-NOT:     call
// C98:         return
// C99-LABEL: func.func @relu_twice(
// C99-NOT:     call
// C99:         call @fused_conv2d{{(_[0-9]+)?}}(
// C99-NOT:     call
// C99:         call @fused_relu{{(_[0-9]+)?}}(
// C99-NOT:     call
// C99:         call @fused_conv2d{{(_[0-9]+)?}}(
// C99-NOT:     call
// C99:         call @fused_relu{{(_[0-9]+)?}}(
// C99-NOT:     call
// C99:         return
func.func @relu_twice(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<4x5x2x3xf32>) -> tensor<1x4x6x8xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %y = arith.constant dense<0.0> : tensor<1x4x6x8xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %f = tensor.empty() : tensor<1x4x6x8xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.max ins(%c, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%r, %u : tensor<1x5x7x10xf32>, tensor<4x5x2x3xf32>) outs(%y : tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  %t = linalg.max ins(%d, %y : tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>) outs(%f : tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  return %t : tensor<1x4x6x8xf32>
}

// C100-LABEL: func.func @sigmoids(
// C100-NOT:     call
// C100:         call @fused_conv2d{{(_[0-9]+)?}}(
// C100-NOT:     call
// C100:         call @fused_add{{(_[0-9]+)?}}(
// C100-NOT:     call
// C100:         call @fused_sigmoid{{(_[0-9]+)?}}(
// C100-NOT:     call
// C100:         call @fused_relu{{(_[0-9]+)?}}(
// C100-NOT:     call
// C100:         call @fused_conv2d{{(_[0-9]+)?}}(
// C100-NOT:     call
// C100:         call @fused_sigmoid{{(_[0-9]+)?}}(
// C100-NOT:     call
// C100:         call @fused_relu{{(_[0-9]+)?}}(
// C100-NOT:     call
// C100:         return
// C101-LABEL: func.func @sigmoids(
// C101-NOT:     call
// C101:         call @fused_conv2d_bias{{(_[0-9]+)?}}(
// C101-NOT:     call
// C101:         call @fused_sigmoid{{(_[0-9]+)?}}(
// C101-NOT:     call
// C101:         call @fused_relu{{(_[0-9]+)?}}(
// C101-NOT:     call
// C101:         call @fused_conv2d{{(_[0-9]+)?}}(
// C101-NOT:     call
// C101:         call @fused_sigmoid{{(_[0-9]+)?}}(
// C101-NOT:     call
// C101:         call @fused_relu{{(_[0-9]+)?}}(
// C101-NOT:     call
// C101:         return
// C102-LABEL: func.func @sigmoids(
// C102-NOT:     call
// C102:         call @fused_conv2d_bias_sigmoid{{(_[0-9]+)?}}(
// C102-NOT:     call
// C102:         call @fused_relu{{(_[0-9]+)?}}(
// C102-NOT:     call
// C102:         call @fused_conv2d{{(_[0-9]+)?}}(
// C102-NOT:     call
// C102:         call @fused_sigmoid{{(_[0-9]+)?}}(
// C102-NOT:     call
// C102:         call @fused_relu{{(_[0-9]+)?}}(
// C102-NOT:     call
// C102:         return
// C103-LABEL: func.func @sigmoids(
// C103-NOT:     call
// C103:         call @fused_conv2d_bias_sigmoid{{(_[0-9]+)?}}(
// C103-NOT:     call
// C103:         call @fused_relu{{(_[0-9]+)?}}(
// C103-NOT:     call
// C103:         call @fused_conv2d_sigmoid{{(_[0-9]+)?}}(
// C103-NOT:     call
// C103:         call @fused_relu{{(_[0-9]+)?}}(
// C103-NOT:     call
// C103:         return
func.func @sigmoids(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %u: tensor<4x5x2x3xf32>) -> tensor<1x4x6x8xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %y = arith.constant dense<0.0> : tensor<1x4x6x8xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %f = tensor.empty() : tensor<1x4x6x8xf32>
  %one = arith.constant 1.0 : f32
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<1x5x7x10xf32>) dimensions = [0, 2, 3]
  %a = linalg.add ins(%c, %v : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %g = linalg.map ins(%a : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) (%in: f32, %out: f32) {
    %0 = arith.negf %in : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %one, %2 : f32
    linalg.yield %3 : f32
  }
  %r = linalg.max ins(%g, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%r, %u : tensor<1x5x7x10xf32>, tensor<4x5x2x3xf32>) outs(%y : tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  %h = linalg.map ins(%d : tensor<1x4x6x8xf32>) outs(%f : tensor<1x4x6x8xf32>) (%in: f32, %out: f32) {
    %0 = arith.negf %in : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %one, %2 : f32
    linalg.yield %3 : f32
  }
  %t = linalg.max ins(%h, %y : tensor<1x4x6x8xf32>, tensor<1x4x6x8xf32>) outs(%f : tensor<1x4x6x8xf32>) -> tensor<1x4x6x8xf32>
  return %t : tensor<1x4x6x8xf32>
}
