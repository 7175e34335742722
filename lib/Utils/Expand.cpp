//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Utils/Expand.h"

using namespace mlir;
using namespace fusion;
using utils::IteratorType;

using Groups = SmallVector<ReassociationIndices>;

//===----------------------------------------------------------------------===//
// Reshapes
//===----------------------------------------------------------------------===//

namespace {
/// Sizes that two shapes with the same elements are made of: for each of the
/// two, which of them each of its dimensions has.
struct CommonSizes {
  SmallVector<int64_t> sizes;
  Groups first, second;
};
} // namespace

/// Appends what `first` and `second`, with the same number of elements, have in
/// common.
static LogicalResult appendCommon(ArrayRef<int64_t> first,
                                  ArrayRef<int64_t> second,
                                  CommonSizes &common) {
  auto isKnown = [](int64_t size) { return size > 0; };
  bool isOne = first.size() == 1 && second.size() == 1;
  if (!isOne &&
      !(llvm::all_of(first, isKnown) && llvm::all_of(second, isKnown)))
    return failure();
  common.first.emplace_back();
  common.second.emplace_back();
  auto append = [&](int64_t size) {
    common.first.back().push_back(common.sizes.size());
    common.second.back().push_back(common.sizes.size());
    common.sizes.push_back(size);
  };
  if (isOne) {
    append(first[0]);
    return success();
  }
  int64_t left = first.consume_front(), right = second.consume_front();
  auto advance = [](int64_t &rest, ArrayRef<int64_t> &shape, Groups &groups) {
    if (rest != 1 || shape.empty())
      return false;
    rest = shape.consume_front();
    groups.emplace_back();
    return true;
  };
  for (bool isDone = false; !isDone;) {
    int64_t size = std::min(left, right);
    if (left % size != 0 || right % size != 0)
      return failure();
    append(size);
    left /= size;
    right /= size;
    bool isLeft = advance(left, first, common.first);
    bool isRight = advance(right, second, common.second);
    isDone = !isLeft && !isRight;
  }
  return success();
}

FailureOr<MovedReshape> fusion::moveReshape(RewriterBase &rewriter,
                                            tensor::ExpandShapeOp op,
                                            tensor::CollapseShapeOp merge) {
  CommonSizes common;
  ArrayRef<int64_t> source = merge.getSrcType().getShape();
  ArrayRef<int64_t> result = op.getResultType().getShape();
  for (const auto &[merged, divided] : llvm::zip_equal(
           merge.getReassociationIndices(), op.getReassociationIndices()))
    if (failed(appendCommon(source.slice(merged.front(), merged.size()),
                            result.slice(divided.front(), divided.size()),
                            common)))
      return rewriter.notifyMatchFailure(
          op, "a size is unknown, or does not divide those of the other shape");
  MovedReshape moved;
  Value value = merge.getSrc();
  auto type =
      RankedTensorType::get(common.sizes, op.getResultType().getElementType(),
                            op.getResultType().getEncoding());
  if (common.sizes.size() > source.size()) {
    value = tensor::ExpandShapeOp::create(rewriter, op.getLoc(), type, value,
                                          common.first);
    moved.ops.push_back(value.getDefiningOp());
  }
  if (common.sizes.size() > result.size()) {
    value = tensor::CollapseShapeOp::create(
        rewriter, op.getLoc(), op.getResultType(), value, common.second);
    moved.ops.push_back(value.getDefiningOp());
  }
  moved.results.push_back(value);
  return moved;
}

FailureOr<MovedReshape> fusion::moveReshape(RewriterBase &rewriter,
                                            tensor::CollapseShapeOp op,
                                            tensor::CollapseShapeOp merge) {
  std::optional<Groups> groups = composeReassociationIndices(
      merge.getReassociationIndices(), op.getReassociationIndices(),
      op.getContext());
  if (!groups)
    return rewriter.notifyMatchFailure(op, "the reshapes do not compose");
  auto composed = tensor::CollapseShapeOp::create(
      rewriter, op.getLoc(), op.getResultType(), merge.getSrc(), *groups);
  return MovedReshape{{composed}, {composed}};
}

//===----------------------------------------------------------------------===//
// Ops with loops
//===----------------------------------------------------------------------===//

namespace {
/// Several loops in place of some of an op's.
class DividedLoops {
public:
  explicit DividedLoops(linalg::LinalgOp op) : sizes(op.getNumLoops()) {}

  /// Divides the loops along the dimensions that `merge`, which makes an
  /// operand with `map`, collapses. Fails if there is no such loop.
  LogicalResult divide(AffineMap map, tensor::CollapseShapeOp merge);

  /// The dimensions that those of an operand with `map` become; none if it
  /// reads one otherwise than along a loop that was divided.
  std::optional<Groups> getGroups(AffineMap map) const;
  AffineMap getMap(AffineMap map) const;
  SmallVector<IteratorType> getIterators(linalg::LinalgOp op) const;

  /// The sizes of `value`, an operand with `map`.
  SmallVector<OpFoldResult> getSizes(OpBuilder &builder, Location loc,
                                     Value value, AffineMap map) const;

private:
  bool isDivided(unsigned loop) const { return !sizes[loop].empty(); }
  ArrayRef<int64_t> getParts(AffineExpr result) const;
  SmallVector<AffineExpr> getFirstLoops(MLIRContext *context) const;
  size_t countLoops(unsigned loop) const {
    return std::max<size_t>(sizes[loop].size(), 1);
  }

  /// Those of the loops in place of each one; none if it stays as it is.
  SmallVector<SmallVector<int64_t>> sizes;
};
} // namespace

LogicalResult DividedLoops::divide(AffineMap map,
                                   tensor::CollapseShapeOp merge) {
  ArrayRef<int64_t> shape = merge.getSrcType().getShape();
  for (const auto &[result, group] :
       llvm::zip_equal(map.getResults(), merge.getReassociationIndices())) {
    if (group.size() == 1)
      continue;
    auto loop = dyn_cast<AffineDimExpr>(result);
    ArrayRef<int64_t> parts = shape.slice(group.front(), group.size());
    if (!loop || isDivided(loop.getPosition()) ||
        ShapedType::isDynamicShape(parts))
      return failure();
    sizes[loop.getPosition()].assign(parts.begin(), parts.end());
  }
  return success();
}

ArrayRef<int64_t> DividedLoops::getParts(AffineExpr result) const {
  auto loop = dyn_cast<AffineDimExpr>(result);
  return loop ? ArrayRef(sizes[loop.getPosition()]) : ArrayRef<int64_t>();
}

std::optional<Groups> DividedLoops::getGroups(AffineMap map) const {
  Groups groups;
  int64_t next = 0;
  for (AffineExpr result : map.getResults()) {
    for (unsigned loop = 0; loop < sizes.size(); ++loop)
      if (isDivided(loop) && result.isFunctionOfDim(loop) &&
          !isa<AffineDimExpr>(result))
        return std::nullopt;
    groups.emplace_back();
    for (size_t i = 0; i < std::max<size_t>(getParts(result).size(), 1); ++i)
      groups.back().push_back(next++);
  }
  return groups;
}

SmallVector<AffineExpr>
DividedLoops::getFirstLoops(MLIRContext *context) const {
  SmallVector<AffineExpr> loops;
  unsigned next = 0;
  for (unsigned loop = 0; loop < sizes.size(); ++loop) {
    loops.push_back(getAffineDimExpr(next, context));
    next += countLoops(loop);
  }
  return loops;
}

AffineMap DividedLoops::getMap(AffineMap map) const {
  SmallVector<AffineExpr> firstLoops = getFirstLoops(map.getContext());
  SmallVector<AffineExpr> results;
  for (AffineExpr result : map.getResults()) {
    AffineExpr first = result.replaceDims(firstLoops);
    results.push_back(first);
    for (size_t i = 1; i < getParts(result).size(); ++i)
      results.push_back(getAffineDimExpr(
          cast<AffineDimExpr>(first).getPosition() + i, map.getContext()));
  }
  unsigned numLoops = 0;
  for (unsigned loop = 0; loop < sizes.size(); ++loop)
    numLoops += countLoops(loop);
  return AffineMap::get(numLoops, 0, results, map.getContext());
}

SmallVector<IteratorType>
DividedLoops::getIterators(linalg::LinalgOp op) const {
  SmallVector<IteratorType> iterators;
  for (auto [loop, iterator] : llvm::enumerate(op.getIteratorTypesArray()))
    iterators.append(countLoops(loop), iterator);
  return iterators;
}

SmallVector<OpFoldResult> DividedLoops::getSizes(OpBuilder &builder,
                                                 Location loc, Value value,
                                                 AffineMap map) const {
  SmallVector<OpFoldResult> result;
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    ArrayRef<int64_t> parts = getParts(expr);
    if (parts.empty())
      result.push_back(tensor::getMixedSize(builder, loc, value, dim));
    for (int64_t part : parts)
      result.push_back(builder.getIndexAttr(part));
  }
  return result;
}

/// `operand` of `op` with dimensions in `groups` in place of each of its own.
static Value expandOperand(RewriterBase &rewriter, linalg::LinalgOp op,
                           OpOperand &operand, const DividedLoops &loops,
                           const Groups &groups) {
  Location loc = op.getLoc();
  AffineMap map = op.getMatchingIndexingMap(&operand);
  Value value = operand.get();
  if (groups.empty() ||
      static_cast<size_t>(groups.back().back()) + 1 == groups.size())
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<OpFoldResult> sizes = loops.getSizes(rewriter, loc, value, map);
  if (!op.payloadUsesValueFromOperand(&operand))
    return tensor::EmptyOp::create(rewriter, loc, sizes, type.getElementType(),
                                   type.getEncoding());
  SmallVector<int64_t> shape;
  SmallVector<Value> dynamic;
  dispatchIndexOpFoldResults(sizes, dynamic, shape);
  return rewriter.createOrFold<tensor::ExpandShapeOp>(
      loc,
      RankedTensorType::get(shape, type.getElementType(), type.getEncoding()),
      value, groups, sizes);
}

FailureOr<MovedReshape> fusion::moveReshape(RewriterBase &rewriter,
                                            linalg::LinalgOp op,
                                            OpOperand &leading,
                                            tensor::CollapseShapeOp merge) {
  DividedLoops loops(op);
  if (failed(loops.divide(op.getMatchingIndexingMap(&leading), merge)))
    return rewriter.notifyMatchFailure(
        op, "a merged dimension is dynamic, or none of the loops");
  if (op.hasIndexSemantics())
    return rewriter.notifyMatchFailure(op, "the body reads indices");
  SmallVector<AffineMap> maps;
  SmallVector<Groups> groups;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    std::optional<Groups> found = loops.getGroups(map);
    if (!found)
      return rewriter.notifyMatchFailure(
          op, "a merged dimension is read along several loops");
    groups.push_back(*found);
    maps.push_back(loops.getMap(map));
  }
  SmallVector<Value> operands;
  for (auto [operand, dims] : llvm::zip_equal(op->getOpOperands(), groups))
    operands.push_back(expandOperand(rewriter, op, operand, loops, dims));
  ArrayRef inputs = ArrayRef(operands).take_front(op.getNumDpsInputs());
  ArrayRef inits = ArrayRef(operands).drop_front(op.getNumDpsInputs());
  auto expanded = linalg::GenericOp::create(
      rewriter, op.getLoc(), TypeRange(ValueRange(inits)), inputs, inits, maps,
      loops.getIterators(op));
  rewriter.cloneRegionBefore(op->getRegion(0), expanded.getRegion(),
                             expanded.getRegion().begin());
  MovedReshape moved{{expanded}, {}};
  for (auto [result, old, dims] :
       llvm::zip_equal(expanded.getResults(), op->getResults(),
                       ArrayRef(groups).take_back(inits.size()))) {
    Value value = result;
    if (result.getType() != old.getType()) {
      value = tensor::CollapseShapeOp::create(rewriter, op.getLoc(),
                                              old.getType(), result, dims);
      moved.ops.push_back(value.getDefiningOp());
    }
    moved.results.push_back(value);
  }
  return moved;
}
