// Zero points and scales that a body reads from outside, of a tensor or as an operand of one element: all become
// operands of ops on integers. ../../Integration/fuse-rescaled.test runs all of it.

// RUN: fusion-opt %s --fusion-raise --fusion-fuse-quantized | FileCheck %s
// Upstream reads scalar operands so.
// RUN: fusion-opt %s --linalg-inline-scalar-operands --fusion-raise --fusion-fuse-quantized | FileCheck %s

#n = affine_map<(d0, d1) -> (d0, d1)>
#x = affine_map<(d0, d1, d2) -> (d0, d2)>
#w = affine_map<(d0, d1, d2) -> (d2, d1)>
#z0 = affine_map<(d0, d1, d2) -> (0)>
#z1 = affine_map<(d0, d1, d2) -> (1)>
#r = affine_map<(d0, d1, d2) -> (d0, d1)>
#image = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1 * 2 + d4, d2 + d5, d6)>
#filter = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d3, d4, d5, d6)>
#result = affine_map<(d0, d1, d2, d3, d4, d5, d6) -> (d0, d1, d2, d3)>

// A scalar from outside, extended in the body.
// CHECK-LABEL: func @captured(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<1x7x5x3xi8>, %[[Z:[a-z0-9]*]]: tensor<i8>
// CHECK-DAG:     %[[S:.*]] = arith.constant dense<[21, -96]> : tensor<2xi32>
// CHECK:         %[[P:.*]] = linalg.generic {{.*}} ins(%[[S]], %[[Z]] : tensor<2xi32>, tensor<i8>)
// CHECK:           arith.extsi
// CHECK:         %[[B:.*]] = linalg.sub ins({{.*}}, %[[P]] :
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] {{.*}} ins(%[[X]], {{.*}}) bias(%[[B]] :
func.func @captured(%x: tensor<1x7x5x3xi8>, %zx: tensor<i8>) -> tensor<1x4x4x2xi32> {
  %w = arith.constant dense<[[[[1, 2, 3], [4, 5, 6]]], [[[-7, 8, -9], [10, 11, -109]]]]> : tensor<2x1x2x3xi8>
  %f = arith.constant dense<0> : tensor<1x4x4x2xi32>
  %number = tensor.extract %zx[] : tensor<i8>
  %r = linalg.generic {indexing_maps = [#image, #filter, #result],
         iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
         ins(%x, %w : tensor<1x7x5x3xi8>, tensor<2x1x2x3xi8>) outs(%f : tensor<1x4x4x2xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %number : i8 to i32
    %2 = arith.subi %0, %1 : i32
    %3 = arith.extsi %b : i8 to i32
    %4 = arith.muli %2, %3 : i32
    %5 = arith.addi %acc, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<1x4x4x2xi32>
  return %r : tensor<1x4x4x2xi32>
}

// Extended outside, of u8.
// CHECK-LABEL: func @extended(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<3x4xi8>, %[[Z:[a-z0-9]*]]: tensor<i8>
// CHECK-DAG:     %[[S:.*]] = arith.constant dense<[-44, 128]> : tensor<2xi32>
// CHECK:         %[[N:.*]] = arith.extui {{.*}} : i8 to i32
// CHECK:         linalg.generic {{.*}} ins(%[[S]], %[[N]] : tensor<2xi32>, i32)
// CHECK:         fusion.quantized_matmul_bias_act {input_unsigned} ins(%[[X]], {{.*}}) bias(
func.func @extended(%x: tensor<3x4xi8>, %zx: tensor<i8>) -> tensor<3x2xi32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi32>
  %f = arith.constant dense<0> : tensor<3x2xi32>
  %number = tensor.extract %zx[] : tensor<i8>
  %wide = arith.extui %number : i8 to i32
  %ex = tensor.empty() : tensor<3x4xi32>
  %xi = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x4xi8>) outs(%ex : tensor<3x4xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %wide : i32
    linalg.yield %1 : i32
  } -> tensor<3x4xi32>
  %r = linalg.matmul ins(%xi, %w : tensor<3x4xi32>, tensor<4x2xi32>) outs(%f : tensor<3x2xi32>) -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// Read in the body, with constant indices.
// CHECK-LABEL: func @read(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<3x4xi8>, %[[Z:[a-z0-9]*]]: tensor<1x2xi32>
// CHECK-DAG:     %[[S:.*]] = arith.constant dense<[-44, 128]> : tensor<2xi32>
// CHECK:         linalg.generic {indexing_maps = [{{.*}}, #[[MAP:.*]], {{.*}}]{{.*}}} ins(%[[S]], %[[Z]] : tensor<2xi32>, tensor<1x2xi32>)
// CHECK-NOT:     tensor.extract
// CHECK:         fusion.quantized_matmul_bias_act ins(%[[X]], {{.*}}) bias(
func.func @read(%x: tensor<3x4xi8>, %zx: tensor<1x2xi32>) -> tensor<3x2xi32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi8>
  %f = arith.constant dense<0> : tensor<3x2xi32>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = linalg.generic {indexing_maps = [#x, #w, #r], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w : tensor<3x4xi8>, tensor<4x2xi8>) outs(%f : tensor<3x2xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %number = tensor.extract %zx[%c0, %c1] : tensor<1x2xi32>
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.subi %0, %number : i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// An operand of one element.
// CHECK-LABEL: func @element(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<3x4xi8>, %[[Z:[a-z0-9]*]]: tensor<1xi8>
// CHECK-DAG:     %[[S:.*]] = arith.constant dense<[-44, 128]> : tensor<2xi32>
// CHECK:         linalg.generic {{.*}} ins(%[[S]], %[[Z]] : tensor<2xi32>, tensor<1xi8>)
// CHECK:         fusion.quantized_matmul_bias_act ins(%[[X]], {{.*}}) bias(
func.func @element(%x: tensor<3x4xi8>, %zx: tensor<1xi8>) -> tensor<3x2xi32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi8>
  %f = arith.constant dense<0> : tensor<3x2xi32>
  %r = linalg.generic {indexing_maps = [#x, #w, #z0, #r], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w, %zx : tensor<3x4xi8>, tensor<4x2xi8>, tensor<1xi8>) outs(%f : tensor<3x2xi32>) {
  ^bb0(%a: i8, %b: i8, %number: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %number : i8 to i32
    %2 = arith.subi %0, %1 : i32
    %3 = arith.extsi %b : i8 to i32
    %4 = arith.muli %2, %3 : i32
    %5 = arith.addi %acc, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// A scale and a zero point, each an element of a constant. That of the scale is a blob.
// CHECK-LABEL: func @dequantised(
// CHECK-DAG:     %[[S:.*]] = arith.constant dense<1.250000e-01> : tensor<1xf32>
// CHECK:         fusion.quantized_matmul_bias_act {input_zero_point = -3 : i32} ins({{.*}}) scale(%[[S]] : tensor<1xf32>)
func.func @dequantised(%x: tensor<3x4xi8>) -> tensor<3x2xf32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi8>
  %scales = arith.constant dense_resource<scales> : tensor<2xf32>
  %zeros = arith.constant dense<[7, -3]> : tensor<2xi8>
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ex = tensor.empty() : tensor<3x4xf32>
  %ew = tensor.empty() : tensor<4x2xf32>
  %er = tensor.empty() : tensor<3x2xf32>
  %f = linalg.fill ins(%zero : f32) outs(%er : tensor<3x2xf32>) -> tensor<3x2xf32>
  %scale = tensor.extract %scales[%c1] : tensor<2xf32>
  %xd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x4xi8>) outs(%ex : tensor<3x4xf32>) {
  ^bb0(%in: i8, %out: f32):
    %number = tensor.extract %zeros[%c1] : tensor<2xi8>
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.extsi %number : i8 to i32
    %2 = arith.subi %0, %1 : i32
    %3 = arith.sitofp %2 : i32 to f32
    %4 = arith.mulf %3, %scale : f32
    linalg.yield %4 : f32
  } -> tensor<3x4xf32>
  %wd = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<4x2xi8>) outs(%ew : tensor<4x2xf32>) {
  ^bb0(%in: i8, %out: f32):
    %0 = arith.sitofp %in : i8 to f32
    %1 = arith.mulf %0, %half : f32
    linalg.yield %1 : f32
  } -> tensor<4x2xf32>
  %c = linalg.matmul ins(%xd, %wd : tensor<3x4xf32>, tensor<4x2xf32>) outs(%f : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %c : tensor<3x2xf32>
}

// CHECK-LABEL: func @constant(
// CHECK:         fusion.quantized_matmul_bias_act {input_zero_point = 7 : i32} ins(
func.func @constant(%x: tensor<3x4xi8>) -> tensor<3x2xi32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi8>
  %zx = arith.constant dense<7> : tensor<1xi8>
  %f = arith.constant dense<0> : tensor<3x2xi32>
  %r = linalg.generic {indexing_maps = [#x, #w, #z0, #r], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w, %zx : tensor<3x4xi8>, tensor<4x2xi8>, tensor<1xi8>) outs(%f : tensor<3x2xi32>) {
  ^bb0(%a: i8, %b: i8, %number: i8, %acc: i32):
    %0 = arith.extsi %a : i8 to i32
    %1 = arith.extsi %number : i8 to i32
    %2 = arith.subi %0, %1 : i32
    %3 = arith.extsi %b : i8 to i32
    %4 = arith.muli %2, %3 : i32
    %5 = arith.addi %acc, %4 : i32
    linalg.yield %5 : i32
  } -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// The second element of a constant, and of a blob.
// CHECK-LABEL: func @elements(
// CHECK-DAG:     arith.constant dense<{{\[\[}}4, 124], [-125, 2], [93, -10], [-4, 0]]> : tensor<4x2xi8>
// CHECK:         fusion.quantized_matmul_bias_act {input_unsigned, input_zero_point = 200 : i32} ins(
func.func @elements(%x: tensor<3x4xi8>) -> tensor<3x2xi32> {
  %w = arith.constant dense<[[1, 121], [-128, -1], [90, -13], [-7, -3]]> : tensor<4x2xi8>
  %zx = arith.constant dense<[7, 200]> : tensor<2xi8>
  %zw = arith.constant dense_resource<zeros> : tensor<2xi32>
  %f = arith.constant dense<0> : tensor<3x2xi32>
  %r = linalg.generic {indexing_maps = [#x, #w, #z1, #z1, #r], iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %w, %zx, %zw : tensor<3x4xi8>, tensor<4x2xi8>, tensor<2xi8>, tensor<2xi32>) outs(%f : tensor<3x2xi32>) {
  ^bb0(%a: i8, %b: i8, %number: i8, %other: i32, %acc: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.extui %number : i8 to i32
    %2 = arith.subi %0, %1 : i32
    %3 = arith.extsi %b : i8 to i32
    %4 = arith.subi %3, %other : i32
    %5 = arith.muli %2, %4 : i32
    %6 = arith.addi %acc, %5 : i32
    linalg.yield %6 : i32
  } -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

{-#
  dialect_resources: {
    builtin: {
      scales: "0x040000000000803f0000803e",
      zeros: "0x0400000005000000fdffffff"
    }
  }
#-}
