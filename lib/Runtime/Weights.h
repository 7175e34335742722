//===- Weights.h - Constant weights -----------------------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_WEIGHTS_H
#define FUSION_LIB_RUNTIME_WEIGHTS_H

#include "Layout.h"
#include "WeightsFile.h"

#include <memory>

namespace fusion {
namespace runtime {

/// A hash of what decides the form of packed weights, besides their contents.
class FormHash {
public:
  void add(const void *bytes, size_t size) {
    hash = hashBytes(hash, bytes, size);
  }
  void add(const View &view);
  template <typename Number> void add(Number number) {
    add(&number, sizeof(number));
  }
  uint64_t get() const { return hash; }

private:
  uint64_t hash = emptyHash;
};

/// Constant weights at one address, kept while their slot lives: in the form
/// that a backend has packed them to, in `block`, or as they are without one.
struct KeptWeights {
  KeptWeights(const View &given, const void *data);
  virtual ~KeptWeights();
  KeptWeights(const KeptWeights &) = delete;
  KeptWeights &operator=(const KeptWeights &) = delete;

  /// Whether these are the weights at `data`, laid out as `given`.
  bool areOf(const View &given, const void *data) const;
  /// Whether the original still has its first contents. Only for the checks of
  /// FUSION_CHECK_CONSTANTS.
  bool areUnchanged() const;

  const void *address;
  View original;
  Block block;
  /// Of the file that the block is a part of: 0 if it is in memory.
  uint64_t fileSerial = 0;
  uint64_t lastUse = 0;

protected:
  /// Makes a block of `bytes` bytes, which `write` packs to: in the file of a
  /// prepare, which may have it already, or in memory. `addForm` tells the
  /// form.
  void pack(size_t bytes, const std::function<void(FormHash &)> &addForm,
            const std::function<void(char *)> &write);

private:
  void keep(Block packed);
  void countBytes(uint64_t added);

  uint64_t hash = 0; // if constants are checked
  /// Of the context that packed them, which they may outlive.
  std::shared_ptr<Counters> contextCounters;
};

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_WEIGHTS_H
