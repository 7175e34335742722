//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_FUSE_RAISEPOOLS_H
#define FUSION_FUSE_RAISEPOOLS_H

#include "FusionDialect/Fuse/Laws.h"

namespace fusion {

/// Replaces pools of linalg, with the padding of their input, by `fusion.pool`.
void populateRaisePoolsPatterns(mlir::RewritePatternSet &patterns,
                                const FuseOptions &options);

} // namespace fusion

#endif // FUSION_FUSE_RAISEPOOLS_H
