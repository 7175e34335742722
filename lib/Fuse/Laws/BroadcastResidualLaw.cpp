//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A residual that is a broadcast is a bias: behind a reshape of the result, a
// bias is broadcast before it is added.

#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/Support/TensorSize.h"
#include "FusionDialect/Utils/Materialize.h"
#include "LawSupport.h"

using namespace mlir;
using namespace fusion;

/// True if `vector` has fewer elements than `residual`, its broadcast.
static bool isSmaller(const ChannelVector &vector, Value residual) {
  if (!vector.dim)
    return true;
  auto type = cast<ShapedType>(vector.base.getType());
  auto residualType = cast<ShapedType>(residual.getType());
  if (!type.hasStaticShape() || !residualType.hasStaticShape())
    return type.hasStaticShape();
  std::optional<int64_t> count = countElements(type.getShape()),
                         residualCount = countElements(residualType.getShape());
  return count && (!residualCount || *count < *residualCount);
}

namespace {

// law: fused(x, w, residual = broadcast(b))  ->  fused(x, w, bias = b)
struct BroadcastResidualLaw
    : public OpInterfaceRewritePattern<FusedOpInterface> {
  BroadcastResidualLaw(MLIRContext *context, const FuseOptions &options)
      : OpInterfaceRewritePattern(context), options(options) {}

  LogicalResult matchAndRewrite(FusedOpInterface op,
                                PatternRewriter &rewriter) const override {
    Value residual = op.getResidual();
    if (!residual)
      return rewriter.notifyMatchFailure(op, "there is no residual");
    Refusal refusal;
    FailureOr<ChannelVector> vector = matchChannelVector(
        residual, op.getOutputChannelDim(), {options.allowReshape}, refusal);
    if (failed(vector))
      return refusal.notify(rewriter, op);
    if (!isSmaller(*vector, residual))
      return rewriter.notifyMatchFailure(op, "the residual is no broadcast");
    Location loc = op.getLoc();
    Value bias =
        materialize(rewriter, loc, *vector, getChannels(rewriter, loc, op));
    rewriter.modifyOpInPlace(op, [&] {
      op.getResidualMutable().clear();
      addToBias(rewriter, loc, op, bias);
    });
    return success();
  }

  FuseOptions options;
};

} // namespace

void fusion::populateBroadcastResidualLawPatterns(RewritePatternSet &patterns,
                                                  const FuseOptions &options) {
  patterns.add<BroadcastResidualLaw>(patterns.getContext(), options);
}
