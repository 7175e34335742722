//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/ByteRange.h"
#include "Laws.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fusion;

LogicalResult fusion::checkSum(FusedOpInterface op, int64_t zeroPoint,
                               bool isUnsigned, Refusal &refusal) {
  auto type = cast<ShapedType>(op.getFilter().getType());
  // A batch of filters counts as well, which only makes the bound larger.
  uint64_t count = 1;
  int64_t channel = op.getFilterChannelDim();
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    if (static_cast<int64_t>(i) == channel)
      continue;
    if (ShapedType::isDynamic(size))
      return refusal.because("sum may leave i32: size of dimension ", i,
                             " of the filter is not known");
    count = llvm::SaturatingMultiply<uint64_t>(count, size);
  }
  ByteRange range(isUnsigned);
  int64_t factor =
      std::max(range.greatest - zeroPoint, zeroPoint - range.least);
  int64_t limit = std::numeric_limits<int32_t>::max() - biasLimit;
  if (count > static_cast<uint64_t>(limit / (factor * 128)))
    return refusal.because("sum may leave i32: ", count, " products of up to ",
                           factor * 128);
  return success();
}
