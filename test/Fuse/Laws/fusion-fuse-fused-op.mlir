// RUN: fusion-opt %s --fusion-fuse | FileCheck %s

// Laws on ops that have something already, without the passes in front that would
// join it before.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>

// Padding in front of a padded convolution: both, at each end.
// CHECK-LABEL: func @pad_is_added(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>)
// CHECK-NOT:     tensor.pad
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act pad_low [2, 1] pad_high [2, 4] ins(%[[X]], %[[W]] :
// CHECK-NEXT:    return %[[R]]
func.func @pad_is_added(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x11x15xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5x11x15xf32>
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 2, 1] {
  ^bb0(%i: index, %j: index, %k: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<2x3x9x11xf32> to tensor<2x3x12x12xf32>
  %r = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 1, 1>, pad_high = array<i64: 0, 3>, input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
         ins(%p, %w : tensor<2x3x12x12xf32>, tensor<5x3x3x2xf32>) outs(%e : tensor<2x5x11x15xf32>) -> tensor<2x5x11x15xf32>
  return %r : tensor<2x5x11x15xf32>
}

// Bias and residual are there already: three times the scale.
// CHECK-LABEL: func @scale_of_all(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[T:[a-z0-9]*]]: tensor<2x5x7x10xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[W1:.*]] = linalg.generic {{.*}} ins(%[[W]], %[[S]] :
// CHECK:         %[[B1:.*]] = linalg.generic {{.*}} ins(%[[B]], %[[S]] :
// CHECK:         %[[T1:.*]] = linalg.generic {{.*}} ins(%[[T]], %[[S]] :
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%[[X]], %[[W1]] : {{[^)]*}}) bias(%[[B1]] : tensor<5xf32>) residual(%[[T1]] :
// CHECK-NEXT:    return %[[R]]
func.func @scale_of_all(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %t: tensor<2x5x7x10xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
         ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) bias(%b : tensor<5xf32>) residual(%t : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #channel, #all]
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// An activation is there already.
// CHECK-LABEL: func @activation_is_there(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act elu(5.000000e-01) ins(%[[X]], %[[W]] :
// CHECK-NEXT:    %[[Y:.*]] = linalg.elementwise kind=#linalg.elementwise_kind<mul> {{.*}} ins(%[[R]], %[[S]] :
// CHECK-NEXT:    return %[[Y]]
func.func @activation_is_there(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {activation = #fusion.activation<elu, 5.000000e-01>, strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
         ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #channel, #all]
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// Result, residual and factor in bf16: scaled in f32, rounded at the end.
// CHECK-LABEL: func @residual_in_bf16(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[T:[a-z0-9]*]]: tensor<2x5x7x10xbf16>, %[[S:[a-z0-9]*]]: tensor<5xbf16>)
// CHECK:         %[[S1:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<5xbf16>)
// CHECK:         %[[T1:.*]] = linalg.generic {{.*}} ins(%[[T]], %[[S1]] :
// CHECK:           arith.extf
// CHECK-NEXT:      arith.mulf
// CHECK:         -> tensor<2x5x7x10xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act {fusion.folded = "scale"} ins(%[[X]], %{{[^ ]*}} : {{[^)]*}}) residual(%[[T1]] : tensor<2x5x7x10xf32>) outs(%{{.*}} : tensor<2x5x7x10xbf16>)
// CHECK-NEXT:    return %[[R]]
func.func @residual_in_bf16(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %t: tensor<2x5x7x10xbf16>, %s: tensor<5xbf16>) -> tensor<2x5x7x10xbf16> {
  %e = tensor.empty() : tensor<2x5x7x10xbf16>
  %c = fusion.fused_conv_bias_act {strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
         ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) residual(%t : tensor<2x5x7x10xbf16>) outs(%e : tensor<2x5x7x10xbf16>) -> tensor<2x5x7x10xbf16>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<2x5x7x10xbf16>, tensor<5xbf16>) outs(%e : tensor<2x5x7x10xbf16>) {
  ^bb0(%p0: bf16, %p1: bf16, %out: bf16):
    %0 = arith.mulf %p0, %p1 : bf16
    linalg.yield %0 : bf16
  } -> tensor<2x5x7x10xbf16>
  return %r : tensor<2x5x7x10xbf16>
}

// A plain scale after a batch norm leaves the note on the op.
// CHECK-LABEL: func @folded_before(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         fusion.fused_conv_bias_act {fusion.folded = "bn"} ins(
func.func @folded_before(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = fusion.fused_conv_bias_act {fusion.folded = "bn", strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>, input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
         ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#all, #channel, #all]
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}
