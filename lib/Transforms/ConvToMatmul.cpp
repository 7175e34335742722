//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/IR/Layout.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/ApplyPatterns.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONCONVTOMATMUL
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

namespace {
/// An operand of a convolution as a matrix: the dimensions that are collapsed
/// to each of its two, and its layout.
struct MatrixForm {
  SmallVector<ReassociationIndices> groups;
  LayoutAttr layout;
};
} // namespace

/// The form of an operand in which the letters `from` become `to`. All other
/// dimensions have size 1, or lie between these two, and join the first of
/// them.
static MatrixForm getMatrixForm(LayoutAttr layout, StringRef from,
                                StringRef to) {
  SmallVector<ReassociationIndices> groups(1);
  std::string letters;
  for (auto [dim, letter] : llvm::enumerate(layout.getLetters())) {
    if (size_t i = from.find(letter); i != StringRef::npos) {
      if (!letters.empty())
        groups.emplace_back();
      letters += to[i];
    }
    groups.back().push_back(dim);
  }
  return {groups, LayoutAttr::get(layout.getContext(), letters)};
}

template <typename ConvOp> static bool isPadded(ConvOp op) {
  auto isNotZero = [](int64_t size) { return size != 0; };
  return llvm::any_of(op.getPadLow(), isNotZero) ||
         llvm::any_of(op.getPadHigh(), isNotZero);
}

/// How many pixels each image of `value` has; none if that is not known.
static std::optional<int64_t> countPixels(Value value, LayoutAttr layout,
                                          int64_t spatialRank) {
  SmallVector<int64_t> sizes =
      llvm::map_to_vector(getSpatialLetters(spatialRank), [&](char letter) {
        return layout.getDimSize(value, letter);
      });
  if (ShapedType::isDynamicShape(sizes))
    return std::nullopt;
  return computeProduct(sizes);
}

/// True if the channels of each pixel lie side by side, in input and result.
template <typename ConvOp> static bool isChannelsLast(ConvOp op) {
  LayoutAttr last = op.getInputLayout().getChannelsLast();
  return op.getInputLayout() == last && op.getOutputLayout() == last;
}

/// For images of so few pixels kernels of convolutions took 1.05 to 2 times as
/// long as those of matrices, for 9 and 16 pixels 1.0 to 1.1 times (measured).
static constexpr int64_t fewPixels = 4;

namespace {
/// A convolution by a kernel of one pixel multiplies matrices, whose rows are
/// the pixels. Kernels for convolutions take the images one after the other.
template <typename ConvOp, typename MatmulOp>
struct ConvToMatmul : public OpRewritePattern<ConvOp> {
  using OpRewritePattern<ConvOp>::OpRewritePattern;

  LogicalResult matchAndRewrite(ConvOp op,
                                PatternRewriter &rewriter) const override {
    if (op->getNumResults() == 0)
      return rewriter.notifyMatchFailure(op, "its operands are buffers");
    if (op.getGroups() != 1)
      return rewriter.notifyMatchFailure(op, "it has groups");
    if (isPadded(op))
      return rewriter.notifyMatchFailure(op, "it is padded");
    int64_t rank = op.getSpatialRank();
    auto input = countPixels(op.getInput(), op.getInputLayout(), rank);
    auto output = countPixels(op.getInit(), op.getOutputLayout(), rank);
    if (countPixels(op.getFilter(), op.getFilterLayout(), rank) != 1)
      return rewriter.notifyMatchFailure(op, "the kernel may have more pixels");
    // A stride would leave pixels out.
    if (!input || input != output || *input == 0 || *input > fewPixels)
      return rewriter.notifyMatchFailure(
          op, "images may have many pixels, or none");
    if (*input != 1 && !isChannelsLast(op))
      return rewriter.notifyMatchFailure(op, "the channels are not last");
    rewriter.replaceOp(op, createMatmul(op, *input, rewriter));
    return success();
  }

private:
  Value createMatmul(ConvOp op, int64_t numPixels,
                     PatternRewriter &rewriter) const {
    Location loc = op.getLoc();
    MatrixForm input = getMatrixForm(op.getInputLayout(), "nc", "mk");
    MatrixForm filter = getMatrixForm(op.getFilterLayout(), "fc", "nk");
    MatrixForm output = getMatrixForm(op.getOutputLayout(), "nc", "mn");
    IRMapping matrices;
    auto collapse = [&](Value value, const MatrixForm &form) {
      matrices.map(value, tensor::CollapseShapeOp::create(rewriter, loc, value,
                                                          form.groups));
    };
    collapse(op.getInput(), input);
    collapse(op.getFilter(), filter);
    if (op.getResidual())
      collapse(op.getResidual(), output);
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, op.getInit());
    auto type = cast<RankedTensorType>(op.getInit().getType());
    AffineExpr rows = rewriter.getAffineSymbolExpr(0) * numPixels;
    auto matrixSizes =
        llvm::map_to_vector(output.layout.getLetters(), [&](char letter) {
          LayoutAttr layout = op.getOutputLayout();
          if (letter != 'm')
            return sizes[layout.getPosition('c')];
          return affine::makeComposedFoldedAffineApply(
              rewriter, loc, rows, {sizes[layout.getPosition('n')]});
        });
    Value init = tensor::EmptyOp::create(rewriter, loc, matrixSizes,
                                         type.getElementType());
    matrices.map(op.getInit(), init);
    auto operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) {
      return matrices.lookupOrDefault(operand);
    });
    // All other attributes mean the same in both ops.
    NamedAttrList attributes(op->getAttrDictionary());
    for (StringAttr name : {op.getStridesAttrName(), op.getDilationsAttrName(),
                            op.getPadLowAttrName(), op.getPadHighAttrName(),
                            op.getGroupsAttrName()})
      attributes.erase(name);
    attributes.set(op.getInputLayoutAttrName(), input.layout);
    attributes.set(op.getFilterLayoutAttrName(), filter.layout);
    attributes.set(op.getOutputLayoutAttrName(), output.layout);
    auto matmul = MatmulOp::create(rewriter, loc, TypeRange(init.getType()),
                                   operands, attributes);
    return tensor::ExpandShapeOp::create(
        rewriter, loc, type, matmul->getResult(0), output.groups, sizes);
  }
};

struct ConvToMatmulPass
    : public fusion::impl::FusionConvToMatmulBase<ConvToMatmulPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns
        .add<ConvToMatmul<FusedConvBiasActOp, FusedMatmulBiasActOp>,
             ConvToMatmul<QuantizedConvBiasActOp, QuantizedMatmulBiasActOp>>(
            &getContext());
    if (failed(applyToFixpoint(getOperation(), std::move(patterns),
                               "convolutions of few pixels")))
      signalPassFailure();
  }
};
} // namespace
