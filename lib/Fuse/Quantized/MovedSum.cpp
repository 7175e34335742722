//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// A transposed convolution, as TOSA decomposes it, moves sums of i32 and crops
// them before it adds the bias and rescales them. These steps move in front of
// the moves, to the op that takes them. ReshapedResult.cpp does the same where
// the move is a reshape.

#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Analysis/Transpose.h"
#include "FusionDialect/Fuse/ConstantEvaluation.h"
#include "FusionDialect/Utils/Moves.h"
#include "FusionDialect/Utils/Reorder.h"
#include "Laws.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace fusion;

bool fusion::isReadOnce(Operation *op) {
  return llvm::count_if(op->getUsers(), [](Operation *user) {
           return !isOpTriviallyDead(user);
         }) == 1;
}

bool fusion::isMovedResult(Value value) {
  bool isSum = getElementTypeOrSelf(value).isInteger(32);
  while (Operation *op = value.getDefiningOp()) {
    if (!isReadOnce(op))
      return false;
    if (isa<QuantizedOpInterface>(op))
      return true;
    bool isMoveOfSum = isa<tensor::ExtractSliceOp>(op) || isTranspose(op);
    if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op) &&
        !(isSum && isMoveOfSum))
      return false;
    value = op->getOperand(0);
  }
  return false;
}

/// True if the result of `op` is computed element for element, of its inputs
/// alone.
static bool isFunction(linalg::LinalgOp op) {
  Refusal unread = Refusal::unread();
  return op->getNumResults() == 1 && op.hasPureTensorSemantics() &&
         op.isAllParallelLoops() && !op.hasIndexSemantics() &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0)) &&
         op.getIndexingMapMatchingResult(op->getResult(0)).isIdentity() &&
         succeeded(checkNoSideEffects(op, unread));
}

/// The operand of `op` that is a sum behind a move, if `op` is a function of
/// each element; null if there is none. In a loop the whole sum would be read
/// again each time.
static OpOperand *findMovedSum(linalg::LinalgOp op) {
  if (!isFunction(op))
    return nullptr;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    Value sum = operand->get();
    if (getElementTypeOrSelf(sum).isInteger(32) && isMovedResult(sum) &&
        !sum.getDefiningOp<QuantizedOpInterface>() &&
        sum.getDefiningOp()->getOperand(0).getParentBlock() == op->getBlock() &&
        op.getMatchingIndexingMap(operand).isIdentity())
      return operand;
  }
  return nullptr;
}

/// True if `op` can be computed of any numbers. A divisor may be 0 where it was
/// cropped, and an index may be outside of a table.
static bool takesAnyNumbers(linalg::LinalgOp op) {
  WalkResult result = op.getBlock()->walk([](Operation *inner) {
    bool mayFail = !isPure(inner) ||
                   // Upstream takes these for total functions.
                   isa<arith::FloorDivSIOp, arith::RemSIOp, arith::RemUIOp,
                       tensor::ExtractOp>(inner);
    return mayFail ? WalkResult::interrupt() : WalkResult::advance();
  });
  return !result.wasInterrupted();
}

/// True if `op`, which reads `slice` as `sum`, can be computed of the source:
/// the other operands are the same at all places along dimensions that are
/// cropped.
static bool takesSource(linalg::LinalgOp op, OpOperand *sum,
                        tensor::ExtractSliceOp slice) {
  RankedTensorType source = slice.getSourceType(), type = slice.getType();
  if (source.getRank() != type.getRank() || !slice.hasUnitStride() ||
      !takesAnyNumbers(op))
    return false;
  SmallVector<unsigned> cropped;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim) ||
        type.getDimSize(dim) != source.getDimSize(dim))
      cropped.push_back(dim);
  return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
    AffineMap map = op.getMatchingIndexingMap(operand);
    return operand == sum || llvm::none_of(cropped, [&](unsigned dim) {
             return map.isFunctionOfDim(dim);
           });
  });
}

/// The dimensions of the result of `move`, which `op` reads as `sum`, as those
/// of its source; null if `op` cannot be computed of the source.
static AffineMap matchMove(Operation *move, linalg::LinalgOp op,
                           OpOperand *sum) {
  if (auto transpose = matchTranspose(move)) {
    // Another tensor would be read transposed in place of the sum.
    bool readsTensor =
        llvm::any_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
          return operand != sum &&
                 op.getMatchingIndexingMap(operand).isPermutation();
        });
    return readsTensor ? AffineMap()
                       : AffineMap::getPermutationMap(transpose->second,
                                                      op.getContext());
  }
  auto slice = dyn_cast<tensor::ExtractSliceOp>(move);
  return slice && takesSource(op, sum, slice)
             ? AffineMap::getMultiDimIdentityMap(slice.getType().getRank(),
                                                 op.getContext())
             : AffineMap();
}

/// Emits what `op` computes, of `inputs`, which are read by `maps`. The sum is
/// `source` there.
static Value emitOfSource(PatternRewriter &rewriter, linalg::GenericOp op,
                          Value source, ArrayRef<Value> inputs,
                          SmallVector<AffineMap> maps) {
  maps.push_back(rewriter.getMultiDimIdentityMap(
      cast<RankedTensorType>(source.getType()).getRank()));
  SmallVector<utils::IteratorType> loops(maps.back().getNumDims(),
                                         utils::IteratorType::parallel);
  Value init =
      createEmptyLike(rewriter, source, getElementTypeOrSelf(op->getResult(0)));
  auto ofSource = linalg::GenericOp::create(
      rewriter, op.getLoc(), init.getType(), inputs, init, maps, loops);
  rewriter.cloneRegionBefore(op.getRegion(), ofSource.getRegion(),
                             ofSource.getRegion().begin());
  return ofSource.getResult(0);
}

/// Replaces `op` by `moves`, the first one first, of `value`.
static void replaceByMoves(PatternRewriter &rewriter, linalg::LinalgOp op,
                           ArrayRef<Operation *> moves, Value value) {
  for (Operation *move : moves)
    value = recreateMove(rewriter, move, value, {})->getResult(0);
  rewriter.replaceOp(
      op, castTo(rewriter, op.getLoc(), value, op->getResult(0).getType()));
}

/// `vector`, `count` times, one behind the other.
static Value emitRepeated(OpBuilder &builder, Value vector, int64_t count) {
  if (count == 1)
    return vector;
  auto type = cast<RankedTensorType>(vector.getType());
  Location loc = vector.getLoc();
  Value empty = tensor::EmptyOp::create(
      builder, loc, ArrayRef<int64_t>{count, type.getDimSize(0)},
      type.getElementType());
  auto rows = linalg::BroadcastOp::create(builder, loc, vector, empty,
                                          ArrayRef<int64_t>{0});
  SmallVector<ReassociationIndices> all = {{0, 1}};
  return emitEvaluated(builder, tensor::CollapseShapeOp::create(
                                    builder, loc, rows->getResult(0), all));
}

/// The size of the last dimension of `type`; 0 if it is not known.
static int64_t getLastSize(RankedTensorType type) {
  return type.getRank() == 0 || type.isDynamicDim(type.getRank() - 1)
             ? 0
             : type.getShape().back();
}

/// The dimensions of `operand` in which it varies.
static SmallVector<unsigned> getVaryingDims(Value operand) {
  SmallVector<unsigned> dims;
  for (auto [dim, size] :
       llvm::enumerate(cast<ShapedType>(operand.getType()).getShape()))
    if (size != 1)
      dims.push_back(dim);
  return dims;
}

/// A tensor with the dimensions `dims` of `operand`, one or none; the others
/// have size 1.
static Value dropUnitDims(OpBuilder &builder, Value operand,
                          ArrayRef<unsigned> dims) {
  SmallVector<ReassociationIndices> groups;
  if (!dims.empty())
    groups.push_back(llvm::to_vector(
        llvm::seq<int64_t>(0, cast<ShapedType>(operand.getType()).getRank())));
  Value vector = tensor::CollapseShapeOp::create(builder, operand.getLoc(),
                                                 operand, groups);
  return emitEvaluated(builder, vector);
}

namespace {
/// Reads vectors without their dimensions of size 1, which TOSA indexes by 0.
/// No reshape moves behind such an op.
struct BroadcastVectors : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!findMovedSum(op))
      return rewriter.notifyMatchFailure(op, "it reads no moved sum");
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    for (OpOperand *operand : op.getDpsInputOperands()) {
      AffineMap &map = maps[operand->getOperandNumber()];
      if (map.isProjectedPermutation())
        continue;
      SmallVector<unsigned> dims = getVaryingDims(operand->get());
      AffineMap along = map.getSubMap(dims);
      if (dims.size() > 1 || !along.isProjectedPermutation())
        continue;
      map = along;
      rewriter.modifyOpInPlace(op, [&] {
        operand->set(dropUnitDims(rewriter, operand->get(), dims));
        op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
      });
      return success();
    }
    return rewriter.notifyMatchFailure(op,
                                       "no vector has dimensions of size 1");
  }
};

struct MovedSumLaw : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    OpOperand *sum = findMovedSum(op);
    if (!sum)
      return rewriter.notifyMatchFailure(op, "it reads no moved sum");
    Operation *move = sum->get().getDefiningOp();
    AffineMap dims = matchMove(move, op, sum);
    if (!dims)
      return rewriter.notifyMatchFailure(
          op, "it cannot be computed in front of the move");
    auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
    if (!generic)
      return linalg::generalizeNamedOp(rewriter, op);
    SmallVector<Value> inputs = op.getDpsInputs();
    SmallVector<AffineMap> maps;
    for (OpOperand *operand : op.getDpsInputOperands())
      maps.push_back(op.getMatchingIndexingMap(operand).compose(dims));
    Value source = move->getOperand(0);
    inputs[sum->getOperandNumber()] = source;
    maps[sum->getOperandNumber()] =
        rewriter.getMultiDimIdentityMap(dims.getNumDims());
    replaceByMoves(rewriter, op, move,
                   emitOfSource(rewriter, generic, source, inputs, maps));
    return success();
  }
};

/// Where a step has one row, upstream makes one reshape of those that split the
/// channel and join its parts to columns. Parts of the channel stay parts if
/// they are the last dimension in front of the reshape and behind it, and the
/// channel is several of them: reshapes keep the order of elements.
struct JoinedSumLaw : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    OpOperand *sum = findMovedSum(op);
    auto expand = sum ? sum->get().getDefiningOp<tensor::ExpandShapeOp>()
                      : tensor::ExpandShapeOp();
    auto collapse =
        expand ? expand.getSrc().getDefiningOp<tensor::CollapseShapeOp>()
               : tensor::CollapseShapeOp();
    if (!collapse)
      return rewriter.notifyMatchFailure(op, "no sum is joined and split");
    int64_t channels = getLastSize(collapse.getSrcType());
    int64_t part = getLastSize(expand.getResultType());
    if (part == 0 || channels == 0 || channels % part != 0)
      return rewriter.notifyMatchFailure(op, "no part of the channel is last");
    if (!readsVectors(op, sum))
      return rewriter.notifyMatchFailure(
          op, "an operand varies along another dimension than the last");
    Value source = collapse.getSrc();
    AffineMap identity =
        rewriter.getMultiDimIdentityMap(collapse.getSrcType().getRank());
    SmallVector<Value> inputs = op.getInputs();
    SmallVector<AffineMap> maps;
    for (auto [i, input] : llvm::enumerate(inputs)) {
      bool isVector =
          op.getMatchingIndexingMap(op.getDpsInputOperand(i)).getNumResults() ==
          1;
      maps.push_back(isVector ? identity.getMinorSubMap(1)
                              : identity.getSubMap({}));
      if (isVector)
        input = emitRepeated(rewriter, input, channels / part);
    }
    inputs[sum->getOperandNumber()] = source;
    maps[sum->getOperandNumber()] = identity;
    replaceByMoves(rewriter, op, {collapse, expand},
                   emitOfSource(rewriter, op, source, inputs, maps));
    return success();
  }

  /// True if the operands of `op` but `sum` are numbers, or vary along the last
  /// dimension alone.
  static bool readsVectors(linalg::GenericOp op, OpOperand *sum) {
    return llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *operand) {
      AffineMap map = op.getMatchingIndexingMap(operand);
      if (operand == sum || map.getNumResults() == 0)
        return true;
      return map.getNumResults() == 1 &&
             map.getResult(0) ==
                 getAffineDimExpr(map.getNumDims() - 1, op.getContext()) &&
             cast<ShapedType>(operand->get().getType()).hasStaticShape();
    });
  }
};
} // namespace

void fusion::populateMovedSumLaw(RewritePatternSet &patterns,
                                 const FuseOptions &) {
  patterns.add<BroadcastVectors, MovedSumLaw, JoinedSumLaw>(
      patterns.getContext());
}
