// RUN: fusion-opt %s --fusion-fuse-requantized-sums | FileCheck %s
// RUN: fusion-opt %s --fusion-fuse-requantized-sums --remarks-filter=fusion -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=remark:

// Sums behind reshapes. Integration/fuse-requantized-sums.test executes them.

#image = affine_map<(n, h, w, c) -> (n, h, w, c)>

// Images of one pixel: the product is a matrix multiplication behind a reshape.
// CHECK-LABEL: func @reshaped(
// CHECK-SAME:      %{{.*}}: tensor<5x7xi8>, %[[Y:.*]]: tensor<5x1x1x9xi8>)
// CHECK-NOT:     linalg.generic
// CHECK:         %[[M:.*]] = tensor.collapse_shape %[[Y]] {{\[\[}}0], [1, 2, 3]] : tensor<5x1x1x9xi8> into tensor<5x9xi8>
// CHECK:         %[[R:.*]] = fusion.quantized_matmul_bias_act {{.*}}round_activation}
// CHECK-SAME:      residual_after_activation(%[[M]]
// CHECK:         %[[V:.*]] = tensor.expand_shape %[[R]] {{\[\[}}0], [1, 2, 3]] output_shape [5, 1, 1, 9]
// CHECK:         return %[[V]]
func.func @reshaped(%x: tensor<5x7xi8>, %y: tensor<5x1x1x9xi8>) -> tensor<5x1x1x9xi8> {
  %w = arith.constant dense<[[-22, -100, -84, -16, -32, -89, -112], [89, -20, -52, -91, -11, 109, 31], [91, -84, 122, 6, -11, 118, -3], [49, 59, -46, -5, -57, -53, -7], [-24, 103, -90, -99, -31, 83, 126], [9, 118, -82, 33, 112, 0, 95], [-41, -81, -105, -2, -58, 4, 73], [13, 95, 1, -35, -111, 74, 76], [71, -36, 50, 23, 42, -119, 67]]> : tensor<9x7xi8>
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %f = arith.constant 0.37 : f32
  %g = arith.constant 0.52 : f32
  %o = arith.constant 1.77 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x9xi8>
  %i = tensor.empty() : tensor<5x1x1x9xi8>
  %p = fusion.quantized_matmul_bias_act layouts(mk, nk, mn) {output_zero_point = -5 : i32}
    ins(%x, %w : tensor<5x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %v = tensor.expand_shape %p [[0], [1, 2, 3]] output_shape [5, 1, 1, 9] : tensor<5x9xi8> into tensor<5x1x1x9xi8>
  %r = linalg.generic {indexing_maps = [#image, #image, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%y, %v : tensor<5x1x1x9xi8>, tensor<5x1x1x9xi8>) outs(%i : tensor<5x1x1x9xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %f : f32
    %2 = arith.sitofp %b : i8 to f32
    %3 = arith.mulf %2, %g : f32
    %4 = arith.addf %1, %3 : f32
    %5 = arith.addf %4, %o : f32
    %6 = math.roundeven %5 : f32
    %7 = arith.maximumf %6, %min : f32
    %8 = arith.minimumf %7, %max : f32
    %9 = arith.fptosi %8 : f32 to i8
    linalg.yield %9 : i8
  } -> tensor<5x1x1x9xi8>
  return %r : tensor<5x1x1x9xi8>
}

// The reshape of a product has another user.
// CHECK-LABEL: func @reshape_read_twice(
// CHECK:         linalg.generic
func.func @reshape_read_twice(%x: tensor<5x7xi8>, %y: tensor<5x1x9xi8>, %w: tensor<9x7xi8>, %i: tensor<5x9xi8>, %e: tensor<5x1x9xi8>) -> (tensor<5x1x9xi8>, tensor<5x1x9xi8>) {
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %f = arith.constant 0.37 : f32
  %g = arith.constant 0.52 : f32
  %o = arith.constant 1.77 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %p = fusion.quantized_matmul_bias_act layouts(mk, nk, mn) {output_zero_point = -5 : i32}
    ins(%x, %w : tensor<5x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) outs(%i : tensor<5x9xi8>) -> tensor<5x9xi8>
  %v = tensor.expand_shape %p [[0, 1], [2]] output_shape [5, 1, 9] : tensor<5x9xi8> into tensor<5x1x9xi8>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}the product has other users
  %r = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%v, %y : tensor<5x1x9xi8>, tensor<5x1x9xi8>) outs(%e : tensor<5x1x9xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %f : f32
    %2 = arith.sitofp %b : i8 to f32
    %3 = arith.mulf %2, %g : f32
    %4 = arith.addf %1, %3 : f32
    %5 = arith.addf %4, %o : f32
    %6 = math.roundeven %5 : f32
    %7 = arith.maximumf %6, %min : f32
    %8 = arith.minimumf %7, %max : f32
    %9 = arith.fptosi %8 : f32 to i8
    linalg.yield %9 : i8
  } -> tensor<5x1x9xi8>
  return %r, %v : tensor<5x1x9xi8>, tensor<5x1x9xi8>
}
