//===- FilePages.h - Pages that Linux can read again ------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_FILEPAGES_H
#define FUSION_LIB_RUNTIME_FILEPAGES_H

#include <cstddef>

namespace fusion {
namespace runtime {

/// Takes the pages that lie whole in `bytes` bytes at `data` out of the memory
/// of this process, if all of them are pages of files as they are there, such
/// as constants of an object. Linux maps them again when they are read. The
/// bytes must not be written meanwhile.
void giveBackFilePages(const void *data, size_t bytes) noexcept;

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_FILEPAGES_H
