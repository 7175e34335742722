// Quantisations that add what they compute in other ways.
// ../../Integration/fuse-dequantized.test runs all of it.

// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:

#id = affine_map<(m, n) -> (m, n)>
#one = affine_map<(m, n) -> (0)>

// An fma adds 20 with the sign of the product.
func.func @step_of_fma(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.0625 : f32
  %inverse = arith.constant 2.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %twenty = arith.constant 20.0 : f32
  %less = arith.constant -20.0 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %xd = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize; result is not quantised: a bound is not one constant{{$}}
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q8 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %positive = arith.cmpf ogt, %in, %zero : f32
    %step = arith.select %positive, %twenty, %less : f32
    %y = math.fma %in, %inverse, %step : f32
    %r = math.roundeven %y : f32
    %b1 = arith.maximumf %r, %min : f32
    %b2 = arith.minimumf %b1, %max : f32
    %q = arith.fptosi %b2 : f32 to i8
    linalg.yield %q : i8
  } -> tensor<5x6xi8>
  return %q8 : tensor<5x6xi8>
}

// math.round of a constant rounds -2.5 to -3, of which there are ten.
func.func @rounded_constant(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.0625 : f32
  %inverse = arith.constant 2.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %half = arith.constant dense<-2.5> : tensor<1xf32>
  %ten = arith.constant 10.0 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %xd = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: dequantize, zero point, scale, quantize{{$}}
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q8 = linalg.generic {indexing_maps = [#id, #one, #id], iterator_types = ["parallel", "parallel"]} ins(%c, %half : tensor<5x6xf32>, tensor<1xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %z: f32, %out: i8):
    %y = arith.mulf %in, %inverse : f32
    %ry = math.roundeven %y : f32
    %rz = math.round %z : f32
    %tens = arith.mulf %rz, %ten : f32
    %r = arith.addf %ry, %tens : f32
    %b1 = arith.maximumf %r, %min : f32
    %b2 = arith.minimumf %b1, %max : f32
    %q = arith.fptosi %b2 : f32 to i8
    linalg.yield %q : i8
  } -> tensor<5x6xi8>
  return %q8 : tensor<5x6xi8>
}
