// RUN: fusion-opt %s --fusion-lower-to-loops --split-input-file --mlir-print-local-scope | FileCheck %s

// Upstream's lowering of an expansion ends the process if it makes several dynamic sizes
// of one.
// CHECK-LABEL: func @several(
// CHECK-SAME:      %[[X:.*]]: memref<?x5xf32>, %[[A:.*]]: index, %[[B:.*]]: index)
// CHECK:         %[[BASE:.*]], %{{.*}}, %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata %[[X]]
// CHECK:         %[[S:.*]] = affine.apply affine_map<()[s0] -> (s0 * 15)>()[%[[B]]]
// CHECK:         %[[R:.*]] = memref.reinterpret_cast %[[BASE]] to offset: [0], sizes: [%[[A]], %[[B]], 3, 5], strides: [%[[S]], 15, 5, 1] : memref<f32> to memref<?x?x3x5xf32>
// CHECK:         return %[[R]]
func.func @several(%x: memref<?x5xf32>, %a: index, %b: index) -> memref<?x?x3x5xf32> {
  %r = memref.expand_shape %x [[0, 1, 2], [3]] output_shape [%a, %b, 3, 5] : memref<?x5xf32> into memref<?x?x3x5xf32>
  return %r : memref<?x?x3x5xf32>
}

// -----

// One dynamic size of each is lowered upstream.
// CHECK-LABEL: func @one_of_each(
// CHECK:         memref.expand_shape
// CHECK-NOT:     memref.reinterpret_cast
func.func @one_of_each(%x: memref<?x?xf32>, %a: index, %b: index) -> memref<?x3x2x?xf32> {
  %r = memref.expand_shape %x [[0, 1], [2, 3]] output_shape [%a, 3, 2, %b] : memref<?x?xf32> into memref<?x3x2x?xf32>
  return %r : memref<?x3x2x?xf32>
}

// -----

// A buffer with an offset and strides of its own keeps them.
// CHECK-LABEL: func @strided(
// CHECK-SAME:      %[[X:.*]]: memref<?x5xf32, strided<[7, 1], offset: ?>>, %[[A:.*]]: index, %[[B:.*]]: index)
// CHECK:         %[[BASE:.*]], %[[OFFSET:.*]], %{{.*}}:2, %{{.*}}:2 = memref.extract_strided_metadata %[[X]]
// CHECK:         %[[S:.*]] = affine.apply affine_map<()[s0] -> (s0 * 7)>()[%[[B]]]
// CHECK:         memref.reinterpret_cast %[[BASE]] to offset: [%[[OFFSET]]], sizes: [%[[A]], %[[B]], 5], strides: [%[[S]], 7, 1]
func.func @strided(%x: memref<?x5xf32, strided<[7, 1], offset: ?>>, %a: index, %b: index) -> memref<?x?x5xf32, strided<[?, 7, 1], offset: ?>> {
  %r = memref.expand_shape %x [[0, 1], [2]] output_shape [%a, %b, 5] : memref<?x5xf32, strided<[7, 1], offset: ?>> into memref<?x?x5xf32, strided<[?, 7, 1], offset: ?>>
  return %r : memref<?x?x5xf32, strided<[?, 7, 1], offset: ?>>
}
