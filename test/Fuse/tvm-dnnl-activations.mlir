// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s

// TVM's tests of its oneDNN codegen: convolutions of one, two and three dimensions with a
// bias and each activation.

#all3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#channel3 = affine_map<(d0, d1, d2) -> (d1)>
#all4 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel4 = affine_map<(d0, d1, d2, d3) -> (d1)>
#all5 = affine_map<(d0, d1, d2, d3, d4) -> (d0, d1, d2, d3, d4)>
#channel5 = affine_map<(d0, d1, d2, d3, d4) -> (d1)>

// TVM 70: conv1d.
// CHECK-LABEL: func @conv1d_plain(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x4xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins(%[[X]], %[[W]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv1d_plain(%x: tensor<2x3x11xf32>, %w: tensor<5x3x4xf32>) -> tensor<2x5x8xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x8xf32>
  %r = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<2x3x11xf32>, tensor<5x3x4xf32>) outs(%z : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// TVM 71: conv1d with bias.
// CHECK-LABEL: func @conv1d_bias(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x4xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv1d_bias(%x: tensor<2x3x11xf32>, %w: tensor<5x3x4xf32>, %b: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x8xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<2x3x11xf32>, tensor<5x3x4xf32>) outs(%z : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %e = tensor.empty() : tensor<2x5x8xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all3, #channel3, #all3]
         ins(%c, %b : tensor<2x5x8xf32>, tensor<5xf32>) outs(%e : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// TVM 71: conv1d with bias and activations.
// CHECK-LABEL: func @conv1d_relu(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x4xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv1d_relu(%x: tensor<2x3x11xf32>, %w: tensor<5x3x4xf32>, %b: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x8xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<2x3x11xf32>, tensor<5x3x4xf32>) outs(%z : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %e = tensor.empty() : tensor<2x5x8xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all3, #channel3, #all3]
         ins(%c, %b : tensor<2x5x8xf32>, tensor<5xf32>) outs(%e : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %r = linalg.generic {indexing_maps = [#all3, #all3], iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%s : tensor<2x5x8xf32>) outs(%e : tensor<2x5x8xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.maximumf %p0, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// CHECK-LABEL: func @conv1d_tanh(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x4xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act tanh ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv1d_tanh(%x: tensor<2x3x11xf32>, %w: tensor<5x3x4xf32>, %b: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x8xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<2x3x11xf32>, tensor<5x3x4xf32>) outs(%z : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %e = tensor.empty() : tensor<2x5x8xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all3, #channel3, #all3]
         ins(%c, %b : tensor<2x5x8xf32>, tensor<5xf32>) outs(%e : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %r = linalg.generic {indexing_maps = [#all3, #all3], iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%s : tensor<2x5x8xf32>) outs(%e : tensor<2x5x8xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = math.tanh %p0 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// CHECK-LABEL: func @conv1d_sigmoid(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x4xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act sigmoid ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv1d_sigmoid(%x: tensor<2x3x11xf32>, %w: tensor<5x3x4xf32>, %b: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x8xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<2x3x11xf32>, tensor<5x3x4xf32>) outs(%z : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %e = tensor.empty() : tensor<2x5x8xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all3, #channel3, #all3]
         ins(%c, %b : tensor<2x5x8xf32>, tensor<5xf32>) outs(%e : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %r = linalg.generic {indexing_maps = [#all3, #all3], iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%s : tensor<2x5x8xf32>) outs(%e : tensor<2x5x8xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.negf %p0 : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %one, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// CHECK-LABEL: func @conv1d_clip(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x4xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act clip(0.000000e+00, 6.000000e+00) ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv1d_clip(%x: tensor<2x3x11xf32>, %w: tensor<5x3x4xf32>, %b: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x8xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<2x3x11xf32>, tensor<5x3x4xf32>) outs(%z : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %e = tensor.empty() : tensor<2x5x8xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all3, #channel3, #all3]
         ins(%c, %b : tensor<2x5x8xf32>, tensor<5xf32>) outs(%e : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %r = linalg.generic {indexing_maps = [#all3, #all3], iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%s : tensor<2x5x8xf32>) outs(%e : tensor<2x5x8xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.maximumf %p0, %zero : f32
    %1 = arith.minimumf %0, %six : f32
    linalg.yield %1 : f32
  } -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// CHECK-LABEL: func @conv1d_swish(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x4xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act swish(1.000000e+00) ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv1d_swish(%x: tensor<2x3x11xf32>, %w: tensor<5x3x4xf32>, %b: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x8xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<2x3x11xf32>, tensor<5x3x4xf32>) outs(%z : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %e = tensor.empty() : tensor<2x5x8xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all3, #channel3, #all3]
         ins(%c, %b : tensor<2x5x8xf32>, tensor<5xf32>) outs(%e : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %r = linalg.generic {indexing_maps = [#all3, #all3], iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%s : tensor<2x5x8xf32>) outs(%e : tensor<2x5x8xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.negf %p0 : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %one, %2 : f32
    %4 = arith.mulf %p0, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// CHECK-LABEL: func @conv1d_gelu(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x4xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act gelu_erf ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv1d_gelu(%x: tensor<2x3x11xf32>, %w: tensor<5x3x4xf32>, %b: tensor<5xf32>) -> tensor<2x5x8xf32> {
  %half = arith.constant 0.5 : f32
  %root = arith.constant 0.70710677 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x8xf32>
  %c = linalg.conv_1d_ncw_fcw ins(%x, %w : tensor<2x3x11xf32>, tensor<5x3x4xf32>) outs(%z : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %e = tensor.empty() : tensor<2x5x8xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all3, #channel3, #all3]
         ins(%c, %b : tensor<2x5x8xf32>, tensor<5xf32>) outs(%e : tensor<2x5x8xf32>) -> tensor<2x5x8xf32>
  %r = linalg.generic {indexing_maps = [#all3, #all3], iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%s : tensor<2x5x8xf32>) outs(%e : tensor<2x5x8xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.mulf %p0, %root : f32
    %1 = math.erf %0 : f32
    %2 = arith.mulf %1, %half : f32
    %3 = arith.addf %2, %half : f32
    %4 = arith.mulf %p0, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<2x5x8xf32>
  return %r : tensor<2x5x8xf32>
}

// TVM 70: conv2d.
// CHECK-LABEL: func @conv2d_plain(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins(%[[X]], %[[W]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv2d_plain(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %r = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TVM 71: conv2d with bias.
// CHECK-LABEL: func @conv2d_bias(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv2d_bias(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all4, #channel4, #all4]
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TVM 71: conv2d with bias and activations.
// CHECK-LABEL: func @conv2d_relu(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv2d_relu(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all4, #channel4, #all4]
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all4, #all4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%s : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.maximumf %p0, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @conv2d_tanh(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act tanh ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv2d_tanh(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all4, #channel4, #all4]
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all4, #all4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%s : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = math.tanh %p0 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @conv2d_sigmoid(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act sigmoid ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv2d_sigmoid(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all4, #channel4, #all4]
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all4, #all4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%s : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.negf %p0 : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %one, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @conv2d_clip(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act clip(0.000000e+00, 6.000000e+00) ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv2d_clip(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all4, #channel4, #all4]
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all4, #all4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%s : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.maximumf %p0, %zero : f32
    %1 = arith.minimumf %0, %six : f32
    linalg.yield %1 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @conv2d_swish(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act swish(1.000000e+00) ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv2d_swish(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all4, #channel4, #all4]
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all4, #all4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%s : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.negf %p0 : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %one, %2 : f32
    %4 = arith.mulf %p0, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @conv2d_gelu(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act gelu_erf ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv2d_gelu(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %half = arith.constant 0.5 : f32
  %root = arith.constant 0.70710677 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all4, #channel4, #all4]
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all4, #all4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%s : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.mulf %p0, %root : f32
    %1 = math.erf %0 : f32
    %2 = arith.mulf %1, %half : f32
    %3 = arith.addf %2, %half : f32
    %4 = arith.mulf %p0, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// TVM 70: conv3d.
// CHECK-LABEL: func @conv3d_plain(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x5x7x6xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x2x3x2xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins(%[[X]], %[[W]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv3d_plain(%x: tensor<2x3x5x7x6xf32>, %w: tensor<5x3x2x3x2xf32>) -> tensor<2x5x4x5x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x4x5x5xf32>
  %r = linalg.conv_3d_ncdhw_fcdhw ins(%x, %w : tensor<2x3x5x7x6xf32>, tensor<5x3x2x3x2xf32>) outs(%z : tensor<2x5x4x5x5xf32>) -> tensor<2x5x4x5x5xf32>
  return %r : tensor<2x5x4x5x5xf32>
}

// TVM 71: conv3d with bias.
// CHECK-LABEL: func @conv3d_bias(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x5x7x6xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x2x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv3d_bias(%x: tensor<2x3x5x7x6xf32>, %w: tensor<5x3x2x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x4x5x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x4x5x5xf32>
  %c = linalg.conv_3d_ncdhw_fcdhw ins(%x, %w : tensor<2x3x5x7x6xf32>, tensor<5x3x2x3x2xf32>) outs(%z : tensor<2x5x4x5x5xf32>) -> tensor<2x5x4x5x5xf32>
  %e = tensor.empty() : tensor<2x5x4x5x5xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all5, #channel5, #all5]
         ins(%c, %b : tensor<2x5x4x5x5xf32>, tensor<5xf32>) outs(%e : tensor<2x5x4x5x5xf32>) -> tensor<2x5x4x5x5xf32>
  return %r : tensor<2x5x4x5x5xf32>
}

// TVM 71: conv3d with bias and activations.
// CHECK-LABEL: func @conv3d_relu(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x5x7x6xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x2x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv3d_relu(%x: tensor<2x3x5x7x6xf32>, %w: tensor<5x3x2x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x4x5x5xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x4x5x5xf32>
  %c = linalg.conv_3d_ncdhw_fcdhw ins(%x, %w : tensor<2x3x5x7x6xf32>, tensor<5x3x2x3x2xf32>) outs(%z : tensor<2x5x4x5x5xf32>) -> tensor<2x5x4x5x5xf32>
  %e = tensor.empty() : tensor<2x5x4x5x5xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all5, #channel5, #all5]
         ins(%c, %b : tensor<2x5x4x5x5xf32>, tensor<5xf32>) outs(%e : tensor<2x5x4x5x5xf32>) -> tensor<2x5x4x5x5xf32>
  %r = linalg.generic {indexing_maps = [#all5, #all5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
         ins(%s : tensor<2x5x4x5x5xf32>) outs(%e : tensor<2x5x4x5x5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.maximumf %p0, %zero : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x4x5x5xf32>
  return %r : tensor<2x5x4x5x5xf32>
}

// CHECK-LABEL: func @conv3d_tanh(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x5x7x6xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x2x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act tanh ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv3d_tanh(%x: tensor<2x3x5x7x6xf32>, %w: tensor<5x3x2x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x4x5x5xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x4x5x5xf32>
  %c = linalg.conv_3d_ncdhw_fcdhw ins(%x, %w : tensor<2x3x5x7x6xf32>, tensor<5x3x2x3x2xf32>) outs(%z : tensor<2x5x4x5x5xf32>) -> tensor<2x5x4x5x5xf32>
  %e = tensor.empty() : tensor<2x5x4x5x5xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all5, #channel5, #all5]
         ins(%c, %b : tensor<2x5x4x5x5xf32>, tensor<5xf32>) outs(%e : tensor<2x5x4x5x5xf32>) -> tensor<2x5x4x5x5xf32>
  %r = linalg.generic {indexing_maps = [#all5, #all5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
         ins(%s : tensor<2x5x4x5x5xf32>) outs(%e : tensor<2x5x4x5x5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = math.tanh %p0 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x4x5x5xf32>
  return %r : tensor<2x5x4x5x5xf32>
}

// CHECK-LABEL: func @conv3d_sigmoid(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x5x7x6xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x2x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act sigmoid ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv3d_sigmoid(%x: tensor<2x3x5x7x6xf32>, %w: tensor<5x3x2x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x4x5x5xf32> {
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x4x5x5xf32>
  %c = linalg.conv_3d_ncdhw_fcdhw ins(%x, %w : tensor<2x3x5x7x6xf32>, tensor<5x3x2x3x2xf32>) outs(%z : tensor<2x5x4x5x5xf32>) -> tensor<2x5x4x5x5xf32>
  %e = tensor.empty() : tensor<2x5x4x5x5xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all5, #channel5, #all5]
         ins(%c, %b : tensor<2x5x4x5x5xf32>, tensor<5xf32>) outs(%e : tensor<2x5x4x5x5xf32>) -> tensor<2x5x4x5x5xf32>
  %r = linalg.generic {indexing_maps = [#all5, #all5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
         ins(%s : tensor<2x5x4x5x5xf32>) outs(%e : tensor<2x5x4x5x5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.negf %p0 : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %one, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x5x4x5x5xf32>
  return %r : tensor<2x5x4x5x5xf32>
}

// CHECK-LABEL: func @conv3d_clip(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x5x7x6xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x2x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act clip(0.000000e+00, 6.000000e+00) ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv3d_clip(%x: tensor<2x3x5x7x6xf32>, %w: tensor<5x3x2x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x4x5x5xf32> {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x4x5x5xf32>
  %c = linalg.conv_3d_ncdhw_fcdhw ins(%x, %w : tensor<2x3x5x7x6xf32>, tensor<5x3x2x3x2xf32>) outs(%z : tensor<2x5x4x5x5xf32>) -> tensor<2x5x4x5x5xf32>
  %e = tensor.empty() : tensor<2x5x4x5x5xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all5, #channel5, #all5]
         ins(%c, %b : tensor<2x5x4x5x5xf32>, tensor<5xf32>) outs(%e : tensor<2x5x4x5x5xf32>) -> tensor<2x5x4x5x5xf32>
  %r = linalg.generic {indexing_maps = [#all5, #all5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
         ins(%s : tensor<2x5x4x5x5xf32>) outs(%e : tensor<2x5x4x5x5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.maximumf %p0, %zero : f32
    %1 = arith.minimumf %0, %six : f32
    linalg.yield %1 : f32
  } -> tensor<2x5x4x5x5xf32>
  return %r : tensor<2x5x4x5x5xf32>
}

// CHECK-LABEL: func @conv3d_swish(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x5x7x6xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x2x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act swish(1.000000e+00) ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv3d_swish(%x: tensor<2x3x5x7x6xf32>, %w: tensor<5x3x2x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x4x5x5xf32> {
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x4x5x5xf32>
  %c = linalg.conv_3d_ncdhw_fcdhw ins(%x, %w : tensor<2x3x5x7x6xf32>, tensor<5x3x2x3x2xf32>) outs(%z : tensor<2x5x4x5x5xf32>) -> tensor<2x5x4x5x5xf32>
  %e = tensor.empty() : tensor<2x5x4x5x5xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all5, #channel5, #all5]
         ins(%c, %b : tensor<2x5x4x5x5xf32>, tensor<5xf32>) outs(%e : tensor<2x5x4x5x5xf32>) -> tensor<2x5x4x5x5xf32>
  %r = linalg.generic {indexing_maps = [#all5, #all5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
         ins(%s : tensor<2x5x4x5x5xf32>) outs(%e : tensor<2x5x4x5x5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.negf %p0 : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %one, %2 : f32
    %4 = arith.mulf %p0, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<2x5x4x5x5xf32>
  return %r : tensor<2x5x4x5x5xf32>
}

// CHECK-LABEL: func @conv3d_gelu(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x5x7x6xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x2x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act gelu_erf ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @conv3d_gelu(%x: tensor<2x3x5x7x6xf32>, %w: tensor<5x3x2x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x4x5x5xf32> {
  %half = arith.constant 0.5 : f32
  %root = arith.constant 0.70710677 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x4x5x5xf32>
  %c = linalg.conv_3d_ncdhw_fcdhw ins(%x, %w : tensor<2x3x5x7x6xf32>, tensor<5x3x2x3x2xf32>) outs(%z : tensor<2x5x4x5x5xf32>) -> tensor<2x5x4x5x5xf32>
  %e = tensor.empty() : tensor<2x5x4x5x5xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all5, #channel5, #all5]
         ins(%c, %b : tensor<2x5x4x5x5xf32>, tensor<5xf32>) outs(%e : tensor<2x5x4x5x5xf32>) -> tensor<2x5x4x5x5xf32>
  %r = linalg.generic {indexing_maps = [#all5, #all5], iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel"]}
         ins(%s : tensor<2x5x4x5x5xf32>) outs(%e : tensor<2x5x4x5x5xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.mulf %p0, %root : f32
    %1 = math.erf %0 : f32
    %2 = arith.mulf %1, %half : f32
    %3 = arith.addf %2, %half : f32
    %4 = arith.mulf %p0, %3 : f32
    linalg.yield %4 : f32
  } -> tensor<2x5x4x5x5xf32>
  return %r : tensor<2x5x4x5x5xf32>
}
