// RUN: fusion-opt %s --fusion-partition="patterns=dnnl" -o %t.mlir
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: fusion-opt %t.mlir --fusion-partition="patterns=dnnl" | diff %t.mlir -
// RUN: fusion-opt %s --fusion-optimize | FileCheck %s --check-prefix=FUSE

// Matrix multiplications. TVM 23, 27, 80, 88, 93.

#all3 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#last3 = affine_map<(d0, d1, d2) -> (d2)>

// TVM 23: matmul, bias, add and a last add, where the first add takes the result of
// another matmul. No name of a matmul has a sum, so that the longest chain is the one with
// the bias. In `fusion-optimize` the sum goes into the later one of both kernels; the
// last add is outside, as in TVM.
// CHECK-LABEL: func.func @add3(
// CHECK:         %[[O:.*]] = call @fused_matmul(%arg2, %arg3)
// CHECK-NEXT:    %[[M:.*]] = call @fused_matmul_bias(%arg0, %arg1, %arg4)
// CHECK-NEXT:    %[[S:.*]] = call @fused_add(%[[M]], %[[O]])
// CHECK-NEXT:    call @fused_add(%[[S]], %arg5)
// CHECK-NEXT:    return
// FUSE-LABEL: func.func @add3(
// FUSE:         %[[O:.*]] = fusion.fused_matmul_bias_act{{.*}} ins(%arg2, %arg3 : {{.*}}) outs(
// FUSE:         %[[S:.*]] = fusion.fused_matmul_bias_act{{.*}} ins(%arg0, %arg1 : {{.*}}) bias({{.*}}) residual(%[[O]]
// FUSE:         linalg.add ins(%[[S]], %arg5
// FUSE-NOT:     linalg.add
// FUSE:         return
func.func @add3(%x: tensor<6x7xf16>, %y: tensor<7x5xf16>, %x2: tensor<6x4xf16>, %y2: tensor<4x5xf16>, %b: tensor<5xf16>, %s: tensor<6x5xf16>) -> tensor<6x5xf16> {
  %z = arith.constant dense<0.0> : tensor<6x5xf16>
  %e = tensor.empty() : tensor<6x5xf16>
  %o = linalg.matmul ins(%x2, %y2 : tensor<6x4xf16>, tensor<4x5xf16>) outs(%z : tensor<6x5xf16>) -> tensor<6x5xf16>
  %m = linalg.matmul ins(%x, %y : tensor<6x7xf16>, tensor<7x5xf16>) outs(%z : tensor<6x5xf16>) -> tensor<6x5xf16>
  %v = linalg.broadcast ins(%b : tensor<5xf16>) outs(%e : tensor<6x5xf16>) dimensions = [0]
  %a = linalg.add ins(%m, %v : tensor<6x5xf16>, tensor<6x5xf16>) outs(%e : tensor<6x5xf16>) -> tensor<6x5xf16>
  %c = linalg.add ins(%a, %o : tensor<6x5xf16>, tensor<6x5xf16>) outs(%e : tensor<6x5xf16>) -> tensor<6x5xf16>
  %r = linalg.add ins(%c, %s : tensor<6x5xf16>, tensor<6x5xf16>) outs(%e : tensor<6x5xf16>) -> tensor<6x5xf16>
  return %r : tensor<6x5xf16>
}

// TVM 27: the rows of the input and the columns of one of both filters are not known: two
// functions, which have no argument but the two that TVM's have.
// CHECK-LABEL: func.func @symbolic(
// CHECK-NOT:     tensor.dim
// CHECK:         %[[A:.*]] = call @fused_matmul_1(%arg0, %arg1) : (tensor<?x7xf16>, tensor<7x5xf16>) -> tensor<?x5xf16>
// CHECK-NEXT:    %[[B:.*]] = call @fused_matmul_2(%arg0, %arg2) : (tensor<?x7xf16>, tensor<7x?xf16>) -> tensor<?x?xf16>
// CHECK-NEXT:    return %[[A]], %[[B]]
// FUSE-LABEL: func.func @symbolic(
// FUSE-COUNT-2: fusion.fused_matmul_bias_act
// FUSE-NOT:     linalg.
// FUSE:         return
func.func @symbolic(%x: tensor<?x7xf16>, %y: tensor<7x5xf16>, %u: tensor<7x?xf16>) -> (tensor<?x5xf16>, tensor<?x?xf16>) {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %k = arith.constant 0.0 : f16
  %n = tensor.dim %x, %i0 : tensor<?x7xf16>
  %m = tensor.dim %u, %i1 : tensor<7x?xf16>
  %e = tensor.empty(%n) : tensor<?x5xf16>
  %f = linalg.fill ins(%k : f16) outs(%e : tensor<?x5xf16>) -> tensor<?x5xf16>
  %g = tensor.empty(%n, %m) : tensor<?x?xf16>
  %h = linalg.fill ins(%k : f16) outs(%g : tensor<?x?xf16>) -> tensor<?x?xf16>
  %a = linalg.matmul ins(%x, %y : tensor<?x7xf16>, tensor<7x5xf16>) outs(%f : tensor<?x5xf16>) -> tensor<?x5xf16>
  %b = linalg.matmul ins(%x, %u : tensor<?x7xf16>, tensor<7x?xf16>) outs(%h : tensor<?x?xf16>) -> tensor<?x?xf16>
  return %a, %b : tensor<?x5xf16>, tensor<?x?xf16>
}

// TVM 80: a filter whose rows are the outputs, alone, with a bias, with a bias and gelu.
// CHECK-LABEL: func.func @dense(
// CHECK-NEXT:    %[[R:.*]] = call @fused_matmul_transposed_b(%arg0, %arg1)
// CHECK-NEXT:    return %[[R]]
func.func @dense(%x: tensor<3x7xf32>, %w: tensor<5x7xf32>) -> tensor<3x5xf32> {
  %z = arith.constant dense<0.0> : tensor<3x5xf32>
  %g = tensor.empty() : tensor<7x5xf32>
  %t = linalg.transpose ins(%w : tensor<5x7xf32>) outs(%g : tensor<7x5xf32>) permutation = [1, 0]
  %c = linalg.matmul ins(%x, %t : tensor<3x7xf32>, tensor<7x5xf32>) outs(%z : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %c : tensor<3x5xf32>
}

// CHECK-LABEL: func.func @dense_bias(
// CHECK-NEXT:    %[[R:.*]] = call @fused_matmul_transposed_b_bias(%arg0, %arg1, %arg2)
// CHECK-NEXT:    return %[[R]]
func.func @dense_bias(%x: tensor<3x7xf32>, %w: tensor<5x7xf32>, %b: tensor<5xf32>) -> tensor<3x5xf32> {
  %z = arith.constant dense<0.0> : tensor<3x5xf32>
  %e = tensor.empty() : tensor<3x5xf32>
  %g = tensor.empty() : tensor<7x5xf32>
  %t = linalg.transpose ins(%w : tensor<5x7xf32>) outs(%g : tensor<7x5xf32>) permutation = [1, 0]
  %c = linalg.matmul ins(%x, %t : tensor<3x7xf32>, tensor<7x5xf32>) outs(%z : tensor<3x5xf32>) -> tensor<3x5xf32>
  %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<3x5xf32>) dimensions = [0]
  %a = linalg.add ins(%c, %v : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %a : tensor<3x5xf32>
}

// CHECK-LABEL: func.func @dense_bias_gelu(
// CHECK-NEXT:    %[[R:.*]] = call @fused_matmul_transposed_b_bias_gelu_erf(%arg0, %arg1, %arg2)
// CHECK-NEXT:    return %[[R]]
func.func @dense_bias_gelu(%x: tensor<3x7xf32>, %w: tensor<5x7xf32>, %b: tensor<5xf32>) -> tensor<3x5xf32> {
  %z = arith.constant dense<0.0> : tensor<3x5xf32>
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %root = arith.constant 1.41421354 : f32
  %e = tensor.empty() : tensor<3x5xf32>
  %g = tensor.empty() : tensor<7x5xf32>
  %t = linalg.transpose ins(%w : tensor<5x7xf32>) outs(%g : tensor<7x5xf32>) permutation = [1, 0]
  %c = linalg.matmul ins(%x, %t : tensor<3x7xf32>, tensor<7x5xf32>) outs(%z : tensor<3x5xf32>) -> tensor<3x5xf32>
  %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<3x5xf32>) dimensions = [0]
  %a = linalg.add ins(%c, %v : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  %r = linalg.map ins(%a : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) (%in: f32, %out: f32) {
    %0 = arith.divf %in, %root : f32
    %1 = math.erf %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.mulf %in, %2 : f32
    %4 = arith.mulf %3, %half : f32
    linalg.yield %4 : f32
  }
  return %r : tensor<3x5xf32>
}

// TVM 88: a reshape stands between the matmul and its bias and gelu. TVM moves it behind
// them, and has one function; it is inside of ours.
// CHECK-LABEL: func.func @reshape_last(
// CHECK-NEXT:    %[[R:.*]] = call @fused_matmul_transposed_b_bias_gelu_erf_1(%arg0, %arg1, %arg2)
// CHECK-NEXT:    return %[[R]]
// FUSE-LABEL: func.func @reshape_last(
// FUSE:         %[[R:.*]] = fusion.fused_matmul_bias_act gelu_erf layouts(mk, nk, mn) ins({{.*}} bias(%arg2
// FUSE-NEXT:    %[[Y:.*]] = tensor.expand_shape %[[R]]
// FUSE-NEXT:    return %[[Y]]
func.func @reshape_last(%x: tensor<6x7xf32>, %w: tensor<5x7xf32>, %b: tensor<5xf32>) -> tensor<2x3x5xf32> {
  %z = arith.constant dense<0.0> : tensor<6x5xf32>
  %one = arith.constant 1.0 : f32
  %half = arith.constant 0.5 : f32
  %root = arith.constant 1.41421354 : f32
  %e = tensor.empty() : tensor<2x3x5xf32>
  %g = tensor.empty() : tensor<7x5xf32>
  %t = linalg.transpose ins(%w : tensor<5x7xf32>) outs(%g : tensor<7x5xf32>) permutation = [1, 0]
  %c = linalg.matmul ins(%x, %t : tensor<6x7xf32>, tensor<7x5xf32>) outs(%z : tensor<6x5xf32>) -> tensor<6x5xf32>
  %q = tensor.expand_shape %c [[0, 1], [2]] output_shape [2, 3, 5] : tensor<6x5xf32> into tensor<2x3x5xf32>
  %a = linalg.generic {indexing_maps = [#all3, #last3, #all3], iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%q, %b : tensor<2x3x5xf32>, tensor<5xf32>) outs(%e : tensor<2x3x5xf32>) {
  ^bb0(%i: f32, %j: f32, %o: f32):
    %s = arith.addf %i, %j : f32
    linalg.yield %s : f32
  } -> tensor<2x3x5xf32>
  %r = linalg.map ins(%a : tensor<2x3x5xf32>) outs(%e : tensor<2x3x5xf32>) (%in: f32, %out: f32) {
    %0 = arith.divf %in, %root : f32
    %1 = math.erf %0 : f32
    %2 = arith.addf %1, %one : f32
    %3 = arith.mulf %in, %2 : f32
    %4 = arith.mulf %3, %half : f32
    linalg.yield %4 : f32
  }
  return %r : tensor<2x3x5xf32>
}

// TVM 93: a bias and a sum of the size of the result. The sum is a function of its own, but
// folded by the laws.
// CHECK-LABEL: func.func @dense_plus(
// CHECK-NEXT:    %[[M:.*]] = call @fused_matmul_transposed_b_bias(%arg0, %arg1, %arg2)
// CHECK-NEXT:    %[[R:.*]] = call @fused_add_1(%[[M]], %arg3)
// CHECK-NEXT:    return %[[R]]
// FUSE-LABEL: func.func @dense_plus(
// FUSE:         fusion.fused_matmul_bias_act{{.*}} bias(%arg2 : tensor<5xf32>) residual(%arg3 : tensor<3x5xf32>)
// FUSE-NEXT:    return
func.func @dense_plus(%x: tensor<3x7xf32>, %w: tensor<5x7xf32>, %b: tensor<5xf32>, %s: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %z = arith.constant dense<0.0> : tensor<3x5xf32>
  %e = tensor.empty() : tensor<3x5xf32>
  %g = tensor.empty() : tensor<7x5xf32>
  %t = linalg.transpose ins(%w : tensor<5x7xf32>) outs(%g : tensor<7x5xf32>) permutation = [1, 0]
  %c = linalg.matmul ins(%x, %t : tensor<3x7xf32>, tensor<7x5xf32>) outs(%z : tensor<3x5xf32>) -> tensor<3x5xf32>
  %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : tensor<3x5xf32>) dimensions = [0]
  %a = linalg.add ins(%c, %v : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  %r = linalg.add ins(%a, %s : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

// A sum that computes a factor in its body matches no name of a matmul. The laws take it.
// CHECK-LABEL: func.func @computed_factor(
// CHECK-NOT:     call @fused_matmul
// CHECK:         linalg.generic
// CHECK:         return
// FUSE-LABEL: func.func @computed_factor(
// FUSE:         fusion.fused_matmul_bias_act
func.func @computed_factor(%x: tensor<4x6xf32>, %w: tensor<6x3xi8>) -> tensor<4x3xf32> {
  %z = arith.constant dense<0.0> : tensor<4x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(m, n, k) -> (m, k)>, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
                       iterator_types = ["parallel", "parallel", "reduction"]}
         ins(%x, %w : tensor<4x6xf32>, tensor<6x3xi8>) outs(%z : tensor<4x3xf32>) {
  ^bb0(%a: f32, %b: i8, %acc: f32):
    %0 = arith.sitofp %b : i8 to f32
    %1 = arith.mulf %a, %0 : f32
    %2 = arith.addf %acc, %1 : f32
    linalg.yield %2 : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

// CHECK: func.func private @fused_matmul_transposed_b_bias_gelu_erf_1(
// CHECK:   linalg.transpose
// CHECK:   linalg.matmul
// CHECK:   tensor.expand_shape
// CHECK:   linalg.generic
// CHECK:   math.erf
