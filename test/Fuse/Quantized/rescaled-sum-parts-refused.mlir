// Parts of a rescaled sum that vary along another dimension than that of the channels, and
// numbers on the way that are too large.

// RUN: fusion-opt %s --fusion-fuse-quantized -o /dev/null \
// RUN:   --remarks-filter-missed='fusion.*' --remark-format=emitRemark 2>&1 | FileCheck %s --implicit-check-not='[Missed]'

#n = affine_map<(d0, d1) -> (d0, d1)>
#n0 = affine_map<(d0, d1) -> (d0)>

// CHECK: remark: [Missed] {{.*}}bias of the sum varies along dimension 0, expected the output channel dimension 1
func.func @bias_of_rows(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.01 : f32
  %b = arith.constant dense<[1, 2, 3, 4, 5]> : tensor<5xi32>
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n0, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %b : tensor<5x6xi32>, tensor<5xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %bi: i32, %out: i8):
    %0 = arith.addi %in, %bi : i32
    %1 = arith.sitofp %0 : i32 to f32
    %2 = arith.mulf %1, %s : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// CHECK: remark: [Missed] {{.*}}offset of the sum varies along dimension 0, expected the output channel dimension 1
func.func @offset_of_rows(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %s = arith.constant 0.01 : f32
  %b = arith.constant dense<[0.1, 0.2, 0.3, 0.4, 0.5]> : tensor<5xf32>
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n0, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %b : tensor<5x6xi32>, tensor<5xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %bi: f32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.addf %1, %bi : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// Products of an i64 that no i64 holds.
// CHECK: remark: [Missed] {{.*}}sum is not rescaled: may wrap: i64 for -4951760157141521099596496896 to 4951760154835678090382802944
func.func @beyond_i64(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %m = arith.constant 2305843009213693952 : i64
  %t = arith.constant 63 : i64
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.extsi %in : i32 to i64
    %1 = arith.muli %0, %m : i64
    %2 = arith.shrsi %1, %t : i64
    %3 = arith.trunci %2 : i64 to i8
    linalg.yield %3 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// A number that no i64 holds is cut off.
// CHECK: remark: [Missed] {{.*}}sum is not rescaled: may wrap: i8 for -4951760157141521099596496896 to 4951760154835678090382802944
func.func @truncated_i128(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %m = arith.constant 2305843009213693951 : i128
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.extsi %in : i32 to i128
    %1 = arith.muli %0, %m : i128
    %2 = arith.trunci %1 : i128 to i8
    linalg.yield %2 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}
