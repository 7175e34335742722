//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FusionDialect/Support/ReadFile.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Process.h"

using namespace fusion;
namespace fs = llvm::sys::fs;

static llvm::Error checkEnds(fs::file_t file) {
  fs::file_status status;
  if (std::error_code failure = fs::status(file, status))
    return llvm::errorCodeToError(failure);
  bool isDevice = status.type() == fs::file_type::block_file ||
                  status.type() == fs::file_type::character_file;
  if (isDevice && !llvm::sys::Process::FileDescriptorIsDisplayed(file))
    return llvm::createStringError("it is a device, expected a file or a pipe");
  return llvm::Error::success();
}

static llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
readOpenFile(fs::file_t file, llvm::StringRef path, bool isText) {
  if (llvm::Error error = checkEnds(file))
    return error;
  auto buffer =
      llvm::MemoryBuffer::getOpenFile(file, path, /*FileSize=*/-1, isText);
  if (!buffer)
    return llvm::errorCodeToError(buffer.getError());
  return std::move(*buffer);
}

llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>>
fusion::readFile(llvm::StringRef path, bool isText) {
  llvm::Expected<fs::file_t> file = fs::openNativeFileForRead(path);
  if (!file)
    return file.takeError();
  auto buffer = readOpenFile(*file, path, isText);
  fs::closeFile(*file);
  return buffer;
}
