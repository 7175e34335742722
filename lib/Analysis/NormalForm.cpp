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

using namespace fusion;

using Term = Form::Term;

// Expressions of activations are small; a larger one is none.
static constexpr size_t maxTerms = 16;
static constexpr unsigned maxExponent = 8;
static constexpr size_t maxAtoms = 64;

//===----------------------------------------------------------------------===//
// Forms
//===----------------------------------------------------------------------===//

Form Form::number(double number) {
  if (std::isnan(number))
    return unknown();
  Form form;
  if (number != 0.0)
    form.terms.push_back({number, {}});
  return form;
}

std::optional<double> Form::getNumber() const {
  if (!isKnown || terms.size() > 1)
    return std::nullopt;
  if (terms.empty())
    return 0.0;
  if (!terms.front().powers.empty())
    return std::nullopt;
  return terms.front().factor;
}

double Form::getConstant() const {
  // The empty list comes first.
  bool hasConstant = !terms.empty() && terms.front().powers.empty();
  return hasConstant ? terms.front().factor : 0.0;
}

double Form::getFactor(unsigned atom) const {
  for (const Term &term : terms)
    if (term.powers.size() == 1 && term.powers[0] == std::pair(atom, 1u))
      return term.factor;
  return 0.0;
}

//===----------------------------------------------------------------------===//
// Comparison and value
//===----------------------------------------------------------------------===//

bool Atoms::isNear(double a, double b) const {
  if (a == b || std::isinf(a) || std::isinf(b))
    return a == b;
  return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

bool Atoms::isSame(const Form &a, const Form &b) const {
  return a.isKnown && b.isKnown &&
         llvm::equal(a.terms, b.terms, [&](const Term &s, const Term &t) {
           return s.powers == t.powers && isNear(s.factor, t.factor);
         });
}

double Atoms::apply(Kind kind, double x) {
  switch (kind) {
  case Kind::Variable:
    return x;
  case Kind::Exp:
    return std::exp(x);
  case Kind::Sigmoid:
    return 1.0 / (1.0 + std::exp(-x));
  case Kind::Softplus:
    return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
  case Kind::Erf:
    return std::erf(x);
  }
  return x;
}

double Atoms::evaluate(const Form &form, double x) const {
  double sum = 0.0;
  for (const Term &term : form.terms) {
    double product = term.factor;
    for (auto [number, exponent] : term.powers) {
      const Atom &atom = atoms[number];
      double inner =
          atom.kind == Kind::Variable ? x : evaluate(atom.argument, x);
      product *= std::pow(apply(atom.kind, inner), exponent);
    }
    sum += product;
  }
  return sum;
}

/// True if the first term but the constant is negative. Odd and similar
/// functions become atoms only of the argument that is not negative.
bool Atoms::isNegative(const Form &form) const {
  for (const Term &term : form.terms)
    if (!term.powers.empty())
      return term.factor < 0.0;
  return false;
}

//===----------------------------------------------------------------------===//
// Sums and products
//===----------------------------------------------------------------------===//

/// Adds `term` in its place. A small rest of a cancellation of rounded numbers
/// becomes 0.
void Atoms::addTerm(Form &form, const Term &term) const {
  auto *place =
      llvm::lower_bound(form.terms, term, [](const Term &s, const Term &t) {
        return s.powers < t.powers;
      });
  if (place == form.terms.end() || place->powers != term.powers) {
    form.terms.insert(place, term);
    return;
  }
  double sum = place->factor + term.factor;
  if (isNear(place->factor, -term.factor))
    form.terms.erase(place);
  else
    place->factor = sum;
}

/// True if `form` is not too large, no factor is NaN, and none is infinite
/// unless the form is that number.
static bool isProper(const Form &form) {
  if (form.terms.size() > maxTerms)
    return false;
  for (const Term &term : form.terms) {
    if (std::isnan(term.factor) ||
        (std::isinf(term.factor) && !form.getNumber()))
      return false;
    for (auto [atom, exponent] : term.powers)
      if (exponent > maxExponent)
        return false;
  }
  return true;
}

Form Atoms::add(const Form &a, const Form &b) {
  if (!a.isKnown || !b.isKnown)
    return Form::unknown();
  // Infinity less infinity is no number.
  bool hasInfinity = std::isinf(a.getConstant()) || std::isinf(b.getConstant());
  if (hasInfinity && !a.terms.empty() && !b.terms.empty())
    return Form::unknown();
  Form sum = a;
  for (const Term &term : b.terms)
    addTerm(sum, term);
  return isProper(sum) ? sum : Form::unknown();
}

Form Atoms::scale(const Form &a, double factor) {
  return multiply(a, Form::number(factor));
}

Form Atoms::multiply(const Form &a, const Form &b) {
  if (!a.isKnown || !b.isKnown)
    return Form::unknown();
  // 0 times infinity is no number.
  if (std::isinf(a.getConstant()) || std::isinf(b.getConstant()))
    if (!a.getNumber() || !b.getNumber() || a.terms.empty() || b.terms.empty())
      return Form::unknown();
  Form sum;
  for (const Term &s : a.terms)
    for (const Term &t : b.terms) {
      sum = add(sum, multiplyTerms(s, t));
      if (!sum.isKnown)
        return sum;
    }
  return sum;
}

/// Products of exponentials are one exponential, and
///   exp(f) * sigmoid(f) = exp(f) - sigmoid(f), exp(-f) * sigmoid(f) = 1 -
///   sigmoid(f).
Form Atoms::multiplyTerms(const Term &a, const Term &b) {
  Term rest{a.factor * b.factor, {}};
  Form exponent;
  for (const Term *term : {&a, &b})
    for (const auto &power : term->powers) {
      const Atom &atom = atoms[power.first];
      if (atom.kind == Kind::Exp) {
        exponent = add(exponent, atom.argument);
        continue;
      }
      auto *place = llvm::find_if(rest.powers, [&](const auto &other) {
        return other.first == power.first;
      });
      if (place == rest.powers.end())
        rest.powers.push_back(power);
      else
        place->second += power.second;
    }
  llvm::sort(rest.powers);
  Form product;
  product.terms.push_back(rest);
  if (!isProper(product) || !exponent.isKnown)
    return Form::unknown();
  if (exponent.terms.empty())
    return product;

  for (auto [i, power] : llvm::enumerate(rest.powers)) {
    if (atoms[power.first].kind != Kind::Sigmoid)
      continue;
    Form argument = atoms[power.first].argument;
    bool isEqual = isSame(argument, exponent);
    if (!isEqual && !isSame(scale(argument, -1.0), exponent))
      continue;
    Form factor = isEqual ? exp(exponent) : Form::number(1.0);
    factor = subtract(factor, makeAtom(power.first));
    if (--product.terms[0].powers[i].second == 0)
      product.terms[0].powers.erase(product.terms[0].powers.begin() + i);
    return multiply(product, factor);
  }
  Form exponential = exp(exponent);
  if (!exponential.isKnown || exponential.terms.size() != 1)
    return Form::unknown();
  product.terms[0].factor *= exponential.terms[0].factor;
  product.terms[0].powers.append(exponential.terms[0].powers);
  llvm::sort(product.terms[0].powers);
  return product;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

Form Atoms::makeAtom(unsigned atom) {
  Form form;
  form.terms.push_back({1.0, {{atom, 1u}}});
  return form;
}

Form Atoms::makeAtom(Kind kind, const Form &argument) {
  for (auto [number, atom] : llvm::enumerate(atoms))
    if (atom.kind == kind && isSame(atom.argument, argument))
      return makeAtom(number);
  if (atoms.size() == maxAtoms)
    return Form::unknown();
  atoms.push_back({kind, argument});
  return makeAtom(atoms.size() - 1);
}

Form Atoms::exp(const Form &a) {
  if (!a.isKnown || std::isinf(a.getConstant()))
    return Form::unknown();
  Form rest = a;
  double constant = a.getConstant();
  if (constant != 0.0)
    rest.terms.erase(rest.terms.begin());
  Form result =
      rest.terms.empty() ? Form::number(1.0) : makeAtom(Kind::Exp, rest);
  if (result.isKnown)
    result.terms[0].factor *= std::exp(constant);
  return isProper(result) ? result : Form::unknown();
}

Form Atoms::sigmoid(const Form &a) {
  if (std::optional<double> number = a.getNumber())
    return Form::number(apply(Kind::Sigmoid, *number));
  if (!a.isKnown)
    return a;
  if (isNegative(a))
    return subtract(Form::number(1.0), sigmoid(scale(a, -1.0)));
  return makeAtom(Kind::Sigmoid, a);
}

/// log(1 + exp(a))
Form Atoms::softplus(const Form &a) {
  if (std::optional<double> number = a.getNumber())
    return Form::number(apply(Kind::Softplus, *number));
  if (!a.isKnown)
    return a;
  if (isNegative(a))
    return add(a, softplus(scale(a, -1.0)));
  return makeAtom(Kind::Softplus, a);
}

Form Atoms::erf(const Form &a) {
  if (std::optional<double> number = a.getNumber())
    return Form::number(std::erf(*number));
  if (!a.isKnown)
    return a;
  if (isNegative(a))
    return scale(erf(scale(a, -1.0)), -1.0);
  return makeAtom(Kind::Erf, a);
}

/// The e of `term` = factor * exp(e); 0 for a number.
std::optional<Form> Atoms::getExponent(const Term &term) const {
  if (term.powers.empty())
    return Form();
  if (term.powers.size() != 1 || atoms[term.powers[0].first].kind != Kind::Exp)
    return std::nullopt;
  return atoms[term.powers[0].first].argument;
}

std::optional<Atoms::SumOfExps> Atoms::matchSumOfExps(const Form &form) {
  if (!form.isKnown || form.terms.empty() || form.terms.size() > 2)
    return std::nullopt;
  std::optional<Form> first = getExponent(form.terms[0]);
  if (!first || std::isinf(form.terms[0].factor))
    return std::nullopt;
  SumOfExps sum{form.terms[0].factor, *first, std::nullopt};
  if (form.terms.size() == 1)
    return sum;
  std::optional<Form> second = getExponent(form.terms[1]);
  if (!second)
    return std::nullopt;
  double quotient = form.terms[1].factor / form.terms[0].factor;
  sum.isDifference = quotient < 0.0;
  sum.ratio = add(subtract(*second, *first),
                  Form::number(std::log(std::abs(quotient))));
  return sum;
}

Form Atoms::inverse(const Form &a) {
  std::optional<SumOfExps> sum = matchSumOfExps(a);
  if (!sum || sum->isDifference)
    return Form::unknown();
  Form result = scale(exp(scale(sum->exponent, -1.0)), 1.0 / sum->first);
  if (!sum->ratio)
    return result;
  return multiply(result, sigmoid(scale(*sum->ratio, -1.0)));
}

Form Atoms::log(const Form &a) {
  std::optional<SumOfExps> sum = matchSumOfExps(a);
  if (!sum || sum->isDifference || sum->first < 0.0)
    return Form::unknown();
  Form result = add(sum->exponent, Form::number(std::log(sum->first)));
  return sum->ratio ? add(result, softplus(*sum->ratio)) : result;
}

Form Atoms::power(const Form &base, const Form &exponent) {
  if (std::optional<double> number = base.getNumber();
      number && *number > 0.0 && !std::isinf(*number))
    return exp(scale(exponent, std::log(*number)));
  std::optional<double> number = exponent.getNumber();
  if (!number || std::abs(*number) > maxExponent ||
      *number != std::floor(*number))
    return Form::unknown();
  Form result = Form::number(1.0);
  for (int i = 0; i != static_cast<int>(std::abs(*number)); ++i)
    result = multiply(result, base);
  return *number < 0.0 ? inverse(result) : result;
}

//===----------------------------------------------------------------------===//
// Questions
//===----------------------------------------------------------------------===//

bool Form::isAffine() const {
  return llvm::all_of(terms, [](const Term &term) {
    return term.powers.empty() ||
           llvm::equal(term.powers,
                       llvm::ArrayRef(std::pair(Atoms::variable, 1u)));
  });
}

Form Atoms::reduceSign(const Form &a) {
  if (!a.isKnown || a.isAffine())
    return a;
  std::optional<SumOfExps> sum = matchSumOfExps(a);
  if (!sum)
    return Form::unknown();
  double sign = sum->first < 0.0 ? -1.0 : 1.0;
  if (!sum->isDifference)
    return Form::number(sign);
  // 1 - exp(ratio) has the sign of -ratio.
  if (!sum->ratio->isKnown || !sum->ratio->isAffine())
    return Form::unknown();
  return scale(*sum->ratio, -sign);
}

std::optional<double> Atoms::findSigmoidFactor(const Form &form) const {
  for (const Term &term : form.terms) {
    if (term.powers.size() != 2 || term.powers[0] != std::pair(variable, 1u))
      continue;
    const Atom &atom = atoms[term.powers[1].first];
    if (atom.kind == Kind::Sigmoid)
      return atom.argument.getFactor(variable);
  }
  return std::nullopt;
}

double Atoms::findExpFactor(const Form &form) const {
  for (const Term &term : form.terms) {
    std::optional<Form> exponent = getExponent(term);
    if (!term.powers.empty() && exponent && isSame(*exponent, getVariable()))
      return term.factor;
  }
  return 0.0;
}
