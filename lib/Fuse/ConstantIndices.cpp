//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantIndices.h"
#include "FusionDialect/Analysis/MultiplyAdd.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fusion;

/// True if `map` is constant in some dimensions of a tensor of type `type`,
/// within its bounds, and not in all.
static bool readsOnePlace(AffineMap map, RankedTensorType type) {
  bool isFound = false;
  for (auto [index, size] :
       llvm::zip_equal(map.getResults(), type.getShape())) {
    auto constant = dyn_cast<AffineConstantExpr>(index);
    if (!constant)
      continue;
    bool isOutside = constant.getValue() < 0 || (!ShapedType::isDynamic(size) &&
                                                 constant.getValue() >= size);
    if (isOutside)
      return false;
    isFound = true;
  }
  return isFound && !map.isConstant();
}

SmallVector<OpOperand *> fusion::findConstantIndices(linalg::LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic || !generic.hasPureTensorSemantics() ||
      generic.getNumReductionLoops() == 0 || generic.getNumDpsInputs() < 2 ||
      !getMultiply(op))
    return {};
  SmallVector<OpOperand *> found;
  for (OpOperand *factor :
       ArrayRef(generic.getDpsInputOperands()).take_front(2))
    if (auto type = dyn_cast<RankedTensorType>(factor->get().getType()))
      if (!type.getEncoding() &&
          readsOnePlace(generic.getMatchingIndexingMap(factor), type))
        found.push_back(factor);
  return found;
}

/// The part of `value` that `map` reads, without the dimensions in which it is
/// constant; `map` is then that of the part.
static Value sliceAt(OpBuilder &builder, Location loc, Value value,
                     AffineMap &map) {
  SmallVector<OpFoldResult> offsets;
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, value);
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> indices;
  auto type = cast<RankedTensorType>(value.getType());
  for (auto [dim, index] : llvm::enumerate(map.getResults())) {
    auto constant = dyn_cast<AffineConstantExpr>(index);
    offsets.push_back(builder.getIndexAttr(constant ? constant.getValue() : 0));
    if (constant) {
      sizes[dim] = builder.getIndexAttr(1);
      continue;
    }
    shape.push_back(type.getDimSize(dim));
    indices.push_back(index);
  }
  SmallVector<OpFoldResult> ones(offsets.size(), builder.getIndexAttr(1));
  map = AffineMap::get(map.getNumDims(), 0, indices, map.getContext());
  return tensor::ExtractSliceOp::create(
      builder, loc, RankedTensorType::get(shape, type.getElementType()), value,
      offsets, sizes, ones);
}

void fusion::sliceConstantIndices(RewriterBase &rewriter, linalg::LinalgOp op) {
  SmallVector<OpOperand *> factors = findConstantIndices(op);
  if (factors.empty())
    return;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  SmallVector<Value> slices;
  for (OpOperand *factor : factors)
    slices.push_back(sliceAt(rewriter, op.getLoc(), factor->get(),
                             maps[factor->getOperandNumber()]));
  rewriter.modifyOpInPlace(op, [&] {
    for (auto [factor, slice] : llvm::zip_equal(factors, slices))
      factor->set(slice);
    cast<linalg::GenericOp>(op.getOperation())
        .setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
  });
}
