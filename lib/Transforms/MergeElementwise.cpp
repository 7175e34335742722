//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Transforms/ApplyPatterns.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONMERGEELEMENTWISE
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

namespace {
struct MergeElementwisePass
    : public fusion::impl::FusionMergeElementwiseBase<MergeElementwisePass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(patterns, mayMerge);
    affine::AffineApplyOp::getCanonicalizationPatterns(patterns, &getContext());
    linalg::GenericOp::getCanonicalizationPatterns(patterns, &getContext());
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, &getContext());
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns,
                                                         &getContext());
    if (failed(applyToFixpoint(getOperation(), std::move(patterns),
                               "element-wise ops")))
      signalPassFailure();
  }

  static bool mayMerge(OpOperand *operand) {
    auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
    return producer && producer->hasOneUse() &&
           llvm::none_of(producer.getDpsInitsMutable(), [&](OpOperand &init) {
             return producer.payloadUsesValueFromOperand(&init);
           });
  }
};
} // namespace
