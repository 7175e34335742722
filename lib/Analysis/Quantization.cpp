//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Quantization.h"
#include "FusionDialect/IR/ByteRange.h"
#include <cmath>

using namespace mlir;
using namespace fusion;

using Numbers = AffineRounding::Numbers;
using Term = AffineRounding::Term;

bool fusion::isNormalInF32(double number) {
  return number == 0.0 || std::isnormal(static_cast<float>(number));
}

bool fusion::isInteger8(Value value) {
  return getElementTypeOrSelf(value).isInteger(8);
}

double fusion::roundResidualScale(double scale) {
  constexpr int bits = 15;
  int exponent;
  double fraction = std::frexp(scale, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, bits)),
                    exponent - bits);
}

/// The integer that `number` is but for the rounding of the floats that it was
/// computed from; none if it is not one.
static std::optional<int64_t> toInteger(double number) {
  double nearest = std::nearbyint(number);
  if (!(std::abs(number - nearest) <= 1e-4) || std::abs(nearest) > 65536.0)
    return std::nullopt;
  return static_cast<int64_t>(nearest);
}

/// True if a bound of `form` cuts a value off that its one term may have.
static bool cutsOff(const AffineRounding &form) {
  const Term &term = form.terms[0];
  for (auto [i, factor] : llvm::enumerate(term.factor)) {
    double offset = at(form.offset, i);
    for (double end : {term.least, term.greatest}) {
      double value = factor * end + offset;
      if (value < form.lower || value > form.upper)
        return true;
    }
  }
  return false;
}

/// Refuses a scale that is not finite, or not positive if `isPositive`.
static LogicalResult checkScale(double scale, bool isPositive,
                                Refusal &refusal) {
  if (isPositive && !(scale > 0.0 && std::isfinite(scale)))
    return refusal.because("unsupported: a scale is ", scale,
                           ", expected a positive number");
  if (!std::isfinite(scale))
    return refusal.because("unsupported: a scale is ", scale,
                           ", expected a finite number");
  return success();
}

/// The zero point that all channels of `form` have, an integer of the type of
/// its one term. A channel whose scale is 0 has any.
static FailureOr<int64_t> getZeroPoint(const AffineRounding &form,
                                       bool isPositive, Refusal &refusal) {
  const Term &term = form.terms[0];
  std::optional<int64_t> common;
  for (size_t i = 0, e = std::max(form.offset.size(), term.factor.size());
       i != e; ++i) {
    double offset = at(form.offset, i);
    double factor = at(term.factor, i);
    if (failed(checkScale(factor, isPositive, refusal)))
      return failure();
    if (factor == 0.0 && offset == 0.0)
      continue;
    std::optional<int64_t> zeroPoint = toInteger(-offset / factor);
    if (!zeroPoint || *zeroPoint < term.least || *zeroPoint > term.greatest)
      return refusal.because("unsupported: a zero point is ", -offset / factor,
                             ", expected an integer of the quantised type");
    if (common && *common != *zeroPoint)
      return refusal.because("unsupported: zero points are ", *common, " and ",
                             *zeroPoint, ", expected the same everywhere");
    common = *zeroPoint;
  }
  return common.value_or(0);
}

FailureOr<AffineRounding> fusion::matchOneTensor(Value value,
                                                 Refusal &refusal) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op)
    return refusal.because("no linalg op computes the value");
  FailureOr<AffineRounding> form = AffineRounding::match(op, refusal);
  if (succeeded(form) && form->terms.size() != 1)
    return refusal.because("the value is computed from ", form->terms.size(),
                           " tensors, expected 1");
  return form;
}

FailureOr<Dequantization> Dequantization::match(Value value, Refusal &refusal,
                                                bool isPositive) {
  FailureOr<AffineRounding> form = matchOneTensor(value, refusal);
  if (failed(form))
    return failure();
  Value source = value.getDefiningOp()->getOperand(form->terms[0].input);
  if (!getElementTypeOrSelf(source).isInteger(8) ||
      !getElementTypeOrSelf(value).isF32())
    return refusal.because("not from i8 to f32");
  if (form->rounding != Rounding::None || cutsOff(*form))
    return refusal.because("the value is rounded or bounded");
  FailureOr<int64_t> zeroPoint = getZeroPoint(*form, isPositive, refusal);
  if (failed(zeroPoint))
    return failure();
  const Numbers &scale = form->terms[0].factor;
  return Dequantization{source, *zeroPoint, form->terms[0].isUnsigned, scale,
                        scale.size() == 1 ? std::nullopt : form->dim};
}

FailureOr<Quantization> Quantization::match(linalg::LinalgOp op,
                                            Refusal &refusal, double largest) {
  FailureOr<AffineRounding> form =
      AffineRounding::match(op, refusal, /*mayRoundBetween=*/false, largest);
  if (failed(form))
    return failure();
  if (form->terms.size() != 1)
    return refusal.because("the result is computed from ", form->terms.size(),
                           " tensors, expected 1");
  const Term &term = form->terms[0];
  Value source = op->getOperand(term.input);
  if (!getElementTypeOrSelf(source).isF32() ||
      !getElementTypeOrSelf(op->getResult(0)).isInteger(8))
    return refusal.because("not from f32 to i8");
  if (form->rounding == Rounding::Truncate)
    return refusal.because("unsupported: quantisation truncates, expected "
                           "rounding to the nearest integer");
  if (term.factor.size() != 1 || form->offset.size() != 1)
    return refusal.because("unsupported: the scale or zero point of a result "
                           "varies along dimension ",
                           *form->dim);
  double scale = term.factor[0];
  if (failed(checkScale(scale, /*isPositive=*/true, refusal)))
    return failure();
  // floor(x) is x - 1/2, rounded half up.
  if (form->rounding == Rounding::HalfUp && toInteger(form->offset[0] + 0.5))
    return refusal.because("unsupported: quantisation rounds down, expected "
                           "rounding to the nearest integer");
  // StableHLO adds the zero point in front of the rounding.
  std::optional<int64_t> zeroPoint = toInteger(form->offset[0] + form->added);
  if (!zeroPoint || !ByteRange(form->isUnsigned).contains(*zeroPoint))
    return refusal.because("unsupported: a zero point is ",
                           form->offset[0] + form->added,
                           ", expected an integer of the quantised type");
  return Quantization{source,
                      scale,
                      *zeroPoint,
                      static_cast<int64_t>(form->lower),
                      static_cast<int64_t>(form->upper),
                      form->isUnsigned,
                      form->rounding};
}

FailureOr<ShiftedIntegers> ShiftedIntegers::match(linalg::LinalgOp op,
                                                  Refusal &refusal) {
  FailureOr<AffineRounding> form = AffineRounding::match(op, refusal);
  if (failed(form))
    return failure();
  if (form->terms.size() != 1)
    return refusal.because("the result is computed from ", form->terms.size(),
                           " tensors, expected 1");
  const Term &term = form->terms[0];
  Value source = op->getOperand(term.input);
  if (!getElementTypeOrSelf(source).isInteger(8) ||
      !getElementTypeOrSelf(op->getResult(0)).isInteger(8))
    return refusal.because("not from i8 to i8");
  double offset = form->offset[0];
  if (form->offset.size() != 1 || term.factor.size() != 1 ||
      term.factor[0] != 1.0 || offset != std::floor(offset))
    return refusal.because("integers are scaled, expected a sum with one");
  return ShiftedIntegers{source,
                         term.isUnsigned,
                         static_cast<int64_t>(offset + form->added),
                         static_cast<int64_t>(form->lower),
                         static_cast<int64_t>(form->upper),
                         form->isUnsigned};
}

bool ShiftedIntegers::isOneToOne() const {
  ByteRange range(isSourceUnsigned);
  return lower <= range.least + added && upper >= range.greatest + added;
}

FailureOr<ShiftedIntegers>
ShiftedIntegers::withOtherSigns(Refusal &refusal) const {
  // Adding 0 or 128 modulo 256 is all that has no bounds.
  if (!isOneToOne())
    return refusal.because("a number is read with another sign than it has");
  ShiftedIntegers other = *this;
  other.isSourceUnsigned = !isSourceUnsigned;
  other.isUnsigned = !isUnsigned;
  other.added = -added;
  ByteRange range(other.isUnsigned);
  other.lower = range.least;
  other.upper = range.greatest;
  return other;
}
