//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NumberRange.h"
#include "FusionDialect/Analysis/Views.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/InferIntRangeInterface.h"
#include "llvm/ADT/TypeSwitch.h"
#include <cmath>

using namespace mlir;
using namespace fusion;

/// So many ops are looked at, one behind the other. Bounds are near by.
static constexpr unsigned maxDepth = 16;

/// The value in whose numbers those of `value` are: that which the body of an
/// op yields in place of its result, and the operand in place of what the body
/// or a reshape takes from it.
static Value findSource(Value value) {
  while (true) {
    if (auto argument = dyn_cast<BlockArgument>(value)) {
      auto op = dyn_cast_or_null<linalg::LinalgOp>(
          argument.getOwner()->getParentOp());
      OpOperand *operand = op ? op.getMatchingOpOperand(argument) : nullptr;
      if (!operand || !op.isDpsInput(operand))
        return value;
      value = operand->get();
      continue;
    }
    Operation *op = value.getDefiningOp();
    auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
    if (!op)
      return value;
    if (isView(op) || isa<tensor::ExtractOp, tensor::SplatOp>(op) ||
        (isa<tensor::FromElementsOp>(op) && op->getNumOperands() == 1))
      value = op->getOperand(0);
    else if (linalgOp && linalgOp.isAllParallelLoops())
      value = linalgOp.getBlock()->getTerminator()->getOperand(
          cast<OpResult>(value).getResultNumber());
    else
      return value;
  }
}

static bool isInteger(Value value) {
  return isa<IntegerType>(getElementTypeOrSelf(value));
}

static NumberRange getFloatRange(Value value, unsigned depth);

/// The integers that a conversion makes of floats, towards zero. Others have no
/// meaning.
static ConstantIntRanges getConverted(NumberRange range, unsigned width,
                                      ConstantIntRanges any) {
  double limit = std::ldexp(1.0, static_cast<int>(width) - 1);
  if (width > 64 || range.least < -limit || range.greatest >= limit)
    return any;
  auto convert = [&](double number) {
    return APInt(width, static_cast<uint64_t>(static_cast<int64_t>(number)),
                 /*isSigned=*/true);
  };
  return ConstantIntRanges::fromSigned(convert(range.least),
                                       convert(range.greatest));
}

static ConstantIntRanges getIntegerRange(Value value, unsigned depth) {
  unsigned width = getElementTypeOrSelf(value).getIntOrFloatBitWidth();
  ConstantIntRanges result = ConstantIntRanges::maxRange(width);
  value = findSource(value);
  Operation *op = value.getDefiningOp();
  if (!op || depth == maxDepth)
    return result;
  if (isa<arith::FPToSIOp, arith::FPToUIOp>(op)) {
    NumberRange range = getFloatRange(op->getOperand(0), depth + 1);
    bool isSame = isa<arith::FPToSIOp>(op) || range.least >= 0;
    return isSame ? getConverted(range, width, result) : result;
  }
  auto inferable = dyn_cast<InferIntRangeInterface>(op);
  if (!inferable || !llvm::all_of(op->getOperands(), isInteger))
    return result;
  auto ranges = llvm::map_to_vector(op->getOperands(), [&](Value operand) {
    return getIntegerRange(operand, depth + 1);
  });
  inferable.inferResultRanges(
      ranges, [&](Value inferred, const ConstantIntRanges &range) {
        if (inferred == value)
          result = range;
      });
  return result;
}

static NumberRange getRange(const APInt &least, const APInt &greatest,
                            bool isSigned) {
  return {least.roundToDouble(isSigned), greatest.roundToDouble(isSigned),
          /*isInteger=*/true, /*mayBeNaN=*/false};
}

/// The range of the greater of two, or of the less.
static NumberRange getExtreme(Operation *op, bool isGreater, unsigned depth) {
  NumberRange lhs = getFloatRange(op->getOperand(0), depth);
  NumberRange rhs = getFloatRange(op->getOperand(1), depth);
  auto choose = [&](double a, double b) {
    return isGreater ? std::max(a, b) : std::min(a, b);
  };
  return {choose(lhs.least, rhs.least), choose(lhs.greatest, rhs.greatest),
          lhs.isInteger && rhs.isInteger, lhs.mayBeNaN || rhs.mayBeNaN};
}

static NumberRange getFloatRange(Value value, unsigned depth) {
  value = findSource(value);
  if (APFloat number(0.0); matchPattern(value, m_ConstantFloat(&number))) {
    double real = number.convertToDouble();
    if (std::isnan(real))
      return {};
    return {real, real, real == std::rint(real), /*mayBeNaN=*/false};
  }
  Operation *op = value.getDefiningOp();
  if (!op || depth == maxDepth)
    return {};
  return llvm::TypeSwitch<Operation *, NumberRange>(op)
      .Case<arith::SIToFPOp>([&](auto) {
        ConstantIntRanges range = getIntegerRange(op->getOperand(0), depth + 1);
        return getRange(range.smin(), range.smax(), /*isSigned=*/true);
      })
      .Case<arith::UIToFPOp>([&](auto) {
        ConstantIntRanges range = getIntegerRange(op->getOperand(0), depth + 1);
        return getRange(range.umin(), range.umax(), /*isSigned=*/false);
      })
      .Case<arith::MaximumFOp>(
          [&](auto) { return getExtreme(op, /*isGreater=*/true, depth + 1); })
      .Case<arith::MinimumFOp>(
          [&](auto) { return getExtreme(op, /*isGreater=*/false, depth + 1); })
      .Case<math::RoundEvenOp, math::RoundOp, math::FloorOp, math::CeilOp,
            math::TruncOp>([&](auto) {
        NumberRange range = getFloatRange(op->getOperand(0), depth + 1);
        return NumberRange{std::floor(range.least), std::ceil(range.greatest),
                           /*isInteger=*/true, range.mayBeNaN};
      })
      .Default([](auto) { return NumberRange(); });
}

NumberRange fusion::getNumberRange(Value value) {
  if (!isInteger(value))
    return getFloatRange(value, /*depth=*/0);
  ConstantIntRanges range = getIntegerRange(value, /*depth=*/0);
  return getRange(range.smin(), range.smax(), /*isSigned=*/true);
}
