//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checks.h"
#include "IndexRanges.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace fusion;

namespace {
/// The least and the greatest of some indices.
struct Extremes {
  Value least, most;
};

/// Dimension `dim` of `buffer`, and the op that reads or writes it.
struct Access {
  Operation *op;
  Value buffer;
  int64_t dim;

  int64_t getStaticSize() const {
    return cast<MemRefType>(buffer.getType()).getDimSize(dim);
  }
};
} // namespace

/// Fails the call unless both indices are in the dimension. There may be none:
/// then 0 and -1 stand for them.
static void requireInside(Checks &checks, OpBuilder &builder,
                          const Access &access, Extremes indices) {
  Location loc = access.op->getLoc();
  using Predicate = arith::CmpIPredicate;
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value size = getSize(builder, loc, access.buffer, access.dim);
  Value isNegative =
      arith::CmpIOp::create(builder, loc, Predicate::slt, indices.least, zero);
  Value isBeyond =
      arith::CmpIOp::create(builder, loc, Predicate::sge, indices.most, size);
  Value fails = arith::OrIOp::create(builder, loc, isNegative, isBeyond);
  Value given = arith::SelectOp::create(builder, loc, isNegative, indices.least,
                                        indices.most);
  StringRef name = access.op->getName().getStringRef();
  checks.failIf(builder, access.op, fails,
                ("index " + Twine(access.dim) + " of '" + name +
                 "' must be at least 0 and below {}, got {}")
                    .str(),
                {size, given});
}

//===----------------------------------------------------------------------===//
// Loops in front of a linalg op
//===----------------------------------------------------------------------===//

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

/// Creates loops over the dimensions `loops` of `op`, and no others, in front
/// of it, that find the extremes of what `compute` makes of their indices.
/// Nothing is computed that `op` does not compute.
static Extremes
findExtremes(OpBuilder &builder, linalg::LinalgOp op,
             const llvm::SmallBitVector &loops,
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

void fusion::checkWindows(Checks &checks, linalg::LinalgOp op) {
  for (OpOperand &operand : op->getOpOperands()) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    AffineMap map = op.getMatchingIndexingMap(&operand);
    if (!type || map.isProjectedPermutation())
      continue;
    SmallVector<std::optional<int64_t>> lowers(op.getNumLoops(), 0), uppers;
    for (int64_t size : op.getStaticLoopRanges())
      uppers.push_back(ShapedType::isDynamic(size)
                           ? std::nullopt
                           : std::optional<int64_t>(size - 1));
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      if (isa<AffineDimExpr>(expr))
        continue;
      Access access{op, operand.get(), static_cast<int64_t>(dim)};
      auto least = getBoundForAffineExpr(expr, op.getNumLoops(), 0, lowers,
                                         uppers, /*isUpper=*/false),
           most = getBoundForAffineExpr(expr, op.getNumLoops(), 0, lowers,
                                        uppers, /*isUpper=*/true);
      if (least && most && *least >= 0 && *most < access.getStaticSize())
        continue;
      OpBuilder builder(op);
      llvm::SmallBitVector loops(op.getNumLoops());
      for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
        loops[loop] = expr.isFunctionOfDim(loop);
      auto apply = [&, expr = expr](OpBuilder &inner,
                                    ArrayRef<OpFoldResult> indices) -> Value {
        return getValueOrCreateConstantIndexOp(
            inner, op.getLoc(),
            affine::makeComposedFoldedAffineApply(inner, op.getLoc(), expr,
                                                  indices));
      };
      requireInside(checks, builder, access,
                    findExtremes(builder, op, loops, apply));
    }
  }
}

//===----------------------------------------------------------------------===//
// Indices that the body of a linalg op computes
//===----------------------------------------------------------------------===//

namespace {
/// How the body of a linalg op computes an index.
class Computation {
public:
  explicit Computation(linalg::LinalgOp op) : op(op), loops(op.getNumLoops()) {}

  /// Adds `value`. False if it cannot be computed in front of the op, for an
  /// element of a result that the op updates for instance.
  bool add(Value value);

  /// Creates it for one iteration.
  Value create(OpBuilder &builder, Value index, ArrayRef<OpFoldResult> indices);

  const llvm::SmallBitVector &getLoops() const { return loops; }

private:
  linalg::LinalgOp op;
  llvm::SmallBitVector loops;
  llvm::SmallPtrSet<Operation *, 8> ops;
  llvm::SmallSetVector<BlockArgument, 2> arguments;
};
} // namespace

/// True if `value` is there in front of `op`.
static bool isOutside(Value value, linalg::LinalgOp op) {
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

Value Computation::create(OpBuilder &builder, Value index,
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
  return mapping.lookupOrDefault(index);
}

/// Checks in front of `op` what its body accesses at `index`. False if that is
/// not known there.
static bool checkInFront(Checks &checks, linalg::LinalgOp op,
                         const Access &access, Value index) {
  Computation computation(op);
  if (access.op->getBlock() != op.getBlock() || !isOutside(access.buffer, op) ||
      !computation.add(index))
    return false;
  OpBuilder builder(op);
  auto compute = [&](OpBuilder &inner, ArrayRef<OpFoldResult> indices) {
    return computation.create(inner, index, indices);
  };
  requireInside(checks, builder, access,
                findExtremes(builder, op, computation.getLoops(), compute));
  return true;
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

/// Checks in front of a loop what it accesses at its own index in each
/// iteration. False if it does not do so.
static bool checkInFrontOfLoop(Checks &checks, const Access &access,
                               Value index) {
  auto loop = dyn_cast<scf::ForOp>(access.op->getParentOp());
  if (!loop || loop.getInductionVar() != index || !index.getType().isIndex() ||
      getConstantIntValue(loop.getStep()) != 1 ||
      !loop.isDefinedOutsideOfLoop(access.buffer))
    return false;
  ImplicitLocOpBuilder b(access.op->getLoc(), loop);
  Value lower = loop.getLowerBound(), upper = loop.getUpperBound();
  Value isEmpty =
      arith::CmpIOp::create(b, arith::CmpIPredicate::sge, lower, upper);
  Value zero = arith::ConstantIndexOp::create(b, 0);
  Value none = arith::ConstantIndexOp::create(b, -1);
  Value last = arith::AddIOp::create(b, upper, none);
  requireInside(checks, b, access,
                {arith::SelectOp::create(b, isEmpty, zero, lower),
                 arith::SelectOp::create(b, isEmpty, none, last)});
  return true;
}

void fusion::checkIndices(Checks &checks, IndexRanges &ranges, Operation *op,
                          Value buffer, ValueRange indices) {
  for (auto [dim, index] : llvm::enumerate(indices)) {
    Access access{op, buffer, static_cast<int64_t>(dim)};
    if (ranges.isInside(index, buffer, dim))
      continue;
    auto body = dyn_cast<linalg::LinalgOp>(op->getParentOp());
    if (body && checkInFront(checks, body, access, index)) {
      if (!isOutside(index, body))
        ranges.setInside(index, buffer, dim);
      continue;
    }
    if (checkInFrontOfLoop(checks, access, index))
      continue;
    OpBuilder builder(op);
    requireInside(checks, builder, access, {index, index});
  }
}
