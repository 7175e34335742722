//===- ShiftedFilter.cpp - Filters with a zero point ----------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ShiftedFilter.h"
#include "FusionDialect/Fuse/ConstantEvaluation.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace fusion;

/// True if the filter is to be computed. Upstream folds the extension of a
/// constant, which is then one of i32.
static bool isShifted(const IntegerFactor &filter) {
  return filter.isUnsigned || filter.zeroPoint != 0 ||
         (filter.source && !getElementTypeOrSelf(filter.source).isInteger(8));
}

/// The elements of a constant `filter`, less the zero point.
static FailureOr<std::vector<int8_t>> shift(const IntegerFactor &filter,
                                            Refusal &refusal) {
  Refusal unread = Refusal::unread();
  FailureOr<std::vector<int64_t>> elements =
      evaluateIntegers(filter.source, unread);
  if (failed(elements)) {
    if (filter.isUnsigned)
      return refusal.because(
          "unsupported: filter is unsigned, expected signed");
    return refusal.because("unsupported: filter has zero point ",
                           filter.zeroPoint, ", expected 0");
  }
  std::vector<int8_t> shifted;
  shifted.reserve(elements->size());
  for (int64_t element : *elements) {
    int64_t number = filter.isUnsigned ? element & 255 : element;
    number -= filter.zeroPoint;
    if (!llvm::isInt<8>(number))
      return refusal.because("unsupported: filter has ", number,
                             " less its zero point, expected -128 to 127");
    shifted.push_back(static_cast<int8_t>(number));
  }
  return shifted;
}

LogicalResult fusion::checkFilterFactor(const IntegerFactor &filter,
                                        Refusal &refusal) {
  return isShifted(filter) ? LogicalResult(shift(filter, refusal)) : success();
}

Value fusion::emitShiftedFilter(OpBuilder &builder, Location loc,
                                const IntegerFactor &filter) {
  if (!isShifted(filter))
    return filter.source;
  Refusal unread = Refusal::unread();
  std::vector<int8_t> elements = *shift(filter, unread);
  auto type = cast<RankedTensorType>(filter.source.getType())
                  .clone(builder.getIntegerType(8));
  return arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, ArrayRef<int8_t>(elements)));
}
