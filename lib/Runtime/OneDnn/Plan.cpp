//===- Plan.cpp - How a convolution is brought to a good kernel -----------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Plan.h"

#include "Sigmoids.h"
#include "Support.h"
#include "Variants.h"

#include <algorithm>

using namespace fusion::runtime;
using dnnl::memory;

//===----------------------------------------------------------------------===//
// One plan
//===----------------------------------------------------------------------===//

namespace {
/// How a plan adds bias and residual and applies the activation.
struct Tail {
  enum Kind { InKernel, InEpilogue, SwishLoop };
  ResidualMode residual;
  Kind kind;
};

class Planner {
public:
  Planner(const Descriptor &descriptor, const Problem &problem)
      : descriptor(descriptor), problem(problem), convolution(descriptor),
        unpadded(descriptor) {
    convolution.kind = OpKind::Convolution;
    int last = descriptor.raw.spatial_rank - 1;
    unpadded.raw.pad_low[last] = unpadded.raw.pad_high[last] = 0;
  }

  Draft draft(const Plan *whole, bool allowsWinograd) const;
  void settle(ChannelRange channels, const std::vector<PackedFormat> &packed,
              Draft &draft) const;

private:
  Plan shape(const Variant &variant) const;
  double kernelElements() const;
  bool hasTail() const;
  bool addsBias(const Plan &plan) const;
  std::vector<ResidualMode> residualModes(const Plan &plan) const;
  bool mayLoopSwish(const Plan &plan) const;
  std::vector<Tail> tails(const Plan &plan) const;
  bool needsPostOps(const Plan &plan) const;
  KernelClass classOf(const Plan &plan,
                      const dnnl::primitive_desc_base &kernel) const;
  dnnl::primitive_attr attributes(const Plan &plan) const;
  dnnl::primitive_desc_base describe(const Plan &plan,
                                     const memory::desc &weights) const;
  dnnl::primitive_desc_base describeWith(Tail tail, Plan &plan) const;
  dnnl::primitive_desc_base choose(Plan &plan, const Variant &variant,
                                   const Plan *whole) const;
  std::vector<Variant> variants(const Plan *whole) const;

  /// The descriptor of the primitive that oneDNN is asked for.
  const Descriptor &called(const Plan &plan) const {
    if (plan.variant.padsWidth)
      return unpadded;
    return plan.variant.isConvolution ? convolution : descriptor;
  }

  const Descriptor &descriptor;
  const Problem &problem;
  Descriptor convolution; // a matrix multiplication as one
  Descriptor unpadded;    // without pads in the last dimension
};
} // namespace

/// The rows of all matrices of a batch, which continue each other, as those of
/// one matrix.
static View mergeRows(const View &view) {
  View rows = view;
  if (view.sizes[2] == 1)
    rows.strides[2] = view.strides[0];
  rows.sizes[2] *= view.sizes[0];
  rows.sizes[0] = 1;
  rows.strides[0] = rows.strides[2] * rows.sizes[2];
  return rows;
}

static View makeCopy(const View &like, fusion_rt_type type,
                     const Variant &variant) {
  return variant.channelsPerBlock > 1
             ? makeBlocked(like, type, variant.channelsPerBlock)
             : makeDense(like, type, variant.order);
}

/// The plan for `variant`, with the tensors that the primitive gets.
Plan Planner::shape(const Variant &variant) const {
  bool isMatmul = descriptor.kind == OpKind::Matmul && !variant.isConvolution;
  Plan plan;
  plan.variant = variant;
  plan.isMatmul = isMatmul;
  plan.copiesSrc = variant.copiesSrc;
  plan.copiesDst = variant.copiesDst;
  View src = problem.src, weights = problem.weights;
  bool pads = variant.channels != src.sizes[1];
  if (pads)
    src.sizes[1] = weights.sizes[1] = variant.channels;
  if (variant.padsWidth)
    src.sizes[src.rank - 1] = paddedWidth(descriptor, src);
  plan.src =
      plan.copiesSrc ? makeCopy(src, variant.type, variant) : problem.src;
  plan.dst = plan.copiesDst ? makeCopy(problem.dst, variant.dstType, variant)
                            : problem.dst;
  View dense = makeDense(weights, variant.type,
                         isMatmul ? Order::Other : Order::ChannelsFirst);
  // oneDNN 2.6 cannot transform filters of every order for Winograd.
  bool isOtherOrder =
      plan.variant.isWinograd && !haveSameStrides(weights, dense);
  plan.convertsWeights =
      descriptor.hasWeights() &&
      (pads || isOtherOrder || mustCopy(weights, variant.type));
  plan.weights = plan.convertsWeights ? dense : weights;
  bool mergesRows = variant.isConvolution && continuesRows(plan.src) &&
                    continuesRows(plan.dst);
  plan.operands = describeOperands(
      called(plan), mergesRows ? mergeRows(plan.src) : plan.src, plan.weights,
      mergesRows ? mergeRows(plan.dst) : plan.dst);
  return plan;
}

/// Whether there is a bias, residual or activation.
bool Planner::hasTail() const {
  return descriptor.hasBias() || descriptor.hasResidual() ||
         descriptor.activation() != FUSION_RT_ACT_NONE;
}

/// Whether the kernel, and not the epilogue, adds the bias.
bool Planner::addsBias(const Plan &plan) const {
  return descriptor.hasBias() && !plan.epilogueAddsBias;
}

/// Ways to add the residual in the kernel. The one that measures faster with
/// the same kernel comes first.
std::vector<ResidualMode> Planner::residualModes(const Plan &plan) const {
  if (!descriptor.hasResidual())
    return {ResidualMode::None};
  if (problem.inPlace && !plan.copiesDst)
    return {ResidualMode::Sum};
  bool isWide = plan.dst.type == FUSION_RT_TYPE_F32;
  std::vector<ResidualMode> modes;
  // A copy must not round an f32 residual to a narrower dst.
  if (isWide || plan.dst.type == problem.residual.type)
    modes.push_back(ResidualMode::CopyToSum);
  if (!plan.copiesDst && haveSameStrides(problem.residual, plan.dst))
    modes.insert(isWide ? modes.begin() : modes.end(), ResidualMode::Binary);
  return modes;
}

/// Whether swish may be a loop over dst.
bool Planner::mayLoopSwish(const Plan &plan) const {
  return descriptor.activation() == FUSION_RT_ACT_SWISH &&
         !descriptor.isQuantized() && hasSigmoidLoops() &&
         environment().plan != PlanPreference::Direct &&
         environment().plan != PlanPreference::Epilogue &&
         plan.dst.type == FUSION_RT_TYPE_F32 && plan.dst.isDense();
}

/// Ways to add bias and residual and apply the activation: a loop for swish,
/// those in the kernel, then others. There may be none for this plan.
std::vector<Tail> Planner::tails(const Plan &plan) const {
  std::vector<Tail> tails;
  bool mayAdd = canAddTensors() || !descriptor.hasResidual();
  if (mayLoopSwish(plan)) {
    if (descriptor.addsResidualAfterActivation())
      tails.push_back({ResidualMode::Epilogue, Tail::SwishLoop});
    else if (mayAdd)
      for (ResidualMode mode : residualModes(plan))
        tails.push_back({mode, Tail::SwishLoop});
  }
  if (!hasTail() || (mayAdd && environment().plan != PlanPreference::Epilogue))
    for (ResidualMode mode : residualModes(plan))
      tails.push_back({mode, Tail::InKernel});
  // Nothing may be rounded before the epilogue.
  if (!hasTail() || plan.dst.type != FUSION_RT_TYPE_F32)
    return tails;
  // The kernel may not add what follows the epilogue's activation.
  if (descriptor.addsResidualAfterActivation()) {
    tails.push_back({ResidualMode::Epilogue, Tail::InEpilogue});
    return tails;
  }
  if (plan.variant.isWinograd) {
    // The kernels add bias and residual, and can compute relu only.
    if (descriptor.activation() != FUSION_RT_ACT_NONE)
      for (ResidualMode mode : residualModes(plan))
        tails.push_back({mode, Tail::InEpilogue});
    return tails;
  }
  if (!descriptor.hasResidual())
    tails.push_back({ResidualMode::None, Tail::InEpilogue});
  else if (!problem.inPlace || plan.copiesDst)
    tails.push_back({ResidualMode::Epilogue, Tail::InEpilogue});
  else if (mayAdd)
    tails.push_back({ResidualMode::Sum, Tail::InEpilogue});
  return tails;
}

/// The number of elements of a pool's window, which may exceed an integer.
double Planner::kernelElements() const {
  double product = 1;
  for (int i = 0; i < descriptor.raw.spatial_rank; ++i)
    product *= descriptor.kernel[i];
  return product;
}

dnnl::primitive_attr Planner::attributes(const Plan &plan) const {
  dnnl::post_ops ops;
  auto addResidual = [&] {
    if (plan.residual == ResidualMode::Binary)
      ops.append_binary(dnnl::algorithm::binary_add, plan.operands.residual);
    if (plan.residual == ResidualMode::Sum || plan.copiesResidual())
      ops.append_sum();
  };
  if (!descriptor.addsResidualAfterActivation())
    addResidual();
  if (plan.kernelActivates())
    appendActivation(ops, descriptor.activation(), descriptor.raw.alpha,
                     descriptor.raw.beta);
  if (descriptor.addsResidualAfterActivation())
    addResidual();
  if (descriptor.kind == OpKind::Pool &&
      descriptor.pooling == FUSION_RT_POOL_SUM)
    appendScale(ops, static_cast<float>(kernelElements()));
  dnnl::primitive_attr attr;
  attr.set_post_ops(ops);
  attr.set_scratchpad_mode(dnnl::scratchpad_mode::user);
  if (descriptor.isQuantized()) // sums of integers are exact in f32 only
    attr.set_fpmath_mode(dnnl::fpmath_mode::strict);
  return attr;
}

/// The result of `make`; empty if oneDNN refuses this form, since it may take
/// another one.
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
    return describePrimitive(called(plan), plan.operands, weights,
                             addsBias(plan), plan.variant.isWinograd,
                             attributes(plan));
  });
}

/// Whether the kernel needs post-ops, or steps that a wrapper treats as such.
bool Planner::needsPostOps(const Plan &plan) const {
  bool isTransposed = descriptor.kind == OpKind::Deconvolution;
  bool sums = plan.residual == ResidualMode::Sum || plan.copiesResidual();
  if (isTransposed && (sums || addsBias(plan)))
    return true;
  return plan.residual == ResidualMode::Binary ||
         (plan.kernelActivates() &&
          descriptor.activation() != FUSION_RT_ACT_NONE);
}

KernelClass Planner::classOf(const Plan &plan,
                             const dnnl::primitive_desc_base &kernel) const {
  if (!kernel)
    return KernelClass::None;
  std::string name = kernel.impl_info_str();
  if (plan.variant.isConvolution && !beatsGemm(name))
    return KernelClass::None;
  KernelClass kernelClass = classifyKernel(name, plan.src.type);
  if (plan.src.hasBlocks() && prefersBlocks(name))
    kernelClass = KernelClass::Fast;
  bool isTransposed = descriptor.kind == OpKind::Deconvolution;
  bool isConvolution = isTransposed || descriptor.kind == OpKind::Convolution;
  if (descriptor.kind == OpKind::Convolution &&
      kernelClass == KernelClass::Gemm && prefersChannelsFirst(plan.src.type) &&
      windowElements(descriptor, problem.weights) > 1 &&
      !fitsOrder(plan.src, Order::ChannelsFirst))
    kernelClass = KernelClass::SlowGemm;
  if (kernelClass == KernelClass::Direct &&
      isDepthwise(descriptor, problem.weights) && multipliesWholeBlocks(name))
    kernelClass = KernelClass::WholeBlocks;
  if (isConvolution && kernelClass > KernelClass::ScalarPostOps &&
      needsPostOps(plan) && hasScalarPostOps(name, isTransposed))
    return KernelClass::ScalarPostOps;
  // Plain loops decide for each element, too.
  if (plan.hasEpilogue && isReference(plan.epilogueDesc.impl_info_str()))
    return std::min(kernelClass, KernelClass::ScalarPostOps);
  return kernelClass;
}

/// The kernel of `plan` with the tail `tail`; empty if no kernel computes it
/// correctly.
dnnl::primitive_desc_base Planner::describeWith(Tail tail, Plan &plan) const {
  plan.residual = tail.residual;
  plan.hasEpilogue = tail.kind == Tail::InEpilogue;
  plan.loopsSwish = tail.kind == Tail::SwishLoop;
  plan.epilogueAddsBias = plan.hasEpilogue && descriptor.hasBias() &&
                          !plan.variant.isWinograd && !plan.dst.hasBlocks();
  if (plan.hasEpilogue) {
    plan.epilogueOperands = plan.operands;
    // There is no fast kernel for blocks of channels. Where the other kernel
    // adds the bias it does not matter to which channel an element belongs.
    if (plan.dst.hasBlocks())
      plan.epilogueOperands.dst = describeDense(plan.dst);
    plan.epilogueDesc = describeOrEmpty([&] {
      return describeEpilogue(descriptor, plan.epilogueOperands,
                              plan.epilogueAddsBias,
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

/// The best kernel for `variant` over all tails, or the first one that is as
/// good as that of `whole`; empty if there is none. Sets the tail in `plan`.
dnnl::primitive_desc_base Planner::choose(Plan &plan, const Variant &variant,
                                          const Plan *whole) const {
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
    if (best.kernelClass >= KernelClass::Fast ||
        (whole && isAsGood(best, *whole)))
      break;
  }
  plan = best;
  return bestKernel;
}

void Planner::settle(ChannelRange channels,
                     const std::vector<PackedFormat> &packed,
                     Draft &draft) const {
  Plan &plan = draft.plan;
  auto unconstrained = draft.kernel;
  auto &kernel = draft.kernel;
  // Packing in each call costs more than the better layout gains.
  if (descriptor.kind == OpKind::Matmul && !descriptor.hasConstantWeights())
    if (auto candidate = describe(plan, plan.operands.weights);
        classOf(plan, candidate) >= plan.kernelClass)
      kernel = candidate;
  for (const PackedFormat &format : packed) {
    const View &weights = format.weights;
    if (weights.type != plan.weights.type || !(format.channels == channels) ||
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
}

/// All variants, or those that are possible for a part of the problem of
/// `whole`.
std::vector<Variant> Planner::variants(const Plan *whole) const {
  std::vector<Variant> all = listVariants(descriptor, problem);
  if (!whole)
    return all;
  const Variant &like = whole->variant;
  auto differs = [&](const Variant &variant) {
    return variant.type != like.type || variant.dstType != like.dstType ||
           variant.channels - problem.src.sizes[1] !=
               like.channels - problem.src.sizes[1] ||
           variant.channelsPerBlock != like.channelsPerBlock ||
           variant.order != like.order ||
           variant.isWinograd != like.isWinograd ||
           variant.isConvolution != like.isConvolution ||
           variant.copiesSrc < like.copiesSrc ||
           variant.copiesDst < like.copiesDst;
  };
  all.erase(std::remove_if(all.begin(), all.end(), differs), all.end());
  return all;
}

Draft Planner::draft(const Plan *whole, bool allowsWinograd) const {
  Draft best;
  for (const Variant &variant : variants(whole)) {
    if (variant.isWinograd && !allowsWinograd)
      continue;
    if (!whole && !mayBeat(descriptor, problem, best.plan, variant))
      continue;
    Plan plan;
    auto kernel = choose(plan, variant, whole);
    if (plan.kernelClass > best.plan.kernelClass)
      best = {plan, kernel};
    if (best.plan.variant.isWinograd || (whole && isAsGood(best.plan, *whole)))
      break;
  }
  return best;
}

bool fusion::runtime::isAsGood(const Plan &part, const Plan &whole) {
  return part.kernelClass > whole.kernelClass ||
         (part.kernelClass == whole.kernelClass && part.kernel == whole.kernel);
}

Draft fusion::runtime::draftPlan(const Descriptor &descriptor,
                                 const Problem &problem, const Plan *whole,
                                 bool allowsWinograd) {
  return Planner(descriptor, problem).draft(whole, allowsWinograd);
}

void fusion::runtime::settleWeights(const Descriptor &descriptor,
                                    const Problem &problem,
                                    ChannelRange channels,
                                    const std::vector<PackedFormat> &packed,
                                    Draft &draft) {
  Planner(descriptor, problem).settle(channels, packed, draft);
}

void fusion::runtime::createReorders(Plan &plan) {
  if (!plan.reordersWeights)
    return;
  // Groups, or output channels.
  int channels = plan.isMatmul ? int(sizesOf(plan.weightsDesc).size()) - 1 : 0;
  plan.weightsReorders =
      createWeightsReorders(plan.operands.weights, plan.weightsDesc, channels);
}

void fusion::runtime::createPrimitives(const dnnl::primitive_desc_base &kernel,
                                       Plan &plan) {
  plan.scratchpad = kernel.scratchpad_desc();
  plan.primitive = dnnl::primitive(kernel.get());
  if (plan.hasEpilogue)
    plan.epilogue = dnnl::primitive(plan.epilogueDesc.get());
}
