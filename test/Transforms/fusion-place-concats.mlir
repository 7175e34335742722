// RUN: fusion-opt %s --fusion-share-concats --fusion-place-concats | FileCheck %s

// A tensor is computed where the concatenation has it. Concatenations of which each begins
// with the one before it are parts of one buffer, if loops alone read those that another
// begins with. Integration/place-concats.mlir runs all of it.

!a = tensor<1x2x3x5xf32>
!b = tensor<1x4x3x5xf32>
!ab = tensor<1x6x3x5xf32>
!aba = tensor<1x8x3x5xf32>
!abab = tensor<1x12x3x5xf32>

// A loop and a kernel compute in the buffer, the argument is copied.
// CHECK-LABEL: func.func @in_place(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: tensor<1x2x3x5xf32>, %[[B:[a-z0-9]+]]: tensor<1x4x3x5xf32>
// CHECK:         %[[BUFFER:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1x13x3x5xf32>
// CHECK:         %[[A_PART:.*]] = memref.subview %[[BUFFER]][0, 0, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1]
// CHECK:         %[[A_INIT:.*]] = bufferization.to_tensor %[[A_PART]] restrict writable
// CHECK:         %[[EXP:.*]] = linalg.exp ins(%[[A]] : {{.*}}) outs(%[[A_INIT]] :
// CHECK:         %[[C_PART:.*]] = memref.subview %[[BUFFER]][0, 6, 0, 0] [1, 7, 3, 5] [1, 1, 1, 1]
// CHECK:         %[[C_INIT:.*]] = bufferization.to_tensor %[[C_PART]] restrict writable
// CHECK:         %[[CONV:.*]] = fusion.fused_conv_bias_act ins(%[[B]], {{.*}}) outs(%[[C_INIT]] :
// CHECK:         bufferization.materialize_in_destination %[[EXP]] in writable %[[A_PART]]
// CHECK:         %[[B_PART:.*]] = memref.subview %[[BUFFER]][0, 2, 0, 0] [1, 4, 3, 5] [1, 1, 1, 1]
// CHECK:         bufferization.materialize_in_destination %[[B]] in writable %[[B_PART]]
// CHECK:         bufferization.materialize_in_destination %[[CONV]] in writable %[[C_PART]]
// CHECK:         %[[ALL:.*]] = bufferization.to_tensor %[[BUFFER]] restrict writable :
// CHECK:         return %[[ALL]]
func.func @in_place(%a: !a, %b: !b, %filter: tensor<7x4x1x1xf32>) -> tensor<1x13x3x5xf32> {
  %e = tensor.empty() : !a
  %exp = linalg.exp ins(%a : !a) outs(%e : !a) -> !a
  %f = tensor.empty() : tensor<1x7x3x5xf32>
  %conv = fusion.fused_conv_bias_act ins(%b, %filter : !b, tensor<7x4x1x1xf32>)
      outs(%f : tensor<1x7x3x5xf32>) -> tensor<1x7x3x5xf32>
  %0 = tensor.concat dim(1) %exp, %b, %conv : (!a, !b, tensor<1x7x3x5xf32>) -> tensor<1x13x3x5xf32>
  return %0 : tensor<1x13x3x5xf32>
}

// Dimensions of the result are collapsed: the loop computes with these dimensions in the buffer.
// CHECK-LABEL: func.func @collapsed(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: tensor<1x2x3x5xf32>, %[[B:[a-z0-9]+]]: tensor<1x5x2x3x2xf32>
// CHECK:         %[[BUFFER:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1x6x3x5xf32>
// CHECK:         %[[PART:.*]] = memref.subview %[[BUFFER]][0, 2, 0, 0] [1, 4, 3, 5] [1, 1, 1, 1]
// CHECK:         %[[PLACE:.*]] = memref.expand_shape %[[PART]] {{\[\[}}0], [1, 2], [3], [4]] output_shape [1, 2, 2, 3, 5] : {{.*}} into memref<1x2x2x3x5xf32, strided<[90, 30, 15, 5, 1], offset: 30>>
// CHECK:         %[[INIT:.*]] = bufferization.to_tensor %[[PLACE]] restrict writable
// CHECK:         %[[T:.*]] = linalg.transpose ins(%[[B]] : {{.*}}) outs(%[[INIT]] :
// CHECK-NOT:     tensor.collapse_shape
// CHECK:         bufferization.materialize_in_destination %[[A]] in writable
// CHECK:         bufferization.materialize_in_destination %[[T]] in writable %[[PLACE]]
// CHECK:         %[[ALL:.*]] = bufferization.to_tensor %[[BUFFER]] restrict writable :
// CHECK:         return %[[ALL]]
func.func @collapsed(%a: !a, %b: tensor<1x5x2x3x2xf32>) -> !ab {
  %e = tensor.empty() : tensor<1x2x2x3x5xf32>
  %t = linalg.transpose ins(%b : tensor<1x5x2x3x2xf32>) outs(%e : tensor<1x2x2x3x5xf32>) permutation = [0, 4, 2, 3, 1]
  %c = tensor.collapse_shape %t [[0], [1, 2], [3], [4]] : tensor<1x2x2x3x5xf32> into !b
  %0 = tensor.concat dim(1) %a, %c : (!a, !b) -> !ab
  return %0 : !ab
}

// The last one of a chain may not be written over: the others are parts of it.
// Each tensor is stored once. A loop may also read the first one later.
// CHECK-LABEL: func.func @dense_block(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: tensor<1x2x3x5xf32>, %[[B:[a-z0-9]+]]: tensor<1x4x3x5xf32>
// CHECK:         %[[BUFFER:.*]] = memref.alloc() {alignment = 64 : i64} : memref<1x12x3x5xf32>
// CHECK:         %[[A_PART:.*]] = memref.subview %[[BUFFER]][0, 0, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1]
// CHECK:         bufferization.materialize_in_destination %[[A]] in writable %[[A_PART]]
// CHECK:         %[[B_PART:.*]] = memref.subview %[[BUFFER]][0, 2, 0, 0] [1, 4, 3, 5] [1, 1, 1, 1]
// CHECK:         bufferization.materialize_in_destination %[[B]] in writable %[[B_PART]]
// CHECK:         %[[FIRST_PART:.*]] = memref.subview %[[BUFFER]][0, 0, 0, 0] [1, 6, 3, 5] [1, 1, 1, 1]
// CHECK:         %[[FIRST:.*]] = bufferization.to_tensor %[[FIRST_PART]] restrict :
// CHECK:         linalg.exp ins(%[[FIRST]] :
// CHECK:         %[[A2:.*]] = tensor.extract_slice
// CHECK:         %[[A2_PART:.*]] = memref.subview %[[BUFFER]][0, 6, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1]
// CHECK:         bufferization.materialize_in_destination %[[A2]] in writable %[[A2_PART]]
// CHECK:         memref.subview %[[BUFFER]][0, 0, 0, 0] [1, 8, 3, 5] [1, 1, 1, 1]
// CHECK:         %[[B2:.*]] = tensor.extract_slice
// CHECK:         %[[B2_PART:.*]] = memref.subview %[[BUFFER]][0, 8, 0, 0] [1, 4, 3, 5] [1, 1, 1, 1]
// CHECK:         bufferization.materialize_in_destination %[[B2]] in writable %[[B2_PART]]
// CHECK:         %[[LAST:.*]] = bufferization.to_tensor %[[BUFFER]] restrict :
// CHECK:         %[[LATER:.*]] = linalg.floor ins(%[[FIRST]] :
// CHECK:         return %[[LAST]], %[[LATER]] :
func.func @dense_block(%a: !a, %b: !b) -> (!abab, !ab) {
  %e0 = tensor.empty() : !ab
  %e1 = tensor.empty() : !aba
  %0 = tensor.concat dim(1) %a, %b : (!a, !b) -> !ab
  %f0 = linalg.exp ins(%0 : !ab) outs(%e0 : !ab) -> !ab
  %a2 = tensor.extract_slice %f0[0, 3, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1] : !ab to !a
  %1 = tensor.concat dim(1) %a, %b, %a2 : (!a, !b, !a) -> !aba
  %f1 = linalg.abs ins(%1 : !aba) outs(%e1 : !aba) -> !aba
  %b2 = tensor.extract_slice %f1[0, 1, 0, 0] [1, 4, 3, 5] [1, 1, 1, 1] : !aba to !b
  %2 = tensor.concat dim(1) %a, %b, %a2, %b2 : (!a, !b, !a, !b) -> !abab
  %later = linalg.floor ins(%0 : !ab) outs(%e0 : !ab) -> !ab
  return %2, %later : !abab, !ab
}

// Near misses, which keep their concatenations.

// The first one is returned.
// CHECK-LABEL: func.func @returned(
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @returned(%a: !a, %b: !b) -> (!ab, !aba) {
  %0 = tensor.concat dim(1) %a, %b : (!a, !b) -> !ab
  %1 = tensor.concat dim(1) %a, %b, %a : (!a, !b, !a) -> !aba
  return %0, %1 : !ab, !aba
}

// A kernel reads it, which may not take these strides.
// CHECK-LABEL: func.func @kernel(
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @kernel(%a: !a, %b: !b, %filter: tensor<7x6x1x1xf32>) -> (tensor<1x7x3x5xf32>, !aba) {
  %e = tensor.empty() : tensor<1x7x3x5xf32>
  %0 = tensor.concat dim(1) %a, %b : (!a, !b) -> !ab
  %conv = fusion.fused_conv_bias_act ins(%0, %filter : !ab, tensor<7x6x1x1xf32>)
      outs(%e : tensor<1x7x3x5xf32>) -> tensor<1x7x3x5xf32>
  %1 = tensor.concat dim(1) %a, %b, %a : (!a, !b, !a) -> !aba
  return %conv, %1 : tensor<1x7x3x5xf32>, !aba
}

// A loop writes over it.
// CHECK-LABEL: func.func @overwritten(
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @overwritten(%a: !a, %b: !b, %c: !ab) -> (!ab, !aba) {
  %0 = tensor.concat dim(1) %a, %b : (!a, !b) -> !ab
  %1 = tensor.concat dim(1) %a, %b, %a : (!a, !b, !a) -> !aba
  %2 = linalg.generic {
      indexing_maps = [affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>,
                       affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%c : !ab) outs(%0 : !ab) {
  ^bb0(%x: f32, %y: f32):
    %z = arith.mulf %x, %y : f32
    linalg.yield %z : f32
  } -> !ab
  return %2, %1 : !ab, !aba
}

// Two others begin with it.
// CHECK-LABEL: func.func @two(
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @two(%a: !a, %b: !b) -> (!aba, tensor<1x10x3x5xf32>) {
  %0 = tensor.concat dim(1) %a, %b : (!a, !b) -> !ab
  %1 = tensor.concat dim(1) %a, %b, %a : (!a, !b, !a) -> !aba
  %2 = tensor.concat dim(1) %a, %b, %b : (!a, !b, !b) -> tensor<1x10x3x5xf32>
  return %1, %2 : !aba, tensor<1x10x3x5xf32>
}

// The other one begins with another tensor.
// CHECK-LABEL: func.func @behind(
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @behind(%a: !a, %b: !b) -> !aba {
  %0 = tensor.concat dim(1) %a, %b : (!a, !b) -> !ab
  %1 = tensor.concat dim(1) %a, %0 : (!a, !ab) -> !aba
  return %1 : !aba
}

// The other one has it twice.
// CHECK-LABEL: func.func @twice(
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @twice(%a: !a, %b: !b) -> !abab {
  %0 = tensor.concat dim(1) %a, %b : (!a, !b) -> !ab
  %1 = tensor.concat dim(1) %0, %0 : (!ab, !ab) -> !abab
  return %1 : !abab
}

// It is not known where each part lies.
// CHECK-LABEL: func.func @dynamic(
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @dynamic(%a: tensor<1x?x3xf32>, %b: tensor<1x4x3xf32>) -> tensor<1x?x3xf32> {
  %0 = tensor.concat dim(1) %a, %b : (tensor<1x?x3xf32>, tensor<1x4x3xf32>) -> tensor<1x?x3xf32>
  %1 = tensor.concat dim(1) %a, %b, %b : (tensor<1x?x3xf32>, tensor<1x4x3xf32>, tensor<1x4x3xf32>) -> tensor<1x?x3xf32>
  return %1 : tensor<1x?x3xf32>
}

// The tensor has another user.
// CHECK-LABEL: func.func @two_users(
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @two_users(%a: !a, %b: !b) -> (!ab, !a) {
  %e = tensor.empty() : !a
  %exp = linalg.exp ins(%a : !a) outs(%e : !a) -> !a
  %0 = tensor.concat dim(1) %exp, %b : (!a, !b) -> !ab
  return %0, %exp : !ab, !a
}

// So has the collapsed tensor,
// CHECK-LABEL: func.func @collapsed_for_two(
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @collapsed_for_two(%a: !a, %b: tensor<1x5x2x3x2xf32>) -> (!ab, !b) {
  %e = tensor.empty() : tensor<1x2x2x3x5xf32>
  %t = linalg.transpose ins(%b : tensor<1x5x2x3x2xf32>) outs(%e : tensor<1x2x2x3x5xf32>) permutation = [0, 4, 2, 3, 1]
  %c = tensor.collapse_shape %t [[0], [1, 2], [3], [4]] : tensor<1x2x2x3x5xf32> into !b
  %0 = tensor.concat dim(1) %a, %c : (!a, !b) -> !ab
  return %0, %c : !ab, !b
}

// or the one in front.
// CHECK-LABEL: func.func @collapsed_and_read(
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @collapsed_and_read(%a: !a, %b: tensor<1x5x2x3x2xf32>) -> (!ab, tensor<1x2x2x3x5xf32>) {
  %e = tensor.empty() : tensor<1x2x2x3x5xf32>
  %t = linalg.transpose ins(%b : tensor<1x5x2x3x2xf32>) outs(%e : tensor<1x2x2x3x5xf32>) permutation = [0, 4, 2, 3, 1]
  %c = tensor.collapse_shape %t [[0], [1, 2], [3], [4]] : tensor<1x2x2x3x5xf32> into !b
  %0 = tensor.concat dim(1) %a, %c : (!a, !b) -> !ab
  return %0, %t : !ab, tensor<1x2x2x3x5xf32>
}

// Dimensions are split and not collapsed: those of a part may not be collapsible.
// CHECK-LABEL: func.func @expanded(
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @expanded(%a: !a, %x: tensor<1x12x5xf32>) -> !ab {
  %e = tensor.empty() : tensor<1x12x5xf32>
  %exp = linalg.exp ins(%x : tensor<1x12x5xf32>) outs(%e : tensor<1x12x5xf32>) -> tensor<1x12x5xf32>
  %s = tensor.expand_shape %exp [[0], [1, 2], [3]] output_shape [1, 4, 3, 5] : tensor<1x12x5xf32> into !b
  %0 = tensor.concat dim(1) %a, %s : (!a, !b) -> !ab
  return %0 : !ab
}

// It is computed over another tensor.
// CHECK-LABEL: func.func @accumulates(
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @accumulates(%a: !a, %b: !b, %c: !a) -> !ab {
  %sum = linalg.add ins(%a, %a : !a, !a) outs(%c : !a) -> !a
  %0 = tensor.concat dim(1) %sum, %b : (!a, !b) -> !ab
  return %0 : !ab
}

// Pools may have no kernel for these strides.
// CHECK-LABEL: func.func @pool(
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @pool(%x: tensor<1x2x5x9xf32>, %b: !b) -> !ab {
  %e = tensor.empty() : !a
  %pool = fusion.pool {kernel = array<i64: 3, 5>, layout = #fusion.layout<nchw>, pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, pooling = #fusion.pooling<max>, strides = array<i64: 1, 1>}
      ins(%x : tensor<1x2x5x9xf32>) outs(%e : !a) -> !a
  %0 = tensor.concat dim(1) %pool, %b : (!a, !b) -> !ab
  return %0 : !ab
}

// It is computed in another block, which may run less often.
// CHECK-LABEL: func.func @outside(
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @outside(%a: !a, %b: !b, %x: !ab, %n: index) -> !ab {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %e = tensor.empty() : !a
  %exp = linalg.exp ins(%a : !a) outs(%e : !a) -> !a
  %0 = scf.for %i = %i0 to %n step %i1 iter_args(%t = %x) -> !ab {
    %c = tensor.concat dim(1) %exp, %b : (!a, !b) -> !ab
    %f = tensor.empty() : !ab
    %sum = linalg.add ins(%c, %t : !ab, !ab) outs(%f : !ab) -> !ab
    scf.yield %sum : !ab
  }
  return %0 : !ab
}

// The other one is in another block, too.
// CHECK-LABEL: func.func @nested(
// CHECK-NOT:     memref.alloc
// CHECK:         return
func.func @nested(%a: !a, %b: !b, %x: !aba, %n: index) -> !aba {
  %i0 = arith.constant 0 : index
  %i1 = arith.constant 1 : index
  %0 = tensor.concat dim(1) %a, %b : (!a, !b) -> !ab
  %1 = scf.for %i = %i0 to %n step %i1 iter_args(%t = %x) -> !aba {
    %c = tensor.concat dim(1) %0, %a : (!ab, !a) -> !aba
    %f = tensor.empty() : !aba
    %sum = linalg.add ins(%c, %t : !aba, !aba) outs(%f : !aba) -> !aba
    scf.yield %sum : !aba
  }
  return %1 : !aba
}
