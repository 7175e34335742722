//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Support/ConstantAttr.h"
#include "ScalarReader.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fusion;

using Term = AffineRounding::Term;

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// The least and the greatest of the integers of 8 bits of the constant
/// `value`; none if they are not known.
static std::optional<std::pair<double, double>> getExtremes(Value value,
                                                            bool isUnsigned) {
  ElementsAttr elements;
  if (!getElementTypeOrSelf(value).isInteger(8) ||
      !matchPattern(value, m_Constant(&elements)))
    return std::nullopt;
  ArrayRef<char> bytes = getElementBytes(elements);
  if (bytes.empty())
    return std::nullopt;
  auto read = [&](char byte) {
    return isUnsigned ? static_cast<uint8_t>(byte) : static_cast<int8_t>(byte);
  };
  auto [least, greatest] =
      std::minmax_element(bytes.begin(), bytes.end(),
                          [&](char a, char b) { return read(a) < read(b); });
  return std::make_pair<double, double>(read(*least), read(*greatest));
}

/// True if `scalar` is made of a constant, no element of which makes it less
/// than `low` or greater than `high`.
bool ScalarReader::isWithin(Scalar scalar, double low, double high) {
  if (scalar.terms.size() != 1)
    return false;
  Term &term = scalar.terms[0];
  auto extremes = getExtremes(op->getOperand(term.input), term.isUnsigned);
  if (!extremes)
    return false;
  std::tie(term.least, term.greatest) = *extremes;
  auto [least, greatest] = scalar.getRange();
  return least >= low && greatest <= high;
}

FailureOr<Scalar> ScalarReader::readClamp(Value lhs, Value rhs, bool isMax,
                                          bool isUnsigned) {
  FailureOr<Scalar> a = readExact(lhs, isUnsigned);
  if (failed(a))
    return failure();
  FailureOr<Scalar> b = readExact(rhs, isUnsigned);
  if (failed(b))
    return failure();
  if (a->isConstant())
    std::swap(a, b);
  if (!b->isOneNumber() || a->hasStep())
    return refusal.because("a bound is not one constant");
  double bound = b->offset[0];
  double low = isMax ? bound : -infinity, high = isMax ? infinity : bound;
  // A filter in a narrow range is bounded to that range.
  if (!isa<IntegerType>(lhs.getType()) || !isWithin(*a, low, high))
    a->clamp(low, high);
  a->isUnsigned = isUnsigned;
  return a;
}

/// A choice by constants, which may be another one for each channel.
FailureOr<Scalar> ScalarReader::chooseConstantly(arith::CmpIOp compare,
                                                 arith::SelectOp select) {
  FailureOr<Scalar> lhs = read(compare.getLhs()), rhs = read(compare.getRhs());
  FailureOr<Scalar> ifTrue = read(select.getTrueValue());
  FailureOr<Scalar> ifFalse = read(select.getFalseValue());
  if (failed(lhs) || failed(rhs) || failed(ifTrue) || failed(ifFalse))
    return failure();
  Numbers chosen = combine(lhs->offset, rhs->offset, [&](double a, double b) {
    APInt x(64, static_cast<int64_t>(a), true);
    APInt y(64, static_cast<int64_t>(b), true);
    return arith::applyCmpPredicate(compare.getPredicate(), x, y) ? 1.0 : 0.0;
  });
  if (llvm::all_equal(chosen))
    return chosen[0] != 0.0 ? ifTrue : ifFalse;
  // A double rounding adds its step to some of the channels.
  bool isSame = ifTrue->terms.size() == ifFalse->terms.size() &&
                ifTrue->rounding == Rounding::None &&
                ifFalse->rounding == Rounding::None && !ifTrue->isBounded() &&
                !ifFalse->isBounded() && ifTrue->offset == ifFalse->offset;
  for (auto [a, b] : llvm::zip(ifTrue->terms, ifFalse->terms))
    isSame &=
        a.input == b.input && a.factor == b.factor && a.addend == b.addend;
  if (!isSame)
    return refusal.because("channels are computed differently");
  Scalar result = *ifFalse;
  result.error = std::max(ifTrue->error, ifFalse->error);
  result.step = ifTrue->step * chosen +
                ifFalse->step * map(chosen, [](double c) { return 1.0 - c; });
  return result;
}

/// The two operands of the comparison that `select` depends on, the greater one
/// first; null if it does not ask which is greater.
static std::pair<Value, Value> getGreaterAndLess(arith::SelectOp select) {
  if (auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>()) {
    using P = arith::CmpIPredicate;
    P predicate = compare.getPredicate();
    if (predicate == P::sgt || predicate == P::sge)
      return {compare.getLhs(), compare.getRhs()};
    if (predicate == P::slt || predicate == P::sle)
      return {compare.getRhs(), compare.getLhs()};
  }
  if (auto compare = select.getCondition().getDefiningOp<arith::CmpFOp>()) {
    using P = arith::CmpFPredicate;
    P predicate = compare.getPredicate();
    if (llvm::is_contained({P::OGT, P::UGT, P::OGE, P::UGE}, predicate))
      return {compare.getLhs(), compare.getRhs()};
    if (llvm::is_contained({P::OLT, P::ULT, P::OLE, P::ULE}, predicate))
      return {compare.getRhs(), compare.getLhs()};
  }
  return {};
}

FailureOr<Scalar> ScalarReader::readComparison(arith::SelectOp select) {
  auto [greater, less] = getGreaterAndLess(select);
  if (!greater)
    return refusal.because("a choice is neither a bound nor by sign");
  auto isSame = [&](Value a, Value b) {
    FailureOr<Scalar> x = read(a), y = read(b);
    return a == b || (succeeded(x) && succeeded(y) && x->isOneNumber() &&
                      y->isOneNumber() && x->offset == y->offset);
  };
  Value ifTrue = select.getTrueValue(), ifFalse = select.getFalseValue();
  for (bool isMax : {true, false})
    if (isSame(isMax ? greater : less, ifTrue) &&
        isSame(isMax ? less : greater, ifFalse))
      return readClamp(ifTrue, ifFalse, isMax, /*isUnsigned=*/false);
  FailureOr<Scalar> compared = readExact(greater), zero = readExact(less);
  FailureOr<Scalar> above = read(ifTrue), below = read(ifFalse);
  if (failed(compared) || failed(zero) || failed(above) || failed(below))
    return failure();
  // Whether zero is the greater one asks for the same sign.
  if (compared->isConstant()) {
    std::swap(compared, zero);
    std::swap(above, below);
  }
  if (!zero->isOneNumber() || zero->offset[0] != 0.0 || !above->isOneNumber() ||
      !below->isOneNumber() || above->offset[0] != -below->offset[0] ||
      compared->terms.size() != 1 || compared->isBounded() ||
      compared->rounding != Rounding::None ||
      llvm::any_of(compared->offset, [](double o) { return o != 0.0; }) ||
      llvm::any_of(compared->terms[0].factor, [](double f) { return f <= 0; }))
    return refusal.because("a choice is neither a bound nor by sign");
  Scalar sign = *compared;
  sign.terms[0].factor = {0.0};
  sign.step = {above->offset[0]};
  return sign;
}

FailureOr<Scalar> ScalarReader::readSelect(arith::SelectOp select) {
  if (auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>()) {
    FailureOr<Scalar> lhs = read(compare.getLhs());
    FailureOr<Scalar> rhs = read(compare.getRhs());
    if (succeeded(lhs) && succeeded(rhs) && lhs->isConstant() &&
        rhs->isConstant())
      return chooseConstantly(compare, select);
  }
  if (mayRoundBetween) {
    FailureOr<Scalar> above = read(select.getTrueValue());
    FailureOr<Scalar> below = read(select.getFalseValue());
    if (succeeded(above) && succeeded(below) && above->isOneNumber() &&
        below->isOneNumber() && above->offset[0] == -below->offset[0]) {
      // Whichever it is, it is a part of the error.
      Scalar chosen;
      chosen.error = std::abs(above->offset[0]);
      return chosen;
    }
  }
  return readComparison(select);
}

//===----------------------------------------------------------------------===//
// Rounding
//===----------------------------------------------------------------------===//

FailureOr<Scalar> ScalarReader::shiftRight(Scalar a, const Numbers &shift) {
  a = withoutRounding(a);
  if (a.rounding != Rounding::None)
    return refusal.because("rounds twice");
  Rounding mode = a.hasStep() ? Rounding::DoubleRound : Rounding::HalfUp;
  if (a.hasStep()) {
    Numbers moved = combine(a.step, shift, [](double step, double s) {
      return std::abs(std::ldexp(step, -s));
    });
    if (!isSignOf(a, a) ||
        llvm::any_of(moved, [](double size) { return size >= 0.5; }))
      return refusal.because("a choice is neither a bound nor by sign");
  }
  a.step = {0.0};
  FailureOr<Scalar> scaled =
      scale(a, map(shift, [](double s) { return std::ldexp(1.0, -s); }));
  if (failed(scaled))
    return failure();
  scaled->offset = scaled->offset + Numbers{-0.5};
  auto isInteger = [](double number) { return number == std::floor(number); };
  bool isExact =
      scaled->error == 0.0 && llvm::all_of(scaled->offset, isInteger);
  for (const Term &term : scaled->terms)
    isExact &= llvm::all_of(term.factor, isInteger);
  // Integers are their own rounding.
  if (!isExact)
    scaled->round(mode, [](double bound) { return std::floor(bound); });
  return scaled;
}

FailureOr<Scalar> ScalarReader::shiftSumRight(Scalar a, const Numbers &addend,
                                              const Numbers &step,
                                              const Numbers &shift) {
  // The result never decreases, so that its bounds are those of `a`, shifted.
  auto getShifted = [&](double bound) {
    Numbers sum = combine(addend, step, [&](double added, double size) {
      return bound + added + (bound < 0.0 ? -size : size);
    });
    return combine(sum, shift, [](double number, double places) {
      return std::floor(std::ldexp(number, static_cast<int>(-places)));
    });
  };
  Numbers lower = getShifted(a.lower), upper = getShifted(a.upper);
  if (!llvm::all_equal(lower) || !llvm::all_equal(upper))
    return refusal.because("a bounded number is scaled by another number for "
                           "each channel, or by zero");
  a.lower = -infinity;
  a.upper = infinity;
  a.offset = a.offset + addend;
  if (mayRoundBetween)
    a.error += *llvm::max_element(step);
  else
    a.step = step;
  FailureOr<Scalar> shifted = shiftRight(a, shift);
  if (succeeded(shifted))
    shifted->clamp(lower[0], upper[0]);
  return shifted;
}

/// Reads a bounded number to which another constant for each channel is added,
/// and shifts the sum; none if `value` is no such sum.
std::optional<FailureOr<Scalar>>
ScalarReader::readShiftedSum(Value value, const Numbers &shift) {
  auto sum = value.getDefiningOp<arith::AddIOp>();
  if (!sum)
    return std::nullopt;
  FailureOr<Scalar> a = read(sum.getLhs()), b = read(sum.getRhs());
  if (failed(a) || failed(b))
    return std::nullopt;
  if (a->isConstant())
    std::swap(a, b);
  if (!b->isConstant() || b->isOneNumber() || !a->isBounded() || a->isRaw ||
      a->rounding != Rounding::None || a->hasStep())
    return std::nullopt;
  a->isUnsigned = false;
  Scalar unbounded = *a;
  unbounded.lower = -infinity;
  unbounded.upper = infinity;
  if (failed(checkNoWrap(add(unbounded, *b), sum.getType())))
    return failure();
  return shiftSumRight(*a, b->offset, {0.0}, shift);
}

FailureOr<Scalar> ScalarReader::readShift(Operation *inner, bool isUnsigned) {
  FailureOr<Scalar> shift = readExact(inner->getOperand(1));
  if (failed(shift))
    return failure();
  unsigned width = inner->getResult(0).getType().getIntOrFloatBitWidth();
  if (!shift->isConstant() || llvm::any_of(shift->offset, [&](double s) {
        return s < 0 || s >= width;
      }))
    return refusal.because("how far is shifted is not constant");
  bool isRight = !isa<arith::ShLIOp>(inner);
  if (isRight && !isUnsigned)
    if (auto sum = readShiftedSum(inner->getOperand(0), shift->offset))
      return *sum;
  FailureOr<Scalar> a = readExact(inner->getOperand(0), isUnsigned);
  if (failed(a))
    return failure();
  if (isRight)
    return shiftRight(*a, shift->offset);
  return checkNoWrap(
      scale(*a,
            map(shift->offset, [](double s) { return std::ldexp(1.0, s); })),
      inner->getResult(0).getType());
}

/// Rounds `a`. Integers are their own rounding, but their bounds may be none.
static void roundOnce(Scalar &a, Rounding mode,
                      llvm::function_ref<double(double)> function) {
  bool isFloor = mode == Rounding::HalfUp;
  if (isFloor && a.rounding == Rounding::None)
    a.offset = a.offset + Numbers{-0.5};
  a.round(a.rounding == Rounding::None ? mode : a.rounding, function);
}

static double truncateNumber(double number) { return std::trunc(number); }

FailureOr<Scalar> ScalarReader::readRounding(Operation *inner) {
  FailureOr<Scalar> a = read(inner->getOperand(0));
  if (failed(a))
    return failure();
  if (isa<math::RoundEvenOp>(inner))
    roundOnce(*a, Rounding::HalfEven,
              [](double bound) { return std::nearbyint(bound); });
  else if (isa<math::RoundOp>(inner))
    roundOnce(*a, Rounding::HalfAway,
              [](double bound) { return std::round(bound); });
  else if (isa<math::TruncOp>(inner))
    roundOnce(*a, Rounding::Truncate, truncateNumber);
  else
    roundOnce(*a, Rounding::HalfUp,
              [](double bound) { return std::floor(bound); });
  return a;
}

/// tosa.apply_scale: (value * multiplier) >> shift, rounded. Single rounding
/// adds half of 1 << shift; the double one adds its step for shifts above 31.
FailureOr<Scalar> ScalarReader::readApplyScale(Operation *inner) {
  auto mode = inner->getAttr("rounding_mode");
  std::string name;
  llvm::raw_string_ostream(name) << mode;
  bool isDouble = StringRef(name).contains("DOUBLE_ROUND");
  if (!isDouble && !StringRef(name).contains("SINGLE_ROUND"))
    return refusal.because("unsupported: rounding mode ", name);
  FailureOr<Scalar> value = readExact(inner->getOperand(0));
  if (failed(value))
    return failure();
  FailureOr<Scalar> multiplier = readExact(inner->getOperand(1));
  FailureOr<Scalar> shift = readExact(inner->getOperand(2));
  if (failed(multiplier) || failed(shift) || !multiplier->isConstant() ||
      !shift->isConstant())
    return refusal.because("multiplier or shift is not constant");
  FailureOr<Scalar> product = scale(*value, multiplier->offset);
  if (failed(product))
    return failure();
  product = withoutRounding(*product);
  if (product->rounding != Rounding::None || product->hasStep())
    return refusal.because("rounds twice");
  Numbers half = map(shift->offset, [](double s) {
    return std::ldexp(1.0, static_cast<int>(s) - 1);
  });
  Numbers step = map(shift->offset, [&](double s) {
    return isDouble && s > 31.0 ? std::ldexp(1.0, 30) : 0.0;
  });
  return shiftSumRight(*product, half, step, shift->offset);
}

FailureOr<Scalar> ScalarReader::toInteger(Operation *inner, bool isUnsigned) {
  FailureOr<Scalar> a = read(inner->getOperand(0));
  if (failed(a))
    return failure();
  roundOnce(*a, Rounding::Truncate, truncateNumber);
  Type type = inner->getResult(0).getType();
  a->clamp(getLeast(type, isUnsigned), getGreatest(type, isUnsigned));
  a->isUnsigned = isUnsigned;
  return a;
}

/// Reads the number that `inner` truncates. Bits that a shift fills in do not
/// matter if all are cut off: upstream makes a shift of an unsigned number of
/// one of a signed one there.
FailureOr<Scalar> ScalarReader::readTruncated(arith::TruncIOp inner) {
  auto shift = inner.getIn().getDefiningOp<arith::ShRUIOp>();
  if (!shift)
    return readExact(inner.getIn());
  FailureOr<Scalar> places = read(shift.getRhs());
  if (failed(places))
    return failure();
  unsigned numCut = inner.getIn().getType().getIntOrFloatBitWidth() -
                    inner.getType().getIntOrFloatBitWidth();
  if (!places->isConstant() ||
      llvm::any_of(places->offset, [&](double s) { return s > numCut; }))
    return readExact(inner.getIn());
  return readShift(shift, /*isUnsigned=*/false);
}

FailureOr<Scalar> ScalarReader::truncate(arith::TruncIOp inner) {
  FailureOr<Scalar> a = readTruncated(inner);
  if (failed(a))
    return failure();
  Type type = inner.getType();
  auto [least, greatest] = a->getRange();
  for (bool isUnsigned : {false, true}) {
    double low = getLeast(type, isUnsigned);
    double high = getGreatest(type, isUnsigned);
    if (least < low || greatest > high)
      continue;
    a->isUnsigned = isUnsigned;
    if (!a->isConstant())
      a->clamp(low, high);
    return a;
  }
  return refuseToWrap(type, least, greatest);
}
