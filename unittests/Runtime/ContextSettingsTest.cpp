//===- ContextSettingsTest.cpp - Settings and counters of a context -------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvTest.h"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

using namespace fusion::test;

namespace {
/// A context that this thread can enter.
class Context {
public:
  Context() {
    EXPECT_EQ(fusion_rt_context_create(&context), FUSION_RT_SUCCESS);
  }
  ~Context() { fusion_rt_context_destroy(context); }
  Context(const Context &) = delete;

  template <typename Body> void enter(const Body &body) {
    fusion_rt_context *before = fusion_rt_context_enter(context);
    body();
    EXPECT_EQ(fusion_rt_context_enter(before), context);
  }
  fusion_rt_counters counters() const {
    fusion_rt_counters counters;
    EXPECT_EQ(fusion_rt_context_get_counters(context, &counters),
              FUSION_RT_SUCCESS);
    return counters;
  }
  operator fusion_rt_context *() const { return context; }

private:
  fusion_rt_context *context = nullptr;
};

/// Counts its blocks, and has none if there is `none`.
struct Heap {
  std::atomic<int> live{0}, made{0};
  bool isEmpty = false;

  static void *alloc(size_t bytes, size_t alignment, void *data) {
    auto &self = *static_cast<Heap *>(data);
    if (self.isEmpty)
      return nullptr;
    ++self.live;
    ++self.made;
    return aligned_alloc(alignment, bytes);
  }
  static void free(void *block, void *data) {
    --static_cast<Heap *>(data)->live;
    ::free(block);
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

static int countRanges() {
  std::atomic<int> ranges{0};
  auto count = [](int64_t, int64_t, void *ranges) {
    ++*static_cast<std::atomic<int> *>(ranges);
  };
  EXPECT_EQ(fusion_rt_parallel_for(1000, 1, count, &ranges), FUSION_RT_SUCCESS);
  return ranges;
}

TEST(ContextSettingsTest, NumberOfThreads) {
  Context one, three, none;
  EXPECT_EQ(fusion_rt_context_set_num_threads(one, 1), FUSION_RT_SUCCESS);
  EXPECT_EQ(fusion_rt_context_set_num_threads(three, 3), FUSION_RT_SUCCESS);
  fusion_rt_set_num_threads(2);
  auto expect = [](int32_t threads) {
    EXPECT_EQ(fusion_rt_get_num_threads(), threads);
    EXPECT_EQ(countRanges(), threads == 1 ? 1 : 4 * threads);
  };
  one.enter([&] {
    expect(1);
    three.enter([&] { expect(3); });
    expect(1);
    // A number of the thread's own goes before that of the context.
    EXPECT_EQ(fusion_rt_set_caller_threads(4, nullptr), FUSION_RT_SUCCESS);
    expect(4);
    EXPECT_EQ(fusion_rt_set_caller_threads(0, nullptr), FUSION_RT_SUCCESS);
    expect(1);
  });
  none.enter([&] { expect(2); });
  expect(2);
  EXPECT_EQ(fusion_rt_context_set_num_threads(one, 0), FUSION_RT_SUCCESS);
  one.enter([&] { expect(2); });
  fusion_rt_set_num_threads(0);
}

TEST(ContextSettingsTest, KernelsOfEachNumberOfThreads) {
  Context one, two;
  fusion_rt_context_set_num_threads(one, 1);
  fusion_rt_context_set_num_threads(two, 2);
  Conv conv(makeWideSpec());
  for (int round = 0; round < 3; ++round)
    for (Context *context : {&one, &two})
      context->enter([&] { conv.check(); });
  EXPECT_EQ(one.counters().creates, 1u);
  EXPECT_EQ(two.counters().creates, 1u);
}

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

TEST(ContextSettingsTest, Counters) {
  Context first, second;
  Conv conv(makeWideSpec());
  fusion_rt_reset_counters();
  uint64_t before = counters().packed_bytes;
  first.enter([&] {
    conv.check();
    conv.check();
    EXPECT_EQ(fusion_rt_set_num_threads(-1), FUSION_RT_INVALID_ARGUMENT);
  });
  second.enter([&] { conv.check(); });
  conv.check();
  EXPECT_EQ(first.counters().creates, 1u);
  EXPECT_EQ(first.counters().weight_packs, 1u);
  EXPECT_EQ(first.counters().executes, 2u);
  EXPECT_EQ(first.counters().errors, 1u);
  EXPECT_EQ(first.counters().packed_bytes, counters().packed_bytes - before);
  EXPECT_GT(first.counters().packed_bytes, 0u);
  // Kernels and packed weights are there for all.
  EXPECT_EQ(second.counters().creates, 0u);
  EXPECT_EQ(second.counters().executes, 1u);
  EXPECT_EQ(second.counters().errors, 0u);
  EXPECT_EQ(second.counters().packed_bytes, 0u);
  EXPECT_EQ(counters().executes, 4u);
  EXPECT_EQ(counters().errors, 1u);
  EXPECT_EQ(fusion_rt_context_reset_counters(first), FUSION_RT_SUCCESS);
  EXPECT_EQ(first.counters().executes, 0u);
  EXPECT_GT(first.counters().packed_bytes, 0u);
  EXPECT_EQ(counters().executes, 4u);
  fusion_rt_release(&conv.slot);
  EXPECT_EQ(first.counters().packed_bytes, 0u);
}

TEST(ContextSettingsTest, PackedWeightsOutliveTheContext) {
  Conv conv(makeWideSpec());
  uint64_t before = counters().packed_bytes;
  {
    Context context;
    context.enter([&] { conv.check(); });
  }
  conv.check();
  EXPECT_GT(counters().packed_bytes, before);
  fusion_rt_release(&conv.slot);
  EXPECT_EQ(counters().packed_bytes, before);
}

/// Bodies of a loop are in the caller's context on every thread.
TEST(ContextSettingsTest, CountersOfALoop) {
  Context context;
  Conv conv(makeWideSpec());
  fusion_rt_set_num_threads(2);
  auto body = [](int64_t begin, int64_t end, void *data) {
    auto &conv = *static_cast<Conv *>(data);
    for (int64_t i = begin; i < end; ++i) {
      Tensor dst = conv.dst;
      fusion_rt_conv_args args = conv.args;
      args.dst = dst.view();
      EXPECT_EQ(fusion_rt_conv(&conv.slot, &args), FUSION_RT_SUCCESS);
    }
  };
  context.enter([&] {
    EXPECT_EQ(fusion_rt_parallel_for(100, 1, body, &conv), FUSION_RT_SUCCESS);
  });
  EXPECT_EQ(fusion_rt_parallel_for(100, 1, body, &conv), FUSION_RT_SUCCESS);
  EXPECT_EQ(context.counters().executes, 100u);
  fusion_rt_set_num_threads(0);
}

//===----------------------------------------------------------------------===//
// Error handlers
//===----------------------------------------------------------------------===//

static void note(fusion_rt_status, const char *message, void *data) {
  *static_cast<std::string *>(data) = message;
}

TEST(ContextSettingsTest, ErrorHandlers) {
  Context own, none;
  std::string ofContext, ofProcess;
  fusion_rt_set_error_handler(note, &ofProcess);
  EXPECT_EQ(fusion_rt_context_set_error_handler(own, note, &ofContext),
            FUSION_RT_SUCCESS);
  auto fail = [] { fusion_rt_parallel_for_checked(-1, 1, nullptr, nullptr); };
  const char *message = "'n' must not be negative, got -1 (unknown location)";
  own.enter(fail);
  EXPECT_EQ(ofContext, message);
  EXPECT_EQ(ofProcess, "");
  ofContext.clear();
  none.enter(fail);
  EXPECT_EQ(ofProcess, message);
  ofProcess.clear();
  fail();
  EXPECT_EQ(ofProcess, message);
  ofProcess.clear();
  EXPECT_EQ(fusion_rt_context_set_error_handler(own, nullptr, nullptr),
            FUSION_RT_SUCCESS);
  own.enter(fail);
  EXPECT_EQ(ofProcess, message);
  EXPECT_EQ(ofContext, "");
  fusion_rt_set_error_handler(nullptr, nullptr);
}

//===----------------------------------------------------------------------===//
// Allocators
//===----------------------------------------------------------------------===//

TEST(ContextSettingsTest, Allocators) {
  fusion_rt_clear_caches();
  Context own, other;
  Heap heap;
  EXPECT_EQ(
      fusion_rt_context_set_allocator(own, Heap::alloc, Heap::free, &heap),
      FUSION_RT_SUCCESS);
  Conv first(makeWideSpec()), second(makeWideSpec());
  own.enter([&] {
    first.check();
    void *arena = nullptr;
    EXPECT_EQ(fusion_rt_arena_begin(100, &arena), FUSION_RT_SUCCESS);
    EXPECT_EQ(fusion_rt_arena_end(arena), FUSION_RT_SUCCESS);
    EXPECT_GE(heap.live, 2);
  });
  EXPECT_EQ(heap.live, 1) << "the packed weights";
  int made = heap.made;
  other.enter([&] { second.check(); });
  second.check();
  first.check();
  EXPECT_EQ(heap.made, made);
  fusion_rt_release(&first.slot);
  EXPECT_EQ(heap.live, 0);
}

/// Workers that help leave the context as its caller does.
TEST(ContextSettingsTest, AllocatorsOfALoop) {
  fusion_rt_clear_caches();
  Context context;
  Heap heap;
  fusion_rt_context_set_allocator(context, Heap::alloc, Heap::free, &heap);
  fusion_rt_set_num_threads(3);
  auto body = [](int64_t begin, int64_t end, void *) {
    for (int64_t i = begin; i < end; ++i)
      Conv(makeWideSpec()).check();
  };
  context.enter([&] {
    EXPECT_EQ(fusion_rt_parallel_for(24, 1, body, nullptr), FUSION_RT_SUCCESS);
  });
  EXPECT_GE(heap.made, 24);
  EXPECT_EQ(heap.live, 0);
  fusion_rt_set_num_threads(0);
}

TEST(ContextSettingsTest, MemoryOfOneContextMayBeShort) {
  fusion_rt_clear_caches();
  Context poor, rich;
  Heap heap;
  heap.isEmpty = true;
  fusion_rt_context_set_allocator(poor, Heap::alloc, Heap::free, &heap);
  Conv conv(makeWideSpec());
  poor.enter([&] { EXPECT_EQ(conv.run(), FUSION_RT_OUT_OF_MEMORY); });
  rich.enter([&] { conv.check(); });
  fusion_rt_context_set_allocator(poor, nullptr, nullptr, nullptr);
  poor.enter([&] { Conv(makeWideSpec()).check(); });
}

//===----------------------------------------------------------------------===//
// Logs
//===----------------------------------------------------------------------===//

using Lines = std::vector<std::string>;

static void addLine(const char *line, void *data) {
  static_cast<Lines *>(data)->push_back(line);
}

TEST(ContextSettingsTest, Logs) {
  if (getenv("FUSION_VERBOSE"))
    GTEST_SKIP() << "the variable makes lines, too";
  Context own, other;
  Lines lines;
  EXPECT_EQ(fusion_rt_context_set_log(own, addLine, &lines), FUSION_RT_SUCCESS);
  Conv conv(makeWideSpec());
  testing::internal::CaptureStderr();
  own.enter([&] {
    conv.check();
    conv.args.bias.sizes[0] = 1;
    EXPECT_EQ(conv.run(), FUSION_RT_INVALID_ARGUMENT);
    conv.args.bias.sizes[0] = conv.spec.outputs;
  });
  other.enter([&] { conv.check(); });
  conv.check();
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
  Lines beginnings;
  for (const std::string &line : lines)
    beginnings.push_back(line.substr(0, line.find(' ')));
  ASSERT_EQ(beginnings, (Lines{"create", "pack", "execute", "refuse"}));
  EXPECT_NE(lines.back().find("'bias' must have one element"),
            std::string::npos);
  EXPECT_EQ(fusion_rt_context_set_log(own, nullptr, nullptr),
            FUSION_RT_SUCCESS);
  own.enter([&] { conv.check(); });
  EXPECT_EQ(lines.size(), 4u);
}

//===----------------------------------------------------------------------===//
// All at once
//===----------------------------------------------------------------------===//

TEST(ContextSettingsTest, ThreadsWithAContextEach) {
  constexpr int callers = 4, rounds = 50;
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < callers; ++i)
    threads.emplace_back([&, i] {
      Context context;
      Heap heap;
      Lines lines;
      std::string told;
      fusion_rt_context_set_num_threads(context, 1 + i % 3);
      fusion_rt_context_set_error_handler(context, note, &told);
      fusion_rt_context_set_allocator(context, Heap::alloc, Heap::free, &heap);
      fusion_rt_context_set_log(context, addLine, &lines);
      std::string expected = "'grain' must be at least 1, got " +
                             std::to_string(-i) + " (unknown location)";
      ConvSpec spec = makeWideSpec();
      spec.outputs += i;
      for (int round = 0; round < rounds; ++round)
        context.enter([&] {
          Conv conv(spec);
          wrong += conv.run() != FUSION_RT_SUCCESS;
          fusion_rt_parallel_for_checked(1, -i, nullptr, nullptr);
          wrong += told != expected;
          wrong += fusion_rt_get_num_threads() != 1 + i % 3;
        });
      wrong += heap.live != 0;
      wrong += context.counters().executes != rounds;
      wrong += context.counters().errors != rounds;
      wrong += lines.size() < 3 * rounds;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}
