// Both sides of a sum are rescaled to 8 bits by ops of their own, as StableHLO writes it. fusion-compile makes one op of
// all steps of the sum, and fusion-explain says so ahead of it. ../Integration/fuse-requantized-sums.test executes the functions.

// RUN: fusion-opt %s --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN --implicit-check-not=fused:
// RUN: fusion-opt %s --fusion-optimize --fusion-merge-elementwise --fusion-combine-scales --fusion-fuse-requantized-sums | FileCheck %s

#n = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @sides(
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} residual_scale = {{0.692.*}}, round_activation}
// CHECK-NOT:     linalg.generic
func.func @sides(%x: tensor<5x7xi8>, %y: tensor<5x9xi8>) -> tensor<5x9xi8> {
  %w = arith.constant dense<[[108, -86, 26, -108, 92, 59, -73], [32, -123, -15, 11, -36, -3, -19], [19, 69, -31, 6, 33, -94, 58], [-124, 106, 66, -49, 49, -13, 101], [84, -70, 14, -98, -92, -48, -4], [-105, 72, 70, -60, 82, -24, -47], [-94, -94, 10, -107, -7, -65, 51], [-106, 77, -18, 120, 20, 43, -65], [-57, -112, -1, 52, -64, -115, 53]]> : tensor<9x7xi8>
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %sl = arith.constant 0.91 : f32
  %sr = arith.constant 0.63 : f32
  %zl = arith.constant -6.37 : f32
  %zr = arith.constant -1.89 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zo = arith.constant -5 : i32
  %least = arith.constant -128 : i32
  %greatest = arith.constant 127 : i32
  %e = tensor.empty() : tensor<5x9xi8>
  // EXPLAIN: :[[#@LINE+1]]:8: fused: dequantize, zero point, quantize{{$}}
  %p = fusion.quantized_matmul_bias_act layouts(mk, nk, mn) {output_zero_point = 7 : i32}
    ins(%x, %w : tensor<5x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %l = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%a: i8, %out: i8):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %sl : f32
    %2 = arith.addf %1, %zl : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x9xi8>
  %k = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%a: i8, %out: i8):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %sr : f32
    %2 = arith.addf %1, %zr : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x9xi8>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%l, %k : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.addi %0, %1 : i32
    %3 = arith.addi %2, %zo : i32
    %4 = arith.maxsi %3, %least : i32
    %5 = arith.minsi %4, %greatest : i32
    %6 = arith.trunci %5 : i32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// The sum is bounded.
// CHECK-LABEL: func @bounded(
// CHECK:         linalg.generic
func.func @bounded(%x: tensor<5x7xi8>, %y: tensor<5x9xi8>) -> tensor<5x9xi8> {
  %w = arith.constant dense<[[108, -86, 26, -108, 92, 59, -73], [32, -123, -15, 11, -36, -3, -19], [19, 69, -31, 6, 33, -94, 58], [-124, 106, 66, -49, 49, -13, 101], [84, -70, 14, -98, -92, -48, -4], [-105, 72, 70, -60, 82, -24, -47], [-94, -94, 10, -107, -7, -65, 51], [-106, 77, -18, 120, 20, 43, -65], [-57, -112, -1, 52, -64, -115, 53]]> : tensor<9x7xi8>
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %sl = arith.constant 0.91 : f32
  %sr = arith.constant 0.63 : f32
  %zl = arith.constant -6.37 : f32
  %zr = arith.constant -1.89 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zo = arith.constant -5 : i32
  %least = arith.constant -5 : i32
  %greatest = arith.constant 127 : i32
  %e = tensor.empty() : tensor<5x9xi8>
  // EXPLAIN: :[[#@LINE+1]]:8: partly fused: {{.*}}; ops up to 'linalg.generic' at {{.*}}:[[#@LINE+25]]:8, which make other integers of 8 bits of the result, stay a loop: the sum is clamped to -5 and 127{{$}}
  %p = fusion.quantized_matmul_bias_act layouts(mk, nk, mn) {output_zero_point = 7 : i32}
    ins(%x, %w : tensor<5x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %l = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%a: i8, %out: i8):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %sl : f32
    %2 = arith.addf %1, %zl : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x9xi8>
  %k = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%a: i8, %out: i8):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %sr : f32
    %2 = arith.addf %1, %zr : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x9xi8>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%l, %k : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %b : i8 to i32
    %2 = arith.addi %0, %1 : i32
    %3 = arith.addi %2, %zo : i32
    %4 = arith.maxsi %3, %least : i32
    %5 = arith.minsi %4, %greatest : i32
    %6 = arith.trunci %5 : i32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// In another block.
// CHECK-LABEL: func @other_block(
// CHECK:         linalg.generic
func.func @other_block(%x: tensor<5x7xi8>, %y: tensor<5x9xi8>, %c: i1) -> tensor<5x9xi8> {
  %w = arith.constant dense<[[108, -86, 26, -108, 92, 59, -73], [32, -123, -15, 11, -36, -3, -19], [19, 69, -31, 6, 33, -94, 58], [-124, 106, 66, -49, 49, -13, 101], [84, -70, 14, -98, -92, -48, -4], [-105, 72, 70, -60, 82, -24, -47], [-94, -94, 10, -107, -7, -65, 51], [-106, 77, -18, 120, 20, 43, -65], [-57, -112, -1, 52, -64, -115, 53]]> : tensor<9x7xi8>
  %s = arith.constant dense<0.0093> : tensor<1xf32>
  %sl = arith.constant 0.91 : f32
  %sr = arith.constant 0.63 : f32
  %zl = arith.constant -6.37 : f32
  %zr = arith.constant -1.89 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zo = arith.constant -5 : i32
  %least = arith.constant -128 : i32
  %greatest = arith.constant 127 : i32
  %e = tensor.empty() : tensor<5x9xi8>
  // EXPLAIN: :[[#@LINE+1]]:8: partly fused: {{.*}}; integers are not shifted: integers are scaled, expected a sum with one{{$}}
  %p = fusion.quantized_matmul_bias_act layouts(mk, nk, mn) {output_zero_point = 7 : i32}
    ins(%x, %w : tensor<5x7xi8>, tensor<9x7xi8>) scale(%s : tensor<1xf32>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %l = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%a: i8, %out: i8):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %sl : f32
    %2 = arith.addf %1, %zl : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x9xi8>
  %k = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%a: i8, %out: i8):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %sr : f32
    %2 = arith.addf %1, %zr : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x9xi8>
  %r = scf.if %c -> tensor<5x9xi8> {
    %t = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%l, %k : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
    ^bb0(%a: i8, %b: i8, %out: i8):
      %0 = arith.extsi %a : i8 to i32
      %1 = arith.extsi %b : i8 to i32
      %2 = arith.addi %0, %1 : i32
      %3 = arith.addi %2, %zo : i32
      %4 = arith.maxsi %3, %least : i32
      %5 = arith.minsi %4, %greatest : i32
      %6 = arith.trunci %5 : i32 to i8
      linalg.yield %6 : i8
    } -> tensor<5x9xi8>
    scf.yield %t : tensor<5x9xi8>
  } else {
    scf.yield %y : tensor<5x9xi8>
  }
  return %r : tensor<5x9xi8>
}
