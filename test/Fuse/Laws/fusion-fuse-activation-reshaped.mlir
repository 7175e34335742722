// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o %t.mlir 2>&1 | FileCheck %s --check-prefix=WHY --implicit-check-not=fused:
// RUN: FileCheck %s --input-file=%t.mlir

// An activation parts of which are computed on a reshape of the result. A reshape and
// the one back leave each element at its place.

// CHECK-LABEL: func @collapsed(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act swish(1.000000e+00) ins({{.*}} -> tensor<2x5x6x13xf32>
// CHECK-NEXT:    return %[[R]]
func.func @collapsed(%x: tensor<2x3x8x14xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x6x13xf32>
  %one = arith.constant dense<1.0> : tensor<10x78xf32>
  // WHY: :[[#@LINE+1]]:8: fused: swish{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x8x14xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %v = tensor.collapse_shape %c [[0, 1], [2, 3]] : tensor<2x5x6x13xf32> into tensor<10x78xf32>
  %n = arith.negf %v : tensor<10x78xf32>
  %u = math.exp %n : tensor<10x78xf32>
  %a = arith.addf %u, %one : tensor<10x78xf32>
  %s = arith.divf %one, %a : tensor<10x78xf32>
  %b = tensor.expand_shape %s [[0, 1], [2, 3]] output_shape [2, 5, 6, 13] : tensor<10x78xf32> into tensor<2x5x6x13xf32>
  %r = arith.mulf %c, %b : tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// Another way back: by one reshape more.
// CHECK-LABEL: func @by_several(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act swish(1.000000e+00) ins({{.*}} -> tensor<2x5x6x13xf32>
// CHECK-NEXT:    return %[[R]]
func.func @by_several(%x: tensor<2x3x8x14xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x6x13xf32> {
  %shape = arith.constant dense<[4, 195]> : tensor<2xi64>
  %back = arith.constant dense<[2, 5, 6, 13]> : tensor<4xi64>
  %z = arith.constant dense<0.0> : tensor<2x5x6x13xf32>
  %one = arith.constant dense<1.0> : tensor<4x195xf32>
  // WHY: :[[#@LINE+1]]:8: fused: swish{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x8x14xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %v = tensor.reshape %c(%shape) : (tensor<2x5x6x13xf32>, tensor<2xi64>) -> tensor<4x195xf32>
  %n = arith.negf %v : tensor<4x195xf32>
  %u = math.exp %n : tensor<4x195xf32>
  %f = tensor.collapse_shape %u [[0, 1]] : tensor<4x195xf32> into tensor<780xf32>
  %e = tensor.expand_shape %f [[0, 1]] output_shape [4, 195] : tensor<780xf32> into tensor<4x195xf32>
  %a = arith.addf %e, %one : tensor<4x195xf32>
  %s = arith.divf %one, %a : tensor<4x195xf32>
  %b = tensor.reshape %s(%back) : (tensor<4x195xf32>, tensor<4xi64>) -> tensor<2x5x6x13xf32>
  %r = arith.mulf %b, %c : tensor<2x5x6x13xf32>
  return %r : tensor<2x5x6x13xf32>
}

// The last op does more than the activation, with a tensor of its own.
// CHECK-LABEL: func @then_sum(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act swish(1.000000e+00) ins({{.*}} residual_after_activation(%{{.*}} -> tensor<2x5x6x13xf32>
// CHECK-NEXT:    return %[[R]]
func.func @then_sum(%x: tensor<2x3x8x14xf32>, %w: tensor<5x3x3x2xf32>, %y: tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x6x13xf32>
  %o = tensor.empty() : tensor<2x5x6x13xf32>
  %one = arith.constant dense<1.0> : tensor<2x390xf32>
  // WHY: :[[#@LINE+1]]:8: fused: swish, residual{{$}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x8x14xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %v = tensor.collapse_shape %c [[0], [1, 2, 3]] : tensor<2x5x6x13xf32> into tensor<2x390xf32>
  %n = arith.negf %v : tensor<2x390xf32>
  %u = math.exp %n : tensor<2x390xf32>
  %a = arith.addf %u, %one : tensor<2x390xf32>
  %s = arith.divf %one, %a : tensor<2x390xf32>
  %b = tensor.expand_shape %s [[0], [1, 2, 3]] output_shape [2, 5, 6, 13] : tensor<2x390xf32> into tensor<2x5x6x13xf32>
  %r = linalg.map ins(%c, %b, %y : tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>, tensor<2x5x6x13xf32>) outs(%o : tensor<2x5x6x13xf32>)
      (%p: f32, %q: f32, %t: f32, %out: f32) {
        %m = arith.mulf %p, %q : f32
        %d = arith.addf %m, %t : f32
        linalg.yield %d : f32
      }
  return %r : tensor<2x5x6x13xf32>
}

// A transpose on the way leaves each element at another place, where rows and columns
// are as many.
// CHECK-LABEL: func @transposed(
// CHECK:         fusion.fused_conv_bias_act ins(
// CHECK:         arith.mulf
func.func @transposed(%x: tensor<2x3x8x7xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x6x6xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x6x6xf32>
  %one = arith.constant dense<1.0> : tensor<10x6x6xf32>
  %o = tensor.empty() : tensor<10x6x6xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; result has 2 users: {{.*}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x8x7xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x6x6xf32>) -> tensor<2x5x6x6xf32>
  %v = tensor.collapse_shape %c [[0, 1], [2], [3]] : tensor<2x5x6x6xf32> into tensor<10x6x6xf32>
  %n = arith.negf %v : tensor<10x6x6xf32>
  %u = math.exp %n : tensor<10x6x6xf32>
  %a = arith.addf %u, %one : tensor<10x6x6xf32>
  %s = arith.divf %one, %a : tensor<10x6x6xf32>
  %t = linalg.transpose ins(%s : tensor<10x6x6xf32>) outs(%o : tensor<10x6x6xf32>) permutation = [0, 2, 1]
  %b = tensor.expand_shape %t [[0, 1], [2], [3]] output_shape [2, 5, 6, 6] : tensor<10x6x6xf32> into tensor<2x5x6x6xf32>
  %r = arith.mulf %c, %b : tensor<2x5x6x6xf32>
  return %r : tensor<2x5x6x6xf32>
}

// The reshaped tensor has another reader.
// CHECK-LABEL: func @reshape_returned(
// CHECK:         fusion.fused_conv_bias_act ins(
// CHECK:         arith.mulf
func.func @reshape_returned(%x: tensor<2x3x8x14xf32>, %w: tensor<5x3x3x2xf32>) -> (tensor<2x5x6x13xf32>, tensor<10x78xf32>) {
  %z = arith.constant dense<0.0> : tensor<2x5x6x13xf32>
  %one = arith.constant dense<1.0> : tensor<10x78xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; result has 2 users: {{.*}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x8x14xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %v = tensor.collapse_shape %c [[0, 1], [2, 3]] : tensor<2x5x6x13xf32> into tensor<10x78xf32>
  %n = arith.negf %v : tensor<10x78xf32>
  %u = math.exp %n : tensor<10x78xf32>
  %a = arith.addf %u, %one : tensor<10x78xf32>
  %s = arith.divf %one, %a : tensor<10x78xf32>
  %b = tensor.expand_shape %s [[0, 1], [2, 3]] output_shape [2, 5, 6, 13] : tensor<10x78xf32> into tensor<2x5x6x13xf32>
  %r = arith.mulf %c, %b : tensor<2x5x6x13xf32>
  return %r, %s : tensor<2x5x6x13xf32>, tensor<10x78xf32>
}

// Sizes that a reshape gives at run time need not be those of the result.
// CHECK-LABEL: func @dynamic(
// CHECK:         fusion.fused_conv_bias_act ins(
// CHECK:         arith.mulf
func.func @dynamic(%x: tensor<2x3x?x14xf32>, %w: tensor<5x3x3x2xf32>, %o: tensor<2x5x?x13xf32>) -> tensor<2x5x?x13xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %i2 = arith.constant 2 : index
  %h = tensor.dim %o, %i2 : tensor<2x5x?x13xf32>
  %z = linalg.fill ins(%zero : f32) outs(%o : tensor<2x5x?x13xf32>) -> tensor<2x5x?x13xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; result has 2 users: {{.*}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x?x14xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x?x13xf32>) -> tensor<2x5x?x13xf32>
  %v = tensor.collapse_shape %c [[0, 1], [2, 3]] : tensor<2x5x?x13xf32> into tensor<10x?xf32>
  %s = linalg.map ins(%v : tensor<10x?xf32>) outs(%v : tensor<10x?xf32>)
      (%p: f32, %out: f32) {
        %n = arith.negf %p : f32
        %u = math.exp %n : f32
        %a = arith.addf %u, %one : f32
        %d = arith.divf %one, %a : f32
        linalg.yield %d : f32
      }
  %b = tensor.expand_shape %s [[0, 1], [2, 3]] output_shape [2, 5, %h, 13] : tensor<10x?xf32> into tensor<2x5x?x13xf32>
  %r = arith.mulf %c, %b : tensor<2x5x?x13xf32>
  return %r : tensor<2x5x?x13xf32>
}

// The product has the shape of the reshape.
// CHECK-LABEL: func @product_reshaped(
// CHECK:         fusion.fused_conv_bias_act ins(
// CHECK:         arith.mulf
func.func @product_reshaped(%x: tensor<2x3x8x14xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<10x78xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x6x13xf32>
  %one = arith.constant dense<1.0> : tensor<2x5x6x13xf32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; result has 2 users: {{.*}}
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x8x14xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x6x13xf32>) -> tensor<2x5x6x13xf32>
  %n = arith.negf %c : tensor<2x5x6x13xf32>
  %u = math.exp %n : tensor<2x5x6x13xf32>
  %a = arith.addf %u, %one : tensor<2x5x6x13xf32>
  %s = arith.divf %one, %a : tensor<2x5x6x13xf32>
  %v = tensor.collapse_shape %c [[0, 1], [2, 3]] : tensor<2x5x6x13xf32> into tensor<10x78xf32>
  %b = tensor.collapse_shape %s [[0, 1], [2, 3]] : tensor<2x5x6x13xf32> into tensor<10x78xf32>
  %r = arith.mulf %v, %b : tensor<10x78xf32>
  return %r : tensor<10x78xf32>
}
