//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Fuse/ConstantEvaluation.h"
#include "FusionDialect/Fuse/SplitDeconvolution.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/ApplyPatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONSPLITDECONVOLUTIONS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

/// Splits `op`, or reports why it cannot.
static void splitOrReport(IRRewriter &rewriter, FusedDeconvBiasActOp op) {
  Refusal refusal;
  if (succeeded(
          splitDeconvolution(rewriter, op, {op.getOutputLayout()}, refusal)))
    return;
  remark::missed(op.getLoc(),
                 remark::RemarkOpts::name("fusion-split-deconvolutions")
                     .category("fusion"))
      << remark::reason("{0}", refusal.str());
}

namespace {
struct SplitDeconvolutionsPass
    : public fusion::impl::FusionSplitDeconvolutionsBase<
          SplitDeconvolutionsPass> {
  void runOnOperation() override {
    SmallVector<FusedDeconvBiasActOp> ops;
    getOperation()->walk([&](FusedDeconvBiasActOp op) { ops.push_back(op); });
    if (ops.empty())
      return;
    IRRewriter rewriter(&getContext());
    for (FusedDeconvBiasActOp op : ops)
      splitOrReport(rewriter, op);
    // Evaluates the new filter, so that a constant one stays constant.
    RewritePatternSet patterns(&getContext());
    populateConstantEvaluationPatterns(patterns);
    if (failed(applyToFixpoint(getOperation(), std::move(patterns),
                               "evaluations of constants")))
      signalPassFailure();
  }
};
} // namespace
