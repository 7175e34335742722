//===- LoopNest.cpp - Every op as plain loops -----------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "LoopNest.h"

#include "Convert.h"
#include "Parallel.h"
#include "Pointwise.h"

#include <algorithm>
#include <limits>
#include <type_traits>

using namespace fusion::runtime;

/// Number of output channels that are summed up at once, on the stack.
static constexpr int64_t blockChannels = 64;
/// Number of multiplications for which waking up another thread pays.
static constexpr double grainMultiplications = 32768;

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

View fusion::runtime::layWeights(const View &given) {
  fusion_rt_type type =
      given.type == FUSION_RT_TYPE_S8 ? given.type : FUSION_RT_TYPE_F32;
  if (given.type == type && given.strides[0] == 1)
    return given;
  View view = given;
  view.type = type;
  view.strides[0] = 1;
  view.strides[1] = view.sizes[0];
  int64_t stride = view.sizes[0] * view.sizes[1];
  for (int dim = view.rank - 1; dim >= 2; --dim) {
    view.strides[dim] = stride;
    stride *= view.sizes[dim];
  }
  return view;
}

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

int64_t Axis::source(int64_t at, int64_t k) const {
  if (!isTransposed) {
    int64_t position = at * step + k * dilation - padLow;
    return position < srcSize ? position : -1;
  }
  int64_t reach = at + padLow - k * dilation;
  if (reach < 0 || reach % step != 0 || reach / step >= srcSize)
    return -1;
  return reach / step;
}

int64_t Axis::firstInRange(int64_t at) const {
  int64_t begin = at * step - padLow;
  return isTransposed || begin >= 0 ? 0 : ceilDiv(-begin, dilation);
}

int64_t Axis::endInRange(int64_t at) const {
  if (isTransposed)
    return std::min(kernel, (at + padLow) / dilation + 1);
  int64_t room = srcSize - (at * step - padLow);
  return room <= 0 ? 0 : std::min(kernel, ceilDiv(room, dilation));
}

/// Whether each channel of dst has its own channel of src. Then a group has one
/// channel, and all channels are treated as one group instead.
static bool isChannelwise(const Descriptor &descriptor,
                          const Problem &problem) {
  int64_t groups = descriptor.raw.groups;
  return !descriptor.hasWeights() ||
         (groups > 1 && problem.weights.sizes[0] == groups &&
          problem.weights.sizes[1] == 1);
}

LoopNest::LoopNest(const Descriptor &descriptor, const Problem &problem,
                   const View &weights)
    : descriptor(descriptor), problem(problem),
      channelwise(isChannelwise(descriptor, problem)),
      images(problem.dst.sizes[0]),
      groups(channelwise ? 1 : descriptor.raw.groups), inputs(1),
      outputs(problem.dst.sizes[1] / groups),
      blocks(ceilDiv(outputs, blockChannels)), positions(1) {
  bool isMatmul = descriptor.kind == OpKind::Matmul;
  bool hasWeights = descriptor.hasWeights();
  for (int spatial = 0; spatial < descriptor.raw.spatial_rank; ++spatial) {
    Axis &axis = axes[spatial];
    int dim = spatial + 2;
    axis.srcSize = problem.src.sizes[dim];
    axis.dstSize = problem.dst.sizes[dim];
    axis.step = descriptor.raw.strides[spatial];
    axis.dilation = descriptor.raw.dilations[spatial];
    axis.padLow = descriptor.raw.pad_low[spatial];
    axis.isTransposed = descriptor.kind == OpKind::Deconvolution;
    axis.srcStride = problem.src.strides[dim];
    axis.dstStride = problem.dst.strides[dim];
    axis.residualStride = problem.residual.strides[dim];
    positions *= axis.dstSize;
    if (isMatmul)
      continue; // the third dimension of the weights is the batch
    axis.kernel = hasWeights ? weights.sizes[dim] : descriptor.kernel[spatial];
    axis.weightsStride = hasWeights ? weights.strides[dim] : 0;
  }
  if (!hasWeights)
    return;
  inputs = weights.sizes[1];
  inputStride = weights.strides[1];
  if (isMatmul && weights.sizes[2] > 1)
    imageStride = weights.strides[2];
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// Some channels of dst at one position.
struct LoopNest::Block {
  int64_t image, group;
  int64_t first, count; // channels of the group
  int64_t at[FUSION_RT_MAX_SPATIAL_RANK];
};

/// Positions are the innermost loop, so that the weights of a block stay in the
/// cache.
LoopNest::Block LoopNest::blockAt(int64_t index) const {
  Block block;
  for (int axis = FUSION_RT_MAX_SPATIAL_RANK - 1; axis >= 0; --axis) {
    block.at[axis] = index % axes[axis].dstSize;
    index /= axes[axis].dstSize;
  }
  block.first = index % blocks * blockChannels;
  block.count = std::min(blockChannels, outputs - block.first);
  index /= blocks;
  block.group = index % groups;
  block.image = index / groups;
  return block;
}

/// Calls body(offset in src, offset in weights) for each element of the window
/// that is in src.
template <typename Body>
void LoopNest::forEachInWindow(const Block &block, Body body) const {
  const int64_t *at = block.at;
  const Axis &d = axes[0], &h = axes[1], &w = axes[2];
  auto forEachOf = [](const Axis &axis, int64_t position, auto inner) {
    int64_t end = axis.endInRange(position);
    for (int64_t k = axis.firstInRange(position); k < end; ++k)
      if (int64_t source = axis.source(position, k); source >= 0)
        inner(source * axis.srcStride, k * axis.weightsStride);
  };
  forEachOf(d, at[0], [&](int64_t srcD, int64_t weightsD) {
    forEachOf(h, at[1], [&](int64_t srcH, int64_t weightsH) {
      forEachOf(w, at[2], [&](int64_t srcW, int64_t weightsW) {
        body(srcD + srcH + srcW, weightsD + weightsH + weightsW);
      });
    });
  });
}

/// An element as a summand: as f32, or as an integer that wraps.
template <typename Sum, typename Element> static Sum widen(Element value) {
  if constexpr (std::is_same_v<Sum, float>)
    return float(value);
  else
    return static_cast<Sum>(static_cast<int32_t>(value));
}

/// Sets `sums` to the sums of products, without bias, residual and activation.
template <typename Src, typename Weight, typename Sum>
void LoopNest::convolve(const Block &block, const Src *src,
                        const Weight *weights, Sum *sums) const {
  auto load = [&](int64_t offset) {
    Sum value = widen<Sum>(src[offset]);
    if constexpr (!std::is_same_v<Sum, float>)
      value -= widen<Sum>(descriptor.quantization.src_zero_point);
    return value;
  };
  const int64_t srcStride = problem.src.strides[1];
  src += block.image * problem.src.strides[0];
  src += (channelwise ? block.first : block.group * inputs) * srcStride;
  weights += block.image * imageStride + block.group * outputs + block.first;
  std::fill_n(sums, block.count, Sum(0));
  if (channelwise) {
    forEachInWindow(block, [&](int64_t srcOffset, int64_t weightsOffset) {
      for (int64_t i = 0; i < block.count; ++i)
        sums[i] += load(srcOffset + i * srcStride) *
                   widen<Sum>(weights[weightsOffset + i]);
    });
    return;
  }
  forEachInWindow(block, [&](int64_t srcOffset, int64_t weightsOffset) {
    for (int64_t input = 0; input < inputs; ++input) {
      Sum value = load(srcOffset + input * srcStride);
      const Weight *row = weights + weightsOffset + input * inputStride;
      for (int64_t i = 0; i < block.count; ++i)
        sums[i] += value * widen<Sum>(row[i]);
    }
  });
}

/// Sets `sums` to the sums or maxima. A NaN is the maximum of its window.
template <typename Src>
void LoopNest::pool(const Block &block, const Src *src, float *sums) const {
  const int64_t srcStride = problem.src.strides[1];
  bool isMax = descriptor.pooling == FUSION_RT_POOL_MAX;
  src += block.image * problem.src.strides[0] + block.first * srcStride;
  std::fill_n(sums, block.count,
              isMax ? -std::numeric_limits<float>::infinity() : 0.0f);
  forEachInWindow(block, [&](int64_t srcOffset, int64_t) {
    for (int64_t i = 0; i < block.count; ++i) {
      float value = float(src[srcOffset + i * srcStride]);
      if (!isMax)
        sums[i] += value;
      else if (value > sums[i] || value != value)
        sums[i] = value;
    }
  });
}

template <typename Sum>
void LoopNest::finish(const Block &block, const fusion_rt_conv_args &args,
                      const Sum *sums) const {
  const int64_t *dst = problem.dst.strides;
  const int64_t *residual = problem.residual.strides;
  Place place;
  place.channel = block.group * outputs + block.first;
  place.dst = block.image * dst[0] + place.channel * dst[1];
  place.residual = block.image * residual[0] + place.channel * residual[1];
  for (int axis = 0; axis < FUSION_RT_MAX_SPATIAL_RANK; ++axis) {
    place.dst += block.at[axis] * axes[axis].dstStride;
    place.residual += block.at[axis] * axes[axis].residualStride;
  }
  if constexpr (!std::is_same_v<Sum, float>)
    return finishChannels(descriptor, problem, args, place, sums, block.count);
  for (int64_t i = 0; i < block.count; ++i) {
    finishElement(descriptor, problem, args, place, sums[i]);
    ++place.channel;
    place.dst += dst[1];
    place.residual += residual[1];
  }
}

template <typename Src, typename Weight, typename Sum>
void LoopNest::runBlocks(const fusion_rt_conv_args &args,
                         const Weight *weights) const {
  const Src *src = static_cast<const Src *>(args.src.data);
  // In floating point: a window may have more elements than an integer can
  // count.
  double perBlock = double(inputs) * std::min(blockChannels, outputs);
  for (const Axis &axis : axes)
    perBlock *= double(std::min(axis.kernel, axis.srcSize));
  auto grain = static_cast<int64_t>(1 + grainMultiplications / perBlock);
  parallelFor(images * groups * blocks * positions, grain,
              [&](int64_t begin, int64_t end) {
                Sum sums[blockChannels];
                for (int64_t index = begin; index < end; ++index) {
                  Block block = blockAt(index);
                  if constexpr (std::is_void_v<Weight>)
                    pool(block, src, sums);
                  else
                    convolve(block, src, weights, sums);
                  finish(block, args, sums);
                }
              });
}

template <typename Src>
void LoopNest::runFloats(const fusion_rt_conv_args &args,
                         const void *weights) const {
  if (descriptor.hasWeights())
    runBlocks<Src, float, float>(args, static_cast<const float *>(weights));
  else
    runBlocks<Src, void, float>(args, nullptr);
}

/// A maximum of integers is exact in f32.
template <typename Src>
void LoopNest::runIntegers(const fusion_rt_conv_args &args,
                           const void *weights) const {
  if (descriptor.hasWeights())
    runBlocks<Src, int8_t, uint32_t>(args,
                                     static_cast<const int8_t *>(weights));
  else
    runBlocks<Src, void, float>(args, nullptr);
}

void LoopNest::run(const fusion_rt_conv_args &args, const void *weights) const {
  switch (problem.src.type) {
  case FUSION_RT_TYPE_F32:
    return runFloats<float>(args, weights);
  case FUSION_RT_TYPE_BF16:
    return runFloats<BFloat16>(args, weights);
  case FUSION_RT_TYPE_F16:
    return runFloats<Float16>(args, weights);
  case FUSION_RT_TYPE_S8:
    return runIntegers<int8_t>(args, weights);
  case FUSION_RT_TYPE_U8:
    return runIntegers<uint8_t>(args, weights);
  case FUSION_RT_TYPE_S32:
  case FUSION_RT_TYPE_NONE:
    return;
  }
}
