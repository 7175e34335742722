//===- IntegerPlan.cpp - Integers by a kernel of oneDNN -------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IntegerPlan.h"

#include "Kernels.h"
#include "OneThread.h"
#include "TensorCopy.h"
#include "Trace.h"
#include "Variants.h"

#include <algorithm>
#include <cmath>

using namespace fusion::runtime;
using dnnl::memory;

/// Whether a kernel may read or write `view`.
static bool isKernelLayout(const View &view) {
  return fitsOrder(view, Order::ChannelsLast) && view.hasContiguousChannels() &&
         !mustCopy(view, view.type);
}

IntegerPlan::IntegerPlan(const Descriptor &descriptor, const Problem &problem)
    : given(problem.weights),
      weights(makeDense(given, given.type,
                        descriptor.kind == OpKind::Matmul
                            ? Order::ChannelsLast
                            : Order::ChannelsFirst)),
      src(problem.src),
      sums(makeDense(problem.dst, FUSION_RT_TYPE_S32, Order::ChannelsLast)),
      copiesSrc(!isKernelLayout(src)),
      zeroPoint(descriptor.quantization.src_zero_point),
      isMatmul(descriptor.kind == OpKind::Matmul),
      mayRoundSums(problem.src.type != FUSION_RT_TYPE_U8 || zeroPoint != 0) {
  if (copiesSrc)
    src = makeDense(src, src.type, Order::ChannelsLast);
  operands = describeOperands(descriptor, src, weights, sums);
}

static bool hasPads(const fusion_rt_conv_desc &desc) {
  auto isPad = [](int64_t size) { return size != 0; };
  return std::any_of(desc.pad_low, desc.pad_low + desc.spatial_rank, isPad) ||
         std::any_of(desc.pad_high, desc.pad_high + desc.spatial_rank, isPad);
}

/// Whether three spatial dimensions are padded.
static bool hasPaddedVolume(const Descriptor &descriptor) {
  return descriptor.kind == OpKind::Convolution &&
         descriptor.raw.spatial_rank == 3 && hasPads(descriptor.raw);
}

/// Whether the zero point of src, if there is one, may be added to sums, as one
/// number for each output channel.
static bool mayAddZeroPoint(const Descriptor &descriptor,
                            const Problem &problem) {
  bool isOneMatrix =
      descriptor.kind == OpKind::Matmul && problem.weights.sizes[2] == 1;
  return descriptor.quantization.src_zero_point == 0 ||
         (descriptor.hasConstantWeights() &&
          (descriptor.kind == OpKind::Convolution || isOneMatrix));
}

/// No sum may read padding: then the zero point of src adds the same to each.
/// So a copy of src has the pads.
void IntegerPlan::addZeroPoints(const Descriptor &descriptor) {
  addsZeroPoints = true;
  if (zeroPoint == 0)
    return;
  mayRoundSums = src.type != FUSION_RT_TYPE_U8;
  const fusion_rt_conv_desc &raw = descriptor.raw;
  if (!hasPads(raw))
    return;
  padsSrc = copiesSrc = true;
  for (int dim = 0; dim < raw.spatial_rank; ++dim)
    src.sizes[dim + 2] += raw.pad_low[dim] + raw.pad_high[dim];
  src = makeDense(src, src.type, Order::ChannelsLast);
  operands = describeOperands(descriptor, src, weights, sums);
}

Descriptor IntegerPlan::called(const Descriptor &descriptor) const {
  Descriptor out = descriptor;
  if (padsSrc) {
    std::fill_n(out.raw.pad_low, out.raw.spatial_rank, 0);
    std::fill_n(out.raw.pad_high, out.raw.spatial_rank, 0);
  }
  return out;
}

dnnl::primitive_attr IntegerPlan::attributes() const {
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  if (zeroPoint != 0 && !addsZeroPoints)
    addZeroPoint(attr, DNNL_ARG_SRC);
  return attr;
}

dnnl::primitive_desc_base
IntegerPlan::describeSums(const Descriptor &descriptor,
                          const memory::desc &weightsLayout) const {
  return describePrimitive(called(descriptor), operands, weightsLayout,
                           /*addsBias=*/false, /*isWinograd=*/false,
                           attributes(), avoided);
}

dnnl::primitive_desc_base
IntegerPlan::describeWhole(const Descriptor &descriptor,
                           const std::vector<float> &scales) const {
  const fusion_rt_conv_desc &raw = descriptor.raw;
  dnnl::primitive_attr attr = attributes();
  const int32_t dstZeroPoint = descriptor.quantization.dst_zero_point;
  if (dstZeroPoint != 0 && !addsZeroPoints)
    addZeroPoint(attr, DNNL_ARG_DST);
  dnnl::post_ops ops;
  if (descriptor.hasScales())
    addScales(attr, ops, scales, scalesDesc);
  auto addResidual = [&] {
    if (descriptor.hasResidual())
      ops.append_sum(descriptor.quantization.residual_scale,
                     descriptor.quantization.residual_zero_point);
  };
  if (!descriptor.addsResidualAfterActivation())
    addResidual();
  appendActivation(ops, fusion_rt_activation(raw.activation), raw.alpha,
                   raw.beta);
  if (descriptor.roundsActivation())
    appendRounding(ops);
  if (descriptor.addsResidualAfterActivation())
    addResidual();
  if (float scale = descriptor.quantization.dst_scale; scale != 1)
    appendScale(ops, scale);
  if (dstZeroPoint != 0 && addsZeroPoints)
    ops.append_binary(dnnl::algorithm::binary_add,
                      describeScales(wholeOperands.dst, 1));
  attr.set_post_ops(ops);
  return describePrimitive(called(descriptor), wholeOperands,
                           anyLayout(wholeOperands.weights),
                           descriptor.hasBias() || addsSrcZeroPoint(),
                           /*isWinograd=*/false, attr, avoided);
}

bool IntegerPlan::isRight(const Descriptor &descriptor,
                          const dnnl::primitive_desc_base &desc) const {
  std::string name = desc ? desc.impl_info_str() : "";
  bool isMisread = zeroPoint != 0 && !addsZeroPoints &&
                   hasPaddedVolume(descriptor) && misreadsPadding(name);
  // oneDNN 2.6 has a way of its own to transpose a matrix of 8x8, and packs it
  // without what some kernels subtract for the sign and the zero point of src.
  // Before a kernel is known, sums are rounded only where they are corrected.
  bool isMispacked = mayRoundSums && !isMatmul && weights.sizes[0] == 8 &&
                     weights.elements() == 64;
  return !isMisread && !isMispacked && sumsExactly(name);
}

/// Whether a kernel may add the residual to what is in dst.
static bool mayAddResidual(const Descriptor &descriptor) {
  return !descriptor.hasResidual() ||
         (descriptor.residualType() == descriptor.dstType() &&
          hasExactResidual(descriptor.quantization));
}

/// Whether a kernel may compute the whole formula: its operands never change,
/// and it rounds as the formula does, if all sums are small.
static bool mayComputeWhole(const Descriptor &descriptor,
                            const Problem &problem) {
  const fusion_rt_quantization &numbers = descriptor.quantization;
  int32_t activation = descriptor.raw.activation;
  bool isConstant = (numbers.flags & FUSION_RT_CONSTANT_SCALES) ||
                    (!descriptor.hasScales() && !descriptor.hasBias());
  return isConstant && descriptor.hasConstantWeights() &&
         elementSize(problem.dst.type) == 1 && mayAddResidual(descriptor) &&
         std::isnormal(numbers.dst_scale) && numbers.dst_scale > 0 &&
         (!descriptor.hasBias() || (numbers.bias_type == FUSION_RT_TYPE_S32 &&
                                    problem.bias.strides[0] == 1)) &&
         (activation == FUSION_RT_ACT_NONE ||
          activation == FUSION_RT_ACT_RELU || activation == FUSION_RT_ACT_CLIP);
}

memory::desc IntegerPlan::describeScales(const memory::desc &dst,
                                         int64_t count) const {
  // For oneDNN 3 they are an element for each of dst, if that is one row or one
  // pixel, and must lie as it does.
  memory::dims sizes(sizesOf(dst).size(), 1), strides(sizes.size(), count);
  const size_t channels = isMatmul ? sizes.size() - 1 : 1;
  sizes[channels] = count;
  strides[channels] = 1;
  return {sizes, memory::data_type::f32, strides};
}

void IntegerPlan::describeDst(const Descriptor &descriptor,
                              const Problem &problem, bool copies) {
  copiesDst = copies;
  dst = copies ? makeDense(problem.dst, problem.dst.type, Order::ChannelsLast)
               : problem.dst;
  wholeOperands = describeOperands(descriptor, src, weights, dst);
  if (addsSrcZeroPoint())
    wholeOperands.bias = memory::desc({weights.sizes[0]},
                                      memory::data_type::s32, memory::dims{1});
}

dnnl::primitive_desc_base IntegerPlan::planWhole(const Descriptor &descriptor,
                                                 const Problem &problem) {
  if (leavesSums || !mayComputeWhole(descriptor, problem))
    return {};
  describeDst(descriptor, problem, !isKernelLayout(problem.dst));
  // Both kernels have the same weights, and so matrices of one rank.
  if (sizesOf(wholeOperands.dst).size() != sizesOf(operands.dst).size())
    describeDst(descriptor, problem, /*copies=*/true);
  const int64_t scaleCount =
      descriptor.hasScales() ? problem.scales.sizes[0] : 1;
  scalesDesc = describeScales(wholeOperands.dst, scaleCount);
  // Not 1, which is no scale. The kernel that is made has the real ones.
  dnnl::primitive_desc_base whole =
      describeWhole(descriptor, std::vector<float>(size_t(scaleCount), 0.5f));
  if (!isRight(descriptor, whole))
    return {};
  sumsDesc = describeSums(descriptor, whole.weights_desc(0));
  // Some kernels that correct their sums choose the layout themselves.
  if (!isRight(descriptor, sumsDesc))
    sumsDesc = describeSums(descriptor, anyLayout(operands.weights));
  bool isShared = isRight(descriptor, sumsDesc) &&
                  sumsDesc.weights_desc(0) == whole.weights_desc(0);
  return isShared ? whole : dnnl::primitive_desc_base();
}

bool IntegerPlan::create(const Descriptor &descriptor, const Problem &problem) {
  IntegerPlan other = *this;
  const bool isFound = choose(descriptor, problem);
  // Kernels for zero points are slow with AMX. A copy of src with pads would
  // cost more than that.
  const bool isFast =
      !isSlowWithAmx(kernel) || (zeroPoint != 0 && hasPads(descriptor.raw));
  if ((isFound && isFast) || descriptor.kind != OpKind::Convolution ||
      !descriptor.hasConstantWeights())
    return isFound;
  other.addZeroPoints(descriptor);
  if (!other.choose(descriptor, problem) || convertsSums(other.kernel))
    return isFound;
  *this = other;
  return true;
}

bool IntegerPlan::createForLargeSums(const Descriptor &descriptor,
                                     const Problem &problem) {
  if (!mayAddZeroPoint(descriptor, problem))
    return false;
  addZeroPoints(descriptor);
  leavesSums = true;
  avoided = {kernelsConvertingSums};
  return choose(descriptor, problem) && !mayRoundSums;
}

bool IntegerPlan::createAs(const IntegerPlan &whole,
                           const Descriptor &descriptor,
                           const Problem &problem) {
  if (whole.addsZeroPoints)
    addZeroPoints(descriptor);
  leavesSums = whole.leavesSums;
  avoided = whole.avoided;
  // A tile without padding could have a kernel that the whole cannot have.
  if (!leavesSums && convertsSums(whole.kernel))
    avoided.push_back(kernelsOfBlocks);
  return choose(descriptor, problem) && kernel == whole.kernel && // interned
         weightsDesc == whole.weightsDesc &&
         computesWhole == whole.computesWhole &&
         mayRoundSums == whole.mayRoundSums;
}

bool IntegerPlan::choose(const Descriptor &descriptor, const Problem &problem) {
  dnnl::primitive_desc_base whole = planWhole(descriptor, problem);
  computesWhole = bool(whole);
  if (!computesWhole) {
    copiesDst = false;
    sumsDesc = describeSums(descriptor, anyLayout(operands.weights));
  }
  if (!isRight(descriptor, sumsDesc))
    return false;
  kernel = intern((computesWhole ? whole : sumsDesc).impl_info_str());
  mayRoundSums |= convertsSums(sumsDesc.impl_info_str());
  weightsDesc = sumsDesc.weights_desc(0);
  return createPacker();
}

bool IntegerPlan::createPacker() {
  dnnl::primitive_attr packing;
  packing.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  dnnl::reorder::primitive_desc desc(cpuEngine(), operands.weights, cpuEngine(),
                                     weightsDesc, packing,
                                     /*allow_empty=*/true);
  // oneDNN 3.12 has kernels whose layout of weights it cannot make.
  if (!desc)
    return false;
  packerScratchpad = desc.scratchpad_desc();
  packer = dnnl::reorder(desc);
  return true;
}

std::string IntegerPlan::steps() const {
  return std::string(padsSrc     ? ", src copied with channels last and pads"
                     : copiesSrc ? ", src copied with channels last"
                                 : "") +
         (copiesDst ? ", dst copied with channels last" : "") +
         (computesWhole ? "" : ", formula behind the sums in loops");
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

std::vector<SumBound> IntegerPlan::pack(const void *data, char *packed,
                                        char *scratch) const {
  count(&Counters::weightPacks);
  CopyWork copy(static_cast<int64_t>(weightsDesc.get_size()));
  copyTensor(given, data, weights, scratch);
  OneThreadScope oneThread;
  dnnl::stream stream(cpuEngine());
  char *behind = scratch + roundUp(weights.extent(), blockAlignment);
  packer.execute(
      stream,
      {{DNNL_ARG_FROM, memory(operands.weights, cpuEngine(), scratch)},
       {DNNL_ARG_TO, memory(weightsDesc, cpuEngine(), packed)},
       {DNNL_ARG_SCRATCHPAD, memory(packerScratchpad, cpuEngine(), behind)}});
  stream.wait();
  return boundSums(weights, isMatmul, reinterpret_cast<const int8_t *>(scratch),
                   src.type, zeroPoint);
}
