// Convolutions and products of i8 that add up in i32 become ops on integers, however they are
// spelled. ../../Integration/fuse-integer.test runs all of it.

// RUN: fusion-opt %s --fusion-fuse-quantized | FileCheck %s
// RUN: fusion-opt %s --linalg-generalize-named-ops --linalg-fuse-elementwise-ops --canonicalize --fusion-fuse-quantized | FileCheck %s --check-prefix=GENERIC
// GENERIC-COUNT-10: fusion.quantized_
// GENERIC-NOT:     iterator_types = [{{.*}}"reduction"

#n = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#n3 = affine_map<(d0, d1, d2, d3) -> (d3)>

// CHECK-LABEL: func @conv(
// CHECK-SAME:      %[[X:.*]]: tensor<1x9x8x3xi8>, %[[W:.*]]: tensor<4x3x2x3xi8>, %[[B:.*]]: tensor<4xi32>)
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] dilations [1, 2] layouts(nhwc, fhwc, nhwc) {input_zero_point = -5 : i32} ins(%[[X]], %[[W]] : {{.*}}) bias(%[[B]] : tensor<4xi32>)
// CHECK-NOT:     linalg.conv
func.func @conv(%x: tensor<1x9x8x3xi8>, %w: tensor<4x3x2x3xi8>, %b: tensor<4xi32>) -> tensor<1x4x6x4xi32> {
  %zx = arith.constant -5 : i32
  %zw = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x4x6x4xi32>
  %f = linalg.generic {indexing_maps = [#n3, #n], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%b : tensor<4xi32>) outs(%e : tensor<1x4x6x4xi32>) {
  ^bb0(%in: i32, %out: i32):
    linalg.yield %in : i32
  } -> tensor<1x4x6x4xi32>
  %r = linalg.conv_2d_nhwc_fhwc_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<[1, 2]> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x9x8x3xi8>, tensor<4x3x2x3xi8>, i32, i32) outs(%f : tensor<1x4x6x4xi32>) -> tensor<1x4x6x4xi32>
  return %r : tensor<1x4x6x4xi32>
}

// CHECK-LABEL: func @nchw(
// CHECK-SAME:      %{{.*}}: tensor<1x3x9x8xi8>, %{{.*}}: tensor<4x3x3x2xi8>, %[[B:.*]]: tensor<4xi32>)
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] ins({{.*}}) bias(%[[B]] : tensor<4xi32>)
func.func @nchw(%x: tensor<1x3x9x8xi8>, %w: tensor<4x3x3x2xi8>, %b: tensor<4xi32>) -> tensor<1x4x4x7xi32> {
  %e = tensor.empty() : tensor<1x4x4x7xi32>
  %f = linalg.broadcast ins(%b : tensor<4xi32>) outs(%e : tensor<1x4x4x7xi32>) dimensions = [0, 2, 3]
  %r = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w : tensor<1x3x9x8xi8>, tensor<4x3x3x2xi8>) outs(%f : tensor<1x4x4x7xi32>) -> tensor<1x4x4x7xi32>
  return %r : tensor<1x4x4x7xi32>
}

// CHECK-LABEL: func @depthwise(
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] groups 3 layouts(nhwc, hwcf, nhwc) {input_zero_point = 127 : i32}
// CHECK-NOT:     bias(
func.func @depthwise(%x: tensor<1x9x8x3xi8>, %w: tensor<3x2x3x2xi8>) -> tensor<1x4x7x3x2xi32> {
  %zx = arith.constant 127 : i32
  %zw = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x4x7x3x2xi32>
  %f = linalg.fill ins(%zw : i32) outs(%e : tensor<1x4x7x3x2xi32>) -> tensor<1x4x7x3x2xi32>
  %r = linalg.depthwise_conv_2d_nhwc_hwcm_q {strides = dense<[2, 1]> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x9x8x3xi8>, tensor<3x2x3x2xi8>, i32, i32) outs(%f : tensor<1x4x7x3x2xi32>) -> tensor<1x4x7x3x2xi32>
  return %r : tensor<1x4x7x3x2xi32>
}

// CHECK-LABEL: func @grouped(
// CHECK:         fusion.quantized_conv_bias_act groups 2 {input_zero_point = 11 : i32}
// The same number for all channels is a bias, too.
// CHECK-SAME:    bias(
func.func @grouped(%x: tensor<1x2x3x9x8xi8>, %w: tensor<2x4x3x3x2xi8>) -> tensor<1x2x4x7x7xi32> {
  %zx = arith.constant 11 : i32
  %zw = arith.constant 0 : i32
  %b = arith.constant 70000 : i32
  %e = tensor.empty() : tensor<1x2x4x7x7xi32>
  %f = linalg.fill ins(%b : i32) outs(%e : tensor<1x2x4x7x7xi32>) -> tensor<1x2x4x7x7xi32>
  %r = linalg.conv_2d_ngchw_gfchw_q {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x2x3x9x8xi8>, tensor<2x4x3x3x2xi8>, i32, i32) outs(%f : tensor<1x2x4x7x7xi32>) -> tensor<1x2x4x7x7xi32>
  return %r : tensor<1x2x4x7x7xi32>
}

// CHECK-LABEL: func @conv1d(
// CHECK:         fusion.quantized_conv_bias_act strides [2] layouts(nwc, wcf, nwc) ins(
func.func @conv1d(%x: tensor<2x9x3xi8>, %w: tensor<3x3x4xi8>) -> tensor<2x4x4xi32> {
  %zero = arith.constant dense<0> : tensor<2x4x4xi32>
  %r = linalg.conv_1d_nwc_wcf {strides = dense<2> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}
         ins(%x, %w : tensor<2x9x3xi8>, tensor<3x3x4xi8>) outs(%zero : tensor<2x4x4xi32>) -> tensor<2x4x4xi32>
  return %r : tensor<2x4x4xi32>
}

// CHECK-LABEL: func @conv3d(
// CHECK:         fusion.quantized_conv_bias_act layouts(ndhwc, dhwcf, ndhwc) {input_zero_point = 3 : i32}
func.func @conv3d(%x: tensor<1x4x6x5x3xi8>, %w: tensor<2x3x2x3x4xi8>) -> tensor<1x3x4x4x4xi32> {
  %zx = arith.constant 3 : i32
  %zw = arith.constant 0 : i32
  %e = tensor.empty() : tensor<1x3x4x4x4xi32>
  %f = linalg.fill ins(%zw : i32) outs(%e : tensor<1x3x4x4x4xi32>) -> tensor<1x3x4x4x4xi32>
  %r = linalg.conv_3d_ndhwc_dhwcf_q {strides = dense<1> : tensor<3xi64>, dilations = dense<1> : tensor<3xi64>}
         ins(%x, %w, %zx, %zw : tensor<1x4x6x5x3xi8>, tensor<2x3x2x3x4xi8>, i32, i32) outs(%f : tensor<1x3x4x4x4xi32>) -> tensor<1x3x4x4x4xi32>
  return %r : tensor<1x3x4x4x4xi32>
}

// CHECK-LABEL: func @matmul(
// CHECK:         fusion.quantized_matmul_bias_act {input_zero_point = -7 : i32} ins(
func.func @matmul(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %zx = arith.constant -7 : i32
  %zw = arith.constant 0 : i32
  %e = tensor.empty() : tensor<5x6xi32>
  %f = linalg.fill ins(%zw : i32) outs(%e : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.quantized_matmul ins(%x, %w, %zx, %zw : tensor<5x7xi8>, tensor<7x6xi8>, i32, i32) outs(%f : tensor<5x6xi32>) -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// CHECK-LABEL: func @batch_matmul(
// CHECK:         fusion.quantized_matmul_bias_act {{.*}}ins(%{{.*}}, %{{.*}} : tensor<2x5x7xi8>, tensor<2x7x6xi8>)
func.func @batch_matmul(%x: tensor<2x5x7xi8>, %w: tensor<2x7x6xi8>) -> tensor<2x5x6xi32> {
  %zx = arith.constant 9 : i32
  %zw = arith.constant 0 : i32
  %e = tensor.empty() : tensor<2x5x6xi32>
  %f = linalg.fill ins(%zw : i32) outs(%e : tensor<2x5x6xi32>) -> tensor<2x5x6xi32>
  %r = linalg.quantized_batch_matmul ins(%x, %w, %zx, %zw : tensor<2x5x7xi8>, tensor<2x7x6xi8>, i32, i32) outs(%f : tensor<2x5x6xi32>) -> tensor<2x5x6xi32>
  return %r : tensor<2x5x6xi32>
}

// An unsigned input, and factors in the other order.
// CHECK-LABEL: func @generic(
// CHECK:         fusion.quantized_matmul_bias_act {input_unsigned, input_zero_point = 128 : i32} ins(
func.func @generic(%x: tensor<5x7xi8>, %w: tensor<7x6xi8>) -> tensor<5x6xi32> {
  %zx = arith.constant 128 : i32
  %zero = arith.constant 0 : i32
  %e = tensor.empty() : tensor<5x6xi32>
  %f = linalg.fill ins(%zero : i32) outs(%e : tensor<5x6xi32>) -> tensor<5x6xi32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %w : tensor<5x7xi8>, tensor<7x6xi8>) outs(%f : tensor<5x6xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %2, %1 : i32
    %4 = arith.addi %3, %acc : i32
    linalg.yield %4 : i32
  } -> tensor<5x6xi32>
  return %r : tensor<5x6xi32>
}

// The padding is the zero point.
// CHECK-LABEL: func @padded(
// CHECK-SAME:      %[[X:.*]]: tensor<1x9x8x3xi8>,
// CHECK-NOT:     tensor.pad
// CHECK:         fusion.quantized_conv_bias_act pad_low [1, 0] pad_high [2, 1] {{.*}}input_zero_point = -3 : i32} ins(%[[X]],
func.func @padded(%x: tensor<1x9x8x3xi8>, %w: tensor<4x3x2x3xi8>) -> tensor<1x10x8x4xi32> {
  %zx8 = arith.constant -3 : i8
  %zx = arith.constant -3 : i32
  %zw = arith.constant 0 : i32
  %f = arith.constant dense<0> : tensor<1x10x8x4xi32>
  %p = tensor.pad %x low[0, 1, 0, 0] high[0, 2, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zx8 : i8
  } : tensor<1x9x8x3xi8> to tensor<1x12x9x3xi8>
  %r = linalg.conv_2d_nhwc_fhwc_q {strides = dense<1> : tensor<2xi64>, dilations = dense<1> : tensor<2xi64>}
         ins(%p, %w, %zx, %zw : tensor<1x12x9x3xi8>, tensor<4x3x2x3xi8>, i32, i32) outs(%f : tensor<1x10x8x4xi32>) -> tensor<1x10x8x4xi32>
  return %r : tensor<1x10x8x4xi32>
}

// An unsigned zero point has another sign as a constant of i8.
// CHECK-LABEL: func @padded_unsigned(
// CHECK-SAME:      %[[X:.*]]: tensor<1x9x8x3xi8>,
// CHECK-NOT:     tensor.pad
// CHECK:         fusion.quantized_conv_bias_act strides [2, 1] pad_low [1, 0] pad_high [2, 1] {{.*}}input_unsigned, input_zero_point = 200 : i32} ins(%[[X]],
func.func @padded_unsigned(%x: tensor<1x9x8x3xi8>, %w: tensor<4x3x2x3xi8>) -> tensor<1x5x8x4xi32> {
  %zx8 = arith.constant 200 : i8
  %zx = arith.constant 200 : i32
  %f = arith.constant dense<0> : tensor<1x5x8x4xi32>
  %p = tensor.pad %x low[0, 1, 0, 0] high[0, 2, 1, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zx8 : i8
  } : tensor<1x9x8x3xi8> to tensor<1x12x9x3xi8>
  %r = linalg.generic {indexing_maps = [affine_map<(n, h, w, f, kh, kw, c) -> (n, h * 2 + kh, w + kw, c)>, affine_map<(n, h, w, f, kh, kw, c) -> (f, kh, kw, c)>, affine_map<(n, h, w, f, kh, kw, c) -> (n, h, w, f)>], iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]}
      ins(%p, %w : tensor<1x12x9x3xi8>, tensor<4x3x2x3xi8>) outs(%f : tensor<1x5x8x4xi32>) {
  ^bb0(%a: i8, %b: i8, %acc: i32):
    %0 = arith.extui %a : i8 to i32
    %1 = arith.subi %0, %zx : i32
    %2 = arith.extsi %b : i8 to i32
    %3 = arith.muli %1, %2 : i32
    %4 = arith.addi %acc, %3 : i32
    linalg.yield %4 : i32
  } -> tensor<1x5x8x4xi32>
  return %r : tensor<1x5x8x4xi32>
}
