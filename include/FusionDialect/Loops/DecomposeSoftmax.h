//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LOOPS_DECOMPOSESOFTMAX_H
#define FUSION_LOOPS_DECOMPOSESOFTMAX_H

#include "mlir/IR/PatternMatch.h"

namespace fusion {

/// Decomposes `linalg.softmax`, with a maximum that LLVM has vectors for.
void populateDecomposeSoftmaxPatterns(mlir::RewritePatternSet &patterns);

} // namespace fusion

#endif // FUSION_LOOPS_DECOMPOSESOFTMAX_H
