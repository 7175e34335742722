//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Upstream merges a transpose into the requantisation in front of it. This law
// makes it an op of its own again, which moves integers of 8 bits.

#include "FusionDialect/Fuse/Epilogue.h"
#include "FusionDialect/Utils/Reorder.h"
#include "Laws.h"
#include "NewResult.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace fusion;

namespace {
struct TransposedRescaleLaw
    : public OpInterfaceRewritePattern<FusedOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(FusedOpInterface op,
                                PatternRewriter &rewriter) const override {
    linalg::LinalgOp user = findElementwiseUser(
        op, 32, [](Type type) { return type.isInteger(8); });
    if (!user || !matchTransposingRead(op, user))
      return rewriter.notifyMatchFailure(
          op, "no op makes integers of 8 bits of the sum and transposes it");
    Refusal refusal;
    if (failed(checkTransposeIsFoldable(op, user, refusal)))
      return refusal.notify(rewriter, op);
    rewriter.setInsertionPoint(user);
    OpOperand &sum = *op->getResult(0).use_begin();
    auto dims =
        llvm::to_vector(llvm::seq<int64_t>(0, op.getOutputType().getRank()));
    auto [inOrder, orders] = reorderLinalgOp(rewriter, user, sum, dims);
    if (!inOrder)
      return rewriter.notifyMatchFailure(user, "it has another order of loops");
    rewriter.replaceOp(user,
                       reorder(rewriter, user.getLoc(), inOrder->getResult(0),
                               invertPermutationVector(orders[0])));
    return success();
  }
};
} // namespace

void fusion::populateTransposedRescaleLaw(RewritePatternSet &patterns,
                                          const FuseOptions &) {
  patterns.add<TransposedRescaleLaw>(patterns.getContext());
}
