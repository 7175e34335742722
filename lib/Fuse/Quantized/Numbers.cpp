//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Laws.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include <cmath>

using namespace mlir;
using namespace fusion;

Value fusion::createVector(OpBuilder &builder, Location loc,
                           ArrayRef<double> numbers) {
  SmallVector<float> elements(numbers);
  auto type = RankedTensorType::get(static_cast<int64_t>(elements.size()),
                                    builder.getF32Type());
  return arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, ArrayRef<float>(elements)));
}

bool fusion::isNormalInF32(double number) {
  return number == 0.0 || std::isnormal(static_cast<float>(number));
}
