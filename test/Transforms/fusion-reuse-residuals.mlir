// RUN: fusion-opt %s --fusion-reuse-residuals | FileCheck %s --check-prefix=TENSORS
// RUN: fusion-opt %s --fusion-compile=propagate-layout=false --mlir-print-ir-before=fusion-plan-memory -o /dev/null 2>&1 | FileCheck %s

// A residual that nobody reads any more is written over. One that is read later, is the
// input too or belongs to the caller stays.

!t = tensor<1x4x6x6xbf16>
!w = tensor<4x4x1x1xbf16>

// On tensors each residual becomes the destination of its op; whether it is read later
// is for bufferization to see.
// TENSORS-COUNT-5: residual(%[[R:[a-z0-9_]*]] : tensor<1x4x6x6xbf16>) outs(%[[R]] : tensor<1x4x6x6xbf16>)

// CHECK-LABEL: func.func @read_last(
// CHECK:         fusion.fused_conv_bias_act{{.*}} outs(%[[A:.*]] : memref<1x4x6x6xbf16>)
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%[[A]], {{.*}} outs(%[[B:[a-z0-9_]*]] :
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%[[B]], {{.*}} residual(%[[A]] : memref<1x4x6x6xbf16>) outs(%[[A]] : memref<1x4x6x6xbf16>)
// CHECK-NOT:     memref.copy
func.func @read_last(%x: !t, %w: !w) -> !t {
  %e = tensor.empty() : !t
  %a = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
    input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"} ins(%x, %w : !t, !w) outs(%e : !t) -> !t
  %b = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
    input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"} ins(%a, %w : !t, !w) outs(%e : !t) -> !t
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
    input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"} ins(%b, %w : !t, !w) residual(%a : !t) outs(%e : !t) -> !t
  return %c : !t
}

// CHECK-LABEL: func.func @read_later(
// CHECK:         fusion.fused_conv_bias_act{{.*}} outs(%[[A:[a-z0-9_]*]] : memref<1x4x6x6xbf16>)
// CHECK:         %[[C:.*]] = memref.alloc()
// CHECK-NEXT:    fusion.fused_conv_bias_act{{.*}} residual(%[[A]] : memref<1x4x6x6xbf16>) outs(%[[C]] : memref<1x4x6x6xbf16>)
// CHECK-NOT:     memref.copy
// CHECK:         fusion.fused_conv_bias_act{{.*}} ins(%[[C]], {{.*}} residual(%[[A]] : memref<1x4x6x6xbf16>) outs(%[[A]] :
func.func @read_later(%x: !t, %w: !w) -> !t {
  %e = tensor.empty() : !t
  %a = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
    input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"} ins(%x, %w : !t, !w) outs(%e : !t) -> !t
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
    input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"} ins(%x, %w : !t, !w) residual(%a : !t) outs(%e : !t) -> !t
  %d = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
    input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"} ins(%c, %w : !t, !w) residual(%a : !t) outs(%e : !t) -> !t
  return %d : !t
}

// An argument belongs to the caller.
// CHECK-LABEL: func.func @argument(
// CHECK-SAME:    %[[X:[a-z0-9_]*]]: memref<1x4x6x6xbf16>
// CHECK:         %[[C:.*]] = memref.alloc()
// CHECK-NEXT:    fusion.fused_conv_bias_act{{.*}} residual(%[[X]] : memref<1x4x6x6xbf16>) outs(%[[C]] :
// CHECK:         return %[[C]]
func.func @argument(%x: !t, %w: !w) -> !t {
  %e = tensor.empty() : !t
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
    input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"} ins(%x, %w : !t, !w) residual(%x : !t) outs(%e : !t) -> !t
  return %c : !t
}

// A residual that is the input, too, must be whole while the kernel runs.
// CHECK-LABEL: func.func @input_too(
// CHECK:         fusion.fused_conv_bias_act{{.*}} outs(%[[A:[a-z0-9_]*]] : memref<1x4x6x6xbf16>)
// CHECK:         %[[C:.*]] = memref.alloc()
// CHECK-NEXT:    fusion.fused_conv_bias_act{{.*}} ins(%[[A]], {{.*}} residual(%[[A]] : memref<1x4x6x6xbf16>) outs(%[[C]] : memref<1x4x6x6xbf16>)
// CHECK-NOT:     memref.copy
// CHECK:         return %[[C]]
func.func @input_too(%x: !t, %w: !w) -> !t {
  %e = tensor.empty() : !t
  %a = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
    input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"} ins(%x, %w : !t, !w) outs(%e : !t) -> !t
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
    input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"} ins(%a, %w : !t, !w) residual(%a : !t) outs(%e : !t) -> !t
  return %c : !t
}

// A destination that somebody else has filled stays, and so does one of another type.
// TENSORS-LABEL: func.func @own_destination(
// TENSORS-SAME:    %[[X:[a-z0-9_]*]]: tensor<1x4x6x6xbf16>, %[[W:[a-z0-9_]*]]: {{.*}}, %[[S:[a-z0-9_]*]]: {{.*}}, %[[E:[a-z0-9_]*]]: tensor
// TENSORS:         residual(%[[S]] : tensor<1x4x6x6xbf16>) outs(%[[E]] : tensor<1x4x6x6xbf16>)
func.func @own_destination(%x: !t, %w: !w, %s: !t, %e: !t) -> !t {
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
    input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"} ins(%x, %w : !t, !w) residual(%s : !t) outs(%e : !t) -> !t
  return %c : !t
}

// TENSORS-LABEL: func.func @other_type(
// TENSORS:         %[[E:.*]] = tensor.empty() : tensor<1x4x6x6xbf16>
// TENSORS:         residual(%{{.*}} : tensor<1x4x6x6xf32>) outs(%[[E]] : tensor<1x4x6x6xbf16>)
func.func @other_type(%x: !t, %w: !w, %s: tensor<1x4x6x6xf32>) -> !t {
  %e = tensor.empty() : !t
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
    input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"} ins(%x, %w : !t, !w) residual(%s : tensor<1x4x6x6xf32>) outs(%e : !t) -> !t
  return %c : !t
}

// Integers keep their sign in memory.
// TENSORS-LABEL: func.func @same_sign(
// TENSORS:         residual(%[[R:.*]] : tensor<4x5xi8>) outs(%[[R]] : tensor<4x5xi8>)
// CHECK-LABEL:   func.func @same_sign(
// CHECK:           residual(%[[R:[a-z0-9_]*]] : memref<4x5xi8>) outs(%[[R]] : memref<4x5xi8>)
func.func @same_sign(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>) -> tensor<4x5xi8> {
  %e = tensor.empty() : tensor<4x5xi8>
  %a = fusion.quantized_matmul_bias_act {output_unsigned} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  %c = fusion.quantized_matmul_bias_act {output_unsigned, residual_unsigned} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) residual(%a : tensor<4x5xi8>) outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return %c : tensor<4x5xi8>
}

// TENSORS-LABEL: func.func @other_sign(
// TENSORS:         %[[E:.*]] = tensor.empty() : tensor<4x5xi8>
// TENSORS:         residual(%{{.*}} : tensor<4x5xi8>) outs(%[[E]] : tensor<4x5xi8>)
func.func @other_sign(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>) -> tensor<4x5xi8> {
  %e = tensor.empty() : tensor<4x5xi8>
  %a = fusion.quantized_matmul_bias_act {output_unsigned} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  %c = fusion.quantized_matmul_bias_act {residual_unsigned} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) residual(%a : tensor<4x5xi8>) outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return %c : tensor<4x5xi8>
}

// CHECK-LABEL:   func.func @other_sign_in_place(
// CHECK:           fusion.quantized_matmul_bias_act{{.*}} outs(%[[A:[a-z0-9_]*]] : memref<4x5xi8>)
// CHECK:           %[[C:.*]] = memref.alloc()
// CHECK:           residual(%[[A]] : memref<4x5xi8>) outs(%[[C]] : memref<4x5xi8>)
func.func @other_sign_in_place(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>) -> tensor<4x5xi8> {
  %e = tensor.empty() : tensor<4x5xi8>
  %a = fusion.quantized_matmul_bias_act {output_unsigned} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  %c = fusion.quantized_matmul_bias_act {residual_unsigned} ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) residual(%a : tensor<4x5xi8>) outs(%a : tensor<4x5xi8>) -> tensor<4x5xi8>
  return %c : tensor<4x5xi8>
}

// The result has sizes that the type of the residual does not show.
// TENSORS-LABEL: func.func @hidden_size(
// TENSORS:         %[[E:.*]] = tensor.empty() : tensor<4x5xi8>
// TENSORS:         residual(%{{.*}} : tensor<?x5xi8>) outs(%[[E]] : tensor<4x5xi8>)
func.func @hidden_size(%x: tensor<4x7xi8>, %w: tensor<7x5xi8>, %y: tensor<?x5xi8>) -> tensor<4x5xi8> {
  %e = tensor.empty() : tensor<4x5xi8>
  %c = fusion.quantized_matmul_bias_act ins(%x, %w : tensor<4x7xi8>, tensor<7x5xi8>) residual(%y : tensor<?x5xi8>) outs(%e : tensor<4x5xi8>) -> tensor<4x5xi8>
  return %c : tensor<4x5xi8>
}
