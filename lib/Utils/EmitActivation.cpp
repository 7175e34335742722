//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Utils/EmitActivation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include <cmath>

using namespace mlir;
using namespace fusion;

namespace {
/// An operand of the formulas of activations: a value, or a number, which
/// becomes a constant in front of the op that reads it.
class Scalar {
public:
  Scalar(double number) : number(number) {}
  Scalar(ImplicitLocOpBuilder &builder, Value value)
      : builder(&builder), value(value) {}

  Value get(ImplicitLocOpBuilder &builder) const {
    if (value)
      return value;
    auto attribute = builder.getF32FloatAttr(static_cast<float>(number));
    return arith::ConstantOp::create(builder, attribute);
  }

  friend Scalar operator+(const Scalar &a, const Scalar &b) {
    return create<arith::AddFOp>(a, b);
  }
  friend Scalar operator*(const Scalar &a, const Scalar &b) {
    return create<arith::MulFOp>(a, b);
  }
  friend Scalar operator/(const Scalar &a, const Scalar &b) {
    return create<arith::DivFOp>(a, b);
  }
  friend Scalar max(const Scalar &a, const Scalar &b) {
    return create<arith::MaximumFOp>(a, b);
  }
  friend Scalar min(const Scalar &a, const Scalar &b) {
    return create<arith::MinimumFOp>(a, b);
  }
  friend Scalar operator-(const Scalar &a) { return create<arith::NegFOp>(a); }
  friend Scalar abs(const Scalar &a) { return create<math::AbsFOp>(a); }
  friend Scalar exp(const Scalar &a) { return create<math::ExpOp>(a); }
  friend Scalar expm1(const Scalar &a) { return create<math::ExpM1Op>(a); }
  friend Scalar tanh(const Scalar &a) { return create<math::TanhOp>(a); }
  friend Scalar erf(const Scalar &a) { return create<math::ErfOp>(a); }
  friend Scalar sqrt(const Scalar &a) { return create<math::SqrtOp>(a); }

  friend Scalar ifPositive(const Scalar &x, const Scalar &y) {
    ImplicitLocOpBuilder &b = *x.builder;
    Value isPositive = arith::CmpFOp::create(b, arith::CmpFPredicate::OGT,
                                             x.value, Scalar(0).get(b));
    return {b, arith::SelectOp::create(b, isPositive, x.value, y.get(b))};
  }
  friend Scalar sigmoid(const Scalar &x) { return 1 / (1 + exp(-x)); }
  /// Does not overflow.
  friend Scalar softplus(const Scalar &x) {
    // Named, so that each compiler emits them in the same order.
    Scalar positive = max(x, 0), rest = create<math::Log1pOp>(exp(-abs(x)));
    return positive + rest;
  }

private:
  template <typename OpTy, typename... Operands>
  static Scalar create(const Scalar &a, const Operands &...others) {
    ImplicitLocOpBuilder *builder = a.builder;
    ((builder = builder ? builder : others.builder), ...);
    return {*builder,
            OpTy::create(*builder, a.get(*builder), others.get(*builder)...)};
  }

  ImplicitLocOpBuilder *builder = nullptr;
  Value value;
  double number = 0;
};
} // namespace

static Scalar applyFormula(ActivationAttr activation, const Scalar &x) {
  Scalar alpha = activation.getAlpha().convertToFloat();
  Scalar beta = activation.getBeta().convertToFloat();
  switch (activation.getKind()) {
#define FUSION_ACTIVATION(Name, NAME, name, number, parameters, keepsNaN,      \
                          formula)                                             \
  case ActivationKind::Name:                                                   \
    return formula;
#include "FusionRuntime/activations.def"
  }
  llvm_unreachable("unknown activation");
}

Value fusion::emitActivation(OpBuilder &builder, Location loc,
                             ActivationAttr activation, Value x) {
  ImplicitLocOpBuilder here(loc, builder);
  return applyFormula(activation, Scalar(here, x)).get(here);
}
