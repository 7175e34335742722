//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONCONVERTTOBLOCKS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

namespace {
struct ConvertToBlocksPass
    : public fusion::impl::FusionConvertToBlocksBase<ConvertToBlocksPass> {
  using FusionConvertToBlocksBase::FusionConvertToBlocksBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateSCFToControlFlowConversionPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa_and_nonnull<scf::SCFDialect>(op->getDialect()))
        ops.push_back(op);
    });
    // The driver takes ops from the end of its list.
    GreedyRewriteConfig config;
    config.setStrictness(GreedyRewriteStrictness::ExistingAndNewOps)
        .setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled)
        .enableFolding(false)
        .enableConstantCSE(false);
    if (failed(applyOpPatternsGreedily(ops, patterns, config)))
      return signalPassFailure();
    getOperation()->walk([&](Operation *op) {
      if (!isa<scf::ForOp, scf::ForallOp, scf::IfOp, scf::IndexSwitchOp,
               scf::ParallelOp, scf::WhileOp, scf::ExecuteRegionOp>(op))
        return;
      op->emitOpError("cannot become blocks");
      signalPassFailure();
    });
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
