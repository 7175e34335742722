// RUN: fusion-opt %s --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" --canonicalize --cse \
// RUN:   --buffer-deallocation-pipeline --convert-bufferization-to-memref | FileCheck %s

// The results of `fusion.rt.once` belong to the runtime: nobody writes or frees them.

func.func private @constants(%w: tensor<5x3xf32> {bufferization.writable = false}) -> tensor<3x5xf32> {
  %e = tensor.empty() : tensor<3x5xf32>
  %t = linalg.transpose ins(%w : tensor<5x3xf32>) outs(%e : tensor<3x5xf32>) permutation = [1, 0]
  return %t : tensor<3x5xf32>
}

// CHECK-LABEL: func @read(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: memref<3x5xf32>, %[[W:[a-z0-9]*]]: memref<5x3xf32>
// CHECK-NOT:     memref.copy
// CHECK:         %[[ONCE:.*]] = fusion.rt.once @constants(%[[W]]) : (memref<5x3xf32>) -> memref<3x5xf32>
// CHECK-NOT:     memref.copy
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK-NEXT:    linalg.add ins(%[[X]], %[[ONCE]] : {{.*}}) outs(%[[A]] :
// CHECK-NOT:     memref.dealloc
// CHECK:         return %[[A]]
func.func @read(%x: tensor<3x5xf32>, %w: tensor<5x3xf32> {fusion.constant}) -> tensor<3x5xf32> {
  %t = fusion.rt.once @constants(%w) : (tensor<5x3xf32>) -> tensor<3x5xf32>
  %e = tensor.empty() : tensor<3x5xf32>
  %r = linalg.add ins(%x, %t : tensor<3x5xf32>, tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

// A result that is the destination of an op is copied first.
// CHECK-LABEL: func @written_in_place(
// CHECK:         %[[ONCE:.*]] = fusion.rt.once
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK-NEXT:    memref.copy %[[ONCE]], %[[A]]
// CHECK-NEXT:    linalg.matmul {{.*}} outs(%[[A]] :
// CHECK-NOT:     memref.dealloc
// CHECK:         return %[[A]]
func.func @written_in_place(%x: tensor<3x4xf32>, %y: tensor<4x5xf32>, %w: tensor<5x3xf32> {fusion.constant}) -> tensor<3x5xf32> {
  %t = fusion.rt.once @constants(%w) : (tensor<5x3xf32>) -> tensor<3x5xf32>
  %r = linalg.matmul ins(%x, %y : tensor<3x4xf32>, tensor<4x5xf32>) outs(%t : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

// An insertion is a write as well, behind a reshape too.
// CHECK-LABEL: func @inserted_into(
// CHECK:         %[[ONCE:.*]] = fusion.rt.once
// CHECK:         %[[FLAT:.*]] = memref.collapse_shape %[[ONCE]]
// CHECK-NEXT:    %[[A:.*]] = memref.alloc()
// CHECK-NEXT:    memref.copy %[[FLAT]], %[[A]]
// CHECK-NEXT:    memref.store %{{.*}}, %[[A]]
// CHECK-NEXT:    return %[[A]]
func.func @inserted_into(%s: f32, %i: index, %w: tensor<5x3xf32> {fusion.constant}) -> tensor<15xf32> {
  %t = fusion.rt.once @constants(%w) : (tensor<5x3xf32>) -> tensor<3x5xf32>
  %f = tensor.collapse_shape %t [[0, 1]] : tensor<3x5xf32> into tensor<15xf32>
  %r = tensor.insert %s into %f[%i] : tensor<15xf32>
  return %r : tensor<15xf32>
}

// The caller frees its results: it gets a copy.
// CHECK-LABEL: func @returned(
// CHECK:         %[[ONCE:.*]] = fusion.rt.once
// CHECK-NEXT:    %[[A:.*]] = memref.alloc()
// CHECK-NEXT:    memref.copy %[[ONCE]], %[[A]]
// CHECK-NEXT:    return %[[A]]
func.func @returned(%w: tensor<5x3xf32> {fusion.constant}) -> tensor<3x5xf32> {
  %t = fusion.rt.once @constants(%w) : (tensor<5x3xf32>) -> tensor<3x5xf32>
  return %t : tensor<3x5xf32>
}

// The function that computes does not write into its arguments and gives memory of
// its own, even where its result is a part of an argument, or one of them.
// CHECK-LABEL: func private @adds_in_place(
// CHECK-SAME:    %[[W:[a-z0-9]*]]: memref<3x5xf32>
// CHECK:         %[[A:.*]] = memref.alloc()
// CHECK-NEXT:    memref.copy %[[W]], %[[A]]
// CHECK-NEXT:    linalg.matmul {{.*}} outs(%[[A]] :
// CHECK:         return %[[A]]
func.func private @adds_in_place(%w: tensor<3x5xf32> {bufferization.writable = false}, %x: tensor<3x4xf32> {bufferization.writable = false},
    %y: tensor<4x5xf32> {bufferization.writable = false}) -> tensor<3x5xf32> {
  %r = linalg.matmul ins(%x, %y : tensor<3x4xf32>, tensor<4x5xf32>) outs(%w : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

// CHECK-LABEL: func private @slice(
// CHECK-SAME:    %[[W:[a-z0-9]*]]: memref<6x3xf32>
// CHECK:         %[[S:.*]] = memref.subview %[[W]]
// CHECK-NEXT:    %[[A:.*]] = memref.alloc()
// CHECK-NEXT:    memref.copy %[[S]], %[[A]]
// CHECK-NEXT:    return %[[A]]
func.func private @slice(%w: tensor<6x3xf32> {bufferization.writable = false}) -> tensor<2x3xf32> {
  %s = tensor.extract_slice %w[0, 0] [2, 3] [1, 1] : tensor<6x3xf32> to tensor<2x3xf32>
  return %s : tensor<2x3xf32>
}

// CHECK-LABEL: func private @one_of_two(
// CHECK:         %[[S:.*]] = arith.select %{{.*}} : memref<2x3xf32>
// CHECK-NEXT:    %[[A:.*]] = memref.alloc()
// CHECK-NEXT:    memref.copy %[[S]], %[[A]]
// CHECK-NEXT:    return %[[A]]
func.func private @one_of_two(%c: tensor<i1> {bufferization.writable = false}, %v: tensor<2x3xf32> {bufferization.writable = false},
    %w: tensor<2x3xf32> {bufferization.writable = false}) -> tensor<2x3xf32> {
  %b = tensor.extract %c[] : tensor<i1>
  %s = arith.select %b, %v, %w : tensor<2x3xf32>
  return %s : tensor<2x3xf32>
}
