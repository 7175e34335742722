//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_FUSE_QUANTIZED_NUMBERRANGE_H
#define FUSION_LIB_FUSE_QUANTIZED_NUMBERRANGE_H

#include "FusionDialect/IR/ByteRange.h"
#include "mlir/IR/Value.h"
#include <limits>

namespace fusion {

/// The bounds that the numbers of a value are known to have, but for a NaN.
struct NumberRange {
  double least = -std::numeric_limits<double>::infinity();
  double greatest = std::numeric_limits<double>::infinity();
  bool isInteger = false;
  bool mayBeNaN = true;

  /// True if they are integers of `range`.
  bool isWithin(ByteRange range) const {
    return isInteger && range.contains(least) && range.contains(greatest);
  }
};

/// The range of `value`, of an integer, which is read with a sign, or of a
/// float. It is a scalar, in the body of an op or outside, or a tensor, of
/// which it is the range of each element.
NumberRange getNumberRange(mlir::Value value);

} // namespace fusion

#endif // FUSION_LIB_FUSE_QUANTIZED_NUMBERRANGE_H
