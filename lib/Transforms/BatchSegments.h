//===- BatchSegments.h - Where to compute part of a batch -------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TRANSFORMS_BATCHSEGMENTS_H
#define FUSION_LIB_TRANSFORMS_BATCHSEGMENTS_H

#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/TilingInterface.h"

namespace fusion {

/// The size of the first dimension of `type`, which may be dynamic; none if
/// another size is dynamic.
std::optional<int64_t> getBatch(mlir::Type type);

/// Whether all elements that `pad` adds have one value, a constant or one
/// computed in front of it. Upstream tiles no other pads.
bool padsWithOneValue(mlir::tensor::PadOp pad);

/// The batch of the only result of `op`, if it is a tensor of images (three
/// dimensions or more) and can be tiled.
std::optional<int64_t> getBatchOfImages(mlir::Operation *op);

/// The bytes per image of the tensors of the batch that `op` reads and writes.
int64_t getBytesPerImage(mlir::Operation *op, int64_t batch);

/// Neighbouring ops of a block. The last one, the root, makes the only tensor
/// of the batch that is used behind them.
struct BatchSegment {
  mlir::Operation *first;
  mlir::TilingInterface root;
  /// Number of images; four if it is known at run time only.
  int64_t batch;
  /// It cannot be in one loop with the ops in front of it.
  bool isBarred;
  /// Number of images to compute at a time: all, or equal parts.
  int64_t step = 0;

  /// The largest number of bytes that one op reads and writes for an image.
  int64_t largest = 0;
  /// Bytes that ops read and write for an image, summed over the ops whose
  /// tensors for all images do not fit the cache.
  int64_t uncached = 0;
  /// Bytes that ops read, whatever the number of images, plus the cost of the
  /// start of a kernel for each.
  int64_t fixed = 0;
};

/// Costs of the machine, in bytes.
struct BatchCosts {
  /// The bytes of an op's tensors that fit the cache.
  int64_t cacheBytes;
  /// The bytes that memory moves while a kernel starts.
  int64_t startBytes;
};

/// The segments of `block`, in order; ops behind the last one are in none.
/// Their boundaries and steps are chosen to move few bytes through memory and
/// to start few kernels.
llvm::SmallVector<BatchSegment> findBatchSegments(mlir::Block &block,
                                                  const BatchCosts &costs);

} // namespace fusion

#endif // FUSION_LIB_TRANSFORMS_BATCHSEGMENTS_H
