//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Builds a convolution through the C API, folds the op behind it and prints the
// module.

#include <FusionDialect-c/Ops.h>
#include <FusionDialect-c/Passes.h>
#include <mlir-c/RegisterEverything.h>
#include <stdio.h>

static const char *const network =
    "func.func @main(%x: tensor<1x3x10x12xf32>, %w: tensor<6x3x3x3xf32>,\n"
    "                %b: tensor<6xf32>) -> tensor<1x6x8x10xf32> {\n"
    "  %zero = arith.constant dense<0.0> : tensor<1x6x8x10xf32>\n"
    "  %e = tensor.empty() : tensor<1x6x8x10xf32>\n"
    "  %r = arith.maximumf %e, %zero : tensor<1x6x8x10xf32>\n"
    "  return %r : tensor<1x6x8x10xf32>\n"
    "}\n";

static void print(MlirStringRef text, void *file) {
  fwrite(text.data, 1, text.length, file);
}

/// Creates the convolution behind `%e`, and makes the relu read it instead.
static int addConvolution(MlirContext context, MlirBlock body) {
  MlirOperation zero = mlirBlockGetFirstOperation(body);
  MlirOperation empty = mlirOperationGetNextInBlock(zero);
  FusionConvolution conv = {0}; // strides and dilations 1, no padding
  conv.input = mlirBlockGetArgument(body, 0);
  conv.filter = mlirBlockGetArgument(body, 1);
  conv.bias = mlirBlockGetArgument(body, 2);
  conv.init = mlirOperationGetResult(empty, 0);
  conv.spatialRank = 2;
  conv.inputLayout = mlirStringRefCreateFromCString("nchw");
  conv.filterLayout = mlirStringRefCreateFromCString("fchw");
  conv.outputLayout = conv.inputLayout;
  MlirOperation op =
      fusionFusedConvBiasActCreate(mlirLocationUnknownGet(context), &conv);
  if (mlirOperationIsNull(op)) // the error is reported already
    return 0;
  mlirOperationSetOperand(mlirOperationGetNextInBlock(empty), 0,
                          mlirOperationGetResult(op, 0));
  mlirBlockInsertOwnedOperationAfter(body, empty, op);
  return 1;
}

int main(void) {
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  fusionRegisterAllDialects(registry);
  fusionRegisterAllExtensions(registry);
  MlirContext context = mlirContextCreateWithRegistry(registry, false);
  mlirDialectHandleLoadDialect(mlirGetDialectHandle__fusion__(), context);
  MlirModule module =
      mlirModuleCreateParse(context, mlirStringRefCreateFromCString(network));
  MlirOperation main = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  if (!addConvolution(context,
                      mlirRegionGetFirstBlock(mlirOperationGetRegion(main, 0))))
    return 1;

  MlirPassManager passes = mlirPassManagerCreate(context);
  fusionAddOptimizePipeline(mlirPassManagerGetAsOpPassManager(passes),
                            mlirStringRefCreate(NULL, 0), print, stderr);
  MlirLogicalResult result =
      mlirPassManagerRunOnOp(passes, mlirModuleGetOperation(module));
  mlirOperationPrint(mlirModuleGetOperation(module), print, stdout);
  mlirPassManagerDestroy(passes);
  mlirModuleDestroy(module);
  mlirContextDestroy(context);
  mlirDialectRegistryDestroy(registry);
  return mlirLogicalResultIsSuccess(result) ? 0 : 1;
}
