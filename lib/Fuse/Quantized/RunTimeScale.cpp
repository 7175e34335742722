//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/ChannelExpr.h"
#include "FusionDialect/Fuse/Epilogue.h"
#include "FusionDialect/Utils/Materialize.h"
#include "Laws.h"
#include "NewResult.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fusion;

/// An element-wise op that makes f32 of the i32 result of `op`; null if there
/// is none.
static linalg::LinalgOp findUser(FusedOpInterface op) {
  return findElementwiseUser(op, 32, [](Type type) { return type.isF32(); });
}

namespace {
/// The factors of a sum that only a call knows.
struct Scale {
  linalg::LinalgOp user;
  /// The expression of each factor. It owns what the other one refers to.
  std::vector<ScalarExpr> scalars;
  std::vector<ChannelExpr> factors;
};
} // namespace

/// Reads `value`, in the body of `user`, as f32 of the sum times factors.
/// Appends these, the first one last.
static LogicalResult readProduct(FusedOpInterface op, linalg::LinalgOp user,
                                 Value value, SmallVector<Value> &factors,
                                 Refusal &refusal) {
  if (auto conversion = value.getDefiningOp<arith::SIToFPOp>()) {
    auto argument = dyn_cast<BlockArgument>(conversion.getIn());
    if (argument && argument.getOwner() == user.getBlock() &&
        user.getMatchingOpOperand(argument)->get() == op->getResult(0))
      return success();
  }
  auto product = value.getDefiningOp<arith::MulFOp>();
  if (!product || product->getBlock() != user.getBlock())
    return refusal.because("the sum is not only converted and scaled");
  Refusal first = Refusal::unread();
  size_t count = factors.size();
  factors.push_back(product.getRhs());
  if (succeeded(readProduct(op, user, product.getLhs(), factors, first)))
    return success();
  factors.resize(count);
  factors.push_back(product.getLhs());
  return readProduct(op, user, product.getRhs(), factors, refusal);
}

/// Reads each of `factors` as numbers for the channels of `op`.
static LogicalResult matchFactors(FusedOpInterface op, ArrayRef<Value> factors,
                                  Scale &scale, Refusal &refusal) {
  ChannelVectorOptions options;
  options.role = "scale";
  for (Value factor : llvm::reverse(factors)) {
    FailureOr<ScalarExpr> scalar =
        ScalarExpr::matchScalar(scale.user, factor, refusal);
    if (failed(scalar))
      return failure();
    scale.scalars.push_back(std::move(*scalar));
    const ScalarExpr &expr = scale.scalars.back();
    FailureOr<ChannelExpr> numbers = ChannelExpr::match(
        expr, expr.getRoot(), op.getOutputChannelDim(), options, refusal);
    if (failed(numbers))
      return failure();
    std::optional<Type> narrowest = numbers->getNarrowestType();
    if (narrowest && !narrowest->isF32() && !narrowest->isF64())
      return refusal.because(
          "unsupported: the scale of the sum is computed in ", *narrowest);
    scale.factors.push_back(std::move(*numbers));
  }
  return success();
}

static FailureOr<Scale> matchScale(FusedOpInterface op, QuantRounding rounding,
                                   Refusal &refusal) {
  linalg::LinalgOp user = findUser(op);
  if (!user)
    return refusal.because("no op scales the sum");
  if (failed(checkOneUser(op, refusal)))
    return failure();
  if (user->getBlock() != op->getBlock())
    return refusal.because("sum is rescaled in another block");
  Refusal affine = Refusal::unread();
  if (succeeded(AffineRounding::match(user, affine)))
    return refusal.because("the scale of the sum is a constant");
  Scale scale{user, {}, {}};
  SmallVector<Value> factors;
  Value result = user.getBlock()->getTerminator()->getOperand(0);
  if (failed(readProduct(op, user, result, factors, refusal)) ||
      failed(matchFactors(op, factors, scale, refusal)))
    return failure();
  if (scale.factors.size() > 1 && rounding == QuantRounding::Exact)
    return refusal.because("quant-rounding is exact, and the sum is scaled ",
                           scale.factors.size(),
                           " times, each of which rounds");
  return scale;
}

/// The product of all factors, a vector.
static Value emitScale(OpBuilder &builder, FusedOpInterface op, Scale &scale) {
  Location loc = scale.user.getLoc();
  OpFoldResult channels = tensor::getMixedSize(builder, loc, op.getInit(),
                                               op.getOutputChannelDim());
  Value result;
  for (const ChannelExpr &factor : scale.factors) {
    Value vector = materialize(builder, loc, factor, channels);
    if (result)
      vector = linalg::MulOp::create(builder, loc, ValueRange{result, vector},
                                     result)
                   .getResult(0);
    result = vector;
  }
  return result;
}

namespace {
struct RunTimeScaleLaw : public OpInterfaceRewritePattern<FusedOpInterface> {
  RunTimeScaleLaw(MLIRContext *context, QuantRounding rounding)
      : OpInterfaceRewritePattern(context), rounding(rounding) {}

  LogicalResult matchAndRewrite(FusedOpInterface op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    FailureOr<Scale> scale = matchScale(op, rounding, refusal);
    if (failed(scale))
      return refusal.notify(rewriter, op);
    linalg::LinalgOp user = scale->user;
    rewriter.setInsertionPoint(user);
    Value vector = emitScale(rewriter, op, *scale);
    auto copy = cast<FusedOpInterface>(rewriter.clone(*op));
    llvm::TypeSwitch<Operation *>(copy)
        .Case<QuantizedConvBiasActOp, QuantizedMatmulBiasActOp>(
            [&](auto quantized) {
              quantized.getScaleMutable().assign(vector);
            });
    copy.getInitMutable().set(user.getDpsInits()[0]);
    copy->getResult(0).setType(user->getResult(0).getType());
    rewriter.replaceOp(user, copy);
    rewriter.eraseOp(op);
    return success();
  }

  QuantRounding rounding;
};
} // namespace

void fusion::populateRunTimeScaleLaw(RewritePatternSet &patterns,
                                     const FuseOptions &options) {
  patterns.add<RunTimeScaleLaw>(patterns.getContext(), options.quantRounding);
}
