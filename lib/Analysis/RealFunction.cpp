//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "NormalForm.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>
#include <limits>

using namespace fusion;

static constexpr double infinity = std::numeric_limits<double>::infinity();
static constexpr size_t maxPieces = 8;

RealFunction::RealFunction(Atoms &atoms, Form form) : atoms(&atoms) {
  pieces.push_back({infinity, std::move(form)});
}

RealFunction::RealFunction(double number) : atoms(nullptr) {
  pieces.push_back({infinity, Form::number(number)});
}

Atoms *RealFunction::findAtoms(llvm::ArrayRef<const RealFunction *> operands) {
  for (const RealFunction *operand : operands)
    if (operand->atoms)
      return operand->atoms;
  return nullptr;
}

bool RealFunction::isKnown() const {
  return pieces.size() <= maxPieces &&
         llvm::all_of(pieces,
                      [](const Piece &piece) { return piece.form.isKnown; });
}

bool RealFunction::isSame(const RealFunction &other) const {
  // A bound computed from rounded numbers may miss 0 by a rounding error.
  auto isSameBound = [&](double a, double b) {
    return atoms->isNear(a, b) || (std::abs(a) < 1e-6 && std::abs(b) < 1e-6);
  };
  return isKnown() && other.isKnown() &&
         llvm::equal(pieces, other.pieces, [&](const Piece &a, const Piece &b) {
           return isSameBound(a.upper, b.upper) &&
                  atoms->isSame(a.form, b.form);
         });
}

RealFunction RealFunction::withoutUnreached() const {
  // The greatest bf16 is a little less than the greatest f32. Front ends write
  // either one for a bound that has no effect.
  constexpr double greatest = 3.38e38;
  RealFunction result(atoms);
  for (const Piece &piece : pieces) {
    if (piece.upper <= -greatest)
      continue;
    bool isLast = piece.upper >= greatest;
    result.append(isLast ? infinity : piece.upper, piece.form);
    if (isLast)
      break;
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Piece by piece
//===----------------------------------------------------------------------===//

/// Adds a piece behind the last one, or extends the last one if the form is the
/// same.
void RealFunction::append(double upper, Form form) {
  if (!pieces.empty() && atoms->isSame(pieces.back().form, form))
    pieces.back().upper = upper;
  else
    pieces.push_back({upper, std::move(form)});
}

llvm::SmallVector<RealFunction::Interval>
RealFunction::align(llvm::ArrayRef<const RealFunction *> functions) {
  llvm::SmallVector<Interval> intervals;
  llvm::SmallVector<size_t, 4> places(functions.size(), 0);
  for (;;) {
    Interval interval{infinity, {}};
    for (auto [function, place] : llvm::zip(functions, places)) {
      interval.forms.push_back(&function->pieces[place].form);
      interval.upper = std::min(interval.upper, function->pieces[place].upper);
    }
    intervals.push_back(interval);
    if (interval.upper == infinity)
      return intervals;
    for (auto [function, place] : llvm::zip(functions, places))
      if (function->pieces.size() > 1 &&
          function->atoms->isNear(function->pieces[place].upper,
                                  interval.upper))
        ++place;
  }
}

RealFunction
RealFunction::map(llvm::function_ref<Form(const Form &)> function) const {
  RealFunction result(atoms);
  for (const Piece &piece : pieces)
    result.append(piece.upper, function(piece.form));
  return result;
}

RealFunction fusion::operator+(const RealFunction &a, const RealFunction &b) {
  RealFunction result(RealFunction::findAtoms({&a, &b}));
  for (const auto &interval : RealFunction::align({&a, &b}))
    result.append(interval.upper,
                  result.atoms->add(*interval.forms[0], *interval.forms[1]));
  return result;
}

RealFunction fusion::operator*(const RealFunction &a, const RealFunction &b) {
  RealFunction result(RealFunction::findAtoms({&a, &b}));
  for (const auto &interval : RealFunction::align({&a, &b}))
    result.append(interval.upper, result.atoms->multiply(*interval.forms[0],
                                                         *interval.forms[1]));
  return result;
}

RealFunction RealFunction::power(const RealFunction &exponent) const {
  RealFunction result(atoms);
  for (const Interval &interval : align({this, &exponent}))
    result.append(interval.upper,
                  atoms->power(*interval.forms[0], *interval.forms[1]));
  return result;
}

RealFunction RealFunction::operator-() const {
  return map([&](const Form &form) { return atoms->scale(form, -1.0); });
}

RealFunction fusion::operator-(const RealFunction &a, const RealFunction &b) {
  Atoms *atoms = RealFunction::findAtoms({&a, &b});
  return a + b.map([&](const Form &form) { return atoms->scale(form, -1.0); });
}

RealFunction fusion::operator/(const RealFunction &a, const RealFunction &b) {
  Atoms *atoms = RealFunction::findAtoms({&a, &b});
  return a * b.map([&](const Form &form) { return atoms->inverse(form); });
}

RealFunction fusion::exp(const RealFunction &a) {
  return a.map([&](const Form &form) { return a.getAtoms().exp(form); });
}

RealFunction fusion::log(const RealFunction &a) {
  return a.map([&](const Form &form) { return a.getAtoms().log(form); });
}

RealFunction fusion::sigmoid(const RealFunction &a) {
  return a.map([&](const Form &form) { return a.getAtoms().sigmoid(form); });
}

/// 2 * sigmoid(2 * a) - 1, so that both spellings have the same form.
RealFunction fusion::tanh(const RealFunction &a) {
  Atoms &atoms = a.getAtoms();
  return a.map([&](const Form &form) {
    return atoms.subtract(
        atoms.scale(atoms.sigmoid(atoms.scale(form, 2.0)), 2.0),
        Form::number(1.0));
  });
}

RealFunction fusion::erf(const RealFunction &a) {
  return a.map([&](const Form &form) { return a.getAtoms().erf(form); });
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

/// A number, or a * x + b, with the sign of a - b.
static Form getSignOfDifference(Atoms &atoms, const Form &a, const Form &b) {
  bool isInfinite[] = {std::isinf(a.getConstant()),
                       std::isinf(b.getConstant())};
  if (isInfinite[0] != isInfinite[1])
    return isInfinite[0] ? a : atoms.scale(b, -1.0);
  return atoms.reduceSign(atoms.subtract(a, b));
}

/// Appends the forms chosen between `lower` and the end of `interval`, which
/// has the two compared forms and the two to choose from. False if the place
/// where the choice changes is unknown, or if the function jumps there.
bool RealFunction::chooseIn(Atoms &atoms, const Interval &interval,
                            double lower, RealFunction &result) {
  const Form &ifGreater = *interval.forms[2], &ifLess = *interval.forms[3];
  Form sign =
      getSignOfDifference(atoms, *interval.forms[0], *interval.forms[1]);
  if (!sign.isKnown)
    return false;
  double slope = sign.getFactor(Atoms::variable);
  if (slope == 0.0) {
    double constant = sign.getConstant();
    if (constant == 0.0 && !atoms.isSame(ifGreater, ifLess))
      return false;
    result.append(interval.upper, constant < 0.0 ? ifLess : ifGreater);
    return true;
  }
  double root = -sign.getConstant() / slope;
  bool isAtEnd =
      atoms.isNear(root, lower) || atoms.isNear(root, interval.upper);
  if (isAtEnd || (lower < root && root < interval.upper)) {
    double greater = atoms.evaluate(ifGreater, root);
    double less = atoms.evaluate(ifLess, root);
    if (!(std::abs(greater - less) <= 1e-6 * std::max(1.0, std::abs(root))))
      return false;
  }
  bool isWithin = !isAtEnd && lower < root && root < interval.upper;
  bool isGreaterBelow = slope < 0.0;
  if (isWithin)
    result.append(root, isGreaterBelow ? ifGreater : ifLess);
  bool isAbove = isWithin || root <= lower || atoms.isNear(root, lower);
  result.append(interval.upper, isAbove != isGreaterBelow ? ifGreater : ifLess);
  return true;
}

RealFunction RealFunction::choose(const RealFunction &a, const RealFunction &b,
                                  const RealFunction &ifGreater,
                                  const RealFunction &ifLess) {
  RealFunction result(findAtoms({&a, &b, &ifGreater, &ifLess}));
  if (!a.isKnown() || !b.isKnown() || !ifGreater.isKnown() || !ifLess.isKnown())
    return RealFunction(*result.atoms, Form::unknown());
  double lower = -infinity;
  for (const Interval &interval : align({&a, &b, &ifGreater, &ifLess})) {
    if (!chooseIn(*result.atoms, interval, lower, result))
      return RealFunction(*result.atoms, Form::unknown());
    lower = interval.upper;
  }
  return result;
}
