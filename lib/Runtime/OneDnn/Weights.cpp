//===- Weights.cpp - Packed weights ---------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Weights.h"

#include "TensorCopy.h"

#include <algorithm>
#include <cstring>

using namespace fusion::runtime;

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

WeightsPacker::WeightsPacker(const Plan &plan)
    : resultBytes(plan.weightsDesc.get_size()) {
  if (!plan.packsWeights)
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
  count(counters.weightPacks);
  if (plan.convertsWeights) {
    char *converted = plan.packsWeights ? scratch : packed;
    copyTensor(given, givenData, plan.weights, converted);
    givenData = converted;
  }
  if (!plan.packsWeights)
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

static uint64_t hashBytes(uint64_t hash, const char *data, size_t size) {
  constexpr uint64_t prime = 0x100000001b3;
  for (; size >= 8; size -= 8, data += 8) {
    uint64_t word;
    memcpy(&word, data, 8);
    hash = (hash ^ word) * prime;
    hash ^= hash >> 29; // the product alone never moves high bits down
  }
  for (; size; --size, ++data)
    hash = (hash ^ static_cast<unsigned char>(*data)) * prime;
  return hash;
}

/// Hashes the elements of a tensor and nothing that lies between them.
static uint64_t hashTensor(const View &view, const void *data) {
  const char *bytes = static_cast<const char *>(data);
  uint64_t hash = 0xcbf29ce484222325;
  if (view.isDense())
    return hashBytes(hash, bytes, view.extent());
  int64_t size = elementSize(view.type), count = view.elements();
  for (int64_t index = 0; index < count; ++index) {
    int64_t rest = index, offset = 0;
    for (int dim = view.rank - 1; dim >= 0; --dim) {
      offset += rest % view.sizes[dim] * view.strides[dim];
      rest /= view.sizes[dim];
    }
    hash = hashBytes(hash, bytes + offset * size, size);
  }
  return hash;
}

PackedWeights::PackedWeights(const Plan &plan, const View &given,
                             void *givenData, const dnnl::stream &stream)
    : address(givenData), original(given),
      format{plan.weights, plan.weightsDesc} {
  if (environment().checkConstants)
    hash = hashTensor(given, givenData);
  if (plan.usesWeightsAsGiven())
    return;
  WeightsPacker packer(plan);
  Block packed(packer.packedBytes(), "packed weights");
  Block scratch;
  if (packer.scratchBytes())
    scratch = Block(packer.scratchBytes(), "packing weights");
  packer.pack(plan, given, givenData, packed.data(), scratch.data(), stream);
  // Last, because making a memory of a padded layout writes zeros to it.
  memory = dnnl::memory(plan.weightsDesc, cpuEngine(), packed.data());
  block = std::move(packed);
  count(counters.packedBytes, block.size());
}

PackedWeights::~PackedWeights() {
  counters.packedBytes.fetch_sub(block.size(), std::memory_order_relaxed);
}

bool PackedWeights::serves(const Plan &plan, const View &given,
                           const void *data) const {
  return address == data &&
         std::equal(given.sizes, given.sizes + given.rank, original.sizes) &&
         haveSameStrides(given, original) &&
         plan.weights.type == format.weights.type &&
         plan.weightsDesc == format.desc;
}

bool PackedWeights::isUnchanged() const {
  return hashTensor(original, address) == hash;
}
