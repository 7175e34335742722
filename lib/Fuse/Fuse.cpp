//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Fuse/ConstantEvaluation.h"
#include "FusionDialect/Fuse/Explain.h"
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/ApplyPatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/PDLInterp/IR/PDLInterp.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Remarks.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONFUSE
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

/// Reports each convolution of `root` once: as passed with the parts that were
/// folded, or as missed with the reason.
static void emitRemarks(Operation *root, const FuseOptions &options) {
  if (!root->getContext()->getRemarkEngine())
    return;
  // `fusion-fuse-quantized` tells of integers, and pools are raised later.
  for (const Explanation &explanation :
       explainAll(root, {options, /*integers=*/false, /*pools=*/false})) {
    remark::RemarkOpts opts =
        remark::RemarkOpts::name("fusion-fuse").category("fusion");
    Location loc = explanation.op->getLoc();
    if (explanation.status == Explanation::Status::Fused)
      remark::passed(loc, opts) << explanation.str();
    else
      remark::missed(loc, opts) << remark::reason("{0}", explanation.str());
  }
}

namespace {
struct FusePass : public fusion::impl::FusionFuseBase<FusePass> {
  using FusionFuseBase::FusionFuseBase;

  LogicalResult initialize(MLIRContext *context) override {
    options.allowReshape = allowReshape;
    options.allowContractRounding = allowContractRounding;
    options.nanMode = nanMode;
    // A sum behind an activation waits for the other fusion op that it may
    // read, which could take it with what follows.
    for (bool isLast : {false, true}) {
      options.foldResidualAfterActivation = isLast;
      RewritePatternSet set(context);
      Refusal refusal;
      if (failed(populateFusionPatterns(
              set, options,
              SmallVector<std::string>(disable.begin(), disable.end()),
              refusal)))
        return emitError(UnknownLoc::get(context), refusal.str());
      populateProvenAssertionPatterns(set);
      (isLast ? lastPatterns : patterns) = std::move(set);
    }
    RewritePatternSet evaluation(context);
    populateConstantEvaluationPatterns(evaluation);
    constantPatterns = std::move(evaluation);
    return success();
  }

  void runOnOperation() override {
    // The mode applies to everything that the op will do. `fusion-explain`
    // reads it.
    if (options.nanMode != NaNMode::Fast)
      getOperation()->walk(
          [&](FusedOpInterface op) { op.setNanMode(options.nanMode); });
    // Constants last, so that each is rounded once.
    if (failed(applyToFixpoint(getOperation(), patterns, "laws")) ||
        failed(applyToFixpoint(getOperation(), lastPatterns, "laws")) ||
        failed(applyToFixpoint(getOperation(), constantPatterns, "constants")))
      return signalPassFailure();
    emitRemarks(getOperation(), options);
  }

  FuseOptions options;
  FrozenRewritePatternSet patterns, lastPatterns, constantPatterns;
};
} // namespace
