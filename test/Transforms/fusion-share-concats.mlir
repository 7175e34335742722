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
