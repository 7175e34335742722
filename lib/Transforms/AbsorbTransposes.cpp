//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Transforms/AbsorbTransposes.h"
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/IR/FusionDialect.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/ApplyPatterns.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/PDLInterp/IR/PDLInterp.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONABSORBTRANSPOSES
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

void fusion::populateAbsorbTransposesPatterns(RewritePatternSet &patterns) {
  populateLawPatterns(patterns, {"transpose"}, FuseOptions());
  linalg::TransposeOp::getCanonicalizationPatterns(patterns,
                                                   patterns.getContext());
}

namespace {
struct AbsorbTransposesPass
    : public fusion::impl::FusionAbsorbTransposesBase<AbsorbTransposesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateAbsorbTransposesPatterns(patterns);
    if (failed(
            applyToFixpoint(getOperation(), std::move(patterns), "transposes")))
      signalPassFailure();
  }
};
} // namespace
