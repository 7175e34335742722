//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShortVectors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace fusion;

/// Most bytes of a vector, which is four registers of AVX-512 or eight of AVX2.
/// LLVM finds vectors in longer loops.
static constexpr int64_t mostBytes = 256;
/// Fewer elements are a vector only in a reduction of few iterations: in a long
/// one each vector waits for the one before.
static constexpr int64_t enoughElements = 8, fewIterations = 32;

/// True if `reduction` and the loops around it may have many iterations.
static bool isLong(scf::ForOp reduction) {
  int64_t iterations = 1;
  for (auto loop = reduction; loop && iterations <= fewIterations;
       loop = dyn_cast<scf::ForOp>(loop->getParentOp())) {
    std::optional<APInt> trips = loop.getStaticTripCount();
    iterations *=
        trips ? trips->getLimitedValue(fewIterations + 1) : fewIterations + 1;
  }
  return iterations > fewIterations;
}

/// The number of iterations if it is one for a vector, else nothing.
static std::optional<int64_t> getVectorSize(scf::ParallelOp loop,
                                            scf::ForOp reduction) {
  if (loop.getNumLoops() != 1 || !loop.getInitVals().empty() ||
      !isZeroInteger(loop.getLowerBound()[0]) ||
      !isOneInteger(loop.getStep()[0]))
    return std::nullopt;
  std::optional<int64_t> size = getConstantIntValue(loop.getUpperBound()[0]);
  if (!size || *size < 2)
    return std::nullopt;
  return *size < enoughElements && isLong(reduction) ? std::nullopt : size;
}

namespace {
/// The ops of a loop over `position`, and those of the vectors in its place.
struct VectorBody {
  scf::ParallelOp loop;
  int64_t size;
  Value position = loop.getInductionVars()[0];
  /// The values that differ from iteration to iteration.
  DenseSet<Value> varying{position};

  bool varies(Operation &op) const {
    return llvm::any_of(op.getOperands(),
                        [&](Value value) { return varying.contains(value); });
  }

  /// True if a vector of `type` has whole bytes, and not too many.
  bool isElement(Type type) const {
    if (!type.isIntOrFloat() || type.getIntOrFloatBitWidth() % 8 != 0)
      return false;
    return size * type.getIntOrFloatBitWidth() / 8 <= mostBytes;
  }

  /// True for the elements side by side that the iterations read or write.
  bool areSideBySide(Value memref, ValueRange indices) const {
    auto type = cast<MemRefType>(memref.getType());
    return type.isLastDimUnitStride() && isElement(type.getElementType()) &&
           !indices.empty() && indices.back() == position &&
           llvm::none_of(indices.drop_back(),
                         [&](Value index) { return varying.contains(index); });
  }

  bool isElementwise(Operation &op) const {
    auto isType = [&](Type type) { return isElement(type); };
    return isa<arith::ArithDialect>(op.getDialect()) &&
           OpTrait::hasElementwiseMappableTraits(&op) &&
           llvm::all_of(op.getOperandTypes(), isType) &&
           llvm::all_of(op.getResultTypes(), isType);
  }

  /// True if `op` has a form for all iterations at once.
  bool hasVectors(Operation &op) const {
    if (auto store = dyn_cast<memref::StoreOp>(op))
      return areSideBySide(store.getMemRef(), store.getIndices());
    if (auto load = dyn_cast<memref::LoadOp>(op))
      return !varies(op) || areSideBySide(load.getMemRef(), load.getIndices());
    return varies(op) ? isElementwise(op) : isPure(&op);
  }

  bool check() {
    for (Operation &op : loop.getBody()->without_terminator()) {
      if (!hasVectors(op))
        return false;
      if (varies(op))
        varying.insert_range(op.getResults());
    }
    return true;
  }

  void write(RewriterBase &rewriter);
};
} // namespace

void VectorBody::write(RewriterBase &rewriter) {
  Location loc = loop.getLoc();
  IRMapping mapping;
  rewriter.setInsertionPoint(loop);
  mapping.map(position, loop.getLowerBound()[0]);
  auto getVector = [&](Value value) -> Value {
    Value mapped = mapping.lookupOrDefault(value);
    if (isa<VectorType>(mapped.getType()))
      return mapped;
    return vector::BroadcastOp::create(
        rewriter, loc, VectorType::get(size, mapped.getType()), mapped);
  };
  auto lookUp = [&](ValueRange values) {
    return llvm::map_to_vector(
        values, [&](Value value) { return mapping.lookupOrDefault(value); });
  };
  for (Operation &op : loop.getBody()->without_terminator()) {
    if (auto store = dyn_cast<memref::StoreOp>(op)) {
      vector::StoreOp::create(rewriter, loc, getVector(store.getValue()),
                              store.getMemRef(), lookUp(store.getIndices()));
    } else if (!varies(op)) {
      rewriter.clone(op, mapping);
    } else if (auto load = dyn_cast<memref::LoadOp>(op)) {
      auto type = VectorType::get(size, load.getType());
      mapping.map(load.getResult(),
                  vector::LoadOp::create(rewriter, loc, type, load.getMemRef(),
                                         lookUp(load.getIndices())));
    } else {
      OperationState state(op.getLoc(), op.getName());
      state.addOperands(llvm::map_to_vector(op.getOperands(), getVector));
      for (Type type : op.getResultTypes())
        state.addTypes(VectorType::get(size, type));
      state.addAttributes(op.getAttrs());
      mapping.map(op.getResults(), rewriter.create(state)->getResults());
    }
  }
  rewriter.eraseOp(loop);
}

void fusion::replaceByVectors(RewriterBase &rewriter, scf::ParallelOp loop) {
  auto reduction = dyn_cast<scf::ForOp>(loop->getParentOp());
  if (!reduction)
    return;
  std::optional<int64_t> size = getVectorSize(loop, reduction);
  if (!size)
    return;
  VectorBody body{loop, *size};
  if (body.check())
    body.write(rewriter);
}
