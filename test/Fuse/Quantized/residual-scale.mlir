// The scale of a quantisation stays with it where a tensor is added in front: fusion-fuse would scale that tensor in an op
// of its own. Integration/fuse-dequantized.test executes these functions.

// RUN: fusion-opt %s --fusion-raise --fusion-fuse --fusion-fuse-quantized --fusion-explain -o %t.mlir 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=arith.divf

#n = affine_map<(d0, d1) -> (d0, d1)>
#c = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#d = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>

// EXPLAIN:      fused: dequantize, zero point, dequantized residual, quantize{{$}}
// CHECK-LABEL: func @integers(
// CHECK-SAME:    %[[Y:[a-z0-9]*]]: tensor<5x6xi8>)
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.quantized_matmul_bias_act {{{.*}}residual_scale = {{0.6199.*}} : f32, residual_zero_point = 5 : i32} {{.*}} residual(%[[Y]] : tensor<5x6xi8>) {{.*}}xi8>{{$}}
func.func @integers(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xi8> {
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
  %ex = tensor.empty() : tensor<5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sx : f32
    linalg.yield %3 : f32
  } -> tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %none : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sw : f32
    linalg.yield %3 : f32
  } -> tensor<7x6xf32>
  %ey = tensor.empty() : tensor<5x6xf32>
  %yd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x6xi8>) outs(%ey : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zr : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sr : f32
    linalg.yield %3 : f32
  } -> tensor<5x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %a = linalg.add ins(%c, %yd : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
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

// A mean of both: its factor is folded into filter and residual.
// EXPLAIN-NEXT: fused: dequantize, zero point, scale, dequantized residual, quantize{{$}}
// CHECK-LABEL: func @mean(
// CHECK-SAME:    %[[Y:[a-z0-9]*]]: tensor<5x6xi8>)
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.quantized_matmul_bias_act {{{.*}}residual_scale = {{0.3099.*}} : f32, residual_zero_point = 5 : i32} {{.*}} residual(%[[Y]] : tensor<5x6xi8>) {{.*}}xi8>{{$}}
func.func @mean(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xi8> {
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
  %ex = tensor.empty() : tensor<5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sx : f32
    linalg.yield %3 : f32
  } -> tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %none : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sw : f32
    linalg.yield %3 : f32
  } -> tensor<7x6xf32>
  %ey = tensor.empty() : tensor<5x6xf32>
  %yd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x6xi8>) outs(%ey : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zr : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sr : f32
    linalg.yield %3 : f32
  } -> tensor<5x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %a = linalg.add ins(%c, %yd : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %half = arith.constant 0.5 : f32
  %m = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %half : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%m : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
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

// EXPLAIN-NEXT: fused: dequantize, zero point, residual, quantize{{$}}
// CHECK-LABEL: func @floats(
// CHECK-SAME:    %[[Y:[a-z0-9]*]]: tensor<5x6xf32>)
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.quantized_matmul_bias_act {{{.*}}output_scale = 2.000000e+01 : f32{{.*}} residual(%[[Y]] : tensor<5x6xf32>) {{.*}}xi8>{{$}}
func.func @floats(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xf32>) -> tensor<5x6xi8> {
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
  %ex = tensor.empty() : tensor<5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sx : f32
    linalg.yield %3 : f32
  } -> tensor<5x7xf32>
  %ew = tensor.empty() : tensor<7x6xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%ew : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %none : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sw : f32
    linalg.yield %3 : f32
  } -> tensor<7x6xf32>
  %e = tensor.empty() : tensor<5x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
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

// The output channel is two dimensions.
// EXPLAIN-NEXT: fused: dequantize, zero point, dequantized residual, quantize{{$}}
// CHECK-LABEL: func @multiplier(
// CHECK-SAME:    %[[Y:[a-z0-9]*]]: tensor<1x4x7x2x3xi8>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[Y]]
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.quantized_conv_bias_act {{.*}}residual_scale = {{0.6199.*}} residual(%[[V]] : tensor<1x4x7x6xi8>) {{.*}}xi8>{{$}}
func.func @multiplier(%x: tensor<1x9x8x2xi8>, %w: tensor<3x2x2x3xi8>, %y: tensor<1x4x7x2x3xi8>) -> tensor<1x4x7x2x3xi8> {
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
  %ex = tensor.empty() : tensor<1x9x8x2xf32>
  %xd = linalg.generic {indexing_maps = [#c, #c], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x9x8x2xi8>) outs(%ex : tensor<1x9x8x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sx : f32
    linalg.yield %3 : f32
  } -> tensor<1x9x8x2xf32>
  %ew = tensor.empty() : tensor<3x2x2x3xf32>
  %wd = linalg.generic {indexing_maps = [#c, #c], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<3x2x2x3xi8>) outs(%ew : tensor<3x2x2x3xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %none : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sw : f32
    linalg.yield %3 : f32
  } -> tensor<3x2x2x3xf32>
  %ey = tensor.empty() : tensor<1x4x7x2x3xf32>
  %yd = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<1x4x7x2x3xi8>) outs(%ey : tensor<1x4x7x2x3xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zr : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sr : f32
    linalg.yield %3 : f32
  } -> tensor<1x4x7x2x3xf32>
  %e = tensor.empty() : tensor<1x4x7x2x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x7x2x3xf32>) -> tensor<1x4x7x2x3xf32>
  %c = linalg.depthwise_conv_2d_nhwc_hwcm {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%xd, %wd : tensor<1x9x8x2xf32>, tensor<3x2x2x3xf32>) outs(%f : tensor<1x4x7x2x3xf32>) -> tensor<1x4x7x2x3xf32>
  %a = linalg.add ins(%c, %yd : tensor<1x4x7x2x3xf32>, tensor<1x4x7x2x3xf32>) outs(%e : tensor<1x4x7x2x3xf32>) -> tensor<1x4x7x2x3xf32>
  %e8 = tensor.empty() : tensor<1x4x7x2x3xi8>
  %q = linalg.generic {indexing_maps = [#d, #d], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%a : tensor<1x4x7x2x3xf32>) outs(%e8 : tensor<1x4x7x2x3xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x4x7x2x3xi8>
  return %q : tensor<1x4x7x2x3xi8>
}
