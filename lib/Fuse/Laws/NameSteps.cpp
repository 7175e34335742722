//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Gives the first step of what follows a fusion op its name, so that the laws
// of Fuse.pdll match it by name. This is C++ because a step is recognised by
// what an op computes, and not by its name or its operands.

#include "FusionDialect/Fuse/Step.h"
#include "FusionDialect/Support/TensorSize.h"
#include "FusionDialect/Utils/Materialize.h"
#include "FusionDialect/Utils/ReplayViews.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fusion;

/// -value, of a tensor<Cxf32>.
static Value negate(OpBuilder &builder, Location loc, Value value) {
  DenseElementsAttr constant;
  if (matchPattern(value, m_Constant(&constant)))
    return arith::ConstantOp::create(
        builder, loc,
        constant.mapValues(builder.getF32Type(), [](const APFloat &number) {
          return (-number).bitcastToAPInt();
        }));
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, value),
      builder.getF32Type());
  return linalg::NegFOp::create(builder, loc, value, empty).getResult(0);
}

/// True if `vector` has fewer elements than `tensor`, its broadcast.
static bool isSmaller(const ChannelVector &vector, Value tensor) {
  if (!vector.dim)
    return true;
  auto type = cast<ShapedType>(vector.base.getType());
  auto tensorType = cast<ShapedType>(tensor.getType());
  if (!type.hasStaticShape() || !tensorType.hasStaticShape())
    return type.hasStaticShape();
  std::optional<int64_t> count = countElements(type.getShape()),
                         tensorCount = countElements(tensorType.getShape());
  return count && (!tensorCount || *count < *tensorCount);
}

/// Builds the sum of `value` and the tensor that `step` adds. `bias` says
/// whether its law is on.
static Value createAddition(OpBuilder &builder, const Epilogue &epilogue,
                            const Step &step, const FuseOptions &options,
                            bool bias, Value value, OpFoldResult channels) {
  Location loc = epilogue.consumer->getLoc();
  Value addend = revertViews(builder, loc, epilogue.views, step.tensor);
  // The addend may be a bias whose channel a reshape of the result hides.
  Refusal ignored = Refusal::unread();
  FailureOr<ChannelVector> vector =
      matchChannelVector(addend, epilogue.getFused().getOutputChannelDim(),
                         {options.allowReshape}, ignored);
  if (bias && !step.isAfterActivation && succeeded(vector) &&
      isSmaller(*vector, addend))
    return AddChannelOp::create(builder, loc, value,
                                materialize(builder, loc, *vector, channels));
  auto type = cast<RankedTensorType>(addend.getType());
  Type sumType = getElementTypeOrSelf(value.getType());
  if (type.getElementType() != sumType && sumType.isF32())
    addend = arith::ExtFOp::create(builder, loc, type.clone(sumType), addend);
  return AddTensorOp::create(builder, loc, value, addend);
}

/// Builds the op that is named after `step`, and gives its result. `bias` says
/// whether its law is on.
static Value createStep(OpBuilder &builder, const Epilogue &epilogue,
                        const Step &step, const FuseOptions &options,
                        bool bias) {
  Location loc = epilogue.consumer->getLoc();
  FusedOpInterface fused = epilogue.getFused();
  Value value = fused->getResult(0);
  OpFoldResult channels = tensor::getMixedSize(builder, loc, fused.getInit(),
                                               fused.getOutputChannelDim());
  auto materialize = [&](const ChannelExpr &vector) {
    return fusion::materialize(builder, loc, vector, channels);
  };
  switch (step.kind) {
  case Step::Kind::Round: {
    auto type = cast<RankedTensorType>(value.getType());
    return RoundOp::create(
        builder, loc,
        type.clone(getElementTypeOrSelf(step.node->value.getType())), value);
  }
  case Step::Kind::Widen:
    return WidenOp::create(
        builder, loc,
        cast<RankedTensorType>(value.getType()).clone(builder.getF32Type()),
        value);
  case Step::Kind::Activate:
    return ActivateOp::create(builder, loc, value, step.activation);
  case Step::Kind::Normalize:
    return NormalizeChannelOp::create(builder, loc, value,
                                      materialize(*step.vector), step.divides);
  case Step::Kind::Scale: {
    Value factor =
        step.vector
            ? materialize(*step.vector)
            : fusion::materialize(builder, loc,
                                  ChannelVector{Value(), std::nullopt, -1.0},
                                  channels);
    Value scaled =
        ScaleChannelOp::create(builder, loc, value, factor, step.divides);
    if (!step.negatedFrom)
      return scaled;
    return AddChannelOp::create(builder, loc, scaled,
                                materialize(*step.negatedFrom));
  }
  case Step::Kind::AddChannel: {
    Value addend = materialize(*step.vector);
    if (step.isNegated)
      addend = negate(builder, loc, addend);
    return AddChannelOp::create(builder, loc, value, addend);
  }
  case Step::Kind::AddTensor:
    return createAddition(builder, epilogue, step, options, bias, value,
                          channels);
  }
  llvm_unreachable("unknown step");
}

namespace {
struct NameFirstStep : public OpInterfaceRewritePattern<FusedOpInterface> {
  NameFirstStep(MLIRContext *context, const FuseOptions &options,
                ArrayRef<StringRef> laws)
      : OpInterfaceRewritePattern(context, /*benefit=*/2), options(options),
        laws(laws.begin(), laws.end()) {}

  LogicalResult matchAndRewrite(FusedOpInterface fused,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    FailureOr<FoundStep> found = findNextStep(fused, options, refusal);
    if (failed(found))
      return refusal.notify(rewriter, fused);
    auto &[epilogue, step] = *found;
    bool isIdle = step.kind == Step::Kind::Widen && !isOn(step.next);
    if (!isOn(step.kind) || isIdle ||
        (step.negatedFrom && !isOn(Step::Kind::AddChannel)))
      return rewriter.notifyMatchFailure(
          fused, "law '" + getLawName(step.kind) + "' is switched off");
    rewriter.setInsertionPoint(epilogue.consumer);
    Value done = createStep(rewriter, epilogue, step, options,
                            isOn(Step::Kind::AddChannel));
    rewriter.replaceOp(
        epilogue.consumer,
        buildRest(rewriter, epilogue, step.node, done, step.rest));
    for (Operation *op : llvm::reverse(epilogue.inner))
      rewriter.eraseOp(op);
    return success();
  }

private:
  bool isOn(Step::Kind kind) const {
    return llvm::is_contained(laws, getLawName(kind));
  }

  FuseOptions options;
  SmallVector<std::string> laws;
};
} // namespace

void fusion::populateNameStepsPatterns(RewritePatternSet &patterns,
                                       const FuseOptions &options,
                                       ArrayRef<StringRef> laws) {
  patterns.add<NameFirstStep>(patterns.getContext(), options, laws);
}
