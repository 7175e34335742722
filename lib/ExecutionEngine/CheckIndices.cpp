//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Checks.h"
#include "Computation.h"
#include "IndexRanges.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/SmallBitVector.h"

using namespace mlir;
using namespace fusion;

namespace {
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
// Windows
//===----------------------------------------------------------------------===//

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
    return computation.create(inner, indices).lookupOrDefault(index);
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
