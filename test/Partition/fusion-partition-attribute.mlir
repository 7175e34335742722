// RUN: mlir-pdll -x=mlir -I %fusion_source_dir/include %S/Inputs/partition-attribute.pdll -o %t.pdl.mlir
// RUN: fusion-opt %s --fusion-partition="pattern-file=%t.pdl.mlir" | FileCheck %s

// TVM 64: a pattern that asks for an attribute, here strides of 2.

// CHECK-LABEL: func.func @strides_of_2(
// CHECK-NEXT:    %[[R:.*]] = call @fused_strided_tanh(%arg0, %arg1)
// CHECK-NEXT:    return %[[R]]
func.func @strides_of_2(%x: tensor<1x3x9xf32>, %w: tensor<5x3x3xf32>) -> tensor<1x5x4xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x4xf32>
  %e = tensor.empty() : tensor<1x5x4xf32>
  %c = linalg.conv_1d_ncw_fcw {strides = dense<2> : tensor<1xi64>} ins(%x, %w : tensor<1x3x9xf32>, tensor<5x3x3xf32>) outs(%z : tensor<1x5x4xf32>) -> tensor<1x5x4xf32>
  %r = linalg.tanh ins(%c : tensor<1x5x4xf32>) outs(%e : tensor<1x5x4xf32>) -> tensor<1x5x4xf32>
  return %r : tensor<1x5x4xf32>
}

// CHECK-LABEL: func.func @strides_of_3(
// CHECK-NOT:     call
// CHECK:         linalg.conv_1d_ncw_fcw
// CHECK:         linalg.tanh
// CHECK:         return
func.func @strides_of_3(%x: tensor<1x3x12xf32>, %w: tensor<5x3x3xf32>) -> tensor<1x5x4xf32> {
  %z = arith.constant dense<0.0> : tensor<1x5x4xf32>
  %e = tensor.empty() : tensor<1x5x4xf32>
  %c = linalg.conv_1d_ncw_fcw {strides = dense<3> : tensor<1xi64>} ins(%x, %w : tensor<1x3x12xf32>, tensor<5x3x3xf32>) outs(%z : tensor<1x5x4xf32>) -> tensor<1x5x4xf32>
  %r = linalg.tanh ins(%c : tensor<1x5x4xf32>) outs(%e : tensor<1x5x4xf32>) -> tensor<1x5x4xf32>
  return %r : tensor<1x5x4xf32>
}

// CHECK: func.func private @fused_strided_tanh({{.*}}fusion.composite = "acme.strided_tanh"
