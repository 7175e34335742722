//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LOOPS_MERGEELEMENTWISE_H
#define FUSION_LOOPS_MERGEELEMENTWISE_H

#include "mlir/IR/PatternMatch.h"

namespace fusion {

/// Merges an element-wise linalg op into the only one that reads it.
void populateMergeElementwisePatterns(mlir::RewritePatternSet &patterns);

} // namespace fusion

#endif // FUSION_LOOPS_MERGEELEMENTWISE_H
