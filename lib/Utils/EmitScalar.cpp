//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Utils/EmitScalar.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"

using namespace mlir;
using namespace fusion;

using Kind = ScalarExpr::Kind;
using Node = ScalarExpr::Node;

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
