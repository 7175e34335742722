//===- PortableTest.cpp - What holds of plain loops alone -----------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatmulTest.h"
#include "PoolTest.h"

#include <cmath>
#include <cstring>

using namespace fusion::test;

TEST(PortableTest, NamesItself) {
  EXPECT_STREQ(fusion_rt_backend(), "portable");
  Conv conv{ConvSpec()};
  conv.check();
  EXPECT_STREQ(fusion_rt_slot_kernel(&conv.slot), "loops");
}

/// The loops need f32 weights with contiguous output channels.
TEST(PortableTest, PacksWeightsThatLieOtherwise) {
  struct {
    Layout layout;
    fusion_rt_type type;
    uint64_t packs;
  } cases[] = {{Layout::ChannelsFirst, FUSION_RT_TYPE_F32, 1},
               {Layout::ChannelsFirst, FUSION_RT_TYPE_BF16, 1},
               {Layout::ChannelsLast, FUSION_RT_TYPE_F32, 1}};
  for (auto &[layout, type, packs] : cases) {
    ConvSpec spec;
    spec.weightsLayout = layout;
    spec.srcType = type;
    Conv conv(spec);
    uint64_t before = counters().weight_packs;
    conv.check();
    conv.check();
    EXPECT_EQ(counters().weight_packs - before, packs);
  }
  for (bool isConstant : {true, false}) {
    MatmulSpec spec;
    spec.constantWeights = isConstant;
    Matmul matmul(spec);
    uint64_t before = counters().weight_packs;
    matmul.check();
    EXPECT_EQ(counters().weight_packs, before);
  }
}

TEST(PortableTest, BitsDoNotDependOnTheThreads) {
  ConvSpec spec;
  spec.inputs = 40;
  spec.outputs = 150; // some blocks of channels
  spec.image = {19, 17};
  spec.activation = FUSION_RT_ACT_GELU_ERF;
  Conv one(spec), more(spec);
  fusion_rt_set_num_threads(1);
  one.check();
  for (int32_t threads : {2, 3, 8}) {
    fusion_rt_set_num_threads(threads);
    more.check();
    for (int64_t i = 0; i < one.dst.elements(); ++i)
      ASSERT_EQ(one.dst.get(i), more.dst.get(i)) << threads << " threads";
  }
  fusion_rt_set_num_threads(0);
}

TEST(PortableTest, AMaximumKeepsNaNAndInfinity) {
  Pool pool{PoolSpec()};
  for (int64_t i = 0; i < pool.src.elements(); ++i)
    pool.src.set(i, -INFINITY);
  pool.src.set(40, NAN);
  ASSERT_EQ(pool.run(), FUSION_RT_SUCCESS);
  int64_t nans = 0;
  for (int64_t i = 0; i < pool.dst.elements(); ++i) {
    nans += std::isnan(pool.dst.get(i));
    ASSERT_TRUE(std::isnan(pool.dst.get(i)) || pool.dst.get(i) == -INFINITY);
  }
  EXPECT_GT(nans, 0);
}

TEST(PortableTest, ReluAndClipKeepNaN) {
  for (fusion_rt_activation activation :
       {FUSION_RT_ACT_RELU, FUSION_RT_ACT_CLIP}) {
    ConvSpec spec;
    spec.activation = activation;
    spec.beta = 6;
    Conv conv(spec);
    conv.src.set(0, NAN);
    ASSERT_EQ(conv.run(), FUSION_RT_SUCCESS);
    EXPECT_TRUE(std::isnan(conv.dst.get(0)));
  }
}

/// Elements of the window that are out of range cost no time.
TEST(PortableTest, HugeWindowsTakeNoTime) {
  PoolSpec spec;
  int64_t huge = int64_t(1) << 30;
  spec.kernel = {huge, huge};
  spec.padLow = {huge - 4, huge - 3};
  spec.padHigh = {2, 1};
  spec.strides = {1, 1};
  Pool pool(spec);
  ASSERT_EQ(pool.run(), FUSION_RT_SUCCESS) << fusion_rt_last_error();
  EXPECT_GT(pool.dst.elements(), 0);
}

/// Channels that each have a channel of src are one block, whose size is not a
/// multiple of the block size.
TEST(PortableTest, DepthwiseOfManyChannels) {
  for (int64_t channels : {64, 130})
    for (fusion_rt_type type : {FUSION_RT_TYPE_F32, FUSION_RT_TYPE_F16})
      for (Layout layout : {Layout::ChannelsLast, Layout::ChannelsFirst}) {
        ConvSpec spec;
        spec.groups = spec.inputs = spec.outputs = channels;
        spec.srcType = spec.dstType = type;
        spec.srcLayout = layout;
        spec.padLow = {1, 2};
        spec.residual = Residual::Apart;
        Conv(spec).check();
      }
}

TEST(PortableTest, ThereIsNoReferenceKernel) {
  uint64_t before = counters().reference_kernels;
  ConvSpec spec;
  spec.srcLayout = Layout::Scrambled;
  Conv(spec).check();
  EXPECT_EQ(counters().reference_kernels, before);
}
