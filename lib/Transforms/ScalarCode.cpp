//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ScalarCode.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include <cmath>
#include <functional>

using namespace mlir;
using namespace fusion;

using Kind = ScalarExpr::Kind;
using Node = ScalarExpr::Node;

double fusion::roundTo(Type type, double number) {
  APFloat rounded(number);
  bool losesInfo;
  rounded.convert(cast<FloatType>(type).getFloatSemantics(),
                  APFloat::rmNearestTiesToEven, &losesInfo);
  return rounded.convertToDouble();
}

bool fusion::isComputable(Kind kind) {
  switch (kind) {
  case Kind::Add:
  case Kind::Sub:
  case Kind::Mul:
  case Kind::Div:
  case Kind::Neg:
  case Kind::Max:
  case Kind::Min:
  case Kind::Exp:
  case Kind::Tanh:
  case Kind::Abs:
  case Kind::Sqrt:
  case Kind::Rsqrt:
  case Kind::Pow:
  case Kind::Widen:
  case Kind::Narrow:
    return true;
  default:
    return false;
  }
}

void fusion::evaluateScalar(const Node &node,
                            ArrayRef<ArrayRef<double>> operands,
                            MutableArrayRef<double> result) {
  auto unary = [&](auto function) {
    llvm::transform(operands[0], result.begin(), function);
  };
  auto binary = [&](auto function) {
    for (size_t i = 0, e = result.size(); i != e; ++i)
      result[i] = function(operands[0][i], operands[1][i]);
  };
  switch (node.kind) {
  case Kind::Add:
    binary(std::plus<>());
    break;
  case Kind::Sub:
    binary(std::minus<>());
    break;
  case Kind::Mul:
    binary(std::multiplies<>());
    break;
  case Kind::Div:
    binary(std::divides<>());
    break;
  case Kind::Neg:
    unary(std::negate<>());
    break;
  case Kind::Max:
    binary([](double a, double b) { return std::fmax(a, b); });
    break;
  case Kind::Min:
    binary([](double a, double b) { return std::fmin(a, b); });
    break;
  case Kind::Exp:
    unary([](double a) { return std::exp(a); });
    break;
  case Kind::Tanh:
    unary([](double a) { return std::tanh(a); });
    break;
  case Kind::Abs:
    unary([](double a) { return std::fabs(a); });
    break;
  case Kind::Sqrt:
    unary([](double a) { return std::sqrt(a); });
    break;
  case Kind::Rsqrt:
    unary([](double a) { return 1.0 / std::sqrt(a); });
    break;
  case Kind::Pow:
    binary([](double a, double b) { return std::pow(a, b); });
    break;
  case Kind::Widen:
  case Kind::Narrow:
    llvm::copy(operands[0], result.begin());
    break;
  default:
    llvm_unreachable("not computable");
  }
  Type type = getElementTypeOrSelf(node.value.getType());
  if (node.kind == Kind::Narrow || type.getIntOrFloatBitWidth() < 32)
    for (double &number : result)
      number = roundTo(type, number);
}

Value fusion::emitScalar(OpBuilder &b, Location loc, const Node &node,
                         ValueRange v) {
  switch (node.kind) {
  case Kind::Add:
    return arith::AddFOp::create(b, loc, v[0], v[1]);
  case Kind::Sub:
    return arith::SubFOp::create(b, loc, v[0], v[1]);
  case Kind::Mul:
    return arith::MulFOp::create(b, loc, v[0], v[1]);
  case Kind::Div:
    return arith::DivFOp::create(b, loc, v[0], v[1]);
  case Kind::Neg:
    return arith::NegFOp::create(b, loc, v[0]);
  case Kind::Max:
    return arith::MaximumFOp::create(b, loc, v[0], v[1]);
  case Kind::Min:
    return arith::MinimumFOp::create(b, loc, v[0], v[1]);
  case Kind::Exp:
    return math::ExpOp::create(b, loc, v[0]);
  case Kind::Tanh:
    return math::TanhOp::create(b, loc, v[0]);
  case Kind::Abs:
    return math::AbsFOp::create(b, loc, v[0]);
  case Kind::Sqrt:
    return math::SqrtOp::create(b, loc, v[0]);
  case Kind::Rsqrt:
    return math::RsqrtOp::create(b, loc, v[0]);
  case Kind::Pow:
    return math::PowFOp::create(b, loc, v[0], v[1]);
  case Kind::Widen:
    return v[0];
  case Kind::Narrow: {
    Type type = getElementTypeOrSelf(node.value.getType());
    if (type.getIntOrFloatBitWidth() >= 32)
      return v[0];
    Value narrow = arith::TruncFOp::create(b, loc, type, v[0]);
    return arith::ExtFOp::create(b, loc, v[0].getType(), narrow);
  }
  default:
    llvm_unreachable("not computable");
  }
}
