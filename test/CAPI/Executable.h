//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_CAPI_EXECUTABLE_H
#define FUSION_TEST_CAPI_EXECUTABLE_H

// The module that the tests of executables call, and its operands.

#include "FusionDialect-c/Executable.h"
#include "Support.h"

void testExecutable(void);
void testQuantizedCalls(void);
void testWrongCalls(void);

FusionExecutable compile(MlirStringRef text, const char *options);
void diagnose(FusionSeverity severity, MlirStringRef location,
              MlirStringRef message, void *userData);

static const char *const network =
    "func.func @main(%x: tensor<2x3xf32> {fusion.name = \"x\"},\n"
    "    %w: tensor<3x4xf32> {fusion.name = \"w\", fusion.constant},\n"
    "    %b: tensor<4xf32>) -> (tensor<2x4xf32> {fusion.name = \"y\"}) {\n"
    "  %zero = arith.constant 0.0 : f32\n"
    "  %e = tensor.empty() : tensor<2x4xf32>\n"
    "  %i = linalg.broadcast ins(%b : tensor<4xf32>)\n"
    "    outs(%e : tensor<2x4xf32>) dimensions = [0]\n"
    "  %m = linalg.matmul\n"
    "    ins(%x, %w : tensor<2x3xf32>, tensor<3x4xf32>)\n"
    "    outs(%i : tensor<2x4xf32>) -> tensor<2x4xf32>\n"
    "  %r = linalg.map ins(%m : tensor<2x4xf32>)\n"
    "    outs(%e : tensor<2x4xf32>) (%v: f32, %o: f32) {\n"
    "      %a = arith.maximumf %v, %zero : f32\n"
    "      linalg.yield %a : f32\n"
    "    }\n"
    "  return %r : tensor<2x4xf32>\n"
    "}\n"
    "func.func private @hidden(%x: tensor<*xf32>) { return }\n"
    "func.func @scale(%x: tensor<?x2xi32>, %k: i32 {fusion.name = \"k\"})\n"
    "    -> (tensor<?x2xi32>, i32) {\n"
    "  %zero = arith.constant 0 : index\n"
    "  %n = tensor.dim %x, %zero : tensor<?x2xi32>\n"
    "  %e = tensor.empty(%n) : tensor<?x2xi32>\n"
    "  %r = linalg.map ins(%x : tensor<?x2xi32>)\n"
    "    outs(%e : tensor<?x2xi32>) (%v: i32, %o: i32) {\n"
    "      %p = arith.muli %v, %k : i32\n"
    "      linalg.yield %p : i32\n"
    "    }\n"
    "  %s = arith.addi %k, %k : i32\n"
    "  return %r, %s : tensor<?x2xi32>, i32\n"
    "}\n";

static const float weights[] = {1, 0, 2, -1, 0, 1, 1, 1, 2, -1, 0, 1};
static const float bias[] = {0, 1, -10, 2};

static inline void printStatus(FusionStatus status) {
  printf("status %d\n", (int)status);
  MlirStringRef sentence = fusionGetLastError();
  if (status != FusionStatusSuccess)
    printf("  %.*s\n", (int)sentence.length, sentence.data);
}

/// The arguments of `main`.
static inline void fillArguments(FusionTensor *arguments, float *x) {
  static const int64_t sizes[] = {2, 3, 4};
  FusionTensor filled[] = {
      {x, FusionElementTypeF32, 2, sizes, NULL, NULL},
      {(void *)weights, FusionElementTypeF32, 2, sizes + 1, NULL, NULL},
      {(void *)bias, FusionElementTypeF32, 1, sizes + 2, NULL, NULL}};
  for (int i = 0; i < 3; ++i)
    arguments[i] = filled[i];
}

/// The structs of dlpack.h.
typedef struct DLTensor {
  void *data;
  int32_t device, deviceId, ndim;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t byteOffset;
} DLTensor;

typedef struct DLManagedTensor {
  DLTensor tensor;
  void *context;
  void (*deleter)(struct DLManagedTensor *);
} DLManagedTensor;

static inline void fillDLArguments(DLTensor *tensors, float *x) {
  FusionTensor arguments[3];
  fillArguments(arguments, x);
  for (int i = 0; i < 3; ++i)
    tensors[i] = (DLTensor){arguments[i].data,
                            /*device=*/1,
                            0,
                            arguments[i].rank,
                            /*code=*/2,
                            32,
                            1,
                            (int64_t *)arguments[i].sizes,
                            NULL,
                            0};
}

#endif // FUSION_TEST_CAPI_EXECUTABLE_H
