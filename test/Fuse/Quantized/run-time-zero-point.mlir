// A zero point that only a call knows: the product without it, less the sums of the filter times
// the zero point, which are a bias. ../../Integration/fuse-rescaled.test runs all of it.

// RUN: fusion-opt %s --fusion-fuse-quantized | FileCheck %s
// A filter that is one number becomes a part of the op's body, and no product of two tensors is left.
// RUN: fusion-opt %s --linalg-generalize-named-ops --linalg-fuse-elementwise-ops --canonicalize --fusion-fuse-quantized | grep -c 'fusion.quantized.* bias(' | FileCheck %s --check-prefix=COUNT
// COUNT: {{^}}7{{$}}

#n = affine_map<(d0, d1) -> (d0, d1)>
#s = affine_map<(d0, d1) -> ()>
#s0 = affine_map<(d0, d1) -> (0)>
#image = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// CHECK-LABEL: func @named(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<3x4xi8>, %[[Z:[a-z0-9]*]]: i32
// CHECK-DAG:     %[[W:.*]] = arith.constant dense<{{.*}}> : tensor<4x2xi8>
// CHECK-DAG:     %[[S:.*]] = arith.constant dense<[-44, 128]> : tensor<2xi32>
// CHECK:         %[[P:.*]] = linalg.generic {{.*}} ins(%[[S]], %[[Z]] : tensor<2xi32>, i32)
// CHECK:           arith.muli
// CHECK:         %[[B:.*]] = linalg.sub ins({{.*}}, %[[P]] :
// CHECK:         fusion.quantized_matmul_bias_act ins(%[[X]], %[[W]] : tensor<3x4xi8>, tensor<4x2xi8>) bias(%[[B]] : tensor<2xi32>) outs({{.*}} : tensor<3x2xi32>)
func.func @named(%x: tensor<3x4xi8>, %zx: i32) -> tensor<3x2xi32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi8>
  %zw = arith.constant 0 : i32
  %f = arith.constant dense<0> : tensor<3x2xi32>
  %r = linalg.quantized_matmul ins(%x, %w, %zx, %zw : tensor<3x4xi8>, tensor<4x2xi8>, i32, i32) outs(%f : tensor<3x2xi32>) -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// As torch-mlir writes ONNX's MatMulInteger: unsigned, the filter extended by an op of its own.
// CHECK-LABEL: func @torch(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<3x4xi8>, %[[Z:[a-z0-9]*]]: tensor<i8>
// CHECK-DAG:     %[[S:.*]] = arith.constant dense<[-44, 128]> : tensor<2xi32>
// CHECK:         linalg.generic {{.*}} ins(%[[S]], %[[Z]] : tensor<2xi32>, tensor<i8>)
// CHECK:           arith.extui
// CHECK:         fusion.quantized_matmul_bias_act {input_unsigned} ins(%[[X]], {{.*}} : tensor<3x4xi8>, tensor<4x2xi8>) bias(
func.func @torch(%x: tensor<3x4xi8>, %zx: tensor<i8>) -> tensor<3x2xi32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi8>
  %f = arith.constant dense<0> : tensor<3x2xi32>
  %ex = tensor.empty() : tensor<3x4xi32>
  %xi = linalg.generic {indexing_maps = [#n, #s, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %zx : tensor<3x4xi8>, tensor<i8>) outs(%ex : tensor<3x4xi32>) {
  ^bb0(%in: i8, %z: i8, %out: i32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.extui %z : i8 to i32
    %2 = arith.subi %0, %1 : i32
    linalg.yield %2 : i32
  } -> tensor<3x4xi32>
  %ew = tensor.empty() : tensor<4x2xi32>
  %wi = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%w : tensor<4x2xi8>) outs(%ew : tensor<4x2xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<4x2xi32>
  %r = linalg.matmul ins(%xi, %wi : tensor<3x4xi32>, tensor<4x2xi32>) outs(%f : tensor<3x2xi32>) -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// A tensor of one element, in i32, and a filter that is the same everywhere.
// CHECK-LABEL: func @one_element(
// CHECK-SAME:      %[[Z:[a-z0-9]*]]: tensor<1xi32>
// CHECK-DAG:     %[[S:.*]] = arith.constant dense<-12> : tensor<2xi32>
// CHECK:         linalg.generic {{.*}} ins(%[[S]], %[[Z]] : tensor<2xi32>, tensor<1xi32>)
// CHECK:         fusion.quantized_matmul_bias_act
func.func @one_element(%x: tensor<3x4xi8>, %zx: tensor<1xi32>) -> tensor<3x2xi32> {
  %wi = arith.constant dense<-3> : tensor<4x2xi8>
  %f = arith.constant dense<0> : tensor<3x2xi32>
  %ex = tensor.empty() : tensor<3x4xi32>
  %ew = tensor.empty() : tensor<4x2xi32>
  %xi = linalg.generic {indexing_maps = [#n, #s0, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %zx : tensor<3x4xi8>, tensor<1xi32>) outs(%ex : tensor<3x4xi32>) {
  ^bb0(%in: i8, %z: i32, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %z : i32
    linalg.yield %1 : i32
  } -> tensor<3x4xi32>
  %wx = linalg.generic {indexing_maps = [#n, #n], iterator_types = ["parallel", "parallel"]} ins(%wi : tensor<4x2xi8>) outs(%ew : tensor<4x2xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    linalg.yield %0 : i32
  } -> tensor<4x2xi32>
  %r = linalg.matmul ins(%xi, %wx : tensor<3x4xi32>, tensor<4x2xi32>) outs(%f : tensor<3x2xi32>) -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// The channel of the filter is its first dimension, and that of the result its last.
// CHECK-LABEL: func @conv(
// CHECK-DAG:     arith.constant dense<[21, -96]> : tensor<2xi32>
// CHECK:         fusion.quantized_conv_bias_act {{.*}}strides [2, 1] {{.*}} bias(
func.func @conv(%x: tensor<1x7x5x3xi8>, %zx: i32) -> tensor<1x4x4x2xi32> {
  %w = arith.constant dense<[[[[1, 2, 3], [4, 5, 6]]], [[[-7, 8, -9], [10, 11, -109]]]]> : tensor<2x1x2x3xi8>
  %zw = arith.constant 0 : i32
  %f = arith.constant dense<0> : tensor<1x4x4x2xi32>
  %r = linalg.conv_2d_nhwc_fhwc_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x7x5x3xi8>, tensor<2x1x2x3xi8>, i32, i32) outs(%f : tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
  return %r : tensor<1x4x4x2xi32>
}

// CHECK-LABEL: func @depthwise(
// CHECK-DAG:     arith.constant dense<[5, 7, -118]> : tensor<3xi32>
// CHECK:         fusion.quantized_conv_bias_act {{.*}}groups 3 {{.*}} bias(
func.func @depthwise(%x: tensor<1x6x5x3xi8>, %zx: i32) -> tensor<1x3x4x3xi32> {
  %w = arith.constant dense<[[[1, 2, -128], [4, 5, 10]]]> : tensor<1x2x3xi8>
  %zw = arith.constant 0 : i32
  %f = arith.constant dense<0> : tensor<1x3x4x3xi32>
  %r = linalg.depthwise_conv_2d_nhwc_hwc_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x6x5x3xi8>, tensor<1x2x3xi8>, i32, i32) outs(%f : tensor<1x3x4x3xi32>) -> tensor<1x3x4x3xi32>
  return %r : tensor<1x3x4x3xi32>
}

// The named op subtracts it from integers that another op extends, on tensors.
// CHECK-LABEL: func @wide(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<3x4xi8>, %[[Z:[a-z0-9]*]]: i32
// CHECK-DAG:     %[[S:.*]] = arith.constant dense<[-44, 128]> : tensor<2xi32>
// CHECK:         linalg.generic {{.*}} ins(%[[S]], %[[Z]] : tensor<2xi32>, i32)
// CHECK:         fusion.quantized_matmul_bias_act {input_unsigned} ins(%[[X]], {{.*}} : tensor<3x4xi8>, tensor<4x2xi8>) bias(
func.func @wide(%x: tensor<3x4xi8>, %zx: i32) -> tensor<3x2xi32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi8>
  %zw = arith.constant 0 : i32
  %f = arith.constant dense<0> : tensor<3x2xi32>
  %xi = arith.extui %x : tensor<3x4xi8> to tensor<3x4xi32>
  %wi = arith.extsi %w : tensor<4x2xi8> to tensor<4x2xi32>
  %r = linalg.quantized_matmul ins(%xi, %wi, %zx, %zw : tensor<3x4xi32>, tensor<4x2xi32>, i32, i32) outs(%f : tensor<3x2xi32>) -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}

// The other op subtracts a constant.
// CHECK-LABEL: func @wide_conv(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<1x7x5x3xi8>, %[[Z:[a-z0-9]*]]: i32
// CHECK-DAG:     %[[S:.*]] = arith.constant dense<[21, -96]> : tensor<2xi32>
// CHECK:         linalg.generic {{.*}} ins(%[[S]], %[[Z]] : tensor<2xi32>, i32)
// CHECK:         fusion.quantized_conv_bias_act {{.*}}strides [2, 1] {{.*}} {input_unsigned, input_zero_point = 128 : i32} ins(%[[X]], {{.*}}) bias(
func.func @wide_conv(%x: tensor<1x7x5x3xi8>, %zx: i32) -> tensor<1x4x4x2xi32> {
  %w = arith.constant dense<[[[[1, 2, 3], [4, 5, 6]]], [[[-7, 8, -9], [10, 11, -109]]]]> : tensor<2x1x2x3xi32>
  %zw = arith.constant 0 : i32
  %c128 = arith.constant 128 : i32
  %f = arith.constant dense<0> : tensor<1x4x4x2xi32>
  %ex = tensor.empty() : tensor<1x7x5x3xi32>
  %xi = linalg.generic {indexing_maps = [#image, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%x : tensor<1x7x5x3xi8>) outs(%ex : tensor<1x7x5x3xi32>) {
  ^bb0(%in: i8, %out: i32):
    %0 = arith.extui %in : i8 to i32
    %1 = arith.subi %0, %c128 : i32
    linalg.yield %1 : i32
  } -> tensor<1x7x5x3xi32>
  %r = linalg.conv_2d_nhwc_fhwc_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%xi, %w, %zx, %zw : tensor<1x7x5x3xi32>, tensor<2x1x2x3xi32>, i32, i32) outs(%f : tensor<1x4x4x2xi32>) -> tensor<1x4x4x2xi32>
  return %r : tensor<1x4x4x2xi32>
}

// The named op subtracts a constant from what another op subtracts it from.
// CHECK-LABEL: func @wide_constant(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<3x4xi8>, %[[Z:[a-z0-9]*]]: i32
// CHECK-DAG:     %[[S:.*]] = arith.constant dense<[-44, 128]> : tensor<2xi32>
// CHECK:         linalg.generic {{.*}} ins(%[[S]], %[[Z]] : tensor<2xi32>, i32)
// CHECK:         fusion.quantized_matmul_bias_act {input_zero_point = 13 : i32} ins(%[[X]], {{.*}}) bias(
func.func @wide_constant(%x: tensor<3x4xi8>, %zx: i32) -> tensor<3x2xi32> {
  %w = arith.constant dense<[[1, 127], [-128, 5], [90, -7], [-7, 3]]> : tensor<4x2xi32>
  %zw = arith.constant 0 : i32
  %c13 = arith.constant 13 : i32
  %f = arith.constant dense<0> : tensor<3x2xi32>
  %ex = tensor.empty() : tensor<3x4xi32>
  %xi = linalg.generic {indexing_maps = [#n, #s, #n], iterator_types = ["parallel", "parallel"]} ins(%x, %zx : tensor<3x4xi8>, i32) outs(%ex : tensor<3x4xi32>) {
  ^bb0(%in: i8, %z: i32, %out: i32):
    %0 = arith.extsi %in : i8 to i32
    %1 = arith.subi %0, %z : i32
    linalg.yield %1 : i32
  } -> tensor<3x4xi32>
  %r = linalg.quantized_matmul ins(%xi, %w, %c13, %zw : tensor<3x4xi32>, tensor<4x2xi32>, i32, i32) outs(%f : tensor<3x2xi32>) -> tensor<3x2xi32>
  return %r : tensor<3x2xi32>
}
