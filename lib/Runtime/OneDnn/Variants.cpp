//===- Variants.cpp - Changes that a plan makes beforehand ----------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Variants.h"

#include "Support.h"

#include <algorithm>

using namespace fusion::runtime;

namespace {
/// Lists the variants of a problem and estimates which ones are faster.
class VariantChooser {
public:
  VariantChooser(const Descriptor &descriptor, const Problem &problem)
      : descriptor(descriptor), problem(problem) {}

  std::vector<Variant> variants() const;
  bool mayBeat(const Plan &best, const Variant &variant) const;

private:
  void addVariants(fusion_rt_type type, fusion_rt_type dstType,
                   std::vector<Variant> &out) const;
  void preferAsAsked(std::vector<Variant> &variants) const;
  double multiplications() const;
  double multiplicationsPerCopy() const;
  bool mayConvolve() const;
  bool mayPadWidth() const;
  bool mayBlock(int64_t channelsPerBlock) const;
  bool mayUseWinograd() const;
  bool isWorthConvolving(const Plan &best) const;
  bool isWorthPadding(const Plan &best) const;
  bool isWorthChannelsFirst(const Plan &best) const;
  bool isWorthBlocking(const Plan &best) const;
  bool isWorthWinograd(const Plan &best) const;
  bool isSmall() const;
  bool isWorthCopying() const;
  bool isWorthWidening() const;

  const Descriptor &descriptor;
  const Problem &problem;
};
} // namespace

//===----------------------------------------------------------------------===//
// Variants
//===----------------------------------------------------------------------===//

/// Adds the variants for one pair of types, those with the least copying first.
void VariantChooser::addVariants(fusion_rt_type type, fusion_rt_type dstType,
                                 std::vector<Variant> &out) const {
  int64_t channels = problem.src.sizes[1];
  bool mustCopySrc = mustCopy(problem.src, type);
  bool mustCopyDst = mustCopy(problem.dst, dstType);
  for (bool copiesDst : {false, true})
    for (bool copiesSrc : {false, true})
      if (copiesSrc >= mustCopySrc && copiesDst >= mustCopyDst)
        out.push_back({type, dstType, copiesSrc, copiesDst, channels});
  constexpr int64_t avx2Block = 8, avx512Block = 16; // channels of a vector
  const bool isNarrow =
      type != FUSION_RT_TYPE_F32 || dstType != FUSION_RT_TYPE_F32;
  if (mayPadWidth() &&
      (!isNarrow || isDepthwise(descriptor, problem.weights))) {
    Variant padded{type, dstType, true, mustCopyDst, channels};
    padded.padsWidth = true;
    out.push_back(padded);
    padded.copiesDst = true;
    Variant blocks = padded;
    blocks.channelsPerBlock = avx2Block;
    if (mayBlock(avx2Block))
      out.push_back(blocks);
    if (!mustCopyDst)
      out.push_back(padded);
  }
  if (isNarrow)
    return;
  if (mayConvolve())
    out.push_back({type, dstType, mustCopySrc, mustCopyDst, channels,
                   /*channelsPerBlock=*/1, Order::ChannelsLast,
                   /*isWinograd=*/false, /*isConvolution=*/true});
  if (descriptor.kind == OpKind::Convolution &&
      windowElements(descriptor, problem.weights) > 1)
    out.push_back({type, dstType, true, true, channels, /*channelsPerBlock=*/1,
                   Order::ChannelsFirst});
  if (mayBlock(avx2Block))
    out.push_back({type, dstType, true, true, channels, avx2Block});
  if (mayUseWinograd() && mayBlock(avx512Block))
    out.push_back({type, dstType, true, true, channels, avx512Block,
                   Order::Other, /*isWinograd=*/true});
}

/// All variants in the order of preference. Two-byte types get further variants
/// that pad a small channel count with zeros: with AMX oneDNN only has kernels
/// for pairs of channels or more.
std::vector<Variant> VariantChooser::variants() const {
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
          if (copiesDst >= mustCopy(problem.dst, dstType))
            out.push_back({type, dstType, true, copiesDst, padded});
  if (dstType != FUSION_RT_TYPE_F32)
    addVariants(type, FUSION_RT_TYPE_F32, out);
  if (isNarrow)
    addVariants(FUSION_RT_TYPE_F32, FUSION_RT_TYPE_F32, out);
  preferAsAsked(out);
  return out;
}

/// Moves the variants that FUSION_PLAN names to the front.
void VariantChooser::preferAsAsked(std::vector<Variant> &variants) const {
  auto isAskedFor = [&](const Variant &variant) {
    switch (environment().plan) {
    case PlanPreference::Copy:
      return variant.copiesSrc && variant.copiesDst;
    case PlanPreference::Pad:
      return variant.channels != problem.src.sizes[1];
    case PlanPreference::Widen:
      return variant.type != descriptor.kernelType();
    case PlanPreference::Blocks:
      return variant.channelsPerBlock > 1 && !variant.isWinograd &&
             !variant.padsWidth;
    case PlanPreference::Winograd:
      return variant.isWinograd;
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

//===----------------------------------------------------------------------===//
// Costs
//===----------------------------------------------------------------------===//

double VariantChooser::multiplications() const {
  if (!descriptor.hasWeights())
    return 0;
  double perElement =
      descriptor.kind == OpKind::Matmul
          ? problem.weights.sizes[1]
          : double(problem.weights.elements()) / problem.weights.sizes[0];
  // A transposed convolution uses each element of src so often.
  const View &walked =
      descriptor.kind == OpKind::Deconvolution ? problem.src : problem.dst;
  return walked.elements() * perElement;
}

/// The number of multiplications for each element of src and dst. A plan that
/// copies both copies these elements.
double VariantChooser::multiplicationsPerCopy() const {
  double copied = double(problem.src.elements()) + problem.dst.elements();
  return multiplications() / copied;
}

int64_t fusion::runtime::windowElements(const Descriptor &descriptor,
                                        const View &weights) {
  int64_t product = 1;
  if (descriptor.kind != OpKind::Matmul)
    for (int dim = 2; dim < weights.rank; ++dim)
      product *= weights.sizes[dim];
  return product;
}

/// Whether `src` and `dst` are small enough for copies of both, where a window
/// has one element. Measured over 132 shapes in channels first, with AVX2 and
/// AVX-512, one and two threads: the 60 under this condition take 0.83 to 0.91
/// of the time of the matrix multiplication (geometric means, at most 1.88, or
/// 50 us more), others are up to 3.7 times as slow.
bool VariantChooser::isSmall() const {
  constexpr int64_t mostElements = 400000, mostForChannel = 6400;
  if (descriptor.kind != OpKind::Convolution || descriptor.raw.groups > 1)
    return false;
  int64_t elements = problem.src.elements() + problem.dst.elements();
  int64_t channels = std::min(problem.src.sizes[1], problem.dst.sizes[1]);
  return elements <= std::min(mostElements, mostForChannel * channels);
}

/// Whether copying src and dst to channels-last and back costs less than the
/// loss of the matrix multiplication that runs without copies. For windows of
/// one element, measured, that takes about twice the time of a convolution
/// kernel. The copy of an element takes as long as some 60 multiplications, and
/// less while the caches hold it. With few channels per group it is worse
/// still. For larger windows it copies src itself, once for each element of the
/// window: with copies, 432 small shapes take 0.49 of the time with AVX2
/// (geometric mean, 0.16 to 1.55). Besides, the first of these multiplications
/// takes 20 to 70 ms to generate code.
bool VariantChooser::isWorthCopying() const {
  if (environment().plan == PlanPreference::Direct)
    return false;
  if (windowElements(descriptor, problem.weights) > 1)
    return true;
  if (descriptor.raw.groups > 1 && problem.weights.sizes[1] < 16)
    return true;
  return isSmall() || multiplicationsPerCopy() >= 60;
}

/// Whether a matrix multiplication can be a convolution with windows of one
/// element. That packs weights, which the matrix multiplication need not.
bool VariantChooser::mayConvolve() const {
  return descriptor.kind == OpKind::Matmul && descriptor.hasConstantWeights() &&
         problem.weights.sizes[2] == 1;
}

int64_t fusion::runtime::paddedWidth(const Descriptor &descriptor,
                                     const View &src) {
  int last = descriptor.raw.spatial_rank - 1;
  return src.sizes[last + 2] + descriptor.raw.pad_low[last] +
         descriptor.raw.pad_high[last];
}

/// Whether a copy of src can have the pads of the last dimension, which
/// oneDNN's kernels of convolutions take up to some elements only. Dilations
/// and windows of 9 and more make them longer. The copy of integers is without.
bool VariantChooser::mayPadWidth() const {
  int last = descriptor.raw.spatial_rank - 1;
  return descriptor.kind == OpKind::Convolution && !descriptor.isQuantized() &&
         paddedWidth(descriptor, problem.src) > problem.src.sizes[last + 2] &&
         problem.weights.sizes[last + 2] > 1;
}

/// Whether channels can be put into blocks.
bool VariantChooser::mayBlock(int64_t channelsPerBlock) const {
  return descriptor.kind == OpKind::Convolution && descriptor.raw.groups == 1 &&
         problem.src.sizes[1] % channelsPerBlock == 0 &&
         problem.dst.sizes[1] % channelsPerBlock == 0;
}

/// Whether Winograd's minimal filtering is allowed, and oneDNN has it for this
/// problem. Its kernels count elements in 32 bits.
bool VariantChooser::mayUseWinograd() const {
  if (!descriptor.allowsWinograd() || !descriptor.hasConstantWeights() ||
      problem.src.rank != 4 || problem.src.elements() > INT32_MAX ||
      problem.dst.elements() > INT32_MAX)
    return false;
  const fusion_rt_conv_desc &raw = descriptor.raw;
  for (int dim : {0, 1})
    if (problem.weights.sizes[dim + 2] != 3 || raw.strides[dim] != 1 ||
        raw.dilations[dim] != 1)
      return false;
  return true;
}

/// Whether a convolution kernel, if there is one that beats the matrix
/// multiplication of `best`, is to be taken. Measured over 32 shapes with AVX2,
/// it takes 0.75 of the time (geometric mean, 0.41 to 1.00).
bool VariantChooser::isWorthConvolving(const Plan &best) const {
  return environment().plan == PlanPreference::Any &&
         best.kernelClass == KernelClass::Gemm &&
         best.src.type == FUSION_RT_TYPE_F32 &&
         best.dst.type == FUSION_RT_TYPE_F32;
}

/// Whether a copy of src with the pads of the last dimension costs less than
/// it gains to have a kernel of convolutions for it, and no matrix
/// multiplication. Measured over 47 shapes with AVX2, copies included, it takes
/// 0.66 of the time (geometric mean, 0.24 to 1.13) that the multiplication
/// takes with channels first, and 0.07 over 35 depthwise ones, also with few
/// multiplications. With AVX-512 it takes 0.11 over 209 depthwise ones in f32
/// and bf16 (0.017 to 0.48).
bool VariantChooser::isWorthPadding(const Plan &best) const {
  double copied = paddedWidth(descriptor, problem.src);
  for (int dim = 0; dim < problem.src.rank - 1; ++dim)
    copied *= problem.src.sizes[dim];
  if (environment().plan != PlanPreference::Any)
    return false;
  if (isDepthwise(descriptor, problem.weights))
    return best.kernelClass < KernelClass::Direct;
  return best.kernelClass == KernelClass::SlowGemm &&
         (descriptor.raw.groups > 1 || multiplications() >= 30 * copied);
}

/// Whether copies to channels first and back cost less than they gain the
/// matrix multiplication, which brings windows to a matrix then by rows and not
/// by pixels. Measured over 84 shapes with AVX2, copies, bias and relu
/// included, it takes 0.66 of the time (geometric mean, 0.39 to 1.32); without
/// relu and with fewer multiplications up to 1.17.
bool VariantChooser::isWorthChannelsFirst(const Plan &best) const {
  PlanPreference plan = environment().plan;
  return (plan == PlanPreference::Any || plan == PlanPreference::Epilogue) &&
         best.kernelClass == KernelClass::SlowGemm &&
         (descriptor.raw.groups > 1 || multiplicationsPerCopy() >= 30);
}

/// Whether the kernel of `best`, with channels last, loses more than it takes
/// to copy src and dst to blocks of channels and back. Measured over 275 shapes
/// with AVX2, blocks take 0.54 to 1.2 times as long under this condition, and
/// up to 2.4 times otherwise: few channels or a single row fit the cache as
/// they are, and the copies soon exceed the computation. With the kernel for
/// SSE4.1 blocks gain sooner: 0.6 to 1.1, and 0.3 with AVX2 in one dimension.
bool VariantChooser::isWorthBlocking(const Plan &best) const {
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

/// Whether fewer multiplications gain more than it takes to copy src and dst to
/// blocks of channels and back, and to read filters of 1.8 or 4 times the size.
/// Measured over 480 shapes with AVX-512 and two threads, the 196 under this
/// condition take 0.64 of the time of `best` (geometric mean, 0.32 to 1.21),
/// and 0.79 if the caches hold none of their data.
bool VariantChooser::isWorthWinograd(const Plan &best) const {
  PlanPreference plan = environment().plan;
  if (plan == PlanPreference::Winograd)
    return true;
  if (plan != PlanPreference::Any && plan != PlanPreference::Epilogue)
    return false;
  if (best.src.type != FUSION_RT_TYPE_F32 ||
      best.dst.type != FUSION_RT_TYPE_F32)
    return false;
  const View &dst = problem.dst;
  return dst.sizes[2] * dst.sizes[3] >= 49 && multiplications() >= 20e6 &&
         multiplicationsPerCopy() >= 200;
}

/// Whether computing in f32, with conversions of src and dst, costs less than
/// emulated bf16. Measured, it loses with 9 / 2 multiplications for each
/// converted element (a depthwise convolution) and gains with 26. A matrix
/// multiplication gains, unless weights are converted in each call for a few
/// rows.
bool VariantChooser::isWorthWidening() const {
  constexpr int64_t fewRows = 8;
  if (descriptor.kind == OpKind::Matmul)
    return descriptor.hasConstantWeights() || problem.dst.sizes[2] >= fewRows;
  return environment().plan != PlanPreference::Direct &&
         multiplicationsPerCopy() >= 20;
}

/// Whether `variant` may be faster than `best`, the best one so far.
bool VariantChooser::mayBeat(const Plan &best, const Variant &variant) const {
  if (variant.isWinograd)
    return isWorthWinograd(best);
  if (variant.isConvolution)
    return isWorthConvolving(best);
  if (best.kernelClass < KernelClass::Emulated ||
      best.kernelClass == KernelClass::ScalarPostOps)
    return true;
  if (variant.order == Order::ChannelsFirst)
    return isWorthChannelsFirst(best);
  if (variant.padsWidth && !best.variant.padsWidth)
    return isWorthPadding(best);
  if (variant.channelsPerBlock > 1 && best.kernelClass >= KernelClass::SlowGemm)
    return isWorthBlocking(best);
  if (variant.type == best.src.type && variant.dstType == best.dst.type)
    return best.kernelClass == KernelClass::Gemm && isWorthCopying();
  return best.kernelClass == KernelClass::Emulated &&
         variant.type != best.src.type && isWorthWidening();
}

std::vector<Variant> fusion::runtime::listVariants(const Descriptor &descriptor,
                                                   const Problem &problem) {
  return VariantChooser(descriptor, problem).variants();
}

bool fusion::runtime::mayBeat(const Descriptor &descriptor,
                              const Problem &problem, const Plan &best,
                              const Variant &variant) {
  return VariantChooser(descriptor, problem).mayBeat(best, variant);
}
