//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_SUPPORT_TENSORSIZE_H
#define FUSION_SUPPORT_TENSORSIZE_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <optional>

namespace fusion {

/// The most bytes that a tensor can have: the address space of a process on
/// x86-64. Sums over the tensors of a program stay far from overflowing.
inline constexpr int64_t maxTensorBytes = int64_t(1) << 47;

/// The number of elements of a tensor of `shape`, which is static; none if it
/// is 2^63 or more. MLIR's own count wraps around.
std::optional<int64_t> countElements(llvm::ArrayRef<int64_t> shape);

/// The bytes of a tensor of `shape`, which is static, with elements of `width`
/// bytes; none if they are more than `maxTensorBytes`.
std::optional<int64_t> countBytes(llvm::ArrayRef<int64_t> shape, int64_t width);

/// Bytes of memory that this process can get now without taking it away from
/// others.
size_t getAvailableMemory();

} // namespace fusion

#endif // FUSION_SUPPORT_TENSORSIZE_H
