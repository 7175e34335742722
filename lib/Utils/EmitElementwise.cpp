//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Utils/EmitElementwise.h"
#include "FusionDialect/Analysis/AffineRounding.h"
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

/// True if `operand` reads the element of the input that `step` computes from.
/// The op may read the same tensor by another map too: another element, which
/// stays where it is.
static bool isElement(ElementwiseStep step, OpOperand *operand) {
  return operand->get() == step.input &&
         readsEachElement(step.op, step.op.getMatchingIndexingMap(operand));
}

LogicalResult fusion::checkElementwise(ElementwiseStep step, Refusal &refusal) {
  for (OpOperand *operand : step.op.getDpsInputOperands())
    if (!isElement(step, operand) &&
        isa<ShapedType>(operand->get().getType()) &&
        !step.op.getMatchingIndexingMap(operand).isConstant() &&
        !getNumber(operand->get()))
      return refusal.because("operand ", operand->getOperandNumber(), " of '",
                             step.op->getName().getStringRef(),
                             "' is not one number");
  return success();
}

namespace {
/// The operands of steps that are numbers.
struct Numbers {
  /// The values in place of the arguments of bodies, outside of the op.
  IRMapping values;
  /// Of tensors, in the order of the inputs of the op.
  SmallVector<BlockArgument> arguments;
  SmallVector<Value> tensors;
  SmallVector<AffineMap> maps;
};
} // namespace

/// Reads the operands of `steps` but their inputs, for an op with `rank` loops.
static Numbers readNumbers(OpBuilder &builder, Location loc,
                           ArrayRef<ElementwiseStep> steps, int64_t rank) {
  Numbers numbers;
  for (ElementwiseStep step : steps)
    for (OpOperand *operand : step.op.getDpsInputOperands()) {
      BlockArgument argument = step.op.getMatchingBlockArgument(operand);
      Value value = operand->get();
      if (isElement(step, operand))
        continue;
      if (TypedAttr number = getNumber(value)) {
        numbers.values.map(argument,
                           arith::ConstantOp::create(builder, loc, number));
      } else if (isa<ShapedType>(value.getType())) {
        AffineMap map = step.op.getMatchingIndexingMap(operand);
        numbers.arguments.push_back(argument);
        numbers.tensors.push_back(value);
        numbers.maps.push_back(
            AffineMap::get(rank, 0, map.getResults(), builder.getContext()));
      } else {
        numbers.values.map(argument, value);
      }
    }
  return numbers;
}

static Value emitBody(OpBuilder &builder, ElementwiseStep step,
                      IRMapping mapping, Value element) {
  for (OpOperand *operand : step.op.getDpsInputOperands())
    if (isElement(step, operand))
      mapping.map(step.op.getMatchingBlockArgument(operand), element);
  Block *body = step.op.getBlock();
  for (Operation &inner : body->without_terminator())
    builder.clone(inner, mapping);
  return mapping.lookupOrDefault(body->getTerminator()->getOperand(0));
}

Value fusion::emitElementwise(OpBuilder &builder,
                              ArrayRef<ElementwiseStep> steps, Value tensor) {
  linalg::LinalgOp last = steps.back().op;
  Location loc = last->getLoc();
  int64_t rank = cast<ShapedType>(tensor.getType()).getRank();
  Numbers numbers = readNumbers(builder, loc, steps, rank);
  Value init = createEmptyLike(builder, tensor,
                               getElementTypeOrSelf(last->getResult(0)));
  SmallVector<Value> inputs = {tensor};
  inputs.append(numbers.tensors);
  AffineMap identity = builder.getMultiDimIdentityMap(rank);
  SmallVector<AffineMap> maps = {identity};
  maps.append(numbers.maps);
  maps.push_back(identity);
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, init.getType(), inputs, init, maps, iterators,
             [&](OpBuilder &b, Location loc, ValueRange args) {
               IRMapping mapping = numbers.values;
               for (auto [argument, value] :
                    llvm::zip(numbers.arguments, args.drop_front()))
                 mapping.map(argument, value);
               Value element = args[0];
               for (ElementwiseStep step : steps)
                 element = emitBody(b, step, mapping, element);
               linalg::YieldOp::create(b, loc, element);
             })
      .getResult(0);
}
