//===- PackingTest.cpp - Weights brought to the layout of a kernel --------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatmulTest.h"

#include <cstdlib>
#include <cstring>
#include <thread>

using namespace fusion::test;

namespace {
/// Threads of a host that counts the work it is given.
struct Host {
  int works = 0;
  static void run(int32_t count, fusion_rt_task_fn task, void *data,
                  void *context) {
    ++static_cast<Host *>(context)->works;
    std::vector<std::thread> threads;
    for (int32_t i = 0; i < count; ++i)
      threads.emplace_back(task, i, data);
    for (std::thread &thread : threads)
      thread.join();
  }
};

/// Kernels run whole, so that packing alone may be shared. Memory is full of
/// numbers that are none: those that are not written reach the result.
class PackingTest : public testing::Test {
protected:
  void SetUp() override {
    FUSION_NEEDS_ONEDNN();
    setenv("FUSION_TILES", "1x1x1", 1);
    fusion_rt_set_num_threads(3);
    fusion_rt_set_parallel(Host::run, &host);
    fusion_rt_set_allocator(allocate, release, nullptr);
    fusion_rt_reset_counters();
  }
  void TearDown() override {
    fusion_rt_set_allocator(nullptr, nullptr, nullptr);
    fusion_rt_set_parallel(nullptr, nullptr);
    fusion_rt_set_num_threads(0);
    unsetenv("FUSION_TILES");
  }
  static void *allocate(size_t bytes, size_t alignment, void *) {
    void *block = aligned_alloc(alignment, bytes);
    return block ? memset(block, 0xff, bytes) : nullptr;
  }
  static void release(void *block, void *) { free(block); }

  /// Runs `call` twice: the first packs, on several threads if `isShared`.
  template <typename Call> void checkPacks(Call &call, bool isShared) {
    call.check();
    EXPECT_EQ(counters().weight_packs, 1u) << fusion_rt_slot_kernel(&call.slot);
    EXPECT_EQ(host.works, isShared) << fusion_rt_slot_kernel(&call.slot);
    call.check();
    EXPECT_EQ(counters().weight_packs, call.spec.constantWeights ? 1u : 2u);
  }

  Host host;
};
} // namespace

/// A small image with megabytes of weights.
static ConvSpec makeHeavySpec() {
  ConvSpec spec;
  spec.batch = 1;
  spec.image = {4, 3};
  spec.kernel = {3, 3};
  spec.inputs = 130;
  spec.outputs = 520;
  return spec;
}

TEST_F(PackingTest, ConvolutionsArePackedInParts) {
  Conv conv(makeHeavySpec());
  checkPacks(conv, /*isShared=*/true);
}

TEST_F(PackingTest, ChannelsThatFillNoBlock) {
  ConvSpec spec = makeHeavySpec();
  spec.inputs = 129;
  spec.outputs = 515;
  Conv conv(spec);
  checkPacks(conv, /*isShared=*/true);
}

TEST_F(PackingTest, WeightsOfChannelsLastModules) {
  ConvSpec spec = makeHeavySpec();
  spec.weightsLayout = Layout::ChannelsLast;
  Conv conv(spec);
  checkPacks(conv, /*isShared=*/true);
}

TEST_F(PackingTest, WeightsThatChange) {
  ConvSpec spec = makeHeavySpec();
  spec.constantWeights = false;
  Conv conv(spec);
  checkPacks(conv, /*isShared=*/true);
}

TEST_F(PackingTest, Groups) {
  ConvSpec spec = makeHeavySpec();
  spec.groups = 32;
  spec.inputs = 32 * 48;
  spec.outputs = 32 * 64;
  spec.kernel = {2, 2};
  Conv conv(spec);
  checkPacks(conv, /*isShared=*/true);
}

TEST_F(PackingTest, Matmuls) {
  MatmulSpec spec;
  spec.depth = 1030;
  spec.columns = 1000;
  Matmul matmul(spec);
  checkPacks(matmul, /*isShared=*/true);
}

TEST_F(PackingTest, SmallWeightsArePackedAtOnce) {
  ConvSpec spec = makeHeavySpec();
  spec.outputs = 64;
  Conv conv(spec);
  checkPacks(conv, /*isShared=*/false);
}

TEST_F(PackingTest, OneThreadPacksAlone) {
  fusion_rt_set_num_threads(1);
  Conv conv(makeHeavySpec());
  checkPacks(conv, /*isShared=*/false);
}

/// The bytes that packed weights of 70 columns take for `rows`: 96 columns in
/// blocks of 32, 128 in blocks of 64. `kernel` gets the name of the kernel.
static uint64_t packedBytes(fusion_rt_type type, int64_t rows, int64_t depth,
                            std::string &kernel) {
  MatmulSpec spec;
  spec.srcType = spec.dstType = type;
  spec.rows = rows;
  spec.depth = depth;
  spec.columns = 70;
  uint64_t before = counters().packed_bytes;
  Matmul matmul(spec);
  matmul.check();
  kernel = fusion_rt_slot_kernel(&matmul.slot);
  return counters().packed_bytes - before;
}

TEST_F(PackingTest, FewRowsReadNarrowBlocksOfLargeWeights) {
  for (auto type : {FUSION_RT_TYPE_F32, FUSION_RT_TYPE_BF16})
    for (auto [rows, depth, columns] :
         {std::tuple{1, 8192, 96}, std::tuple{8, 8192, 96},
          std::tuple{9, 8192, 128}, std::tuple{8, 1024, 128}}) {
      std::string kernel;
      uint64_t bytes = packedBytes(type, rows, depth, kernel);
      // Other kernels, and those with AMX, have other blocks. Without
      // instructions for bf16 it computes in f32.
      const char *wanted =
          type == FUSION_RT_TYPE_BF16 ? "avx512_core_bf16" : "avx512_core";
      if (kernel.find("brg") == 0 && kernel.find("amx") == std::string::npos &&
          kernel.find(wanted) != std::string::npos)
        EXPECT_EQ(bytes, uint64_t(depth) * columns *
                             (type == FUSION_RT_TYPE_F32 ? 4 : 2))
            << kernel << ", " << rows << " rows";
    }
}
