//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/AffineRounding.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONSIMPLIFYREQUANTIZATION
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

namespace {
/// Creates the body of an op that computes an AffineRounding.
class BodyBuilder {
public:
  BodyBuilder(linalg::GenericOp op, const AffineRounding &function)
      : builder(op.getLoc(), op), op(op), function(function) {
    builder.setInsertionPoint(op.getBody()->getTerminator());
  }

  Value create();

private:
  Value constant(TypedAttr value) {
    return arith::ConstantOp::create(builder, value);
  }
  Value constant(double value) {
    return constant(builder.getF32FloatAttr(static_cast<float>(value)));
  }
  Value createTerm(const AffineRounding::Term &term);
  Value createSum();

  ImplicitLocOpBuilder builder;
  linalg::GenericOp op;
  const AffineRounding &function;
};
} // namespace

Value BodyBuilder::createTerm(const AffineRounding::Term &term) {
  Value input = op.getBody()->getArgument(term.input);
  Type i32 = builder.getI32Type();
  Value wide = term.isUnsigned
                   ? arith::ExtUIOp::create(builder, i32, input).getResult()
                   : arith::ExtSIOp::create(builder, i32, input).getResult();
  Value number = arith::SIToFPOp::create(builder, builder.getF32Type(), wide);
  return arith::MulFOp::create(builder, number, constant(term.factor[0]));
}

Value BodyBuilder::createSum() {
  Value sum = constant(function.offset[0]);
  for (const AffineRounding::Term &term : function.terms)
    sum = arith::AddFOp::create(builder, createTerm(term), sum);
  return sum;
}

Value BodyBuilder::create() {
  // Nothing is infinite or not a number.
  auto flags = arith::FastMathFlags::nnan | arith::FastMathFlags::nsz;
  // An integer that is added behind the rounding may move the bounds, but not
  // the ties.
  Value lower = constant(function.lower - function.added);
  Value upper = constant(function.upper - function.added);
  Value number = createSum();
  number = arith::MaximumFOp::create(builder, number, lower, flags);
  number = arith::MinimumFOp::create(builder, number, upper, flags);
  number = math::RoundEvenOp::create(builder, number);
  Type i32 = builder.getI32Type();
  Value integer = arith::FPToSIOp::create(builder, i32, number);
  auto added = static_cast<int32_t>(function.added);
  if (added != 0)
    integer = arith::AddIOp::create(builder, integer,
                                    constant(builder.getI32IntegerAttr(added)));
  return arith::TruncIOp::create(builder, builder.getI8Type(), integer);
}

static void simplify(linalg::GenericOp op, const AffineRounding &function) {
  Block *body = op.getBody();
  body->getTerminator()->setOperand(0, BodyBuilder(op, function).create());
  for (Operation &inner : llvm::make_early_inc_range(llvm::reverse(*body)))
    if (isOpTriviallyDead(&inner))
      inner.erase();
}

static bool roundsToByte(linalg::GenericOp op) {
  return op->getNumResults() == 1 &&
         getElementTypeOrSelf(op->getResult(0)).isInteger(8) &&
         llvm::any_of(*op.getBody(), [](Operation &inner) {
           return isa<arith::FPToSIOp, arith::FPToUIOp, arith::TruncIOp>(inner);
         });
}

namespace {
struct SimplifyRequantizationPass
    : public fusion::impl::FusionSimplifyRequantizationBase<
          SimplifyRequantizationPass> {
  void runOnOperation() override {
    getOperation()->walk([](linalg::GenericOp op) {
      if (!roundsToByte(op))
        return;
      Refusal refusal;
      FailureOr<AffineRounding> function =
          AffineRounding::matchRequantization(op, refusal);
      if (succeeded(function) && function->rounding == Rounding::None &&
          function->error == 0.0)
        function = refusal.because("it rounds nothing");
      if (succeeded(function))
        return simplify(op, *function);
      remark::missed(op.getLoc(),
                     remark::RemarkOpts::name("fusion-simplify-requantization")
                         .category("fusion"))
          << remark::reason("{0}", refusal.str());
    });
  }
};
} // namespace
