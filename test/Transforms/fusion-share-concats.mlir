// RUN: fusion-opt %s --fusion-share-concats | FileCheck %s

// A concatenation begins with an earlier one that has its first operands.
// Integration/share-concats.test runs all of it.

!a = tensor<1x2x3x5xf32>
!b = tensor<1x4x3x5xf32>

// Each begins with the longest: also the one behind another with the same operands.
// CHECK-LABEL: func.func @dense(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: tensor<1x2x3x5xf32>, %[[B:[a-z0-9]+]]: tensor<1x4x3x5xf32>
// CHECK:         %[[FIRST:.*]] = tensor.concat dim(1) %[[A]], %[[B]] :
// CHECK:         %[[SECOND:.*]] = tensor.concat dim(1) %[[FIRST]], %[[A]] : (tensor<1x6x3x5xf32>, tensor<1x2x3x5xf32>) -> tensor<1x8x3x5xf32>
// CHECK:         tensor.concat dim(1) %[[SECOND]], %[[B]], %[[B]] : (tensor<1x8x3x5xf32>, tensor<1x4x3x5xf32>, tensor<1x4x3x5xf32>) -> tensor<1x16x3x5xf32>
func.func @dense(%a: !a, %b: !b) -> (tensor<1x6x3x5xf32>, tensor<1x8x3x5xf32>, tensor<1x16x3x5xf32>) {
  %0 = tensor.concat dim(1) %a, %b : (!a, !b) -> tensor<1x6x3x5xf32>
  %1 = tensor.concat dim(1) %a, %b, %a : (!a, !b, !a) -> tensor<1x8x3x5xf32>
  %2 = tensor.concat dim(1) %a, %b, %a, %b, %b : (!a, !b, !a, !b, !b) -> tensor<1x16x3x5xf32>
  return %0, %1, %2 : tensor<1x6x3x5xf32>, tensor<1x8x3x5xf32>, tensor<1x16x3x5xf32>
}

// The sizes may be dynamic.
// CHECK-LABEL: func.func @dynamic(
// CHECK:         %[[FIRST:.*]] = tensor.concat dim(1)
// CHECK:         tensor.concat dim(1) %[[FIRST]], %{{.*}} : (tensor<1x?x3xf32>, tensor<1x?x3xf32>) -> tensor<1x?x3xf32>
func.func @dynamic(%a: tensor<1x?x3xf32>, %b: tensor<1x4x3xf32>) -> (tensor<1x?x3xf32>, tensor<1x?x3xf32>) {
  %0 = tensor.concat dim(1) %a, %b : (tensor<1x?x3xf32>, tensor<1x4x3xf32>) -> tensor<1x?x3xf32>
  %1 = tensor.concat dim(1) %a, %b, %a : (tensor<1x?x3xf32>, tensor<1x4x3xf32>, tensor<1x?x3xf32>) -> tensor<1x?x3xf32>
  return %0, %1 : tensor<1x?x3xf32>, tensor<1x?x3xf32>
}

// Near misses.

// CHECK-LABEL: func.func @other_dimension(
// CHECK:         tensor.concat dim(1) %[[A:.*]], %[[A]] :
// CHECK:         tensor.concat dim(2) %[[A]], %[[A]], %[[A]] :
func.func @other_dimension(%a: !a) -> (tensor<1x4x3x5xf32>, tensor<1x2x9x5xf32>) {
  %0 = tensor.concat dim(1) %a, %a : (!a, !a) -> tensor<1x4x3x5xf32>
  %1 = tensor.concat dim(2) %a, %a, %a : (!a, !a, !a) -> tensor<1x2x9x5xf32>
  return %0, %1 : tensor<1x4x3x5xf32>, tensor<1x2x9x5xf32>
}

// CHECK-LABEL: func.func @other_order(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: tensor<1x2x3x5xf32>, %[[B:[a-z0-9]+]]: tensor<1x4x3x5xf32>
// CHECK:         tensor.concat dim(1) %[[B]], %[[A]] :
// CHECK:         tensor.concat dim(1) %[[A]], %[[B]], %[[A]] :
func.func @other_order(%a: !a, %b: !b) -> (tensor<1x6x3x5xf32>, tensor<1x8x3x5xf32>) {
  %0 = tensor.concat dim(1) %b, %a : (!b, !a) -> tensor<1x6x3x5xf32>
  %1 = tensor.concat dim(1) %a, %b, %a : (!a, !b, !a) -> tensor<1x8x3x5xf32>
  return %0, %1 : tensor<1x6x3x5xf32>, tensor<1x8x3x5xf32>
}

// The operands of the earlier one are the last.
// CHECK-LABEL: func.func @suffix(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: tensor<1x2x3x5xf32>, %[[B:[a-z0-9]+]]: tensor<1x4x3x5xf32>
// CHECK:         tensor.concat dim(1) %[[A]], %[[B]] :
// CHECK:         tensor.concat dim(1) %[[B]], %[[A]], %[[B]] :
func.func @suffix(%a: !a, %b: !b) -> (tensor<1x6x3x5xf32>, tensor<1x10x3x5xf32>) {
  %0 = tensor.concat dim(1) %a, %b : (!a, !b) -> tensor<1x6x3x5xf32>
  %1 = tensor.concat dim(1) %b, %a, %b : (!b, !a, !b) -> tensor<1x10x3x5xf32>
  return %0, %1 : tensor<1x6x3x5xf32>, tensor<1x10x3x5xf32>
}

// One tensor is not worth it.
// CHECK-LABEL: func.func @one_tensor(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: tensor<1x2x3x5xf32>, %[[B:[a-z0-9]+]]: tensor<1x4x3x5xf32>
// CHECK:         tensor.concat dim(1) %[[A]] :
// CHECK:         tensor.concat dim(1) %[[A]], %[[B]] :
func.func @one_tensor(%a: !a, %b: !b) -> (!a, tensor<1x6x3x5xf32>) {
  %0 = tensor.concat dim(1) %a : (!a) -> !a
  %1 = tensor.concat dim(1) %a, %b : (!a, !b) -> tensor<1x6x3x5xf32>
  return %0, %1 : !a, tensor<1x6x3x5xf32>
}

// The earlier one is in a block that need not have run.
// CHECK-LABEL: func.func @other_block(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: tensor<1x2x3x5xf32>, %[[B:[a-z0-9]+]]: tensor<1x4x3x5xf32>
// CHECK:         scf.if
// CHECK:         tensor.concat dim(1) %[[A]], %[[B]], %[[A]] :
func.func @other_block(%a: !a, %b: !b, %n: index) -> (tensor<1x6x3x5xf32>, tensor<1x8x3x5xf32>) {
  %i0 = arith.constant 0 : index
  %c = arith.cmpi sgt, %n, %i0 : index
  %0 = scf.if %c -> tensor<1x6x3x5xf32> {
    %t = tensor.concat dim(1) %a, %b : (!a, !b) -> tensor<1x6x3x5xf32>
    scf.yield %t : tensor<1x6x3x5xf32>
  } else {
    %t = tensor.concat dim(1) %b, %a : (!b, !a) -> tensor<1x6x3x5xf32>
    scf.yield %t : tensor<1x6x3x5xf32>
  }
  %1 = tensor.concat dim(1) %a, %b, %a : (!a, !b, !a) -> tensor<1x8x3x5xf32>
  return %0, %1 : tensor<1x6x3x5xf32>, tensor<1x8x3x5xf32>
}

// TOSA is lowered to insertions that fill a tensor. Those that share are concatenations, in
// whatever order they are inserted.
// CHECK-LABEL: func.func @insertions(
// CHECK-SAME:    %[[A:[a-z0-9]+]]: tensor<1x2x3x5xf32>, %[[B:[a-z0-9]+]]: tensor<1x4x3x5xf32>
// CHECK-NOT:     tensor.insert_slice
// CHECK:         %[[FIRST:.*]] = tensor.concat dim(1) %[[A]], %[[B]] :
// CHECK:         tensor.concat dim(1) %[[FIRST]], %[[A]] : (tensor<1x6x3x5xf32>, tensor<1x2x3x5xf32>) -> tensor<1x8x3x5xf32>
// CHECK-NOT:     tensor.insert_slice
func.func @insertions(%a: !a, %b: !b) -> (tensor<1x6x3x5xf32>, tensor<1x8x3x5xf32>) {
  %e = tensor.empty() : tensor<1x6x3x5xf32>
  %0 = tensor.insert_slice %a into %e[0, 0, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1] : !a into tensor<1x6x3x5xf32>
  %1 = tensor.insert_slice %b into %0[0, 2, 0, 0] [1, 4, 3, 5] [1, 1, 1, 1] : !b into tensor<1x6x3x5xf32>
  %f = tensor.empty() : tensor<1x8x3x5xf32>
  %2 = tensor.insert_slice %b into %f[0, 2, 0, 0] [1, 4, 3, 5] [1, 1, 1, 1] : !b into tensor<1x8x3x5xf32>
  %3 = tensor.insert_slice %a into %2[0, 6, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1] : !a into tensor<1x8x3x5xf32>
  %4 = tensor.insert_slice %a into %3[0, 0, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1] : !a into tensor<1x8x3x5xf32>
  return %1, %4 : tensor<1x6x3x5xf32>, tensor<1x8x3x5xf32>
}

// A concatenation that begins with one is enough, whatever else it reads.
// CHECK-LABEL: func.func @begins_with_insertions(
// CHECK-NOT:     tensor.insert_slice
// CHECK:         %[[FIRST:.*]] = tensor.concat dim(3) %arg0, %arg0 :
// CHECK:         tensor.concat dim(3) %[[FIRST]], %arg0 :
func.func @begins_with_insertions(%a: !a) -> tensor<1x2x3x15xf32> {
  %e = tensor.empty() : tensor<1x2x3x10xf32>
  %0 = tensor.insert_slice %a into %e[0, 0, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1] : !a into tensor<1x2x3x10xf32>
  %1 = tensor.insert_slice %a into %0[0, 0, 0, 5] [1, 2, 3, 5] [1, 1, 1, 1] : !a into tensor<1x2x3x10xf32>
  %2 = tensor.concat dim(3) %1, %a : (tensor<1x2x3x10xf32>, !a) -> tensor<1x2x3x15xf32>
  return %2 : tensor<1x2x3x15xf32>
}

// Near misses. Each would begin with %0 otherwise, or be its beginning.

// Nothing is shared.
// CHECK-LABEL: func.func @alone(
// CHECK-NOT:     tensor.concat
// CHECK-COUNT-2: tensor.insert_slice
func.func @alone(%a: !a, %b: !b) -> tensor<1x6x3x5xf32> {
  %e = tensor.empty() : tensor<1x6x3x5xf32>
  %0 = tensor.insert_slice %a into %e[0, 0, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1] : !a into tensor<1x6x3x5xf32>
  %1 = tensor.insert_slice %b into %0[0, 2, 0, 0] [1, 4, 3, 5] [1, 1, 1, 1] : !b into tensor<1x6x3x5xf32>
  return %1 : tensor<1x6x3x5xf32>
}

// Two parts overlap, and a channel behind them is left out, so that sizes add up.
// CHECK-LABEL: func.func @gap(
// CHECK-COUNT-2: tensor.concat
// CHECK-NOT:     tensor.concat
// CHECK-COUNT-3: tensor.insert_slice
// CHECK-NOT:     tensor.concat
func.func @gap(%a: !a, %b: !b) -> (tensor<1x6x3x5xf32>, tensor<1x3x3x5xf32>) {
  %c = tensor.concat dim(1) %a, %a : (!a, !a) -> tensor<1x4x3x5xf32>
  %0 = tensor.concat dim(1) %c, %a : (tensor<1x4x3x5xf32>, !a) -> tensor<1x6x3x5xf32>
  %x = tensor.empty() : tensor<1x8x3x5xf32>
  %2 = tensor.insert_slice %a into %x[0, 0, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1] : !a into tensor<1x8x3x5xf32>
  %3 = tensor.insert_slice %a into %2[0, 1, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1] : !a into tensor<1x8x3x5xf32>
  %4 = tensor.insert_slice %b into %3[0, 4, 0, 0] [1, 4, 3, 5] [1, 1, 1, 1] : !b into tensor<1x8x3x5xf32>
  %r = tensor.extract_slice %4[0, 0, 0, 0] [1, 3, 3, 5] [1, 1, 1, 1] : tensor<1x8x3x5xf32> to tensor<1x3x3x5xf32>
  return %0, %r : tensor<1x6x3x5xf32>, tensor<1x3x3x5xf32>
}

// The last channels are left out.
// CHECK-LABEL: func.func @end_left_out(
// CHECK:         tensor.concat
// CHECK-NOT:     tensor.concat
// CHECK-COUNT-2: tensor.insert_slice
// CHECK-NOT:     tensor.concat
func.func @end_left_out(%a: !a, %b: !b) -> (tensor<1x6x3x5xf32>, tensor<1x6x3x5xf32>) {
  %0 = tensor.concat dim(1) %a, %b : (!a, !b) -> tensor<1x6x3x5xf32>
  %x = tensor.empty() : tensor<1x8x3x5xf32>
  %2 = tensor.insert_slice %a into %x[0, 0, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1] : !a into tensor<1x8x3x5xf32>
  %4 = tensor.insert_slice %b into %2[0, 2, 0, 0] [1, 4, 3, 5] [1, 1, 1, 1] : !b into tensor<1x8x3x5xf32>
  %r = tensor.extract_slice %4[0, 0, 0, 0] [1, 6, 3, 5] [1, 1, 1, 1] : tensor<1x8x3x5xf32> to tensor<1x6x3x5xf32>
  return %0, %r : tensor<1x6x3x5xf32>, tensor<1x6x3x5xf32>
}

// The last part hides the end of the one before it.
// CHECK-LABEL: func.func @overlap(
// CHECK:         tensor.concat
// CHECK-NOT:     tensor.concat
// CHECK-COUNT-3: tensor.insert_slice
// CHECK-NOT:     tensor.concat
func.func @overlap(%a: !a, %b: !b) -> (tensor<1x6x3x5xf32>, tensor<1x7x3x5xf32>) {
  %0 = tensor.concat dim(1) %a, %b : (!a, !b) -> tensor<1x6x3x5xf32>
  %e = tensor.empty() : tensor<1x7x3x5xf32>
  %2 = tensor.insert_slice %a into %e[0, 0, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1] : !a into tensor<1x7x3x5xf32>
  %3 = tensor.insert_slice %b into %2[0, 2, 0, 0] [1, 4, 3, 5] [1, 1, 1, 1] : !b into tensor<1x7x3x5xf32>
  %4 = tensor.insert_slice %a into %3[0, 5, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1] : !a into tensor<1x7x3x5xf32>
  return %0, %4 : tensor<1x6x3x5xf32>, tensor<1x7x3x5xf32>
}

// A part is smaller in two dimensions.
// CHECK-LABEL: func.func @two_dimensions(
// CHECK:         tensor.concat
// CHECK-NOT:     tensor.concat
// CHECK-COUNT-2: tensor.insert_slice
// CHECK-NOT:     tensor.concat
func.func @two_dimensions(%a: !a, %b: !b) -> (tensor<1x6x3x5xf32>, tensor<1x2x3x5xf32>) {
  %0 = tensor.concat dim(1) %a, %b : (!a, !b) -> tensor<1x6x3x5xf32>
  %x = tensor.empty() : tensor<1x6x6x5xf32>
  %2 = tensor.insert_slice %a into %x[0, 0, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1] : !a into tensor<1x6x6x5xf32>
  %4 = tensor.insert_slice %b into %2[0, 2, 3, 0] [1, 4, 3, 5] [1, 1, 1, 1] : !b into tensor<1x6x6x5xf32>
  %r = tensor.extract_slice %4[0, 0, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1] : tensor<1x6x6x5xf32> to tensor<1x2x3x5xf32>
  return %0, %r : tensor<1x6x3x5xf32>, tensor<1x2x3x5xf32>
}

// Something else reads it when it is half full.
// CHECK-LABEL: func.func @read_between(
// CHECK:         tensor.concat
// CHECK-NOT:     tensor.concat
// CHECK-COUNT-3: tensor.insert_slice
// CHECK-NOT:     tensor.concat
func.func @read_between(%a: !a, %b: !b) -> (tensor<1x6x3x5xf32>, tensor<1x6x3x5xf32>) {
  %0 = tensor.concat dim(1) %a, %b : (!a, !b) -> tensor<1x6x3x5xf32>
  %e = tensor.empty() : tensor<1x8x3x5xf32>
  %2 = tensor.insert_slice %a into %e[0, 0, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1] : !a into tensor<1x8x3x5xf32>
  %3 = tensor.insert_slice %b into %2[0, 2, 0, 0] [1, 4, 3, 5] [1, 1, 1, 1] : !b into tensor<1x8x3x5xf32>
  %f = tensor.extract_slice %3[0, 0, 0, 0] [1, 6, 3, 5] [1, 1, 1, 1] : tensor<1x8x3x5xf32> to tensor<1x6x3x5xf32>
  %5 = tensor.insert_slice %a into %3[0, 6, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1] : !a into tensor<1x8x3x5xf32>
  %g = tensor.extract_slice %5[0, 2, 0, 0] [1, 6, 3, 5] [1, 1, 1, 1] : tensor<1x8x3x5xf32> to tensor<1x6x3x5xf32>
  %h = tensor.empty() : tensor<1x6x3x5xf32>
  %4 = linalg.sub ins(%f, %g : tensor<1x6x3x5xf32>, tensor<1x6x3x5xf32>) outs(%h : tensor<1x6x3x5xf32>) -> tensor<1x6x3x5xf32>
  return %0, %4 : tensor<1x6x3x5xf32>, tensor<1x6x3x5xf32>
}

// The place of a part is known only at run time.
// CHECK-LABEL: func.func @dynamic_place(
// CHECK:         tensor.concat
// CHECK-NOT:     tensor.concat
// CHECK-COUNT-3: tensor.insert_slice
// CHECK-NOT:     tensor.concat
func.func @dynamic_place(%a: !a, %b: !b, %n: index) -> (tensor<1x6x3x5xf32>, tensor<1x8x3x5xf32>) {
  %0 = tensor.concat dim(1) %a, %b : (!a, !b) -> tensor<1x6x3x5xf32>
  %e = tensor.empty() : tensor<1x8x3x5xf32>
  %2 = tensor.insert_slice %a into %e[0, 0, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1] : !a into tensor<1x8x3x5xf32>
  %3 = tensor.insert_slice %b into %2[0, 2, 0, 0] [1, 4, 3, 5] [1, 1, 1, 1] : !b into tensor<1x8x3x5xf32>
  %4 = tensor.insert_slice %a into %3[0, %n, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1] : !a into tensor<1x8x3x5xf32>
  return %0, %4 : tensor<1x6x3x5xf32>, tensor<1x8x3x5xf32>
}

// They fill a tensor that is given, and may be meant for its memory.
// CHECK-LABEL: func.func @given_tensor(
// CHECK:         tensor.concat
// CHECK-NOT:     tensor.concat
// CHECK:         tensor.insert_slice %arg0 into %arg2
// CHECK-COUNT-2: tensor.insert_slice
// CHECK-NOT:     tensor.concat
func.func @given_tensor(%a: !a, %b: !b, %d: tensor<1x8x3x5xf32>) -> (tensor<1x6x3x5xf32>, tensor<1x8x3x5xf32>) {
  %0 = tensor.concat dim(1) %a, %b : (!a, !b) -> tensor<1x6x3x5xf32>
  %2 = tensor.insert_slice %a into %d[0, 0, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1] : !a into tensor<1x8x3x5xf32>
  %3 = tensor.insert_slice %b into %2[0, 2, 0, 0] [1, 4, 3, 5] [1, 1, 1, 1] : !b into tensor<1x8x3x5xf32>
  %4 = tensor.insert_slice %a into %3[0, 6, 0, 0] [1, 2, 3, 5] [1, 1, 1, 1] : !a into tensor<1x8x3x5xf32>
  return %0, %4 : tensor<1x6x3x5xf32>, tensor<1x8x3x5xf32>
}
