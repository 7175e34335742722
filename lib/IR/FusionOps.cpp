//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/IR/Layout.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fusion;

#include "FusionDialect/IR/FusionInterfaces.cpp.inc"

#define GET_OP_CLASSES
#include "FusionDialect/IR/FusionOps.cpp.inc"

MutableOperandRange FusedConvBiasActOp::getDpsInitsMutable() {
  return getInitMutable();
}

int64_t FusedConvBiasActOp::getOutputChannelDim() {
  return static_cast<int64_t>(getOutputLayout().find('c'));
}

int64_t FusedConvBiasActOp::getFilterChannelDim() {
  return static_cast<int64_t>(getFilterLayout().find('f'));
}

void FusedConvBiasActOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  for (OpOperand &operand : getOperation()->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    if (operand.get() == getInit() && isDpsInit(&operand))
      effects.emplace_back(MemoryEffects::Write::get(), &operand);
    else
      effects.emplace_back(MemoryEffects::Read::get(), &operand);
  }
}

LogicalResult FusedConvBiasActOp::reifyResultShapes(
    OpBuilder &builder, ReifiedRankedShapedTypeDims &reifiedReturnShapes) {
  if (!getResult())
    return success();
  reifiedReturnShapes.push_back(
      tensor::getMixedSizes(builder, getLoc(), getInit()));
  return success();
}
