//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The passes of fusion-compile that let concatenations share memory. Passes.td includes them.

#ifndef FUSION_TRANSFORMS_CONCATPASSES_TD
#define FUSION_TRANSFORMS_CONCATPASSES_TD

include "mlir/Pass/PassBase.td"

def FusionShareConcats : Pass<"fusion-share-concats"> {
  let summary = "let concatenations begin with earlier ones";
  let description = [{
    In a dense block each layer concatenates the results of all layers before it. This
    pass lets such a concatenation begin with the one before it in place of the tensors
    that it consists of: two longer copies in place of one for each tensor, and code
    whose size is not quadratic in the number of layers. An earlier concatenation is in
    the same block, along the same dimension, and has the first operands, two or more, of
    the later one.

    Insertions that fill a new tensor along one dimension, as TOSA is lowered, count as a
    concatenation, and become one if they share something.

    ```mlir
    %0 = tensor.concat dim(1) %a, %b : (tensor<1x2x5xf32>, tensor<1x3x5xf32>) -> tensor<1x5x5xf32>
    %1 = tensor.concat dim(1) %a, %b, %c : (tensor<1x2x5xf32>, tensor<1x3x5xf32>, tensor<1x4x5xf32>) -> tensor<1x9x5xf32>
    ```
    becomes
    ```mlir
    %0 = tensor.concat dim(1) %a, %b : (tensor<1x2x5xf32>, tensor<1x3x5xf32>) -> tensor<1x5x5xf32>
    %1 = tensor.concat dim(1) %0, %c : (tensor<1x5x5xf32>, tensor<1x4x5xf32>) -> tensor<1x9x5xf32>
    ```
  }];
}

def FusionPlaceConcats : Pass<"fusion-place-concats"> {
  let summary = "compute tensors where a concatenation has them";
  let description = [{
    Runs in front of `one-shot-bufferize`, which copies each tensor that is concatenated.
    The concatenation becomes a buffer. A convolution, matrix multiplication or loop nest
    that computes one of its tensors in a `tensor.empty`, for it alone, computes it in its
    place in that buffer, also if dimensions of the result are collapsed first, as behind a
    transposed convolution that is a matrix multiplication. Other tensors are copied. If no tensor is computed in place, the
    concatenation stays.

    Concatenations of which each begins with the one before it, as
    `fusion-share-concats` makes them, are parts of one buffer, where loops alone read
    those that another begins with: not every kernel takes the strides of such a part.

    Sizes are static.

    ```mlir
    %a = linalg.exp ins(%x : tensor<2x5xf32>) outs(%e : tensor<2x5xf32>) -> tensor<2x5xf32>
    %c = tensor.concat dim(0) %a, %b : (tensor<2x5xf32>, tensor<3x5xf32>) -> tensor<5x5xf32>
    ```
    becomes
    ```mlir
    %buffer = memref.alloc() {alignment = 64 : i64} : memref<5x5xf32>
    %p = memref.subview %buffer[0, 0] [2, 5] [1, 1] : memref<5x5xf32> to memref<2x5xf32, strided<[5, 1]>>
    %t = bufferization.to_tensor %p restrict writable : memref<2x5xf32, strided<[5, 1]>> to tensor<2x5xf32>
    %a = linalg.exp ins(%x : tensor<2x5xf32>) outs(%t : tensor<2x5xf32>) -> tensor<2x5xf32>
    bufferization.materialize_in_destination %a in writable %p : (tensor<2x5xf32>, memref<2x5xf32, strided<[5, 1]>>) -> ()
    %q = memref.subview %buffer[2, 0] [3, 5] [1, 1] : memref<5x5xf32> to memref<3x5xf32, strided<[5, 1], offset: 10>>
    bufferization.materialize_in_destination %b in writable %q : (tensor<3x5xf32>, memref<3x5xf32, strided<[5, 1], offset: 10>>) -> ()
    %c = bufferization.to_tensor %buffer restrict writable : memref<5x5xf32> to tensor<5x5xf32>
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect"];
}

#endif // FUSION_TRANSFORMS_CONCATPASSES_TD
