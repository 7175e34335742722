// RUN: fusion-opt %s --convert-fusion-to-linalg | FileCheck %s

// CHECK: #[[$FIRST:.*]] = affine_map<(d0, d1) -> (0)>

// Padding is the zero point, which is no number of i8 here. The sum is in i32, the rest in
// f32; the rounding is half to even, and a NaN becomes the least integer.

// CHECK-LABEL: func @conv(
// CHECK-SAME:    %[[X:.*]]: tensor<1x2x5x6xi8>, %[[W:.*]]: tensor<3x2x3x2xi8>, %[[B:.*]]: tensor<3xi32>, %[[S:.*]]: tensor<3xf32>, %[[R:.*]]: tensor<1x3x4x6xi8>)
// CHECK:         %[[PADDING:.*]] = arith.constant -56 : i8
// CHECK:         %[[PADDED:.*]] = tensor.pad %[[X]] low[0, 0, 1, 0] high[0, 0, 0, 1]
// CHECK:           tensor.yield %[[PADDING]]
// CHECK:         %[[SUM:.*]] = linalg.generic
// CHECK-SAME:      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction", "reduction", "reduction"]
// CHECK-SAME:      ins(%[[PADDED]], %[[W]]
// CHECK:         ^bb0(%[[XE:.*]]: i8, %[[WE:.*]]: i8, %[[ACC:.*]]: i32):
// CHECK:           %[[XI:.*]] = arith.extui %[[XE]] : i8 to i32
// CHECK:           %[[ZERO:.*]] = arith.constant 200 : i32
// CHECK:           %[[XZ:.*]] = arith.subi %[[XI]], %[[ZERO]]
// CHECK:           %[[WI:.*]] = arith.extsi %[[WE]] : i8 to i32
// CHECK:           %[[P:.*]] = arith.muli %[[XZ]], %[[WI]]
// CHECK:           arith.addi %[[ACC]], %[[P]]
// CHECK:         linalg.generic
// CHECK-SAME:      ins(%[[SUM]], %[[B]], %[[S]], %[[R]]
// CHECK:         ^bb0(%[[A:.*]]: i32, %[[BE:.*]]: i32, %[[SE:.*]]: f32, %[[RE:.*]]: i8, %{{.*}}: i8):
// CHECK:           %[[BIASED:.*]] = arith.addi %[[A]], %[[BE]]
// CHECK:           %[[F:.*]] = arith.sitofp %[[BIASED]] : i32 to f32
// CHECK:           %[[SCALED:.*]] = arith.mulf %[[F]], %[[SE]]
// CHECK:           arith.extsi %[[RE]]
// CHECK:           %[[ADDED:.*]] = arith.addf %[[SCALED]]
// CHECK:           arith.maximumf %[[ADDED]]
// CHECK:           math.roundeven
// CHECK:           arith.maxnumf
// CHECK:           arith.minnumf
// CHECK:           arith.fptoui {{.*}} : f32 to i8
func.func @conv(%x: tensor<1x2x5x6xi8>, %w: tensor<3x2x3x2xi8>, %b: tensor<3xi32>, %s: tensor<3xf32>, %r: tensor<1x3x4x6xi8>) -> tensor<1x3x4x6xi8> {
  %e = tensor.empty() : tensor<1x3x4x6xi8>
  %0 = fusion.quantized_conv_bias_act relu pad_low [1, 0] pad_high [0, 1]
       {input_unsigned, input_zero_point = 200 : i32, output_unsigned, output_zero_point = 7 : i32, residual_scale = 0.5 : f32}
       ins(%x, %w : tensor<1x2x5x6xi8>, tensor<3x2x3x2xi8>) bias(%b : tensor<3xi32>) scale(%s : tensor<3xf32>)
       residual(%r : tensor<1x3x4x6xi8>) outs(%e : tensor<1x3x4x6xi8>) -> tensor<1x3x4x6xi8>
  return %0 : tensor<1x3x4x6xi8>
}

// One scale serves all channels; a sum is the result itself.
// CHECK-LABEL: func @matmul(
// CHECK:         linalg.generic {indexing_maps = [{{.*}}], iterator_types = ["parallel", "parallel", "reduction"]}
// CHECK:         linalg.generic {indexing_maps = [#{{.*}}, #[[$FIRST]], #{{.*}}], iterator_types = ["parallel", "parallel"]}
// CHECK:           arith.sitofp
// CHECK-NEXT:      arith.mulf
// CHECK-NEXT:      linalg.yield
func.func @matmul(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %s: tensor<1xf32>) -> tensor<4x5xf32> {
  %e = tensor.empty() : tensor<4x5xf32>
  %0 = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) scale(%s : tensor<1xf32>)
       outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %0 : tensor<4x5xf32>
}
// CHECK-LABEL: func @sum(
// CHECK-NOT:     f32
func.func @sum(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>) -> tensor<4x5xi32> {
  %e = tensor.empty() : tensor<4x5xi32>
  %0 = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) outs(%e : tensor<4x5xi32>) -> tensor<4x5xi32>
  return %0 : tensor<4x5xi32>
}
