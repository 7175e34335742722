// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

// The laws fold into a matrix multiplication what they fold into a convolution. TVM 80,
// 93.

#id = affine_map<(m, n) -> (m, n)>
#col = affine_map<(m, n) -> (n)>
#row = affine_map<(m, n) -> (m)>
#id3 = affine_map<(b, m, n) -> (b, m, n)>
#col3 = affine_map<(b, m, n) -> (n)>

// A fully connected layer.
// CHECK-LABEL: func @bias_relu(
// CHECK-SAME:      %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_matmul_bias_act relu ins({{.*}}) bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
// WHY: {{.*}}: fused: bias, relu{{$}}
func.func @bias_relu(%x: tensor<4x7xf32>, %w: tensor<7x5xf32>, %b: tensor<5xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %c = linalg.matmul ins(%x, %w : tensor<4x7xf32>, tensor<7x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  %s = linalg.generic {indexing_maps = [#id, #col, #id], iterator_types = ["parallel", "parallel"]}
         ins(%c, %b : tensor<4x5xf32>, tensor<5xf32>) outs(%e : tensor<4x5xf32>) {
  ^bb0(%v0: f32, %v1: f32, %o: f32):
    %t = arith.addf %v0, %v1 : f32
    linalg.yield %t : f32
  } -> tensor<4x5xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%s : tensor<4x5xf32>) outs(%e : tensor<4x5xf32>) {
  ^bb0(%v0: f32, %o: f32):
    %t = arith.maximumf %v0, %zero : f32
    linalg.yield %t : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// The bias as the first operand, through a reshape and a broadcast.
// CHECK-LABEL: func @bias_first(
// CHECK-SAME:      %[[B:[a-z0-9]*]]: tensor<5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_matmul_bias_act{{.*}} bias(%[[B]] : tensor<5xf32>) outs(
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
// WHY: {{.*}}: fused: bias{{$}}
func.func @bias_first(%x: tensor<4x7xf32>, %w: tensor<7x5xf32>, %b: tensor<5xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %c = linalg.matmul ins(%x, %w : tensor<4x7xf32>, tensor<7x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  %b2 = tensor.expand_shape %b [[0, 1]] output_shape [1, 5] : tensor<5xf32> into tensor<1x5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n) -> (0, n)>, #id, #id], iterator_types = ["parallel", "parallel"]}
         ins(%b2, %c : tensor<1x5xf32>, tensor<4x5xf32>) outs(%e : tensor<4x5xf32>) {
  ^bb0(%v0: f32, %v1: f32, %o: f32):
    %t = arith.addf %v0, %v1 : f32
    linalg.yield %t : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// A residual, then an activation.
// CHECK-LABEL: func @residual_tanh(
// CHECK-SAME:      %[[S:[a-z0-9]*]]: tensor<4x5xf32>)
// CHECK:         %[[R:.*]] = fusion.fused_matmul_bias_act tanh ins({{.*}} residual(%[[S]] : tensor<4x5xf32>) outs(
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
// WHY: {{.*}}: fused: residual, tanh{{$}}
func.func @residual_tanh(%x: tensor<4x7xf32>, %w: tensor<7x5xf32>, %s: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %c = linalg.matmul ins(%x, %w : tensor<4x7xf32>, tensor<7x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  %t = linalg.add ins(%s, %c : tensor<4x5xf32>, tensor<4x5xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r = linalg.tanh ins(%t : tensor<4x5xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// Along the rows it is a tensor to add, not a bias, although rows and columns are
// as many.
// CHECK-LABEL: func @rows_are_no_bias(
// CHECK:         fusion.fused_matmul_bias_act
// CHECK-NOT:     bias(
// CHECK:         linalg.generic
// WHY: {{.*}}: partly fused: matrix multiplication alone; {{.*}}{{$}}
func.func @rows_are_no_bias(%x: tensor<5x7xf32>, %w: tensor<7x5xf32>, %b: tensor<5xf32>) -> tensor<5x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5x5xf32>) -> tensor<5x5xf32>
  %c = linalg.matmul ins(%x, %w : tensor<5x7xf32>, tensor<7x5xf32>) outs(%f : tensor<5x5xf32>) -> tensor<5x5xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
         ins(%c, %b : tensor<5x5xf32>, tensor<5xf32>) outs(%e : tensor<5x5xf32>) {
  ^bb0(%v0: f32, %v1: f32, %o: f32):
    %t = arith.addf %v0, %v1 : f32
    linalg.yield %t : f32
  } -> tensor<5x5xf32>
  return %r : tensor<5x5xf32>
}

// Weights on the left: their rows are the columns of the filter, so that here the
// bias varies along the rows.
// CHECK-LABEL: func @weights_on_the_left(
// CHECK:         %[[R:.*]] = fusion.fused_matmul_bias_act layouts(km, nk, nm) ins({{.*}}) bias(%{{.*}} : tensor<4xf32>) outs(
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
// WHY: {{.*}}: fused: bias{{$}}
func.func @weights_on_the_left(%x: tensor<4x7xf32> {fusion.constant}, %w: tensor<7x5xf32>, %b: tensor<4xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %c = linalg.matmul ins(%x, %w : tensor<4x7xf32>, tensor<7x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r = linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
         ins(%c, %b : tensor<4x5xf32>, tensor<4xf32>) outs(%e : tensor<4x5xf32>) {
  ^bb0(%v0: f32, %v1: f32, %o: f32):
    %t = arith.addf %v0, %v1 : f32
    linalg.yield %t : f32
  } -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// A transposed filter is read as it is.
// CHECK-LABEL: func @transposed_filter(
// CHECK:         %[[R:.*]] = fusion.fused_matmul_bias_act layouts(mk, nk, mn) ins(%{{.*}}, %{{.*}} : tensor<4x7xf32>, tensor<5x7xf32>)
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
// WHY: {{.*}}: fused: matrix multiplication alone{{$}}
func.func @transposed_filter(%x: tensor<4x7xf32>, %w: tensor<5x7xf32>) -> tensor<4x5xf32> {
  %te = tensor.empty() : tensor<7x5xf32>
  %t = linalg.transpose ins(%w : tensor<5x7xf32>) outs(%te : tensor<7x5xf32>) permutation = [1, 0]
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %c = linalg.matmul ins(%x, %t : tensor<4x7xf32>, tensor<7x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %c : tensor<4x5xf32>
}

// So is a transposed input.
// CHECK-LABEL: func @transposed_input(
// CHECK:         %[[R:.*]] = fusion.fused_matmul_bias_act layouts(km, kn, mn) ins(%{{.*}}, %{{.*}} : tensor<7x4xf32>, tensor<7x5xf32>)
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
// WHY: {{.*}}: fused: matrix multiplication alone{{$}}
func.func @transposed_input(%x: tensor<7x4xf32>, %w: tensor<7x5xf32>) -> tensor<4x5xf32> {
  %te = tensor.empty() : tensor<4x7xf32>
  %t = linalg.transpose ins(%x : tensor<7x4xf32>) outs(%te : tensor<4x7xf32>) permutation = [1, 0]
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %c = linalg.matmul ins(%t, %w : tensor<4x7xf32>, tensor<7x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %c : tensor<4x5xf32>
}

// And the result is written as it is wanted.
// CHECK-LABEL: func @transposed_result(
// CHECK:         %[[R:.*]] = fusion.fused_matmul_bias_act layouts(mk, kn, nm) ins({{.*}}) outs(%{{.*}} : tensor<5x4xf32>)
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
// WHY: {{.*}}: fused: matrix multiplication alone{{$}}
func.func @transposed_result(%x: tensor<4x7xf32>, %w: tensor<7x5xf32>) -> tensor<5x4xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %c = linalg.matmul ins(%x, %w : tensor<4x7xf32>, tensor<7x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  %te = tensor.empty() : tensor<5x4xf32>
  %t = linalg.transpose ins(%c : tensor<4x5xf32>) outs(%te : tensor<5x4xf32>) permutation = [1, 0]
  return %t : tensor<5x4xf32>
}

// One filter broadcast over the batch is one filter.
// CHECK-LABEL: func @broadcast_filter(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<2x4x7xf32>, %[[W:[a-z0-9]*]]: tensor<7x5xf32>
// CHECK:         %[[R:.*]] = fusion.fused_matmul_bias_act ins(%[[X]], %[[W]] : tensor<2x4x7xf32>, tensor<7x5xf32>) bias(
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
// WHY: {{.*}}: fused: bias{{$}}
func.func @broadcast_filter(%x: tensor<2x4x7xf32>, %w: tensor<7x5xf32>, %b: tensor<5xf32>) -> tensor<2x4x5xf32> {
  %we = tensor.empty() : tensor<2x7x5xf32>
  %wb = linalg.broadcast ins(%w : tensor<7x5xf32>) outs(%we : tensor<2x7x5xf32>) dimensions = [0]
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %c = linalg.batch_matmul ins(%x, %wb : tensor<2x4x7xf32>, tensor<2x7x5xf32>) outs(%f : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %r = linalg.generic {indexing_maps = [#id3, #col3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%c, %b : tensor<2x4x5xf32>, tensor<5xf32>) outs(%e : tensor<2x4x5xf32>) {
  ^bb0(%v0: f32, %v1: f32, %o: f32):
    %t = arith.addf %v0, %v1 : f32
    linalg.yield %t : f32
  } -> tensor<2x4x5xf32>
  return %r : tensor<2x4x5xf32>
}

// However it is spelled, and transposed on the way.
// CHECK-LABEL: func @broadcast_generic(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<2x4x7xf32>, %[[W:[a-z0-9]*]]: tensor<5x7xf32>
// CHECK:         %[[R:.*]] = fusion.fused_matmul_bias_act layouts(bmk, nk, bmn) ins(%[[X]], %[[W]] :
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
// WHY: {{.*}}: fused: matrix multiplication alone{{$}}
func.func @broadcast_generic(%x: tensor<2x4x7xf32>, %w: tensor<5x7xf32>) -> tensor<2x4x5xf32> {
  %te = tensor.empty() : tensor<7x5xf32>
  %t = linalg.transpose ins(%w : tensor<5x7xf32>) outs(%te : tensor<7x5xf32>) permutation = [1, 0]
  %we = tensor.empty() : tensor<2x7x5xf32>
  %wb = linalg.generic {indexing_maps = [affine_map<(b, k, n) -> (k, n)>, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%t : tensor<7x5xf32>) outs(%we : tensor<2x7x5xf32>) {
  ^bb0(%v: f32, %o: f32):
    linalg.yield %v : f32
  } -> tensor<2x7x5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  %c = linalg.batch_matmul ins(%x, %wb : tensor<2x4x7xf32>, tensor<2x7x5xf32>) outs(%f : tensor<2x4x5xf32>) -> tensor<2x4x5xf32>
  return %c : tensor<2x4x5xf32>
}

// Near miss: repeated along another dimension, as long as the batch, each batch has a
// filter of its own.
// CHECK-LABEL: func @broadcast_along_rows(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: tensor<3x4x3xf32>, %[[W:[a-z0-9]*]]: tensor<3x5xf32>
// CHECK:         %[[F:.*]] = linalg.broadcast ins(%[[W]] :
// CHECK:         fusion.fused_matmul_bias_act ins(%[[X]], %[[F]] :
// WHY: {{.*}}: partly fused: matrix multiplication alone; 'filter' is broadcast along 'k', expected 'b'; each call makes 180 bytes of it{{$}}
func.func @broadcast_along_rows(%x: tensor<3x4x3xf32>, %w: tensor<3x5xf32>) -> tensor<3x4x5xf32> {
  %we = tensor.empty() : tensor<3x3x5xf32>
  %wb = linalg.broadcast ins(%w : tensor<3x5xf32>) outs(%we : tensor<3x3x5xf32>) dimensions = [1]
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  %c = linalg.batch_matmul ins(%x, %wb : tensor<3x4x3xf32>, tensor<3x3x5xf32>) outs(%f : tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  return %c : tensor<3x4x5xf32>
}

// TVM 88: the rows of a batch in a reshape: the column is kept.
// CHECK-LABEL: func @reshaped_result(
// CHECK:         %[[R:.*]] = fusion.fused_matmul_bias_act relu ins({{.*}} bias(
// CHECK:         %[[Y:.*]] = tensor.expand_shape %[[R]]
// CHECK-NOT:     linalg.
// CHECK:         return %[[Y]]
// WHY: {{.*}}: fused: bias, relu{{$}}
func.func @reshaped_result(%x: tensor<8x7xf32>, %w: tensor<7x5xf32>, %b: tensor<5xf32>) -> tensor<2x4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<8x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e0 : tensor<8x5xf32>) -> tensor<8x5xf32>
  %c = linalg.matmul ins(%x, %w : tensor<8x7xf32>, tensor<7x5xf32>) outs(%f : tensor<8x5xf32>) -> tensor<8x5xf32>
  %c3 = tensor.expand_shape %c [[0, 1], [2]] output_shape [2, 4, 5] : tensor<8x5xf32> into tensor<2x4x5xf32>
  %e = tensor.empty() : tensor<2x4x5xf32>
  %s = linalg.generic {indexing_maps = [#id3, #col3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%c3, %b : tensor<2x4x5xf32>, tensor<5xf32>) outs(%e : tensor<2x4x5xf32>) {
  ^bb0(%v0: f32, %v1: f32, %o: f32):
    %t = arith.addf %v0, %v1 : f32
    linalg.yield %t : f32
  } -> tensor<2x4x5xf32>
  %r = linalg.generic {indexing_maps = [#id3, #id3], iterator_types = ["parallel", "parallel", "parallel"]}
         ins(%s : tensor<2x4x5xf32>) outs(%e : tensor<2x4x5xf32>) {
  ^bb0(%v0: f32, %o: f32):
    %t = arith.maximumf %v0, %zero : f32
    linalg.yield %t : f32
  } -> tensor<2x4x5xf32>
  return %r : tensor<2x4x5xf32>
}

// A vector times a matrix.
// CHECK-LABEL: func @vector(
// CHECK:         %[[R:.*]] = fusion.fused_matmul_bias_act relu ins({{.*}}) bias(%{{.*}} : tensor<5xf32>) outs(
// CHECK-NOT:     linalg.
// CHECK:         return %[[R]]
// WHY: {{.*}}: fused: bias, relu{{$}}
func.func @vector(%x: tensor<7xf32>, %w: tensor<7x5xf32>, %b: tensor<5xf32>, %s: tensor<5xf32>) -> tensor<5xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %c = linalg.vecmat ins(%x, %w : tensor<7xf32>, tensor<7x5xf32>) outs(%f : tensor<5xf32>) -> tensor<5xf32>
  %p = linalg.add ins(%c, %b : tensor<5xf32>, tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %u = linalg.add ins(%p, %s : tensor<5xf32>, tensor<5xf32>) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n) -> (n)>, affine_map<(n) -> (n)>], iterator_types = ["parallel"]}
         ins(%u : tensor<5xf32>) outs(%e : tensor<5xf32>) {
  ^bb0(%v0: f32, %o: f32):
    %t = arith.maximumf %v0, %zero : f32
    linalg.yield %t : f32
  } -> tensor<5xf32>
  return %r : tensor<5xf32>
}

// A result that two ops read is not folded.
// CHECK-LABEL: func @two_users(
// CHECK:         fusion.fused_matmul_bias_act ins(
// CHECK:         linalg.add
// WHY: {{.*}}: partly fused: matrix multiplication alone; result has 2 users: {{.*}}{{$}}
func.func @two_users(%x: tensor<4x7xf32>, %w: tensor<7x5xf32>, %s: tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  %c = linalg.matmul ins(%x, %w : tensor<4x7xf32>, tensor<7x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
  %r = linalg.add ins(%c, %s : tensor<4x5xf32>, tensor<4x5xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r, %c : tensor<4x5xf32>, tensor<4x5xf32>
}
