//===- WidenedExecution.cpp - Execution of integers in f32 ----------------===//
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
#include "Pointwise.h"
#include "WidenedPlan.h"

#include <algorithm>

using namespace fusion::runtime;

namespace {
class WidenedExecution : public Execution {
public:
  WidenedExecution(const Descriptor &descriptor, const WidenedPlan &plan);

  void run(Thread &thread, const fusion_rt_conv_args &args,
           const KeptWeights *kept) override;

private:
  void bindKept(const KeptWeights *kept);
  void packForCall(char *scratch, void *data);
  void bindWeights(const std::vector<PackedPart> &parts, char *block);
  void runTile(size_t tile, size_t number, char *scratch,
               const fusion_rt_conv_args &args);

  const WidenedPlan &plan;
  const bool hasScales;
  /// By tile, then as the parts of `WidenedSums`.
  std::vector<std::vector<PrimitiveExecution>> executions;
  std::vector<dnnl::stream> streams; // by thread
  std::vector<dnnl::memory> weights; // by part
  const KeptWeights *bound = nullptr;
  std::unique_ptr<WeightsPacker> packer; // unless weights are constant
  // Scratch memory of a thread, with the sums of a tile at its beginning.
  size_t sumsBytes = 0, totalsBytes = 0, bytesPerThread = 0;
};
} // namespace

WidenedExecution::WidenedExecution(const Descriptor &descriptor,
                                   const WidenedPlan &plan)
    : plan(plan), hasScales(descriptor.hasScales()) {
  size_t arenaBytes = 0;
  executions.resize(plan.tiles.size());
  for (size_t i = 0; i < plan.tiles.size(); ++i) {
    const WidenedSums &sums = plan.sumsOf(i);
    executions[i].reserve(sums.parts.size());
    for (const WidenedSums::Part &part : sums.parts) {
      executions[i].emplace_back(sums.descriptor, part.problem, part.plan);
      arenaBytes = std::max(arenaBytes, executions[i].back().scratchBytes());
    }
    sumsBytes =
        std::max(sumsBytes, size_t(sums.parts.front().problem.dst.extent()));
  }
  sumsBytes = roundUp(sumsBytes, blockAlignment);
  totalsBytes = plan.packings.size() > 1 ? sumsBytes : 0;
  bytesPerThread =
      sumsBytes + totalsBytes + roundUp(arenaBytes, blockAlignment);
  size_t threads = plan.tiles.size() == 1 ? 1 : size_t(plan.threads);
  for (size_t i = 0; i < threads; ++i)
    streams.emplace_back(cpuEngine());
  if (!descriptor.hasConstantWeights())
    packer = std::make_unique<WeightsPacker>(plan.packings);
}

//===----------------------------------------------------------------------===//
// Weights
//===----------------------------------------------------------------------===//

void WidenedExecution::bindWeights(const std::vector<PackedPart> &parts,
                                   char *block) {
  weights.clear();
  for (const PackedPart &part : parts)
    weights.emplace_back(part.format.desc, cpuEngine(), block + part.at);
}

/// Looks up constant weights if they differ from those of the last call.
void WidenedExecution::bindKept(const KeptWeights *kept) {
  if (kept == bound)
    return;
  bindWeights(static_cast<const PackedWeights *>(kept)->parts,
              kept->block.data());
  bound = kept;
}

void WidenedExecution::packForCall(char *scratch, void *data) {
  bindWeights(packer->parts(), scratch);
  packer->pack(data, scratch, scratch + packer->packedBytes(), plan.threads);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

/// Adds integers that are in f32, and wraps as the formula does.
static void addSums(const float *sums, int64_t count, uint32_t *totals) {
  for (int64_t i = 0; i < count; ++i)
    totals[i] += static_cast<uint32_t>(static_cast<int32_t>(sums[i]));
}

void WidenedExecution::runTile(size_t index, size_t number, char *scratch,
                               const fusion_rt_conv_args &args) {
  OneThreadScope oneThread;
  const Tile &tile = plan.tiles[index];
  fusion_rt_quantized_args own{};
  own.operands = tile.args(args);
  if (hasScales)
    own.scales = scalesOf(args);
  const View &src = tile.problem.src;
  const int64_t count = tile.problem.dst.elements();
  auto *sums = reinterpret_cast<float *>(scratch);
  auto *totals = reinterpret_cast<uint32_t *>(scratch + sumsBytes);
  fusion_rt_conv_args part = own.operands;
  part.dst.data = sums;
  if (totalsBytes)
    std::fill_n(totals, count, 0);
  for (size_t i = 0; i < weights.size(); ++i) {
    auto &parts = executions[index];
    (plan.isLast(i) ? parts.back() : parts.front())
        .run(scratch + sumsBytes + totalsBytes, streams[number], part,
             weights[i].get());
    if (totalsBytes)
      addSums(sums, count, totals);
    part.src.data = static_cast<char *>(part.src.data) +
                    plan.channelsPerPart * src.strides[1];
  }
  if (totalsBytes)
    finishSums(tile.descriptor, tile.problem, own.operands, totals);
  else
    finishSums(tile.descriptor, tile.problem, own.operands, sums);
}

void WidenedExecution::run(Thread &thread, const fusion_rt_conv_args &args,
                           const KeptWeights *kept) {
  size_t packedBytes =
      packer ? packer->packedBytes() + packer->scratchBytes() : 0;
  char *scratch = thread.reserve(packedBytes + bytesPerThread * streams.size());
  if (packer)
    packForCall(scratch, args.weights.data);
  else
    bindKept(kept);
  scratch += packedBytes;
  if (plan.tiles.size() == 1)
    return runTile(0, 0, scratch, args);
  parallelTasks(int(plan.tiles.size()), plan.threads, plan.nanoseconds,
                [&](int tile, int number) {
                  runTile(size_t(tile), size_t(number),
                          scratch + size_t(number) * bytesPerThread, args);
                });
}

std::unique_ptr<Execution>
WidenedPlan::makeExecution(const Descriptor &descriptor,
                           const Problem &) const {
  return std::make_unique<WidenedExecution>(descriptor, *this);
}
