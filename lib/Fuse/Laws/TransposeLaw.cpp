//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Transpose.h"
#include "FusionDialect/Fuse/Epilogue.h"
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/IR/Layout.h"
#include "FusionDialect/IR/LocationText.h"
#include "FusionDialect/Utils/Reorder.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/AffineMap.h"

using namespace mlir;
using namespace fusion;

/// The layout of the source of a transpose whose result has `layout`.
static std::string getSourceLayout(StringRef layout,
                                   ArrayRef<int64_t> permutation) {
  return permuteLayout(layout, invertPermutationVector(permutation));
}

LogicalResult fusion::checkTransposeIsFoldable(FusedOpInterface op,
                                               Operation *transpose,
                                               Refusal &refusal) {
  if (failed(checkOneUser(op, refusal)))
    return failure();
  if (op->getBlock() != transpose->getBlock())
    return refusal.because("next op '", transpose->getName().getStringRef(),
                           "' at ", getLocationText(transpose->getLoc()),
                           " is in another block");
  return success();
}

namespace {

// law: fused(transpose(x), w)  ->  fused(x, w), input_layout permuted
struct TransposedInputLaw : public OpInterfaceRewritePattern<FusedOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(FusedOpInterface op,
                                PatternRewriter &rewriter) const override {
    auto transpose = matchTranspose(op.getInput().getDefiningOp());
    if (!transpose)
      return rewriter.notifyMatchFailure(op, "'input' is not transposed");
    rewriter.modifyOpInPlace(op, [&] {
      op.getInputMutable().set(transpose->first);
      op.setInputLayout(
          getSourceLayout(op.getInputLayout(), transpose->second));
    });
    return success();
  }
};

// law: fused(x, transpose(w))  ->  fused(x, w), filter_layout permuted
struct TransposedFilterLaw
    : public OpInterfaceRewritePattern<FusedOpInterface> {
  // Runs in front of the deconv law, which looks for a flip behind the
  // transpose.
  TransposedFilterLaw(MLIRContext *context)
      : OpInterfaceRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(FusedOpInterface op,
                                PatternRewriter &rewriter) const override {
    auto transpose = matchTranspose(op.getFilter().getDefiningOp());
    if (!transpose)
      return rewriter.notifyMatchFailure(op, "'filter' is not transposed");
    rewriter.modifyOpInPlace(op, [&] {
      op.getFilterMutable().set(transpose->first);
      op.setFilterLayout(
          getSourceLayout(op.getFilterLayout(), transpose->second));
    });
    return success();
  }
};

/// A destination for the result of `op` with its dimensions in `order`, made in
/// the place of the old one.
static Value createEmpty(PatternRewriter &rewriter, FusedOpInterface op,
                         ArrayRef<int64_t> order) {
  Value init = op.getInit();
  if (init.getDefiningOp<tensor::EmptyOp>())
    return reorder(rewriter, op.getLoc(), init, order);
  auto type = cast<RankedTensorType>(init.getType());
  return tensor::EmptyOp::create(
      rewriter, op.getLoc(),
      applyPermutation(tensor::getMixedSizes(rewriter, op.getLoc(), init),
                       order),
      type.getElementType(), type.getEncoding());
}

// law: transpose(fused(x, w))  ->  fused(x, w), output_layout permuted
struct TransposedResultLaw : public RewritePattern {
  TransposedResultLaw(MLIRContext *context)
      : RewritePattern(MatchAnyOpTypeTag(), /*benefit=*/1, context) {}

  LogicalResult matchAndRewrite(Operation *root,
                                PatternRewriter &rewriter) const override {
    auto transpose = matchTranspose(root);
    if (!transpose)
      return rewriter.notifyMatchFailure(root, "not a transpose");
    auto op = transpose->first.getDefiningOp<FusedOpInterface>();
    if (!op)
      return rewriter.notifyMatchFailure(root, "not of a fusion op");
    Refusal refusal;
    if (failed(checkTransposeIsFoldable(op, root, refusal)))
      return refusal.notify(rewriter, root);
    Location loc = root->getLoc();
    Value empty = createEmpty(rewriter, op, transpose->second);
    auto replacement = cast<FusedOpInterface>(rewriter.clone(*op));
    replacement.getInitMutable().set(empty);
    replacement.setOutputLayout(
        permuteLayout(op.getOutputLayout(), transpose->second));
    replacement->getResult(0).setType(empty.getType());
    // Either the result or the residual is transposed. If transposes surround a
    // whole block, that of the residual cancels out.
    if (Value residual = op.getResidual()) {
      rewriter.setInsertionPoint(replacement);
      replacement.getResidualMutable().assign(
          reorder(rewriter, loc, residual, transpose->second));
      rewriter.setInsertionPointAfter(replacement);
    }
    Value result = replacement->getResult(0);
    if (result.getType() != root->getResult(0).getType())
      result = tensor::CastOp::create(rewriter, loc,
                                      root->getResult(0).getType(), result);
    rewriter.replaceOp(root, result);
    return success();
  }
};

} // namespace

void fusion::populateTransposeLawPatterns(RewritePatternSet &patterns) {
  patterns.add<TransposedInputLaw, TransposedFilterLaw, TransposedResultLaw>(
      patterns.getContext());
  populateTransposingReadLawPatterns(patterns);
}
