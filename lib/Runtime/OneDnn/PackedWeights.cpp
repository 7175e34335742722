//===- PackedWeights.cpp - Weights in the layout of a kernel --------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PackedWeights.h"

#include "OneThread.h"
#include "Parallel.h"
#include "TensorCopy.h"
#include "Trace.h"

#include <algorithm>

using namespace fusion::runtime;

//===----------------------------------------------------------------------===//
// Packing
//===----------------------------------------------------------------------===//

WeightsPacker::WeightsPacker(const std::vector<PackRequest> &requests)
    : requests(requests) {
  for (const PackRequest &request : requests) {
    const Plan &plan = *request.plan;
    packedParts.push_back(
        {{plan.weights, plan.weightsDesc, request.channels}, resultBytes});
    convertedAt.push_back(convertedBytes);
    if (plan.convertsWeights && plan.reordersWeights)
      convertedBytes += roundUp(plan.weights.extent(), blockAlignment);
    addSteps(request);
    resultBytes += roundUp(plan.weightsDesc.get_size(), blockAlignment);
  }
}

void WeightsPacker::addSteps(const PackRequest &request) {
  const Plan &plan = *request.plan;
  for (const WeightsReorder &part : plan.weightsReorders) {
    int64_t begin =
        plan.convertsWeights ? int64_t(convertedAt.back()) : request.offset;
    steps.push_back({&part.primitive, begin + int64_t(part.fromAt),
                     plan.convertsWeights, resultBytes + part.toAt,
                     scratchpadBytes, BoundMemory(part.from),
                     BoundMemory(part.to), BoundMemory(part.scratchpad)});
    scratchpadBytes += roundUp(part.scratchpad.get_size(), blockAlignment);
  }
}

void WeightsPacker::convert(void *given, char *packed, char *scratch) {
  for (size_t i = 0; i < requests.size(); ++i) {
    const Plan &plan = *requests[i].plan;
    if (plan.convertsWeights)
      copyTensor(requests[i].given,
                 static_cast<char *>(given) + requests[i].offset, plan.weights,
                 plan.reordersWeights ? scratch + convertedAt[i]
                                      : packed + packedParts[i].at);
  }
}

void WeightsPacker::run(Step &step, void *given, char *packed,
                        char *scratch) const {
  OneThreadScope oneThread;
  dnnl::stream stream(cpuEngine());
  step.from.bind((step.isConverted ? scratch : static_cast<char *>(given)) +
                 step.fromAt);
  step.to.bind(packed + step.toAt);
  step.scratchpad.bind(scratch + convertedBytes + step.scratchpadAt);
  dnnl_exec_arg_t args[] = {{DNNL_ARG_FROM, step.from.get()},
                            {DNNL_ARG_TO, step.to.get()},
                            {DNNL_ARG_SCRATCHPAD, step.scratchpad.get()}};
  dnnl::error::wrap_c_api(
      dnnl_primitive_execute(step.reorder->get(), stream.get(), 3, args),
      "could not pack weights");
}

void WeightsPacker::pack(void *given, char *packed, char *scratch,
                         int threads) {
  // Of memory that is written for the first time, most of it page faults.
  constexpr double nsPerByte = 0.3;
  count(&Counters::weightPacks);
  CopyWork copy(static_cast<int64_t>(resultBytes));
  convert(given, packed, scratch);
  parallelTasks(
      int(steps.size()), threads, double(resultBytes) * nsPerByte,
      [&](int i, int) { run(steps[size_t(i)], given, packed, scratch); });
}

std::optional<size_t>
fusion::runtime::findPart(const std::vector<PackedPart> &parts,
                          const Plan &plan, ChannelRange channels) {
  for (const PackedPart &part : parts)
    if (auto offset = part.format.find(plan, channels))
      return part.at + *offset;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Constant weights
//===----------------------------------------------------------------------===//

void fusion::runtime::addLayout(const dnnl::memory::desc &desc,
                                FormHash &form) {
  std::string bytes = layoutBytes(desc);
  form.add(bytes.data(), bytes.size());
}

static void addForm(const PackRequest &request, FormHash &form) {
  form.add(request.given);
  form.add(request.offset);
  form.add(request.channels.begin);
  form.add(request.channels.end);
  form.add(request.plan->weights);
  addLayout(request.plan->weightsDesc, form);
}

PackedWeights::PackedWeights(const View &given, void *data,
                             const std::vector<PackRequest> &requests,
                             int threads)
    : KeptWeights(given, data) {
  if (requests.empty())
    return;
  WeightsPacker packer(requests);
  auto addForms = [&](FormHash &form) {
    for (const PackRequest &request : requests)
      addForm(request, form);
  };
  pack(packer.packedBytes(), addForms, [&](char *packed) {
    Block scratch;
    if (packer.scratchBytes())
      scratch = Block(packer.scratchBytes(), "packing weights");
    packer.pack(data, packed, scratch.data(), threads);
  });
  parts = packer.parts();
}

std::optional<dnnl::memory> PackedWeights::find(const Plan &plan,
                                                ChannelRange channels) const {
  auto at = findPart(parts, plan, channels);
  if (!at)
    return std::nullopt;
  return dnnl::memory(plan.weightsDesc, cpuEngine(), block.data() + *at);
}

//===----------------------------------------------------------------------===//
// Parts of packed weights
//===----------------------------------------------------------------------===//

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
