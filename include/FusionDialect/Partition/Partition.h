//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_PARTITION_PARTITION_H
#define FUSION_PARTITION_PARTITION_H

#include "mlir/IR/BuiltinOps.h"

namespace fusion {

/// On a function: it is a composite, the ops of one match of a pattern. The
/// value is "GENERATOR.NAME".
inline constexpr llvm::StringLiteral kCompositeAttr = "fusion.composite";

/// On a function: the code generator that compiles it.
inline constexpr llvm::StringLiteral kCodegenAttr = "fusion.codegen";

/// On a function with a code generator: the symbol that the generated code has.
inline constexpr llvm::StringLiteral kGlobalSymbolAttr = "fusion.global_symbol";

/// The code generator that `fusion-compile` stands for.
inline constexpr llvm::StringLiteral kDefaultCodegen = "dnnl";

/// Options of `fusion-partition`. See the description of the pass.
struct PartitionOptions {
  /// The patterns, the one to try first at the front. Each is `NAME`,
  /// `NAME|NAME...` or either with `:GENERATOR.COMPOSITE` behind it; `dnnl`
  /// stands for a list of names.
  std::vector<std::string> patterns;
  /// Constant weights stand in the composites; otherwise they are arguments.
  bool bindConstants = true;
  /// Give each composite its code generator and a global symbol. With `merge`
  /// the merged functions have them instead.
  bool annotateCodegen = false;
  /// Merge neighbouring composites of one code generator into one function.
  bool merge = false;
  /// Take the reshape of a bias into the composite.
  bool allowReshape = false;
  /// A file of the user's patterns, compiled PDLL; empty: none. Patterns of the
  /// file that `patterns` does not name come first, in the order of the file.
  std::string patternFile = {};
};

/// Moves the ops of each match into a function of its own, and calls it in
/// their place. Loads the dialects of the ops that it creates; a pass that
/// calls this must have them as dependent ones. Emits an error if a pattern has
/// no meaning.
mlir::LogicalResult partition(mlir::ModuleOp module,
                              const PartitionOptions &options);

/// Merges neighbouring calls of composites of one code generator into calls of
/// one function. It never makes two functions that need each other's results.
void mergeComposites(mlir::ModuleOp module);

} // namespace fusion

#endif // FUSION_PARTITION_PARTITION_H
