// RUN: fusion-opt %s --fusion-partition="patterns=relu,conv2d_relu,matmul" --remarks-filter='fusion.*' --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=RELU --implicit-check-not=remark:
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias,matmul_transposed_b" --remarks-filter='fusion.*' --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=BIAS --implicit-check-not=remark:
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_reshape_add|conv2d_sum" --remarks-filter='fusion.*' --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=SUM --implicit-check-not=remark:
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_reshape_add" --remarks-filter='fusion.*' --remark-format=emitRemark -o /dev/null 2>&1 | FileCheck %s --check-prefix=RESHAPE

// One remark for each convolution and matrix multiplication for which there is a
// pattern: the composite, or why the first pattern does not match.

func.func @relu(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  // RELU: :[[#@LINE-1]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: a part belongs to another composite
  // BIAS: :[[#@LINE-2]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: followed by relu, expected bias
  // SUM: :[[#@LINE-3]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: followed by relu, expected sum
  %r = linalg.max ins(%c, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

func.func @bias(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<1x5x7x10xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  // RELU: :[[#@LINE-1]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: followed by bias, expected relu
  // BIAS: :[[#@LINE-2]]:8: remark: [Passed] fusion-partition | {{.*}}in composite: dnnl.conv2d_bias
  // SUM: :[[#@LINE-3]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: followed by bias, expected sum
  // RESHAPE: :[[#@LINE-4]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: bias comes through no reshape
  %r = linalg.add ins(%c, %v : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

func.func @reshaped_broadcast(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %f = tensor.empty() : tensor<1x5x7x10x1xf32>
  %u = linalg.broadcast ins(%b : tensor<5xf32>) outs(%f : tensor<1x5x7x10x1xf32>) dimensions = [0, 2, 3, 4]
  %v = tensor.collapse_shape %u [[0], [1], [2], [3, 4]] : tensor<1x5x7x10x1xf32> into tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  // RELU: :[[#@LINE-1]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: followed by bias, expected relu
  // BIAS: :[[#@LINE-2]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: without the reshape of the bias the ops are something else, and allow-reshape is off
  // SUM: :[[#@LINE-3]]:8: remark: [Passed] fusion-partition | {{.*}}in composite: dnnl.conv2d_reshape_add
  %r = linalg.add ins(%c, %v : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

func.func @two_users(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> (tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  // RELU: :[[#@LINE-1]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: result has 2 users: 'linalg.max' at {{.*}}, 'func.return' at
  // BIAS: :[[#@LINE-2]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: result has 2 users
  // SUM: :[[#@LINE-3]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: result has 2 users
  %r = linalg.max ins(%c, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %c, %r : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>
}

func.func @parallel(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %q: tensor<5x3x3x2xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  // RELU: :[[#@LINE-1]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: followed by sum, expected relu
  // BIAS: :[[#@LINE-2]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: followed by sum, expected bias
  // SUM: :[[#@LINE-3]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: the sum belongs to 'linalg.conv_2d_nchw_fchw' at {{.*}}fusion-partition-remarks.mlir:[[#@LINE+1]]:8
  %d = linalg.conv_2d_nchw_fchw ins(%x, %q : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  // RELU: :[[#@LINE-1]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: followed by sum, expected relu
  // BIAS: :[[#@LINE-2]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: followed by sum, expected bias
  // SUM: :[[#@LINE-3]]:8: remark: [Passed] fusion-partition | {{.*}}in composite: dnnl.conv2d_sum
  %r = linalg.add ins(%c, %d : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

func.func @half_of_an_activation(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %three = arith.constant dense<3.0> : tensor<1x5x7x10xf32>
  %six = arith.constant dense<6.0> : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  // RELU: :[[#@LINE-1]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: followed by hardsigmoid, expected relu
  // BIAS: :[[#@LINE-2]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: what ends at {{.*}} is only the beginning of an activation or a batch norm
  // SUM: :[[#@LINE-3]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: followed by hardsigmoid, expected sum
  %a = linalg.add ins(%c, %three : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %m = linalg.max ins(%a, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %n = linalg.min ins(%m, %six : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.div ins(%n, %six : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

func.func @dead(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  // RELU: :[[#@LINE-1]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: result is not used
  // BIAS: :[[#@LINE-2]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: result is not used
  // SUM: :[[#@LINE-3]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: result is not used
  return
}

func.func @one_dimension(%x: tensor<1x3x9xf32>, %w: tensor<5x3x2xf32>) -> tensor<1x5x8xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x8xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<1x3x9xf32>, tensor<5x3x2xf32>) outs(%z : tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  // RELU: :[[#@LINE-1]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: convolution of 1 spatial dimensions, the pattern has 2
  // BIAS: :[[#@LINE-2]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: convolution of 1 spatial dimensions, the pattern has 2
  // SUM: :[[#@LINE-3]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: convolution of 1 spatial dimensions, the pattern has 2
  return %c : tensor<1x5x8xf32>
}

func.func @matmuls(%x: tensor<3x7xf32>, %w: tensor<7x5xf32>, %u: tensor<4x5xf32>) -> tensor<3x4xf32> {
  %y = arith.constant dense<0.0> : tensor<3x5xf32>
  %z = arith.constant dense<0.0> : tensor<3x4xf32>
  %c = linalg.matmul ins(%x, %w : tensor<3x7xf32>, tensor<7x5xf32>) outs(%y : tensor<3x5xf32>) -> tensor<3x5xf32>
  // RELU: :[[#@LINE-1]]:8: remark: [Passed] fusion-partition | {{.*}}in composite: dnnl.matmul
  // BIAS: :[[#@LINE-2]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: 'filter' is read as it is, the pattern takes it transposed
  %d = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>]
         ins(%c, %u : tensor<3x5xf32>, tensor<4x5xf32>) outs(%z : tensor<3x4xf32>) -> tensor<3x4xf32>
  // RELU: :[[#@LINE-2]]:8: remark: [Missed] fusion-partition | {{.*}}in no composite: 'filter' is read transposed, the pattern takes it as it is
  // BIAS: :[[#@LINE-3]]:8: remark: [Passed] fusion-partition | {{.*}}in composite: dnnl.matmul_transposed_b
  return %d : tensor<3x4xf32>
}
