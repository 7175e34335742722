// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias_relu,conv2d_bias,conv2d" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir --implicit-check-not=linalg.conv
// RUN: fusion-opt %t.mlir --fusion-partition="patterns=conv2d_bias_relu,conv2d_bias,conv2d" | diff %t.mlir -
// RUN: fusion-opt %s --fusion-partition="patterns=conv2d_bias_relu" | FileCheck %s --check-prefix=ONLY

// TVM 34, 35: a convolution with nothing, with a bias, and with a bias and a relu, in two
// element types and two layouts: one composite each, with its padding and strides.

// TVM 3: a pattern with bias and relu takes four of these twelve, and none that has no
// bias or no relu.
// ONLY-COUNT-4: call @fused_conv2d_bias_relu
// ONLY-NOT:     call
// ONLY-COUNT-4: fusion.composite = "dnnl.conv2d_bias_relu"
// ONLY-NOT:     fusion.composite

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// CHECK-LABEL: func.func @f32_nhwc_none(
// CHECK-NEXT:    %[[R:.*]] = call @fused_conv2d(%arg0, %arg1)
// CHECK-NEXT:    return %[[R]]
func.func @f32_nhwc_none(%x: tensor<2x9x11x3xf32>, %w: tensor<6x3x2x3xf32>) -> tensor<2x5x12x6xf32> {
  %k = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5x12x6xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<2x5x12x6xf32>) -> tensor<2x5x12x6xf32>
  %p = tensor.pad %x low[0, 1, 0, 0] high[0, 2, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %k : f32
  } : tensor<2x9x11x3xf32> to tensor<2x12x13x3xf32>
  %c = linalg.conv_2d_nhwc_fhwc {strides = dense<[2, 1]> : tensor<2xi64>} ins(%p, %w : tensor<2x12x13x3xf32>, tensor<6x3x2x3xf32>) outs(%f : tensor<2x5x12x6xf32>) -> tensor<2x5x12x6xf32>
  return %c : tensor<2x5x12x6xf32>
}

// CHECK-LABEL: func.func @f32_nhwc_bias(
// CHECK-NEXT:    %[[R:.*]] = call @fused_conv2d_bias(%arg0, %arg1, %arg2)
// CHECK-NEXT:    return %[[R]]
func.func @f32_nhwc_bias(%x: tensor<2x9x11x3xf32>, %w: tensor<6x3x2x3xf32>, %b: tensor<6xf32>) -> tensor<2x5x12x6xf32> {
  %k = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5x12x6xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<2x5x12x6xf32>) -> tensor<2x5x12x6xf32>
  %p = tensor.pad %x low[0, 1, 0, 0] high[0, 2, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %k : f32
  } : tensor<2x9x11x3xf32> to tensor<2x12x13x3xf32>
  %c = linalg.conv_2d_nhwc_fhwc {strides = dense<[2, 1]> : tensor<2xi64>} ins(%p, %w : tensor<2x12x13x3xf32>, tensor<6x3x2x3xf32>) outs(%f : tensor<2x5x12x6xf32>) -> tensor<2x5x12x6xf32>
  %v = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<2x5x12x6xf32>) dimensions = [0, 1, 2]
  %s = linalg.add ins(%c, %v : tensor<2x5x12x6xf32>, tensor<2x5x12x6xf32>) outs(%e : tensor<2x5x12x6xf32>) -> tensor<2x5x12x6xf32>
  return %s : tensor<2x5x12x6xf32>
}

// CHECK-LABEL: func.func @f32_nhwc_bias_relu(
// CHECK-NEXT:    %[[R:.*]] = call @fused_conv2d_bias_relu(%arg0, %arg1, %arg2)
// CHECK-NEXT:    return %[[R]]
func.func @f32_nhwc_bias_relu(%x: tensor<2x9x11x3xf32>, %w: tensor<6x3x2x3xf32>, %b: tensor<6xf32>) -> tensor<2x5x12x6xf32> {
  %k = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x5x12x6xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<2x5x12x6xf32>) -> tensor<2x5x12x6xf32>
  %p = tensor.pad %x low[0, 1, 0, 0] high[0, 2, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %k : f32
  } : tensor<2x9x11x3xf32> to tensor<2x12x13x3xf32>
  %c = linalg.conv_2d_nhwc_fhwc {strides = dense<[2, 1]> : tensor<2xi64>} ins(%p, %w : tensor<2x12x13x3xf32>, tensor<6x3x2x3xf32>) outs(%f : tensor<2x5x12x6xf32>) -> tensor<2x5x12x6xf32>
  %v = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<2x5x12x6xf32>) dimensions = [0, 1, 2]
  %s = linalg.add ins(%c, %v : tensor<2x5x12x6xf32>, tensor<2x5x12x6xf32>) outs(%e : tensor<2x5x12x6xf32>) -> tensor<2x5x12x6xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x5x12x6xf32>) outs(%e : tensor<2x5x12x6xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %k : f32
    linalg.yield %m : f32
  } -> tensor<2x5x12x6xf32>
  return %r : tensor<2x5x12x6xf32>
}

// CHECK-LABEL: func.func @f32_nchw_none(
// CHECK-NEXT:    %[[R:.*]] = call @fused_conv2d_1(%arg0, %arg1)
// CHECK-NEXT:    return %[[R]]
func.func @f32_nchw_none(%x: tensor<2x3x9x11xf32>, %w: tensor<6x3x3x2xf32>) -> tensor<2x6x5x12xf32> {
  %k = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x5x12xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<2x6x5x12xf32>) -> tensor<2x6x5x12xf32>
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 2, 2] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %k : f32
  } : tensor<2x3x9x11xf32> to tensor<2x3x12x13xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>} ins(%p, %w : tensor<2x3x12x13xf32>, tensor<6x3x3x2xf32>) outs(%f : tensor<2x6x5x12xf32>) -> tensor<2x6x5x12xf32>
  return %c : tensor<2x6x5x12xf32>
}

// CHECK-LABEL: func.func @f32_nchw_bias(
// CHECK-NEXT:    %[[R:.*]] = call @fused_conv2d_bias_1(%arg0, %arg1, %arg2)
// CHECK-NEXT:    return %[[R]]
func.func @f32_nchw_bias(%x: tensor<2x3x9x11xf32>, %w: tensor<6x3x3x2xf32>, %b: tensor<6xf32>) -> tensor<2x6x5x12xf32> {
  %k = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x5x12xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<2x6x5x12xf32>) -> tensor<2x6x5x12xf32>
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 2, 2] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %k : f32
  } : tensor<2x3x9x11xf32> to tensor<2x3x12x13xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>} ins(%p, %w : tensor<2x3x12x13xf32>, tensor<6x3x3x2xf32>) outs(%f : tensor<2x6x5x12xf32>) -> tensor<2x6x5x12xf32>
  %v = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<2x6x5x12xf32>) dimensions = [0, 2, 3]
  %s = linalg.add ins(%c, %v : tensor<2x6x5x12xf32>, tensor<2x6x5x12xf32>) outs(%e : tensor<2x6x5x12xf32>) -> tensor<2x6x5x12xf32>
  return %s : tensor<2x6x5x12xf32>
}

// CHECK-LABEL: func.func @f32_nchw_bias_relu(
// CHECK-NEXT:    %[[R:.*]] = call @fused_conv2d_bias_relu_1(%arg0, %arg1, %arg2)
// CHECK-NEXT:    return %[[R]]
func.func @f32_nchw_bias_relu(%x: tensor<2x3x9x11xf32>, %w: tensor<6x3x3x2xf32>, %b: tensor<6xf32>) -> tensor<2x6x5x12xf32> {
  %k = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x5x12xf32>
  %f = linalg.fill ins(%k : f32) outs(%e : tensor<2x6x5x12xf32>) -> tensor<2x6x5x12xf32>
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 2, 2] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %k : f32
  } : tensor<2x3x9x11xf32> to tensor<2x3x12x13xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>} ins(%p, %w : tensor<2x3x12x13xf32>, tensor<6x3x3x2xf32>) outs(%f : tensor<2x6x5x12xf32>) -> tensor<2x6x5x12xf32>
  %v = linalg.broadcast ins(%b : tensor<6xf32>) outs(%e : tensor<2x6x5x12xf32>) dimensions = [0, 2, 3]
  %s = linalg.add ins(%c, %v : tensor<2x6x5x12xf32>, tensor<2x6x5x12xf32>) outs(%e : tensor<2x6x5x12xf32>) -> tensor<2x6x5x12xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x6x5x12xf32>) outs(%e : tensor<2x6x5x12xf32>) {
  ^bb0(%a: f32, %o: f32):
    %m = arith.maximumf %a, %k : f32
    linalg.yield %m : f32
  } -> tensor<2x6x5x12xf32>
  return %r : tensor<2x6x5x12xf32>
}

// CHECK-LABEL: func.func @f16_nhwc_none(
// CHECK-NEXT:    %[[R:.*]] = call @fused_conv2d_2(%arg0, %arg1)
// CHECK-NEXT:    return %[[R]]
func.func @f16_nhwc_none(%x: tensor<2x9x11x3xf16>, %w: tensor<6x3x2x3xf16>) -> tensor<2x5x12x6xf16> {
  %k = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<2x5x12x6xf16>
  %f = linalg.fill ins(%k : f16) outs(%e : tensor<2x5x12x6xf16>) -> tensor<2x5x12x6xf16>
  %p = tensor.pad %x low[0, 1, 0, 0] high[0, 2, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %k : f16
  } : tensor<2x9x11x3xf16> to tensor<2x12x13x3xf16>
  %c = linalg.conv_2d_nhwc_fhwc {strides = dense<[2, 1]> : tensor<2xi64>} ins(%p, %w : tensor<2x12x13x3xf16>, tensor<6x3x2x3xf16>) outs(%f : tensor<2x5x12x6xf16>) -> tensor<2x5x12x6xf16>
  return %c : tensor<2x5x12x6xf16>
}

// CHECK-LABEL: func.func @f16_nhwc_bias(
// CHECK-NEXT:    %[[R:.*]] = call @fused_conv2d_bias_2(%arg0, %arg1, %arg2)
// CHECK-NEXT:    return %[[R]]
func.func @f16_nhwc_bias(%x: tensor<2x9x11x3xf16>, %w: tensor<6x3x2x3xf16>, %b: tensor<6xf16>) -> tensor<2x5x12x6xf16> {
  %k = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<2x5x12x6xf16>
  %f = linalg.fill ins(%k : f16) outs(%e : tensor<2x5x12x6xf16>) -> tensor<2x5x12x6xf16>
  %p = tensor.pad %x low[0, 1, 0, 0] high[0, 2, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %k : f16
  } : tensor<2x9x11x3xf16> to tensor<2x12x13x3xf16>
  %c = linalg.conv_2d_nhwc_fhwc {strides = dense<[2, 1]> : tensor<2xi64>} ins(%p, %w : tensor<2x12x13x3xf16>, tensor<6x3x2x3xf16>) outs(%f : tensor<2x5x12x6xf16>) -> tensor<2x5x12x6xf16>
  %v = linalg.broadcast ins(%b : tensor<6xf16>) outs(%e : tensor<2x5x12x6xf16>) dimensions = [0, 1, 2]
  %s = linalg.add ins(%c, %v : tensor<2x5x12x6xf16>, tensor<2x5x12x6xf16>) outs(%e : tensor<2x5x12x6xf16>) -> tensor<2x5x12x6xf16>
  return %s : tensor<2x5x12x6xf16>
}

// CHECK-LABEL: func.func @f16_nhwc_bias_relu(
// CHECK-NEXT:    %[[R:.*]] = call @fused_conv2d_bias_relu_2(%arg0, %arg1, %arg2)
// CHECK-NEXT:    return %[[R]]
func.func @f16_nhwc_bias_relu(%x: tensor<2x9x11x3xf16>, %w: tensor<6x3x2x3xf16>, %b: tensor<6xf16>) -> tensor<2x5x12x6xf16> {
  %k = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<2x5x12x6xf16>
  %f = linalg.fill ins(%k : f16) outs(%e : tensor<2x5x12x6xf16>) -> tensor<2x5x12x6xf16>
  %p = tensor.pad %x low[0, 1, 0, 0] high[0, 2, 2, 0] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %k : f16
  } : tensor<2x9x11x3xf16> to tensor<2x12x13x3xf16>
  %c = linalg.conv_2d_nhwc_fhwc {strides = dense<[2, 1]> : tensor<2xi64>} ins(%p, %w : tensor<2x12x13x3xf16>, tensor<6x3x2x3xf16>) outs(%f : tensor<2x5x12x6xf16>) -> tensor<2x5x12x6xf16>
  %v = linalg.broadcast ins(%b : tensor<6xf16>) outs(%e : tensor<2x5x12x6xf16>) dimensions = [0, 1, 2]
  %s = linalg.add ins(%c, %v : tensor<2x5x12x6xf16>, tensor<2x5x12x6xf16>) outs(%e : tensor<2x5x12x6xf16>) -> tensor<2x5x12x6xf16>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x5x12x6xf16>) outs(%e : tensor<2x5x12x6xf16>) {
  ^bb0(%a: f16, %o: f16):
    %m = arith.maximumf %a, %k : f16
    linalg.yield %m : f16
  } -> tensor<2x5x12x6xf16>
  return %r : tensor<2x5x12x6xf16>
}

// CHECK-LABEL: func.func @f16_nchw_none(
// CHECK-NEXT:    %[[R:.*]] = call @fused_conv2d_3(%arg0, %arg1)
// CHECK-NEXT:    return %[[R]]
func.func @f16_nchw_none(%x: tensor<2x3x9x11xf16>, %w: tensor<6x3x3x2xf16>) -> tensor<2x6x5x12xf16> {
  %k = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<2x6x5x12xf16>
  %f = linalg.fill ins(%k : f16) outs(%e : tensor<2x6x5x12xf16>) -> tensor<2x6x5x12xf16>
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 2, 2] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %k : f16
  } : tensor<2x3x9x11xf16> to tensor<2x3x12x13xf16>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>} ins(%p, %w : tensor<2x3x12x13xf16>, tensor<6x3x3x2xf16>) outs(%f : tensor<2x6x5x12xf16>) -> tensor<2x6x5x12xf16>
  return %c : tensor<2x6x5x12xf16>
}

// CHECK-LABEL: func.func @f16_nchw_bias(
// CHECK-NEXT:    %[[R:.*]] = call @fused_conv2d_bias_3(%arg0, %arg1, %arg2)
// CHECK-NEXT:    return %[[R]]
func.func @f16_nchw_bias(%x: tensor<2x3x9x11xf16>, %w: tensor<6x3x3x2xf16>, %b: tensor<6xf16>) -> tensor<2x6x5x12xf16> {
  %k = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<2x6x5x12xf16>
  %f = linalg.fill ins(%k : f16) outs(%e : tensor<2x6x5x12xf16>) -> tensor<2x6x5x12xf16>
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 2, 2] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %k : f16
  } : tensor<2x3x9x11xf16> to tensor<2x3x12x13xf16>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>} ins(%p, %w : tensor<2x3x12x13xf16>, tensor<6x3x3x2xf16>) outs(%f : tensor<2x6x5x12xf16>) -> tensor<2x6x5x12xf16>
  %v = linalg.broadcast ins(%b : tensor<6xf16>) outs(%e : tensor<2x6x5x12xf16>) dimensions = [0, 2, 3]
  %s = linalg.add ins(%c, %v : tensor<2x6x5x12xf16>, tensor<2x6x5x12xf16>) outs(%e : tensor<2x6x5x12xf16>) -> tensor<2x6x5x12xf16>
  return %s : tensor<2x6x5x12xf16>
}

// CHECK-LABEL: func.func @f16_nchw_bias_relu(
// CHECK-NEXT:    %[[R:.*]] = call @fused_conv2d_bias_relu_3(%arg0, %arg1, %arg2)
// CHECK-NEXT:    return %[[R]]
func.func @f16_nchw_bias_relu(%x: tensor<2x3x9x11xf16>, %w: tensor<6x3x3x2xf16>, %b: tensor<6xf16>) -> tensor<2x6x5x12xf16> {
  %k = arith.constant 0.0 : f16
  %e = tensor.empty() : tensor<2x6x5x12xf16>
  %f = linalg.fill ins(%k : f16) outs(%e : tensor<2x6x5x12xf16>) -> tensor<2x6x5x12xf16>
  %p = tensor.pad %x low[0, 0, 1, 0] high[0, 0, 2, 2] {
  ^bb0(%i0: index, %i1: index, %i2: index, %i3: index):
    tensor.yield %k : f16
  } : tensor<2x3x9x11xf16> to tensor<2x3x12x13xf16>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : tensor<2xi64>} ins(%p, %w : tensor<2x3x12x13xf16>, tensor<6x3x3x2xf16>) outs(%f : tensor<2x6x5x12xf16>) -> tensor<2x6x5x12xf16>
  %v = linalg.broadcast ins(%b : tensor<6xf16>) outs(%e : tensor<2x6x5x12xf16>) dimensions = [0, 2, 3]
  %s = linalg.add ins(%c, %v : tensor<2x6x5x12xf16>, tensor<2x6x5x12xf16>) outs(%e : tensor<2x6x5x12xf16>) -> tensor<2x6x5x12xf16>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%s : tensor<2x6x5x12xf16>) outs(%e : tensor<2x6x5x12xf16>) {
  ^bb0(%a: f16, %o: f16):
    %m = arith.maximumf %a, %k : f16
    linalg.yield %m : f16
  } -> tensor<2x6x5x12xf16>
  return %r : tensor<2x6x5x12xf16>
}

// CHECK:      func.func private @fused_conv2d_bias_relu(%{{.*}}: tensor<2x9x11x3xf32> {fusion.role = "input"}, %{{.*}}: tensor<6x3x2x3xf32> {fusion.role = "filter"}, %{{.*}}: tensor<6xf32> {fusion.role = "bias"})
// CHECK-SAME:   fusion.composite = "dnnl.conv2d_bias_relu"
// CHECK:          tensor.pad
// CHECK:          linalg.conv_2d_nhwc_fhwc {{.*}}strides = dense<[2, 1]>
// CHECK:      func.func private @fused_conv2d_bias_relu_1(%{{.*}}: tensor<2x3x9x11xf32> {fusion.role = "input"}, %{{.*}}: tensor<6x3x3x2xf32> {fusion.role = "filter"}, %{{.*}}: tensor<6xf32> {fusion.role = "bias"})
// CHECK-SAME:   fusion.composite = "dnnl.conv2d_bias_relu"
// CHECK:          tensor.pad
// CHECK:          linalg.conv_2d_nchw_fchw {{.*}}strides = dense<[2, 1]>
// CHECK:      func.func private @fused_conv2d_bias_relu_2(%{{.*}}: tensor<2x9x11x3xf16> {fusion.role = "input"}, %{{.*}}: tensor<6x3x2x3xf16> {fusion.role = "filter"}, %{{.*}}: tensor<6xf16> {fusion.role = "bias"})
// CHECK-SAME:   fusion.composite = "dnnl.conv2d_bias_relu"
// CHECK:          tensor.pad
// CHECK:          linalg.conv_2d_nhwc_fhwc {{.*}}strides = dense<[2, 1]>
// CHECK:      func.func private @fused_conv2d_bias_relu_3(%{{.*}}: tensor<2x3x9x11xf16> {fusion.role = "input"}, %{{.*}}: tensor<6x3x3x2xf16> {fusion.role = "filter"}, %{{.*}}: tensor<6xf16> {fusion.role = "bias"})
// CHECK-SAME:   fusion.composite = "dnnl.conv2d_bias_relu"
// CHECK:          tensor.pad
// CHECK:          linalg.conv_2d_nchw_fchw {{.*}}strides = dense<[2, 1]>
// CHECK:      func.func private @fused_conv2d_bias(%{{.*}}: tensor<2x9x11x3xf32> {fusion.role = "input"}, %{{.*}}: tensor<6x3x2x3xf32> {fusion.role = "filter"}, %{{.*}}: tensor<6xf32> {fusion.role = "bias"})
// CHECK-SAME:   fusion.composite = "dnnl.conv2d_bias"
// CHECK:          tensor.pad
// CHECK:          linalg.conv_2d_nhwc_fhwc {{.*}}strides = dense<[2, 1]>
// CHECK:      func.func private @fused_conv2d_bias_1(%{{.*}}: tensor<2x3x9x11xf32> {fusion.role = "input"}, %{{.*}}: tensor<6x3x3x2xf32> {fusion.role = "filter"}, %{{.*}}: tensor<6xf32> {fusion.role = "bias"})
// CHECK-SAME:   fusion.composite = "dnnl.conv2d_bias"
// CHECK:          tensor.pad
// CHECK:          linalg.conv_2d_nchw_fchw {{.*}}strides = dense<[2, 1]>
// CHECK:      func.func private @fused_conv2d_bias_2(%{{.*}}: tensor<2x9x11x3xf16> {fusion.role = "input"}, %{{.*}}: tensor<6x3x2x3xf16> {fusion.role = "filter"}, %{{.*}}: tensor<6xf16> {fusion.role = "bias"})
// CHECK-SAME:   fusion.composite = "dnnl.conv2d_bias"
// CHECK:          tensor.pad
// CHECK:          linalg.conv_2d_nhwc_fhwc {{.*}}strides = dense<[2, 1]>
// CHECK:      func.func private @fused_conv2d_bias_3(%{{.*}}: tensor<2x3x9x11xf16> {fusion.role = "input"}, %{{.*}}: tensor<6x3x3x2xf16> {fusion.role = "filter"}, %{{.*}}: tensor<6xf16> {fusion.role = "bias"})
// CHECK-SAME:   fusion.composite = "dnnl.conv2d_bias"
// CHECK:          tensor.pad
// CHECK:          linalg.conv_2d_nchw_fchw {{.*}}strides = dense<[2, 1]>
// CHECK:      func.func private @fused_conv2d(%{{.*}}: tensor<2x9x11x3xf32> {fusion.role = "input"}, %{{.*}}: tensor<6x3x2x3xf32> {fusion.role = "filter"})
// CHECK-SAME:   fusion.composite = "dnnl.conv2d"
// CHECK:          tensor.pad
// CHECK:          linalg.conv_2d_nhwc_fhwc {{.*}}strides = dense<[2, 1]>
// CHECK:      func.func private @fused_conv2d_1(%{{.*}}: tensor<2x3x9x11xf32> {fusion.role = "input"}, %{{.*}}: tensor<6x3x3x2xf32> {fusion.role = "filter"})
// CHECK-SAME:   fusion.composite = "dnnl.conv2d"
// CHECK:          tensor.pad
// CHECK:          linalg.conv_2d_nchw_fchw {{.*}}strides = dense<[2, 1]>
// CHECK:      func.func private @fused_conv2d_2(%{{.*}}: tensor<2x9x11x3xf16> {fusion.role = "input"}, %{{.*}}: tensor<6x3x2x3xf16> {fusion.role = "filter"})
// CHECK-SAME:   fusion.composite = "dnnl.conv2d"
// CHECK:          tensor.pad
// CHECK:          linalg.conv_2d_nhwc_fhwc {{.*}}strides = dense<[2, 1]>
// CHECK:      func.func private @fused_conv2d_3(%{{.*}}: tensor<2x3x9x11xf16> {fusion.role = "input"}, %{{.*}}: tensor<6x3x3x2xf16> {fusion.role = "filter"})
// CHECK-SAME:   fusion.composite = "dnnl.conv2d"
// CHECK:          tensor.pad
// CHECK:          linalg.conv_2d_nchw_fchw {{.*}}strides = dense<[2, 1]>
// CHECK-NOT:  func.func
