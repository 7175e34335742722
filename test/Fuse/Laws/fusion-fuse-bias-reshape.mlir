// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-raise --fusion-fuse --canonicalize --cse | FileCheck %s

// TVM 1: a bias that is reshaped before it is added: the reshape is seen through, and
// the vector that it was made of becomes the bias.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#padded = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>
#three = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#column = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
#ones = affine_map<(d0, d1, d2, d3) -> (0, 0, 0, 0)>

// PyTorch: tensor.reshape of the bias to [1, C, 1, 1].
// CHECK-LABEL: func @reshape_constant_shape_i64(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @reshape_constant_shape_i64(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %shape = arith.constant dense<[1, 5, 1, 1]> : tensor<4xi64>
  %v = tensor.reshape %b(%shape) : (tensor<5xf32>, tensor<4xi64>) -> tensor<1x5x1x1xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #padded, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @reshape_constant_shape_i32(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @reshape_constant_shape_i32(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %shape = arith.constant dense<[1, 5, 1, 1]> : tensor<4xi32>
  %v = tensor.reshape %b(%shape) : (tensor<5xf32>, tensor<4xi32>) -> tensor<1x5x1x1xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #padded, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @reshape_constant_shape_index(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @reshape_constant_shape_index(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %shape = arith.constant dense<[1, 5, 1, 1]> : tensor<4xindex>
  %v = tensor.reshape %b(%shape) : (tensor<5xf32>, tensor<4xindex>) -> tensor<1x5x1x1xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #padded, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The shape is an operand; the type of the result tells the axis.
// CHECK-LABEL: func @reshape_run_time_shape_i64(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @reshape_run_time_shape_i64(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %shape: tensor<4xi64>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %v = tensor.reshape %b(%shape) : (tensor<5xf32>, tensor<4xi64>) -> tensor<1x5x1x1xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #padded, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @reshape_run_time_shape_i32(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @reshape_run_time_shape_i32(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %shape: tensor<4xi32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %v = tensor.reshape %b(%shape) : (tensor<5xf32>, tensor<4xi32>) -> tensor<1x5x1x1xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #padded, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @reshape_run_time_shape_index(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @reshape_run_time_shape_index(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %shape: tensor<4xindex>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %v = tensor.reshape %b(%shape) : (tensor<5xf32>, tensor<4xindex>) -> tensor<1x5x1x1xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #padded, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The only size that is not known is that of the channel.
// CHECK-LABEL: func @reshape_dynamic_channel(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @reshape_dynamic_channel(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %shape: tensor<4xi64>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %v = tensor.reshape %b(%shape) : (tensor<5xf32>, tensor<4xi64>) -> tensor<1x?x1x1xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #padded, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<1x?x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// No size is in the type, all are in the constant.
// CHECK-LABEL: func @reshape_dynamic_result_constant_shape(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @reshape_dynamic_result_constant_shape(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %shape = arith.constant dense<[1, 5, 1, 1]> : tensor<4xi64>
  %v = tensor.reshape %b(%shape) : (tensor<5xf32>, tensor<4xi64>) -> tensor<?x?x?x?xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #padded, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<?x?x?x?xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The shape is put together from numbers, of which one is computed.
// CHECK-LABEL: func @reshape_shape_from_elements(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @reshape_shape_from_elements(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %n: index) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %i1 = arith.constant 1 : index
  %shape = tensor.from_elements %i1, %n, %i1, %i1 : tensor<4xindex>
  %v = tensor.reshape %b(%shape) : (tensor<5xf32>, tensor<4xindex>) -> tensor<?x?x?x?xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #padded, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<?x?x?x?xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The bias is the first operand.
// CHECK-LABEL: func @reshape_operands_swapped(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @reshape_operands_swapped(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %shape = arith.constant dense<[1, 5, 1, 1]> : tensor<4xi64>
  %v = tensor.reshape %b(%shape) : (tensor<5xf32>, tensor<4xi64>) -> tensor<1x5x1x1xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#padded, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%v, %c : tensor<1x5x1x1xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @reshape_added_operands_swapped(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @reshape_added_operands_swapped(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %shape = arith.constant dense<[1, 5, 1, 1]> : tensor<4xi64>
  %v = tensor.reshape %b(%shape) : (tensor<5xf32>, tensor<4xi64>) -> tensor<1x5x1x1xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #padded, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p1, %p0 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @reshape_twice(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<1x5xf32>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[B]] {{.*}} : tensor<1x5xf32> into tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[V]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @reshape_twice(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<1x5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %s1 = arith.constant dense<[5]> : tensor<1xi64>
  %s2 = arith.constant dense<[5, 1, 1]> : tensor<3xi64>
  %u = tensor.reshape %b(%s1) : (tensor<1x5xf32>, tensor<1xi64>) -> tensor<5xf32>
  %v = tensor.reshape %u(%s2) : (tensor<5xf32>, tensor<3xi64>) -> tensor<5x1x1xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #three, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @expand_shape(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @expand_shape(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %v = tensor.expand_shape %b [[0, 1, 2, 3]] output_shape [1, 5, 1, 1] : tensor<5xf32> into tensor<1x5x1x1xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #padded, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @expand_shape_rank_3(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @expand_shape_rank_3(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %v = tensor.expand_shape %b [[0, 1, 2]] output_shape [5, 1, 1] : tensor<5xf32> into tensor<5x1x1xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #three, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @collapse_shape(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<1x5xf32>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[B]] {{.*}} : tensor<1x5xf32> into tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[V]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @collapse_shape(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<1x5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %v = tensor.collapse_shape %b [[0, 1]] : tensor<1x5xf32> into tensor<5xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @collapse_expand_cast(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<1x1x5xf32>)
// CHECK:         %[[V:.*]] = tensor.collapse_shape %[[B]] {{.*}} : tensor<1x1x5xf32> into tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[V]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @collapse_expand_cast(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<1x1x5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %v = tensor.collapse_shape %b [[0, 1, 2]] : tensor<1x1x5xf32> into tensor<5xf32>
  %u = tensor.expand_shape %v [[0, 1, 2, 3]] output_shape [1, 5, 1, 1] : tensor<5xf32> into tensor<1x5x1x1xf32>
  %t = tensor.cast %u : tensor<1x5x1x1xf32> to tensor<1x?x1x1xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #padded, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %t : tensor<2x5x7x10xf32>, tensor<1x?x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// A size-1 dimension stays behind the broadcast.
// CHECK-LABEL: func @reshape_then_broadcast(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x9x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins(%[[X]], %[[W]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @reshape_then_broadcast(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %shape = arith.constant dense<[5, 1]> : tensor<2xi64>
  %v = tensor.reshape %b(%shape) : (tensor<5xf32>, tensor<2xi64>) -> tensor<5x1xf32>
  %e0 = tensor.empty() : tensor<2x5x7x1xf32>
  %u = linalg.broadcast ins(%v : tensor<5x1xf32>) outs(%e0 : tensor<2x5x7x1xf32>) dimensions = [0, 2]
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #column, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %u : tensor<2x5x7x10xf32>, tensor<2x5x7x1xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// One number for all channels.
// CHECK-LABEL: func @size_one(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<1xf32>)
// CHECK:         %[[N:.*]] = tensor.extract %[[B]]
// CHECK:         %[[V:.*]] = linalg.fill ins(%[[N]] : f32) outs(%{{.*}} : tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[V]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @size_one(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<1xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %shape = arith.constant dense<[1, 1, 1, 1]> : tensor<4xi64>
  %v = tensor.reshape %b(%shape) : (tensor<1xf32>, tensor<4xi64>) -> tensor<1x1x1x1xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #ones, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<1x1x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %s = arith.addf %p0, %p1 : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// One reshaped bias for two convolutions.
// CHECK-LABEL: func @shared_reshape(
// CHECK-SAME:    %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    %[[S:.*]] = fusion.fused_conv_bias_act{{.*}} ins({{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]], %[[S]]
func.func @shared_reshape(%x: tensor<2x3x9x11xf32>, %y: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> (tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) {
  %shape = arith.constant dense<[1, 5, 1, 1]> : tensor<4xi64>
  %v = tensor.reshape %b(%shape) : (tensor<5xf32>, tensor<4xi64>) -> tensor<1x5x1x1xf32>
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %d = linalg.conv_2d_nchw_fchw ins(%y, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #padded, #all]
         ins(%c, %v : tensor<2x5x7x10xf32>, tensor<1x5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %s = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#padded, #all, #all]
         ins(%v, %d : tensor<1x5x1x1xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r, %s : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>
}
