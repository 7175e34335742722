// RUN: fusion-opt %s --fusion-simplify-requantization --canonicalize | FileCheck %s --check-prefixes=CHECK,%llvm
// RUN: fusion-opt %s --fusion-simplify-requantization -o /dev/null --remarks-filter='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s --check-prefix=REMARK --implicit-check-not=remark:

#n = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (0, d1)>
#column = affine_map<(d0, d1) -> (d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>

// A residual as QDQ has it. (x - 121) * 0.0625 / 0.125 + (y + 3) * 0.25 / 0.125, and relu.
// CHECK-LABEL: func @add(
// CHECK-DAG:     %[[HALF:.*]] = arith.constant 5.000000e-01 : f32
// CHECK-DAG:     %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
// CHECK-DAG:     %[[OFFSET:.*]] = arith.constant -5.450000e+01 : f32
// CHECK-DAG:     %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK-DAG:     %[[TOP:.*]] = arith.constant 2.500000e+02 : f32
// CHECK-DAG:     %[[FIVE:.*]] = arith.constant 5 : i32
// CHECK:       ^bb0(%[[X:.*]]: i8, %[[Y:.*]]: i8, %{{.*}}: i8):
// LLVM22-NEXT:   %[[A:.*]] = arith.extui %[[X]] : i8 to i32
// LLVM22-NEXT:   %[[B:.*]] = arith.sitofp %[[A]] : i32 to f32
// LLVM23-NEXT:   %[[B:.*]] = arith.uitofp %[[X]] : i8 to f32
// CHECK-NEXT:    %[[C:.*]] = arith.mulf %[[B]], %[[HALF]] : f32
// CHECK-NEXT:    %[[D:.*]] = arith.addf %[[C]], %[[OFFSET]] : f32
// LLVM22-NEXT:   %[[E:.*]] = arith.extsi %[[Y]] : i8 to i32
// LLVM22-NEXT:   %[[F:.*]] = arith.sitofp %[[E]] : i32 to f32
// LLVM23-NEXT:   %[[F:.*]] = arith.sitofp %[[Y]] : i8 to f32
// CHECK-NEXT:    %[[G:.*]] = arith.mulf %[[F]], %[[TWO]] : f32
// CHECK-NEXT:    %[[H:.*]] = arith.addf %[[G]], %[[D]] : f32
// CHECK-NEXT:    %[[I:.*]] = arith.maximumf %[[H]], %[[ZERO]] fastmath<nnan,nsz> : f32
// CHECK-NEXT:    %[[J:.*]] = arith.minimumf %[[I]], %[[TOP]] fastmath<nnan,nsz> : f32
// CHECK-NEXT:    %[[K:.*]] = math.roundeven %[[J]] : f32
// CHECK-NEXT:    %[[L:.*]] = arith.fptosi %[[K]] : f32 to i32
// CHECK-NEXT:    %[[M:.*]] = arith.addi %[[L]], %[[FIVE]] : i32
// CHECK-NEXT:    %[[N:.*]] = arith.trunci %[[M]] : i32 to i8
// CHECK-NEXT:    linalg.yield %[[N]] : i8
func.func @add(%x: tensor<256x256xi8>, %y: tensor<256x256xi8>) -> tensor<256x256xi8> {
  %zx = arith.constant 121 : i64
  %zy = arith.constant 3 : i32
  %sx = arith.constant 0.0625 : f32
  %sy = arith.constant 0.25 : f32
  %sz = arith.constant 0.125 : f32
  %zero = arith.constant 0.0 : f32
  %five = arith.constant 5.0 : f32
  %max = arith.constant 255.0 : f32
  %e = tensor.empty() : tensor<256x256xi8>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<256x256xi8>, tensor<256x256xi8>) outs(%e : tensor<256x256xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %0 = arith.extui %a : i8 to i64
    %1 = arith.subi %0, %zx : i64
    %2 = arith.sitofp %1 : i64 to f32
    %3 = arith.mulf %2, %sx : f32
    %4 = arith.extsi %b : i8 to i32
    %5 = arith.addi %4, %zy : i32
    %6 = arith.sitofp %5 : i32 to f32
    %7 = arith.mulf %6, %sy : f32
    %8 = arith.addf %3, %7 : f32
    %9 = arith.cmpf ugt, %8, %zero : f32
    %10 = arith.select %9, %8, %zero : f32
    %11 = arith.divf %10, %sz : f32
    %12 = math.roundeven %11 : f32
    %13 = arith.addf %12, %five : f32
    %14 = arith.maximumf %13, %zero : f32
    %15 = arith.minimumf %14, %max : f32
    %16 = arith.fptoui %15 : f32 to i8
    linalg.yield %16 : i8
  } -> tensor<256x256xi8>
  return %r : tensor<256x256xi8>
}

// As TOSA rescales, in one row that is written as such: (x + 3) * 1400780721 * 2^-31, half up.
// CHECK-LABEL: func @rescale(
// CHECK-DAG:     %[[FACTOR:.*]] = arith.constant 0.65228933 : f32
// CHECK-DAG:     %[[OFFSET:.*]] = arith.constant 1.95686805 : f32
// CHECK-NOT:     tosa.apply_scale
// CHECK:         arith.mulf %{{.*}}, %[[FACTOR]] : f32
// CHECK-NEXT:    arith.addf %{{.*}}, %[[OFFSET]] : f32
// CHECK:         math.roundeven
func.func @rescale(%x: tensor<1x256xi8>) -> tensor<1x256xi8> {
  %multiplier = arith.constant 1400780721 : i64
  %half = arith.constant 1073741824 : i64
  %shift = arith.constant 31 : i64
  %three = arith.constant 3 : i32
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %e = tensor.empty() : tensor<1x256xi8>
  %r = linalg.generic {indexing_maps = [#row, #n], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<1x256xi8>) outs(%e : tensor<1x256xi8>) {
  ^bb0(%a: i8, %out: i8):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.addi %0, %three : i32
    %2 = arith.extsi %1 : i32 to i64
    %3 = arith.muli %2, %multiplier : i64
    %4 = arith.addi %3, %half : i64
    %5 = arith.shrsi %4, %shift : i64
    %6 = arith.trunci %5 : i64 to i32
    %7 = arith.maxsi %6, %min : i32
    %8 = arith.minsi %7, %max : i32
    %9 = arith.trunci %8 : i32 to i8
    linalg.yield %9 : i8
  } -> tensor<1x256xi8>
  return %r : tensor<1x256xi8>
}

// REMARK: :[[#@LINE+4]]:8: remark: {{.*}}it does not round to the nearest integer
func.func @truncates(%x: tensor<5x7xi8>) -> tensor<5x7xi8> {
  %s = arith.constant 0.7 : f32
  %e = tensor.empty() : tensor<5x7xi8>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<5x7xi8>) outs(%e : tensor<5x7xi8>) {
  ^bb0(%a: i8, %out: i8):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.fptosi %1 : f32 to i8
    linalg.yield %2 : i8
  } -> tensor<5x7xi8>
  return %r : tensor<5x7xi8>
}

// REMARK: remark: {{.*}}operand 0 has element type f32, expected i8
func.func @float(%x: tensor<5x7xf32>) -> tensor<5x7xi8> {
  %s = arith.constant 0.7 : f32
  %e = tensor.empty() : tensor<5x7xi8>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<5x7xf32>) outs(%e : tensor<5x7xi8>) {
  ^bb0(%a: f32, %out: i8):
    %1 = arith.mulf %a, %s : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.fptosi %2 : f32 to i8
    linalg.yield %3 : i8
  } -> tensor<5x7xi8>
  return %r : tensor<5x7xi8>
}

// REMARK: remark: {{.*}}its constants vary along a dimension
func.func @channels(%x: tensor<5x2xi8>) -> tensor<5x2xi8> {
  %s = arith.constant dense<[0.7, 0.8]> : tensor<2xf32>
  %e = tensor.empty() : tensor<5x2xi8>
  %r = linalg.generic {indexing_maps = [#n, #column, #n], iterator_types = ["parallel", "parallel"]}
      ins(%x, %s : tensor<5x2xi8>, tensor<2xf32>) outs(%e : tensor<5x2xi8>) {
  ^bb0(%a: i8, %f: f32, %out: i8):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %f : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.fptosi %2 : f32 to i8
    linalg.yield %3 : i8
  } -> tensor<5x2xi8>
  return %r : tensor<5x2xi8>
}

// REMARK: remark: {{.*}}f32 does not hold sums up to {{.*}} with a fraction
func.func @large(%x: tensor<5x7xi8>) -> tensor<5x7xi8> {
  %s = arith.constant 513.7 : f32
  %e = tensor.empty() : tensor<5x7xi8>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<5x7xi8>) outs(%e : tensor<5x7xi8>) {
  ^bb0(%a: i8, %out: i8):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.fptosi %2 : f32 to i8
    linalg.yield %3 : i8
  } -> tensor<5x7xi8>
  return %r : tensor<5x7xi8>
}

// REMARK: remark: {{.*}}operand 0 is neither constant nor read element for element
func.func @transposed(%x: tensor<7x5xi8>) -> tensor<5x7xi8> {
  %s = arith.constant 0.7 : f32
  %e = tensor.empty() : tensor<5x7xi8>
  %r = linalg.generic {indexing_maps = [#transposed, #n], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<7x5xi8>) outs(%e : tensor<5x7xi8>) {
  ^bb0(%a: i8, %out: i8):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.fptosi %2 : f32 to i8
    linalg.yield %3 : i8
  } -> tensor<5x7xi8>
  return %r : tensor<5x7xi8>
}

// A copy has nothing to simplify, nor has what leaves integers.
// CHECK-LABEL: func @others(
// CHECK:         arith.maxsi
// CHECK:         arith.sitofp
func.func @others(%x: tensor<5x7xi8>) -> (tensor<5x7xi8>, tensor<5x7xf32>) {
  %zero = arith.constant 0 : i8
  %e = tensor.empty() : tensor<5x7xi8>
  %ef = tensor.empty() : tensor<5x7xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<5x7xi8>) outs(%e : tensor<5x7xi8>) {
  ^bb0(%a: i8, %out: i8):
    %0 = arith.maxsi %a, %zero : i8
    linalg.yield %0 : i8
  } -> tensor<5x7xi8>
  %f = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<5x7xi8>) outs(%ef : tensor<5x7xf32>) {
  ^bb0(%a: i8, %out: f32):
    %0 = arith.sitofp %a : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<5x7xf32>
  return %r, %f : tensor<5x7xi8>, tensor<5x7xf32>
}

// TFLite's sum: both sides in units of 2^-20, and two roundings. All but the last move it by
// less than half a step.
// CHECK-LABEL: func @rescaled_sum(
// CHECK-DAG:     %[[FX:.*]] = arith.constant 0.689178
// CHECK-DAG:     %[[FY:.*]] = arith.constant 1.20606
// CHECK:       ^bb0(
// CHECK-NOT:     i64
// CHECK:         arith.mulf {{.*}}, %[[FX]] : f32
// CHECK:         arith.mulf {{.*}}, %[[FY]] : f32
// CHECK:         math.roundeven
// CHECK-NOT:     i64
// CHECK:         linalg.yield
func.func @rescaled_sum(%x: tensor<256x256xi8>, %y: tensor<256x256xi8>) -> tensor<256x256xi8> {
  %zx = arith.constant -3 : i32
  %zy = arith.constant 5 : i32
  %zz = arith.constant 7 : i32
  %mx = arith.constant 1073741824 : i64
  %my = arith.constant 1879048192 : i64
  %half = arith.constant 1024 : i64
  %shift = arith.constant 11 : i64
  %mz = arith.constant 1480000000 : i64
  %halfz = arith.constant 562949953421312 : i64
  %shiftz = arith.constant 50 : i64
  %up = arith.constant 1073741824 : i64
  %down = arith.constant -1073741824 : i64
  %zero = arith.constant 0 : i32
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %e = tensor.empty() : tensor<256x256xi8>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<256x256xi8>, tensor<256x256xi8>) outs(%e : tensor<256x256xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.extsi %1 : i32 to i64
    %3 = arith.muli %2, %mx : i64
    %4 = arith.addi %3, %half : i64
    %5 = arith.shrsi %4, %shift : i64
    %6 = arith.trunci %5 : i64 to i32
    %7 = arith.extsi %b : i8 to i32
    %8 = arith.subi %7, %zy : i32
    %9 = arith.extsi %8 : i32 to i64
    %10 = arith.muli %9, %my : i64
    %11 = arith.addi %10, %half : i64
    %12 = arith.shrsi %11, %shift : i64
    %13 = arith.trunci %12 : i64 to i32
    %14 = arith.addi %6, %13 : i32
    %15 = arith.extsi %14 : i32 to i64
    %16 = arith.muli %15, %mz : i64
    %17 = arith.addi %16, %halfz : i64
    %18 = arith.cmpi sge, %14, %zero : i32
    %19 = arith.select %18, %up, %down : i64
    %20 = arith.addi %19, %17 : i64
    %21 = arith.shrsi %20, %shiftz : i64
    %22 = arith.trunci %21 : i64 to i32
    %23 = arith.addi %22, %zz : i32
    %24 = arith.maxsi %23, %min : i32
    %25 = arith.minsi %24, %max : i32
    %26 = arith.trunci %25 : i32 to i8
    linalg.yield %26 : i8
  } -> tensor<256x256xi8>
  return %r : tensor<256x256xi8>
}

// In units of a step a rounding counts, and so does a half that has the sign of the sum.
// CHECK-LABEL: func @coarse_sum(
// CHECK:         arith.shrsi
// CHECK:         arith.shrsi
// CHECK:         arith.shrsi
// REMARK: remark: {{.*}}roundings on the way move the sum by up to 8.44
func.func @coarse_sum(%x: tensor<256x256xi8>, %y: tensor<256x256xi8>) -> tensor<256x256xi8> {
  %zx = arith.constant -3 : i32
  %zy = arith.constant 5 : i32
  %zz = arith.constant 7 : i32
  %mx = arith.constant 1073741824 : i64
  %my = arith.constant 1879048192 : i64
  %half = arith.constant 536870912 : i64
  %shift = arith.constant 30 : i64
  %mz = arith.constant 1480000000 : i64
  %halfz = arith.constant 1073741824 : i64
  %shiftz = arith.constant 31 : i64
  %up = arith.constant 1073741824 : i64
  %down = arith.constant -1073741824 : i64
  %zero = arith.constant 0 : i32
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %e = tensor.empty() : tensor<256x256xi8>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<256x256xi8>, tensor<256x256xi8>) outs(%e : tensor<256x256xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.extsi %1 : i32 to i64
    %3 = arith.muli %2, %mx : i64
    %4 = arith.addi %3, %half : i64
    %5 = arith.shrsi %4, %shift : i64
    %6 = arith.trunci %5 : i64 to i32
    %7 = arith.extsi %b : i8 to i32
    %8 = arith.subi %7, %zy : i32
    %9 = arith.extsi %8 : i32 to i64
    %10 = arith.muli %9, %my : i64
    %11 = arith.addi %10, %half : i64
    %12 = arith.shrsi %11, %shift : i64
    %13 = arith.trunci %12 : i64 to i32
    %14 = arith.addi %6, %13 : i32
    %15 = arith.extsi %14 : i32 to i64
    %16 = arith.muli %15, %mz : i64
    %17 = arith.addi %16, %halfz : i64
    %18 = arith.cmpi sge, %14, %zero : i32
    %19 = arith.select %18, %up, %down : i64
    %20 = arith.addi %19, %17 : i64
    %21 = arith.shrsi %20, %shiftz : i64
    %22 = arith.trunci %21 : i64 to i32
    %23 = arith.addi %22, %zz : i32
    %24 = arith.maxsi %23, %min : i32
    %25 = arith.minsi %24, %max : i32
    %26 = arith.trunci %25 : i32 to i8
    linalg.yield %26 : i8
  } -> tensor<256x256xi8>
  return %r : tensor<256x256xi8>
}

// One side saturates at 100 before it is added, which the sum does not.
// CHECK-LABEL: func @saturated_side(
// CHECK-COUNT-3: arith.shrsi
// REMARK: remark: {{.*}}a sum is bounded in parts
func.func @saturated_side(%x: tensor<256x256xi8>, %y: tensor<256x256xi8>) -> tensor<256x256xi8> {
  %zx = arith.constant -3 : i32
  %zy = arith.constant 5 : i32
  %zz = arith.constant 7 : i32
  %mx = arith.constant 1073741824 : i64
  %my = arith.constant 1879048192 : i64
  %half = arith.constant 1024 : i64
  %shift = arith.constant 11 : i64
  %mz = arith.constant 1480000000 : i64
  %halfz = arith.constant 562949953421312 : i64
  %shiftz = arith.constant 50 : i64
  %up = arith.constant 1073741824 : i64
  %down = arith.constant -1073741824 : i64
  %zero = arith.constant 0 : i32
  %most = arith.constant 52428800 : i32
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %e = tensor.empty() : tensor<256x256xi8>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<256x256xi8>, tensor<256x256xi8>) outs(%e : tensor<256x256xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.extsi %1 : i32 to i64
    %3 = arith.muli %2, %mx : i64
    %4 = arith.addi %3, %half : i64
    %5 = arith.shrsi %4, %shift : i64
    %6 = arith.trunci %5 : i64 to i32
    %s = arith.minsi %6, %most : i32
    %7 = arith.extsi %b : i8 to i32
    %8 = arith.subi %7, %zy : i32
    %9 = arith.extsi %8 : i32 to i64
    %10 = arith.muli %9, %my : i64
    %11 = arith.addi %10, %half : i64
    %12 = arith.shrsi %11, %shift : i64
    %13 = arith.trunci %12 : i64 to i32
    %14 = arith.addi %s, %13 : i32
    %15 = arith.extsi %14 : i32 to i64
    %16 = arith.muli %15, %mz : i64
    %17 = arith.addi %16, %halfz : i64
    %18 = arith.cmpi sge, %14, %zero : i32
    %19 = arith.select %18, %up, %down : i64
    %20 = arith.addi %19, %17 : i64
    %21 = arith.shrsi %20, %shiftz : i64
    %22 = arith.trunci %21 : i64 to i32
    %23 = arith.addi %22, %zz : i32
    %24 = arith.maxsi %23, %min : i32
    %25 = arith.minsi %24, %max : i32
    %26 = arith.trunci %25 : i32 to i8
    linalg.yield %26 : i8
  } -> tensor<256x256xi8>
  return %r : tensor<256x256xi8>
}

// StableHLO rounds both sides, and adds integers.
// CHECK-LABEL: func @rounded_sides(
// CHECK-COUNT-1: math.roundeven
// CHECK-NOT:     math.roundeven
// CHECK:         linalg.yield
func.func @rounded_sides(%x: tensor<256x256xi8>, %y: tensor<256x256xi8>) -> tensor<256x256xi8> {
  %f = arith.constant 0.7 : f32
  %of = arith.constant -7.9 : f32
  %g = arith.constant 0.6 : f32
  %og = arith.constant -7.8 : f32
  %three = arith.constant 3 : i32
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %e = tensor.empty() : tensor<256x256xi8>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<256x256xi8>, tensor<256x256xi8>) outs(%e : tensor<256x256xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %f : f32
    %2 = arith.addf %1, %of : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.fptosi %3 : f32 to i32
    %5 = arith.sitofp %b : i8 to f32
    %6 = arith.mulf %5, %g : f32
    %7 = arith.addf %6, %og : f32
    %8 = math.roundeven %7 : f32
    %9 = arith.fptosi %8 : f32 to i32
    %10 = arith.addi %4, %9 : i32
    %11 = arith.addi %10, %three : i32
    %12 = arith.maxsi %11, %min : i32
    %13 = arith.minsi %12, %max : i32
    %14 = arith.trunci %13 : i32 to i8
    linalg.yield %14 : i8
  } -> tensor<256x256xi8>
  return %r : tensor<256x256xi8>
}

// Two such numbers are one more rounding than a result of at most 1 off allows.
// CHECK-LABEL: func @rounded_thrice(
// CHECK-COUNT-2: math.roundeven
// REMARK: remark: {{.*}}roundings on the way move the sum by up to 1.5
func.func @rounded_thrice(%x: tensor<256x256xi8>, %y: tensor<256x256xi8>) -> tensor<256x256xi8> {
  %f = arith.constant 0.7 : f32
  %of = arith.constant -7.9 : f32
  %g = arith.constant 0.6 : f32
  %og = arith.constant -7.8 : f32
  %three = arith.constant 3 : i32
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %e = tensor.empty() : tensor<256x256xi8>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<256x256xi8>, tensor<256x256xi8>) outs(%e : tensor<256x256xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %0 = arith.sitofp %a : i8 to f32
    %1 = arith.mulf %0, %f : f32
    %2 = arith.addf %1, %of : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.fptosi %3 : f32 to i32
    %5 = arith.sitofp %b : i8 to f32
    %6 = arith.mulf %5, %g : f32
    %7 = arith.addf %6, %og : f32
    %8 = math.roundeven %7 : f32
    %9 = arith.fptosi %8 : f32 to i32
    %10 = arith.addi %4, %4 : i32
    %11 = arith.addi %10, %9 : i32
    %12 = arith.maxsi %11, %min : i32
    %13 = arith.minsi %12, %max : i32
    %14 = arith.trunci %13 : i32 to i8
    linalg.yield %14 : i8
  } -> tensor<256x256xi8>
  return %r : tensor<256x256xi8>
}

// CHECK-LABEL: func @integers(
// CHECK-NOT:     math.roundeven
// REMARK: remark: {{.*}}it rounds nothing
func.func @integers(%x: tensor<256x256xi8>, %y: tensor<256x256xi8>) -> tensor<256x256xi8> {
  %three = arith.constant 3 : i32
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %e = tensor.empty() : tensor<256x256xi8>
  %r = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<256x256xi8>, tensor<256x256xi8>) outs(%e : tensor<256x256xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %4 = arith.extsi %a : i8 to i32
    %9 = arith.extsi %b : i8 to i32
    %10 = arith.addi %4, %9 : i32
    %11 = arith.addi %10, %three : i32
    %12 = arith.maxsi %11, %min : i32
    %13 = arith.minsi %12, %max : i32
    %14 = arith.trunci %13 : i32 to i8
    linalg.yield %14 : i8
  } -> tensor<256x256xi8>
  return %r : tensor<256x256xi8>
}
