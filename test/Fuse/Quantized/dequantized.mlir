// Convolutions and products of dequantised tensors become ops on integers, and so does
// the quantisation of their results.

// RUN: fusion-opt %s --fusion-raise --fusion-fuse --fusion-fuse-quantized --canonicalize | FileCheck %s
// RUN: fusion-opt %s --fusion-raise --fusion-fuse --fusion-fuse-quantized=quant-rounding=exact | FileCheck %s --check-prefix=EXACT
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize="propagate-layout=false precision=bf16" | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize="propagate-layout=false quant-rounding=exact" | FileCheck %s --check-prefix=EXACT
// RUN: fusion-opt %s --fusion-raise --fusion-fuse --fusion-fuse-quantized --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN

// EXPLAIN:      fused: dequantize, pad, zero point, bias, relu, quantize
// EXPLAIN-NEXT: fused: dequantize, zero point, dequantized residual, clip, quantize
// EXPLAIN-NEXT: fused: dequantize, zero point, residual, sigmoid, quantize

#m = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#c0 = affine_map<(d0, d1, d2, d3) -> (d0)>
#n = affine_map<(d0, d1) -> (d0, d1)>
#n1 = affine_map<(d0, d1) -> (d1)>

// Two different scales merge: sx * sw of each channel, over so.
// CHECK-LABEL: func @conv(
// CHECK-SAME:    %[[X:[^:]*]]: tensor<1x3x9x8xi8>, %[[W:[^:]*]]: tensor<4x3x3x2xi8>
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[16, -16, 12, -8]> : tensor<4xi32>
// CHECK-DAG:     %[[S:.*]] = arith.constant dense<[1.250000e-01, 2.500000e-01, 5.000000e-01, 1.000000e+00]> : tensor<4xf32>
// CHECK:         %[[R:.*]] = fusion.quantized_conv_bias_act relu strides [2, 1] pad_low [1, 0] pad_high [0, 2]
// CHECK-SAME:      {input_zero_point = -14 : i32, output_zero_point = -128 : i32}
// CHECK-SAME:      ins(%[[X]], %[[W]] : tensor<1x3x9x8xi8>, tensor<4x3x3x2xi8>) bias(%[[B]] : tensor<4xi32>) scale(%[[S]] : tensor<4xf32>)
// CHECK-SAME:      -> tensor<1x4x4x9xi8>
// CHECK-NEXT:    return %[[R]]
// The zero point is added after the rounding.
// EXACT-LABEL: func @conv(
// EXACT:         fusion.quantized_conv_bias_act relu {{.*}} -> tensor<1x4x4x9xf32>
// EXACT:         math.roundeven
func.func @conv(%x: tensor<1x3x9x8xi8>, %w: tensor<4x3x3x2xi8>) -> tensor<1x4x4x9xi8> {
  %ws = arith.constant dense<[0.0625, 0.125, 0.25, 0.5]> : tensor<4xf32>
  %b = arith.constant dense<[0.25, -0.5, 0.75, -1.0]> : tensor<4xf32>
  %zx = arith.constant -14 : i32
  %sx = arith.constant 0.25 : f32
  %so = arith.constant 0.125 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<1x3x9x8xf32>
  %ew = tensor.empty() : tensor<4x3x3x2xf32>
  %e = tensor.empty() : tensor<1x4x4x9xf32>
  %e8 = tensor.empty() : tensor<1x4x4x9xi8>
  %xd = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x3x9x8xi8>) outs(%ex : tensor<1x3x9x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sx : f32
    linalg.yield %3 : f32
  } -> tensor<1x3x9x8xf32>
  %wd = linalg.generic {indexing_maps = [#m, #c0, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %ws : tensor<4x3x3x2xi8>, tensor<4xf32>) outs(%ew : tensor<4x3x3x2xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<4x3x3x2xf32>
  %p = tensor.pad %xd low[0, 0, 1, 0] high[0, 0, 0, 2] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x3x9x8xf32> to tensor<1x3x10x10xf32>
  %bb = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<1x4x4x9xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>}
      ins(%p, %wd : tensor<1x3x10x10xf32>, tensor<4x3x3x2xf32>) outs(%bb : tensor<1x4x4x9xf32>) -> tensor<1x4x4x9xf32>
  %r = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<1x4x4x9xf32>) outs(%e : tensor<1x4x4x9xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.cmpf ugt, %in, %zero : f32
    %1 = arith.select %0, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<1x4x4x9xf32>
  %q = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r : tensor<1x4x4x9xf32>) outs(%e8 : tensor<1x4x4x9xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %min : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x4x4x9xi8>
  return %q : tensor<1x4x4x9xi8>
}

// A residual of unsigned integers, a clip whose bounds are scaled, unsigned results. A
// power of two without a zero point is exact.
// CHECK-LABEL: func @residual(
// CHECK:         %[[S:.*]] = arith.constant dense<2.500000e-02> : tensor<1xf32>
// CHECK:         fusion.quantized_matmul_bias_act clip(-1.000000e+00, 6.400000e+01)
// CHECK-SAME:      {input_unsigned, input_zero_point = 9 : i32, output_unsigned, residual_scale = 2.000000e+00 : f32, residual_unsigned, residual_zero_point = 200 : i32}
// CHECK-SAME:      scale(%[[S]] : tensor<1xf32>) residual(%{{.*}} : tensor<5x6xi8>) {{.*}} -> tensor<5x6xi8>
// EXACT-LABEL: func @residual(
// EXACT:         fusion.quantized_matmul_bias_act {{.*}} -> tensor<5x6xi8>
func.func @residual(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %zx = arith.constant 9 : i32
  %zy = arith.constant 200 : i32
  %sx = arith.constant 0.125 : f32
  %sw = arith.constant 0.05 : f32
  %sy = arith.constant 0.5 : f32
  %so = arith.constant 4.0 : f32
  %low = arith.constant -0.25 : f32
  %high = arith.constant 16.0 : f32
  %min = arith.constant 0.0 : f32
  %max = arith.constant 255.0 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sx : f32
    linalg.yield %3 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %yd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x6xi8>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %zy : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sy : f32
    linalg.yield %3 : f32
  } -> tensor<5x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = linalg.add ins(%c, %yd : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.maximumf %in, %low : f32
    %1 = arith.minimumf %0, %high : f32
    %2 = arith.mulf %1, %so : f32
    %3 = math.roundeven %2 : f32
    %4 = arith.maximumf %3, %min : f32
    %5 = arith.minimumf %4, %max : f32
    %6 = arith.fptoui %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// A residual in f32 is not scaled, nor is what a sigmoid reads: the result is.
// CHECK-LABEL: func @output_scale(
// CHECK:         fusion.quantized_matmul_bias_act sigmoid
// CHECK-SAME:      {output_scale = 2.560000e+02 : f32, output_zero_point = -128 : i32}
// CHECK-SAME:      scale(%{{.*}} : tensor<6xf32>) residual(%{{.*}} : tensor<5x6xf32>) {{.*}} -> tensor<5x6xi8>
func.func @output_scale(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xf32>) -> tensor<5x6xi8> {
  %ws = arith.constant dense<[0.01, 0.02, 0.03, 0.04, 0.05, 0.06]> : tensor<6xf32>
  %sx = arith.constant 0.125 : f32
  %so = arith.constant 256.0 : f32
  %one = arith.constant 1.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<7x6xi8>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = linalg.add ins(%c, %y : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %a = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.negf %in : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %one, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %min : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// The law on scales has folded two factors into the filter, one of each channel.
// CHECK-LABEL: func @factors(
// CHECK:         %[[S:.*]] = arith.constant dense<[2.500000e-01, 5.000000e-01, -2.500000e-01, 1.250000e-01, 1.000000e+00, -5.000000e-01]> : tensor<6xf32>
// CHECK:         fusion.quantized_matmul_bias_act {{.*}}output_zero_point = 3 : i32
// CHECK-SAME:      ins(%{{.*}}, %{{.*}} : tensor<5x7xi8>, tensor<7x6xi8>) {{.*}}scale(%[[S]] : tensor<6xf32>) {{.*}} -> tensor<5x6xi8>
func.func @factors(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %by = arith.constant dense<[1.0, 2.0, -1.0, 0.5, 4.0, -2.0]> : tensor<6xf32>
  %sx = arith.constant 0.125 : f32
  %sw = arith.constant 0.5 : f32
  %so = arith.constant 0.25 : f32
  %zo = arith.constant 3.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant 0.0 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %s = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %by : tensor<5x6xf32>, tensor<6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %factor: f32, %out: f32):
    %0 = arith.mulf %in, %factor : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
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
