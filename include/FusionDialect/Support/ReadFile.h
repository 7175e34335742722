//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FUSION_SUPPORT_READFILE_H
#define FUSION_SUPPORT_READFILE_H

#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

namespace fusion {

/// Reads a file, or a pipe to its end. Devices are refused, since many never
/// end; a terminal is none of these. `isText` puts a null byte behind the data.
/// The error is the reason alone: "No such file or directory".
llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readFile(llvm::StringRef path, bool isText = true);

} // namespace fusion

#endif // FUSION_SUPPORT_READFILE_H
