// RUN: fusion-run %s --entry=convolution_in_a_loop --random=2:4:5 --verify --json | FileCheck %s --check-prefix=INSIDE
// RUN: fusion-run %s --entry=convolution_in_front_of_a_loop --random=3:3:4 --verify --json | FileCheck %s --check-prefix=OUTSIDE
// RUN: fusion-run %s --entry=convolution_in_a_branch --random=0:0:1 --verify | FileCheck %s
// RUN: fusion-run %s --entry=convolution_in_a_branch --random=0:1:2 --verify | FileCheck %s
// RUN: fusion-run %s --entry=constant_weights --verify --json --repeat=4 | FileCheck %s --check-prefix=CONSTANT
// RUN: fusion-run %s --entry=one_function_called_twice --verify --json | FileCheck %s --check-prefix=CALLED

// Convolutions under control flow: one kernel for a call site, however often it runs.

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (d1)>

// Four rounds in each of two runs.
// INSIDE: "fused_ops": 1,
// INSIDE: "creates": 1,
// INSIDE: "executes": 8,
// INSIDE: "verify": "agrees"
func.func @convolution_in_a_loop(%x: tensor<1x4x9x7xf32>, %w: tensor<4x4x1x1xf32>, %n: index) -> tensor<1x4x9x7xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<1x4x9x7xf32>
  %l = scf.for %i = %i0 to %n step %i1 iter_args(%acc = %x) -> tensor<1x4x9x7xf32> {
    %e = tensor.empty() : tensor<1x4x9x7xf32>
    %c = linalg.conv_2d_nchw_fchw ins(%acc, %w : tensor<1x4x9x7xf32>, tensor<4x4x1x1xf32>) outs(%z : tensor<1x4x9x7xf32>) -> tensor<1x4x9x7xf32>
    %t = linalg.tanh ins(%c : tensor<1x4x9x7xf32>) outs(%e : tensor<1x4x9x7xf32>) -> tensor<1x4x9x7xf32>
    scf.yield %t : tensor<1x4x9x7xf32>
  }
  return %l : tensor<1x4x9x7xf32>
}

// Once in each of two runs, not in each round.
// OUTSIDE: "fused_ops": 1,
// OUTSIDE: "creates": 1,
// OUTSIDE: "executes": 2,
// OUTSIDE: "verify": "agrees"
func.func @convolution_in_front_of_a_loop(%x: tensor<1x3x9x7xf32>, %w: tensor<4x3x3x2xf32>, %s: tensor<1x4x7x6xf32>, %n: index) -> tensor<1x4x7x6xf32> {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %z = arith.constant dense<0.0> : tensor<1x4x7x6xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x7xf32>, tensor<4x3x3x2xf32>) outs(%z : tensor<1x4x7x6xf32>) -> tensor<1x4x7x6xf32>
  %l = scf.for %i = %i0 to %n step %i1 iter_args(%acc = %s) -> tensor<1x4x7x6xf32> {
    %e = tensor.empty() : tensor<1x4x7x6xf32>
    %t = linalg.add ins(%c, %acc : tensor<1x4x7x6xf32>, tensor<1x4x7x6xf32>) outs(%e : tensor<1x4x7x6xf32>) -> tensor<1x4x7x6xf32>
    scf.yield %t : tensor<1x4x7x6xf32>
  }
  return %l : tensor<1x4x7x6xf32>
}

// Both branches hold one.
// CHECK: 2 fused ops
// CHECK: verify: agrees
func.func @convolution_in_a_branch(%p: i32, %x: tensor<1x3x9x7xf32>, %w: tensor<4x3x3x2xf32>, %b: tensor<4xf32>) -> tensor<1x4x7x6xf32> {
  %k0 = arith.constant 0 : i32
  %q = arith.cmpi eq, %p, %k0 : i32
  %z = arith.constant dense<0.0> : tensor<1x4x7x6xf32>
  %e = tensor.empty() : tensor<1x4x7x6xf32>
  %r = scf.if %q -> tensor<1x4x7x6xf32> {
    %v = linalg.broadcast ins(%b : tensor<4xf32>) outs(%e : tensor<1x4x7x6xf32>) dimensions = [0, 2, 3]
    %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x7xf32>, tensor<4x3x3x2xf32>) outs(%v : tensor<1x4x7x6xf32>) -> tensor<1x4x7x6xf32>
    scf.yield %c : tensor<1x4x7x6xf32>
  } else {
    %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x7xf32>, tensor<4x3x3x2xf32>) outs(%z : tensor<1x4x7x6xf32>) -> tensor<1x4x7x6xf32>
    %t = linalg.max ins(%c, %z : tensor<1x4x7x6xf32>, tensor<1x4x7x6xf32>) outs(%e : tensor<1x4x7x6xf32>) -> tensor<1x4x7x6xf32>
    scf.yield %t : tensor<1x4x7x6xf32>
  }
  return %r : tensor<1x4x7x6xf32>
}

// A constant filter behind a reshape is packed once or not at all, whatever runs.
// CONSTANT: "runs": 4,
// CONSTANT: "creates": 1,
// CONSTANT: "executes": 5,
// CONSTANT: "weight_packs": {{[01]}},
// CONSTANT: "verify": "agrees"
func.func @constant_weights(%x: tensor<1x9x7x1xf32>) -> tensor<1x8x6x2xf32> {
  %flat = arith.constant dense<[1.0, -2.0, 3.0, -4.0, 0.5, -0.25, 7.0, 0.125]> : tensor<8xf32>
  %w = tensor.expand_shape %flat [[0, 1, 2, 3]] output_shape [2, 2, 1, 2] : tensor<8xf32> into tensor<2x2x1x2xf32>
  %z = arith.constant dense<0.0> : tensor<1x8x6x2xf32>
  %r = linalg.conv_2d_nhwc_hwcf ins(%x, %w : tensor<1x9x7x1xf32>, tensor<2x2x1x2xf32>) outs(%z : tensor<1x8x6x2xf32>) -> tensor<1x8x6x2xf32>
  return %r : tensor<1x8x6x2xf32>
}

// Two calls of one call site, with different weights.
// CALLED: "fused_ops": 1,
// CALLED: "executes": 4,
// CALLED: "verify": "agrees"
func.func private @layer(%x: tensor<1x3x9x7xf32>, %w: tensor<4x3x3x2xf32>, %b: tensor<4xf32>) -> tensor<1x4x7x6xf32> attributes {no_inline} {
  %z = arith.constant dense<0.0> : tensor<1x4x7x6xf32>
  %e = tensor.empty() : tensor<1x4x7x6xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x7xf32>, tensor<4x3x3x2xf32>) outs(%z : tensor<1x4x7x6xf32>) -> tensor<1x4x7x6xf32>
  %r = linalg.elementwise kind=#linalg.elementwise_kind<add> indexing_maps = [#all, #channel, #all]
         ins(%c, %b : tensor<1x4x7x6xf32>, tensor<4xf32>) outs(%e : tensor<1x4x7x6xf32>) -> tensor<1x4x7x6xf32>
  return %r : tensor<1x4x7x6xf32>
}
func.func @one_function_called_twice(%x: tensor<1x3x9x7xf32>, %v: tensor<4x3x3x2xf32>, %w: tensor<4x3x3x2xf32>, %b: tensor<4xf32>) -> tensor<1x4x7x6xf32> {
  %e = tensor.empty() : tensor<1x4x7x6xf32>
  %s = func.call @layer(%x, %v, %b) : (tensor<1x3x9x7xf32>, tensor<4x3x3x2xf32>, tensor<4xf32>) -> tensor<1x4x7x6xf32>
  %t = func.call @layer(%x, %w, %b) : (tensor<1x3x9x7xf32>, tensor<4x3x3x2xf32>, tensor<4xf32>) -> tensor<1x4x7x6xf32>
  %r = linalg.mul ins(%s, %t : tensor<1x4x7x6xf32>, tensor<1x4x7x6xf32>) outs(%e : tensor<1x4x7x6xf32>) -> tensor<1x4x7x6xf32>
  return %r : tensor<1x4x7x6xf32>
}
