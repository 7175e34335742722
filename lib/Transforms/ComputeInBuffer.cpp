//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ComputeInBuffer.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

DestinationStyleOpInterface fusion::getComputationInEmpty(Value value) {
  auto op = value.getDefiningOp<DestinationStyleOpInterface>();
  if (!op)
    return nullptr;
  Value init = op.getTiedOpOperand(cast<OpResult>(value))->get();
  bool isOwn = init.getDefiningOp<tensor::EmptyOp>() && init.hasOneUse();
  return isOwn ? op : nullptr;
}

DestinationStyleOpInterface fusion::getOnlyComputation(Value value) {
  return value.hasOneUse() ? getComputationInEmpty(value) : nullptr;
}

Value fusion::createBuffer(OpBuilder &builder, Location loc,
                           RankedTensorType type) {
  auto buffer = MemRefType::get(type.getShape(), type.getElementType());
  return memref::AllocOp::create(builder, loc, buffer,
                                 builder.getI64IntegerAttr(64));
}

Value fusion::createToTensor(OpBuilder &builder, Location loc, Type type,
                             Value buffer) {
  return bufferization::ToTensorOp::create(builder, loc, type, buffer,
                                           /*restrict=*/true,
                                           /*writable=*/true);
}

void fusion::computeIn(RewriterBase &rewriter, DestinationStyleOpInterface op,
                       Value value, Value buffer) {
  OpOperand *init = op.getTiedOpOperand(cast<OpResult>(value));
  Operation *empty = init->get().getDefiningOp();
  rewriter.setInsertionPoint(op);
  init->set(
      createToTensor(rewriter, op.getLoc(), init->get().getType(), buffer));
  rewriter.eraseOp(empty);
}

void fusion::storeIn(RewriterBase &rewriter, Location loc, Value value,
                     Value buffer) {
  bufferization::MaterializeInDestinationOp::create(
      rewriter, loc, /*result=*/Type(), value, buffer, /*restrict=*/false,
      /*writable=*/true);
}
