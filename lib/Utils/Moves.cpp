//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Utils/Moves.h"
#include "FusionDialect/Analysis/Flip.h"
#include "FusionDialect/Analysis/Transpose.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Utils/EmitFlip.h"
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

/// Reads `op` as one that flips dimensions.
static std::optional<Flip> findFlip(Operation *op) {
  if (!isa<linalg::GenericOp>(op) || op->getNumResults() != 1)
    return std::nullopt;
  std::optional<Flip> flip = matchFlip(op->getResult(0));
  return flip && !flip->dims.empty() ? flip : std::nullopt;
}

OpOperand *fusion::getMovedOperand(Operation *op) {
  if (auto cast = dyn_cast<tensor::CastOp>(op); cast && !isRanked(cast))
    return nullptr;
  if (isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp, tensor::CastOp,
          tensor::ExtractSliceOp>(op) ||
      isTranspose(op))
    return &op->getOpOperand(0);
  if (std::optional<Flip> flip = findFlip(op))
    return flip->operand;
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
  if (std::optional<Flip> flip = findFlip(op))
    return emitFlip(builder, loc, source, flip->dims).getDefiningOp();
  IRMapping mapping;
  mapping.map(op->getOperand(0), source);
  if (auto pool = dyn_cast<PoolOp>(op))
    mapping.map(pool.getInit(), createEmptyLike(builder, pool.getInit(), type));
  Operation *clone = builder.clone(*op, mapping);
  clone->getResult(0).setType(result);
  return clone;
}
