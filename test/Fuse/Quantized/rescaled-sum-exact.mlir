// With quant-rounding=exact only what is the same to the last bit becomes part of the op.
// ../../Integration/fuse-rescaled.test runs all of it.

// RUN: fusion-opt %s --fusion-fuse-quantized=quant-rounding=exact \
// RUN:   --remarks-filter-missed='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s --implicit-check-not='[Missed]'

#n = affine_map<(d0, d1) -> (d0, d1)>
#n1 = affine_map<(d0, d1) -> (d1)>

// CHECK:     remark: [Missed] {{.*}}quant-rounding is exact, and next op 'linalg.generic' at {{.*}} may round otherwise as part of the op
// CHECK:     remark: [Missed] {{.*}}quant-rounding is exact, and the sum is not rounded half to even
// CHECK:     remark: [Missed] {{.*}}quant-rounding is exact, and the sum is not rounded half to even
// CHECK:     remark: [Missed] {{.*}}quant-rounding is exact, and 3 is added to a rounded number
// CHECK:     remark: [Missed] {{.*}}quant-rounding is exact, and 'arith.divf' may round otherwise than one product and one sum in f32
// CHECK:     remark: [Missed] {{.*}}quant-rounding is exact, and 'arith.mulf' may round otherwise than one product and one sum in f32
// CHECK:     remark: [Missed] {{.*}}quant-rounding is exact, and 'arith.addf' may round otherwise than one product and one sum in f32

// The formula of the op itself, bounds in front of the rounding or behind it. No scale is a
// power of two.
// CHECK-LABEL: func @formula(
// CHECK:         fusion.quantized_matmul_bias_act clip({{.*}}) {fusion.folded = "requantize", output_zero_point = 3 : i32} ins({{.*}}) bias({{.*}} : tensor<6xi32>) scale({{.*}} : tensor<6xf32>) outs({{.*}} : tensor<5x6xi8>)
func.func @formula(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant dense<[0.002, 0.003, 0.004, 0.005, 0.006, 0.007]> : tensor<6xf32>
  %a = arith.constant dense<[-7, 1234, 0, 1, 2, -800]> : tensor<6xi32>
  %zo = arith.constant 3.0 : f32
  %min = arith.constant -100.0 : f32
  %max = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n1, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %a, %s : tensor<5x6xi32>, tensor<6xi32>, tensor<6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %ad: i32, %sc: f32, %out: i8):
    %0 = arith.addi %in, %ad : i32
    %1 = arith.sitofp %0 : i32 to f32
    %2 = arith.mulf %1, %sc : f32
    %3 = arith.addf %2, %zo : f32
    %4 = arith.maximumf %3, %min : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.minimumf %5, %max : f32
    %7 = arith.fptosi %6 : f32 to i8
    linalg.yield %7 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// A bias in f32 is not rounded, even to a multiple.
// CHECK-LABEL: func @float_bias(
// CHECK:         fusion.quantized_matmul_bias_act {fusion.folded = "requantize"} ins({{.*}}) bias({{.*}} : tensor<6xf32>) scale({{.*}} : tensor<1xf32>) outs({{.*}} : tensor<5x6xi8>)
func.func @float_bias(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.003 : f32
  %b = arith.constant dense<[0.003, 0.006, 0.3, -1.2, 30.0, 0.0]> : tensor<6xf32>
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %b : tensor<5x6xi32>, tensor<6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %bi: f32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.addf %1, %bi : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %min : f32
    %5 = arith.minimumf %4, %max : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// Floats and a residual. An activation may be a function of the runtime.
// CHECK-LABEL: func @floats(
// CHECK:         fusion.quantized_matmul_bias_act ins({{.*}}) scale({{.*}}) residual({{.*}} : tensor<5x6xf32>) outs({{.*}} : tensor<5x6xf32>)
// CHECK:         arith.maximumf
func.func @floats(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xf32>) -> tensor<5x6xf32> {
  %s = arith.constant 0.003 : f32
  %zero = arith.constant 0.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %a = linalg.add ins(%d, %y : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// CHECK-LABEL: func @half_step(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} -> tensor<5x6xi32>
func.func @half_step(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %half = arith.constant 256 : i32
  %shift = arith.constant 9 : i32
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.addi %in, %half : i32
    %1 = arith.shrsi %0, %shift : i32
    %2 = arith.maxsi %1, %min : i32
    %3 = arith.minsi %2, %max : i32
    %4 = arith.trunci %3 : i32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK-LABEL: func @half_up(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} -> tensor<5x6xi32>
func.func @half_up(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %m = arith.constant 1400780721 : i64
  %half = arith.constant 274877906944 : i64
  %shift = arith.constant 39 : i64
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.extsi %in : i32 to i64
    %1 = arith.muli %0, %m : i64
    %2 = arith.addi %1, %half : i64
    %3 = arith.shrsi %2, %shift : i64
    %4 = arith.trunci %3 : i64 to i32
    %5 = arith.maxsi %4, %min : i32
    %6 = arith.minsi %5, %max : i32
    %7 = arith.trunci %6 : i32 to i8
    linalg.yield %7 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK-LABEL: func @zero_point_behind(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} -> tensor<5x6xi32>
func.func @zero_point_behind(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.003 : f32
  %zo = arith.constant 3.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %zo : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK-LABEL: func @quotient(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} -> tensor<5x6xi32>
func.func @quotient(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 300.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.divf %0, %s : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.fptosi %2 : f32 to i8
    linalg.yield %3 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK-LABEL: func @product_of_sum(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} -> tensor<5x6xi32>
func.func @product_of_sum(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.003 : f32
  %b = arith.constant 1000.5 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.addf %0, %b : f32
    %2 = arith.mulf %1, %s : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// The sum of a bound.
// CHECK-LABEL: func @sum_of_bound(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} -> tensor<5x6xi32>
func.func @sum_of_bound(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.003 : f32
  %b = arith.constant 0.7 : f32
  %bound = arith.constant 9.3 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.maximumf %1, %bound : f32
    %3 = arith.addf %2, %b : f32
    %4 = math.roundeven %3 : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}
