//===- PrepareTest.cpp - What is done before the first call ---------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatmulTest.h"
#include "PoolTest.h"

#include <memory>

using namespace fusion::test;

namespace {
class PrepareTest : public testing::Test {
protected:
  void SetUp() override { fusion_rt_reset_counters(); }
  void TearDown() override { fusion_rt_set_num_threads(0); }
};
} // namespace

/// The arguments without any address but that of the weights.
static fusion_rt_conv_args forgetData(fusion_rt_conv_args args) {
  args.src.data = args.bias.data = args.residual.data = args.dst.data = nullptr;
  return args;
}

template <typename Call>
static fusion_rt_status prepare(fusion_rt_function function, Call &call) {
  fusion_rt_conv_args args = forgetData(call.args);
  return fusion_rt_prepare(function, &call.slot, &args);
}

/// Prepares `call`, and expects its first call to find all it needs.
template <typename Call>
static void checkPrepared(fusion_rt_function function, Call &call) {
  ASSERT_EQ(prepare(function, call), FUSION_RT_SUCCESS);
  fusion_rt_counters before = counters();
  EXPECT_EQ(before.creates, 1u);
  EXPECT_EQ(before.executes, 0u);
  call.check();
  EXPECT_EQ(counters().creates, before.creates);
  EXPECT_EQ(counters().weight_packs, before.weight_packs);
  EXPECT_EQ(counters().executes, 1u);
}

TEST_F(PrepareTest, Convolution) {
  Conv conv(makeWideSpec());
  checkPrepared(FUSION_RT_FUNCTION_CONV, conv);
  EXPECT_EQ(counters().weight_packs, 1u);
}

TEST_F(PrepareTest, Residual) {
  ConvSpec spec = makeWideSpec();
  spec.residual = Residual::Apart;
  Conv conv(spec);
  checkPrepared(FUSION_RT_FUNCTION_CONV, conv);
}

TEST_F(PrepareTest, ResidualInPlace) {
  ConvSpec spec = makeWideSpec();
  spec.residual = Residual::InPlace;
  Conv conv(spec);
  // Any address says so, as long as both are the same.
  fusion_rt_conv_args args = forgetData(conv.args);
  args.residual.data = args.dst.data = &args;
  ASSERT_EQ(fusion_rt_prepare(FUSION_RT_FUNCTION_CONV, &conv.slot, &args),
            FUSION_RT_SUCCESS);
  conv.check();
  EXPECT_EQ(counters().creates, 1u);
}

TEST_F(PrepareTest, Matmul) {
  MatmulSpec spec;
  spec.depth = 70;
  spec.columns = 96;
  Matmul matmul(spec);
  checkPrepared(FUSION_RT_FUNCTION_MATMUL, matmul);
}

TEST_F(PrepareTest, PoolHasNoWeights) {
  Pool pool{PoolSpec()};
  checkPrepared(FUSION_RT_FUNCTION_POOL, pool);
  EXPECT_EQ(counters().weight_packs, 0u);
}

TEST_F(PrepareTest, WeightsThatChangeAreNotRead) {
  ConvSpec spec = makeWideSpec();
  spec.constantWeights = false;
  Conv conv(spec);
  fusion_rt_conv_args args = forgetData(conv.args);
  args.weights.data = nullptr;
  ASSERT_EQ(fusion_rt_prepare(FUSION_RT_FUNCTION_CONV, &conv.slot, &args),
            FUSION_RT_SUCCESS);
  EXPECT_EQ(counters().weight_packs, 0u);
  conv.check();
  EXPECT_EQ(counters().creates, 1u);
}

TEST_F(PrepareTest, UnknownWeightsAreLeftToTheFirstCall) {
  Conv conv(makeWideSpec());
  fusion_rt_conv_args args = forgetData(conv.args);
  args.weights.data = nullptr;
  ASSERT_EQ(fusion_rt_prepare(FUSION_RT_FUNCTION_CONV, &conv.slot, &args),
            FUSION_RT_SUCCESS);
  EXPECT_EQ(counters().weight_packs, 0u);
  conv.check();
  EXPECT_EQ(counters().creates, 1u);
  EXPECT_EQ(counters().weight_packs, 1u);
}

TEST_F(PrepareTest, NothingToCompute) {
  ConvSpec spec = makeWideSpec();
  spec.batch = 0;
  Conv conv(spec);
  EXPECT_EQ(prepare(FUSION_RT_FUNCTION_CONV, conv), FUSION_RT_SUCCESS);
  EXPECT_EQ(counters().creates, 0u);
}

TEST_F(PrepareTest, SeveralAtOnceForAllThreads) {
  fusion_rt_set_num_threads(3);
  std::vector<std::unique_ptr<Conv>> convs;
  for (int64_t outputs : {32, 40, 48, 56, 64, 72}) {
    ConvSpec spec = makeWideSpec();
    spec.outputs = outputs;
    convs.push_back(std::make_unique<Conv>(spec));
  }
  ASSERT_EQ(fusion_rt_parallel_for(
                int64_t(convs.size()), /*grain=*/1,
                [](int64_t begin, int64_t end, void *context) {
                  auto *convs = static_cast<std::unique_ptr<Conv> *>(context);
                  for (; begin < end; ++begin)
                    EXPECT_EQ(prepare(FUSION_RT_FUNCTION_CONV, *convs[begin]),
                              FUSION_RT_SUCCESS);
                },
                convs.data()),
            FUSION_RT_SUCCESS);
  EXPECT_EQ(counters().creates, convs.size());
  for (const auto &conv : convs)
    conv->check();
  EXPECT_EQ(counters().creates, convs.size());
}

TEST_F(PrepareTest, WrongShapesAreRefused) {
  Conv conv(makeWideSpec());
  ++conv.args.dst.sizes[1];
  EXPECT_EQ(prepare(FUSION_RT_FUNCTION_CONV, conv), FUSION_RT_INVALID_ARGUMENT);
  EXPECT_NE(std::string(fusion_rt_last_error()).find("dst"), std::string::npos);
}

TEST_F(PrepareTest, ASlotBelongsToOneFunction) {
  Conv conv(makeWideSpec());
  conv.check();
  expectFailure(prepare(FUSION_RT_FUNCTION_POOL, conv),
                FUSION_RT_INVALID_ARGUMENT,
                "'slot' must be used with one function only, was used with "
                "fusion_rt_conv and now with fusion_rt_pool");
}
