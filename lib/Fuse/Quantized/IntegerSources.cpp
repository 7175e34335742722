//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IntegerSources.h"
#include "DequantizedFilter.h"
#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/IR/LocationText.h"
#include "FusionDialect/Utils/EmitVector.h"
#include "FusionDialect/Utils/Moves.h"
#include "Laws.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fusion;

bool fusion::readsIntegers(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  return op && llvm::any_of(op.getDpsInputs(), [](Value input) {
           return getElementTypeOrSelf(input).isInteger(8);
         });
}

namespace {
/// Whether a value is made of integers of 8 bits, and the last op behind them
/// that is no part of a dequantisation, or null.
struct Source {
  bool isIntegers = false;
  Operation *between = nullptr;
};
} // namespace

static Source findIntegers(Value value) {
  Operation *last = nullptr;
  while (Operation *op = value.getDefiningOp()) {
    if (readsIntegers(value))
      return {true, last};
    OpOperand *moved = getMovedOperand(op);
    if (!moved)
      break;
    last = last ? last : op;
    value = moved->get();
  }
  return {};
}

bool fusion::comesFromIntegers(Value value) {
  return comesFrom(value, [](Operation *op) {
    return llvm::any_of(op->getResults(), readsIntegers);
  });
}

/// Of a filter, other element-wise ops may be factors that are no constants.
static Source findFilterIntegers(Value filter) {
  filter = skipMovesAndScales(filter);
  Source source = findIntegers(filter);
  if (source.isIntegers || !comesFromIntegers(filter))
    return source;
  return {true, filter.getDefiningOp()};
}

bool fusion::hasIntegerOperand(FusedOpInterface op) {
  return !isa<QuantizedOpInterface>(op.getOperation()) &&
         (findIntegers(op.getInput()).isIntegers ||
          findFilterIntegers(op.getFilter()).isIntegers);
}

/// Refuses operands and results of other floats than the sum is scaled to.
static LogicalResult checkTypes(FusedOpInterface op, Refusal &refusal) {
  Type operands = getElementTypeOrSelf(op.getInput());
  if (!operands.isF32())
    return refusal.because("unsupported: operands are dequantised to ",
                           operands, ", expected f32");
  Type type = op.getOutputType().getElementType();
  if (!type.isF32())
    return refusal.because("unsupported: result is ", type, ", expected f32");
  return success();
}

/// Refuses an operand that is made of integers, but of another width or by
/// another op than one of linalg.
static LogicalResult checkNoOtherIntegers(StringRef role, Value operand,
                                          Refusal &refusal) {
  Operation *maker = nullptr;
  Type type;
  auto readsOthers = [&](Operation *op) {
    for (Value read : op->getOperands()) {
      type = getElementTypeOrSelf(read);
      if (!isa<FloatType>(type) && !type.isInteger(1) && !type.isIndex())
        maker = op;
      if (maker)
        break;
    }
    return maker != nullptr;
  };
  if (!comesFrom(operand, readsOthers))
    return success();
  if (type.isInteger() && !type.isInteger(8))
    return refusal.because("unsupported: '", role, "' is dequantised from ",
                           type, ", expected i8");
  if (isa<linalg::LinalgOp>(maker))
    return success();
  return refusal.because("unsupported: '", role, "' is dequantised by '",
                         maker->getName().getStringRef(),
                         "', expected an op of linalg");
}

/// True if `op` reads narrow integers of which no op reads a filter, such as
/// i4. Wider ones may be indices.
static bool readsOtherNarrowIntegers(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && llvm::any_of(linalgOp.getDpsInputs(), [](Value input) {
           auto type = dyn_cast<IntegerType>(getElementTypeOrSelf(input));
           return type && type.getWidth() > 1 && type.getWidth() <= 16 &&
                  type.getWidth() != 8;
         });
}

LogicalResult fusion::checkNoOtherFilter(FusedOpInterface op,
                                         Refusal &refusal) {
  if (!comesFrom(skipMovesAndScales(op.getFilter()), readsOtherNarrowIntegers))
    return success();
  if (failed(checkNoOtherIntegers("input", op.getInput(), refusal)))
    return failure();
  return refusal.because(
      "unsupported: 'filter' is dequantised, and 'input' is not");
}

LogicalResult fusion::checkSources(FusedOpInterface op, bool isInputIntegers,
                                   Refusal &refusal) {
  Source input =
      isInputIntegers ? Source{true, nullptr} : findIntegers(op.getInput());
  Source filter = findFilterIntegers(op.getFilter());
  if ((!input.isIntegers &&
       failed(checkNoOtherIntegers("input", op.getInput(), refusal))) ||
      (!filter.isIntegers &&
       failed(checkNoOtherIntegers("filter", op.getFilter(), refusal))))
    return failure();
  if (!input.isIntegers)
    return refusal.because(
        "unsupported: 'filter' is dequantised, and 'input' is not");
  if (!filter.isIntegers && matchPattern(op.getFilter(), m_Constant()) &&
      getUniformNumber(op.getFilter()))
    return refusal.because("unsupported: 'input' is dequantised, and 'filter' "
                           "is one number in f32");
  if (!filter.isIntegers)
    return refusal.because(
        "unsupported: 'input' is dequantised, and 'filter' is not");
  if (failed(checkTypes(op, refusal)))
    return failure();
  Operation *between = input.between ? input.between : filter.between;
  if (!between)
    return success();
  return refusal.because("unsupported: '", between->getName().getStringRef(),
                         "' at ", getLocationText(between->getLoc()),
                         " comes between '", input.between ? "input" : "filter",
                         "' and its dequantisation");
}
