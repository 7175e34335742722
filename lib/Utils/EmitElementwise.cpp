//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Utils/EmitElementwise.h"
#include "FusionDialect/Utils/Moves.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fusion;

/// The element that `operand` has everywhere; null if it is no constant.
static TypedAttr getNumber(Value operand) {
  DenseElementsAttr elements;
  if (!matchPattern(operand, m_Constant(&elements)) || !elements.isSplat())
    return nullptr;
  return elements.getSplatValue<TypedAttr>();
}

LogicalResult fusion::checkElementwise(ElementwiseStep step, Refusal &refusal) {
  for (OpOperand *operand : step.op.getDpsInputOperands())
    if (operand->get() != step.input &&
        isa<ShapedType>(operand->get().getType()) && !getNumber(operand->get()))
      return refusal.because("operand ", operand->getOperandNumber(), " of '",
                             step.op->getName().getStringRef(),
                             "' is not one number");
  return success();
}

/// Emits the body of `step` on `element`. `numbers` has those of its operands
/// that are constant tensors.
static Value emitBody(OpBuilder &builder, ElementwiseStep step,
                      const IRMapping &numbers, Value element) {
  IRMapping mapping;
  for (OpOperand *operand : step.op.getDpsInputOperands())
    mapping.map(step.op.getMatchingBlockArgument(operand),
                operand->get() == step.input
                    ? element
                    : numbers.lookupOrDefault(operand->get()));
  Block *body = step.op.getBlock();
  for (Operation &inner : body->without_terminator())
    builder.clone(inner, mapping);
  return mapping.lookupOrDefault(body->getTerminator()->getOperand(0));
}

Value fusion::emitElementwise(OpBuilder &builder,
                              ArrayRef<ElementwiseStep> steps, Value tensor) {
  linalg::LinalgOp last = steps.back().op;
  Location loc = last->getLoc();
  IRMapping numbers;
  for (ElementwiseStep step : steps)
    for (Value operand : step.op.getDpsInputs())
      if (TypedAttr number = getNumber(operand))
        numbers.map(operand, arith::ConstantOp::create(builder, loc, number));
  Value init = createEmptyLike(builder, tensor,
                               getElementTypeOrSelf(last->getResult(0)));
  int64_t rank = cast<ShapedType>(tensor.getType()).getRank();
  AffineMap identity = builder.getMultiDimIdentityMap(rank);
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, init.getType(), tensor, init,
             ArrayRef<AffineMap>{identity, identity}, iterators,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               Value element = args[0];
               for (ElementwiseStep step : steps)
                 element = emitBody(b, step, numbers, element);
               linalg::YieldOp::create(b, loc, element);
             })
      .getResult(0);
}
