//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The native functions of Fuse.pdll that compute a slice of the result of a
// convolution: with less padding, it computes no more than the slice.

#include "FoldSteps.h"
#include "FusionDialect/IR/Layout.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fusion;

namespace {
/// The padding with which a convolution computes a slice of its result.
struct SlicedPads {
  SmallVector<int64_t> low, high;
};
} // namespace

/// Fails unless `slice` takes all of the dimension `dim` of `layout`.
static LogicalResult checkIsWhole(PatternRewriter &rewriter,
                                  tensor::ExtractSliceOp slice, int64_t dim,
                                  char letter) {
  if (slice.getStaticOffsets()[dim] == 0 &&
      slice.getStaticSizes()[dim] == slice.getSourceType().getDimSize(dim))
    return success();
  return rewriter.notifyMatchFailure(
      slice, Twine("slice takes a part of dimension ") + Twine(letter));
}

/// Plans the spatial dimension `i`, which has the letter `letter`.
static LogicalResult planPads(PatternRewriter &rewriter, FusedConvBiasActOp op,
                              tensor::ExtractSliceOp slice, int64_t i,
                              char letter, SlicedPads &pads) {
  int64_t dim = op.getOutputLayout().getPosition(letter);
  int64_t input = op.getInputLayout().getDimSize(op.getInput(), letter);
  int64_t kernel = op.getFilterLayout().getDimSize(op.getFilter(), letter);
  if (ShapedType::isDynamic(input) || ShapedType::isDynamic(kernel))
    return rewriter.notifyMatchFailure(
        slice, Twine("dynamic size of dimension ") + Twine(letter));
  int64_t stride = op.getStrides()[i];
  int64_t reach = (kernel - 1) * op.getDilations()[i] + 1;
  int64_t size = slice.getStaticSizes()[dim];
  int64_t low = op.getPadLow()[i] - slice.getStaticOffsets()[dim] * stride;
  int64_t high =
      std::max<int64_t>((size - 1) * stride + reach - input - low, 0);
  if (low < 0 || size < 1 || (input + low + high - reach) / stride + 1 != size)
    return rewriter.notifyMatchFailure(
        slice, Twine("windows that are left out begin or end in the input, "
                     "in dimension ") +
                   Twine(letter));
  pads.low.push_back(low);
  pads.high.push_back(high);
  return success();
}

static FailureOr<SlicedPads> planSlice(PatternRewriter &rewriter,
                                       tensor::ExtractSliceOp slice) {
  auto op = slice.getSource().getDefiningOp<FusedConvBiasActOp>();
  if (!op)
    return rewriter.notifyMatchFailure(slice, "not of a convolution");
  if (!op->hasOneUse())
    return rewriter.notifyMatchFailure(slice, "the result has other users");
  if (op->getBlock() != slice->getBlock())
    return rewriter.notifyMatchFailure(slice, "the slice is in another block");
  if (!slice.hasUnitStride() || slice.getDroppedDims().any())
    return rewriter.notifyMatchFailure(slice,
                                       "slice has strides or drops dimensions");
  LayoutAttr layout = op.getOutputLayout();
  for (char letter : {'n', 'c'})
    if (failed(
            checkIsWhole(rewriter, slice, layout.getPosition(letter), letter)))
      return failure();
  SlicedPads pads;
  for (auto [i, letter] :
       llvm::enumerate(getSpatialLetters(op.getSpatialRank())))
    if (failed(planPads(rewriter, op, slice, i, letter, pads)))
      return failure();
  return pads;
}

static LogicalResult isFoldableSlice(PatternRewriter &rewriter, Operation *op) {
  return planSlice(rewriter, cast<tensor::ExtractSliceOp>(op));
}

static Value computeSlice(PatternRewriter &rewriter, Operation *op) {
  auto slice = cast<tensor::ExtractSliceOp>(op);
  SlicedPads pads = *planSlice(rewriter, slice); // as the constraint found
  auto conv =
      cast<FusedConvBiasActOp>(copyFusedOp(rewriter, slice, slice.getSource()));
  conv.setPadLow(pads.low);
  conv.setPadHigh(pads.high);
  Location loc = slice.getLoc();
  Value init = tensor::EmptyOp::create(rewriter, loc, slice.getMixedSizes(),
                                       slice.getType().getElementType(),
                                       slice.getType().getEncoding());
  conv.getInitMutable().assign(init);
  conv->getResult(0).setType(init.getType());
  if (Value residual = conv.getResidual())
    conv.getResidualMutable().assign(tensor::ExtractSliceOp::create(
        rewriter, loc, residual, slice.getMixedOffsets(), slice.getMixedSizes(),
        slice.getMixedStrides()));
  return conv.getResult();
}

void fusion::registerFoldSlice(PDLPatternModule &patterns) {
  patterns.registerConstraintFunction("IsFoldableSlice", isFoldableSlice);
  patterns.registerRewriteFunction("ComputeSlice", computeSlice);
}
