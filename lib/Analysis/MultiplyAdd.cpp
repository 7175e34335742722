//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/MultiplyAdd.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fusion;

/// True if `value`, in the body of `op`, is computed from input `number`.
static bool isComputedFrom(linalg::LinalgOp op, unsigned number, Value value) {
  llvm::SetVector<Value> worklist;
  worklist.insert(value);
  for (size_t i = 0; i != worklist.size(); ++i) {
    Operation *definingOp = worklist[i].getDefiningOp();
    if (definingOp && definingOp->getBlock() == op.getBlock())
      worklist.insert_range(definingOp->getOperands());
  }
  return worklist.contains(op.getBlock()->getArgument(number));
}

Operation *fusion::getMultiply(linalg::LinalgOp op) {
  if (op.getNumDpsInputs() < 2)
    return nullptr;
  auto isFactor = [&](Value value, unsigned number) {
    return isComputedFrom(op, number, value) &&
           !isComputedFrom(op, 1 - number, value);
  };
  Operation *last =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  for (Operation &inner : *op.getBlock()) {
    if (!isa<arith::MulFOp, arith::MulIOp, math::FmaOp>(inner))
      continue;
    if (isa_and_nonnull<arith::AddFOp, arith::AddIOp>(last) &&
        llvm::is_contained(last->getOperands(), inner.getResult(0)))
      return &inner;
    Value lhs = inner.getOperand(0), rhs = inner.getOperand(1);
    if ((isFactor(lhs, 0) && isFactor(rhs, 1)) ||
        (isFactor(lhs, 1) && isFactor(rhs, 0)))
      return &inner;
  }
  return nullptr;
}

bool fusion::multipliesIntegers(linalg::LinalgOp op) {
  return getElementTypeOrSelf(op.getDpsInits()[0]).isInteger() &&
         isa_and_nonnull<arith::MulIOp>(getMultiply(op));
}

/// True if `value` is argument number `number` of the body of `op`, possibly
/// widened.
static bool isWidenedArgument(linalg::LinalgOp op, Value value,
                              unsigned number) {
  if (auto extend = value.getDefiningOp<arith::ExtFOp>())
    value = extend.getIn();
  return value == op.getBlock()->getArgument(number);
}

/// True if the body is exactly acc + input * filter, in any operand order.
static bool isMultiplyAdd(linalg::LinalgOp op) {
  if (!llvm::all_of(*op.getBlock(), [](Operation &inner) {
        return isMemoryEffectFree(&inner);
      }))
    return false;
  Operation *multiply = getMultiply(op);
  Operation *add =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::AddFOp>(add) || !isa<arith::MulFOp>(multiply) ||
      !llvm::is_contained(add->getOperands(), multiply->getResult(0)))
    return false;
  Value other = add->getOperand(0) == multiply->getResult(0)
                    ? add->getOperand(1)
                    : add->getOperand(0);
  if (other != op.getBlock()->getArgument(2))
    return false;
  Value lhs = multiply->getOperand(0), rhs = multiply->getOperand(1);
  return (isWidenedArgument(op, lhs, 0) && isWidenedArgument(op, rhs, 1)) ||
         (isWidenedArgument(op, lhs, 1) && isWidenedArgument(op, rhs, 0));
}

AffineMap fusion::replaceZeros(linalg::LinalgOp op, AffineMap map,
                               ArrayRef<int64_t> shape, AffineMap other) {
  SmallVector<unsigned> zeros;
  for (auto [i, expr] : llvm::enumerate(map.getResults()))
    if (auto number = dyn_cast<AffineConstantExpr>(expr);
        number && number.getValue() == 0 && shape[i] == 1)
      zeros.push_back(i);
  if (zeros.empty())
    return map;
  SmallVector<AffineExpr> batch, rows, sums;
  for (auto [loop, size, iterator] :
       llvm::enumerate(op.getStaticLoopRanges(), op.getIteratorTypesArray())) {
    if (size != 1 || map.isFunctionOfDim(loop))
      continue;
    AffineExpr expr = getAffineDimExpr(loop, map.getContext());
    if (iterator == utils::IteratorType::reduction)
      sums.push_back(expr);
    else
      (other.isFunctionOfDim(loop) ? batch : rows).push_back(expr);
  }
  // Where there are more loops than dimensions, the last ones are windows.
  SmallVector<AffineExpr> windows;
  while (rows.size() + sums.size() + windows.size() > zeros.size() &&
         !rows.empty() && !sums.empty())
    windows.push_back(rows.pop_back_val() + sums.pop_back_val());
  size_t found =
      std::min(rows.size() + sums.size() + windows.size(), zeros.size());
  batch.truncate(std::min(batch.size(), zeros.size() - found));
  SmallVector<AffineExpr> loops = llvm::to_vector(llvm::concat<AffineExpr>(
      batch, rows, sums, llvm::to_vector(llvm::reverse(windows))));
  SmallVector<AffineExpr> results = llvm::to_vector(map.getResults());
  for (auto [zero, loop] : llvm::zip(zeros, loops))
    results[zero] = loop;
  return AffineMap::get(map.getNumDims(), 0, results, map.getContext());
}

SmallVector<AffineMap> fusion::getOperandMaps(linalg::LinalgOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  AffineMap lhs = replaceZeros(op, maps[0], op.getShape(&op->getOpOperand(0)),
                               /*other=*/maps[1]);
  AffineMap rhs = replaceZeros(op, maps[1], op.getShape(&op->getOpOperand(1)),
                               /*other=*/lhs);
  return {lhs, rhs, maps.back()};
}

std::optional<LoopConflict> fusion::findLoopConflict(ArrayRef<AffineMap> maps,
                                                     TypeRange types) {
  SmallVector<std::optional<std::pair<unsigned, int64_t>>> known(
      maps.front().getNumDims());
  for (auto [operand, map, type] : llvm::enumerate(maps, types)) {
    auto shaped = dyn_cast<ShapedType>(type);
    if (!shaped)
      continue;
    for (auto [expr, size] : llvm::zip(map.getResults(), shaped.getShape())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop || ShapedType::isDynamic(size))
        continue;
      auto &first = known[loop.getPosition()];
      if (first && first->second != size)
        return LoopConflict{loop.getPosition(),
                            {first->first, static_cast<unsigned>(operand)},
                            {first->second, size}};
      first = {operand, size};
    }
  }
  return std::nullopt;
}

/// Fails unless all operands agree on the size of each loop.
static LogicalResult checkLoopSizes(linalg::LinalgOp op, unsigned input,
                                    Refusal &refusal) {
  StringRef names[] = {"filter", "filter", "init"};
  names[input] = "input";
  std::array<Type, 3> types = {op->getOperand(0).getType(),
                               op->getOperand(1).getType(),
                               op.getDpsInits()[0].getType()};
  auto conflict = findLoopConflict(getOperandMaps(op), types);
  if (!conflict)
    return success();
  auto [loop, operands, sizes] = *conflict;
  return refusal.because("loop ", loop, " has ", sizes[0], " iterations for '",
                         names[operands[0]], "' and ", sizes[1], " for '",
                         names[operands[1]], "'");
}

LogicalResult fusion::checkMultiplyAdd(linalg::LinalgOp op, StringRef what,
                                       const RaiseOptions &options,
                                       Refusal &refusal, unsigned input) {
  if (!op.hasPureTensorSemantics())
    return refusal.because("unsupported: ", what,
                           " on memrefs; raise before "
                           "bufferization");
  if (options.integers)
    return failed(matchIntegerFactors(op, what, refusal))
               ? failure()
               : checkLoopSizes(op, input, refusal);
  Type inputType = getElementTypeOrSelf(op.getDpsInputOperand(input)->get());
  Type filterType =
      getElementTypeOrSelf(op.getDpsInputOperand(1 - input)->get());
  Type initType = getElementTypeOrSelf(op.getDpsInitOperand(0)->get());
  for (Type type : {inputType, filterType, initType})
    if (!type.isF32() && !type.isBF16() && !type.isF16())
      return refusal.because("unsupported: element type ", type,
                             ", expected f32, bf16 or f16");
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
  if (failed(checkLoopSizes(op, input, refusal)))
    return failure();
  if (!initType.isF32() && !options.allowContractRounding)
    return refusal.because("rounds each step to ", initType,
                           ", and allow-contract-rounding is off");
  return success();
}
