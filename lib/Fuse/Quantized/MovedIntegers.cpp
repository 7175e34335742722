//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Integers are moved in place of the floats that they stand for. Ops that move
// elements, maximum pools among them, move down to the integers of a
// dequantisation: it does less work behind a pool or a slice. A quantisation
// moves up where it meets an op that takes it, and in front of a concatenation,
// whose parts may be quantised in different ways, or of insertions.

#include "FusionDialect/Analysis/Padding.h"
#include "FusionDialect/Analysis/Quantization.h"
#include "FusionDialect/Fuse/Raise.h"
#include "FusionDialect/Utils/EmitElementwise.h"
#include "FusionDialect/Utils/Moves.h"
#include "FusionDialect/Utils/Reorder.h"
#include "Laws.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fusion;

/// Creates `op` again, which moves elements, for the integers `source`.
static Value moveIntegers(OpBuilder &builder, Operation *op, Value source,
                          bool isUnsigned, int64_t padding = 0) {
  // A constant is written with a sign, whatever its bits mean.
  auto number = builder.getI8IntegerAttr(static_cast<int8_t>(padding));
  Operation *moved = recreateMove(builder, op, source, number);
  if (auto pool = dyn_cast<PoolOp>(moved))
    pool.setInputUnsigned(isUnsigned);
  return moved->getResult(0);
}

//===----------------------------------------------------------------------===//
// Dequantisations
//===----------------------------------------------------------------------===//

/// Reads the dequantisation in front of `op`, if `op` may move its integers.
static FailureOr<Dequantization> matchMove(Operation *op, Refusal &refusal) {
  OpOperand *moved = getMovedOperand(op);
  if (!moved)
    return refusal.because("no op that moves elements");
  FailureOr<Dequantization> match =
      Dequantization::match(moved->get(), refusal);
  if (failed(match))
    return failure();
  if (match->dim)
    return refusal.because("a scale that varies along dimension ", *match->dim,
                           " is not moved");
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    std::optional<double> number =
        getUniformNumber(pad.getConstantPaddingValue());
    if (number != 0.0)
      return refusal.because("'tensor.pad' pads with another value than 0");
  }
  auto dequantizing = moved->get().getDefiningOp<linalg::LinalgOp>();
  if (failed(checkElementwise({dequantizing, match->source}, refusal)))
    return failure();
  return match;
}

bool fusion::isMovedDequantization(Operation *op) {
  Refusal unread = Refusal::unread();
  return op && succeeded(matchMove(op, unread));
}

LogicalResult fusion::explainMovedFloats(Operation *op, Refusal &refusal) {
  OpOperand *moved = getMovedOperand(op);
  if (!moved || !getElementTypeOrSelf(moved->get()).isF32() ||
      !readsIntegers(moved->get()))
    return success();
  return matchMove(op, refusal);
}

namespace {
struct MovedDequantizationLaw : public RewritePattern {
  MovedDequantizationLaw(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    FailureOr<Dequantization> match = matchMove(op, refusal);
    if (failed(match))
      return refusal.notify(rewriter, op);
    Value floats = getMovedOperand(op)->get();
    Value moved = moveIntegers(rewriter, op, match->source, match->isUnsigned,
                               match->zeroPoint);
    ElementwiseStep step{floats.getDefiningOp<linalg::LinalgOp>(),
                         match->source};
    rewriter.replaceOp(op, emitElementwise(rewriter, step, moved));
    return success();
  }
};
} // namespace

/// Finds the only operand of `op` that is a tensor of 8 bits, if `op` makes f32
/// or i32 of it and reads it transposed.
static FailureOr<OpOperand *> findTransposedBytes(linalg::GenericOp op,
                                                  Refusal &refusal) {
  if (!op.isAllParallelLoops() || op->getNumResults() != 1 ||
      !op.getIndexingMapsArray().back().isIdentity())
    return refusal.because("no element-wise op");
  Type type = getElementTypeOrSelf(op->getResult(0));
  if (!type.isF32() && !type.isInteger(32))
    return refusal.because("no op that makes f32 or i32");
  OpOperand *bytes = nullptr;
  for (OpOperand *input : op.getDpsInputOperands()) {
    if (!getElementTypeOrSelf(input->get()).isInteger(8))
      continue;
    if (bytes)
      return refusal.because("several tensors of 8 bits are read");
    bytes = input;
  }
  if (!bytes)
    return refusal.because("no tensor of 8 bits is read");
  AffineMap map = op.getMatchingIndexingMap(bytes);
  if (!map.isPermutation() || map.isIdentity())
    return refusal.because("the tensor of 8 bits is not read transposed");
  auto isReader = [](Operation *user) {
    return isa<FusedOpInterface, tensor::InsertSliceOp>(user) ||
           getMovedOperand(user) || isRaisable(user);
  };
  if (!llvm::any_of(op->getUsers(), isReader))
    return refusal.because("no product reads the result");
  return bytes;
}

namespace {
/// Upstream merges a transpose into the dequantisation in front of it.
struct TransposingDequantizationLaw
    : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    FailureOr<OpOperand *> bytes = findTransposedBytes(op, refusal);
    if (failed(bytes))
      return refusal.notify(rewriter, op);
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    AffineMap &map = maps[(*bytes)->getOperandNumber()];
    // Dimension i of the result is that of the operand which loop i reads.
    DimOrder order = llvm::map_to_vector(
        inversePermutation(map).getResults(), [](AffineExpr expr) -> int64_t {
          return cast<AffineDimExpr>(expr).getPosition();
        });
    Value transposed = reorder(rewriter, op.getLoc(), (*bytes)->get(), order);
    map = rewriter.getMultiDimIdentityMap(order.size());
    rewriter.modifyOpInPlace(op, [&] {
      (*bytes)->set(transposed);
      op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Quantisations
//===----------------------------------------------------------------------===//

/// Reads a quantisation that `emitElementwise` can compute elsewhere.
static FailureOr<Quantization> matchQuantization(linalg::LinalgOp op,
                                                 Refusal &refusal) {
  FailureOr<Quantization> match = Quantization::match(op, refusal);
  if (failed(match) || failed(checkElementwise({op, match->source}, refusal)))
    return failure();
  return match;
}

/// The ops that insert parts into an empty tensor and thus make `value`, the
/// last one first. None if something else makes it, or reads what they make.
static SmallVector<tensor::InsertSliceOp> findInsertions(Value value) {
  SmallVector<tensor::InsertSliceOp> insertions;
  while (auto insertion = value.getDefiningOp<tensor::InsertSliceOp>()) {
    if (!insertion->hasOneUse())
      return {};
    insertions.push_back(insertion);
    value = insertion.getDest();
  }
  if (!value.getDefiningOp<tensor::EmptyOp>())
    insertions.clear();
  return insertions;
}

/// True if ops on integers compute `value`, or all parts that it is made of.
static bool isMadeOnIntegers(Value value) {
  if (value.getDefiningOp<QuantizedOpInterface>())
    return true;
  SmallVector<tensor::InsertSliceOp> insertions = findInsertions(value);
  return !insertions.empty() &&
         llvm::all_of(insertions, [](tensor::InsertSliceOp insertion) {
           Value part = insertion.getSource();
           return part.getDefiningOp<QuantizedOpInterface>() &&
                  part.hasOneUse();
         });
}

/// Fails unless ops on integers compute the elements of `value`, and only
/// ops that move them stand between. Nothing else may read them.
static LogicalResult checkWay(Value value, Refusal &refusal) {
  bool isMoved = false;
  while (!isMadeOnIntegers(value)) {
    Operation *op = value.getDefiningOp();
    OpOperand *moved = op ? getMovedOperand(op) : nullptr;
    if (!moved || isa<tensor::PadOp>(op))
      return refusal.because("no op on integers computes the elements");
    if (!value.hasOneUse())
      return refusal.because("result of '", op->getName().getStringRef(),
                             "' has other users besides its quantisation");
    isMoved = true;
    value = moved->get();
  }
  if (!isMoved || !value.hasOneUse())
    return refusal.because("result of an op on integers is quantised by itself "
                           "or has other users");
  return success();
}

namespace {
struct ConcatenatedQuantizationLaw
    : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    FailureOr<Quantization> match = matchQuantization(op, refusal);
    if (failed(match))
      return refusal.notify(rewriter, op);
    auto concat = match->source.getDefiningOp<tensor::ConcatOp>();
    if (!concat)
      return rewriter.notifyMatchFailure(op, "quantises no concatenation");
    if (!concat->hasOneUse())
      return rewriter.notifyMatchFailure(
          op, "concatenation has other users besides its quantisation");
    SmallVector<Value> parts;
    for (Value part : concat.getInputs())
      parts.push_back(
          emitElementwise(rewriter, ElementwiseStep{op, match->source}, part));
    Value joined = tensor::ConcatOp::create(rewriter, concat.getLoc(),
                                            concat.getDim(), parts);
    rewriter.replaceOp(
        op, castTo(rewriter, op.getLoc(), joined, op->getResult(0).getType()));
    return success();
  }
};

struct InsertedQuantizationLaw
    : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    FailureOr<Quantization> match = matchQuantization(op, refusal);
    if (failed(match))
      return refusal.notify(rewriter, op);
    SmallVector<tensor::InsertSliceOp> insertions =
        findInsertions(match->source);
    if (insertions.empty())
      return rewriter.notifyMatchFailure(
          op, "does not quantise parts of an empty tensor alone");
    auto empty = insertions.back().getDest().getDefiningOp<tensor::EmptyOp>();
    Value whole =
        tensor::EmptyOp::create(rewriter, op.getLoc(), empty.getMixedSizes(),
                                getElementTypeOrSelf(op->getResult(0)));
    for (tensor::InsertSliceOp insertion : llvm::reverse(insertions)) {
      Value part = emitElementwise(rewriter, ElementwiseStep{op, match->source},
                                   insertion.getSource());
      whole = tensor::InsertSliceOp::create(rewriter, insertion.getLoc(), part,
                                            whole, insertion.getMixedOffsets(),
                                            insertion.getMixedSizes(),
                                            insertion.getMixedStrides());
    }
    rewriter.replaceOp(
        op, castTo(rewriter, op.getLoc(), whole, op->getResult(0).getType()));
    return success();
  }
};

struct MovedQuantizationLaw
    : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    FailureOr<Quantization> match = matchQuantization(op, refusal);
    if (failed(match))
      return refusal.notify(rewriter, op);
    if (failed(checkWay(match->source, refusal)))
      return refusal.notify(rewriter, op);
    Operation *move = match->source.getDefiningOp();
    Value floats = getMovedOperand(move)->get();
    Value integers =
        emitElementwise(rewriter, ElementwiseStep{op, match->source}, floats);
    Value result = moveIntegers(rewriter, move, integers, match->isUnsigned);
    rewriter.replaceOp(
        op, castTo(rewriter, op.getLoc(), result, op->getResult(0).getType()));
    return success();
  }
};
} // namespace

void fusion::populateMovedIntegersLaws(RewritePatternSet &patterns,
                                       const FuseOptions &) {
  patterns.add<MovedDequantizationLaw, TransposingDequantizationLaw,
               ConcatenatedQuantizationLaw, InsertedQuantizationLaw,
               MovedQuantizationLaw>(patterns.getContext());
}
