//===- TensorMemory.h - Memory of compiled code -----------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_TENSORMEMORY_H
#define FUSION_LIB_RUNTIME_TENSORMEMORY_H

namespace fusion {
namespace runtime {

/// Frees a block with the functions of the allocator that it is from, or with
/// those of the C library.
void freeTensor(void *block) noexcept;

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_TENSORMEMORY_H
