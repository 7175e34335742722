//===- ForkTest.cpp - Children of a process that calls --------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvTest.h"

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <memory>
#include <pthread.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace fusion::test;

/// Makes a child of this process for `body`, which must return within a minute.
static pid_t forkInto(const std::function<bool()> &body) {
  fflush(nullptr);
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(body() ? 0 : 1);
  }
  return child;
}

static void expectExit(pid_t child, int code) {
  int end = 0;
  ASSERT_EQ(waitpid(child, &end, 0), child);
  EXPECT_TRUE(WIFEXITED(end)) << "signal " << WTERMSIG(end);
  EXPECT_EQ(WEXITSTATUS(end), code);
}

/// `body` must return true in a child of this process.
static void expectInChild(const std::function<bool()> &body) {
  expectExit(forkInto(body), 0);
}

/// Waits for another thread, for 20 s.
template <typename Condition> static bool waitFor(Condition condition) {
  using Clock = std::chrono::steady_clock;
  auto end = Clock::now() + std::chrono::seconds(20);
  while (!condition() && Clock::now() < end)
    std::this_thread::yield();
  return condition();
}

static void doNothing(int64_t, int64_t, void *) {}

TEST(ForkTest, ChildrenRun) {
  fusion_rt_set_num_threads(2);
  Conv conv(makeWideSpec());
  conv.check();
  ASSERT_EQ(fusion_rt_parallel_for(1000, 1, doNothing, nullptr),
            FUSION_RT_SUCCESS);
  const Tensor expected = conv.dst;
  // These run on threads of the child's own.
  auto runs = [&] {
    return givesTheSame(conv, expected) && fusion_rt_get_num_threads() == 2 &&
           fusion_rt_parallel_for(1000, 1, doNothing, nullptr) ==
               FUSION_RT_SUCCESS;
  };
  expectInChild(runs);
  expectInChild([&] {
    bool isSame = false;
    std::thread([&] { isSame = runs(); }).join();
    return isSame;
  });
  expectInChild([&] { // and grandchildren
    expectInChild(runs);
    return runs() && !testing::Test::HasFailure();
  });
  EXPECT_TRUE(runs());
  fusion_rt_set_num_threads(0);
}

namespace {
/// A loop in which one thread forks after another one has joined.
struct ForkingLoop {
  const bool forksInWorker;
  const pid_t parent = getpid();
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> isOtherThere{false};
  std::atomic<pid_t> child{0};

  static void run(int64_t, int64_t, void *context) {
    static_cast<ForkingLoop *>(context)->run();
  }
  void run() {
    bool isCaller = std::this_thread::get_id() == caller;
    if (child)
      return;
    if (isCaller != forksInWorker) {
      if (waitFor([&] { return isOtherThere.load(); }))
        child = fork();
    } else {
      isOtherThere = true;
      waitFor([&] { return child != 0; });
    }
  }
};
} // namespace

/// Another range runs on a worker, which only the parent has.
TEST(ForkTest, ChildrenOfALoopCannotEndIt) {
  fusion_rt_set_num_threads(2);
  ForkingLoop loop{/*forksInWorker=*/false};
  auto status = fusion_rt_parallel_for(1000, 1, ForkingLoop::run, &loop);
  if (getpid() != loop.parent)
    _exit(status == FUSION_RT_BACKEND_ERROR ? 0 : 2);
  EXPECT_EQ(status, FUSION_RT_SUCCESS);
  ASSERT_GT(loop.child, 0);
  expectExit(loop.child, 0);
  fusion_rt_set_num_threads(0);
}

/// A child of a worker has no caller to return to.
TEST(ForkTest, ChildrenOfAWorkerEnd) {
  fusion_rt_set_num_threads(2);
  ForkingLoop loop{/*forksInWorker=*/true};
  EXPECT_EQ(fusion_rt_parallel_for(1000, 1, ForkingLoop::run, &loop),
            FUSION_RT_SUCCESS);
  ASSERT_GT(loop.child, 0);
  expectExit(loop.child, EXIT_FAILURE);
  fusion_rt_set_num_threads(0);
}

//===----------------------------------------------------------------------===//
// Workers of a server
//===----------------------------------------------------------------------===//

/// Two threads of a process run a slot of its parent, and each a slot of its
/// own, which creates kernels.
static bool serves(Conv &prepared, const Tensor &expected) {
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&] {
      Tensor dst = expected;
      fusion_rt_conv_args args = prepared.args;
      args.dst = dst.view();
      Conv own(prepared.spec);
      for (int round = 0; round < 5; ++round) {
        wrong += fusion_rt_conv(&prepared.slot, &args) != FUSION_RT_SUCCESS;
        for (int64_t at = 0; at < dst.elements(); ++at)
          wrong += dst.get(at) != expected.get(at);
        wrong += !givesTheSame(own, expected);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  return wrong == 0;
}

/// The process of the test has called nothing when it forks.
static void forkBeforeTheFirstCall() {
  Conv conv(makeWideSpec());
  for (int i = 0; i < 2; ++i)
    expectInChild([&] {
      conv.check();
      const Tensor expected = conv.dst;
      return serves(conv, expected) && !testing::Test::HasFailure();
    });
  conv.check();
  exit(testing::Test::HasFailure() ? 1 : 0);
}

TEST(ForkDeathTest, BeforeTheFirstCall) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(forkBeforeTheFirstCall(), testing::ExitedWithCode(0), "");
}

TEST(ForkTest, WorkersThatAreForkedInAdvanceServe) {
  fusion_rt_set_num_threads(2);
  Conv conv(makeWideSpec());
  ASSERT_EQ(fusion_rt_prepare(FUSION_RT_FUNCTION_CONV, &conv.slot, &conv.args),
            FUSION_RT_SUCCESS);
  conv.check();
  const Tensor expected = conv.dst;
  std::vector<pid_t> children;
  for (int i = 0; i < 3; ++i)
    children.push_back(forkInto([&] { return serves(conv, expected); }));
  EXPECT_TRUE(serves(conv, expected));
  for (pid_t child : children)
    expectExit(child, 0);
  fusion_rt_set_num_threads(0);
}

#ifdef FUSION_TEST_ONEDNN
// Of libgomp, whatever compiler builds this.
extern "C" void GOMP_parallel(void (*fn)(void *), void *data, unsigned threads,
                              unsigned flags);

/// libgomp's threads do not survive a fork: a child that needed them would wait
/// for ever.
static void forkAfterOpenMP() {
  std::atomic<int> ran{0};
  GOMP_parallel([](void *ran) { ++*static_cast<std::atomic<int> *>(ran); },
                &ran, /*threads=*/2, /*flags=*/0);
  EXPECT_EQ(ran, 2);
  fusion_rt_set_num_threads(2);
  Conv conv(makeWideSpec());
  conv.check();
  const Tensor expected = conv.dst;
  EXPECT_TRUE(serves(conv, expected));
  expectInChild([&] { return serves(conv, expected); });
  exit(testing::Test::HasFailure() ? 1 : 0);
}

TEST(ForkDeathTest, OpenMPHasRunInTheParent) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(forkAfterOpenMP(), testing::ExitedWithCode(0), "");
}
#endif

//===----------------------------------------------------------------------===//
// Forks while another thread is in a call
//===----------------------------------------------------------------------===//

/// Set when a fork begins. Handlers run in the reverse order of their
/// registration, so that this one comes before the library's.
static std::atomic<bool> hasForkBegun{false};
static void watchForks() {
  static const int watched =
      pthread_atfork([] { hasForkBegun = true; }, nullptr, nullptr);
  ASSERT_EQ(watched, 0);
  hasForkBegun = false;
}

static void waitUntil(const std::atomic<bool> &flag) {
  while (!flag)
    std::this_thread::yield();
}

namespace {
/// A first call on a thread of its own, which waits in the middle of packing
/// weights, with locks taken.
class CallThatWaits {
public:
  explicit CallThatWaits(std::atomic<bool> &mayGoOn) : mayGoOn(mayGoOn) {
    watchForks();
    fusion_rt_clear_caches();
    fusion_rt_set_allocator(alloc, free, this);
    thread = std::thread([this] { status = conv.run(); });
    waitUntil(isInside);
    fusion_rt_set_allocator(nullptr, nullptr, nullptr);
  }
  void finish() {
    thread.join();
    EXPECT_EQ(status, FUSION_RT_SUCCESS);
    conv.compare();
  }
  Conv conv{makeWideSpec()};

private:
  static void *alloc(size_t bytes, size_t alignment, void *context) {
    auto &self = *static_cast<CallThatWaits *>(context);
    self.isInside = true;
    waitUntil(self.mayGoOn);
    return aligned_alloc(alignment, bytes);
  }
  static void free(void *block, void *) { ::free(block); }

  std::atomic<bool> &mayGoOn;
  std::atomic<bool> isInside{false};
  std::thread thread;
  fusion_rt_status status = FUSION_RT_BACKEND_ERROR;
};
} // namespace

TEST(ForkTest, AForkWaitsForLocks) {
  Conv other(makeWideSpec());
  other.check();
  const Tensor expected = other.dst;
  CallThatWaits call(hasForkBegun);
  expectInChild([&] {
    return givesTheSame(call.conv, expected) && serves(other, expected);
  });
  call.finish();
}

/// A lock that is not released in time stays taken in the child. Such a child
/// gets a status in place of a kernel, and makes the calls that it has made
/// before.
TEST(ForkTest, AForkDoesNotWaitForEver) {
  std::atomic<bool> hasForked{false};
  CallThatWaits call(hasForked);
  Conv warm(makeWideSpec());
  warm.check();
  const Tensor expected = warm.dst;
  expectInChild([&] {
    const char *sentence = "a child of fork() cannot create kernels, pack "
                           "weights or compute constants if another thread "
                           "did so when it was made";
    auto isRefused = [&](fusion_rt_status status) {
      return status == FUSION_RT_BACKEND_ERROR &&
             !strcmp(fusion_rt_last_error(), sentence);
    };
    Conv fresh(makeWideSpec());
    static const fusion_rt_once_desc desc = {FUSION_RT_ABI_VERSION,
                                             sizeof(fusion_rt_once_desc),
                                             0,
                                             0,
                                             [](void **, void *const *) {},
                                             ::free};
    fusion_rt_slot once = {&desc, nullptr, nullptr};
    void *const *results = nullptr;
    bool isRight = isRefused(call.conv.run()) && isRefused(fresh.run()) &&
                   isRefused(fusion_rt_prepare(FUSION_RT_FUNCTION_CONV,
                                               &fresh.slot, &fresh.args)) &&
                   isRefused(fusion_rt_once(&once, nullptr, &results)) &&
                   isRefused(fusion_rt_set_cache_capacity(3)) &&
                   givesTheSame(warm, expected) &&
                   fusion_rt_parallel_for(1000, 1, doNothing, nullptr) ==
                       FUSION_RT_SUCCESS;
    fusion_rt_clear_caches();
    fusion_rt_release(&call.conv.slot);
    fusion_rt_release(&fresh.slot);
    std::thread([&] { isRight &= isRefused(fresh.run()); }).join();
    return isRight;
  });
  hasForked = true;
  call.finish();
}

/// The call itself holds locks that its child can release.
TEST(ForkTest, AnAllocatorMayFork) {
  struct Forking {
    pid_t child = -1;
    static void *alloc(size_t bytes, size_t alignment, void *context) {
      auto &self = *static_cast<Forking *>(context);
      if (self.child < 0)
        self.child = fork();
      return aligned_alloc(alignment, bytes);
    }
    static void free(void *block, void *) { ::free(block); }
  } forking;
  fusion_rt_clear_caches();
  fusion_rt_set_allocator(Forking::alloc, Forking::free, &forking);
  Conv conv(makeWideSpec());
  fusion_rt_status status = conv.run();
  if (forking.child == 0)
    _exit(status == FUSION_RT_SUCCESS ? 0 : 1);
  fusion_rt_clear_caches();
  fusion_rt_set_allocator(nullptr, nullptr, nullptr);
  EXPECT_EQ(status, FUSION_RT_SUCCESS);
  ASSERT_GT(forking.child, 0);
  expectExit(forking.child, 0);
}

/// Kernels come and go on two threads: a child of any moment serves.
TEST(ForkTest, ForksWhileOthersCreate) {
  Conv conv(makeWideSpec());
  conv.check();
  const Tensor expected = conv.dst;
  std::atomic<bool> isOver{false};
  std::atomic<int> wrong{0};
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i)
    threads.emplace_back([&, i] {
      for (int round = 0; !isOver; ++round) {
        ConvSpec spec = makeWideSpec();
        spec.image[0] += round % 50 + 50 * i;
        wrong += Conv(spec).run() != FUSION_RT_SUCCESS;
        if (round % 8 == 0)
          fusion_rt_clear_caches();
      }
    });
  for (int i = 0; i < 20; ++i)
    expectInChild([&] { return serves(conv, expected); });
  isOver = true;
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
}
