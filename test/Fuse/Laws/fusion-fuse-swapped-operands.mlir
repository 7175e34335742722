// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

// The filter of a matrix multiplication is an argument like the input, and its first operand, as
// in StableHLO's dot_general(w, x) with a transpose of the result. The bias tells which one it is.

// CHECK-LABEL: func @dot(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: {{.*}}, %[[W:[a-z0-9]*]]: {{.*}}, %[[B:[a-z0-9]*]]:
// CHECK-NOT:     linalg.
// CHECK:         fusion.fused_matmul_bias_act relu layouts(km, nk, mn) ins(%[[X]], %[[W]] : tensor<5x6xf32>, tensor<7x5xf32>) bias(%[[B]] :
// CHECK-NOT:     linalg.
// WHY: {{.*}}: fused: bias, relu{{$}}
func.func @dot(%x: tensor<5x6xf32>, %w: tensor<7x5xf32>, %b: tensor<7xf32>) -> tensor<6x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<7x6xf32>) -> tensor<7x6xf32>
  %c = linalg.matmul ins(%w, %x : tensor<7x5xf32>, tensor<5x6xf32>) outs(%f : tensor<7x6xf32>) -> tensor<7x6xf32>
  %te = tensor.empty() : tensor<6x7xf32>
  %t = linalg.transpose ins(%c : tensor<7x6xf32>) outs(%te : tensor<6x7xf32>) permutation = [1, 0]
  %v = linalg.broadcast ins(%b : tensor<7xf32>) outs(%te : tensor<6x7xf32>) dimensions = [0]
  %s = linalg.add ins(%t, %v : tensor<6x7xf32>, tensor<6x7xf32>) outs(%te : tensor<6x7xf32>) -> tensor<6x7xf32>
  %m = linalg.fill ins(%zero : f32) outs(%te : tensor<6x7xf32>) -> tensor<6x7xf32>
  %r = linalg.max ins(%s, %m : tensor<6x7xf32>, tensor<6x7xf32>) outs(%te : tensor<6x7xf32>) -> tensor<6x7xf32>
  return %r : tensor<6x7xf32>
}

// Of pixels, whose dimensions are rows.
// CHECK-LABEL: func @pixels(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: {{.*}}, %[[W:[a-z0-9]*]]: {{.*}}, %[[B:[a-z0-9]*]]:
// CHECK-NOT:     linalg.
// CHECK:         %[[I:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1, 2], [3]]
// CHECK:         fusion.fused_matmul_bias_act ins(%[[I]], %[[W]] : tensor<24x5xf32>, tensor<5x7xf32>) bias(%[[B]] :
// CHECK-NOT:     linalg.
// WHY: {{.*}}: fused: bias{{$}}
func.func @pixels(%x: tensor<2x3x4x5xf32>, %w: tensor<5x7xf32>, %b: tensor<7xf32>) -> tensor<2x3x4x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7x2x3x4xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<7x2x3x4xf32>) -> tensor<7x2x3x4xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(f, n, h, w, k) -> (k, f)>, affine_map<(f, n, h, w, k) -> (n, h, w, k)>, affine_map<(f, n, h, w, k) -> (f, n, h, w)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
      ins(%w, %x : tensor<5x7xf32>, tensor<2x3x4x5xf32>) outs(%f : tensor<7x2x3x4xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<7x2x3x4xf32>
  %te = tensor.empty() : tensor<2x3x4x7xf32>
  %t = linalg.transpose ins(%c : tensor<7x2x3x4xf32>) outs(%te : tensor<2x3x4x7xf32>) permutation = [1, 2, 3, 0]
  %r = linalg.generic {indexing_maps = [affine_map<(n, h, w, f) -> (n, h, w, f)>, affine_map<(n, h, w, f) -> (f)>, affine_map<(n, h, w, f) -> (n, h, w, f)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%t, %b : tensor<2x3x4x7xf32>, tensor<7xf32>) outs(%te : tensor<2x3x4x7xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %s = arith.addf %p, %q : f32
    linalg.yield %s : f32
  } -> tensor<2x3x4x7xf32>
  return %r : tensor<2x3x4x7xf32>
}

// Each of a batch has a filter of its own.
// CHECK-LABEL: func @batch(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: {{.*}}, %[[W:[a-z0-9]*]]: {{.*}}, %[[B:[a-z0-9]*]]:
// CHECK:         fusion.fused_matmul_bias_act layouts(bkm, bnk, bmn) ins(%[[X]], %[[W]] : tensor<3x5x6xf32>, tensor<3x7x5xf32>) bias(%[[B]] :
// WHY: {{.*}}: fused: bias{{$}}
func.func @batch(%x: tensor<3x5x6xf32>, %w: tensor<3x7x5xf32>, %b: tensor<7xf32>) -> tensor<3x6x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x7x6xf32>) -> tensor<3x7x6xf32>
  %c = linalg.batch_matmul ins(%w, %x : tensor<3x7x5xf32>, tensor<3x5x6xf32>) outs(%f : tensor<3x7x6xf32>) -> tensor<3x7x6xf32>
  %te = tensor.empty() : tensor<3x6x7xf32>
  %t = linalg.transpose ins(%c : tensor<3x7x6xf32>) outs(%te : tensor<3x6x7xf32>) permutation = [0, 2, 1]
  %v = linalg.broadcast ins(%b : tensor<7xf32>) outs(%te : tensor<3x6x7xf32>) dimensions = [0, 1]
  %r = linalg.add ins(%t, %v : tensor<3x6x7xf32>, tensor<3x6x7xf32>) outs(%te : tensor<3x6x7xf32>) -> tensor<3x6x7xf32>
  return %r : tensor<3x6x7xf32>
}

// Near misses: the second operand never changes, so that it is the filter,
// CHECK-LABEL: func @constant_filter(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: {{.*}}, %[[W:[a-z0-9]*]]: {{.*}}, %[[B:[a-z0-9]*]]:
// CHECK:         fusion.fused_matmul_bias_act layouts(mk, kn, nm) ins(%[[W]], %[[X]] :
// WHY: {{.*}}: fused: residual{{$}}
func.func @constant_filter(%x: tensor<5x6xf32> {fusion.constant}, %w: tensor<7x5xf32>, %b: tensor<7xf32>) -> tensor<6x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<7x6xf32>) -> tensor<7x6xf32>
  %c = linalg.matmul ins(%w, %x : tensor<7x5xf32>, tensor<5x6xf32>) outs(%f : tensor<7x6xf32>) -> tensor<7x6xf32>
  %te = tensor.empty() : tensor<6x7xf32>
  %t = linalg.transpose ins(%c : tensor<7x6xf32>) outs(%te : tensor<6x7xf32>) permutation = [1, 0]
  %v = linalg.broadcast ins(%b : tensor<7xf32>) outs(%te : tensor<6x7xf32>) dimensions = [0]
  %r = linalg.add ins(%t, %v : tensor<6x7xf32>, tensor<6x7xf32>) outs(%te : tensor<6x7xf32>) -> tensor<6x7xf32>
  return %r : tensor<6x7xf32>
}

// the rows do not come last,
// CHECK-LABEL: func @rows(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: {{.*}}, %[[W:[a-z0-9]*]]: {{.*}}, %[[B:[a-z0-9]*]]:
// CHECK:         fusion.fused_matmul_bias_act ins(%[[W]], %[[X]] :
// WHY: {{.*}}: fused: residual{{$}}
func.func @rows(%x: tensor<5x6xf32>, %w: tensor<7x5xf32>, %b: tensor<7xf32>) -> tensor<7x6xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<7x6xf32>) -> tensor<7x6xf32>
  %c = linalg.matmul ins(%w, %x : tensor<7x5xf32>, tensor<5x6xf32>) outs(%f : tensor<7x6xf32>) -> tensor<7x6xf32>
  %v = linalg.broadcast ins(%b : tensor<7xf32>) outs(%e : tensor<7x6xf32>) dimensions = [1]
  %r = linalg.add ins(%c, %v : tensor<7x6xf32>, tensor<7x6xf32>) outs(%e : tensor<7x6xf32>) -> tensor<7x6xf32>
  return %r : tensor<7x6xf32>
}

// there is one column, so that it may be a residual,
// CHECK-LABEL: func @column(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: {{.*}}, %[[W:[a-z0-9]*]]: {{.*}}, %[[R:[a-z0-9]*]]:
// CHECK:         fusion.fused_matmul_bias_act layouts(mk, kn, nm) ins(%[[W]], %[[X]] : {{.*}}) residual(%[[R]] :
// WHY: {{.*}}: fused: residual{{$}}
func.func @column(%x: tensor<5x1xf32>, %w: tensor<7x5xf32>, %residual: tensor<1x7xf32>) -> tensor<1x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<7x1xf32>) -> tensor<7x1xf32>
  %c = linalg.matmul ins(%w, %x : tensor<7x5xf32>, tensor<5x1xf32>) outs(%f : tensor<7x1xf32>) -> tensor<7x1xf32>
  %te = tensor.empty() : tensor<1x7xf32>
  %t = linalg.transpose ins(%c : tensor<7x1xf32>) outs(%te : tensor<1x7xf32>) permutation = [1, 0]
  %r = linalg.add ins(%t, %residual : tensor<1x7xf32>, tensor<1x7xf32>) outs(%te : tensor<1x7xf32>) -> tensor<1x7xf32>
  return %r : tensor<1x7xf32>
}

// the columns have a bias already,
// CHECK-LABEL: func @two(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: {{.*}}, %[[W:[a-z0-9]*]]: {{.*}}, %[[B:[a-z0-9]*]]: {{.*}}, %[[C:[a-z0-9]*]]:
// CHECK:         fusion.fused_matmul_bias_act layouts(mk, kn, nm) ins(%[[W]], %[[X]] : {{.*}}) bias(%[[C]] : {{.*}}) residual(
// WHY: {{.*}}: fused: bias, residual{{$}}
func.func @two(%x: tensor<5x6xf32>, %w: tensor<7x5xf32>, %b: tensor<7xf32>, %columns: tensor<6xf32>) -> tensor<6x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<7x6xf32>) -> tensor<7x6xf32>
  %c = linalg.matmul ins(%w, %x : tensor<7x5xf32>, tensor<5x6xf32>) outs(%f : tensor<7x6xf32>) -> tensor<7x6xf32>
  %te = tensor.empty() : tensor<6x7xf32>
  %t = linalg.transpose ins(%c : tensor<7x6xf32>) outs(%te : tensor<6x7xf32>) permutation = [1, 0]
  %u = linalg.broadcast ins(%columns : tensor<6xf32>) outs(%te : tensor<6x7xf32>) dimensions = [1]
  %s = linalg.add ins(%t, %u : tensor<6x7xf32>, tensor<6x7xf32>) outs(%te : tensor<6x7xf32>) -> tensor<6x7xf32>
  %v = linalg.broadcast ins(%b : tensor<7xf32>) outs(%te : tensor<6x7xf32>) dimensions = [0]
  %r = linalg.add ins(%s, %v : tensor<6x7xf32>, tensor<6x7xf32>) outs(%te : tensor<6x7xf32>) -> tensor<6x7xf32>
  return %r : tensor<6x7xf32>
}

// the batch has one filter, which as an input would need a batch,
// CHECK-LABEL: func @shared_filter(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: {{.*}}, %[[W:[a-z0-9]*]]: {{.*}}, %[[B:[a-z0-9]*]]:
// CHECK:         fusion.fused_matmul_bias_act layouts(bmk, kn, bnm) ins(%[[W]], %[[X]] :
// WHY: {{.*}}: fused: residual{{$}}
func.func @shared_filter(%x: tensor<5x6xf32>, %w: tensor<3x7x5xf32>, %b: tensor<7xf32>) -> tensor<3x6x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x7x6xf32>) -> tensor<3x7x6xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(b, m, n, k) -> (b, m, k)>, affine_map<(b, m, n, k) -> (k, n)>, affine_map<(b, m, n, k) -> (b, m, n)>],
      iterator_types = ["parallel", "parallel", "parallel", "reduction"]}
      ins(%w, %x : tensor<3x7x5xf32>, tensor<5x6xf32>) outs(%f : tensor<3x7x6xf32>) {
  ^bb0(%p: f32, %q: f32, %out: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %out, %m : f32
    linalg.yield %s : f32
  } -> tensor<3x7x6xf32>
  %te = tensor.empty() : tensor<3x6x7xf32>
  %t = linalg.transpose ins(%c : tensor<3x7x6xf32>) outs(%te : tensor<3x6x7xf32>) permutation = [0, 2, 1]
  %v = linalg.broadcast ins(%b : tensor<7xf32>) outs(%te : tensor<3x6x7xf32>) dimensions = [0, 1]
  %r = linalg.add ins(%t, %v : tensor<3x6x7xf32>, tensor<3x6x7xf32>) outs(%te : tensor<3x6x7xf32>) -> tensor<3x6x7xf32>
  return %r : tensor<3x6x7xf32>
}

// or all elements get the same number, which is a bias of the columns.
// CHECK-LABEL: func @number(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: {{.*}}, %[[W:[a-z0-9]*]]: {{.*}}, %[[B:[a-z0-9]*]]:
// CHECK:         fusion.fused_matmul_bias_act layouts(mk, kn, nm) ins(%[[W]], %[[X]] : {{.*}}) bias(
// WHY: {{.*}}: fused: bias{{$}}
func.func @number(%x: tensor<5x6xf32>, %w: tensor<7x5xf32>, %b: f32) -> tensor<6x7xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<7x6xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<7x6xf32>) -> tensor<7x6xf32>
  %c = linalg.matmul ins(%w, %x : tensor<7x5xf32>, tensor<5x6xf32>) outs(%f : tensor<7x6xf32>) -> tensor<7x6xf32>
  %te = tensor.empty() : tensor<6x7xf32>
  %t = linalg.transpose ins(%c : tensor<7x6xf32>) outs(%te : tensor<6x7xf32>) permutation = [1, 0]
  %v = linalg.fill ins(%b : f32) outs(%te : tensor<6x7xf32>) -> tensor<6x7xf32>
  %r = linalg.add ins(%t, %v : tensor<6x7xf32>, tensor<6x7xf32>) outs(%te : tensor<6x7xf32>) -> tensor<6x7xf32>
  return %r : tensor<6x7xf32>
}
