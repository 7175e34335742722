//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checks.h"
#include "Computation.h"
#include "IndexRanges.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"

using namespace mlir;
using namespace fusion;

namespace {
/// A division of integers, and how it could end the process.
struct Division {
  Operation *op;
  bool mayDivideByZero, mayOverflow;

  Division(IndexRanges &ranges, Operation *op);

  /// -1 if the divisor is 0, 1 if the quotient overflows, and 0 otherwise.
  Value createFault(OpBuilder &builder, Value dividend, Value divisor) const;
};
} // namespace

Division::Division(IndexRanges &ranges, Operation *op) : op(op) {
  ConstantIntRanges dividends = ranges.get(op->getOperand(0)),
                    divisors = ranges.get(op->getOperand(1));
  mayDivideByZero = divisors.umin().isZero();
  mayOverflow = isa<arith::DivSIOp, arith::CeilDivSIOp, arith::FloorDivSIOp,
                    arith::RemSIOp, index::DivSOp, index::CeilDivSOp,
                    index::FloorDivSOp, index::RemSOp>(op) &&
                dividends.smin().isMinSignedValue() &&
                divisors.umax().isAllOnes();
}

Value Division::createFault(OpBuilder &builder, Value dividend,
                            Value divisor) const {
  ImplicitLocOpBuilder b(op->getLoc(), builder);
  Type type = divisor.getType();
  unsigned width = ConstantIntRanges::getStorageBitwidth(type);
  auto isEqual = [&](Value value, const APInt &number) -> Value {
    Value constant =
        arith::ConstantOp::create(b, b.getIntegerAttr(type, number));
    return arith::CmpIOp::create(b, arith::CmpIPredicate::eq, value, constant);
  };
  Value fault = arith::ConstantIndexOp::create(b, 0);
  if (mayOverflow) {
    Value overflows = arith::AndIOp::create(
        b, isEqual(dividend, APInt::getSignedMinValue(width)),
        isEqual(divisor, APInt::getAllOnes(width)));
    Value one = arith::ConstantIndexOp::create(b, 1);
    fault = arith::SelectOp::create(b, overflows, one, fault);
  }
  if (mayDivideByZero) {
    Value isZero = isEqual(divisor, APInt::getZero(width));
    Value minusOne = arith::ConstantIndexOp::create(b, -1);
    fault = arith::SelectOp::create(b, isZero, minusOne, fault);
  }
  return fault;
}

/// Finds in front of `body` the faults of `division`, which it contains. None
/// if they are not known there.
static std::optional<Extremes> findFaults(const Division &division,
                                          linalg::LinalgOp body) {
  Value dividend = division.op->getOperand(0),
        divisor = division.op->getOperand(1);
  Computation computation(body);
  if (division.op->getBlock() != body.getBlock() || !computation.add(divisor) ||
      (division.mayOverflow && !computation.add(dividend)))
    return std::nullopt;
  OpBuilder builder(body);
  auto compute = [&](OpBuilder &inner, ArrayRef<OpFoldResult> indices) {
    IRMapping mapping = computation.create(inner, indices);
    return division.createFault(inner, mapping.lookupOrDefault(dividend),
                                mapping.lookupOrDefault(divisor));
  };
  return findExtremes(builder, body, computation.getLoops(), compute);
}

void fusion::checkDivision(Checks &checks, IndexRanges &ranges, Operation *op) {
  if (!op->getOperand(1).getType().isIntOrIndex())
    return;
  Division division(ranges, op);
  if (!division.mayDivideByZero && !division.mayOverflow)
    return;
  Operation *place = op;
  std::optional<Extremes> faults;
  if (auto body = dyn_cast<linalg::LinalgOp>(op->getParentOp()))
    if ((faults = findFaults(division, body)))
      place = body;
  ImplicitLocOpBuilder b(op->getLoc(), place);
  if (!faults) {
    Value fault = division.createFault(b, op->getOperand(0), op->getOperand(1));
    faults = {fault, fault};
  }
  std::string name = op->getName().getStringRef().str();
  // The body of a named op has no locations.
  Operation *source = isa<UnknownLoc>(op->getLoc()) ? op->getParentOp() : op;
  Value zero = arith::ConstantIndexOp::create(b, 0);
  if (division.mayDivideByZero)
    checks.failIf(b, source,
                  arith::CmpIOp::create(b, arith::CmpIPredicate::slt,
                                        faults->least, zero),
                  "the divisor of '" + name + "' must not be 0", {});
  if (division.mayOverflow)
    checks.failIf(
        b, source,
        arith::CmpIOp::create(b, arith::CmpIPredicate::sgt, faults->most, zero),
        "'" + name + "' must not divide the least integer by -1", {});
}

//===----------------------------------------------------------------------===//
// Numbers that must be positive
//===----------------------------------------------------------------------===//

/// Checks in front of `op` that `number`, `what` of it, is positive.
static void requirePositive(Checks &checks, IndexRanges &ranges, Operation *op,
                            OpFoldResult number, StringRef what) {
  if (ranges.get(number).smin().isStrictlyPositive())
    return;
  ImplicitLocOpBuilder b(op->getLoc(), op);
  Value value = getValueOrCreateConstantIndexOp(b, op->getLoc(), number);
  Value zero = arith::ConstantOp::create(b, b.getZeroAttr(value.getType()));
  checks.failIf(
      b, op, arith::CmpIOp::create(b, arith::CmpIPredicate::sle, value, zero),
      (what + " of '" + op->getName().getStringRef() +
       "' must be at least 1, got {}")
          .str(),
      value);
}

void fusion::checkAffineDivisors(Checks &checks, IndexRanges &ranges,
                                 Operation *op, AffineMap map) {
  auto check = [&](AffineExpr expr) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary || isa<AffineConstantExpr>(binary.getRHS()) ||
        expr.getKind() == AffineExprKind::Add ||
        expr.getKind() == AffineExprKind::Mul)
      return;
    OpBuilder builder(op);
    SmallVector<OpFoldResult> operands = getAsOpFoldResult(op->getOperands());
    requirePositive(checks, ranges, op,
                    affine::makeComposedFoldedAffineApply(
                        builder, op->getLoc(),
                        AffineMap::get(map.getNumDims(), map.getNumSymbols(),
                                       binary.getRHS()),
                        operands),
                    "a divisor");
  };
  map.walkExprs(check);
}

void fusion::checkSteps(Checks &checks, IndexRanges &ranges,
                        LoopLikeOpInterface loop) {
  if (auto steps = loop.getLoopSteps())
    for (OpFoldResult step : *steps)
      requirePositive(checks, ranges, loop, step, "a step");
}
