//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_LOOPS_SHORTVECTORS_H
#define FUSION_LIB_LOOPS_SHORTVECTORS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"

namespace fusion {

/// Replaces `loop` by ops on vectors of one element for each iteration, if it
/// has few of them, a reduction is around it, and its ops have such a form.
void replaceByVectors(mlir::RewriterBase &rewriter, mlir::scf::ParallelOp loop);

} // namespace fusion

#endif // FUSION_LIB_LOOPS_SHORTVECTORS_H
