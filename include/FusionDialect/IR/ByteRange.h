//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_IR_BYTERANGE_H
#define FUSION_IR_BYTERANGE_H

#include <cstdint>

namespace fusion {

/// The integers that 8 bits stand for: 0 to 255, or -128 to 127.
struct ByteRange {
  explicit constexpr ByteRange(bool isUnsigned)
      : least(isUnsigned ? 0 : -128), greatest(least + 255) {}

  /// False of a NaN.
  constexpr bool contains(double number) const {
    return number >= least && number <= greatest;
  }

  int64_t least, greatest;
};

} // namespace fusion

#endif // FUSION_IR_BYTERANGE_H
