//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FUSION_SUPPORT_WRITEFILE_H
#define FUSION_SUPPORT_WRITEFILE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace fusion {

/// Makes the file `path` of all that `print` prints; "-" is standard output.
/// After an error, of `print` or of the disk, a regular file is gone.
llvm::Error
writeFile(llvm::StringRef path,
          llvm::function_ref<llvm::Error(llvm::raw_pwrite_stream &)> print);

/// Fails if anything printed to `os`, which the error calls `name`, could not
/// be written. LLVM would end the program when `os` is closed.
llvm::Error checkWritten(llvm::raw_fd_ostream &os, const llvm::Twine &name);

} // namespace fusion

#endif // FUSION_SUPPORT_WRITEFILE_H
