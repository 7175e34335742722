//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Utils/EmitQuantizedEpilogue.h"
#include "FusionDialect/IR/ByteRange.h"
#include "FusionDialect/Utils/EmitActivation.h"
#include "FusionDialect/Utils/EmitCast.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;
using namespace fusion;

static bool isOf(Value value, Type type) {
  return value && getElementTypeOrSelf(value.getType()) == type;
}

static Value emitFloat(ImplicitLocOpBuilder &b, const APFloat &number) {
  return arith::ConstantOp::create(b, b.getFloatAttr(b.getF32Type(), number));
}

static Value emitFloat(ImplicitLocOpBuilder &b, double number) {
  return emitFloat(b, APFloat(static_cast<float>(number)));
}

static Value emitProduct(ImplicitLocOpBuilder &b, Value x,
                         const APFloat &factor) {
  if (factor.isExactlyValue(1.0))
    return x;
  return arith::MulFOp::create(b, x, emitFloat(b, factor));
}

Value fusion::emitInteger(OpBuilder &builder, Location loc, Value value,
                          bool isUnsigned, int32_t zeroPoint) {
  ImplicitLocOpBuilder b(loc, builder);
  Type i32 = b.getI32Type();
  Value wide = isUnsigned ? arith::ExtUIOp::create(b, i32, value).getResult()
                          : arith::ExtSIOp::create(b, i32, value).getResult();
  if (zeroPoint == 0)
    return wide;
  Value zero = arith::ConstantOp::create(b, b.getI32IntegerAttr(zeroPoint));
  return arith::SubIOp::create(b, wide, zero);
}

namespace {
/// The body of the epilogue. Its arguments are the sum, and of bias, scale and
/// residual those that the op has.
class Body {
public:
  Body(OpBuilder &builder, Location loc, QuantizedOpInterface op)
      : b(loc, builder), op(op), fused(cast<FusedOpInterface>(*op)) {}

  Value emit(ValueRange args);

private:
  Value emitResidual(Value residual);
  Value emitRounding(Value x);

  ImplicitLocOpBuilder b;
  QuantizedOpInterface op;
  FusedOpInterface fused;
};
} // namespace

Value Body::emit(ValueRange args) {
  auto take = [&](Value operand) {
    Value arg;
    if (operand) {
      arg = args.front();
      args = args.drop_front();
    }
    return arg;
  };
  Value sum = args.front();
  args = args.drop_front();
  Value bias = take(fused.getBias()), scale = take(op.getScale()),
        residual = take(fused.getResidual());
  Type type = fused.getOutputType().getElementType();
  if (isOf(bias, b.getI32Type()))
    sum = arith::AddIOp::create(b, sum, bias);
  if (type == b.getI32Type())
    return sum;
  Value x = arith::SIToFPOp::create(b, b.getF32Type(), sum);
  if (scale)
    x = arith::MulFOp::create(b, x, scale);
  if (isOf(bias, b.getF32Type()))
    x = arith::AddFOp::create(b, x, bias);
  bool isAfter = fused.getResidualAfterActivation();
  if (residual && !isAfter)
    x = arith::AddFOp::create(b, x, emitResidual(residual));
  if (ActivationAttr activation = fused.getActivationAttr())
    x = emitActivation(b, b.getLoc(), activation, x);
  if (op.getRoundActivation())
    x = math::RoundEvenOp::create(b, x);
  if (residual && isAfter)
    x = arith::AddFOp::create(b, x, emitResidual(residual));
  return isa<FloatType>(type) ? emitFloatCast(b, b.getLoc(), x, type)
                              : emitRounding(x);
}

/// The residual as a number in f32.
Value Body::emitResidual(Value residual) {
  if (isOf(residual, b.getF32Type()))
    return residual;
  Value integer = emitInteger(b, b.getLoc(), residual, op.getResidualUnsigned(),
                              op.getResidualZeroPoint());
  Value number = arith::SIToFPOp::create(b, b.getF32Type(), integer);
  return emitProduct(b, number, op.getResidualScale());
}

/// The integer of 8 bits that is nearest to a number.
Value Body::emitRounding(Value x) {
  x = emitProduct(b, x, op.getOutputScale());
  if (int32_t zeroPoint = op.getOutputZeroPoint())
    x = arith::AddFOp::create(b, x, emitFloat(b, zeroPoint));
  x = math::RoundEvenOp::create(b, x);
  ByteRange range(op.getOutputUnsigned());
  x = arith::MaxNumFOp::create(b, x, emitFloat(b, range.least));
  x = arith::MinNumFOp::create(b, x, emitFloat(b, range.greatest));
  if (op.getOutputUnsigned())
    return arith::FPToUIOp::create(b, b.getI8Type(), x);
  return arith::FPToSIOp::create(b, b.getI8Type(), x);
}

linalg::GenericOp fusion::emitQuantizedEpilogue(OpBuilder &builder,
                                                QuantizedOpInterface op,
                                                Value sum) {
  auto fused = cast<FusedOpInterface>(op.getOperation());
  int64_t rank = fused.getOutputType().getRank();
  AffineMap identity = builder.getMultiDimIdentityMap(rank);
  AffineMap channel = AffineMap::get(
      rank, 0, builder.getAffineDimExpr(fused.getOutputChannelDim()));
  AffineMap first = AffineMap::get(rank, 0, builder.getAffineConstantExpr(0));
  SmallVector<Value> inputs = {sum};
  SmallVector<AffineMap> maps = {identity};
  auto add = [&](Value operand, AffineMap map) {
    if (!operand)
      return;
    inputs.push_back(operand);
    maps.push_back(map);
  };
  add(fused.getBias(), channel);
  Value scale = op.getScale();
  bool isShared = scale && cast<ShapedType>(scale.getType()).getDimSize(0) == 1;
  add(scale, isShared ? first : channel);
  add(fused.getResidual(), identity);
  maps.push_back(identity);
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      builder, op->getLoc(), op->getResultTypes(), inputs, fused.getInit(),
      maps, iterators, [&](OpBuilder &b, Location loc, ValueRange args) {
        Value result = Body(b, loc, op).emit(args.drop_back());
        linalg::YieldOp::create(b, loc, result);
      });
}
