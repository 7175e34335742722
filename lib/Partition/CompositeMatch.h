//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_PARTITION_COMPOSITEMATCH_H
#define FUSION_LIB_PARTITION_COMPOSITEMATCH_H

#include "FunctionPool.h"
#include "FuseProbe.h"
#include "FusionDialect/Partition/Partition.h"
#include "Producers.h"

namespace fusion {

/// Ops that become a composite.
struct CompositeMatch {
  /// The name of the pattern that matched.
  std::string pattern;
  /// GENERATOR.NAME, for a pattern of a file; empty: named after the pattern.
  std::string composite = {};
  /// All ops, each behind those that it uses.
  llvm::SetVector<mlir::Operation *> ops;
  /// The ops that move to the composite. The others are copied into it.
  llvm::SmallVector<mlir::Operation *> main;
  /// The only value that is used outside, a result of the last op of `main`.
  mlir::Value result;
  /// The roles of the values from outside in the pattern: "input", "filter".
  llvm::DenseMap<mlir::Value, llvm::StringRef> roles;
};

/// The ops that belong to composites already.
class TakenOps {
public:
  /// Takes the ops of `match`.
  void take(const CompositeMatch &match);
  /// True if no other composite has taken ops of `match`. Ops that others have
  /// copied are free as long as something else needs them.
  bool isFree(const CompositeMatch &match) const;
  /// True if a composite has taken `op`, so that its results are arguments of
  /// other composites.
  bool isDone(mlir::Operation *op) const { return main.contains(op); }

private:
  bool isStillUsed(mlir::Operation *op) const;

  llvm::DenseSet<mlir::Operation *> main, copied;
  /// Pairs of an op and an op of `main` that reads it inside a composite.
  llvm::DenseSet<std::pair<mlir::Operation *, mlir::Operation *>> readInside;
};

/// One pattern. Other sources of patterns implement this.
class CompositeMatcher {
public:
  virtual ~CompositeMatcher() = default;

  /// True if a match may begin with an op of the kind of `root`, as far as
  /// known.
  virtual bool mayBegin(mlir::Operation *root) { return true; }

  /// The match that begins with `root`, for which `mayBegin` holds, among ops
  /// that are free, or the reason why there is none.
  virtual mlir::FailureOr<CompositeMatch>
  match(mlir::Operation *root, const TakenOps &taken, Refusal &refusal) = 0;
};

/// Answers of the laws that all matchers share. They do not depend on patterns.
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

/// The matcher of a pattern that is in no file.
std::unique_ptr<CompositeMatcher> createMatcher(const PatternName &name,
                                                const PartitionOptions &options,
                                                ChainCache &chains);

/// Sets the roles of the values that `match` uses from outside. `root` has the
/// operands of its first op.
void setRoles(CompositeMatch &match, std::optional<RootOperands> root);

/// Creates composites of matches. All matches are found before the first
/// composite is created.
class Outliner {
public:
  explicit Outliner(const PartitionOptions &options) : options(options) {}

  /// Moves the ops of `match` into a function, or calls an equal one.
  void outline(const CompositeMatch &match, llvm::StringRef composite);

private:
  mlir::func::FuncOp createFunction(const CompositeMatch &match,
                                    llvm::StringRef composite,
                                    llvm::ArrayRef<mlir::Value> inputs);
  llvm::SmallVector<mlir::Value> orderInputs(const CompositeMatch &match) const;
  llvm::StringRef getRole(const CompositeMatch &match, mlir::Value input) const;

  const PartitionOptions &options;
  /// The values that results of calls have replaced. They are only compared.
  llvm::DenseMap<mlir::Value, mlir::Value> original;
  FunctionPool functions;
};

/// True if `function` belongs to a partition already.
inline bool isPartitioned(mlir::func::FuncOp function) {
  return function->hasAttr(kCompositeAttr) || function->hasAttr(kCodegenAttr);
}

} // namespace fusion

#endif // FUSION_LIB_PARTITION_COMPOSITEMATCH_H
