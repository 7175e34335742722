// Integers that are added to the sum of an op on integers become its bias. ../../Integration/
// fuse-rescaled.test runs all of it.

// RUN: fusion-opt %s --fusion-fuse-quantized | FileCheck %s --implicit-check-not=linalg.generic
// RUN: fusion-opt %s --linalg-generalize-named-ops --linalg-fuse-elementwise-ops --canonicalize --fusion-fuse-quantized | FileCheck %s --check-prefix=GENERIC
// GENERIC-COUNT-8: fusion.quantized_{{.*}} bias(
// GENERIC-NOT:     linalg.generic {{.*}}xi8>

#n = affine_map<(d0, d1) -> (d0, d1)>
#n1 = affine_map<(d0, d1) -> (d1)>
#m = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#m3 = affine_map<(d0, d1, d2, d3) -> (d3)>

// A named op, and a bias that is broadcast. It is added to the one that there is.
// CHECK-LABEL: func @named(
// CHECK-SAME:      %[[B:[a-z0-9]*]]: tensor<6xi32>, %[[A:[a-z0-9]*]]: tensor<6xi32>)
// CHECK:         %[[S:.*]] = linalg.add ins(%[[B]], %[[A]] : tensor<6xi32>, tensor<6xi32>)
// CHECK:         fusion.quantized_matmul_bias_act ins({{.*}}) bias(%[[S]] : tensor<6xi32>)
func.func @named(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %b: tensor<6xi32>, %a: tensor<6xi32>) -> tensor<5x6xi32> {
  %e = tensor.empty() : tensor<5x6xi32>
  %f = linalg.broadcast ins(%b : tensor<6xi32>) outs(%e : tensor<5x6xi32>) dimensions = [0]
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %g = linalg.broadcast ins(%a : tensor<6xi32>) outs(%e : tensor<5x6xi32>) dimensions = [0]
  %r = linalg.add ins(%g, %c : tensor<5x6xi32>, tensor<5x6xi32>) outs(%e : tensor<5x6xi32>) -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// The sum is the destination, and a number is subtracted, which wraps as the sum does.
// CHECK-LABEL: func @destination(
// CHECK:         %[[B:.*]] = arith.constant dense<[-2147483647, -2147483641, 2147483643, -2147483648, 2147483645, -2147483646]> : tensor<6xi32>
// CHECK:         %[[E:.*]] = tensor.empty() : tensor<5x6xi32>
// CHECK:         fusion.quantized_matmul_bias_act ins({{.*}}) bias(%[[B]] : tensor<6xi32>) outs(%[[E]] :
func.func @destination(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %a = arith.constant dense<[2, 8, -4, 1, -2, 3]> : tensor<6xi32>
  %k = arith.constant 2147483647 : i32
  %two = arith.constant 2 : i32
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#n1, #n], iterator_types = ["parallel", "parallel"]} ins(%a : tensor<6xi32>) outs(%c : tensor<5x6xi32>) {
  ^bb0(%in: i32, %out: i32):
    %0 = arith.addi %in, %out : i32
    %1 = arith.subi %0, %k : i32
    %2 = arith.subi %1, %two : i32
    linalg.yield %2 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// The destination comes through a reshape, as upstream leaves it where it drops dimensions of size 1.
// CHECK-LABEL: func @reshaped_destination(
// CHECK-SAME:      %[[B:[a-z0-9]*]]: tensor<6xi32>)
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] groups 3 layouts(nhwc, hwcf, nhwc) ins({{.*}}) bias(%[[B]] : tensor<6xi32>)
func.func @reshaped_destination(%x: tensor<1x9x8x3xi8>, %w: tensor<3x2x3x2xi8>, %b: tensor<6xi32>) -> tensor<1x4x7x6xi32> {
  %e = tensor.empty() : tensor<28x6xi32>
  %f = linalg.broadcast ins(%b : tensor<6xi32>) outs(%e : tensor<28x6xi32>) dimensions = [0]
  %i = tensor.expand_shape %f [[0, 1, 2], [3, 4]] output_shape [1, 4, 7, 3, 2] : tensor<28x6xi32> into tensor<1x4x7x3x2xi32>
  %c = linalg.depthwise_conv_2d_nhwc_hwcm {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<1x9x8x3xi8>, tensor<3x2x3x2xi8>) outs(%i : tensor<1x4x7x3x2xi32>) -> tensor<1x4x7x3x2xi32>
  %r = tensor.collapse_shape %c [[0], [1], [2], [3, 4]] : tensor<1x4x7x3x2xi32> into tensor<1x4x7x6xi32>
  return %r : tensor<1x4x7x6xi32>
}

// TOSA adds the bias of a depthwise convolution behind a reshape.
// CHECK-LABEL: func @depthwise(
// CHECK-SAME:      %[[B:[a-z0-9]*]]: tensor<6xi32>)
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] groups 3 layouts(nhwc, hwcf, nhwc) {input_zero_point = -128 : i32} ins({{.*}}) bias(%[[B]] : tensor<6xi32>) outs(%{{.*}} : tensor<1x4x7x6xi32>)
func.func @depthwise(%x: tensor<1x9x8x3xi8>, %w: tensor<3x2x3x2xi8>, %b: tensor<6xi32>) -> tensor<1x4x7x6xi32> {
  %zx = arith.constant -128 : i32
  %zw = arith.constant 0 : i32
  %f = arith.constant dense<0> : tensor<1x4x7x3x2xi32>
  %e = tensor.empty() : tensor<1x4x7x6xi32>
  %c = linalg.depthwise_conv_2d_nhwc_hwcm_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x9x8x3xi8>, tensor<3x2x3x2xi8>, i32, i32) outs(%f : tensor<1x4x7x3x2xi32>) -> tensor<1x4x7x3x2xi32>
  %v = tensor.collapse_shape %c [[0], [1], [2], [3, 4]] : tensor<1x4x7x3x2xi32> into tensor<1x4x7x6xi32>
  %r = linalg.generic {indexing_maps = [#m3, #m, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b, %v : tensor<6xi32>, tensor<1x4x7x6xi32>) outs(%e : tensor<1x4x7x6xi32>) {
  ^bb0(%in: i32, %acc: i32, %out: i32):
    %0 = arith.addi %in, %acc : i32
    linalg.yield %0 : i32
  } -> tensor<1x4x7x6xi32>
  return %r : tensor<1x4x7x6xi32>
}

// The result of a batch of rows is split again in front of the bias.
// CHECK-LABEL: func @rows(
// CHECK-SAME:      %[[B:[a-z0-9]*]]: tensor<6xi32>)
// CHECK:         %[[R:.*]] = fusion.quantized_matmul_bias_act {{.*}} bias(%[[B]] : tensor<6xi32>)
// CHECK:         tensor.expand_shape %[[R]]
func.func @rows(%x: tensor<2x5x3x7xi8>, %w: tensor<7x6xi8>, %b: tensor<6xi32>) -> tensor<2x5x3x6xi32> {
  %f = arith.constant dense<0> : tensor<2x5x3x6xi32>
  %e = tensor.empty() : tensor<2x5x3x6xi32>
  %c = linalg.generic {indexing_maps = [affine_map<(a, b, m, n, k) -> (a, b, m, k)>, affine_map<(a, b, m, n, k) -> (k, n)>, affine_map<(a, b, m, n, k) -> (a, b, m, n)>],
                       iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]} ins(%x, %w : tensor<2x5x3x7xi8>, tensor<7x6xi8>) outs(%f : tensor<2x5x3x6xi32>) {
  ^bb0(%p: i8, %q: i8, %acc: i32):
    %0 = arith.extsi %p : i8 to i32
    %1 = arith.extsi %q : i8 to i32
    %2 = arith.muli %0, %1 : i32
    %3 = arith.addi %acc, %2 : i32
    linalg.yield %3 : i32
  } -> tensor<2x5x3x6xi32>
  %r = linalg.generic {indexing_maps = [#m, #m3, #m], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %b : tensor<2x5x3x6xi32>, tensor<6xi32>) outs(%e : tensor<2x5x3x6xi32>) {
  ^bb0(%acc: i32, %in: i32, %out: i32):
    %0 = arith.addi %acc, %in : i32
    linalg.yield %0 : i32
  } -> tensor<2x5x3x6xi32>
  return %r : tensor<2x5x3x6xi32>
}

// A vector known only at run time is subtracted.
// CHECK-LABEL: func @difference(
// CHECK-SAME:      %[[A:[a-z0-9]*]]: tensor<6xi32>)
// CHECK:         %[[B:.*]] = linalg.sub ins(%{{.*}}, %[[A]] : tensor<6xi32>, tensor<6xi32>)
// CHECK:         fusion.quantized_matmul_bias_act ins({{.*}}) bias(%[[B]] : tensor<6xi32>)
func.func @difference(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>, %a: tensor<6xi32>) -> tensor<5x6xi32> {
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %e = tensor.empty() : tensor<5x6xi32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [#n, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %a : tensor<5x6xi32>, tensor<6xi32>) outs(%e : tensor<5x6xi32>) {
  ^bb0(%acc: i32, %in: i32, %out: i32):
    %0 = arith.subi %acc, %in : i32
    linalg.yield %0 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// StableHLO's correction: the zero point -3 times the sum of the filter, and a bias. The sums
// are 5, 9 and -116.
// CHECK-LABEL: func @correction(
// CHECK:         %[[B:.*]] = arith.constant dense<[25, 7, -318]> : tensor<3xi32>
// CHECK:         fusion.quantized_matmul_bias_act ins({{.*}}) bias(%[[B]] : tensor<3xi32>)
func.func @correction(%x: tensor<5x2xi8>) -> tensor<5x3xi32> {
  %w = arith.constant dense<[[1, 2, 3], [4, 7, -119]]> : tensor<2x3xi8>
  %b = arith.constant dense<[10, -20, 30]> : tensor<3xi32>
  %zero = arith.constant 0 : i32
  %zp = arith.constant -3 : i32
  %f = arith.constant dense<0> : tensor<5x3xi32>
  %e = tensor.empty() : tensor<5x3xi32>
  %e3 = tensor.empty() : tensor<3xi32>
  %ew = tensor.empty() : tensor<2x3xi32>
  %c = linalg.matmul ins(%x, %w : tensor<5x2xi8>, tensor<2x3xi8>) outs(%f : tensor<5x3xi32>) -> tensor<5x3xi32>
  %f3 = linalg.fill ins(%zero : i32) outs(%e3 : tensor<3xi32>) -> tensor<3xi32>
  %w32 = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<2x3xi8>) outs(%ew : tensor<2x3xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<2x3xi32>
  %sum = linalg.reduce ins(%w32 : tensor<2x3xi32>) outs(%f3 : tensor<3xi32>) dimensions = [0]
    (%in: i32, %out: i32) {
      %0 = arith.addi %out, %in : i32
      linalg.yield %0 : i32
    }
  %off = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]} ins(%sum : tensor<3xi32>) outs(%e3 : tensor<3xi32>) {
  ^bb0(%in: i32, %out: i32):
    %0 = arith.muli %in, %zp : i32
    linalg.yield %0 : i32
  } -> tensor<3xi32>
  %r = linalg.generic {indexing_maps = [#n, #n1, #n1, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %off, %b : tensor<5x3xi32>, tensor<3xi32>, tensor<3xi32>) outs(%e : tensor<5x3xi32>) {
  ^bb0(%in: i32, %o: i32, %bb: i32, %out: i32):
    %0 = arith.subi %zero, %o : i32
    %1 = arith.addi %in, %0 : i32
    %2 = arith.addi %1, %bb : i32
    linalg.yield %2 : i32
  } -> tensor<5x3xi32>
  return %r : tensor<5x3xi32>
}

// Behind a reshape that splits the channels, with a requantisation.
// CHECK-LABEL: func @split(
// CHECK:         %[[R:.*]] = fusion.quantized_matmul_bias_act {fusion.folded = "requantize", output_zero_point = 4 : i32} {{.*}} bias(%{{.*}} : tensor<6xi32>) scale({{.*}}) outs(%{{.*}} : tensor<5x6xi8>)
// CHECK:         tensor.expand_shape %[[R]]
func.func @split(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x3x2xi8> {
  %b = arith.constant 321 : i32
  %s = arith.constant 0.004 : f32
  %zo = arith.constant 4.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e8 = tensor.empty() : tensor<5x3x2xi8>
  %f = arith.constant dense<0> : tensor<5x6xi32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  %v = tensor.expand_shape %c [[0], [1, 2]] output_shape [5, 3, 2] : tensor<5x6xi32> into tensor<5x3x2xi32>
  %q = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%v : tensor<5x3x2xi32>) outs(%e8 : tensor<5x3x2xi8>) {
  ^bb0(%in: i32, %out: i8):
    %a = arith.addi %in, %b : i32
    %0 = arith.sitofp %a : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %zo : f32
    %4 = arith.maximumf %3, %min : f32
    %5 = arith.minimumf %4, %max : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<5x3x2xi8>
  return %q : tensor<5x3x2xi8>
}

// The corrections have the channel in two parts, group and channel, or next to a dimension of size
// 1, as `linalg-fuse-elementwise-ops` and `linalg-fold-unit-extent-dims` leave them.
// CHECK-LABEL: func @correction_in_parts(
// CHECK-DAG:     %[[B:.*]] = arith.constant dense<[-47, -10, 23, -6]> : tensor<4xi32>
// CHECK:         %[[R:.*]] = fusion.quantized_matmul_bias_act {{.*}} bias(%[[B]] : tensor<4xi32>)
// CHECK-NEXT:    return %[[R]]
func.func @correction_in_parts(%x: tensor<5x3xi8>) -> tensor<5x4xi32> {
  %w = arith.constant dense<[[9, -2, 3, 5], [7, 1, -6, 2], [-1, 4, -5, -8]]> : tensor<3x4xi8>
  %parts = arith.constant dense<[[[9, -2], [3, 5]], [[7, 1], [-6, 2]], [[-1, 4], [-5, -8]]]> : tensor<3x2x2xi8>
  %row = arith.constant dense<[[-2, -1, -1, -9]]> : tensor<1x4xi8>
  %zx = arith.constant -3 : i32
  %f = arith.constant dense<0> : tensor<5x4xi32>
  %f22 = arith.constant dense<0> : tensor<2x2xi32>
  %e14 = tensor.empty() : tensor<1x4xi32>
  %e = tensor.empty() : tensor<5x4xi32>
  %c = linalg.matmul ins(%x, %w : tensor<5x3xi8>, tensor<3x4xi8>) outs(%f : tensor<5x4xi32>) -> tensor<5x4xi32>
  %sum = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2) -> (d0, d1, d2)>, affine_map<(d0, d1, d2) -> (d1, d2)>], iterator_types = ["reduction", "parallel", "parallel"]} ins(%parts : tensor<3x2x2xi8>) outs(%f22 : tensor<2x2xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.addi %out, %0 : i32
    linalg.yield %1 : i32
  } -> tensor<2x2xi32>
  %v = tensor.collapse_shape %sum [[0, 1]] : tensor<2x2xi32> into tensor<4xi32>
  %b = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%row : tensor<1x4xi8>) outs(%e14 : tensor<1x4xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<1x4xi32>
  %r = linalg.generic {indexing_maps = [#n, #n1, affine_map<(d0, d1) -> (0, d1)>, #n], iterator_types = ["parallel", "parallel"]} ins(%c, %v, %b : tensor<5x4xi32>, tensor<4xi32>, tensor<1x4xi32>) outs(%e : tensor<5x4xi32>) {
  ^bb0(%in: i32, %s: i32, %one: i32, %out: i32):
    %0 = arith.muli %s, %zx : i32
    %1 = arith.addi %in, %0 : i32
    %2 = arith.addi %1, %one : i32
    linalg.yield %2 : i32
  } -> tensor<5x4xi32>
  return %r : tensor<5x4xi32>
}
