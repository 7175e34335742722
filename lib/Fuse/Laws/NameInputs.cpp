//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Gives names to the ops that make the input or the filter of a fusion op, or
// reorder its result, so that the laws of Fuse.pdll match them. Each op is
// named only where a law folds it.

#include "FusionDialect/Analysis/ChannelVector.h"
#include "FusionDialect/Analysis/Padding.h"
#include "FusionDialect/Analysis/Transpose.h"
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/IR/Layout.h"
#include "FusionDialect/IR/LocationText.h"
#include "FusionDialect/Utils/Reorder.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace fusion;

// Names come before the laws that are C++, whose benefits are 0 and 1. A law of
// Fuse.pdll that has to come before these has at least this one.
static constexpr int nameBenefit = 2;

//===----------------------------------------------------------------------===//
// Padding
//===----------------------------------------------------------------------===//

LogicalResult fusion::checkPadIsFoldable(FusedOpInterface op,
                                         const Padding &padding,
                                         Refusal &refusal, int64_t expected) {
  std::string name = ("'" + padding.op->getName().getStringRef() + "'").str();
  if (!padding.number)
    return refusal.because(
        name, " pads with a value that is not constant, expected ", expected);
  if (*padding.number != static_cast<double>(expected))
    return refusal.because(name, " pads with ",
                           llvm::format("%g", *padding.number), ", expected ",
                           expected);
  for (auto [i, letter] : llvm::enumerate(op.getInputLayout().getLetters())) {
    std::optional<int64_t> before = getConstantIntValue(padding.low[i]);
    std::optional<int64_t> after = getConstantIntValue(padding.high[i]);
    if (!before || !after)
      return refusal.because("unsupported: ", name, " pads dimension ", i,
                             " by an amount known only at run time");
    bool isSpatial = letter != 'n' && letter != 'c';
    if (!isSpatial && (*before != 0 || *after != 0))
      return refusal.because(name, " pads dimension ", i, " of layout \"",
                             op.getInputLayout().getLetters(),
                             "\", which is not spatial");
    if (*before < 0 || *after < 0)
      return refusal.because("unsupported: ", name, " crops dimension ", i);
  }
  return success();
}

static SmallVector<int64_t> getConstants(ArrayRef<OpFoldResult> constants) {
  return llvm::map_to_vector(constants, [](OpFoldResult constant) {
    return *getConstantIntValue(constant);
  });
}

namespace {
struct NamePad : public OpRewritePattern<FusedConvBiasActOp> {
  NamePad(MLIRContext *context) : OpRewritePattern(context, nameBenefit) {}

  LogicalResult matchAndRewrite(FusedConvBiasActOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Padding> padding = findPadding(op.getInput());
    if (!padding || isa<PadOp>(padding->op))
      return rewriter.notifyMatchFailure(op, "no op without a name pads");
    Refusal refusal;
    if (failed(checkPadIsFoldable(op, *padding, refusal)))
      return refusal.notify(rewriter, op);
    Value pad =
        PadOp::create(rewriter, padding->op->getLoc(), op.getInput().getType(),
                      padding->source, getConstants(padding->low),
                      getConstants(padding->high));
    rewriter.modifyOpInPlace(op, [&] { op.getInputMutable().assign(pad); });
    return success();
  }
};
} // namespace

static bool isReshape(Operation *op) {
  return isa_and_nonnull<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op);
}

/// True if only reshapes in front of fused ops read `value`. Linalg's grouped
/// convolutions have groups of their own in a tensor, and images may have no
/// batch.
static bool isReshapedForFusedOps(Value value) {
  return llvm::all_of(value.getUsers(), [](Operation *user) {
    return isReshape(user) &&
           (llvm::all_of(user->getUsers(), llvm::IsaPred<FusedOpInterface>) ||
            isReshapedForFusedOps(user->getResult(0)));
  });
}

/// True if `operand` is a pad that a `ReshapeOp` in front of fused ops reads.
template <typename ReshapeOp> static bool isPadForFusedOps(OpOperand *operand) {
  return isa<ReshapeOp>(operand->getOwner()) &&
         operand->get().getDefiningOp<tensor::PadOp>() &&
         isReshapedForFusedOps(operand->get());
}

namespace {
/// Upstream's pattern for this puts the reshape before values that it reads its
/// sizes from.
struct ExpandBeforePad : public OpRewritePattern<tensor::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(tensor::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    if (!isPadForFusedOps<tensor::ExpandShapeOp>(&op.getSrcMutable()))
      return rewriter.notifyMatchFailure(op, "no pad for fused ops");
    auto pad = op.getSrc().getDefiningOp<tensor::PadOp>();
    Value number = pad.getConstantPaddingValue();
    if (!number)
      return rewriter.notifyMatchFailure(op, "pads with several numbers");
    SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
    llvm::SmallBitVector padded = pad.getPaddedDims();
    if (llvm::any_of(padded.set_bits(),
                     [&](unsigned dim) { return groups[dim].size() > 1; }))
      return rewriter.notifyMatchFailure(op, "expands a dimension with pads");

    Location loc = op.getLoc();
    OpFoldResult none = rewriter.getIndexAttr(0);
    SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
    SmallVector<OpFoldResult> low(sizes.size(), none), high = low;
    for (unsigned dim : padded.set_bits()) {
      int64_t expandedDim = groups[dim].front();
      sizes[expandedDim] =
          tensor::getMixedSize(rewriter, loc, pad.getSource(), dim);
      low[expandedDim] = pad.getMixedLowPad()[dim];
      high[expandedDim] = pad.getMixedHighPad()[dim];
    }
    auto shape = decomposeMixedValues(sizes).first;
    Value expanded =
        tensor::ExpandShapeOp::create(rewriter, loc, op.getType().clone(shape),
                                      pad.getSource(), groups, sizes);
    rewriter.replaceOpWithNewOp<tensor::PadOp>(op, op.getType(), expanded, low,
                                               high, number, pad.getNofold());
    return success();
  }
};
} // namespace

LogicalResult fusion::checkNoPaddedGroups(Value input, Refusal &refusal) {
  Operation *reshape = nullptr;
  for (Operation *op = input.getDefiningOp(); isReshape(op);
       op = op->getOperand(0).getDefiningOp())
    reshape = op;
  if (!reshape || !reshape->getOperand(0).getDefiningOp<tensor::PadOp>())
    return success();
  return refusal.because("unsupported: '", reshape->getName(), "' at ",
                         getLocationText(reshape->getLoc()),
                         " comes between the input and 'tensor.pad'");
}

//===----------------------------------------------------------------------===//
// Zeros between the elements of the input
//===----------------------------------------------------------------------===//

namespace {
/// The op that inserts zeros, and the part of its result that is the input.
struct Insertion {
  tensor::InsertSliceOp op;
  SmallVector<int64_t> offsets, sizes;
};

/// A tensor with zeros between and around its elements, as
/// `fusion.insert_zeros` makes it.
struct InsertedZeros {
  Value source;
  SmallVector<int64_t> strides, low, high;
};
} // namespace

static LogicalResult checkZeros(FusedConvBiasActOp op, Value value,
                                Refusal &refusal) {
  Refusal notConstant = Refusal::unread();
  FailureOr<ChannelVector> vector =
      matchChannelVector(value, op.getInputLayout().getPosition('c'),
                         ChannelVectorOptions(), notConstant);
  if (failed(vector) || !isZero(*vector))
    return refusal.because("'tensor.insert_slice' of the input inserts into "
                           "what is not known to be 0");
  return success();
}

/// The insertion that makes `input`, directly or with the ends cut off behind
/// it.
static std::optional<Insertion> findInsertion(Value input) {
  auto type = dyn_cast<RankedTensorType>(input.getType());
  if (!type)
    return std::nullopt;
  Insertion insertion{nullptr, SmallVector<int64_t>(type.getRank(), 0),
                      SmallVector<int64_t>(type.getShape())};
  auto crop = input.getDefiningOp<tensor::ExtractSliceOp>();
  if (crop && crop.hasUnitStride() &&
      crop.getSourceType().getRank() == type.getRank()) {
    input = crop.getSource();
    insertion.offsets.assign(crop.getStaticOffsets().begin(),
                             crop.getStaticOffsets().end());
  }
  insertion.op = input.getDefiningOp<tensor::InsertSliceOp>();
  if (!insertion.op)
    return std::nullopt;
  return insertion;
}

/// Fails unless dimension `i` of the window of `op` reaches all elements of
/// dimension `dim` of its input, between zeros as numerous as here.
static LogicalResult checkReach(FusedConvBiasActOp op, int64_t i, int64_t dim,
                                int64_t stride, int64_t low, int64_t high,
                                Refusal &refusal) {
  int64_t kernel = op.getFilterLayout().getDimSize(
      op.getFilter(), op.getInputLayout().getLetters()[dim]);
  if (ShapedType::isDynamic(kernel))
    return refusal.because("unsupported: zeros are inserted in dimension ", dim,
                           " by an amount known only at run time");
  int64_t padLow = op.getPadLow()[i], padHigh = op.getPadHigh()[i];
  if (low < 0 && padLow > 0)
    return refusal.because("unsupported: dimension ", dim,
                           " is cropped and padded in front");
  if (high < 0 && padHigh > 0)
    return refusal.because("unsupported: dimension ", dim,
                           " is cropped and padded behind");
  int64_t reach = (kernel - 1) * op.getDilations()[i];
  if (low + padLow > reach)
    return refusal.because("unsupported: ", low + padLow,
                           " zeros before dimension ", dim,
                           ", of which the filter reaches over ", reach);
  if (high + padHigh - reach >= stride)
    return refusal.because("unsupported: ", high + padHigh,
                           " zeros behind dimension ", dim,
                           ", of which the filter reaches over ", reach);
  return success();
}

/// Fails unless a transposed convolution of `zeros.source` computes the same as
/// `op`, which reads `zeros`.
static LogicalResult checkInsertedZeros(FusedConvBiasActOp op,
                                        const InsertedZeros &zeros,
                                        Refusal &refusal) {
  if (llvm::any_of(op.getStrides(), [](int64_t stride) { return stride != 1; }))
    return refusal.because("a convolution with strides reads the zeros");
  StringRef letters = getSpatialLetters(op.getSpatialRank());
  for (auto [dim, letter] : llvm::enumerate(op.getInputLayout().getLetters()))
    if (!letters.contains(letter) &&
        (zeros.strides[dim] != 1 || zeros.low[dim] != 0 ||
         zeros.high[dim] != 0))
      return refusal.because("zeros are inserted in dimension ", dim,
                             " of layout \"", op.getInputLayout().getLetters(),
                             "\", which is not spatial");
  for (auto [i, dim] :
       llvm::enumerate(op.getInputLayout().getSpatialPositions()))
    if (failed(checkReach(op, i, dim, zeros.strides[dim], zeros.low[dim],
                          zeros.high[dim], refusal)))
      return failure();
  return success();
}

/// The zeros that `insertion`, which makes the input of `op`, inserts.
static FailureOr<InsertedZeros> readInsertion(FusedConvBiasActOp op,
                                              const Insertion &insertion,
                                              Refusal &refusal) {
  tensor::InsertSliceOp insert = insertion.op;
  if (insert.getSourceType().getRank() != insert.getDestType().getRank())
    return refusal.because(
        "unsupported: 'tensor.insert_slice' of the input adds dimensions");
  if (failed(checkZeros(op, insert.getDest(), refusal)))
    return failure();
  StringRef letters = op.getInputLayout().getLetters();
  InsertedZeros zeros{insert.getSource(), {}, {}, {}};
  for (auto [dim, size, total, cropped, offset, stride] :
       llvm::enumerate(insert.getSourceType().getShape(), insertion.sizes,
                       insertion.offsets, insert.getStaticOffsets(),
                       insert.getStaticStrides())) {
    // The batch may be dynamic, if all of it is inserted.
    bool isSpatial = letters[dim] != 'n' && letters[dim] != 'c';
    bool isWhole = !isSpatial && size == total && stride == 1 && offset == 0 &&
                   cropped == 0;
    if (!isWhole &&
        llvm::any_of(ArrayRef<int64_t>{size, total, cropped, offset, stride},
                     ShapedType::isDynamic))
      return refusal.because("unsupported: zeros are inserted in dimension ",
                             dim, " by an amount known only at run time");
    int64_t low = offset - cropped;
    zeros.strides.push_back(stride);
    zeros.low.push_back(low);
    zeros.high.push_back(isWhole ? 0 : total - low - ((size - 1) * stride + 1));
  }
  return zeros;
}

/// The zeros that the input of `op` has, by an insertion or a step.
static FailureOr<InsertedZeros> matchInsertedZeros(FusedConvBiasActOp op,
                                                   Refusal &refusal) {
  FailureOr<InsertedZeros> zeros = failure();
  if (auto step = op.getInput().getDefiningOp<InsertZerosOp>())
    zeros = InsertedZeros{step.getInput(), llvm::to_vector(step.getStrides()),
                          llvm::to_vector(step.getLow()),
                          llvm::to_vector(step.getHigh())};
  else
    zeros = readInsertion(op, *findInsertion(op.getInput()), refusal);
  if (failed(zeros) || failed(checkInsertedZeros(op, *zeros, refusal)))
    return failure();
  return zeros;
}

bool fusion::readsInsertedZeros(FusedConvBiasActOp op) {
  if (op.getInput().getDefiningOp<InsertZerosOp>())
    return true;
  std::optional<Insertion> insertion = findInsertion(op.getInput());
  return insertion && llvm::any_of(insertion->op.getStaticStrides(),
                                   [](int64_t stride) { return stride != 1; });
}

LogicalResult fusion::checkZerosAreFoldable(FusedConvBiasActOp op,
                                            Refusal &refusal) {
  return matchInsertedZeros(op, refusal);
}

namespace {
struct NameInsertedZeros : public OpRewritePattern<FusedConvBiasActOp> {
  NameInsertedZeros(MLIRContext *context)
      : OpRewritePattern(context, nameBenefit) {}

  LogicalResult matchAndRewrite(FusedConvBiasActOp op,
                                PatternRewriter &rewriter) const override {
    if (!readsInsertedZeros(op) || op.getInput().getDefiningOp<InsertZerosOp>())
      return rewriter.notifyMatchFailure(op,
                                         "no op without a name inserts zeros");
    Refusal refusal;
    FailureOr<InsertedZeros> zeros = matchInsertedZeros(op, refusal);
    if (failed(zeros))
      return refusal.notify(rewriter, op);
    Value step = InsertZerosOp::create(
        rewriter, findInsertion(op.getInput())->op.getLoc(),
        op.getInput().getType(), zeros->source, zeros->strides, zeros->low,
        zeros->high);
    rewriter.modifyOpInPlace(op, [&] { op.getInputMutable().assign(step); });
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Transposes
//===----------------------------------------------------------------------===//

/// The transpose of `source` that `generic` computes.
static Value createTranspose(PatternRewriter &rewriter,
                             linalg::GenericOp generic, Value source,
                             ArrayRef<int64_t> permutation) {
  Value init = generic.getDpsInits()[0];
  // In a named op, unlike in a generic one, equal sizes are both static or both
  // dynamic.
  source = castTo(rewriter, generic.getLoc(), source,
                  reorderType(cast<RankedTensorType>(init.getType()),
                              invertPermutationVector(permutation)));
  auto transpose = linalg::TransposeOp::create(rewriter, generic.getLoc(),
                                               source, init, permutation);
  return transpose->getResult(0);
}

namespace {
/// Names a transpose that makes the input or the filter of a fusion op.
struct NameTransposedOperand
    : public OpInterfaceRewritePattern<FusedOpInterface> {
  NameTransposedOperand(MLIRContext *context)
      : OpInterfaceRewritePattern(context, nameBenefit) {}

  LogicalResult matchAndRewrite(FusedOpInterface op,
                                PatternRewriter &rewriter) const override {
    for (OpOperand *operand : {&op.getInputMutable(), &op.getFilterMutable()}) {
      auto generic = operand->get().getDefiningOp<linalg::GenericOp>();
      auto transpose = matchTranspose(generic);
      if (!transpose)
        continue;
      Value named = createTranspose(rewriter, generic, transpose->first,
                                    transpose->second);
      rewriter.modifyOpInPlace(op, [&] { operand->set(named); });
      return success();
    }
    return rewriter.notifyMatchFailure(op, "no generic op transposes for it");
  }
};

/// Names a transpose of the result of a fusion op.
struct NameTransposedResult : public OpRewritePattern<linalg::GenericOp> {
  NameTransposedResult(MLIRContext *context)
      : OpRewritePattern(context, nameBenefit) {}

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    auto transpose = matchTranspose(op);
    auto fused = transpose ? transpose->first.getDefiningOp<FusedOpInterface>()
                           : nullptr;
    if (!fused)
      return rewriter.notifyMatchFailure(op, "no transpose of a fusion op");
    Refusal refusal;
    if (failed(checkTransposeIsFoldable(fused, op, refusal)))
      return refusal.notify(rewriter, op);
    rewriter.replaceOp(
        op, createTranspose(rewriter, op, transpose->first, transpose->second));
    return success();
  }
};
} // namespace

void fusion::populateNamePadPatterns(RewritePatternSet &patterns) {
  patterns.add<NamePad>(patterns.getContext());
  populatePaddedGroupsPatterns(patterns);
}

// law: collapse(pad(x))  ->  pad(collapse(x)), in front of fused ops
// law: expand(pad(x))  ->  pad(expand(x)), in front of fused ops
void fusion::populatePaddedGroupsPatterns(RewritePatternSet &patterns) {
  linalg::populateFoldReshapeOpsByCollapsingPatterns(
      patterns, isPadForFusedOps<tensor::CollapseShapeOp>);
  patterns.add<ExpandBeforePad>(patterns.getContext());
}

void fusion::populateNameInsertedZerosPatterns(RewritePatternSet &patterns) {
  patterns.add<NameInsertedZeros>(patterns.getContext());
}

void fusion::populateNameTransposesPatterns(RewritePatternSet &patterns) {
  patterns.add<NameTransposedOperand, NameTransposedResult>(
      patterns.getContext());
}
