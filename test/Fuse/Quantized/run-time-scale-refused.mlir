// Sums whose numbers only a call knows and that stay in front of what scales them, each with its
// reason. The executed twin is in ../../Integration/fuse-rescaled.test.

// RUN: fusion-opt %s --fusion-fuse-quantized --fusion-explain 2>&1 | FileCheck %s --implicit-check-not=' scale('

#n = affine_map<(d0, d1) -> (d0, d1)>
#n0 = affine_map<(d0, d1) -> (d0)>
#n1 = affine_map<(d0, d1) -> (d1)>

// CHECK-DAG: :[[#@LINE+4]]:8: {{.*}}; sum is not rescaled: operand 1 is neither constant nor read element for element
func.func @rows(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: tensor<5xf32>) -> tensor<5x6xf32> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n0, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %s : tensor<5x6xi32>, tensor<5xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %sc: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %sc : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  return %q : tensor<5x6xf32>
}

// CHECK-DAG: :[[#@LINE+4]]:8: {{.*}}; sum is not rescaled: a number is read with another sign than it has
func.func @unsigned(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: tensor<6xf32>) -> tensor<5x6xf32> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %s : tensor<5x6xi32>, tensor<6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %sc: f32, %out: f32):
    %0 = arith.uitofp %in : i32 to f32
    %1 = arith.mulf %0, %sc : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  return %q : tensor<5x6xf32>
}

// CHECK-DAG: :[[#@LINE+4]]:8: {{.*}}; sum is not rescaled: rounds to bf16
func.func @narrow(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: tensor<6xf32>) -> tensor<5x6xf32> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %s : tensor<5x6xi32>, tensor<6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %sc: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.truncf %sc : f32 to bf16
    %2 = arith.extf %1 : bf16 to f32
    %3 = arith.mulf %0, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<5x6xf32>
  return %q : tensor<5x6xf32>
}

// CHECK-DAG: :[[#@LINE+4]]:8: {{.*}}; result has 2 users: 'linalg.generic' at {{.*}}, 'func.return' at
func.func @read_twice(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: tensor<6xf32>) -> (tensor<5x6xf32>, tensor<5x6xi32>) {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %s : tensor<5x6xi32>, tensor<6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %sc: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %sc : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  return %q, %c : tensor<5x6xf32>, tensor<5x6xi32>
}

// The sum is read in another order.
// CHECK-DAG: :[[#@LINE+4]]:8: {{.*}}; sum is not rescaled: operand 0 is neither constant nor read element for element
func.func @permuted(%x: tensor<5x7xi8>, %w: tensor<7x5xi8>, %s: tensor<5xf32>) -> tensor<5x5xf32> {
  %f = arith.constant dense<0> : tensor<5x5xi32>
  %e = tensor.empty() : tensor<5x5xf32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x5xi8>) outs(%f : tensor<5x5xi32>) -> tensor<5x5xi32>
  %q = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %s : tensor<5x5xi32>, tensor<5xf32>) outs(%e : tensor<5x5xf32>) {
  ^bb0(%in: i32, %sc: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %sc : f32
    linalg.yield %1 : f32
  } -> tensor<5x5xf32>
  return %q : tensor<5x5xf32>
}
