//===- MatmulErrorsTest.cpp - Wrong arguments of fusion_rt_matmul ---------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "MatmulTest.h"

#include <cmath>

using namespace fusion::test;

static constexpr auto invalid = FUSION_RT_INVALID_ARGUMENT;
static constexpr auto version = FUSION_RT_UNSUPPORTED_VERSION;

namespace {
struct DescriptorCase {
  const char *name;
  void (*change)(fusion_rt_matmul_desc &);
  fusion_rt_status status;
  std::string sentence;
};
class MatmulDescriptorTest : public testing::TestWithParam<DescriptorCase> {};
struct OperandCase {
  const char *name;
  void (*change)(fusion_rt_matmul_args &);
  const char *sentence;
};
class MatmulOperandTest : public testing::TestWithParam<OperandCase> {};
} // namespace

TEST_P(MatmulDescriptorTest, IsRefused) {
  Matmul matmul{MatmulSpec()};
  GetParam().change(matmul.desc);
  expectFailure(matmul.run(), GetParam().status, GetParam().sentence);
  EXPECT_EQ(matmul.slot.state, nullptr);
}

static const DescriptorCase descriptorCases[] = {
    {"LaterMinor", [](auto &d) { d.abi_version = FUSION_RT_ABI_VERSION + 1; },
     version, "'abi_version' must be 1.0 to 1.14, got 1.15"},
    {"OfAConvolution",
     [](auto &d) { d.struct_size = sizeof(fusion_rt_conv_desc); }, version,
     "'struct_size' must be 44 in version 1.14, got 152"},
    {"Flags", [](auto &d) { d.flags = 0x80; }, invalid,
     "'flags' must have no bits but 0x1f, got 0x80"},
    {"Reserved", [](auto &d) { d.reserved = 3; }, invalid,
     "'reserved' must be 0, got 3"},
    {"SrcType", [](auto &d) { d.src_type = 7; }, invalid,
     "'src_type' must be f32, bf16 or f16, got 7"},
    {"WeightsType", [](auto &d) { d.weights_type = 4; }, invalid,
     "'weights_type' must be f32, bf16 or f16, got 4"},
    {"WeightsOfAnotherNarrowType",
     [](auto &d) {
       d.src_type = 3;
       d.weights_type = 2;
     },
     invalid,
     "'weights_type' must be 'src_type' (3) unless one of them is f32 (1), got "
     "2"},
    {"DstType", [](auto &d) { d.dst_type = 0; }, invalid,
     "'dst_type' must be f32, bf16 or f16, got 0"},
    {"Activation", [](auto &d) { d.activation = 99; }, invalid,
     "'activation' must be between 0 and " + std::to_string(lastActivation) +
         ", got 99"},
    {"Alpha", [](auto &d) { d.alpha = NAN; }, invalid,
     "'alpha' must be a number, got NaN"},
};

INSTANTIATE_TEST_SUITE_P(All, MatmulDescriptorTest,
                         testing::ValuesIn(descriptorCases),
                         [](const auto &info) { return info.param.name; });

TEST_P(MatmulOperandTest, IsRefused) {
  for (bool isFirstCall : {true, false}) {
    MatmulSpec spec;
    spec.batch = spec.weightsBatch = 3;
    spec.residual = Residual::Apart;
    Matmul matmul(spec);
    if (!isFirstCall)
      matmul.check();
    GetParam().change(matmul.args);
    expectFailure(matmul.run(), invalid, GetParam().sentence);
  }
}

static const OperandCase operandCases[] = {
    {"Depth", [](auto &a) { a.weights.sizes[1] = 12; },
     "'weights' must have as many rows as 'src' has columns (13), got 12"},
    {"WeightsBatch", [](auto &a) { a.weights.sizes[0] = 2; },
     "'weights' must have batch size 1 or that of 'src' (3), got 2"},
    {"DstBatch", [](auto &a) { a.dst.sizes[0] = 2; },
     "'dst' must have the batch size of 'src' (3), got 2"},
    {"DstRows", [](auto &a) { a.dst.sizes[1] = 6; },
     "'dst' must have the rows of 'src' (7), got 6"},
    {"DstColumns", [](auto &a) { a.dst.sizes[2] = 9; },
     "'dst' must have the columns of 'weights' (10), got 9"},
    {"BiasSize", [](auto &a) { a.bias.sizes[0] = 7; },
     "'bias' must have one element per column of 'weights' (10), got 7"},
    {"ResidualSize", [](auto &a) { a.residual.sizes[1] = 1; },
     "'residual' must have the size of 'dst' in dimension 1 (7), got 1"},
    {"NegativeSize", [](auto &a) { a.src.sizes[1] = -1; },
     "'src' must have sizes between 0 and 2147483647, got -1 in dimension 1"},
    {"ZeroStride", [](auto &a) { a.dst.strides[2] = 0; },
     "'dst' must have positive strides, got 0 in dimension 2"},
    {"NullSrc", [](auto &a) { a.src.data = nullptr; },
     "'src' must not be null"},
    {"NullBias", [](auto &a) { a.bias.data = nullptr; },
     "'bias' must not be null"},
    {"DstIsSrc", [](auto &a) { a.src.data = a.dst.data; },
     "'dst' must not overlap 'src'"},
    {"DstIsWeights", [](auto &a) { a.weights.data = a.dst.data; },
     "'dst' must not overlap 'weights'"},
};

INSTANTIATE_TEST_SUITE_P(All, MatmulOperandTest,
                         testing::ValuesIn(operandCases),
                         [](const auto &info) { return info.param.name; });

TEST(MatmulTest, ASlotBelongsToOneFunction) {
  Matmul matmul{MatmulSpec()};
  matmul.check();
  expectFailure(fusion_rt_conv(&matmul.slot, &matmul.args), invalid,
                "'slot' must be used with one function only, was used with "
                "fusion_rt_matmul and now with fusion_rt_conv");
  Conv conv{ConvSpec()};
  expectFailure(fusion_rt_matmul(&conv.slot, &conv.args), version,
                "'struct_size' must be 44 in version 1.14, got 152");
}

TEST(MatmulTest, ADescriptorOfTheFirstVersionIsTaken) {
  Conv conv{ConvSpec()};
  conv.desc.abi_version = 1u << 16;
  conv.check();
}

TEST(MatmulTest, CheckedCallsTheHandler) {
  struct Seen {
    fusion_rt_status status = FUSION_RT_SUCCESS;
    std::string message;
  } seen;
  fusion_rt_set_error_handler(
      [](fusion_rt_status status, const char *message, void *context) {
        *static_cast<Seen *>(context) = {status, message};
      },
      &seen);
  Matmul matmul{MatmulSpec()};
  matmul.args.bias.sizes[0] = 3;
  fusion_rt_matmul_checked(&matmul.slot, &matmul.args);
  fusion_rt_set_error_handler(nullptr, nullptr);
  EXPECT_EQ(seen.status, invalid);
  EXPECT_EQ(seen.message, "'bias' must have one element per column of "
                          "'weights' (10), got 3 (matmul.mlir:5:2)");
}
