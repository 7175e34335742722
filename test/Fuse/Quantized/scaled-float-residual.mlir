// A sum in i32 and a tensor of f32 in front of one scale, in one op with the quantisation: the op scales both.
// Integration/fuse-rescaled.test executes these functions, and those of scaled-float-residual-refused.mlir.

// RUN: fusion-opt %s --fusion-fuse-quantized | FileCheck %s
// RUN: fusion-opt %s --fusion-fuse-quantized=quant-rounding=exact --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXACT
// EXACT:      partly fused: {{.*}}; quant-rounding is exact, and -7 is added to a rounded number{{$}}
// EXACT-NEXT: partly fused: {{.*}}; quant-rounding is exact, and 'arith.addf' may round otherwise than one product and one sum in f32{{$}}
// EXACT-NEXT: partly fused: {{.*}}; quant-rounding is exact, and 'arith.addf' may round otherwise than one product and one sum in f32{{$}}
// EXACT-NEXT: partly fused: {{.*}}; quant-rounding is exact, and 'arith.mulf' may round otherwise than one product and one sum in f32{{$}}
// EXACT-NEXT: partly fused: {{.*}}; quant-rounding is exact, and a tensor of f32 is added to the sum with factor 3.000000e+00{{$}}

#n = affine_map<(d0, d1) -> (d0, d1)>
#n1 = affine_map<(d0, d1) -> (d1)>
#c = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#c1 = affine_map<(d0, d1, d2, d3) -> (d3)>

// CHECK-LABEL: func @sum(
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.quantized_matmul_bias_act clip(-3.500000e-01, 5.600000e+00) {fusion.folded = "requantize", output_scale = 2.000000e+01 : f32, output_zero_point = -7 : i32} {{.*}} residual(%{{.*}} : tensor<5x6xf32>) {{.*}}xi8>{{$}}
func.func @sum(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xf32>) -> tensor<5x6xi8> {
  %s = arith.constant 0.01 : f32
  %t = arith.constant 20.0 : f32
  %zo = arith.constant -7.0 : f32
  %min = arith.constant -14.0 : f32
  %max = arith.constant 105.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %y : tensor<5x6xi32>, tensor<5x6xf32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %r: f32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.addf %1, %r : f32
    %3 = arith.mulf %2, %t : f32
    %4 = math.roundeven %3 : f32
    %5 = arith.addf %4, %zo : f32
    %6 = arith.maximumf %5, %min : f32
    %7 = arith.minimumf %6, %max : f32
    %8 = arith.fptosi %7 : f32 to i8
    linalg.yield %8 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// The sum has a scale for each channel and a bias in f32, which is one in i32 of the op. A relu in front of the rounding.
// CHECK-LABEL: func @convolution(
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.quantized_conv_bias_act relu {{.*}}output_scale = 4.000000e+00 : f32{{.*}} bias(%{{.*}} : tensor<3xi32>) scale(%{{.*}} : tensor<3xf32>) residual(%{{.*}} : tensor<1x4x7x3xf32>) {{.*}}xi8>{{$}}
func.func @convolution(%x: tensor<1x9x8x2xi8>, %w: tensor<3x2x2x3xi8>, %y: tensor<1x4x7x3xf32>) -> tensor<1x4x7x3xi8> {
  %s = arith.constant dense<[0.005, 0.002, 0.011]> : tensor<3xf32>
  %b = arith.constant dense<[3.0, -2.6, 8.03]> : tensor<3xf32>
  %t = arith.constant 0.25 : f32
  %zero = arith.constant 0.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<1x4x7x3xi32>
  %e = tensor.empty() : tensor<1x4x7x3xi8>
  %c = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>} ins(%x, %w : tensor<1x9x8x2xi8>, tensor<3x2x2x3xi8>) outs(%f : tensor<1x4x7x3xi32>) -> tensor<1x4x7x3xi32>
  %q = linalg.generic {indexing_maps = [#c, #c1, #c1, #c, #c], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %s, %b, %y : tensor<1x4x7x3xi32>, tensor<3xf32>, tensor<3xf32>, tensor<1x4x7x3xf32>) outs(%e : tensor<1x4x7x3xi8>) {
  ^bb0(%in: i32, %sc: f32, %bi: f32, %r: f32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %sc : f32
    %2 = arith.addf %1, %bi : f32
    %3 = arith.addf %r, %2 : f32
    %4 = arith.maximumf %3, %zero : f32
    %5 = arith.divf %4, %t : f32
    %6 = math.roundeven %5 : f32
    %7 = arith.maximumf %6, %min : f32
    %8 = arith.minimumf %7, %max : f32
    %9 = arith.fptosi %8 : f32 to i8
    linalg.yield %9 : i8
  } -> tensor<1x4x7x3xi8>
  return %q : tensor<1x4x7x3xi8>
}

// A bias that is no multiple of the scale stays in f32, and is divided by the factor.
// CHECK-LABEL: func @float_bias(
// CHECK:         dense<[3.040000e-01, {{.*}}> : tensor<6xf32>
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.quantized_matmul_bias_act {fusion.folded = "requantize", output_scale = 4.000000e+01 : f32} {{.*}} bias(%{{.*}} : tensor<6xf32>) {{.*}} residual(%{{.*}} : tensor<5x6xf32>) {{.*}}xi8>{{$}}
func.func @float_bias(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xf32>) -> tensor<5x6xi8> {
  %s = arith.constant 0.01 : f32
  %b = arith.constant dense<[0.304, 0.603, 0.3017, -1.2, 1.0, 0.0]> : tensor<6xf32>
  %t = arith.constant 40.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n1, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %b, %y : tensor<5x6xi32>, tensor<6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %bi: f32, %r: f32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.addf %1, %bi : f32
    %3 = arith.addf %2, %r : f32
    %4 = arith.mulf %3, %t : f32
    %5 = math.roundeven %4 : f32
    %6 = arith.maximumf %5, %min : f32
    %7 = arith.minimumf %6, %max : f32
    %8 = arith.fptosi %7 : f32 to i8
    linalg.yield %8 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// Each side has a factor of its own.
// CHECK-LABEL: func @sides(
// CHECK:         dense<-0.003333{{.*}}> : tensor<1xf32>
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.quantized_matmul_bias_act {fusion.folded = "requantize", output_scale = 3.000000e+00 : f32} {{.*}} residual(%{{.*}} : tensor<5x6xf32>) {{.*}}xi8>{{$}}
func.func @sides(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xf32>) -> tensor<5x6xi8> {
  %s = arith.constant 0.01 : f32
  %t = arith.constant 3.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %y : tensor<5x6xi32>, tensor<5x6xf32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %r: f32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = arith.mulf %r, %t : f32
    %3 = arith.subf %2, %1 : f32
    %4 = math.roundeven %3 : f32
    %5 = arith.maximumf %4, %min : f32
    %6 = arith.minimumf %5, %max : f32
    %7 = arith.fptosi %6 : f32 to i8
    linalg.yield %7 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}

// The tensor alone has one.
// CHECK-LABEL: func @tensor_alone(
// CHECK:         dense<0.3333{{.*}}> : tensor<1xf32>
// CHECK-NOT:     linalg.generic
// CHECK:         fusion.quantized_matmul_bias_act {fusion.folded = "requantize", output_scale = 3.000000e+00 : f32} {{.*}} residual(%{{.*}} : tensor<5x6xf32>) {{.*}}xi8>{{$}}
func.func @tensor_alone(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %y: tensor<5x6xf32>) -> tensor<5x6xi8> {
  %t = arith.constant 3.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi8>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %q = linalg.generic {indexing_maps = [#n, #n, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %y : tensor<5x6xi32>, tensor<5x6xf32>) outs(%e : tensor<5x6xi8>) {
  ^bb0(%in: i32, %r: f32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %2 = arith.mulf %r, %t : f32
    %3 = arith.addf %0, %2 : f32
    %4 = math.roundeven %3 : f32
    %5 = arith.maximumf %4, %min : f32
    %6 = arith.minimumf %5, %max : f32
    %7 = arith.fptosi %6 : f32 to i8
    linalg.yield %7 : i8
  } -> tensor<5x6xi8>
  return %q : tensor<5x6xi8>
}
