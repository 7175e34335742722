// RUN: fusion-opt %s --fusion-partition=merge=true | FileCheck %s

// Values computed from constant arguments are kept from call to call: regions that read
// different ones are two functions, those that read the same ones are one.

// CHECK-LABEL: func.func @main(
// CHECK:         %[[A:.*]] = call @dnnl_region(%arg0, %arg1)
// CHECK:         %[[S:.*]] = math.sin %[[A]]
// CHECK:         %[[B:.*]] = call @dnnl_region_1(%[[S]], %arg2)
// CHECK:         %[[C:.*]] = math.sin %[[B]]
// CHECK:         call @dnnl_region(%[[C]], %arg1)
func.func @main(%x: tensor<1x4x9x7xf32>, %w: tensor<4x4x1x1xf32> {fusion.constant}, %u: tensor<4x4x1x1xf32> {fusion.constant}) -> (tensor<1x4x9x7xf32>, tensor<1x4x9x7xf32>) {
  %a = call @conv(%x, %w) : (tensor<1x4x9x7xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x9x7xf32>
  %b = call @conv(%a, %w) : (tensor<1x4x9x7xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x9x7xf32>
  %s = math.sin %b : tensor<1x4x9x7xf32>
  %c = call @conv(%s, %u) : (tensor<1x4x9x7xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x9x7xf32>
  %d = call @conv(%c, %u) : (tensor<1x4x9x7xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x9x7xf32>
  %t = math.sin %d : tensor<1x4x9x7xf32>
  %e = call @conv(%t, %w) : (tensor<1x4x9x7xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x9x7xf32>
  %f = call @conv(%e, %w) : (tensor<1x4x9x7xf32>, tensor<4x4x1x1xf32>) -> tensor<1x4x9x7xf32>
  return %d, %f : tensor<1x4x9x7xf32>, tensor<1x4x9x7xf32>
}

func.func private @conv(%x: tensor<1x4x9x7xf32>, %w: tensor<4x4x1x1xf32>) -> tensor<1x4x9x7xf32> attributes {fusion.composite = "dnnl.conv2d", no_inline} {
  %z = arith.constant dense<0.0> : tensor<1x4x9x7xf32>
  %a = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x4x9x7xf32>, tensor<4x4x1x1xf32>) outs(%z : tensor<1x4x9x7xf32>) -> tensor<1x4x9x7xf32>
  return %a : tensor<1x4x9x7xf32>
}
