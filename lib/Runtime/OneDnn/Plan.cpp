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

using namespace fusion::runtime;
using dnnl::memory;

//===----------------------------------------------------------------------===//
// One way to do it
//===----------------------------------------------------------------------===//

namespace {
/// How a plan computes what follows the sum.
struct Tail {
  ResidualMode residual;
  bool isEpilogue;
};

/// What a plan may change before oneDNN sees the problem.
struct Variant {
  fusion_rt_type type;    // of src and weights
  fusion_rt_type dstType; // of dst
  bool copiesSrc;
  bool copiesDst;
  int64_t channels;       // of src, with those of zeros
  bool isBlocked = false; // channels of copies in blocks, and not last
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
  double kernelElements() const;
  double multiplicationsPerCopy() const;
  bool mayBlock() const;
  bool isWorthBlocking(const Plan &best) const;
  bool isWorthCopying() const;
  bool isWorthWidening() const;
  bool mayBeat(const Plan &best, const Variant &variant) const;

  Plan shape(const Variant &variant) const;
  bool hasTail() const;
  std::vector<ResidualMode> residualModes(const Plan &plan) const;
  std::vector<Tail> tails(const Plan &plan) const;
  bool needsPostOps(const Plan &plan) const;
  KernelClass classOf(const Plan &plan,
                      const dnnl::primitive_desc_base &kernel) const;
  dnnl::primitive_attr attributes(const Plan &plan) const;
  dnnl::primitive_desc_base describe(const Plan &plan,
                                     const memory::desc &weights) const;
  dnnl::primitive_desc_base describeWith(Tail tail, Plan &plan) const;
  dnnl::primitive_desc_base choose(Plan &plan, const Variant &variant) const;
  void finish(Plan &plan, const dnnl::primitive_desc_base &kernel) const;

  const Descriptor &descriptor;
  const Problem &problem;
  const std::vector<PackedFormat> &packed;
};
} // namespace

static View makeCopy(const View &like, fusion_rt_type type,
                     const Variant &variant) {
  return variant.isBlocked ? makeBlocked(like, type)
                           : makeDense(like, type, Order::ChannelsLast);
}

/// The tensors that the primitive sees.
Plan Planner::shape(const Variant &variant) const {
  bool isMatmul = descriptor.kind == OpKind::Matmul;
  Plan plan;
  plan.copiesSrc = variant.copiesSrc;
  plan.copiesDst = variant.copiesDst;
  View src = problem.src, weights = problem.weights;
  bool pads = variant.channels != src.sizes[1];
  if (pads)
    src.sizes[1] = weights.sizes[1] = variant.channels;
  plan.src =
      plan.copiesSrc ? makeCopy(src, variant.type, variant) : problem.src;
  plan.dst = plan.copiesDst ? makeCopy(problem.dst, variant.dstType, variant)
                            : problem.dst;
  plan.convertsWeights =
      descriptor.hasWeights() && (pads || variant.type != weights.type);
  plan.weights = plan.convertsWeights
                     ? makeDense(weights, variant.type,
                                 isMatmul ? Order::Other : Order::ChannelsFirst)
                     : weights;
  plan.operands = describeOperands(descriptor, plan.src, plan.weights,
                                   problem.residual, plan.dst);
  return plan;
}

/// Whether anything follows the sum.
bool Planner::hasTail() const {
  return descriptor.hasBias() || descriptor.hasResidual() ||
         descriptor.activation() != FUSION_RT_ACT_NONE;
}

/// Ways to add the residual in the kernel, the one that measures faster first
/// where both take the same kernel.
std::vector<ResidualMode> Planner::residualModes(const Plan &plan) const {
  if (!descriptor.hasResidual())
    return {ResidualMode::None};
  if (problem.inPlace && !plan.copiesDst)
    return {ResidualMode::Sum};
  bool isWide = plan.dst.type == FUSION_RT_TYPE_F32;
  std::vector<ResidualMode> modes;
  // The copy must not round an f32 residual to a narrower dst.
  if (isWide || plan.dst.type == problem.residual.type)
    modes.push_back(ResidualMode::CopyToSum);
  if (!plan.copiesDst && haveSameStrides(problem.residual, plan.dst))
    modes.insert(isWide ? modes.begin() : modes.end(), ResidualMode::Binary);
  return modes;
}

/// Ways to compute what follows the sum, in the kernel first. There may be none
/// for this plan.
std::vector<Tail> Planner::tails(const Plan &plan) const {
  std::vector<Tail> tails;
  bool mayAdd = canAddTensors() || !descriptor.hasResidual();
  if (!hasTail() || (mayAdd && environment().plan != PlanPreference::Epilogue))
    for (ResidualMode mode : residualModes(plan))
      tails.push_back({mode, /*isEpilogue=*/false});
  // Before the epilogue there must be no rounding.
  if (!hasTail() || plan.dst.type != FUSION_RT_TYPE_F32)
    return tails;
  if (!descriptor.hasResidual())
    tails.push_back({ResidualMode::None, /*isEpilogue=*/true});
  else if (!problem.inPlace || plan.copiesDst)
    tails.push_back({ResidualMode::Epilogue, /*isEpilogue=*/true});
  else if (mayAdd)
    tails.push_back({ResidualMode::Sum, /*isEpilogue=*/true});
  return tails;
}

dnnl::primitive_attr Planner::attributes(const Plan &plan) const {
  dnnl::post_ops ops;
  if (plan.residual == ResidualMode::Binary)
    ops.append_binary(dnnl::algorithm::binary_add, plan.operands.residual);
  if (plan.residual == ResidualMode::Sum || plan.copiesResidual())
    ops.append_sum();
  if (!plan.hasEpilogue)
    appendActivation(ops, descriptor.activation(), descriptor.raw.alpha,
                     descriptor.raw.beta);
  if (descriptor.kind == OpKind::Pool &&
      descriptor.pooling == FUSION_RT_POOL_SUM)
    appendScale(ops, static_cast<float>(kernelElements()));
  dnnl::primitive_attr attr;
  attr.set_post_ops(ops);
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  return attr;
}

/// What `make` describes; empty if oneDNN refuses it in this form, as it may
/// take it in another.
template <typename Make>
static dnnl::primitive_desc_base describeOrEmpty(Make make) {
  try {
    return make();
  } catch (const dnnl::error &error) {
    if (error.status == dnnl_out_of_memory)
      throw;
    return {};
  }
}

dnnl::primitive_desc_base Planner::describe(const Plan &plan,
                                            const memory::desc &weights) const {
  return describeOrEmpty([&] {
    return describePrimitive(descriptor, plan.operands, weights,
                             descriptor.hasBias() && !plan.hasEpilogue,
                             attributes(plan));
  });
}

/// Whether the kernel does more than a wrapper without post-ops would.
bool Planner::needsPostOps(const Plan &plan) const {
  bool isTransposed = descriptor.kind == OpKind::Deconvolution;
  bool sums = plan.residual == ResidualMode::Sum || plan.copiesResidual();
  if (isTransposed && (sums || (descriptor.hasBias() && !plan.hasEpilogue)))
    return true;
  return plan.residual == ResidualMode::Binary ||
         (!plan.hasEpilogue && descriptor.activation() != FUSION_RT_ACT_NONE);
}

KernelClass Planner::classOf(const Plan &plan,
                             const dnnl::primitive_desc_base &kernel) const {
  if (!kernel)
    return KernelClass::None;
  std::string name = kernel.impl_info_str();
  KernelClass kernelClass = classifyKernel(name, plan.src.type);
  if (plan.src.hasBlocks && prefersBlocks(name))
    kernelClass = KernelClass::Fast;
  bool isTransposed = descriptor.kind == OpKind::Deconvolution;
  bool isConvolution = isTransposed || descriptor.kind == OpKind::Convolution;
  if (isConvolution && kernelClass > KernelClass::ScalarPostOps &&
      needsPostOps(plan) && hasScalarPostOps(name, isTransposed))
    return KernelClass::ScalarPostOps;
  // Plain loops ask for each element as well.
  if (plan.hasEpilogue && isReference(plan.epilogueDesc.impl_info_str()))
    return std::min(kernelClass, KernelClass::ScalarPostOps);
  return kernelClass;
}

/// The kernel of `plan` with what follows the sum computed as `tail` says;
/// empty if there is none that does it right.
dnnl::primitive_desc_base Planner::describeWith(Tail tail, Plan &plan) const {
  plan.residual = tail.residual;
  plan.hasEpilogue = tail.isEpilogue;
  if (plan.hasEpilogue) {
    plan.epilogueDesc = describeOrEmpty([&] {
      return describeEpilogue(descriptor, plan.operands,
                              plan.residual == ResidualMode::Epilogue);
    });
    if (!plan.epilogueDesc)
      return {};
  }
  auto kernel =
      describe(plan, descriptor.hasWeights() ? anyLayout(plan.operands.weights)
                                             : memory::desc());
  if (plan.residual == ResidualMode::Binary && kernel &&
      misreadsTensors(kernel.impl_info_str()))
    return {};
  return kernel;
}

/// The best kernel for `variant` over the ways to compute what follows the sum;
/// there may be none. Sets the way in `plan`.
dnnl::primitive_desc_base Planner::choose(Plan &plan,
                                          const Variant &variant) const {
  plan = shape(variant);
  Plan best = plan;
  dnnl::primitive_desc_base bestKernel;
  for (Tail tail : tails(plan)) {
    auto kernel = describeWith(tail, plan);
    plan.kernelClass = classOf(plan, kernel);
    if (plan.kernelClass > best.kernelClass) {
      best = plan;
      best.kernel = intern(kernel.impl_info_str());
      bestKernel = kernel;
    }
    if (best.kernelClass == KernelClass::Fast)
      break;
  }
  plan = best;
  return bestKernel;
}

/// Creates the primitives of `plan`, with weights as they are packed already if
/// that costs nothing.
void Planner::finish(Plan &plan,
                     const dnnl::primitive_desc_base &unconstrained) const {
  auto kernel = unconstrained;
  // Packing at each call costs more than the better layout gains.
  if (descriptor.kind == OpKind::Matmul && !descriptor.hasConstantWeights())
    if (auto candidate = describe(plan, plan.operands.weights);
        classOf(plan, candidate) >= plan.kernelClass)
      kernel = candidate;
  for (const PackedFormat &format : packed) {
    const View &weights = format.weights;
    if (weights.type != plan.weights.type ||
        !std::equal(weights.sizes, weights.sizes + weights.rank,
                    plan.weights.sizes))
      continue;
    if (format.desc == unconstrained.weights_desc(0))
      break;
    auto candidate = describe(plan, format.desc);
    if (classOf(plan, candidate) >= plan.kernelClass) {
      kernel = candidate;
      break;
    }
  }
  if (descriptor.hasWeights()) {
    plan.weightsDesc = kernel.weights_desc(0);
    plan.reordersWeights =
        !isLaidOutAs(plan.operands.weights, plan.weightsDesc);
  }
  plan.kernelClass = classOf(plan, kernel);
  plan.kernel = intern(kernel.impl_info_str());
  plan.scratchpad = kernel.scratchpad_desc();
  plan.primitive = dnnl::primitive(kernel.get());
  if (plan.hasEpilogue)
    plan.epilogue = dnnl::primitive(plan.epilogueDesc.get());
  if (!plan.reordersWeights)
    return;
  dnnl::primitive_attr attr;
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  dnnl::reorder::primitive_desc reorder(cpuEngine(), plan.operands.weights,
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
  if (type == FUSION_RT_TYPE_F32 && dstType == FUSION_RT_TYPE_F32 && mayBlock())
    out.push_back({type, dstType, true, true, channels, /*isBlocked=*/true});
}

/// All variants in the order of preference. Two-byte types come with a row of
/// variants that pad a small channel count with zeros: with AMX oneDNN has
/// kernels for pairs or more of channels only.
std::vector<Variant> Planner::variants() const {
  std::vector<Variant> out;
  fusion_rt_type type = descriptor.kernelType(), dstType = problem.dst.type;
  int64_t channels = problem.src.sizes[1];
  addVariants(type, dstType, out);
  bool isNarrow = type != FUSION_RT_TYPE_F32;
  if (isNarrow && descriptor.kind == OpKind::Convolution &&
      descriptor.raw.groups == 1)
    for (int64_t padded : {4, 8, 16})
      if (channels < padded)
        for (bool copiesDst : {false, true})
          out.push_back({type, dstType, true, copiesDst, padded});
  if (dstType != FUSION_RT_TYPE_F32)
    addVariants(type, FUSION_RT_TYPE_F32, out);
  if (isNarrow)
    addVariants(FUSION_RT_TYPE_F32, FUSION_RT_TYPE_F32, out);
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
      return variant.type != descriptor.kernelType();
    case PlanPreference::Blocks:
      return variant.isBlocked;
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

/// Number of elements of the window of a pool, which may be more than fit into
/// an integer.
double Planner::kernelElements() const {
  double product = 1;
  for (int i = 0; i < descriptor.raw.spatial_rank; ++i)
    product *= descriptor.kernel[i];
  return product;
}

/// How many multiplications there are for each element of src and dst, which is
/// what a plan that copies both has to copy.
double Planner::multiplicationsPerCopy() const {
  if (!descriptor.hasWeights())
    return 0;
  double copied = double(problem.src.elements()) + problem.dst.elements();
  double perElement =
      descriptor.kind == OpKind::Matmul
          ? problem.weights.sizes[1]
          : double(problem.weights.elements()) / problem.weights.sizes[0];
  // A transposed convolution uses each element of src as often.
  const View &walked =
      descriptor.kind == OpKind::Deconvolution ? problem.src : problem.dst;
  return walked.elements() * perElement / copied;
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
  return multiplicationsPerCopy() >= 60;
}

/// Whether channels can be in blocks.
bool Planner::mayBlock() const {
  return descriptor.kind == OpKind::Convolution && descriptor.raw.groups == 1 &&
         problem.src.sizes[1] % channelsPerBlock == 0 &&
         problem.dst.sizes[1] % channelsPerBlock == 0;
}

/// Whether the kernel of `best`, where channels come last, loses more than it
/// takes to copy src and dst to blocks of channels and back. Measured over 275
/// shapes with AVX2, that takes 0.54 to 1.2 times as long under this condition,
/// and up to 2.4 times otherwise: few channels or a single row fit the cache as
/// they are, and copies are soon more than what is computed. The kernel for
/// SSE4.1 gains sooner: with it 0.6 to 1.1, with AVX2, in one dimension, 0.3.
bool Planner::isWorthBlocking(const Plan &best) const {
  PlanPreference plan = environment().plan;
  if (plan != PlanPreference::Any && plan != PlanPreference::Epilogue)
    return false;
  if (best.kernelClass != KernelClass::Direct || !prefersBlocks(best.kernel))
    return false;
  bool isCopied = best.copiesSrc && best.copiesDst; // in any case
  if (isForNarrowVectors(best.kernel))
    return isCopied || multiplicationsPerCopy() >= 30;
  const View &weights = problem.weights;
  int64_t rows = 1; // of src, that one row of dst is computed from
  for (int dim = 2; dim < weights.rank - 1; ++dim)
    rows *= weights.sizes[dim];
  return rows > 1 && problem.src.sizes[1] + problem.dst.sizes[1] >= 80 &&
         (isCopied || multiplicationsPerCopy() >= 70);
}

/// Whether computing in f32, with conversions of src and dst, costs less than
/// emulated bf16. Measured, it loses with 9 / 2 multiplications for each
/// element converted (a depthwise convolution) and gains with 26. A matrix
/// multiplication gains unless the weights have to be converted at each call
/// for a few rows.
bool Planner::isWorthWidening() const {
  constexpr int64_t fewRows = 8;
  if (descriptor.kind == OpKind::Matmul)
    return descriptor.hasConstantWeights() || problem.dst.sizes[2] >= fewRows;
  return environment().plan != PlanPreference::Direct &&
         multiplicationsPerCopy() >= 20;
}

/// Whether `variant` may be faster than `best`, the best one so far.
bool Planner::mayBeat(const Plan &best, const Variant &variant) const {
  if (best.kernelClass < KernelClass::Emulated ||
      best.kernelClass == KernelClass::ScalarPostOps)
    return true;
  if (variant.isBlocked && best.kernelClass >= KernelClass::Gemm)
    return isWorthBlocking(best);
  if (variant.type == best.src.type && variant.dstType == best.dst.type)
    return best.kernelClass == KernelClass::Gemm && isWorthCopying();
  return best.kernelClass == KernelClass::Emulated &&
         variant.type != best.src.type && isWorthWidening();
}

void Planner::run(Plan &out) {
  dnnl::primitive_desc_base best;
  for (const Variant &variant : variants()) {
    if (!mayBeat(out, variant))
      continue;
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
