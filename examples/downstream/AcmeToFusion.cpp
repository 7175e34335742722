//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Acme.h"

#include "FusionDialect/IR/FusionDialect.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Pipelines/Pipelines.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;

namespace {
/// Converts acme.block, which a fusion op can compute in one kernel.
struct ConvertBlock : OpConversionPattern<acme::BlockOp> {
  using OpConversionPattern::OpConversionPattern;

  LogicalResult
  matchAndRewrite(acme::BlockOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    RankedTensorType type = op.getResult().getType();
    if (!type.hasStaticShape())
      return rewriter.notifyMatchFailure(op, "the result has a dynamic size");
    int64_t stride = op.getStride();
    Location loc = op.getLoc();
    Value init = tensor::EmptyOp::create(rewriter, loc, type.getShape(),
                                         type.getElementType());
    auto relu6 = fusion::ActivationAttr::get(
        getContext(), fusion::ActivationKind::Clip, 0.0f, 6.0f);
    auto nhwc = fusion::LayoutAttr::get(getContext(), "nhwc");
    auto fhwc = fusion::LayoutAttr::get(getContext(), "fhwc");
    rewriter.replaceOpWithNewOp<fusion::FusedConvBiasActOp>(
        op, type, adaptor.getImage(), adaptor.getFilter(), adaptor.getBias(),
        /*residual=*/Value(), init,
        /*strides=*/ArrayRef<int64_t>{stride, stride},
        /*dilations=*/ArrayRef<int64_t>{1, 1},
        /*pad_low=*/ArrayRef<int64_t>{1, 1},
        /*pad_high=*/ArrayRef<int64_t>{1, 1}, /*groups=*/1, /*input=*/nhwc,
        /*filter=*/fhwc, /*output=*/nhwc, relu6, fusion::NaNMode::Fast);
    return success();
  }
};

struct AcmeToFusion : PassWrapper<AcmeToFusion, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AcmeToFusion)

  StringRef getArgument() const final { return "acme-to-fusion"; }
  StringRef getDescription() const final { return "acme ops to fusion ops"; }
  void getDependentDialects(DialectRegistry &registry) const final {
    registry.insert<fusion::FusionDialect, tensor::TensorDialect>();
  }
  void runOnOperation() final {
    ConversionTarget target(getContext());
    target.addLegalDialect<fusion::FusionDialect, tensor::TensorDialect>();
    target.addIllegalOp<acme::BlockOp>();
    RewritePatternSet patterns(&getContext());
    patterns.add<ConvertBlock>(&getContext());
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      signalPassFailure();
  }
};
} // namespace

void acme::registerAcmePasses() {
  PassRegistration<AcmeToFusion>();
  PassPipelineRegistration<>(
      "acme-compile", "acme and linalg to LLVM, convolutions on oneDNN",
      [](OpPassManager &pm) {
        pm.addPass(std::make_unique<AcmeToFusion>());
        fusion::buildCompilePipeline(pm, fusion::CompileOptions());
      });
}
