// A zero point that only a call knows as a bias in i32, which is exact. ../../Integration/fuse-rescaled.test
// runs the first function without tolerance.

// RUN: fusion-opt %s --fusion-raise --fusion-fuse --fusion-fuse-quantized | FileCheck %s --implicit-check-not=fusion.fused

#n = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_map<(d0, d1) -> ()>

// The sums of products are beyond 2^24, and cancel with the bias.
// CHECK-LABEL: func @cancels(
// CHECK:         fusion.quantized_matmul_bias_act ins({{.*}}) bias(%{{.*}} : tensor<5xi32>) scale(%{{.*}} : tensor<1xf32>)
func.func @cancels(%x: tensor<3x4096xi8>, %w: tensor<4096x5xi8>, %z: tensor<i8>) -> tensor<3x5xf32> {
  %s = arith.constant 0.25 : f32
  %zero = arith.constant dense<0.0> : tensor<3x5xf32>
  %ex = tensor.empty() : tensor<3x4096xf32>
  %ew = tensor.empty() : tensor<4096x5xf32>
  %xd = linalg.generic {indexing_maps = [#n, #s, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %z : tensor<3x4096xi8>, tensor<i8>) outs(%ex : tensor<3x4096xf32>) {
  ^bb0(%in: i8, %zp: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.sitofp %zp : i8 to f32
    %2 = arith.subf %0, %1 : f32
    %3 = arith.mulf %2, %s : f32
    linalg.yield %3 : f32
  } -> tensor<3x4096xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<4096x5xi8>) outs(%ew : tensor<4096x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<4096x5xf32>
  %r = linalg.matmul ins(%xd, %wd : tensor<3x4096xf32>, tensor<4096x5xf32>) outs(%zero : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

// Of any integer the product with the sums may leave i32.
// CHECK-LABEL: func @any(
// CHECK:         fusion.quantized_matmul_bias_act ins({{.*}}) bias(%{{.*}} : tensor<5xf32>)
func.func @any(%x: tensor<3x7xi8>, %w: tensor<7x5xi8>, %z: tensor<i32>) -> tensor<3x5xf32> {
  %s = arith.constant 0.25 : f32
  %zero = arith.constant dense<0.0> : tensor<3x5xf32>
  %ex = tensor.empty() : tensor<3x7xf32>
  %ew = tensor.empty() : tensor<7x5xf32>
  %xd = linalg.generic {indexing_maps = [#n, #s, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %z : tensor<3x7xi8>, tensor<i32>) outs(%ex : tensor<3x7xf32>) {
  ^bb0(%in: i8, %zp: i32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.sitofp %zp : i32 to f32
    %2 = arith.subf %0, %1 : f32
    %3 = arith.mulf %2, %s : f32
    linalg.yield %3 : f32
  } -> tensor<3x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x5xi8>) outs(%ew : tensor<7x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<7x5xf32>
  %r = linalg.matmul ins(%xd, %wd : tensor<3x7xf32>, tensor<7x5xf32>) outs(%zero : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

// 70000 products of 255 and 128 leave i32. Those of 128 and 128, without the zero point, do not.
// CHECK-LABEL: func @many(
// CHECK:         fusion.quantized_matmul_bias_act ins({{.*}}) bias(%{{.*}} : tensor<5xf32>)
func.func @many(%x: tensor<3x70000xi8>, %w: tensor<70000x5xi8>, %z: tensor<i8>) -> tensor<3x5xf32> {
  %s = arith.constant 0.25 : f32
  %zero = arith.constant dense<0.0> : tensor<3x5xf32>
  %ex = tensor.empty() : tensor<3x70000xf32>
  %ew = tensor.empty() : tensor<70000x5xf32>
  %xd = linalg.generic {indexing_maps = [#n, #s, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %z : tensor<3x70000xi8>, tensor<i8>) outs(%ex : tensor<3x70000xf32>) {
  ^bb0(%in: i8, %zp: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.sitofp %zp : i8 to f32
    %2 = arith.subf %0, %1 : f32
    %3 = arith.mulf %2, %s : f32
    linalg.yield %3 : f32
  } -> tensor<3x70000xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<70000x5xi8>) outs(%ew : tensor<70000x5xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<70000x5xf32>
  %r = linalg.matmul ins(%xd, %wd : tensor<3x70000xf32>, tensor<70000x5xf32>) outs(%zero : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
