//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TRANSFORMS_PARTITION_CHAIN_H
#define FUSION_LIB_TRANSFORMS_PARTITION_CHAIN_H

#include "FuseProbe.h"
#include "Producers.h"

namespace fusion {

/// A convolution or matrix multiplication and what follows it, as far as the
/// laws of `fusion-fuse` may make one op of it.
struct Chain {
  /// The root and the ops that use it, in program order.
  llvm::SmallVector<mlir::Operation *> ops;
  RootOperands operands;
  /// The padding of the input can be folded.
  bool takesPad = true;

  /// The first `size` ops, which are one fusion op.
  struct State {
    size_t size;
    Reading reading;
  };
  llvm::SmallVector<State> states;
  /// Why there is no state.
  std::string reason;

  /// True if what state `number` ends with is done where it ends, and not half
  /// of a batch norm or of an activation.
  bool isWhole(size_t number) const;
};

/// The chains of a module that does not change.
class ChainCache {
public:
  explicit ChainCache(FuseProbe &probe) : probe(probe) {}

  /// The chain that begins with `root`, which is one of both kinds of roots.
  const Chain &get(mlir::Operation *root);
  /// What begins with `op`: a convolution, a matrix multiplication or neither.
  PatternName::Root getKind(mlir::Operation *op);
  FuseProbe &getProbe() { return probe; }

private:
  FuseProbe &probe;
  llvm::DenseMap<mlir::Operation *, std::unique_ptr<Chain>> chains;
  llvm::DenseMap<mlir::Operation *, PatternName::Root> kinds;
};

} // namespace fusion

#endif // FUSION_LIB_TRANSFORMS_PARTITION_CHAIN_H
