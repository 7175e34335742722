// RUN: fusion-opt %s --fusion-partition="patterns=maxpool,avgpool,add,softmax,leaky_relu,clip,relu,tanh,sigmoid,abs,exp,sqrt" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: fusion-opt %t.mlir --fusion-partition="patterns=maxpool,avgpool,add,softmax,leaky_relu,clip,relu,tanh,sigmoid,abs,exp,sqrt" | diff %t.mlir -

// Single ops, each of which is the whole function. TVM 81 to 85.

// TVM 83: element-wise ops.
// CHECK-LABEL: func.func @abs(
// CHECK-NEXT:    %[[R:.*]] = call @fused_abs(%arg0)
// CHECK-NEXT:    return %[[R]]
func.func @abs(%x: tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32> {
  %e = tensor.empty() : tensor<2x3x5x4xf32>
  %r = linalg.map ins(%x : tensor<2x3x5x4xf32>) outs(%e : tensor<2x3x5x4xf32>) (%in: f32, %out: f32) {
    %a = math.absf %in : f32
    linalg.yield %a : f32
  }
  return %r : tensor<2x3x5x4xf32>
}

// CHECK-LABEL: func.func @exp(
// CHECK-NEXT:    %[[R:.*]] = call @fused_exp(%arg0)
// CHECK-NEXT:    return %[[R]]
func.func @exp(%x: tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32> {
  %e = tensor.empty() : tensor<2x3x5x4xf32>
  %r = linalg.map ins(%x : tensor<2x3x5x4xf32>) outs(%e : tensor<2x3x5x4xf32>) (%in: f32, %out: f32) {
    %a = math.exp %in : f32
    linalg.yield %a : f32
  }
  return %r : tensor<2x3x5x4xf32>
}

// CHECK-LABEL: func.func @sqrt(
// CHECK-NEXT:    %[[R:.*]] = call @fused_sqrt(%arg0)
// CHECK-NEXT:    return %[[R]]
func.func @sqrt(%x: tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32> {
  %e = tensor.empty() : tensor<2x3x5x4xf32>
  %r = linalg.map ins(%x : tensor<2x3x5x4xf32>) outs(%e : tensor<2x3x5x4xf32>) (%in: f32, %out: f32) {
    %a = math.sqrt %in : f32
    linalg.yield %a : f32
  }
  return %r : tensor<2x3x5x4xf32>
}

// CHECK-LABEL: func.func @relu(
// CHECK-NEXT:    %[[R:.*]] = call @fused_relu(%arg0)
// CHECK-NEXT:    return %[[R]]
func.func @relu(%x: tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32> {
  %k = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x5x4xf32>
  %r = linalg.map ins(%x : tensor<2x3x5x4xf32>) outs(%e : tensor<2x3x5x4xf32>) (%in: f32, %out: f32) {
    %a = arith.maximumf %in, %k : f32
    linalg.yield %a : f32
  }
  return %r : tensor<2x3x5x4xf32>
}

// CHECK-LABEL: func.func @tanh(
// CHECK-NEXT:    %[[R:.*]] = call @fused_tanh(%arg0)
// CHECK-NEXT:    return %[[R]]
func.func @tanh(%x: tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32> {
  %e = tensor.empty() : tensor<2x3x5x4xf32>
  %r = linalg.map ins(%x : tensor<2x3x5x4xf32>) outs(%e : tensor<2x3x5x4xf32>) (%in: f32, %out: f32) {
    %a = math.tanh %in : f32
    linalg.yield %a : f32
  }
  return %r : tensor<2x3x5x4xf32>
}

// CHECK-LABEL: func.func @sigmoid(
// CHECK-NEXT:    %[[R:.*]] = call @fused_sigmoid(%arg0)
// CHECK-NEXT:    return %[[R]]
func.func @sigmoid(%x: tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32> {
  %one = arith.constant 1.0 : f32
  %e = tensor.empty() : tensor<2x3x5x4xf32>
  %r = linalg.map ins(%x : tensor<2x3x5x4xf32>) outs(%e : tensor<2x3x5x4xf32>) (%in: f32, %out: f32) {
    %a = arith.negf %in : f32
    %b = math.exp %a : f32
    %c = arith.addf %b, %one : f32
    %d = arith.divf %one, %c : f32
    linalg.yield %d : f32
  }
  return %r : tensor<2x3x5x4xf32>
}

// A logarithm is none of oneDNN's activations here, and stays.
// CHECK-LABEL: func.func @log(
// CHECK-NOT:     call
// CHECK:         linalg.map
// CHECK:         return
func.func @log(%x: tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32> {
  %e = tensor.empty() : tensor<2x3x5x4xf32>
  %r = linalg.map ins(%x : tensor<2x3x5x4xf32>) outs(%e : tensor<2x3x5x4xf32>) (%in: f32, %out: f32) {
    %a = math.log %in : f32
    linalg.yield %a : f32
  }
  return %r : tensor<2x3x5x4xf32>
}

// TVM 84: a clip whose bounds are of both signs, a leaky relu.
// CHECK-LABEL: func.func @clip(
// CHECK-NEXT:    %[[R:.*]] = call @fused_clip(%arg0)
// CHECK-NEXT:    return %[[R]]
func.func @clip(%x: tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32> {
  %low = arith.constant -0.2 : f32
  %high = arith.constant 0.4 : f32
  %e = tensor.empty() : tensor<2x3x5x4xf32>
  %r = linalg.map ins(%x : tensor<2x3x5x4xf32>) outs(%e : tensor<2x3x5x4xf32>) (%in: f32, %out: f32) {
    %a = arith.maximumf %in, %low : f32
    %b = arith.minimumf %a, %high : f32
    linalg.yield %b : f32
  }
  return %r : tensor<2x3x5x4xf32>
}

// CHECK-LABEL: func.func @leaky_relu(
// CHECK-NEXT:    %[[R:.*]] = call @fused_leaky_relu(%arg0)
// CHECK-NEXT:    return %[[R]]
func.func @leaky_relu(%x: tensor<2x3x5x4xf32>) -> tensor<2x3x5x4xf32> {
  %k = arith.constant 0.0 : f32
  %slope = arith.constant 0.1 : f32
  %e = tensor.empty() : tensor<2x3x5x4xf32>
  %r = linalg.map ins(%x : tensor<2x3x5x4xf32>) outs(%e : tensor<2x3x5x4xf32>) (%in: f32, %out: f32) {
    %a = arith.mulf %in, %slope : f32
    %b = arith.cmpf ogt, %in, %k : f32
    %c = arith.select %b, %in, %a : f32
    linalg.yield %c : f32
  }
  return %r : tensor<2x3x5x4xf32>
}

// Softmax along the last dimension, and along one in front of it.
// CHECK-LABEL: func.func @softmax(
// CHECK-NEXT:    %[[A:.*]] = call @fused_softmax(%arg0)
// CHECK-NEXT:    %[[B:.*]] = call @fused_softmax_1(%[[A]])
// CHECK-NEXT:    return %[[B]]
func.func @softmax(%x: tensor<2x3x4xf32>) -> tensor<2x3x4xf32> {
  %e = tensor.empty() : tensor<2x3x4xf32>
  %a = linalg.softmax dimension(2) ins(%x : tensor<2x3x4xf32>) outs(%e : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  %r = linalg.softmax dimension(1) ins(%a : tensor<2x3x4xf32>) outs(%e : tensor<2x3x4xf32>) -> tensor<2x3x4xf32>
  return %r : tensor<2x3x4xf32>
}

// TVM 82: both sums are returned; the first one is read by the second one as well.
// CHECK-LABEL: func.func @two_results(
// CHECK-NEXT:    %[[A:.*]] = call @fused_add(%arg0, %arg1)
// CHECK-NEXT:    %[[B:.*]] = call @fused_add(%[[A]], %arg1)
// CHECK-NEXT:    return %[[A]], %[[B]]
func.func @two_results(%x: tensor<1x3xf32>, %y: tensor<1x3xf32>) -> (tensor<1x3xf32>, tensor<1x3xf32>) {
  %e = tensor.empty() : tensor<1x3xf32>
  %a = linalg.add ins(%x, %y : tensor<1x3xf32>, tensor<1x3xf32>) outs(%e : tensor<1x3xf32>) -> tensor<1x3xf32>
  %b = linalg.add ins(%a, %y : tensor<1x3xf32>, tensor<1x3xf32>) outs(%e : tensor<1x3xf32>) -> tensor<1x3xf32>
  return %a, %b : tensor<1x3xf32>, tensor<1x3xf32>
}

// TVM 81: casts to an integer and back stay between a sum and its relu.
// CHECK-LABEL: func.func @casts_between(
// CHECK:         %[[A:.*]] = call @fused_add_1(%arg0)
// CHECK-NEXT:    %[[I:.*]] = arith.fptosi %[[A]]
// CHECK-NEXT:    %[[F:.*]] = arith.sitofp %[[I]]
// CHECK-NEXT:    call @fused_relu_1(%[[F]])
// CHECK-NEXT:    return
func.func @casts_between(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %z = arith.constant dense<0.0> : tensor<4x3xf32>
  %e = tensor.empty() : tensor<4x3xf32>
  %a = linalg.add ins(%x, %x : tensor<4x3xf32>, tensor<4x3xf32>) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>
  %i = arith.fptosi %a : tensor<4x3xf32> to tensor<4x3xi32>
  %f = arith.sitofp %i : tensor<4x3xi32> to tensor<4x3xf32>
  %r = linalg.max ins(%f, %z : tensor<4x3xf32>, tensor<4x3xf32>) outs(%e : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// TVM 85: three dimensions, without and with a padding.
// CHECK-LABEL: func.func @maxpool_3d(
// CHECK-NEXT:    %[[R:.*]] = call @fused_maxpool(%arg0)
// CHECK-NEXT:    return %[[R]]
func.func @maxpool_3d(%x: tensor<2x5x9x8x3xf32>) -> tensor<2x4x4x2x3xf32> {
  %k = arith.constant 0xFF800000 : f32
  %w = tensor.empty() : tensor<2x3x4xf32>
  %e = tensor.empty() : tensor<2x4x4x2x3xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<2x4x4x2x3xf32>) -> tensor<2x4x4x2x3xf32>
  %m = linalg.pooling_ndhwc_max {strides = dense<[1, 2, 3]> : tensor<3xi64>} ins(%x, %w : tensor<2x5x9x8x3xf32>, tensor<2x3x4xf32>) outs(%f : tensor<2x4x4x2x3xf32>) -> tensor<2x4x4x2x3xf32>
  return %m : tensor<2x4x4x2x3xf32>
}

// CHECK-LABEL: func.func @maxpool_3d_padded(
// CHECK-NEXT:    %[[R:.*]] = call @fused_maxpool_1(%arg0)
// CHECK-NEXT:    return %[[R]]
func.func @maxpool_3d_padded(%x: tensor<2x5x9x8x3xf32>) -> tensor<2x5x5x2x3xf32> {
  %k = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x low[0, 1, 0, 0, 0] high[0, 0, 2, 1, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index, %i4: index):
    tensor.yield %k : f32
  } : tensor<2x5x9x8x3xf32> to tensor<2x6x11x9x3xf32>
  %w = tensor.empty() : tensor<2x3x4xf32>
  %e = tensor.empty() : tensor<2x5x5x2x3xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<2x5x5x2x3xf32>) -> tensor<2x5x5x2x3xf32>
  %m = linalg.pooling_ndhwc_max {strides = dense<[1, 2, 3]> : tensor<3xi64>} ins(%p, %w : tensor<2x6x11x9x3xf32>, tensor<2x3x4xf32>) outs(%f : tensor<2x5x5x2x3xf32>) -> tensor<2x5x5x2x3xf32>
  return %m : tensor<2x5x5x2x3xf32>
}

// CHECK-LABEL: func.func @avgpool_3d(
// CHECK-NEXT:    %[[R:.*]] = call @fused_avgpool(%arg0)
// CHECK-NEXT:    return %[[R]]
func.func @avgpool_3d(%x: tensor<2x5x9x8x3xf32>) -> tensor<2x4x4x2x3xf32> {
  %k = arith.constant 0.0 : f32
  %w = tensor.empty() : tensor<2x3x4xf32>
  %e = tensor.empty() : tensor<2x4x4x2x3xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<2x4x4x2x3xf32>) -> tensor<2x4x4x2x3xf32>
  %m = linalg.pooling_ndhwc_sum {strides = dense<[1, 2, 3]> : tensor<3xi64>} ins(%x, %w : tensor<2x5x9x8x3xf32>, tensor<2x3x4xf32>) outs(%f : tensor<2x4x4x2x3xf32>) -> tensor<2x4x4x2x3xf32>
  %n = arith.constant dense<24.0> : tensor<2x4x4x2x3xf32>
  %r = linalg.div ins(%m, %n : tensor<2x4x4x2x3xf32>, tensor<2x4x4x2x3xf32>) outs(%e : tensor<2x4x4x2x3xf32>) -> tensor<2x4x4x2x3xf32>
  return %r : tensor<2x4x4x2x3xf32>
}

// CHECK: func.func private @fused_maxpool_1({{.*}}fusion.composite = "dnnl.maxpool"
// CHECK:   tensor.pad
// CHECK:   linalg.pooling_ndhwc_max
// CHECK: func.func private @fused_avgpool({{.*}}fusion.composite = "dnnl.avgpool"
// CHECK:   linalg.pooling_ndhwc_sum
// CHECK:   linalg.div
