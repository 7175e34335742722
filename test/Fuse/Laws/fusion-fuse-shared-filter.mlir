// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

// One filter for a whole batch is read as it is, however front ends repeat it.

#id3 = affine_map<(b, m, n) -> (b, m, n)>
#col3 = affine_map<(b, m, n) -> (n)>
#id4 = affine_map<(a, b, m, n) -> (a, b, m, n)>
#col4 = affine_map<(a, b, m, n) -> (n)>

// A linear layer of tensors of rank 4, as torch-mlir writes it: the filter is transposed,
// broadcast over the batch, and its batch collapsed.
// CHECK-LABEL: func @linear(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<2x3x4x7xf32>, %[[W:[a-z0-9]*]]: tensor<5x7xf32>, %[[B:[a-z0-9]*]]:
// CHECK-NOT:     linalg.
// CHECK:         %[[I:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2], [3]]
// CHECK:         %[[R:.*]] = fusion.fused_matmul_bias_act gelu_erf layouts(bmk, nk, bmn) ins(%[[I]], %[[W]] : tensor<6x4x7xf32>, tensor<5x7xf32>) bias(%[[B]] :
// CHECK:         %[[Y:.*]] = tensor.expand_shape %[[R]]
// CHECK-NOT:     linalg.
// CHECK:         return %[[Y]]
// WHY: {{.*}}: fused: bias, gelu_erf{{$}}
func.func @linear(%x: tensor<2x3x4x7xf32>, %w: tensor<5x7xf32>, %b: tensor<5xf32>) -> tensor<2x3x4x5xf32> {
  %te = tensor.empty() : tensor<7x5xf32>
  %t = linalg.transpose ins(%w : tensor<5x7xf32>) outs(%te : tensor<7x5xf32>) permutation = [1, 0]
  %we = tensor.empty() : tensor<2x3x7x5xf32>
  %wb = linalg.generic {indexing_maps = [affine_map<(a, b, k, n) -> (k, n)>, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t : tensor<7x5xf32>) outs(%we : tensor<2x3x7x5xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<2x3x7x5xf32>
  %xc = tensor.collapse_shape %x [[0, 1], [2], [3]] : tensor<2x3x4x7xf32> into tensor<6x4x7xf32>
  %wc = tensor.collapse_shape %wb [[0, 1], [2], [3]] : tensor<2x3x7x5xf32> into tensor<6x7x5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x4x5xf32>) -> tensor<6x4x5xf32>
  %c = linalg.batch_matmul ins(%xc, %wc : tensor<6x4x7xf32>, tensor<6x7x5xf32>) outs(%f : tensor<6x4x5xf32>) -> tensor<6x4x5xf32>
  %y = tensor.expand_shape %c [[0, 1], [2], [3]] output_shape [2, 3, 4, 5] : tensor<6x4x5xf32> into tensor<2x3x4x5xf32>
  %ye = tensor.empty() : tensor<2x3x4x5xf32>
  %s = linalg.generic {indexing_maps = [#id4, #col4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%y, %b : tensor<2x3x4x5xf32>, tensor<5xf32>) outs(%ye : tensor<2x3x4x5xf32>) {
  ^bb0(%v0: f32, %v1: f32, %o: f32):
    %a = arith.addf %v0, %v1 : f32
    linalg.yield %a : f32
  } -> tensor<2x3x4x5xf32>
  %half = arith.constant 5.0e-01 : f32
  %one = arith.constant 1.0 : f32
  %root = arith.constant 1.41421354 : f32
  %r = linalg.generic {indexing_maps = [#id4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%s : tensor<2x3x4x5xf32>) outs(%ye : tensor<2x3x4x5xf32>) {
  ^bb0(%v: f32, %o: f32):
    %d = arith.divf %v, %root : f32
    %g = math.erf %d : f32
    %p = arith.addf %g, %one : f32
    %h = arith.mulf %p, %half : f32
    %q = arith.mulf %v, %h : f32
    linalg.yield %q : f32
  } -> tensor<2x3x4x5xf32>
  return %r : tensor<2x3x4x5xf32>
}

// An input that is broadcast to its own size is not copied either.
// CHECK-LABEL: func @same_size(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<1x3x4x7xf32>, %[[W:[a-z0-9]*]]:
// CHECK-NOT:     linalg.
// CHECK:         %[[I:.*]] = tensor.collapse_shape %[[X]]
// CHECK:         fusion.fused_matmul_bias_act ins(%[[I]], %[[W]] : tensor<3x4x7xf32>, tensor<7x5xf32>)
// CHECK-NOT:     linalg.
// WHY: {{.*}}: fused: matrix multiplication alone{{$}}
func.func @same_size(%x: tensor<1x3x4x7xf32>, %w: tensor<7x5xf32>) -> tensor<1x3x4x5xf32> {
  %xe = tensor.empty() : tensor<1x3x4x7xf32>
  %xb = linalg.generic {indexing_maps = [affine_map<(a, b, m, k) -> (0, b, m, k)>, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%x : tensor<1x3x4x7xf32>) outs(%xe : tensor<1x3x4x7xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<1x3x4x7xf32>
  %we = tensor.empty() : tensor<1x3x7x5xf32>
  %wb = linalg.generic {indexing_maps = [affine_map<(a, b, k, n) -> (k, n)>, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%w : tensor<7x5xf32>) outs(%we : tensor<1x3x7x5xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<1x3x7x5xf32>
  %xc = tensor.collapse_shape %xb [[0, 1], [2], [3]] : tensor<1x3x4x7xf32> into tensor<3x4x7xf32>
  %wc = tensor.collapse_shape %wb [[0, 1], [2], [3]] : tensor<1x3x7x5xf32> into tensor<3x7x5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  %c = linalg.batch_matmul ins(%xc, %wc : tensor<3x4x7xf32>, tensor<3x7x5xf32>) outs(%f : tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  %y = tensor.expand_shape %c [[0, 1], [2], [3]] output_shape [1, 3, 4, 5] : tensor<3x4x5xf32> into tensor<1x3x4x5xf32>
  return %y : tensor<1x3x4x5xf32>
}

// Transposed and broadcast in one op, which reads the filter by columns,
// CHECK-LABEL: func @one_op(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<2x4x7xf32>, %[[W:[a-z0-9]*]]: tensor<5x7xf32>
// CHECK-NOT:     linalg.
// CHECK:         fusion.fused_matmul_bias_act layouts(bmk, nk, bmn) ins(%[[X]], %[[W]] :
// CHECK-NOT:     linalg.
// WHY: {{.*}}: fused: matrix multiplication alone{{$}}
func.func @one_op(%x: tensor<2x4x7xf32>, %w: tensor<5x7xf32>) -> tensor<2x4x5xf32> {
  %we = tensor.empty() : tensor<2x7x5xf32>
  %wb = linalg.generic {indexing_maps = [affine_map<(b, k, n) -> (n, k)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%w : tensor<5x7xf32>) outs(%we : tensor<2x7x5xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<2x7x5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %c = linalg.batch_matmul ins(%x, %wb : tensor<2x4x7xf32>, tensor<2x7x5xf32>) outs(%f : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %c : tensor<2x4x5xf32>
}

// or writes the copy by columns.
// CHECK-LABEL: func @one_op_that_writes(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<2x4x7xf32>, %[[W:[a-z0-9]*]]: tensor<5x7xf32>
// CHECK-NOT:     linalg.
// CHECK:         fusion.fused_matmul_bias_act layouts(bmk, nk, bmn) ins(%[[X]], %[[W]] :
// CHECK-NOT:     linalg.
// WHY: {{.*}}: fused: matrix multiplication alone{{$}}
func.func @one_op_that_writes(%x: tensor<2x4x7xf32>, %w: tensor<5x7xf32>) -> tensor<2x4x5xf32> {
  %we = tensor.empty() : tensor<2x7x5xf32>
  %wb = linalg.generic {indexing_maps = [affine_map<(n, k, b) -> (n, k)>, affine_map<(n, k, b) -> (b, k, n)>], iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%w : tensor<5x7xf32>) outs(%we : tensor<2x7x5xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<2x7x5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %c = linalg.batch_matmul ins(%x, %wb : tensor<2x4x7xf32>, tensor<2x7x5xf32>) outs(%f : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %c : tensor<2x4x5xf32>
}

// Broadcast first, then transposed.
// CHECK-LABEL: func @transposed_behind(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<2x4x7xf32>, %[[W:[a-z0-9]*]]: tensor<5x7xf32>
// CHECK-NOT:     linalg.
// CHECK:         fusion.fused_matmul_bias_act layouts(bmk, nk, bmn) ins(%[[X]], %[[W]] :
// CHECK-NOT:     linalg.
// WHY: {{.*}}: fused: matrix multiplication alone{{$}}
func.func @transposed_behind(%x: tensor<2x4x7xf32>, %w: tensor<5x7xf32>) -> tensor<2x4x5xf32> {
  %te = tensor.empty() : tensor<2x5x7xf32>
  %t = linalg.broadcast ins(%w : tensor<5x7xf32>) outs(%te : tensor<2x5x7xf32>) dimensions = [0]
  %wbe = tensor.empty() : tensor<2x7x5xf32>
  %wb = linalg.transpose ins(%t : tensor<2x5x7xf32>) outs(%wbe : tensor<2x7x5xf32>) permutation = [0, 2, 1]
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %c = linalg.batch_matmul ins(%x, %wb : tensor<2x4x7xf32>, tensor<2x7x5xf32>) outs(%f : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %c : tensor<2x4x5xf32>
}

// A batch that is expanded, of a generic contraction.
// CHECK-LABEL: func @two_batches(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<2x3x4x7xf32>, %[[W:[a-z0-9]*]]:
// CHECK-NOT:     linalg.
// CHECK:         fusion.fused_matmul_bias_act ins(%{{.*}}, %[[W]] : tensor<6x4x7xf32>, tensor<7x5xf32>)
// CHECK-NOT:     linalg.
// WHY: {{.*}}: fused: matrix multiplication alone{{$}}
func.func @two_batches(%x: tensor<2x3x4x7xf32>, %w: tensor<7x5xf32>) -> tensor<2x3x4x5xf32> {
  %te = tensor.empty() : tensor<6x7x5xf32>
  %t = linalg.broadcast ins(%w : tensor<7x5xf32>) outs(%te : tensor<6x7x5xf32>) dimensions = [0]
  %wb = tensor.expand_shape %t [[0, 1], [2], [3]] output_shape [2, 3, 7, 5] : tensor<6x7x5xf32> into tensor<2x3x7x5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x3x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(a, b, m, n, k) -> (a, b, m, k)>, affine_map<(a, b, m, n, k) -> (a, b, k, n)>,
                                       affine_map<(a, b, m, n, k) -> (a, b, m, n)>],
         iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
         ins(%x, %wb : tensor<2x3x4x7xf32>, tensor<2x3x7x5xf32>) outs(%f : tensor<2x3x4x5xf32>) {
  ^bb0(%v0: f32, %v1: f32, %o: f32):
    %p = arith.mulf %v0, %v1 : f32
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<2x3x4x5xf32>
  return %c : tensor<2x3x4x5xf32>
}

// The dimension of the sum is collapsed behind the broadcast, and so it is of the filter.
// CHECK-LABEL: func @two_reductions(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<2x4x21xf32>, %[[W:[a-z0-9]*]]:
// CHECK-NOT:     linalg.
// CHECK:         %[[F:.*]] = tensor.collapse_shape %[[W]] {{\[\[}}0, 1], [2]]
// CHECK:         fusion.fused_matmul_bias_act ins(%[[X]], %[[F]] : tensor<2x4x21xf32>, tensor<21x5xf32>)
// CHECK-NOT:     linalg.
// WHY: {{.*}}: fused: matrix multiplication alone{{$}}
func.func @two_reductions(%x: tensor<2x4x21xf32>, %w: tensor<3x7x5xf32>) -> tensor<2x4x5xf32> {
  %te = tensor.empty() : tensor<2x3x7x5xf32>
  %t = linalg.broadcast ins(%w : tensor<3x7x5xf32>) outs(%te : tensor<2x3x7x5xf32>) dimensions = [0]
  %wb = tensor.collapse_shape %t [[0], [1, 2], [3]] : tensor<2x3x7x5xf32> into tensor<2x21x5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %c = linalg.batch_matmul ins(%x, %wb : tensor<2x4x21xf32>, tensor<2x21x5xf32>) outs(%f : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %c : tensor<2x4x5xf32>
}

// A filter with one column, which is a vector.
// CHECK-LABEL: func @one_column(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<2x4x7xf32>, %[[W:[a-z0-9]*]]:
// CHECK-NOT:     linalg.
// CHECK:         %[[F:.*]] = tensor.expand_shape %[[W]]
// CHECK:         fusion.fused_matmul_bias_act layouts(bmk, nk, bmn) ins(%[[X]], %[[F]] : tensor<2x4x7xf32>, tensor<1x7xf32>)
// CHECK-NOT:     linalg.
// WHY: {{.*}}: fused: matrix multiplication alone{{$}}
func.func @one_column(%x: tensor<2x4x7xf32>, %w: tensor<7xf32>) -> tensor<2x4x1xf32> {
  %we = tensor.empty() : tensor<2x7x1xf32>
  %wb = linalg.generic {indexing_maps = [affine_map<(b, k, n) -> (k)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%w : tensor<7xf32>) outs(%we : tensor<2x7x1xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<2x7x1xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x1xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
  %c = linalg.batch_matmul ins(%x, %wb : tensor<2x4x7xf32>, tensor<2x7x1xf32>) outs(%f : tensor<2x4x1xf32>) -> tensor<2x4x1xf32>
  return %c : tensor<2x4x1xf32>
}

// A batch of one filter, repeated.
// CHECK-LABEL: func @batch_of_one(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<2x4x7xf32>, %[[W:[a-z0-9]*]]:
// CHECK-NOT:     linalg.
// CHECK:         %[[F:.*]] = tensor.collapse_shape %[[W]] {{\[\[}}0, 1], [2]]
// CHECK:         fusion.fused_matmul_bias_act ins(%[[X]], %[[F]] : tensor<2x4x7xf32>, tensor<7x5xf32>)
// CHECK-NOT:     linalg.
// WHY: {{.*}}: fused: matrix multiplication alone{{$}}
func.func @batch_of_one(%x: tensor<2x4x7xf32>, %w: tensor<1x7x5xf32>) -> tensor<2x4x5xf32> {
  %we = tensor.empty() : tensor<2x7x5xf32>
  %wb = linalg.generic {indexing_maps = [affine_map<(b, k, n) -> (0, k, n)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%w : tensor<1x7x5xf32>) outs(%we : tensor<2x7x5xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<2x7x5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %c = linalg.batch_matmul ins(%x, %wb : tensor<2x4x7xf32>, tensor<2x7x5xf32>) outs(%f : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %c : tensor<2x4x5xf32>
}

// Bias, residual and activation behind the reshape.
// CHECK-LABEL: func @residual(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<6x4x7xf32>, %[[W:[a-z0-9]*]]: tensor<7x5xf32>, %[[B:[a-z0-9]*]]: tensor<5xf32>, %[[Z:[a-z0-9]*]]:
// CHECK-NOT:     linalg.
// CHECK:         %[[S:.*]] = tensor.collapse_shape %[[Z]]
// CHECK:         fusion.fused_matmul_bias_act tanh ins(%[[X]], %[[W]] : {{.*}} bias(%[[B]] : {{.*}} residual(%[[S]] :
// CHECK-NOT:     linalg.
// WHY: {{.*}}: fused: bias, residual, tanh{{$}}
func.func @residual(%x: tensor<6x4x7xf32>, %w: tensor<7x5xf32>, %b: tensor<5xf32>, %z: tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32> {
  %te = tensor.empty() : tensor<2x3x7x5xf32>
  %t = linalg.broadcast ins(%w : tensor<7x5xf32>) outs(%te : tensor<2x3x7x5xf32>) dimensions = [0, 1]
  %wb = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<2x3x7x5xf32> into tensor<6x7x5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x4x5xf32>) -> tensor<6x4x5xf32>
  %c = linalg.batch_matmul ins(%x, %wb : tensor<6x4x7xf32>, tensor<6x7x5xf32>) outs(%f : tensor<6x4x5xf32>) -> tensor<6x4x5xf32>
  %y = tensor.expand_shape %c [[0, 1], [2], [3]] output_shape [2, 3, 4, 5] : tensor<6x4x5xf32> into tensor<2x3x4x5xf32>
  %ye = tensor.empty() : tensor<2x3x4x5xf32>
  %s = linalg.generic {indexing_maps = [#id4, #col4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%y, %b : tensor<2x3x4x5xf32>, tensor<5xf32>) outs(%ye : tensor<2x3x4x5xf32>) {
  ^bb0(%v0: f32, %v1: f32, %o: f32):
    %a = arith.addf %v0, %v1 : f32
    linalg.yield %a : f32
  } -> tensor<2x3x4x5xf32>
  %t0 = linalg.add ins(%s, %z : tensor<2x3x4x5xf32>, tensor<2x3x4x5xf32>) outs(%ye : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  %r = linalg.tanh ins(%t0 : tensor<2x3x4x5xf32>) outs(%ye : tensor<2x3x4x5xf32>) -> tensor<2x3x4x5xf32>
  return %r : tensor<2x3x4x5xf32>
}

// The first operand is the one that the batch shares: the filter, read by columns.
// CHECK-LABEL: func @first_operand(
// CHECK-SAME:      %[[W:[a-z0-9]*]]: tensor<4x7xf32>, %[[X:[a-z0-9]*]]:
// CHECK-NOT:     linalg.
// CHECK:         fusion.fused_matmul_bias_act layouts(bkm, nk, bnm) ins(%[[X]], %[[W]] : tensor<2x7x5xf32>, tensor<4x7xf32>)
// CHECK-NOT:     linalg.
// WHY: {{.*}}: fused: matrix multiplication alone{{$}}
func.func @first_operand(%w: tensor<4x7xf32>, %x: tensor<2x7x5xf32>) -> tensor<2x4x5xf32> {
  %wbe = tensor.empty() : tensor<2x4x7xf32>
  %wb = linalg.broadcast ins(%w : tensor<4x7xf32>) outs(%wbe : tensor<2x4x7xf32>) dimensions = [0]
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %c = linalg.batch_matmul ins(%wb, %x : tensor<2x4x7xf32>, tensor<2x7x5xf32>) outs(%f : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %c : tensor<2x4x5xf32>
}

// If both are, the weights are the filter.
// CHECK-LABEL: func @weights_of_two(
// CHECK-SAME:      %[[W:[a-z0-9]*]]: tensor<4x7xf32> {fusion.constant}, %[[X:[a-z0-9]*]]:
// CHECK:         %[[I:.*]] = linalg.broadcast ins(%[[X]] :
// CHECK:         fusion.fused_matmul_bias_act layouts(bkm, nk, bnm) ins(%[[I]], %[[W]] : tensor<2x7x5xf32>, tensor<4x7xf32>)
// WHY: {{.*}}: fused: matrix multiplication alone{{$}}
func.func @weights_of_two(%w: tensor<4x7xf32> {fusion.constant}, %x: tensor<7x5xf32>) -> tensor<2x4x5xf32> {
  %wbe = tensor.empty() : tensor<2x4x7xf32>
  %wb = linalg.broadcast ins(%w : tensor<4x7xf32>) outs(%wbe : tensor<2x4x7xf32>) dimensions = [0]
  %xbe = tensor.empty() : tensor<2x7x5xf32>
  %xb = linalg.broadcast ins(%x : tensor<7x5xf32>) outs(%xbe : tensor<2x7x5xf32>) dimensions = [0]
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %c = linalg.batch_matmul ins(%wb, %xb : tensor<2x4x7xf32>, tensor<2x7x5xf32>) outs(%f : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %c : tensor<2x4x5xf32>
}

// TOSA's tile has two dimensions for each that it repeats.
// CHECK-LABEL: func @tile(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<2x4x7xf32>, %[[W:[a-z0-9]*]]:
// CHECK-NOT:     linalg.
// CHECK:         %[[F:.*]] = tensor.collapse_shape %[[W]]
// CHECK:         fusion.fused_matmul_bias_act ins(%[[X]], %[[F]] : tensor<2x4x7xf32>, tensor<7x5xf32>)
// CHECK-NOT:     linalg.
// WHY: {{.*}}: fused: matrix multiplication alone{{$}}
func.func @tile(%x: tensor<2x4x7xf32>, %w: tensor<1x7x5xf32>) -> tensor<2x4x5xf32> {
  %te = tensor.empty() : tensor<2x1x1x7x1x5xf32>
  %t = linalg.generic {indexing_maps = [affine_map<(d0, d1, d2, d3, d4, d5) -> (d1, d3, d5)>, affine_map<(d0, d1, d2, d3, d4, d5) -> (d0, d1, d2, d3, d4, d5)>],
                        iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "parallel"]}
         ins(%w : tensor<1x7x5xf32>) outs(%te : tensor<2x1x1x7x1x5xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<2x1x1x7x1x5xf32>
  %wb = tensor.collapse_shape %t [[0, 1, 2], [3, 4], [5]] : tensor<2x1x1x7x1x5xf32> into tensor<2x7x5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %c = linalg.batch_matmul ins(%x, %wb : tensor<2x4x7xf32>, tensor<2x7x5xf32>) outs(%f : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %c : tensor<2x4x5xf32>
}

// Batch and rows are known at run time only.
// CHECK-LABEL: func @dynamic(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<?x3x?x7xf32>, %[[W:[a-z0-9]*]]: tensor<5x7xf32>, %[[B:[a-z0-9]*]]:
// CHECK-NOT:     linalg.
// CHECK:         %[[I:.*]] = tensor.collapse_shape %[[X]]
// CHECK:         fusion.fused_matmul_bias_act layouts(bmk, nk, bmn) ins(%[[I]], %[[W]] : tensor<?x?x7xf32>, tensor<5x7xf32>) bias(%[[B]] :
// CHECK-NOT:     linalg.
// WHY: {{.*}}: fused: bias{{$}}
func.func @dynamic(%x: tensor<?x3x?x7xf32>, %w: tensor<5x7xf32>, %b: tensor<5xf32>) -> tensor<?x3x?x5xf32> {
  %c0 = arith.constant 0 : index
  %three = arith.constant 3 : index
  %d = tensor.dim %x, %c0 : tensor<?x3x?x7xf32>
  %c2 = arith.constant 2 : index
  %m = tensor.dim %x, %c2 : tensor<?x3x?x7xf32>
  %bb = arith.muli %d, %three : index
  %te = tensor.empty() : tensor<7x5xf32>
  %t = linalg.transpose ins(%w : tensor<5x7xf32>) outs(%te : tensor<7x5xf32>) permutation = [1, 0]
  %we = tensor.empty(%d) : tensor<?x3x7x5xf32>
  %wb = linalg.generic {indexing_maps = [affine_map<(a, b, k, n) -> (k, n)>, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%t : tensor<7x5xf32>) outs(%we : tensor<?x3x7x5xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<?x3x7x5xf32>
  %xc = tensor.collapse_shape %x [[0, 1], [2], [3]] : tensor<?x3x?x7xf32> into tensor<?x?x7xf32>
  %wc = tensor.collapse_shape %wb [[0, 1], [2], [3]] : tensor<?x3x7x5xf32> into tensor<?x7x5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%bb, %m) : tensor<?x?x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?x5xf32>) -> tensor<?x?x5xf32>
  %c = linalg.batch_matmul ins(%xc, %wc : tensor<?x?x7xf32>, tensor<?x7x5xf32>) outs(%f : tensor<?x?x5xf32>) -> tensor<?x?x5xf32>
  %y = tensor.expand_shape %c [[0, 1], [2], [3]] output_shape [%d, 3, %m, 5] : tensor<?x?x5xf32> into tensor<?x3x?x5xf32>
  %ye = tensor.empty(%d, %m) : tensor<?x3x?x5xf32>
  %r = linalg.generic {indexing_maps = [#id4, #col4, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%y, %b : tensor<?x3x?x5xf32>, tensor<5xf32>) outs(%ye : tensor<?x3x?x5xf32>) {
  ^bb0(%v0: f32, %v1: f32, %o: f32):
    %a = arith.addf %v0, %v1 : f32
    linalg.yield %a : f32
  } -> tensor<?x3x?x5xf32>
  return %r : tensor<?x3x?x5xf32>
}

// A dynamic dimension of the sum that is divided behind the broadcast, and transposed.
// CHECK-LABEL: func @dynamic_sum(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<2x?x7x4xf32>, %[[W:[a-z0-9]*]]:
// CHECK-NOT:     linalg.
// CHECK:         fusion.fused_matmul_bias_act layouts(bkm, kn, bmn) ins(%{{.*}}, %[[W]] : tensor<2x?x4xf32>, tensor<?x5xf32>)
// CHECK-NOT:     linalg.
// WHY: {{.*}}: fused: matrix multiplication alone{{$}}
func.func @dynamic_sum(%x: tensor<2x?x7x4xf32>, %w: tensor<?x5xf32>) -> tensor<2x4x5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %kk = tensor.dim %w, %c0 : tensor<?x5xf32>
  %k = tensor.dim %x, %c1 : tensor<2x?x7x4xf32>
  %te = tensor.empty(%kk) : tensor<2x?x5xf32>
  %t = linalg.broadcast ins(%w : tensor<?x5xf32>) outs(%te : tensor<2x?x5xf32>) dimensions = [0]
  %u = tensor.expand_shape %t [[0], [1, 2], [3]] output_shape [2, %k, 7, 5] : tensor<2x?x5xf32> into tensor<2x?x7x5xf32>
  %ve = tensor.empty(%k) : tensor<2x5x?x7xf32>
  %v = linalg.generic {indexing_maps = [affine_map<(b, n, k, l) -> (b, k, l, n)>, affine_map<(b, n, k, l) -> (b, n, k, l)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%u : tensor<2x?x7x5xf32>) outs(%ve : tensor<2x5x?x7xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<2x5x?x7xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(b, m, n, k, l) -> (b, k, l, m)>, affine_map<(b, m, n, k, l) -> (b, n, k, l)>,
                                       affine_map<(b, m, n, k, l) -> (b, m, n)>],
         iterator_types = ["parallel", "parallel", "parallel", "reduction", "reduction"]}
         ins(%x, %v : tensor<2x?x7x4xf32>, tensor<2x5x?x7xf32>) outs(%f : tensor<2x4x5xf32>) {
  ^bb0(%v0: f32, %v1: f32, %o: f32):
    %p = arith.mulf %v0, %v1 : f32
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<2x4x5xf32>
  return %c : tensor<2x4x5xf32>
}

// Two of the batches are known at run time only: a generic contraction.
// CHECK-LABEL: func @dynamic_batches(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<?x?x4x7xf32>, %[[W:[a-z0-9]*]]:
// CHECK-NOT:     linalg.
// CHECK:         fusion.fused_matmul_bias_act layouts(bmk, nk, bmn) ins(%{{.*}}, %[[W]] : tensor<?x4x7xf32>, tensor<5x7xf32>) bias(
// CHECK-NOT:     linalg.
// WHY: {{.*}}: fused: bias{{$}}
func.func @dynamic_batches(%x: tensor<?x?x4x7xf32>, %w: tensor<5x7xf32>, %b: tensor<5xf32>) -> tensor<?x?x4x5xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %d0 = tensor.dim %x, %c0 : tensor<?x?x4x7xf32>
  %d1 = tensor.dim %x, %c1 : tensor<?x?x4x7xf32>
  %we = tensor.empty(%d0, %d1) : tensor<?x?x7x5xf32>
  %wb = linalg.generic {indexing_maps = [affine_map<(a, b, k, n) -> (n, k)>, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%w : tensor<5x7xf32>) outs(%we : tensor<?x?x7x5xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<?x?x7x5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty(%d0, %d1) : tensor<?x?x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x?x4x5xf32>) -> tensor<?x?x4x5xf32>
  %c = linalg.generic {indexing_maps = [affine_map<(a, b, m, n, k) -> (a, b, m, k)>, affine_map<(a, b, m, n, k) -> (a, b, k, n)>,
                                       affine_map<(a, b, m, n, k) -> (a, b, m, n)>],
         iterator_types = ["parallel", "parallel", "parallel", "parallel", "reduction"]}
         ins(%x, %wb : tensor<?x?x4x7xf32>, tensor<?x?x7x5xf32>) outs(%f : tensor<?x?x4x5xf32>) {
  ^bb0(%v0: f32, %v1: f32, %o: f32):
    %p = arith.mulf %v0, %v1 : f32
    %q = arith.addf %p, %o : f32
    linalg.yield %q : f32
  } -> tensor<?x?x4x5xf32>
  %r = linalg.generic {indexing_maps = [#id4, affine_map<(a, b, m, n) -> (n)>, #id4], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
         ins(%c, %b : tensor<?x?x4x5xf32>, tensor<5xf32>) outs(%e : tensor<?x?x4x5xf32>) {
  ^bb0(%v0: f32, %v1: f32, %o: f32):
    %a = arith.addf %v0, %v1 : f32
    linalg.yield %a : f32
  } -> tensor<?x?x4x5xf32>
  return %r : tensor<?x?x4x5xf32>
}
