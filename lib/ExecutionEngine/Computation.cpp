//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Computation.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace fusion;

bool fusion::isOutside(Value value, linalg::LinalgOp op) {
  return value.getParentRegion()->isProperAncestor(&op->getRegion(0));
}

bool Computation::add(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value);
      argument && argument.getOwner() == op.getBlock()) {
    OpOperand *operand = op.getMatchingOpOperand(argument);
    AffineMap map = op.getMatchingIndexingMap(operand);
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      if (map.isFunctionOfDim(loop))
        loops.set(loop);
    arguments.insert(argument);
    return op.isDpsInput(operand);
  }
  Operation *inner = value.getDefiningOp();
  if (isOutside(value, op))
    return true;
  if (!inner || inner->getBlock() != op.getBlock() ||
      inner->getNumRegions() > 0)
    return false;
  // Its own indices were checked before.
  auto load = dyn_cast<memref::LoadOp>(inner);
  if (load ? !isOutside(load.getMemRef(), op) : !isMemoryEffectFree(inner))
    return false;
  if (auto index = dyn_cast<linalg::IndexOp>(inner))
    loops.set(index.getDim());
  return !ops.insert(inner).second ||
         llvm::all_of(inner->getOperands(),
                      [&](Value operand) { return add(operand); });
}

IRMapping Computation::create(OpBuilder &builder,
                              ArrayRef<OpFoldResult> indices) {
  Location loc = op.getLoc();
  IRMapping mapping;
  for (BlockArgument argument : arguments) {
    OpOperand *operand = op.getMatchingOpOperand(argument);
    Value element = operand->get();
    if (isa<MemRefType>(element.getType())) {
      AffineMap map = op.getMatchingIndexingMap(operand);
      SmallVector<Value> places;
      for (AffineExpr expr : map.getResults())
        places.push_back(getValueOrCreateConstantIndexOp(
            builder, loc,
            affine::makeComposedFoldedAffineApply(builder, loc, expr,
                                                  indices)));
      element = memref::LoadOp::create(builder, loc, element, places);
    }
    mapping.map(argument, element);
  }
  for (Operation &inner : *op.getBlock()) {
    if (!ops.contains(&inner))
      continue;
    if (auto number = dyn_cast<linalg::IndexOp>(inner))
      mapping.map(number, getValueOrCreateConstantIndexOp(
                              builder, loc, indices[number.getDim()]));
    else
      builder.clone(inner, mapping);
  }
  return mapping;
}

/// 1 if `op`, which has the loops `ranges`, has an iteration for each one of
/// `loops`, and 0 if another loop is empty.
static Value countOthers(OpBuilder &builder, Location loc,
                         ArrayRef<Range> ranges,
                         const llvm::SmallBitVector &loops) {
  Value count = arith::ConstantIndexOp::create(builder, loc, 1);
  for (auto [loop, range] : llvm::enumerate(ranges))
    if (!loops[loop])
      count = arith::MinSIOp::create(
          builder, loc, count,
          getValueOrCreateConstantIndexOp(builder, loc, range.size));
  return count;
}

Extremes fusion::findExtremes(
    OpBuilder &builder, linalg::LinalgOp op, const llvm::SmallBitVector &loops,
    function_ref<Value(OpBuilder &, ArrayRef<OpFoldResult>)> compute) {
  Location loc = op.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value none = arith::ConstantIndexOp::create(builder, loc, -1);
  SmallVector<Range> ranges = op.createLoopRanges(builder, loc);
  SmallVector<Value> uppers = {countOthers(builder, loc, ranges, loops)};
  for (unsigned loop : loops.set_bits())
    uppers.push_back(
        getValueOrCreateConstantIndexOp(builder, loc, ranges[loop].size));
  SmallVector<Value> lowers(uppers.size(), zero), steps(uppers.size(), one);
  auto body = [&](OpBuilder &inner, Location, ValueRange ivs,
                  ValueRange before) -> SmallVector<Value> {
    SmallVector<OpFoldResult> indices(op.getNumLoops(), inner.getIndexAttr(0));
    for (auto [loop, iv] : llvm::zip_equal(loops.set_bits(), ivs.drop_front()))
      indices[loop] = iv;
    Value index = compute(inner, indices);
    return {arith::MinSIOp::create(inner, loc, before[0], index),
            arith::MaxSIOp::create(inner, loc, before[1], index)};
  };
  scf::LoopNest nest = scf::buildLoopNest(builder, loc, lowers, uppers, steps,
                                          {zero, none}, body);
  return {nest.results[0], nest.results[1]};
}
