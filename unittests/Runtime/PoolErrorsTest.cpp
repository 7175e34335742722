//===- PoolErrorsTest.cpp - Wrong arguments of fusion_rt_pool -------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PoolTest.h"

using namespace fusion::test;

static constexpr auto invalid = FUSION_RT_INVALID_ARGUMENT;
static constexpr auto version = FUSION_RT_UNSUPPORTED_VERSION;

namespace {
struct DescriptorCase {
  const char *name;
  void (*change)(fusion_rt_pool_desc &);
  fusion_rt_status status;
  const char *sentence;
};
class PoolDescriptorTest : public testing::TestWithParam<DescriptorCase> {};
struct OperandCase {
  const char *name;
  void (*change)(fusion_rt_conv_args &);
  const char *sentence;
};
class PoolOperandTest : public testing::TestWithParam<OperandCase> {};
} // namespace

TEST_P(PoolDescriptorTest, IsRefused) {
  Pool pool{PoolSpec()};
  GetParam().change(pool.desc);
  expectFailure(pool.run(), GetParam().status, GetParam().sentence);
  EXPECT_EQ(pool.slot.state, nullptr);
}

static const DescriptorCase descriptorCases[] = {
    {"LaterMinor", [](auto &d) { d.abi_version = FUSION_RT_ABI_VERSION + 1; },
     version, "'abi_version' must be 1.0 to 1.14, got 1.15"},
    {"OfAConvolution",
     [](auto &d) { d.struct_size = sizeof(fusion_rt_conv_desc); }, version,
     "'struct_size' must be 120 in version 1.14, got 152"},
    {"NoPooling", [](auto &d) { d.pooling = 0; }, invalid,
     "'pooling' must be 1 or 2, got 0"},
    {"OtherPooling", [](auto &d) { d.pooling = 3; }, invalid,
     "'pooling' must be 1 or 2, got 3"},
    {"Reserved", [](auto &d) { d.reserved = 1; }, invalid,
     "'reserved' must be 0, got 1"},
    {"NoType", [](auto &d) { d.type = 0; }, invalid,
     "'type' must be f32, bf16, f16, s8 or u8, got 0"},
    {"OtherType", [](auto &d) { d.type = 9; }, invalid,
     "'type' must be f32, bf16, f16, s8 or u8, got 9"},
    {"SumOfIntegers",
     [](auto &d) {
       d.pooling = FUSION_RT_POOL_SUM;
       d.type = FUSION_RT_TYPE_S8;
     },
     invalid, "'type' must be f32, bf16 or f16, got 4"},
    {"NoSpatialRank", [](auto &d) { d.spatial_rank = 0; }, invalid,
     "'spatial_rank' must be between 1 and 3, got 0"},
    {"SpatialRank", [](auto &d) { d.spatial_rank = 4; }, invalid,
     "'spatial_rank' must be between 1 and 3, got 4"},
    {"Kernel", [](auto &d) { d.kernel[1] = 0; }, invalid,
     "'kernel' must be between 1 and 2147483647, got 0 in entry 1"},
    {"HugeKernel", [](auto &d) { d.kernel[0] = int64_t(1) << 31; }, invalid,
     "'kernel' must be between 1 and 2147483647, got 2147483648 in entry 0"},
    {"Strides", [](auto &d) { d.strides[0] = 0; }, invalid,
     "'strides' must be between 1 and 2147483647, got 0 in entry 0"},
    {"PadLow", [](auto &d) { d.pad_low[1] = -1; }, invalid,
     "'pad_low' must be between 0 and 2147483647, got -1 in entry 1"},
    {"PadHigh", [](auto &d) { d.pad_high[0] = -2; }, invalid,
     "'pad_high' must be between 0 and 2147483647, got -2 in entry 0"},
    {"PadLowOfAWindow", [](auto &d) { d.pad_low[1] = 3; }, invalid,
     "'pad_low' must be less than the kernel (3), got 3 in entry 1"},
    {"PadHighOfAWindow", [](auto &d) { d.pad_high[0] = 5; }, invalid,
     "'pad_high' must be less than the kernel (4), got 5 in entry 0"},
};

INSTANTIATE_TEST_SUITE_P(All, PoolDescriptorTest,
                         testing::ValuesIn(descriptorCases),
                         [](const auto &info) { return info.param.name; });

TEST_P(PoolOperandTest, IsRefused) {
  for (bool isFirstCall : {true, false}) {
    Pool pool{PoolSpec()};
    if (!isFirstCall)
      pool.check();
    GetParam().change(pool.args);
    expectFailure(pool.run(), invalid, GetParam().sentence);
  }
}

static const OperandCase operandCases[] = {
    {"Batch", [](auto &a) { a.dst.sizes[0] = 1; },
     "'dst' must have the size of 'src' in dimension 0 (2), got 1"},
    {"Channels", [](auto &a) { a.dst.sizes[1] = 4; },
     "'dst' must have the size of 'src' in dimension 1 (5), got 4"},
    {"Height", [](auto &a) { a.dst.sizes[2] = 5; },
     "'dst' must have size 6 in dimension 2 ('src' 11, kernel 4, stride 2, "
     "dilation 1, pads 1 and 3), got 5"},
    {"Width", [](auto &a) { a.src.sizes[3] = 7; },
     "'dst' must have size 7 in dimension 3 ('src' 7, kernel 3, stride 1, "
     "dilation 1, pads 2 and 0), got 8"},
    {"NegativeSize", [](auto &a) { a.src.sizes[1] = -1; },
     "'src' must have sizes between 0 and 2147483647, got -1 in dimension 1"},
    {"ZeroStride", [](auto &a) { a.dst.strides[2] = 0; },
     "'dst' must have positive strides, got 0 in dimension 2"},
    {"SharedElements", [](auto &a) { a.dst.strides[3] = 1; },
     "'dst' must have strides that keep its elements apart"},
    {"NullSrc", [](auto &a) { a.src.data = nullptr; },
     "'src' must not be null"},
    {"NullDst", [](auto &a) { a.dst.data = nullptr; },
     "'dst' must not be null"},
    {"DstIsSrc", [](auto &a) { a.src.data = a.dst.data; },
     "'dst' must not overlap 'src'"},
    {"DstInSrc",
     [](auto &a) { a.dst.data = static_cast<float *>(a.src.data) + 6; },
     "'dst' must not overlap 'src'"},
};

INSTANTIATE_TEST_SUITE_P(All, PoolOperandTest, testing::ValuesIn(operandCases),
                         [](const auto &info) { return info.param.name; });

/// A window on an empty image has no element in range.
TEST(PoolTest, AnEmptyImageWithAResult) {
  PoolSpec spec;
  spec.image = {0, 8};
  spec.padLow = {2, 0};
  spec.padHigh = {3, 0};
  Pool pool(spec);
  ASSERT_GT(pool.dst.elements(), 0);
  expectFailure(pool.run(), invalid,
                "'src' must have elements, has none in dimension 2");
}

/// Arguments that are no operands of a pool are ignored.
TEST(PoolTest, OtherOperandsAreIgnored) {
  Pool pool{PoolSpec()};
  pool.args.weights = pool.args.bias = pool.args.residual = pool.args.dst;
  pool.args.weights.sizes[0] = pool.args.bias.strides[0] = -5;
  pool.check();
  pool.check();
}

TEST(PoolTest, ASlotBelongsToOneFunction) {
  Pool pool{PoolSpec()};
  pool.check();
  expectFailure(fusion_rt_conv(&pool.slot, &pool.args), invalid,
                "'slot' must be used with one function only, was used with "
                "fusion_rt_pool and now with fusion_rt_conv");
  Conv conv{ConvSpec()};
  expectFailure(fusion_rt_pool(&conv.slot, &conv.args), version,
                "'struct_size' must be 120 in version 1.14, got 152");
  conv.check();
  expectFailure(fusion_rt_pool(&conv.slot, &conv.args), invalid,
                "'slot' must be used with one function only, was used with "
                "fusion_rt_conv and now with fusion_rt_pool");
}

TEST(PoolTest, CheckedCallsTheHandler) {
  struct Seen {
    fusion_rt_status status = FUSION_RT_SUCCESS;
    std::string message;
  } seen;
  fusion_rt_set_error_handler(
      [](fusion_rt_status status, const char *message, void *context) {
        *static_cast<Seen *>(context) = {status, message};
      },
      &seen);
  Pool pool{PoolSpec()};
  pool.args.dst.sizes[1] = 3;
  fusion_rt_pool_checked(&pool.slot, &pool.args);
  fusion_rt_set_error_handler(nullptr, nullptr);
  EXPECT_EQ(seen.status, invalid);
  EXPECT_EQ(seen.message, "'dst' must have the size of 'src' in dimension 1 "
                          "(5), got 3 (pool.mlir:7:3)");
}
