// Constant filters of i32, as upstream folds the extension of those of i8.

// RUN: fusion-opt %s --fusion-optimize | FileCheck %s --check-prefix=IR --implicit-check-not='{{linalg.matmul|linalg.generic}}'
// RUN: %python %S/verify-functions.py %s -- --random=0:-128:128 --lsb=0 | FileCheck %s
// CHECK: {{^}}3 functions agree, 3 fused ops

// IR-LABEL: func.func @conv(
// IR-DAG:     %[[W:.*]] = arith.constant dense<{{.*}}> : tensor<4x3x2x3xi8>
// IR:         fusion.quantized_conv_bias_act {{.*}} ins(%{{.*}}, %[[W]] :
func.func @conv(%x: tensor<1x9x8x3xi8>) -> tensor<1x5x8x4xi32> {
  %w = arith.constant dense<[[[[2, 55, -114], [110, -1, -102]], [[-48, -71, 62], [112, -2, 66]], [[-76, -1, -122], [-18, 80, 15]]], [[[-35, 71, -47], [-92, -57, 99]], [[-64, -61, -128], [-126, -21, -18]], [[-44, -43, 20], [32, -27, -24]]], [[[-35, -28, 68], [24, -117, 56]], [[84, -44, -54], [7, -95, 41]], [[26, -127, 45], [-95, 30, 53]]], [[[28, 118, 33], [-34, 118, 113]], [[-38, -99, 3], [-117, 55, 78]], [[-119, 86, 59], [64, -124, 103]]]]> : tensor<4x3x2x3xi32>
  %zx8 = arith.constant 11 : i8
  %zx = arith.constant 11 : i32
  %f = arith.constant dense<0> : tensor<1x5x8x4xi32>
  %p = tensor.pad %x low[0, 1, 0, 0] high[0, 2, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zx8 : i8
  } : tensor<1x9x8x3xi8> to tensor<1x12x9x3xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(n, h, w, f, kh, kw, c) -> (n, h * 2 + kh, w + kw, c)>, affine_map<(n, h, w, f, kh, kw, c) -> (f, kh, kw, c)>, affine_map<(n, h, w, f, kh, kw, c) -> (n, h, w, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%p, %w : tensor<1x12x9x3xi8>, tensor<4x3x2x3xi32>) outs(%f : tensor<1x5x8x4xi32>) {
  ^bb0(%a: i8, %b: i32, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.muli %1, %b : i32
    %3 = arith.addi %acc, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<1x5x8x4xi32>
  return %r : tensor<1x5x8x4xi32>
}

// The filter has a zero point: 200 less 100 is an i8.
// IR-LABEL: func.func @zero_point(
// IR-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[}}100, -100], [-128, 4], [5, -6]]> : tensor<3x2xi8>
// IR:         fusion.quantized_matmul_bias_act {{.*}}ins(%{{.*}}, %[[W]] :
func.func @zero_point(%x: tensor<5x3xi8>) -> tensor<5x2xi32> {
  %w = arith.constant dense<[[200, 0], [-28, 104], [105, 94]]> : tensor<3x2xi32>
  %zw = arith.constant 100 : i32
  %f = arith.constant dense<0> : tensor<5x2xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<5x3xi8>, tensor<3x2xi32>) outs(%f : tensor<5x2xi32>) {
  ^bb0(%a: i8, %b: i32, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.subi %b, %zw : i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %acc, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<5x2xi32>
  return %r : tensor<5x2xi32>
}

// The input is unsigned, and there is a bias.
// IR-LABEL: func.func @unsigned_input(
// IR-DAG:     %[[W:.*]] = arith.constant dense<{{\[\[}}1, -128], [127, 4], [5, -6]]> : tensor<3x2xi8>
// IR:         fusion.quantized_matmul_bias_act {{.*}}ins(%{{.*}}, %[[W]] :
func.func @unsigned_input(%x: tensor<5x3xi8>) -> tensor<5x2xi32> {
  %w = arith.constant dense<[[1, -128], [127, 4], [5, -6]]> : tensor<3x2xi32>
  %f = arith.constant dense<3> : tensor<5x2xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<5x3xi8>, tensor<3x2xi32>) outs(%f : tensor<5x2xi32>) {
  ^bb0(%a: i8, %b: i32, %acc: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.muli %b, %0 : i32
    %2 = arith.addi %1, %acc : i32
    linalg.yield %2 : i32
  } -> tensor<5x2xi32>
  return %r : tensor<5x2xi32>
}
