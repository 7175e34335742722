// RUN: fusion-opt %s --split-input-file --transform-interpreter --canonicalize --verify-diagnostics | FileCheck %s

// One convolution of two is raised; handles follow.

// CHECK-LABEL: func @raise
//       CHECK:   fusion.fused_conv_bias_act
//  CHECK-SAME:     {acme.taken} ins(
//       CHECK:   linalg.conv_2d_nchw_fchw
func.func @raise(%x: tensor<1x3x10x12xf32>, %w: tensor<6x3x3x5xf32>, %v: tensor<3x6x1x1xf32>)
    -> (tensor<1x6x8x8xf32>, tensor<1x3x8x8xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<1x6x8x8xf32>
  %z = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  %0 = linalg.conv_2d_nchw_fchw {acme.take} ins(%x, %w : tensor<1x3x10x12xf32>, tensor<6x3x3x5xf32>)
      outs(%z : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  %f = tensor.empty() : tensor<1x3x8x8xf32>
  %y = linalg.fill ins(%zero : f32) outs(%f : tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  %1 = linalg.conv_2d_nchw_fchw ins(%0, %v : tensor<1x6x8x8xf32>, tensor<3x6x1x1xf32>)
      outs(%y : tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  return %0, %1 : tensor<1x6x8x8xf32>, tensor<1x3x8x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %conv = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} attributes {acme.take} in %root : (!transform.any_op) -> !transform.any_op
    %fused = transform.fusion.raise %conv : (!transform.any_op) -> !transform.any_op
    transform.annotate %fused "acme.taken" : !transform.any_op
    transform.yield
  }
}

// -----

// A factor that the body computes becomes an op of its own first.

// CHECK-LABEL: func @raise_factor
//       CHECK:   linalg.generic
//       CHECK:     arith.sitofp
//       CHECK:   fusion.fused_matmul_bias_act
//  CHECK-SAME:     {acme.taken} ins(
func.func @raise_factor(%x: tensor<4x6xf32>, %w: tensor<6x3xi8>, %init: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<4x6xf32>, tensor<6x3xi8>) outs(%init : tensor<4x3xf32>) {
  ^bb0(%a: f32, %b: i8, %acc: f32):
    %0 = arith.sitofp %b : i8 to f32
    %1 = arith.mulf %a, %0 : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %sum = transform.structured.match ops{["linalg.generic"]} in %root : (!transform.any_op) -> !transform.any_op
    %fused = transform.fusion.raise %sum : (!transform.any_op) -> !transform.any_op
    transform.annotate %fused "acme.taken" : !transform.any_op
    transform.yield
  }
}

// -----

func.func @raise_refused(%x: tensor<1x3x10x12xf64>, %w: tensor<6x3x3x5xf64>, %e: tensor<1x6x8x8xf64>) -> tensor<1x6x8x8xf64> {
  // expected-note @below {{this op}}
  %0 = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x10x12xf64>, tensor<6x3x3x5xf64>)
      outs(%e : tensor<1x6x8x8xf64>) -> tensor<1x6x8x8xf64>
  return %0 : tensor<1x6x8x8xf64>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %conv = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{cannot be raised: }}
    %fused = transform.fusion.raise %conv : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @raise_pool(%x: tensor<1x3x10x12xf32>, %e: tensor<1x3x10x12xf32>) -> tensor<1x3x10x12xf32> {
  // expected-note @below {{this op}}
  %0 = linalg.exp ins(%x : tensor<1x3x10x12xf32>) outs(%e : tensor<1x3x10x12xf32>) -> tensor<1x3x10x12xf32>
  return %0 : tensor<1x3x10x12xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %exp = transform.structured.match ops{["linalg.exp"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{cannot be raised: neither a convolution nor a matrix multiplication}}
    %fused = transform.fusion.raise %exp : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// The decomposition is the op of the epilogue; the sum makes its first input.

// CHECK-LABEL: func @decompose
//       CHECK:   linalg.generic
//  CHECK-SAME:     acme.sum
//       CHECK:     arith.mulf
//       CHECK:   linalg.generic
//  CHECK-SAME:     acme.epilogue
//       CHECK:     arith.maximumf
func.func @decompose(%x: tensor<4x5xf32>, %w: tensor<7x5xf32>, %e: tensor<4x7xf32>) -> tensor<4x7xf32> {
  %0 = fusion.fused_matmul_bias_act {
      input_layout = "mk", filter_layout = "nk", output_layout = "mn", activation = #fusion.activation<relu>}
    ins(%x, %w : tensor<4x5xf32>, tensor<7x5xf32>) outs(%e : tensor<4x7xf32>) -> tensor<4x7xf32>
  return %0 : tensor<4x7xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["fusion.fused_matmul_bias_act"]} in %root : (!transform.any_op) -> !transform.any_op
    %epilogue = transform.fusion.decompose_to_linalg %op : (!transform.any_op) -> !transform.any_op
    %sum = transform.get_producer_of_operand %epilogue[0] : (!transform.any_op) -> !transform.any_op
    transform.annotate %epilogue "acme.epilogue" : !transform.any_op
    transform.annotate %sum "acme.sum" : !transform.any_op
    transform.yield
  }
}

// -----

func.func @decompose_refused(%x: memref<4x5xf32>, %w: memref<7x5xf32>, %e: memref<4x7xf32>) {
  // expected-note @below {{this op}}
  fusion.fused_matmul_bias_act {input_layout = "mk", filter_layout = "nk", output_layout = "mn"}
    ins(%x, %w : memref<4x5xf32>, memref<7x5xf32>) outs(%e : memref<4x7xf32>)
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.readonly}) {
    %op = transform.structured.match ops{["fusion.fused_matmul_bias_act"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{cannot be decomposed: unsupported: fusion op on memrefs; run before bufferization}}
    %epilogue = transform.fusion.decompose_to_linalg %op : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

// The passes on one function of two.

// CHECK-LABEL: func @fuse
//       CHECK:   %[[T:.*]] = linalg.transpose
//       CHECK:   fusion.fused_conv_bias_act relu layouts(nhwc, fchw, nhwc) ins(
//  CHECK-SAME:     %[[T]]
//       CHECK:   fusion.fused_conv_bias_act
// CHECK-LABEL: func @not_fused
//       CHECK:   linalg.elementwise
func.func @fuse(%x: tensor<1x3x10x12xf32>, %w: tensor<6x3x3x5xf32>, %v: tensor<3x6x1x1xf32>) -> tensor<1x3x8x8xf32> {
  %e = tensor.empty() : tensor<1x6x8x8xf32>
  %0 = fusion.fused_conv_bias_act {
      strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
      input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
    ins(%x, %w : tensor<1x3x10x12xf32>, tensor<6x3x3x5xf32>) outs(%e : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  %zero = arith.constant dense<0.0> : tensor<1x6x8x8xf32>
  %1 = linalg.elementwise kind=#linalg.elementwise_kind<max_signed> ins(%0, %zero : tensor<1x6x8x8xf32>, tensor<1x6x8x8xf32>) outs(%e : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  %f = tensor.empty() : tensor<1x3x8x8xf32>
  %2 = fusion.fused_conv_bias_act {
      strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
      input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
    ins(%1, %v : tensor<1x6x8x8xf32>, tensor<3x6x1x1xf32>) outs(%f : tensor<1x3x8x8xf32>) -> tensor<1x3x8x8xf32>
  return %2 : tensor<1x3x8x8xf32>
}
func.func @not_fused(%x: tensor<1x3x10x12xf32>, %w: tensor<6x3x3x5xf32>) -> tensor<1x6x8x8xf32> {
  %e = tensor.empty() : tensor<1x6x8x8xf32>
  %0 = fusion.fused_conv_bias_act {
      strides = array<i64: 1, 1>, dilations = array<i64: 1, 1>, pad_low = array<i64: 0, 0>, pad_high = array<i64: 0, 0>,
      input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
    ins(%x, %w : tensor<1x3x10x12xf32>, tensor<6x3x3x5xf32>) outs(%e : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  %zero = arith.constant dense<0.0> : tensor<1x6x8x8xf32>
  %1 = linalg.elementwise kind=#linalg.elementwise_kind<max_signed> ins(%0, %zero : tensor<1x6x8x8xf32>, tensor<1x6x8x8xf32>) outs(%e : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
  return %1 : tensor<1x6x8x8xf32>
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %f = transform.structured.match ops{["func.func"]} attributes {sym_name = "fuse"} in %root : (!transform.any_op) -> !transform.any_op
    %g = transform.fusion.fuse %f : (!transform.any_op) -> !transform.any_op
    %h = transform.fusion.propagate_layout %g : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

func.func @not_isolated(%x: memref<4xf32>) {
  // expected-note @below {{this op}}
  scf.execute_region {
    scf.yield
  }
  return
}
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    %region = transform.structured.match ops{["scf.execute_region"]} in %root : (!transform.any_op) -> !transform.any_op
    // expected-error @below {{expects ops that are isolated from above, as functions are}}
    %g = transform.fusion.fuse %region : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}

// -----

module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op) {
    // expected-error @below {{cannot transform itself}}
    %g = transform.fusion.fuse %root : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
