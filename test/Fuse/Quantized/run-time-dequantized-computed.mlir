// Numbers that only a call knows, as bodies compute them: of many steps that read a number twice,
// beside an input of one element, and by ops of other dialects, which stay where they are: one that
// is not registered may have effects. ../../Integration/fuse-rescaled.test runs the first two.

// RUN: fusion-opt %s --allow-unregistered-dialect --fusion-raise --fusion-fuse --fusion-fuse-quantized --fusion-explain -o %t.mlir 2> %t.txt
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: FileCheck %s --input-file=%t.txt --check-prefix=REASON
// REASON: input is not dequantised: unsupported: 'other.scale' in 'linalg.generic' has side effects
// REASON: input is not dequantised: a scale is the same neither for all elements nor for those of a row

#n = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func @doubled(
// CHECK:         fusion.quantized_matmul_bias_act
func.func @doubled(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: f32) -> tensor<5x6xf32> {
  %sw = arith.constant 0.015 : f32
  %small = arith.constant 0x2F800000 : f32
  %zero = arith.constant dense<0.0> : tensor<5x6xf32>
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %real = arith.sitofp %in : i8 to f32
    %0 = arith.addf %s, %s : f32
    %1 = arith.addf %0, %0 : f32
    %2 = arith.addf %1, %1 : f32
    %3 = arith.addf %2, %2 : f32
    %4 = arith.addf %3, %3 : f32
    %5 = arith.addf %4, %4 : f32
    %6 = arith.addf %5, %5 : f32
    %7 = arith.addf %6, %6 : f32
    %8 = arith.addf %7, %7 : f32
    %9 = arith.addf %8, %8 : f32
    %10 = arith.addf %9, %9 : f32
    %11 = arith.addf %10, %10 : f32
    %12 = arith.addf %11, %11 : f32
    %13 = arith.addf %12, %12 : f32
    %14 = arith.addf %13, %13 : f32
    %15 = arith.addf %14, %14 : f32
    %16 = arith.addf %15, %15 : f32
    %17 = arith.addf %16, %16 : f32
    %18 = arith.addf %17, %17 : f32
    %19 = arith.addf %18, %18 : f32
    %20 = arith.addf %19, %19 : f32
    %21 = arith.addf %20, %20 : f32
    %22 = arith.addf %21, %21 : f32
    %23 = arith.addf %22, %22 : f32
    %24 = arith.addf %23, %23 : f32
    %25 = arith.addf %24, %24 : f32
    %26 = arith.addf %25, %25 : f32
    %27 = arith.addf %26, %26 : f32
    %28 = arith.addf %27, %27 : f32
    %29 = arith.addf %28, %28 : f32
    %30 = arith.addf %29, %29 : f32
    %31 = arith.addf %30, %30 : f32
    %scale = arith.mulf %31, %small : f32
    %xr = arith.mulf %real, %scale : f32
    linalg.yield %xr : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %r = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%zero : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// CHECK-LABEL: func @one_element(
// CHECK:         fusion.quantized_matmul_bias_act
func.func @one_element(%x: tensor<1x1xi8>, %w: tensor<1x6xi8>, %s: f32) -> tensor<1x6xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant dense<0.0> : tensor<1x6xf32>
  %ex = tensor.empty() : tensor<1x1xf32>
  %ew = tensor.empty() : tensor<1x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<1x1xi8>) outs(%ex : tensor<1x1xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<1x1xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<1x6xi8>) outs(%ew : tensor<1x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<1x6xf32>
  %r = linalg.matmul ins(%xd, %wd : tensor<1x1xf32>, tensor<1x6xf32>) outs(%zero : tensor<1x6xf32>) -> tensor<1x6xf32>
  return %r : tensor<1x6xf32>
}

// CHECK-LABEL: func @unregistered(
// CHECK-NOT:     fusion.quantized
func.func @unregistered(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: f32) -> tensor<5x6xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant dense<0.0> : tensor<5x6xf32>
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %real = arith.sitofp %in : i8 to f32
    %scale = "other.scale"(%s) : (f32) -> f32
    %xr = arith.mulf %real, %scale : f32
    linalg.yield %xr : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %r = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%zero : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// CHECK-LABEL: func @other_dialect(
// CHECK-NOT:     fusion.quantized
func.func @other_dialect(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: f32) -> tensor<5x6xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant dense<0.0> : tensor<5x6xf32>
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %real = arith.sitofp %in : i8 to f32
    %number = complex.create %s, %s : complex<f32>
    %scale = complex.abs %number : complex<f32>
    %xr = arith.mulf %real, %scale : f32
    linalg.yield %xr : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %r = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%zero : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}
