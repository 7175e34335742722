// Dynamic quantisation in f32: the input is dequantised with numbers that only a call knows. A
// scale becomes a factor of the op's scale, a zero point a bias.
// ../../Integration/fuse-rescaled.test runs all of it.

// RUN: fusion-opt %s --fusion-raise --fusion-fuse --fusion-fuse-quantized | FileCheck %s --implicit-check-not=fusion.fused
// RUN: fusion-opt %s --linalg-generalize-named-ops --linalg-fuse-elementwise-ops --canonicalize --fusion-optimize | grep -c 'fusion.quantized.* scale(' | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}13{{$}}

#n = affine_map<(d0, d1) -> (d0, d1)>
#r = affine_map<(d0, d1) -> (d0)>
#c = affine_map<(d0, d1) -> (d1)>
#s = affine_map<(d0, d1) -> ()>
#0 = affine_map<(d0, d1) -> (0)>
#00 = affine_map<(d0, d1) -> (0, 0)>
#b = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#b0 = affine_map<(d0, d1, d2) -> ()>
#m = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#m00 = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, 0)>
#m0 = affine_map<(d0, d1, d2, d3) -> ()>
#m1 = affine_map<(d0, d1, d2, d3) -> (d0)>

// A scale alone. The sums of a zero point that is known are the op's.
// CHECK-LABEL: func @scale(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<5x7xi8>, %[[W:[a-z0-9]*]]: tensor<7x6xi8>, %[[S:[a-z0-9]*]]: f32)
// CHECK-DAG:     %[[C:.*]] = arith.constant dense<1.500000e-02> : tensor<1xf32>
// CHECK:         %[[V:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<1xf32>)
// CHECK:           linalg.yield %[[S]]
// CHECK:         %[[P:.*]] = linalg.mul ins(%[[C]], %[[V]] : tensor<1xf32>, tensor<1xf32>)
// CHECK:         fusion.quantized_matmul_bias_act {input_zero_point = -9 : i32} ins(%[[X]], %[[W]] : {{.*}}) scale(%[[P]] : tensor<1xf32>)
func.func @scale(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: f32) -> tensor<5x6xf32> {
  %z = arith.constant -9.0 : f32
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant dense<0.0> : tensor<5x6xf32>
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %z : f32
    %2 = arith.mulf %s, %1 : f32
    linalg.yield %2 : f32
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

// A zero point that is no integer is treated like one that is not known.
// CHECK-LABEL: func @fraction(
// CHECK-DAG:     arith.constant 5.000000e-01 : f32
// CHECK:         fusion.quantized_matmul_bias_act ins({{.*}}) bias(%{{.*}} : tensor<6xf32>)
func.func @fraction(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: f32) -> tensor<5x6xf32> {
  %z = arith.constant 0.5 : f32
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant dense<0.0> : tensor<5x6xf32>
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %z : f32
    %2 = arith.mulf %s, %1 : f32
    linalg.yield %2 : f32
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

// The sums of a constant filter are constants: here 60, -54 and 0. The bias stays one.
// CHECK-LABEL: func @constant_filter(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<5x4xi8>, %[[S:[a-z0-9]*]]: tensor<f32>, %[[Z:[a-z0-9]*]]: tensor<i32>, %[[B:[a-z0-9]*]]: tensor<3xf32>)
// CHECK-DAG:     %[[SUMS:.*]] = arith.constant dense<[-6.000000e+01, 5.400000e+01, 0.000000e+00]> : tensor<3xf32>
// CHECK-DAG:     %[[C:.*]] = arith.constant dense<[0.00999999977, 2.000000e-02, 3.000000e-02]> : tensor<3xf32>
// CHECK:         %[[SV:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<f32>)
// CHECK:         %[[SCALE:.*]] = linalg.mul ins(%[[C]], %[[SV]] :
// CHECK:         %[[ZV:.*]] = linalg.generic {{.*}} ins(%[[Z]] : tensor<i32>)
// CHECK:           arith.sitofp
// CHECK:         %[[ZS:.*]] = linalg.mul ins(%[[ZV]], %[[SUMS]] :
// CHECK:         %[[ZB:.*]] = linalg.mul ins(%[[ZS]], %[[SCALE]] :
// CHECK:         %[[BIAS:.*]] = linalg.add ins(%[[B]], %[[ZB]] :
// CHECK:         fusion.quantized_matmul_bias_act relu ins(%[[X]], %{{.*}}) bias(%[[BIAS]] : tensor<3xf32>) scale(%[[SCALE]] : tensor<3xf32>)
func.func @constant_filter(%x: tensor<5x4xi8>, %s: tensor<f32>, %z: tensor<i32>, %b: tensor<3xf32>) -> tensor<5x3xf32> {
  %w = arith.constant dense<[[10, 127, -7], [20, -128, 7], [-33, -90, 0], [63, 37, 0]]> : tensor<4x3xi8>
  %sw = arith.constant dense<[0.01, 0.02, 0.03]> : tensor<3xf32>
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<5x3xf32>
  %ex = tensor.empty() : tensor<5x4xf32>
  %ew = tensor.empty() : tensor<4x3xf32>
  %e = tensor.empty() : tensor<5x3xf32>
  %xd = linalg.generic {indexing_maps = [#n, #s, #s, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %s, %z : tensor<5x4xi8>, tensor<f32>, tensor<i32>) outs(%ex : tensor<5x4xf32>) {
  ^bb0(%in: i8, %scale: f32, %point: i32, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %point : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<5x4xf32>
  %wd = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %sw : tensor<4x3xi8>, tensor<3xf32>) outs(%ew : tensor<4x3xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<4x3xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x4xf32>, tensor<4x3xf32>) outs(%zeros : tensor<5x3xf32>) -> tensor<5x3xf32>
  %r = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %b : tensor<5x3xf32>, tensor<3xf32>) outs(%e : tensor<5x3xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %0 = arith.addf %in, %bias : f32
    %1 = arith.maximumf %0, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<5x3xf32>
  return %r : tensor<5x3xf32>
}

// Of a filter that is an argument, each call adds up the sums. The input is unsigned, and so is
// its zero point, as ONNX writes them.
// CHECK-LABEL: func @conv(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<2x3x9x8xi8>, %[[W:[a-z0-9]*]]: tensor<4x3x3x2xi8>, %[[S:[a-z0-9]*]]: tensor<f32>, %[[Z:[a-z0-9]*]]: tensor<i8>)
// CHECK:         %[[SUMS:.*]] = linalg.generic {{.*}}iterator_types = ["parallel", "reduction", "reduction", "reduction"]} ins(%[[W]] : tensor<4x3x3x2xi8>)
// CHECK:           arith.subi
// CHECK:         %[[ZV:.*]] = linalg.generic {{.*}} ins(%[[Z]] : tensor<i8>)
// CHECK:           arith.uitofp
// CHECK:           arith.fptosi
// CHECK:         %[[BIAS:.*]] = linalg.mul ins(%[[ZV]], %[[SUMS]] : tensor<4xi32>, tensor<4xi32>)
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] {input_unsigned} ins(%[[X]], %[[W]] : {{.*}}) bias(%[[BIAS]] : tensor<4xi32>) scale(
func.func @conv(%x: tensor<2x3x9x8xi8>, %w: tensor<4x3x3x2xi8>, %s: tensor<f32>, %z: tensor<i8>) -> tensor<2x4x4x7xf32> {
  %sw = arith.constant dense<[0.01, 0.02, 0.03, 0.05]> : tensor<4xf32>
  %zero = arith.constant dense<0.0> : tensor<2x4x4x7xf32>
  %ex = tensor.empty() : tensor<2x3x9x8xf32>
  %ew = tensor.empty() : tensor<4x3x3x2xf32>
  %xd = linalg.generic {indexing_maps = [#m, #m0, #m0, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %s, %z : tensor<2x3x9x8xi8>, tensor<f32>, tensor<i8>) outs(%ex : tensor<2x3x9x8xf32>) {
  ^bb0(%in: i8, %scale: f32, %point: i8, %out: f32):
    %0 = arith.uitofp %in : i8 to f32
    %1 = arith.uitofp %point : i8 to f32
    %2 = arith.subf %0, %1 : f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x9x8xf32>
  %wd = linalg.generic {indexing_maps = [#m, #m1, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %sw : tensor<4x3x3x2xi8>, tensor<4xf32>) outs(%ew : tensor<4x3x3x2xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %scale : f32
    linalg.yield %1 : f32
  } -> tensor<4x3x3x2xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>} ins(%xd, %wd : tensor<2x3x9x8xf32>, tensor<4x3x3x2xf32>) outs(%zero : tensor<2x4x4x7xf32>) -> tensor<2x4x4x7xf32>
  return %r : tensor<2x4x4x7xf32>
}

// An op for each step, and numbers that are computed, repeated and divide. A reshape between the
// steps is one of integers.
// CHECK-LABEL: func @steps(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<5x2x2xi8>, %[[W:[a-z0-9]*]]: tensor<4x6xi8>, %[[S:[a-z0-9]*]]: tensor<1xf32>, %[[D:[a-z0-9]*]]: f32, %[[Z:[a-z0-9]*]]: tensor<i64>)
// CHECK:         %[[FLAT:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0], [1, 2]]
// CHECK:         linalg.div
// CHECK:         fusion.quantized_matmul_bias_act ins(%[[FLAT]], %[[W]] : {{.*}}) bias(
func.func @steps(%x: tensor<5x2x2xi8>, %w: tensor<4x6xi8>, %s: tensor<1xf32>, %d: f32, %z: tensor<i64>) -> tensor<5x6xf32> {
  %sw = arith.constant 0.015 : f32
  %two = arith.constant 2.0 : f32
  %zero = arith.constant dense<0.0> : tensor<5x6xf32>
  %ex = tensor.empty() : tensor<5x2x2xf32>
  %e2 = tensor.empty() : tensor<5x4xf32>
  %ew = tensor.empty() : tensor<4x6xf32>
  %x0 = linalg.generic {indexing_maps = [#b, #b], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<5x2x2xi8>) outs(%ex : tensor<5x2x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    linalg.yield %0 : f32
  } -> tensor<5x2x2xf32>
  %x1 = linalg.generic {indexing_maps = [#b, #b0, #b], iterator_types = ["parallel", "parallel", "parallel"]} ins(%x0, %z : tensor<5x2x2xf32>, tensor<i64>) outs(%ex : tensor<5x2x2xf32>) {
  ^bb0(%in: f32, %point: i64, %out: f32):
    %0 = arith.sitofp %point : i64 to f32
    %1 = arith.subf %in, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<5x2x2xf32>
  %x2 = tensor.collapse_shape %x1 [[0], [1, 2]] : tensor<5x2x2xf32> into tensor<5x4xf32>
  %x3 = linalg.generic {indexing_maps = [#n, #0, #n], iterator_types = ["parallel", "parallel"]} ins(%x2, %s : tensor<5x4xf32>, tensor<1xf32>) outs(%e2 : tensor<5x4xf32>) {
  ^bb0(%in: f32, %scale: f32, %out: f32):
    %0 = arith.mulf %scale, %two : f32
    %1 = arith.mulf %in, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<5x4xf32>
  %ds = linalg.fill ins(%d : f32) outs(%e2 : tensor<5x4xf32>) -> tensor<5x4xf32>
  %xd = linalg.div ins(%x3, %ds : tensor<5x4xf32>, tensor<5x4xf32>) outs(%e2 : tensor<5x4xf32>) -> tensor<5x4xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<4x6xi8>) outs(%ew : tensor<4x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<4x6xf32>
  %r = linalg.matmul ins(%xd, %wd : tensor<5x4xf32>, tensor<4x6xf32>) outs(%zero : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// The filter has a factor that only a call knows as well, and is transposed.
// CHECK-LABEL: func @factor(
// CHECK-COUNT-2: linalg.mul
// CHECK:         fusion.quantized_matmul_bias_act layouts(mk, nk, mn) {input_unsigned} ins({{.*}}) bias(%{{.*}} : tensor<6xf32>) scale(%{{.*}} : tensor<6xf32>)
func.func @factor(%x: tensor<5x7xi8>, %w: tensor<6x7xi8>, %g: tensor<6xf32>, %s: f32, %z: i32) -> tensor<5x6xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant dense<0.0> : tensor<5x6xf32>
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<6x7xf32>
  %et = tensor.empty() : tensor<7x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %z : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %s : f32
    linalg.yield %3 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<6x7xi8>) outs(%ew : tensor<6x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<6x7xf32>
  %wg = linalg.generic {indexing_maps = [#n, #r, #n], iterator_types = ["parallel", "parallel"]} ins(%wd, %g : tensor<6x7xf32>, tensor<6xf32>) outs(%ew : tensor<6x7xf32>) {
  ^bb0(%in: f32, %scale: f32, %out: f32):
    %0 = arith.mulf %in, %scale : f32
    linalg.yield %0 : f32
  } -> tensor<6x7xf32>
  %wt = linalg.transpose ins(%wg : tensor<6x7xf32>) outs(%et : tensor<7x6xf32>) permutation = [1, 0]
  %r = linalg.matmul ins(%xd, %wt : tensor<5x7xf32>, tensor<7x6xf32>) outs(%zero : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// Pads are a zero point that is known.
// CHECK-LABEL: func @padded(
// CHECK:         fusion.quantized_conv_bias_act pad_low [0, 1] pad_high [1, 0] {input_zero_point = 7 : i32}
func.func @padded(%x: tensor<2x3x9x8xi8>, %w: tensor<4x3x3x2xi8>, %s: f32) -> tensor<2x4x8x8xf32> {
  %sw = arith.constant 0.015 : f32
  %seven = arith.constant 7 : i32
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %ex = tensor.empty() : tensor<2x3x9x8xf32>
  %ew = tensor.empty() : tensor<4x3x3x2xf32>
  %xd = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<2x3x9x8xi8>) outs(%ex : tensor<2x3x9x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %seven : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %s : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x9x8xf32>
  %xp = tensor.pad %xd low[0, 0, 0, 1] high[0, 0, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x9x8xf32> to tensor<2x3x10x9xf32>
  %wd = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<4x3x3x2xi8>) outs(%ew : tensor<4x3x3x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<4x3x3x2xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%xp, %wd : tensor<2x3x10x9xf32>, tensor<4x3x3x2xf32>) outs(%zeros : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  return %r : tensor<2x4x8x8xf32>
}

// Constants that are repeated for each element are numbers as well, and so is an unsigned one.
// CHECK-LABEL: func @repeated_constants(
// CHECK-DAG:     arith.constant 2.500000e-01 : f32
// CHECK:         fusion.quantized_conv_bias_act pad_low [1, 0] pad_high [0, 1] {input_unsigned, input_zero_point = 131 : i32}
func.func @repeated_constants(%x: tensor<2x3x9x8xi8>, %w: tensor<4x3x3x2xi8>, %s: f32) -> tensor<2x4x8x8xf32> {
  %sw = arith.constant 0.015 : f32
  %z = arith.constant dense<-125> : tensor<2x3x9x8xi8>
  %quarter = arith.constant 0.25 : f32
  %zero = arith.constant 0.0 : f32
  %zeros = arith.constant dense<0.0> : tensor<2x4x8x8xf32>
  %ex = tensor.empty() : tensor<2x3x9x8xf32>
  %ew = tensor.empty() : tensor<4x3x3x2xf32>
  %x0 = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %z : tensor<2x3x9x8xi8>, tensor<2x3x9x8xi8>) outs(%ex : tensor<2x3x9x8xf32>) {
  ^bb0(%in: i8, %point: i8, %out: f32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.extui %point : i8 to i32
    %2 = arith.subi %0, %1 : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %s : f32
    linalg.yield %4 : f32
  } -> tensor<2x3x9x8xf32>
  %qs = linalg.fill ins(%quarter : f32) outs(%ex : tensor<2x3x9x8xf32>) -> tensor<2x3x9x8xf32>
  %xd = linalg.mul ins(%x0, %qs : tensor<2x3x9x8xf32>, tensor<2x3x9x8xf32>) outs(%ex : tensor<2x3x9x8xf32>) -> tensor<2x3x9x8xf32>
  %xp = tensor.pad %xd low[0, 0, 1, 0] high[0, 0, 0, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x9x8xf32> to tensor<2x3x10x9xf32>
  %wd = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<4x3x3x2xi8>) outs(%ew : tensor<4x3x3x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<4x3x3x2xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%xp, %wd : tensor<2x3x10x9xf32>, tensor<4x3x3x2xf32>) outs(%zeros : tensor<2x4x8x8xf32>) -> tensor<2x4x8x8xf32>
  return %r : tensor<2x4x8x8xf32>
}

// The body of a convolution has all of it behind upstream's fusion: numbers of a tensor of one
// element, and those that it extracts.
// CHECK-LABEL: func @windows(
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] ins(%{{.*}}) bias(
func.func @windows(%x: tensor<2x3x9x8xi8>, %w: tensor<4x3x3x2xi8>, %s: tensor<1x1x1x1xf32>, %z: tensor<3xi32>) -> tensor<2x4x4x7xf32> {
  %sw = arith.constant 0.015 : f32
  %two = arith.constant 2 : index
  %zeros = arith.constant dense<0.0> : tensor<2x4x4x7xf32>
  %ex = tensor.empty() : tensor<2x3x9x8xf32>
  %ew = tensor.empty() : tensor<4x3x3x2xf32>
  %xd = linalg.generic {indexing_maps = [#m, #m00, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x, %s : tensor<2x3x9x8xi8>, tensor<1x1x1x1xf32>) outs(%ex : tensor<2x3x9x8xf32>) {
  ^bb0(%in: i8, %scale: f32, %out: f32):
    %point = tensor.extract %z[%two] : tensor<3xi32>
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %point : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %scale : f32
    linalg.yield %3 : f32
  } -> tensor<2x3x9x8xf32>
  %wd = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<4x3x3x2xi8>) outs(%ew : tensor<4x3x3x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<4x3x3x2xf32>
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>} ins(%xd, %wd : tensor<2x3x9x8xf32>, tensor<4x3x3x2xf32>) outs(%zeros : tensor<2x4x4x7xf32>) -> tensor<2x4x4x7xf32>
  return %r : tensor<2x4x4x7xf32>
}

// One body has all of it: a number of a tensor of one element is no window.
// CHECK-LABEL: func @vector(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} bias(
func.func @vector(%x: tensor<7xi8>, %w: tensor<6x7xi8>, %s: tensor<1x1xf32>, %z: tensor<i8>) -> tensor<6xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant dense<0.0> : tensor<6xf32>
  %r = linalg.generic {indexing_maps = [#c, #n, #s, #00, #r], iterator_types = ["parallel", "reduction"]} ins(%x, %w, %z, %s : tensor<7xi8>, tensor<6x7xi8>, tensor<i8>, tensor<1x1xf32>) outs(%zero : tensor<6xf32>) {
  ^bb0(%in: i8, %filter: i8, %point: i8, %scale: f32, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.extsi %point : i8 to i32
    %2 = arith.subi %0, %1 : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %scale : f32
    %5 = arith.sitofp %filter : i8 to f32
    %6 = arith.mulf %5, %sw : f32
    %7 = arith.mulf %4, %6 : f32
    %8 = arith.addf %out, %7 : f32
    linalg.yield %8 : f32
  } -> tensor<6xf32>
  return %r : tensor<6xf32>
}

// A quantisation behind it is folded, too, with bounds of a relu.
// CHECK-LABEL: func @quantised(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}} bias({{.*}} scale({{.*}} -> tensor<5x6xi8>
func.func @quantised(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: f32, %z: f32) -> tensor<5x6xi8> {
  %sw = arith.constant 0.015 : f32
  %so = arith.constant 1.25 : f32
  %low = arith.constant 0.0 : f32
  %high = arith.constant 127.0 : f32
  %zero = arith.constant dense<0.0> : tensor<5x6xf32>
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xi8>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.subf %0, %z : f32
    %2 = arith.mulf %1, %s : f32
    linalg.yield %2 : f32
  } -> tensor<5x7xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%zero : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.mulf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.maximumf %1, %low : f32
    %3 = arith.minimumf %2, %high : f32
    %4 = arith.fptosi %3 : f32 to i8
    linalg.yield %4 : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// The numbers are elements that the body extracts, as linalg-inline-scalar-operands leaves them.
// CHECK-LABEL: func @inlined(
// CHECK:         fusion.quantized_matmul_bias_act
func.func @inlined(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %s: tensor<f32>, %z: tensor<i32>) -> tensor<5x6xf32> {
  %sw = arith.constant 0.015 : f32
  %zero = arith.constant dense<0.0> : tensor<5x6xf32>
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %scale = tensor.extract %s[] : tensor<f32>
    %point = tensor.extract %z[] : tensor<i32>
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %point : i32
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
  %r = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%zero : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}

// The input is quantised in each call, with the same numbers. Upstream's fusion makes one op of
// both, which is split again.
// CHECK-LABEL: func @fake(
// CHECK:         arith.fptosi
// CHECK:         fusion.quantized_matmul_bias_act
func.func @fake(%x: tensor<5x7xf32>, %w: tensor<7x6xi8>, %s: tensor<f32>, %z: tensor<i32>) -> tensor<5x6xf32> {
  %sw = arith.constant 0.015 : f32
  %low = arith.constant -128.0 : f32
  %high = arith.constant 127.0 : f32
  %zero = arith.constant dense<0.0> : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x7xi8>
  %ex = tensor.empty() : tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %xq = linalg.generic {indexing_maps = [#n, #s, #s, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %s, %z : tensor<5x7xf32>, tensor<f32>, tensor<i32>) outs(%e8 : tensor<5x7xi8>) {
  ^bb0(%in: f32, %scale: f32, %point: i32, %out: i8):
    %0 = arith.divf %in, %scale : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.sitofp %point : i32 to f32
    %3 = arith.addf %1, %2 : f32
    %4 = arith.maximumf %3, %low : f32
    %5 = arith.minimumf %4, %high : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x7xi8>
  %xd = linalg.generic {indexing_maps = [#n, #s, #s, #n], iterator_types = ["parallel", "parallel"]} ins(%xq, %s, %z : tensor<5x7xi8>, tensor<f32>, tensor<i32>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %scale: f32, %point: i32, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %point : i32
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
  %r = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%zero : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %r : tensor<5x6xf32>
}
