//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_FUSE_QUANTROUNDING_H
#define FUSION_FUSE_QUANTROUNDING_H

namespace fusion {

/// Which quantisation may become part of an op on integers of 8 bits.
enum class QuantRounding {
  Nearest, ///< any that rounds to the nearest integer: at most 1 off
  Exact,   ///< one whose result is the same bits
};

} // namespace fusion

#endif // FUSION_FUSE_QUANTROUNDING_H
