// RUN: fusion-opt %s --fusion-raise --fusion-fuse --fusion-explain -o /dev/null 2>&1 | FileCheck %s

// An op of floats in front of a quantisation that has a residual.

#n = affine_map<(d0, d1) -> (d0, d1)>

func.func @main(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>, %y: tensor<5x6xf32>) -> tensor<5x6xi8> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
  %zx = arith.constant -14 : i32
  %zr = arith.constant 5 : i32
  %sx = arith.constant 0.02 : f32
  %sw = arith.constant 0.011 : f32
  %sr = arith.constant 0.031 : f32
  %so = arith.constant 0.05 : f32
  %zo = arith.constant -7.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: residual; the scale is that of a quantisation, and there is a residual{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %a = linalg.add ins(%c, %y : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// One that truncates, which no op takes, has its scale as well.
func.func @truncates(%x: tensor<5x7xf32>, %w: tensor<7x6xf32>, %y: tensor<5x6xf32>) -> tensor<5x6xi8> {
  %zero = arith.constant 0.0 : f32
  %none = arith.constant 0 : i32
  %zx = arith.constant -14 : i32
  %zr = arith.constant 5 : i32
  %sx = arith.constant 0.02 : f32
  %sw = arith.constant 0.011 : f32
  %sr = arith.constant 0.031 : f32
  %so = arith.constant 0.05 : f32
  %zo = arith.constant -7.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  // CHECK: :[[#@LINE+1]]:8: partly fused: residual; the scale is that of a quantisation, and there is a residual{{$}}
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %a = linalg.add ins(%c, %y : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %2 = arith.addf %0, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}
