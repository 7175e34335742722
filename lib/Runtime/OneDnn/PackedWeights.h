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

/// Brings weights to the form that a plan's primitive wants: converted to a
/// dense tensor of its type and channel count, then reordered to its layout;
/// either step may be missing. Not for use by two threads at once.
class WeightsPacker {
public:
  WeightsPacker() = default;
  explicit WeightsPacker(const Plan &plan);

  /// Bytes that `pack` needs besides those of the result.
  size_t scratchBytes() const { return convertedBytes + scratchpadBytes; }
  size_t packedBytes() const { return resultBytes; }

  void pack(const Plan &plan, const View &given, void *givenData, char *packed,
            char *scratch, const dnnl::stream &stream);

private:
  size_t convertedBytes = 0;
  size_t scratchpadBytes = 0;
  size_t resultBytes = 0;
  BoundMemory from, to, scratchpad;
};

/// Weights that are to be packed for a plan.
struct PackRequest {
  const Plan *plan;
  View given;
  void *data;
  ChannelRange channels;

  PackedFormat format() const {
    return {plan->weights, plan->weightsDesc, channels};
  }
};

/// Constant weights in the layouts of the primitives of a call site: of all
/// output channels together, or in parts. Without a block they are used as they
/// are.
struct PackedWeights : KeptWeights {
  /// Packs what is asked for, of the weights `given` at `givenData`.
  PackedWeights(const View &given, void *givenData,
                const std::vector<PackRequest> &requests,
                const dnnl::stream &stream);

  /// The output channels `channels`, as `plan` takes them. Nothing if they are
  /// packed otherwise. Several threads may read the memory.
  std::optional<dnnl::memory> find(const Plan &plan,
                                   ChannelRange channels) const;

  bool has(const Plan &plan, ChannelRange channels) const;

  struct Part {
    PackedFormat format;
    char *data;
  };
  std::vector<Part> parts;
};

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_ONEDNN_PACKEDWEIGHTS_H
