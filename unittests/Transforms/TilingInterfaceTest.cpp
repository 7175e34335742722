//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "TransformsTest.h"

#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Interfaces/TilingInterfaceImpl.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace fusion;

/// The tile of the op that tiles of its operands make. Fusing an op with the
/// ops that compute its operands asks for it; upstream only has transforms for
/// that in its tests.
namespace {
class TilingInterfaceTest : public TransformsTest {
protected:
  TilingInterfaceTest() {
    DialectRegistry registry;
    registerTilingInterfaceExternalModels(registry);
    context.appendDialectRegistry(registry);
    module = parse(R"mlir(
      func.func @main(%x: tensor<4x12x10x12xf32>, %w: tensor<8x12x3x3xf32>,
                      %b: tensor<8xf32>) -> tensor<4x8x10x8xf32> {
        %e = tensor.empty() : tensor<4x8x10x8xf32>
        %s = tensor.empty() : tensor<4x8x10x8xf32>
        %0 = fusion.fused_conv_bias_act {
            strides = array<i64: 1, 1>, dilations = array<i64: 1, 2>,
            pad_low = array<i64: 1, 0>, pad_high = array<i64: 1, 0>,
            input_layout = "nchw", filter_layout = "fchw", output_layout = "nchw"}
          ins(%x, %w : tensor<4x12x10x12xf32>, tensor<8x12x3x3xf32>)
          bias(%b : tensor<8xf32>) residual(%s : tensor<4x8x10x8xf32>)
          outs(%e : tensor<4x8x10x8xf32>) -> tensor<4x8x10x8xf32>
        return %0 : tensor<4x8x10x8xf32>
      }
    )mlir");
    module->walk([&](FusedConvBiasActOp conv) { op = conv.getOperation(); });
  }

  /// The tile as text: "2:1 0:8 ..." has offset and size of each dimension. If
  /// there is no tile, the message.
  std::string tileOf(ArrayRef<unsigned> numbers,
                     ArrayRef<SmallVector<int64_t>> offsets,
                     ArrayRef<SmallVector<int64_t>> sizes) {
    std::string text;
    ScopedDiagnosticHandler handler(
        &context, [&](Diagnostic &diagnostic) { text += diagnostic.str(); });
    OpBuilder builder(op);
    auto convert = [&](ArrayRef<SmallVector<int64_t>> all) {
      return llvm::map_to_vector(all, [&](ArrayRef<int64_t> numbers) {
        return getAsIndexOpFoldResult(&context, numbers);
      });
    };
    SmallVector<OpFoldResult> tileOffsets, tileSizes;
    if (failed(cast<TilingInterface>(op).getIterationDomainTileFromOperandTiles(
            builder, numbers, convert(offsets), convert(sizes), tileOffsets,
            tileSizes)))
      return text;
    for (auto [offset, size] : llvm::zip_equal(tileOffsets, tileSizes))
      text += std::to_string(*getConstantIntValue(offset)) + ":" +
              std::to_string(*getConstantIntValue(size)) + " ";
    return text;
  }

  OwningOpRef<ModuleOp> module;
  Operation *op = nullptr;
};
} // namespace

TEST_F(TilingInterfaceTest, ResidualIsTheTile) {
  EXPECT_EQ(tileOf({3}, {{1, 2, 3, 4}}, {{2, 4, 6, 1}}), "1:2 2:4 3:6 4:1 ");
}

TEST_F(TilingInterfaceTest, FilterAndBiasGiveTheChannels) {
  EXPECT_EQ(tileOf({1}, {{4, 0, 0, 0}}, {{2, 12, 3, 3}}), "0:4 4:2 0:10 0:8 ");
  EXPECT_EQ(tileOf({2}, {{4}}, {{2}}), "0:4 4:2 0:10 0:8 ");
}

TEST_F(TilingInterfaceTest, InputGivesTheBatch) {
  EXPECT_EQ(tileOf({0}, {{1, 0, 0, 0}}, {{2, 12, 10, 12}}),
            "1:2 0:8 0:10 0:8 ");
}

TEST_F(TilingInterfaceTest, SeveralOperandsAgree) {
  EXPECT_EQ(tileOf({0, 1}, {{1, 0, 0, 0}, {4, 0, 0, 0}},
                   {{2, 12, 10, 12}, {2, 12, 3, 3}}),
            "1:2 4:2 0:10 0:8 ");
  EXPECT_EQ(tileOf({1, 2}, {{4, 0, 0, 0}, {2}}, {{2, 12, 3, 3}, {2}}),
            "not tiled with what computes its operands: operand 2 in dimension "
            "0 asks for another tile than one before it");
}

TEST_F(TilingInterfaceTest, WhatATileReadsAllOfIsWhole) {
  EXPECT_EQ(
      tileOf({0}, {{0, 4, 0, 0}}, {{4, 4, 10, 12}}),
      "not tiled with what computes its operands: operand 0 must be whole "
      "in dimension 1, which a tile reads all of");
  // The first 4 input channels are not enough either.
  EXPECT_EQ(
      tileOf({0}, {{0, 0, 0, 0}}, {{4, 4, 10, 12}}),
      "not tiled with what computes its operands: operand 0 must be whole "
      "in dimension 1, which a tile reads all of");
  // Windows overlap: rows of the input are not rows of the result.
  EXPECT_EQ(
      tileOf({0}, {{0, 0, 2, 0}}, {{4, 12, 4, 12}}),
      "not tiled with what computes its operands: operand 0 must be whole "
      "in dimension 2, which a tile reads all of");
}
