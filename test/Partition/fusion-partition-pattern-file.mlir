// RUN: mlir-pdll -x=mlir -I %fusion_source_dir/include %S/Inputs/partition-patterns.pdll -o %t.pdl.mlir
// RUN: fusion-opt %s --fusion-partition="pattern-file=%t.pdl.mlir" | FileCheck %s
// RUN: fusion-opt %s --fusion-partition="pattern-file=%t.pdl.mlir" --fusion-partition="pattern-file=%t.pdl.mlir" | FileCheck %s
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias,conv2d_bias_gauss:other.gauss pattern-file=%t.pdl.mlir" | FileCheck %s --check-prefix=ORDER
// RUN: fusion-opt %s --fusion-partition="patterns=dnnl,conv2d_bias_gauss,conv2d_then_relu,conv1d_then_tanh,matmul_and_bias,conv_and_anything,conv1d_and_tensor,conv_cubed,matmul_of_matmul pattern-file=%t.pdl.mlir" | FileCheck %s --check-prefix=LAST

// Patterns of a user's own: what each constraint accepts, and beside it one thing
// that it does not.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// A pattern that is named stands where it is named, and may be called otherwise; one
// that is not comes first.
// CHECK-LABEL: func @gauss(
// CHECK-SAME:    %[[X:.*]]: tensor<1x3x9x11xf32>, %[[W:.*]]: tensor<5x3x3x2xf32>, %[[B:.*]]: tensor<5xf32>)
// CHECK-NEXT:    %[[R:.*]] = call @fused_conv2d_bias_gauss(%[[X]], %[[W]], %[[B]])
// CHECK-NEXT:    return %[[R]]
// ORDER-LABEL: func @gauss(
// ORDER:         call @fused_conv2d_bias(
// ORDER:         linalg.square
// LAST-LABEL:  func @gauss(
// LAST:          call @fused_conv2d_bias_square(
// LAST-NOT:      call @fused_conv2d_bias_gauss(
func.func @gauss(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<1x5x7x10xf32> {
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<1x5x7x10xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%v : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %s = linalg.square ins(%c : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %n = linalg.negf ins(%s : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.exp ins(%n : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

// There is no bias.
// CHECK-LABEL: func @gauss_without_bias(
// CHECK-NOT:     call
// CHECK:         return
func.func @gauss_without_bias(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %s = linalg.square ins(%c : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %n = linalg.negf ins(%s : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.exp ins(%n : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

// TVM 65: a value that the composite would compute inside is needed outside.
// CHECK-LABEL: func @gauss_escapes(
// CHECK-NOT:     call
// CHECK:         return
func.func @gauss_escapes(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> (tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) {
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<1x5x7x10xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%v : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %s = linalg.square ins(%c : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %n = linalg.negf ins(%s : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.exp ins(%n : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r, %s : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>
}

// The match of `conv2d_bias` has several ops here, and the padding.
// CHECK-LABEL: func @relu(
// CHECK-SAME:    %[[X:.*]]: tensor<1x3x8x9xf32>, %[[W:.*]]: tensor<5x3x3x2xf32>, %[[B:.*]]: tensor<5xf32>)
// CHECK-NEXT:    %[[R:.*]] = call @fused_conv2d_then_relu(%[[X]], %[[W]], %[[B]])
// CHECK-NEXT:    return %[[R]]
func.func @relu(%x: tensor<1x3x8x9xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<1x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 0, 2] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x3x8x9xf32> to tensor<1x3x9x11xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%p, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<1x5x7x10xf32>) dimensions = [0, 2, 3]
  %s = linalg.add ins(%v, %c : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%s : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.cmpf ugt, %in, %zero : f32
    %1 = arith.select %0, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

// Two read the result of the convolution.
// CHECK-LABEL: func @relu_and_another(
// CHECK-NOT:     call
// CHECK:         return
func.func @relu_and_another(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> (tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.max ins(%c, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %s = linalg.exp ins(%c : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r, %s : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>
}

// max(x, 1) is no relu.
// CHECK-LABEL: func @no_relu(
// CHECK-NOT:     call
// CHECK:         return
func.func @no_relu(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %one = arith.constant dense<1.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.max ins(%c, %one : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

// CHECK-LABEL: func @tanh(
// CHECK-NEXT:    call @fused_conv1d_then_tanh(
// CHECK-NEXT:    return
func.func @tanh(%x: tensor<2x3x9xf32>, %w: tensor<5x3x3xf32>) -> tensor<2x5x7xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7xf32>
  %e = tensor.empty() : tensor<2x5x7xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<2x3x9xf32>, tensor<5x3x3xf32>) outs(%z : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %r = linalg.tanh ins(%c : tensor<2x5x7xf32>) outs(%e : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  return %r : tensor<2x5x7xf32>
}

// Another activation.
// CHECK-LABEL: func @no_tanh(
// CHECK-NOT:     call
// CHECK:         return
func.func @no_tanh(%x: tensor<2x3x9xf32>, %w: tensor<5x3x3xf32>) -> tensor<2x5x7xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7xf32>
  %e = tensor.empty() : tensor<2x5x7xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<2x3x9xf32>, tensor<5x3x3xf32>) outs(%z : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %r = linalg.abs ins(%c : tensor<2x5x7xf32>) outs(%e : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  return %r : tensor<2x5x7xf32>
}

// CHECK-LABEL: func @matmul(
// CHECK-NEXT:    call @fused_matmul_and_bias(
// CHECK-NEXT:    return
func.func @matmul(%x: tensor<5x7xf32>, %w: tensor<7x5xf32>, %b: tensor<5xf32>) -> tensor<5x5xf32> {
  %z = arith.constant dense<0.0> : tensor<5x5xf32>
  %e = tensor.empty() : tensor<5x5xf32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x5xf32>) outs(%z : tensor<5x5xf32>) -> tensor<5x5xf32>
  %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<5x5xf32>) dimensions = [0]
  %r = linalg.sub ins(%c, %v : tensor<5x5xf32>, tensor<5x5xf32>) outs(%e : tensor<5x5xf32>) -> tensor<5x5xf32>
  return %r : tensor<5x5xf32>
}

// It varies along the rows.
// CHECK-LABEL: func @matmul_rows(
// CHECK-NOT:     call
// CHECK:         return
func.func @matmul_rows(%x: tensor<5x7xf32>, %w: tensor<7x5xf32>, %b: tensor<5xf32>) -> tensor<5x5xf32> {
  %z = arith.constant dense<0.0> : tensor<5x5xf32>
  %e = tensor.empty() : tensor<5x5xf32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x5xf32>) outs(%z : tensor<5x5xf32>) -> tensor<5x5xf32>
  %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<5x5xf32>) dimensions = [1]
  %r = linalg.sub ins(%c, %v : tensor<5x5xf32>, tensor<5x5xf32>) outs(%e : tensor<5x5xf32>) -> tensor<5x5xf32>
  return %r : tensor<5x5xf32>
}

// No matrix multiplication.
// CHECK-LABEL: func @no_matmul(
// CHECK-NOT:     call
// CHECK:         return
func.func @no_matmul(%x: tensor<5x5xf32>, %b: tensor<5xf32>) -> tensor<5x5xf32> {
  %e = tensor.empty() : tensor<5x5xf32>
  %c = linalg.exp ins(%x : tensor<5x5xf32>) outs(%e : tensor<5x5xf32>) -> tensor<5x5xf32>
  %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<5x5xf32>) dimensions = [0]
  %r = linalg.sub ins(%c, %v : tensor<5x5xf32>, tensor<5x5xf32>) outs(%e : tensor<5x5xf32>) -> tensor<5x5xf32>
  return %r : tensor<5x5xf32>
}

// CHECK-LABEL: func @product(
// CHECK-NEXT:    call @fused_conv_and_anything(
// CHECK-NEXT:    return
func.func @product(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %y: tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.mul ins(%c, %y : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

// The addend has the size of the result.
// CHECK-LABEL: func @tensor_added(
// CHECK-NEXT:    call @fused_conv1d_and_tensor(
// CHECK-NEXT:    return
func.func @tensor_added(%x: tensor<2x3x9xf32>, %w: tensor<5x3x3xf32>, %y: tensor<2x5x7xf32>) -> tensor<2x5x7xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7xf32>
  %e = tensor.empty() : tensor<2x5x7xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<2x3x9xf32>, tensor<5x3x3xf32>) outs(%z : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %r = linalg.add ins(%c, %y : tensor<2x5x7xf32>, tensor<2x5x7xf32>) outs(%e : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  return %r : tensor<2x5x7xf32>
}

// A convolution in f64 is none that can be raised.
// CHECK-LABEL: func @product_of_f64(
// CHECK-NOT:     call
// CHECK:         return
func.func @product_of_f64(%x: tensor<1x3x9x11xf64>, %w: tensor<5x3x3x2xf64>, %y: tensor<1x5x7x10xf64>) -> tensor<1x5x7x10xf64> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf64>
  %e = tensor.empty() : tensor<1x5x7x10xf64>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf64>, tensor<5x3x3x2xf64>) outs(%z : tensor<1x5x7x10xf64>) -> tensor<1x5x7x10xf64>
  %r = linalg.mul ins(%c, %y : tensor<1x5x7x10xf64>, tensor<1x5x7x10xf64>) outs(%e : tensor<1x5x7x10xf64>) -> tensor<1x5x7x10xf64>
  return %r : tensor<1x5x7x10xf64>
}

// TVM 65: both read the convolution.
// CHECK-LABEL: func @cubed(
// CHECK-NOT:     call
// CHECK:         return
func.func @cubed(%x: tensor<2x3x9xf32>, %w: tensor<5x3x3xf32>) -> tensor<2x5x7xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7xf32>
  %e = tensor.empty() : tensor<2x5x7xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<2x3x9xf32>, tensor<5x3x3xf32>) outs(%z : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %s = linalg.square ins(%c : tensor<2x5x7xf32>) outs(%e : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  %r = linalg.mul ins(%s, %c : tensor<2x5x7xf32>, tensor<2x5x7xf32>) outs(%e : tensor<2x5x7xf32>) -> tensor<2x5x7xf32>
  return %r : tensor<2x5x7xf32>
}

// Nothing here is element-wise.
// CHECK-LABEL: func @two_matmuls(
// CHECK-NOT:     call
// CHECK:         return
func.func @two_matmuls(%x: tensor<4x7xf32>, %w: tensor<7x5xf32>, %u: tensor<5x3xf32>) -> tensor<4x3xf32> {
  %z = arith.constant dense<0.0> : tensor<4x5xf32>
  %y = arith.constant dense<0.0> : tensor<4x3xf32>
  %c = linalg.matmul ins(%x, %w : tensor<4x7xf32>, tensor<7x5xf32>) outs(%z : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r = linalg.matmul ins(%c, %u : tensor<4x5xf32>, tensor<5x3xf32>) outs(%y : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// The operand of the relu is no pattern's result, though one ends in front of it.
// CHECK-LABEL: func @relu_of_abs(
// CHECK-NOT:     call
// CHECK:         return
func.func @relu_of_abs(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<1x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x7x10xf32>
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %s = linalg.abs ins(%c : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %r = linalg.max ins(%s, %z : tensor<1x5x7x10xf32>, tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

// CHECK:      func.func private @fused_conv2d_bias_gauss(%{{.*}} {fusion.role = "input"}, %{{.*}} {fusion.role = "filter"}, %{{.*}} {fusion.role = "bias"}) -> tensor<1x5x7x10xf32> attributes {fusion.composite = "acme.conv2d_bias_gauss", no_inline} {
// CHECK:        linalg.conv_2d_nchw_fchw
// CHECK-NEXT:   linalg.square
// CHECK-NEXT:   linalg.negf
// CHECK-NEXT:   linalg.exp
// CHECK:      func.func private @fused_conv2d_then_relu({{.*}} attributes {fusion.composite = "dnnl.conv2d_then_relu", no_inline} {
// CHECK:        tensor.pad
// CHECK:        linalg.add
// CHECK:      func.func private @fused_conv1d_then_tanh({{.*}} attributes {fusion.composite = "acme.conv1d_then_tanh", no_inline} {
// CHECK:      func.func private @fused_matmul_and_bias({{.*}} attributes {fusion.composite = "acme.matmul_and_bias", no_inline} {
// CHECK:      func.func private @fused_conv_and_anything({{.*}} attributes {fusion.composite = "acme.conv_and_anything", no_inline} {
// CHECK:      func.func private @fused_conv1d_and_tensor(%{{.*}} {fusion.role = "input"}, %{{.*}} {fusion.role = "filter"}, %{{.*}} {fusion.role = "residual"})
