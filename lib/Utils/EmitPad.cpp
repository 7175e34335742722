//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Utils/EmitPad.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;

Value fusion::emitPad(OpBuilder &builder, Location loc, Value tensor,
                      LayoutAttr layout, ArrayRef<int64_t> low,
                      ArrayRef<int64_t> high, const APFloat &number) {
  auto isZero = [](int64_t size) { return size == 0; };
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero))
    return tensor;
  SmallVector<OpFoldResult> before(layout.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> behind = before;
  for (auto [i, dim] : llvm::enumerate(layout.getSpatialPositions())) {
    before[dim] = builder.getIndexAttr(low[i]);
    behind[dim] = builder.getIndexAttr(high[i]);
  }
  Type element = getElementTypeOrSelf(tensor.getType());
  Value constant = arith::ConstantOp::create(
      builder, loc, builder.getFloatAttr(element, number));
  return tensor::PadOp::create(builder, loc, Type(), tensor, before, behind,
                               constant);
}
