// RUN: fusion-opt %s --fusion-lower-quant-casts | FileCheck %s --implicit-check-not=quant.dcast --implicit-check-not=quant.qcast
// RUN: fusion-opt %s --fusion-optimize --fusion-explain -o %t.mlir 2>&1 | FileCheck %s --check-prefix=WHY
// RUN: FileCheck %s --check-prefix=FUSED --input-file=%t.mlir
// RUN: fusion-opt %s --fusion-lower-quant-casts --strip-func-quant-types --lower-quant-ops --canonicalize | FileCheck %s --check-prefix=STRIPPED --implicit-check-not='!quant'

// Integration/lower-quant-casts.test executes these functions.

!act = !quant.uniform<i8:f32, 0.0625:-12>
!sum = !quant.uniform<i8<-127:127>:f32, 0.25:7>
!wgt = !quant.uniform<i8<-127:127>:f32:3, {0.011, 0.023, 0.031, 0.043}>

// WHY: fusion-lower-quant-casts.mlir:[[# @LINE + 20]]:8: fused: dequantize, pad, zero point, scale, bias, clip, quantize{{$}}
// FUSED-LABEL: func @layer(
// FUSED-NOT:     linalg
// FUSED:         fusion.quantized_conv_bias_act clip({{.*}}) strides [2, 1] pad_low [1, 0] pad_high [0, 2]
// FUSED-SAME:      input_zero_point = -12 : i32, output_zero_point = 7 : i32
// FUSED-NEXT:    return
func.func @layer(%x: tensor<1x9x11x3xi8>) -> tensor<1x4x12x4xi8> {
  %w = arith.constant dense<[[[[33, -62, 62, -36], [114, 88, 62, 39], [-120, 88, -8, 71]], [[39, -114, 103, -87], [-7, 95, -64, -30], [19, -64, -124, 60]]], [[[-56, -81, 107, 95], [-87, 68, 77, -109], [31, -14, -95, -94]], [[96, -126, -74, 71], [124, -85, 96, -85], [119, -77, 11, 97]]], [[[-75, -81, 113, 120], [120, 120, 101, -29], [-35, -21, -85, 112]], [[-111, -43, -50, 82], [-127, 25, 46, 54], [-48, -37, 82, -49]]]]> : tensor<3x2x3x4xi8>
  %b = arith.constant dense<[0.71, -1.3, 0.32, 2.1]> : tensor<4xf32>
  %zero = arith.constant 0.0 : f32
  %xq = quant.scast %x : tensor<1x9x11x3xi8> to tensor<1x9x11x3x!act>
  %xd = quant.dcast %xq : tensor<1x9x11x3x!act> to tensor<1x9x11x3xf32>
  %p = tensor.pad %xd low[0, 1, 0, 0] high[0, 0, 2, 0] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x9x11x3xf32> to tensor<1x10x13x3xf32>
  %wq = quant.scast %w : tensor<3x2x3x4xi8> to tensor<3x2x3x4x!wgt>
  %wd = quant.dcast %wq : tensor<3x2x3x4x!wgt> to tensor<3x2x3x4xf32>
  %e = tensor.empty() : tensor<1x4x12x4xf32>
  %i = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<1x4x12x4xf32>) dimensions = [0, 1, 2]
  %c = linalg.conv_2d_nhwc_hwcf {strides = dense<[2, 1]> : tensor<2xi64>}
    ins(%p, %wd : tensor<1x10x13x3xf32>, tensor<3x2x3x4xf32>) outs(%i : tensor<1x4x12x4xf32>) -> tensor<1x4x12x4xf32>
  %q = quant.qcast %c : tensor<1x4x12x4xf32> to tensor<1x4x12x4x!sum>
  %r = quant.scast %q : tensor<1x4x12x4x!sum> to tensor<1x4x12x4xi8>
  return %r : tensor<1x4x12x4xi8>
}

// CHECK-LABEL: func @quantize(
// CHECK-DAG:     %[[S:.*]] = arith.constant 2.500000e-01 : f32
// CHECK-DAG:     %[[Z:.*]] = arith.constant 7.000000e+00 : f32
// CHECK-DAG:     %[[LOW:.*]] = arith.constant -1.270000e+02 : f32
// CHECK-DAG:     %[[HIGH:.*]] = arith.constant 1.270000e+02 : f32
// CHECK:         %[[R:.*]] = linalg.generic {{.*}} ins(%arg0 : tensor<5x7xf32>) outs(%{{.*}} : tensor<5x7xi8>)
// CHECK-NEXT:    ^bb0(%[[X:.*]]: f32, %{{.*}}: i8):
// CHECK-NEXT:      %[[Q:.*]] = arith.divf %[[X]], %[[S]] : f32
// CHECK-NEXT:      %[[N:.*]] = math.roundeven %[[Q]] : f32
// CHECK-NEXT:      %[[A:.*]] = arith.addf %[[N]], %[[Z]] : f32
// CHECK-NEXT:      %[[L:.*]] = arith.maximumf %[[A]], %[[LOW]] : f32
// CHECK-NEXT:      %[[H:.*]] = arith.minimumf %[[L]], %[[HIGH]] : f32
// CHECK-NEXT:      %[[I:.*]] = arith.fptosi %[[H]] : f32 to i8
// CHECK-NEXT:      linalg.yield %[[I]] : i8
// CHECK:         return %[[R]]
func.func @quantize(%x: tensor<5x7xf32>) -> tensor<5x7xi8> {
  %q = quant.qcast %x : tensor<5x7xf32> to tensor<5x7x!sum>
  %r = quant.scast %q : tensor<5x7x!sum> to tensor<5x7xi8>
  return %r : tensor<5x7xi8>
}

// A sign, and a scale and a zero point for each channel.
// CHECK-LABEL: func @quantize_channels(
// CHECK-DAG:     %[[S:.*]] = arith.constant dense<[5.000000e-01, 2.500000e-01, 1.250000e-01]> : tensor<3xf32>
// CHECK-DAG:     %[[Z:.*]] = arith.constant dense<[0.000000e+00, 3.000000e+00, 2.550000e+02]> : tensor<3xf32>
// CHECK:         linalg.generic {indexing_maps = [#[[ID:.*]], #[[ROW:.*]], #[[ROW]], #[[ID]]]{{.*}} ins(%arg0, %[[S]], %[[Z]] :
// CHECK:           arith.fptoui %{{.*}} : f32 to i8
func.func @quantize_channels(%x: tensor<3x?xf32>) -> tensor<3x?xi8> {
  %q = quant.qcast %x : tensor<3x?xf32> to tensor<3x?x!quant.uniform<u8:f32:0, {0.5:0, 0.25:3, 0.125:255}>>
  %r = quant.scast %q : tensor<3x?x!quant.uniform<u8:f32:0, {0.5:0, 0.25:3, 0.125:255}>> to tensor<3x?xi8>
  return %r : tensor<3x?xi8>
}

// CHECK-LABEL: func @dequantize_channels(
// CHECK-DAG:     %[[Z:.*]] = arith.constant dense<[0, 3, 255]> : tensor<3xi32>
// CHECK:         linalg.generic {{.*}} ins(%arg0, %{{.*}}, %[[Z]] : tensor<3x?xi8>, tensor<3xf32>, tensor<3xi32>)
// CHECK-NEXT:    ^bb0(%[[X:.*]]: i8, %[[SC:.*]]: f32, %[[ZP:.*]]: i32, %{{.*}}: f32):
// CHECK-NEXT:      %[[E:.*]] = arith.extui %[[X]] : i8 to i32
// CHECK-NEXT:      %[[D:.*]] = arith.subi %[[E]], %[[ZP]] : i32
// CHECK-NEXT:      %[[F:.*]] = arith.sitofp %[[D]] : i32 to f32
// CHECK-NEXT:      %[[M:.*]] = arith.mulf %[[F]], %[[SC]] : f32
// CHECK-NEXT:      linalg.yield %[[M]] : f32
func.func @dequantize_channels(%x: tensor<3x?xi8>) -> tensor<3x?xf32> {
  %q = quant.scast %x : tensor<3x?xi8> to tensor<3x?x!quant.uniform<u8:f32:0, {0.5:0, 0.25:3, 0.125:255}>>
  %r = quant.dcast %q : tensor<3x?x!quant.uniform<u8:f32:0, {0.5:0, 0.25:3, 0.125:255}>> to tensor<3x?xf32>
  return %r : tensor<3x?xf32>
}

// A difference of integers of 32 bits may leave them: it is one of floats.
// CHECK-LABEL: func @dequantize_wide(
// CHECK:           %[[F:.*]] = arith.sitofp %{{.*}} : i32 to f32
// CHECK-NEXT:      %[[D:.*]] = arith.subf %[[F]], %{{.*}} : f32
// CHECK-NEXT:      arith.mulf %[[D]], %{{.*}} : f32
func.func @dequantize_wide(%x: tensor<7xi32>) -> tensor<7xf32> {
  %q = quant.scast %x : tensor<7xi32> to tensor<7x!quant.uniform<i32:f32, 0.003:-5>>
  %r = quant.dcast %q : tensor<7x!quant.uniform<i32:f32, 0.003:-5>> to tensor<7xf32>
  return %r : tensor<7xf32>
}

// The largest integer is no f32: the next smaller one is the bound.
// CHECK-LABEL: func @quantize_wide(
// CHECK-DAG:     arith.constant -2.14748365E+9 : f32
// CHECK-DAG:     arith.constant 2.14748352E+9 : f32
// CHECK:           arith.fptosi %{{.*}} : f32 to i32
func.func @quantize_wide(%x: tensor<7xf32>) -> tensor<7xi32> {
  %q = quant.qcast %x : tensor<7xf32> to tensor<7x!quant.uniform<i32:f32, 0.003>>
  %r = quant.scast %q : tensor<7x!quant.uniform<i32:f32, 0.003>> to tensor<7xi32>
  return %r : tensor<7xi32>
}

// Four bits of a number in f16, which is quantised and dequantised again: upstream takes that for nothing.
// CHECK-LABEL: func @both(
// CHECK:           arith.fptosi %{{.*}} : f16 to i4
// CHECK:           arith.extsi %{{.*}} : i4 to i32
// FUSED-LABEL: func @both(
// FUSED:           math.roundeven
// STRIPPED-LABEL: func.func @both(
// STRIPPED:         math.roundeven
func.func @both(%x: tensor<9xf16>) -> tensor<9xf16> {
  %q = quant.qcast %x : tensor<9xf16> to tensor<9x!quant.uniform<i4:f16, 0.5:1>>
  %r = quant.dcast %q : tensor<9x!quant.uniform<i4:f16, 0.5:1>> to tensor<9xf16>
  return %r : tensor<9xf16>
}

// Arguments and results keep their types. Upstream's pass makes integers of them.
// CHECK-LABEL: func @boundary(
// CHECK-SAME:    %[[X:.*]]: tensor<5x7x!quant.uniform<i8:f32, 6.250000e-02:-12>>
// CHECK:         %[[I:.*]] = quant.scast %[[X]]
// CHECK:         linalg.generic {{.*}} ins(%[[I]] : tensor<5x7xi8>)
// CHECK:         %[[Q:.*]] = linalg.generic
// CHECK:         %[[R:.*]] = quant.scast %[[Q]]
// CHECK-NEXT:    return %[[R]]
// STRIPPED-LABEL: func.func @boundary(%arg0: tensor<5x7xi8>) -> tensor<5x7xi8>
func.func @boundary(%x: tensor<5x7x!act>) -> tensor<5x7x!sum> {
  %d = quant.dcast %x : tensor<5x7x!act> to tensor<5x7xf32>
  %t = math.tanh %d : tensor<5x7xf32>
  %q = quant.qcast %t : tensor<5x7xf32> to tensor<5x7x!sum>
  return %q : tensor<5x7x!sum>
}
