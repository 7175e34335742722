// Convolutions in groups of one image, without a dimension for it, or one that upstream drops: reshapes
// of the sum to the op's dimensions and to group and channel come in front of the bias.
// ../../Integration/fuse-rescaled.test runs all of it.

// RUN: fusion-opt %s --fusion-fuse-quantized | FileCheck %s --implicit-check-not=addi --implicit-check-not=fptosi
// RUN: fusion-opt %s --linalg-generalize-named-ops --linalg-fold-unit-extent-dims --canonicalize --cse --fusion-fuse-quantized | FileCheck %s --implicit-check-not=addi --implicit-check-not=fptosi
// RUN: fusion-opt %s --linalg-generalize-named-ops --linalg-fuse-elementwise-ops --linalg-fold-unit-extent-dims --canonicalize --cse --fusion-split-at-integers --fusion-fuse-quantized | FileCheck %s --implicit-check-not=addi --implicit-check-not=fptosi

#x = affine_map<(g, f, w, c, k) -> (g, c, w + k)>
#w = affine_map<(g, f, w, c, k) -> (g, f, c, k)>
#o = affine_map<(g, f, w, c, k) -> (g, f, w)>
#n = affine_map<(g, f, w) -> (g, f, w)>
#gf = affine_map<(g, f, w) -> (g, f)>
#r = affine_map<(n, g, f, h, w) -> (n, g, f, h, w)>

// CHECK-LABEL: func @accumulator(
// CHECK-SAME:      %[[B:[a-z0-9]*]]: tensor<2x5xi32>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[B]] {{\[}}[0, 1]]
// CHECK:         fusion.quantized_conv_bias_act groups 2 {{.*}} bias(%[[V]] : tensor<10xi32>)
func.func @accumulator(%x: tensor<2x3x11xi8>, %w: tensor<2x5x3x4xi8>, %b: tensor<2x5xi32>) -> tensor<2x5x8xi32> {
  %zx = arith.constant -5 : i32
  %e = tensor.empty() : tensor<2x5x8xi32>
  %z = linalg.broadcast ins(%b : tensor<2x5xi32>) outs(%e : tensor<2x5x8xi32>) dimensions = [2]
  %c = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : tensor<2x3x11xi8>, tensor<2x5x3x4xi8>) outs(%z : tensor<2x5x8xi32>) {
  ^bb0(%a: i8, %p: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.extsi %p : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<2x5x8xi32>
  return %c : tensor<2x5x8xi32>
}

// CHECK-LABEL: func @added(
// CHECK-SAME:      %[[B:[a-z0-9]*]]: tensor<2x5xi32>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[B]] {{\[}}[0, 1]]
// CHECK:         fusion.quantized_conv_bias_act groups 2 {{.*}} bias(%[[V]] : tensor<10xi32>)
func.func @added(%x: tensor<2x3x11xi8>, %w: tensor<2x5x3x4xi8>, %b: tensor<2x5xi32>) -> tensor<2x5x8xi32> {
  %zx = arith.constant -5 : i32
  %z = arith.constant dense<0> : tensor<2x5x8xi32>
  %e = tensor.empty() : tensor<2x5x8xi32>
  %f = linalg.broadcast ins(%b : tensor<2x5xi32>) outs(%e : tensor<2x5x8xi32>) dimensions = [2]
  %c = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : tensor<2x3x11xi8>, tensor<2x5x3x4xi8>) outs(%z : tensor<2x5x8xi32>) {
  ^bb0(%a: i8, %p: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.extsi %p : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<2x5x8xi32>
  %r = linalg.add ins(%c, %f : tensor<2x5x8xi32>, tensor<2x5x8xi32>) outs(%e : tensor<2x5x8xi32>) -> tensor<2x5x8xi32>
  return %r : tensor<2x5x8xi32>
}

// Read by its own map.
// CHECK-LABEL: func @read(
// CHECK-SAME:      %[[B:[a-z0-9]*]]: tensor<2x5xi32>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[B]] {{\[}}[0, 1]]
// CHECK:         fusion.quantized_conv_bias_act groups 2 {{.*}} bias(%[[V]] : tensor<10xi32>)
func.func @read(%x: tensor<2x3x11xi8>, %w: tensor<2x5x3x4xi8>, %b: tensor<2x5xi32>) -> tensor<2x5x8xi32> {
  %zx = arith.constant -5 : i32
  %z = arith.constant dense<0> : tensor<2x5x8xi32>
  %e = tensor.empty() : tensor<2x5x8xi32>
  %c = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : tensor<2x3x11xi8>, tensor<2x5x3x4xi8>) outs(%z : tensor<2x5x8xi32>) {
  ^bb0(%a: i8, %p: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.extsi %p : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<2x5x8xi32>
  %r = linalg.generic {indexing_maps = [#gf, #n, #n], iterator_types = ["parallel", "parallel", "parallel"]} ins(%b, %c : tensor<2x5xi32>, tensor<2x5x8xi32>) outs(%e : tensor<2x5x8xi32>) {
  ^bb0(%in: i32, %acc: i32, %out: i32):
    %0 = arith.addi %acc, %in : i32
    linalg.yield %0 : i32
  } -> tensor<2x5x8xi32>
  return %r : tensor<2x5x8xi32>
}

// Along the channel of a group alone, and requantised behind.
// CHECK-LABEL: func @channel(
// CHECK:         arith.constant dense<[70, -900, 3000, 11, 240, 70, -900, 3000, 11, 240]> : tensor<10xi32>
// CHECK:         fusion.quantized_conv_bias_act groups 2 {{.*}} bias(%{{.*}} : tensor<10xi32>) scale({{.*}}) outs(%{{.*}} : tensor<1x10x8xi8>)
func.func @channel(%x: tensor<2x3x11xi8>, %w: tensor<2x5x3x4xi8>) -> tensor<2x5x8xi8> {
  %b = arith.constant dense<[70, -900, 3000, 11, 240]> : tensor<5xi32>
  %zx = arith.constant -5 : i32
  %s = arith.constant 0.002 : f32
  %zo = arith.constant 4.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %z = arith.constant dense<0> : tensor<2x5x8xi32>
  %e = tensor.empty() : tensor<2x5x8xi32>
  %e8 = tensor.empty() : tensor<2x5x8xi8>
  %f = linalg.broadcast ins(%b : tensor<5xi32>) outs(%e : tensor<2x5x8xi32>) dimensions = [0, 2]
  %c = linalg.generic {indexing_maps = [#x, #w, #o], iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]} ins(%x, %w : tensor<2x3x11xi8>, tensor<2x5x3x4xi8>) outs(%z : tensor<2x5x8xi32>) {
  ^bb0(%a: i8, %p: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.extsi %p : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<2x5x8xi32>
  %a = linalg.add ins(%c, %f : tensor<2x5x8xi32>, tensor<2x5x8xi32>) outs(%e : tensor<2x5x8xi32>) -> tensor<2x5x8xi32>
  %r = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel", "parallel"]} ins(%a : tensor<2x5x8xi32>) outs(%e8 : tensor<2x5x8xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %zo : f32
    %4 = arith.maximumf %3, %min : f32
    %5 = arith.minimumf %4, %max : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<2x5x8xi8>
  return %r : tensor<2x5x8xi8>
}

// Two dimensions and a batch of one, which upstream drops. Requantised behind.
// CHECK-LABEL: func @image(
// CHECK-SAME:      %[[B:[a-z0-9]*]]: tensor<2x5xi32>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[B]] {{\[}}[0, 1]]
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] groups 2 {{.*}} bias(%[[V]] : tensor<10xi32>) scale({{.*}}) outs(%{{.*}} : tensor<1x10x4x7xi8>)
func.func @image(%x: tensor<1x2x3x9x8xi8>, %w: tensor<2x5x3x3x2xi8>, %b: tensor<2x5xi32>) -> tensor<1x2x5x4x7xi8> {
  %zx = arith.constant -5 : i32
  %zw = arith.constant 0 : i32
  %s = arith.constant 0.002 : f32
  %zo = arith.constant 4.0 : f32
  %min = arith.constant -128.0 : f32
  %max = arith.constant 127.0 : f32
  %e = tensor.empty() : tensor<1x2x5x4x7xi32>
  %e8 = tensor.empty() : tensor<1x2x5x4x7xi8>
  %z = arith.constant dense<0> : tensor<1x2x5x4x7xi32>
  %f = linalg.broadcast ins(%b : tensor<2x5xi32>) outs(%e : tensor<1x2x5x4x7xi32>) dimensions = [0, 3, 4]
  %c = linalg.conv_2d_ngchw_gfchw_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x2x3x9x8xi8>, tensor<2x5x3x3x2xi8>, i32, i32) outs(%z : tensor<1x2x5x4x7xi32>) -> tensor<1x2x5x4x7xi32>
  %a = linalg.add ins(%c, %f : tensor<1x2x5x4x7xi32>, tensor<1x2x5x4x7xi32>) outs(%e : tensor<1x2x5x4x7xi32>) -> tensor<1x2x5x4x7xi32>
  %r = linalg.generic {indexing_maps = [#r, #r], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]} ins(%a : tensor<1x2x5x4x7xi32>) outs(%e8 : tensor<1x2x5x4x7xi8>) {
  ^bb0(%in: i32, %out: i8):
    %0 = arith.sitofp %in : i32 to f32
    %1 = arith.mulf %0, %s : f32
    %2 = math.roundeven %1 : f32
    %3 = arith.addf %2, %zo : f32
    %4 = arith.maximumf %3, %min : f32
    %5 = arith.minimumf %4, %max : f32
    %6 = arith.fptosi %5 : f32 to i8
    linalg.yield %6 : i8
  } -> tensor<1x2x5x4x7xi8>
  return %r : tensor<1x2x5x4x7xi8>
}
