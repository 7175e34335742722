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
#include "mlir/IR/Matchers.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONEXPANDARITHMETIC
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

/// Whether an operand of a sum in i64 is an extension or a constant below 2^30,
/// so that the sum of two fits i32.
static bool isSmall(Value wide) {
  APInt constant;
  if (matchPattern(wide, m_ConstantInt(&constant)))
    return constant.abs().ult(1 << 30);
  Operation *op = wide.getDefiningOp();
  return isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(op) &&
         op->getOperand(0).getType().getIntOrFloatBitWidth() <= 16;
}

/// Such an operand in i32.
static Value narrow(OpBuilder &builder, Value wide) {
  APInt constant;
  if (matchPattern(wide, m_ConstantInt(&constant))) {
    auto number = static_cast<int32_t>(constant.getSExtValue());
    return arith::ConstantOp::create(builder, wide.getLoc(),
                                     builder.getI32IntegerAttr(number));
  }
  Operation *op = wide.getDefiningOp();
  return builder
      .create(op->getLoc(), op->getName().getIdentifier(), op->getOperand(0),
              builder.getI32Type())
      ->getResult(0);
}

namespace {
/// Dequantisation as front ends write it, `float(int64(x) - zero point)`. Its
/// result is the same in i32, of which vectors have twice as many.
template <typename Sum>
struct NarrowDequantization : OpRewritePattern<arith::SIToFPOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(arith::SIToFPOp op,
                                PatternRewriter &rewriter) const override {
    auto sum = op.getIn().getDefiningOp<Sum>();
    if (!sum || !sum.getType().isInteger(64))
      return rewriter.notifyMatchFailure(op, "it converts no sum in i64");
    if (!isSmall(sum.getLhs()) || !isSmall(sum.getRhs()))
      return rewriter.notifyMatchFailure(op, "the sum may not fit i32");
    Value lhs = narrow(rewriter, sum.getLhs());
    Value rhs = narrow(rewriter, sum.getRhs());
    Value narrowSum = Sum::create(rewriter, sum.getLoc(), lhs, rhs);
    rewriter.replaceOpWithNewOp<arith::SIToFPOp>(op, op.getType(), narrowSum);
    return success();
  }
};
} // namespace

void fusion::populateExpandArithmeticPatterns(RewritePatternSet &patterns) {
  arith::populateCeilFloorDivExpandOpsPatterns(patterns);
  arith::populateExpandBFloat16Patterns(patterns);
  patterns.add<NarrowDequantization<arith::AddIOp>,
               NarrowDequantization<arith::SubIOp>>(patterns.getContext());
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
