//===- Context.cpp - Execution on one thread ------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Context.h"

#include "Parallel.h"
#include "TensorCopy.h"

#include <algorithm>

using namespace fusion::runtime;

//===----------------------------------------------------------------------===//
// Contexts
//===----------------------------------------------------------------------===//

Context::Context(const Descriptor &descriptor, std::shared_ptr<Entry> entry)
    : shared(std::move(entry)) {
  if (shared->kind != Entry::Kind::Primitive)
    return;
  const Plan &plan = shared->plan;
  planArena(descriptor);
  addArgument(DNNL_ARG_SRC, Src, plan.operands.src);
  addArgument(DNNL_ARG_DST, Dst, plan.operands.dst);
  addArgument(DNNL_ARG_SCRATCHPAD, Scratchpad, plan.scratchpad);
  if (plan.hasEpilogue)
    addEpilogueArguments(descriptor);
  else if (descriptor.hasBias())
    addArgument(DNNL_ARG_BIAS, Bias, plan.operands.bias);
  if (plan.residual == ResidualMode::Binary)
    addArgument(DNNL_ARG_ATTR_MULTIPLE_POST_OP(0) | DNNL_ARG_SRC_1, Residual,
                plan.operands.residual);
  if (!descriptor.hasWeights())
    return;
  weightsArgument = arguments.size();
  addArgument(DNNL_ARG_WEIGHTS, Weights, plan.weightsDesc);
}

void Context::addArgument(int role, Operand operand,
                          const dnnl::memory::desc &desc) {
  memories[operand] = BoundMemory(desc);
  arguments.push_back({role, memories[operand].get()});
}

/// As `describeEpilogue` says.
void Context::addEpilogueArguments(const Descriptor &descriptor) {
  static float one = 1;
  const Plan &plan = shared->plan;
  auto add = [&](int role, Operand operand) {
    epilogueArguments.push_back({role, memories[operand].get()});
  };
  memories[EpilogueScratchpad] =
      BoundMemory(plan.epilogueDesc.scratchpad_desc());
  add(DNNL_ARG_SRC_0, Dst);
  add(DNNL_ARG_DST, Dst);
  add(DNNL_ARG_SCRATCHPAD, EpilogueScratchpad);
  int next = DNNL_ARG_SRC_1;
  if (descriptor.hasBias()) {
    memories[Bias] = BoundMemory(repeatedBias(plan.operands));
    add(next, Bias);
    next |= DNNL_ARG_ATTR_MULTIPLE_POST_OP(0);
  }
  if (plan.residual == ResidualMode::Epilogue) {
    memories[Residual] = BoundMemory(plan.operands.dst);
    add(next, Residual);
  } else if (!descriptor.hasBias()) {
    memories[One] = BoundMemory(repeatedScalar(plan.operands));
    memories[One].bind(&one);
    add(next, One);
  }
}

size_t Context::place(size_t bytes) {
  size_t at = arenaBytes;
  arenaBytes += roundUp(bytes, blockAlignment);
  return at;
}

/// Gives each buffer of the plan its place in the arena.
void Context::planArena(const Descriptor &descriptor) {
  const Plan &plan = shared->plan;
  scratchpadAt = place(plan.scratchpad.get_size());
  if (plan.copiesSrc)
    srcAt = place(plan.src.extent());
  if (plan.copiesDst)
    dstAt = place(plan.dst.extent());
  if (descriptor.hasBias())
    biasAt = place(plan.dst.sizes[1] * sizeof(float));
  if (plan.hasEpilogue)
    epilogueScratchpadAt =
        place(plan.epilogueDesc.scratchpad_desc().get_size());
  if (copiesResidualForEpilogue())
    residualAt = place(plan.dst.extent());
  if (descriptor.hasConstantWeights() || plan.usesWeightsAsGiven())
    return;
  packer = WeightsPacker(plan);
  packedAt = place(packer.packedBytes());
  packScratchAt = place(packer.scratchBytes());
}

/// Constant weights are found or packed in the slot, others packed each time.
fusion_rt_status Context::bindWeights(SlotState &state, Thread &thread,
                                      char *arena, void *data,
                                      const char *location) {
  const Plan &plan = shared->plan;
  bool isConstant = state.descriptor.hasConstantWeights();
  bool isChecked = isConstant && environment().checkConstants;
  if (isConstant && (isChecked || !plan.usesWeightsAsGiven())) {
    if (!packed || packed->address != data) {
      packed = state.weights(*shared, data, thread.stream(), location);
      if (packed->memory)
        arguments[weightsArgument].memory = packed->memory.get();
    }
    if (isChecked && !packed->isUnchanged())
      return fail(FUSION_RT_BROKEN_PROMISE,
                  "'weights' at %p must not change while the slot lives, but "
                  "have changed since they were packed",
                  data);
  }
  if (plan.usesWeightsAsGiven()) {
    memories[Weights].bind(data);
  } else if (!isConstant) {
    memories[Weights].bind(arena + packedAt);
    packer.pack(plan, shared->problem.weights, data, arena + packedAt,
                arena + packScratchAt, thread.stream());
  }
  return FUSION_RT_SUCCESS;
}

/// oneDNN reads the bias densely.
void Context::bindBias(char *arena, const fusion_rt_conv_args &args) {
  const View &bias = shared->problem.bias;
  if (bias.isDense()) {
    memories[Bias].bind(args.bias.data);
    return;
  }
  float *dense = reinterpret_cast<float *>(arena + biasAt);
  const float *given = static_cast<const float *>(args.bias.data);
  for (int64_t i = 0; i < bias.sizes[0]; ++i)
    dense[i] = given[i * bias.strides[0]];
  memories[Bias].bind(dense);
}

/// The epilogue takes a residual of the type and layout of dst.
bool Context::copiesResidualForEpilogue() const {
  const Plan &plan = shared->plan;
  const View &residual = shared->problem.residual;
  return plan.residual == ResidualMode::Epilogue &&
         (residual.type != plan.dst.type ||
          !haveSameStrides(residual, plan.dst));
}

void Context::bindResidual(char *arena, const fusion_rt_conv_args &args) {
  void *data = args.residual.data;
  if (copiesResidualForEpilogue()) {
    data = arena + residualAt;
    copyTensor(shared->problem.residual, args.residual.data, shared->plan.dst,
               data);
  }
  memories[Residual].bind(data);
}

static void execute(const dnnl::primitive &primitive, Thread &thread,
                    const std::vector<dnnl_exec_arg_t> &arguments) {
  dnnl_status_t status = dnnl_primitive_execute(
      primitive.get(), thread.stream().get(),
      static_cast<int>(arguments.size()), arguments.data());
  if (status == dnnl_success)
    status = dnnl_stream_wait(thread.stream().get());
  dnnl::error::wrap_c_api(status, "could not execute a primitive");
}

fusion_rt_status Context::run(SlotState &state, Thread &thread,
                              const fusion_rt_conv_args &args,
                              const char *location) {
  const Problem &problem = shared->problem;
  if (shared->kind == Entry::Kind::Nothing)
    return FUSION_RT_SUCCESS;
  if (shared->kind == Entry::Kind::NoReduction) {
    runWithoutReduction(state.descriptor, problem, args);
    return FUSION_RT_SUCCESS;
  }
  const Plan &plan = shared->plan;
  char *arena = thread.reserve(arenaBytes);
  void *src = plan.copiesSrc ? arena + srcAt : args.src.data;
  void *dst = plan.copiesDst ? arena + dstAt : args.dst.data;
  if (state.descriptor.hasWeights())
    if (auto status =
            bindWeights(state, thread, arena, args.weights.data, location))
      return status;
  if (state.descriptor.hasBias())
    bindBias(arena, args);
  if (plan.copiesSrc)
    copyTensor(problem.src, args.src.data, plan.src, src);
  if (plan.copiesResidual())
    copyTensor(problem.residual, args.residual.data, plan.dst, dst);
  if (plan.residual == ResidualMode::Binary ||
      plan.residual == ResidualMode::Epilogue)
    bindResidual(arena, args);
  memories[Src].bind(src);
  memories[Dst].bind(dst);
  memories[Scratchpad].bind(arena + scratchpadAt);
  execute(plan.primitive, thread, arguments);
  if (plan.hasEpilogue) {
    memories[EpilogueScratchpad].bind(arena + epilogueScratchpadAt);
    execute(plan.epilogue, thread, epilogueArguments);
  }
  if (plan.copiesDst)
    copyTensor(plan.dst, dst, problem.dst, args.dst.data);
  return FUSION_RT_SUCCESS;
}

ThreadContexts::ThreadContexts() = default;
ThreadContexts::~ThreadContexts() = default;

void ThreadContexts::clear() {
  std::lock_guard<std::mutex> lock(mutex);
  contexts.clear();
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

// The pointer needs no destruction, so it can be asked at any time, also by a
// slot released after the thread's other objects are gone.
static thread_local Thread *currentThread = nullptr;

namespace {
/// Destroys the thread's object when the thread ends.
struct ThreadReaper {
  bool isArmed = false;
  ~ThreadReaper() {
    delete currentThread;
    currentThread = nullptr;
  }
};
} // namespace

static thread_local ThreadReaper reaper;

Thread *Thread::peek() { return currentThread; }

Thread &Thread::current() {
  if (!currentThread) {
    reaper.isArmed = true; // constructs it, and so registers its destructor
    currentThread = new Thread;
  }
  return *currentThread;
}

Thread::~Thread() {
  for (Site &site : sites)
    if (site.own)
      site.own->clear();
}

/// Makes `block` hold at least `bytes`, and never more than one at once.
static char *grow(Block &block, size_t bytes, const char *purpose) {
  if (bytes > block.size() || !block.data()) {
    block.reset();
    block = Block(bytes, purpose);
  }
  return block.data();
}

char *Thread::reserve(size_t bytes) {
  return grow(scratch, bytes, "scratch memory");
}

char *Thread::beginArena(size_t bytes) {
  if (callDepth == callArenas.size())
    callArenas.emplace_back();
  char *arena = grow(callArenas[callDepth], bytes, "intermediate tensors");
  ++callDepth;
  return arena;
}

char *Thread::currentArena() const {
  return callDepth == 0 ? nullptr : callArenas[callDepth - 1].data();
}

void Thread::freeMemory() {
  scratch.reset();
  callArenas.resize(callDepth);
}

void Thread::dropStale(Site &site) {
  auto &contexts = site.own->contexts;
  auto isStale = [](const std::unique_ptr<Context> &context) {
    return context->entry().isDropped.load();
  };
  contexts.erase(std::remove_if(contexts.begin(), contexts.end(), isStale),
                 contexts.end());
  site.last = nullptr;
}

void Thread::dropStaleContexts() {
  for (Site &site : sites)
    if (site.own)
      dropStale(site);
}

/// Makes the place of `state` in this thread, or brings it up to date.
Thread::Site &Thread::prepareSite(SlotState &state) {
  if (sites.size() <= state.index)
    sites.resize(state.index + 1);
  Site &site = sites[state.index];
  if (site.id != state.id) {
    auto own = std::make_shared<ThreadContexts>();
    state.adopt(own);
    site = Site();
    site.own = std::move(own);
    site.id = state.id;
  }
  // Read before looking at the entries: one dropped in between shows next time.
  uint64_t generation = state.generation.load();
  if (site.generation != generation) {
    dropStale(site);
    site.generation = generation;
  }
  return site;
}

Context *Thread::findIn(const Site &site, const fusion_rt_conv_args &args,
                        bool inPlace, int threads) {
  for (const auto &context : site.own->contexts)
    if (context->entry().matches(args, inPlace, threads))
      return context.get();
  return nullptr;
}

fusion_rt_status Thread::context(SlotState &state,
                                 const fusion_rt_conv_args &args,
                                 const char *location, Context *&out) {
  bool inPlace = isInPlace(state.descriptor, args);
  int threads = effectiveThreads();
  // The way of nearly all calls: same shapes as last time.
  if (state.index < sites.size()) {
    Site &site = sites[state.index];
    if (site.id == state.id && site.last &&
        site.generation == state.generation.load(std::memory_order_acquire) &&
        site.last->entry().matches(args, inPlace, threads)) {
      out = site.last;
      state.touch(out->entry(), /*isSwitch=*/false);
      return FUSION_RT_SUCCESS;
    }
  }
  Site &site = prepareSite(state);
  out = findIn(site, args, inPlace, threads);
  if (!out) {
    std::shared_ptr<Entry> entry;
    if (auto status = state.entry(args, inPlace, threads, location, entry))
      return status;
    auto made = std::make_unique<Context>(state.descriptor, std::move(entry));
    out = made.get();
    site.own->contexts.push_back(std::move(made));
  }
  site.last = out;
  state.touch(out->entry(), /*isSwitch=*/true);
  return FUSION_RT_SUCCESS;
}
