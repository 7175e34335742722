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
/// Weights that change from call to call, packed before tiles take them.
class CallWeights {
public:
  explicit CallWeights(const TiledPlan &plan);

  /// Bytes of scratch memory that `pack` takes.
  size_t scratchBytes() const { return bytes; }
  /// Packs the weights at `data`.
  void pack(char *scratch, void *data, const TiledPlan &plan);
  /// Where `pack` puts what `plan` takes of these channels.
  size_t find(const Plan &plan, ChannelRange channels) const;

private:
  struct Part {
    PackRequest request; // with an offset for the address, in bytes
    WeightsPacker packer;
    size_t packedAt, scratchAt;
  };
  std::vector<Part> parts;
  size_t bytes = 0;
};

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
  std::unique_ptr<CallWeights> callWeights; // unless they are constant
  char *callWeightsAt = nullptr;
};
} // namespace

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

CallWeights::CallWeights(const TiledPlan &plan) {
  for (const PackRequest &request : plan.packRequests(/*data=*/nullptr)) {
    Part part{request, WeightsPacker(*request.plan), bytes, 0};
    bytes += roundUp(part.packer.packedBytes(), blockAlignment);
    part.scratchAt = bytes;
    bytes += roundUp(part.packer.scratchBytes(), blockAlignment);
    parts.push_back(std::move(part));
  }
}

void CallWeights::pack(char *scratch, void *data, const TiledPlan &plan) {
  count(counters.weightPacks);
  auto packPart = [&](int index, int) {
    OneThreadScope oneThread;
    Part &part = parts[size_t(index)];
    auto offset = reinterpret_cast<intptr_t>(part.request.data);
    part.packer.pack(*part.request.plan, part.request.given,
                     static_cast<char *>(data) + offset,
                     scratch + part.packedAt, scratch + part.scratchAt,
                     dnnl::stream(cpuEngine()));
  };
  parallelTasks(int(parts.size()), plan.threads, plan.nanoseconds, packPart);
}

size_t CallWeights::find(const Plan &plan, ChannelRange channels) const {
  for (const Part &part : parts)
    if (auto offset = part.request.format().find(plan, channels))
      return part.packedAt + *offset;
  return 0;
}

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
  callWeights = std::make_unique<CallWeights>(plan);
}

/// Looks up constant weights where they are others than in the last call.
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
  if (scratch != callWeightsAt)
    for (size_t i = 0; i < packed.size(); ++i)
      if (plan.packsWeightsOf(i))
        packed[i] = dnnl::memory(
            plan.planOf(i).weightsDesc, cpuEngine(),
            scratch +
                callWeights->find(plan.planOf(i), channelsOf(plan.tiles[i])));
  callWeightsAt = scratch;
  callWeights->pack(scratch, data, plan);
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
  size_t packedBytes = callWeights ? callWeights->scratchBytes() : 0;
  char *scratch = thread.reserve(packedBytes + bytesPerThread * streams.size());
  if (callWeights)
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
