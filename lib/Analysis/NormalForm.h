//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_ANALYSIS_NORMALFORM_H
#define FUSION_LIB_ANALYSIS_NORMALFORM_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace fusion {

/// A smooth function of one real number x as a sum of products: of numbers, of
/// x, and of functions that are not sums of products themselves (`Atoms`). A
/// form has one spelling: the order of operands, brackets, negations, divisions
/// by numbers and the like do not matter. A form may be unknown; forms computed
/// from it are unknown, too.
struct Form {
  struct Term {
    double factor;
    /// Numbers of atoms with their exponents, which are positive; sorted.
    llvm::SmallVector<std::pair<unsigned, unsigned>, 2> powers;
  };
  bool isKnown = true;
  llvm::SmallVector<Term, 2> terms; ///< sorted by powers, none of them 0

  static Form unknown() { return {/*isKnown=*/false, {}}; }
  static Form number(double number);
  /// The constant value of the function, if it is constant.
  std::optional<double> getNumber() const;
  /// The factor of the term without powers.
  double getConstant() const;
  /// The factor of the term that consists of atom number `atom` alone.
  double getFactor(unsigned atom) const;
  /// True for a * x + b.
  bool isAffine() const;
};

/// The arithmetic of forms. It has total functions of a real number only, and
/// never divides by a form that may be 0. So two forms are equal only if the
/// functions are.
class Atoms {
public:
  /// Numbers count as equal if they differ by `tolerance` at most, relative to
  /// the greater one.
  explicit Atoms(double tolerance) : tolerance(tolerance) {
    atoms.push_back({Kind::Variable, Form()});
  }

  /// The number of the atom x.
  static constexpr unsigned variable = 0;

  bool isNear(double a, double b) const;
  bool isSame(const Form &a, const Form &b) const;
  double evaluate(const Form &form, double x) const;

  Form getVariable() const { return makeAtom(variable); }
  Form add(const Form &a, const Form &b);
  Form multiply(const Form &a, const Form &b);
  Form scale(const Form &a, double factor);
  Form subtract(const Form &a, const Form &b) { return add(a, scale(b, -1.0)); }
  Form inverse(const Form &a);
  Form power(const Form &base, const Form &exponent);
  Form exp(const Form &a);
  Form log(const Form &a);
  Form sigmoid(const Form &a);
  Form erf(const Form &a);

  /// A number, or a * x + b, with the same sign as `a` for each x.
  Form reduceSign(const Form &a);

  /// The a of a term x * sigmoid(a * x + ...), if there is such a term.
  std::optional<double> findSigmoidFactor(const Form &form) const;
  /// The factor of exp(x).
  double findExpFactor(const Form &form) const;

private:
  enum class Kind { Variable, Exp, Sigmoid, Softplus, Erf };
  struct Atom {
    Kind kind;
    Form argument;
  };
  /// first * exp(exponent) * (1 + exp(ratio)), without `ratio` if the sum has
  /// one term only.
  struct SumOfExps {
    double first;
    Form exponent;
    std::optional<Form> ratio;
    bool isDifference = false; ///< 1 - exp(ratio) instead
  };

  static Form makeAtom(unsigned atom);
  Form makeAtom(Kind kind, const Form &argument);
  Form softplus(const Form &a);
  void addTerm(Form &form, const Form::Term &term) const;
  Form multiplyTerms(const Form::Term &a, const Form::Term &b);
  std::optional<Form> getExponent(const Form::Term &term) const;
  std::optional<SumOfExps> matchSumOfExps(const Form &form);
  bool isNegative(const Form &form) const;
  static double apply(Kind kind, double x);

  double tolerance;
  llvm::SmallVector<Atom> atoms;
};

/// A piecewise function of one real number: a form for each interval.
class RealFunction {
public:
  struct Piece {
    double upper; ///< it ends there; infinite for the last
    Form form;
  };

  RealFunction(Atoms &atoms, Form form);
  /// A number, which becomes a function where it is combined with one.
  RealFunction(double number);

  bool isKnown() const;
  llvm::ArrayRef<Piece> getPieces() const { return pieces; }
  Atoms &getAtoms() const { return *atoms; }
  bool isSame(const RealFunction &other) const;
  /// The function without the pieces that finite f32 numbers do not reach.
  RealFunction withoutUnreached() const;

  friend RealFunction operator+(const RealFunction &a, const RealFunction &b);
  friend RealFunction operator*(const RealFunction &a, const RealFunction &b);
  friend RealFunction operator/(const RealFunction &a, const RealFunction &b);
  friend RealFunction operator-(const RealFunction &a, const RealFunction &b);
  RealFunction operator-() const;

  /// Applies `function` to the form of each piece.
  RealFunction map(llvm::function_ref<Form(const Form &)> function) const;
  RealFunction power(const RealFunction &exponent) const;

  /// `ifGreater` where a > b, else `ifLess`. Unknown if it is not continuous:
  /// no activation jumps, and at a jump the spellings would differ for a == b.
  static RealFunction choose(const RealFunction &a, const RealFunction &b,
                             const RealFunction &ifGreater,
                             const RealFunction &ifLess);

private:
  /// The forms of several functions in the interval that ends at `upper`.
  struct Interval {
    double upper;
    llvm::SmallVector<const Form *, 4> forms;
  };
  explicit RealFunction(Atoms *atoms) : atoms(atoms) {}
  /// The atoms of the operands of an operation; null if all are numbers.
  static Atoms *findAtoms(llvm::ArrayRef<const RealFunction *> operands);
  static llvm::SmallVector<Interval>
  align(llvm::ArrayRef<const RealFunction *> functions);
  static bool chooseIn(Atoms &atoms, const Interval &interval, double lower,
                       RealFunction &result);
  void append(double upper, Form form);

  Atoms *atoms; ///< null for a number by itself
  llvm::SmallVector<Piece, 1> pieces;
};

inline RealFunction max(const RealFunction &a, const RealFunction &b) {
  return RealFunction::choose(a, b, a, b);
}
inline RealFunction min(const RealFunction &a, const RealFunction &b) {
  return RealFunction::choose(a, b, b, a);
}
inline RealFunction ifPositive(const RealFunction &a, const RealFunction &b) {
  return RealFunction::choose(a, 0, a, b);
}
inline RealFunction abs(const RealFunction &a) { return max(a, -a); }
RealFunction exp(const RealFunction &a);
inline RealFunction expm1(const RealFunction &a) { return exp(a) - 1; }
RealFunction log(const RealFunction &a);
RealFunction sigmoid(const RealFunction &a);
inline RealFunction softplus(const RealFunction &a) { return log(1 + exp(a)); }
RealFunction tanh(const RealFunction &a);
RealFunction erf(const RealFunction &a);
/// Unknown: it is not defined for every number.
inline RealFunction sqrt(const RealFunction &a) {
  return RealFunction(a.getAtoms(), Form::unknown());
}

} // namespace fusion

#endif // FUSION_LIB_ANALYSIS_NORMALFORM_H
