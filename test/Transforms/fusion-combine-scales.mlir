// RUN: fusion-opt %s --fusion-combine-scales | FileCheck %s

// A chain of additions and multiplications by constants along one dimension reads
// two constants. Integration/combine-scales.test runs all of it.

#all = affine_map<(n, h, w, c) -> (n, h, w, c)>
#c = affine_map<(n, h, w, c) -> (c)>
#w = affine_map<(n, h, w, c) -> (w)>
#c111 = affine_map<(n, c, h, w) -> (0, c, 0, 0)>
!x = tensor<2x4x5x3xf32>

// The factors are 3/2, 1/4 and -1/0.5, the addends beta less mean times factor.
// CHECK-DAG: #[[$ALL:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[$LAST:.*]] = affine_map<(d0, d1, d2, d3) -> (d3)>
// CHECK-DAG: #[[$SECOND:.*]] = affine_map<(d0, d1, d2, d3) -> (d1)>
// CHECK-LABEL: func.func @batch_norm(
// CHECK-SAME:    %[[X:.*]]: tensor
// CHECK-DAG:     %[[FACTOR:.*]] = arith.constant dense<[1.500000e+00, 2.500000e-01, -2.000000e+00]> : tensor<3xf32>
// CHECK-DAG:     %[[ADDEND:.*]] = arith.constant dense<[-1.000000e+00, -5.000000e-01, 1.300000e+01]> : tensor<3xf32>
// CHECK:         linalg.generic {indexing_maps = [#[[$ALL]], #[[$LAST]], #[[$LAST]], #[[$ALL]]]
// CHECK-SAME:      ins(%[[X]], %[[FACTOR]], %[[ADDEND]] :
// CHECK-NEXT:    ^bb0(%[[IN:.*]]: f32, %[[F:.*]]: f32, %[[A:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT:      %[[PRODUCT:.*]] = arith.mulf %[[IN]], %[[F]] : f32
// CHECK-NEXT:      %[[SUM:.*]] = arith.addf %[[PRODUCT]], %[[A]] : f32
// CHECK-NEXT:      %[[RELU:.*]] = arith.maximumf %[[SUM]], %{{.*}} : f32
// CHECK-NEXT:      linalg.yield %[[RELU]]
func.func @batch_norm(%x: !x) -> !x {
  %zero = arith.constant 0.0 : f32
  %mean = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %deviation = arith.constant dense<[2.0, 4.0, 0.5]> : tensor<3xf32>
  %gamma = arith.constant dense<[3.0, 1.0, -1.0]> : tensor<3xf32>
  %beta = arith.constant dense<[0.5, 0.0, 7.0]> : tensor<3xf32>
  %e = tensor.empty() : !x
  %y = linalg.generic {indexing_maps = [#all, #c, #c, #c, #c, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%x, %mean, %deviation, %gamma, %beta : !x, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : !x) {
  ^bb0(%in: f32, %m: f32, %d: f32, %g: f32, %b: f32, %out: f32):
    %0 = arith.subf %in, %m : f32
    %1 = arith.divf %0, %d : f32
    %2 = arith.mulf %1, %g : f32
    %3 = arith.addf %2, %b : f32
    %4 = arith.maximumf %3, %zero : f32
    linalg.yield %4 : f32
  } -> !x
  return %y : !x
}

// The channel comes second. The square root is a vector that another op computes, and
// the value is subtracted: the factors are -3/2, -1/4 and 1/4.
// CHECK-LABEL: func.func @channels_first(
// CHECK-DAG:     %[[FACTOR:.*]] = arith.constant dense<[-1.500000e+00, -2.500000e-01, 2.500000e-01]> : tensor<3xf32>
// CHECK-DAG:     %[[ADDEND:.*]] = arith.constant dense<[1.250000e+00, 5.937500e-01, 1.875000e-01]> : tensor<3xf32>
// CHECK:         linalg.generic {indexing_maps = [#[[$ALL]], #[[$SECOND]], #[[$SECOND]], #[[$ALL]]]
// CHECK-SAME:      ins(%{{.*}}, %[[FACTOR]], %[[ADDEND]] :
func.func @channels_first(%x: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %eighth = arith.constant 0.125 : f32
  %variance = arith.constant dense<[[[[0.25]], [[1.0]], [[4.0]]]]> : tensor<1x3x1x1xf32>
  %mean = arith.constant dense<[[[[0.875]], [[2.0]], [[-0.875]]]]> : tensor<1x3x1x1xf32>
  %gamma = arith.constant dense<[[[[0.75]], [[0.25]], [[-0.5]]]]> : tensor<1x3x1x1xf32>
  %beta = arith.constant dense<[[[[-0.25]], [[0.0625]], [[0.0]]]]> : tensor<1x3x1x1xf32>
  %v = tensor.empty() : tensor<1x3x1x1xf32>
  %root = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%variance : tensor<1x3x1x1xf32>) outs(%v : tensor<1x3x1x1xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.rsqrt %in : f32
    linalg.yield %0 : f32
  } -> tensor<1x3x1x1xf32>
  %e = tensor.empty() : tensor<2x3x4x5xf32>
  %y = linalg.generic {indexing_maps = [#all, #c111, #c111, #c111, #c111, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%x, %mean, %root, %gamma, %beta : tensor<2x3x4x5xf32>, tensor<1x3x1x1xf32>, tensor<1x3x1x1xf32>, tensor<1x3x1x1xf32>, tensor<1x3x1x1xf32>) outs(%e : tensor<2x3x4x5xf32>) {
  ^bb0(%in: f32, %m: f32, %r: f32, %g: f32, %b: f32, %out: f32):
    %0 = arith.addf %m, %eighth : f32
    %1 = arith.subf %0, %in : f32
    %2 = arith.mulf %g, %r : f32
    %3 = arith.mulf %2, %1 : f32
    %4 = arith.addf %b, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<2x3x4x5xf32>
  return %y : tensor<2x3x4x5xf32>
}

// A deviation of 0 has no factor: its quotients are infinite.
// CHECK-LABEL: func.func @zero_deviation(
// CHECK:         arith.subf
// CHECK-NEXT:    arith.divf
// CHECK-NEXT:    arith.addf
func.func @zero_deviation(%x: !x) -> !x {
  %mean = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %deviation = arith.constant dense<[2.0, 0.0, 0.5]> : tensor<3xf32>
  %beta = arith.constant dense<[0.5, 0.0, 7.0]> : tensor<3xf32>
  %low = arith.constant -9.0 : f32
  %high = arith.constant 9.0 : f32
  %e = tensor.empty() : !x
  %y = linalg.generic {indexing_maps = [#all, #c, #c, #c, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%x, %mean, %deviation, %beta : !x, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : !x) {
  ^bb0(%in: f32, %m: f32, %d: f32, %b: f32, %out: f32):
    %0 = arith.subf %in, %m : f32
    %1 = arith.divf %0, %d : f32
    %2 = arith.addf %1, %b : f32
    %3 = arith.maximumf %2, %low : f32
    %4 = arith.minimumf %3, %high : f32
    linalg.yield %4 : f32
  } -> !x
  return %y : !x
}

// Two constants are as few.
// CHECK-LABEL: func.func @two_constants(
// CHECK:         arith.subf
// CHECK-NEXT:    arith.mulf
func.func @two_constants(%x: !x) -> !x {
  %mean = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %gamma = arith.constant dense<[3.0, 1.0, -1.0]> : tensor<3xf32>
  %e = tensor.empty() : !x
  %y = linalg.generic {indexing_maps = [#all, #c, #c, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%x, %mean, %gamma : !x, tensor<3xf32>, tensor<3xf32>) outs(%e : !x) {
  ^bb0(%in: f32, %m: f32, %g: f32, %out: f32):
    %0 = arith.subf %in, %m : f32
    %1 = arith.mulf %0, %g : f32
    linalg.yield %1 : f32
  } -> !x
  return %y : !x
}

// A value in between is read again.
// CHECK-LABEL: func.func @read_again(
// CHECK:         arith.subf
// CHECK-NEXT:    arith.mulf
// CHECK-NEXT:    arith.addf
// CHECK-NEXT:    arith.maximumf
func.func @read_again(%x: !x) -> !x {
  %mean = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %gamma = arith.constant dense<[3.0, 1.0, -1.0]> : tensor<3xf32>
  %beta = arith.constant dense<[0.5, 0.0, 7.0]> : tensor<3xf32>
  %e = tensor.empty() : !x
  %y = linalg.generic {indexing_maps = [#all, #c, #c, #c, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%x, %mean, %gamma, %beta : !x, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : !x) {
  ^bb0(%in: f32, %m: f32, %g: f32, %b: f32, %out: f32):
    %0 = arith.subf %in, %m : f32
    %1 = arith.mulf %0, %g : f32
    %2 = arith.addf %1, %b : f32
    %3 = arith.maximumf %2, %1 : f32
    linalg.yield %3 : f32
  } -> !x
  return %y : !x
}

// The constants vary along two dimensions.
// CHECK-LABEL: func.func @two_dimensions(
// CHECK:         arith.subf
// CHECK-NEXT:    arith.mulf
// CHECK-NEXT:    arith.addf
func.func @two_dimensions(%x: !x) -> !x {
  %mean = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %gamma = arith.constant dense<[3.0, 1.0, -1.0, 2.0, 5.0]> : tensor<5xf32>
  %beta = arith.constant dense<[0.5, 0.0, 7.0]> : tensor<3xf32>
  %e = tensor.empty() : !x
  %y = linalg.generic {indexing_maps = [#all, #c, #w, #c, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%x, %mean, %gamma, %beta : !x, tensor<3xf32>, tensor<5xf32>, tensor<3xf32>) outs(%e : !x) {
  ^bb0(%in: f32, %m: f32, %g: f32, %b: f32, %out: f32):
    %0 = arith.subf %in, %m : f32
    %1 = arith.mulf %0, %g : f32
    %2 = arith.addf %1, %b : f32
    linalg.yield %2 : f32
  } -> !x
  return %y : !x
}

// A vector is an argument.
// CHECK-LABEL: func.func @argument(
// CHECK:         arith.subf
// CHECK-NEXT:    arith.mulf
// CHECK-NEXT:    arith.addf
func.func @argument(%x: !x, %gamma: tensor<3xf32>) -> !x {
  %mean = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xf32>
  %beta = arith.constant dense<[0.5, 0.0, 7.0]> : tensor<3xf32>
  %e = tensor.empty() : !x
  %y = linalg.generic {indexing_maps = [#all, #c, #c, #c, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%x, %mean, %gamma, %beta : !x, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : !x) {
  ^bb0(%in: f32, %m: f32, %g: f32, %b: f32, %out: f32):
    %0 = arith.subf %in, %m : f32
    %1 = arith.mulf %0, %g : f32
    %2 = arith.addf %1, %b : f32
    linalg.yield %2 : f32
  } -> !x
  return %y : !x
}

// The value is a divisor.
// CHECK-LABEL: func.func @divisor(
// CHECK:         arith.addf
// CHECK-NEXT:    arith.divf
// CHECK-NEXT:    arith.addf
func.func @divisor(%x: !x) -> !x {
  %mean = arith.constant dense<[4.0, 5.0, 6.0]> : tensor<3xf32>
  %gamma = arith.constant dense<[3.0, 1.0, -1.0]> : tensor<3xf32>
  %beta = arith.constant dense<[0.5, 0.0, 7.0]> : tensor<3xf32>
  %e = tensor.empty() : !x
  %y = linalg.generic {indexing_maps = [#all, #c, #c, #c, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%x, %mean, %gamma, %beta : !x, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) outs(%e : !x) {
  ^bb0(%in: f32, %m: f32, %g: f32, %b: f32, %out: f32):
    %0 = arith.addf %in, %m : f32
    %1 = arith.divf %g, %0 : f32
    %2 = arith.addf %1, %b : f32
    linalg.yield %2 : f32
  } -> !x
  return %y : !x
}

// In bf16 each step rounds.
// CHECK-LABEL: func.func @bf16(
// CHECK:         arith.subf
// CHECK-NEXT:    arith.mulf
// CHECK-NEXT:    arith.addf
func.func @bf16(%x: tensor<2x4x5x3xbf16>) -> tensor<2x4x5x3xbf16> {
  %mean = arith.constant dense<[1.0, 2.0, 3.0]> : tensor<3xbf16>
  %gamma = arith.constant dense<[3.0, 1.0, -1.0]> : tensor<3xbf16>
  %beta = arith.constant dense<[0.5, 0.0, 7.0]> : tensor<3xbf16>
  %e = tensor.empty() : tensor<2x4x5x3xbf16>
  %y = linalg.generic {indexing_maps = [#all, #c, #c, #c, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
    ins(%x, %mean, %gamma, %beta : tensor<2x4x5x3xbf16>, tensor<3xbf16>, tensor<3xbf16>, tensor<3xbf16>) outs(%e : tensor<2x4x5x3xbf16>) {
  ^bb0(%in: bf16, %m: bf16, %g: bf16, %b: bf16, %out: bf16):
    %0 = arith.subf %in, %m : bf16
    %1 = arith.mulf %0, %g : bf16
    %2 = arith.addf %1, %b : bf16
    linalg.yield %2 : bf16
  } -> tensor<2x4x5x3xbf16>
  return %y : tensor<2x4x5x3xbf16>
}
