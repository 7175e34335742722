//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarReader.h"

using namespace mlir;
using namespace fusion;

using Term = AffineRounding::Term;

std::pair<double, double> Scalar::getRange() const {
  double least = infinity, greatest = -infinity;
  size_t count = std::max(offset.size(), step.size());
  for (const Term &term : terms)
    count = std::max(count, term.factor.size());
  for (size_t i = 0; i != count; ++i) {
    double size = std::abs(at(step, i)) + error;
    double low = at(offset, i) - size, high = at(offset, i) + size;
    for (const Term &term : terms) {
      double factor = at(term.factor, i);
      // Zero times infinity is no number.
      if (factor == 0.0)
        continue;
      low += factor * (factor > 0.0 ? term.least : term.greatest);
      high += factor * (factor > 0.0 ? term.greatest : term.least);
    }
    least = std::min(least, low);
    greatest = std::max(greatest, high);
  }
  double slack = rounding == Rounding::None ? 0.0 : 1.0;
  return {std::clamp(least - slack + added, lower, upper),
          std::clamp(greatest + slack + added, lower, upper)};
}

void Scalar::foldConstant() {
  if (!isConstant() || (rounding == Rounding::None && !isBounded()))
    return;
  offset = map(offset, [&](double number) {
    if (rounding == Rounding::HalfEven)
      number = std::nearbyint(number);
    else if (rounding == Rounding::Truncate)
      number = std::trunc(number);
    else if (rounding == Rounding::HalfAway)
      number = std::round(number);
    else if (rounding != Rounding::None)
      number = std::floor(number + 0.5);
    return std::clamp(number + added, lower, upper);
  });
  rounding = Rounding::None;
  added = 0.0;
  lower = -infinity;
  upper = infinity;
}

bool fusion::isSignOf(const Scalar &step, const Scalar &scalar) {
  return scalar.terms.size() == 1 &&
         scalar.terms[0].input == step.terms[0].input &&
         scalar.terms[0].addend == step.terms[0].addend &&
         llvm::all_of(scalar.terms[0].factor, [](double f) { return f > 0.0; });
}

/// The sum in front of a rounding, if roundings on the way are allowed and the
/// bounds behind it do nothing.
Scalar ScalarReader::withoutRounding(Scalar a) const {
  if (!mayRoundBetween || a.hasStep() || a.isConstant() ||
      a.rounding == Rounding::Truncate)
    return a;
  Scalar sum = a;
  sum.lower = -infinity;
  sum.upper = infinity;
  sum.offset = sum.offset + Numbers{a.added};
  sum.added = 0.0;
  if (a.rounding == Rounding::DoubleRound)
    sum.error += 1.0;
  else if (a.rounding != Rounding::None)
    sum.error += 0.5;
  sum.rounding = Rounding::None;
  auto [least, greatest] = sum.getRange();
  return least >= a.lower && greatest <= a.upper ? sum : a;
}

FailureOr<Scalar> ScalarReader::add(Scalar a, Scalar b) {
  if (a.isConstant())
    std::swap(a, b);
  if (!b.isConstant()) {
    a = withoutRounding(a);
    b = withoutRounding(b);
  }
  if (a.rounding != Rounding::None || b.rounding != Rounding::None) {
    if (!b.isConstant())
      return refusal.because("a sum is rounded in parts");
    if (!b.isOneNumber() || b.offset[0] != std::floor(b.offset[0]))
      return refusal.because("one integer is expected to be added behind the "
                             "rounding, the same for all elements");
    a.added += b.offset[0];
  } else if ((a.isBounded() || b.isBounded()) && !b.isOneNumber()) {
    return refusal.because("a sum is bounded in parts");
  } else {
    a.offset = a.offset + b.offset;
    a.error += b.error;
    for (const Term &term : b.terms) {
      auto same = llvm::find_if(a.terms, [&](const Term &other) {
        return other.input == term.input &&
               other.isUnsigned == term.isUnsigned &&
               other.addend == term.addend;
      });
      if (same == a.terms.end())
        a.terms.push_back(term);
      else
        same->factor = same->factor + term.factor;
    }
  }
  if (b.isOneNumber()) {
    a.lower += b.offset[0];
    a.upper += b.offset[0];
  }
  return a;
}

/// True if `scalar` is an i32 input, to which constants may have been added.
static bool isAccumulator(const Scalar &scalar, Type type) {
  if (!type.isInteger(32) || scalar.terms.size() != 1 || scalar.isBounded() ||
      scalar.rounding != Rounding::None || scalar.hasStep() ||
      isNotZero(scalar.offset))
    return false;
  const Term &term = scalar.terms[0];
  return llvm::all_equal(term.factor) && term.factor[0] == 1.0 &&
         term.least == getLeast(type, false) &&
         term.greatest == getGreatest(type, false);
}

FailureOr<Scalar> ScalarReader::readSum(Operation *inner, bool isDifference) {
  Type type = inner->getResult(0).getType();
  FailureOr<Scalar> a = read(inner->getOperand(0));
  if (failed(a))
    return failure();
  FailureOr<Scalar> b = read(inner->getOperand(1));
  if (failed(b))
    return failure();
  if (b->isRaw && !isDifference)
    std::swap(a, b);
  if (a->isRaw && b->isOneNumber()) {
    a->offset[0] += isDifference ? -b->offset[0] : b->offset[0];
    return a;
  }
  if (a->isConstant() && !isDifference)
    std::swap(a, b);
  bool isNarrow = isa<IntegerType>(type) && type.getIntOrFloatBitWidth() < 32;
  if (isNarrow && !a->isConstant() && !a->isRaw && b->isOneNumber() &&
      std::abs(b->offset[0]) == -getLeast(type, /*isUnsigned=*/false))
    return flipSign(*a, type);
  // The sign of what is not raw does not matter to a sum.
  if ((a->isRaw && failed(a = resolve(*a, type, false))) ||
      (b->isRaw && failed(b = resolve(*b, type, false))))
    return failure();
  if (isDifference && failed(b = scale(*b, {-1.0})))
    return failure();
  if (a->isConstant())
    std::swap(a, b);
  // A sum of an i32 input and constants is an i32 again.
  if (b->isConstant() && isAccumulator(*a, type)) {
    a->terms[0].addend = a->terms[0].addend + b->offset;
    return a;
  }
  if (isDifference && (a->hasStep() || b->hasStep()))
    return refusal.because("what is added has the sign of something else");
  return addWithStep(*a, *b, type);
}

/// True if `addend` cancels an offset beside which an f32 has no fraction, as
/// programs do that round by such a sum.
static bool roundsBySum(const Numbers &offset, const Numbers &addend) {
  return isNotZero(combine(offset, addend, [](double before, double added) {
    return std::abs(before) >= 0x1p22 &&
           std::abs(before + added) < std::abs(before) / 2.0;
  }));
}

/// a + b, of which one may have the sign of the other.
FailureOr<Scalar> ScalarReader::addWithStep(Scalar a, Scalar b, Type type) {
  if (isa<FloatType>(type) && !a.isConstant() &&
      roundsBySum(a.offset, b.offset))
    return refusal.because("a sum rounds to an integer: adds ", a.offset[0],
                           ", then ", b.offset[0]);
  if (!a.hasStep() && !b.hasStep())
    return checkNoWrap(add(a, b), type);
  if (b.hasStep())
    std::swap(a, b);
  if (b.hasStep() || b.isBounded() || !isSignOf(a, b))
    return refusal.because("what is added has the sign of something else");
  b.step = a.step;
  return checkNoWrap(b, type);
}

/// Flips the first bit of a narrow integer, which adds half of the size of its
/// type, modulo that size.
FailureOr<Scalar> ScalarReader::flipSign(Scalar a, Type type) {
  double half = -getLeast(type, /*isUnsigned=*/false);
  if (a.isRaw) {
    a.offset[0] += half;
    return a;
  }
  bool isUnsigned = a.isUnsigned;
  auto [least, greatest] = a.getRange();
  if (least < getLeast(type, isUnsigned) ||
      greatest > getGreatest(type, isUnsigned))
    return refusal.because("a number is read with another sign than it has");
  Scalar addend;
  addend.offset = {isUnsigned ? -half : half};
  FailureOr<Scalar> flipped = add(a, addend);
  if (succeeded(flipped))
    flipped->isUnsigned = !isUnsigned;
  return flipped;
}

FailureOr<Scalar> ScalarReader::readFlippedSign(arith::XOrIOp flip) {
  FailureOr<Scalar> a = read(flip.getLhs());
  if (failed(a))
    return failure();
  FailureOr<Scalar> b = read(flip.getRhs());
  if (failed(b))
    return failure();
  if (a->isConstant())
    std::swap(a, b);
  if (flip.getType().getIntOrFloatBitWidth() >= 32 || a->isConstant() ||
      !b->isOneNumber() || b->offset[0] != getLeast(flip.getType(), false))
    return refusal.because("bits are flipped, expected that of the sign");
  return flipSign(*a, flip.getType());
}

/// True if products with `factor` have the bounds of `a`: there are none but 0.
static bool keepsBounds(const Scalar &a, const Numbers &factor) {
  auto keeps = [](double bound) { return bound == 0.0 || std::isinf(bound); };
  return keeps(a.lower) && keeps(a.upper) && llvm::all_of(factor, [](double x) {
           return x > 0 && std::isfinite(x);
         });
}

FailureOr<Scalar> ScalarReader::scale(Scalar a, const Numbers &factor) {
  if (factor.size() == 1 && factor[0] == 1.0)
    return a;
  a = withoutRounding(a);
  if (a.rounding != Rounding::None || a.hasStep())
    return refusal.because("a rounded number is scaled");
  bool isBoundScaled = a.isBounded() && !keepsBounds(a, factor);
  if (isBoundScaled &&
      (factor.size() != 1 || factor[0] == 0.0 || !std::isfinite(factor[0])))
    return refusal.because("a bounded number is scaled by another number for "
                           "each channel, or by zero");
  a.offset = a.offset * factor;
  a.error *= std::abs(*llvm::max_element(
      factor, [](double x, double y) { return std::abs(x) < std::abs(y); }));
  for (Term &term : a.terms)
    term.factor = term.factor * factor;
  if (isBoundScaled) {
    a.lower *= factor[0];
    a.upper *= factor[0];
    if (factor[0] < 0.0)
      std::swap(a.lower, a.upper);
  }
  return a;
}

FailureOr<Scalar> ScalarReader::readProduct(Value lhs, Value rhs) {
  FailureOr<Scalar> a = readExact(lhs);
  if (failed(a))
    return failure();
  FailureOr<Scalar> b = readExact(rhs);
  if (failed(b))
    return failure();
  if (a->isConstant())
    std::swap(a, b);
  if (!b->isConstant())
    return refusal.because("what is multiplied is not constant");
  return checkNoWrap(scale(*a, b->offset), lhs.getType());
}

FailureOr<Scalar> ScalarReader::readMultiplyAdd(math::FmaOp fma) {
  FailureOr<Scalar> product = readProduct(fma.getA(), fma.getB());
  if (failed(product))
    return failure();
  FailureOr<Scalar> addend = read(fma.getC());
  return failed(addend) ? addend
                        : addWithStep(*product, *addend, fma.getType());
}

FailureOr<Scalar> ScalarReader::readQuotient(Operation *inner) {
  FailureOr<Scalar> a = read(inner->getOperand(0));
  if (failed(a))
    return failure();
  FailureOr<Scalar> b = read(inner->getOperand(1));
  if (failed(b))
    return failure();
  if (!b->isConstant() || llvm::is_contained(b->offset, 0.0))
    return refusal.because("the divisor is zero or not constant");
  return scale(*a, map(b->offset, [](double d) { return 1.0 / d; }));
}
