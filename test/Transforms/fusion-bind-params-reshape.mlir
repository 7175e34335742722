// RUN: rm -rf %t && mkdir %t
// RUN: %npy write %t/filter.npy '<f4' 5x3x2x2 'i'
// RUN: %npy write %t/five.npy '<f4' 5 'i'
// RUN: %npy write %t/six.npy '<f4' 6 'i'
// RUN: %npy write %t/shape.npy '<i8' 4 '[1, 5, 1, 1][i]'
// RUN: %npy write %t/wide-shape.npy '<i8' 4 '[1, 6, 1, 1][i]'

// The shape operand of a reshape gives the sizes of result and source once it is a
// constant: computed from the sizes of an array, or an array itself.

// RUN: fusion-opt %s --fusion-bind-params="bind=w=%t/filter.npy,b=%t/five.npy" | FileCheck %s
// CHECK-LABEL: func.func @main(
// CHECK-SAME:    ) -> tensor<2x5x4x4xf32>
// CHECK:         %[[B:.*]] = arith.constant dense<{{.*}}> : tensor<5xf32>
// CHECK:         tensor.reshape %[[B]](%{{.*}}) : (tensor<5xf32>, tensor<4xindex>) -> tensor<1x5x1x1xf32>
// CHECK-NOT:     tensor.cast

// RUN: not fusion-opt %s --fusion-bind-params="bind=w=%t/filter.npy,b=%t/six.npy" 2>&1 | FileCheck %s --check-prefix=BIAS
// RUN: not fusion-opt %s --fusion-bind-params="bind=b=%t/six.npy,w=%t/filter.npy" 2>&1 | FileCheck %s --check-prefix=BIAS
// BIAS: fusion-bind-params-reshape.mlir:{{.*}}:8: error: sizes that follow from what is bound do not fit together: 'tensor<6xf32>' is reshaped to 'tensor<1x5x1x1xf32>'

// RUN: fusion-opt %s --fusion-bind-params="function=shape bind=b=%t/five.npy,s=%t/shape.npy" | FileCheck %s --check-prefix=SHAPE
// SHAPE-LABEL: func.func @shape() -> tensor<1x5x1x1xf32>
// One that is still an argument leaves sizes open; the source has its own.
// RUN: fusion-opt %s --fusion-bind-params="function=shape bind=b=%t/five.npy" | FileCheck %s --check-prefix=OPEN
// OPEN-LABEL: func.func @shape(
// OPEN-SAME:    ) -> tensor<1x?x1x1xf32>
// OPEN:         tensor.reshape %{{.*}}(%arg0) : (tensor<5xf32>, tensor<4xi64>) -> tensor<1x?x1x1xf32>
// RUN: not fusion-opt %s --fusion-bind-params="function=shape bind=b=%t/five.npy,s=%t/wide-shape.npy" 2>&1 | FileCheck %s --check-prefix=COUNT
// COUNT: error: sizes that follow from what is bound do not fit together: 'tensor<5xf32>' is reshaped to 'tensor<1x6x1x1xf32>'
// The declared type of the result and the bound shape conflict.
// RUN: not fusion-opt %s --fusion-bind-params="function=declared bind=s=%t/shape.npy" 2>&1 | FileCheck %s --check-prefix=DECLARED
// DECLARED: error: sizes that follow from what is bound do not fit together: 'tensor<1x5x1x1xf32>' meets 'tensor<1x?x3x1xf32>'

#all = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#channel = affine_map<(d0, d1, d2, d3) -> (0, d1, 0, 0)>
func.func @main(%x: tensor<2x3x5x5xf32>, %w: tensor<?x3x2x2xf32> {fusion.name = "w"}, %b: tensor<?xf32> {fusion.name = "b"}) -> tensor<2x?x4x4xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %one = arith.constant 1 : index
  %n = tensor.dim %w, %c0 : tensor<?x3x2x2xf32>
  %e = tensor.empty(%n) : tensor<2x?x4x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x?x4x4xf32>) -> tensor<2x?x4x4xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x5x5xf32>, tensor<?x3x2x2xf32>) outs(%f : tensor<2x?x4x4xf32>) -> tensor<2x?x4x4xf32>
  %s = tensor.from_elements %one, %n, %one, %one : tensor<4xindex>
  %v = tensor.reshape %b(%s) : (tensor<?xf32>, tensor<4xindex>) -> tensor<1x?x1x1xf32>
  %r = linalg.generic {indexing_maps = [#all, #channel, #all], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%c, %v : tensor<2x?x4x4xf32>, tensor<1x?x1x1xf32>) outs(%e : tensor<2x?x4x4xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %t = arith.addf %p, %q : f32
    linalg.yield %t : f32
  } -> tensor<2x?x4x4xf32>
  return %r : tensor<2x?x4x4xf32>
}

func.func @shape(%b: tensor<?xf32> {fusion.name = "b"}, %s: tensor<4xi64> {fusion.name = "s"}) -> tensor<1x?x1x1xf32> {
  %v = tensor.reshape %b(%s) : (tensor<?xf32>, tensor<4xi64>) -> tensor<1x?x1x1xf32>
  return %v : tensor<1x?x1x1xf32>
}

func.func @declared(%b: tensor<?xf32>, %s: tensor<4xi64> {fusion.name = "s"}) -> tensor<1x?x3x1xf32> {
  %v = tensor.reshape %b(%s) : (tensor<?xf32>, tensor<4xi64>) -> tensor<1x?x3x1xf32>
  return %v : tensor<1x?x3x1xf32>
}
