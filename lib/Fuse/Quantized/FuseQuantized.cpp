//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/Fuse/Raise.h"
#include "FusionDialect/IR/FusionDialect.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/ApplyPatterns.h"
#include "Laws.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/PDLInterp/IR/PDLInterp.h"
#include "mlir/IR/Remarks.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONFUSEQUANTIZED
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

static void emitRemark(Operation *op,
                       const std::optional<std::string> &reason) {
  if (reason)
    remark::missed(
        op->getLoc(),
        remark::RemarkOpts::name("fusion-fuse-quantized").category("fusion"))
        << remark::reason("{0}", *reason);
}

/// Why `op`, which multiplies integers, is not raised; none if it does not.
static std::optional<std::string> explainRaise(linalg::LinalgOp op,
                                               const RaiseOptions &options) {
  Refusal refusal;
  if (!isRaisable(op) || !isa<arith::MulIOp>(getMultiply(op)) ||
      succeeded(checkMayRaise(op, options, refusal)))
    return std::nullopt;
  return refusal.str().str();
}

namespace {
struct FuseQuantizedPass
    : public fusion::impl::FusionFuseQuantizedBase<FuseQuantizedPass> {
  using FusionFuseQuantizedBase::FusionFuseQuantizedBase;

  LogicalResult initialize(MLIRContext *context) override {
    raiseOptions.integers = true;
    // As in `fusion-fuse`, a sum behind an activation waits for another op.
    for (bool isLast : {false, true})
      (isLast ? lastPatterns : patterns) = createPatterns(context, isLast);
    return success();
  }

  RewritePatternSet createPatterns(MLIRContext *context, bool isLast) {
    RewritePatternSet set(context);
    populateRaisePatterns(set, raiseOptions);
    populatePaddedExtensionLaw(set);
    populatePaddedInputLaw(set);
    populateDequantizedOperandsLaw(set);
    populateDequantizedResidualLaw(set, rounding);
    populateQuantizedResultLaw(set, rounding);
    populateRescaledSumLaw(set, rounding);
    populateSumBiasLaw(set);
    populateReshapedResultLaw(set);
    populateMovedInputLaw(set);
    populateMovedResultLaw(set, rounding);
    populateMovedIntegersLaws(set);
    populateRequantizationLaw(set);
    populateSummedImageLaw(set);
    FuseOptions options;
    options.integers = true;
    options.nanMode = nanMode;
    options.foldResidualAfterActivation = isLast;
    // Two biases are summed up, and an activation is a function of the runtime:
    // both may round otherwise than the ops.
    bool isExact = rounding == QuantRounding::Exact;
    populateLawPatterns(
        set,
        isExact ? ArrayRef<StringRef>{"residual"}
                : ArrayRef<StringRef>{"residual", "bias", "activation"},
        options);
    return set;
  }

  void runOnOperation() override {
    if (failed(applyToFixpoint(getOperation(), patterns, "laws on integers")) ||
        failed(
            applyToFixpoint(getOperation(), lastPatterns, "laws on integers")))
      return signalPassFailure();
    getOperation()->walk([&](FusedOpInterface op) {
      emitRemark(op, explainDequantizedOperands(op));
      emitRemark(op, explainPaddedInput(op));
      emitRemark(op, explainQuantizedResult(op, rounding));
      emitRemark(op, explainRescaledSum(op, rounding));
      emitRemark(op, explainSumBias(op));
      emitRemark(op, explainMovedResult(op, rounding));
    });
    getOperation()->walk([&](linalg::LinalgOp op) {
      emitRemark(op, explainRaise(op, raiseOptions));
    });
    getOperation()->walk(
        [](Operation *op) { emitRemark(op, explainMovedFloats(op)); });
  }

  FrozenRewritePatternSet patterns, lastPatterns;
  RaiseOptions raiseOptions;
};
} // namespace
