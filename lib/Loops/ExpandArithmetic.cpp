//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Loops/ExpandArithmetic.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/ApplyPatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONEXPANDARITHMETIC
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

void fusion::populateExpandArithmeticPatterns(RewritePatternSet &patterns) {
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  arith::populateExpandBFloat16Patterns(patterns);
}

namespace {
struct ExpandArithmeticPass
    : public fusion::impl::FusionExpandArithmeticBase<ExpandArithmeticPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateExpandArithmeticPatterns(patterns);
    // Upstream's patterns need constants of the type, which tensors of dynamic
    // sizes do not have.
    SmallVector<Operation *> ops;
    getOperation()->walk([&](Operation *op) {
      if (isa_and_nonnull<arith::ArithDialect>(op->getDialect()) &&
          llvm::none_of(op->getResultTypes(), llvm::IsaPred<TensorType>))
        ops.push_back(op);
    });
    if (failed(applyToFixpoint(getOperation(), ops, std::move(patterns),
                               "expansions of arithmetic")))
      signalPassFailure();
  }
};
} // namespace
