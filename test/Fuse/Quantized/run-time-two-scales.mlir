// Two scales of a sum that only a call knows: one of both, but for `exact`, where each product rounds.
// ../../Integration/fuse-rescaled.test executes these functions.

// RUN: fusion-opt %s --fusion-fuse-quantized | FileCheck %s --implicit-check-not='arith.mulf %in, %in_0 : f32'
// RUN: fusion-opt %s --fusion-fuse-quantized --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN --implicit-check-not=exact
// RUN: fusion-opt %s --fusion-fuse-quantized=quant-rounding=exact --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXACT

#n = affine_map<(d0, d1) -> (d0, d1)>
#n1 = affine_map<(d0, d1) -> (d1)>
#s = affine_map<(d0, d1) -> ()>

// Both in one op.
// CHECK-LABEL: func @one_op(
// CHECK:         %[[S:.*]] = linalg.mul
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} scale(%[[S]] : tensor<6xf32>) outs({{.*}} : tensor<5x6xf32>)
func.func @one_op(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: tensor<6xf32>, %t: tensor<f32>) -> tensor<5x6xf32> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  // EXPLAIN: :[[#@LINE+2]]:8: fused: dequantize{{$}}
  // EXACT: :[[#@LINE+1]]:8: {{.*}}; quant-rounding is exact, and next op 'linalg.generic' at {{.*}}:[[#@LINE+2]]:8 multiplies the sum by another scale{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n1, #s, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %s, %t : tensor<5x6xi32>, tensor<6xf32>, tensor<f32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %sc: f32, %tc: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %sc : f32
    %2 = arith.mulf %1, %tc : f32
    linalg.yield %2 : f32
  } -> tensor<5x6xf32>
  return %q : tensor<5x6xf32>
}

// Each in an op of its own.
// CHECK-LABEL: func @two_ops(
// CHECK:         %[[S:.*]] = linalg.mul
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} scale(%[[S]] : tensor<6xf32>) outs({{.*}} : tensor<5x6xf32>)
func.func @two_ops(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: tensor<6xf32>, %t: tensor<f32>) -> tensor<5x6xf32> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  // EXPLAIN: :[[#@LINE+2]]:8: fused: dequantize{{$}}
  // EXACT: :[[#@LINE+1]]:8: {{.*}}; quant-rounding is exact, and next op 'linalg.generic' at {{.*}}:[[#@LINE+8]]:8 multiplies the sum by another scale{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %s : tensor<5x6xi32>, tensor<6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %sc: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %sc : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #s, #n], iterator_types = ["parallel", "parallel"]} ins(%q, %t : tensor<5x6xf32>, tensor<f32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %sc: f32, %out: f32):
    %1 = arith.mulf %in, %sc : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// The first one is one number.
// CHECK-LABEL: func @one_number(
// CHECK:         %[[S:.*]] = linalg.mul
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} scale(%[[S]] : tensor<6xf32>) outs({{.*}} : tensor<5x6xf32>)
func.func @one_number(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: tensor<f32>, %t: tensor<6xf32>) -> tensor<5x6xf32> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  // EXPLAIN: :[[#@LINE+2]]:8: fused: dequantize{{$}}
  // EXACT: :[[#@LINE+1]]:8: {{.*}}; quant-rounding is exact, and next op 'linalg.generic' at {{.*}}:[[#@LINE+8]]:8 multiplies the sum by another scale{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #s, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %s : tensor<5x6xi32>, tensor<f32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %sc: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %sc : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%q, %t : tensor<5x6xf32>, tensor<6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %sc: f32, %out: f32):
    %1 = arith.mulf %in, %sc : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// An op that has one.
// CHECK-LABEL: func @given(
// CHECK:         %[[N:.*]] = tensor.extract %{{.*}}[%{{.*}}] : tensor<1xf32>
// CHECK:         %[[V:.*]] = linalg.fill ins(%[[N]] : f32)
// CHECK:         %[[S:.*]] = linalg.mul ins(%[[V]], %{{.*}} : tensor<6xf32>, tensor<6xf32>)
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} scale(%[[S]] : tensor<6xf32>)
func.func @given(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: tensor<1xf32>, %t: tensor<6xf32>) -> tensor<5x6xf32> {
  %e = tensor.empty() : tensor<5x6xf32>
  // EXPLAIN: :[[#@LINE+2]]:8: fused: dequantize{{$}}
  // EXACT: :[[#@LINE+1]]:8: {{.*}}; quant-rounding is exact, and next op 'linalg.generic' at {{.*}}:[[#@LINE+2]]:8 multiplies the sum by another scale{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %t : tensor<5x6xf32>, tensor<6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %sc: f32, %out: f32):
    %0 = arith.mulf %sc, %in : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// In front of a quantisation.
// CHECK-LABEL: func @quantised(
// CHECK:         %[[S:.*]] = linalg.mul
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} scale(%[[S]] : tensor<6xf32>) outs({{.*}} : tensor<5x6xi8>)
func.func @quantised(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: tensor<6xf32>, %t: tensor<f32>) -> tensor<5x6xi8> {
  %lo = arith.constant -128.0 : f32
  %hi = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  // EXPLAIN: :[[#@LINE+2]]:8: fused: dequantize, quantize{{$}}
  // EXACT: :[[#@LINE+1]]:8: {{.*}}; quant-rounding is exact, and next op 'linalg.generic' at {{.*}}:[[#@LINE+2]]:8 multiplies the sum by another scale{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n1, #s, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %s, %t : tensor<5x6xi32>, tensor<6xf32>, tensor<f32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %sc: f32, %tc: f32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %sc : f32
    %2 = arith.mulf %1, %tc : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %lo : f32
    %5 = arith.minimumf %4, %hi : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// A bias comes between.
// CHECK-LABEL: func @bias(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} scale(%{{.*}} : tensor<1xf32>)
// CHECK:         arith.mulf %in_0, %in : f32
func.func @bias(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: tensor<1xf32>, %t: tensor<6xf32>, %b: tensor<6xf32>) -> tensor<5x6xf32> {
  %e = tensor.empty() : tensor<5x6xf32>
  // EXPLAIN: :[[#@LINE+2]]:8: partly fused: {{.*}}; unsupported: next op 'linalg.generic' at {{.*}}:[[#@LINE+3]]:8 scales the result of an op on integers{{$}}
  // EXACT: :[[#@LINE+1]]:8: partly fused: {{.*}}; unsupported: next op 'linalg.generic' at {{.*}}:[[#@LINE+2]]:8 scales the result of an op on integers{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) bias(%b : tensor<6xf32>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %t : tensor<5x6xf32>, tensor<6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %sc: f32, %out: f32):
    %0 = arith.mulf %sc, %in : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// Another tensor comes between.
// CHECK-LABEL: func @residual(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} scale(%{{.*}} : tensor<1xf32>)
// CHECK:         arith.mulf %in_0, %in : f32
func.func @residual(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: tensor<1xf32>, %t: tensor<6xf32>, %b: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %e = tensor.empty() : tensor<5x6xf32>
  // EXPLAIN: :[[#@LINE+2]]:8: partly fused: {{.*}}; unsupported: next op 'linalg.generic' at {{.*}}:[[#@LINE+3]]:8 scales the result of an op on integers{{$}}
  // EXACT: :[[#@LINE+1]]:8: partly fused: {{.*}}; unsupported: next op 'linalg.generic' at {{.*}}:[[#@LINE+2]]:8 scales the result of an op on integers{{$}}
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) scale(%s : tensor<1xf32>) residual(%b : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %t : tensor<5x6xf32>, tensor<6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %sc: f32, %out: f32):
    %0 = arith.mulf %sc, %in : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// A relu comes between.
// CHECK-LABEL: func @activation(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} scale(%{{.*}} : tensor<1xf32>)
// CHECK:         arith.mulf %in_0, %in : f32
func.func @activation(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: tensor<1xf32>, %t: tensor<6xf32>) -> tensor<5x6xf32> {
  %e = tensor.empty() : tensor<5x6xf32>
  // EXPLAIN: :[[#@LINE+2]]:8: partly fused: {{.*}}; 'relu' comes before the scale{{$}}
  // EXACT: :[[#@LINE+1]]:8: partly fused: {{.*}}; 'relu' comes before the scale{{$}}
  %c = fusion.quantized_matmul_bias_act relu ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %t : tensor<5x6xf32>, tensor<6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %sc: f32, %out: f32):
    %0 = arith.mulf %sc, %in : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}
