//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Transforms/MultiplyAdd.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fusion;

Operation *fusion::getMultiply(linalg::LinalgOp op) {
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  Operation *add = yielded.getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp, arith::AddIOp>(add))
    return nullptr;
  for (Value addend : add->getOperands())
    if (isa_and_nonnull<arith::MulFOp, arith::MulIOp>(addend.getDefiningOp()))
      return addend.getDefiningOp();
  return nullptr;
}

/// True if `value` is the block argument number `number`, possibly widened.
static bool isWidenedArgument(Value value, unsigned number) {
  if (auto extend = value.getDefiningOp<arith::ExtFOp>())
    value = extend.getIn();
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getArgNumber() == number;
}

/// The body must be exactly acc + input * filter, in any operand order.
static bool isMultiplyAdd(linalg::LinalgOp op) {
  Operation *multiply = getMultiply(op);
  Operation *add =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  Value other = add->getOperand(0) == multiply->getResult(0)
                    ? add->getOperand(1)
                    : add->getOperand(0);
  auto accumulator = dyn_cast<BlockArgument>(other);
  if (!accumulator || accumulator.getArgNumber() != 2)
    return false;
  Value lhs = multiply->getOperand(0), rhs = multiply->getOperand(1);
  return (isWidenedArgument(lhs, 0) && isWidenedArgument(rhs, 1)) ||
         (isWidenedArgument(lhs, 1) && isWidenedArgument(rhs, 0));
}

LogicalResult fusion::checkMultiplyAdd(linalg::LinalgOp op, StringRef what,
                                       const RaiseOptions &options,
                                       Refusal &refusal) {
  if (!op.hasPureTensorSemantics())
    return refusal.because("unsupported: ", what,
                           " on memrefs; raise before "
                           "bufferization");
  Type inputType = getElementTypeOrSelf(op.getDpsInputOperand(0)->get());
  Type filterType = getElementTypeOrSelf(op.getDpsInputOperand(1)->get());
  Type initType = getElementTypeOrSelf(op.getDpsInitOperand(0)->get());
  for (Type type : {inputType, filterType, initType})
    if (!type.isF32() && !type.isBF16() && !type.isF16())
      return refusal.because(
          "unsupported: ",
          op.getNumDpsInputs() > 2 ? ("quantised " + what + ", ").str() : "",
          "element type ", type, ", expected f32, bf16 or f16");
  if (inputType != filterType)
    return refusal.because("unsupported: 'filter' has element type ",
                           filterType, ", expected that of 'input' (",
                           inputType, ")");
  if (!initType.isF32() && initType != inputType)
    return refusal.because("unsupported: accumulator has element type ",
                           initType, ", expected f32 or that of 'input' (",
                           inputType, ")");
  if (op.getNumDpsInputs() != 2 || !isMultiplyAdd(op))
    return refusal.because(
        "unsupported: body is not one multiplication and one addition");
  if (!initType.isF32() && !options.allowContractRounding)
    return refusal.because("rounds each step to ", initType,
                           ", and allow-contract-rounding is off");
  return success();
}
