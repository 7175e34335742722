//===- LoopNest.h - Every op as plain loops ---------------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_PORTABLE_LOOPNEST_H
#define FUSION_LIB_RUNTIME_PORTABLE_LOOPNEST_H

#include "Problem.h"

namespace fusion {
namespace runtime {

/// One spatial dimension. The defaults are those of a dimension that an op
/// lacks: one step.
struct Axis {
  int64_t srcSize = 1, dstSize = 1, kernel = 1;
  int64_t step = 1, dilation = 1, padLow = 0;
  bool isTransposed = false;
  // In elements.
  int64_t srcStride = 0, dstStride = 0, residualStride = 0, weightsStride = 0;

  /// The position in src that the kernel's element `k` reads for position `at`
  /// of dst; negative if it reads none.
  int64_t source(int64_t at, int64_t k) const;
  /// The range of kernel elements, first to end, outside of which none reads
  /// src.
  int64_t firstInRange(int64_t at) const;
  int64_t endInRange(int64_t at) const;
};

/// A convolution, transposed convolution, matrix multiplication or pool as one
/// loop nest: over images, groups, blocks of channels and positions of dst.
/// Each iteration sums up over the window and the input channels. The innermost
/// loop runs over output channels, which are contiguous in the weights whatever
/// the layouts of src and dst are.
class LoopNest {
public:
  /// `weights` is the result of `layWeights`, if there are weights.
  LoopNest(const Descriptor &descriptor, const Problem &problem,
           const View &weights);

  void run(const fusion_rt_conv_args &args, const void *weights) const;

private:
  struct Block;

  Block blockAt(int64_t index) const;
  template <typename Src>
  void runFloats(const fusion_rt_conv_args &args, const void *weights) const;
  template <typename Src>
  void runIntegers(const fusion_rt_conv_args &args, const void *weights) const;
  template <typename Src, typename Weight, typename Sum>
  void runBlocks(const fusion_rt_conv_args &args, const Weight *weights) const;
  template <typename Body>
  void forEachInWindow(const Block &block, Body body) const;
  template <typename Src, typename Weight, typename Sum>
  void convolve(const Block &block, const Src *src, const Weight *weights,
                Sum *sums) const;
  template <typename Src>
  void pool(const Block &block, const Src *src, float *sums) const;
  template <typename Sum>
  void finish(const Block &block, const fusion_rt_conv_args &args,
              const Sum *sums) const;

  const Descriptor &descriptor;
  const Problem &problem;
  Axis axes[FUSION_RT_MAX_SPATIAL_RANK];
  bool channelwise; // a pool or depthwise convolution
  int64_t images, groups;
  int64_t inputs, outputs; // channels of a group
  int64_t blocks;          // of the output channels of a group
  int64_t positions;       // of dst in one channel
  // In elements.
  int64_t inputStride = 0, imageStride = 0; // of the weights
};

/// The form of weights for `LoopNest`: as they are if they are f32 or s8 with
/// contiguous output channels, else a dense copy like that, of s8 or in f32.
View layWeights(const View &given);

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_PORTABLE_LOOPNEST_H
