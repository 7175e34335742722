//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_PARTITION_PATTERNNAMES_H
#define FUSION_LIB_PARTITION_PATTERNNAMES_H

#include "FusionDialect/IR/FusionDialect.h"
#include "FusionDialect/Support/Refusal.h"

namespace fusion {

/// A part of a pattern behind the convolution or matrix multiplication.
struct Part {
  enum class Kind { Bias, BatchNorm, Sum, Activation };
  Kind kind;
  /// The kind of an activation.
  std::optional<ActivationKind> activation = std::nullopt;

  bool operator==(const Part &other) const {
    return kind == other.kind && activation == other.activation;
  }
};

/// The meaning of a pattern's name.
struct PatternName {
  enum class Root { Convolution, Matmul, Op, File };

  std::string text;
  Root root;
  /// The number of spatial dimensions of a convolution.
  int64_t spatialRank = 0;
  /// Whether a matrix multiplication reads its filter transposed.
  bool isTransposed = false;
  /// The bias comes through a reshape.
  bool isReshaped = false;
  /// The parts in order.
  llvm::SmallVector<Part> parts = {};
  /// The name of a single op that is no activation.
  std::string op = {};
};

/// One entry of the list of patterns.
struct NamedPattern {
  /// The alternatives, of which the one that takes most ops is used.
  llvm::SmallVector<PatternName> alternatives;
  /// The name of the composite; empty: named after the pattern.
  std::string composite;
};

/// True if `text` can only be GENERATOR.NAME.
bool isCompositeName(llvm::StringRef text);

/// Reads a list of patterns, or says which part of which entry has no meaning.
/// `fromFile` are the names of the patterns in a file.
mlir::FailureOr<llvm::SmallVector<NamedPattern>>
parsePatterns(llvm::ArrayRef<std::string> texts,
              llvm::ArrayRef<llvm::StringRef> fromFile, Refusal &refusal);

} // namespace fusion

#endif // FUSION_LIB_PARTITION_PATTERNNAMES_H
