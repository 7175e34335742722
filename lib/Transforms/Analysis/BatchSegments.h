//===- BatchSegments.h - Where to compute part of a batch -------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TRANSFORMS_ANALYSIS_BATCHSEGMENTS_H
#define FUSION_LIB_TRANSFORMS_ANALYSIS_BATCHSEGMENTS_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace fusion {

/// The first dimension of `type`, the size of which may be dynamic; none if
/// another one is dynamic too.
std::optional<int64_t> getBatch(mlir::Type type);

/// Whether the elements that `pad` adds are all the same, a constant or
/// computed in front of it. Upstream tiles no others.
bool padsWithOneValue(mlir::tensor::PadOp pad);

/// Whether part of the batch that `op` makes, its only result, can be computed
/// by itself, from the same part of those operands that are of the batch and
/// all of the others.
bool isComputedByImages(mlir::Operation *op);

/// The batch of what `op` computes, if that is one tensor of images, not of
/// numbers alone, and can be tiled.
std::optional<int64_t> getBatchOfImages(mlir::Operation *op);

/// Bytes of tensors of a batch that `op` reads and writes for an image.
int64_t getBytesPerImage(mlir::Operation *op, int64_t batch);

/// Neighbouring ops of a block. The last one, the root, makes the only tensor
/// of the batch that is used behind them.
struct BatchSegment {
  mlir::Operation *first;
  mlir::TilingInterface root;
  /// Images; four, if that is known at run time only.
  int64_t batch;
  /// What is in front of it cannot be in one loop with it.
  bool isBarred;
  /// How many images to compute at a time: all, or equal parts.
  int64_t step = 0;

  /// Bytes that one op reads and writes for an image, at most.
  int64_t largest = 0;
  /// Bytes that ops together read and write for an image, those alone that
  /// together do not fit the cache for all images.
  int64_t uncached = 0;
  /// Bytes that ops read, whatever the number of images, with what the start of
  /// a kernel costs.
  int64_t fixed = 0;
};

/// Of the machine, in bytes.
struct BatchCosts {
  /// What tensors of an op may have without going through memory.
  int64_t cacheBytes;
  /// What memory moves while a kernel starts.
  int64_t startBytes;
};

/// The segments of `block`, in order; what is behind the last one is in none.
/// Their boundaries and steps are such that little moves through memory and few
/// kernels start.
llvm::SmallVector<BatchSegment> findBatchSegments(mlir::Block &block,
                                                  const BatchCosts &costs);

} // namespace fusion

#endif // FUSION_LIB_TRANSFORMS_ANALYSIS_BATCHSEGMENTS_H
