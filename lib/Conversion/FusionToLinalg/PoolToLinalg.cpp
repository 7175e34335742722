//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Conversion/FusionToLinalg.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/IR/Layout.h"
#include "FusionDialect/Utils/EmitCast.h"
#include "FusionDialect/Utils/EmitPad.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fusion;

/// The maps of the input, the window and the result. The loops are the
/// dimensions of the result, then those of the window.
static SmallVector<AffineMap> getMaps(PoolOp op) {
  MLIRContext *context = op.getContext();
  StringRef layout = op.getLayout().getLetters();
  StringRef letters =
      getSpatialLetters(static_cast<int64_t>(layout.size()) - 2);
  SmallVector<AffineExpr, 4> input, window, result;
  for (auto [dim, letter] : llvm::enumerate(layout)) {
    AffineExpr loop = getAffineDimExpr(dim, context);
    result.push_back(loop);
    size_t i = letters.find(letter);
    input.push_back(i == StringRef::npos
                        ? loop
                        : loop * op.getStrides()[i] +
                              getAffineDimExpr(layout.size() + i, context));
  }
  for (size_t i = 0; i < letters.size(); ++i)
    window.push_back(getAffineDimExpr(layout.size() + i, context));
  return AffineMap::inferFromExprList(
      ArrayRef<SmallVector<AffineExpr, 4>>{input, window, result}, context);
}

/// The body of the pool, as the named ops of linalg have it.
static void createStep(OpBuilder &b, Location loc, ValueRange args,
                       PoolOp pool) {
  Value element = args[0], accumulator = args[2];
  if (element.getType() != accumulator.getType())
    element = arith::ExtFOp::create(b, loc, accumulator.getType(), element);
  Value next;
  if (accumulator.getType().isInteger())
    next =
        pool.getInputUnsigned()
            ? arith::MaxUIOp::create(b, loc, accumulator, element).getResult()
            : arith::MaxSIOp::create(b, loc, accumulator, element);
  else if (pool.getPooling() == Pooling::Max)
    next = arith::MaximumFOp::create(b, loc, accumulator, element);
  else
    next = arith::AddFOp::create(b, loc, accumulator, element);
  linalg::YieldOp::create(b, loc, next);
}

/// Creates the pool over `input`, which includes its padding, starting from
/// `init`.
static Value createPool(PatternRewriter &rewriter, PoolOp op, Value input,
                        Value init) {
  Location loc = op.getLoc();
  Value window = tensor::EmptyOp::create(rewriter, loc, op.getKernel(),
                                         getElementTypeOrSelf(input));
  SmallVector<utils::IteratorType> iterators(op.getLayout().getRank(),
                                             utils::IteratorType::parallel);
  iterators.append(op.getKernel().size(), utils::IteratorType::reduction);
  auto generic = linalg::GenericOp::create(
      rewriter, loc, init.getType(), ValueRange{input, window}, init,
      getMaps(op), iterators, [&](OpBuilder &b, Location loc, ValueRange args) {
        createStep(b, loc, args, op);
      });
  FailureOr<linalg::LinalgOp> named =
      linalg::specializeGenericOp(rewriter, generic);
  return succeeded(named) ? (*named)->getResult(0) : generic.getResult(0);
}

namespace {
struct DecomposePool : public OpRewritePattern<PoolOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(PoolOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.getResult())
      return rewriter.notifyMatchFailure(
          op, "unsupported: pool on memrefs; run before bufferization");
    auto type = cast<RankedTensorType>(op.getInit().getType());
    if (llvm::is_contained(type.getShape(), 0)) {
      // There is nothing to compute, and linalg allows no stride of 0.
      rewriter.replaceOp(op, op.getInit());
      return success();
    }
    // A maximum is exact in any type; a sum is computed in f32.
    Type wide = op.getPooling() == Pooling::Max ? type.getElementType()
                                                : rewriter.getF32Type();
    Value empty = tensor::EmptyOp::create(
        rewriter, op.getLoc(),
        tensor::getMixedSizes(rewriter, op.getLoc(), op.getInit()), wide);
    Value neutral =
        arith::ConstantOp::create(rewriter, op.getLoc(), op.getNeutral(wide));
    Value init = linalg::FillOp::create(rewriter, op.getLoc(), neutral, empty)
                     .getResult(0);
    Value input =
        emitPad(rewriter, op.getLoc(), op.getInput(), op.getLayout(),
                op.getPadLow(), op.getPadHigh(),
                op.getNeutral(getElementTypeOrSelf(op.getInput().getType())));
    Value result = createPool(rewriter, op, input, init);
    if (result.getType() != type)
      result = emitCast(rewriter, op.getLoc(), result, op.getInit());
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

void fusion::populatePoolToLinalgPatterns(RewritePatternSet &patterns) {
  patterns.add<DecomposePool>(patterns.getContext());
}
