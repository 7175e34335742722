//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Methods of the base class of the fused ops, which FusionOps.td declares.

#include "FusionDialect/IR/FusionOps.h"
#include "FusedOpAssembly.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fusion;

#include "FusionDialect/IR/FusionInterfaces.cpp.inc"

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

#define GET_OP_CLASSES
#include "FusionDialect/IR/FusionOps.cpp.inc"

bool fusion::mayOverwriteResidual(FusedOpInterface op) {
  auto quantized = dyn_cast<QuantizedOpInterface>(op.getOperation());
  return op.getResidual() && (!quantized || quantized.getResidualUnsigned() ==
                                                quantized.getOutputUnsigned());
}
