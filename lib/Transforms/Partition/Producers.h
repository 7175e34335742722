//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TRANSFORMS_PARTITION_PRODUCERS_H
#define FUSION_LIB_TRANSFORMS_PARTITION_PRODUCERS_H

#include "FusionDialect/Transforms/Patterns.h"

namespace fusion {

class TakenOps;

/// Which of the ops in front of a composite belong to it.
struct ProducerOptions {
  /// The padding of the input.
  bool takePad = true;
  /// What computes and broadcasts a vector along the channel.
  bool takeVectors = true;
  /// Reshapes of such a vector stay outside in front of so many of the ops.
  size_t opsWithoutReshapes = 0;
  /// Transposes and reshapes of the filter.
  bool takeFilterViews = true;
  /// Constants that stay outside.
  llvm::SmallPtrSet<mlir::Operation *, 4> outside = {};
  /// What other composites do stays outside as well.
  const TakenOps *taken = nullptr;
};

/// Where a convolution or matrix multiplication reads what.
struct RootOperands {
  mlir::Value input, filter;
};

/// `main` and the ops in front of it that belong to it, each behind those that
/// it uses: constants and destinations, the padding of the input, and what a
/// vector along the channel is computed and broadcast by. They are copied into
/// the composite, so that others may use them as well.
llvm::SetVector<mlir::Operation *>
collectProducers(llvm::ArrayRef<mlir::Operation *> main,
                 std::optional<RootOperands> root,
                 const ProducerOptions &options);

/// Constant tensors of floats that `ops` have: they may be weights.
llvm::SmallVector<mlir::Operation *>
findConstants(const llvm::SetVector<mlir::Operation *> &ops);

/// The tensor that the padding in front of `input` pads, or `input`.
mlir::Value getPaddedSource(mlir::Value input);

/// True if `value` is data that flows through a network and no parameter of a
/// layer, as far as what computes it shows: with one pixel both look the same.
bool isNetworkData(mlir::Value value);

/// True if nothing uses what `op` computes, or only such ops do.
bool isDead(mlir::Operation *op);

} // namespace fusion

#endif // FUSION_LIB_TRANSFORMS_PARTITION_PRODUCERS_H
