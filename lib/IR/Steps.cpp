//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/FusionOps.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace fusion;

/// Verifies that `op` puts `strides[i] - 1` zeros between two elements of
/// dimension i of its operand, and `low[i]` and `high[i]` around them.
static LogicalResult verifyZeros(Operation *op, ArrayRef<int64_t> strides,
                                 ArrayRef<int64_t> low,
                                 ArrayRef<int64_t> high) {
  auto input = cast<RankedTensorType>(op->getOperand(0).getType());
  auto result = cast<RankedTensorType>(op->getResult(0).getType());
  size_t rank = input.getRank();
  if (result.getElementType() != input.getElementType() ||
      result.getRank() != input.getRank())
    return op->emitOpError() << "result must have element type and rank of "
                             << input << ", got " << result;
  for (ArrayRef<int64_t> numbers : {strides, low, high})
    if (numbers.size() != rank)
      return op->emitOpError()
             << "expected " << rank << " numbers, one a dimension, got "
             << numbers.size();
  for (auto [dim, stride] : llvm::enumerate(strides)) {
    if (stride < 1)
      return op->emitOpError()
             << "stride of dimension " << dim << " must be at least 1";
    int64_t size = input.getDimSize(dim), got = result.getDimSize(dim);
    if (ShapedType::isDynamic(size) || ShapedType::isDynamic(got))
      continue;
    std::optional<int64_t> expected = llvm::checkedMul(size - 1, stride);
    for (int64_t count : {int64_t(1), low[dim], high[dim]})
      if (expected)
        expected = llvm::checkedAdd(*expected, count);
    if (!expected)
      return op->emitOpError()
             << "size of dimension " << dim << " must be less than 2^63";
    if (got != *expected)
      return op->emitOpError() << "dimension " << dim << " must have size "
                               << *expected << ", got " << got;
  }
  return success();
}

LogicalResult PadOp::verify() {
  SmallVector<int64_t> strides(getLow().size(), 1);
  return verifyZeros(*this, strides, getLow(), getHigh());
}

LogicalResult InsertZerosOp::verify() {
  return verifyZeros(*this, getStrides(), getLow(), getHigh());
}
