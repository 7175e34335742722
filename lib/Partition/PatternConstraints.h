//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_PARTITION_PATTERNCONSTRAINTS_H
#define FUSION_LIB_PARTITION_PATTERNCONSTRAINTS_H

#include "CompositeMatch.h"
#include "llvm/ADT/StringMap.h"

namespace fusion {

/// The operands and results of a native function of a pattern: `v` is a value,
/// `o` an op, `a` an attribute.
struct NativeSignature {
  llvm::StringRef name, arguments, results;
};

/// The signatures of the native constraints.
llvm::ArrayRef<NativeSignature> getPatternConstraints();

/// The native constraints that FusionDialect/Transforms/Partition.pdll
/// declares.
class PatternConstraints {
public:
  PatternConstraints(const PartitionOptions &options, ChainCache &chains);

  void registerIn(mlir::PDLPatternModule &patterns);

  /// The ops in front of `value` in the match of a pattern that makes `value`,
  /// since the last call of `forgetOps`.
  llvm::ArrayRef<mlir::Operation *> getOpsOf(mlir::Value value) const;
  void forgetOps() { opsOf.clear(); }

private:
  mlir::LogicalResult checkIsPattern(mlir::Value value, mlir::Attribute name,
                                     Refusal &refusal);
  mlir::LogicalResult giveOperand(mlir::PatternRewriter &rewriter,
                                  mlir::PDLResultList &results,
                                  mlir::Operation *op,
                                  mlir::ValueRange operands,
                                  mlir::Attribute name);
  mlir::LogicalResult matchAnyRoot(CompositeMatcher &matcher, mlir::Value value,
                                   Refusal &refusal);
  mlir::FailureOr<llvm::ArrayRef<std::unique_ptr<CompositeMatcher>>>
  getMatchers(mlir::Attribute name, Refusal &refusal);

  const PartitionOptions &options;
  ChainCache &chains;
  llvm::StringMap<llvm::SmallVector<std::unique_ptr<CompositeMatcher>>>
      matchers;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Operation *>> opsOf;
};

} // namespace fusion

#endif // FUSION_LIB_PARTITION_PATTERNCONSTRAINTS_H
