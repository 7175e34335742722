// Pairs of laws that move ops in quantised graphs, before and after upstream's fusion of
// element-wise ops: each function is one fused op, and no other law takes the chance from it.

// RUN: %python %S/verify-functions.py %s -- --random=0:-128:128 --random=1:-60:60 | FileCheck %s
// RUN: fusion-opt %s --linalg-fuse-elementwise-ops --canonicalize -o %t.mlir
// RUN: %python %S/verify-functions.py %t.mlir -- --random=0:-128:128 --random=1:-60:60 | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize | FileCheck %s --check-prefix=IR --implicit-check-not=linalg.generic
// RUN: fusion-opt %t.mlir --fusion-optimize | FileCheck %s --check-prefix=IR --implicit-check-not=linalg.generic
// CHECK: {{^}}3 functions agree, 3 fused ops

#n = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#m = affine_map<(d0, d1) -> (d0, d1)>

// An input of u8 that is shifted, and padded with its zero point behind that.
// IR-LABEL: func @shifted_and_padded(
// IR:         fusion.quantized_conv_bias_act {{.*}}pad_low [1, 0] pad_high [0, 2]{{.*}} {input_unsigned, input_zero_point = 121 : i32}
func.func @shifted_and_padded(%x: tensor<1x9x8x3xi8>, %w: tensor<4x3x2x3xi8>) -> tensor<1x8x9x4xi32> {
  %bit = arith.constant -128 : i8
  %zp = arith.constant -7 : i8
  %zx = arith.constant -7 : i32
  %zw = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x9x8x3xi8>
  %s = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x9x8x3xi8>) outs(%e : tensor<1x9x8x3xi8>) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.addi %in, %bit : i8
    linalg.yield %0 : i8
  } -> tensor<1x9x8x3xi8>
  %p = tensor.pad %s low[0, 1, 0, 0] high[0, 0, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %zp : i8
  } : tensor<1x9x8x3xi8> to tensor<1x10x10x3xi8>
  %f = arith.constant dense<0> : tensor<1x8x9x4xi32>
  %r = linalg.conv_2d_nhwc_fhwc_q {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w, %zx, %zw : tensor<1x10x10x3xi8>, tensor<4x3x2x3xi8>, i32, i32) outs(%f : tensor<1x8x9x4xi32>) -> tensor<1x8x9x4xi32>
  return %r : tensor<1x8x9x4xi32>
}

// A relu6 in f32, a quantisation, and a clamp that does nothing.
// IR-LABEL: func @relu6_and_clamp(
// IR:         fusion.quantized_matmul_bias_act clip({{.*}}output_zero_point = -100 : i32} {{.*}} outs(%{{.*}} : tensor<5x6xi8>)
func.func @relu6_and_clamp(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi8> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %s = arith.constant 0.002 : f32
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %t = arith.constant 0.0313 : f32
  %zo = arith.constant -100.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %least = arith.constant -128 : i8
  %greatest = arith.constant 127 : i8
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %d = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %a = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%d : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %zero : f32
    %1 = arith.minimumf %0, %six : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %t : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  %r = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%q : tensor<5x6xi8>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: i8, %out: i8):
    %0 = arith.maxsi %in, %least : i8
    %1 = arith.minsi %0, %greatest : i8
    linalg.yield %1 : i8
  } -> tensor<5x6xi8>
  return %r : tensor<5x6xi8>
}

// A relu, then a residual that is dequantised, then the quantisation.
// IR-LABEL: func @relu_and_residual(
// IR:         fusion.quantized_matmul_bias_act relu {{.*}} residual_after_activation(%{{.*}} : tensor<5x6xi8>) outs(%{{.*}} : tensor<5x6xi8>)
func.func @relu_and_residual(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xi8>) -> tensor<5x6xi8> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %s = arith.constant 0.002 : f32
  %zero = arith.constant 0.0 : f32
  %u = arith.constant 0.03 : f32
  %t = arith.constant 0.0813 : f32
  %zo = arith.constant -10.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<5x6xf32>
  %e8 = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %d = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%c : tensor<5x6xi32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %a = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%d : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<5x6xf32>
  %g = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%y : tensor<5x6xi8>) outs(%e : tensor<5x6xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %u : f32
    linalg.yield %1 : f32
  } -> tensor<5x6xf32>
  %h = linalg.add ins(%a, %g : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
  %q = linalg.generic {indexing_maps = [#m, #m], iterator_types = ["parallel", "parallel"]} ins(%h : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
  ^bb0(%in: f32, %out: i8):
    %0 = arith.divf %in, %t : f32
    %1 = math.roundeven %0 : f32
    %2 = arith.addf %1, %zo : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}
