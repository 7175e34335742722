//===- PackedWeights.cpp - Weights in the layout of a kernel --------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedWeights.h"

#include "TensorCopy.h"

#include <algorithm>

using namespace fusion::runtime;

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

WeightsPacker::WeightsPacker(const Plan &plan)
    : resultBytes(plan.weightsDesc.get_size()) {
  if (!plan.reordersWeights)
    return;
  if (plan.convertsWeights)
    convertedBytes = roundUp(plan.weights.extent(), blockAlignment);
  scratchpadBytes = plan.weightsReorderScratchpad.get_size();
  from = BoundMemory(plan.operands.weights);
  to = BoundMemory(plan.weightsDesc);
  scratchpad = BoundMemory(plan.weightsReorderScratchpad);
}

void WeightsPacker::pack(const Plan &plan, const View &given, void *givenData,
                         char *packed, char *scratch,
                         const dnnl::stream &stream) {
  if (plan.convertsWeights) {
    char *converted = plan.reordersWeights ? scratch : packed;
    copyTensor(given, givenData, plan.weights, converted);
    givenData = converted;
  }
  if (!plan.reordersWeights)
    return;
  from.bind(givenData);
  to.bind(packed);
  scratchpad.bind(scratch + convertedBytes);
  dnnl_exec_arg_t args[] = {{DNNL_ARG_FROM, from.get()},
                            {DNNL_ARG_TO, to.get()},
                            {DNNL_ARG_SCRATCHPAD, scratchpad.get()}};
  dnnl::error::wrap_c_api(
      dnnl_primitive_execute(plan.weightsReorder.get(), stream.get(), 3, args),
      "could not pack weights");
}

//===----------------------------------------------------------------------===//
// Constant weights
//===----------------------------------------------------------------------===//

PackedWeights::PackedWeights(const View &given, void *givenData,
                             const std::vector<PackRequest> &requests,
                             const dnnl::stream &stream)
    : KeptWeights(given, givenData) {
  std::vector<WeightsPacker> packers;
  size_t bytes = 0, scratchBytes = 0;
  for (const PackRequest &request : requests) {
    packers.emplace_back(*request.plan);
    bytes += roundUp(packers.back().packedBytes(), blockAlignment);
    scratchBytes = std::max(scratchBytes, packers.back().scratchBytes());
  }
  if (requests.empty())
    return;
  count(counters.weightPacks);
  Block packed(bytes, "packed weights");
  Block scratch;
  if (scratchBytes)
    scratch = Block(scratchBytes, "packing weights");
  char *place = packed.data();
  for (size_t i = 0; i < requests.size(); ++i) {
    const PackRequest &request = requests[i];
    packers[i].pack(*request.plan, request.given, request.data, place,
                    scratch.data(), stream);
    parts.push_back({request.format(), place});
    place += roundUp(packers[i].packedBytes(), blockAlignment);
  }
  keep(std::move(packed));
}

std::optional<dnnl::memory> PackedWeights::find(const Plan &plan,
                                                ChannelRange channels) const {
  for (const Part &part : parts)
    if (auto offset = part.format.find(plan, channels))
      return dnnl::memory(plan.weightsDesc, cpuEngine(), part.data + *offset);
  return std::nullopt;
}

bool PackedWeights::has(const Plan &plan, ChannelRange channels) const {
  return std::any_of(parts.begin(), parts.end(), [&](const Part &part) {
    return part.format.find(plan, channels).has_value();
  });
}

std::optional<size_t> PackedFormat::find(const Plan &plan,
                                         ChannelRange wanted) const {
  if (plan.weights.type != weights.type)
    return std::nullopt;
  if (wanted == channels)
    return plan.weightsDesc == desc ? std::optional<size_t>(0) : std::nullopt;
  if (wanted.begin < channels.begin || wanted.end > channels.end)
    return std::nullopt;
  // In oneDNN's dimensions channels are the first; of matrices the last, and
  // with groups these.
  int64_t begin = wanted.begin - channels.begin;
  size_t rank = sizesOf(desc).size();
  int dim = plan.isMatmul ? static_cast<int>(rank) - 1 : 0;
  if (!plan.isMatmul && rank > static_cast<size_t>(weights.rank)) {
    int64_t perGroup = sizesOf(desc)[1];
    if (begin % perGroup != 0 || sizesOf(plan.weightsDesc).size() != rank)
      return std::nullopt;
    begin /= perGroup;
  }
  return findSlice(desc, plan.weightsDesc, dim, begin);
}
