//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// That build is made with GCC: examples/c-api/README.md says what then fails.

// UNSUPPORTED: asan
// RUN: fusion-capi-test passes | FileCheck %s

// Passes and pipelines from C, on a convolution with bias and relu.

#include "FusionDialect-c/Passes.h"
#include "Support.h"

static const char *const network =
    "func.func @conv_bias_relu(%x: tensor<1x3x10x12xf32>,\n"
    "    %w: tensor<6x3x3x3xf32>, %b: tensor<6xf32>)\n"
    "    -> tensor<1x6x8x10xf32> {\n"
    "  %zero = arith.constant 0.0 : f32\n"
    "  %e = tensor.empty() : tensor<1x6x8x10xf32>\n"
    "  %i = linalg.broadcast ins(%b : tensor<6xf32>)\n"
    "    outs(%e : tensor<1x6x8x10xf32>) dimensions = [0, 2, 3]\n"
    "  %c = linalg.conv_2d_nchw_fchw\n"
    "    ins(%x, %w : tensor<1x3x10x12xf32>, tensor<6x3x3x3xf32>)\n"
    "    outs(%i : tensor<1x6x8x10xf32>) -> tensor<1x6x8x10xf32>\n"
    "  %r = linalg.map ins(%c : tensor<1x6x8x10xf32>)\n"
    "    outs(%e : tensor<1x6x8x10xf32>) (%v: f32, %o: f32) {\n"
    "      %m = arith.maximumf %v, %zero : f32\n"
    "      linalg.yield %m : f32\n"
    "    }\n"
    "  return %r : tensor<1x6x8x10xf32>\n"
    "}\n";

/// Runs `passManager`, which is destroyed, on the network and prints it.
static void runAndPrint(MlirContext context, MlirPassManager passManager) {
  MlirModule module = mlirModuleCreateParse(context, string(network));
  MlirLogicalResult result =
      mlirPassManagerRunOnOp(passManager, mlirModuleGetOperation(module));
  printf("success: %d\n", mlirLogicalResultIsSuccess(result));
  printModule(module);
  mlirModuleDestroy(module);
  mlirPassManagerDestroy(passManager);
}

typedef MlirLogicalResult (*AddPipeline)(MlirOpPassManager, MlirStringRef,
                                         MlirStringCallback, void *);

static void testPipeline(MlirContext context, const char *name, AddPipeline add,
                         const char *options) {
  printf("%s\n", name);
  MlirPassManager pm = mlirPassManagerCreate(context);
  add(mlirPassManagerGetAsOpPassManager(pm), string(options), print, NULL);
  runAndPrint(context, pm);
}

// CHECK-LABEL: passes of their own
// CHECK-NEXT:  success: 1
// CHECK:       fusion.fused_conv_bias_act
// CHECK-SAME:    bias(
// CHECK:       linalg.map
static void testPass(MlirContext context) {
  printf("passes of their own\n");
  MlirPassManager pm = mlirPassManagerCreate(context);
  mlirPassManagerAddOwnedPass(pm, mlirCreateFusionTransformsFusionRaise());
  runAndPrint(context, pm);
}

static void testWrongPipelines(MlirContext context) {
  printf("wrong pipelines\n");
  MlirPassManager pm = mlirPassManagerCreate(context);
  MlirOpPassManager top = mlirPassManagerGetAsOpPassManager(pm);
  MlirLogicalResult result =
      fusionAddOptimizePipeline(top, string("nan-mode=maybe"), print, NULL);
  printf("\nsuccess: %d\n", mlirLogicalResultIsSuccess(result));
  result = fusionAddOptimizePipeline(top, string("precision=f64"), print, NULL);
  printf("\nsuccess: %d\n", mlirLogicalResultIsSuccess(result));
  result = fusionAddCompilePipeline(top, string("disable=foo"), print, NULL);
  printf("\nsuccess: %d\n", mlirLogicalResultIsSuccess(result));
  result = fusionAddCompilePipeline(top, string("speed=11"), print, NULL);
  printf("\nsuccess: %d\n", mlirLogicalResultIsSuccess(result));
  result = fusionAddCompilePipeline(
      mlirPassManagerGetNestedUnder(pm, string("func.func")), string(""), print,
      NULL);
  printf("\nsuccess: %d\n", mlirLogicalResultIsSuccess(result));
  mlirPrintPassPipeline(top, print, NULL);
  printf("\n");
  mlirPassManagerDestroy(pm);
}

static void testRegistration(MlirContext context) {
  printf("registered\n");
  fusionRegisterAllPasses();
  fusionRegisterAllPipelines();
  MlirPassManager pm = mlirPassManagerCreate(context);
  mlirOpPassManagerAddPipeline(
      mlirPassManagerGetAsOpPassManager(pm),
      string(
          "fusion-optimize{disable=bias},fusion-fuse,convert-fusion-to-linalg"),
      print, NULL);
  runAndPrint(context, pm);
}

// CHECK-LABEL: fusion-optimize
// CHECK-NEXT:  success: 1
// CHECK:       func.func @conv_bias_relu
// CHECK:       fusion.fused_conv_bias_act relu ins(
// CHECK-NOT:   linalg.map

// CHECK-LABEL: without the activation
// CHECK-NEXT:  success: 1
// CHECK:       fusion.fused_conv_bias_act {nan_mode = #fusion.nan<propagate>} ins(
// CHECK:       maximumf

// CHECK-LABEL: fusion-compile
// CHECK-NEXT:  success: 1
// CHECK:       llvm.call @fusion_rt_conv_checked

// CHECK-LABEL: wrong pipelines
// CHECK-NEXT:  invalid options of pipeline 'fusion-optimize': nan-mode=maybe
// CHECK-NEXT:  success: 0
// CHECK-NEXT:  'precision' must be f32, bf16 or f16, got 'f64'
// CHECK-NEXT:  success: 0
// CHECK-NEXT:  no law is called 'foo'; there are pad, {{.*}}
// CHECK-NEXT:  success: 0
// CHECK-NEXT:  invalid options of pipeline 'fusion-compile': speed=11
// CHECK-NEXT:  <Pass-Options-Parser>: no such option speed
// CHECK-EMPTY:
// CHECK-NEXT:  success: 0
// CHECK-NEXT:  pipeline 'fusion-compile' runs on 'builtin.module', not on 'func.func'
// CHECK-NEXT:  success: 0
// CHECK-NEXT:  any(func.func())

// CHECK-LABEL: registered
// CHECK-NEXT:  success: 1
// CHECK:       linalg.generic
// CHECK-NOT:   fusion.
void testPasses(MlirContext context) {
  testPass(context);
  testPipeline(context, "fusion-optimize", fusionAddOptimizePipeline, "");
  testPipeline(context, "without the activation", fusionAddOptimizePipeline,
               "disable=activation nan-mode=propagate");
  testPipeline(context, "fusion-compile", fusionAddCompilePipeline, "");
  testWrongPipelines(context);
  testRegistration(context);
}
