//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_PARTITION_PRODUCERS_H
#define FUSION_LIB_PARTITION_PRODUCERS_H

#include "FusionDialect/Fuse/Laws.h"

namespace fusion {

class TakenOps;

/// The kinds of ops in front of a composite that it takes.
struct ProducerOptions {
  /// The padding of the input.
  bool takePad = true;
  /// Ops that compute or broadcast a vector along the channel.
  bool takeVectors = true;
  /// In front of the first so many ops, reshapes of such a vector stay outside.
  size_t opsWithoutReshapes = 0;
  /// Transposes and reshapes of the filter.
  bool takeFilterViews = true;
  /// Constants that stay outside.
  llvm::SmallPtrSet<mlir::Operation *, 4> outside = {};
  /// Composites whose ops stay outside, too.
  const TakenOps *taken = nullptr;
};

/// The operands of a convolution or matrix multiplication.
struct RootOperands {
  mlir::Value input, filter;
};

/// `main` and the ops in front of it that belong to it, in an order of
/// definitions before uses: constants and destinations, the padding of the
/// input, and ops that compute and broadcast vectors along the channel. They
/// are copied into the composite, so that others may use them, too.
llvm::SetVector<mlir::Operation *>
collectProducers(llvm::ArrayRef<mlir::Operation *> main,
                 std::optional<RootOperands> root,
                 const ProducerOptions &options);

/// The constant tensors of floats in `ops`, which may be weights.
llvm::SmallVector<mlir::Operation *>
findConstants(const llvm::SetVector<mlir::Operation *> &ops);

/// The tensor that the padding in front of `input` surrounds, or `input`.
mlir::Value getPaddedSource(mlir::Value input);

/// True if `value` is data that flows through a network, and not a parameter of
/// a layer. The ops that compute it decide: if there is one pixel, shapes look
/// the same.
bool isNetworkData(mlir::Value value);

/// True if only dead ops use the results of `op`, or none.
bool isDead(mlir::Operation *op);

} // namespace fusion

#endif // FUSION_LIB_PARTITION_PRODUCERS_H
