//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FusionDialect/Support/WriteFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace fusion;
using llvm::createStringError;
namespace fs = llvm::sys::fs;

llvm::Error fusion::checkWritten(llvm::raw_fd_ostream &os,
                                 const llvm::Twine &name) {
  os.flush();
  if (!os.has_error())
    return llvm::Error::success();
  std::string reason = os.error().message();
  os.clear_error();
  return createStringError("cannot write " + name + ": " + reason);
}

/// Whether `path` is a file, and neither a device nor a link such as
/// /dev/stdout.
static bool isRegular(llvm::StringRef path) {
  fs::file_status status;
  return !fs::status(path, status, /*follow=*/false) &&
         status.type() == fs::file_type::regular_file;
}

llvm::Error fusion::writeFile(
    llvm::StringRef path,
    llvm::function_ref<llvm::Error(llvm::raw_pwrite_stream &)> print) {
  std::error_code failure;
  llvm::ToolOutputFile file(path, failure, fs::OF_None);
  if (failure)
    return createStringError("cannot write '" + path +
                             "': " + failure.message());
  if (!isRegular(path))
    file.keep();
  llvm::Error error = print(file.os());
  llvm::Error writing = checkWritten(file.os(), "'" + path + "'");
  if (error || writing)
    return llvm::joinErrors(std::move(error), std::move(writing));
  file.keep();
  return llvm::Error::success();
}
