//===- PoolTest.cpp - Pools -----------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PoolTest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>

using namespace fusion::test;

static const auto bf16 = FUSION_RT_TYPE_BF16;
static const auto f16 = FUSION_RT_TYPE_F16;
static const auto f32 = FUSION_RT_TYPE_F32;
static const auto Max = FUSION_RT_POOL_MAX;
static const auto Sum = FUSION_RT_POOL_SUM;

//===----------------------------------------------------------------------===//
// A slot with operands and the expected result
//===----------------------------------------------------------------------===//

Pool::Pool(const PoolSpec &given) : spec(given) {
  desc.abi_version = FUSION_RT_ABI_VERSION;
  desc.struct_size = sizeof(desc);
  desc.pooling = spec.pooling;
  desc.spatial_rank = static_cast<int32_t>(spec.image.size());
  desc.type = spec.type;
  std::copy(spec.kernel.begin(), spec.kernel.end(), desc.kernel);
  std::copy(spec.strides.begin(), spec.strides.end(), desc.strides);
  std::copy(spec.padLow.begin(), spec.padLow.end(), desc.pad_low);
  std::copy(spec.padHigh.begin(), spec.padHigh.end(), desc.pad_high);
  slot.desc = &desc;
  slot.location = "pool.mlir:7:3";
  makeOperands();
}

void Pool::makeOperands() {
  Dims in{spec.batch, spec.channels}, out = in;
  for (size_t i = 0; i < spec.image.size(); ++i) {
    int64_t room =
        spec.image[i] + spec.padLow[i] + spec.padHigh[i] - spec.kernel[i];
    in.push_back(spec.image[i]);
    out.push_back(room < 0 ? 0 : room / spec.strides[i] + 1);
  }
  src = Tensor(spec.type, in, spec.srcLayout, spec.slack);
  src.fill(1);
  dst = Tensor(spec.type, out, spec.dstLayout, spec.slack);
  args.src = src.view();
  args.dst = dst.view();
}

void Pool::resize(int64_t batch, Dims image) {
  spec.batch = batch;
  spec.image = std::move(image);
  makeOperands();
}

std::string Pool::kernel() const {
  const char *name = fusion_rt_slot_kernel(&slot);
  return name ? name : "none";
}

/// The formula of the header, one element at a time.
double Pool::reference(int64_t index) const {
  size_t rank = spec.image.size();
  Dims start(rank);
  for (size_t i = rank; i-- > 0; index /= dst.sizes[i + 2])
    start[i] = index % dst.sizes[i + 2] * spec.strides[i] - spec.padLow[i];
  int64_t window = 1;
  for (int64_t size : spec.kernel)
    window *= size;
  double sum = 0, max = -std::numeric_limits<double>::infinity();
  for (int64_t k = 0; k < window; ++k) {
    int64_t at = 0, scale = 1, rest = k;
    bool isInRange = true;
    for (size_t i = rank; i-- > 0; rest /= spec.kernel[i]) {
      int64_t position = start[i] + rest % spec.kernel[i];
      isInRange &= position >= 0 && position < spec.image[i];
      at += position * scale;
      scale *= spec.image[i];
    }
    if (!isInRange)
      continue;
    double value = src.get(index * scale + at); // index is n and c by now
    sum += value;
    max = std::max(max, value);
  }
  return spec.pooling == Max ? max : sum;
}

fusion_rt_status Pool::run() {
  for (int64_t i = 0; i < dst.elements(); ++i)
    dst.set(i, 99);
  return fusion_rt_pool(&slot, &args);
}

void Pool::check() {
  ASSERT_EQ(run(), FUSION_RT_SUCCESS) << fusion_rt_last_error();
  // A maximum is one of the elements; a sum is rounded once.
  bool isSum = spec.pooling == Sum;
  double relative = !isSum             ? 0
                    : spec.type == f32 ? 2e-6
                    : spec.type == f16 ? 1.0 / 2048
                                       : 1.0 / 256;
  for (int64_t i = 0; i < dst.elements(); ++i) {
    double expected = reference(i), got = dst.get(i);
    ASSERT_NEAR(got, expected, (isSum ? 5e-6 : 0) + relative * fabs(expected))
        << "element " << i << " of " << dst.elements() << ", kernel "
        << kernel();
  }
  ASSERT_TRUE(dst.isSlackUntouched());
  ASSERT_TRUE(src.isSlackUntouched());
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

namespace {
struct ResultCase {
  const char *name;
  void (*change)(PoolSpec &);
};
class PoolTest : public testing::TestWithParam<ResultCase> {};
} // namespace

/// Both poolings in every element type; no kernel is a slow one.
TEST_P(PoolTest, GivesTheFormula) {
  for (fusion_rt_pooling pooling : {Max, Sum})
    for (fusion_rt_type type : {f32, bf16, f16}) {
      PoolSpec spec;
      GetParam().change(spec);
      spec.pooling = pooling;
      spec.type = type;
      SCOPED_TRACE(testing::Message()
                   << (pooling == Max ? "max" : "sum") << ", type " << type);
      Pool pool(spec);
      uint64_t slow = counters().reference_kernels;
      pool.check();
      pool.check();
      EXPECT_EQ(counters().reference_kernels, slow) << pool.kernel();
    }
}

static void makeWindow(PoolSpec &spec, Dims image, Dims kernel, Dims strides,
                       Dims padLow, Dims padHigh) {
  spec.image = std::move(image);
  spec.kernel = std::move(kernel);
  spec.strides = std::move(strides);
  spec.padLow = std::move(padLow);
  spec.padHigh = std::move(padHigh);
}

static const ResultCase resultCases[] = {
    {"Plain", [](auto &) {}},
    {"NoPads", [](auto &s) { s.padLow = s.padHigh = {0, 0}; }},
    {"LowPadsOnly", [](auto &s) { s.padHigh = {0, 0}; }},
    {"HighPadsOnly",
     [](auto &s) {
       s.padLow = {0, 0};
       s.padHigh = {3, 2};
     }},
    {"GreatestPads", [](auto &s) { s.padLow = s.padHigh = {3, 2}; }},
    {"OneImage", [](auto &s) { s.batch = 1; }},
    {"OneChannel", [](auto &s) { s.channels = 1; }},
    {"WholeVectors", [](auto &s) { s.channels = 64; }},
    {"VectorsAndMore", [](auto &s) { s.channels = 37; }},
    {"OneD", [](auto &s) { makeWindow(s, {13}, {4}, {3}, {2}, {1}); }},
    {"OneDWithoutPads",
     [](auto &s) { makeWindow(s, {13}, {5}, {2}, {0}, {0}); }},
    {"ThreeD",
     [](auto &s) {
       makeWindow(s, {5, 7, 6}, {2, 4, 3}, {1, 2, 3}, {1, 0, 2}, {0, 3, 1});
     }},
    {"ResNet",
     [](auto &s) {
       s.channels = 16;
       makeWindow(s, {22, 18}, {3, 3}, {2, 2}, {1, 1}, {1, 1});
     }},
    {"Global",
     [](auto &s) { makeWindow(s, {7, 9}, {7, 9}, {1, 1}, {0, 0}, {0, 0}); }},
    {"KernelLargerThanTheImage",
     [](auto &s) { makeWindow(s, {3, 2}, {6, 5}, {1, 2}, {4, 4}, {2, 3}); }},
    {"StridesLargerThanTheKernel",
     [](auto &s) { makeWindow(s, {13, 14}, {2, 3}, {5, 4}, {1, 2}, {0, 1}); }},
    {"OneElement",
     [](auto &s) { makeWindow(s, {6, 5}, {1, 1}, {2, 1}, {0, 0}, {0, 0}); }},
    {"PixelOfOneElement",
     [](auto &s) { makeWindow(s, {1, 1}, {3, 2}, {1, 1}, {1, 1}, {1, 0}); }},
    {"ChannelsFirst",
     [](auto &s) { s.srcLayout = s.dstLayout = Layout::ChannelsFirst; }},
    {"ChannelsFirstThreeD",
     [](auto &s) {
       makeWindow(s, {5, 7, 6}, {2, 4, 3}, {1, 2, 3}, {1, 0, 2}, {0, 3, 1});
       s.srcLayout = s.dstLayout = Layout::ChannelsFirst;
     }},
    {"ChannelsFirstOneD",
     [](auto &s) {
       makeWindow(s, {13}, {4}, {3}, {2}, {1});
       s.srcLayout = s.dstLayout = Layout::ChannelsFirst;
     }},
    {"FirstToLast", [](auto &s) { s.srcLayout = Layout::ChannelsFirst; }},
    {"LastToFirst", [](auto &s) { s.dstLayout = Layout::ChannelsFirst; }},
    {"Scrambled",
     [](auto &s) { s.srcLayout = s.dstLayout = Layout::Scrambled; }},
    {"ScrambledToLast", [](auto &s) { s.srcLayout = Layout::Scrambled; }},
    {"Slack", [](auto &s) { s.slack = 3; }},
    {"SlackChannelsFirst",
     [](auto &s) {
       s.slack = 5;
       s.srcLayout = s.dstLayout = Layout::ChannelsFirst;
     }},
};

INSTANTIATE_TEST_SUITE_P(All, PoolTest, testing::ValuesIn(resultCases),
                         [](const auto &info) { return info.param.name; });

TEST(PoolTest, PadsNeverWin) {
  for (fusion_rt_type type : {f32, bf16, f16})
    for (Layout layout : {Layout::ChannelsLast, Layout::ChannelsFirst}) {
      PoolSpec spec;
      spec.type = type;
      spec.srcLayout = spec.dstLayout = layout;
      spec.padLow = spec.padHigh = {3, 2};
      Pool pool(spec);
      for (int64_t i = 0; i < pool.src.elements(); ++i)
        pool.src.set(i, -fabs(pool.src.get(i)) - 7);
      pool.check();
      for (int64_t i = 0; i < pool.dst.elements(); ++i)
        ASSERT_LE(pool.dst.get(i), -7);
    }
}

TEST(PoolTest, TheGreatestNumbersAreFound) {
  float lowest = std::numeric_limits<float>::lowest();
  Pool pool{PoolSpec()};
  for (int64_t i = 0; i < pool.src.elements(); ++i)
    pool.src.set(i, i % 5 ? lowest : -lowest);
  pool.check();
  for (int64_t i = 0; i < pool.src.elements(); ++i)
    pool.src.set(i, lowest);
  pool.check();
}

TEST(PoolTest, MaximaOfIntegers) {
  for (fusion_rt_type type : {FUSION_RT_TYPE_S8, FUSION_RT_TYPE_U8})
    for (Layout layout : {Layout::ChannelsLast, Layout::ChannelsFirst})
      for (int64_t channels : {1, 5, 133}) {
        PoolSpec spec;
        spec.type = type;
        spec.channels = channels;
        spec.srcLayout = spec.dstLayout = layout;
        Pool pool(spec);
        int64_t least = type == FUSION_RT_TYPE_S8 ? -128 : 0;
        for (int64_t i = 0; i < pool.src.elements(); ++i)
          pool.src.set(i, double(least + i * 151 % 256));
        pool.check();
        for (int64_t i = 0; i < pool.src.elements(); ++i)
          pool.src.set(i, double(least)); // pads are not less
        pool.check();
      }
}

TEST(PoolTest, AnInfinityAmongNumbers) {
  for (fusion_rt_pooling pooling : {Max, Sum})
    for (Layout layout : {Layout::ChannelsLast, Layout::ChannelsFirst}) {
      PoolSpec spec;
      spec.pooling = pooling;
      spec.srcLayout = spec.dstLayout = layout;
      Pool pool(spec);
      pool.src.set(17, INFINITY);
      // With a maximum, -inf loses against its neighbours.
      pool.src.set(200, -INFINITY);
      ASSERT_EQ(pool.run(), FUSION_RT_SUCCESS);
      int64_t positive = 0, negative = 0;
      for (int64_t i = 0; i < pool.dst.elements(); ++i) {
        positive += pool.dst.get(i) == INFINITY;
        negative += pool.dst.get(i) == -INFINITY;
        ASSERT_FALSE(std::isnan(pool.dst.get(i)));
      }
      EXPECT_GT(positive, 0);
      EXPECT_EQ(negative > 0, pooling == Sum);
    }
}

TEST(PoolTest, ASumKeepsNaN) {
  PoolSpec spec;
  spec.pooling = Sum;
  Pool pool(spec);
  pool.src.set(40, NAN);
  ASSERT_EQ(pool.run(), FUSION_RT_SUCCESS);
  int64_t found = 0;
  for (int64_t i = 0; i < pool.dst.elements(); ++i)
    found += std::isnan(pool.dst.get(i));
  EXPECT_GT(found, 0);
}

/// The last channels fill any part of a vector.
TEST(PoolTest, EveryNumberOfChannels) {
  for (fusion_rt_pooling pooling : {Max, Sum})
    for (int64_t channels = 1; channels <= 40; ++channels) {
      PoolSpec spec;
      spec.pooling = pooling;
      spec.channels = channels;
      spec.image = {1, 7};
      spec.kernel = {6, 6};
      spec.padLow = {5, 0};
      spec.padHigh = {1, 5};
      Pool(spec).check();
    }
}

/// 300 ones are exact in bf16 only if the sum is not rounded in between.
TEST(PoolTest, ASumIsRoundedOnce) {
  for (fusion_rt_type type : {bf16, f16})
    for (Layout layout : {Layout::ChannelsLast, Layout::ChannelsFirst}) {
      PoolSpec spec;
      spec.pooling = Sum;
      spec.type = type;
      spec.image = spec.kernel = {20, 15};
      spec.padLow = spec.padHigh = {0, 0};
      spec.srcLayout = spec.dstLayout = layout;
      Pool pool(spec);
      for (int64_t i = 0; i < pool.src.elements(); ++i)
        pool.src.set(i, 1);
      ASSERT_EQ(pool.run(), FUSION_RT_SUCCESS);
      for (int64_t i = 0; i < pool.dst.elements(); ++i)
        ASSERT_EQ(pool.dst.get(i), 300) << pool.kernel();
    }
}

//===----------------------------------------------------------------------===//
// Sizes, kernels, threads
//===----------------------------------------------------------------------===//

TEST(PoolTest, NothingToWrite) {
  for (auto change :
       {+[](PoolSpec &s) { s.batch = 0; }, +[](PoolSpec &s) { s.channels = 0; },
        +[](PoolSpec &s) { s.kernel = {30, 3}; },
        +[](PoolSpec &s) {
          s.image = {0, 8};
          s.padLow = s.padHigh = {1, 1};
        }}) {
    PoolSpec spec;
    change(spec);
    Pool pool(spec);
    ASSERT_EQ(pool.dst.elements(), 0);
    pool.args.src.data = pool.args.dst.data = nullptr;
    EXPECT_EQ(pool.run(), FUSION_RT_SUCCESS) << fusion_rt_last_error();
    EXPECT_EQ(fusion_rt_slot_kernel(&pool.slot), nullptr);
  }
}

TEST(PoolTest, OtherSizesMakeAnotherPrimitive) {
  Pool pool{PoolSpec()};
  uint64_t creates = counters().creates;
  pool.check();
  pool.check();
  EXPECT_EQ(counters().creates - creates, 1u);
  pool.resize(3, {7, 12});
  pool.check();
  pool.resize(0, {7, 12});
  pool.check();
  pool.resize(2, {11, 8});
  pool.check();
  EXPECT_EQ(counters().creates - creates, 2u);
}

TEST(PoolTest, TensorsInOneOrderAreNotCopied) {
  for (Layout layout : {Layout::ChannelsLast, Layout::ChannelsFirst})
    for (fusion_rt_pooling pooling : {Max, Sum}) {
      PoolSpec spec;
      spec.pooling = pooling;
      spec.channels = 32;
      spec.srcLayout = spec.dstLayout = layout;
      Pool pool(spec);
      pool.check();
      EXPECT_EQ(pool.kernel().find("ref"), std::string::npos) << pool.kernel();
      EXPECT_NE(pool.kernel(), "none");
    }
}

TEST(PoolTest, ADescriptorOfAnEarlierVersionIsTaken) {
  Pool pool{PoolSpec()};
  pool.desc.abi_version = 1u << 16;
  pool.check();
}

TEST(PoolTest, SeveralThreadsShareASlot) {
  PoolSpec spec;
  spec.dstLayout = Layout::ChannelsFirst;
  Pool pool(spec);
  pool.check();
  fusion_rt_release(&pool.slot);
  uint64_t creates = counters().creates;
  std::vector<std::thread> threads;
  for (int i = 0; i < 6; ++i)
    threads.emplace_back([&] {
      Tensor dst = pool.dst;
      fusion_rt_conv_args args = pool.args;
      args.dst.data = dst.data();
      for (int call = 0; call < 20; ++call) {
        for (int64_t at = 0; at < dst.elements(); ++at)
          dst.set(at, 99);
        ASSERT_EQ(fusion_rt_pool(&pool.slot, &args), FUSION_RT_SUCCESS);
        for (int64_t at = 0; at < dst.elements(); ++at)
          ASSERT_EQ(dst.get(at), pool.dst.get(at));
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(counters().creates - creates, 1u);
}
