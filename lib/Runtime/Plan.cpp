//===- Plan.cpp - How a convolution is brought to a good kernel -----------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan.h"

#include "Support.h"

#include <algorithm>
#include <mutex>
#include <set>

using namespace fusion::runtime;
using dnnl::memory;

const dnnl::engine &fusion::runtime::cpuEngine() {
  static const auto *engine = new dnnl::engine(dnnl::engine::kind::cpu, 0);
  return *engine;
}

KernelClass fusion::runtime::classifyKernel(const std::string &implementation) {
  auto contains = [&](const char *part) {
    return implementation.find(part) != std::string::npos;
  };
  if (contains("ref"))
    return KernelClass::Reference;
  return contains("gemm") && !contains("brg") ? KernelClass::Gemm
                                              : KernelClass::Fast;
}

/// A copy of `name` that lives for ever, so that callers may keep it when the
/// plan is gone. There are a few dozen names.
static const char *intern(const std::string &name) {
  static auto *mutex = new std::mutex;
  static auto *names = new std::set<std::string>;
  std::lock_guard<std::mutex> lock(*mutex);
  return names->insert(name).first->c_str();
}

//===----------------------------------------------------------------------===//
// Descriptors for oneDNN
//===----------------------------------------------------------------------===//

/// oneDNN wants the groups of weights as a dimension of their own.
static memory::desc groupedDesc(const View &weights, int64_t groups) {
  if (groups == 1)
    return weights.desc();
  int64_t perGroup = weights.sizes[0] / groups;
  memory::dims sizes{groups, perGroup};
  memory::dims strides{weights.strides[0] * perGroup, weights.strides[0]};
  sizes.insert(sizes.end(), weights.sizes + 1, weights.sizes + weights.rank);
  strides.insert(strides.end(), weights.strides + 1,
                 weights.strides + weights.rank);
  return memory::desc(sizes, toDnnl(weights.type), strides);
}

/// The same with the layout left to the implementation.
static memory::desc anyWeightsDesc(const View &weights, int64_t groups) {
  memory::dims sizes(weights.sizes, weights.sizes + weights.rank);
  if (groups != 1) {
    sizes[0] /= groups;
    sizes.insert(sizes.begin(), groups);
  }
  return memory::desc(sizes, toDnnl(weights.type), memory::format_tag::any);
}

memory::desc Plan::reorderSource(int64_t groups) const {
  return groupedDesc(weights, groups);
}

/// Whether weights laid out as `given` are what `wanted` asks for.
static bool isLaidOutAs(const View &given, int64_t groups,
                        const memory::desc &wanted) {
  memory::dims strides = plainStrides(wanted);
  if (strides.empty())
    return false;
  if (groups != 1) {
    int64_t perGroup = given.sizes[0] / groups;
    if (strides[0] != given.strides[0] * perGroup)
      return false;
    strides.erase(strides.begin());
    if (perGroup == 1)
      strides[0] = given.strides[0];
  }
  for (int dim = 0; dim < given.rank; ++dim)
    if (given.sizes[dim] > 1 && strides[dim] != given.strides[dim])
      return false;
  return true;
}

static memory::dims spatial(const Descriptor &descriptor, const int64_t *values,
                            int64_t minus = 0) {
  memory::dims dims(values, values + descriptor.raw.spatial_rank);
  for (int64_t &dim : dims)
    dim -= minus;
  return dims;
}

//===----------------------------------------------------------------------===//
// One way to do it
//===----------------------------------------------------------------------===//

namespace {
/// What a plan may change before oneDNN sees the problem.
struct Variant {
  fusion_rt_type type;    // of src and weights
  fusion_rt_type dstType; // of dst
  bool copiesSrc;
  bool copiesDst;
  int64_t channels; // of src, with those of zeros
};

class Planner {
public:
  Planner(const Descriptor &descriptor, const Problem &problem,
          const std::vector<PackedFormat> &packed)
      : descriptor(descriptor), problem(problem), packed(packed) {}

  void run(Plan &out);

private:
  std::vector<Variant> variants() const;
  void addVariants(fusion_rt_type type, fusion_rt_type dstType,
                   std::vector<Variant> &out) const;
  void preferAsAsked(std::vector<Variant> &variants) const;
  bool isWorthCopying() const;

  Plan shape(const Variant &variant) const;
  std::vector<ResidualMode> residualModes(const Plan &plan) const;
  dnnl::primitive_attr attributes(const Plan &plan) const;
  dnnl::convolution_forward::primitive_desc
  describe(const Plan &plan, const memory::desc &weights) const;
  dnnl::convolution_forward::primitive_desc
  choose(Plan &plan, const Variant &variant) const;
  void finish(Plan &plan,
              const dnnl::convolution_forward::primitive_desc &kernel) const;

  const Descriptor &descriptor;
  const Problem &problem;
  const std::vector<PackedFormat> &packed;
};
} // namespace

/// The tensors that the primitive sees.
Plan Planner::shape(const Variant &variant) const {
  Plan plan;
  plan.copiesSrc = variant.copiesSrc;
  plan.copiesDst = variant.copiesDst;
  View src = problem.src, weights = problem.weights;
  bool pads = variant.channels != src.sizes[1];
  if (pads)
    src.sizes[1] = weights.sizes[1] = variant.channels;
  plan.src = plan.copiesSrc ? makeDense(src, variant.type, Order::ChannelsLast)
                            : problem.src;
  plan.dst = plan.copiesDst
                 ? makeDense(problem.dst, variant.dstType, Order::ChannelsLast)
                 : problem.dst;
  plan.convertsWeights = pads || variant.type != weights.type;
  plan.weights = plan.convertsWeights
                     ? makeDense(weights, variant.type, Order::ChannelsFirst)
                     : weights;
  return plan;
}

/// With SSE4.1 alone, kernels of oneDNN 2.6 that add a tensor crash or read it
/// from the wrong places when its channels do not fill whole vectors.
static bool canAddTensors() {
  static const bool can = dnnl::get_effective_cpu_isa() != dnnl::cpu_isa::sse41;
  return can;
}

/// Ways to add the residual, the one that measures faster first. There may be
/// none for this plan.
std::vector<ResidualMode> Planner::residualModes(const Plan &plan) const {
  if (!descriptor.hasResidual())
    return {ResidualMode::None};
  bool isWide = plan.dst.type == FUSION_RT_TYPE_F32;
  std::vector<ResidualMode> modes;
  if (!canAddTensors() || environment().plan == PlanPreference::Epilogue) {
    if (plan.copiesDst && isWide)
      modes.push_back(ResidualMode::Epilogue);
    return modes;
  }
  if (problem.inPlace && !plan.copiesDst)
    return {ResidualMode::Sum};
  // The copy must not round an f32 residual to a narrower dst.
  if (isWide || plan.dst.type == problem.residual.type)
    modes.push_back(ResidualMode::CopyToSum);
  if (!plan.copiesDst && haveSameStrides(problem.residual, plan.dst))
    modes.insert(isWide ? modes.begin() : modes.end(), ResidualMode::Binary);
  return modes;
}

dnnl::primitive_attr Planner::attributes(const Plan &plan) const {
  dnnl::post_ops ops;
  if (plan.residual == ResidualMode::Binary)
    ops.append_binary(dnnl::algorithm::binary_add, problem.residual.desc());
  if (plan.residual == ResidualMode::Sum || plan.copiesResidual())
    ops.append_sum();
  if (plan.residual != ResidualMode::Epilogue)
    appendActivation(ops, descriptor.activation(), descriptor.raw.alpha,
                     descriptor.raw.beta);
  dnnl::primitive_attr attr;
  attr.set_post_ops(ops);
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attr;
}

dnnl::convolution_forward::primitive_desc
Planner::describe(const Plan &plan, const memory::desc &weights) const {
  const fusion_rt_conv_desc &raw = descriptor.raw;
  memory::desc bias;
  if (descriptor.hasBias())
    bias = memory::desc({problem.dst.sizes[1]}, memory::data_type::f32,
                        memory::dims{1});
  ConvolutionSpec spec{plan.src.desc(),
                       weights,
                       descriptor.hasBias() ? &bias : nullptr,
                       plan.dst.desc(),
                       spatial(descriptor, raw.strides),
                       spatial(descriptor, raw.dilations, 1),
                       spatial(descriptor, raw.pad_low),
                       spatial(descriptor, raw.pad_high)};
  try {
    return createConvolution(spec, attributes(plan), cpuEngine());
  } catch (const dnnl::error &error) {
    // What oneDNN refuses in this form it may take in another.
    if (error.status == dnnl_out_of_memory)
      throw;
    return {};
  }
}

static KernelClass
classOf(const dnnl::convolution_forward::primitive_desc &kernel) {
  return kernel ? classifyKernel(kernel.impl_info_str()) : KernelClass::None;
}

/// The best kernel for `variant` over the ways to add the residual, which may
/// be none. Sets the way in `plan`.
dnnl::convolution_forward::primitive_desc
Planner::choose(Plan &plan, const Variant &variant) const {
  plan = shape(variant);
  memory::desc any = anyWeightsDesc(plan.weights, descriptor.raw.groups);
  dnnl::convolution_forward::primitive_desc best;
  ResidualMode bestMode = ResidualMode::None;
  for (ResidualMode mode : residualModes(plan)) {
    plan.residual = mode;
    auto kernel = describe(plan, any);
    // The matrix multiplication kernel of oneDNN 2.6 reads a tensor to add from
    // the wrong places when the channels come last.
    if (classOf(kernel) == KernelClass::Gemm && mode == ResidualMode::Binary)
      continue;
    if (classOf(kernel) > classOf(best)) {
      best = kernel;
      bestMode = mode;
    }
    if (classOf(best) == KernelClass::Fast)
      break;
  }
  plan.residual = bestMode;
  plan.kernelClass = classOf(best);
  return best;
}

/// Creates the primitives of `plan`, with weights as they are packed already if
/// that costs nothing.
void Planner::finish(
    Plan &plan,
    const dnnl::convolution_forward::primitive_desc &unconstrained) const {
  auto kernel = unconstrained;
  int64_t groups = descriptor.raw.groups;
  for (const PackedFormat &format : packed) {
    const View &weights = format.weights;
    if (weights.type != plan.weights.type ||
        !std::equal(weights.sizes, weights.sizes + weights.rank,
                    plan.weights.sizes))
      continue;
    if (format.desc == unconstrained.weights_desc())
      break;
    auto candidate = describe(plan, format.desc);
    if (classOf(candidate) >= plan.kernelClass) {
      kernel = candidate;
      break;
    }
  }
  plan.weightsDesc = kernel.weights_desc();
  plan.packsWeights = !isLaidOutAs(plan.weights, groups, plan.weightsDesc);
  plan.kernelClass = classOf(kernel);
  plan.kernel = intern(kernel.impl_info_str());
  plan.scratchpad = kernel.scratchpad_desc();
  plan.primitive = dnnl::convolution_forward(kernel);
  if (!plan.packsWeights)
    return;
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  dnnl::reorder::primitive_desc reorder(cpuEngine(), plan.reorderSource(groups),
                                        cpuEngine(), plan.weightsDesc, attr);
  plan.weightsReorder = dnnl::reorder(reorder);
  plan.weightsReorderScratchpad = reorder.scratchpad_desc();
}

//===----------------------------------------------------------------------===//
// The choice
//===----------------------------------------------------------------------===//

/// Variants for one pair of types, those with the least copying first.
void Planner::addVariants(fusion_rt_type type, fusion_rt_type dstType,
                          std::vector<Variant> &out) const {
  int64_t channels = problem.src.sizes[1];
  bool mustCopySrc = type != problem.src.type;
  bool mustCopyDst = dstType != problem.dst.type;
  for (bool copiesDst : {false, true})
    for (bool copiesSrc : {false, true})
      if (copiesSrc >= mustCopySrc && copiesDst >= mustCopyDst)
        out.push_back({type, dstType, copiesSrc, copiesDst, channels});
}

/// All variants in the order of preference. Two-byte types come with a row of
/// variants that pad a small channel count with zeros: with AMX oneDNN has
/// kernels for pairs or more of channels only.
std::vector<Variant> Planner::variants() const {
  std::vector<Variant> out;
  fusion_rt_type type = problem.src.type, dstType = problem.dst.type;
  int64_t channels = problem.src.sizes[1];
  addVariants(type, dstType, out);
  bool isNarrow = type != FUSION_RT_TYPE_F32;
  if (isNarrow && descriptor.raw.groups == 1)
    for (int64_t padded : {4, 8, 16})
      if (channels < padded)
        for (bool copiesDst : {false, true})
          out.push_back({type, dstType, true, copiesDst, padded});
  if (dstType != FUSION_RT_TYPE_F32)
    addVariants(type, FUSION_RT_TYPE_F32, out);
  if (isNarrow) {
    if (dstType == FUSION_RT_TYPE_F32)
      addVariants(FUSION_RT_TYPE_F32, FUSION_RT_TYPE_F32, out);
    else
      out.push_back(
          {FUSION_RT_TYPE_F32, FUSION_RT_TYPE_F32, true, true, channels});
  }
  preferAsAsked(out);
  return out;
}

/// Puts first what FUSION_PLAN names.
void Planner::preferAsAsked(std::vector<Variant> &variants) const {
  auto isAskedFor = [&](const Variant &variant) {
    switch (environment().plan) {
    case PlanPreference::Copy:
      return variant.copiesSrc && variant.copiesDst;
    case PlanPreference::Pad:
      return variant.channels != problem.src.sizes[1];
    case PlanPreference::Widen:
      return variant.type != problem.src.type;
    case PlanPreference::Any:
    case PlanPreference::Direct:
    case PlanPreference::Epilogue:
      break;
    }
    return false;
  };
  std::vector<Variant> asked, others;
  for (const Variant &variant : variants)
    (isAskedFor(variant) ? asked : others).push_back(variant);
  asked.insert(asked.end(), others.begin(), others.end());
  variants = std::move(asked);
}

/// Whether copying src and dst to channels-last and back costs less than what
/// the matrix multiplication loses that does without. Measured, it takes about
/// twice the time of a convolution kernel, and the copy of an element as long
/// as some 60 multiplications; with few channels per group it is worse still.
bool Planner::isWorthCopying() const {
  if (environment().plan == PlanPreference::Direct)
    return false;
  if (descriptor.raw.groups > 1 && problem.weights.sizes[1] < 16)
    return true;
  double copied = double(problem.src.elements()) + problem.dst.elements();
  double multiplied = double(problem.dst.elements()) *
                      problem.weights.elements() / problem.weights.sizes[0];
  return multiplied >= 60 * copied;
}

void Planner::run(Plan &out) {
  dnnl::convolution_forward::primitive_desc best;
  for (const Variant &variant : variants()) {
    bool changesType =
        variant.type != problem.src.type || variant.dstType != problem.dst.type;
    if (out.kernelClass == KernelClass::Gemm &&
        (changesType || !isWorthCopying()))
      break;
    Plan plan;
    auto kernel = choose(plan, variant);
    if (plan.kernelClass > out.kernelClass) {
      out = plan;
      best = kernel;
    }
    if (out.kernelClass == KernelClass::Fast)
      break;
  }
  if (out.kernelClass != KernelClass::None)
    finish(out, best);
}

void fusion::runtime::makePlan(const Descriptor &descriptor,
                               const Problem &problem,
                               const std::vector<PackedFormat> &packed,
                               Plan &out) {
  out = Plan();
  Planner(descriptor, problem, packed).run(out);
}
