//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_FUSE_LAWS_LAWSUPPORT_H
#define FUSION_LIB_FUSE_LAWS_LAWSUPPORT_H

#include "FusionDialect/Fuse/Epilogue.h"

namespace fusion {

/// The epilogue of `root` on the result `fused` of a fusion op.
mlir::FailureOr<Epilogue> findEpilogue(mlir::Operation *root, mlir::Value fused,
                                       Refusal &refusal);

/// Makes a constraint on (root, fused) of a predicate on their epilogue.
template <typename Question> auto onEpilogue(Question question) {
  return [question](mlir::PatternRewriter &rewriter, mlir::Operation *root,
                    mlir::Value fused) -> mlir::LogicalResult {
    Refusal refusal;
    mlir::FailureOr<Epilogue> epilogue = findEpilogue(root, fused, refusal);
    if (failed(epilogue) || failed(question(*epilogue, refusal)))
      return refusal.notify(rewriter, root);
    return mlir::success();
  };
}

/// The number of output channels of `op`.
mlir::OpFoldResult getChannels(mlir::OpBuilder &builder, mlir::Location loc,
                               FusedOpInterface op);

/// Adds `addend`, a tensor<Cxf32>, to the bias of `op`.
void addToBias(mlir::OpBuilder &builder, mlir::Location loc,
               FusedOpInterface op, mlir::Value addend);

/// Registers the native functions of the scale and batch norm laws.
void registerScaleConstraints(mlir::PDLPatternModule &patterns,
                              const FuseOptions &options);

} // namespace fusion

#endif // FUSION_LIB_FUSE_LAWS_LAWSUPPORT_H
