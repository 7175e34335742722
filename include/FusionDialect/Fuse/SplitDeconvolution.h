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

/// Replaces `op`, on tensors, by one or several convolutions of stride 1 and a
/// depth-to-space of their results, which it returns, or says why it cannot.
mlir::FailureOr<mlir::Value> splitDeconvolution(mlir::RewriterBase &rewriter,
                                                FusedDeconvBiasActOp op,
                                                Refusal &refusal);

} // namespace fusion

#endif // FUSION_FUSE_SPLITDECONVOLUTION_H
