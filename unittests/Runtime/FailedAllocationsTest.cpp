//===- FailedAllocationsTest.cpp - Each allocation fails once -------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Each test does something with its first allocation failing, then with its
// second, and so on until none is left. A failure is a status with a sentence,
// leaves nothing behind, and the call after it gives the same bits as ever.

#include "Allocations.h"
#include "MatmulTest.h"
#include "PoolTest.h"
#include "QuantizedTest.h"

#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <thread>

using namespace fusion::test;

//===----------------------------------------------------------------------===//
// The calls
//===----------------------------------------------------------------------===//

namespace {
using Action = std::function<fusion_rt_status()>;

/// A call and its result. Nothing of it allocates but the runtime.
struct Site {
  Action call, prepare;
  std::function<void()> release;
  Tensor *dst;

  std::vector<double> bits() const {
    std::vector<double> values;
    for (int64_t i = 0; i < dst->elements(); ++i)
      values.push_back(dst->get(i));
    return values;
  }
};
} // namespace

/// `function` is that of fusion_rt_prepare.
template <auto run, auto prepare, typename Call>
static Site makeSite(fusion_rt_function function, Call &call) {
  return {[&] { return run(&call.slot, &call.args); },
          [=, &call] { return prepare(function, &call.slot, &call.args); },
          [&] { fusion_rt_release(&call.slot); }, &call.dst};
}

static Site siteOf(Conv &conv) {
  return makeSite<fusion_rt_conv, fusion_rt_prepare>(FUSION_RT_FUNCTION_CONV,
                                                     conv);
}
static Site siteOf(Matmul &matmul) {
  return makeSite<fusion_rt_matmul, fusion_rt_prepare>(
      FUSION_RT_FUNCTION_MATMUL, matmul);
}
static Site siteOf(Pool &pool) {
  return makeSite<fusion_rt_pool, fusion_rt_prepare>(FUSION_RT_FUNCTION_POOL,
                                                     pool);
}
static Site siteOf(Quantized &conv) {
  return makeSite<fusion_rt_quantized_conv, fusion_rt_prepare_quantized>(
      FUSION_RT_FUNCTION_QUANTIZED_CONV, conv);
}

namespace {
/// A function as the compiler makes them, called by fusion_rt_call: a value
/// that is computed once, an arena, blocks, a parallel loop and a convolution.
struct Compiled {
  Conv conv{makeWideSpec()};
  fusion_rt_once_desc desc{FUSION_RT_ABI_VERSION, sizeof(desc), 0, 1, compute,
                           fusion_rt_free};
  fusion_rt_slot once{&desc, nullptr, nullptr};
  fusion_rt_value_desc argument{"i64", 1, 0, nullptr};
  fusion_rt_signature signature{FUSION_RT_ABI_VERSION,
                                sizeof(signature),
                                "f",
                                1,
                                0,
                                &argument,
                                nullptr,
                                0};

  static void compute(void **results, void *const *) {
    results[0] = results[1] = fusion_rt_malloc_checked(10);
  }
  static void loop(int64_t, int64_t, void *) {
    fusion_rt_free(fusion_rt_aligned_alloc_checked(64, 64));
  }
  static void run(void *, void *const *arguments) {
    auto &self = *static_cast<Compiled *>(arguments[0]);
    fusion_rt_once_checked(&self.once, nullptr);
    void *arena = fusion_rt_arena_begin_checked(1000);
    void *first = fusion_rt_malloc_checked(10);
    void *second = fusion_rt_calloc_checked(10, 10);
    fusion_rt_parallel_for_checked(100, 1, loop, nullptr);
    fusion_rt_conv_checked(&self.conv.slot, &self.conv.args);
    fusion_rt_free(second);
    fusion_rt_free(first);
    fusion_rt_arena_end_checked(arena);
  }

  fusion_rt_status call() {
    void *arguments[] = {this};
    return fusion_rt_call(&signature, run, nullptr, arguments);
  }
  void release() {
    fusion_rt_release(&conv.slot);
    fusion_rt_once_release(&once);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Whose allocations fail
//===----------------------------------------------------------------------===//

namespace {
/// The memory that the runtime has from the allocator of a context.
class ContextHeap {
public:
  ContextHeap() {
    EXPECT_EQ(fusion_rt_context_create(&context), FUSION_RT_SUCCESS);
    fusion_rt_context_set_allocator(context, allocate, release, this);
  }
  ~ContextHeap() { fusion_rt_context_destroy(context); }

  fusion_rt_context *context = nullptr;
  bool arm(int64_t nth) { return std::exchange(left, nth) < 0; }
  int64_t held() const { return bytes; }
  /// Whether a call may do without an allocation.
  static constexpr bool isTolerant = false;

private:
  static void *allocate(size_t size, size_t alignment, void *data) {
    auto &self = *static_cast<ContextHeap *>(data);
    std::lock_guard<std::mutex> lock(self.mutex);
    if (self.left > 0 && --self.left == 0) {
      self.left = -1;
      return nullptr;
    }
    void *block = aligned_alloc(alignment, size);
    self.sizes[block] = size;
    self.bytes += static_cast<int64_t>(size);
    return block;
  }
  static void release(void *block, void *data) {
    auto &self = *static_cast<ContextHeap *>(data);
    std::lock_guard<std::mutex> lock(self.mutex);
    self.bytes -= static_cast<int64_t>(self.sizes[block]);
    self.sizes.erase(block);
    free(block);
  }

  std::mutex mutex;
  std::map<void *, size_t> sizes;
  int64_t bytes = 0, left = 0;
};

/// The memory of the process. Only what the runtime asks for itself fails:
/// oneDNN 2.6 and libgomp end the process where they get none.
struct ProcessHeap {
  fusion_rt_context *context = nullptr;
  static bool arm(int64_t nth) { return armFailure(nth); }
  static int64_t held() { return liveAllocations; }
  static constexpr bool isTolerant = true; // of a worker, for example
};

template <typename Heap> class FailedAllocationsTest : public testing::Test {
protected:
  FailedAllocationsTest() { fusion_rt_set_num_threads(2); }
  ~FailedAllocationsTest() override { fusion_rt_set_num_threads(0); }

  /// Expects that nothing is left behind.
  void check(const Site &site) {
    checkOnce(site); // what the process keeps for good
    int64_t held = heap.held();
    checkOnce(site);
    EXPECT_EQ(heap.held(), held);
  }

private:
  void checkOnce(const Site &site) {
    int64_t failed = failEach(site, nothing, site.call);
    if (isOneDnn() || Heap::isTolerant) // plain loops need no scratch memory
      EXPECT_GT(failed, 0) << "nothing was allocated";
    if (site.prepare)
      failEach(site, nothing, site.prepare);
    failEach(site, site.call, site.call); // on another thread than the first
    reset(site);
  }
  int64_t failEach(const Site &site, const Action &before, const Action &work);
  bool failNth(const Site &site, int64_t nth, const Action &work,
               const std::vector<double> &expected);

  static fusion_rt_status nothing() { return FUSION_RT_SUCCESS; }
  static void reset(const Site &site) {
    site.release();
    fusion_rt_clear_caches();
  }

  Heap heap;
};
} // namespace

/// Does `work`, after `before`, with each of its allocations failing. Returns
/// their number.
template <typename Heap>
int64_t FailedAllocationsTest<Heap>::failEach(const Site &site,
                                              const Action &before,
                                              const Action &work) {
  EXPECT_EQ(site.call(), FUSION_RT_SUCCESS) << fusion_rt_last_error();
  const std::vector<double> expected = site.bits();
  for (int64_t nth = 1;; ++nth) {
    reset(site);
    EXPECT_EQ(before(), FUSION_RT_SUCCESS) << fusion_rt_last_error();
    bool isReached = failNth(site, nth, work, expected);
    if (!isReached || this->HasFailure())
      return nth - 1;
  }
}

/// glibc ends the process if it has no memory to note that a thread has a
/// destructor, as each has that calls the runtime.
static void makeThreadKnown() {
  void *arena = nullptr;
  fusion_rt_arena_begin(0, &arena);
  fusion_rt_arena_end(arena);
}

/// Does `work` on a thread of its own with the nth allocation failing, and then
/// calls. Returns whether there is an nth allocation.
template <typename Heap>
bool FailedAllocationsTest<Heap>::failNth(const Site &site, int64_t nth,
                                          const Action &work,
                                          const std::vector<double> &expected) {
  SCOPED_TRACE("allocation " + std::to_string(nth));
  bool isReached = false;
  std::thread([&] {
    makeThreadKnown();
    fusion_rt_context_enter(heap.context);
    heap.arm(nth);
    fusion_rt_status status = work();
    isReached = heap.arm(0);
    if (status) {
      EXPECT_EQ(status, FUSION_RT_OUT_OF_MEMORY) << fusion_rt_last_error();
      EXPECT_STRNE(fusion_rt_last_error(), "");
    }
    if (!Heap::isTolerant || !isReached)
      EXPECT_EQ(status != FUSION_RT_SUCCESS, isReached);
    EXPECT_EQ(site.call(), FUSION_RT_SUCCESS) << fusion_rt_last_error();
    EXPECT_EQ(site.bits(), expected);
    fusion_rt_context_enter(nullptr);
  }).join();
  return isReached;
}

//===----------------------------------------------------------------------===//
// Tests
//===----------------------------------------------------------------------===//

using Heaps = testing::Types<ContextHeap, ProcessHeap>;
TYPED_TEST_SUITE(FailedAllocationsTest, Heaps, );

TYPED_TEST(FailedAllocationsTest, PackedWeights) {
  Conv conv(makeWideSpec());
  this->check(siteOf(conv));
}

TYPED_TEST(FailedAllocationsTest, Tiles) {
  ConvSpec spec = makeWideSpec();
  spec.image = {40, 40};
  spec.activation = FUSION_RT_ACT_RELU;
  Conv conv(spec);
  this->check(siteOf(conv));
}

TYPED_TEST(FailedAllocationsTest, Copies) {
  ConvSpec spec = makeWideSpec();
  spec.srcLayout = spec.dstLayout = spec.weightsLayout = Layout::Scrambled;
  spec.residual = Residual::Apart;
  Conv conv(spec);
  this->check(siteOf(conv));
}

TYPED_TEST(FailedAllocationsTest, WeightsThatChange) {
  ConvSpec spec = makeWideSpec();
  spec.constantWeights = false;
  Conv conv(spec);
  this->check(siteOf(conv));
}

TYPED_TEST(FailedAllocationsTest, Matmuls) {
  MatmulSpec spec;
  spec.depth = 70;
  spec.columns = 96;
  Matmul matmul(spec);
  this->check(siteOf(matmul));
}

TYPED_TEST(FailedAllocationsTest, Pools) {
  PoolSpec spec;
  spec.dstLayout = Layout::ChannelsFirst; // with a copy
  Pool pool(spec);
  this->check(siteOf(pool));
}

TYPED_TEST(FailedAllocationsTest, Integers) {
  QuantizedSpec spec = makeQuantizedSpec();
  spec.conv.inputs = 32;
  spec.conv.outputs = 48;
  Quantized conv(spec);
  this->check(siteOf(conv));
}

TYPED_TEST(FailedAllocationsTest, CompiledCode) {
  Compiled compiled;
  this->check({[&] { return compiled.call(); }, nullptr,
               [&] { compiled.release(); }, &compiled.conv.dst});
}

TEST(FailedContextTest, MakesNone) {
  fusion_rt_context *context = nullptr;
  fusion_rt_status status = FUSION_RT_SUCCESS;
  int64_t nth = 0, live = liveAllocations;
  do {
    armFailure(++nth);
    status = fusion_rt_context_create(&context);
    EXPECT_EQ(armFailure(0), status == FUSION_RT_OUT_OF_MEMORY);
    EXPECT_EQ(context == nullptr, status == FUSION_RT_OUT_OF_MEMORY);
  } while (status == FUSION_RT_OUT_OF_MEMORY);
  EXPECT_EQ(status, FUSION_RT_SUCCESS);
  EXPECT_GT(nth, 1);
  fusion_rt_context_destroy(context);
  EXPECT_EQ(liveAllocations, live);
}
