//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONKEEPROUNDING
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

namespace {
struct KeepRoundingPass
    : public fusion::impl::FusionKeepRoundingBase<KeepRoundingPass> {
  void runOnOperation() override {
    getOperation()->walk([](Operation *op) {
      if (!isa<arith::ExtFOp, arith::TruncFOp>(op))
        return;
      auto fast = cast<arith::ArithFastMathInterface>(op);
      arith::FastMathFlagsAttr flags = fast.getFastMathFlagsAttr();
      if (flags &&
          bitEnumContainsAny(flags.getValue(), arith::FastMathFlags::contract))
        op->setAttr(fast.getFastMathAttrName(),
                    arith::FastMathFlagsAttr::get(
                        op->getContext(),
                        bitEnumClear(flags.getValue(),
                                     arith::FastMathFlags::contract)));
    });
  }
};
} // namespace
