// RUN: fusion-run %s --verify --json | FileCheck %s
// RUN: fusion-run %s --verify --json --repeat=9 | FileCheck %s --check-prefix=CALLS
// RUN: fusion-opt %s --fusion-optimize | FileCheck %s --check-prefix=IR
// RUN: fusion-opt %s --fusion-optimize --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --convert-fusion-to-runtime | FileCheck %s --check-prefix=RT
// RUN: fusion-run %s --verify --mode=unfused --json | FileCheck %s --check-prefix=UNFUSED

// TVM 1, the form that a PyTorch front end emits: a convolution, the bias reshaped to
// [1, 6, 1, 1], a broadcasting sum, relu. One fused op; one kernel is created,
// and each call executes it once.

// CHECK: "fused_ops": 1,
// CHECK: "other_convolutions": 0,
// CHECK: "runs": 1,
// CHECK: "creates": 1,
// CHECK: "executes": 2,
// CHECK: "verify": "agrees"

// The first call and nine more.
// CALLS: "runs": 9,
// CALLS: "creates": 1,
// CALLS: "executes": 10,
// CALLS: "verify": "agrees"

// IR-LABEL: func.func @main(
// IR-SAME:    %[[X:[a-z0-9]*]]: tensor<1x3x10x10xf32>, %[[W:[a-z0-9]*]]: tensor<6x3x3x3xf32> {fusion.constant}, %[[B:[a-z0-9]*]]: tensor<6xf32>
// IR-NEXT:    %[[E:.*]] = tensor.empty() : tensor<1x6x8x8xf32>
// IR-NEXT:    %[[R:.*]] = fusion.fused_conv_bias_act relu ins(
// IR-SAME:      %[[X]], %[[W]] : tensor<1x3x10x10xf32>, tensor<6x3x3x3xf32>) bias(%[[B]] : tensor<6xf32>) outs(%[[E]] : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
// IR-NEXT:    return %[[R]] : tensor<1x6x8x8xf32>

// RT-COUNT-1: fusion.rt.execute
// RT-NOT:     fusion.rt.execute
// RT-COUNT-1: fusion.rt.create
// RT-NOT:     fusion.rt.create

// UNFUSED: "fused_ops": 1,
// UNFUSED: "executes": 2,
// UNFUSED: "verify": "agrees"

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>
#in = affine_map<(d0, d1, d2, d3) -> (0, d1, d2, d3)>

func.func @main(%x: tensor<1x3x10x10xf32>, %w: tensor<6x3x3x3xf32> {fusion.constant}, %b: tensor<6xf32> {fusion.constant}) -> tensor<1x6x8x8xf32> {
  %zero = arith.constant 0.0 : f32
  %shape = arith.constant dense<[1, 6, 1, 1]> : tensor<4xi64>
  %e = tensor.empty() : tensor<1x6x8x8xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  %c = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>}
         ins(%x, %w : tensor<1x3x10x10xf32>, tensor<6x3x3x3xf32>) outs(%f : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  %v = tensor.reshape %b(%shape) : (tensor<6xf32>, tensor<4xi64>) -> tensor<1x6x1x1xf32>
  %s = linalg.generic {indexing_maps = [#in, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %v : tensor<1x6x8x8xf32>, tensor<1x6x1x1xf32>) outs(%e : tensor<1x6x8x8xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %t = arith.addf %p0, %p1 : f32
    linalg.yield %t : f32
  } -> tensor<1x6x8x8xf32>
  %r = linalg.generic {indexing_maps = [#in, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%s : tensor<1x6x8x8xf32>) outs(%e : tensor<1x6x8x8xf32>) {
  ^bb0(%p0: f32, %out: f32):
    %g = arith.cmpf ugt, %p0, %zero : f32
    %t = arith.select %g, %p0, %zero : f32
    linalg.yield %t : f32
  } -> tensor<1x6x8x8xf32>
  return %r : tensor<1x6x8x8xf32>
}
