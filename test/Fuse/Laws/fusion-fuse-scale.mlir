// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=EXPLAIN

// fused(x, w, b) * s -> fused(x, w * s, b * s): each spelling of a factor that
// varies along the output channel only, either operand first (TVM 60). Scales with other parts are in
// fusion-fuse-scale-with.mlir, convolutions of all kinds in
// fusion-fuse-scale-layouts.mlir.

// EXPLAIN-COUNT-20: fused: scale
// EXPLAIN-NOT:      fused:

// CHECK-DAG: #[[$ALL:.*]] = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
// CHECK-DAG: #[[$CHANNEL:.*]] = affine_map<(d0, d1, d2, d3) -> (d0)>
// CHECK-DAG: #[[$ONE:.*]] = affine_map<(d0) -> (d0)>
#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>
#channel3 = affine_map<(d0, d1, d2, d3) -> (d1, 0, 0)>
#first = affine_map<(d0, d1, d2, d3) -> (0)>
#none = affine_map<(d0, d1, d2, d3) -> ()>

// CHECK-LABEL: func @mul(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @mul(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @mul_swapped_operands(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @mul_swapped_operands(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p1, %p0 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @mul_swapped_inputs(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @mul_swapped_inputs(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#channel, #all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%s, %c : tensor<5xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @div(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.divf %[[PWS]], %[[QWS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @div(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.divf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// -x is a scale by -1 for each channel.
// CHECK-LABEL: func @negf_tensor(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>)
// CHECK:         %[[M:.*]] = arith.constant dense<-1.000000e+00> : tensor<5xf32>
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[M]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @negf_tensor(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = arith.negf %c : tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @linalg_negf(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>)
// CHECK:         %[[M:.*]] = arith.constant dense<-1.000000e+00> : tensor<5xf32>
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[M]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @linalg_negf(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.negf ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// b - x is both a scale by -1 and a bias.
// CHECK-LABEL: func @subtracted_from_bias(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[M:.*]] = arith.constant dense<-1.000000e+00> : tensor<5xf32>
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[M]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @subtracted_from_bias(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %u = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %r = linalg.sub ins(%u, %c : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// 1 - (x + b): -1 times the bias, and 1.
// CHECK-LABEL: func @bias_less_than_number(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK-DAG:     %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<5xf32>
// CHECK-DAG:     %[[M:.*]] = arith.constant dense<-1.000000e+00> : tensor<5xf32>
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[M]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[BS:.*]] = linalg.generic {indexing_maps = [#[[$ONE]], #[[$ONE]], #[[$ONE]]], {{.*}}} ins(%[[B]], %[[M]] :
// CHECK-NEXT:      ^bb0(%[[PBS:.*]]: f32, %[[QBS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PBS]], %[[QBS]]
// CHECK:         %[[BB:.*]] = linalg.add ins(%[[BS]], %[[ONE]] :
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) bias(%[[BB]] : tensor<5xf32>) outs(
// CHECK-NEXT:    return %[[R]]
func.func @bias_less_than_number(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %b: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %one = arith.constant 1.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.addf %p0, %p1 : f32
    %1 = arith.subf %one, %0 : f32
    linalg.yield %1 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @linalg_mul(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @linalg_mul(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %u = linalg.broadcast ins(%s : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %r = linalg.mul ins(%c, %u : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @linalg_div(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.divf %[[PWS]], %[[QWS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @linalg_div(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %u = linalg.broadcast ins(%s : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %r = linalg.div ins(%c, %u : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @linalg_elementwise(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @linalg_elementwise(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<mul> indexing_maps = [#channel, #all, #all]
         ins(%s, %c : tensor<5xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @linalg_map(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.divf %[[PWS]], %[[QWS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @linalg_map(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %u = linalg.broadcast ins(%s : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) dimensions = [0, 2, 3]
  %r = linalg.map { arith.divf } ins(%c, %u : tensor<2x5x7x10xf32>, tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>)
  return %r : tensor<2x5x7x10xf32>
}

// arith on whole tensors.
// CHECK-LABEL: func @tensor_arith(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @tensor_arith(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %u = linalg.generic {indexing_maps = [#channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%s : tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    linalg.yield %p0 : f32
  } -> tensor<2x5x7x10xf32>
  %r = arith.mulf %u, %c : tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @expanded(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[S]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @expanded(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %u = tensor.expand_shape %s [[0, 1, 2]] output_shape [5, 1, 1] : tensor<5xf32> into tensor<5x1x1xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel3, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %u : tensor<2x5x7x10xf32>, tensor<5x1x1xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// One factor for all channels: of rank 0, a scalar, a tensor of one element, a number.
// CHECK-LABEL: func @scalar_tensor(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<f32>)
// CHECK:         %[[N:.*]] = tensor.extract %[[S]][] : tensor<f32>
// CHECK:         %[[V:.*]] = linalg.fill ins(%[[N]] : f32) outs({{.*}} : tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[V]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @scalar_tensor(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<f32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #none, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<f32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @scalar(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: f32)
// CHECK:         %[[V:.*]] = linalg.fill ins(%[[S]] : f32) outs({{.*}} : tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[V]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.divf %[[PWS]], %[[QWS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @scalar(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: f32) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.divf %p0, %s : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @one_element(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<1xf32>)
// CHECK:         %[[N:.*]] = tensor.extract %[[S]][%{{.*}}] : tensor<1xf32>
// CHECK:         %[[V:.*]] = linalg.fill ins(%[[N]] : f32) outs({{.*}} : tensor<5xf32>)
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[V]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @one_element(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<1xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #first, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<1xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// CHECK-LABEL: func @number(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>)
// CHECK:         %[[V:.*]] = arith.constant dense<2.500000e-01> : tensor<5xf32>
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[V]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @number(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %q = arith.constant 0.25 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %0 = arith.mulf %q, %p0 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The factor is computed in the same op, |s| * max(t, 1/2).
// CHECK-LABEL: func @expression(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>, %[[T:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[V:.*]] = linalg.generic {{.*}} ins(%[[S]], %[[T]] : tensor<5xf32>, tensor<5xf32>)
// CHECK-NEXT:      ^bb0(%[[P:.*]]: f32, %[[Q:.*]]: f32,
// CHECK-DAG:       %[[A:.*]] = math.absf %[[P]]
// CHECK-DAG:       %[[M:.*]] = arith.maximumf %[[Q]]
// CHECK:           arith.mulf %[[A]], %[[M]]
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[V]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @expression(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xf32>, %t: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %h = arith.constant 0.5 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s, %t : tensor<2x5x7x10xf32>, tensor<5xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %p2: f32, %out: f32):
    %0 = math.absf %p1 : f32
    %1 = arith.maximumf %p2, %h : f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.mulf %p0, %2 : f32
    linalg.yield %3 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// A power that is no root is no batch norm.
// CHECK-LABEL: func @power(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<2x3x15x11xf32>, %[[W:[a-z0-9]*]]: tensor<5x3x3x2xf32>, %[[S:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[V:.*]] = linalg.generic {{.*}} ins(%[[S]] : tensor<5xf32>)
// CHECK:           math.powf
// CHECK:         %[[WS:.*]] = linalg.generic {indexing_maps = [#[[$ALL]], #[[$CHANNEL]], #[[$ALL]]], {{.*}}} ins(%[[W]], %[[V]] :
// CHECK-NEXT:      ^bb0(%[[PWS:.*]]: f32, %[[QWS:.*]]: f32,
// CHECK-NEXT:      arith.mulf %[[PWS]], %[[QWS]]
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%[[X]], %[[WS]] : {{[^)]*}}) outs(
// CHECK-NEXT:    return %[[R]]
func.func @power(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %h = arith.constant 1.5 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = math.absf %p1 : f32
    %1 = math.powf %0, %h : f32
    %2 = arith.mulf %p0, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}
