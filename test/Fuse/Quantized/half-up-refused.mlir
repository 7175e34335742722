// Floors of which half a step is no part, and halves of which no floor is, with the reasons.

// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain 2>&1 | FileCheck %s

// CHECK:      partly fused: {{.*}}scale; result is not quantised: unsupported: quantisation rounds down, expected rounding to the nearest integer
// CHECK-NEXT: partly fused: {{.*}}bias; result is not quantised: unsupported: quantisation rounds down, expected rounding to the nearest integer
// CHECK-NEXT: fused: {{.*}}bias, quantize
// CHECK-NEXT: partly fused: {{.*}}; what is added is half a step of a quantisation, which rounds half up

#n = affine_map<(d0, d1) -> (d0, d1)>
#n1 = affine_map<(d0, d1) -> (d1)>

// CHECK-LABEL: func @floors(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} -> tensor<5x6xf32>
func.func @floors(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %ws = arith.constant dense<[0.0101, 0.0203, 0.0299, 0.0107, 0.0211, 0.0509]> : tensor<6xf32>
  %zx = arith.constant -14 : i32
  %sx = arith.constant 0.0213 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant 0.0 : f32
  %so = arith.constant 0.031 : f32
  %zo = arith.constant 3.0 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sx : f32
    linalg.yield %3 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<7x6xi8>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = math.floor %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// Less than a half is a bias.
// CHECK-LABEL: func @less_than_half(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} bias({{.*}} -> tensor<5x6xf32>
func.func @less_than_half(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %ws = arith.constant dense<[0.0101, 0.0203, 0.0299, 0.0107, 0.0211, 0.0509]> : tensor<6xf32>
  %zx = arith.constant -14 : i32
  %sx = arith.constant 0.0213 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant 0.0 : f32
  %so = arith.constant 0.031 : f32
  %less = arith.constant 0.25 : f32
  %zo = arith.constant 3.0 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sx : f32
    linalg.yield %3 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<7x6xi8>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = arith.addf %0, %less : f32
    %2 = math.floor %1 : f32
    %3 = arith.addf %2, %zo : f32
    %4 = arith.maximumf %3, %min : f32
    %5 = arith.minimumf %4, %max : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// So is a zero point in front of a rounding to even.
// CHECK-LABEL: func @to_even(
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<{{.*}}> : tensor<6x{{.*}}>
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} bias({{.*}} -> tensor<5x6xi8>
func.func @to_even(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %ws = arith.constant dense<[0.0101, 0.0203, 0.0299, 0.0107, 0.0211, 0.0509]> : tensor<6xf32>
  %zx = arith.constant -14 : i32
  %sx = arith.constant 0.0213 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant 0.0 : f32
  %so = arith.constant 0.031 : f32
  %zo = arith.constant 3.0 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sx : f32
    linalg.yield %3 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<7x6xi8>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = arith.addf %0, %zo : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// An op on floats takes no half step either: it would be a part of the bias.
// CHECK-LABEL: func @floats(
// CHECK:         fusion.fused_matmul_bias_act
// CHECK-NOT:     bias(
// CHECK-SAME:    -> tensor<5x6xf32>
// CHECK:         arith.addf
// CHECK:         math.floor
func.func @floats(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>) -> tensor<5x6xi8> {
  %half = arith.constant 0.5 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.addf %in, %half : f32
    %1 = math.floor %0 : f32
    %2 = arith.maximumf %1, %min : f32
    %3 = arith.minimumf %2, %max : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}
