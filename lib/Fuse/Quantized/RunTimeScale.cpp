//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/ChannelExpr.h"
#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Fuse/Epilogue.h"
#include "FusionDialect/IR/LocationText.h"
#include "FusionDialect/Utils/Materialize.h"
#include "Laws.h"
#include "NewResult.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fusion;

/// Whether `op` multiplies its sum by a scale, a float, and does nothing else.
static bool isScaledSum(FusedOpInterface op) {
  auto quantized = dyn_cast<QuantizedOpInterface>(op.getOperation());
  if (!quantized || op->getNumResults() != 1 || !quantized.getScale() ||
      op.getResidual() || op.getActivationAttr() ||
      !op.getOutputType().getElementType().isF32())
    return false;
  return !op.getBias() || getElementTypeOrSelf(op.getBias()).isInteger();
}

/// An element-wise op that makes floats or integers of 8 bits of the sum that
/// `op` computes, in i32 or with a scale; null if there is none.
static linalg::GenericOp findUser(FusedOpInterface op) {
  auto isWanted = [](Type type) {
    return type.isInteger(8) || isa<FloatType>(type);
  };
  linalg::LinalgOp user = isScaledSum(op)
                              ? findElementwiseUser(op, isWanted)
                              : findElementwiseUser(op, 32, isWanted);
  return user ? dyn_cast<linalg::GenericOp>(user.getOperation())
              : linalg::GenericOp();
}

namespace {
/// The factors of a sum that only a call knows.
struct Scale {
  linalg::GenericOp user;
  BlockArgument sum; ///< in the body of `user`
  /// The conversion to f32 and the products; each reads the one before.
  SmallVector<Operation *> chain;
  Operation *product = nullptr; ///< the last of them
  /// The expression of each factor. It owns what the other one refers to.
  std::vector<ScalarExpr> scalars;
  std::vector<ChannelExpr> factors;

  /// True if the user computes nothing else.
  bool isAll() {
    return user.getBody()->getTerminator()->getOperand(0) ==
           product->getResult(0);
  }
};
} // namespace

/// Reads `factor`, in the body of the user, as a number for each channel of
/// `op`.
static LogicalResult readFactor(FusedOpInterface op, Value factor, Scale &scale,
                                Refusal &refusal) {
  ChannelVectorOptions options;
  options.role = "scale";
  FailureOr<ScalarExpr> scalar =
      ScalarExpr::matchScalar(scale.user, factor, refusal);
  if (failed(scalar))
    return failure();
  FailureOr<ChannelExpr> numbers = ChannelExpr::match(
      *scalar, scalar->getRoot(), op.getOutputChannelDim(), options, refusal);
  if (failed(numbers))
    return failure();
  std::optional<Type> narrowest = numbers->getNarrowestType();
  if (narrowest && !narrowest->isF32() && !narrowest->isF64())
    return refusal.because("unsupported: the scale of the sum is computed in ",
                           *narrowest);
  scale.scalars.push_back(std::move(*scalar));
  scale.factors.push_back(std::move(*numbers));
  return success();
}

/// The sum in the body of `user`, as f32; null unless nothing else reads it.
/// The sum must be read and the result written element for element.
static Value findSum(FusedOpInterface op, linalg::GenericOp user,
                     Scale &scale) {
  if (!user.getIndexingMapMatchingResult(user->getOpResult(0)).isIdentity())
    return nullptr;
  for (OpOperand *operand : user.getDpsInputOperands()) {
    BlockArgument argument = user.getMatchingBlockArgument(operand);
    if (operand->get() != op->getResult(0) || !argument.hasOneUse() ||
        !user.getMatchingIndexingMap(operand).isIdentity())
      continue;
    scale.sum = argument;
    if (argument.getType().isF32())
      return argument;
    auto conversion = dyn_cast<arith::SIToFPOp>(*argument.user_begin());
    if (!conversion || !conversion.getType().isF32())
      return nullptr;
    scale.chain.push_back(conversion);
    return conversion;
  }
  return nullptr;
}

/// Reads the products of the sum with factors, as many as there are. Under
/// `exact` it is one, since each rounds.
static LogicalResult readProducts(FusedOpInterface op, bool isExact,
                                  Scale &scale, Refusal &refusal) {
  Value sum = findSum(op, scale.user, scale);
  if (!sum)
    return refusal.because("the sum is not converted to f32 alone, element for "
                           "element");
  Refusal reason;
  for (Value value = sum; value.hasOneUse();) {
    auto product = dyn_cast<arith::MulFOp>(*value.user_begin());
    if (!product || product->getBlock() != scale.user.getBody())
      break;
    Value factor =
        value == product.getLhs() ? product.getRhs() : product.getLhs();
    if (failed(readFactor(op, factor, scale, reason)))
      break;
    scale.product = product;
    scale.chain.push_back(product);
    value = product;
    if (isExact)
      break;
  }
  if (!scale.product)
    return refusal.because("the sum is not scaled: ", reason.str());
  if (isExact && isScaledSum(op))
    return refusal.because("quant-rounding is exact, and next op '",
                           scale.user->getName().getStringRef(), "' at ",
                           getLocationText(scale.user.getLoc()),
                           " multiplies the sum by another scale");
  return success();
}

static FailureOr<Scale> matchScale(FusedOpInterface op, QuantRounding rounding,
                                   Refusal &refusal) {
  linalg::GenericOp user = findUser(op);
  if (!user)
    return refusal.because("no op scales the sum");
  if (failed(checkOneUser(op, refusal)))
    return failure();
  if (user->getBlock() != op->getBlock() || !op->getResult(0).hasOneUse())
    return refusal.because("sum is read twice, or in another block");
  Refusal affine = Refusal::unread();
  if (succeeded(AffineRounding::match(user, affine)))
    return refusal.because("the scale of the sum is a constant");
  Scale scale;
  scale.user = user;
  if (failed(
          readProducts(op, rounding == QuantRounding::Exact, scale, refusal)))
    return failure();
  // Otherwise effects stay with what is left of the user.
  if (scale.isAll() && failed(checkNoSideEffects(user, refusal)))
    return failure();
  return scale;
}

/// The scale that `op` has, for each of `channels`.
static Value emitOwnScale(OpBuilder &builder, FusedOpInterface op, Location loc,
                          OpFoldResult channels) {
  Value scale = cast<QuantizedOpInterface>(op.getOperation()).getScale();
  auto type = cast<RankedTensorType>(scale.getType());
  if (type.getDimSize(0) != 1 || isConstantIntValue(channels, 1))
    return scale;
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value number = tensor::ExtractOp::create(builder, loc, scale, zero);
  Value empty =
      tensor::EmptyOp::create(builder, loc, channels, type.getElementType());
  return linalg::FillOp::create(builder, loc, number, empty).getResult(0);
}

/// The product of all factors, a vector.
static Value emitScale(OpBuilder &builder, FusedOpInterface op, Scale &scale) {
  Location loc = scale.user.getLoc();
  OpFoldResult channels = tensor::getMixedSize(builder, loc, op.getInit(),
                                               op.getOutputChannelDim());
  Value result;
  if (isScaledSum(op))
    result = emitOwnScale(builder, op, loc, channels);
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

/// Makes the op behind read the scaled sum in place of the sum.
static void readScaled(RewriterBase &rewriter, Scale &scale, Value scaled) {
  rewriter.modifyOpInPlace(scale.user, [&] {
    scale.user->setOperand(scale.sum.getArgNumber(), scaled);
    scale.sum.setType(rewriter.getF32Type());
    rewriter.replaceAllUsesWith(scale.product->getResult(0), scale.sum);
    for (Operation *inner : llvm::reverse(scale.chain))
      rewriter.eraseOp(inner);
  });
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
    linalg::GenericOp user = scale->user;
    rewriter.setInsertionPoint(user);
    Value vector = emitScale(rewriter, op, *scale);
    bool isAll = scale->isAll();
    Value init = user.getDpsInits()[0];
    if (!isAll)
      init = tensor::EmptyOp::create(
          rewriter, user.getLoc(),
          tensor::getMixedSizes(rewriter, user.getLoc(), op.getInit()),
          rewriter.getF32Type());
    auto copy = cast<FusedOpInterface>(rewriter.clone(*op));
    llvm::TypeSwitch<Operation *>(copy)
        .Case<QuantizedConvBiasActOp, QuantizedMatmulBiasActOp>(
            [&](auto quantized) {
              quantized.getScaleMutable().assign(vector);
            });
    copy.getInitMutable().set(init);
    copy->getResult(0).setType(init.getType());
    if (isAll)
      rewriter.replaceOp(user, copy);
    else
      readScaled(rewriter, *scale, copy->getResult(0));
    rewriter.eraseOp(op);
    return success();
  }

  QuantRounding rounding;
};
} // namespace

LogicalResult fusion::explainRunTimeScale(FusedOpInterface op,
                                          const FuseOptions &options,
                                          Refusal &refusal) {
  Refusal unread = Refusal::unread();
  // The pass may have run with the stricter option.
  if (failed(matchScale(op, QuantRounding::Nearest, unread)) ||
      succeeded(matchScale(op, QuantRounding::Exact, unread)))
    return success();
  return matchScale(op, QuantRounding::Exact, refusal);
}

void fusion::populateRunTimeScaleLaw(RewritePatternSet &patterns,
                                     const FuseOptions &options) {
  patterns.add<RunTimeScaleLaw>(patterns.getContext(), options.quantRounding);
}
