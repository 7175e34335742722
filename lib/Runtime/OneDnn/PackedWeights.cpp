//===- PackedWeights.cpp - Weights in the layout of a kernel --------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedWeights.h"

#include "TensorCopy.h"

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
  count(counters.weightPacks);
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

PackedWeights::PackedWeights(const Plan &plan, const View &given,
                             void *givenData, const dnnl::stream &stream)
    : KeptWeights(given, givenData), format{plan.weights, plan.weightsDesc} {
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
  keep(std::move(packed));
}

bool PackedWeights::serves(const Plan &plan) const {
  return plan.weights.type == format.weights.type &&
         plan.weightsDesc == format.desc;
}
