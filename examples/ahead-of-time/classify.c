//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Asks the compiled network which way the stripes of two pictures run.

#include "net.h"
#include <stdio.h>
#include <stdlib.h>

enum { Height = 8, Width = 10 };

static void printDirection(float *pixels) {
  fusion_memref_f32_4 picture =
      make_fusion_memref_f32_4(pixels, 1, 1, Height, Width);
  stripes_results results;
  _mlir_ciface_stripes(&results, &picture);
  const float *scores = results.result0.data + results.result0.offset;
  printf("%s (%.0f and %.0f)\n", scores[0] > scores[1] ? "upright" : "level",
         scores[0], scores[1]);
  free(results.result0.allocated);
}

int main(void) {
  float upright[Height][Width], level[Height][Width];
  for (int h = 0; h < Height; ++h) {
    for (int w = 0; w < Width; ++w) {
      upright[h][w] = w % 5 < 2;
      level[h][w] = h % 4 < 2;
    }
  }
  printDirection(&upright[0][0]);
  printDirection(&level[0][0]);
  _fusion_release_net();
  return 0;
}
