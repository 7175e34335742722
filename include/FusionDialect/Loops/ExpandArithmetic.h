//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LOOPS_EXPANDARITHMETIC_H
#define FUSION_LOOPS_EXPANDARITHMETIC_H

#include "mlir/IR/PatternMatch.h"

namespace fusion {

/// Writes out conversions of bf16 and divisions that round up or down, and
/// narrows sums of small integers that become floats.
void populateExpandArithmeticPatterns(mlir::RewritePatternSet &patterns);

} // namespace fusion

#endif // FUSION_LOOPS_EXPANDARITHMETIC_H
