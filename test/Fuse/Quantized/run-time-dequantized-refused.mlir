// Dequantisations with numbers that only a call knows and that stay in f32, each with its reason.
// The executed twin is in ../../Integration/fuse-rescaled.test.

// RUN: fusion-opt %s --fusion-raise --fusion-fuse --fusion-fuse-quantized --fusion-explain 2>&1 | FileCheck %s --implicit-check-not=fusion.quantized

#n = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
#c = affine_map<(d0, d1) -> (d1)>
#b = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#m = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// A scale for each column, over which the product sums up.
func.func @columns(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: tensor<7xf32>, %z: i32) -> tensor<5x6xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant dense<0.0> : tensor<5x6xf32>
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<5x7xi8>, tensor<7xf32>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: {{(not|partly) fused:.*}}input is not dequantised: a scale is the same neither for all elements nor for those of a row
  %r = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%zero : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// A zero point for each row.
func.func @points(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: f32, %z: tensor<5xi32>) -> tensor<5x6xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant dense<0.0> : tensor<5x6xf32>
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #r, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %z : tensor<5x7xi8>, tensor<5xi32>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %point: i32, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %point : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %s : f32
    linalg.yield %3 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: {{(not|partly) fused:.*}}input is not dequantised: a zero point is not the same for all elements
  %r = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%zero : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

func.func @index(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: f32, %z: i32) -> tensor<5x6xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant dense<0.0> : tensor<5x6xf32>
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %i = linalg.index 0 : index
    %j = arith.index_cast %i : index to i32
    %f = arith.sitofp %j : i32 to f32
    %3 = arith.mulf %2, %f : f32
    linalg.yield %3 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: {{(not|partly) fused:.*}}input is not dequantised: a scale is the same neither for all elements nor for those of a row
  %r = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%zero : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

func.func @wraps(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: f32, %z: i16) -> tensor<5x6xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant dense<0.0> : tensor<5x6xf32>
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i16
    %1 = arith.subi %0, %z : i16
    %2 = arith.sitofp %1 : i16 to f32
    %3 = arith.mulf %2, %s : f32
    linalg.yield %3 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: {{(not|partly) fused:.*}}input is not dequantised: may wrap: a zero point is subtracted in i16
  %r = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%zero : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

func.func @behind_scale(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: f32, %z: f32) -> tensor<5x6xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant dense<0.0> : tensor<5x6xf32>
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.subf %1, %z : f32
    linalg.yield %2 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: {{(not|partly) fused:.*}}input is not dequantised: a zero point is subtracted from a product
  %r = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%zero : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

func.func @two_points(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: f32, %z: f32) -> tensor<5x6xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant dense<0.0> : tensor<5x6xf32>
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %z : f32
    %2 = arith.subf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: {{(not|partly) fused:.*}}input is not dequantised: several zero points are subtracted
  %r = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%zero : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

func.func @rounded(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: bf16, %z: i32) -> tensor<5x6xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant dense<0.0> : tensor<5x6xf32>
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.truncf %2 : f32 to bf16
    %4 = arith.mulf %3, %s : bf16
    %5 = arith.extf %4 : bf16 to f32
    linalg.yield %5 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: {{(not|partly) fused:.*}}input is not dequantised: rounds to bf16
  %r = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%zero : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

func.func @bounded(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: f32, %z: i32) -> tensor<5x6xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant dense<0.0> : tensor<5x6xf32>
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %s : f32
    %4 = arith.maximumf %2, %sw : f32
    %5 = arith.mulf %4, %s : f32
    linalg.yield %5 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: {{(not|partly) fused:.*}}input is not dequantised: 'arith.maximumf' is no step of a dequantisation
  %r = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%zero : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

func.func @added(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: f32, %z: i32) -> tensor<5x6xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant dense<0.0> : tensor<5x6xf32>
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.addi %0, %z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %s : f32
    linalg.yield %3 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: {{(not|partly) fused:.*}}input is not dequantised: 'arith.addi' is no step of a dequantisation
  %r = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%zero : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

func.func @repeated(%x: tensor<7xi8>, %w: tensor<7x6xi8>, %s: f32) -> tensor<5x6xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant dense<0.0> : tensor<5x6xf32>
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %xd = linalg.generic {indexing_maps = [#c, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: {{(not|partly) fused:.*}}input is not dequantised: operand 0 is not read element for element
  %r = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%zero : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// How many sums there are is not known.
func.func @channels(%x: tensor<5x7xi8>, %w: tensor<7x?xi8>, %s: f32, %z: i32, %n: index, %init: tensor<5x?xf32>) -> tensor<5x?xf32> {
  %sw = arith.constant 0.015 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty(%n) : tensor<7x?xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %s : f32
    linalg.yield %3 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x?xi8>) outs(%ew : tensor<7x?xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x?xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: {{(not|partly) fused:.*}}unsupported: zero point of the input is not a constant, and the filter is tensor<7x?xf32>
  %r = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x?xf32>) outs(%init : tensor<5x?xf32>) -> tensor<5x?xf32>
  return %r : tensor<5x?xf32>
}

func.func @batches(%x: tensor<2x5x7xi8>, %w: tensor<2x7x6xi8>, %s: f32, %z: i32) -> tensor<2x5x6xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant dense<0.0> : tensor<2x5x6xf32>
  %ex = tensor.empty() : tensor<2x5x7xf32>
  %ew = tensor.empty() : tensor<2x7x6xf32>
  %xd = linalg.generic {indexing_maps = [#b, #b], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<2x5x7xi8>) outs(%ex : tensor<2x5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %s : f32
    linalg.yield %3 : f32
  } -> tensor<2x5x7xf32>
  %wd = linalg.generic {indexing_maps = [#b, #b], iterator_types = ["parallel", "parallel", "parallel"]} ins(%w : tensor<2x7x6xi8>) outs(%ew : tensor<2x7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<2x7x6xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: {{(not|partly) fused:.*}}unsupported: zero point of the input is not a constant, and the filter differs between batches
  %r = linalg.batch_matmul ins(%xd, %wd : tensor<2x5x7xf32>, tensor<2x7x6xf32>) outs(%zero : tensor<2x5x6xf32>) -> tensor<2x5x6xf32>
  return %r : tensor<2x5x6xf32>
}

// Around the input stand zeros, which may be no integers of 8 bits.
func.func @pads(%x: tensor<2x3x9x8xi8>, %w: tensor<4x3x3x2xi8>, %s: f32, %z: i32) -> tensor<2x4x7x8xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<2x4x7x8xf32>
  %ex = tensor.empty() : tensor<2x3x9x8xf32>
  %ew = tensor.empty() : tensor<4x3x3x2xf32>
  %xd = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x9x8xi8>) outs(%ex : tensor<2x3x9x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %s : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x9x8xf32>
  %xp = tensor.pad %xd low[0, 0, 0, 1] high[0, 0, 0, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x9x8xf32> to tensor<2x3x9x9xf32>
  %wd = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<4x3x3x2xi8>) outs(%ew : tensor<4x3x3x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<4x3x3x2xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: partly fused: pad; unsupported: zero point of the input is not a constant and not known to be -128 to 127, and the op has pads
  %r = linalg.conv_2d_nchw_fchw ins(%xp, %wd : tensor<2x3x9x9xf32>, tensor<4x3x3x2xf32>) outs(%zeros : tensor<2x4x7x8xf32>) -> tensor<2x4x7x8xf32>
  return %r : tensor<2x4x7x8xf32>
}

func.func @pads_behind(%x: tensor<2x3x9x8xi8>, %w: tensor<4x3x3x2xi8>, %s: f32, %z: i32) -> tensor<2x4x8x7xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<2x4x8x7xf32>
  %ex = tensor.empty() : tensor<2x3x9x8xf32>
  %ew = tensor.empty() : tensor<4x3x3x2xf32>
  %xd = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x9x8xi8>) outs(%ex : tensor<2x3x9x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %s : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x9x8xf32>
  %xp = tensor.pad %xd low[0, 0, 0, 0] high[0, 0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x9x8xf32> to tensor<2x3x10x8xf32>
  %wd = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<4x3x3x2xi8>) outs(%ew : tensor<4x3x3x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<4x3x3x2xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: partly fused: pad; unsupported: zero point of the input is not a constant and not known to be -128 to 127, and the op has pads
  %r = linalg.conv_2d_nchw_fchw ins(%xp, %wd : tensor<2x3x10x8xf32>, tensor<4x3x3x2xf32>) outs(%zeros : tensor<2x4x8x7xf32>) -> tensor<2x4x8x7xf32>
  return %r : tensor<2x4x8x7xf32>
}

// Rows become columns.
func.func @transposed(%x: tensor<7x5xi8>, %w: tensor<7x6xi8>, %s: tensor<7xf32>) -> tensor<5x6xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant dense<0.0> : tensor<5x6xf32>
  %ex = tensor.empty() : tensor<7x5xf32>
  %et = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #r, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<7x5xi8>, tensor<7xf32>) outs(%ex : tensor<7x5xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<7x5xf32>
  %xt = linalg.transpose ins(%xd : tensor<7x5xf32>) outs(%et : tensor<5x7xf32>) permutation = [1, 0]
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: {{(not|partly) fused:.*}}unsupported: the input has a scale for each row, and layouts are km and mn
  %r = linalg.matmul ins(%xt, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%zero : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

func.func @split(%x: tensor<5x14xi8>, %w: tensor<7x6xi8>, %s: tensor<5xf32>) -> tensor<10x6xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant dense<0.0> : tensor<10x6xf32>
  %ex = tensor.empty() : tensor<5x14xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #r, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %s : tensor<5x14xi8>, tensor<5xf32>) outs(%ex : tensor<5x14xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<5x14xf32>
  %xe = tensor.expand_shape %xd [[0], [1, 2]] output_shape [5, 2, 7] : tensor<5x14xf32> into tensor<5x2x7xf32>
  %xc = tensor.collapse_shape %xe [[0, 1], [2]] : tensor<5x2x7xf32> into tensor<10x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: {{(not|partly) fused:.*}}input is not dequantised: unsupported: 'tensor.expand_shape' comes behind a scale for each row
  %r = linalg.matmul ins(%xc, %wd : tensor<10x7xf32>, tensor<7x6xf32>) outs(%zero : tensor<10x6xf32>) -> tensor<10x6xf32>
  return %r : tensor<10x6xf32>
}

// The sum is over two dimensions of the dequantised tensor.
func.func @merged(%x: tensor<5x2x7xi8>, %w: tensor<14x6xi8>, %s: tensor<5x2xf32>) -> tensor<5x6xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant dense<0.0> : tensor<5x6xf32>
  %ex = tensor.empty() : tensor<5x2x7xf32>
  %ew = tensor.empty() : tensor<14x6xf32>
  %xd = linalg.generic {indexing_maps = [#b, affine_map<(d0, d1, d2) -> (d0, d1)>, #b], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x, %s : tensor<5x2x7xi8>, tensor<5x2xf32>) outs(%ex : tensor<5x2x7xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<5x2x7xf32>
  %xc = tensor.collapse_shape %xd [[0], [1, 2]] : tensor<5x2x7xf32> into tensor<5x14xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<14x6xi8>) outs(%ew : tensor<14x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<14x6xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: {{(not|partly) fused:.*}}input is not dequantised: unsupported: 'tensor.collapse_shape' comes behind a scale for each row
  %r = linalg.matmul ins(%xc, %wd : tensor<5x14xf32>, tensor<14x6xf32>) outs(%zero : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

func.func @images(%x: tensor<2x3x9x8xi8>, %w: tensor<4x3x3x2xi8>, %s: tensor<2xf32>) -> tensor<2x4x7x7xf32> {
  %sw = arith.constant 0.015 : f32
  %zeros = arith.constant dense<0.0> : tensor<2x4x7x7xf32>
  %ex = tensor.empty() : tensor<2x3x9x8xf32>
  %ew = tensor.empty() : tensor<4x3x3x2xf32>
  %xd = linalg.generic {indexing_maps = [#m, affine_map<(d0, d1, d2, d3) -> (d0)>, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %s : tensor<2x3x9x8xi8>, tensor<2xf32>) outs(%ex : tensor<2x3x9x8xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<2x3x9x8xf32>
  %wd = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<4x3x3x2xi8>) outs(%ew : tensor<4x3x3x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<4x3x3x2xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: {{(not|partly) fused:.*}}unsupported: the input of a convolution has a scale for each row
  %r = linalg.conv_2d_nchw_fchw ins(%xd, %wd : tensor<2x3x9x8xf32>, tensor<4x3x3x2xf32>) outs(%zeros : tensor<2x4x7x7xf32>) -> tensor<2x4x7x7xf32>
  return %r : tensor<2x4x7x7xf32>
}

// A scale for each column in an op of its own behind the conversion.
func.func @steps(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: tensor<7xf32>) -> tensor<5x6xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant dense<0.0> : tensor<5x6xf32>
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %x0 = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel"]} ins(%x0, %s : tensor<5x7xf32>, tensor<7xf32>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: f32, %scale: f32, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    linalg.yield %0 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  // CHECK-DAG: :[[#@LINE+1]]:8: {{(not|partly) fused:.*}}input is not dequantised: a scale is the same neither for all elements nor for those of a row
  %r = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%zero : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}
