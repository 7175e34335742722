// Integers behind the result of an op on integers that stay outside, with the reasons.

// RUN: fusion-opt %s --fusion-fuse-quantized \
// RUN:   --remarks-filter-missed='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s --implicit-check-not='[Missed]'
// RUN: fusion-opt %S/shifted-integers.mlir --fusion-fuse-quantized=quant-rounding=exact \
// RUN:   --remarks-filter-missed='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=EXACT
// EXACT: remark: [Missed] {{.*}}quant-rounding is exact, and 3 is added to a rounded number

#n = affine_map<(d0, d1) -> (d0, d1)>
#m = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// CHECK: remark: [Missed] {{.*}}integers are not shifted: may wrap: 1 is added in
// 127 becomes -128.
func.func @wraps(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %one = arith.constant 1 : i8
  %s = arith.constant 0.004 : f32
  %zo = arith.constant 3.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %ye = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%ye : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %zo : f32
    %4 = arith.maximumf %3, %min : f32
    %5 = arith.minimumf %4, %max : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x6xi8>
  %y = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<5x6xi8>) outs(%ye : tensor<5x6xi8>) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.addi %in, %one : i8
    linalg.yield %0 : i8
  } -> tensor<5x6xi8>
  return %y : tensor<5x6xi8>
}

// CHECK: remark: [Missed] {{.*}}integers are not shifted: a number is read with another sign than it has
// A signed bound of unsigned integers.
func.func @other_sign(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %hi = arith.constant 40 : i8
  %s = arith.constant 0.004 : f32
  %zo = arith.constant 131.0 : f32
  %min = arith.constant 0.0 : f32
  %max = arith.constant 255.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %ye = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%ye : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %zo : f32
    %4 = arith.maximumf %3, %min : f32
    %5 = arith.minimumf %4, %max : f32
    %6 = arith.fptoui %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x6xi8>
  %y = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<5x6xi8>) outs(%ye : tensor<5x6xi8>) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.minsi %in, %hi : i8
    linalg.yield %0 : i8
  } -> tensor<5x6xi8>
  return %y : tensor<5x6xi8>
}

// CHECK: remark: [Missed] {{.*}}unsupported: zero point 203 of the result
// No integer of the result means 0.
func.func @zero_point(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %k = arith.constant 200 : i32
  %lo = arith.constant -128 : i32
  %hi = arith.constant 127 : i32
  %s = arith.constant 0.004 : f32
  %zo = arith.constant 3.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %ye = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%ye : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %zo : f32
    %4 = arith.maximumf %3, %min : f32
    %5 = arith.minimumf %4, %max : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x6xi8>
  %y = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<5x6xi8>) outs(%ye : tensor<5x6xi8>) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.addi %0, %k : i32
    %2 = arith.maxsi %1, %lo : i32
    %3 = arith.minsi %2, %hi : i32
    %4 = arith.trunci %3 : i32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %y : tensor<5x6xi8>
}

// CHECK: remark: [Missed] {{.*}}integers are not shifted: integers are scaled, expected a sum with one
// Twice the integers.
func.func @scaled(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %two = arith.constant 2 : i32
  %hi = arith.constant 127 : i32
  %lo = arith.constant -128 : i32
  %s = arith.constant 0.004 : f32
  %zo = arith.constant 3.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %ye = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%ye : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %zo : f32
    %4 = arith.maximumf %3, %min : f32
    %5 = arith.minimumf %4, %max : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x6xi8>
  %y = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<5x6xi8>) outs(%ye : tensor<5x6xi8>) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.muli %0, %two : i32
    %2 = arith.maxsi %1, %lo : i32
    %3 = arith.minsi %2, %hi : i32
    %4 = arith.trunci %3 : i32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %y : tensor<5x6xi8>
}

// CHECK: remark: [Missed] {{.*}}result has 2 users: 'linalg.generic' at
// The quantised integers are a result, too.
func.func @read_twice(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> (tensor<5x6xi8>, tensor<5x6xi8>) {
  %flip = arith.constant -128 : i8
  %s = arith.constant 0.004 : f32
  %zo = arith.constant 3.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %ye = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%ye : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %zo : f32
    %4 = arith.maximumf %3, %min : f32
    %5 = arith.minimumf %4, %max : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x6xi8>
  %y = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<5x6xi8>) outs(%ye : tensor<5x6xi8>) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.addi %in, %flip : i8
    linalg.yield %0 : i8
  } -> tensor<5x6xi8>
  return %y, %q : tensor<5x6xi8>, tensor<5x6xi8>
}

// CHECK: remark: [Missed] {{.*}}integers are not shifted: unsupported: 'tensor.extract' looks a number up, as in a table
// A table of 256 numbers, as TOSA's functions on integers are lowered to.
func.func @table(%x: tensor<5x7xi8>, %w: tensor<7x9xi8>, %t: tensor<256xi8>, %e: tensor<5x9xi8>) -> tensor<5x9xi8> {
  %c128 = arith.constant 128 : index
  %p = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x9xi8>) outs(%e : tensor<5x9xi8>) -> tensor<5x9xi8>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%p : tensor<5x9xi8>) outs(%e : tensor<5x9xi8>) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.index_cast %in : i8 to index
    %1 = arith.addi %0, %c128 : index
    %2 = tensor.extract %t[%1] : tensor<256xi8>
    linalg.yield %2 : i8
  } -> tensor<5x9xi8>
  return %r : tensor<5x9xi8>
}

// CHECK: remark: [Missed] {{.*}}integers are shifted in another block
func.func @loop(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %z: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %zero = arith.constant 0 : i8
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %s = arith.constant dense<0.004> : tensor<1xf32>
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) scale(%s : tensor<1xf32>) outs(%z : tensor<5x6xi8>) -> tensor<5x6xi8>
  %r = scf.for %i = %c0 to %c3 step %c1 iter_args(%e = %z) -> tensor<5x6xi8> {
    %y = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi8>) outs(%e : tensor<5x6xi8>) {
    ^bb0(%in: i8, %out: i8):
      %0 = arith.maxsi %in, %zero : i8
      linalg.yield %0 : i8
    } -> tensor<5x6xi8>
    scf.yield %y : tensor<5x6xi8>
  }
  return %r : tensor<5x6xi8>
}

// An input that is bounded stays one.
// CHECK-LABEL: func @bounded(
// CHECK:         %[[Y:.*]] = linalg.generic
// CHECK:         fusion.quantized_matmul_bias_act {input_unsigned, input_zero_point = 103 : i32} ins(%[[Y]],
func.func @bounded(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %k = arith.constant 128 : i32
  %lo = arith.constant 3 : i32
  %hi = arith.constant 255 : i32
  %zx = arith.constant 103 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %ye = tensor.empty() : tensor<5x7xi8>
  %y = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ye : tensor<5x7xi8>) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.addi %0, %k : i32
    %2 = arith.maxsi %1, %lo : i32
    %3 = arith.minsi %2, %hi : i32
    %4 = arith.trunci %3 : i32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x7xi8>
  %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]} ins(%y, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<5x6xi32>
  return %c : tensor<5x6xi32>
}
