//===- WidenedPlan.cpp - Integers by kernels for f32 ----------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "WidenedPlan.h"

#include "Parallel.h"
#include "Variants.h"
#include "Verbose.h"

#include <algorithm>
#include <cstdlib>

using namespace fusion::runtime;

//===----------------------------------------------------------------------===//
// Parts of sums
//===----------------------------------------------------------------------===//

/// The number of input channels whose products, in any order, have no sum
/// beyond 2^24: f32 holds each integer up to there.
static int64_t mostChannels(const Descriptor &descriptor,
                            const Problem &problem) {
  constexpr int64_t largestExact = 1 << 24, largestWeight = 128;
  const int64_t zero = descriptor.quantization.src_zero_point;
  const int64_t low = problem.src.type == FUSION_RT_TYPE_S8 ? -128 : 0;
  const int64_t largest = std::max(std::abs(low - zero), low + 255 - zero);
  return largestExact / (largestWeight * largest) /
         windowElements(descriptor, problem.weights);
}

/// Cuts `channels` into equal parts, but for the last, of at most `most`
/// channels: of multiples of 8 if possible, which fill vectors.
static int64_t choosePart(int64_t channels, int64_t most) {
  constexpr int64_t vector = 8;
  auto divideUp = [](int64_t a, int64_t b) { return (a + b - 1) / b; };
  if (channels <= most || most < vector)
    return std::min(channels, most);
  int64_t parts = divideUp(channels, most / vector * vector);
  return divideUp(divideUp(channels, parts), vector) * vector;
}

/// The call that only sums up.
static Descriptor describeSums(const Descriptor &descriptor) {
  Descriptor sums = descriptor;
  sums.raw.flags &= FUSION_RT_CONSTANT_WEIGHTS;
  sums.raw.activation = FUSION_RT_ACT_NONE;
  sums.raw.dst_type = FUSION_RT_TYPE_F32;
  sums.quantization = {};
  sums.quantization.src_zero_point = descriptor.quantization.src_zero_point;
  return sums;
}

/// The call for `channels` input channels of each group.
static Problem shapeSums(const Problem &problem, int64_t channels) {
  Problem sums;
  sums.src = problem.src;
  sums.weights = problem.weights;
  sums.dst = makeDense(problem.dst, FUSION_RT_TYPE_F32, Order::ChannelsLast);
  if (channels != problem.weights.sizes[1])
    sums.src.sizes[1] = sums.weights.sizes[1] = channels;
  return sums;
}

static ChannelRange allChannels(const Problem &problem) {
  return {0, problem.dst.sizes[1]};
}

/// Finds the kernels for the sums of a tile. For a part of another problem,
/// `like` are the sums of that one, and the kernels take the same weights.
/// False if there are none.
static bool plan(const Descriptor &descriptor, const Problem &problem,
                 int64_t channelsPerPart, const WidenedSums *like,
                 std::vector<PackedFormat> packed, WidenedSums &out) {
  out.descriptor = describeSums(descriptor);
  const int64_t last = problem.weights.sizes[1] % channelsPerPart;
  for (int64_t channels : {channelsPerPart, last}) {
    if (channels == 0)
      continue;
    const Plan *likePlan =
        like ? &like->part(/*isLast=*/channels == last).plan : nullptr;
    WidenedSums::Part part{shapeSums(problem, channels), {}, {}};
    Draft draft = draftPlan(out.descriptor, part.problem, likePlan);
    if (draft.plan.kernelClass <= KernelClass::Reference)
      return false;
    if (likePlan) {
      if (!isAsGood(draft.plan, *likePlan))
        return false;
      packed = {
          {likePlan->weights, likePlan->weightsDesc, allChannels(problem)}};
    }
    settleWeights(out.descriptor, part.problem, allChannels(problem), packed,
                  draft);
    if (likePlan && draft.plan.weightsDesc != likePlan->weightsDesc)
      return false;
    part.plan = draft.plan;
    part.kernel = draft.kernel;
    out.parts.push_back(part);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

/// Cuts the call. False if one of its tiles has no kernel as good as the whole.
static bool makeTiles(const Descriptor &descriptor, const Problem &problem,
                      const Cut &cut, const CutRules &rules, WidenedPlan &out) {
  out.tiles = cutProblem(descriptor, problem, cut, rules);
  out.kinds.clear();
  out.sums.clear();
  std::vector<size_t> counts = sortByKind(out.tiles, out.kinds);
  for (size_t kind = 0; kind < counts.size(); ++kind) {
    const Tile &tile =
        out.tiles[size_t(std::find(out.kinds.begin(), out.kinds.end(), kind) -
                         out.kinds.begin())];
    out.sums.push_back(std::make_unique<WidenedSums>());
    if (!plan(tile.descriptor, tile.problem, out.channelsPerPart, &out.whole,
              {}, *out.sums.back()))
      return false;
  }
  return out.tiles.size() > 1;
}

static void cut(const Descriptor &descriptor, const Problem &problem,
                WidenedPlan &out) {
  Problem widened = problem; // in the time of kernels for f32
  widened.src.type = FUSION_RT_TYPE_F32;
  out.nanoseconds = estimateTime(descriptor, widened);
  CutRules rules{out.threads};
  rules.channelMultiple = problem.dst.sizes[1]; // not cut
  for (const Cut &cut : listCuts(descriptor, widened, rules))
    if (cut.channels == 1 && makeTiles(descriptor, problem, cut, rules, out))
      return;
  Tile all;
  all.descriptor = descriptor;
  all.problem = problem;
  out.tiles = {all};
  out.kinds = {0};
  out.sums.clear();
  out.sums.push_back(std::make_unique<WidenedSums>(out.whole));
}

static void addPackings(const Problem &problem, WidenedPlan &out) {
  for (WidenedSums::Part &part : out.whole.parts)
    createReorders(part.plan);
  const int64_t channels = problem.weights.sizes[1];
  for (int64_t begin = 0; begin < channels; begin += out.channelsPerPart) {
    bool isLast = begin + out.channelsPerPart >= channels;
    const WidenedSums::Part &part = out.whole.part(isLast);
    out.packings.push_back({&part.plan, part.problem.weights,
                            begin * problem.weights.strides[1],
                            allChannels(problem)});
  }
}

std::unique_ptr<BackendPlan>
fusion::runtime::makeWidenedPlan(const Descriptor &descriptor,
                                 const Problem &problem, int threads,
                                 const std::vector<PackedFormat> &packed) {
  const int64_t channels = problem.weights.sizes[1];
  const int64_t most = mostChannels(descriptor, problem);
  if (most < 1 || (channels > most && descriptor.raw.groups > 1))
    return nullptr;
  auto out = std::make_unique<WidenedPlan>();
  out->channelsPerPart = choosePart(channels, most);
  if (!plan(descriptor, problem, out->channelsPerPart, /*like=*/nullptr, packed,
            out->whole))
    return nullptr;
  out->threads = threads;
  cut(descriptor, problem, *out);
  for (auto &sums : out->sums)
    for (WidenedSums::Part &part : sums->parts)
      createPrimitives(part.kernel, part.plan);
  addPackings(problem, *out);
  return out;
}

std::string WidenedPlan::steps() const {
  std::string out = ", integers in f32" + whole.parts.front().plan.steps();
  if (packings.size() > 1)
    out += ", in " + std::to_string(packings.size()) +
           " parts of the input channels";
  out += ", formula behind the sums in loops";
  if (tiles.size() > 1)
    out += ", " + std::to_string(tiles.size()) + " tiles of " +
           text(tiles.front().problem.dst);
  return out;
}

bool WidenedPlan::takes(const KeptWeights &weights) const {
  const auto *packed = dynamic_cast<const PackedWeights *>(&weights);
  if (!packed || packed->parts.size() != packings.size())
    return false;
  for (size_t i = 0; i < packings.size(); ++i)
    if (!packed->parts[i].format.find(*packings[i].plan, packings[i].channels))
      return false;
  return true;
}

std::shared_ptr<KeptWeights> WidenedPlan::keepWeights(const View &given,
                                                      void *data) const {
  return std::make_shared<PackedWeights>(given, data, packings, threads);
}
