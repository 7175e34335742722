//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_CONVERSION_FUSIONTORUNTIME_H
#define FUSION_CONVERSION_FUSIONTORUNTIME_H

#include "FusionDialect/IR/FusionOps.h"
#include "mlir/IR/PatternMatch.h"

namespace fusion {

/// Marks the function that frees the runtime's state of a module.
inline constexpr llvm::StringLiteral kReleaseAttr = "fusion.release";

/// Marks the function that prepares the call sites of a module.
inline constexpr llvm::StringLiteral kPrepareAttr = "fusion.prepare";

/// Adds patterns that turn fusion ops on memrefs into `fusion.rt.create` and
/// `fusion.rt.execute`, those of the pass `convert-fusion-to-runtime`. New
/// symbols go into the nearest symbol table, by way of `symbols`.
/// `allowWinograd` is the option of the pass.
void populateFusionToRuntimePatterns(mlir::RewritePatternSet &patterns,
                                     mlir::SymbolTableCollection &symbols,
                                     bool allowWinograd = false);

} // namespace fusion

#endif // FUSION_CONVERSION_FUSIONTORUNTIME_H
