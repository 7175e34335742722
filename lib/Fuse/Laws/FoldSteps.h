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

/// Registers the native functions that Fuse.pdll declares: those of the laws
/// that fold a step behind the fusion op, and of the others.
void registerFoldSteps(mlir::PDLPatternModule &patterns,
                       const FuseOptions &options);
void registerFoldInputs(mlir::PDLPatternModule &patterns);
void registerFoldSlice(mlir::PDLPatternModule &patterns);

/// Each fails, with the reason, if something around `op` could have been folded
/// by a law but was not: the padding of the input; zeros in the input, or a
/// depth-to-space of the result; a broadcast that each call makes the filter
/// of; any other op that reads the result.
mlir::LogicalResult explainPad(FusedOpInterface op, const FuseOptions &options,
                               Refusal &refusal);
mlir::LogicalResult explainDeconv(FusedOpInterface op,
                                  const FuseOptions &options, Refusal &refusal);
mlir::LogicalResult explainBroadcast(FusedOpInterface op,
                                     const FuseOptions &options,
                                     Refusal &refusal);
mlir::LogicalResult explainUsers(FusedOpInterface op,
                                 const FuseOptions &options, Refusal &refusal);

/// Fails with the reason if `move`, which alone reads the result of `op`, or an
/// op behind it moves elements and so keeps an activation, bias or scale from
/// being folded.
mlir::LogicalResult explainMove(FusedOpInterface op, mlir::Operation *move,
                                const FuseOptions &options, Refusal &refusal);

/// The same if all of `consumers`, several, are slices.
mlir::LogicalResult explainSlices(FusedOpInterface op,
                                  llvm::ArrayRef<mlir::Operation *> consumers,
                                  const FuseOptions &options, Refusal &refusal);

/// Fails with the reason if each call transposes or broadcasts an operand of
/// `op`, which no law can fold.
mlir::LogicalResult explainMovedOperands(FusedOpInterface op, Refusal &refusal);

/// Copies the fusion op that `fused` is the result of to the place of `step`,
/// to be changed. The rewriter inserts in front of the copy.
FusedOpInterface copyFusedOp(mlir::PatternRewriter &rewriter,
                             mlir::Operation *step, mlir::Value fused);

/// The rewrite of the scale and batch norm laws.
mlir::Value withScale(mlir::PatternRewriter &rewriter, mlir::Operation *step,
                      mlir::Value fused, mlir::Value factor);

} // namespace fusion

#endif // FUSION_LIB_FUSE_LAWS_FOLDSTEPS_H
