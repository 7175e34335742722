// Bounds of a sum in i32 in front of its rescale, which rounds: as tosa.apply_scale and as arith.
// Integration/fuse-bounded-rescales.test executes these functions.

// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain 2> %t.why | FileCheck %s --check-prefixes=CHECK,RAW
// RUN: FileCheck %s --check-prefix=WHY --input-file=%t.why
// RUN: fusion-opt %s --linalg-fuse-elementwise-ops --fusion-optimize=propagate-layout=false | FileCheck %s --check-prefixes=CHECK,RAW
// RUN: fusion-opt %s --pass-pipeline='builtin.module(func.func(tosa-to-arith{include-apply-rescale=true}))' -o %t.mlir
// RUN: fusion-opt %t.mlir --fusion-optimize=propagate-layout=false --fusion-explain 2> %t.why | FileCheck %s --check-prefixes=CHECK,ARITH
// RUN: FileCheck %s --check-prefix=ARITH-WHY --input-file=%t.why
// WHY-COUNT-4: fused: zero point, {{relu|clip}}, requantize{{$}}
// WHY-COUNT-2: partly fused: convolution alone; sum is not rescaled: a bounded number is scaled by another number for each channel, or by zero{{$}}
// ARITH-WHY-COUNT-2: fused: zero point, {{relu|clip}}, requantize{{$}}
// ARITH-WHY-NEXT: partly fused: convolution alone; sum is not rescaled: a choice is neither a bound nor by sign{{$}}
// ARITH-WHY-NEXT: partly fused: convolution alone; sum is not rescaled: a sum is bounded in parts{{$}}
// ARITH-WHY-COUNT-2: partly fused: convolution alone; sum is not rescaled: a bounded number is scaled by another number for each channel, or by zero{{$}}

#n = affine_map<(n, h, w, c) -> (n, h, w, c)>
#c = affine_map<(n, h, w, c) -> (c)>

// A relu in front of multipliers and shifts for each channel: 0 and half a step are rounded to 0.
// CHECK-LABEL: func @relu_for_each_channel(
// CHECK:         fusion.quantized_conv_bias_act relu strides
func.func @relu_for_each_channel(%x: tensor<1x9x8x3xi8>, %w: tensor<3x2x3x5xi8>) -> tensor<1x4x7x5xi8> {
  %e32 = tensor.empty() : tensor<1x4x7x5xi32>
  %zero = arith.constant 0 : i32
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<1x4x7x5xi32>) -> tensor<1x4x7x5xi32>
  %s = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<1x9x8x3xi8>, tensor<3x2x3x5xi8>) outs(%f : tensor<1x4x7x5xi32>) -> tensor<1x4x7x5xi32>
  %bound = arith.constant 0 : i32
  %b = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x4x7x5xi32>) outs(%e32 : tensor<1x4x7x5xi32>) {
  ^bb0(%in: i32, %out: i32):
    %b1 = arith.maxsi %in, %bound : i32
    linalg.yield %b1 : i32
  } -> tensor<1x4x7x5xi32>
  %e8 = tensor.empty() : tensor<1x4x7x5xi8>
  %point = arith.constant -9 : i32
  %least = arith.constant -128 : i32
  %most = arith.constant 127 : i32
  %m = arith.constant dense<[1374389535, 1174389535, 1274389531, 1974389535, 1074389535]> : tensor<5xi32>
  %sh = arith.constant dense<[39, 38, 40, 39, 37]> : tensor<5xi8>
  %r = linalg.generic {indexing_maps = [#n, #c, #c, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b, %m, %sh : tensor<1x4x7x5xi32>, tensor<5xi32>, tensor<5xi8>) outs(%e8 : tensor<1x4x7x5xi8>) {
  ^bb0(%in: i32, %mm: i32, %ss: i8, %out: i8):
    %4 = tosa.apply_scale %in, %mm, %ss {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    %5 = arith.addi %4, %point : i32
    %6 = arith.maxsi %5, %least : i32
    %7 = arith.minsi %6, %most : i32
    %8 = arith.trunci %7 : i32 to i8
    linalg.yield %8 : i8
  } -> tensor<1x4x7x5xi8>
  return %r : tensor<1x4x7x5xi8>
}

// -2.25 and 50.75.
// CHECK-LABEL: func @bounds(
// CHECK:         fusion.quantized_conv_bias_act clip(-2.000000e+00, 5.100000e+01) strides
func.func @bounds(%x: tensor<1x9x8x3xi8>, %w: tensor<3x2x3x5xi8>) -> tensor<1x4x7x5xi8> {
  %e32 = tensor.empty() : tensor<1x4x7x5xi32>
  %zero = arith.constant 0 : i32
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<1x4x7x5xi32>) -> tensor<1x4x7x5xi32>
  %s = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<1x9x8x3xi8>, tensor<3x2x3x5xi8>) outs(%f : tensor<1x4x7x5xi32>) -> tensor<1x4x7x5xi32>
  %bound = arith.constant -900 : i32
  %upc = arith.constant 20300 : i32
  %b = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x4x7x5xi32>) outs(%e32 : tensor<1x4x7x5xi32>) {
  ^bb0(%in: i32, %out: i32):
    %b0 = arith.maxsi %in, %bound : i32
    %b1 = arith.minsi %b0, %upc : i32
    linalg.yield %b1 : i32
  } -> tensor<1x4x7x5xi32>
  %e8 = tensor.empty() : tensor<1x4x7x5xi8>
  %point = arith.constant -9 : i32
  %least = arith.constant -128 : i32
  %most = arith.constant 127 : i32
  %mm = arith.constant 1374389535 : i32
  %ss = arith.constant 39 : i8
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b : tensor<1x4x7x5xi32>) outs(%e8 : tensor<1x4x7x5xi8>) {
  ^bb0(%in: i32, %out: i8):
    %4 = tosa.apply_scale %in, %mm, %ss {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    %5 = arith.addi %4, %point : i32
    %6 = arith.maxsi %5, %least : i32
    %7 = arith.minsi %6, %most : i32
    %8 = arith.trunci %7 : i32 to i8
    linalg.yield %8 : i8
  } -> tensor<1x4x7x5xi8>
  return %r : tensor<1x4x7x5xi8>
}

// As arith, what is added for the sign is chosen by a number with bounds.
// CHECK-LABEL: func @bounds_rounded_twice(
// RAW:           fusion.quantized_conv_bias_act clip(-2.000000e+00, 5.100000e+01) strides
// ARITH:         fusion.quantized_conv_bias_act strides
func.func @bounds_rounded_twice(%x: tensor<1x9x8x3xi8>, %w: tensor<3x2x3x5xi8>) -> tensor<1x4x7x5xi8> {
  %e32 = tensor.empty() : tensor<1x4x7x5xi32>
  %zero = arith.constant 0 : i32
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<1x4x7x5xi32>) -> tensor<1x4x7x5xi32>
  %s = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<1x9x8x3xi8>, tensor<3x2x3x5xi8>) outs(%f : tensor<1x4x7x5xi32>) -> tensor<1x4x7x5xi32>
  %bound = arith.constant -900 : i32
  %upc = arith.constant 20300 : i32
  %b = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x4x7x5xi32>) outs(%e32 : tensor<1x4x7x5xi32>) {
  ^bb0(%in: i32, %out: i32):
    %b0 = arith.maxsi %in, %bound : i32
    %b1 = arith.minsi %b0, %upc : i32
    linalg.yield %b1 : i32
  } -> tensor<1x4x7x5xi32>
  %e8 = tensor.empty() : tensor<1x4x7x5xi8>
  %point = arith.constant -9 : i32
  %least = arith.constant -128 : i32
  %most = arith.constant 127 : i32
  %mm = arith.constant 1374389535 : i32
  %ss = arith.constant 39 : i8
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b : tensor<1x4x7x5xi32>) outs(%e8 : tensor<1x4x7x5xi8>) {
  ^bb0(%in: i32, %out: i8):
    %4 = tosa.apply_scale %in, %mm, %ss {rounding_mode = DOUBLE_ROUND} : (i32, i32, i8) -> i32
    %5 = arith.addi %4, %point : i32
    %6 = arith.maxsi %5, %least : i32
    %7 = arith.minsi %6, %most : i32
    %8 = arith.trunci %7 : i32 to i8
    linalg.yield %8 : i8
  } -> tensor<1x4x7x5xi8>
  return %r : tensor<1x4x7x5xi8>
}

// CHECK-LABEL: func @relu_rounded_twice(
// RAW:           fusion.quantized_conv_bias_act relu strides
// ARITH:         fusion.quantized_conv_bias_act strides
func.func @relu_rounded_twice(%x: tensor<1x9x8x3xi8>, %w: tensor<3x2x3x5xi8>) -> tensor<1x4x7x5xi8> {
  %e32 = tensor.empty() : tensor<1x4x7x5xi32>
  %zero = arith.constant 0 : i32
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<1x4x7x5xi32>) -> tensor<1x4x7x5xi32>
  %s = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<1x9x8x3xi8>, tensor<3x2x3x5xi8>) outs(%f : tensor<1x4x7x5xi32>) -> tensor<1x4x7x5xi32>
  %bound = arith.constant 0 : i32
  %b = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x4x7x5xi32>) outs(%e32 : tensor<1x4x7x5xi32>) {
  ^bb0(%in: i32, %out: i32):
    %b1 = arith.maxsi %in, %bound : i32
    linalg.yield %b1 : i32
  } -> tensor<1x4x7x5xi32>
  %e8 = tensor.empty() : tensor<1x4x7x5xi8>
  %point = arith.constant -9 : i32
  %least = arith.constant -128 : i32
  %most = arith.constant 127 : i32
  %m = arith.constant dense<[1374389535, 1174389535, 1274389531, 1974389535, 1074389535]> : tensor<5xi32>
  %sh = arith.constant dense<[39, 38, 40, 39, 37]> : tensor<5xi8>
  %r = linalg.generic {indexing_maps = [#n, #c, #c, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b, %m, %sh : tensor<1x4x7x5xi32>, tensor<5xi32>, tensor<5xi8>) outs(%e8 : tensor<1x4x7x5xi8>) {
  ^bb0(%in: i32, %mm: i32, %ss: i8, %out: i8):
    %4 = tosa.apply_scale %in, %mm, %ss {rounding_mode = DOUBLE_ROUND} : (i32, i32, i8) -> i32
    %5 = arith.addi %4, %point : i32
    %6 = arith.maxsi %5, %least : i32
    %7 = arith.minsi %6, %most : i32
    %8 = arith.trunci %7 : i32 to i8
    linalg.yield %8 : i8
  } -> tensor<1x4x7x5xi8>
  return %r : tensor<1x4x7x5xi8>
}

// Another bound is -1, -2 or -5 behind these.
// CHECK-LABEL: func @bound_for_each_channel(
// CHECK:         fusion.quantized_conv_bias_act strides
func.func @bound_for_each_channel(%x: tensor<1x9x8x3xi8>, %w: tensor<3x2x3x5xi8>) -> tensor<1x4x7x5xi8> {
  %e32 = tensor.empty() : tensor<1x4x7x5xi32>
  %zero = arith.constant 0 : i32
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<1x4x7x5xi32>) -> tensor<1x4x7x5xi32>
  %s = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<1x9x8x3xi8>, tensor<3x2x3x5xi8>) outs(%f : tensor<1x4x7x5xi32>) -> tensor<1x4x7x5xi32>
  %bound = arith.constant -900 : i32
  %b = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x4x7x5xi32>) outs(%e32 : tensor<1x4x7x5xi32>) {
  ^bb0(%in: i32, %out: i32):
    %b1 = arith.maxsi %in, %bound : i32
    linalg.yield %b1 : i32
  } -> tensor<1x4x7x5xi32>
  %e8 = tensor.empty() : tensor<1x4x7x5xi8>
  %point = arith.constant -9 : i32
  %least = arith.constant -128 : i32
  %most = arith.constant 127 : i32
  %m = arith.constant dense<[1374389535, 1174389535, 1274389531, 1974389535, 1074389535]> : tensor<5xi32>
  %sh = arith.constant dense<[39, 38, 40, 39, 37]> : tensor<5xi8>
  %r = linalg.generic {indexing_maps = [#n, #c, #c, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b, %m, %sh : tensor<1x4x7x5xi32>, tensor<5xi32>, tensor<5xi8>) outs(%e8 : tensor<1x4x7x5xi8>) {
  ^bb0(%in: i32, %mm: i32, %ss: i8, %out: i8):
    %4 = tosa.apply_scale %in, %mm, %ss {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    %5 = arith.addi %4, %point : i32
    %6 = arith.maxsi %5, %least : i32
    %7 = arith.minsi %6, %most : i32
    %8 = arith.trunci %7 : i32 to i8
    linalg.yield %8 : i8
  } -> tensor<1x4x7x5xi8>
  return %r : tensor<1x4x7x5xi8>
}

// As with another shift for each channel: -2, -4, -1, -2 and -9.
// CHECK-LABEL: func @bound_for_each_shift(
// CHECK:         fusion.quantized_conv_bias_act strides
func.func @bound_for_each_shift(%x: tensor<1x9x8x3xi8>, %w: tensor<3x2x3x5xi8>) -> tensor<1x4x7x5xi8> {
  %e32 = tensor.empty() : tensor<1x4x7x5xi32>
  %zero = arith.constant 0 : i32
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<1x4x7x5xi32>) -> tensor<1x4x7x5xi32>
  %s = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<1x9x8x3xi8>, tensor<3x2x3x5xi8>) outs(%f : tensor<1x4x7x5xi32>) -> tensor<1x4x7x5xi32>
  %bound = arith.constant -900 : i32
  %b = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x4x7x5xi32>) outs(%e32 : tensor<1x4x7x5xi32>) {
  ^bb0(%in: i32, %out: i32):
    %b1 = arith.maxsi %in, %bound : i32
    linalg.yield %b1 : i32
  } -> tensor<1x4x7x5xi32>
  %e8 = tensor.empty() : tensor<1x4x7x5xi8>
  %point = arith.constant -9 : i32
  %least = arith.constant -128 : i32
  %most = arith.constant 127 : i32
  %mm = arith.constant 1374389535 : i32
  %sh = arith.constant dense<[39, 38, 40, 39, 37]> : tensor<5xi8>
  %r = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b, %sh : tensor<1x4x7x5xi32>, tensor<5xi8>) outs(%e8 : tensor<1x4x7x5xi8>) {
  ^bb0(%in: i32, %ss: i8, %out: i8):
    %4 = tosa.apply_scale %in, %mm, %ss {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
    %5 = arith.addi %4, %point : i32
    %6 = arith.maxsi %5, %least : i32
    %7 = arith.minsi %6, %most : i32
    %8 = arith.trunci %7 : i32 to i8
    linalg.yield %8 : i8
  } -> tensor<1x4x7x5xi8>
  return %r : tensor<1x4x7x5xi8>
}
