//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "OperandForm.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fusion;

SmallVector<ReassociationIndices> fusion::getExpansion(StringRef from,
                                                       StringRef to) {
  SmallVector<ReassociationIndices> groups;
  ReassociationIndices pending;
  for (auto [i, letter] : llvm::enumerate(to)) {
    pending.push_back(i);
    if (!from.contains(letter))
      continue;
    groups.push_back(pending);
    pending.clear();
  }
  // A scalar has no group to join.
  if (!groups.empty())
    groups.back().append(pending);
  return groups;
}

Value fusion::applyForm(OpBuilder &builder, Location loc, Value value,
                        const OperandForm &form) {
  if (!form.collapse.empty())
    value = builder.createOrFold<tensor::CollapseShapeOp>(loc, value,
                                                          form.collapse);
  if (!form.expand)
    return value;
  auto type = cast<RankedTensorType>(value.getType());
  SmallVector<int64_t> shape(form.layout.size(), 1);
  for (auto [group, size] : llvm::zip_equal(*form.expand, type.getShape()))
    shape[group.back()] = size;
  std::rotate(shape.end() - form.numTrailing - 1, shape.end() - 1, shape.end());
  return builder.createOrFold<tensor::ExpandShapeOp>(loc, type.clone(shape),
                                                     value, *form.expand);
}

Value fusion::revertForm(OpBuilder &builder, Location loc, Value value,
                         const OperandForm &form, Value like) {
  if (form.expand)
    value = tensor::CollapseShapeOp::create(builder, loc, value, *form.expand);
  if (!form.collapse.empty())
    value = tensor::ExpandShapeOp::create(
        builder, loc, cast<RankedTensorType>(like.getType()), value,
        form.collapse, tensor::getMixedSizes(builder, loc, like));
  return value;
}
