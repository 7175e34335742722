// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false | FileCheck %s
// RUN: fusion-opt %s --fusion-optimize=propagate-layout=false --fusion-explain -o /dev/null 2>&1 | FileCheck %s --check-prefix=WHY

// A matrix multiplication reads its operands in the order that they have in front of a
// transpose and a reshape.

// The keys of an attention.
// CHECK-LABEL: func @filter(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: {{.*}}, %[[W:[a-z0-9]*]]:
// CHECK-NOT:     linalg.
// CHECK-DAG:     %[[I:.*]] = tensor.collapse_shape %[[X]]
// CHECK-DAG:     %[[F:.*]] = tensor.collapse_shape %[[W]]
// CHECK:         fusion.fused_matmul_bias_act layouts(bmk, bnk, bmn) ins(%[[I]], %[[F]] : tensor<6x4x7xf32>, tensor<6x5x7xf32>)
// CHECK-NOT:     linalg.
// WHY: {{.*}}: fused: matrix multiplication alone{{$}}
func.func @filter(%x: tensor<2x3x4x7xf32>, %w: tensor<2x3x5x7xf32>) -> tensor<6x4x5xf32> {
  %te = tensor.empty() : tensor<2x3x7x5xf32>
  %t = linalg.transpose ins(%w : tensor<2x3x5x7xf32>) outs(%te : tensor<2x3x7x5xf32>) permutation = [0, 1, 3, 2]
  %xc = tensor.collapse_shape %x [[0, 1], [2], [3]] : tensor<2x3x4x7xf32> into tensor<6x4x7xf32>
  %wb = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<2x3x7x5xf32> into tensor<6x7x5xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x4x5xf32>) -> tensor<6x4x5xf32>
  %c = linalg.batch_matmul ins(%xc, %wb : tensor<6x4x7xf32>, tensor<6x7x5xf32>) outs(%f : tensor<6x4x5xf32>) -> tensor<6x4x5xf32>
  return %c : tensor<6x4x5xf32>
}

// The heads of one image, which are between rows and columns.
// CHECK-LABEL: func @input(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: {{.*}}, %[[W:[a-z0-9]*]]:
// CHECK-NOT:     linalg.
// CHECK:         %[[I:.*]] = tensor.collapse_shape %[[X]] {{\[\[}}0, 1], [2], [3]]
// CHECK:         fusion.fused_matmul_bias_act layouts(mbk, bkn, bmn) ins(%[[I]], %[[W]] : tensor<4x3x7xf32>, tensor<3x7x5xf32>)
// CHECK-NOT:     linalg.
// WHY: {{.*}}: fused: matrix multiplication alone{{$}}
func.func @input(%x: tensor<1x4x3x7xf32>, %w: tensor<3x7x5xf32>) -> tensor<3x4x5xf32> {
  %te = tensor.empty() : tensor<1x3x4x7xf32>
  %t = linalg.transpose ins(%x : tensor<1x4x3x7xf32>) outs(%te : tensor<1x3x4x7xf32>) permutation = [0, 2, 1, 3]
  %xc = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<1x3x4x7xf32> into tensor<3x4x7xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<3x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  %c = linalg.batch_matmul ins(%xc, %w : tensor<3x4x7xf32>, tensor<3x7x5xf32>) outs(%f : tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  return %c : tensor<3x4x5xf32>
}

// Near miss: those of several images are apart from their batch.
// CHECK-LABEL: func @apart(
// CHECK:         linalg.transpose
// CHECK:         fusion.fused_matmul_bias_act ins(
// WHY: {{.*}}: fused: matrix multiplication alone{{$}}
func.func @apart(%x: tensor<2x4x3x7xf32>, %w: tensor<6x7x5xf32>) -> tensor<6x4x5xf32> {
  %te = tensor.empty() : tensor<2x3x4x7xf32>
  %t = linalg.transpose ins(%x : tensor<2x4x3x7xf32>) outs(%te : tensor<2x3x4x7xf32>) permutation = [0, 2, 1, 3]
  %xc = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<2x3x4x7xf32> into tensor<6x4x7xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x4x5xf32>) -> tensor<6x4x5xf32>
  %c = linalg.batch_matmul ins(%xc, %w : tensor<6x4x7xf32>, tensor<6x7x5xf32>) outs(%f : tensor<6x4x5xf32>) -> tensor<6x4x5xf32>
  return %c : tensor<6x4x5xf32>
}

// Near miss: kernels are fast at rows, so that an input is not read by its columns.
// CHECK-LABEL: func @columns(
// CHECK:         linalg.transpose
// CHECK:         fusion.fused_matmul_bias_act ins(
// WHY: {{.*}}: fused: matrix multiplication alone{{$}}
func.func @columns(%x: tensor<7x2x3x4xf32>, %w: tensor<6x7x5xf32>) -> tensor<6x4x5xf32> {
  %te = tensor.empty() : tensor<2x3x4x7xf32>
  %t = linalg.transpose ins(%x : tensor<7x2x3x4xf32>) outs(%te : tensor<2x3x4x7xf32>) permutation = [1, 2, 3, 0]
  %xc = tensor.collapse_shape %t [[0, 1], [2], [3]] : tensor<2x3x4x7xf32> into tensor<6x4x7xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<6x4x5xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<6x4x5xf32>) -> tensor<6x4x5xf32>
  %c = linalg.batch_matmul ins(%xc, %w : tensor<6x4x7xf32>, tensor<6x7x5xf32>) outs(%f : tensor<6x4x5xf32>) -> tensor<6x4x5xf32>
  return %c : tensor<6x4x5xf32>
}

// A result whose rows are split is transposed in front of that: StableHLO's dot_general with the
// filter first, on pixels.
// CHECK-LABEL: func @pixels(
// CHECK-SAME:      %[[X:[a-z0-9]*]]: {{.*}}, %[[W:[a-z0-9]*]]: {{.*}}, %[[B:[a-z0-9]*]]:
// CHECK-NOT:     linalg.
// CHECK:         %[[I:.*]] = tensor.collapse_shape %[[X]]
// CHECK:         %[[R:.*]] = fusion.fused_matmul_bias_act ins(%[[I]], %[[W]] : {{.*}}) bias(%[[B]] :
// CHECK:         tensor.expand_shape %[[R]] {{\[\[}}0, 1], [2], [3]] output_shape [2, 3, 4, 7] :
// CHECK-NOT:     linalg.
// WHY: {{.*}}: fused: bias{{$}}
func.func @pixels(%x: tensor<2x3x4x5xf32>, %w: tensor<5x7xf32> {fusion.constant}, %b: tensor<7xf32>) -> tensor<2x3x4x7xf32> {
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
  %v = linalg.broadcast ins(%b : tensor<7xf32>) outs(%te : tensor<2x3x4x7xf32>) dimensions = [0, 1, 2]
  %r = linalg.add ins(%t, %v : tensor<2x3x4x7xf32>, tensor<2x3x4x7xf32>) outs(%te : tensor<2x3x4x7xf32>) -> tensor<2x3x4x7xf32>
  return %r : tensor<2x3x4x7xf32>
}

// A channel that is split, of dynamic images.
// CHECK-LABEL: func @boxes(
// CHECK-NOT:     linalg.
// CHECK:         %[[R:.*]] = fusion.fused_conv_bias_act relu layouts(nchw, fchw, nhwc)
// CHECK:         tensor.expand_shape %[[R]] {{\[\[}}0], [1], [2], [3, 4]] output_shape [%{{.*}}, 7, 10, 3, 2] :
// CHECK-NOT:     linalg.
// WHY: {{.*}}: fused: relu{{$}}
func.func @boxes(%x: tensor<?x3x9x11xf32>, %w: tensor<6x3x3x2xf32>, %e: tensor<?x6x7x10xf32>, %te: tensor<?x7x10x3x2xf32>) -> tensor<?x7x10x3x2xf32> {
  %i0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %n = tensor.dim %x, %i0 : tensor<?x3x9x11xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<?x6x7x10xf32>) -> tensor<?x6x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<?x3x9x11xf32>, tensor<6x3x3x2xf32>) outs(%f : tensor<?x6x7x10xf32>) -> tensor<?x6x7x10xf32>
  %s = tensor.expand_shape %c [[0], [1, 2], [3], [4]] output_shape [%n, 3, 2, 7, 10] : tensor<?x6x7x10xf32> into tensor<?x3x2x7x10xf32>
  %t = linalg.transpose ins(%s : tensor<?x3x2x7x10xf32>) outs(%te : tensor<?x7x10x3x2xf32>) permutation = [0, 3, 4, 1, 2]
  %m = linalg.fill ins(%zero : f32) outs(%te : tensor<?x7x10x3x2xf32>) -> tensor<?x7x10x3x2xf32>
  %r = linalg.max ins(%t, %m : tensor<?x7x10x3x2xf32>, tensor<?x7x10x3x2xf32>) outs(%te : tensor<?x7x10x3x2xf32>) -> tensor<?x7x10x3x2xf32>
  return %r : tensor<?x7x10x3x2xf32>
}

// Near misses: the parts go to different places,
// CHECK-LABEL: func @parts_apart(
// CHECK:         fusion.fused_conv_bias_act ins(
// CHECK:         linalg.transpose
// WHY: {{.*}}: partly fused: convolution alone; unsupported: next op 'linalg.transpose' at {{.*}} transposes a reshape of the result{{$}}
func.func @parts_apart(%x: tensor<2x3x9x11xf32>, %w: tensor<6x3x3x2xf32>) -> tensor<2x3x7x10x2xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x7x10xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x7x10xf32>) -> tensor<2x6x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<6x3x3x2xf32>) outs(%f : tensor<2x6x7x10xf32>) -> tensor<2x6x7x10xf32>
  %s = tensor.expand_shape %c [[0], [1, 2], [3], [4]] output_shape [2, 3, 2, 7, 10] : tensor<2x6x7x10xf32> into tensor<2x3x2x7x10xf32>
  %te = tensor.empty() : tensor<2x3x7x10x2xf32>
  %t = linalg.transpose ins(%s : tensor<2x3x2x7x10xf32>) outs(%te : tensor<2x3x7x10x2xf32>) permutation = [0, 1, 3, 4, 2]
  %r = linalg.tanh ins(%t : tensor<2x3x7x10x2xf32>) outs(%te : tensor<2x3x7x10x2xf32>) -> tensor<2x3x7x10x2xf32>
  return %r : tensor<2x3x7x10x2xf32>
}

// they change places,
// CHECK-LABEL: func @parts_swapped(
// CHECK:         fusion.fused_conv_bias_act ins(
// CHECK:         linalg.transpose
// WHY: {{.*}}: partly fused: convolution alone; unsupported: next op 'linalg.transpose' at {{.*}} transposes a reshape of the result{{$}}
func.func @parts_swapped(%x: tensor<2x3x9x11xf32>, %w: tensor<6x3x3x2xf32>) -> tensor<2x7x10x2x3xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x7x10xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x7x10xf32>) -> tensor<2x6x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<6x3x3x2xf32>) outs(%f : tensor<2x6x7x10xf32>) -> tensor<2x6x7x10xf32>
  %s = tensor.expand_shape %c [[0], [1, 2], [3], [4]] output_shape [2, 3, 2, 7, 10] : tensor<2x6x7x10xf32> into tensor<2x3x2x7x10xf32>
  %te = tensor.empty() : tensor<2x7x10x2x3xf32>
  %t = linalg.transpose ins(%s : tensor<2x3x2x7x10xf32>) outs(%te : tensor<2x7x10x2x3xf32>) permutation = [0, 3, 4, 2, 1]
  %r = linalg.tanh ins(%t : tensor<2x7x10x2x3xf32>) outs(%te : tensor<2x7x10x2x3xf32>) -> tensor<2x7x10x2x3xf32>
  return %r : tensor<2x7x10x2x3xf32>
}

// or the reshape has another user.
// CHECK-LABEL: func @reshape_for_two(
// CHECK:         fusion.fused_conv_bias_act ins(
// CHECK:         linalg.transpose
// WHY: {{.*}}: partly fused: convolution alone; unsupported: next op 'linalg.transpose' at {{.*}} transposes a reshape of the result{{$}}
func.func @reshape_for_two(%x: tensor<2x3x9x11xf32>, %w: tensor<6x3x3x2xf32>) -> (tensor<2x7x10x3x2xf32>, tensor<2x3x2x7x10xf32>) {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x6x7x10xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<2x6x7x10xf32>) -> tensor<2x6x7x10xf32>
  %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<2x3x9x11xf32>, tensor<6x3x3x2xf32>) outs(%f : tensor<2x6x7x10xf32>) -> tensor<2x6x7x10xf32>
  %s = tensor.expand_shape %c [[0], [1, 2], [3], [4]] output_shape [2, 3, 2, 7, 10] : tensor<2x6x7x10xf32> into tensor<2x3x2x7x10xf32>
  %te = tensor.empty() : tensor<2x7x10x3x2xf32>
  %t = linalg.transpose ins(%s : tensor<2x3x2x7x10xf32>) outs(%te : tensor<2x7x10x3x2xf32>) permutation = [0, 3, 4, 1, 2]
  %r = linalg.tanh ins(%t : tensor<2x7x10x3x2xf32>) outs(%te : tensor<2x7x10x3x2xf32>) -> tensor<2x7x10x3x2xf32>
  return %r, %s : tensor<2x7x10x3x2xf32>, tensor<2x3x2x7x10xf32>
}
