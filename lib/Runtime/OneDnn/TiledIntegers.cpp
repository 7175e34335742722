//===- TiledIntegers.cpp - A call on integers as tiles --------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TiledIntegers.h"

#include "Fork.h"
#include "IntegerPlan.h"
#include "Kernels.h"
#include "OneThread.h"
#include "Parallel.h"
#include "Portable/LoopsPlan.h"
#include "Tiles.h"
#include "Verbose.h"
#include "WidenedPlan.h"

#include <algorithm>
#include <atomic>
#include <mutex>

using namespace fusion::runtime;

namespace {
/// Tiles of rows or images, which all read the same weights, and a plan for
/// each kind of tile. Without tiles the call is made as a whole.
struct TiledIntegers : BackendPlan {
  TiledIntegers(const Descriptor &descriptor, const Problem &problem)
      : whole(descriptor, problem) {}

  void cut(const Descriptor &descriptor, const Problem &problem,
           int mostThreads);
  bool makeTiles(const Descriptor &descriptor, const Problem &problem,
                 const Cut &cut, const CutRules &rules);

  const BackendPlan &planForLargeSums(const Descriptor &descriptor,
                                      const Problem &problem) const;

  const char *kernelName() const override {
    const BackendPlan *other = usedInPlace.load(std::memory_order_acquire);
    return other ? other->kernelName() : whole.kernel;
  }
  std::string steps() const override;
  bool packsWeights() const override { return true; }
  bool takes(const KeptWeights &weights) const override;
  std::shared_ptr<KeptWeights> keepWeights(const View &given,
                                           void *data) const override;
  std::unique_ptr<Execution>
  makeExecution(const Descriptor &descriptor,
                const Problem &problem) const override;

  IntegerPlan whole;
  std::vector<Tile> tiles;
  std::vector<size_t> kinds; // by tile, in `plans`
  std::vector<std::unique_ptr<IntegerPlan>> plans;
  int threads = 1;
  double nanoseconds = 0; // on one thread, roughly

  /// The plan that the last call has used in place of this one, or null.
  mutable std::atomic<const BackendPlan *> usedInPlace{nullptr};

private:
  /// For weights with which sums are not exact. Made when there are some.
  mutable std::mutex mutex;
  mutable std::unique_ptr<BackendPlan> ownOtherPlan;
  mutable std::atomic<const BackendPlan *> otherPlan{nullptr};
};

/// Packed, with what the kernel subtracts for the sign and the zero point of
/// src, of which the descriptor says which, and behind them the bounds.
struct IntegerWeights : KeptWeights {
  IntegerWeights(const View &given, void *data, const IntegerPlan &plan)
      : KeptWeights(given, data), desc(plan.weightsDesc) {
    const size_t boundsAt = roundUp(desc.get_size(), blockAlignment);
    const auto channels = size_t(plan.weights.sizes[0]);
    auto addForm = [&](FormHash &form) {
      form.add(plan.weights);
      addLayout(desc, form);
      form.add(plan.src.type);
      form.add(plan.zeroPoint);
    };
    pack(boundsAt + channels * sizeof(SumBound), addForm, [&](char *packed) {
      Block scratch(plan.packingBytes(), "packing weights");
      auto found = plan.pack(data, packed, scratch.data());
      std::copy_n(found.data(), channels,
                  reinterpret_cast<SumBound *>(packed + boundsAt));
    });
    auto *first = reinterpret_cast<const SumBound *>(block.data() + boundsAt);
    bounds.assign(first, first + channels);
  }

  /// The same weights for another plan. They are kept for calls that follow.
  std::shared_ptr<KeptWeights> packFor(const BackendPlan &plan) const;

  const dnnl::memory::desc desc;
  std::vector<SumBound> bounds; // by output channel

private:
  mutable std::mutex mutex;
  mutable std::shared_ptr<KeptWeights> others;
};

class TiledIntegersExecution : public Execution {
public:
  TiledIntegersExecution(const Descriptor &descriptor, const Problem &problem,
                         const TiledIntegers &plan);

  void run(Thread &thread, const fusion_rt_conv_args &args,
           const KeptWeights *kept) override;

private:
  fusion_rt_quantized_args argsOf(size_t tile,
                                  const fusion_rt_conv_args &args) const;
  void runOtherwise(Thread &thread, const fusion_rt_conv_args &args,
                    const IntegerWeights *constant);

  const Descriptor &descriptor;
  const Problem &problem;
  const TiledIntegers &plan;
  std::shared_ptr<KeptWeights> otherWeights; // of the plan for large sums
  std::unique_ptr<Execution> other;
  std::vector<std::unique_ptr<IntegerExecution>> executions; // by tile
  size_t weightsBytes = 0, packingBytes = 0; // unless weights are constant
};
} // namespace

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

bool TiledIntegers::makeTiles(const Descriptor &descriptor,
                              const Problem &problem, const Cut &cut,
                              const CutRules &rules) {
  tiles = cutProblem(descriptor, problem, cut, rules);
  kinds.clear();
  plans.clear();
  std::vector<size_t> counts = sortByKind(tiles, kinds);
  for (size_t kind = 0; kind < counts.size(); ++kind) {
    const Tile &tile = tiles[size_t(
        std::find(kinds.begin(), kinds.end(), kind) - kinds.begin())];
    plans.push_back(
        std::make_unique<IntegerPlan>(tile.descriptor, tile.problem));
    if (!plans.back()->createAs(whole, tile.descriptor, tile.problem))
      return false;
  }
  return tiles.size() > 1;
}

/// Cuts the call, unless it is too small or its parts have worse kernels.
void TiledIntegers::cut(const Descriptor &descriptor, const Problem &problem,
                        int mostThreads) {
  threads = mostThreads;
  nanoseconds = estimateTime(descriptor, problem);
  CutRules rules{threads};
  rules.channelMultiple = problem.dst.sizes[1]; // not cut
  rules.mayCutRows =
      mayCutRows(descriptor, problem, whole.copiesSrc, whole.copiesDst);
  for (const Cut &cut : listCuts(descriptor, problem, rules))
    if (cut.channels == 1 && makeTiles(descriptor, problem, cut, rules))
      return;
  tiles.clear();
}

std::string TiledIntegers::steps() const {
  if (const BackendPlan *other = usedInPlace.load(std::memory_order_acquire))
    return other->steps();
  std::string out = whole.steps();
  if (!tiles.empty())
    out += ", " + std::to_string(tiles.size()) + " tiles of " +
           text(tiles.front().problem.dst);
  return out;
}

bool TiledIntegers::takes(const KeptWeights &weights) const {
  const auto *packed = dynamic_cast<const IntegerWeights *>(&weights);
  return packed && packed->desc == whole.weightsDesc;
}

std::shared_ptr<KeptWeights> TiledIntegers::keepWeights(const View &given,
                                                        void *data) const {
  return std::make_shared<IntegerWeights>(given, data, whole);
}

/// A zero point that is no element of src, and of which products may not fit.
static bool hasForeignZeroPoint(const Descriptor &descriptor) {
  int32_t zero = descriptor.quantization.src_zero_point;
  return descriptor.srcType() == FUSION_RT_TYPE_U8 ? zero < 0 || zero > 255
                                                   : zero < -128 || zero > 127;
}

/// Whether kernels for f32 are faster. Measured on one thread, with oneDNN
/// 2.6.3: with AVX-512 they take 0.2 to 0.9 of the time of convolutions that
/// are brought to matrices. With AVX2 the multiplication of matrices of s8
/// takes 0.4 to 52 times as long as in f32, that of u8 0.2 to 1.2 times from
/// four rows on, and of one row up to 2.7 times.
static bool isSlow(const Descriptor &descriptor, const Problem &problem,
                   const char *kernel) {
  constexpr int64_t fewRows = 4;
  return isGemm(kernel) &&
         (descriptor.kind != OpKind::Matmul ||
          descriptor.srcType() == FUSION_RT_TYPE_S8 ||
          problem.dst.sizes[0] * problem.dst.sizes[2] < fewRows);
}

/// Null if oneDNN has no kernel that leaves sums as they are.
static std::unique_ptr<BackendPlan>
makePlanForLargeSums(const Descriptor &descriptor, const Problem &problem,
                     int threads) {
  auto plan = std::make_unique<TiledIntegers>(descriptor, problem);
  if (!plan->whole.createForLargeSums(descriptor, problem))
    return nullptr;
  plan->cut(descriptor, problem, threads);
  return plan;
}

/// By a kernel for integers without a zero point, by kernels for f32 on parts
/// of the sums, or by plain loops.
const BackendPlan &
TiledIntegers::planForLargeSums(const Descriptor &descriptor,
                                const Problem &problem) const {
  if (const BackendPlan *plan = otherPlan.load(std::memory_order_acquire))
    return *plan; // without the lock
  Lock lock(mutex);
  if (!ownOtherPlan) {
    OneThreadScope oneThread;
    ownOtherPlan = makePlanForLargeSums(descriptor, problem, threads);
    if (!ownOtherPlan)
      ownOtherPlan = makeWidenedPlan(descriptor, problem, threads, {});
    if (!ownOtherPlan)
      ownOtherPlan = makeLoopsPlan(descriptor, problem);
    otherPlan.store(ownOtherPlan.get(), std::memory_order_release);
  }
  return *ownOtherPlan;
}

std::unique_ptr<BackendPlan>
fusion::runtime::makeIntegerPlan(const Descriptor &descriptor,
                                 const Problem &problem, int threads,
                                 bool takesSlow) {
  if (!descriptor.hasWeights() || !sumsBytesExactly() ||
      hasForeignZeroPoint(descriptor))
    return nullptr;
  auto plan = std::make_unique<TiledIntegers>(descriptor, problem);
  if (!plan->whole.create(descriptor, problem) ||
      (!takesSlow && isSlow(descriptor, problem, plan->whole.kernel)))
    return nullptr;
  plan->cut(descriptor, problem, threads);
  return plan;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

TiledIntegersExecution::TiledIntegersExecution(const Descriptor &descriptor,
                                               const Problem &problem,
                                               const TiledIntegers &plan)
    : descriptor(descriptor), problem(problem), plan(plan) {
  if (plan.tiles.empty())
    executions.push_back(
        std::make_unique<IntegerExecution>(descriptor, problem, plan.whole));
  for (size_t i = 0; i < plan.tiles.size(); ++i)
    executions.push_back(std::make_unique<IntegerExecution>(
        plan.tiles[i].descriptor, plan.tiles[i].problem,
        *plan.plans[plan.kinds[i]]));
  if (descriptor.hasConstantWeights())
    return;
  weightsBytes = roundUp(plan.whole.weightsDesc.get_size(), blockAlignment);
  packingBytes = plan.whole.packingBytes();
}

/// The operands of a tile, which has all channels.
fusion_rt_quantized_args
TiledIntegersExecution::argsOf(size_t tile,
                               const fusion_rt_conv_args &args) const {
  fusion_rt_quantized_args out{};
  out.operands = plan.tiles.empty() ? args : plan.tiles[tile].args(args);
  if (descriptor.hasScales())
    out.scales = scalesOf(args);
  return out;
}

std::shared_ptr<KeptWeights>
IntegerWeights::packFor(const BackendPlan &plan) const {
  Lock lock(mutex);
  if (!others || !plan.takes(*others))
    others = plan.keepWeights(original, const_cast<void *>(address));
  return others;
}

void TiledIntegersExecution::runOtherwise(Thread &thread,
                                          const fusion_rt_conv_args &args,
                                          const IntegerWeights *constant) {
  const BackendPlan &otherPlan = plan.planForLargeSums(descriptor, problem);
  OneThreadScope oneThread;
  if (!other)
    other = otherPlan.makeExecution(descriptor, problem);
  if (!constant)
    otherWeights = nullptr;
  else if (!otherWeights ||
           !otherWeights->areOf(constant->original, constant->address))
    otherWeights = constant->packFor(otherPlan);
  plan.usedInPlace.store(&otherPlan, std::memory_order_release);
  other->run(thread, args, otherWeights.get());
}

void TiledIntegersExecution::run(Thread &thread,
                                 const fusion_rt_conv_args &args,
                                 const KeptWeights *kept) {
  const auto *constant = static_cast<const IntegerWeights *>(kept);
  size_t bytesPerThread = 0;
  bool isWhole = true;
  for (size_t i = 0; i < executions.size(); ++i) {
    isWhole &= executions[i]->prepare(argsOf(i, args).operands,
                                      constant ? &constant->bounds : nullptr);
    bytesPerThread = std::max(bytesPerThread, executions[i]->scratchBytes());
  }
  bytesPerThread = roundUp(bytesPerThread, blockAlignment);
  size_t numbers = plan.tiles.empty() ? 1 : size_t(plan.threads);
  char *scratch =
      thread.reserve(weightsBytes + packingBytes + bytesPerThread * numbers);
  char *packed = constant ? constant->block.data() : scratch;
  std::vector<SumBound> ownBounds;
  if (!constant)
    ownBounds =
        plan.whole.pack(args.weights.data, packed, scratch + weightsBytes);
  if (!isWhole && plan.whole.mayRoundSums &&
      !areExactInFloats(constant ? constant->bounds : ownBounds))
    return runOtherwise(thread, args, constant);
  plan.usedInPlace.store(nullptr, std::memory_order_relaxed);
  scratch += weightsBytes + packingBytes;
  auto runOne = [&](int tile, int number) {
    fusion_rt_quantized_args tileArgs = argsOf(size_t(tile), args);
    executions[size_t(tile)]->run(scratch + size_t(number) * bytesPerThread,
                                  tileArgs.operands, packed);
  };
  if (plan.tiles.empty())
    return runOne(0, 0);
  parallelTasks(int(executions.size()), plan.threads, plan.nanoseconds, runOne);
}

std::unique_ptr<Execution>
TiledIntegers::makeExecution(const Descriptor &descriptor,
                             const Problem &problem) const {
  return std::make_unique<TiledIntegersExecution>(descriptor, problem, *this);
}
