//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TransformsTest.h"

#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/Fuse/Raise.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

namespace {
class FusePatternsTest : public TransformsTest {};
} // namespace

// exp(conv(x, w)), raised.
static constexpr char raisedText[] = R"mlir(
  func.func @main(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>,
                  %e: tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32> {
    %c = fusion.fused_conv_bias_act {dilations = array<i64: 1, 1>, filter_layout = "fchw", input_layout = "nchw", output_layout = "nchw", pad_high = array<i64: 0, 0>, pad_low = array<i64: 0, 0>, strides = array<i64: 1, 1>} ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
    %r = linalg.exp ins(%c : tensor<1x5x7x10xf32>) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
    return %r : tensor<1x5x7x10xf32>
  }
)mlir";

TEST_F(FusePatternsTest, Fold) {
  OwningOpRef<ModuleOp> module = parse(raisedText);
  RewritePatternSet patterns(&context);
  fusion::Refusal refusal;
  ASSERT_TRUE(succeeded(fusion::populateFusionPatterns(
      patterns, fusion::FuseOptions(), /*disabled=*/{}, refusal)));
  ASSERT_TRUE(succeeded(applyPatternsGreedily(*module, std::move(patterns))));
  EXPECT_EQ(countOps<fusion::FusedConvBiasActOp>(*module), 1u);
  EXPECT_EQ(countOps<linalg::ExpOp>(*module), 0u);
}

TEST_F(FusePatternsTest, DisabledLawHasAName) {
  RewritePatternSet patterns(&context);
  fusion::Refusal refusal;
  EXPECT_TRUE(failed(fusion::populateFusionPatterns(
      patterns, fusion::FuseOptions(), {"gravity"}, refusal)));
  EXPECT_NE(refusal.str().find("gravity"), StringRef::npos);
}

// Two convolutions; the second has a 1x1 filter.
static constexpr char linalgText[] = R"mlir(
  func.func @main(%x: tensor<1x3x9x11xf32>, %w: tensor<5x3x3x2xf32>,
                  %v: tensor<4x5x1x1xf32>) -> tensor<1x4x7x10xf32> {
    %zero = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<1x5x7x10xf32>
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
    %c = linalg.conv_2d_nchw_fchw ins(%x, %w : tensor<1x3x9x11xf32>, tensor<5x3x3x2xf32>) outs(%f : tensor<1x5x7x10xf32>) -> tensor<1x5x7x10xf32>
    %d = tensor.empty() : tensor<1x4x7x10xf32>
    %g = linalg.fill ins(%zero : f32) outs(%d : tensor<1x4x7x10xf32>) -> tensor<1x4x7x10xf32>
    %r = linalg.conv_2d_nchw_fchw ins(%c, %v : tensor<1x5x7x10xf32>, tensor<4x5x1x1xf32>) outs(%g : tensor<1x4x7x10xf32>) -> tensor<1x4x7x10xf32>
    return %r : tensor<1x4x7x10xf32>
  }
)mlir";

TEST_F(FusePatternsTest, RaisesWhatControlLetsIt) {
  OwningOpRef<ModuleOp> module = parse(linalgText);
  context.loadDialect<fusion::FusionDialect>();
  auto isPointwise = [](linalg::LinalgOp op) {
    auto filter = cast<RankedTensorType>(op.getDpsInputs()[1].getType());
    return filter.getDimSize(2) == 1;
  };
  RewritePatternSet patterns(&context);
  fusion::populateRaisePatterns(patterns, fusion::RaiseOptions(),
                                [&](auto op) { return !isPointwise(op); });
  ASSERT_TRUE(succeeded(applyPatternsGreedily(*module, std::move(patterns))));
  EXPECT_EQ(countOps<fusion::FusedConvBiasActOp>(*module), 1u);
  module->walk([&](linalg::Conv2DNchwFchwOp op) {
    EXPECT_TRUE(isPointwise(cast<linalg::LinalgOp>(*op)));
  });
}
