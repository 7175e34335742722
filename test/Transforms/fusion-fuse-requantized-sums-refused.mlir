// RUN: fusion-opt %s --fusion-fuse-requantized-sums -o %t.mlir --remarks-filter='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=remark:
// RUN: FileCheck %s < %t.mlir
// RUN: fusion-opt %s --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN --implicit-check-not=fused:

// Near misses of fusion-fuse-requantized-sums.mlir: each stays a loop, with one reason.

#n = affine_map<(d0, d1) -> (d0, d1)>

// Something else reads the product.
// CHECK-LABEL: func @other_user(
// CHECK:         linalg.generic
func.func @other_user(%x: tensor<5x7xi8>, %y: tensor<5x9xi8>) -> tensor<5x9xi8> {
  %w = arith.constant dense<[[87, -35, 112, 91, -5, -55, 50], [-107, 57, 44, 59, -21, -84, 30], [72, 112, 21, 5, 43, 112, -20], [-50, 32, 14, 71, 94, 36, -58], [57, 127, -120, -77, -87, 23, -15], [32, 39, -81, -71, 67, 48, -81], [34, 56, -117, 125, -7, 123, -70], [-85, -114, 101, -93, -99, -46, 120], [-81, -4, -78, 13, -118, -21, -8]]> : tensor<9x7xi8>
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %f = arith.constant 0.37 : f32
  %g = arith.constant 0.52 : f32
  %o = arith.constant 1.77 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x9xi8>
  // EXPLAIN: :[[#@LINE+1]]:8: partly fused: {{.*}}; ops up to 'linalg.generic' at {{.*}}, which make other integers of 8 bits of the result, stay a loop: the product has other users
  %p = fusion.quantized_matmul_bias_act layouts(mk, nk, mn) {output_zero_point = -5 : i32}
    ins(%x, %w : tensor<5x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}the product has other users
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
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
  } -> tensor<5x9xi8>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}the product has other users
  %t = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%r, %p : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
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
  } -> tensor<5x9xi8>
  return %t : tensor<5x9xi8>
}

// The sum is clamped to less than the type.
// CHECK-LABEL: func @bounds(
// CHECK:         linalg.generic
func.func @bounds(%x: tensor<5x7xi8>, %y: tensor<5x9xi8>) -> tensor<5x9xi8> {
  %w = arith.constant dense<[[-38, -30, 42, 29, -109, 24, -75], [-67, 56, 104, -32, -127, -38, -24], [116, -56, 92, -23, 94, -98, 49], [85, 13, -32, 119, -118, 13, 30], [-50, -103, -52, 12, 4, -41, 116], [21, -52, 118, -37, 82, -94, -20], [-23, 81, 17, 37, 10, -33, -8], [-91, -87, 25, -30, 17, -5, 118], [-77, 120, -93, 28, -104, -38, 83]]> : tensor<9x7xi8>
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %f = arith.constant 0.37 : f32
  %g = arith.constant 0.52 : f32
  %o = arith.constant 1.77 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %low = arith.constant -100.0 : f32
  %e = tensor.empty() : tensor<5x9xi8>
  // EXPLAIN: :[[#@LINE+1]]:8: partly fused: {{.*}}; ops up to 'linalg.generic' at {{.*}}, which make other integers of 8 bits of the result, stay a loop: the sum is clamped to -100 and 127
  %p = fusion.quantized_matmul_bias_act layouts(mk, nk, mn) {output_zero_point = -5 : i32}
    ins(%x, %w : tensor<5x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}the sum is clamped to -100 and 127
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %f : f32
    %2 = arith.sitofp %b : i8 to f32
    %3 = arith.mulf %2, %g : f32
    %4 = arith.addf %1, %3 : f32
    %5 = arith.addf %4, %o : f32
    %6 = math.roundeven %5 : f32
    %7 = arith.maximumf %6, %low : f32
    %8 = arith.minimumf %7, %max : f32
    %9 = arith.fptosi %8 : f32 to i8
    linalg.yield %9 : i8
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// An absolute value is no bound.
// CHECK-LABEL: func @activation(
// CHECK:         linalg.generic
func.func @activation(%x: tensor<5x7xi8>, %y: tensor<5x9xi8>) -> tensor<5x9xi8> {
  %w = arith.constant dense<[[101, 42, -127, -30, -100, -44, 17], [107, 30, 11, -91, -44, 34, 97], [101, 17, -31, -18, -17, 123, -70], [-1, -53, -5, 121, 54, -30, -29], [119, 91, 106, -87, 25, 25, -61], [62, 124, -50, 0, -63, -21, -122], [-46, 114, 124, -49, -2, 110, -54], [-91, -5, -121, -96, 41, 32, 118], [-14, -65, -52, -117, 73, -93, 84]]> : tensor<9x7xi8>
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %f = arith.constant 0.37 : f32
  %g = arith.constant 0.52 : f32
  %o = arith.constant 1.77 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x9xi8>
  // EXPLAIN: :[[#@LINE+1]]:8: partly fused: {{.*}}; ops up to 'linalg.generic' at {{.*}}, which make other integers of 8 bits of the result, stay a loop: 'abs' comes before the sum
  %p = fusion.quantized_matmul_bias_act abs layouts(mk, nk, mn) {output_zero_point = -5 : i32}
    ins(%x, %w : tensor<5x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}'abs' comes before the sum
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
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
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// The result of the product is read as u8.
// CHECK-LABEL: func @other_sign(
// CHECK:         linalg.generic
func.func @other_sign(%x: tensor<5x7xi8>, %y: tensor<5x9xi8>) -> tensor<5x9xi8> {
  %w = arith.constant dense<[[-27, -124, -5, 9, 16, -57, -65], [112, -6, 73, -118, -65, -2, -59], [89, -88, 57, 126, -54, -52, -1], [28, 127, -6, 5, 38, 94, 27], [98, 63, 102, -97, -123, 67, -95], [-51, -55, 9, 54, -41, 30, -52], [60, 8, -121, -9, -38, -35, 47], [63, 81, 24, -94, -118, -127, -63], [14, -11, 48, 107, -100, 100, 48]]> : tensor<9x7xi8>
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %f = arith.constant 0.37 : f32
  %g = arith.constant 0.52 : f32
  %o = arith.constant 1.77 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x9xi8>
  // EXPLAIN: :[[#@LINE+1]]:8: partly fused: {{.*}}; ops up to 'linalg.generic' at {{.*}}, which make other integers of 8 bits of the result, stay a loop: the result of the product is read with the other sign
  %p = fusion.quantized_matmul_bias_act layouts(mk, nk, mn) {output_zero_point = -5 : i32}
    ins(%x, %w : tensor<5x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}the result of the product is read with the other sign
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %0 = arith.uitofp %a : i8 to f32
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
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// The residual is u8, and the result s8.
// CHECK-LABEL: func @residual_sign(
// CHECK:         linalg.generic
func.func @residual_sign(%x: tensor<5x7xi8>, %y: tensor<5x9xi8>) -> tensor<5x9xi8> {
  %w = arith.constant dense<[[12, -79, -124, -18, 72, 79, -18], [25, 20, 49, 54, 117, 34, 39], [-4, 92, 106, 88, -29, -6, -27], [47, 91, 57, -77, 103, -52, -8], [85, 67, -111, -50, 87, -127, 50], [72, -17, 22, -54, 38, 72, -7], [106, -48, -91, -85, -5, 50, 13], [100, 0, 122, -43, 10, -88, -19], [22, 11, 80, -115, -110, 60, -69]]> : tensor<9x7xi8>
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %f = arith.constant 0.37 : f32
  %g = arith.constant 0.52 : f32
  %o = arith.constant 1.77 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x9xi8>
  // EXPLAIN: :[[#@LINE+1]]:8: partly fused: {{.*}}; ops up to 'linalg.generic' at {{.*}}, which make other integers of 8 bits of the result, stay a loop: residual and result have different signs
  %p = fusion.quantized_matmul_bias_act layouts(mk, nk, mn) {output_zero_point = -5 : i32}
    ins(%x, %w : tensor<5x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}residual and result have different signs
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %f : f32
    %2 = arith.uitofp %b : i8 to f32
    %3 = arith.mulf %2, %g : f32
    %4 = arith.addf %1, %3 : f32
    %5 = arith.addf %4, %o : f32
    %6 = math.roundeven %5 : f32
    %7 = arith.maximumf %6, %min : f32
    %8 = arith.minimumf %7, %max : f32
    %9 = arith.fptosi %8 : f32 to i8
    linalg.yield %9 : i8
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// The residual is subtracted.
// CHECK-LABEL: func @subtracted(
// CHECK:         linalg.generic
func.func @subtracted(%x: tensor<5x7xi8>, %y: tensor<5x9xi8>) -> tensor<5x9xi8> {
  %w = arith.constant dense<[[-59, 82, -106, 75, -111, 42, 114], [-121, -42, 57, -18, 123, -110, -24], [52, -3, -115, -96, 88, -96, -71], [30, 38, 84, 116, -99, 55, 102], [-93, 127, -53, 53, 108, -15, -89], [-81, 29, -80, -22, 78, -86, -110], [32, -73, -116, 15, -100, 42, -30], [63, -109, -56, -113, 19, 20, -97], [63, -25, 97, 32, -93, -125, -17]]> : tensor<9x7xi8>
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %f = arith.constant 0.37 : f32
  %g = arith.constant 0.52 : f32
  %o = arith.constant 5.93 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x9xi8>
  // EXPLAIN: :[[#@LINE+1]]:8: partly fused: {{.*}}; ops up to 'linalg.generic' at {{.*}}, which make other integers of 8 bits of the result, stay a loop: the residual is subtracted
  %p = fusion.quantized_matmul_bias_act layouts(mk, nk, mn) {output_zero_point = -5 : i32}
    ins(%x, %w : tensor<5x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}the residual is subtracted
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %f : f32
    %2 = arith.sitofp %b : i8 to f32
    %3 = arith.mulf %2, %g : f32
    %4 = arith.subf %1, %3 : f32
    %5 = arith.addf %4, %o : f32
    %6 = math.roundeven %5 : f32
    %7 = arith.maximumf %6, %min : f32
    %8 = arith.minimumf %7, %max : f32
    %9 = arith.fptosi %8 : f32 to i8
    linalg.yield %9 : i8
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// The product is subtracted.
// CHECK-LABEL: func @from_residual(
// CHECK:         linalg.generic
func.func @from_residual(%x: tensor<5x7xi8>, %y: tensor<5x9xi8>) -> tensor<5x9xi8> {
  %w = arith.constant dense<[[-104, -47, 48, 26, -2, -2, -37], [113, 40, -32, 107, -113, -92, 51], [-52, -89, 18, 34, 46, 2, -53], [106, 114, 15, 13, 31, -71, -60], [-111, 14, -67, -62, 86, 65, -55], [5, 122, -93, 79, -67, 94, -32], [-11, 61, -28, -82, -94, 55, -123], [40, -40, -106, 19, 43, -118, -104], [94, -96, 2, 25, -11, -66, -28]]> : tensor<9x7xi8>
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %f = arith.constant 0.37 : f32
  %g = arith.constant 0.52 : f32
  %o = arith.constant 1.77 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x9xi8>
  // EXPLAIN: :[[#@LINE+1]]:8: partly fused: {{.*}}; ops up to 'linalg.generic' at {{.*}}, which make other integers of 8 bits of the result, stay a loop: the product is subtracted
  %p = fusion.quantized_matmul_bias_act layouts(mk, nk, mn) {output_zero_point = -5 : i32}
    ins(%x, %w : tensor<5x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}the product is subtracted
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%y, %p : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %f : f32
    %2 = arith.sitofp %b : i8 to f32
    %3 = arith.mulf %2, %g : f32
    %4 = arith.subf %1, %3 : f32
    %5 = arith.addf %4, %o : f32
    %6 = math.roundeven %5 : f32
    %7 = arith.maximumf %6, %min : f32
    %8 = arith.minimumf %7, %max : f32
    %9 = arith.fptosi %8 : f32 to i8
    linalg.yield %9 : i8
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// No zero points give this offset, with factors that are multiples of 1/4.
// CHECK-LABEL: func @offset(
// CHECK:         linalg.generic
func.func @offset(%x: tensor<5x7xi8>, %y: tensor<5x9xi8>) -> tensor<5x9xi8> {
  %w = arith.constant dense<[[97, -9, -5, 119, -45, -100, 76], [8, -120, 11, 58, -29, -114, 90], [-89, 114, 116, -18, 47, 76, -70], [64, -98, -106, 122, 106, 43, -2], [83, -73, -92, 52, 32, -31, -37], [86, -67, -53, -42, 111, 30, 53], [-38, 76, -29, -31, -93, 58, 85], [-36, 38, -52, 78, 34, -17, 119], [91, -35, 5, -118, 24, 127, 19]]> : tensor<9x7xi8>
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %f = arith.constant 0.25 : f32
  %g = arith.constant 0.5 : f32
  %o = arith.constant 0.1 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x9xi8>
  // EXPLAIN: :[[#@LINE+1]]:8: partly fused: {{.*}}; ops up to 'linalg.generic' at {{.*}}, which make other integers of 8 bits of the result, stay a loop: no zero points make up for the offset -1.15
  %p = fusion.quantized_matmul_bias_act layouts(mk, nk, mn) {output_zero_point = -5 : i32}
    ins(%x, %w : tensor<5x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}no zero points make up for the offset -1.15
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
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
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// The product has an output scale.
// CHECK-LABEL: func @scaled(
// CHECK:         linalg.generic
func.func @scaled(%x: tensor<5x7xi8>, %y: tensor<5x9xi8>) -> tensor<5x9xi8> {
  %w = arith.constant dense<[[-72, 62, -81, -26, -111, -103, -118], [-119, -80, -76, -77, -117, -2, 100], [112, -4, 42, 67, -38, -127, -18], [-7, -51, 100, 112, 31, 108, -18], [-45, -8, -9, -102, -78, -88, 40], [-87, -109, -32, 95, -29, 95, 98], [-7, -89, 14, -62, -99, -56, 82], [-86, 65, -54, 45, -67, -119, -4], [102, -119, -39, 109, 65, -33, -47]]> : tensor<9x7xi8>
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %f = arith.constant 0.37 : f32
  %g = arith.constant 0.52 : f32
  %o = arith.constant 1.77 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x9xi8>
  // EXPLAIN: :[[#@LINE+1]]:8: partly fused: {{.*}}; ops up to 'linalg.generic' at {{.*}}, which make other integers of 8 bits of the result, stay a loop: the product has an output scale
  %p = fusion.quantized_matmul_bias_act layouts(mk, nk, mn) {output_scale = 0.5 : f32, output_zero_point = -5 : i32}
    ins(%x, %w : tensor<5x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}the product has an output scale
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
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
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// Three tensors are added.
// CHECK-LABEL: func @three(
// CHECK:         linalg.generic
func.func @three(%x: tensor<5x7xi8>, %y: tensor<5x9xi8>, %z: tensor<5x9xi8>) -> tensor<5x9xi8> {
  %w = arith.constant dense<[[113, -112, 49, -122, 45, -11, -7], [90, 115, -88, -97, 74, 44, -44], [-53, -11, 45, -66, 59, 127, -86], [-119, -76, 55, -121, 20, -68, 41], [-107, 31, -25, 106, 122, 53, -34], [47, -48, -80, -8, -35, -55, -110], [60, 127, 56, -8, -86, 71, -66], [-83, 45, -74, 113, -116, 38, 28], [-17, 58, 122, -58, -126, -9, -112]]> : tensor<9x7xi8>
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %f = arith.constant 0.37 : f32
  %g = arith.constant 0.52 : f32
  %o = arith.constant 1.77 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x9xi8>
  // EXPLAIN: :[[#@LINE+1]]:8: partly fused: {{.*}}; ops up to 'linalg.generic' at {{.*}}, which make other integers of 8 bits of the result, stay a loop: it is computed from 3 tensors, expected 2
  %p = fusion.quantized_matmul_bias_act layouts(mk, nk, mn) {output_zero_point = -5 : i32}
    ins(%x, %w : tensor<5x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}it is computed from 3 tensors, expected 2
  %r = linalg.generic {indexing_maps = [#n, #n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y, %z : tensor<5x9xi8>, tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%a: i8, %b: i8, %c: i8, %out: i8):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %f : f32
    %2 = arith.sitofp %b : i8 to f32
    %3 = arith.sitofp %c : i8 to f32
    %4 = arith.addf %1, %2 : f32
    %5 = arith.addf %4, %3 : f32
    %6 = math.roundeven %5 : f32
    %7 = arith.maximumf %6, %min : f32
    %8 = arith.minimumf %7, %max : f32
    %9 = arith.fptosi %8 : f32 to i8
    linalg.yield %9 : i8
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// The product has a residual already.
// CHECK-LABEL: func @residual(
// CHECK:         linalg.generic
func.func @residual(%x: tensor<5x7xi8>, %y: tensor<5x9xi8>) -> tensor<5x9xi8> {
  %w = arith.constant dense<[[-12, 72, 47, -22, -84, -116, -119], [13, 86, 126, 87, 5, 17, -38], [113, -103, 56, -109, -67, 103, 78], [-2, -104, 112, -7, -114, 47, -65], [37, -115, 0, -26, 73, -112, -115], [-62, 86, -23, -13, -49, 36, -114], [97, -118, 116, 121, -78, -82, 51], [3, 36, -24, -79, 9, -68, -106], [110, -47, 75, -100, -105, 11, 125]]> : tensor<9x7xi8>
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %f = arith.constant 0.37 : f32
  %g = arith.constant 0.52 : f32
  %o = arith.constant 1.77 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x9xi8>
  // EXPLAIN: :[[#@LINE+1]]:8: partly fused: {{.*}}; ops up to 'linalg.generic' at {{.*}}, which make other integers of 8 bits of the result, stay a loop: the product has a residual already
  %p = fusion.quantized_matmul_bias_act layouts(mk, nk, mn) {output_zero_point = -5 : i32}
    ins(%x, %w : tensor<5x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) residual(%y : tensor<5x9xi8>)
    outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}the product has a residual already
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%p, %y : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
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
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// One tensor is rescaled.
// CHECK-LABEL: func @one(
// CHECK:         linalg.generic
func.func @one(%x: tensor<5x7xi8>, %y: tensor<5x9xi8>) -> tensor<5x9xi8> {
  %w = arith.constant dense<[[108, -86, 26, -108, 92, 59, -73], [32, -123, -15, 11, -36, -3, -19], [19, 69, -31, 6, 33, -94, 58], [-124, 106, 66, -49, 49, -13, 101], [84, -70, 14, -98, -92, -48, -4], [-105, 72, 70, -60, 82, -24, -47], [-94, -94, 10, -107, -7, -65, 51], [-106, 77, -18, 120, 20, 43, -65], [-57, -112, -1, 52, -64, -115, 53]]> : tensor<9x7xi8>
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %f = arith.constant 0.37 : f32
  %g = arith.constant 0.52 : f32
  %o = arith.constant 1.77 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x9xi8>
  // EXPLAIN: :[[#@LINE+1]]:8: partly fused: {{.*}}; integers are not shifted: integers are scaled, expected a sum with one{{$}}
  %p = fusion.quantized_matmul_bias_act layouts(mk, nk, mn) {output_zero_point = -5 : i32}
    ins(%x, %w : tensor<5x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}it is computed from 1 tensors, expected 2
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%p : tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%a: i8, %out: i8):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %f : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.fptosi %2 : f32 to i8
    linalg.yield %3 : i8
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// The sizes of the product are not those of the sum.
// CHECK-LABEL: func @dynamic(
// CHECK:         linalg.generic
func.func @dynamic(%x: tensor<?x7xi8>, %y: tensor<5x9xi8>, %w: tensor<9x7xi8>, %i: tensor<?x9xi8>, %e: tensor<5x9xi8>) -> tensor<5x9xi8> {
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %f = arith.constant 0.37 : f32
  %g = arith.constant 0.52 : f32
  %o = arith.constant 3.12 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  // EXPLAIN: :[[#@LINE+1]]:8: partly fused: {{.*}}; ops up to 'linalg.generic' at {{.*}}, which make other integers of 8 bits of the result, stay a loop: product and sum have different types
  %p = fusion.quantized_matmul_bias_act layouts(mk, nk, mn) {output_zero_point = -5 : i32}
    ins(%x, %w : tensor<?x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) outs(%i : tensor<?x9xi8>) -> tensor<?x9xi8>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}product and sum have different types
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%y, %p : tensor<5x9xi8>, tensor<?x9xi8>) outs(%e : tensor<5x9xi8>) {
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
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// A factor that 15 bits do not hold, of a large residual.
// CHECK-LABEL: func @coarse(
// CHECK:         linalg.generic
func.func @coarse(%x: tensor<5x7xi8>, %y: tensor<5x9xi8>, %w: tensor<9x7xi8>, %i: tensor<5x9xi8>, %e: tensor<5x9xi8>) -> tensor<5x9xi8> {
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %f = arith.constant 303.03 : f32
  %g = arith.constant 200.0 : f32
  %o = arith.constant 1000.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  // EXPLAIN: :[[#@LINE+1]]:8: partly fused: {{.*}}; ops up to 'linalg.generic' at {{.*}}, which make other integers of 8 bits of the result, stay a loop: the residual's scale of 15 bits moves the sum by up to 6.77
  %p = fusion.quantized_matmul_bias_act layouts(mk, nk, mn) {output_zero_point = -5 : i32}
    ins(%x, %w : tensor<5x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) outs(%i : tensor<5x9xi8>) -> tensor<5x9xi8>
  // REMARK: :[[#@LINE+1]]:8: remark: {{.*}}the residual's scale of 15 bits moves the sum by up to 6.77
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%y, %p : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
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
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}
