//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_CONVERSION_FUSIONTOLINALG_H
#define FUSION_CONVERSION_FUSIONTOLINALG_H

namespace mlir {
class RewritePatternSet;
} // namespace mlir

namespace fusion {

/// Adds patterns that decompose fusion ops on tensors to linalg, those of the
/// pass `convert-fusion-to-linalg`.
void populateFusionToLinalgPatterns(mlir::RewritePatternSet &patterns);

/// Adds those for `fusion.pool` alone.
void populatePoolToLinalgPatterns(mlir::RewritePatternSet &patterns);

} // namespace fusion

#endif // FUSION_CONVERSION_FUSIONTOLINALG_H
