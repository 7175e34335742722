// Ops that read a quantised product, and compute from another tensor.
// ../../Integration/fuse-dequantized.test runs all of it.

// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=fused:

#id = affine_map<(m, n) -> (m, n)>

// One that quantises.
func.func @quantises_another(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %other: tensor<5x6xf32>) -> tensor<5x6xi8> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.0625 : f32
  %inverse = arith.constant 2.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
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
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize; result is not quantised: another tensor is{{$}}
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q8 = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%c, %other : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %o: f32, %out: i8):
    %y = arith.mulf %o, %inverse : f32
    %r = math.roundeven %y : f32
    %b1 = arith.maximumf %r, %min : f32
    %b2 = arith.minimumf %b1, %max : f32
    %q = arith.fptosi %b2 : f32 to i8
    linalg.yield %q : i8
  } -> tensor<5x6xi8>
  return %q8 : tensor<5x6xi8>
}

// One that shifts integers.
func.func @shifts_another(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %other: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %zero = arith.constant 0.0 : f32
  %scale = arith.constant 0.0625 : f32
  %inverse = arith.constant 2.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %three = arith.constant 3 : i16
  %most = arith.constant 127 : i16
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
  // CHECK: :[[#@LINE+1]]:8: partly fused: dequantize, scale, quantize; integers are not shifted: those of another tensor are{{$}}
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q8 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %y = arith.mulf %in, %inverse : f32
    %r = math.roundeven %y : f32
    %b1 = arith.maximumf %r, %min : f32
    %b2 = arith.minimumf %b1, %max : f32
    %q = arith.fptosi %b2 : f32 to i8
    linalg.yield %q : i8
  } -> tensor<5x6xi8>
  %s = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%q8, %other : tensor<5x6xi8>, tensor<5x6xi8>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%a: i8, %b: i8, %out: i8):
    %0 = arith.extsi %b : i8 to i16
    %1 = arith.addi %0, %three : i16
    %2 = arith.minsi %1, %most : i16
    %3 = arith.trunci %2 : i16 to i8
    linalg.yield %3 : i8
  } -> tensor<5x6xi8>
  return %s : tensor<5x6xi8>
}

// One that adds to a sum.
func.func @adds_to_another(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %other: tensor<5x6xi32>) -> tensor<5x6xi32> {
  %zero = arith.constant 0 : i32
  %five = arith.constant 5 : i32
  %e = tensor.empty() : tensor<5x6xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<5x6xi32>) -> tensor<5x6xi32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: matrix multiplication alone; what is added to the sum is no bias of the output channel: bias varies along dimension 0 (size 5), expected the output channel dimension 1{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]} ins(%c, %other : tensor<5x6xi32>, tensor<5x6xi32>) outs(%e : tensor<5x6xi32>) {
  ^bb0(%a: i32, %b: i32, %out: i32):
    %0 = arith.addi %b, %five : i32
    linalg.yield %0 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}
