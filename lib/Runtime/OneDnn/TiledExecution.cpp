//===- TiledExecution.cpp - Execution of tiles on several threads ---------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Context.h"
#include "Execution.h"
#include "OneThread.h"
#include "Parallel.h"
#include "TiledPlan.h"

#include <algorithm>

using namespace fusion::runtime;

namespace {
class TiledExecution : public Execution {
public:
  TiledExecution(const Descriptor &descriptor, const TiledPlan &plan);

  void run(Thread &thread, const fusion_rt_conv_args &args,
           const KeptWeights *weights) override;

private:
  void findPacked(const KeptWeights *weights);
  void packForCall(char *scratch, void *data);
  void runTile(size_t tile, char *scratch, size_t number,
               const fusion_rt_conv_args &args);

  const TiledPlan &plan;
  std::vector<PrimitiveExecution> executions; // by tile
  std::vector<dnnl::stream> streams;          // by thread
  size_t bytesPerThread = 0;
  std::vector<dnnl::memory> packed; // weights by tile; empty: as given
  const KeptWeights *packedOf = nullptr;
  std::unique_ptr<WeightsPacker> packer; // unless weights are constant
  char *packedAt = nullptr;
};
} // namespace

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

TiledExecution::TiledExecution(const Descriptor &descriptor,
                               const TiledPlan &plan)
    : plan(plan), packed(plan.tiles.size()) {
  executions.reserve(plan.tiles.size());
  for (size_t i = 0; i < plan.tiles.size(); ++i) {
    const Tile &tile = plan.tiles[i];
    executions.emplace_back(tile.descriptor, tile.problem, plan.planOf(i));
    bytesPerThread = std::max(bytesPerThread, executions[i].scratchBytes());
  }
  bytesPerThread = roundUp(bytesPerThread, blockAlignment);
  size_t threads = executions.size() == 1 ? 1 : size_t(plan.threads);
  for (size_t i = 0; i < threads; ++i)
    streams.emplace_back(cpuEngine());
  if (!plan.packsWeights() || descriptor.hasConstantWeights())
    return;
  packer = std::make_unique<WeightsPacker>(plan.packings);
}

/// Looks up constant weights if they differ from those of the last call.
void TiledExecution::findPacked(const KeptWeights *weights) {
  if (!weights || weights == packedOf)
    return;
  for (size_t i = 0; i < packed.size(); ++i)
    if (plan.packsWeightsOf(i))
      packed[i] = *static_cast<const PackedWeights *>(weights)->find(
          plan.planOf(i), channelsOf(plan.tiles[i]));
  packedOf = weights;
}

/// Packs weights that are not constant, for all tiles.
void TiledExecution::packForCall(char *scratch, void *data) {
  if (scratch != packedAt)
    for (size_t i = 0; i < packed.size(); ++i)
      if (plan.packsWeightsOf(i)) {
        const Plan &tile = plan.planOf(i);
        size_t at = *findPart(packer->parts(), tile, channelsOf(plan.tiles[i]));
        packed[i] = dnnl::memory(tile.weightsDesc, cpuEngine(), scratch + at);
      }
  packedAt = scratch;
  packer->pack(data, scratch, scratch + packer->packedBytes(), plan.threads);
}

void TiledExecution::runTile(size_t tile, char *scratch, size_t number,
                             const fusion_rt_conv_args &args) {
  OneThreadScope oneThread;
  executions[tile].run(scratch + number * bytesPerThread, streams[number], args,
                       packed[tile].get(true));
}

void TiledExecution::run(Thread &thread, const fusion_rt_conv_args &args,
                         const KeptWeights *weights) {
  findPacked(weights);
  size_t packedBytes =
      packer ? packer->packedBytes() + packer->scratchBytes() : 0;
  char *scratch = thread.reserve(packedBytes + bytesPerThread * streams.size());
  if (packer)
    packForCall(scratch, args.weights.data);
  scratch += packedBytes;
  if (executions.size() == 1)
    return runTile(0, scratch, 0, args);
  parallelTasks(int(executions.size()), plan.threads, plan.nanoseconds,
                [&](int tile, int number) {
                  runTile(size_t(tile), scratch, size_t(number),
                          plan.tiles[size_t(tile)].args(args));
                });
}

std::unique_ptr<Execution>
TiledPlan::makeExecution(const Descriptor &descriptor, const Problem &) const {
  return std::make_unique<TiledExecution>(descriptor, *this);
}
