//===- ErrorsTest.cpp - Each wrong argument and its sentence --------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConvTest.h"

#include <cmath>

using namespace fusion::test;

//===----------------------------------------------------------------------===//
// Descriptors
//===----------------------------------------------------------------------===//

namespace {
struct DescriptorCase {
  const char *name;
  void (*change)(fusion_rt_conv_desc &);
  fusion_rt_status status;
  std::string sentence;
};
class DescriptorTest : public testing::TestWithParam<DescriptorCase> {};
} // namespace

TEST_P(DescriptorTest, IsRefused) {
  Conv conv{ConvSpec()};
  GetParam().change(conv.desc);
  uint64_t errors = counters().errors;
  expectFailure(conv.run(), GetParam().status, GetParam().sentence);
  EXPECT_EQ(counters().errors, errors + 1);
  EXPECT_EQ(conv.slot.state, nullptr);
}

static constexpr auto invalid = FUSION_RT_INVALID_ARGUMENT;
static constexpr auto version = FUSION_RT_UNSUPPORTED_VERSION;

static const std::string activationRange =
    "'activation' must be between 0 and " + std::to_string(lastActivation) +
    ", got ";

static const DescriptorCase descriptorCases[] = {
    {"LaterMajor", [](auto &d) { d.abi_version = 2u << 16; }, version,
     "'abi_version' must be 1.0 to 1.14, got 2.0"},
    {"LaterMinor", [](auto &d) { d.abi_version = FUSION_RT_ABI_VERSION + 1; },
     version, "'abi_version' must be 1.0 to 1.14, got 1.15"},
    {"NoVersion", [](auto &d) { d.abi_version = 0; }, version,
     "'abi_version' must be 1.0 to 1.14, got 0.0"},
    {"StructSize", [](auto &d) { d.struct_size = 8; }, version,
     "'struct_size' must be 152 in version 1.14, got 8"},
    {"Flags", [](auto &d) { d.flags = 0x20; }, invalid,
     "'flags' must have no bits but 0x1f, got 0x20"},
    {"ResidualAfterNoActivation",
     [](auto &d) {
       d.flags = FUSION_RT_HAS_RESIDUAL | FUSION_RT_RESIDUAL_AFTER_ACTIVATION;
       d.residual_type = 1;
     },
     invalid,
     "FUSION_RT_RESIDUAL_AFTER_ACTIVATION must come with "
     "FUSION_RT_HAS_RESIDUAL and an activation"},
    {"NoResidualAfterActivation",
     [](auto &d) {
       d.flags = FUSION_RT_RESIDUAL_AFTER_ACTIVATION;
       d.activation = FUSION_RT_ACT_RELU;
     },
     invalid,
     "FUSION_RT_RESIDUAL_AFTER_ACTIVATION must come with "
     "FUSION_RT_HAS_RESIDUAL and an activation"},
    {"Reserved", [](auto &d) { d.reserved = 1; }, invalid,
     "'reserved' must be 0, got 1"},
    {"RankZero", [](auto &d) { d.spatial_rank = 0; }, invalid,
     "'spatial_rank' must be between 1 and 3, got 0"},
    {"RankFour", [](auto &d) { d.spatial_rank = 4; }, invalid,
     "'spatial_rank' must be between 1 and 3, got 4"},
    {"SrcType", [](auto &d) { d.src_type = 0; }, invalid,
     "'src_type' must be f32, bf16 or f16, got 0"},
    {"WeightsType", [](auto &d) { d.weights_type = 0; }, invalid,
     "'weights_type' must be f32, bf16 or f16, got 0"},
    {"WeightsOfAnotherNarrowType",
     [](auto &d) {
       d.src_type = 2;
       d.weights_type = 3;
     },
     invalid,
     "'weights_type' must be 'src_type' (2) unless one of them is f32 (1), got "
     "3"},
    {"DstType", [](auto &d) { d.dst_type = 4; }, invalid,
     "'dst_type' must be f32, bf16 or f16, got 4"},
    {"ResidualTypeWithoutResidual", [](auto &d) { d.residual_type = 1; },
     invalid,
     "'residual_type' must be none (0) without FUSION_RT_HAS_RESIDUAL, got 1"},
    {"ResidualType",
     [](auto &d) {
       d.flags |= FUSION_RT_HAS_RESIDUAL;
       d.residual_type = 3;
     },
     invalid, "'residual_type' must be 'dst_type' (1) or f32 (1), got 3"},
    {"ActivationBelow", [](auto &d) { d.activation = -1; }, invalid,
     activationRange + "-1"},
    {"ActivationAbove", [](auto &d) { d.activation = lastActivation + 1; },
     invalid, activationRange + std::to_string(lastActivation + 1)},
    {"Alpha", [](auto &d) { d.alpha = NAN; }, invalid,
     "'alpha' must be a number, got NaN"},
    {"Beta", [](auto &d) { d.beta = NAN; }, invalid,
     "'beta' must be a number, got NaN"},
    {"Groups", [](auto &d) { d.groups = 0; }, invalid,
     "'groups' must be between 1 and 2147483647, got 0"},
    {"Strides", [](auto &d) { d.strides[1] = 0; }, invalid,
     "'strides' must be between 1 and 2147483647, got 0 in entry 1"},
    {"Dilations", [](auto &d) { d.dilations[0] = -2; }, invalid,
     "'dilations' must be between 1 and 2147483647, got -2 in entry 0"},
    {"PadLow", [](auto &d) { d.pad_low[0] = -1; }, invalid,
     "'pad_low' must be between 0 and 2147483647, got -1 in entry 0"},
    {"PadHigh", [](auto &d) { d.pad_high[1] = int64_t(1) << 40; }, invalid,
     "'pad_high' must be between 0 and 2147483647, got 1099511627776 in entry "
     "1"},
};

INSTANTIATE_TEST_SUITE_P(All, DescriptorTest,
                         testing::ValuesIn(descriptorCases),
                         [](const auto &info) { return info.param.name; });

/// Those of object files that older compilers made.
TEST(DescriptorTest, EveryEarlierVersionIsTaken) {
  for (uint32_t minor = 0; minor <= FUSION_RT_ABI_MINOR; ++minor) {
    Conv conv{ConvSpec()};
    conv.desc.abi_version = (uint32_t(FUSION_RT_ABI_MAJOR) << 16) + minor;
    conv.check();
  }
}

TEST(DescriptorTest, EntriesBeyondTheRankAreNotRead) {
  Conv conv{ConvSpec()};
  conv.desc.strides[2] = -5;
  conv.desc.pad_low[2] = -5;
  conv.check();
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

namespace {
struct OperandCase {
  const char *name;
  void (*change)(fusion_rt_conv_args &);
  const char *sentence;
};
class OperandTest : public testing::TestWithParam<OperandCase> {};
} // namespace

/// 2x6x9x7 with weights 10x3x3x2 in two groups gives 2x10x7x6.
static ConvSpec operandSpec() {
  ConvSpec spec;
  spec.groups = 2;
  spec.residual = Residual::Apart;
  return spec;
}

TEST_P(OperandTest, IsRefused) {
  Conv conv(operandSpec());
  GetParam().change(conv.args);
  expectFailure(conv.run(), invalid, GetParam().sentence);
}

TEST_P(OperandTest, IsRefusedAfterACallThatWorked) {
  Conv conv(operandSpec());
  conv.check();
  GetParam().change(conv.args);
  expectFailure(conv.run(), invalid, GetParam().sentence);
}

static void *shifted(const fusion_rt_tensor &tensor, int64_t elements) {
  return static_cast<float *>(tensor.data) + elements;
}

static const OperandCase operandCases[] = {
    {"NegativeSize", [](auto &a) { a.src.sizes[2] = -1; },
     "'src' must have sizes between 0 and 2147483647, got -1 in dimension 2"},
    {"HugeSize", [](auto &a) { a.weights.sizes[0] = int64_t(1) << 33; },
     "'weights' must have sizes between 0 and 2147483647, got 8589934592 in "
     "dimension 0"},
    {"HugeProduct",
     [](auto &a) {
       for (int dim = 0; dim < 4; ++dim)
         a.src.sizes[dim] = INT32_MAX;
     },
     "'src' must have fewer than 2^63 elements"},
    {"HugeReach", [](auto &a) { a.src.strides[0] = INT64_MAX / 2; },
     "'src' must not reach over 2^60 elements"},
    {"HugeReachBackwards", [](auto &a) { a.src.strides[0] = INT64_MIN / 2; },
     "'src' must not reach over 2^60 elements"},
    {"ZeroStride", [](auto &a) { a.dst.strides[3] = 0; },
     "'dst' must have positive strides, got 0 in dimension 3"},
    {"NegativeStride", [](auto &a) { a.dst.strides[2] = -60; },
     "'dst' must have positive strides, got -60 in dimension 2"},
    {"Overlapping", [](auto &a) { a.dst.strides[3] = 5; },
     "'dst' must have strides that keep its elements apart"},
    {"InputChannels", [](auto &a) { a.src.sizes[1] = 5; },
     "'src' must have the input channels of 'weights' times groups (3 x 2), "
     "got 5"},
    {"WeightsInputChannels", [](auto &a) { a.weights.sizes[1] = 2; },
     "'src' must have the input channels of 'weights' times groups (2 x 2), "
     "got 6"},
    {"OutputChannels", [](auto &a) { a.weights.sizes[0] = 9; },
     "'weights' must have an output channel count divisible by groups (2), got "
     "9"},
    {"Batch", [](auto &a) { a.dst.sizes[0] = 1; },
     "'dst' must have the batch size of 'src' (2), got 1"},
    {"DstChannels", [](auto &a) { a.dst.sizes[1] = 8; },
     "'dst' must have one channel per output channel (10), got 8"},
    {"BiasSize", [](auto &a) { a.bias.sizes[0] = 6; },
     "'bias' must have one element per output channel (10), got 6"},
    {"OutputSize", [](auto &a) { a.dst.sizes[3] = 7; },
     "'dst' must have size 6 in dimension 3 ('src' 7, kernel 2, stride 1, "
     "dilation 1, pads 0 and 0), got 7"},
    {"ResidualSize", [](auto &a) { a.residual.sizes[2] = 1; },
     "'residual' must have the size of 'dst' in dimension 2 (7), got 1"},
    {"NullSrc", [](auto &a) { a.src.data = nullptr; },
     "'src' must not be null"},
    {"NullWeights", [](auto &a) { a.weights.data = nullptr; },
     "'weights' must not be null"},
    {"NullBias", [](auto &a) { a.bias.data = nullptr; },
     "'bias' must not be null"},
    {"NullResidual", [](auto &a) { a.residual.data = nullptr; },
     "'residual' must not be null"},
    {"NullDst", [](auto &a) { a.dst.data = nullptr; },
     "'dst' must not be null"},
    {"DstIsSrc", [](auto &a) { a.src.data = a.dst.data; },
     "'dst' must not overlap 'src'"},
    {"DstMeetsEndOfSrc", [](auto &a) { a.src.data = shifted(a.dst, 839); },
     "'dst' must not overlap 'src'"},
    {"DstIsWeights", [](auto &a) { a.weights.data = shifted(a.dst, 600); },
     "'dst' must not overlap 'weights'"},
    {"DstIsBias", [](auto &a) { a.bias.data = shifted(a.dst, -9); },
     "'dst' must not overlap 'bias'"},
    {"ResidualPartly", [](auto &a) { a.residual.data = shifted(a.dst, 10); },
     "'residual' must be exactly 'dst' (same address, type and strides) or "
     "apart from it"},
    {"ResidualTransposed",
     [](auto &a) {
       a.residual.data = a.dst.data;
       a.residual.strides[1] = 42;
       a.residual.strides[2] = 6;
       a.residual.strides[3] = 1;
     },
     "'residual' must be exactly 'dst' (same address, type and strides) or "
     "apart from it"},
};

INSTANTIATE_TEST_SUITE_P(All, OperandTest, testing::ValuesIn(operandCases),
                         [](const auto &info) { return info.param.name; });

TEST(OperandTest, NeighboursAreNotOverlap) {
  Conv conv(operandSpec());
  // src is directly behind dst, in one block.
  std::vector<float> block(840 + 756);
  conv.args.dst.data = block.data();
  conv.args.src.data = block.data() + 840;
  EXPECT_EQ(fusion_rt_conv(&conv.slot, &conv.args), FUSION_RT_SUCCESS)
      << fusion_rt_last_error();
}

TEST(OperandTest, ResidualOfAnotherTypeMayNotBeDst) {
  ConvSpec spec;
  spec.srcType = spec.dstType = FUSION_RT_TYPE_BF16;
  spec.residual = Residual::Apart;
  spec.residualType = FUSION_RT_TYPE_F32;
  Conv conv(spec);
  std::vector<float> block(840);
  conv.args.dst.data = conv.args.residual.data = block.data();
  expectFailure(fusion_rt_conv(&conv.slot, &conv.args), invalid,
                "'residual' must be exactly 'dst' (same address, type and "
                "strides) or apart from it");
}

TEST(OperandTest, AbsentOperandsAreNotRead) {
  ConvSpec spec;
  spec.bias = false;
  Conv conv(spec);
  conv.args.bias = {reinterpret_cast<void *>(8), {-1}, {-1}};
  conv.args.residual = conv.args.bias;
  conv.check();
}

//===----------------------------------------------------------------------===//
// Effects of an error
//===----------------------------------------------------------------------===//

TEST(ErrorsTest, ACallAfterARefusalWorks) {
  Conv conv{ConvSpec()};
  conv.args.bias.sizes[0] = 1;
  EXPECT_EQ(conv.run(), invalid);
  conv.args.bias.sizes[0] = conv.spec.outputs;
  conv.check();
  // A call that succeeds leaves the sentence of the last failure unchanged.
  EXPECT_STREQ(fusion_rt_last_error(),
               "'bias' must have one element per output channel (10), got 1");
}

TEST(ErrorsTest, StatusStrings) {
  const char *names[] = {
      "success",        "invalid argument",    "unsupported",
      "out of memory",  "unsupported version", "backend error",
      "broken promise", "cancelled",           "deadline exceeded"};
  for (int status = 0; status < 9; ++status)
    EXPECT_STREQ(fusion_rt_status_string(fusion_rt_status(status)),
                 names[status]);
}
