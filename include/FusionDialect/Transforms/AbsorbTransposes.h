//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSFORMS_ABSORBTRANSPOSES_H
#define FUSION_TRANSFORMS_ABSORBTRANSPOSES_H

#include "mlir/IR/PatternMatch.h"

namespace fusion {

/// Adds patterns that make transposes part of the fusion ops on either side,
/// whether one or several read them: the transpose law, and upstream's
/// canonicalization of transposes.
void populateAbsorbTransposesPatterns(mlir::RewritePatternSet &patterns);

} // namespace fusion

#endif // FUSION_TRANSFORMS_ABSORBTRANSPOSES_H
