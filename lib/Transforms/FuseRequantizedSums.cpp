//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Fuse/RequantizedSum.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/ReplayViews.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/TypeSwitch.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONFUSEREQUANTIZEDSUMS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

template <typename Op> static void setSum(Op op, const RequantizedSum &sum) {
  auto getFloat = [](double number) {
    return APFloat(static_cast<float>(number));
  };
  op.getResidualMutable().assign(sum.residual);
  op.setResidualAfterActivation(true);
  op.setRoundActivation(true);
  op.setActivationAttr(ActivationAttr::get(
      op.getContext(), ActivationKind::Clip, static_cast<float>(sum.least),
      static_cast<float>(sum.greatest)));
  op.setResidualScale(getFloat(sum.residualScale));
  op.setResidualZeroPoint(sum.residualZeroPoint);
  op.setResidualUnsigned(sum.isUnsigned);
  op.setOutputScale(getFloat(sum.outputScale));
  op.setOutputZeroPoint(sum.outputZeroPoint);
  op.setOutputUnsigned(sum.isUnsigned);
}

/// Makes one op of `op` and the product in front of it, where `op` is.
static void fuse(linalg::GenericOp op, RequantizedSum &sum) {
  IRRewriter rewriter(op);
  ArrayRef<Operation *> views = sum.product.views;
  sum.residual = revertViews(rewriter, op.getLoc(), views, sum.residual);
  Operation *fused = rewriter.clone(*sum.product.op);
  llvm::TypeSwitch<Operation *>(fused)
      .Case<QuantizedConvBiasActOp, QuantizedMatmulBiasActOp>(
          [&](auto quantized) { setSum(quantized, sum); });
  rewriter.replaceOp(op, replayViews(rewriter, views, fused->getResult(0)));
  for (Operation *view : llvm::reverse(views))
    rewriter.eraseOp(view);
  rewriter.eraseOp(sum.product.op);
}

static bool readsProduct(linalg::GenericOp op) {
  return llvm::any_of(op->getOperands(), [](Value operand) {
    return ViewedProduct::find(operand).op &&
           getElementTypeOrSelf(operand).isInteger(8);
  });
}

namespace {
struct FuseRequantizedSumsPass
    : public fusion::impl::FusionFuseRequantizedSumsBase<
          FuseRequantizedSumsPass> {
  void runOnOperation() override {
    getOperation()->walk([](linalg::GenericOp op) {
      if (!readsProduct(op) || op->getNumResults() != 1 ||
          !getElementTypeOrSelf(op->getResult(0)).isInteger(8))
        return;
      Refusal refusal;
      FailureOr<RequantizedSum> sum =
          RequantizedSum::match(op, op->getOperands(), op->getBlock(), refusal);
      if (succeeded(sum))
        return fuse(op, *sum);
      remark::missed(op.getLoc(),
                     remark::RemarkOpts::name("fusion-fuse-requantized-sums")
                         .category("fusion"))
          << remark::reason("{0}", refusal.str());
    });
  }
};
} // namespace
