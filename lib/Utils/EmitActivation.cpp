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
#include <cmath>

using namespace mlir;
using namespace fusion;

namespace {

/// Short names for the ops that the formulas are made of.
struct Emitter {
  OpBuilder &builder;
  Location loc;

  Value number(float value) {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getF32FloatAttr(value));
  }
  Value add(Value a, Value b) {
    return arith::AddFOp::create(builder, loc, a, b);
  }
  Value sub(Value a, Value b) {
    return arith::SubFOp::create(builder, loc, a, b);
  }
  Value mul(Value a, Value b) {
    return arith::MulFOp::create(builder, loc, a, b);
  }
  Value div(Value a, Value b) {
    return arith::DivFOp::create(builder, loc, a, b);
  }
  Value max(Value a, Value b) {
    return arith::MaximumFOp::create(builder, loc, a, b);
  }
  Value min(Value a, Value b) {
    return arith::MinimumFOp::create(builder, loc, a, b);
  }
  Value exp(Value x) { return math::ExpOp::create(builder, loc, x); }
  Value tanh(Value x) { return math::TanhOp::create(builder, loc, x); }

  /// min(max(x, lower), upper)
  Value clip(Value x, Value lower, Value upper) {
    return min(max(x, lower), upper);
  }

  /// x > 0 ? x : otherwise
  Value ifPositive(Value x, Value otherwise) {
    Value isPositive = arith::CmpFOp::create(
        builder, loc, arith::CmpFPredicate::OGT, x, number(0.0f));
    return arith::SelectOp::create(builder, loc, isPositive, x, otherwise);
  }

  /// 1 / (1 + exp(-x))
  Value sigmoid(Value x) {
    Value negated = arith::NegFOp::create(builder, loc, x);
    return div(number(1.0f), add(number(1.0f), exp(negated)));
  }

  /// log(1 + exp(x)) = max(x, 0) + log1p(exp(-|x|)), which does not overflow.
  Value softplus(Value x) {
    Value magnitude = math::AbsFOp::create(builder, loc, x);
    Value negated = arith::NegFOp::create(builder, loc, magnitude);
    Value log = math::Log1pOp::create(builder, loc, exp(negated));
    return add(max(x, number(0.0f)), log);
  }

  /// x / 2 * (1 + inner)
  Value gelu(Value x, Value inner) {
    return mul(mul(number(0.5f), x), add(number(1.0f), inner));
  }

  /// sqrt(2 / pi) * (x + 0.044715 * x^3)
  Value geluTanhArgument(Value x) {
    Value cube = mul(mul(x, x), x);
    Value sum = add(x, mul(number(0.044715f), cube));
    return mul(number(static_cast<float>(std::sqrt(2.0 / M_PI))), sum);
  }
};

} // namespace

Value fusion::emitActivation(OpBuilder &builder, Location loc,
                             ActivationAttr activation, Value x) {
  Emitter emit{builder, loc};
  auto alpha = [&] {
    return emit.number(activation.getAlpha().convertToFloat());
  };
  auto beta = [&] {
    return emit.number(activation.getBeta().convertToFloat());
  };
  switch (activation.getKind()) {
  case ActivationKind::Relu:
    return emit.max(x, emit.number(0.0f));
  case ActivationKind::Clip:
    return emit.clip(x, alpha(), beta());
  case ActivationKind::LeakyRelu:
    return emit.ifPositive(x, emit.mul(alpha(), x));
  case ActivationKind::Elu:
    return emit.ifPositive(
        x, emit.mul(alpha(), math::ExpM1Op::create(builder, loc, x)));
  case ActivationKind::Sigmoid:
    return emit.sigmoid(x);
  case ActivationKind::Tanh:
    return emit.tanh(x);
  case ActivationKind::Swish:
    return emit.mul(x, emit.sigmoid(emit.mul(alpha(), x)));
  case ActivationKind::HardSwish:
    return emit.mul(x, emit.clip(emit.add(emit.div(x, emit.number(6.0f)),
                                          emit.number(0.5f)),
                                 emit.number(0.0f), emit.number(1.0f)));
  case ActivationKind::HardSigmoid:
    return emit.clip(emit.add(emit.mul(alpha(), x), beta()), emit.number(0.0f),
                     emit.number(1.0f));
  case ActivationKind::GeluErf: {
    Value scaled = emit.mul(x, emit.number(static_cast<float>(M_SQRT1_2)));
    return emit.gelu(x, math::ErfOp::create(builder, loc, scaled));
  }
  case ActivationKind::GeluTanh:
    return emit.gelu(x, emit.tanh(emit.geluTanhArgument(x)));
  case ActivationKind::Softplus:
    return emit.softplus(x);
  case ActivationKind::Mish:
    return emit.mul(x, emit.tanh(emit.softplus(x)));
  case ActivationKind::Abs:
    return math::AbsFOp::create(builder, loc, x);
  case ActivationKind::Square:
    return emit.mul(x, x);
  case ActivationKind::Sqrt:
    return math::SqrtOp::create(builder, loc, x);
  case ActivationKind::Exp:
    return emit.exp(x);
  }
  llvm_unreachable("unknown activation");
}
