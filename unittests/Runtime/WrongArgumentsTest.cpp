//===- WrongArgumentsTest.cpp - Each function with each wrong argument ----===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Wrong pointers and numbers, function by function. Descriptors and tensors are
// in the Errors tests. A script checks that no function of the header is
// missing here.

#include "ConvTest.h"

#include <atomic>
#include <fstream>
#include <string>

using namespace fusion::test;

namespace {
struct Told {
  fusion_rt_status status = FUSION_RT_SUCCESS;
  std::string message;
};
} // namespace

/// The arguments of the error handler while `body` runs.
template <typename Body> static Told tell(Body body) {
  Told told;
  fusion_rt_set_error_handler(
      [](fusion_rt_status status, const char *message, void *context) {
        *static_cast<Told *>(context) = {status, message};
      },
      &told);
  body();
  fusion_rt_set_error_handler(nullptr, nullptr);
  return told;
}

static void expectRefused(fusion_rt_status status, const std::string &message) {
  EXPECT_EQ(status, FUSION_RT_INVALID_ARGUMENT);
  EXPECT_EQ(fusion_rt_last_error(), message);
}

template <typename Body>
static void expectTold(const std::string &message, Body body) {
  Told told = tell(body);
  EXPECT_EQ(told.status, FUSION_RT_INVALID_ARGUMENT);
  // The location, if there is one, follows.
  EXPECT_EQ(told.message.substr(0, message.size()), message);
}

static void doNothing(int64_t, int64_t, void *) {}
static void computeNothing(void **, void *const *) {}
static void freeNothing(void *) {}

TEST(WrongArgumentsTest, OpsWithoutASlot) {
  Conv conv{ConvSpec()};
  for (auto *call :
       {fusion_rt_conv, fusion_rt_deconv, fusion_rt_matmul, fusion_rt_pool}) {
    expectRefused(call(nullptr, &conv.args), "'slot' must not be null");
    expectRefused(call(nullptr, nullptr), "'slot' must not be null");
  }
  for (auto *call : {fusion_rt_conv_checked, fusion_rt_deconv_checked,
                     fusion_rt_matmul_checked, fusion_rt_pool_checked})
    expectTold("'slot' must not be null", [&] { call(nullptr, &conv.args); });
}

TEST(WrongArgumentsTest, OpsWithoutArgumentsOrADescriptor) {
  fusion_rt_conv_args args = {};
  for (auto *call :
       {fusion_rt_conv, fusion_rt_deconv, fusion_rt_matmul, fusion_rt_pool}) {
    fusion_rt_slot slot = {};
    expectRefused(call(&slot, nullptr), "'args' must not be null");
    expectRefused(call(&slot, &args), "'desc' must not be null");
    EXPECT_EQ(slot.state, nullptr);
  }
  for (auto *call : {fusion_rt_conv_checked, fusion_rt_deconv_checked,
                     fusion_rt_matmul_checked, fusion_rt_pool_checked}) {
    fusion_rt_slot slot = {};
    expectTold("'args' must not be null", [&] { call(&slot, nullptr); });
    expectTold("'desc' must not be null", [&] { call(&slot, &args); });
  }
}

TEST(WrongArgumentsTest, PreparationOfNothing) {
  Conv conv{ConvSpec()};
  auto conv2d = FUSION_RT_FUNCTION_CONV;
  expectRefused(fusion_rt_prepare(conv2d, nullptr, &conv.args),
                "'slot' must not be null");
  expectRefused(fusion_rt_prepare(conv2d, &conv.slot, nullptr),
                "'args' must not be null");
  auto unknown = static_cast<fusion_rt_function>(7);
  expectRefused(fusion_rt_prepare(unknown, &conv.slot, &conv.args),
                "'function' must be a fusion_rt_function without a "
                "quantization, got 7");
  expectTold("'slot' must not be null",
             [&] { fusion_rt_prepare_checked(conv2d, nullptr, &conv.args); });
}

TEST(WrongArgumentsTest, QuantizedOpsWithoutASlotOrArguments) {
  fusion_rt_quantized_args args = {};
  for (auto *call : {fusion_rt_quantized_conv, fusion_rt_quantized_matmul}) {
    fusion_rt_slot slot = {};
    expectRefused(call(nullptr, &args), "'slot' must not be null");
    expectRefused(call(&slot, nullptr), "'args' must not be null");
    expectRefused(call(&slot, &args), "'desc' must not be null");
  }
  for (auto *call :
       {fusion_rt_quantized_conv_checked, fusion_rt_quantized_matmul_checked}) {
    fusion_rt_slot slot = {};
    expectTold("'slot' must not be null", [&] { call(nullptr, &args); });
    expectTold("'args' must not be null", [&] { call(&slot, nullptr); });
    expectTold("'desc' must not be null", [&] { call(&slot, &args); });
  }
  auto conv = FUSION_RT_FUNCTION_QUANTIZED_CONV;
  fusion_rt_slot slot = {};
  expectRefused(fusion_rt_prepare_quantized(conv, nullptr, &args),
                "'slot' must not be null");
  expectRefused(fusion_rt_prepare_quantized(conv, &slot, nullptr),
                "'args' must not be null");
  expectRefused(
      fusion_rt_prepare_quantized(FUSION_RT_FUNCTION_CONV, &slot, &args),
      "'function' must be a fusion_rt_function with a quantization, got 0");
  expectTold("'slot' must not be null", [&] {
    fusion_rt_prepare_quantized_checked(conv, nullptr, &args);
  });
}

/// A slot that was used with one kind of function is given to the other.
TEST(WrongArgumentsTest, AKernelsSlotIsNotThatOfOnce) {
  Conv conv{ConvSpec()};
  conv.check();
  fusion_rt_once_desc once = {FUSION_RT_ABI_VERSION, sizeof(once), 0, 0,
                              computeNothing,        freeNothing};
  conv.slot.desc = &once;
  void *const *results = nullptr;
  expectRefused(fusion_rt_once(&conv.slot, nullptr, &results),
                "'slot' must be used with one function only, was used with "
                "fusion_rt_conv and now with fusion_rt_once");
  EXPECT_EQ(results, nullptr);
  fusion_rt_once_release(&conv.slot);
  conv.slot.desc = &conv.desc;
  EXPECT_NE(fusion_rt_slot_kernel(&conv.slot), nullptr);
  conv.check();
}

TEST(WrongArgumentsTest, TheSlotOfOnceIsNoKernels) {
  fusion_rt_once_desc once = {FUSION_RT_ABI_VERSION, sizeof(once), 0, 0,
                              computeNothing,        freeNothing};
  fusion_rt_slot slot = {&once, nullptr, nullptr};
  void *const *results = nullptr;
  ASSERT_EQ(fusion_rt_once(&slot, nullptr, &results), FUSION_RT_SUCCESS);
  Conv conv{ConvSpec()};
  slot.desc = &conv.desc;
  expectRefused(fusion_rt_conv(&slot, &conv.args),
                "'slot' must be used with one function only, was used with "
                "fusion_rt_once and now with fusion_rt_conv");
  EXPECT_EQ(fusion_rt_slot_kernel(&slot), nullptr);
  fusion_rt_release(&slot);
  EXPECT_NE(slot.state, nullptr);
  slot.desc = &once;
  fusion_rt_once_release(&slot);
  EXPECT_EQ(slot.state, nullptr);
}

TEST(WrongArgumentsTest, Once) {
  fusion_rt_slot slot = {};
  void *const *results = nullptr;
  expectRefused(fusion_rt_once(nullptr, nullptr, &results),
                "'slot' and 'results' must not be null");
  expectRefused(fusion_rt_once(&slot, nullptr, nullptr),
                "'slot' and 'results' must not be null");
  expectRefused(fusion_rt_once(&slot, nullptr, &results),
                "'desc' must not be null");
}

TEST(WrongArgumentsDeathTest, OnceHasNothingToReturn) {
  auto call = [] { tell([] { fusion_rt_once_checked(nullptr, nullptr); }); };
  EXPECT_DEATH(call(), "");
}

TEST(WrongArgumentsTest, Arena) {
  void *arena = nullptr;
  expectRefused(fusion_rt_arena_begin(-1, &arena),
                "'bytes' must be at least 0, got -1");
  expectRefused(fusion_rt_arena_begin(64, nullptr), "'arena' must not be null");
  EXPECT_EQ(fusion_rt_arena_end(nullptr), FUSION_RT_INVALID_ARGUMENT);
  EXPECT_EQ(fusion_rt_arena_end(static_cast<void *>(&arena)),
            FUSION_RT_INVALID_ARGUMENT);
  EXPECT_EQ(tell([] { fusion_rt_arena_end_checked(nullptr); }).status,
            FUSION_RT_INVALID_ARGUMENT);
}

TEST(WrongArgumentsDeathTest, AnArenaThatThereIsNot) {
  auto call = [] { tell([] { fusion_rt_arena_begin_checked(-1); }); };
  EXPECT_DEATH(call(), "");
}

TEST(WrongArgumentsTest, NullWhereNothingIsToBeDone) {
  fusion_rt_release(nullptr);
  fusion_rt_once_release(nullptr);
  EXPECT_EQ(fusion_rt_slot_kernel(nullptr), nullptr);
  fusion_rt_get_counters(nullptr);
  fusion_rt_get_traced_copies(nullptr);
  fusion_rt_trace_end(0, nullptr, nullptr);
  fusion_rt_set_trace(nullptr, nullptr);
  fusion_rt_set_error_handler(nullptr, nullptr);
}

TEST(WrongArgumentsTest, TracesHaveNames) {
  std::string name = "none";
  fusion_rt_set_trace(
      [](const fusion_rt_event *event, void *context) {
        *static_cast<std::string *>(context) =
            event->name ? event->name : "null";
      },
      &name);
  fusion_rt_trace_end(fusion_rt_trace_begin(), nullptr, nullptr);
  fusion_rt_set_trace(nullptr, nullptr);
  EXPECT_EQ(name, "");
}

TEST(WrongArgumentsTest, Settings) {
  auto alloc = [](size_t, size_t, void *) -> void * { return nullptr; };
  auto free = [](void *, void *) {};
  expectRefused(fusion_rt_set_allocator(alloc, nullptr, nullptr),
                "'alloc' and 'free' must be given together, got only 'alloc'");
  expectRefused(fusion_rt_set_allocator(nullptr, free, nullptr),
                "'alloc' and 'free' must be given together, got only 'free'");
  int32_t threads = fusion_rt_get_num_threads();
  int32_t previous = -1;
  for (int32_t wrong : {-1, 1025, INT32_MIN, INT32_MAX})
    for (fusion_rt_status status :
         {fusion_rt_set_num_threads(wrong),
          fusion_rt_set_caller_threads(wrong, &previous)})
      expectRefused(status, "'threads' must be between 0 and 1024, got " +
                                std::to_string(wrong));
  EXPECT_EQ(previous, -1);
  EXPECT_EQ(fusion_rt_get_num_threads(), threads);
  for (int32_t wrong : {0, -1, INT32_MIN})
    expectRefused(fusion_rt_set_cache_capacity(wrong),
                  "'entries' must be at least 1, got " + std::to_string(wrong));
}

/// A host that runs none of the tasks, or runs each twice.
TEST(WrongArgumentsTest, HostsThatMiscount) {
  auto runNone = [](int32_t, fusion_rt_task_fn, void *, void *) {};
  auto runTwice = [](int32_t count, fusion_rt_task_fn task, void *data,
                     void *) {
    for (int32_t i = 0; i < 2 * count; ++i)
      task(i % count, data);
  };
  fusion_rt_set_num_threads(3);
  for (fusion_rt_parallel_fn fn : {+runNone, +runTwice}) {
    EXPECT_EQ(fusion_rt_set_parallel(fn, nullptr), FUSION_RT_SUCCESS);
    std::atomic<int64_t> sum{0};
    auto add = [](int64_t begin, int64_t end, void *context) {
      *static_cast<std::atomic<int64_t> *>(context) += end - begin;
    };
    EXPECT_EQ(fusion_rt_parallel_for(1000, 1, add, &sum), FUSION_RT_SUCCESS);
    EXPECT_EQ(sum, 1000);
  }
  EXPECT_EQ(fusion_rt_set_parallel(nullptr, nullptr), FUSION_RT_SUCCESS);
  fusion_rt_set_num_threads(0);
}

TEST(WrongArgumentsTest, ParallelFor) {
  expectRefused(fusion_rt_parallel_for(-1, 1, doNothing, nullptr),
                "'n' must not be negative, got -1");
  expectRefused(fusion_rt_parallel_for(1, 0, doNothing, nullptr),
                "'grain' must be at least 1, got 0");
  expectRefused(fusion_rt_parallel_for(1, 1, nullptr, nullptr),
                "'fn' must not be null");
  EXPECT_EQ(tell([] {
              fusion_rt_parallel_for_checked(1, 1, nullptr, nullptr);
            }).status,
            FUSION_RT_INVALID_ARGUMENT);
}

TEST(WrongArgumentsTest, NumbersOfNoStatus) {
  for (int number : {-1, 9, 1000})
    EXPECT_STREQ(fusion_rt_status_string(static_cast<fusion_rt_status>(number)),
                 "unknown status");
}

/// Functions without arguments.
TEST(WrongArgumentsTest, WithoutArguments) {
  EXPECT_EQ(fusion_rt_abi_version(), FUSION_RT_ABI_VERSION);
  EXPECT_NE(fusion_rt_backend(), nullptr);
  fusion_rt_clear_caches();
  fusion_rt_reset_counters();
  EXPECT_NE(fusion_rt_last_error(), nullptr);
}

TEST(WrongArgumentsTest, Contexts) {
  const char *sentence = "'context' must not be null";
  expectRefused(fusion_rt_context_create(nullptr), sentence);
  expectRefused(fusion_rt_context_cancel(nullptr), sentence);
  expectRefused(fusion_rt_context_set_deadline(nullptr, 1), sentence);
  expectRefused(fusion_rt_context_reset(nullptr), sentence);
  expectRefused(fusion_rt_context_set_num_threads(nullptr, 1), sentence);
  expectRefused(fusion_rt_context_set_cache_capacity(nullptr, 1), sentence);
  expectRefused(fusion_rt_context_reset_counters(nullptr), sentence);
  expectRefused(fusion_rt_context_set_error_handler(nullptr, nullptr, nullptr),
                sentence);
  expectRefused(
      fusion_rt_context_set_allocator(nullptr, nullptr, nullptr, nullptr),
      sentence);
  expectRefused(fusion_rt_context_set_log(nullptr, nullptr, nullptr), sentence);
  fusion_rt_counters counters;
  expectRefused(fusion_rt_context_get_counters(nullptr, &counters),
                "'context' and 'counters' must not be null");
  fusion_rt_context_destroy(nullptr);
  EXPECT_EQ(fusion_rt_context_enter(nullptr), nullptr);
  fusion_rt_context *context = nullptr;
  ASSERT_EQ(fusion_rt_context_create(&context), FUSION_RT_SUCCESS);
  expectRefused(fusion_rt_context_get_counters(context, nullptr),
                "'context' and 'counters' must not be null");
  expectRefused(fusion_rt_context_set_num_threads(context, 1025),
                "'threads' must be between 0 and 1024, got 1025");
  expectRefused(fusion_rt_context_set_cache_capacity(context, -1),
                "'entries' must not be negative, got -1");
  auto alloc = [](size_t, size_t, void *) -> void * { return nullptr; };
  expectRefused(
      fusion_rt_context_set_allocator(context, alloc, nullptr, nullptr),
      "'alloc' and 'free' must be given together, got only 'alloc'");
  fusion_rt_context_destroy(context);
}

static void enterNothing(void *, void *const *) {}

TEST(WrongArgumentsTest, Call) {
  fusion_rt_value_desc scalar = {"i64", 1, 0, nullptr};
  fusion_rt_signature signature = {FUSION_RT_ABI_VERSION,
                                   sizeof(fusion_rt_signature),
                                   "f",
                                   1,
                                   1,
                                   &scalar,
                                   &scalar,
                                   sizeof(int64_t)};
  int64_t result = 5, argument = 6;
  void *arguments[] = {&argument}, *none[] = {nullptr};
  expectRefused(fusion_rt_call(nullptr, enterNothing, &result, arguments),
                "'signature' and 'fn' must not be null");
  expectRefused(fusion_rt_call(&signature, nullptr, &result, arguments),
                "'signature' and 'fn' must not be null");
  expectRefused(fusion_rt_call(&signature, enterNothing, nullptr, arguments),
                "'results' must not be null");
  expectRefused(fusion_rt_call(&signature, enterNothing, &result, nullptr),
                "'arguments' must not be null");
  expectRefused(fusion_rt_call(&signature, enterNothing, &result, none),
                "'argument0' must not be null");
  signature.struct_size = 8;
  EXPECT_EQ(fusion_rt_call(&signature, enterNothing, &result, arguments),
            FUSION_RT_UNSUPPORTED_VERSION);
  // The result is zero, whatever is refused.
  EXPECT_EQ(result, 0);
}

TEST(WrongArgumentsTest, PrepareMapped) {
  const char *told = "'path' and 'prepare' must not be null or empty";
  auto prepare = [] { return 0; };
  expectRefused(fusion_rt_prepare_mapped(nullptr, prepare), told);
  expectRefused(fusion_rt_prepare_mapped("", prepare), told);
  expectRefused(fusion_rt_prepare_mapped("weights", nullptr), told);
  // A file is not made for a mistake within.
  auto nested = [] {
    return static_cast<int>(
        fusion_rt_prepare_mapped("weights", [] { return 0; }));
  };
  EXPECT_EQ(fusion_rt_prepare_mapped("wrong-arguments.weights", nested),
            FUSION_RT_INVALID_ARGUMENT);
  EXPECT_FALSE(std::ifstream("wrong-arguments.weights"));
}

TEST(WrongArgumentsTest, Entries) {
  for (auto call : {fusion_rt_call_entry, fusion_rt_call_entry_into}) {
    expectRefused(call(nullptr, nullptr, nullptr), "'entry' must not be null");
    fusion_rt_entry_info entry = {};
    entry.abi_version = FUSION_RT_ABI_VERSION;
    entry.struct_size = sizeof(entry);
    expectRefused(call(&entry, nullptr, nullptr),
                  "'signature' and 'function' must not be null");
    fusion_rt_signature signature = {};
    entry.signature = &signature;
    expectRefused(call(&entry, nullptr, nullptr),
                  "'signature' and 'function' must not be null");
    entry.function = [](void *, void *const *) {};
    EXPECT_EQ(call(&entry, nullptr, nullptr), FUSION_RT_UNSUPPORTED_VERSION);
    signature.abi_version = FUSION_RT_ABI_VERSION;
    signature.struct_size = sizeof(signature);
    fusion_rt_value_desc scalar = {"i64", 1, 0, nullptr};
    signature.results = &scalar;
    signature.num_results = 1;
    expectRefused(call(&entry, nullptr, nullptr), "'results' must not be null");
    signature.num_results = 0;
    signature.results_size = -1;
    expectRefused(call(&entry, &scalar, nullptr),
                  "'results_size' must not be negative, got -1");
    signature.results_size = 0;
    EXPECT_EQ(call(&entry, nullptr, nullptr), FUSION_RT_SUCCESS);
    entry.struct_size = 8;
    EXPECT_EQ(call(&entry, nullptr, nullptr), FUSION_RT_UNSUPPORTED_VERSION);
  }
}

TEST(WrongArgumentsTest, ResultsOfARefusedEntryAreZero) {
  fusion_rt_entry_info entry = {};
  fusion_rt_signature signature = {};
  signature.results_size = sizeof(int64_t);
  entry.signature = &signature;
  int64_t result = 5;
  EXPECT_EQ(fusion_rt_call_entry(&entry, &result, nullptr),
            FUSION_RT_UNSUPPORTED_VERSION);
  EXPECT_EQ(result, 0);
}

TEST(WrongArgumentsTest, FreeingNothing) { fusion_rt_free(nullptr); }

TEST(WrongArgumentsTest, Malloc) {
  expectRefused(fusion_rt_malloc(8, nullptr), "'block' must not be null");
  void *block = &block;
  EXPECT_EQ(fusion_rt_malloc(static_cast<size_t>(-8), &block),
            FUSION_RT_INVALID_ARGUMENT);
  EXPECT_EQ(block, nullptr);
}

TEST(WrongArgumentsDeathTest, MemoryOutsideOfACall) {
  constexpr const char *told =
      "fusion runtime error: invalid argument: the size of a tensor must not "
      "be negative or beyond the address space, got -8 bytes";
  auto negative = static_cast<size_t>(-8);
  EXPECT_DEATH(fusion_rt_malloc_checked(negative), told);
  EXPECT_DEATH(fusion_rt_aligned_alloc_checked(64, negative), told);
  EXPECT_DEATH(fusion_rt_calloc_checked(SIZE_MAX / 2, 4),
               "the size of a tensor must not be negative");
}

TEST(WrongArgumentsDeathTest, AssertionOutsideOfACall) {
  EXPECT_DEATH(
      {
        fusion_rt_assertion_message(nullptr);
        fusion_rt_assertion_failed();
      },
      "an assertion of the program must hold: ");
  auto *fail = &fusion_rt_check_failed; // which compilers do not warn of
  EXPECT_DEATH(fail(nullptr), "fusion runtime error: invalid argument: ");
}
