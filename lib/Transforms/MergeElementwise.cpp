//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Transforms/ApplyPatterns.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Transforms/Patterns.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONMERGEELEMENTWISE
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

static bool hasNoEffect(Operation &op) { return isMemoryEffectFree(&op); }

/// Whether the op that makes `operand` may become part of the one that reads
/// it.
static bool mayMerge(OpOperand *operand) {
  auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
  // In a loop it would be computed once for each iteration.
  return producer && producer->hasOneUse() &&
         producer->getBlock() == operand->getOwner()->getBlock() &&
         llvm::all_of(*producer.getBlock(), hasNoEffect) &&
         llvm::none_of(producer.getDpsInitsMutable(), [&](OpOperand &init) {
           return producer.payloadUsesValueFromOperand(&init);
         });
}

void fusion::populateMergeElementwisePatterns(RewritePatternSet &patterns) {
  MLIRContext *context = patterns.getContext();
  linalg::populateElementwiseOpsFusionPatterns(patterns, mayMerge);
  affine::AffineApplyOp::getCanonicalizationPatterns(patterns, context);
  linalg::GenericOp::getCanonicalizationPatterns(patterns, context);
  tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, context);
  tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns, context);
}

namespace {
struct MergeElementwisePass
    : public fusion::impl::FusionMergeElementwiseBase<MergeElementwisePass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateMergeElementwisePatterns(patterns);
    if (failed(applyToFixpoint(getOperation(), std::move(patterns),
                               "element-wise ops")))
      signalPassFailure();
  }
};
} // namespace
