//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/ChannelVector.h"
#include "FusionDialect/Analysis/Flip.h"
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/IR/Layout.h"
#include "FusionDialect/Utils/EmitFlip.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// The input, with zeros inserted
//===----------------------------------------------------------------------===//

namespace {
/// The op that inserts zeros, and the part of its result that is the input.
struct Insertion {
  tensor::InsertSliceOp op;
  SmallVector<int64_t> offsets, sizes;
};

/// The window and the input of a transposed convolution.
struct Spread {
  Value source;
  SmallVector<int64_t> strides, padLow, padHigh;
};
} // namespace

static LogicalResult checkZeros(FusedConvBiasActOp op, Value value,
                                Refusal &refusal) {
  Refusal notConstant = Refusal::unread();
  FailureOr<ChannelVector> vector =
      matchChannelVector(value, op.getInputLayout().find('c'),
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

/// Adds stride and padding of spatial dimension `i`, dimension `dim` of the
/// input, from the zeros between and around the elements.
static LogicalResult addDimension(FusedConvBiasActOp op,
                                  const Insertion &insertion, int64_t i,
                                  int64_t dim, int64_t kernel, Spread &spread,
                                  Refusal &refusal) {
  tensor::InsertSliceOp insert = insertion.op;
  int64_t size = insert.getSourceType().getDimSize(dim);
  int64_t total = insertion.sizes[dim], cropped = insertion.offsets[dim];
  int64_t offset = insert.getStaticOffsets()[dim];
  int64_t stride = insert.getStaticStrides()[dim];
  for (int64_t number : {size, total, cropped, offset, stride, kernel})
    if (ShapedType::isDynamic(number))
      return refusal.because("unsupported: zeros are inserted in dimension ",
                             dim, " by an amount known only at run time");
  int64_t reach = (kernel - 1) * op.getDilations()[i];
  offset -= cropped;
  int64_t low = offset + op.getPadLow()[i];
  int64_t high =
      total - offset - ((size - 1) * stride + 1) + op.getPadHigh()[i];
  if (offset < 0 && op.getPadLow()[i] > 0)
    return refusal.because("unsupported: dimension ", dim,
                           " is cropped and padded in front");
  if (high < op.getPadHigh()[i] && op.getPadHigh()[i] > 0)
    return refusal.because("unsupported: dimension ", dim,
                           " is cropped and padded behind");
  if (low > reach)
    return refusal.because("unsupported: ", low, " zeros before dimension ",
                           dim, ", of which the filter reaches over ", reach);
  if (high - reach >= stride)
    return refusal.because("unsupported: ", high, " zeros behind dimension ",
                           dim, ", of which the filter reaches over ", reach);
  spread.strides.push_back(stride);
  spread.padLow.push_back(reach - low);
  spread.padHigh.push_back(std::max<int64_t>(reach - high, 0));
  return success();
}

/// Reads `insertion`, which makes the input of `op`, as a transposed
/// convolution.
static FailureOr<Spread> matchSpread(FusedConvBiasActOp op,
                                     const Insertion &insertion,
                                     Refusal &refusal) {
  tensor::InsertSliceOp insert = insertion.op;
  if (insert.getSourceType().getRank() != insert.getDestType().getRank())
    return refusal.because(
        "unsupported: 'tensor.insert_slice' of the input adds dimensions");
  if (llvm::any_of(op.getStrides(), [](int64_t stride) { return stride != 1; }))
    return refusal.because("a convolution with strides reads the zeros");
  if (failed(checkZeros(op, insert.getDest(), refusal)))
    return failure();
  StringRef letters = getSpatialLetters(op.getSpatialRank());
  for (auto [dim, letter] : llvm::enumerate(op.getInputLayout()))
    if (!letters.contains(letter) &&
        (insert.getStaticStrides()[dim] != 1 ||
         insert.getSourceType().getDimSize(dim) != insertion.sizes[dim] ||
         insert.getStaticOffsets()[dim] != 0 || insertion.offsets[dim] != 0))
      return refusal.because("zeros are inserted in dimension ", dim,
                             " of layout \"", op.getInputLayout(),
                             "\", which is not spatial");
  Spread spread{insert.getSource(), {}, {}, {}};
  auto filterType = cast<ShapedType>(op.getFilter().getType());
  for (auto [i, letter] : llvm::enumerate(letters))
    if (failed(addDimension(
            op, insertion, i, op.getInputLayout().find(letter),
            filterType.getDimSize(op.getFilterLayout().find(letter)), spread,
            refusal)))
      return failure();
  return spread;
}

bool fusion::readsInsertedZeros(FusedConvBiasActOp op) {
  std::optional<Insertion> insertion = findInsertion(op.getInput());
  return insertion && llvm::any_of(insertion->op.getStaticStrides(),
                                   [](int64_t stride) { return stride != 1; });
}

LogicalResult fusion::checkZerosAreFoldable(FusedConvBiasActOp op,
                                            Refusal &refusal) {
  return matchSpread(op, *findInsertion(op.getInput()), refusal);
}

namespace {

// law: fused(x with zeros inserted, flip(w))  ->  fused transposed (x, w)
struct DeconvLaw : public OpRewritePattern<FusedConvBiasActOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(FusedConvBiasActOp op,
                                PatternRewriter &rewriter) const override {
    if (!readsInsertedZeros(op))
      return rewriter.notifyMatchFailure(op, "no zeros are inserted");
    Refusal refusal;
    FailureOr<Spread> spread =
        matchSpread(op, *findInsertion(op.getInput()), refusal);
    if (failed(spread))
      return refusal.notify(rewriter, op);
    // Flips the filter. A flip that makes the filter is combined with it.
    Flip flip = matchFlip(op.getFilter()).value_or(Flip{op.getFilter(), {}});
    flipAgain(flip, getPositions(op.getFilterLayout(),
                                 getSpatialLetters(op.getSpatialRank())));
    Value filter = flip.source;
    if (!flip.dims.empty())
      filter = emitFlip(rewriter, op.getLoc(), filter, flip.dims);
    DictionaryAttr noted = op->getDiscardableAttrDictionary();
    auto deconv = rewriter.replaceOpWithNewOp<FusedDeconvBiasActOp>(
        op, op->getResultTypes(), spread->source, filter, op.getBias(),
        op.getResidual(), op.getInit(), spread->strides, op.getDilations(),
        spread->padLow, spread->padHigh, op.getGroups(), op.getInputLayout(),
        op.getFilterLayout(), op.getOutputLayout(), op.getActivationAttr(),
        op.getNanMode(), op.getResidualAfterActivation());
    deconv->setDiscardableAttrs(noted);
    return success();
  }
};

} // namespace

void fusion::populateDeconvLawPatterns(RewritePatternSet &patterns) {
  patterns.add<DeconvLaw>(patterns.getContext());
  populateDepthToSpaceLawPatterns(patterns);
}
