// RUN: fusion-opt %s --split-input-file --resolve-ranked-shaped-type-result-dims --cse --canonicalize | FileCheck %s

// Upstream passes that use the interfaces of the op.

// The sizes of the result are those of the destination.
// CHECK-LABEL: func @result_sizes
// CHECK-SAME:    %[[E:[a-z0-9]*]]: tensor<?x6x?xf32>)
// CHECK:         %[[C2:.*]] = arith.constant 2 : index
// CHECK:         %[[D:.*]] = tensor.dim %[[E]], %[[C2]]
// CHECK:         return %{{.*}}, %[[D]]
func.func @result_sizes(%x: tensor<?x3x?xf32>, %w: tensor<6x3x1xf32>, %e: tensor<?x6x?xf32>) -> (tensor<?x6x?xf32>, index) {
  %c2 = arith.constant 2 : index
  %r = fusion.fused_conv_bias_act {
         strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
       ins(%x, %w : tensor<?x3x?xf32>, tensor<6x3x1xf32>) outs(%e : tensor<?x6x?xf32>) -> tensor<?x6x?xf32>
  %d = tensor.dim %r, %c2 : tensor<?x6x?xf32>
  return %r, %d : tensor<?x6x?xf32>, index
}

// -----

// On tensors the op is pure: equal ones are merged, unused ones erased.
// CHECK-LABEL: func @pure_on_tensors
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act
// CHECK-NOT:     fusion.fused_conv_bias_act
// CHECK:         return %[[R]], %[[R]]
func.func @pure_on_tensors(%x: tensor<1x3x8xf32>, %w: tensor<6x3x1xf32>, %e: tensor<1x6x8xf32>)
    -> (tensor<1x6x8xf32>, tensor<1x6x8xf32>) {
  %0 = fusion.fused_conv_bias_act {
         strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
       ins(%x, %w : tensor<1x3x8xf32>, tensor<6x3x1xf32>) outs(%e : tensor<1x6x8xf32>) -> tensor<1x6x8xf32>
  %1 = fusion.fused_conv_bias_act {
         strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
       ins(%x, %w : tensor<1x3x8xf32>, tensor<6x3x1xf32>) outs(%e : tensor<1x6x8xf32>) -> tensor<1x6x8xf32>
  %unused = fusion.fused_conv_bias_act {
         strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw",
         activation = #fusion.activation<relu>}
       ins(%x, %w : tensor<1x3x8xf32>, tensor<6x3x1xf32>) outs(%e : tensor<1x6x8xf32>) -> tensor<1x6x8xf32>
  return %0, %1 : tensor<1x6x8xf32>, tensor<1x6x8xf32>
}

// -----

// On memrefs it writes: it stays, and a load of the destination is not merged with
// one before it.
// CHECK-LABEL: func @effects_on_memrefs
// CHECK-SAME:    %[[X:.*]]: memref<1x3x8xf32>, %{{.*}}: memref<6x3x1xf32>, %[[Y:.*]]: memref<1x6x8xf32>
// CHECK:         %[[A:.*]] = memref.load %[[X]]
// CHECK:         %[[B:.*]] = memref.load %[[Y]]
// CHECK:         fusion.fused_conv_bias_act
// CHECK:         %[[C:.*]] = memref.load %[[Y]]
// CHECK:         return %[[A]], %[[B]], %[[C]]
func.func @effects_on_memrefs(%x: memref<1x3x8xf32>, %w: memref<6x3x1xf32>, %y: memref<1x6x8xf32>) -> (f32, f32, f32) {
  %c0 = arith.constant 0 : index
  %a = memref.load %x[%c0, %c0, %c0] : memref<1x3x8xf32>
  %b = memref.load %y[%c0, %c0, %c0] : memref<1x6x8xf32>
  fusion.fused_conv_bias_act {
    strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
    input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw"}
    ins(%x, %w : memref<1x3x8xf32>, memref<6x3x1xf32>) outs(%y : memref<1x6x8xf32>)
  %c = memref.load %y[%c0, %c0, %c0] : memref<1x6x8xf32>
  return %a, %b, %c : f32, f32, f32
}
