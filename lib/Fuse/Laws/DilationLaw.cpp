//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// law: fused(x, zeros inserted(w))  ->  fused(x, w, dilations)

#include "FusionDialect/Analysis/Flip.h"
#include "FusionDialect/Analysis/Padding.h"
#include "FusionDialect/Analysis/Views.h"
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/IR/Layout.h"
#include "FusionDialect/IR/LocationText.h"
#include "FusionDialect/Utils/EmitFlip.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fusion;

namespace {
/// The op that inserts zeros into a filter, the reshape behind it if there is
/// one, and the dimensions that are read backwards behind both.
struct InsertedFilter {
  tensor::InsertSliceOp insert;
  SmallVector<Operation *, 1> reshape;
  SmallVector<int64_t> flipped;
};

/// The place in a filter, in the dimensions of that, of what is inserted.
struct Place {
  SmallVector<int64_t> sizes, offsets, strides;
};

/// The window of a convolution without the zeros in its filter, whose shape
/// then is `kernel`.
struct Window {
  SmallVector<int64_t> kernel, dilations, padLow, padHigh;
};
} // namespace

/// The insertion that makes `filter` with zeros between elements of another.
static std::optional<InsertedFilter> findInsertedFilter(Value filter) {
  std::optional<Flip> flip = matchFlip(filter);
  InsertedFilter inserted;
  if (flip) {
    filter = flip->source;
    inserted.flipped = flip->dims;
  }
  Operation *maker = filter.getDefiningOp();
  if (isa_and_nonnull<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(maker)) {
    inserted.reshape.push_back(maker);
    filter = maker->getOperand(0);
  }
  inserted.insert = filter.getDefiningOp<tensor::InsertSliceOp>();
  if (!inserted.insert || inserted.insert.hasUnitStride() ||
      llvm::is_contained(inserted.insert.getStaticSizes(), 0))
    return std::nullopt;
  return inserted;
}

/// The filter of shape `kernel` that `inserted` inserts.
static Value createFilter(OpBuilder &builder, const InsertedFilter &inserted,
                          ArrayRef<int64_t> kernel) {
  tensor::InsertSliceOp insert = inserted.insert;
  Location loc = insert.getLoc();
  Value source = insert.getSource();
  // The insertion may add dimensions of size 1.
  RankedTensorType type = insert.getDestType().clone(insert.getStaticSizes());
  if (type.getRank() != insert.getSourceType().getRank())
    source = tensor::ExpandShapeOp::create(
        builder, loc, type, source,
        *getReassociationIndicesForReshape(insert.getSourceType(), type));
  for (Operation *reshape : inserted.reshape)
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(reshape))
      source = tensor::ExpandShapeOp::create(builder, loc, type.clone(kernel),
                                             source,
                                             expand.getReassociationIndices());
    else
      source = tensor::CollapseShapeOp::create(
          builder, loc, type.clone(kernel), source,
          cast<tensor::CollapseShapeOp>(reshape).getReassociationIndices());
  return emitFlip(builder, loc, source, inserted.flipped);
}

/// Where `inserted` inserts into a filter of `shape`. Fails unless all of that
/// is known.
static FailureOr<Place> findPlace(const InsertedFilter &inserted,
                                  ArrayRef<int64_t> shape, Refusal &refusal) {
  tensor::InsertSliceOp insert = inserted.insert;
  Place place{llvm::to_vector(shape), SmallVector<int64_t>(shape.size(), 0),
              SmallVector<int64_t>(shape.size(), 1)};
  for (auto [dim, size, total, offset, stride] :
       llvm::enumerate(insert.getStaticSizes(), insert.getDestType().getShape(),
                       insert.getStaticOffsets(), insert.getStaticStrides())) {
    if (llvm::any_of(ArrayRef<int64_t>{size, total, offset, stride},
                     ShapedType::isDynamic))
      return refusal.because("unsupported: zeros are inserted into the filter "
                             "by an amount known only at run time");
    if (size == total)
      continue;
    std::optional<int64_t> moved = trackThroughViews(dim, inserted.reshape);
    if (!moved)
      return refusal.because(
          "unsupported: '", inserted.reshape.front()->getName(), "' at ",
          getLocationText(inserted.reshape.front()->getLoc()),
          " merges or splits a dimension of the filter in which zeros are "
          "inserted");
    place.sizes[*moved] = size;
    place.offsets[*moved] = offset;
    place.strides[*moved] = stride;
  }
  return place;
}

/// Takes `zeros` zeros at an end of dimension `dim` of the filter out of `pad`.
/// An input without pads for them would have to be cropped.
static LogicalResult takeFromPad(int64_t zeros, int64_t dilation,
                                 StringRef place, int64_t dim, int64_t &pad,
                                 Refusal &refusal) {
  int64_t reach = zeros * dilation;
  if (reach > pad)
    return refusal.because("unsupported: ", zeros, " zeros ", place,
                           " dimension ", dim,
                           " of the filter, which reach over ", reach,
                           " elements, where ", pad, " are padding");
  pad -= reach;
  return success();
}

/// Element k of `source` is element offset + k * stride of the filter, which
/// meets element o * step + (offset + k * stride) * dilation - low of the
/// input. So the dilation is stride * dilation, and low is less by offset *
/// dilation.
template <typename ConvOp>
static FailureOr<Window> matchWindow(ConvOp op, const InsertedFilter &inserted,
                                     Refusal &refusal) {
  tensor::InsertSliceOp insert = inserted.insert;
  ArrayRef<int64_t> shape =
      cast<ShapedType>(op.getFilter().getType()).getShape();
  FailureOr<Place> place = findPlace(inserted, shape, refusal);
  if (failed(place))
    return failure();
  std::optional<double> number = getUniformNumber(insert.getDest());
  if (!number || *number != 0.0)
    return refusal.because("'tensor.insert_slice' of the filter inserts into "
                           "what is not known to be 0");
  Window window{place->sizes, llvm::to_vector(op.getDilations()),
                llvm::to_vector(op.getPadLow()),
                llvm::to_vector(op.getPadHigh())};
  StringRef letters = op.getFilterLayout().getLetters();
  StringRef spatial = getSpatialLetters(op.getSpatialRank());
  for (auto [dim, letter, size, total, before, stride] : llvm::enumerate(
           letters, place->sizes, shape, place->offsets, place->strides)) {
    int64_t behind = total - before - ((size - 1) * stride + 1);
    size_t i = spatial.find(letter);
    if (i == StringRef::npos) {
      if (size != total)
        return refusal.because("zeros are inserted in dimension ", dim,
                               " of filter layout \"", letters,
                               "\", which is not spatial");
      continue;
    }
    bool isFlipped = llvm::is_contained(inserted.flipped, dim);
    int64_t low = isFlipped ? behind : before;
    int64_t high = isFlipped ? before : behind;
    int64_t dilation = window.dilations[i];
    if (failed(takeFromPad(low, dilation, "before", dim, window.padLow[i],
                           refusal)) ||
        failed(takeFromPad(high, dilation, "behind", dim, window.padHigh[i],
                           refusal)))
      return failure();
    // The dilation of one element means nothing.
    if (size != 1)
      window.dilations[i] *= stride;
  }
  return window;
}

namespace {
template <typename ConvOp>
struct DilationLaw : public OpRewritePattern<ConvOp> {
  using OpRewritePattern<ConvOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<InsertedFilter> inserted = findInsertedFilter(op.getFilter());
    if (!inserted)
      return rewriter.notifyMatchFailure(
          op, "no zeros are inserted into the filter");
    Refusal refusal;
    FailureOr<Window> window = matchWindow(op, *inserted, refusal);
    if (failed(window))
      return refusal.notify(rewriter, op);
    Value filter = createFilter(rewriter, *inserted, window->kernel);
    rewriter.modifyOpInPlace(op, [&] {
      op.getFilterMutable().set(filter);
      op.setDilations(window->dilations);
      op.setPadLow(window->padLow);
      op.setPadHigh(window->padHigh);
    });
    return success();
  }
};
} // namespace

void fusion::populateDilationLaw(RewritePatternSet &patterns,
                                 const FuseOptions &) {
  patterns
      .add<DilationLaw<FusedConvBiasActOp>, DilationLaw<FusedDeconvBiasActOp>>(
          patterns.getContext());
}

void fusion::populateQuantizedDilationLaw(RewritePatternSet &patterns,
                                          const FuseOptions &) {
  patterns.add<DilationLaw<QuantizedConvBiasActOp>>(patterns.getContext());
}

LogicalResult fusion::explainDilation(FusedOpInterface op, const FuseOptions &,
                                      Refusal &refusal) {
  std::optional<InsertedFilter> inserted = findInsertedFilter(op.getFilter());
  if (!inserted || isa<FusedMatmulBiasActOp, QuantizedMatmulBiasActOp>(op))
    return success();
  auto match = [&](auto conv) -> LogicalResult {
    return matchWindow(conv, *inserted, refusal);
  };
  if (failed(llvm::TypeSwitch<Operation *, LogicalResult>(op)
                 .Case<FusedConvBiasActOp, FusedDeconvBiasActOp,
                       QuantizedConvBiasActOp>(match)))
    return failure();
  return refusal.because("'tensor.insert_slice' of the filter can be folded; ",
                         isa<QuantizedConvBiasActOp>(op)
                             ? "'fusion-fuse-quantized'"
                             : "law 'dilation'",
                         " has not run");
}
