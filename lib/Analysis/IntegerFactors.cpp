//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/AffineRounding.h"
#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Analysis/MultiplyAdd.h"
#include "FusionDialect/IR/ByteRange.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace fusion;

bool fusion::isExtension(Operation *op) {
  return isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(op);
}

/// The constant that `value`, in the body of `op`, always is, maybe extended.
static std::optional<int64_t> getConstant(linalg::LinalgOp op, Value value) {
  Operation *extend = value.getDefiningOp();
  if (isExtension(extend))
    value = extend->getOperand(0);
  if (OpOperand *operand = getReadOperand(op, value))
    value = operand->get();
  APInt number;
  if (!matchPattern(value, m_ConstantInt(&number)))
    return std::nullopt;
  if (isa_and_nonnull<arith::ExtUIOp>(extend))
    return static_cast<int64_t>(number.getZExtValue());
  return number.getSExtValue();
}

/// Reads `value` as input `number` of `op`, extended to i32, maybe with its
/// first bit flipped.
static std::optional<IntegerFactor>
readExtendedInput(linalg::LinalgOp op, Value value, unsigned number) {
  Operation *extend = value.getDefiningOp();
  if (!isExtension(extend))
    return std::nullopt;
  IntegerFactor factor;
  factor.isUnsigned = isa<arith::ExtUIOp>(extend);
  Value narrow = extend->getOperand(0);
  Operation *flip = narrow.getDefiningOp();
  if (isa_and_nonnull<arith::AddIOp, arith::XOrIOp>(flip)) {
    APInt bit;
    if (!narrow.getType().isInteger(8) ||
        !matchPattern(flip->getOperand(1), m_ConstantInt(&bit)) ||
        !bit.isSignMask())
      return std::nullopt;
    // Signed it is the unsigned input less 128, and the other way round.
    factor.zeroPoint = factor.isUnsigned ? -128 : 128;
    factor.isUnsigned = !factor.isUnsigned;
    narrow = flip->getOperand(0);
  }
  if (narrow != op.getBlock()->getArgument(number))
    return std::nullopt;
  return factor;
}

/// True if an op extends i8 to i32, and a pad behind it makes `value`.
static bool isPaddedExtension(Value value) {
  auto pad = value.getDefiningOp<tensor::PadOp>();
  auto extend = pad ? pad.getSource().getDefiningOp<linalg::LinalgOp>()
                    : linalg::LinalgOp();
  return extend && llvm::any_of(extend.getDpsInputs(), [](Value input) {
           return getElementTypeOrSelf(input).isInteger(8);
         });
}

/// Reads `value`, a tensor of i32, as one of i8 that an op extends, less its
/// zero point. A constant stays one of i32.
static FailureOr<IntegerFactor> matchExtension(Value value, unsigned number,
                                               Refusal &refusal) {
  if (matchPattern(value, m_Constant()))
    return IntegerFactor{/*zeroPoint=*/0, /*isUnsigned=*/false, value};
  Refusal reason;
  if (isPaddedExtension(value))
    return refusal.because("unsupported: operand ", number,
                           " is padded behind its extension from i8");
  if (isExtension(value.getDefiningOp())) {
    Operation *extend = value.getDefiningOp();
    Value source = extend->getOperand(0);
    if (getElementTypeOrSelf(source).isInteger(8))
      return IntegerFactor{/*zeroPoint=*/0, isa<arith::ExtUIOp>(extend),
                           source};
  }
  auto extend = value.getDefiningOp<linalg::LinalgOp>();
  if (!extend)
    return refusal.because("operand ", number, " is not extended from i8");
  FailureOr<AffineRounding> form = AffineRounding::match(extend, reason);
  if (failed(form))
    return refusal.because("operand ", number,
                           " is not extended from i8: ", reason.str());
  if (form->terms.size() != 1)
    return refusal.because("operand ", number, " is computed from ",
                           form->terms.size(), " tensors");
  const AffineRounding::Term &term = form->terms[0];
  Value source = extend->getOperand(term.input);
  bool isShifted = term.factor.size() == 1 && term.factor[0] == 1.0 &&
                   form->offset.size() == 1 &&
                   form->rounding == Rounding::None &&
                   form->offset[0] == std::floor(form->offset[0]);
  if (!getElementTypeOrSelf(source).isInteger(8) || !isShifted ||
      form->lower > term.least + form->offset[0] ||
      form->upper < term.greatest + form->offset[0])
    return refusal.because("operand ", number,
                           " is no tensor of i8 less one number");
  return IntegerFactor{static_cast<int64_t>(-form->offset[0]), term.isUnsigned,
                       source};
}

std::optional<BodyDifference> fusion::readDifference(linalg::LinalgOp op,
                                                     Value value) {
  if (auto subtract = value.getDefiningOp<arith::SubIOp>())
    return BodyDifference{subtract.getLhs(),
                          getConstant(op, subtract.getRhs())};
  auto add = value.getDefiningOp<arith::AddIOp>();
  if (!add)
    return std::nullopt;
  // A sum with a constant is the difference to its negative.
  for (unsigned place : {1, 0})
    if (auto constant = getConstant(op, add->getOperand(place)))
      return BodyDifference{add->getOperand(1 - place), -*constant};
  return std::nullopt;
}

Value fusion::getMinuend(linalg::LinalgOp op, Value value) {
  while (auto difference = readDifference(op, value))
    value = difference->minuend;
  return value;
}

/// The sum of the constants that are subtracted from operand `number` to make
/// `value`, in the body of `op`.
static FailureOr<int64_t> matchZeroPoint(linalg::LinalgOp op, Value value,
                                         unsigned number, Refusal &refusal) {
  int64_t sum = 0;
  while (auto difference = readDifference(op, value)) {
    if (!difference->constant)
      return refusal.because("unsupported: zero point of operand ", number,
                             " is not a constant");
    sum += *difference->constant;
    value = difference->minuend;
  }
  return sum;
}

/// Reads `value`, in the body of `op`, as input `number` less its zero point.
static FailureOr<IntegerFactor> matchFactor(linalg::LinalgOp op, Value value,
                                            unsigned number, Refusal &refusal) {
  Value source = op->getOperand(number), minuend = getMinuend(op, value);
  bool isWide = getElementTypeOrSelf(source).isInteger(32);
  std::optional<IntegerFactor> extended =
      readExtendedInput(op, minuend, number);
  bool isInput = minuend == op.getBlock()->getArgument(number);
  if (isWide ? !isInput : !extended)
    return refusal.because("unsupported: operand ", number,
                           " is not extended and multiplied, with or without "
                           "a zero point");
  FailureOr<int64_t> constant = matchZeroPoint(op, value, number, refusal);
  if (failed(constant))
    return failure();
  FailureOr<IntegerFactor> factor = failure();
  if (isWide)
    factor = matchExtension(source, number, refusal);
  else
    factor = IntegerFactor{extended->zeroPoint, extended->isUnsigned, source};
  if (failed(factor))
    return failure();
  factor->zeroPoint += *constant;
  return factor;
}

/// The term of the sum: the product, or the number that it is extended to.
static Value getAddend(arith::MulIOp multiply) {
  Value product = multiply.getResult();
  if (!product.hasOneUse())
    return product;
  auto extend = dyn_cast<arith::ExtSIOp>(*product.user_begin());
  return extend ? extend.getOut() : product;
}

/// Fails if `factors`, or their product, may leave `type`, which is extended to
/// that of the sum. Without an extension a product wraps as the sum does.
static LogicalResult checkWidth(Type type,
                                const std::array<IntegerFactor, 2> &factors,
                                Refusal &refusal) {
  if (type.isInteger(32))
    return success();
  std::array<int64_t, 2> least, greatest;
  for (auto [i, factor] : llvm::enumerate(factors)) {
    ByteRange range(factor.isUnsigned);
    least[i] = range.least - factor.zeroPoint;
    greatest[i] = range.greatest - factor.zeroPoint;
  }
  unsigned width = type.getIntOrFloatBitWidth();
  auto fits = [&](int64_t number) { return llvm::isIntN(width, number); };
  bool isExact = llvm::all_of(least, fits) && llvm::all_of(greatest, fits);
  for (int64_t lhs : {least[0], greatest[0]})
    for (int64_t rhs : {least[1], greatest[1]})
      isExact &= fits(lhs * rhs);
  if (isExact)
    return success();
  return refusal.because("product of ", least[0], " to ", greatest[0], " and ",
                         least[1], " to ", greatest[1], " may leave ", type);
}

FailureOr<std::array<IntegerFactor, 2>>
fusion::matchIntegerFactors(linalg::LinalgOp op, StringRef what,
                            Refusal &refusal) {
  Type lhsType = getElementTypeOrSelf(op.getDpsInputOperand(0)->get());
  Type rhsType = getElementTypeOrSelf(op.getDpsInputOperand(1)->get());
  Type initType = getElementTypeOrSelf(op.getDpsInitOperand(0)->get());
  auto isNarrowOrWide = [](Type type) {
    return type.isInteger(8) || type.isInteger(32);
  };
  if (!isNarrowOrWide(lhsType) || !isNarrowOrWide(rhsType) ||
      !initType.isInteger(32))
    return refusal.because("unsupported: ", what, " of ", lhsType, " and ",
                           rhsType, " into ", initType,
                           ", expected i8 and i8 into i32");
  if (failed(checkNoSideEffects(op, refusal)))
    return failure();
  Block *body = op.getBlock();
  auto multiply = dyn_cast<arith::MulIOp>(getMultiply(op));
  auto add =
      body->getTerminator()->getOperand(0).getDefiningOp<arith::AddIOp>();
  Value accumulator = body->getArguments().back();
  if (!multiply || !add ||
      !llvm::is_contained(add->getOperands(), getAddend(multiply)) ||
      !llvm::is_contained(add->getOperands(), accumulator))
    return refusal.because(
        "unsupported: body is not one multiplication and one addition");
  Value lhs = multiply.getLhs(), rhs = multiply.getRhs();
  Value minuend = getMinuend(op, rhs);
  if (minuend == body->getArgument(0) || readExtendedInput(op, minuend, 0))
    std::swap(lhs, rhs);
  FailureOr<IntegerFactor> first = matchFactor(op, lhs, 0, refusal);
  if (failed(first))
    return failure();
  FailureOr<IntegerFactor> second = matchFactor(op, rhs, 1, refusal);
  if (failed(second))
    return failure();
  std::array<IntegerFactor, 2> factors = {*first, *second};
  if (failed(checkWidth(multiply.getType(), factors, refusal)))
    return failure();
  return factors;
}

LogicalResult fusion::checkInputFactor(const IntegerFactor &input,
                                       Refusal &refusal) {
  if (input.source && !getElementTypeOrSelf(input.source).isInteger(8))
    return refusal.because("unsupported: the input is a constant of ",
                           getElementTypeOrSelf(input.source));
  ByteRange range(input.isUnsigned);
  if (!range.contains(input.zeroPoint))
    return refusal.because("unsupported: zero point ", input.zeroPoint,
                           " of the input, expected ", range.least, " to ",
                           range.greatest);
  return success();
}
