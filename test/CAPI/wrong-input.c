//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: fusion-capi-test wrong-input | FileCheck %s

// Wrong input to the builders of the C API: each gives null and one reason or
// more, and nothing aborts.

#include "Support.h"
#include "mlir-c/BuiltinAttributes.h"

#include <string.h>

// CHECK-LABEL: wrong convolutions
// CHECK-NEXT:    said: 'fusion.fused_conv_bias_act' op 'bias' must have one element per output channel (6), got 4
// CHECK-NEXT:  null
// CHECK-NEXT:    said: 'input' must not be null
// CHECK-NEXT:    said: 'filter' must not be null
// CHECK-NEXT:    said: 'init' must not be null
// CHECK-NEXT:    said: 'spatialRank' must be 1, 2 or 3, got 0
// CHECK-NEXT:  null
// CHECK-NEXT:    said: 'fusion.fused_conv_bias_act' op 'strides' must have one element per spatial dimension (2), got 1
// CHECK-NEXT:  null
// CHECK-NEXT:    said: 'fusion.fused_conv_bias_act' op 'input_layout' must be a permutation of "nchw", got ""
// CHECK-NEXT:  null
// CHECK-NEXT:    said: {{.*}} attribute 'groups' failed to satisfy constraint
// CHECK-NEXT:  null
// CHECK-NEXT: said: 'activation' must be a #fusion.activation, got unit
// CHECK-NEXT:  null
// CHECK-NEXT:    said: unknown NaN mode 5
// CHECK-NEXT:  null
// CHECK-NEXT:    said: 'bias' must be of the context of the location
// CHECK-NEXT:  null
// CHECK-NEXT:    said: parameters of an op must not be null
// CHECK-NEXT:  null
// CHECK-NEXT:  null
static void testWrongConvolutions(MlirContext context, MlirBlock body,
                                  MlirValue elsewhere) {
  printf("wrong convolutions\n");
  MlirLocation loc = mlirLocationUnknownGet(context);
  FusionConvolution conv = getConvolution(body);
  conv.bias = elsewhere;
  FusionConvolution wrong[7] = {getConvolution(body)};
  for (int i = 0; i < 7; ++i)
    wrong[i] = getConvolution(body);
  wrong[1] = (FusionConvolution){0};
  wrong[2].spatialRank = 1;
  wrong[3].inputLayout = mlirStringRefCreate(NULL, 0);
  wrong[4].groups = -2;
  wrong[5].activation = mlirUnitAttrGet(context);
  wrong[6].nanMode = (FusionNaNMode)5;
  wrong[0].bias = mlirOperationGetResult(mlirBlockGetFirstOperation(body), 0);
  for (int i = 0; i < 7; ++i)
    append(body, fusionFusedConvBiasActCreate(loc, &wrong[i]));
  append(body, fusionFusedConvBiasActCreate(loc, &conv));
  append(body, fusionFusedConvBiasActCreate(loc, NULL));
  append(body, fusionFusedConvBiasActCreate((MlirLocation){NULL}, &conv));
}

// CHECK-LABEL: wrong other ops
// CHECK-NEXT:    said: 'fusion.fused_deconv_bias_act' op 'init' must have size {{.*}}, got
// CHECK-NEXT:  null
// CHECK-NEXT:    said: a layout must have each letter once, got "kk"
// CHECK-NEXT:  null
// CHECK-NEXT:    said: 'fusion.fused_matmul_bias_act' op 'filter_layout' must
// CHECK-NEXT:  null
// CHECK-NEXT:    said: a layout of 4 letters must not be null
// CHECK-NEXT:  null
// CHECK-NEXT:    said: 'fusion.fused_matmul_bias_act' op operand #0 must be
// CHECK-NEXT:  null
// CHECK-NEXT:    said: unknown pooling 3
// CHECK-NEXT:    said: 'kernel' must not be null
// CHECK-NEXT:  null
// CHECK-NEXT:    said: 'fusion.pool' op pads must be less than the kernel (1), got 1 and 1
// CHECK-NEXT:  null
// CHECK-NEXT:    said: 'fusion.pool' op 'input_unsigned' must come with an i8 'input'
// CHECK-NEXT:  null
// CHECK-NOT:   fusion.
static void testWrongOthers(MlirContext context, MlirBlock body) {
  printf("wrong other ops\n");
  MlirLocation loc = mlirLocationUnknownGet(context);
  static const int64_t ones[] = {1, 1};
  FusionConvolution deconv = getDeconvolution(body);
  deconv.strides = ones;
  append(body, fusionFusedDeconvBiasActCreate(loc, &deconv));
  FusionMatmul matmul = getMatmul(body);
  matmul.filterLayout = string("kk");
  append(body, fusionFusedMatmulBiasActCreate(loc, &matmul));
  matmul.filterLayout = string("kb");
  append(body, fusionFusedMatmulBiasActCreate(loc, &matmul));
  matmul.filterLayout = mlirStringRefCreate(NULL, 4);
  append(body, fusionFusedMatmulBiasActCreate(loc, &matmul));
  matmul.filterLayout = string("nk");
  matmul.input = arg(body, X);
  append(body, fusionFusedMatmulBiasActCreate(loc, &matmul));
  FusionPool pool = getPool(body);
  pool.pooling = (FusionPooling)3;
  pool.kernel = NULL;
  append(body, fusionPoolCreate(loc, &pool));
  pool.pooling = FusionPoolingSum;
  pool.kernel = ones;
  append(body, fusionPoolCreate(loc, &pool));
  pool.inputUnsigned = true;
  append(body, fusionPoolCreate(loc, &pool));
}

// CHECK-LABEL: not loaded
// CHECK-NEXT:    said: dialect 'fusion' must be loaded into the context
// CHECK-NEXT:  null
// CHECK-NEXT:    said: dialect 'fusion' must be loaded into the context
// CHECK-NEXT:  1
static void testNotLoaded(void) {
  printf("not loaded\n");
  MlirContext context = mlirContextCreate();
  mlirContextAttachDiagnosticHandler(context, printDiagnostic, NULL, NULL);
  MlirLocation loc = mlirLocationUnknownGet(context);
  printAttribute(fusionActivationAttrGet(loc, FusionActivationRelu, 0, 0));
  FusionPool pool;
  memset(&pool, 0, sizeof pool);
  printf("%d\n", mlirOperationIsNull(fusionPoolCreate(loc, &pool)));
  mlirContextDestroy(context);
}

void testWrongInput(MlirContext context) {
  MlirModule module = mlirModuleCreateParse(
      context,
      string("func.func @ops(%x: tensor<1x4x10x12xf32>,\n"
             "    %w: tensor<6x2x3x3xf32>, %b: tensor<6xf32>,\n"
             "    %s: tensor<1x6x5x11xf32>, %dx: tensor<1x10x12x3xf32>,\n"
             "    %dw: tensor<6x3x3x2xf32>, %di: tensor<1x6x20x24xf32>,\n"
             "    %mx: memref<4x300xf32>, %mw: memref<6x300xf32>,\n"
             "    %mb: memref<6xf32>, %mi: memref<4x6xf32>,\n"
             "    %pi: tensor<1x4x5x6xf32>) {\n"
             "  %four = tensor.empty() : tensor<4xf32>\n"
             "  return\n"
             "}\n"));
  MlirContext other = createContext();
  MlirModule elsewhere = mlirModuleCreateParse(other, string(operands));
  MlirBlock body = getBody(module);
  testWrongConvolutions(context, body, arg(getBody(elsewhere), B));
  testWrongOthers(context, body);
  printModule(module);
  mlirModuleDestroy(elsewhere);
  mlirContextDestroy(other);
  mlirModuleDestroy(module);
  testNotLoaded();
}
