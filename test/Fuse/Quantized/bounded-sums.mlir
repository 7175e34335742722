// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o %t.out 2> %t.why
// RUN: FileCheck %s --input-file %t.out
// RUN: FileCheck %s --check-prefix=WHY --input-file %t.why

// Bounds of a sum in i32 in front of what scales it, each an op of its own.

#n = affine_map<(n, h, w, c) -> (n, h, w, c)>
#c = affine_map<(n, h, w, c) -> (c)>

// CHECK-LABEL: func @scaled_as_integers(
// CHECK:         fusion.quantized_conv_bias_act relu strides [2, 1] {{.*}} -> tensor<1x4x7x5xi8>
// CHECK-NEXT:    return
func.func @scaled_as_integers(%x: tensor<1x9x8x3xi8>, %w: tensor<3x2x3x5xi8>) -> tensor<1x4x7x5xi8> {
  %e32 = tensor.empty() : tensor<1x4x7x5xi32>
  %zero = arith.constant 0 : i32
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<1x4x7x5xi32>) -> tensor<1x4x7x5xi32>
  // WHY: :[[#@LINE+1]]:8: fused: zero point, relu, requantize{{$}}
  %s = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<1x9x8x3xi8>, tensor<3x2x3x5xi8>) outs(%f : tensor<1x4x7x5xi32>) -> tensor<1x4x7x5xi32>
  %bound = arith.constant 0 : i32
  %b = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x4x7x5xi32>) outs(%e32 : tensor<1x4x7x5xi32>) {
  ^bb0(%in: i32, %out: i32):
    %m = arith.maxsi %in, %bound : i32
    linalg.yield %m : i32
  } -> tensor<1x4x7x5xi32>
  %e8 = tensor.empty() : tensor<1x4x7x5xi8>
  %factor = arith.constant 1374389535 : i64
  %half = arith.constant 274877906944 : i64
  %shift = arith.constant 39 : i64
  %point = arith.constant -9 : i32
  %least = arith.constant -128 : i32
  %most = arith.constant 127 : i32
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b : tensor<1x4x7x5xi32>) outs(%e8 : tensor<1x4x7x5xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.extsi %in : i32 to i64
    %1 = arith.muli %0, %factor : i64
    %2 = arith.addi %1, %half : i64
    %3 = arith.shrsi %2, %shift : i64
    %4 = arith.trunci %3 : i64 to i32
    %5 = arith.addi %4, %point : i32
    %6 = arith.maxsi %5, %least : i32
    %7 = arith.minsi %6, %most : i32
    %8 = arith.trunci %7 : i32 to i8
    linalg.yield %8 : i8
  } -> tensor<1x4x7x5xi8>
  return %r : tensor<1x4x7x5xi8>
}

// CHECK-LABEL: func @other_bound(
// CHECK:         fusion.quantized_conv_bias_act clip({{.*}}) strides [2, 1] {{.*}} -> tensor<1x4x7x5xi8>
// CHECK-NEXT:    return
func.func @other_bound(%x: tensor<1x9x8x3xi8>, %w: tensor<3x2x3x5xi8>) -> tensor<1x4x7x5xi8> {
  %e32 = tensor.empty() : tensor<1x4x7x5xi32>
  %zero = arith.constant 0 : i32
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<1x4x7x5xi32>) -> tensor<1x4x7x5xi32>
  // WHY: :[[#@LINE+1]]:8: fused: zero point, clip, requantize{{$}}
  %s = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<1x9x8x3xi8>, tensor<3x2x3x5xi8>) outs(%f : tensor<1x4x7x5xi32>) -> tensor<1x4x7x5xi32>
  %bound = arith.constant -1000 : i32
  %b = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x4x7x5xi32>) outs(%e32 : tensor<1x4x7x5xi32>) {
  ^bb0(%in: i32, %out: i32):
    %m = arith.maxsi %in, %bound : i32
    linalg.yield %m : i32
  } -> tensor<1x4x7x5xi32>
  %e8 = tensor.empty() : tensor<1x4x7x5xi8>
  %factor = arith.constant 1374389535 : i64
  %half = arith.constant 274877906944 : i64
  %shift = arith.constant 39 : i64
  %point = arith.constant -9 : i32
  %least = arith.constant -128 : i32
  %most = arith.constant 127 : i32
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b : tensor<1x4x7x5xi32>) outs(%e8 : tensor<1x4x7x5xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.extsi %in : i32 to i64
    %1 = arith.muli %0, %factor : i64
    %2 = arith.addi %1, %half : i64
    %3 = arith.shrsi %2, %shift : i64
    %4 = arith.trunci %3 : i64 to i32
    %5 = arith.addi %4, %point : i32
    %6 = arith.maxsi %5, %least : i32
    %7 = arith.minsi %6, %most : i32
    %8 = arith.trunci %7 : i32 to i8
    linalg.yield %8 : i8
  } -> tensor<1x4x7x5xi8>
  return %r : tensor<1x4x7x5xi8>
}

// Products of a bound of 0 and positive scales are 0.
// CHECK-LABEL: func @scale_for_each_channel(
// CHECK:         fusion.quantized_conv_bias_act relu strides [2, 1] {{.*}} -> tensor<1x4x7x5xi8>
// CHECK-NEXT:    return
func.func @scale_for_each_channel(%x: tensor<1x9x8x3xi8>, %w: tensor<3x2x3x5xi8>) -> tensor<1x4x7x5xi8> {
  %e32 = tensor.empty() : tensor<1x4x7x5xi32>
  %zero = arith.constant 0 : i32
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<1x4x7x5xi32>) -> tensor<1x4x7x5xi32>
  // WHY: :[[#@LINE+1]]:8: fused: zero point, relu, requantize{{$}}
  %s = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<1x9x8x3xi8>, tensor<3x2x3x5xi8>) outs(%f : tensor<1x4x7x5xi32>) -> tensor<1x4x7x5xi32>
  %bound = arith.constant 0 : i32
  %b = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x4x7x5xi32>) outs(%e32 : tensor<1x4x7x5xi32>) {
  ^bb0(%in: i32, %out: i32):
    %m = arith.maxsi %in, %bound : i32
    linalg.yield %m : i32
  } -> tensor<1x4x7x5xi32>
  %e8 = tensor.empty() : tensor<1x4x7x5xi8>
  %scales = arith.constant dense<[0.0025, 0.003, 0.002, 0.0015, 0.004]> : tensor<5xf32>
  %point = arith.constant -9.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %r = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b, %scales : tensor<1x4x7x5xi32>, tensor<5xf32>) outs(%e8 : tensor<1x4x7x5xi8>) {
  ^bb0(%in: i32, %scale: f32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %point : f32
    %4 = arith.maximumf %3, %least : f32
    %5 = arith.minimumf %4, %most : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<1x4x7x5xi8>
  return %r : tensor<1x4x7x5xi8>
}

//===----------------------------------------------------------------------===//
// Near misses
//===----------------------------------------------------------------------===//

// CHECK-LABEL: func @read_twice(
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] {{.*}} -> tensor<1x4x7x5xi32>
func.func @read_twice(%x: tensor<1x9x8x3xi8>, %w: tensor<3x2x3x5xi8>) -> (tensor<1x4x7x5xi8>, tensor<1x4x7x5xi32>) {
  %e32 = tensor.empty() : tensor<1x4x7x5xi32>
  %zero = arith.constant 0 : i32
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<1x4x7x5xi32>) -> tensor<1x4x7x5xi32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; next op ends in 'arith.maxsi', expected a sum of integers{{$}}
  %s = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<1x9x8x3xi8>, tensor<3x2x3x5xi8>) outs(%f : tensor<1x4x7x5xi32>) -> tensor<1x4x7x5xi32>
  %bound = arith.constant 0 : i32
  %b = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x4x7x5xi32>) outs(%e32 : tensor<1x4x7x5xi32>) {
  ^bb0(%in: i32, %out: i32):
    %m = arith.maxsi %in, %bound : i32
    linalg.yield %m : i32
  } -> tensor<1x4x7x5xi32>
  %e8 = tensor.empty() : tensor<1x4x7x5xi8>
  %factor = arith.constant 1374389535 : i64
  %half = arith.constant 274877906944 : i64
  %shift = arith.constant 39 : i64
  %point = arith.constant -9 : i32
  %least = arith.constant -128 : i32
  %most = arith.constant 127 : i32
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b : tensor<1x4x7x5xi32>) outs(%e8 : tensor<1x4x7x5xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.extsi %in : i32 to i64
    %1 = arith.muli %0, %factor : i64
    %2 = arith.addi %1, %half : i64
    %3 = arith.shrsi %2, %shift : i64
    %4 = arith.trunci %3 : i64 to i32
    %5 = arith.addi %4, %point : i32
    %6 = arith.maxsi %5, %least : i32
    %7 = arith.minsi %6, %most : i32
    %8 = arith.trunci %7 : i32 to i8
    linalg.yield %8 : i8
  } -> tensor<1x4x7x5xi8>
  return %r, %b : tensor<1x4x7x5xi8>, tensor<1x4x7x5xi32>
}

// CHECK-LABEL: func @other_bound_for_each_channel(
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] {{.*}} -> tensor<1x4x7x5xi32>
func.func @other_bound_for_each_channel(%x: tensor<1x9x8x3xi8>, %w: tensor<3x2x3x5xi8>) -> tensor<1x4x7x5xi8> {
  %e32 = tensor.empty() : tensor<1x4x7x5xi32>
  %zero = arith.constant 0 : i32
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<1x4x7x5xi32>) -> tensor<1x4x7x5xi32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; sum is not rescaled: a bounded number is scaled by another number for each channel, or by zero{{$}}
  %s = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<1x9x8x3xi8>, tensor<3x2x3x5xi8>) outs(%f : tensor<1x4x7x5xi32>) -> tensor<1x4x7x5xi32>
  %bound = arith.constant -1000 : i32
  %b = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x4x7x5xi32>) outs(%e32 : tensor<1x4x7x5xi32>) {
  ^bb0(%in: i32, %out: i32):
    %m = arith.maxsi %in, %bound : i32
    linalg.yield %m : i32
  } -> tensor<1x4x7x5xi32>
  %e8 = tensor.empty() : tensor<1x4x7x5xi8>
  %scales = arith.constant dense<[0.0025, 0.003, 0.002, 0.0015, 0.004]> : tensor<5xf32>
  %point = arith.constant -9.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %r = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b, %scales : tensor<1x4x7x5xi32>, tensor<5xf32>) outs(%e8 : tensor<1x4x7x5xi8>) {
  ^bb0(%in: i32, %scale: f32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %point : f32
    %4 = arith.maximumf %3, %least : f32
    %5 = arith.minimumf %4, %most : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<1x4x7x5xi8>
  return %r : tensor<1x4x7x5xi8>
}

// CHECK-LABEL: func @negative_scale(
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] {{.*}} -> tensor<1x4x7x5xi32>
func.func @negative_scale(%x: tensor<1x9x8x3xi8>, %w: tensor<3x2x3x5xi8>) -> tensor<1x4x7x5xi8> {
  %e32 = tensor.empty() : tensor<1x4x7x5xi32>
  %zero = arith.constant 0 : i32
  %f = linalg.fill ins(%zero : i32) outs(%e32 : tensor<1x4x7x5xi32>) -> tensor<1x4x7x5xi32>
  // WHY: :[[#@LINE+1]]:8: partly fused: convolution alone; sum is not rescaled: a bounded number is scaled by another number for each channel, or by zero{{$}}
  %s = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<1x9x8x3xi8>, tensor<3x2x3x5xi8>) outs(%f : tensor<1x4x7x5xi32>) -> tensor<1x4x7x5xi32>
  %bound = arith.constant 0 : i32
  %b = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%s : tensor<1x4x7x5xi32>) outs(%e32 : tensor<1x4x7x5xi32>) {
  ^bb0(%in: i32, %out: i32):
    %m = arith.maxsi %in, %bound : i32
    linalg.yield %m : i32
  } -> tensor<1x4x7x5xi32>
  %e8 = tensor.empty() : tensor<1x4x7x5xi8>
  %scales = arith.constant dense<[0.0025, 0.003, -0.002, 0.0015, 0.004]> : tensor<5xf32>
  %point = arith.constant -9.0 : f32
  %least = arith.constant -128.0 : f32
  %most = arith.constant 127.0 : f32
  %r = linalg.generic {indexing_maps = [#n, #c, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b, %scales : tensor<1x4x7x5xi32>, tensor<5xf32>) outs(%e8 : tensor<1x4x7x5xi8>) {
  ^bb0(%in: i32, %scale: f32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %point : f32
    %4 = arith.maximumf %3, %least : f32
    %5 = arith.minimumf %4, %most : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<1x4x7x5xi8>
  return %r : tensor<1x4x7x5xi8>
}
