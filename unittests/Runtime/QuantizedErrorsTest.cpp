//===- QuantizedErrorsTest.cpp - Refusals of integer ops ------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "QuantizedTest.h"

#include <cmath>
#include <functional>

using namespace fusion::test;

/// Expects `change` of a valid call to be refused with `sentence`.
static void
expectRefusal(const std::string &sentence,
              const std::function<void(fusion_rt_quantized_conv_desc &,
                                       fusion_rt_quantized_args &)> &change) {
  QuantizedSpec spec = makeQuantizedSpec();
  spec.conv.residual = Residual::Apart;
  spec.conv.residualType = FUSION_RT_TYPE_S8;
  Quantized conv(spec);
  change(conv.desc, conv.args);
  expectFailure(conv.run(), FUSION_RT_INVALID_ARGUMENT, sentence);
}

TEST(QuantizedErrorsTest, RefusesWrongDescriptors) {
  using Desc = fusion_rt_quantized_conv_desc;
  using Args = fusion_rt_quantized_args;
  expectRefusal("'src_type' must be s8 or u8, got 1",
                [](Desc &desc, Args &) { desc.conv.src_type = 1; });
  expectRefusal("'weights_type' must be s8, got 5",
                [](Desc &desc, Args &) { desc.conv.weights_type = 5; });
  expectRefusal("'dst_type' must be f32, bf16, f16, s8, u8 or s32, got 7",
                [](Desc &desc, Args &) { desc.conv.dst_type = 7; });
  expectRefusal("'residual_type' must be s8, u8 or f32, got 2",
                [](Desc &desc, Args &) { desc.conv.residual_type = 2; });
  expectRefusal("'residual_type' must be none (0) without "
                "FUSION_RT_HAS_RESIDUAL, got 4",
                [](Desc &desc, Args &) { desc.conv.flags &= ~2u; });
  expectRefusal("'bias_type' must be f32 or s32, got 2",
                [](Desc &desc, Args &) { desc.quantization.bias_type = 2; });
  expectRefusal("'bias_type' must be none (0) without FUSION_RT_HAS_BIAS, got "
                "6",
                [](Desc &desc, Args &) { desc.conv.flags &= ~1u; });
  expectRefusal("'quantization.flags' must have no bits but 0x7, got 0xb",
                [](Desc &desc, Args &) { desc.quantization.flags |= 8; });
  expectRefusal("'quantization.reserved' must be 0, got 1",
                [](Desc &desc, Args &) { desc.quantization.reserved = 1; });
  expectRefusal(
      "'residual_scale' must be a number, got NaN",
      [](Desc &desc, Args &) { desc.quantization.residual_scale = NAN; });
  expectRefusal("'dst_scale' must be a number, got NaN",
                [](Desc &desc, Args &) { desc.quantization.dst_scale = NAN; });
  expectRefusal("'dst_type' must not be s32 (6) with scales, an f32 bias, a "
                "residual or an activation",
                [](Desc &desc, Args &) { desc.conv.dst_type = 6; });
  const char *rounded = "FUSION_RT_ROUND_ACTIVATION must come with "
                        "FUSION_RT_RESIDUAL_AFTER_ACTIVATION, and a dst of s8 "
                        "or u8";
  expectRefusal(rounded,
                [](Desc &desc, Args &) { desc.quantization.flags |= 4; });
  expectRefusal(rounded, [](Desc &desc, Args &) {
    desc.quantization.flags |= FUSION_RT_ROUND_ACTIVATION;
    desc.conv.flags |= FUSION_RT_RESIDUAL_AFTER_ACTIVATION;
    desc.conv.activation = FUSION_RT_ACT_RELU;
    desc.conv.dst_type = FUSION_RT_TYPE_F32;
  });
  expectRefusal("'scales' must have one element, or one per output channel "
                "(10), got 3",
                [](Desc &, Args &args) { args.scales.sizes[0] = 3; });
  expectRefusal("'scales' must not be null",
                [](Desc &, Args &args) { args.scales.data = nullptr; });
  expectRefusal("'dst' must not overlap 'scales'", [](Desc &, Args &args) {
    args.scales.data = args.operands.dst.data;
  });
}

TEST(QuantizedErrorsTest, RefusesOtherVersions) {
  Quantized conv(makeQuantizedSpec());
  conv.desc.struct_size = sizeof(fusion_rt_conv_desc);
  EXPECT_EQ(conv.run(), FUSION_RT_UNSUPPORTED_VERSION);
}
