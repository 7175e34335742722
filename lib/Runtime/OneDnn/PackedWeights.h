//===- PackedWeights.h - Weights in the layout of a kernel ------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_ONEDNN_PACKEDWEIGHTS_H
#define FUSION_LIB_RUNTIME_ONEDNN_PACKEDWEIGHTS_H

#include "Plan.h"
#include "Weights.h"

#include <optional>
#include <vector>

namespace fusion {
namespace runtime {

/// A oneDNN memory whose address changes seldom: setting it costs more than
/// comparing it.
class BoundMemory {
public:
  BoundMemory() = default;
  explicit BoundMemory(const dnnl::memory::desc &desc)
      : memory(desc, cpuEngine(), DNNL_MEMORY_NONE) {}

  void bind(void *address) {
    if (address == bound)
      return;
    memory.set_data_handle(address);
    bound = address;
  }
  dnnl_memory_t get() const { return memory.get(true); }
  const dnnl::memory &ofDnnl() const { return memory; }

private:
  dnnl::memory memory;
  void *bound = nullptr;
};

/// Weights that are to be packed for a plan: those of `channels`, which begin
/// `offset` bytes behind the first.
struct PackRequest {
  const Plan *plan;
  View given;
  int64_t offset;
  ChannelRange channels;
};

/// Where packed weights lie, in bytes from the first.
struct PackedPart {
  PackedFormat format;
  size_t at;
};

/// The first byte of the output channels `channels`, as `plan` takes them.
/// Nothing if they are packed otherwise.
std::optional<size_t> findPart(const std::vector<PackedPart> &parts,
                               const Plan &plan, ChannelRange channels);

/// Brings weights to the form that primitives want: converted to a dense tensor
/// of their type and channel count, then reordered to their layout; either step
/// may be missing. Not for use by two threads at once.
class WeightsPacker {
public:
  explicit WeightsPacker(const std::vector<PackRequest> &requests);

  size_t packedBytes() const { return resultBytes; }
  /// Bytes that `pack` needs besides those of the result.
  size_t scratchBytes() const { return convertedBytes + scratchpadBytes; }
  const std::vector<PackedPart> &parts() const { return packedParts; }

  /// Packs the weights at `given` to `packed`, on at most `threads` threads.
  void pack(void *given, char *packed, char *scratch, int threads);

private:
  /// One reorder, and where its memories begin.
  struct Step {
    const dnnl::reorder *reorder;
    int64_t fromAt; // in scratch memory if `isConverted`, else in the given
    bool isConverted;
    size_t toAt, scratchpadAt;
    BoundMemory from, to, scratchpad;
  };

  void addSteps(const PackRequest &request);
  void convert(void *given, char *packed, char *scratch);
  void run(Step &step, void *given, char *packed, char *scratch) const;

  std::vector<PackRequest> requests;
  std::vector<PackedPart> packedParts;
  std::vector<size_t> convertedAt; // by request
  std::vector<Step> steps;
  size_t resultBytes = 0, convertedBytes = 0, scratchpadBytes = 0;
};

/// Adds all that tells a layout from others.
void addLayout(const dnnl::memory::desc &desc, FormHash &form);

/// Constant weights in the layouts of the primitives of a call site: of all
/// output channels together, or in parts. Without a block they are used as they
/// are.
struct PackedWeights : KeptWeights {
  /// Packs what is asked for, of the weights `given` at `data`, on at most
  /// `threads` threads.
  PackedWeights(const View &given, void *data,
                const std::vector<PackRequest> &requests, int threads);

  /// The output channels `channels`, as `plan` takes them. Nothing if they are
  /// packed otherwise. Several threads may read the memory.
  std::optional<dnnl::memory> find(const Plan &plan,
                                   ChannelRange channels) const;

  std::vector<PackedPart> parts;
};

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_ONEDNN_PACKEDWEIGHTS_H
