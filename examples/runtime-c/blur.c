//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Blurs a small picture, each of its three channels separately: a 3x3
// convolution with as many groups as channels, channels last.

#include <FusionRuntime/fusion_runtime.h>
#include <stdio.h>

enum { Channels = 3, Height = 4, Width = 6 };

int main(void) {
  static float picture[Height][Width][Channels],
      blurred[Height][Width][Channels];
  static float weights[Channels][3][3]; // oc, ic / groups (1), h, w
  for (int c = 0; c < Channels; ++c)
    for (int k = 0; k < 9; ++k)
      weights[c][k / 3][k % 3] = 1.0f / 9;
  // One bright dot in each channel.
  for (int c = 0; c < Channels; ++c)
    picture[1 + c % 2][1 + c][c] = 9;

  // The part that does not change from call to call. The compiler of a network
  // would write it into its object file.
  fusion_rt_conv_desc desc = {
      .abi_version = FUSION_RT_ABI_VERSION,
      .struct_size = sizeof(desc),
      .flags = FUSION_RT_CONSTANT_WEIGHTS,
      .spatial_rank = 2,
      .src_type = FUSION_RT_TYPE_F32,
      .weights_type = FUSION_RT_TYPE_F32,
      .dst_type = FUSION_RT_TYPE_F32,
      .residual_type = FUSION_RT_TYPE_NONE,
      .activation = FUSION_RT_ACT_NONE,
      .groups = Channels,
      .strides = {1, 1},
      .dilations = {1, 1},
      .pad_low = {1, 1},
      .pad_high = {1, 1},
  };
  fusion_rt_slot slot = {.desc = &desc, .location = "blur.c"};

  // Sizes are in the order n, c, h, w. The strides give the order in memory.
  fusion_rt_conv_args args = {
      .src = {picture,
              {1, Channels, Height, Width},
              {Height * Width * Channels, 1, Width * Channels, Channels}},
      .weights = {weights, {Channels, 1, 3, 3}, {9, 9, 3, 1}},
      .dst = {blurred,
              {1, Channels, Height, Width},
              {Height * Width * Channels, 1, Width * Channels, Channels}},
  };
  if (fusion_rt_conv(&slot, &args) != FUSION_RT_SUCCESS) {
    fprintf(stderr, "blur: %s\n", fusion_rt_last_error());
    return 1;
  }
  for (int h = 0; h < Height; ++h) {
    for (int c = 0; c < Channels; ++c) {
      for (int w = 0; w < Width; ++w)
        printf(" %.0f", blurred[h][w][c]);
      printf(c + 1 < Channels ? "  |" : "\n");
    }
  }
  fusion_rt_release(&slot);
  return 0;
}
