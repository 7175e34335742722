//===- TiledPlan.h - A call as tiles of primitives --------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_ONEDNN_TILEDPLAN_H
#define FUSION_LIB_RUNTIME_ONEDNN_TILEDPLAN_H

#include "Backend.h"
#include "PackedWeights.h"
#include "Tiles.h"

#include <memory>
#include <vector>

namespace fusion {
namespace runtime {

/// The tiles of a call, and a plan for each kind of tile. A call that is not
/// shared between threads has one tile.
struct TiledPlan : BackendPlan {
  std::vector<Tile> tiles;
  std::vector<size_t> kinds; // by tile, in `plans`
  std::vector<std::unique_ptr<Plan>> plans;
  int threads = 1;
  double nanoseconds = 0; // on one thread, roughly

  const Plan &planOf(size_t tile) const { return *plans[kinds[tile]]; }
  bool packsWeightsOf(size_t tile) const {
    return !planOf(tile).usesWeightsAsGiven();
  }
  const char *kernelName() const override { return plans.front()->kernel; }
  bool isReference() const override {
    return plans.front()->kernelClass == KernelClass::Reference;
  }
  std::string steps() const override;
  bool packsWeights() const override;
  bool takes(const KeptWeights &weights) const override;
  std::shared_ptr<KeptWeights> keepWeights(const View &given,
                                           void *data) const override;
  std::unique_ptr<Execution>
  makeExecution(const Descriptor &descriptor,
                const Problem &problem) const override;

  /// How weights are packed: all together, or each range of output channels by
  /// itself, in layouts in which each tile finds its own.
  std::vector<PackRequest> packings;
  std::unique_ptr<Plan> ofWhole; // of a packing that no tile uses
};

/// The output channels that a tile computes.
ChannelRange channelsOf(const Tile &tile);

/// Finds the plan for a problem.
class TilePlanner {
public:
  TilePlanner(const Descriptor &descriptor, const Problem &problem, int threads,
              std::vector<PackedFormat> packed)
      : descriptor(descriptor), problem(problem), threads(threads),
        packed(std::move(packed)) {}

  /// Null if oneDNN has no kernel. Throws dnnl::error.
  std::unique_ptr<TiledPlan> run();

private:
  CutRules rulesFor(const Plan &whole) const;
  std::unique_ptr<TiledPlan> tryCuts(const Draft &whole,
                                     const CutRules &rules) const;
  std::unique_ptr<TiledPlan> tryCut(const Draft &whole, const Cut &cut,
                                    const CutRules &rules) const;
  bool draftKinds(const Draft &whole, TiledPlan &out,
                  std::vector<Draft> &drafts) const;
  bool planPacking(const Draft &whole, TiledPlan &out) const;
  ChannelRange allChannels() const { return {0, problem.dst.sizes[1]}; }
  std::unique_ptr<TiledPlan> makeWhole(const Draft &whole) const;
  Draft draftWhole(bool allowsWinograd) const;

  const Descriptor &descriptor;
  const Problem &problem;
  const int threads;
  const std::vector<PackedFormat> packed;
};

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_ONEDNN_TILEDPLAN_H
