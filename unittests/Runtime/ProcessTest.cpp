//===- ProcessTest.cpp - Processes with too little, and their ends --------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvTest.h"

#include <cstdlib>
#include <sys/resource.h>
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

static void doNothing(int64_t, int64_t, void *) {}

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

/// The kernel is there already, so that only the map of the weights fails.
static void mapWithLittleMemory() {
  ConvSpec spec = makeWideSpec();
  spec.inputs = spec.outputs = 512;
  static Conv conv(spec);
  fusion_rt_conv_args args = conv.args;
  args.weights.data = nullptr;
  if (fusion_rt_prepare(FUSION_RT_FUNCTION_CONV, &conv.slot, &args))
    exit(3);
  const std::string path =
      testing::TempDir() + "fusion-weights-" + std::to_string(getpid());
  auto prepare = +[]() -> int {
    return fusion_rt_prepare(FUSION_RT_FUNCTION_CONV, &conv.slot, &conv.args);
  };
  leave(uint64_t(1) << 20);
  if (fusion_rt_prepare_mapped(path.c_str(), prepare) !=
      FUSION_RT_OUT_OF_MEMORY)
    exit(4);
  leave(uint64_t(1) << 30);
  int status = fusion_rt_prepare_mapped(path.c_str(), prepare);
  unlink(path.c_str());
  exit(status);
}

TEST_F(ProcessDeathTest, AddressSpaceForAFileIsMissing) {
  EXPECT_EXIT(mapWithLittleMemory(), testing::ExitedWithCode(0), "");
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
