// An activation between a dequantisation and the quantisation behind it is one of the integers.

// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --linalg-fuse-elementwise-ops --canonicalize --fusion-optimize=propagate-layout=false | FileCheck %s

#n = affine_map<(d0, d1) -> (d0, d1)>
#m = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// CHECK-LABEL: func @relu(
// CHECK:         fusion.quantized_conv_bias_act relu {{.*}}output_zero_point = 4 : i32{{.*}} -> tensor<1x5x7x6xi8>
// CHECK-NOT:     linalg.
func.func @relu(%x: tensor<1x10x6x3xi8>, %w: tensor<3x2x3x6xi8>) -> tensor<1x5x7x6xi8> {
  %zero = arith.constant 0.0 : f32
  %sq = arith.constant 11.7 : f32
  %so = arith.constant 0.03 : f32
  %zo = arith.constant 4.0 : f32
  %zi = arith.constant 4 : i32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %zero8 = arith.constant 0 : i8
  %f = arith.constant dense<0> : tensor<1x5x7x6xi32>
  %e = tensor.empty() : tensor<1x5x7x6xf32>
  %e8 = tensor.empty() : tensor<1x5x7x6xi8>
  %p = tensor.pad %x low[0, 1, 0, 0] high[0, 0, 2, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero8 : i8
  } : tensor<1x10x6x3xi8> to tensor<1x11x8x3xi8>
  %c = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w : tensor<1x11x8x3xi8>, tensor<3x2x3x6xi8>) outs(%f : tensor<1x5x7x6xi32>) -> tensor<1x5x7x6xi32>
  %q = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<1x5x7x6xi32>) outs(%e8 : tensor<1x5x7x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %sum = arith.sitofp %in : i32 to f32
    %0 = arith.divf %sum, %sq : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x5x7x6xi8>
  %d = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%q : tensor<1x5x7x6xi8>) outs(%e : tensor<1x5x7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zi : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %so : f32
    linalg.yield %3 : f32
  } -> tensor<1x5x7x6xf32>
  %a = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%d : tensor<1x5x7x6xf32>) outs(%e : tensor<1x5x7x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.cmpf ugt, %in, %zero : f32
    %1 = arith.select %0, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<1x5x7x6xf32>
  %r = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a : tensor<1x5x7x6xf32>) outs(%e8 : tensor<1x5x7x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x5x7x6xi8>
  return %r : tensor<1x5x7x6xi8>
}

// CHECK-LABEL: func @clip(
// CHECK:         fusion.quantized_matmul_bias_act clip(0.000000e+00, 3.000000e+01) {{.*}}output_zero_point = 4 : i32{{.*}} -> tensor<5x6xi8>
// CHECK-NOT:     linalg.
func.func @clip(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %zero = arith.constant 0.0 : f32
  %sq = arith.constant 11.7 : f32
  %so = arith.constant 0.03 : f32
  %zo = arith.constant 4.0 : f32
  %zi = arith.constant 4 : i32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %six = arith.constant 0.9 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %sum = arith.sitofp %in : i32 to f32
    %0 = arith.divf %sum, %sq : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<5x6xi8>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zi : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %so : f32
    linalg.yield %3 : f32
  } -> tensor<5x6xf32>
  %a = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%d : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %zero : f32
    %1 = arith.minimumf %0, %six : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// The first quantisation saturates at 127, 123 steps from its zero point.
// CHECK-LABEL: func @other_zero_point(
// CHECK:         fusion.quantized_matmul_bias_act clip(0.000000e+00, 1.230000e+02) {{.*}}output_zero_point = -128 : i32{{.*}} -> tensor<5x6xi8>
// CHECK-NOT:     linalg.
func.func @other_zero_point(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %zero = arith.constant 0.0 : f32
  %sq = arith.constant 11.7 : f32
  %so = arith.constant 0.03 : f32
  %zo = arith.constant 4.0 : f32
  %zi = arith.constant 4 : i32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i32, %out: i8):
    %sum = arith.sitofp %in : i32 to f32
    %0 = arith.divf %sum, %sq : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<5x6xi8>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zi : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %so : f32
    linalg.yield %3 : f32
  } -> tensor<5x6xf32>
  %a = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%d : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.cmpf ugt, %in, %zero : f32
    %1 = arith.select %0, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %min : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// Floats that others read stay, too.
// CHECK-LABEL: func @of_integers(
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<5x6xi8>) outs(%{{.*}} : tensor<5x6xf32>)
// CHECK:         linalg.generic {{.*}} ins(%arg0 : tensor<5x6xi8>) outs(%{{.*}} : tensor<5x6xi8>)
func.func @of_integers(%q: tensor<5x6xi8>) -> (tensor<5x6xi8>, tensor<5x6xf32>) {
  %zero = arith.constant 0.0 : f32
  %so = arith.constant 0.03 : f32
  %zo = arith.constant 4.0 : f32
  %zi = arith.constant 4 : i32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %d = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<5x6xi8>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zi : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %so : f32
    linalg.yield %3 : f32
  } -> tensor<5x6xf32>
  %a = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%d : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.cmpf ugt, %in, %zero : f32
    %1 = arith.select %0, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %r, %a : tensor<5x6xi8>, tensor<5x6xf32>
}
