// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias_relu" | FileCheck %s --check-prefixes=CHECK,OUTSIDE
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias_relu allow-reshape=true" | FileCheck %s --check-prefixes=CHECK,INSIDE
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias_relu" > %t.once.mlir
// RUN: fusion-opt %t.once.mlir --fusion-partition="patterns=conv2d_bias_relu" | diff %t.once.mlir -
// RUN: fusion-opt %t.once.mlir --inline --canonicalize --cse --symbol-dce | FileCheck %s --check-prefix=KEPT
// RUN: fusion-opt %s > %t.plain.mlir
// RUN: fusion-opt %s --fusion-partition | diff %t.plain.mlir -
// RUN: fusion-opt %s --fusion-partition="patterns=conv3d_bias_relu,matmul,conv2d_bn,maxpool,softmax,gelu_erf" | diff %t.plain.mlir -

// TVM 1, 2, 9, 11, 12, 25, 32, 64, 67: one pattern on every spelling of a bias. The rest is
// not touched; a second run changes nothing; composites outlive inlining.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#padded = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>

// The bias is a broadcast into `outs`: it goes inside with its broadcast.
// CHECK-LABEL: func.func @broadcast_init(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK-NEXT:    %[[R:.*]] = call @fused_conv2d_bias_relu(%[[X]], %[[W]], %[[B]])
// CHECK-NEXT:    return %[[R]]
// KEPT-LABEL:  func.func @broadcast_init(
// KEPT-NEXT:     call @fused_conv2d_bias_relu(
func.func @broadcast_init(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%v : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.max ins(%c, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TVM 1: the form of its PyTorch front end. The shape is a constant, which is no
// argument (32).
// CHECK-LABEL:  func.func @reshape(
// OUTSIDE:        %[[V:.*]] = tensor.reshape %arg2
// OUTSIDE-NEXT:   call @fused_conv2d_bias_relu_1(%arg0, %arg1, %[[V]])
// INSIDE-NEXT:    call @fused_conv2d_bias_relu_1(%arg0, %arg1, %arg2)
func.func @reshape(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %shape = arith.constant dense<[1, 5, 1, 1]> : tensor<4xi64>
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %v = tensor.reshape %b(%shape) : (tensor<5xf32>, tensor<4xi64>) -> tensor<1x5x1x1xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #padded, #all]
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.max ins(%s, %z : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The bias is the first operand, and as large as the result only after a broadcast:
// that goes inside, and the reshape in front of it does not without allow-reshape.
// CHECK-LABEL:  func.func @swapped(
// OUTSIDE:        %[[V:.*]] = tensor.collapse_shape %arg2
// OUTSIDE-NEXT:   call @fused_conv2d_bias_relu_2(%arg0, %arg1, %[[V]])
// INSIDE-NEXT:    call @fused_conv2d_bias_relu_2(%arg0, %arg1, %arg2)
func.func @swapped(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<1x5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %v = tensor.collapse_shape %b [[0, 1]] : tensor<1x5xf32> into tensor<5xf32>
  %u = linalg.broadcast ins(%v : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %s = linalg.add ins(%u, %c : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.max ins(%z, %s : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// A padding goes inside; bias and relu in one op, as upstream's fusion leaves them.
// CHECK-LABEL: func.func @padded_merged(
// CHECK-NEXT:    call @fused_conv2d_bias_relu_3(%arg0, %arg1, %arg2)
func.func @padded_merged(%x: tensor<2x3x6x9xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %k = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 2, 2] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %k : f32
  } : tensor<2x3x6x9xf32> to tensor<2x3x9x11xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%f : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%a: f32, %v: f32, %o: f32):
    %s = arith.addf %a, %v : f32
    %m = arith.maximumf %s, %k : f32
    linalg.yield %m : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TVM 9: constant weights stand inside.
// CHECK-LABEL: func.func @constants(
// CHECK-NEXT:    call @fused_conv2d_bias_relu_4(%arg0) :
func.func @constants(%x: tensor<2x1x9x11xf32>) -> tensor<2x2x7x10xf32> {
  %w = arith.constant dense<[[[[1.0, -2.0], [3.0, 0.5], [0.25, -1.0]]], [[[-0.5, 1.5], [2.5, -3.5], [0.75, 1.0]]]]> : tensor<2x1x3x2xf32>
  %b = arith.constant dense<[0.5, -1.5]> : tensor<2xf32>
  %z = arith.constant dense<0.0> : tensor<2x2x7x10xf32>
  %e = tensor.empty() : tensor<2x2x7x10xf32>
  %v = linalg.broadcast ins(%b : tensor<2xf32>) outs(%e : tensor<2x2x7x10xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x1x9x11xf32>, tensor<2x1x3x2xf32>) outs(%v : tensor<2x2x7x10xf32>) -> tensor<2x2x7x10xf32>
  %r = linalg.max ins(%c, %z : tensor<2x2x7x10xf32>, tensor<2x2x7x10xf32>) outs(%e : tensor<2x2x7x10xf32>) -> tensor<2x2x7x10xf32>
  return %r : tensor<2x2x7x10xf32>
}

// TVM 27: the sizes of the result are those of the input: they are asked for inside.
// CHECK-LABEL: func.func @dynamic_batch(
// CHECK-NOT:     tensor.dim
// CHECK:         call @fused_conv2d_bias_relu_5(%arg0, %arg1, %arg2)
func.func @dynamic_batch(%x: tensor<?x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<?x5x7x10xf32> {
  %i0 = arith.constant 0 : index
  %k = arith.constant 0.0 : f32
  %n = tensor.dim %x, %i0 : tensor<?x3x9x11xf32>
  %e = tensor.empty(%n) : tensor<?x5x7x10xf32>
  %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<?x5x7x10xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<?x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%v : tensor<?x5x7x10xf32>) -> tensor<?x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c : tensor<?x5x7x10xf32>) outs(%e : tensor<?x5x7x10xf32>) {
  ^bb0(%a: f32, %o: f32):
    %g = arith.cmpf ugt, %a, %k : f32
    %m = arith.select %g, %a, %k : f32
    linalg.yield %m : f32
  } -> tensor<?x5x7x10xf32>
  return %r : tensor<?x5x7x10xf32>
}

// CHECK:      func.func private @fused_conv2d_bias_relu(
// CHECK-SAME:   %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32> {fusion.role = "input"}, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32> {fusion.role = "filter"}, %[[B:[a-z0-9]*]]: tensor<5xf32> {fusion.role = "bias"})
// CHECK-SAME:   attributes {fusion.composite = "dnnl.conv2d_bias_relu", no_inline}
// CHECK:        %[[E:.*]] = tensor.empty()
// CHECK:        %[[V:.*]] = linalg.broadcast ins(%[[B]] : tensor<5xf32>) outs(%[[E]]
// CHECK:        %[[C:.*]] = linalg.conv_2d_nchw_fchw ins(%[[X]], %[[W]] : {{.*}}) outs(%[[V]]
// CHECK:        %[[Z:.*]] = arith.constant dense<0.000000e+00>
// CHECK:        %[[R:.*]] = linalg.max ins(%[[C]], %[[Z]]
// CHECK-NEXT:   return %[[R]]

// CHECK:       func.func private @fused_conv2d_bias_relu_1(
// OUTSIDE-SAME:  %[[B:[a-z0-9]*]]: tensor<1x5x1x1xf32> {fusion.role = "bias"})
// OUTSIDE-NOT:   reshape
// INSIDE-SAME:   %[[B:[a-z0-9]*]]: tensor<5xf32> {fusion.role = "bias"})
// INSIDE:        arith.constant dense<[1, 5, 1, 1]>
// INSIDE:        tensor.reshape %[[B]]
// CHECK:         linalg.elementwise
// CHECK:         linalg.max

// CHECK:       func.func private @fused_conv2d_bias_relu_2(
// OUTSIDE-SAME:  tensor<5xf32> {fusion.role = "bias"})
// OUTSIDE-NOT:   collapse_shape
// INSIDE-SAME:   tensor<1x5xf32> {fusion.role = "bias"})
// INSIDE:        tensor.collapse_shape
// CHECK:         linalg.broadcast
// CHECK:         linalg.max

// CHECK:       func.func private @fused_conv2d_bias_relu_3(
// CHECK:         tensor.pad
// CHECK:         linalg.fill
// CHECK:         linalg.conv_2d_nchw_fchw
// CHECK:         linalg.generic

// CHECK:       func.func private @fused_conv2d_bias_relu_4(
// CHECK-SAME:    tensor<2x1x9x11xf32> {fusion.role = "input"})
// CHECK-DAG:     arith.constant dense<{{\[\[\[\[}}1.0
// CHECK-DAG:     arith.constant dense<[5.0

// CHECK:       func.func private @fused_conv2d_bias_relu_5(
// CHECK-SAME:    tensor<?x3x9x11xf32> {fusion.role = "input"}, %{{.*}}: tensor<5x3x3x2xf32> {fusion.role = "filter"}, %{{.*}}: tensor<5xf32> {fusion.role = "bias"})
// CHECK:         tensor.dim

// CHECK-NOT:   func.func
