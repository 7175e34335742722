// Half a step in front of a floor belongs to the rounding of a quantisation, and not to the bias.
// ../../Integration/fuse-dequantized.test runs all of it.

// RUN: fusion-opt %s --fusion-raise --fusion-fuse --fusion-fuse-quantized --canonicalize | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --linalg-generalize-named-ops --linalg-fuse-elementwise-ops --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize=quant-rounding=exact --fusion-explain 2>&1 | FileCheck %s --check-prefix=EXACT

// EXACT-COUNT-4: partly fused: {{.*}}; quant-rounding is exact, and quantisation does not round half to even
// EXACT-NOT:     fused:

#n = affine_map<(d0, d1) -> (d0, d1)>
#n1 = affine_map<(d0, d1) -> (d1)>
#m = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#c0 = affine_map<(d0, d1, d2, d3) -> (d0)>

// CHECK-LABEL: func @quotient(
// CHECK:         fusion.quantized_matmul_bias_act {{[{].*}}input_zero_point = -14 : i32, output_zero_point = 3 : i32}
// CHECK-NOT:     bias(
// CHECK-SAME:    -> tensor<5x6xi8>
// CHECK-NEXT:    return
// EXACT-LABEL: func @quotient(
// EXACT:         fusion.quantized_matmul_bias_act {{.*}} -> tensor<5x6xf32>
// EXACT:         math.floor
func.func @quotient(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %ws = arith.constant dense<[0.0101, 0.0203, 0.0299, 0.0107, 0.0211, 0.0509]> : tensor<6xf32>
  %zx = arith.constant -14 : i32
  %sx = arith.constant 0.0213 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant 0.0 : f32
  %so = arith.constant 0.031 : f32
  %half = arith.constant 0.5 : f32
  %zo = arith.constant 3.0 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sx : f32
    linalg.yield %3 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<7x6xi8>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = arith.addf %0, %half : f32
    %2 = math.floor %1 : f32
    %3 = arith.addf %2, %zo : f32
    %4 = arith.maximumf %3, %min : f32
    %5 = arith.minimumf %4, %max : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// The zero point is added together with half a step.
// CHECK-LABEL: func @zero_point_in_front(
// CHECK:         fusion.quantized_matmul_bias_act {{[{].*}}input_zero_point = -14 : i32, output_zero_point = 3 : i32}
// CHECK-NOT:     bias(
// CHECK-SAME:    -> tensor<5x6xi8>
// CHECK-NEXT:    return
func.func @zero_point_in_front(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %ws = arith.constant dense<[0.0101, 0.0203, 0.0299, 0.0107, 0.0211, 0.0509]> : tensor<6xf32>
  %zx = arith.constant -14 : i32
  %sx = arith.constant 0.0213 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant 0.0 : f32
  %so = arith.constant 31.0 : f32
  %half = arith.constant 3.5 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sx : f32
    linalg.yield %3 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<7x6xi8>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %so : f32
    %1 = arith.addf %0, %half : f32
    %2 = math.floor %1 : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// Half a step is added before the division, which makes it a half.
// CHECK-LABEL: func @half_of_the_scale(
// CHECK:         fusion.quantized_matmul_bias_act {{[{].*}}input_zero_point = -14 : i32, output_zero_point = 3 : i32}
// CHECK-NOT:     bias(
// CHECK-SAME:    -> tensor<5x6xi8>
// CHECK-NEXT:    return
func.func @half_of_the_scale(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %ws = arith.constant dense<[0.0101, 0.0203, 0.0299, 0.0107, 0.0211, 0.0509]> : tensor<6xf32>
  %zx = arith.constant -14 : i32
  %sx = arith.constant 0.0213 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero = arith.constant 0.0 : f32
  %so = arith.constant 0.03125 : f32
  %half = arith.constant 0.015625 : f32
  %zo = arith.constant 3.0 : f32
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sx : f32
    linalg.yield %3 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<7x6xi8>, tensor<6xf32>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.addf %in, %half : f32
    %1 = arith.divf %0, %so : f32
    %2 = math.floor %1 : f32
    %3 = arith.addf %2, %zo : f32
    %4 = arith.maximumf %3, %min : f32
    %5 = arith.minimumf %4, %max : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// The bias stays one.
// CHECK-LABEL: func @bias(
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[16, -12, 10, -6]> : tensor<4xi32>
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] pad_low [1, 0] pad_high [0, 2]
// CHECK-SAME:      {{[{].*}}input_zero_point = -14 : i32, output_zero_point = -128 : i32}
// CHECK-SAME:      bias(%[[B]] : tensor<4xi32>)
// CHECK-SAME:      -> tensor<1x4x4x9xi8>
// CHECK-NEXT:    return
func.func @bias(%x: tensor<1x3x9x8xi8>, %w: tensor<4x3x3x2xi8>) -> tensor<1x4x4x9xi8> {
  %ws = arith.constant dense<[0.0625, 0.125, 0.25, 0.5]> : tensor<4xf32>
  %b = arith.constant dense<[0.25, -0.375, 0.625, -0.75]> : tensor<4xf32>
  %zx = arith.constant -14 : i32
  %sx = arith.constant 0.25 : f32
  %so = arith.constant 0.625 : f32
  %half = arith.constant 0.5 : f32
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
  %q = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<1x4x4x9xf32>) outs(%e8 : tensor<1x4x4x9xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = arith.addf %0, %half : f32
    %2 = math.floor %1 : f32
    %3 = arith.addf %2, %min : f32
    %4 = arith.maximumf %3, %min : f32
    %5 = arith.minimumf %4, %max : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<1x4x4x9xi8>
  return %q : tensor<1x4x4x9xi8>
}
