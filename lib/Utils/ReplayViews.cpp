//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Utils/ReplayViews.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace fusion;

Value fusion::replayViews(RewriterBase &rewriter, ArrayRef<Operation *> views,
                          Value value) {
  Type elementType = getElementTypeOrSelf(value);
  for (Operation *view : views) {
    IRMapping mapping;
    mapping.map(view->getOperand(0), value);
    Operation *copy = rewriter.clone(*view, mapping);
    auto type = cast<RankedTensorType>(copy->getResult(0).getType());
    copy->getResult(0).setType(type.clone(elementType));
    value = copy->getResult(0);
  }
  return value;
}

Value fusion::revertViews(OpBuilder &builder, Location loc,
                          ArrayRef<Operation *> views, Value value) {
  for (Operation *view : llvm::reverse(views)) {
    auto type = cast<RankedTensorType>(view->getOperand(0).getType())
                    .clone(getElementTypeOrSelf(value));
    if (auto expand = dyn_cast<tensor::ExpandShapeOp>(view))
      value = tensor::CollapseShapeOp::create(builder, loc, type, value,
                                              expand.getReassociationIndices());
    else if (auto collapse = dyn_cast<tensor::CollapseShapeOp>(view))
      value = tensor::ExpandShapeOp::create(builder, loc, type, value,
                                            collapse.getReassociationIndices());
    else
      value = tensor::CastOp::create(builder, loc, type, value);
  }
  return value;
}
