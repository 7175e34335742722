// Of a factor behind a sum only powers of two keep each bit, and with quant-rounding=exact no others
// become part of the op. Integration/fuse-dequantized.test executes it.

// RUN: fusion-opt %s --fusion-fuse-quantized=quant-rounding=exact --fusion-explain -o %t.mlir 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: fusion-opt %s --fusion-fuse-quantized --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=NEAREST

// NEAREST-COUNT-2: : fused: dequantize, dequantized residual, quantize{{$}}
// NEAREST-COUNT-2: : fused: dequantize, dequantized residual{{$}}

#n = affine_map<(d0, d1) -> (d0, d1)>

// EXPLAIN: : fused: dequantize, dequantized residual, quantize{{$}}
// CHECK-LABEL: func @result(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} -> tensor<5x6xi8>
// CHECK-NOT:     linalg.generic
func.func @result(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %scale = arith.constant dense<0.0071> : tensor<1xf32>
  %factor = arith.constant 0.25 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) scale(%scale : tensor<1xf32>) residual(%y : tensor<5x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %factor : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %min : f32
    %3 = arith.minimumf %2, %max : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// EXPLAIN: : partly fused: dequantize, dequantized residual; quant-rounding is exact, and the scale 3.000000e-01 is no power of two{{$}}
// CHECK-LABEL: func @result_no_power(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} -> tensor<5x6xf32>
// CHECK:         linalg.generic
func.func @result_no_power(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %scale = arith.constant dense<0.0071> : tensor<1xf32>
  %factor = arith.constant 0.3 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) scale(%scale : tensor<1xf32>) residual(%y : tensor<5x6xi8>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %factor : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %min : f32
    %3 = arith.minimumf %2, %max : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// EXPLAIN: : fused: dequantize, dequantized residual{{$}}
// CHECK-LABEL: func @residual(
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.quantized_matmul_bias_act {{.*}}residual_scale = 2.500000e-01 : f32{{.*}} residual(%{{.*}} : tensor<5x6xi8>)
func.func @residual(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xf32> {
  %scale = arith.constant dense<0.0071> : tensor<1xf32>
  %factor = arith.constant 0.25 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %yd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x6xi8>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %factor : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) scale(%scale : tensor<1xf32>) residual(%yd : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %c : tensor<5x6xf32>
}

// EXPLAIN: : partly fused: dequantize, residual; quant-rounding is exact, and the scale of the residual is no power of two{{$}}
// CHECK-LABEL: func @residual_no_power(
// CHECK:         linalg.generic
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} residual(%{{.*}} : tensor<5x6xf32>)
func.func @residual_no_power(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xf32> {
  %scale = arith.constant dense<0.0071> : tensor<1xf32>
  %factor = arith.constant 0.3 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %yd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x6xi8>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %factor : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) scale(%scale : tensor<1xf32>) residual(%yd : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %c : tensor<5x6xf32>
}
