// A bias in f32 behind an op on integers that has one in i32: the op gets the sum of both, in f32.
// ../../Integration/fuse-rescaled.test runs all of it.

// RUN: fusion-opt %s --fusion-fuse-quantized | FileCheck %s
// RUN: fusion-opt %s --linalg-generalize-named-ops --linalg-fuse-elementwise-ops --canonicalize --fusion-optimize --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN-COUNT-3: : fused: {{.*}}bias, relu{{$}}
// RUN: fusion-opt %s --fusion-fuse-quantized=quant-rounding=exact | FileCheck %s --check-prefix=EXACT
// EXACT-COUNT-3: bias(%{{.*}}i32>)

#n = affine_map<(d0, d1) -> (d0, d1)>
#c = affine_map<(d0, d1) -> (d1)>
#s = affine_map<(d0, d1) -> ()>

// ONNX's dynamic quantisation: MatMulInteger, Cast, Mul and Add.
// CHECK-LABEL: func @onnx(
// CHECK-SAME:      tensor<i8>, %[[B:[a-z0-9]*]]: tensor<2xf32>)
// CHECK:         %[[ZB:.*]] = linalg.sub {{.*}} -> tensor<2xi32>
// CHECK:         %[[S:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<2xf32>)
// CHECK-NEXT:    ^bb0
// CHECK-NEXT:      arith.mulf
// CHECK:         %[[BIAS:.*]] = linalg.generic {indexing_maps = [#[[M:[a-z0-9]*]], #[[M]], #[[M]], #[[M]]], {{.*}} ins(%[[B]], %[[ZB]], %[[S]] : tensor<2xf32>, tensor<2xi32>, tensor<2xf32>)
// CHECK:           %[[F:.*]] = arith.sitofp
// CHECK:           %[[P:.*]] = arith.mulf %[[F]]
// CHECK:           arith.addf %{{.*}}, %[[P]]
// CHECK:         %[[R:.*]] = fusion.quantized_matmul_bias_act relu {{.*}} bias(%[[BIAS]] : tensor<2xf32>) scale(%[[S]] : tensor<2xf32>)
// CHECK-NEXT:    return %[[R]]
func.func @onnx(%x: tensor<3x4xi8>, %sx: tensor<f32>, %zx: tensor<i8>, %b: tensor<2xf32>) -> tensor<3x2xf32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi8>
  %sw = arith.constant dense<[0.02, 0.05]> : tensor<2xf32>
  %zero = arith.constant 0.0 : f32
  %f = arith.constant dense<0> : tensor<3x2xi32>
  %e = tensor.empty() : tensor<3x2xf32>
  %ex = tensor.empty() : tensor<3x4xi32>
  %xi = linalg.generic {indexing_maps = [#n, #s, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %zx : tensor<3x4xi8>, tensor<i8>) outs(%ex : tensor<3x4xi32>) {
  ^bb0(%in: i8, %z: i8, %out: i32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.extui %z : i8 to i32
    %2 = arith.subi %0, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<3x4xi32>
  %wi = arith.extsi %w : tensor<4x2xi8> to tensor<4x2xi32>
  %m = linalg.matmul ins(%xi, %wi : tensor<3x4xi32>, tensor<4x2xi32>) outs(%f : tensor<3x2xi32>) -> tensor<3x2xi32>
  %d = linalg.generic {indexing_maps = [#n, #s, #c, #n], iterator_types = ["parallel", "parallel"]} ins(%m, %sx, %sw : tensor<3x2xi32>, tensor<f32>, tensor<2xf32>) outs(%e : tensor<3x2xf32>) {
  ^bb0(%in: i32, %s: f32, %t: f32, %out: f32):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %s, %t : f32
    %2 = arith.mulf %0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<3x2xf32>
  %r = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel"]} ins(%d, %b : tensor<3x2xf32>, tensor<2xf32>) outs(%e : tensor<3x2xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %0 = arith.addf %in, %bias : f32
    %1 = arith.maximumf %0, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// All channels share the scale.
// CHECK-LABEL: func @one_scale(
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<2xf32>, tensor<2xi32>, tensor<1xf32>)
// CHECK:         %[[R:.*]] = fusion.quantized_matmul_bias_act relu {{.*}} bias(%{{.*}} : tensor<2xf32>) scale(%{{.*}} : tensor<1xf32>)
// CHECK-NEXT:    return %[[R]]
func.func @one_scale(%x: tensor<3x4xi8>, %w: tensor<4x2xi8>, %bi: tensor<2xi32>, %b: tensor<2xf32>) -> tensor<3x2xf32> {
  %s = arith.constant dense<0.02> : tensor<1xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x2xf32>
  %d = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<3x4xi8>, tensor<4x2xi8>) bias(%bi : tensor<2xi32>) scale(%s : tensor<1xf32>) outs(%e : tensor<3x2xf32>) -> tensor<3x2xf32>
  %r = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel"]} ins(%d, %b : tensor<3x2xf32>, tensor<2xf32>) outs(%e : tensor<3x2xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %0 = arith.addf %in, %bias : f32
    %1 = arith.maximumf %0, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}

// CHECK-LABEL: func @no_scale(
// CHECK:         linalg.generic {{.*}} ins(%{{.*}} : tensor<2xf32>, tensor<2xi32>)
// CHECK-NOT:       arith.mulf
// CHECK:         %[[R:.*]] = fusion.quantized_matmul_bias_act relu {{.*}} bias(%{{.*}} : tensor<2xf32>) outs
// CHECK-NEXT:    return %[[R]]
func.func @no_scale(%x: tensor<3x4xi8>, %w: tensor<4x2xi8>, %bi: tensor<2xi32>, %b: tensor<2xf32>) -> tensor<3x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x2xf32>
  %d = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<3x4xi8>, tensor<4x2xi8>) bias(%bi : tensor<2xi32>) outs(%e : tensor<3x2xf32>) -> tensor<3x2xf32>
  %r = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel"]} ins(%d, %b : tensor<3x2xf32>, tensor<2xf32>) outs(%e : tensor<3x2xf32>) {
  ^bb0(%in: f32, %bias: f32, %out: f32):
    %0 = arith.addf %in, %bias : f32
    %1 = arith.maximumf %0, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<3x2xf32>
  return %r : tensor<3x2xf32>
}
