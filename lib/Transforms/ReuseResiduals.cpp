//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONREUSERESIDUALS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

namespace {
struct ReuseResidualsPass
    : public fusion::impl::FusionReuseResidualsBase<ReuseResidualsPass> {
  void runOnOperation() override {
    getOperation()->walk([](FusedOpInterface op) {
      if (mayOverwriteResidual(op) &&
          op.getResidual().getType() == op.getInit().getType() &&
          op.getInit().getDefiningOp<tensor::EmptyOp>())
        op.getInitMutable().set(op.getResidual());
    });
  }
};
} // namespace
