// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_sum_relu,conv2d_relu,conv2d_hardsigmoid,conv2d_bias,conv2d_sum,conv2d" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=linalg.conv
// RUN: fusion-opt %t.mlir --fusion-partition="patterns=conv2d_sum_relu,conv2d_relu,conv2d_hardsigmoid,conv2d_bias,conv2d_sum,conv2d" | diff %t.mlir -

// The users of an intermediate result, and their places. TVM 7, 8, 13, 14, 17, 18, 24,
// 29, 31, 62, 65, 81, 82.

// TVM 7, 65: the convolution feeds a relu and another op; it is not computed twice.
// CHECK-LABEL: func.func @branch(
// CHECK:         %[[C:.*]] = call @fused_conv2d(%arg0, %arg1)
// CHECK:         linalg.max ins(%[[C]]
// CHECK:         linalg.tanh ins(%[[C]]
func.func @branch(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> (tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.max ins(%c, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %t = linalg.tanh ins(%c : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r, %t : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>
}

// TVM 82: the result itself is returned as well.
// CHECK-LABEL: func.func @returned_too(
// CHECK:         %[[C:.*]] = call @fused_conv2d(%arg0, %arg1)
// CHECK:         linalg.max ins(%[[C]]
func.func @returned_too(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> (tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.max ins(%c, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %c, %r : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>
}

// TVM 18, 31: dead ops are no users; they are erased with the ops that they read.
// CHECK-LABEL: func.func @dead_users(
// CHECK-NEXT:    %[[R:.*]] = call @fused_conv2d_relu(%arg0, %arg1)
// CHECK-NEXT:    return %[[R]]
func.func @dead_users(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %t = linalg.tanh ins(%c : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.max ins(%c, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %u = linalg.exp ins(%t : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

// TVM 13, 14, 17: a call of another function takes the result, and no pattern looks into
// that.
// CHECK-LABEL: func.func @opaque(
// CHECK:         %[[C:.*]] = call @fused_conv2d(%arg0, %arg1)
// CHECK-NEXT:    %[[O:.*]] = call @unknown(%[[C]])
// CHECK-NEXT:    linalg.max ins(%[[O]]
func.func @opaque(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %o = call @unknown(%c) : (tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.max ins(%o, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}
func.func private @unknown(%x: tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32> {
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %t = linalg.tanh ins(%x : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %t : tensor<1x5x7x10xf32>
}

// TVM 81: a detour over integers keeps the relu outside.
// CHECK-LABEL: func.func @integers_between(
// CHECK:         %[[C:.*]] = call @fused_conv2d(%arg0, %arg1)
// CHECK-NEXT:    arith.fptosi %[[C]]
// CHECK:         linalg.max
func.func @integers_between(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %i = arith.fptosi %c : tensor<1x5x7x10xf32> to tensor<1x5x7x10xi32>
  %f = arith.sitofp %i : tensor<1x5x7x10xi32> to tensor<1x5x7x10xf32>
  %r = linalg.max ins(%f, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

// TVM 8: the relu reads the sum of the convolution and of something that is computed
// from it: with the sum in a composite, that would need its own result.
// CHECK-LABEL: func.func @cycle(
// CHECK:         %[[C:.*]] = call @fused_conv2d(%arg0, %arg1)
// CHECK:         %[[T:.*]] = call @unknown(%[[C]])
// CHECK:         linalg.add ins(%[[C]], %[[T]]
// CHECK:         linalg.max
func.func @cycle(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %o = call @unknown(%c) : (tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %s = linalg.add ins(%c, %o : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.max ins(%s, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

// TVM 62: a sum of two parallel convolutions goes to the later one.
// CHECK-LABEL: func.func @parallel(
// CHECK-NEXT:    %[[C:.*]] = call @fused_conv2d(%arg0, %arg1)
// CHECK-NEXT:    call @fused_conv2d_sum_relu(%arg0, %arg2, %[[C]])
// CHECK-NEXT:    return
func.func @parallel(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %u: tensor<5x3x3x2xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%x, %u : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %s = linalg.add ins(%c, %d : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.max ins(%s, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

// Half of an activation is no bias: with the first op alone it would be one.
// CHECK-LABEL: func.func @hardsigmoid_in_ops(
// CHECK-NEXT:    call @fused_conv2d_hardsigmoid(%arg0, %arg1)
// CHECK-NEXT:    return
func.func @hardsigmoid_in_ops(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %three = arith.constant dense<3.0> : tensor<1x5x7x10xf32>
  %six = arith.constant dense<6.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %a = linalg.add ins(%c, %three : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %m = linalg.max ins(%a, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %n = linalg.min ins(%m, %six : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.div ins(%n, %six : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

// TVM 29: in both branches of a conditional, and in a loop; constants from outside are
// copied.
// CHECK-LABEL: func.func @branches(
// CHECK:         scf.if
// CHECK-NEXT:      %[[R:.*]] = func.call @fused_conv2d_relu(%arg1, %arg2)
// CHECK-NEXT:      scf.yield %[[R]]
// CHECK:         } else {
// CHECK-NEXT:      %[[C:.*]] = func.call @fused_conv2d(%arg1, %arg2)
// CHECK-NEXT:      scf.yield %[[C]]
func.func @branches(%p: i1, %x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %q = scf.if %p -> tensor<1x5x7x10xf32> {
    %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
    %r = linalg.max ins(%c, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
    scf.yield %r : tensor<1x5x7x10xf32>
  } else {
    %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
    scf.yield %c : tensor<1x5x7x10xf32>
  }
  return %q : tensor<1x5x7x10xf32>
}

// CHECK-LABEL: func.func @in_a_loop(
// CHECK:         scf.for {{.*}} iter_args(%[[A:.*]] = %arg0)
// CHECK-NEXT:      %[[R:.*]] = func.call @fused_conv2d_relu_1(%[[A]], %arg1)
// CHECK-NEXT:      scf.yield %[[R]]
func.func @in_a_loop(%x: tensor<1x4x9x7xf32>, %w: tensor<4x4x1x1xf32>, %n: index) -> tensor<1x4x9x7xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<1x4x9x7xf32>
  %l = scf.for %i = %i0 to %n step %i1 iter_args(%acc = %x) -> tensor<1x4x9x7xf32> {
    %e = tensor.empty() : tensor<1x4x9x7xf32>
    %c = linalg.conv_2d_nchw_fchw ins(%acc, %w : tensor<1x4x9x7xf32>, tensor<4x4x1x1xf32>) outs(%z : tensor<1x4x9x7xf32>) -> tensor<1x4x9x7xf32>
    %r = linalg.max ins(%c, %z : tensor<1x4x9x7xf32>, tensor<1x4x9x7xf32>) outs(%e : tensor<1x4x9x7xf32>) -> tensor<1x4x9x7xf32>
    scf.yield %r : tensor<1x4x9x7xf32>
  }
  return %l : tensor<1x4x9x7xf32>
}

// A relu inside of a loop is not that of the convolution in front of it.
// CHECK-LABEL: func.func @relu_in_a_loop(
// CHECK:         %[[C:.*]] = call @fused_conv2d(%arg0, %arg1)
// CHECK:         scf.for
// CHECK:           linalg.max ins(%[[C]]
func.func @relu_in_a_loop(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<1x5x7x10xf32>, %n: index) -> tensor<1x5x7x10xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %l = scf.for %i = %i0 to %n step %i1 iter_args(%acc = %s) -> tensor<1x5x7x10xf32> {
    %e = tensor.empty() : tensor<1x5x7x10xf32>
    %r = linalg.max ins(%c, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
    %t = linalg.add ins(%r, %acc : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
    scf.yield %t : tensor<1x5x7x10xf32>
  }
  return %l : tensor<1x5x7x10xf32>
}

// The composites.
// CHECK: linalg.conv_2d_nchw_fchw
// CHECK: linalg.conv_2d_nchw_fchw
// CHECK: linalg.conv_2d_nchw_fchw
// CHECK: linalg.conv_2d_nchw_fchw
// CHECK: linalg.conv_2d_nchw_fchw
