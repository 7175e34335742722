//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/MultiplyAdd.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fusion;

/// The constant that `value`, in the body of `op`, always is.
static std::optional<int64_t> getConstant(linalg::LinalgOp op, Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    value = op->getOperand(argument.getArgNumber());
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  return number.getSExtValue();
}

/// True if `value` is input `number` of `op`, extended to i32. Sets
/// `isUnsigned`.
static bool isExtendedInput(Value value, unsigned number, bool &isUnsigned) {
  Operation *extend = value.getDefiningOp();
  if (!isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(extend))
    return false;
  isUnsigned = isa<arith::ExtUIOp>(extend);
  auto argument = dyn_cast<BlockArgument>(extend->getOperand(0));
  return argument && argument.getArgNumber() == number;
}

/// Reads `value`, in the body of `op`, as input `number` less its zero point.
static FailureOr<IntegerFactor> matchFactor(linalg::LinalgOp op, Value value,
                                            unsigned number, Refusal &refusal) {
  IntegerFactor factor;
  Value zeroPoint;
  if (auto subtract = value.getDefiningOp<arith::SubIOp>()) {
    value = subtract.getLhs();
    zeroPoint = subtract.getRhs();
  }
  if (!isExtendedInput(value, number, factor.isUnsigned))
    return refusal.because("unsupported: operand ", number,
                           " is not extended and multiplied, with or without "
                           "a zero point");
  if (!zeroPoint)
    return factor;
  std::optional<int64_t> constant = getConstant(op, zeroPoint);
  if (!constant)
    return refusal.because("unsupported: zero point of operand ", number,
                           " is not a constant");
  factor.zeroPoint = *constant;
  return factor;
}

FailureOr<std::array<IntegerFactor, 2>>
fusion::matchIntegerFactors(linalg::LinalgOp op, StringRef what,
                            Refusal &refusal) {
  Type lhsType = getElementTypeOrSelf(op.getDpsInputOperand(0)->get());
  Type rhsType = getElementTypeOrSelf(op.getDpsInputOperand(1)->get());
  Type initType = getElementTypeOrSelf(op.getDpsInitOperand(0)->get());
  if (!lhsType.isInteger(8) || !rhsType.isInteger(8) || !initType.isInteger(32))
    return refusal.because("unsupported: ", what, " of ", lhsType, " and ",
                           rhsType, " into ", initType,
                           ", expected i8 and i8 into i32");
  Block *body = op.getBlock();
  auto multiply = dyn_cast<arith::MulIOp>(getMultiply(op));
  auto add =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::AddIOp>();
  Value accumulator = body->getArguments().back();
  if (!multiply || !add ||
      !llvm::is_contained(add->getOperands(), multiply.getResult()) ||
      !llvm::is_contained(add->getOperands(), accumulator))
    return refusal.because(
        "unsupported: body is not one multiplication and one addition");
  Refusal otherOrder = Refusal::unread();
  Value lhs = multiply.getLhs(), rhs = multiply.getRhs();
  FailureOr<IntegerFactor> swapped = matchFactor(op, rhs, 0, otherOrder);
  if (succeeded(swapped))
    std::swap(lhs, rhs);
  FailureOr<IntegerFactor> first = matchFactor(op, lhs, 0, refusal);
  if (failed(first))
    return failure();
  FailureOr<IntegerFactor> second = matchFactor(op, rhs, 1, refusal);
  if (failed(second))
    return failure();
  return std::array<IntegerFactor, 2>{*first, *second};
}

LogicalResult fusion::checkFactors(const IntegerFactor &input,
                                   const IntegerFactor &filter,
                                   Refusal &refusal) {
  if (filter.isUnsigned)
    return refusal.because("unsupported: filter is unsigned, expected signed");
  if (filter.zeroPoint != 0)
    return refusal.because("unsupported: filter has zero point ",
                           filter.zeroPoint, ", expected 0");
  int64_t least = input.isUnsigned ? 0 : -128;
  if (input.zeroPoint < least || input.zeroPoint > least + 255)
    return refusal.because("unsupported: zero point ", input.zeroPoint,
                           " of the input, expected ", least, " to ",
                           least + 255);
  return success();
}
