//===- IntegerPlan.cpp - Sums of integers by oneDNN -----------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IntegerPlan.h"

#include "Context.h"
#include "Kernels.h"
#include "OneThread.h"
#include "PackedWeights.h"
#include "Pointwise.h"
#include "Portable/LoopsPlan.h"
#include "TensorCopy.h"

#include <algorithm>
#include <cstdlib>

using namespace fusion::runtime;
using dnnl::memory;

namespace {
/// The steps of a call:
///
///   [copy src] -> sums in s32, by oneDNN -> the formula of the quantization
///
/// The sums are in scratch memory, with channels last. The last step is ours,
/// so that the result is that of plain loops, to the bit.
struct IntegerPlan : BackendPlan {
  IntegerPlan(const Descriptor &descriptor, const Problem &problem);

  /// Makes the primitives. False if oneDNN has no fast kernel that is right.
  bool create(const Descriptor &descriptor);

  const char *kernelName() const override { return kernel; }
  std::string steps() const override {
    return copiesSrc ? ", src copied with channels last" : "";
  }
  bool packsWeights() const override { return true; }
  bool takes(const KeptWeights &weights) const override;
  std::shared_ptr<KeptWeights> keepWeights(const View &given,
                                           void *data) const override;
  std::unique_ptr<Execution>
  makeExecution(const Descriptor &descriptor,
                const Problem &problem) const override;

  /// Brings the weights at `data` to the form of the kernel. Returns whether
  /// sums are exact with them.
  bool pack(const void *data, char *packed, char *scratch) const;
  /// The bytes of scratch memory for that.
  size_t packingBytes() const {
    return roundUp(weights.extent(), blockAlignment) +
           packerScratchpad.get_size();
  }

  bool fitFloat(const int8_t *dense) const;

  View given, weights; // as given, and as a dense copy
  View src, sums;
  bool copiesSrc;
  int32_t zeroPoint;
  bool isMatmul;
  Operands operands;
  memory::desc weightsDesc, scratchpad, packerScratchpad;
  dnnl::primitive primitive;
  dnnl::reorder packer;
  const char *kernel = "";
};

/// Packed, and behind them what the kernel subtracts for the sign and the zero
/// point of src. The descriptor says which.
struct IntegerWeights : KeptWeights {
  IntegerWeights(const View &given, void *data, const IntegerPlan &plan)
      : KeptWeights(given, data), desc(plan.weightsDesc) {
    Block packed(desc.get_size(), "packed weights");
    Block scratch(plan.packingBytes(), "packing weights");
    areExact = plan.pack(data, packed.data(), scratch.data());
    keep(std::move(packed));
  }
  const memory::desc desc;
  bool areExact;
};

class IntegerExecution : public Execution {
public:
  IntegerExecution(const Descriptor &descriptor, const Problem &problem,
                   const IntegerPlan &plan);

  void run(Thread &thread, const fusion_rt_conv_args &args,
           const KeptWeights *kept) override;

private:
  void sumUp();
  size_t place(size_t bytes);

  const Descriptor &descriptor;
  const Problem &problem;
  const IntegerPlan &plan;
  /// For weights with which sums are not exact.
  const std::unique_ptr<BackendPlan> loopsPlan;
  const std::unique_ptr<Execution> loops;
  int32_t zeroPoint;
  BoundMemory src, weights, sums, scratchpad, zero;
  std::vector<dnnl_exec_arg_t> arguments;
  dnnl::stream stream;
  size_t arenaBytes = 0;
  size_t srcAt, sumsAt, scratchpadAt, weightsAt = 0, packingAt = 0;
};
} // namespace

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

IntegerPlan::IntegerPlan(const Descriptor &descriptor, const Problem &problem)
    : given(problem.weights),
      weights(makeDense(given, given.type,
                        descriptor.kind == OpKind::Matmul
                            ? Order::ChannelsLast
                            : Order::ChannelsFirst)),
      src(problem.src),
      sums(makeDense(problem.dst, FUSION_RT_TYPE_S32, Order::ChannelsLast)),
      copiesSrc(!fitsOrder(src, Order::ChannelsLast) ||
                (src.sizes[1] > 1 && src.strides[1] != 1) ||
                mustCopy(src, src.type)),
      zeroPoint(descriptor.quantization.src_zero_point),
      isMatmul(descriptor.kind == OpKind::Matmul) {
  if (copiesSrc)
    src = makeDense(src, src.type, Order::ChannelsLast);
  operands = describeOperands(descriptor, src, weights, sums);
}

/// Whether three spatial dimensions are padded.
static bool hasPaddedVolume(const Descriptor &descriptor) {
  const fusion_rt_conv_desc &raw = descriptor.raw;
  auto isPad = [](int64_t size) { return size != 0; };
  return descriptor.kind == OpKind::Convolution && raw.spatial_rank == 3 &&
         (std::any_of(raw.pad_low, raw.pad_low + 3, isPad) ||
          std::any_of(raw.pad_high, raw.pad_high + 3, isPad));
}

bool IntegerPlan::create(const Descriptor &descriptor) {
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  if (zeroPoint != 0)
    addSrcZeroPoint(attr);
  dnnl::primitive_desc_base desc = describePrimitive(
      descriptor, operands, anyLayout(operands.weights), /*addsBias=*/false,
      /*isWinograd=*/false, attr);
  std::string name = desc ? desc.impl_info_str() : "ref";
  bool isMisread =
      zeroPoint != 0 && hasPaddedVolume(descriptor) && misreadsPadding(name);
  if (isMisread || fusion::runtime::isReference(name))
    return false;
  kernel = intern(name);
  weightsDesc = desc.weights_desc(0);
  scratchpad = desc.scratchpad_desc();
  primitive = dnnl::primitive(desc.get());
  dnnl::primitive_attr packing;
  packing.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  dnnl::reorder::primitive_desc packerDesc(cpuEngine(), operands.weights,
                                           cpuEngine(), weightsDesc, packing);
  packerScratchpad = packerDesc.scratchpad_desc();
  packer = dnnl::reorder(packerDesc);
  return true;
}

bool IntegerPlan::takes(const KeptWeights &weights) const {
  const auto *packed = dynamic_cast<const IntegerWeights *>(&weights);
  return packed && packed->desc == weightsDesc;
}

std::shared_ptr<KeptWeights> IntegerPlan::keepWeights(const View &given,
                                                      void *data) const {
  return std::make_shared<IntegerWeights>(given, data, *this);
}

/// Whether f32 holds each sum with these weights. Kernels add to the sum in f32
/// what the sign and the zero point of src make necessary.
bool IntegerPlan::fitFloat(const int8_t *dense) const {
  // The weights of one sum are contiguous.
  const int64_t rows =
      weights.sizes[0] * (isMatmul ? weights.sizes[2] : int64_t(1));
  const int64_t size = weights.elements() / rows;
  for (int64_t row = 0; row < rows; ++row, dense += size) {
    int64_t positive = 0, negative = 0;
    for (int64_t i = 0; i < size; ++i)
      (dense[i] > 0 ? positive : negative) += std::abs(dense[i]);
    int64_t bound = (255 + std::abs(zeroPoint)) * std::max(positive, negative) +
                    128 * std::abs(positive - negative);
    if (bound > 1 << 24)
      return false;
  }
  return true;
}

bool IntegerPlan::pack(const void *data, char *packed, char *scratch) const {
  count(counters.weightPacks);
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
  return fitFloat(reinterpret_cast<const int8_t *>(scratch));
}

/// A zero point that is no element of src, and of which products may not fit.
static bool hasForeignZeroPoint(const Descriptor &descriptor) {
  int32_t zero = descriptor.quantization.src_zero_point;
  return descriptor.srcType() == FUSION_RT_TYPE_U8 ? zero < 0 || zero > 255
                                                   : zero < -128 || zero > 127;
}

std::unique_ptr<BackendPlan>
fusion::runtime::makeIntegerPlan(const Descriptor &descriptor,
                                 const Problem &problem) {
  if (!descriptor.hasWeights() || !sumsBytesExactly() ||
      hasForeignZeroPoint(descriptor))
    return nullptr;
  auto plan = std::make_unique<IntegerPlan>(descriptor, problem);
  if (!plan->create(descriptor))
    return nullptr;
  return plan;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

size_t IntegerExecution::place(size_t bytes) {
  size_t at = arenaBytes;
  arenaBytes += roundUp(bytes, blockAlignment);
  return at;
}

IntegerExecution::IntegerExecution(const Descriptor &descriptor,
                                   const Problem &problem,
                                   const IntegerPlan &plan)
    : descriptor(descriptor), problem(problem), plan(plan),
      loopsPlan(makeLoopsPlan(descriptor, problem)),
      loops(loopsPlan->makeExecution(descriptor, problem)),
      zeroPoint(descriptor.quantization.src_zero_point), src(plan.operands.src),
      weights(plan.weightsDesc), sums(plan.operands.dst),
      scratchpad(plan.scratchpad),
      zero(memory::desc({1}, memory::data_type::s32, memory::dims{1})),
      stream(cpuEngine()) {
  arguments = {{DNNL_ARG_SRC, src.get()},
               {DNNL_ARG_WEIGHTS, weights.get()},
               {DNNL_ARG_DST, sums.get()},
               {DNNL_ARG_SCRATCHPAD, scratchpad.get()}};
  if (plan.zeroPoint != 0)
    arguments.push_back({DNNL_ARG_ATTR_ZERO_POINTS | DNNL_ARG_SRC, zero.get()});
  zero.bind(&zeroPoint);
  srcAt = place(plan.copiesSrc ? plan.src.extent() : 0);
  sumsAt = place(plan.sums.extent());
  scratchpadAt = place(plan.scratchpad.get_size());
  if (descriptor.hasConstantWeights())
    return;
  weightsAt = place(plan.weightsDesc.get_size());
  packingAt = place(plan.packingBytes());
}

void IntegerExecution::sumUp() {
  OneThreadScope oneThread;
  dnnl_status_t status = dnnl_primitive_execute(
      plan.primitive.get(), stream.get(), static_cast<int>(arguments.size()),
      arguments.data());
  if (status == dnnl_success)
    status = dnnl_stream_wait(stream.get());
  dnnl::error::wrap_c_api(status, "could not execute a primitive");
}

void IntegerExecution::run(Thread &thread, const fusion_rt_conv_args &args,
                           const KeptWeights *kept) {
  char *arena = thread.reserve(arenaBytes);
  bool isExact =
      kept ? static_cast<const IntegerWeights *>(kept)->areExact
           : plan.pack(args.weights.data, arena + weightsAt, arena + packingAt);
  if (!isExact) {
    loops->run(thread, args, nullptr);
    return;
  }
  if (plan.copiesSrc)
    copyTensor(problem.src, args.src.data, plan.src, arena + srcAt);
  src.bind(plan.copiesSrc ? arena + srcAt : args.src.data);
  weights.bind(kept ? kept->block.data() : arena + weightsAt);
  sums.bind(arena + sumsAt);
  scratchpad.bind(arena + scratchpadAt);
  sumUp();
  finishSums(descriptor, problem, args,
             reinterpret_cast<const uint32_t *>(arena + sumsAt));
}

std::unique_ptr<Execution>
IntegerPlan::makeExecution(const Descriptor &descriptor,
                           const Problem &problem) const {
  return std::make_unique<IntegerExecution>(descriptor, problem, *this);
}
