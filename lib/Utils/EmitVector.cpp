//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Utils/EmitVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;

Value fusion::emitVector(OpBuilder &builder, Location loc,
                         ArrayRef<double> numbers) {
  SmallVector<float> elements(numbers);
  auto type = RankedTensorType::get(static_cast<int64_t>(elements.size()),
                                    builder.getF32Type());
  return arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, ArrayRef<float>(elements)));
}
