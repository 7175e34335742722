// RUN: timeout 10 fusion-opt %s --fusion-optimize=propagate-layout=false -o %t
// RUN: FileCheck %s --input-file=%t

// The ops behind a factor are followed in time that grows with their number, not with
// the number of paths between them.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>

// Eighteen diamonds, which have a quarter of a million paths: a factor that is looked at
// once for each path takes very long.
// CHECK-LABEL: func @factor_of_run_time(
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(
// CHECK-NEXT:    return %[[R]]
func.func @factor_of_run_time(%x: tensor<2x3x15x11xf32>, %w: tensor<5x3x3x2xf32>, %s0: tensor<5xf32>) -> tensor<2x5x7x10xf32> {
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %e1 = tensor.empty() : tensor<5xf32>
  %a0 = linalg.tanh ins(%s0 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b0 = linalg.abs ins(%s0 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s1 = linalg.add ins(%a0, %b0 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a1 = linalg.tanh ins(%s1 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b1 = linalg.abs ins(%s1 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s2 = linalg.add ins(%a1, %b1 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a2 = linalg.tanh ins(%s2 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b2 = linalg.abs ins(%s2 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s3 = linalg.add ins(%a2, %b2 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a3 = linalg.tanh ins(%s3 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b3 = linalg.abs ins(%s3 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s4 = linalg.add ins(%a3, %b3 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a4 = linalg.tanh ins(%s4 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b4 = linalg.abs ins(%s4 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s5 = linalg.add ins(%a4, %b4 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a5 = linalg.tanh ins(%s5 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b5 = linalg.abs ins(%s5 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s6 = linalg.add ins(%a5, %b5 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a6 = linalg.tanh ins(%s6 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b6 = linalg.abs ins(%s6 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s7 = linalg.add ins(%a6, %b6 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a7 = linalg.tanh ins(%s7 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b7 = linalg.abs ins(%s7 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s8 = linalg.add ins(%a7, %b7 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a8 = linalg.tanh ins(%s8 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b8 = linalg.abs ins(%s8 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s9 = linalg.add ins(%a8, %b8 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a9 = linalg.tanh ins(%s9 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b9 = linalg.abs ins(%s9 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s10 = linalg.add ins(%a9, %b9 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a10 = linalg.tanh ins(%s10 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b10 = linalg.abs ins(%s10 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s11 = linalg.add ins(%a10, %b10 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a11 = linalg.tanh ins(%s11 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b11 = linalg.abs ins(%s11 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s12 = linalg.add ins(%a11, %b11 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a12 = linalg.tanh ins(%s12 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b12 = linalg.abs ins(%s12 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s13 = linalg.add ins(%a12, %b12 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a13 = linalg.tanh ins(%s13 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b13 = linalg.abs ins(%s13 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s14 = linalg.add ins(%a13, %b13 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a14 = linalg.tanh ins(%s14 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b14 = linalg.abs ins(%s14 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s15 = linalg.add ins(%a14, %b14 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a15 = linalg.tanh ins(%s15 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b15 = linalg.abs ins(%s15 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s16 = linalg.add ins(%a15, %b15 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a16 = linalg.tanh ins(%s16 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b16 = linalg.abs ins(%s16 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s17 = linalg.add ins(%a16, %b16 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a17 = linalg.tanh ins(%s17 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b17 = linalg.abs ins(%s17 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s18 = linalg.add ins(%a17, %b17 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s18 : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}

// The same of constants.
// CHECK-LABEL: func @constant_factor(
// CHECK-NOT:     linalg.
// CHECK:         %[[W:.*]] = arith.constant dense<{{.*}}> : tensor<5x3x3x2xf32>
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act strides [2, 1] {fusion.folded = "scale"} ins(%{{[^ ]*}}, %[[W]] :
// CHECK-NEXT:    return %[[R]]
func.func @constant_factor(%x: tensor<2x3x15x11xf32>) -> tensor<2x5x7x10xf32> {
  %w = arith.constant dense<0.5> : tensor<5x3x3x2xf32>
  %s0 = arith.constant dense<[0.1, 0.2, 0.3, 0.4, 0.5]> : tensor<5xf32>
  %z = arith.constant dense<0.0> : tensor<2x5x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw {strides = dense<[2, 1]> : vector<2xi64>} ins(%x, %w : tensor<2x3x15x11xf32>, tensor<5x3x3x2xf32>) outs(%z : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
  %e = tensor.empty() : tensor<2x5x7x10xf32>
  %e1 = tensor.empty() : tensor<5xf32>
  %a0 = linalg.tanh ins(%s0 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b0 = linalg.abs ins(%s0 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s1 = linalg.add ins(%a0, %b0 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a1 = linalg.tanh ins(%s1 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b1 = linalg.abs ins(%s1 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s2 = linalg.add ins(%a1, %b1 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a2 = linalg.tanh ins(%s2 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b2 = linalg.abs ins(%s2 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s3 = linalg.add ins(%a2, %b2 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a3 = linalg.tanh ins(%s3 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b3 = linalg.abs ins(%s3 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s4 = linalg.add ins(%a3, %b3 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a4 = linalg.tanh ins(%s4 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b4 = linalg.abs ins(%s4 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s5 = linalg.add ins(%a4, %b4 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a5 = linalg.tanh ins(%s5 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b5 = linalg.abs ins(%s5 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s6 = linalg.add ins(%a5, %b5 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a6 = linalg.tanh ins(%s6 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b6 = linalg.abs ins(%s6 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s7 = linalg.add ins(%a6, %b6 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a7 = linalg.tanh ins(%s7 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b7 = linalg.abs ins(%s7 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s8 = linalg.add ins(%a7, %b7 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a8 = linalg.tanh ins(%s8 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b8 = linalg.abs ins(%s8 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s9 = linalg.add ins(%a8, %b8 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a9 = linalg.tanh ins(%s9 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b9 = linalg.abs ins(%s9 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s10 = linalg.add ins(%a9, %b9 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a10 = linalg.tanh ins(%s10 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b10 = linalg.abs ins(%s10 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s11 = linalg.add ins(%a10, %b10 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a11 = linalg.tanh ins(%s11 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b11 = linalg.abs ins(%s11 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s12 = linalg.add ins(%a11, %b11 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a12 = linalg.tanh ins(%s12 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b12 = linalg.abs ins(%s12 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s13 = linalg.add ins(%a12, %b12 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a13 = linalg.tanh ins(%s13 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b13 = linalg.abs ins(%s13 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s14 = linalg.add ins(%a13, %b13 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a14 = linalg.tanh ins(%s14 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b14 = linalg.abs ins(%s14 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s15 = linalg.add ins(%a14, %b14 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a15 = linalg.tanh ins(%s15 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b15 = linalg.abs ins(%s15 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s16 = linalg.add ins(%a15, %b15 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a16 = linalg.tanh ins(%s16 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b16 = linalg.abs ins(%s16 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s17 = linalg.add ins(%a16, %b16 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %a17 = linalg.tanh ins(%s17 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %b17 = linalg.abs ins(%s17 : tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %s18 = linalg.add ins(%a17, %b17 : tensor<5xf32>, tensor<5xf32>) outs(%e1 : tensor<5xf32>) -> tensor<5xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %s18 : tensor<2x5x7x10xf32>, tensor<5xf32>) outs(%e : tensor<2x5x7x10xf32>) {
  ^bb0(%p0: f32, %p1: f32, %out: f32):
    %0 = arith.mulf %p0, %p1 : f32
    linalg.yield %0 : f32
  } -> tensor<2x5x7x10xf32>
  return %r : tensor<2x5x7x10xf32>
}
