//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/EvaluateScalar.h"
#include <cmath>
#include <functional>
#include <limits>

using namespace mlir;
using namespace fusion;

using Kind = ScalarExpr::Kind;
using Node = ScalarExpr::Node;

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

/// The result of `choose`, which prefers numbers, or NaN if an operand is NaN
/// and the op of `node` keeps that.
static double chooseNumber(const Node &node, double (*choose)(double, double),
                           double a, double b) {
  bool keepsNaN = isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp>(
      node.value.getDefiningOp());
  return keepsNaN && (std::isnan(a) || std::isnan(b))
             ? std::numeric_limits<double>::quiet_NaN()
             : choose(a, b);
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
    binary([&](double a, double b) { return chooseNumber(node, fmax, a, b); });
    break;
  case Kind::Min:
    binary([&](double a, double b) { return chooseNumber(node, fmin, a, b); });
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
