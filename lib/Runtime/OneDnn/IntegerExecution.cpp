//===- IntegerExecution.cpp - Execution of a kernel on integers -----------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IntegerPlan.h"
#include "OneThread.h"
#include "Pointwise.h"
#include "TensorCopy.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

using namespace fusion::runtime;
using dnnl::memory;

/// The numbers that the sums are multiplied by.
static std::vector<float> readScales(const Descriptor &descriptor,
                                     const Problem &problem,
                                     const fusion_rt_conv_args &args) {
  if (!descriptor.hasScales())
    return {1.0f};
  const auto *data = static_cast<const float *>(scalesOf(args).data);
  std::vector<float> scales(size_t(problem.scales.sizes[0]));
  for (size_t i = 0; i < scales.size(); ++i)
    scales[i] = data[int64_t(i) * problem.scales.strides[0]];
  return scales;
}

static memory::desc oneInteger() {
  return memory::desc({1}, memory::data_type::s32, memory::dims{1});
}

size_t IntegerExecution::place(size_t bytes) {
  size_t at = arenaBytes;
  arenaBytes += roundUp(bytes, blockAlignment);
  return at;
}

IntegerExecution::IntegerExecution(const Descriptor &descriptor,
                                   const Problem &problem,
                                   const IntegerPlan &plan)
    : descriptor(descriptor), problem(problem), plan(plan),
      zeroPoint(descriptor.quantization.src_zero_point),
      dstZeroPoint(descriptor.quantization.dst_zero_point),
      src(plan.operands.src), weights(plan.weightsDesc),
      sums(plan.operands.dst), scratchpad(plan.sumsDesc.scratchpad_desc()),
      zero(oneInteger()), dstZero(oneInteger()), stream(cpuEngine()) {
  sumsArguments = {{DNNL_ARG_SRC, src.get()},
                   {DNNL_ARG_WEIGHTS, weights.get()},
                   {DNNL_ARG_DST, sums.get()},
                   {DNNL_ARG_SCRATCHPAD, scratchpad.get()}};
  if (plan.zeroPoint != 0)
    sumsArguments.push_back(
        {DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC, zero.get()});
  zero.bind(&zeroPoint);
  dstZero.bind(&dstZeroPoint);
  srcAt = place(plan.copiesSrc ? plan.src.extent() : 0);
  sumsAt = place(plan.sums.extent());
  scratchpadAt = place(plan.sumsDesc.scratchpad_desc().get_size());
}

/// Makes the kernel that computes the whole formula, unless it is there. False
/// if there is none with these scales. A NaN would not become the least integer
/// of dst.
bool IntegerExecution::prepareWhole(const fusion_rt_conv_args &args) {
  const void *scales = descriptor.hasScales() ? scalesOf(args).data : nullptr;
  const void *addend = descriptor.hasBias() ? args.bias.data : nullptr;
  if (wholePrimitive && scales == scalesOfWhole && addend == biasOfWhole)
    return true;
  std::vector<float> numbers = readScales(descriptor, problem, args);
  auto isFinite = [](float number) { return std::isfinite(number); };
  if (!std::all_of(numbers.begin(), numbers.end(), isFinite))
    return false;
  OneThreadScope oneThread;
  dnnl::primitive_desc_base desc = plan.describeWhole(descriptor, numbers);
  if (!desc || desc.weights_desc(0) != plan.weightsDesc)
    return false;
  wholePrimitive = dnnl::primitive(); // nothing is there if the next one fails
  wholePrimitive = dnnl::primitive(desc.get());
  largestBias = 0;
  if (const auto *elements = static_cast<const int32_t *>(addend))
    for (int64_t i = 0; i < problem.bias.sizes[0]; ++i)
      largestBias = std::max(largestBias, std::abs(int64_t(elements[i])));
  scalesOfWhole = scales;
  biasOfWhole = addend;
  dst = BoundMemory(plan.wholeOperands.dst);
  wholeScratchpad = BoundMemory(desc.scratchpad_desc());
  wholeScratchpadBytes = desc.scratchpad_desc().get_size();
  wholeArguments = {{DNNL_ARG_SRC, src.get()},
                    {DNNL_ARG_WEIGHTS, weights.get()},
                    {DNNL_ARG_DST, dst.get()},
                    {DNNL_ARG_SCRATCHPAD, wholeScratchpad.get()}};
  if (addend) {
    bias = BoundMemory(plan.wholeOperands.bias);
    wholeArguments.push_back({DNNL_ARG_BIAS, bias.get()});
  }
  if (zeroPoint != 0)
    wholeArguments.push_back(
        {DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC, zero.get()});
  if (dstZeroPoint != 0)
    wholeArguments.push_back(
        {DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DST, dstZero.get()});
  return true;
}

size_t IntegerExecution::prepare(const fusion_rt_conv_args &args) {
  isWhole = plan.computesWhole && prepareWhole(args);
  return arenaBytes + (isWhole ? wholeScratchpadBytes : 0);
}

void IntegerExecution::run(char *scratch, const fusion_rt_conv_args &args,
                           void *packed, int64_t bound) {
  OneThreadScope oneThread;
  if (plan.copiesSrc)
    copyTensor(problem.src, args.src.data, plan.src, scratch + srcAt);
  src.bind(plan.copiesSrc ? scratch + srcAt : args.src.data);
  weights.bind(packed);
  // A bias is added in f32.
  if (isWhole && (largestBias == 0 || fitsFloat(bound + largestBias))) {
    dst.bind(args.dst.data);
    if (biasOfWhole)
      bias.bind(args.bias.data);
    wholeScratchpad.bind(scratch + arenaBytes);
    return execute(wholePrimitive, stream, wholeArguments);
  }
  if (!sumsPrimitive)
    sumsPrimitive = dnnl::primitive(plan.sumsDesc.get());
  sums.bind(scratch + sumsAt);
  scratchpad.bind(scratch + scratchpadAt);
  execute(sumsPrimitive, stream, sumsArguments);
  finishSums(descriptor, problem, args,
             reinterpret_cast<const uint32_t *>(scratch + sumsAt));
}
