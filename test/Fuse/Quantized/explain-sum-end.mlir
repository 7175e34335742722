// Ops that alone read a sum of a result of 8 bits and another tensor: one loop is made of them and the sum, which
// then is no part of the product. fusion-explain says so ahead.

// RUN: fusion-opt %s --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: fusion-opt %s --fusion-merge-elementwise --fusion-fuse-requantized-sums | FileCheck %s --check-prefix=COMPILED

#n = affine_map<(d0, d1) -> (d0, d1)>
#all = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#rows = affine_map<(d0, d1, d2) -> (d1, d2)>

// A relu.
// COMPILED-LABEL: func @relu(
// COMPILED:         fusion.quantized_matmul_bias_act ins(
func.func @relu(%x: tensor<5x7xi8>, %w: tensor<7x9xi8>, %y: tensor<5x9xi8>, %e: tensor<5x9xi8>) -> tensor<5x9xi8> {
  %s = arith.constant 0.7 : f32
  %t = arith.constant 0.4 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant -5 : i8
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize, quantize; ops up to 'linalg.generic' at {{.*}}:[[#@LINE+15]]:8, which make other integers of 8 bits of the result, stay a loop: the sum is clamped to -5 and 127{{$}}
  %p = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x9xi8>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%p, %y : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%in: i8, %b: i8, %out: i8):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.sitofp %b : i8 to f32
    %3 = arith.mulf %2, %t : f32
    %4 = arith.addf %1, %3 : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.maximumf %5, %min : f32
    %7 = arith.minimumf %6, %max : f32
    %8 = arith.fptosi %7 : f32 to i8
    linalg.yield %8 : i8
  } -> tensor<5x9xi8>
  %c = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.maxsi %in, %zero : i8
    linalg.yield %0 : i8
  } -> tensor<5x9xi8>
  return %c : tensor<5x9xi8>
}

// Another sum.
// COMPILED-LABEL: func @third(
// COMPILED:         fusion.quantized_matmul_bias_act ins(
func.func @third(%x: tensor<5x7xi8>, %w: tensor<7x9xi8>, %y: tensor<5x9xi8>, %e: tensor<5x9xi8>, %z: tensor<5x9xi8>) -> tensor<5x9xi8> {
  %s = arith.constant 0.7 : f32
  %t = arith.constant 0.4 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant -5 : i8
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize, quantize; ops up to 'linalg.generic' at {{.*}}:[[#@LINE+15]]:8, which make other integers of 8 bits of the result, stay a loop: a rounded number is scaled{{$}}
  %p = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x9xi8>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%p, %y : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%in: i8, %b: i8, %out: i8):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.sitofp %b : i8 to f32
    %3 = arith.mulf %2, %t : f32
    %4 = arith.addf %1, %3 : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.maximumf %5, %min : f32
    %7 = arith.minimumf %6, %max : f32
    %8 = arith.fptosi %7 : f32 to i8
    linalg.yield %8 : i8
  } -> tensor<5x9xi8>
  %c = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%r, %z : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%in: i8, %b: i8, %out: i8):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.sitofp %b : i8 to f32
    %3 = arith.addf %1, %2 : f32
    %4 = math.roundeven %3 : f32
    %5 = arith.maximumf %4, %min : f32
    %6 = arith.minimumf %5, %max : f32
    %7 = arith.fptosi %6 : f32 to i8
    linalg.yield %7 : i8
  } -> tensor<5x9xi8>
  return %c : tensor<5x9xi8>
}

// A dequantisation of the sum.
// COMPILED-LABEL: func @dequantized(
// COMPILED:         fusion.quantized_matmul_bias_act ins(
func.func @dequantized(%x: tensor<5x7xi8>, %w: tensor<7x9xi8>, %y: tensor<5x9xi8>, %e: tensor<5x9xi8>, %f: tensor<5x9xf32>) -> tensor<5x9xf32> {
  %s = arith.constant 0.7 : f32
  %t = arith.constant 0.4 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant -5 : i8
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize, quantize; the loop of the sum that 'linalg.generic' at {{.*}}:[[#@LINE+2]]:8 makes ends with 'linalg.generic' at {{.*}}:[[#@LINE+15]]:8, which makes f32 of it, expected i8{{$}}
  %p = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x9xi8>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%p, %y : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%in: i8, %b: i8, %out: i8):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.sitofp %b : i8 to f32
    %3 = arith.mulf %2, %t : f32
    %4 = arith.addf %1, %3 : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.maximumf %5, %min : f32
    %7 = arith.minimumf %6, %max : f32
    %8 = arith.fptosi %7 : f32 to i8
    linalg.yield %8 : i8
  } -> tensor<5x9xi8>
  %c = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<5x9xi8>) outs(%f : tensor<5x9xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<5x9xf32>
  return %c : tensor<5x9xf32>
}

// The sum is needed by itself.
// COMPILED-LABEL: func @read_twice(
// COMPILED:         fusion.quantized_matmul_bias_act {{.*}}round_activation{{.*}}
func.func @read_twice(%x: tensor<5x7xi8>, %w: tensor<7x9xi8>, %y: tensor<5x9xi8>, %e: tensor<5x9xi8>) -> (tensor<5x9xi8>, tensor<5x9xi8>) {
  %s = arith.constant 0.7 : f32
  %t = arith.constant 0.4 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant -5 : i8
  // CHECK: :[[#@LINE+1]]:8: fused: dequantize, quantize{{$}}
  %p = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x9xi8>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%p, %y : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%in: i8, %b: i8, %out: i8):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.sitofp %b : i8 to f32
    %3 = arith.mulf %2, %t : f32
    %4 = arith.addf %1, %3 : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.maximumf %5, %min : f32
    %7 = arith.minimumf %6, %max : f32
    %8 = arith.fptosi %7 : f32 to i8
    linalg.yield %8 : i8
  } -> tensor<5x9xi8>
  %c = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.maxsi %in, %zero : i8
    linalg.yield %0 : i8
  } -> tensor<5x9xi8>
  return %r, %c : tensor<5x9xi8>, tensor<5x9xi8>
}

// Rounding again for each row would take longer.
// COMPILED-LABEL: func @broadcast(
// COMPILED:         fusion.quantized_matmul_bias_act {{.*}}round_activation{{.*}}
func.func @broadcast(%x: tensor<5x7xi8>, %w: tensor<7x9xi8>, %y: tensor<5x9xi8>, %e: tensor<5x9xi8>, %f: tensor<3x5x9xf32>) -> tensor<3x5x9xf32> {
  %s = arith.constant 0.7 : f32
  %t = arith.constant 0.4 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant -5 : i8
  // CHECK: :[[#@LINE+1]]:8: fused: dequantize, quantize{{$}}
  %p = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x9xi8>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%p, %y : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%in: i8, %b: i8, %out: i8):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.sitofp %b : i8 to f32
    %3 = arith.mulf %2, %t : f32
    %4 = arith.addf %1, %3 : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.maximumf %5, %min : f32
    %7 = arith.minimumf %6, %max : f32
    %8 = arith.fptosi %7 : f32 to i8
    linalg.yield %8 : i8
  } -> tensor<5x9xi8>
  %c = linalg.generic {indexing_maps = [#rows, #all], iterator_types = ["parallel", "parallel", "parallel"]} ins(%r : tensor<5x9xi8>) outs(%f : tensor<3x5x9xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<3x5x9xf32>
  return %c : tensor<3x5x9xf32>
}

// The relu is in another block.
// COMPILED-LABEL: func @other_block(
// COMPILED:         fusion.quantized_matmul_bias_act {{.*}}round_activation{{.*}}
func.func @other_block(%x: tensor<5x7xi8>, %w: tensor<7x9xi8>, %y: tensor<5x9xi8>, %e: tensor<5x9xi8>, %cond: i1) -> tensor<5x9xi8> {
  %s = arith.constant 0.7 : f32
  %t = arith.constant 0.4 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant -5 : i8
  // CHECK: :[[#@LINE+1]]:8: fused: dequantize, quantize{{$}}
  %p = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x9xi8>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%p, %y : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%in: i8, %b: i8, %out: i8):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.sitofp %b : i8 to f32
    %3 = arith.mulf %2, %t : f32
    %4 = arith.addf %1, %3 : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.maximumf %5, %min : f32
    %7 = arith.minimumf %6, %max : f32
    %8 = arith.fptosi %7 : f32 to i8
    linalg.yield %8 : i8
  } -> tensor<5x9xi8>
  %c = scf.if %cond -> tensor<5x9xi8> {
    %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%r : tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
    ^bb0(%in: i8, %out: i8):
      %0 = arith.maxsi %in, %zero : i8
      linalg.yield %0 : i8
    } -> tensor<5x9xi8>
    scf.yield %d : tensor<5x9xi8>
  } else {
    scf.yield %y : tensor<5x9xi8>
  }
  return %c : tensor<5x9xi8>
}

// A sum over rows reads integers.
// COMPILED-LABEL: func @reduced(
// COMPILED:         fusion.quantized_matmul_bias_act {{.*}}round_activation{{.*}}
func.func @reduced(%x: tensor<5x7xi8>, %w: tensor<7x9xi8>, %y: tensor<5x9xi8>, %e: tensor<5x9xi8>, %f: tensor<9xi32>) -> tensor<9xi32> {
  %s = arith.constant 0.7 : f32
  %t = arith.constant 0.4 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant -5 : i8
  // CHECK: :[[#@LINE+1]]:8: fused: dequantize, quantize{{$}}
  %p = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x9xi8>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%p, %y : tensor<5x9xi8>, tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%in: i8, %b: i8, %out: i8):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.sitofp %b : i8 to f32
    %3 = arith.mulf %2, %t : f32
    %4 = arith.addf %1, %3 : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.maximumf %5, %min : f32
    %7 = arith.minimumf %6, %max : f32
    %8 = arith.fptosi %7 : f32 to i8
    linalg.yield %8 : i8
  } -> tensor<5x9xi8>
  %c = linalg.reduce ins(%r : tensor<5x9xi8>) outs(%f : tensor<9xi32>) dimensions = [0]
    (%in: i8, %acc: i32) {
      %0 = arith.extsi %in : i8 to i32
      %1 = arith.addi %0, %acc : i32
      linalg.yield %1 : i32
    }
  return %c : tensor<9xi32>
}
