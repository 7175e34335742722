//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Utils/Moves.h"
#include "FusionDialect/Analysis/Transpose.h"
#include "FusionDialect/IR/FusionOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace fusion;

/// True if the shapes of `cast` have a rank.
static bool isRanked(tensor::CastOp cast) {
  return isa<RankedTensorType>(cast.getSource().getType()) &&
         isa<RankedTensorType>(cast.getType());
}

OpOperand *fusion::getMovedOperand(Operation *op) {
  if (auto cast = dyn_cast<tensor::CastOp>(op); cast && !isRanked(cast))
    return nullptr;
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp,
          tensor::ExtractSliceOp>(op) ||
      isTranspose(op))
    return &op->getOpOperand(0);
  if (auto pool = dyn_cast<PoolOp>(op))
    return pool.getPooling() == Pooling::Max ? &pool.getInputMutable()
                                             : nullptr;
  auto pad = dyn_cast<tensor::PadOp>(op);
  return pad && pad.getConstantPaddingValue() ? &pad.getSourceMutable()
                                              : nullptr;
}

Value fusion::createEmptyLike(OpBuilder &builder, Value like, Type type) {
  return tensor::EmptyOp::create(
      builder, like.getLoc(),
      tensor::getMixedSizes(builder, like.getLoc(), like), type);
}

Operation *fusion::recreateMove(OpBuilder &builder, Operation *op, Value source,
                                TypedAttr padding) {
  Location loc = op->getLoc();
  Type type = getElementTypeOrSelf(source);
  auto result = cast<RankedTensorType>(op->getResult(0).getType()).clone(type);
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    Value number = arith::ConstantOp::create(builder, loc, padding);
    return tensor::PadOp::create(builder, loc, result, source,
                                 pad.getMixedLowPad(), pad.getMixedHighPad(),
                                 number, pad.getNofold());
  }
  if (auto transpose = matchTranspose(op)) {
    Value init = cast<linalg::LinalgOp>(op).getDpsInits()[0];
    return linalg::TransposeOp::create(builder, loc, source,
                                       createEmptyLike(builder, init, type),
                                       transpose->second);
  }
  IRMapping mapping;
  mapping.map(op->getOperand(0), source);
  if (auto pool = dyn_cast<PoolOp>(op))
    mapping.map(pool.getInit(), createEmptyLike(builder, pool.getInit(), type));
  Operation *clone = builder.clone(*op, mapping);
  clone->getResult(0).setType(result);
  return clone;
}
