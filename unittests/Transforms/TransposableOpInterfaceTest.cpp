//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TransformsTest.h"

#include "FusionDialect/Interfaces/TransposableOpInterface.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace fusion;

namespace {
/// An interface for an op that Fusion has none for. Refuses channels.
struct SoftmaxOfRows
    : public TransposableOpInterface::ExternalModel<SoftmaxOfRows,
                                                    linalg::SoftmaxOp> {
  SmallVector<OpOperand *> getTransposableOperands(Operation *op) const {
    return {&op->getOpOperand(0)};
  }

  FailureOr<SmallVector<TransposedValue>>
  getTransposedImplementation(Operation *op, RewriterBase &rewriter,
                              OpOperand &operand,
                              ArrayRef<int64_t> permutation) const {
    auto softmax = cast<linalg::SoftmaxOp>(op);
    if (softmax.getDimension() == 1)
      return rewriter.notifyMatchFailure(op, "softmax of channels");
    Location loc = op->getLoc();
    Value input = reorder(rewriter, loc, operand.get(), permutation);
    Value init =
        reorderDestination(rewriter, loc, softmax.getOutput(), permutation);
    int64_t dim = invertPermutationVector(permutation)[softmax.getDimension()];
    auto transposed = linalg::SoftmaxOp::create(rewriter, loc, init.getType(),
                                                input, init, dim);
    return SmallVector<TransposedValue>{
        {transposed->getResult(0), DimOrder(permutation)}};
  }
};

class TransposableOpInterfaceTest : public TransformsTest {
protected:
  /// The dimension of the softmax between two convolutions after the pass, and
  /// the number of transposes.
  std::pair<uint64_t, unsigned> propagate(StringRef dimension) {
    std::string text = R"mlir(
      func.func @main(%x: tensor<2x3x9x11xf32>, %w: tensor<5x3x3x2xf32>,
                      %u: tensor<4x5x1x2xf32>) -> tensor<2x4x7x9xf32> {
        %e = tensor.empty() : tensor<2x5x7x10xf32>
        %c = fusion.fused_conv_bias_act ins(%x, %w : tensor<2x3x9x11xf32>, tensor<5x3x3x2xf32>)
          outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
        %s = linalg.softmax dimension()mlir" +
                       dimension.str() + R"mlir()
          ins(%c : tensor<2x5x7x10xf32>) outs(%e : tensor<2x5x7x10xf32>) -> tensor<2x5x7x10xf32>
        %f = tensor.empty() : tensor<2x4x7x9xf32>
        %r = fusion.fused_conv_bias_act ins(%s, %u : tensor<2x5x7x10xf32>, tensor<4x5x1x2xf32>)
          outs(%f : tensor<2x4x7x9xf32>) -> tensor<2x4x7x9xf32>
        return %r : tensor<2x4x7x9xf32>
      }
    )mlir";
    OwningOpRef<ModuleOp> module = parse(text);
    PassManager pm(&context);
    pm.addPass(createFusionPropagateLayout());
    EXPECT_TRUE(succeeded(pm.run(*module)));
    uint64_t dim = ~uint64_t(0);
    module->walk([&](linalg::SoftmaxOp op) { dim = op.getDimension(); });
    return {dim, countOps<linalg::TransposeOp>(*module)};
  }
};
} // namespace

TEST_F(TransposableOpInterfaceTest, DoesNotConnectWithoutInterface) {
  EXPECT_EQ(propagate("2"), std::make_pair(uint64_t(2), 0u));
}

TEST_F(TransposableOpInterfaceTest, TakesPart) {
  context.loadDialect<linalg::LinalgDialect>();
  linalg::SoftmaxOp::attachInterface<SoftmaxOfRows>(context);
  // Of the argument and of the result.
  EXPECT_EQ(propagate("2"), std::make_pair(uint64_t(1), 2u));
}

TEST_F(TransposableOpInterfaceTest, Refuses) {
  context.loadDialect<linalg::LinalgDialect>();
  linalg::SoftmaxOp::attachInterface<SoftmaxOfRows>(context);
  // Those in front of and behind the op stay.
  EXPECT_EQ(propagate("1"), std::make_pair(uint64_t(1), 4u));
}
