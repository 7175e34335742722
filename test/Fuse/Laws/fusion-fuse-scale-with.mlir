// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s

// A scale together with other parts: bias, residual, activation, narrow types.

// CHECK-DAG: #[[$ALL:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[$CHANNEL:.*]] = affine_map<(d0, d1, d2, d3) -> (d0)>
// CHECK-DAG: #[[$SECOND:.*]] = affine_map<(d0, d1, d2, d3) -> (d1)>
// CHECK-DAG: #[[$ONE:.*]] = affine_map<(d0) -> (d0)>
#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>

// The bias is scaled as well.
// CHECK-LABEL: func @bias_before(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[BS:.*]] = linalg.generic {indexing_maps = [#[[$ONE]], #[[$ONE]], #[[$ONE]]], {{.*}}} ins(%[[B]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PBS:.*]]: f32, %[[QBS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PBS]], %[[QBS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) bias(%[[BS]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @bias_before(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %d = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%d, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @bias_in_outs(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.divf %[[PWS]], %[[QWS]]
// CHECK:         %[[BS:.*]] = linalg.generic {indexing_maps = [#[[$ONE]], #[[$ONE]], #[[$ONE]]], {{.*}}} ins(%[[B]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PBS:.*]]: f32, %[[QBS:.*]]: f32,
// CHECK-NEXT:      arith.divf %[[PBS]], %[[QBS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) bias(%[[BS]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @bias_in_outs(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %z = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.divf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// A bias behind the scale is none of its business.
// CHECK-LABEL: func @bias_after(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @bias_after(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %d = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%d, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// (x - m) * s + b in one op.
// CHECK-LABEL: func @affine(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[M:[a-z0-9]*]]: tensor<5xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[N:.*]] = linalg.negf ins(%[[M]] :
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[BS:.*]] = linalg.generic {indexing_maps = [#[[$ONE]], #[[$ONE]], #[[$ONE]]], {{.*}}} ins(%[[N]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PBS:.*]]: f32, %[[QBS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PBS]], %[[QBS]]
// CHECK:         %[[BB:.*]] = linalg.add ins(%[[BS]], %[[B]] :
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) bias(%[[BB]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @affine(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %m: tensor<5xf32>, %s: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %m, %s, %b : tensor<2x5x7x10xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %out: f32):
    %0 = arith.subf %p0, %p1 : f32
    %1 = arith.mulf %p2, %0 : f32
    %2 = arith.addf %p3, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// x * s + (b - m * s), as a batch norm that was simplified: the addend is computed in
// the same op.
// CHECK-LABEL: func @addend_is_computed(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[M:[a-z0-9]*]]: tensor<5xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[BB:.*]] = linalg.generic {{.*}} ins(%[[S]], %[[M]], %[[B]] :
// CHECK-NEXT:      ^bb0(%[[P:.*]]: f32, %[[Q:.*]]: f32, %[[T:.*]]: f32,
// CHECK-NEXT:      %[[PQ:.*]] = arith.mulf %[[Q]], %[[P]]
// CHECK-NEXT:      arith.subf %[[T]], %[[PQ]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) bias(%[[BB]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @addend_is_computed(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %m: tensor<5xf32>, %s: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s, %m, %b : tensor<2x5x7x10xf32>, tensor<5xf32>, tensor<5xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    %1 = arith.mulf %p2, %p1 : f32
    %2 = arith.subf %p3, %1 : f32
    %3 = arith.addf %0, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// Two in a row.
// CHECK-LABEL: func @two_factors(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>, %[[T:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[WT:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[WS]], %[[T]] :
// CHECK-NEXT:      ^bb0(%[[PWT:.*]]: f32, %[[QWT:.*]]: f32,
// CHECK-NEXT:      arith.divf %[[PWT]], %[[QWT]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WT]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @two_factors(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xf32>, %t: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %d = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%d, %t : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.divf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// (x + t) * s: the tensor that was added is scaled by an op of its own.
// CHECK-LABEL: func @residual_before(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[T:[a-z0-9]*]]: tensor<2x5x7x10xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[TS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$SECOND]], #[[$ALL]]], {{.*}}} ins(%[[T]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PTS:.*]]: f32, %[[QTS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PTS]], %[[QTS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) residual(%[[TS]] : tensor<2x5x7x10xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @residual_before(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %t: tensor<2x5x7x10xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %d = linalg.add ins(%c, %t : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%d, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// x * s + t: it is not.
// CHECK-LABEL: func @residual_after(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[T:[a-z0-9]*]]: tensor<2x5x7x10xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) residual(%[[T]] : tensor<2x5x7x10xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @residual_after(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %t: tensor<2x5x7x10xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %d = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  %r = linalg.add ins(%t, %d : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// -(x + t).
// CHECK-LABEL: func @negated_residual(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[T:[a-z0-9]*]]: tensor<2x5x7x10xf32>)
// CHECK:         %[[M:.*]] = arith.constant dense<-1.000000e+00> : tensor<5xf32>
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[M]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[TS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$SECOND]], #[[$ALL]]], {{.*}}} ins(%[[T]], %[[M]] :
// CHECK-NEXT:      ^bb0(%[[PTS:.*]]: f32, %[[QTS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PTS]], %[[QTS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) residual(%[[TS]] : tensor<2x5x7x10xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @negated_residual(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %t: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %d = linalg.add ins(%c, %t : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.negf ins(%d : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// Bias, scale, residual, relu.
// CHECK-LABEL: func @everything(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>, %[[T:[a-z0-9]*]]: tensor<2x5x7x10xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[BS:.*]] = linalg.generic {indexing_maps = [#[[$ONE]], #[[$ONE]], #[[$ONE]]], {{.*}}} ins(%[[B]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PBS:.*]]: f32, %[[QBS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PBS]], %[[QBS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) bias(%[[BS]] : tensor<5xf32>) residual(%[[T]] : tensor<2x5x7x10xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @everything(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>, %s: tensor<5xf32>, %t: tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b, %s, %t : tensor<2x5x7x10xf32>, tensor<5xf32>, tensor<5xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %p3: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    %1 = arith.mulf %0, %p2 : f32
    %2 = arith.addf %1, %p3 : f32
    %3 = arith.cmpf ugt, %2, %zero : f32
    %4 = arith.select %3, %2, %zero : f32
    linalg.yield %4 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// An activation behind the scale.
// CHECK-LABEL: func @relu6_behind(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act clip(0.000000e+00, 6.000000e+00) strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @relu6_behind(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %six = arith.constant 6.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %d = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%d : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.minimumf %p0, %six : f32
    %1 = arith.maximumf %0, %zero : f32
    linalg.yield %1 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// -x begins a sigmoid here and a product ends it: neither is a scale.
// CHECK-LABEL: func @silu(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act swish(1.000000e+00) strides [2, 1] ins(%[[X]], %[[W]] :
// CHECK-NEXT:    return %[[R]]
func.func @silu(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.negf %p0 : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %one, %2 : f32
    %4 = arith.mulf %3, %p0 : f32
    linalg.yield %4 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @sigmoid(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act sigmoid strides [2, 1] ins(%[[X]], %[[W]] :
// CHECK-NEXT:    return %[[R]]
func.func @sigmoid(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.negf %p0 : f32
    %1 = math.exp %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.divf %one, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// x / 6 + 1/2 between 0 and 1.
// CHECK-LABEL: func @hardsigmoid(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act hardsigmoid(0.166666672, 5.000000e-01) strides [2, 1] ins(%[[X]], %[[W]] :
// CHECK-NEXT:    return %[[R]]
func.func @hardsigmoid(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %six = arith.constant 6.0 : f32
  %half = arith.constant 0.5 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.divf %p0, %six : f32
    %1 = arith.addf %0, %half : f32
    %2 = arith.maximumf %1, %zero : f32
    %3 = arith.minimumf %2, %one : f32
    linalg.yield %3 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// A filter in bf16 is scaled in f32, and rounded when it is packed.
// CHECK-LABEL: func @bf16_filter(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xbf16>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xbf16>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: bf16, %[[QWS:.*]]: f32,
// CHECK-NEXT:      %[[FWS:.*]] = arith.extf %[[PWS]]
// CHECK-NEXT:      arith.mulf %[[FWS]], %[[QWS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @bf16_filter(%x: tensor<2x3x15x11xbf16>, %w: tensor<5x3x3x2xbf16>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xbf16>, tensor<5x3x3x2xbf16>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// A factor in bf16 is widened.
// CHECK-LABEL: func @bf16_factor(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<5xbf16>)
// CHECK:         %[[V:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<5xbf16>)
// CHECK:           arith.extf
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[V]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @bf16_factor(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xbf16>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<5xbf16>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: bf16, %out: f32):
    %0 = arith.extf %p1 : bf16 to f32
    %1 = arith.mulf %p0, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// A factor that is rounded to bf16 in the same op stays rounded.
// CHECK-LABEL: func @factor_rounded_in_the_op(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[V:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<5xf32>)
// CHECK:           %[[N:.*]] = arith.truncf %{{.*}} : f32 to bf16
// CHECK-NEXT:      arith.extf %[[N]] : bf16 to f32
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[V]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @factor_rounded_in_the_op(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.truncf %p1 : f32 to bf16
    %1 = arith.extf %0 : bf16 to f32
    %2 = arith.mulf %p0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The factor and the filter of two convolutions: the filter stays for the one that is
// not scaled.
// CHECK-LABEL: func @two_users_of_factor(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>, %[[Y:[a-z0-9]*]]: tensor<2x3x15x11xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[R1:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK:         %[[R2:.*]] = fusion.fused_conv_bias_act strides [2, 1] ins(%[[Y]], %[[W]] : {{[^)]*}}) bias(%[[S]] :
// CHECK-NEXT:    return %[[R1]], %[[R2]]
func.func @two_users_of_factor(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xf32>, %y: tensor<2x3x15x11xf32>) -> (tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %d = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%y, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  %q = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%d, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  return %r, %q : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>
}
