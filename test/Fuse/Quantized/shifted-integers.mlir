// Integers that get another sign in front of an op on integers, and behind it another sign,
// zero point or bound. ../../Integration/fuse-rescaled.test runs all of it.

// RUN: fusion-opt %s --fusion-fuse-quantized | FileCheck %s
// RUN: fusion-opt %s --linalg-fuse-elementwise-ops --canonicalize --fusion-fuse-quantized | FileCheck %s --check-prefix=FUSED --implicit-check-not='arith.{{.*}} : i8{{$}}'
// But for the detour through i32, which is a part of the product then.
// FUSED-COUNT-8: fusion.quantized_

#n = affine_map<(d0, d1) -> (d0, d1)>
#m = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// torch-mlir makes signed integers of unsigned ones.
// CHECK-LABEL: func @input(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<5x7xi8>
// CHECK:         fusion.quantized_matmul_bias_act {input_unsigned, input_zero_point = 114 : i32} ins(%[[X]], {{.*}}) outs(%{{.*}} : tensor<5x6xi32>)
func.func @input(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %flip = arith.constant -128 : i8
  %zx = arith.constant -14 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %ye = tensor.empty() : tensor<5x7xi8>
  %y = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ye : tensor<5x7xi8>) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.addi %in, %flip : i8
    linalg.yield %0 : i8
  } -> tensor<5x7xi8>
  %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]} ins(%y, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<5x6xi32>
  return %c : tensor<5x6xi32>
}

// The same by flipping a bit.
// CHECK-LABEL: func @input_xor(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<5x7xi8>
// CHECK:         fusion.quantized_matmul_bias_act {input_unsigned, input_zero_point = 114 : i32} ins(%[[X]], {{.*}}) outs(%{{.*}} : tensor<5x6xi32>)
func.func @input_xor(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %flip = arith.constant -128 : i8
  %zx = arith.constant -14 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %ye = tensor.empty() : tensor<5x7xi8>
  %y = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ye : tensor<5x7xi8>) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.xori %in, %flip : i8
    linalg.yield %0 : i8
  } -> tensor<5x7xi8>
  %c = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]} ins(%y, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<5x6xi32>
  return %c : tensor<5x6xi32>
}

// Unsigned ones that were signed.
// CHECK-LABEL: func @input_unsigned(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<5x7xi8>
// CHECK:         fusion.quantized_matmul_bias_act {input_zero_point = -25 : i32} ins(%[[X]], {{.*}}) outs(%{{.*}} : tensor<5x6xi32>)
func.func @input_unsigned(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %flip = arith.constant -128 : i8
  %zx = arith.constant 103 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %ye = tensor.empty() : tensor<5x7xi8>
  %y = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ye : tensor<5x7xi8>) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.addi %in, %flip : i8
    linalg.yield %0 : i8
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

// In i32, where no bound is reached.
// CHECK-LABEL: func @input_wide(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<5x7xi8>
// CHECK:         fusion.quantized_matmul_bias_act {input_zero_point = -25 : i32} ins(%[[X]], {{.*}}) outs(%{{.*}} : tensor<5x6xi32>)
func.func @input_wide(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %k = arith.constant 128 : i32
  %lo = arith.constant 0 : i32
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

// Quantised to 0..255, and made signed.
// CHECK-LABEL: func @result(
// CHECK:         %[[R:.*]] = fusion.quantized_matmul_bias_act {fusion.folded = "requantize", output_zero_point = 3 : i32} ins({{.*}}) scale({{.*}}) outs(%{{.*}} : tensor<5x6xi8>)
// CHECK-NEXT:    return %[[R]]
func.func @result(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %flip = arith.constant -128 : i8
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
    %0 = arith.addi %in, %flip : i8
    linalg.yield %0 : i8
  } -> tensor<5x6xi8>
  return %y : tensor<5x6xi8>
}

// The bits of a signed result, read as unsigned ones, whatever reads them.
// CHECK-LABEL: func @result_unsigned(
// CHECK:         %[[R:.*]] = fusion.quantized_matmul_bias_act {fusion.folded = "requantize", output_unsigned, output_zero_point = 131 : i32} ins({{.*}}) scale({{.*}}) outs(%{{.*}} : tensor<5x6xi8>)
// CHECK-NEXT:    return %[[R]]
func.func @result_unsigned(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
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
    %0 = arith.xori %in, %flip : i8
    linalg.yield %0 : i8
  } -> tensor<5x6xi8>
  return %y : tensor<5x6xi8>
}

// A bound, as TOSA writes a relu6.
// CHECK-LABEL: func @clamp(
// CHECK:         %[[R:.*]] = fusion.quantized_matmul_bias_act clip(-1.310000e+02, 3.700000e+01) {fusion.folded = "requantize", output_zero_point = 3 : i32} ins({{.*}}) scale({{.*}}) outs(%{{.*}} : tensor<5x6xi8>)
// CHECK-NEXT:    return %[[R]]
func.func @clamp(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %hi = arith.constant 40 : i8
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
    %0 = arith.minsi %in, %hi : i8
    linalg.yield %0 : i8
  } -> tensor<5x6xi8>
  return %y : tensor<5x6xi8>
}

// Behind a relu.
// CHECK-LABEL: func @clamp_relu(
// CHECK:         %[[R:.*]] = fusion.quantized_matmul_bias_act clip(0.000000e+00, 3.700000e+01) {fusion.folded = "requantize", output_zero_point = 3 : i32} ins({{.*}}) scale({{.*}}) outs(%{{.*}} : tensor<5x6xi8>)
// CHECK-NEXT:    return %[[R]]
func.func @clamp_relu(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %hi = arith.constant 40 : i8
  %s = arith.constant 0.004 : f32
  %zo = arith.constant 3.0 : f32
  %min = arith.constant 3.0 : f32
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
    %0 = arith.minsi %in, %hi : i8
    linalg.yield %0 : i8
  } -> tensor<5x6xi8>
  return %y : tensor<5x6xi8>
}

// Another zero point. The first quantisation saturates at -128 + 5.
// CHECK-LABEL: func @shift(
// CHECK:         %[[R:.*]] = fusion.quantized_matmul_bias_act clip(-1.310000e+02, 9.200000e+01) {fusion.folded = "requantize", output_zero_point = 8 : i32} ins({{.*}}) scale({{.*}}) outs(%{{.*}} : tensor<5x6xi8>)
// CHECK-NEXT:    return %[[R]]
func.func @shift(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %k = arith.constant 5 : i32
  %lo = arith.constant -128 : i32
  %hi = arith.constant 100 : i32
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
