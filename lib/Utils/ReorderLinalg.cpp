//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Transpose.h"
#include "FusionDialect/Utils/Reorder.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace fusion;

namespace {
/// An order of the loops of a linalg op that follows the dimensions of one
/// operand.
class LoopOrder {
public:
  /// Follows the operand with `map`, whose dimensions are in `order`.
  LoopOrder(AffineMap map, ArrayRef<int64_t> order)
      : positions(map.getNumDims(), none),
        places(invertPermutationVector(order)) {
    for (auto [position, dim] : llvm::enumerate(order))
      for (unsigned loop = 0; loop < map.getNumDims(); ++loop)
        if (map.getResult(dim).isFunctionOfDim(loop)) {
          isUnique &= positions[loop] == none;
          positions[loop] = static_cast<int64_t>(position);
        }
  }

  /// Adds loops of a result with `map` along which the leading operand is
  /// broadcast. They take the place of its dimension of the same number.
  void addLoops(AffineMap map) {
    if (map.getNumResults() != places.size())
      return;
    for (auto [dim, result] : llvm::enumerate(map.getResults()))
      if (auto loop = dyn_cast<AffineDimExpr>(result);
          loop && positions[loop.getPosition()] == none)
        positions[loop.getPosition()] = places[dim];
  }

  /// Adds loops of a result with `map` that repeat elements of the leading
  /// operand. They stay behind the dimension of the result in front of them.
  void addRepeats(AffineMap map) {
    int64_t place = none;
    for (AffineExpr result : map.getResults())
      if (auto loop = dyn_cast<AffineDimExpr>(result)) {
        int64_t &position = positions[loop.getPosition()];
        position = position == none ? place : position;
        place = position;
      }
  }

  /// False if one loop indexes two dimensions.
  bool isValid() const { return isUnique; }

  /// The order of the dimensions of an operand with `map` that follows the
  /// loops; none if it has dimensions without a place among them. If
  /// `hasFixed`, a dimension that no loop indexes takes the place of the
  /// leading operand's dimension of the same number. If there are fewer
  /// dimensions or more, it stays behind the one in front of it.
  std::optional<DimOrder> orderOf(AffineMap map, bool hasFixed) const {
    bool hasPlaces = map.getNumResults() == places.size();
    SmallVector<int64_t> found;
    for (auto [dim, result] : llvm::enumerate(map.getResults())) {
      if (!hasFixed || !isa<AffineConstantExpr>(result))
        found.push_back(placeOf(result));
      else if (hasPlaces)
        found.push_back(places[dim]);
      else
        found.push_back(found.empty() ? 0 : found.back());
    }
    if (llvm::is_contained(found, none))
      return std::nullopt;
    DimOrder order = llvm::to_vector(llvm::seq<int64_t>(0, found.size()));
    llvm::sort(order, [&](int64_t a, int64_t b) {
      return std::make_pair(found[a], a) < std::make_pair(found[b], b);
    });
    return order;
  }

  /// All loops in order; reductions come last.
  SmallVector<unsigned> loops(ArrayRef<utils::IteratorType> iterators) const {
    SmallVector<unsigned> loops =
        llvm::to_vector(llvm::seq<unsigned>(0, positions.size()));
    llvm::sort(loops, [&](unsigned a, unsigned b) {
      return std::make_tuple(iterators[a], positions[a], a) <
             std::make_tuple(iterators[b], positions[b], b);
    });
    return loops;
  }

private:
  /// The last place of the loops that `result` depends on.
  int64_t placeOf(AffineExpr result) const {
    int64_t place = none;
    for (auto [loop, position] : llvm::enumerate(positions))
      if (result.isFunctionOfDim(loop))
        place = std::max(place, position);
    return place;
  }

  static constexpr int64_t none = -1;
  /// The place of each loop, and of each dimension of the leading operand.
  SmallVector<int64_t> positions, places;
  bool isUnique = true;
};
} // namespace

/// Creates `op` again with its operands in `orders` and its loops in the order
/// `loops`.
static linalg::LinalgOp reorderOperands(RewriterBase &rewriter,
                                        linalg::LinalgOp op,
                                        ArrayRef<DimOrder> orders,
                                        ArrayRef<unsigned> loops) {
  SmallVector<Value> operands;
  SmallVector<AffineMap> maps;
  for (auto [operand, order] : llvm::zip(op->getOpOperands(), orders)) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    bool isRead = op.payloadUsesValueFromOperand(&operand);
    operands.push_back((isRead ? reorder : reorderDestination)(
        rewriter, op.getLoc(), operand.get(), order));
    maps.push_back(AffineMap::get(map.getNumDims(), 0,
                                  applyPermutation(map.getResults(), order),
                                  op.getContext()));
  }
  int64_t numInputs = op.getNumDpsInputs();
  ArrayRef inits = ArrayRef(operands).drop_front(numInputs);
  auto generic = linalg::GenericOp::create(
      rewriter, op.getLoc(), TypeRange(ValueRange(inits)),
      ArrayRef(operands).take_front(numInputs), inits, maps,
      op.getIteratorTypesArray());
  rewriter.cloneRegionBefore(op->getRegion(0), generic.getRegion(),
                             generic.getRegion().begin());
  FailureOr<linalg::GenericOp> interchanged =
      linalg::interchangeGenericOp(rewriter, generic, loops);
  if (succeeded(interchanged))
    generic = *interchanged;
  if (isa<linalg::GenericOp>(op))
    return generic;
  FailureOr<linalg::LinalgOp> named =
      linalg::specializeGenericOp(rewriter, generic);
  return succeeded(named) ? *named : linalg::LinalgOp(generic);
}

std::pair<linalg::LinalgOp, SmallVector<DimOrder>>
fusion::reorderLinalgOp(RewriterBase &rewriter, linalg::LinalgOp op,
                        OpOperand &leading, ArrayRef<int64_t> leadingOrder) {
  LoopOrder loopOrder(op.getMatchingIndexingMap(&leading), leadingOrder);
  if (!loopOrder.isValid())
    return {};
  for (OpOperand &init : op.getDpsInitsMutable())
    loopOrder.addLoops(op.getMatchingIndexingMap(&init));
  // Other inputs would be reordered to follow the one of fewer dimensions.
  if (op.getNumDpsInputs() == 1)
    for (OpOperand &init : op.getDpsInitsMutable())
      loopOrder.addRepeats(op.getMatchingIndexingMap(&init));
  SmallVector<DimOrder> orders;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    bool isFree =
        op.isDpsInit(&operand) || isTranspose(operand.get().getDefiningOp());
    std::optional<DimOrder> order = loopOrder.orderOf(map, isFree);
    if (!order && op.isDpsInit(&operand))
      return {};
    // A broadcast operand costs little in any order.
    orders.push_back(order.value_or(
        llvm::to_vector(llvm::seq<int64_t>(0, map.getNumResults()))));
  }
  linalg::LinalgOp replacement = reorderOperands(
      rewriter, op, orders, loopOrder.loops(op.getIteratorTypesArray()));
  return {replacement,
          llvm::to_vector(ArrayRef(orders).take_back(op.getNumDpsInits()))};
}
