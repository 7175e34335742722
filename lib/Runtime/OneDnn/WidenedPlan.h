//===- WidenedPlan.h - Integers by kernels for f32 --------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_ONEDNN_WIDENEDPLAN_H
#define FUSION_LIB_RUNTIME_ONEDNN_WIDENEDPLAN_H

#include "TiledPlan.h"

namespace fusion {
namespace runtime {

/// The sums of one kind of tile, over input channels that are as many in each
/// part but the last.
struct WidenedSums {
  /// A call that only sums up, in f32, with channels last.
  struct Part {
    Problem problem;
    Plan plan;
    dnnl::primitive_desc_base kernel;
  };
  Descriptor descriptor;
  std::vector<Part> parts; // one of the first size, then one of another

  const Part &part(bool isLast) const {
    return isLast ? parts.back() : parts.front();
  }
};

/// A call on integers by kernels for f32:
///
///   src minus its zero point, in f32 -> sums, by oneDNN
///     -> the formula of the quantization
///
/// No sum on the way passes 2^24, so that f32 holds each of them, whatever the
/// order. Longer sums are cut into parts of the input channels, which are added
/// up in s32. The result is that of plain loops, to the bit.
struct WidenedPlan : BackendPlan {
  std::vector<Tile> tiles;   // of images and rows; one if there is no cut
  std::vector<size_t> kinds; // by tile, in `sums`
  std::vector<std::unique_ptr<WidenedSums>> sums;
  WidenedSums whole;                 // decides how weights are packed
  std::vector<PackRequest> packings; // by part, each with all output channels
  int64_t channelsPerPart = 0;
  int threads = 1;
  double nanoseconds = 0; // on one thread, roughly

  const WidenedSums &sumsOf(size_t tile) const { return *sums[kinds[tile]]; }
  bool isLast(size_t part) const { return part + 1 == packings.size(); }

  const char *kernelName() const override {
    return whole.parts.front().plan.kernel;
  }
  std::string steps() const override;
  bool packsWeights() const override { return true; }
  bool takes(const KeptWeights &weights) const override;
  std::shared_ptr<KeptWeights> keepWeights(const View &given,
                                           void *data) const override;
  std::unique_ptr<Execution>
  makeExecution(const Descriptor &descriptor,
                const Problem &problem) const override;
};

/// A plan for src of s8 or u8, on at most `threads` threads. `packed` are
/// weights that are packed already. Null if one channel's sum may pass 2^24, or
/// one group's, or if oneDNN has a reference kernel only. Throws dnnl::error.
std::unique_ptr<BackendPlan>
makeWidenedPlan(const Descriptor &descriptor, const Problem &problem,
                int threads, const std::vector<PackedFormat> &packed);

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_ONEDNN_WIDENEDPLAN_H
