//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The native functions of Fuse.pdll that change what a fusion op reads, or the
// layout that it reads or writes.

#include "FoldSteps.h"
#include "FusionDialect/Analysis/Flip.h"
#include "FusionDialect/Utils/EmitFlip.h"
#include "FusionDialect/Utils/Reorder.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace fusion;

static ArrayRef<int64_t> getNumbers(Attribute attribute) {
  return cast<DenseI64ArrayAttr>(attribute).asArrayRef();
}

//===----------------------------------------------------------------------===//
// Zeros around and between the elements of the input
//===----------------------------------------------------------------------===//

static void padInput(PatternRewriter &rewriter, Operation *conv, Value source,
                     Attribute low, Attribute high) {
  auto op = cast<FusedConvBiasActOp>(conv);
  SmallVector<int64_t> padLow(op.getPadLow()), padHigh(op.getPadHigh());
  for (auto [i, dim] :
       llvm::enumerate(op.getInputLayout().getSpatialPositions())) {
    padLow[i] += getNumbers(low)[dim];
    padHigh[i] += getNumbers(high)[dim];
  }
  rewriter.modifyOpInPlace(op, [&] {
    op.getInputMutable().assign(source);
    op.setPadLow(padLow);
    op.setPadHigh(padHigh);
  });
}

static LogicalResult isFoldablePad(PatternRewriter &rewriter, Operation *conv) {
  auto op = cast<FusedConvBiasActOp>(conv);
  // A constraint may be asked before all ops of the pattern are matched.
  std::optional<Padding> padding = findPadding(op.getInput());
  if (!padding)
    return rewriter.notifyMatchFailure(op, "'input' is not padded");
  Refusal refusal;
  if (failed(checkPadIsFoldable(op, *padding, refusal)))
    return refusal.notify(rewriter, op);
  return success();
}

static LogicalResult areFoldableZeros(PatternRewriter &rewriter,
                                      Operation *conv) {
  auto op = cast<FusedConvBiasActOp>(conv);
  if (!readsInsertedZeros(op))
    return rewriter.notifyMatchFailure(op, "no zeros are inserted");
  Refusal refusal;
  if (failed(checkZerosAreFoldable(op, refusal)))
    return refusal.notify(rewriter, op);
  return success();
}

/// With R = (kernel - 1) * dilation, element o * stride + k * dilation - pad of
/// the input of a transposed convolution takes part in element o of the result;
/// with zeros inserted it is o + R - k * dilation - low. So pad is R - low, and
/// zeros at the end that no window reaches are left out.
static Value deconvolve(PatternRewriter &rewriter, Operation *conv,
                        Value source, Attribute strides, Attribute low,
                        Attribute high) {
  auto op = cast<FusedConvBiasActOp>(conv);
  ArrayRef<int64_t> kernel =
      cast<ShapedType>(op.getFilter().getType()).getShape();
  SmallVector<int64_t> spatialStrides, padLow, padHigh;
  for (auto [i, dim, filterDim] :
       llvm::enumerate(op.getInputLayout().getSpatialPositions(),
                       op.getFilterLayout().getSpatialPositions())) {
    int64_t reach = (kernel[filterDim] - 1) * op.getDilations()[i];
    int64_t before = getNumbers(low)[dim] + op.getPadLow()[i];
    int64_t behind = getNumbers(high)[dim] + op.getPadHigh()[i];
    spatialStrides.push_back(getNumbers(strides)[dim]);
    padLow.push_back(reach - before);
    padHigh.push_back(std::max<int64_t>(reach - behind, 0));
  }
  Flip flipped =
      flip(op.getFilter(), op.getFilterLayout().getSpatialPositions());
  Value filter = emitFlip(rewriter, op.getLoc(), flipped.source, flipped.dims);
  auto deconv = FusedDeconvBiasActOp::create(
      rewriter, op.getLoc(), op->getResultTypes(), source, filter, op.getBias(),
      op.getResidual(), op.getInit(), spatialStrides, op.getDilations(), padLow,
      padHigh, op.getGroups(), op.getInputLayout(), op.getFilterLayout(),
      op.getOutputLayout(), op.getActivationAttr(), op.getNanMode(),
      op.getResidualAfterActivation());
  deconv->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return deconv.getResult();
}

//===----------------------------------------------------------------------===//
// Orders of dimensions
//===----------------------------------------------------------------------===//

/// The layout of the source of a transpose whose result has layout `layout`.
static LayoutAttr getSourceLayout(LayoutAttr layout, Attribute permutation) {
  return layout.permute(invertPermutationVector(getNumbers(permutation)));
}

static void readTransposedInput(PatternRewriter &rewriter, Operation *fused,
                                Value source, Attribute permutation) {
  auto op = cast<FusedOpInterface>(fused);
  rewriter.modifyOpInPlace(op, [&] {
    op.getInputMutable().set(source);
    op.setInputLayoutAttr(getSourceLayout(op.getInputLayout(), permutation));
  });
}

static void readTransposedFilter(PatternRewriter &rewriter, Operation *fused,
                                 Value source, Attribute permutation) {
  auto op = cast<FusedOpInterface>(fused);
  rewriter.modifyOpInPlace(op, [&] {
    op.getFilterMutable().set(source);
    op.setFilterLayoutAttr(getSourceLayout(op.getFilterLayout(), permutation));
  });
}

static Value writeTransposed(PatternRewriter &rewriter, Operation *transpose,
                             Value result, Attribute permutation) {
  ArrayRef<int64_t> order = getNumbers(permutation);
  Location loc = transpose->getLoc();
  FusedOpInterface op = copyFusedOp(rewriter, transpose, result);
  Value init = reorderDestination(rewriter, loc, op.getInit(), order);
  op.getInitMutable().set(init);
  op.setOutputLayoutAttr(op.getOutputLayout().permute(order));
  op->getResult(0).setType(init.getType());
  // Either the result or the residual is transposed. If transposes surround a
  // whole block, that of the residual cancels out.
  if (Value residual = op.getResidual())
    op.getResidualMutable().assign(reorder(rewriter, loc, residual, order));
  rewriter.setInsertionPointAfter(op);
  return castTo(rewriter, loc, op->getResult(0),
                transpose->getResult(0).getType());
}

static LogicalResult isTransposable(PatternRewriter &rewriter,
                                    Operation *transpose, Value result) {
  auto op = result.getDefiningOp<FusedOpInterface>();
  if (!op)
    return rewriter.notifyMatchFailure(transpose, "not of a fusion op");
  Refusal refusal;
  if (failed(checkTransposeIsFoldable(op, transpose, refusal)))
    return refusal.notify(rewriter, transpose);
  return success();
}

void fusion::registerFoldInputs(PDLPatternModule &patterns) {
  patterns.registerConstraintFunction("IsFoldablePad", isFoldablePad);
  patterns.registerRewriteFunction("PadInput", padInput);
  patterns.registerConstraintFunction("AreFoldableZeros", areFoldableZeros);
  patterns.registerRewriteFunction("Deconvolve", deconvolve);
  patterns.registerRewriteFunction("ReadTransposedInput", readTransposedInput);
  patterns.registerRewriteFunction("ReadTransposedFilter",
                                   readTransposedFilter);
  patterns.registerConstraintFunction("IsTransposable", isTransposable);
  patterns.registerRewriteFunction("WriteTransposed", writeTransposed);
}
