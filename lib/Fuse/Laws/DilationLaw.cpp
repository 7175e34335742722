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
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/IR/Layout.h"
#include "FusionDialect/Utils/EmitFlip.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fusion;

namespace {
/// The op that inserts zeros into a filter, and the dimensions that are read
/// backwards behind it.
struct InsertedFilter {
  tensor::InsertSliceOp insert;
  SmallVector<int64_t> flipped;
};

/// The window of a convolution without the zeros in its filter.
struct Window {
  SmallVector<int64_t> dilations, padLow, padHigh;
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
  inserted.insert = filter.getDefiningOp<tensor::InsertSliceOp>();
  if (!inserted.insert || inserted.insert.hasUnitStride() ||
      llvm::is_contained(inserted.insert.getStaticSizes(), 0))
    return std::nullopt;
  return inserted;
}

/// The tensor that `insert` inserts, with the dimensions of size 1 that it
/// adds.
static Value expandSource(OpBuilder &builder, tensor::InsertSliceOp insert) {
  RankedTensorType type = insert.getDestType().clone(insert.getStaticSizes());
  if (type.getRank() == insert.getSourceType().getRank())
    return insert.getSource();
  return tensor::ExpandShapeOp::create(
      builder, insert.getLoc(), type, insert.getSource(),
      *getReassociationIndicesForReshape(insert.getSourceType(), type));
}

/// Fails unless all that `insert` inserts, and where, is known.
static LogicalResult checkIsStatic(tensor::InsertSliceOp insert,
                                   Refusal &refusal) {
  for (auto [dim, size, total, offset, stride] :
       llvm::enumerate(insert.getStaticSizes(), insert.getDestType().getShape(),
                       insert.getStaticOffsets(), insert.getStaticStrides()))
    if (llvm::any_of(ArrayRef<int64_t>{size, total, offset, stride},
                     ShapedType::isDynamic))
      return refusal.because("unsupported: zeros are inserted in dimension ",
                             dim,
                             " of the filter by an amount known only at run "
                             "time");
  return success();
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
  if (failed(checkIsStatic(insert, refusal)))
    return failure();
  std::optional<double> number = getUniformNumber(insert.getDest());
  if (!number || *number != 0.0)
    return refusal.because("'tensor.insert_slice' of the filter inserts into "
                           "what is not known to be 0");
  Window window{llvm::to_vector(op.getDilations()),
                llvm::to_vector(op.getPadLow()),
                llvm::to_vector(op.getPadHigh())};
  StringRef letters = op.getFilterLayout().getLetters();
  StringRef spatial = getSpatialLetters(op.getSpatialRank());
  for (auto [dim, letter, size, total, before, stride] : llvm::enumerate(
           letters, insert.getStaticSizes(), insert.getDestType().getShape(),
           insert.getStaticOffsets(), insert.getStaticStrides())) {
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
    Value source = expandSource(rewriter, inserted->insert);
    Value filter = emitFlip(rewriter, inserted->insert.getLoc(), source,
                            inserted->flipped);
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
