// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s

// Numbers that are no constants of the right type yet: torch-mlir converts them from
// f64 in the body, where MLIR does not fold a cast that loses digits.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>

// CHECK-LABEL: func @converted_in_the_body(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act leaky_relu(1.000000e-01) ins(
// CHECK-NEXT:    return %[[R]]
func.func @converted_in_the_body(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>) -> tensor<2x5x7x10xf32> {
  %slope = arith.constant 0.1 : f64
  %zero = arith.constant 0.0 : f32
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %r = linalg.generic {indexing_maps = [#all, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%in: f32, %out: f32):
    %a = arith.truncf %slope : f64 to f32
    %m = arith.mulf %in, %a : f32
    %p = arith.cmpf ogt, %in, %zero : f32
    %s = arith.select %p, %in, %m : f32
    linalg.yield %s : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}
