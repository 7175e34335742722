//===- WeightsFile.h - Packed weights that processes share ------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_WEIGHTSFILE_H
#define FUSION_LIB_RUNTIME_WEIGHTSFILE_H

#include "Support.h"

#include <functional>
#include <utility>

namespace fusion {
namespace runtime {

/// Adds bytes to a hash that began with `emptyHash`.
constexpr uint64_t emptyHash = 0xcbf29ce484222325;
uint64_t hashBytes(uint64_t hash, const void *bytes, size_t size);

/// Tells packed weights apart, by hashes: of the contents before they were
/// packed, and of everything that decides how.
struct WeightsKey {
  uint64_t contents, form, bytes;

  bool operator==(const WeightsKey &other) const {
    return contents == other.contents && form == other.form &&
           bytes == other.bytes;
  }
};

/// A file with packed weights, which prepares use. Its blocks outlive it. All
/// functions throw StatusError.
class WeightsFile {
public:
  WeightsFile();
  virtual ~WeightsFile() = default;
  /// The packed weights of `key`. Where the file does not have them yet, `pack`
  /// writes them.
  virtual Block find(const WeightsKey &key,
                     const std::function<void(char *)> &pack) = 0;

  /// Tells the files of all prepares of this process apart. Never 0.
  const uint64_t serial;
};

/// The file of the prepare that this thread is in, or null.
extern constinit thread_local WeightsFile *callerWeightsFile;

/// Puts this thread into a prepare that uses `file`, or into none.
class WeightsFileScope {
public:
  explicit WeightsFileScope(WeightsFile *file)
      : before(std::exchange(callerWeightsFile, file)) {}
  ~WeightsFileScope() { callerWeightsFile = before; }
  WeightsFileScope(const WeightsFileScope &) = delete;
  WeightsFileScope &operator=(const WeightsFileScope &) = delete;

private:
  WeightsFile *before;
};

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_WEIGHTSFILE_H
