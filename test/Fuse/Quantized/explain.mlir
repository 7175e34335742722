// RUN: fusion-opt %s --fusion-explain -o /dev/null 2>&1 | FileCheck %s

// Ops on integers have a dequantised input and a quantised result. A sum in i32 is a product
// alone.

// CHECK: :[[#@LINE+2]]:8: fused: matrix multiplication alone
func.func @sum(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi32>) -> tensor<4x5xi32> {
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) outs(%e : tensor<4x5xi32>) -> tensor<4x5xi32>
  return %r : tensor<4x5xi32>
}

// CHECK-NEXT: :[[#@LINE+2]]:8: fused: dequantize{{$}}
func.func @float(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// CHECK-NEXT: :[[#@LINE+2]]:8: fused: dequantize, pad, relu, dequantized residual, quantize
func.func @pad(%x: tensor<1x3x5xi8>, %w: tensor<4x3x2xi8>, %y: tensor<1x4x5xi8>, %e: tensor<1x4x5xi8>) -> tensor<1x4x5xi8> {
  %r = fusion.quantized_conv_bias_act relu pad_high [1] ins(%x, %w : tensor<1x3x5xi8>, tensor<4x3x2xi8>)
         residual_after_activation(%y : tensor<1x4x5xi8>) outs(%e : tensor<1x4x5xi8>) -> tensor<1x4x5xi8>
  return %r : tensor<1x4x5xi8>
}

// CHECK-NEXT: :[[#@LINE+2]]:8: fused: dequantize, quantize
func.func @no_pad(%x: tensor<1x3x6xi8>, %w: tensor<4x3x2xi8>, %e: tensor<1x4x5xi8>) -> tensor<1x4x5xi8> {
  %r = fusion.quantized_conv_bias_act ins(%x, %w : tensor<1x3x6xi8>, tensor<4x3x2xi8>)
         outs(%e : tensor<1x4x5xi8>) -> tensor<1x4x5xi8>
  return %r : tensor<1x4x5xi8>
}

// A reduction of sums is nothing that an op on integers could fold.
// CHECK-NEXT: :[[#@LINE+3]]:8: fused: matrix multiplication alone{{$}}
func.func @reduced(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %e: tensor<4x5xi32>) -> tensor<4xi32> {
  %f = tensor.empty() : tensor<4xi32>
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) outs(%e : tensor<4x5xi32>) -> tensor<4x5xi32>
  %s = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>], iterator_types = ["parallel", "reduction"]}
      ins(%r : tensor<4x5xi32>) outs(%f : tensor<4xi32>) {
  ^bb0(%a: i32, %out: i32):
    %m = arith.maxsi %a, %out : i32
    linalg.yield %m : i32
  } -> tensor<4xi32>
  return %s : tensor<4xi32>
}

// Steps that stay behind a result in f32. A residual, relu or bias is folded.
// CHECK-NEXT: :[[#@LINE+5]]:8: partly fused: dequantize, bias; quant-rounding is exact, and next op 'linalg.elementwise' at {{.*}}:[[#@LINE+6]]:8 may round otherwise as part of the op{{$}}
// CHECK-NEXT: :[[#@LINE+6]]:8: partly fused: dequantize, bias; unsupported: next op 'linalg.mul' at {{.*}}:[[#@LINE+8]]:8 scales the result of an op on integers{{$}}
// CHECK-NEXT: :[[#@LINE+8]]:8: partly fused: dequantize; next op 'linalg.ceil' at {{.*}}:[[#@LINE+9]]:8 neither scales nor adds to the result nor is an activation that is known{{$}}
func.func @steps(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %b: tensor<5xi32>, %f: tensor<5xf32>, %s: tensor<5xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>) {
  %e = tensor.empty() : tensor<4x5xf32>
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) bias(%b : tensor<5xi32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d1)>, affine_map<(d0, d1) -> (d0, d1)>] ins(%c, %f : tensor<4x5xf32>, tensor<5xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %d = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) bias(%b : tensor<5xi32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %st = linalg.broadcast ins(%s : tensor<5xf32>) outs(%e : tensor<4x5xf32>) dimensions = [0]
  %t = linalg.mul ins(%d, %st : tensor<4x5xf32>, tensor<4x5xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %a = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %u = linalg.ceil ins(%a : tensor<4x5xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r, %t, %u : tensor<4x5xf32>, tensor<4x5xf32>, tensor<4x5xf32>
}

// A filter whose dequantisation upstream has computed, as all of its elements are equal.
// CHECK-NEXT: :[[#@LINE+11]]:8: partly fused: matrix multiplication alone; unsupported: 'input' is dequantised, and 'filter' is one number in f32{{$}}
func.func @splat(%x: tensor<4x7xi8>, %e: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %s = arith.constant 0.125 : f32
  %w = arith.constant dense<0.375> : tensor<7x5xf32>
  %ex = tensor.empty() : tensor<4x7xf32>
  %xd = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0, d1)>], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x7xi8>) outs(%ex : tensor<4x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<4x7xf32>
  %r = fusion.fused_matmul_bias_act ins(%xd, %w : tensor<4x7xf32>, tensor<7x5xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}
