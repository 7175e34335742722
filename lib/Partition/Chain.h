//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_PARTITION_CHAIN_H
#define FUSION_LIB_PARTITION_CHAIN_H

#include "FuseProbe.h"
#include "Producers.h"

namespace fusion {

/// A convolution or matrix multiplication and the ops behind it that the laws
/// of `fusion-fuse` may fold into it.
struct Chain {
  /// The root and the ops that use it, in program order.
  llvm::SmallVector<mlir::Operation *> ops;
  RootOperands operands;
  /// The padding of the input can be folded.
  bool takesPad = true;

  /// The first `size` ops, if they become one fusion op.
  struct State {
    size_t size;
    Reading reading;
  };
  llvm::SmallVector<State> states;
  /// The reason, if there is no state.
  std::string reason;

  /// True if the parts of state `number` are complete, not half of a batch norm
  /// or an activation.
  bool isWhole(size_t number) const;
};

/// The chains of a module. They hold while it does not change.
class ChainCache {
public:
  explicit ChainCache(FuseProbe &probe) : probe(probe) {}

  /// The chain that begins with `root`, a convolution or matrix multiplication.
  const Chain &get(mlir::Operation *root);
  /// The kind of `op` as a root: a convolution, a matrix multiplication or
  /// neither.
  PatternName::Root getKind(mlir::Operation *op);
  FuseProbe &getProbe() { return probe; }

private:
  FuseProbe &probe;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<Chain>> chains;
  llvm::DenseMap<mlir::Operation *, PatternName::Root> kinds;
};

} // namespace fusion

#endif // FUSION_LIB_PARTITION_CHAIN_H
