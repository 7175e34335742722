//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The bias law for a matrix multiplication whose first operand is the filter,
// as a network may write it whose weights are arguments like any other.

#include "FusionDialect/Analysis/MatmulMatch.h"
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/Fuse/Step.h"

using namespace mlir;
using namespace fusion;

/// True if `op` may as well read its filter as the input, and the other way
/// round.
static bool isSymmetric(FusedMatmulBiasActOp op) {
  LayoutAttr input = op.getInputLayout(), filter = op.getFilterLayout();
  return input.has('m') && input.has('b') == filter.has('b') && !op.getBias();
}

/// True if `consumer` adds a vector along the rows of the result of `op`, which
/// come last, and none along the columns.
static bool addsAlongRows(FusedMatmulBiasActOp op, Operation *consumer,
                          const FuseOptions &options) {
  LayoutAttr layout = op.getOutputLayout();
  Refusal ignored = Refusal::unread();
  for (Epilogue &epilogue : matchEpilogues(consumer, options, ignored)) {
    if (epilogue.getFused() != op || !epilogue.views.empty())
      continue;
    auto addsAlong = [&](char letter) {
      epilogue.channelDim = layout.getPosition(letter);
      FailureOr<Step> step = matchFirstStep(epilogue, options, ignored);
      return succeeded(step) && step->kind == Step::Kind::AddChannel;
    };
    return !addsAlong('n') && addsAlong('m');
  }
  return false;
}

/// `layout` with the names of rows and columns exchanged.
static LayoutAttr swapNames(LayoutAttr layout) {
  std::string letters = layout.getLetters().str();
  for (char &letter : letters)
    letter = letter == 'm' ? 'n' : letter == 'n' ? 'm' : letter;
  return LayoutAttr::get(layout.getContext(), letters);
}

namespace {
// law: transpose(fused(w, x)) + b  ->  fused(transpose(x), transpose(w)) + b,
//      where `b` varies along what were rows
struct SwappedOperandsLaw : public OpRewritePattern<FusedMatmulBiasActOp> {
  SwappedOperandsLaw(MLIRContext *context, const FuseOptions &options)
      : OpRewritePattern(context, /*benefit=*/3), options(options) {}

  LogicalResult matchAndRewrite(FusedMatmulBiasActOp op,
                                PatternRewriter &rewriter) const override {
    if (!op->hasOneUse())
      return rewriter.notifyMatchFailure(op, "not one op reads the result");
    LayoutAttr output = op.getOutputLayout();
    if (!isSymmetric(op) || output.getLetters().back() != 'm' ||
        output.getDimSize(op.getInit(), 'n') == 1)
      return rewriter.notifyMatchFailure(op, "rows are no output channels");
    if (isWeights(op.getFilter()))
      return rewriter.notifyMatchFailure(op,
                                         "the filter is the second operand");
    if (!addsAlongRows(op, *op->user_begin(), options))
      return rewriter.notifyMatchFailure(op, "no bias of the rows follows");
    Value input = op.getInput(), filter = op.getFilter();
    LayoutAttr inputLayout = op.getInputLayout();
    rewriter.modifyOpInPlace(op, [&] {
      op.getInputMutable().set(filter);
      op.getFilterMutable().set(input);
      op.setInputLayoutAttr(swapNames(op.getFilterLayout()));
      op.setFilterLayoutAttr(swapNames(inputLayout));
      op.setOutputLayoutAttr(swapNames(output));
    });
    return success();
  }

  FuseOptions options;
};
} // namespace

void fusion::populateSwappedOperandsLaw(RewritePatternSet &patterns,
                                        const FuseOptions &options) {
  patterns.add<SwappedOperandsLaw>(patterns.getContext(), options);
}
