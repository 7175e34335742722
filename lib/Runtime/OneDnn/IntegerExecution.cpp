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

#include <cmath>

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

/// As sums in s32 do.
static int32_t wrap(int64_t number) {
  return static_cast<int32_t>(static_cast<uint32_t>(number));
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
      dstAddend(static_cast<float>(dstZeroPoint)), src(plan.operands.src),
      weights(plan.weightsDesc), sums(plan.operands.dst),
      scratchpad(plan.sumsDesc.scratchpad_desc()), zero(oneInteger()),
      dstZero(oneInteger()), stream(cpuEngine()) {
  sumsArguments = {{DNNL_ARG_SRC, src.get()},
                   {DNNL_ARG_WEIGHTS, weights.get()},
                   {DNNL_ARG_DST, sums.get()},
                   {DNNL_ARG_SCRATCHPAD, scratchpad.get()}};
  if (zeroPoint != 0 && !plan.addsZeroPoints)
    sumsArguments.push_back(
        {DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC, zero.get()});
  zero.bind(&zeroPoint);
  dstZero.bind(&dstZeroPoint);
  srcAt = place(plan.copiesSrc ? plan.src.extent() : 0);
  dstAt = place(plan.copiesDst ? plan.dst.extent() : 0);
  sumsAt = place(plan.sums.extent());
  scratchpadAt = place(plan.sumsDesc.scratchpad_desc().get_size());
}

//===----------------------------------------------------------------------===//
// The whole formula
//===----------------------------------------------------------------------===//

/// Whether the kernel gives the bits of the formula with these constants. A NaN
/// would not become the least integer of dst.
bool IntegerExecution::roundsAlike(const std::vector<float> &scales,
                                   const std::vector<SumBound> &bounds) const {
  const auto *addends = static_cast<const int32_t *>(constants.bias);
  for (size_t channel = 0; channel < bounds.size(); ++channel) {
    float scale = scales[scales.size() == 1 ? 0 : channel];
    int64_t addend = addends ? addends[channel] : 0;
    if (!std::isfinite(scale) ||
        !roundsAsFormula(descriptor.quantization, bounds[channel],
                         {scale, addend}))
      return false;
  }
  return true;
}

/// Makes the kernel that computes the whole formula with `constants`. False if
/// there is none.
bool IntegerExecution::makeWhole(const fusion_rt_conv_args &args,
                                 const std::vector<SumBound> &bounds) {
  scaleNumbers = readScales(descriptor, problem, args);
  if (!roundsAlike(scaleNumbers, bounds))
    return false;
  OneThreadScope oneThread;
  dnnl::primitive_desc_base desc = plan.describeWhole(descriptor, scaleNumbers);
  if (!desc || desc.weights_desc(0) != plan.weightsDesc)
    return false;
  wholePrimitive = dnnl::primitive(desc.get());
  dst = BoundMemory(plan.wholeOperands.dst);
  wholeScratchpad = BoundMemory(desc.scratchpad_desc());
  wholeScratchpadBytes = desc.scratchpad_desc().get_size();
  wholeArguments = {{DNNL_ARG_SRC, src.get()},
                    {DNNL_ARG_WEIGHTS, weights.get()},
                    {DNNL_ARG_DST, dst.get()},
                    {DNNL_ARG_SCRATCHPAD, wholeScratchpad.get()}};
  if (descriptor.hasBias() || plan.addsSrcZeroPoint()) {
    bias = BoundMemory(plan.wholeOperands.bias);
    addends = sumAddends;
    const auto *given = static_cast<const int32_t *>(constants.bias);
    for (size_t channel = 0; given && channel < addends.size(); ++channel)
      addends[channel] = wrap(int64_t(addends[channel]) + given[channel]);
    wholeArguments.push_back({DNNL_ARG_BIAS, bias.get()});
  }
  if (scalesAreOperand && descriptor.hasScales()) {
    scales = BoundMemory(plan.scalesDesc);
    scales.bind(scaleNumbers.data());
    wholeArguments.push_back(
        {DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1, scales.get()});
  }
  if (zeroPoint != 0 && !plan.addsZeroPoints)
    wholeArguments.push_back(
        {DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC, zero.get()});
  if (dstZeroPoint != 0 && !plan.addsZeroPoints)
    wholeArguments.push_back(
        {DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_DST, dstZero.get()});
  if (dstZeroPoint != 0 && plan.addsZeroPoints) {
    dstZeroAddend = BoundMemory(plan.describeScales(plan.wholeOperands.dst, 1));
    dstZeroAddend.bind(&dstAddend);
    int last = desc.get_primitive_attr().get_post_ops().len() - 1;
    wholeArguments.push_back(
        {DNNL_ARG_ATTR_MULTIPLE_POST_OP(last) | DNNL_ARG_SRC_1,
         dstZeroAddend.get()});
  }
  return true;
}

/// Computes what the zero point of src adds to the sums with these weights.
void IntegerExecution::addZeroPoint(const void *data,
                                    const std::vector<SumBound> &bounds) {
  if (!plan.addsSrcZeroPoint() || data == summed)
    return;
  sumAddends.clear();
  for (const SumBound &bound : bounds)
    sumAddends.push_back(wrap(-int64_t(zeroPoint) * bound.weights));
  summed = data;
}

bool IntegerExecution::prepare(const fusion_rt_conv_args &args,
                               const std::vector<SumBound> *bounds) {
  isWhole = false;
  if (bounds)
    addZeroPoint(args.weights.data, *bounds);
  if (!plan.computesWhole || !bounds)
    return false;
  Constants given{args.weights.data,
                  descriptor.hasScales() ? scalesOf(args).data : nullptr,
                  descriptor.hasBias() ? args.bias.data : nullptr};
  if (given != constants) {
    constants = given;
    hasWhole = false; // also if an exception follows
    hasWhole = makeWhole(args, *bounds);
  }
  return isWhole = hasWhole;
}

/// A residual is added to what dst contains.
void IntegerExecution::runWhole(char *scratch,
                                const fusion_rt_conv_args &args) {
  void *data = plan.copiesDst ? scratch + dstAt : args.dst.data;
  if (descriptor.hasResidual() && (plan.copiesDst || !problem.inPlace))
    copyTensor(problem.residual, args.residual.data, plan.dst, data);
  dst.bind(data);
  if (plan.addsSrcZeroPoint())
    bias.bind(addends.data());
  else if (descriptor.hasBias())
    bias.bind(args.bias.data);
  wholeScratchpad.bind(scratch + arenaBytes);
  execute(wholePrimitive, stream, wholeArguments);
  if (plan.copiesDst)
    copyTensor(plan.dst, data, problem.dst, args.dst.data);
}

//===----------------------------------------------------------------------===//
// Both ways
//===----------------------------------------------------------------------===//

void IntegerExecution::copySrc(const void *data, void *copy) const {
  if (plan.padsSrc)
    copyPadded(problem.src, data, plan.src, copy, descriptor.raw.pad_low,
               zeroPoint);
  else
    copyTensor(problem.src, data, plan.src, copy);
}

void IntegerExecution::run(char *scratch, const fusion_rt_conv_args &args,
                           void *packed) {
  OneThreadScope oneThread;
  if (plan.copiesSrc)
    copySrc(args.src.data, scratch + srcAt);
  src.bind(plan.copiesSrc ? scratch + srcAt : args.src.data);
  weights.bind(packed);
  if (isWhole)
    return runWhole(scratch, args);
  if (!sumsPrimitive)
    sumsPrimitive = dnnl::primitive(plan.sumsDesc.get());
  sums.bind(scratch + sumsAt);
  scratchpad.bind(scratch + scratchpadAt);
  execute(sumsPrimitive, stream, sumsArguments);
  finishSums(descriptor, problem, args,
             reinterpret_cast<const uint32_t *>(scratch + sumsAt),
             plan.addsSrcZeroPoint() ? sumAddends.data() : nullptr);
}
