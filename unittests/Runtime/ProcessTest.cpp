//===- ProcessTest.cpp - Forks, and processes with too little -------------===//
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
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace fusion::test;

namespace {
/// Each test has a process of its own, since a limit affects all of it.
class ProcessDeathTest : public testing::Test {
protected:
  void SetUp() override {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the sanitizer needs more address space than is left";
#endif
    testing::FLAGS_gtest_death_test_style = "threadsafe";
  }
};
} // namespace

/// Runs `body` in a child of this process. It must return true within a minute.
static void expectInChild(const std::function<bool()> &body) {
  fflush(nullptr);
  pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(60);
    _exit(body() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status)) << "signal " << WTERMSIG(status);
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

static bool givesTheSame(Conv &conv, const Tensor &expected) {
  if (conv.run() != FUSION_RT_SUCCESS)
    return false;
  for (int64_t i = 0; i < conv.dst.elements(); ++i)
    if (conv.dst.get(i) != expected.get(i))
      return false;
  return true;
}

static void doNothing(int64_t, int64_t, void *) {}

TEST(ThreadCountTest, ChildrenRun) {
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
  template <typename Condition> static bool waitFor(Condition condition) {
    using Clock = std::chrono::steady_clock;
    auto end = Clock::now() + std::chrono::seconds(20);
    while (!condition() && Clock::now() < end)
      std::this_thread::yield();
    return condition();
  }
};
} // namespace

static void expectExit(pid_t child, int code) {
  int end = 0;
  ASSERT_EQ(waitpid(child, &end, 0), child);
  EXPECT_TRUE(WIFEXITED(end));
  EXPECT_EQ(WEXITSTATUS(end), code);
}

/// Another range runs on a worker, which only the parent has.
TEST(ThreadCountTest, ChildrenOfALoopCannotEndIt) {
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
TEST(ThreadCountTest, ChildrenOfAWorkerEnd) {
  fusion_rt_set_num_threads(2);
  ForkingLoop loop{/*forksInWorker=*/true};
  EXPECT_EQ(fusion_rt_parallel_for(1000, 1, ForkingLoop::run, &loop),
            FUSION_RT_SUCCESS);
  ASSERT_GT(loop.child, 0);
  expectExit(loop.child, EXIT_FAILURE);
  fusion_rt_set_num_threads(0);
}

/// Limits the address space to `bytes` beyond the current size.
static void leave(uint64_t bytes) {
  unsigned long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%lu", &pages) != 1)
    exit(2);
  fclose(file);
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = pages * uint64_t(sysconf(_SC_PAGESIZE)) + bytes;
  if (setrlimit(RLIMIT_AS, &limit))
    exit(2);
}

/// At first only part of the memory that a call needs is there, then all of it.
static void callWithLittleMemory() {
  ConvSpec spec = makeWideSpec();
  spec.image = {56, 56};
  Conv conv(spec);
  fusion_rt_set_num_threads(1);
  for (uint64_t kilobytes : {0, 64, 256, 512, 1024, 4096, 8192}) {
    leave(kilobytes << 10);
    if (fusion_rt_conv(&conv.slot, &conv.args) != FUSION_RT_OUT_OF_MEMORY)
      exit(3);
  }
  leave(uint64_t(1) << 30);
  exit(fusion_rt_conv(&conv.slot, &conv.args) == FUSION_RT_SUCCESS ? 0 : 1);
}

TEST_F(ProcessDeathTest, AddressSpaceThatIsMissingIsAStatus) {
  FUSION_NEEDS_ONEDNN();
  EXPECT_EXIT(callWithLittleMemory(), testing::ExitedWithCode(0), "");
}

/// The slot is destroyed after the objects of the library and oneDNN.
static void releaseWhileTheProcessExits() {
  struct Late {
    Conv *conv = nullptr;
    ~Late() {
      alarm(60);
      if (conv->run() != FUSION_RT_SUCCESS)
        _exit(1);
      fusion_rt_release(&conv->slot);
    }
  };
  static Late late;
  late.conv = new Conv(makeWideSpec());
  late.conv->check();
  exit(0);
}

TEST_F(ProcessDeathTest, SlotsMayBeReleasedWhileTheProcessExits) {
  EXPECT_EXIT(releaseWhileTheProcessExits(), testing::ExitedWithCode(0), "");
}

/// A stack takes 8 MB; the limit is less than 64 of them.
static void askForTooManyThreads() {
  Conv conv(makeWideSpec());
  conv.check();
  const Tensor expected = conv.dst;
  leave(uint64_t(100) << 20);
  fusion_rt_set_num_threads(64);
  bool works =
      givesTheSame(conv, expected) &&
      fusion_rt_parallel_for(1000, 1, doNothing, nullptr) == FUSION_RT_SUCCESS;
  exit(works ? 0 : 1);
}

TEST_F(ProcessDeathTest, ThreadsThatAreNotGrantedAreDoneWithout) {
  EXPECT_EXIT(askForTooManyThreads(), testing::ExitedWithCode(0), "");
}
