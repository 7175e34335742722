//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_SUPPORT_ELEMENTSIZE_H
#define FUSION_SUPPORT_ELEMENTSIZE_H

#include <cstdint>

namespace fusion {

/// The bytes from one integer or float of `bits` to the next in memory. LLVM
/// aligns those of odd widths as those of the next power of two, up to 16
/// bytes: an i48 takes 8. MLIR's own layout would say 6.
constexpr int64_t getElementBytes(int64_t bits) {
  int64_t bytes = (bits + 7) / 8, alignment = 1;
  while (alignment < bytes && alignment < 16)
    alignment *= 2;
  return (bytes + alignment - 1) / alignment * alignment;
}

} // namespace fusion

#endif // FUSION_SUPPORT_ELEMENTSIZE_H
