//===- InterfaceTest.cpp - Allocator, error handler, traces, versions -----===//
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
#include <stdexcept>
#include <thread>

using namespace fusion::test;

//===----------------------------------------------------------------------===//
// Allocator
//===----------------------------------------------------------------------===//

namespace {
/// Counts blocks, and fails after `left` of them.
struct CountingAllocator {
  std::atomic<int> live{0}, made{0};
  int left = 1 << 30;

  static void *alloc(size_t bytes, size_t alignment, void *context) {
    auto *self = static_cast<CountingAllocator *>(context);
    if (self->left-- <= 0)
      return nullptr;
    EXPECT_GT(bytes, 0u);
    EXPECT_EQ(bytes % alignment, 0u);
    ++self->live;
    ++self->made;
    return aligned_alloc(alignment, bytes);
  }
  static void free(void *block, void *context) {
    --static_cast<CountingAllocator *>(context)->live;
    ::free(block);
  }
};

class AllocatorTest : public testing::Test {
protected:
  // Scratch memory of an earlier test must not hide an allocation.
  void SetUp() override {
    fusion_rt_clear_caches();
    fusion_rt_set_allocator(CountingAllocator::alloc, CountingAllocator::free,
                            &allocator);
  }
  void TearDown() override {
    fusion_rt_set_allocator(nullptr, nullptr, nullptr);
    EXPECT_EQ(allocator.live, 0);
  }
  CountingAllocator allocator;
};
} // namespace

/// A block for packed weights, and one for scratch memory, which plain loops do
/// not need.
static int leastBlocks() { return isOneDnn() ? 2 : 1; }

TEST_F(AllocatorTest, GivesPackedWeightsAndScratch) {
  Conv conv(makeWideSpec());
  conv.check();
  int made = allocator.made;
  EXPECT_GE(made, leastBlocks());
  conv.check();
  EXPECT_EQ(allocator.made, made);
}

TEST_F(AllocatorTest, BlocksGoBackWhereTheyCameFrom) {
  Conv conv(makeWideSpec());
  conv.check();
  EXPECT_GT(allocator.live, 0);
  fusion_rt_set_allocator(nullptr, nullptr, nullptr);
  conv.check();
  fusion_rt_release(&conv.slot);
  EXPECT_EQ(allocator.live, 0);
}

TEST_F(AllocatorTest, ThreadsGiveBackWhenTheyEnd) {
  Conv conv(makeWideSpec());
  conv.check();
  int live = allocator.live;
  std::thread([&] { conv.check(); }).join();
  EXPECT_EQ(allocator.live, live);
}

TEST_F(AllocatorTest, FailuresAreTold) {
  Conv conv(makeWideSpec());
  int failures = 0;
  for (int given = 0;; ++given) {
    fusion_rt_release(&conv.slot);
    allocator.left = given;
    fusion_rt_status status = conv.run();
    if (status == FUSION_RT_SUCCESS)
      break;
    EXPECT_EQ(status, FUSION_RT_OUT_OF_MEMORY);
    EXPECT_NE(std::string(fusion_rt_last_error()).find("cannot allocate"),
              std::string::npos);
    ++failures;
    ASSERT_LT(given, 10);
  }
  EXPECT_GE(failures, leastBlocks());
  conv.compare();
  // A slot works again after a failure, when there is memory.
  fusion_rt_release(&conv.slot);
  allocator.left = leastBlocks() - 1;
  EXPECT_EQ(conv.run(), FUSION_RT_OUT_OF_MEMORY);
  allocator.left = 1 << 30;
  conv.check();
}

//===----------------------------------------------------------------------===//
// Error handler
//===----------------------------------------------------------------------===//

namespace {
struct Told {
  int times = 0;
  fusion_rt_status status = FUSION_RT_SUCCESS;
  std::string message;

  static void handle(fusion_rt_status status, const char *message,
                     void *context) {
    auto *told = static_cast<Told *>(context);
    ++told->times;
    told->status = status;
    told->message = message;
  }
};
} // namespace

TEST(ErrorHandlerTest, IsToldWithTheLocation) {
  Told told;
  fusion_rt_set_error_handler(Told::handle, &told);
  Conv conv(makeWideSpec());
  fusion_rt_conv_checked(&conv.slot, &conv.args);
  EXPECT_EQ(told.times, 0);
  conv.compare();
  conv.args.bias.sizes[0] = 3;
  fusion_rt_conv_checked(&conv.slot, &conv.args);
  EXPECT_EQ(told.times, 1);
  EXPECT_EQ(told.status, FUSION_RT_INVALID_ARGUMENT);
  EXPECT_EQ(told.message, "'bias' must have one element per output channel "
                          "(48), got 3 (conv.mlir:7:3)");
  conv.slot.location = nullptr;
  fusion_rt_conv_checked(&conv.slot, &conv.args);
  EXPECT_EQ(told.message, "'bias' must have one element per output channel "
                          "(48), got 3 (unknown location)");
  fusion_rt_set_error_handler(nullptr, nullptr);
}

TEST(ErrorHandlerTest, CompiledCodeThatGotNoMemoryHasNoDst) {
  Told told;
  fusion_rt_set_error_handler(Told::handle, &told);
  Conv conv(makeWideSpec()); // dst is 2x48x7x6 f32
  conv.args.dst.data = nullptr;
  for (int i = 0; i < 2; ++i) {
    fusion_rt_conv_checked(&conv.slot, &conv.args);
    EXPECT_EQ(told.status, FUSION_RT_OUT_OF_MEMORY);
    EXPECT_EQ(told.message, "cannot allocate 16128 bytes for 'dst', which is "
                            "null (conv.mlir:7:3)");
    // Callers that are not compiled code get the error for a null.
    expectFailure(fusion_rt_conv(&conv.slot, &conv.args),
                  FUSION_RT_INVALID_ARGUMENT, "'dst' must not be null");
    conv.args.dst = conv.dst.view(); // with the sizes known
    conv.check();
    conv.args.dst.data = nullptr;
  }
  // A null input is a mistake of the caller, not a failed allocation.
  conv.args.dst = conv.dst.view();
  conv.args.src.data = nullptr;
  fusion_rt_conv_checked(&conv.slot, &conv.args);
  EXPECT_EQ(told.status, FUSION_RT_INVALID_ARGUMENT);
  fusion_rt_set_error_handler(nullptr, nullptr);
}

static void throwMessage(fusion_rt_status, const char *message, void *) {
  throw std::runtime_error(message);
}

/// A parallel loop of compiled code in which one range fails.
static void failInALoop(Conv &conv) {
  fusion_rt_parallel_for_checked(
      1000, 1,
      [](int64_t begin, int64_t, void *context) {
        auto *failing = static_cast<Conv *>(context);
        if (begin == 0)
          fusion_rt_conv_checked(&failing->slot, &failing->args);
      },
      &conv);
}

TEST(ErrorHandlerTest, MayThrowToTheCallerOfCompiledCode) {
  Conv conv(makeWideSpec());
  conv.args.src.data = nullptr;
  fusion_rt_set_error_handler(throwMessage, nullptr);
  for (int32_t threads : {1, 2}) {
    fusion_rt_set_num_threads(threads);
    std::string caught;
    try {
      failInALoop(conv);
    } catch (const std::runtime_error &error) {
      caught = error.what();
    }
    EXPECT_EQ(caught, "unexpected failure: 'src' must not be null "
                      "(conv.mlir:7:3) (unknown location)");
  }
  fusion_rt_set_num_threads(0);
  fusion_rt_set_error_handler(nullptr, nullptr);
  conv.args.src = conv.src.view();
  conv.check();
}

TEST(ErrorHandlerDeathTest, DefaultPrintsAndAborts) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  Conv conv(makeWideSpec());
  conv.args.src.data = nullptr;
  EXPECT_DEATH(fusion_rt_conv_checked(&conv.slot, &conv.args),
               "fusion runtime error: invalid argument: 'src' must not be "
               "null \\(conv.mlir:7:3\\)");
}

//===----------------------------------------------------------------------===//
// Traces
//===----------------------------------------------------------------------===//

namespace {
struct Trace {
  struct Event {
    std::string name, location, kernel, steps;
    int64_t begin, end;
    fusion_rt_copies copies;
  };
  std::vector<Event> events;

  static void add(const fusion_rt_event *event, void *context) {
    fusion_rt_copies copies;
    fusion_rt_get_traced_copies(&copies);
    static_cast<Trace *>(context)->events.push_back(
        {event->name, event->location, event->kernel, event->steps,
         event->begin_ns, event->end_ns, copies});
  }
};
} // namespace

TEST(TraceTest, TellsOfEachExecution) {
  Trace trace;
  Conv conv(makeWideSpec());
  fusion_rt_set_trace(Trace::add, &trace);
  conv.check();
  conv.check();
  fusion_rt_set_trace(nullptr, nullptr);
  conv.check();
  ASSERT_EQ(trace.events.size(), 2u);
  for (const auto &event : trace.events) {
    EXPECT_EQ(event.name, "conv");
    EXPECT_EQ(event.location, "conv.mlir:7:3");
    EXPECT_EQ(event.kernel, fusion_rt_slot_kernel(&conv.slot));
    EXPECT_LE(event.begin, event.end);
  }
  EXPECT_LE(trace.events[0].end, trace.events[1].begin);
}

TEST(TraceTest, TellsWhatACallDoesBesides) {
  for (bool isConstant : {false, true}) {
    Trace trace;
    ConvSpec spec = makeWideSpec();
    spec.constantWeights = isConstant;
    Conv conv(spec);
    fusion_rt_set_trace(Trace::add, &trace);
    conv.check();
    fusion_rt_set_trace(nullptr, nullptr);
    ASSERT_EQ(trace.events.size(), 1u);
    std::string packed = ", weights packed, " +
                         std::to_string(4 * conv.weights.elements()) + " bytes";
    const std::string &steps = trace.events[0].steps;
    EXPECT_EQ(steps.find(packed) == std::string::npos, isConstant) << steps;
  }
}

/// The bytes that the last of two traced calls copies.
static int64_t copiedBytes(const ConvSpec &spec, int32_t threads) {
  Trace trace;
  Conv conv(spec);
  fusion_rt_set_num_threads(threads);
  fusion_rt_set_trace(Trace::add, &trace);
  conv.check();
  conv.check();
  fusion_rt_set_trace(nullptr, nullptr);
  fusion_rt_set_num_threads(0);
  const Trace::Event &event = trace.events.back();
  EXPECT_EQ(event.copies.bytes > 0, event.copies.ns > 0);
  EXPECT_LT(event.copies.ns, event.end - event.begin);
  return event.copies.bytes;
}

TEST(TraceTest, TellsWhatACallCopies) {
  ConvSpec plain = makeWideSpec();
  // With AVX2 alone more channels would be copied to blocks.
  plain.outputs = 32;
  EXPECT_EQ(copiedBytes(plain, 1), 0);
  ConvSpec packed = plain;
  packed.constantWeights = false;
  Conv conv(packed);
  EXPECT_GE(copiedBytes(packed, 1), 4 * conv.weights.elements());
  if (!isOneDnn())
    GTEST_SKIP() << "plain loops read any layout";
  ConvSpec scrambled = plain;
  scrambled.srcLayout = scrambled.dstLayout = Layout::Scrambled;
  int64_t elements = conv.src.elements() + conv.dst.elements();
  EXPECT_EQ(copiedBytes(scrambled, 1), 4 * elements);
  // Parts of a call may copy elements that both read.
  scrambled.image = {40, 36};
  Conv large(scrambled);
  elements = large.src.elements() + large.dst.elements();
  EXPECT_GE(copiedBytes(scrambled, 2), 4 * elements);
}

TEST(TraceTest, Regions) {
  Trace trace;
  EXPECT_EQ(fusion_rt_trace_begin(), 0);
  fusion_rt_set_trace(Trace::add, &trace);
  int64_t begin = fusion_rt_trace_begin();
  EXPECT_GT(begin, 0);
  fusion_rt_trace_end(begin, "loop", nullptr);
  fusion_rt_trace_end(0, "begun while off", nullptr);
  fusion_rt_set_trace(nullptr, nullptr);
  fusion_rt_trace_end(begin, "ended while off", nullptr);
  ASSERT_EQ(trace.events.size(), 1u);
  EXPECT_EQ(trace.events[0].name, "loop");
  EXPECT_EQ(trace.events[0].location, "");
  EXPECT_EQ(trace.events[0].kernel, "");
  EXPECT_EQ(trace.events[0].begin, begin);
  EXPECT_EQ(trace.events[0].copies.bytes, 0);
}

TEST(TraceTest, RefusedAndEmptyCallsAreNotTraced) {
  Trace trace;
  ConvSpec empty;
  empty.batch = 0;
  Conv conv(empty), refused(makeWideSpec());
  refused.args.bias.sizes[0] = 1;
  fusion_rt_set_trace(Trace::add, &trace);
  conv.check();
  EXPECT_EQ(refused.run(), FUSION_RT_INVALID_ARGUMENT);
  fusion_rt_set_trace(nullptr, nullptr);
  EXPECT_TRUE(trace.events.empty());
}

//===----------------------------------------------------------------------===//
// Versions
//===----------------------------------------------------------------------===//

TEST(VersionTest, OfHeaderAndLibraryAgree) {
  EXPECT_EQ(fusion_rt_abi_version(), FUSION_RT_ABI_VERSION);
  EXPECT_TRUE(isOneDnn() || !strcmp(fusion_rt_backend(), "portable"))
      << fusion_rt_backend();
  // Compilers write the struct into object files.
  EXPECT_EQ(sizeof(fusion_rt_conv_desc), 152u);
  EXPECT_EQ(sizeof(fusion_rt_tensor), 88u);
  EXPECT_EQ(sizeof(fusion_rt_slot), 24u);
}
