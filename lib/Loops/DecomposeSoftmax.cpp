//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Loops/DecomposeSoftmax.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/ApplyPatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONDECOMPOSESOFTMAX
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

namespace {
struct DecomposeSoftmax : public OpRewritePattern<linalg::SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::SoftmaxOp op,
                                PatternRewriter &rewriter) const override {
    auto input = dyn_cast<RankedTensorType>(op.getInput().getType());
    auto output = dyn_cast<RankedTensorType>(op.getOutput().getType());
    if (!input || !output || !isa<FloatType>(input.getElementType()))
      return rewriter.notifyMatchFailure(op, "not on tensors of floats");
    if (input.getShape() != output.getShape())
      return unifySizes(rewriter, op, input, output);
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(rewriter);
    if (failed(results))
      return rewriter.notifyMatchFailure(op, "cannot be decomposed");
    for (Operation *before = op->getPrevNode(); before;
         before = before->getPrevNode())
      if (auto generic = dyn_cast<linalg::GenericOp>(before);
          generic && propagateNaN(rewriter, generic))
        break;
    rewriter.replaceOp(op, *results);
    return success();
  }

private:
  /// Gives input and output the static sizes of each other: upstream assumes
  /// that they are equal.
  static LogicalResult unifySizes(PatternRewriter &rewriter,
                                  linalg::SoftmaxOp op, RankedTensorType input,
                                  RankedTensorType output) {
    SmallVector<int64_t> shape(output.getShape());
    for (auto [size, known] : llvm::zip_equal(shape, input.getShape()))
      size = ShapedType::isDynamic(size) ? known : size;
    Location loc = op.getLoc();
    RankedTensorType type = output.clone(shape);
    Value source = rewriter.createOrFold<tensor::CastOp>(
        loc, input.clone(shape), op.getInput());
    Value init =
        rewriter.createOrFold<tensor::CastOp>(loc, type, op.getOutput());
    auto softmax = linalg::SoftmaxOp::create(rewriter, loc, TypeRange(type),
                                             source, init, op.getDimension());
    rewriter.replaceOpWithNewOp<tensor::CastOp>(op, output,
                                                softmax->getResult(0));
    return success();
  }

  /// Replaces the maximum in `op` by one that keeps NaN and starts with minus
  /// infinity; false if there is none.
  static bool propagateNaN(PatternRewriter &rewriter, linalg::GenericOp op) {
    auto maxima = op.getBody()->getOps<arith::MaxNumFOp>();
    auto fill = op.getDpsInits().front().getDefiningOp<linalg::FillOp>();
    if (maxima.empty() || !fill)
      return false;
    OpBuilder::InsertionGuard guard(rewriter);
    auto type = cast<FloatType>(fill.getInputs().front().getType());
    rewriter.setInsertionPoint(fill);
    const llvm::fltSemantics &semantics = type.getFloatSemantics();
    APFloat least = APFloat::semanticsHasInf(semantics)
                        ? APFloat::getInf(semantics, /*Negative=*/true)
                        : APFloat::getLargest(semantics, /*Negative=*/true);
    Value start = arith::ConstantOp::create(rewriter, fill.getLoc(),
                                            rewriter.getFloatAttr(type, least));
    rewriter.modifyOpInPlace(fill,
                             [&] { fill.getInputsMutable().assign(start); });
    arith::MaxNumFOp maximum = *maxima.begin();
    rewriter.setInsertionPoint(maximum);
    rewriter.replaceOpWithNewOp<arith::MaximumFOp>(maximum, maximum.getLhs(),
                                                   maximum.getRhs());
    return true;
  }
};
} // namespace

void fusion::populateDecomposeSoftmaxPatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposeSoftmax>(patterns.getContext());
}

namespace {
struct DecomposeSoftmaxPass
    : public fusion::impl::FusionDecomposeSoftmaxBase<DecomposeSoftmaxPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateDecomposeSoftmaxPatterns(patterns);
    if (failed(applyToFixpoint(getOperation(), std::move(patterns),
                               "decompositions of softmax")))
      signalPassFailure();
  }
};
} // namespace
