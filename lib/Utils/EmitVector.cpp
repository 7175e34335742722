//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Utils/EmitVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

template <typename T>
static Value emitElements(OpBuilder &builder, Location loc,
                          ArrayRef<T> elements, Type elementType) {
  auto type =
      RankedTensorType::get(static_cast<int64_t>(elements.size()), elementType);
  return arith::ConstantOp::create(builder, loc,
                                   DenseElementsAttr::get(type, elements));
}

Value fusion::emitVector(OpBuilder &builder, Location loc,
                         ArrayRef<double> numbers) {
  SmallVector<float> elements(numbers);
  return emitElements<float>(builder, loc, elements, builder.getF32Type());
}

Value fusion::emitVector(OpBuilder &builder, Location loc,
                         ArrayRef<int32_t> numbers) {
  return emitElements(builder, loc, numbers, builder.getI32Type());
}

Value fusion::emitVectorSum(OpBuilder &builder, Location loc, Value lhs,
                            Value rhs) {
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, lhs),
      getElementTypeOrSelf(lhs));
  return linalg::AddOp::create(builder, loc, ValueRange{lhs, rhs}, empty)
      .getResult(0);
}

Value fusion::emitNegatedVector(OpBuilder &builder, Location loc,
                                Value vector) {
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, vector),
      getElementTypeOrSelf(vector));
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
  Value zeros = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  return linalg::SubOp::create(builder, loc, ValueRange{zeros, vector}, empty)
      .getResult(0);
}
