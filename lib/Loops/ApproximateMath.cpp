//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/ApplyPatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONAPPROXIMATEMATH
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

/// True for functions whose upstream polynomial is within five units in the
/// last place of each result that is not subnormal.
static bool isAccurate(StringRef name) {
  return llvm::is_contained(
      {math::ErfOp::getOperationName(), math::ExpOp::getOperationName(),
       math::ExpM1Op::getOperationName(), math::Log1pOp::getOperationName(),
       math::TanhOp::getOperationName()},
      name);
}

/// True for a power of a scalar with a constant integer as exponent. Upstream
/// writes small ones as products. It also writes some of roots, which differ
/// for minus infinity.
static bool isIntegerPower(Operation *op) {
  auto power = dyn_cast<math::PowFOp>(op);
  FloatAttr exponent;
  return power && matchPattern(power.getRhs(), m_Constant(&exponent)) &&
         exponent.getValue().isInteger();
}

/// Splits `fma` into a product and a sum with the flag `contract`. The
/// processor may have no such instruction, and library calls would be slower
/// than the function that is approximated. The compiler fuses them if it can.
static void splitMultiplyAdd(math::FmaOp fma) {
  OpBuilder builder(fma);
  auto flags = arith::FastMathFlagsAttr::get(fma.getContext(),
                                             arith::FastMathFlags::contract);
  Value product = arith::MulFOp::create(builder, fma.getLoc(), fma.getA(),
                                        fma.getB(), flags);
  Value sum =
      arith::AddFOp::create(builder, fma.getLoc(), product, fma.getC(), flags);
  fma.replaceAllUsesWith(sum);
  fma.erase();
}

namespace {
struct ApproximateMathPass
    : public fusion::impl::FusionApproximateMathBase<ApproximateMathPass> {
  using FusionApproximateMathBase::FusionApproximateMathBase;

  void runOnOperation() override {
    llvm::DenseSet<Operation *> ofProgram;
    SmallVector<Operation *> functions;
    getOperation()->walk([&](Operation *op) {
      if (isa<math::FmaOp>(op))
        ofProgram.insert(op);
      // Upstream's patterns would take a tensor for a scalar.
      if ((isAccurate(op->getName().getStringRef()) &&
           !isa<TensorType>(op->getResult(0).getType())) ||
          isIntegerPower(op))
        functions.push_back(op);
    });
    RewritePatternSet patterns(&getContext());
    populateMathPolynomialApproximationPatterns(patterns, isAccurate);
    populateMathAlgebraicSimplificationPatterns(patterns);
    if (failed(applyToFixpoint(getOperation(), functions, std::move(patterns),
                               "approximations")))
      return signalPassFailure();
    getOperation()->walk([&](math::FmaOp fma) {
      if (!ofProgram.contains(fma))
        splitMultiplyAdd(fma);
    });
  }
};
} // namespace
