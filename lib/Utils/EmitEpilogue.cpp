//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Utils/EmitEpilogue.h"
#include "FusionDialect/Utils/EmitActivation.h"
#include "FusionDialect/Utils/EmitCast.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fusion;

linalg::GenericOp fusion::emitEpilogue(OpBuilder &builder, FusedOpInterface op,
                                       Value sum, Value bias) {
  auto type = op.getOutputType();
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  SmallVector<Value> inputs = {sum};
  SmallVector<AffineMap> maps = {identity};
  if (bias) {
    inputs.push_back(bias);
    maps.push_back(AffineMap::get(
        type.getRank(), 0, builder.getAffineDimExpr(op.getOutputChannelDim()),
        builder.getContext()));
  }
  if (Value residual = op.getResidual()) {
    inputs.push_back(residual);
    maps.push_back(identity);
  }
  maps.push_back(identity);
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
      builder, op->getLoc(), op->getResultTypes(), inputs, op.getInit(), maps,
      iterators, [&](OpBuilder &b, Location loc, ValueRange args) {
        Value x = args[0];
        ValueRange before = args.drop_front().drop_back(), after;
        if (op.getResidualAfterActivation()) {
          after = before.take_back();
          before = before.drop_back();
        }
        auto add = [&](Value addend) {
          x = arith::AddFOp::create(
              b, loc, x, emitFloatCast(b, loc, addend, b.getF32Type()));
        };
        llvm::for_each(before, add);
        if (ActivationAttr activation = op.getActivationAttr())
          x = emitActivation(b, loc, activation, x);
        llvm::for_each(after, add);
        linalg::YieldOp::create(
            b, loc, emitFloatCast(b, loc, x, type.getElementType()));
      });
}
