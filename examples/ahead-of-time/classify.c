//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Asks the compiled network for the direction of the stripes in two pictures.

#include "net.h"
#include <stdio.h>

enum { Height = 8, Width = 10 };

static int printDirection(float *pixels) {
  fusion_memref_f32_4 picture =
      make_fusion_memref_f32_4(pixels, 1, 1, Height, Width);
  net_stripes_results results;
  if (net_stripes(&results, &picture) != 0) {
    fprintf(stderr, "%s\n", fusion_rt_last_error());
    return 1;
  }
  const float *scores = results.result0.data + results.result0.offset;
  printf("%s (%.0f and %.0f)\n", scores[0] > scores[1] ? "upright" : "level",
         scores[0], scores[1]);
  fusion_rt_free(results.result0.allocated);
  return 0;
}

int main(void) {
  float upright[Height][Width], level[Height][Width];
  for (int h = 0; h < Height; ++h) {
    for (int w = 0; w < Width; ++w) {
      upright[h][w] = w % 5 < 2;
      level[h][w] = h % 4 < 2;
    }
  }
  int failed = printDirection(&upright[0][0]) || printDirection(&level[0][0]);
  net_release();
  return failed;
}
