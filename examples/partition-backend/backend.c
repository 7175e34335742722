/* Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
 * See LICENSE for license information.
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The code of the generator `acme` for `acme_region`, here by hand: the sum
 * of its three arguments. A function of another code generator is called
 * through MLIR's C interface: a descriptor for the result, which the callee
 * allocates and the caller frees, and one for each argument, which is only
 * read. */
#include <stdint.h>
#include <stdlib.h>

typedef struct {
  float *allocated; /* what to free */
  float *data;
  int64_t offset; /* of the first element, from data */
  int64_t sizes[4];
  int64_t strides[4]; /* in elements */
} tensor4;

void _mlir_ciface_acme_region(tensor4 *result, const tensor4 *x,
                              const tensor4 *y, const tensor4 *z);

void _mlir_ciface_acme_region(tensor4 *result, const tensor4 *x,
                              const tensor4 *y, const tensor4 *z) {
  const tensor4 *arguments[3] = {x, y, z};
  int64_t count = 1;
  *result = *x;
  for (int i = 3; i >= 0; --i) {
    result->strides[i] = count;
    count *= x->sizes[i];
  }
  result->offset = 0;
  result->allocated = malloc((size_t)count * sizeof(float));
  result->data = result->allocated;
  if (!result->data)
    abort();
  for (int64_t element = 0; element < count; ++element) {
    float sum = 0;
    for (int number = 0; number < 3; ++number) {
      const tensor4 *tensor = arguments[number];
      int64_t rest = element, index = tensor->offset;
      for (int i = 3; i >= 0; --i) {
        index += rest % tensor->sizes[i] * tensor->strides[i];
        rest /= tensor->sizes[i];
      }
      sum += tensor->data[index];
    }
    result->data[element] = sum;
  }
}
