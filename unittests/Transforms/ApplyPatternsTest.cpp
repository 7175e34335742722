//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TransformsTest.h"

#include "FusionDialect/Utils/ApplyPatterns.h"

using namespace mlir;

namespace {
class ApplyPatternsTest : public TransformsTest {};

/// Matches `left` times, once per iteration: it changes nothing, so that the
/// driver does not visit the op again.
struct Tick : public OpRewritePattern<arith::AddFOp> {
  Tick(MLIRContext *context, unsigned &left)
      : OpRewritePattern(context), left(left) {}

  LogicalResult matchAndRewrite(arith::AddFOp op,
                                PatternRewriter &rewriter) const override {
    if (left == 0)
      return rewriter.notifyMatchFailure(op, "has been applied often enough");
    --left;
    return success();
  }

  unsigned &left;
};
} // namespace

static constexpr char text[] = R"mlir(
  func.func @main(%x: f32, %y: f32) -> f32 {
    %s = arith.addf %x, %y : f32
    return %s : f32
  }
)mlir";

TEST_F(ApplyPatternsTest, EndsWhereNothingApplies) {
  OwningOpRef<ModuleOp> module = parse(text);
  unsigned left = 30;
  RewritePatternSet patterns(&context);
  patterns.add<Tick>(&context, left);
  EXPECT_TRUE(succeeded(
      fusion::applyToFixpoint(*module, std::move(patterns), "ticks")));
  EXPECT_EQ(left, 0u);
}

TEST_F(ApplyPatternsTest, SaysThatThereIsNoEnd) {
  OwningOpRef<ModuleOp> module = parse(text);
  std::string message;
  ScopedDiagnosticHandler handler(
      &context, [&](Diagnostic &diagnostic) { message += diagnostic.str(); });
  unsigned left = ~0u;
  RewritePatternSet patterns(&context);
  patterns.add<Tick>(&context, left);
  EXPECT_TRUE(failed(
      fusion::applyToFixpoint(*module, std::move(patterns), "ticks", 20)));
  EXPECT_EQ(message,
            "ticks still find something to rewrite after 20 iterations");
}
