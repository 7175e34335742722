//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_CAPI_SUPPORT_H
#define FUSION_TEST_CAPI_SUPPORT_H

// Declarations that the parts of fusion-capi-test share.

#include "FusionDialect-c/Dialect.h"
#include "FusionDialect-c/Ops.h"
#include "mlir-c/Diagnostics.h"
#include "mlir-c/IR.h"
#include "mlir-c/RegisterEverything.h"
#include <stdio.h>

/// The parts of the program, each in a file of its own.
void testQuantized(MlirContext context);
void testWrongInput(MlirContext context);
void testPasses(MlirContext context);

static inline void print(MlirStringRef text, void *userData) {
  (void)userData;
  fwrite(text.data, 1, text.length, stdout);
}

static inline MlirLogicalResult printDiagnostic(MlirDiagnostic diagnostic,
                                                void *userData) {
  (void)userData;
  printf("  said: ");
  mlirDiagnosticPrint(diagnostic, print, NULL);
  printf("\n");
  return mlirLogicalResultSuccess();
}

static inline MlirStringRef string(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

static inline MlirContext createContext(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  fusionRegisterAllDialects(registry);
  fusionRegisterAllExtensions(registry);
  MlirContext context =
      mlirContextCreateWithRegistry(registry, /*threadingEnabled=*/false);
  mlirDialectRegistryDestroy(registry);
  mlirContextAttachDiagnosticHandler(context, printDiagnostic, NULL, NULL);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__fusion__(), context);
  return context;
}

static inline void printAttribute(MlirAttribute attribute) {
  if (mlirAttributeIsNull(attribute))
    printf("null");
  else
    mlirAttributePrint(attribute, print, NULL);
  printf("\n");
}

static inline void printModule(MlirModule module) {
  mlirOperationPrint(mlirModuleGetOperation(module), print, NULL);
  printf("\n");
}

/// The first block of the first function.
static inline MlirBlock getBody(MlirModule module) {
  MlirOperation function =
      mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  return mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0));
}

/// A function whose arguments are operands of all the ops, in the order of
/// `Arg`.
static const char *const operands =
    "func.func @ops(%x: tensor<1x4x10x12xf32>, %w: tensor<6x2x3x3xf32>,\n"
    "               %b: tensor<6xf32>, %s: tensor<1x6x5x11xf32>,\n"
    "               %dx: tensor<1x10x12x3xf32>, %dw: tensor<6x3x3x2xf32>,\n"
    "               %di: tensor<1x6x20x24xf32>,\n"
    "               %mx: memref<4x300xf32>, %mw: memref<6x300xf32>,\n"
    "               %mb: memref<6xf32>, %mi: memref<4x6xf32>,\n"
    "               %pi: tensor<1x4x5x6xf32>) {\n"
    "  return\n"
    "}\n";
enum Arg { X, W, B, S, DX, DW, DI, MX, MW, MB, MI, PI };

static inline MlirValue arg(MlirBlock body, enum Arg index) {
  return mlirBlockGetArgument(body, index);
}

static inline FusionConvolution getConvolution(MlirBlock body) {
  static const int64_t strides[] = {2, 1}, padLow[] = {0, 1},
                       padHigh[] = {1, 0};
  FusionConvolution conv = {0};
  conv.input = arg(body, X);
  conv.filter = arg(body, W);
  conv.bias = arg(body, B);
  conv.residual = arg(body, S);
  conv.init = arg(body, S);
  conv.spatialRank = 2;
  conv.strides = strides;
  conv.padLow = padLow;
  conv.padHigh = padHigh;
  conv.groups = 2;
  conv.inputLayout = conv.outputLayout = string("nchw");
  conv.filterLayout = string("fchw");
  return conv;
}

static inline FusionConvolution getDeconvolution(MlirBlock body) {
  static const int64_t strides[] = {2, 2}, padLow[] = {1, 0};
  FusionConvolution deconv = {0};
  deconv.input = arg(body, DX);
  deconv.filter = arg(body, DW);
  deconv.init = arg(body, DI);
  deconv.spatialRank = 2;
  deconv.strides = strides;
  deconv.padLow = padLow;
  deconv.inputLayout = string("nhwc");
  deconv.filterLayout = string("fchw");
  deconv.outputLayout = string("nchw");
  return deconv;
}

static inline FusionMatmul getMatmul(MlirBlock body) {
  FusionMatmul matmul = {0};
  matmul.input = arg(body, MX);
  matmul.filter = arg(body, MW);
  matmul.bias = arg(body, MB);
  matmul.init = arg(body, MI);
  matmul.inputLayout = string("mk");
  matmul.filterLayout = string("nk");
  matmul.outputLayout = string("mn");
  return matmul;
}

static inline FusionPool getPool(MlirBlock body) {
  static const int64_t kernel[] = {3, 3}, ones[] = {1, 1}, strides[] = {2, 2};
  FusionPool pool = {0};
  pool.input = arg(body, X);
  pool.init = arg(body, PI);
  pool.pooling = FusionPoolingMax;
  pool.spatialRank = 2;
  pool.kernel = kernel;
  pool.strides = strides;
  pool.padLow = pool.padHigh = ones;
  pool.layout = string("nchw");
  return pool;
}

/// Inserts `op` in front of the function's terminator.
static inline void append(MlirBlock body, MlirOperation op) {
  if (mlirOperationIsNull(op))
    printf("null\n");
  else
    mlirBlockInsertOwnedOperationBefore(body, mlirBlockGetTerminator(body), op);
}

#endif // FUSION_TEST_CAPI_SUPPORT_H
