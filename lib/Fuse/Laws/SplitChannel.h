//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_FUSE_LAWS_SPLITCHANNEL_H
#define FUSION_LIB_FUSE_LAWS_SPLITCHANNEL_H

#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Support/Refusal.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"

namespace fusion {

/// A tensor whose dimensions `dims` together are the output channel of an op.
struct SplitChannel {
  mlir::Value tensor;
  mlir::ReassociationIndices dims;
};

/// The result of `op` behind a reshape that splits its channel, directly or
/// behind others that keep the channel in one dimension: raising drops the
/// batch of one image where linalg's op has none. Nothing else may read any of
/// these. Dimensions of size 1 are parts only if `areUnitsParts`.
mlir::FailureOr<SplitChannel>
matchSplitResult(FusedOpInterface op, bool areUnitsParts, Refusal &refusal);

/// True if an element-wise op reads `channel` and an operand that varies along
/// a part of it. The law on such operands comes before those on reshapes:
/// behind a reshape it could no longer see the part.
bool readsChannelPart(const SplitChannel &channel);

} // namespace fusion

#endif // FUSION_LIB_FUSE_LAWS_SPLITCHANNEL_H
