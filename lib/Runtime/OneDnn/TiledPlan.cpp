//===- TiledPlan.cpp - A call as tiles of primitives ----------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TiledPlan.h"

#include "OneThread.h"
#include "Parallel.h"
#include "Support.h"
#include "Verbose.h"

#include <algorithm>

using namespace fusion::runtime;

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

ChannelRange fusion::runtime::channelsOf(const Tile &tile) {
  return {tile.channelBegin, tile.channelBegin + tile.problem.dst.sizes[1]};
}

/// Finds a plan for each kind of tile. The most frequent kinds choose the
/// layout of weights; others take the same one if they can.
bool TilePlanner::draftKinds(const Draft &whole, TiledPlan &out,
                             std::vector<Draft> &drafts) const {
  std::vector<size_t> counts = sortByKind(out.tiles, out.kinds);
  std::vector<size_t> order(counts.size());
  for (size_t kind = 0; kind < order.size(); ++kind)
    order[kind] = kind;
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::pair(counts[b], a) < std::pair(counts[a], b);
  });
  drafts.resize(counts.size());
  std::vector<PackedFormat> formats = packed;
  formats.push_back(
      {whole.plan.weights, whole.plan.weightsDesc, allChannels()});
  for (size_t kind : order) {
    size_t first = size_t(std::find(out.kinds.begin(), out.kinds.end(), kind) -
                          out.kinds.begin());
    const Tile &tile = out.tiles[first];
    Draft &draft = drafts[kind];
    draft = draftPlan(tile.descriptor, tile.problem, &whole.plan);
    if (!isAsGood(draft.plan, whole.plan))
      return false;
    if (!descriptor.hasWeights())
      continue;
    settleWeights(tile.descriptor, tile.problem, channelsOf(tile), formats,
                  draft);
    formats.push_back(
        {draft.plan.weights, draft.plan.weightsDesc, channelsOf(tile)});
  }
  return true;
}

/// Whether each tile finds its weights in one of `packings`.
static bool servesAll(const TiledPlan &plan,
                      const std::vector<PackRequest> &packings) {
  for (size_t i = 0; i < plan.tiles.size(); ++i) {
    auto serves = [&](const PackRequest &packing) {
      PackedFormat format{packing.plan->weights, packing.plan->weightsDesc,
                          packing.channels};
      return format.find(plan.planOf(i), channelsOf(plan.tiles[i])).has_value();
    };
    if (plan.packsWeightsOf(i) &&
        std::none_of(packings.begin(), packings.end(), serves))
      return false;
  }
  return true;
}

/// Decides how weights are packed. If each tile can use the packing of the
/// whole, it is that one, so that other sizes need no other packing. Else it is
/// one for each range of channels. Returns false if neither works.
bool TilePlanner::planPacking(const Draft &whole, TiledPlan &out) const {
  if (!out.packsWeights())
    return true;
  // A batch with a matrix of weights for each matrix cannot be packed in parts.
  for (const Tile &tile : out.tiles)
    if (descriptor.kind == OpKind::Matmul &&
        tile.problem.weights.sizes[2] != problem.weights.sizes[2])
      return false;
  if (!whole.plan.usesWeightsAsGiven()) {
    PackRequest all{&whole.plan, problem.weights, 0, allChannels()};
    if (servesAll(out, {all})) {
      out.ofWhole = std::make_unique<Plan>(whole.plan);
      createReorders(*out.ofWhole);
      all.plan = out.ofWhole.get();
      out.packings = {all};
      return true;
    }
  }
  for (size_t i = 0; i < out.tiles.size(); ++i) {
    const Tile &tile = out.tiles[i];
    ChannelRange channels = channelsOf(tile);
    auto isSame = [&](const PackRequest &packing) {
      return packing.channels == channels;
    };
    if (out.packsWeightsOf(i) &&
        std::none_of(out.packings.begin(), out.packings.end(), isSame))
      out.packings.push_back(
          {&out.planOf(i), tile.problem.weights,
           tile.weights * elementSize(tile.problem.weights.type), channels});
  }
  return servesAll(out, out.packings);
}

CutRules TilePlanner::rulesFor(const Plan &whole) const {
  CutRules rules{threads};
  rules.rowMultiple = whole.variant.isWinograd ? 4 : 1;
  rules.mayCutRows =
      mayCutRows(descriptor, problem, whole.copiesSrc, whole.copiesDst);
  return rules;
}

std::unique_ptr<TiledPlan> TilePlanner::tryCut(const Draft &whole,
                                               const Cut &cut,
                                               const CutRules &rules) const {
  auto out = std::make_unique<TiledPlan>();
  out->tiles = cutProblem(descriptor, problem, cut, rules);
  std::vector<Draft> drafts;
  if (out->tiles.size() <= 1 || !draftKinds(whole, *out, drafts))
    return nullptr;
  for (Draft &draft : drafts)
    out->plans.push_back(std::make_unique<Plan>(draft.plan));
  if (!planPacking(whole, *out))
    return nullptr;
  auto isPacked = [&](const Plan *plan) {
    return std::any_of(
        out->packings.begin(), out->packings.end(),
        [&](const PackRequest &packing) { return packing.plan == plan; });
  };
  // The code of each kind takes about a millisecond to generate.
  constexpr double nsOfCreating = 1e6;
  parallelTasks(int(drafts.size()), threads,
                double(drafts.size()) * nsOfCreating, [&](int kind, int) {
                  OneThreadScope oneThread;
                  Plan &plan = *out->plans[size_t(kind)];
                  createPrimitives(drafts[size_t(kind)].kernel, plan);
                  if (isPacked(&plan))
                    createReorders(plan);
                });
  return out;
}

/// Null if no cut has kernels for its parts that are as good as that of the
/// whole.
std::unique_ptr<TiledPlan> TilePlanner::tryCuts(const Draft &whole,
                                                const CutRules &rules) const {
  constexpr size_t tries = 6;
  std::vector<Cut> failed;
  for (const Cut &cut : listCuts(descriptor, problem, rules)) {
    auto isFiner = [&](const Cut &other) { return cut.isAsFineAs(other); };
    if (std::any_of(failed.begin(), failed.end(), isFiner))
      continue;
    if (auto out = tryCut(whole, cut, rules))
      return out;
    failed.push_back(cut);
    if (failed.size() == tries)
      break;
  }
  return nullptr;
}

std::unique_ptr<TiledPlan> TilePlanner::makeWhole(const Draft &whole) const {
  auto out = std::make_unique<TiledPlan>();
  out->tiles.emplace_back();
  out->tiles.front().descriptor = descriptor;
  out->tiles.front().problem = problem;
  out->kinds.push_back(0);
  out->plans.push_back(std::make_unique<Plan>(whole.plan));
  createPrimitives(whole.kernel, *out->plans.front());
  createReorders(*out->plans.front());
  if (out->packsWeights())
    out->packings.push_back(
        {out->plans.front().get(), problem.weights, 0, allChannels()});
  return out;
}

/// The best plan on one thread, with the layout of its weights.
Draft TilePlanner::draftWhole(bool allowsWinograd) const {
  Draft whole =
      draftPlan(descriptor, problem, /*whole=*/nullptr, allowsWinograd);
  if (whole.plan.kernelClass != KernelClass::None)
    settleWeights(descriptor, problem, allChannels(), packed, whole);
  return whole;
}

std::unique_ptr<TiledPlan> TilePlanner::run() {
  Draft whole = draftWhole(/*allowsWinograd=*/true);
  if (whole.plan.kernelClass == KernelClass::None)
    return nullptr;
  CutRules rules = rulesFor(whole.plan);
  std::unique_ptr<TiledPlan> out;
  try {
    out = tryCuts(whole, rules);
    if (!out)
      out = makeWhole(whole);
  } catch (const dnnl::error &) {
    // Winograd is only allowed. If it fails, the plan is made without it.
    if (!whole.plan.variant.isWinograd)
      throw;
    whole = draftWhole(/*allowsWinograd=*/false);
    if (whole.plan.kernelClass == KernelClass::None)
      throw;
    out = makeWhole(whole);
  }
  out->threads = threads;
  out->nanoseconds = estimateTime(descriptor, problem);
  return out;
}

//===----------------------------------------------------------------------===//
// Plans
//===----------------------------------------------------------------------===//

std::string TiledPlan::steps() const {
  std::string out = plans.front()->steps();
  if (tiles.size() > 1)
    out += ", " + std::to_string(tiles.size()) + " tiles of " +
           text(tiles.front().problem.dst);
  return out;
}

bool TiledPlan::packsWeights() const {
  return std::any_of(plans.begin(), plans.end(), [](const auto &plan) {
    return !plan->usesWeightsAsGiven();
  });
}

bool TiledPlan::takes(const KeptWeights &weights) const {
  auto &packed = static_cast<const PackedWeights &>(weights);
  for (size_t i = 0; i < tiles.size(); ++i)
    if (packsWeightsOf(i) &&
        !findPart(packed.parts, planOf(i), channelsOf(tiles[i])))
      return false;
  return true;
}

std::shared_ptr<KeptWeights> TiledPlan::keepWeights(const View &given,
                                                    void *data) const {
  return std::make_shared<PackedWeights>(given, data, packings, threads);
}
