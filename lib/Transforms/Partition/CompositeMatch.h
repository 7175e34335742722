//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TRANSFORMS_PARTITION_COMPOSITEMATCH_H
#define FUSION_LIB_TRANSFORMS_PARTITION_COMPOSITEMATCH_H

#include "FunctionPool.h"
#include "FuseProbe.h"
#include "FusionDialect/Transforms/Partition.h"
#include "Producers.h"

namespace fusion {

/// Ops that become a composite.
struct CompositeMatch {
  /// The name of the pattern that matched.
  std::string pattern;
  /// GENERATOR.NAME, of a pattern of a file; empty: after the name of the
  /// pattern.
  std::string composite = {};
  /// All ops, each behind those that it uses.
  llvm::SetVector<mlir::Operation *> ops;
  /// Those that the composite does in the place of the module. The others are
  /// copied into it.
  llvm::SmallVector<mlir::Operation *> main;
  /// The one value that is used outside, a result of the last of `main`.
  mlir::Value result;
  /// What the values from outside are to the pattern: "input", "filter".
  llvm::DenseMap<mlir::Value, llvm::StringRef> roles;
};

/// The ops that belong to composites already.
class TakenOps {
public:
  /// Takes the ops of `match`.
  void take(const CompositeMatch &match);
  /// True if no other composite has what `match` wants. What others have copied
  /// is free where something else needs it still.
  bool isFree(const CompositeMatch &match) const;
  /// True if a composite does `op` in the place of the module: what it makes is
  /// an argument of others.
  bool isDone(mlir::Operation *op) const { return main.contains(op); }

private:
  bool isStillUsed(mlir::Operation *op) const;

  llvm::DenseSet<mlir::Operation *> main, copied;
  /// Ops with those of `main` that read them inside a composite.
  llvm::DenseSet<std::pair<mlir::Operation *, mlir::Operation *>> readInside;
};

/// One pattern. Other sources of patterns implement this.
class CompositeMatcher {
public:
  virtual ~CompositeMatcher() = default;

  /// True if `root` is the kind of op that matches begin with, as far as that
  /// is known.
  virtual bool mayBegin(mlir::Operation *root) { return true; }

  /// The match that begins with `root`, for which `mayBegin` holds, among ops
  /// that are free, or why there is none.
  virtual mlir::FailureOr<CompositeMatch>
  match(mlir::Operation *root, const TakenOps &taken, Refusal &refusal) = 0;
};

/// What matchers share: answers of the laws, which do not depend on patterns.
class ChainCache;

/// The matcher of a name that begins with a convolution or matrix
/// multiplication.
std::unique_ptr<CompositeMatcher>
createChainMatcher(const PatternName &name, const PartitionOptions &options,
                   ChainCache &chains);

/// The matcher of a single op.
std::unique_ptr<CompositeMatcher>
createOpMatcher(const PatternName &name, const PartitionOptions &options,
                FuseProbe &probe);

/// The matcher of a pattern that stands in no file.
std::unique_ptr<CompositeMatcher> createMatcher(const PatternName &name,
                                                const PartitionOptions &options,
                                                ChainCache &chains);

/// Sets what the values that `match` uses from outside are; `root` has those of
/// its first op.
void setRoles(CompositeMatch &match, std::optional<RootOperands> root);

/// Makes composites of matches that have been found in the module before any of
/// them was made.
class Outliner {
public:
  explicit Outliner(const PartitionOptions &options) : options(options) {}

  /// Moves the ops of `match` into a function, or calls one that is the same.
  void outline(const CompositeMatch &match, llvm::StringRef composite);

private:
  mlir::func::FuncOp createFunction(const CompositeMatch &match,
                                    llvm::StringRef composite,
                                    llvm::ArrayRef<mlir::Value> inputs);
  llvm::SmallVector<mlir::Value> orderInputs(const CompositeMatch &match) const;
  llvm::StringRef getRole(const CompositeMatch &match, mlir::Value input) const;

  const PartitionOptions &options;
  /// What results of calls have taken the place of. It is only compared.
  llvm::DenseMap<mlir::Value, mlir::Value> original;
  FunctionPool functions;
};

/// True if `function` belongs to a partition already.
inline bool isPartitioned(mlir::func::FuncOp function) {
  return function->hasAttr(kCompositeAttr) || function->hasAttr(kCodegenAttr);
}

} // namespace fusion

#endif // FUSION_LIB_TRANSFORMS_PARTITION_COMPOSITEMATCH_H
