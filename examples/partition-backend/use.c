/* Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Calls the network once and compares with the same computed here. */
#include "network.h"

#include <math.h>
#include <stdio.h>

static void fill(float *values, int count, int factor) {
  for (int i = 0; i < count; ++i)
    values[i] = (float)(i * factor % 101 - 50) / 64;
}

int main(void) {
  static float x[3 * 9 * 11], w[5 * 3 * 3 * 2], a[5 * 7 * 10], b[5 * 7 * 10];
  fill(x, 3 * 9 * 11, 37);
  fill(w, 5 * 3 * 3 * 2, 53);
  fill(a, 5 * 7 * 10, 29);
  fill(b, 5 * 7 * 10, 71);
  fusion_memref_f32_4 input = make_fusion_memref_f32_4(x, 1, 3, 9, 11);
  fusion_memref_f32_4 filter = make_fusion_memref_f32_4(w, 5, 3, 3, 2);
  fusion_memref_f32_4 first = make_fusion_memref_f32_4(a, 1, 5, 7, 10);
  fusion_memref_f32_4 second = make_fusion_memref_f32_4(b, 1, 5, 7, 10);
  main_results results;
  _mlir_ciface_main(&results, &input, &filter, &first, &second);
  float worst = 0;
  for (int f = 0; f < 5; ++f)
    for (int i = 0; i < 7; ++i)
      for (int j = 0; j < 10; ++j) {
        float sum = 0;
        for (int c = 0; c < 3; ++c)
          for (int k = 0; k < 3; ++k)
            for (int l = 0; l < 2; ++l)
              sum += x[(c * 9 + i + k) * 11 + j + l] *
                     w[((f * 3 + c) * 3 + k) * 2 + l];
        int at = (f * 7 + i) * 10 + j;
        float t = tanhf(sum);
        float error = fabsf((t + a[at] + b[at]) * t - results.result0.data[at]);
        worst = error > worst ? error : worst;
      }
  fusion_rt_free(results.result0.allocated);
  _fusion_release_network();
  printf("%s\n", worst < 1e-5f ? "agrees" : "differs");
  return !(worst < 1e-5f);
}
