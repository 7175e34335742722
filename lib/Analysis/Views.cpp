//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Views.h"
#include "FusionDialect/Support/TensorSize.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fusion;

bool fusion::isView(Operation *op) {
  return isa_and_nonnull<tensor::CastOp, tensor::CollapseShapeOp,
                         tensor::ExpandShapeOp, tensor::ReshapeOp>(op) &&
         isa<RankedTensorType>(op->getOperand(0).getType()) &&
         isa<RankedTensorType>(op->getResult(0).getType());
}

/// The dimension of a reshaped tensor that dimension `dim` of the source
/// becomes; none if it is merged with others or split.
static std::optional<int64_t>
moveThroughReshape(int64_t dim, ArrayRef<ReassociationIndices> groups,
                   ShapedType expandedType, bool isExpand) {
  for (auto [i, group] : llvm::enumerate(groups)) {
    bool isHere = isExpand ? static_cast<int64_t>(i) == dim
                           : llvm::is_contained(group, dim);
    if (!isHere)
      continue;
    // The channel is kept if it is split into, or merged with, dimensions of
    // size 1 only.
    SmallVector<int64_t> others =
        llvm::to_vector(llvm::make_filter_range(group, [&](int64_t inner) {
          return expandedType.getDimSize(inner) != 1;
        }));
    if (isExpand) {
      if (others.size() > 1)
        return std::nullopt;
      return others.empty() ? group.front() : others.front();
    }
    if (others.size() > 1 || (others.size() == 1 && others.front() != dim))
      return std::nullopt;
    return i;
  }
  return std::nullopt;
}

/// The same for `tensor.reshape`, between static shapes: in row-major order a
/// dimension is kept if as many elements lie before it and it has the same
/// size.
static std::optional<int64_t> moveThroughReshape(int64_t dim, ShapedType source,
                                                 ShapedType result) {
  if (!source.hasStaticShape() || !result.hasStaticShape())
    return std::nullopt;
  auto countBefore = [](ShapedType type, int64_t dim) {
    return countElements(type.getShape().take_front(dim));
  };
  std::optional<int64_t> before = countBefore(source, dim);
  for (int64_t i = 0, e = result.getRank(); i != e; ++i)
    if (result.getDimSize(i) == source.getDimSize(dim) &&
        countBefore(result, i) && countBefore(result, i) == before)
      return i;
  return std::nullopt;
}

std::optional<int64_t> fusion::trackThroughViews(int64_t dim,
                                                 ArrayRef<Operation *> views) {
  std::optional<int64_t> result = dim;
  for (Operation *view : views) {
    if (!result)
      break;
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(view))
      result = moveThroughReshape(*result, expand.getReassociationIndices(),
                                  expand.getResultType(), /*isExpand=*/true);
    else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(view))
      result = moveThroughReshape(*result, collapse.getReassociationIndices(),
                                  collapse.getSrcType(), /*isExpand=*/false);
    else if (auto reshape = dyn_cast<tensor::ReshapeOp>(view))
      result = moveThroughReshape(
          *result, cast<ShapedType>(reshape.getSource().getType()),
          cast<ShapedType>(reshape.getResult().getType()));
  }
  return result;
}

bool fusion::canRevertView(Operation *view) {
  // Expanding again needs the sizes, which must not be dynamic.
  if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(view))
    return collapse.getSrcType().hasStaticShape();
  return isa<tensor::CastOp, tensor::ExpandShapeOp>(view);
}
