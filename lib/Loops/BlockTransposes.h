//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_LOOPS_BLOCKTRANSPOSES_H
#define FUSION_LIB_LOOPS_BLOCKTRANSPOSES_H

#include "mlir/IR/PatternMatch.h"

namespace fusion {

/// Turns transposes of buffers into loops over blocks that are transposed in
/// registers.
void populateBlockTransposesPatterns(mlir::RewritePatternSet &patterns);

} // namespace fusion

#endif // FUSION_LIB_LOOPS_BLOCKTRANSPOSES_H
