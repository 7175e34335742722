// Ops that add to a sum of integers behind a transpose or a slice, or rescale it, move in front of that.
// depth-to-space-tosa.mlir has both among reshapes. ../../Integration/fuse-moved-sum.test runs all of it.

// RUN: fusion-opt %s --fusion-fuse-quantized | FileCheck %s --implicit-check-not=linalg.generic
// RUN: fusion-opt %s --linalg-generalize-named-ops --fusion-fuse-quantized | FileCheck %s --implicit-check-not=arith.fptosi --check-prefix=GENERIC
// GENERIC-COUNT-3: fusion.quantized_conv_bias_act {{.*}}xi8>{{$}}
// GENERIC-COUNT-2: fusion.quantized_conv_bias_act {{.*}}xi32>{{$}}
// GENERIC:         fusion.quantized_matmul_bias_act {{.*}}xi32>{{$}}

#n = affine_map<(n, h, w, c) -> (n, h, w, c)>
#last = affine_map<(n, h, w, c) -> (c)>
#first = affine_map<(n, c, h, w) -> (c)>
#zeros = affine_map<(n, h, w, c) -> (n, 0, 0, c)>
#one = affine_map<(n, h, w, c) -> (0)>
#ij = affine_map<(i, j) -> (i, j)>
#j = affine_map<(i, j) -> (j)>

// CHECK-LABEL: func @transposed(
// CHECK:         %[[C:.*]] = fusion.quantized_conv_bias_act {{.*}} scale(%{{.*}} : tensor<4xf32>) {{.*}} -> tensor<1x4x7x4xi8>
// CHECK:         linalg.transpose ins(%[[C]] : {{.*}}) outs({{.*}}) permutation = [0, 3, 1, 2]
func.func @transposed(%x: tensor<1x9x8x3xi8>, %w: tensor<4x3x2x3xi8>) -> tensor<1x4x4x7xi8> {
  %zx = arith.constant -5 : i32
  %zw = arith.constant 0 : i32
  %s = arith.constant dense<[0.002, 0.001, 0.003, 0.004]> : tensor<4xf32>
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %z = arith.constant dense<0> : tensor<1x4x7x4xi32>
  %et = tensor.empty() : tensor<1x4x4x7xi32>
  %e8 = tensor.empty() : tensor<1x4x4x7xi8>
  %c = linalg.conv_2d_nhwc_fhwc_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x9x8x3xi8>, tensor<4x3x2x3xi8>, i32, i32) outs(%z : tensor<1x4x7x4xi32>) -> tensor<1x4x7x4xi32>
  %t = linalg.transpose ins(%c : tensor<1x4x7x4xi32>) outs(%et : tensor<1x4x4x7xi32>) permutation = [0, 3, 1, 2]
  %r = linalg.generic {indexing_maps = [#n, #first, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%t, %s : tensor<1x4x4x7xi32>, tensor<4xf32>) outs(%e8 : tensor<1x4x4x7xi8>) {
  ^bb0(%in: i32, %scale: f32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x4x4x7xi8>
  return %r : tensor<1x4x4x7xi8>
}

// A bias as TOSA broadcasts it, and scales behind a slice of rows and columns.
// CHECK-LABEL: func @cropped(
// CHECK:         %[[C:.*]] = fusion.quantized_conv_bias_act {{.*}} bias(%{{.*}} : tensor<4xi32>) scale(%{{.*}} : tensor<4xf32>) {{.*}} -> tensor<1x4x7x4xi8>
// CHECK:         %[[R:.*]] = tensor.extract_slice %[[C]][0, 1, 0, 0] [1, 2, 5, 4] [1, 1, 1, 1] : tensor<1x4x7x4xi8> to tensor<1x2x5x4xi8>
// CHECK:         return %[[R]]
func.func @cropped(%x: tensor<1x9x8x3xi8>, %w: tensor<4x3x2x3xi8>) -> tensor<1x2x5x4xi8> {
  %zx = arith.constant -5 : i32
  %zw = arith.constant 0 : i32
  %s = arith.constant dense<[0.002, 0.001, 0.003, 0.004]> : tensor<4xf32>
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %z = arith.constant dense<0> : tensor<1x4x7x4xi32>
  %b = arith.constant dense<[[[[700, -900, 3000, 11]]]]> : tensor<1x1x1x4xi32>
  %e = tensor.empty() : tensor<1x2x5x4xi32>
  %e8 = tensor.empty() : tensor<1x2x5x4xi8>
  %c = linalg.conv_2d_nhwc_fhwc_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x9x8x3xi8>, tensor<4x3x2x3xi8>, i32, i32) outs(%z : tensor<1x4x7x4xi32>) -> tensor<1x4x7x4xi32>
  %t = tensor.extract_slice %c[0, 1, 0, 0] [1, 2, 5, 4] [1, 1, 1, 1] : tensor<1x4x7x4xi32> to tensor<1x2x5x4xi32>
  %a = linalg.generic {indexing_maps = [#n, #zeros, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%t, %b : tensor<1x2x5x4xi32>, tensor<1x1x1x4xi32>) outs(%e : tensor<1x2x5x4xi32>) {
  ^bb0(%in: i32, %bias: i32, %out: i32):
    %0 = arith.addi %in, %bias : i32
    linalg.yield %0 : i32
  } -> tensor<1x2x5x4xi32>
  %r = linalg.generic {indexing_maps = [#n, #last, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%a, %s : tensor<1x2x5x4xi32>, tensor<4xf32>) outs(%e8 : tensor<1x2x5x4xi8>) {
  ^bb0(%in: i32, %scale: f32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x2x5x4xi8>
  return %r : tensor<1x2x5x4xi8>
}

// Channels are cropped, and what is added is one number, an element of a tensor.
// CHECK-LABEL: func @channels(
// CHECK:         %[[C:.*]] = fusion.quantized_conv_bias_act {{.*}} bias(%{{.*}} : tensor<4xi32>) scale(%{{.*}} : tensor<1xf32>) {{.*}} -> tensor<1x4x7x4xi8>
// CHECK:         tensor.extract_slice %[[C]][0, 0, 0, 1] [1, 4, 7, 2] [1, 1, 1, 1] : tensor<1x4x7x4xi8> to tensor<1x4x7x2xi8>
func.func @channels(%x: tensor<1x9x8x3xi8>, %w: tensor<4x3x2x3xi8>) -> tensor<1x4x7x2xi8> {
  %zx = arith.constant -5 : i32
  %zw = arith.constant 0 : i32
  %s = arith.constant dense<[0.002, 0.001, 0.003, 0.004]> : tensor<4xf32>
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %z = arith.constant dense<0> : tensor<1x4x7x4xi32>
  %b = arith.constant dense<70> : tensor<1xi32>
  %scale = arith.constant 0.002 : f32
  %e8 = tensor.empty() : tensor<1x4x7x2xi8>
  %c = linalg.conv_2d_nhwc_fhwc_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x9x8x3xi8>, tensor<4x3x2x3xi8>, i32, i32) outs(%z : tensor<1x4x7x4xi32>) -> tensor<1x4x7x4xi32>
  %t = tensor.extract_slice %c[0, 0, 0, 1] [1, 4, 7, 2] [1, 1, 1, 1] : tensor<1x4x7x4xi32> to tensor<1x4x7x2xi32>
  %r = linalg.generic {indexing_maps = [#n, #one, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%t, %b : tensor<1x4x7x2xi32>, tensor<1xi32>) outs(%e8 : tensor<1x4x7x2xi8>) {
  ^bb0(%sum: i32, %bias: i32, %out: i8):
    %in = arith.addi %sum, %bias : i32
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %scale : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.maximumf %2, %min : f32
    %4 = arith.minimumf %3, %max : f32
    %5 = arith.fptosi %4 : f32 to i8
    linalg.yield %5 : i8
  } -> tensor<1x4x7x2xi8>
  return %r : tensor<1x4x7x2xi8>
}

// The bias alone, that a call knows.
// CHECK-LABEL: func @added(
// CHECK-SAME:      %[[B:[a-z0-9]*]]: tensor<4xi32>)
// CHECK:         %[[C:.*]] = fusion.quantized_conv_bias_act {{.*}} bias(%[[B]] : tensor<4xi32>) {{.*}} -> tensor<1x4x7x4xi32>
// CHECK:         linalg.transpose ins(%[[C]] : {{.*}}) outs({{.*}}) permutation = [0, 3, 1, 2]
func.func @added(%x: tensor<1x9x8x3xi8>, %w: tensor<4x3x2x3xi8>, %b: tensor<4xi32>) -> tensor<1x4x4x7xi32> {
  %zx = arith.constant -5 : i32
  %zw = arith.constant 0 : i32
  %z = arith.constant dense<0> : tensor<1x4x7x4xi32>
  %e = tensor.empty() : tensor<1x4x4x7xi32>
  %c = linalg.conv_2d_nhwc_fhwc_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x9x8x3xi8>, tensor<4x3x2x3xi8>, i32, i32) outs(%z : tensor<1x4x7x4xi32>) -> tensor<1x4x7x4xi32>
  %t = linalg.transpose ins(%c : tensor<1x4x7x4xi32>) outs(%e : tensor<1x4x4x7xi32>) permutation = [0, 3, 1, 2]
  %r = linalg.generic {indexing_maps = [#first, #n, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b, %t : tensor<4xi32>, tensor<1x4x4x7xi32>) outs(%e : tensor<1x4x4x7xi32>) {
  ^bb0(%bias: i32, %in: i32, %out: i32):
    %0 = arith.addi %in, %bias : i32
    linalg.yield %0 : i32
  } -> tensor<1x4x4x7xi32>
  return %r : tensor<1x4x4x7xi32>
}

// A number that a named op adds.
// CHECK-LABEL: func @mapped(
// CHECK:         %[[C:.*]] = fusion.quantized_conv_bias_act {{.*}} bias(%{{.*}} : tensor<4xi32>) {{.*}} -> tensor<1x4x7x4xi32>
// CHECK:         linalg.transpose ins(%[[C]] : {{.*}}) outs({{.*}}) permutation = [0, 3, 1, 2]
func.func @mapped(%x: tensor<1x9x8x3xi8>, %w: tensor<4x3x2x3xi8>) -> tensor<1x4x4x7xi32> {
  %zx = arith.constant -5 : i32
  %zw = arith.constant 0 : i32
  %k = arith.constant 70 : i32
  %z = arith.constant dense<0> : tensor<1x4x7x4xi32>
  %e = tensor.empty() : tensor<1x4x4x7xi32>
  %c = linalg.conv_2d_nhwc_fhwc_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x9x8x3xi8>, tensor<4x3x2x3xi8>, i32, i32) outs(%z : tensor<1x4x7x4xi32>) -> tensor<1x4x7x4xi32>
  %t = linalg.transpose ins(%c : tensor<1x4x7x4xi32>) outs(%e : tensor<1x4x4x7xi32>) permutation = [0, 3, 1, 2]
  %r = linalg.map ins(%t : tensor<1x4x4x7xi32>) outs(%e : tensor<1x4x4x7xi32>)
    (%in: i32, %out: i32) {
      %0 = arith.addi %in, %k : i32
      linalg.yield %0 : i32
    }
  return %r : tensor<1x4x4x7xi32>
}

// Halves of the channel become rows.
// CHECK-LABEL: func @joined(
// CHECK-SAME:      %[[B:[a-z0-9]*]]: tensor<3xi32>)
// CHECK:         %[[R:.*]] = linalg.broadcast ins(%[[B]] : tensor<3xi32>) outs({{.*}} : tensor<2x3xi32>) dimensions = [0]
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[R]] {{\[}}[0, 1]]
// CHECK:         %[[C:.*]] = fusion.quantized_matmul_bias_act {{.*}} bias(%[[V]] : tensor<6xi32>) {{.*}} -> tensor<5x6xi32>
// CHECK:         %[[J:.*]] = tensor.collapse_shape %[[C]] {{\[}}[0, 1]] : tensor<5x6xi32> into tensor<30xi32>
// CHECK:         %[[S:.*]] = tensor.expand_shape %[[J]] {{\[}}[0, 1]] output_shape [10, 3]
// CHECK:         return %[[S]]
func.func @joined(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %b: tensor<3xi32>) -> tensor<10x3xi32> {
  %z = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<10x3xi32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%z : tensor<5x6xi32>) -> tensor<5x6xi32>
  %j = tensor.collapse_shape %c [[0, 1]] : tensor<5x6xi32> into tensor<30xi32>
  %s = tensor.expand_shape %j [[0, 1]] output_shape [10, 3] : tensor<30xi32> into tensor<10x3xi32>
  %r = linalg.generic {indexing_maps = [#ij, #j, #ij], iterator_types = ["parallel", "parallel"]} ins(%s, %b : tensor<10x3xi32>, tensor<3xi32>) outs(%e : tensor<10x3xi32>) {
  ^bb0(%in: i32, %bias: i32, %out: i32):
    %0 = arith.addi %in, %bias : i32
    linalg.yield %0 : i32
  } -> tensor<10x3xi32>
  return %r : tensor<10x3xi32>
}
