//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Fuse/ConstantEvaluation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/BuiltinAttributes.h"

using namespace mlir;
using namespace fusion;

Value fusion::emitEvaluated(OpBuilder &builder, Value value) {
  auto type = cast<RankedTensorType>(value.getType());
  Refusal unread = Refusal::unread();
  if (type.getElementType().isF32()) {
    FailureOr<std::vector<double>> numbers = evaluateConstant(value, unread);
    if (failed(numbers))
      return value;
    SmallVector<float> elements(numbers->begin(), numbers->end());
    return arith::ConstantOp::create(
        builder, value.getLoc(),
        DenseElementsAttr::get(type, ArrayRef<float>(elements)));
  }
  if (!type.getElementType().isInteger())
    return value;
  FailureOr<std::vector<int64_t>> numbers = evaluateIntegers(value, unread);
  if (failed(numbers))
    return value;
  unsigned width = type.getElementTypeBitWidth();
  auto elements = llvm::map_to_vector(
      *numbers, [&](int64_t number) { return APInt(width, number, true); });
  return arith::ConstantOp::create(builder, value.getLoc(),
                                   DenseElementsAttr::get(type, elements));
}
