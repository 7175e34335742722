//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TRANSFORMS_PARTITION_PATTERNNAMES_H
#define FUSION_LIB_TRANSFORMS_PARTITION_PATTERNNAMES_H

#include "FusionDialect/IR/FusionDialect.h"
#include "FusionDialect/Transforms/Refusal.h"

namespace fusion {

/// One thing behind a convolution or matrix multiplication that a name gives.
struct Part {
  enum class Kind { Bias, BatchNorm, Sum, Activation };
  Kind kind;
  /// Of an activation.
  std::optional<ActivationKind> activation = std::nullopt;

  bool operator==(const Part &other) const {
    return kind == other.kind && activation == other.activation;
  }
};

/// What a name of a pattern says.
struct PatternName {
  enum class Root { Convolution, Matmul, Op, File };

  std::string text;
  Root root;
  /// Of a convolution.
  int64_t spatialRank = 0;
  /// Of a matrix multiplication: its filter is read transposed.
  bool isTransposed = false;
  /// The bias comes through a reshape.
  bool isReshaped = false;
  /// In order.
  llvm::SmallVector<Part> parts = {};
  /// Of a single op that is no activation: what it is called.
  std::string op = {};
};

/// One entry of the list of patterns.
struct NamedPattern {
  /// Of these the one that takes most.
  llvm::SmallVector<PatternName> alternatives;
  /// What the composite is called; empty: after the name of the pattern.
  std::string composite;
};

/// True if `text` is GENERATOR.NAME, and nothing else could be meant by it.
bool isCompositeName(llvm::StringRef text);

/// Reads a list of patterns, or says which part of which has no meaning.
/// `fromFile` are the names of patterns that a file has.
mlir::FailureOr<llvm::SmallVector<NamedPattern>>
parsePatterns(llvm::ArrayRef<std::string> texts,
              llvm::ArrayRef<llvm::StringRef> fromFile, Refusal &refusal);

} // namespace fusion

#endif // FUSION_LIB_TRANSFORMS_PARTITION_PATTERNNAMES_H
