// Biases that an op of their own computes of integers, where upstream's fusion of element-wise ops merges that
// op with the broadcast or with the sum, and biases of sums of integers, which it merges with the requantisation:
// in each order the same ops on integers, with a bias.

// RUN: %python %S/verify-functions.py %s -- --random=0:-128:128 --lsb=1 | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize | FileCheck %s --check-prefix=IR --implicit-check-not='{{residual|linalg.(conv|matmul)|"parallel", "parallel"}}'

// RUN: fusion-opt %s --linalg-fuse-elementwise-ops -o %t.e.mlir
// RUN: %python %S/verify-functions.py %t.e.mlir -- --random=0:-128:128 --lsb=1 | FileCheck %s
// RUN: fusion-opt %t.e.mlir --fusion-optimize | FileCheck %s --check-prefix=IR --implicit-check-not='{{residual|linalg.(conv|matmul)|"parallel", "parallel"}}'

// RUN: fusion-opt %s --linalg-generalize-named-ops --linalg-fuse-elementwise-ops -o %t.g.mlir
// RUN: %python %S/verify-functions.py %t.g.mlir -- --random=0:-128:128 --lsb=1 | FileCheck %s
// RUN: fusion-opt %t.g.mlir --fusion-optimize | FileCheck %s --check-prefix=IR --implicit-check-not='{{residual|linalg.(conv|matmul)|"parallel", "parallel"}}'

// CHECK: {{^}}5 functions agree, 5 fused ops

#id = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#c0 = affine_map<(d0, d1, d2, d3) -> (d0)>
#c1 = affine_map<(d0, d1, d2, d3) -> (d1)>
#c3 = affine_map<(d0, d1, d2, d3) -> (d3)>
#v = affine_map<(d0) -> (d0)>
#n = affine_map<(d0, d1) -> (d0, d1)>
#nc = affine_map<(d0, d1) -> (d1)>

// The sum starts from the broadcast, as that of ONNX's Conv does.
// IR-LABEL: func.func @start(
// IR:         fusion.quantized_conv_bias_act {{.*}} bias(%{{.*}} : tensor<4xf32>)
func.func @start(%x: tensor<1x3x9x8xi8>, %w: tensor<4x3x3x2xi8>) -> tensor<1x4x4x9xi8> {
  %bi = arith.constant dense<[500, -700, 900, -1100]> : tensor<4xi32>
  %bs = arith.constant dense<[0.0002, 0.0004, 0.0006, 0.0008]> : tensor<4xf32>
  %eb = tensor.empty() : tensor<4xf32>
  %b = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]} ins(%bi, %bs : tensor<4xi32>, tensor<4xf32>) outs(%eb : tensor<4xf32>) {
  ^bb0(%in: i32, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  %ex = tensor.empty() : tensor<1x3x9x8xf32>
  %xd = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x3x9x8xi8>) outs(%ex : tensor<1x3x9x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %zx = arith.constant -14 : i32
    %sx = arith.constant 0.02 : f32
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sx : f32
    linalg.yield %3 : f32
  } -> tensor<1x3x9x8xf32>
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %xd low[0, 0, 1, 0] high[0, 0, 0, 2] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x3x9x8xf32> to tensor<1x3x10x10xf32>
  %ws = arith.constant dense<[0.01, 0.02, 0.03, 0.04]> : tensor<4xf32>
  %ew = tensor.empty() : tensor<4x3x3x2xf32>
  %wd = linalg.generic {indexing_maps = [#id, #c0, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %ws : tensor<4x3x3x2xi8>, tensor<4xf32>) outs(%ew : tensor<4x3x3x2xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<4x3x3x2xf32>
  %e = tensor.empty() : tensor<1x4x4x9xf32>
  %bb = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<1x4x4x9xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%p, %wd : tensor<1x3x10x10xf32>, tensor<4x3x3x2xf32>) outs(%bb : tensor<1x4x4x9xf32>) -> tensor<1x4x4x9xf32>
  %e8 = tensor.empty() : tensor<1x4x4x9xi8>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c : tensor<1x4x4x9xf32>) outs(%e8 : tensor<1x4x4x9xi8>) {
  ^bb0(%in: f32, %out: i8):
    %so = arith.constant 0.25 : f32
    %zo = arith.constant 7.0 : f32
    %min = arith.constant -128.0 : f32
    %max = arith.constant 127.0 : f32
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x4x4x9xi8>
  return %q : tensor<1x4x4x9xi8>
}

// The bias is added behind the sum.
// IR-LABEL: func.func @added(
// IR:         fusion.quantized_conv_bias_act {{.*}} bias(%{{.*}} : tensor<4xf32>)
func.func @added(%x: tensor<1x3x9x8xi8>, %w: tensor<4x3x3x2xi8>) -> tensor<1x4x4x9xi8> {
  %bi = arith.constant dense<[500, -700, 900, -1100]> : tensor<4xi32>
  %bs = arith.constant dense<[0.0002, 0.0004, 0.0006, 0.0008]> : tensor<4xf32>
  %eb = tensor.empty() : tensor<4xf32>
  %b = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]} ins(%bi, %bs : tensor<4xi32>, tensor<4xf32>) outs(%eb : tensor<4xf32>) {
  ^bb0(%in: i32, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  %ex = tensor.empty() : tensor<1x3x9x8xf32>
  %xd = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x3x9x8xi8>) outs(%ex : tensor<1x3x9x8xf32>) {
  ^bb0(%in: i8, %out: f32):
    %zx = arith.constant -14 : i32
    %sx = arith.constant 0.02 : f32
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sx : f32
    linalg.yield %3 : f32
  } -> tensor<1x3x9x8xf32>
  %zero = arith.constant 0.0 : f32
  %p = tensor.pad %xd low[0, 0, 1, 0] high[0, 0, 0, 2] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zero : f32
  } : tensor<1x3x9x8xf32> to tensor<1x3x10x10xf32>
  %ws = arith.constant dense<[0.01, 0.02, 0.03, 0.04]> : tensor<4xf32>
  %ew = tensor.empty() : tensor<4x3x3x2xf32>
  %wd = linalg.generic {indexing_maps = [#id, #c0, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%w, %ws : tensor<4x3x3x2xi8>, tensor<4xf32>) outs(%ew : tensor<4x3x3x2xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<4x3x3x2xf32>
  %e = tensor.empty() : tensor<1x4x4x9xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x4x4x9xf32>) -> tensor<1x4x4x9xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%p, %wd : tensor<1x3x10x10xf32>, tensor<4x3x3x2xf32>) outs(%f : tensor<1x4x4x9xf32>) -> tensor<1x4x4x9xf32>
  %a = linalg.generic {indexing_maps = [#id, #c1, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %b : tensor<1x4x4x9xf32>, tensor<4xf32>) outs(%e : tensor<1x4x4x9xf32>) {
  ^bb0(%in: f32, %v: f32, %out: f32):
    %0 = arith.addf %in, %v : f32
    linalg.yield %0 : f32
  } -> tensor<1x4x4x9xf32>
  %e8 = tensor.empty() : tensor<1x4x4x9xi8>
  %q = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a : tensor<1x4x4x9xf32>) outs(%e8 : tensor<1x4x4x9xi8>) {
  ^bb0(%in: f32, %out: i8):
    %so = arith.constant 0.25 : f32
    %zo = arith.constant 7.0 : f32
    %min = arith.constant -128.0 : f32
    %max = arith.constant 127.0 : f32
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x4x4x9xi8>
  return %q : tensor<1x4x4x9xi8>
}

// A matrix multiplication. Only a call knows the bias.
// IR-LABEL: func.func @matmul(
// IR:         fusion.quantized_matmul_bias_act {{.*}} bias(%{{.*}} : tensor<4xf32>)
func.func @matmul(%x: tensor<5x7xi8>, %w: tensor<7x4xi8>, %bi: tensor<4xi32>) -> tensor<5x4xi8> {
  %bs = arith.constant dense<[0.0002, 0.0004, 0.0006, 0.0008]> : tensor<4xf32>
  %eb = tensor.empty() : tensor<4xf32>
  %b = linalg.generic {indexing_maps = [#v, #v, #v], iterator_types = ["parallel"]} ins(%bi, %bs : tensor<4xi32>, tensor<4xf32>) outs(%eb : tensor<4xf32>) {
  ^bb0(%in: i32, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<4xf32>
  %ex = tensor.empty() : tensor<5x7xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<5x7xi8>) outs(%ex : tensor<5x7xf32>) {
  ^bb0(%in: i8, %out: f32):
    %zx = arith.constant 9 : i32
    %sx = arith.constant 0.02 : f32
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.sitofp %1 : i32 to f32
    %3 = arith.mulf %2, %sx : f32
    linalg.yield %3 : f32
  } -> tensor<5x7xf32>
  %ws = arith.constant dense<[0.01, 0.02, 0.03, 0.04]> : tensor<4xf32>
  %ew = tensor.empty() : tensor<7x4xf32>
  %wd = linalg.generic {indexing_maps = [#n, #nc, #n], iterator_types = ["parallel", "parallel"]} ins(%w, %ws : tensor<7x4xi8>, tensor<4xf32>) outs(%ew : tensor<7x4xf32>) {
  ^bb0(%in: i8, %s: f32, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<7x4xf32>
  %e = tensor.empty() : tensor<5x4xf32>
  %bb = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<5x4xf32>) dimensions = [0]
  %c = linalg.matmul ins(%xd, %wd : tensor<5x7xf32>, tensor<7x4xf32>) outs(%bb : tensor<5x4xf32>) -> tensor<5x4xf32>
  %e8 = tensor.empty() : tensor<5x4xi8>
  %q = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x4xf32>) outs(%e8 : tensor<5x4xi8>) {
  ^bb0(%in: f32, %out: i8):
    %so = arith.constant 0.25 : f32
    %zo = arith.constant 7.0 : f32
    %min = arith.constant -128.0 : f32
    %max = arith.constant 127.0 : f32
    %0 = arith.divf %in, %so : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x4xi8>
  return %q : tensor<5x4xi8>
}

// Integers as StableHLO has them: the zero point times the sum of a filter that only a call knows.
// IR-LABEL: func.func @filter_argument(
// IR:         fusion.quantized_conv_bias_act {{.*}} bias(%{{.*}} : tensor<4xi32>) scale({{.*}} -> tensor<1x4x8x4xi8>
func.func @filter_argument(%x: tensor<1x10x9x3xi8>, %w: tensor<3x2x3x4xi8>) -> tensor<1x4x8x4xi8> {
  %c0 = arith.constant 0 : i32
  %ms = arith.constant dense<[0.001, 0.002, 0.0015, 0.0005]> : tensor<4xf32>
  %b = arith.constant dense<[100, -200, 300, -400]> : tensor<4xi32>
  %e = tensor.empty() : tensor<1x4x8x4xi32>
  %f = linalg.fill ins(%c0 : i32) outs(%e : tensor<1x4x8x4xi32>) -> tensor<1x4x8x4xi32>
  %c = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w : tensor<1x10x9x3xi8>, tensor<3x2x3x4xi8>) outs(%f : tensor<1x4x8x4xi32>) -> tensor<1x4x8x4xi32>
  %e4 = tensor.empty() : tensor<4xi32>
  %f4 = linalg.fill ins(%c0 : i32) outs(%e4 : tensor<4xi32>) -> tensor<4xi32>
  %sum = linalg.generic {indexing_maps = [#id, #c3], iterator_types = ["reduction", "reduction", "reduction", "parallel"]} ins(%w : tensor<3x2x3x4xi8>) outs(%f4 : tensor<4xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.addi %out, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<4xi32>
  %off = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%sum : tensor<4xi32>) outs(%e4 : tensor<4xi32>) {
  ^bb0(%in: i32, %out: i32):
    %zp = arith.constant -11 : i32
    %0 = arith.muli %in, %zp : i32
    linalg.yield %0 : i32
  } -> tensor<4xi32>
  %a = linalg.generic {indexing_maps = [#id, #c3, #c3, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %off, %b : tensor<1x4x8x4xi32>, tensor<4xi32>, tensor<4xi32>) outs(%e : tensor<1x4x8x4xi32>) {
  ^bb0(%in: i32, %o: i32, %bb: i32, %out: i32):
    %z = arith.subi %c0, %o : i32
    %0 = arith.addi %in, %z : i32
    %1 = arith.addi %0, %bb : i32
    linalg.yield %1 : i32
  } -> tensor<1x4x8x4xi32>
  %e8 = tensor.empty() : tensor<1x4x8x4xi8>
  %q = linalg.generic {indexing_maps = [#id, #c3, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a, %ms : tensor<1x4x8x4xi32>, tensor<4xf32>) outs(%e8 : tensor<1x4x8x4xi8>) {
  ^bb0(%in: i32, %s: f32, %out: i8):
    %mz = arith.constant -28.0 : f32
    %min = arith.constant -128.0 : f32
    %max = arith.constant 127.0 : f32
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.addf %1, %mz : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<1x4x8x4xi8>
  return %q : tensor<1x4x8x4xi8>
}

// Only a call knows the bias.
// IR-LABEL: func.func @bias_argument(
// IR:         fusion.quantized_conv_bias_act {{.*}} bias(%{{.*}} : tensor<4xi32>) scale({{.*}} -> tensor<1x4x8x4xi8>
func.func @bias_argument(%x: tensor<1x10x9x3xi8>, %w: tensor<3x2x3x4xi8>, %v: tensor<4xi32>) -> tensor<1x4x8x4xi8> {
  %c0 = arith.constant 0 : i32
  %ms = arith.constant dense<[0.001, 0.002, 0.0015, 0.0005]> : tensor<4xf32>
  %b = arith.constant dense<[100, -200, 300, -400]> : tensor<4xi32>
  %e = tensor.empty() : tensor<1x4x8x4xi32>
  %f = linalg.fill ins(%c0 : i32) outs(%e : tensor<1x4x8x4xi32>) -> tensor<1x4x8x4xi32>
  %c = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w : tensor<1x10x9x3xi8>, tensor<3x2x3x4xi8>) outs(%f : tensor<1x4x8x4xi32>) -> tensor<1x4x8x4xi32>
  %a = linalg.generic {indexing_maps = [#id, #c3, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %v : tensor<1x4x8x4xi32>, tensor<4xi32>) outs(%e : tensor<1x4x8x4xi32>) {
  ^bb0(%in: i32, %o: i32, %out: i32):
    %0 = arith.addi %in, %o : i32
    linalg.yield %0 : i32
  } -> tensor<1x4x8x4xi32>
  %e8 = tensor.empty() : tensor<1x4x8x4xi8>
  %q = linalg.generic {indexing_maps = [#id, #c3, #id], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a, %ms : tensor<1x4x8x4xi32>, tensor<4xf32>) outs(%e8 : tensor<1x4x8x4xi8>) {
  ^bb0(%in: i32, %s: f32, %out: i8):
    %mz = arith.constant -28.0 : f32
    %min = arith.constant -128.0 : f32
    %max = arith.constant 127.0 : f32
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.addf %1, %mz : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<1x4x8x4xi8>
  return %q : tensor<1x4x8x4xi8>
}
