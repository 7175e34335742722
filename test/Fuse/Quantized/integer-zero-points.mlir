// Zero points that are added to integers, behind the rounding.
// ../../Integration/fuse-dequantized.test runs all of it.

// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o %t.mlir 2>&1 | FileCheck %s --implicit-check-not=fused:
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.mlir --implicit-check-not=linalg.generic
// RUN: fusion-opt %s --linalg-generalize-named-ops --linalg-fuse-elementwise-ops --fusion-optimize -o - | FileCheck %s --check-prefix=IR --implicit-check-not=linalg.generic

// IR-COUNT-3: output_zero_point = -14
// IR:         output_unsigned, output_zero_point = 200

#n = affine_map<(d0, d1) -> (d0, d1)>
#n1 = affine_map<(d0, d1) -> (d1)>
#m = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// Behind the sum alone.
func.func @alone(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %ws = arith.constant dense<[0.0101, 0.0203, 0.0299, 0.0107, 0.0211, 0.0509]> : tensor<6xf32>
  %zero = arith.constant 0.0 : f32
  %sx = arith.constant 0.0213 : f32
  %so = arith.constant 0.031 : f32
  %zo = arith.constant -14 : i32
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<7x6xi8>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %in1: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %in1 : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: dequantize, zero point, scale, quantize{{$}}
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.fptosi %1 : f32 to i32
    %3 = arith.addi %2, %zo : i32
    %4 = arith.maxsi %3, %min : i32
    %5 = arith.minsi %4, %max : i32
    %6 = arith.trunci %5 : i32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// Behind a bias and a relu.
func.func @bias(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %ws = arith.constant dense<[0.0101, 0.0203, 0.0299, 0.0107, 0.0211, 0.0509]> : tensor<6xf32>
  %zero = arith.constant 0.0 : f32
  %sx = arith.constant 0.0213 : f32
  %so = arith.constant 0.031 : f32
  %zo = arith.constant -14 : i32
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %bias = arith.constant dense<[0.5, -0.25, 0.125, 1.5, -0.75, 0.3]> : tensor<6xf32>
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<7x6xi8>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %in1: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %in1 : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: dequantize, zero point, bias, relu, quantize{{$}}
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %b = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %bias : tensor<5x6xf32>, tensor<6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %in1: f32, %out: f32):
    %0 = arith.addf %in, %in1 : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  %a = linalg.max ins(%b, %f : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.fptosi %1 : f32 to i32
    %3 = arith.addi %2, %zo : i32
    %4 = arith.maxsi %3, %min : i32
    %5 = arith.minsi %4, %max : i32
    %6 = arith.trunci %5 : i32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// Behind a residual.
func.func @residual(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %ws = arith.constant dense<[0.0101, 0.0203, 0.0299, 0.0107, 0.0211, 0.0509]> : tensor<6xf32>
  %zero = arith.constant 0.0 : f32
  %sx = arith.constant 0.0213 : f32
  %so = arith.constant 0.031 : f32
  %zo = arith.constant -14 : i32
  %min = arith.constant -128 : i32
  %max = arith.constant 127 : i32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<7x6xi8>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %in1: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %in1 : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: dequantize, zero point, dequantized residual, quantize{{$}}
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %yd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x6xi8>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %so : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %a = linalg.add ins(%c, %yd : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.fptosi %1 : f32 to i32
    %3 = arith.addi %2, %zo : i32
    %4 = arith.maxsi %3, %min : i32
    %5 = arith.minsi %4, %max : i32
    %6 = arith.trunci %5 : i32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// A convolution whose result is a u8, for which the zero point is above 127.
func.func @unsigned(%x: tensor<1x9x8x3xi8>, %w: tensor<4x3x2x3xi8>) -> tensor<1x4x8x4xi8> {
  %zero = arith.constant 0.0 : f32
  %sx = arith.constant 0.0213 : f32
  %sw = arith.constant 0.0107 : f32
  %so = arith.constant 0.031 : f32
  %zo = arith.constant 200 : i32
  %min = arith.constant 0 : i32
  %max = arith.constant 255 : i32
  %ex = tensor.empty() : tensor<1x9x8x3xf32>
  %ew = tensor.empty() : tensor<4x3x2x3xf32>
  %e = tensor.empty() : tensor<1x4x8x4xf32>
  %e8 = tensor.empty() : tensor<1x4x8x4xi8>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x8x4xf32>) -> tensor<1x4x8x4xf32>
  %xd = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x9x8x3xi8>) outs(%ex : tensor<1x9x8x3xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<1x9x8x3xf32>
  %p = tensor.pad %xd low[0, 1, 0, 0] high[0, 0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x9x8x3xf32> to tensor<1x10x9x3xf32>
  %wd = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<4x3x2x3xi8>) outs(%ew : tensor<4x3x2x3xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<4x3x2x3xf32>
  // CHECK: :[[#@LINE+1]]:8: fused: dequantize, pad, zero point, scale, quantize{{$}}
  %c = linalg.conv_2d_nhwc_fhwc {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 1]> : tensor<2xi64>} ins(%p, %wd : tensor<1x10x9x3xf32>, tensor<4x3x2x3xf32>) outs(%f : tensor<1x4x8x4xf32>) -> tensor<1x4x8x4xf32>
  %r = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<1x4x8x4xf32>) outs(%e8 : tensor<1x4x8x4xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.fptosi %1 : f32 to i32
    %3 = arith.addi %2, %zo : i32
    %4 = arith.maxsi %3, %min : i32
    %5 = arith.minsi %4, %max : i32
    %6 = arith.trunci %5 : i32 to i8
    linalg.yield %6 : i8
  } -> tensor<1x4x8x4xi8>
  return %r : tensor<1x4x8x4xi8>
}
