// RUN: fusion-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" | FileCheck %s

// Fusion ops bufferize in place: memory for the result is made once, and nothing is
// copied.

// CHECK-LABEL: func @one_allocation(
// CHECK-SAME:    %[[X:.*]]: memref<1x3x9x11xf32>, %[[W:.*]]: memref<5x3x3x2xf32>, %[[B:.*]]: memref<5xf32>) -> memref<1x5x7x10xf32>
// CHECK-NOT:     memref.copy
// CHECK:         %[[A:.*]] = memref.alloc() {{.*}}: memref<1x5x7x10xf32>
// CHECK-NEXT:    fusion.fused_conv_bias_act relu ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : memref<5xf32>) outs(%[[A]] : memref<1x5x7x10xf32>)
// CHECK-NEXT:    return %[[A]]
func.func @one_allocation(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<1x5x7x10xf32> {
  %e = tensor.empty() : tensor<1x5x7x10xf32>
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw", activation = #fusion.activation<relu>}
         ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) bias(%b : tensor<5xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

// The caller gives the destination: no memory at all.
// CHECK-LABEL: func @destination_argument(
// CHECK-SAME:    %[[E:[a-z0-9]*]]: memref<1x5x7x10xf32>
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
// CHECK:         fusion.fused_conv_bias_act{{.*}} outs(%[[E]] : memref<1x5x7x10xf32>)
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @destination_argument(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %e: tensor<1x5x7x10xf32> {bufferization.writable = true}) -> tensor<1x5x7x10xf32> {
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
         ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

// The destination is not read: its contents need no copy although they are read later.
// CHECK-LABEL: func @destination_not_read(
// CHECK-COUNT-1: memref.alloc
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
// CHECK:         return
func.func @destination_not_read(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %e: tensor<1x5x7x10xf32> {bufferization.writable = false}) -> tensor<1x5x7x10xf32> {
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
         ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

// The residual may be the destination itself.
// CHECK-LABEL: func @residual_in_place(
// CHECK-SAME:    %[[S:[a-z0-9]*]]: memref<1x5x7x10xf32>
// CHECK-NOT:     memref.alloc
// CHECK-NOT:     memref.copy
// CHECK:         fusion.fused_conv_bias_act{{.*}} residual(%[[S]] : memref<1x5x7x10xf32>) outs(%[[S]] : memref<1x5x7x10xf32>)
// CHECK-NEXT:    return
func.func @residual_in_place(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<1x5x7x10xf32> {bufferization.writable = true}) -> tensor<1x5x7x10xf32> {
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
         ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) residual(%s : tensor<1x5x7x10xf32>) outs(%s : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

// The input may not: the destination gets memory of its own.
// CHECK-LABEL: func @input_is_destination(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<1x5x7x10xf32>
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%[[X]], {{.*}} outs(%[[A]] :
// CHECK:         return
func.func @input_is_destination(%x: tensor<1x5x7x10xf32> {bufferization.writable = true}, %w: tensor<5x5x1x1xf32>) -> tensor<1x5x7x10xf32> {
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
         ins(%x, %w : tensor<1x5x7x10xf32>, tensor<5x5x1x1xf32>) outs(%x : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

// conv(x) + x: the residual could be overwritten, but it is the input too.
// CHECK-LABEL: func @residual_is_input(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<1x5x7x10xf32>
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%[[X]], {{.*}} residual(%[[X]] : {{[^)]*}}) outs(%[[A]] :
// CHECK:         return
func.func @residual_is_input(%x: tensor<1x5x7x10xf32> {bufferization.writable = true}, %w: tensor<5x5x1x1xf32>) -> tensor<1x5x7x10xf32> {
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
         ins(%x, %w : tensor<1x5x7x10xf32>, tensor<5x5x1x1xf32>) residual(%x : tensor<1x5x7x10xf32>) outs(%x : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  return %r : tensor<1x5x7x10xf32>
}

// The residual overlaps the destination in part: read before it is written.
// CHECK-LABEL: func @residual_is_a_part(
// CHECK:         %[[A:.*]] = memref.alloc
// CHECK:         fusion.fused_conv_bias_act{{.*}} {{(residual|outs)}}(%[[A]] :
// CHECK:         return
func.func @residual_is_a_part(%x: tensor<1x5x7x10xf32>, %w: tensor<5x5x1x1xf32>, %t: tensor<2x5x7x10xf32> {bufferization.writable = true}, %i: index, %j: index) -> tensor<2x5x7x10xf32> {
  %s = tensor.extract_slice %t[%i, 0, 0, 0] [1, 5, 7, 10] [1, 1, 1, 1] : tensor<2x5x7x10xf32> to tensor<1x5x7x10xf32>
  %e = tensor.extract_slice %t[%j, 0, 0, 0] [1, 5, 7, 10] [1, 1, 1, 1] : tensor<2x5x7x10xf32> to tensor<1x5x7x10xf32>
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
         input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
         ins(%x, %w : tensor<1x5x7x10xf32>, tensor<5x5x1x1xf32>) residual(%s : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
  %u = tensor.insert_slice %r into %t[%j, 0, 0, 0] [1, 5, 7, 10] [1, 1, 1, 1] : tensor<1x5x7x10xf32> into tensor<2x5x7x10xf32>
  return %u : tensor<2x5x7x10xf32>
}

// A discardable attribute stays on the op.
// CHECK-LABEL: func @attributes(
// CHECK:         fusion.fused_conv_bias_act {acme.note = "kept"} ins(
func.func @attributes(%x: tensor<1x3x9xf32>, %w: tensor<5x3x2xf32>) -> tensor<1x5x8xf32> {
  %e = tensor.empty() : tensor<1x5x8xf32>
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1>, dilations = array<i64: 1>, pad_low = array<i64: 0>, pad_high = array<i64: 0>,
         input_layout = "ncw", filter_layout = "fcw", output_layout = "ncw", acme.note = "kept"}
         ins(%x, %w : tensor<1x3x9xf32>, tensor<5x3x2xf32>) outs(%e : tensor<1x5x8xf32>) -> tensor<1x5x8xf32>
  return %r : tensor<1x5x8xf32>
}
