//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/FusionOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fusion;

#include "FusionDialect/IR/FusionInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "FusionDialect/IR/FusionOps.cpp.inc"

//===----------------------------------------------------------------------===//
// Common to all fused ops
//===----------------------------------------------------------------------===//

using Effects =
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

/// On memrefs the destination is written, and all other operands are read.
static void addEffects(FusedOpInterface op, Effects &effects) {
  OpOperand &init = op.getInitMutable();
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    if (&operand == &init)
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
    else
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  }
}

/// The result has the sizes of the destination.
static LogicalResult reifyFromInit(FusedOpInterface op, OpBuilder &builder,
                                   ReifiedRankedShapedTypeDims &shapes) {
  if (op->getNumResults() != 0)
    shapes.push_back(
        tensor::getMixedSizes(builder, op->getLoc(), op.getInit()));
  return success();
}

//===----------------------------------------------------------------------===//
// FusedConvBiasActOp
//===----------------------------------------------------------------------===//

MutableOperandRange FusedConvBiasActOp::getDpsInitsMutable() {
  return getInitMutable();
}

int64_t FusedConvBiasActOp::getOutputChannelDim() {
  return static_cast<int64_t>(getOutputLayout().find('c'));
}

int64_t FusedConvBiasActOp::getFilterChannelDim() {
  return static_cast<int64_t>(getFilterLayout().find('f'));
}

void FusedConvBiasActOp::getEffects(Effects &effects) {
  addEffects(*this, effects);
}

LogicalResult
FusedConvBiasActOp::reifyResultShapes(OpBuilder &builder,
                                      ReifiedRankedShapedTypeDims &shapes) {
  return reifyFromInit(*this, builder, shapes);
}

//===----------------------------------------------------------------------===//
// FusedDeconvBiasActOp
//===----------------------------------------------------------------------===//

MutableOperandRange FusedDeconvBiasActOp::getDpsInitsMutable() {
  return getInitMutable();
}

int64_t FusedDeconvBiasActOp::getOutputChannelDim() {
  return static_cast<int64_t>(getOutputLayout().find('c'));
}

int64_t FusedDeconvBiasActOp::getFilterChannelDim() {
  return static_cast<int64_t>(getFilterLayout().find('f'));
}

void FusedDeconvBiasActOp::getEffects(Effects &effects) {
  addEffects(*this, effects);
}

LogicalResult
FusedDeconvBiasActOp::reifyResultShapes(OpBuilder &builder,
                                        ReifiedRankedShapedTypeDims &shapes) {
  return reifyFromInit(*this, builder, shapes);
}

//===----------------------------------------------------------------------===//
// FusedMatmulBiasActOp
//===----------------------------------------------------------------------===//

MutableOperandRange FusedMatmulBiasActOp::getDpsInitsMutable() {
  return getInitMutable();
}

int64_t FusedMatmulBiasActOp::getOutputChannelDim() {
  return static_cast<int64_t>(getOutputLayout().find('n'));
}

int64_t FusedMatmulBiasActOp::getFilterChannelDim() {
  return static_cast<int64_t>(getFilterLayout().find('n'));
}

void FusedMatmulBiasActOp::getEffects(Effects &effects) {
  addEffects(*this, effects);
}

LogicalResult
FusedMatmulBiasActOp::reifyResultShapes(OpBuilder &builder,
                                        ReifiedRankedShapedTypeDims &shapes) {
  return reifyFromInit(*this, builder, shapes);
}
