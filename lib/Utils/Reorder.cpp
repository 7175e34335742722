//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Utils/Reorder.h"
#include "FusionDialect/Analysis/Transpose.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/Dialect/Utils/ReshapeOpsUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fusion;

RankedTensorType fusion::reorderType(RankedTensorType type,
                                     ArrayRef<int64_t> order) {
  return RankedTensorType::get(applyPermutation(type.getShape(), order),
                               type.getElementType(), type.getEncoding());
}

SmallVector<ReassociationIndices>
fusion::reorderGroups(ArrayRef<ReassociationIndices> groups,
                      ArrayRef<int64_t> order) {
  SmallVector<ReassociationIndices> result;
  int64_t next = 0;
  for (int64_t group : order) {
    result.emplace_back();
    for (size_t i = 0; i < groups[group].size(); ++i)
      result.back().push_back(next++);
  }
  return result;
}

bool fusion::keepsElements(RankedTensorType type, ArrayRef<int64_t> order) {
  DimOrder moved(order);
  llvm::erase_if(moved, [&](int64_t dim) { return type.getDimSize(dim) == 1; });
  return llvm::is_sorted(moved);
}

/// Groups each dimension of `shape` whose size is not 1 with neighbours of size
/// 1.
static SmallVector<ReassociationIndices>
groupUnitDims(ArrayRef<int64_t> shape) {
  SmallVector<ReassociationIndices> groups;
  bool isFilled = true;
  for (auto [dim, size] : llvm::enumerate(shape)) {
    if (groups.empty() || (isFilled && size != 1)) {
      groups.emplace_back();
      isFilled = false;
    }
    groups.back().push_back(dim);
    isFilled |= size != 1;
  }
  // If all sizes are 1, the collapsed shape is that of a scalar.
  if (!isFilled)
    groups.clear();
  return groups;
}

/// Moves dimensions of size 1 by reshapes.
static Value reorderUnitDims(RewriterBase &rewriter, Location loc, Value value,
                             ArrayRef<int64_t> order) {
  auto type = cast<RankedTensorType>(value.getType());
  RankedTensorType result = reorderType(type, order);
  SmallVector<OpFoldResult> sizes =
      applyPermutation(tensor::getMixedSizes(rewriter, loc, value), order);
  Value flat = tensor::CollapseShapeOp::create(rewriter, loc, value,
                                               groupUnitDims(type.getShape()));
  return tensor::ExpandShapeOp::create(rewriter, loc, result, flat,
                                       groupUnitDims(result.getShape()), sizes);
}

/// An empty tensor for the elements of `value`, with its dimensions in `order`.
static Value createEmpty(RewriterBase &rewriter, Location loc, Value value,
                         ArrayRef<int64_t> order) {
  auto type = cast<RankedTensorType>(value.getType());
  return tensor::EmptyOp::create(
      rewriter, loc,
      applyPermutation(tensor::getMixedSizes(rewriter, loc, value), order),
      type.getElementType(), type.getEncoding());
}

/// `value` in `order` if all its elements are the same, made where `value` is;
/// else null.
static Value reorderUniform(RewriterBase &rewriter, Location loc, Value value,
                            ArrayRef<int64_t> order) {
  if (!value.getDefiningOp())
    return nullptr;
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(value.getDefiningOp());
  auto type = reorderType(cast<RankedTensorType>(value.getType()), order);
  SplatElementsAttr splat;
  if (matchPattern(value, m_Constant(&splat)))
    return arith::ConstantOp::create(
        rewriter, loc,
        DenseElementsAttr::get(type, splat.getSplatValue<Attribute>()));
  if (auto empty = value.getDefiningOp<tensor::EmptyOp>())
    return tensor::EmptyOp::create(
        rewriter, loc, applyPermutation(empty.getMixedSizes(), order),
        type.getElementType(), type.getEncoding());
  if (auto splat = value.getDefiningOp<tensor::SplatOp>();
      splat && type.hasStaticShape())
    return tensor::SplatOp::create(rewriter, loc, splat.getInput(), type);
  if (auto fill = value.getDefiningOp<linalg::FillOp>()) {
    Value init = reorder(rewriter, loc, fill.getOutputs()[0], order);
    return linalg::FillOp::create(rewriter, loc, fill.getInputs(), init)
        .getResult(0);
  }
  return nullptr;
}

Value fusion::castTo(RewriterBase &rewriter, Location loc, Value value,
                     Type type) {
  if (value.getType() == type)
    return value;
  return tensor::CastOp::create(rewriter, loc, type, value);
}

Value fusion::reorder(RewriterBase &rewriter, Location loc, Value value,
                      ArrayRef<int64_t> order) {
  if (isIdentityPermutation(order))
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  if (auto transpose = matchTranspose(value.getDefiningOp()))
    return castTo(rewriter, loc,
                  reorder(rewriter, loc, transpose->first,
                          applyPermutation(ArrayRef(transpose->second), order)),
                  reorderType(type, order));
  if (Value uniform = reorderUniform(rewriter, loc, value, order))
    return uniform;
  if (keepsElements(type, order))
    return reorderUnitDims(rewriter, loc, value, order);
  Value init = createEmpty(rewriter, loc, value, order);
  return linalg::TransposeOp::create(rewriter, loc, value, init, order)
      ->getResult(0);
}

Value fusion::reorderDestination(RewriterBase &rewriter, Location loc,
                                 Value value, ArrayRef<int64_t> order) {
  if (isIdentityPermutation(order) || matchTranspose(value.getDefiningOp()))
    return reorder(rewriter, loc, value, order);
  if (Value uniform = reorderUniform(rewriter, loc, value, order))
    return uniform;
  return createEmpty(rewriter, loc, value, order);
}
