//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/Layout.h"
#include "Laws.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fusion;

/// Refuses `slice` if the windows of `op` along its spatial dimension `i`,
/// dimension `dim` of the input, are others without it.
static LogicalResult checkWindows(QuantizedConvBiasActOp op,
                                  tensor::ExtractSliceOp slice, size_t i,
                                  int64_t dim, Refusal &refusal) {
  int64_t before = slice.getSourceType().getDimSize(dim);
  int64_t after = slice.getType().getDimSize(dim);
  if (slice.getStaticOffset(dim) != 0)
    return refusal.because("dimension ", dim, " is cut off at its beginning");
  if (op.getPadHigh()[i] != 0)
    return refusal.because("dimension ", dim, " is padded where it is cut off");
  int64_t filterDim = op.getFilterLayout().getSpatialPositions()[i];
  int64_t kernel =
      cast<ShapedType>(op.getFilter().getType()).getDimSize(filterDim);
  if (ShapedType::isDynamic(before) || ShapedType::isDynamic(after) ||
      ShapedType::isDynamic(kernel))
    return refusal.because("the size of dimension ", dim, " is not static");
  int64_t taken = (kernel - 1) * op.getDilations()[i] + 1 - op.getPadLow()[i];
  int64_t stride = op.getStrides()[i];
  if (after < taken || (before - taken) / stride != (after - taken) / stride)
    return refusal.because("windows reach what is cut off of dimension ", dim);
  return success();
}

/// A slice that leaves away what no window of `op` reads.
static FailureOr<tensor::ExtractSliceOp> matchCrop(QuantizedConvBiasActOp op,
                                                   Refusal &refusal) {
  auto slice = op.getInput().getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice)
    return refusal.because("'input' is not a slice");
  RankedTensorType source = slice.getSourceType();
  if (source.getRank() != slice.getType().getRank() || !slice.hasUnitStride())
    return refusal.because("the slice of 'input' is more than a crop");
  SmallVector<int64_t> spatial = op.getInputLayout().getSpatialPositions();
  for (int64_t dim = 0, e = source.getRank(); dim != e; ++dim) {
    // Nothing is cut off of a dimension that has the size of the source.
    int64_t size = source.getDimSize(dim);
    if (!ShapedType::isDynamic(size) && size == slice.getType().getDimSize(dim))
      continue;
    const int64_t *found = llvm::find(spatial, dim);
    if (found == spatial.end())
      return refusal.because("dimension ", dim, " of 'input' may be cut off");
    if (failed(checkWindows(op, slice, found - spatial.begin(), dim, refusal)))
      return failure();
  }
  return slice;
}

namespace {
struct CroppedInputLaw : public OpRewritePattern<QuantizedConvBiasActOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(QuantizedConvBiasActOp op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    FailureOr<tensor::ExtractSliceOp> slice = matchCrop(op, refusal);
    if (failed(slice))
      return refusal.notify(rewriter, op);
    rewriter.modifyOpInPlace(
        op, [&] { op.getInputMutable().assign(slice->getSource()); });
    return success();
  }
};
} // namespace

void fusion::populateCroppedInputLaw(RewritePatternSet &patterns,
                                     const FuseOptions &) {
  patterns.add<CroppedInputLaw>(patterns.getContext());
}
