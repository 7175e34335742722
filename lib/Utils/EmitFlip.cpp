//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Utils/EmitFlip.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

Value fusion::emitFlip(OpBuilder &builder, Location loc, Value tensor,
                       ArrayRef<int64_t> dims) {
  if (dims.empty())
    return tensor;
  auto type = cast<RankedTensorType>(tensor.getType());
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, tensor),
      type.getElementType());
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, type, ValueRange(), empty,
             builder.getMultiDimIdentityMap(type.getRank()), iterators,
             [&](OpBuilder &b, Location loc, ValueRange) {
               SmallVector<Value> indices;
               for (int64_t dim = 0, e = type.getRank(); dim != e; ++dim) {
                 Value index = linalg::IndexOp::create(b, loc, dim);
                 if (llvm::is_contained(dims, dim)) {
                   Value last = arith::ConstantIndexOp::create(
                       b, loc, type.getDimSize(dim) - 1);
                   index = arith::SubIOp::create(b, loc, last, index);
                 }
                 indices.push_back(index);
               }
               Value element =
                   tensor::ExtractOp::create(b, loc, tensor, indices);
               linalg::YieldOp::create(b, loc, element);
             })
      .getResult(0);
}
