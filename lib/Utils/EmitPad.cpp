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
using namespace fusion;

TypedAttr fusion::getPaddingNumber(FusedOpInterface op) {
  Builder builder(op->getContext());
  Type type = getElementTypeOrSelf(op.getInput().getType());
  auto quantized = dyn_cast<QuantizedOpInterface>(op.getOperation());
  if (!quantized)
    return builder.getZeroAttr(type);
  return builder.getIntegerAttr(
      type, APInt(8, static_cast<uint8_t>(quantized.getInputZeroPoint())));
}

Value fusion::emitPad(OpBuilder &builder, Location loc, Value tensor,
                      LayoutAttr layout, ArrayRef<int64_t> low,
                      ArrayRef<int64_t> high, TypedAttr number) {
  return emitPad(builder, loc, tensor, layout, low, high, [&]() -> Value {
    return arith::ConstantOp::create(builder, loc, number);
  });
}

Value fusion::emitPad(OpBuilder &builder, Location loc, Value tensor,
                      LayoutAttr layout, ArrayRef<int64_t> low,
                      ArrayRef<int64_t> high,
                      function_ref<Value()> emitNumber) {
  auto isZero = [](int64_t size) { return size == 0; };
  if (llvm::all_of(low, isZero) && llvm::all_of(high, isZero))
    return tensor;
  SmallVector<OpFoldResult> before(layout.getRank(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> behind = before;
  for (auto [i, dim] : llvm::enumerate(layout.getSpatialPositions())) {
    before[dim] = builder.getIndexAttr(low[i]);
    behind[dim] = builder.getIndexAttr(high[i]);
  }
  return tensor::PadOp::create(builder, loc, Type(), tensor, before, behind,
                               emitNumber());
}
