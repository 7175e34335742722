//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// usage: run FILE.mlir
//
// Compiles the module, whose entry has one argument and one result of static
// sizes in f32, calls it with ones, and prints the size of the result and its
// first element.

#include "FusionDialect-c/Executable.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static MlirStringRef string(const char *text) {
  return mlirStringRefCreate(text, strlen(text));
}

static int fail(void) {
  MlirStringRef error = fusionGetLastError();
  fprintf(stderr, "%.*s\n", (int)error.length, error.data);
  return 1;
}

static int64_t countElements(int32_t rank, const int64_t *sizes) {
  int64_t count = 1;
  for (int32_t i = 0; i < rank; ++i)
    count *= sizes[i];
  return count;
}

int main(int argc, char **argv) {
  FusionSource source = {.path = string(argc > 1 ? argv[1] : "model.mlir")};
  FusionCompilerOptions options = {.pipeline = string("precision=bf16")};
  FusionExecutable net;
  if (fusionExecutableCreate(&source, &options, &net) != FusionStatusSuccess)
    return fail();

  FusionValueInfo info;
  fusionExecutableGetArgument(net, /*entry=*/0, /*index=*/0, &info);
  int64_t count = countElements(info.rank, info.sizes);
  float *data = malloc(count * sizeof(float));
  for (int64_t i = 0; i < count; ++i)
    data[i] = 1;

  FusionTensor x = {data, info.elementType, info.rank, info.sizes, NULL, NULL};
  FusionTensor y = {0};
  if (fusionExecutableCall(net, 0, &x, 1, &y, 1) != FusionStatusSuccess)
    return fail();
  printf("%d elements, the first is %g\n", (int)countElements(y.rank, y.sizes),
         ((float *)y.data)[0]);
  fusionTensorRelease(&y);
  fusionExecutableDestroy(net);
  free(data);
  return 0;
}
