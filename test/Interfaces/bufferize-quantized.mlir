// RUN: fusion-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s

// Ops on integers of 8 bits bufferize in place, as those on floats do.

// CHECK-LABEL: func @one_allocation(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<1x3x9xi8>, %[[W:[a-z0-9]*]]: memref<5x3x2xi8>, %[[B:[a-z0-9]*]]: memref<5xi32>, %[[S:[a-z0-9]*]]: memref<1xf32>)
// CHECK-NOT:     memref.copy
// CHECK:         %[[A:.*]] = memref.alloc() {{.*}}: memref<1x5x8xi8>
// CHECK-NEXT:    fusion.quantized_conv_bias_act relu {input_zero_point = 3 : i32, output_unsigned} ins(%[[X]], %[[W]] : memref<1x3x9xi8>, memref<5x3x2xi8>) bias(%[[B]] : memref<5xi32>) scale(%[[S]] : memref<1xf32>) outs(%[[A]] : memref<1x5x8xi8>)
// CHECK-NEXT:    return %[[A]]
func.func @one_allocation(%x: tensor<1x3x9xi8>, %w: tensor<5x3x2xi8>, %b: tensor<5xi32>, %s: tensor<1xf32>) -> tensor<1x5x8xi8> {
  %e = tensor.empty() : tensor<1x5x8xi8>
  %r = fusion.quantized_conv_bias_act relu {input_zero_point = 3 : i32, output_unsigned}
         ins(%x, %w : tensor<1x3x9xi8>, tensor<5x3x2xi8>) bias(%b : tensor<5xi32>) scale(%s : tensor<1xf32>)
         outs(%e : tensor<1x5x8xi8>) -> tensor<1x5x8xi8>
  return %r : tensor<1x5x8xi8>
}

// The residual may be the destination.
// CHECK-LABEL: func @residual_is_destination(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: memref<4x5xi8>)
// CHECK-NOT:     memref.alloc
// CHECK:         fusion.quantized_matmul_bias_act{{.*}} residual(%[[S]] : memref<4x5xi8>) outs(%[[S]] : memref<4x5xi8>)
func.func @residual_is_destination(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %s: tensor<4x5xi8> {bufferization.writable = true}) -> tensor<4x5xi8> {
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) residual(%s : tensor<4x5xi8>)
         outs(%s : tensor<4x5xi8>) -> tensor<4x5xi8>
  return %r : tensor<4x5xi8>
}

// The input may not: it needs a copy.
// CHECK-LABEL: func @input_is_destination(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<5x5xi8>
// CHECK:         %[[A:.*]] = memref.alloc() {{.*}}: memref<5x5xi8>
// CHECK:         fusion.quantized_matmul_bias_act{{.*}} ins(%[[X]], %{{.*}}) outs(%[[A]] : memref<5x5xi8>)
func.func @input_is_destination(%x: tensor<5x5xi8> {bufferization.writable = true}, %w: tensor<5x5xi8>) -> tensor<5x5xi8> {
  %r = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<5x5xi8>, tensor<5x5xi8>)
         outs(%x : tensor<5x5xi8>) -> tensor<5x5xi8>
  return %r : tensor<5x5xi8>
}
