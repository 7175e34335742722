// A lower bound behind a residual, in front of a quantisation that saturates there, is none.

// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --linalg-fuse-elementwise-ops --canonicalize --fusion-optimize=propagate-layout=false | FileCheck %s

#n = affine_map<(d0, d1) -> (d0, d1)>
#m = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// CHECK-LABEL: func @relu(
// CHECK:         fusion.quantized_conv_bias_act relu {{.*}}output_zero_point = -128 : i32{{.*}} residual_after_activation(%{{.*}} : tensor<1x5x7x6xi8>) {{.*}} -> tensor<1x5x7x6xi8>
// CHECK-NOT:     linalg.
func.func @relu(%x: tensor<1x10x6x3xi8>, %w: tensor<3x2x3x6xi8>, %y: tensor<1x5x7x6xi8>) -> tensor<1x5x7x6xi8> {
  %zero = arith.constant 0.0 : f32
  %sx = arith.constant 0.0085 : f32
  %sw = arith.constant 0.0093 : f32
  %so = arith.constant 0.0625 : f32
  %zo = arith.constant -128.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<1x5x7x6xf32>
  %e8 = tensor.empty() : tensor<1x5x7x6xi8>
  %xd_e = tensor.empty() : tensor<1x10x6x3xf32>
  %xd = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x10x6x3xi8>) outs(%xd_e : tensor<1x10x6x3xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<1x10x6x3xf32>
  %wd_e = tensor.empty() : tensor<3x2x3x6xf32>
  %wd = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w : tensor<3x2x3x6xi8>) outs(%wd_e : tensor<3x2x3x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<3x2x3x6xf32>
  %p = tensor.pad %xd low[0, 1, 0, 0] high[0, 0, 2, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x10x6x3xf32> to tensor<1x11x8x3xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x5x7x6xf32>) -> tensor<1x5x7x6xf32>
  %c = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %wd : tensor<1x11x8x3xf32>, tensor<3x2x3x6xf32>) outs(%f : tensor<1x5x7x6xf32>) -> tensor<1x5x7x6xf32>
  %r = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<1x5x7x6xf32>) outs(%e : tensor<1x5x7x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.cmpf ugt, %in, %zero : f32
    %1 = arith.select %0, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<1x5x7x6xf32>
  %yd_e = tensor.empty() : tensor<1x5x7x6xf32>
  %yd = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%y : tensor<1x5x7x6xi8>) outs(%yd_e : tensor<1x5x7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<1x5x7x6xf32>
  %s = linalg.generic {indexing_maps = [#m, #m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%r, %yd : tensor<1x5x7x6xf32>, tensor<1x5x7x6xf32>) outs(%e : tensor<1x5x7x6xf32>) {
  ^bb0(%in: f32, %more: f32, %out: f32):
    %0 = arith.addf %in, %more : f32
    linalg.yield %0 : f32
  } -> tensor<1x5x7x6xf32>
  %a = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x5x7x6xf32>) outs(%e : tensor<1x5x7x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.cmpf ugt, %in, %zero : f32
    %1 = arith.select %0, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<1x5x7x6xf32>
  %q = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a : tensor<1x5x7x6xf32>) outs(%e8 : tensor<1x5x7x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x5x7x6xi8>
  return %q : tensor<1x5x7x6xi8>
}

// CHECK-LABEL: func @maximum(
// CHECK:         fusion.quantized_matmul_bias_act relu {{.*}}output_zero_point = -128 : i32{{.*}} residual_after_activation(%{{.*}} : tensor<5x6xi8>) {{.*}} -> tensor<5x6xi8>
// CHECK-NOT:     linalg.
func.func @maximum(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %zero = arith.constant 0.0 : f32
  %sx = arith.constant 0.0085 : f32
  %sw = arith.constant 0.0093 : f32
  %so = arith.constant 0.0625 : f32
  %zo = arith.constant -128.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %xd_e = tensor.empty() : tensor<5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%xd_e : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd_e = tensor.empty() : tensor<7x6xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%wd_e : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.cmpf ugt, %in, %zero : f32
    %1 = arith.select %0, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %yd_e = tensor.empty() : tensor<5x6xf32>
  %yd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x6xi8>) outs(%yd_e : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %s = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%r, %yd : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %more: f32, %out: f32):
    %0 = arith.addf %in, %more : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  %a = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
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

// A NaN becomes the least integer, too.
// CHECK-LABEL: func @floats(
// CHECK:         fusion.quantized_matmul_bias_act relu {{.*}}output_zero_point = -128 : i32{{.*}} residual_after_activation(%{{.*}} : tensor<5x6xf32>) {{.*}} -> tensor<5x6xi8>
// CHECK-NOT:     linalg.
func.func @floats(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xf32>) -> tensor<5x6xi8> {
  %zero = arith.constant 0.0 : f32
  %sx = arith.constant 0.0085 : f32
  %sw = arith.constant 0.0093 : f32
  %so = arith.constant 0.0625 : f32
  %zo = arith.constant -128.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %xd_e = tensor.empty() : tensor<5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%xd_e : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd_e = tensor.empty() : tensor<7x6xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%wd_e : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.cmpf ugt, %in, %zero : f32
    %1 = arith.select %0, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %s = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%r, %y : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %more: f32, %out: f32):
    %0 = arith.addf %in, %more : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  %a = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.cmpf ugt, %in, %zero : f32
    %1 = arith.select %0, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
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

// The bound is two steps below the least number.
// CHECK-LABEL: func @lower(
// CHECK:         fusion.quantized_matmul_bias_act relu {{.*}}output_zero_point = -126 : i32{{.*}} residual_after_activation(%{{.*}} : tensor<5x6xi8>) {{.*}} -> tensor<5x6xi8>
// CHECK-NOT:     linalg.
func.func @lower(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %zero = arith.constant 0.0 : f32
  %sx = arith.constant 0.0085 : f32
  %sw = arith.constant 0.0093 : f32
  %so = arith.constant 0.0625 : f32
  %zo = arith.constant -126.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %b = arith.constant -0.25 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %xd_e = tensor.empty() : tensor<5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%xd_e : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x7xf32>
  %wd_e = tensor.empty() : tensor<7x6xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<7x6xi8>) outs(%wd_e : tensor<7x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sw : f32
    linalg.yield %1 : f32
  } -> tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x6xf32>) outs(%f : tensor<5x6xf32>) -> tensor<5x6xf32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.cmpf ugt, %in, %zero : f32
    %1 = arith.select %0, %in, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %yd_e = tensor.empty() : tensor<5x6xf32>
  %yd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x6xi8>) outs(%yd_e : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %sx : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %s = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%r, %yd : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %more: f32, %out: f32):
    %0 = arith.addf %in, %more : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  %a = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%s : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %b : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
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
