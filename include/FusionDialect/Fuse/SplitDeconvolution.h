//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_FUSE_SPLITDECONVOLUTION_H
#define FUSION_FUSE_SPLITDECONVOLUTION_H

#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Support/Refusal.h"

namespace fusion {

struct SplitDeconvolutionOptions {
  /// In which the depth-to-space makes its image. If that is not the layout of
  /// the result, a transpose follows.
  LayoutAttr layout;
  /// Whether zeros are put behind the filter if the kernel is no multiple of
  /// the stride. They make NaN of an infinity of the input.
  bool mayFillKernel = false;
};

/// Fails, with the reason, if `splitDeconvolution` cannot replace `op`.
mlir::LogicalResult checkSplit(FusedDeconvBiasActOp op,
                               const SplitDeconvolutionOptions &options,
                               Refusal &refusal);

/// Replaces `op`, on tensors, by one or several convolutions of stride 1 and a
/// depth-to-space of their results, which it returns, or says why it cannot.
mlir::FailureOr<mlir::Value>
splitDeconvolution(mlir::RewriterBase &rewriter, FusedDeconvBiasActOp op,
                   const SplitDeconvolutionOptions &options, Refusal &refusal);

} // namespace fusion

#endif // FUSION_FUSE_SPLITDECONVOLUTION_H
