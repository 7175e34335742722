//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_FUSE_LAWS_FOLDSTEPS_H
#define FUSION_LIB_FUSE_LAWS_FOLDSTEPS_H

#include "FusionDialect/Fuse/Laws.h"
#include "mlir/IR/PatternMatch.h"

namespace fusion {

/// Registers the native functions that Fuse.pdll declares.
void registerFoldSteps(mlir::PDLPatternModule &patterns,
                       const FuseOptions &options);

/// Copies the fusion op that `fused` is the result of to the place of `step`,
/// to be changed. The rewriter inserts in front of the copy.
FusedOpInterface copyFusedOp(mlir::PatternRewriter &rewriter,
                             mlir::Operation *step, mlir::Value fused);

/// The rewrite of the scale and batch norm laws.
mlir::Value withScale(mlir::PatternRewriter &rewriter, mlir::Operation *step,
                      mlir::Value fused, mlir::Value factor);

} // namespace fusion

#endif // FUSION_LIB_FUSE_LAWS_FOLDSTEPS_H
