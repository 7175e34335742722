//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Numbers that the body of an op on integers reads beside its tensors: zero
// points and scales. Front ends read them from outside the body, or from a
// tensor in it. The laws look for them among the operands, behind the factors
// of a product.

#include "FusionDialect/Support/ConstantAttr.h"
#include "Laws.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace fusion;

/// True if quantised numbers or sums of their products have `type`.
static bool isQuantized(Type type) {
  return type.isInteger(8) || type.isInteger(32);
}

/// True if `op` computes such integers, or something of them.
static bool hasIntegers(linalg::GenericOp op) {
  return op.hasPureTensorSemantics() && op->getNumResults() == 1 &&
         llvm::any_of(op->getOperands(), [](Value operand) {
           return isQuantized(getElementTypeOrSelf(operand));
         });
}

namespace {
/// A number that the body of an op reads: a scalar, or an element of a tensor.
struct Number {
  Value value;   ///< that the body computes with
  Value operand; ///< the scalar or the tensor
  AffineMap map; ///< that reads it
};
} // namespace

/// The indices of an element of a tensor that exists in all calls, even if the
/// body runs for no element; none if they differ.
static std::optional<SmallVector<int64_t>>
getIndices(tensor::ExtractOp extract) {
  std::optional<SmallVector<int64_t>> indices =
      getConstantIntValues(getAsOpFoldResult(extract.getIndices()));
  bool isInside =
      indices &&
      llvm::all_of(
          llvm::zip_equal(*indices, extract.getTensor().getType().getShape()),
          [](auto indexed) {
            auto [index, size] = indexed;
            return index >= 0 && index < size;
          });
  return isInside ? indices : std::nullopt;
}

/// Reads `extract` as a number of the body of `op`.
static std::optional<Number> matchElement(linalg::GenericOp op,
                                          tensor::ExtractOp extract) {
  Value tensor = extract.getTensor();
  std::optional<SmallVector<int64_t>> indices = getIndices(extract);
  if (!indices || op.getRegion().isAncestor(tensor.getParentRegion()))
    return std::nullopt;
  SmallVector<AffineExpr> exprs = llvm::map_to_vector(*indices, [&](int64_t i) {
    return getAffineConstantExpr(i, op.getContext());
  });
  return Number{extract, tensor,
                AffineMap::get(op.getNumLoops(), 0, exprs, op.getContext())};
}

/// The numbers that the body of `op` reads, and that are no operands. A float
/// from outside is read as it is.
static SmallVector<Number> findNumbers(linalg::GenericOp op) {
  SmallVector<Number> numbers;
  auto addElement = [&](tensor::ExtractOp extract) {
    std::optional<Number> number = matchElement(op, extract);
    if (number)
      numbers.push_back(*number);
    return number.has_value();
  };
  for (auto extract : op.getBody()->getOps<tensor::ExtractOp>())
    addElement(extract);
  llvm::SetVector<Value> values;
  getUsedValuesDefinedAbove(op.getRegion(), values);
  AffineMap scalar = AffineMap::get(op.getNumLoops(), 0, op.getContext());
  for (Value value : values) {
    auto extract = value.getDefiningOp<tensor::ExtractOp>();
    if (extract && addElement(extract))
      continue;
    if (isQuantized(value.getType()) && !matchPattern(value, m_Constant()))
      numbers.push_back({value, value, scalar});
  }
  return numbers;
}

namespace {
/// Makes operands of the numbers that the body reads otherwise.
struct NumbersAsOperands : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!hasIntegers(op))
      return rewriter.notifyMatchFailure(op, "it has no integers");
    SmallVector<Number> numbers = findNumbers(op);
    if (numbers.empty())
      return rewriter.notifyMatchFailure(op, "all numbers are operands");
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    rewriter.modifyOpInPlace(op, [&] {
      for (const Number &number : numbers) {
        unsigned place = op.getNumDpsInputs();
        maps.insert(maps.begin() + place, number.map);
        BlockArgument argument = op.getBody()->insertArgument(
            place, number.value.getType(), number.value.getLoc());
        op.getInputsMutable().append(number.operand);
        replaceAllUsesInRegionWith(number.value, argument, op.getRegion());
      }
      op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
    for (const Number &number : numbers)
      if (Operation *inner = number.value.getDefiningOp();
          inner && inner->getBlock() == op.getBody())
        rewriter.eraseOp(inner);
    return success();
  }
};
} // namespace

/// The number that `map` reads of `tensor`, if that is a constant; null if it
/// is none. That of a tensor of equal numbers is read as it is.
static TypedAttr getElement(Value tensor, AffineMap map) {
  ElementsAttr elements;
  if (!map.isConstant() || !matchPattern(tensor, m_Constant(&elements)) ||
      elements.isSplat())
    return nullptr;
  SmallVector<int64_t> indices =
      llvm::map_to_vector(map.getResults(), [](AffineExpr expr) {
        return cast<AffineConstantExpr>(expr).getValue();
      });
  SmallVector<int64_t> sizes(indices.size(), 1);
  ElementsAttr element = sliceElements(elements, indices, sizes, "number");
  if (!element)
    return nullptr;
  auto dense = DenseElementsAttr::getFromRawBuffer(element.getShapedType(),
                                                   getElementBytes(element));
  return cast<TypedAttr>(dense.getSplatValue<Attribute>());
}

namespace {
/// Makes a constant of an operand that is one element of a constant.
struct ConstantNumbers : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!hasIntegers(op))
      return rewriter.notifyMatchFailure(op, "it has no integers");
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    for (OpOperand *operand : op.getDpsInputOperands()) {
      AffineMap &map = maps[operand->getOperandNumber()];
      TypedAttr number = getElement(operand->get(), map);
      if (!number)
        continue;
      Value constant = arith::ConstantOp::create(rewriter, op.getLoc(), number);
      map = AffineMap::get(op.getNumLoops(), 0, op.getContext());
      rewriter.modifyOpInPlace(op, [&] {
        operand->set(constant);
        op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
      });
      return success();
    }
    return rewriter.notifyMatchFailure(
        op, "no operand is one element of a constant");
  }
};
} // namespace

/// The inputs of `op`, tensors first and then numbers; none if `op` does not
/// reduce two tensors of integers to sums, or has them in that order.
static std::optional<SmallVector<unsigned>>
findInputOrder(linalg::GenericOp op) {
  if (op->getNumResults() != 1 || op.getNumReductionLoops() == 0)
    return std::nullopt;
  Value sum = op.getBody()->getTerminator()->getOperand(0);
  if (!sum.getDefiningOp<arith::AddIOp>())
    return std::nullopt;
  SmallVector<unsigned> tensors, numbers;
  for (OpOperand *operand : op.getDpsInputOperands())
    (op.getMatchingIndexingMap(operand).isConstant() ? numbers : tensors)
        .push_back(operand->getOperandNumber());
  if (tensors.size() != 2 || numbers.empty() || tensors[1] == 1)
    return std::nullopt;
  tensors.append(numbers);
  return tensors;
}

namespace {
/// Fusing a difference into a product puts its zero point between the factors,
/// where convolutions and matrix multiplications are not looked for.
struct NumbersLast : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    auto order = findInputOrder(op);
    if (!order)
      return rewriter.notifyMatchFailure(
          op, "no product of integers has a number between its factors");
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    for (unsigned number : *order) {
      inputs.push_back(op->getOperand(number));
      maps.push_back(op.getIndexingMapsArray()[number]);
    }
    maps.push_back(op.getIndexingMapsArray().back());
    auto moveBody = [&](OpBuilder &builder, Location, ValueRange arguments) {
      IRMapping mapping;
      for (auto [number, argument] : llvm::zip(*order, arguments))
        mapping.map(op.getBody()->getArgument(number), argument);
      mapping.map(op.getBody()->getArguments().back(), arguments.back());
      for (Operation &inner : *op.getBody())
        builder.clone(inner, mapping);
    };
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        op, op->getResultTypes(), inputs, op.getDpsInits(), maps,
        op.getIteratorTypesArray(), moveBody);
    return success();
  }
};
} // namespace

void fusion::populateNumberPatterns(RewritePatternSet &patterns) {
  patterns.add<NumbersAsOperands, ConstantNumbers, NumbersLast>(
      patterns.getContext());
}
