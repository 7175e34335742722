//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: fusion-capi-test ops | FileCheck %s

// The C API from a program in C: attributes, and an op of each builder.

#include "Executable.h"
#include "Support.h"
#include <string.h>

//===----------------------------------------------------------------------===//
// Attributes
//===----------------------------------------------------------------------===//

// CHECK-LABEL: attributes
// CHECK-NEXT:  #fusion.activation<clip, 0.000000e+00, 6.000000e+00>
// CHECK-NEXT:  kind 2 of 2 parameters, alpha 0, beta 6
// CHECK-NEXT:  #fusion.activation<relu>
// CHECK-NEXT:  kind 1 of 0 parameters, alpha 0, beta 0
// CHECK-NEXT:  #fusion.nan<propagate>
// CHECK-NEXT:  mode 1
// CHECK-NEXT:  #fusion.pooling<sum>
// CHECK-NEXT:  pooling 2
// CHECK-NEXT:  activation: 1 0 0 0
// CHECK-NEXT:  NaN mode: 0 1 0 0
// CHECK-NEXT:  pooling: 0 0 1 0
// CHECK-NEXT:    said: unknown activation 99
// CHECK-NEXT:  null
// CHECK-NEXT:    said: activation 'elu' must have no parameter but its 1, got {{.*}} and {{.*}}
// CHECK-NEXT:  null
// CHECK-NEXT:    said: lower bound of 'clip' must not exceed the upper
// CHECK-NEXT:  null
// CHECK-NEXT:    said: unknown NaN mode 7
// CHECK-NEXT:  null
// CHECK-NEXT:    said: unknown pooling 0
// CHECK-NEXT:  null
static void printActivation(MlirAttribute activation) {
  printAttribute(activation);
  FusionActivationKind kind = fusionActivationAttrGetKind(activation);
  printf("kind %d of %d parameters, alpha %g, beta %g\n", kind,
         fusionActivationGetNumParameters(kind),
         fusionActivationAttrGetAlpha(activation),
         fusionActivationAttrGetBeta(activation));
}

static void printPredicate(const char *name, bool (*is)(MlirAttribute),
                           const MlirAttribute *attributes) {
  printf("%s:", name);
  for (int i = 0; i < 4; ++i)
    printf(" %d", is(attributes[i]));
  printf("\n");
}

static void testAttributes(MlirContext context) {
  printf("attributes\n");
  MlirLocation loc = mlirLocationUnknownGet(context);
  MlirAttribute attributes[4] = {
      fusionActivationAttrGet(loc, FusionActivationClip, 0.0f, 6.0f),
      fusionNaNModeAttrGet(loc, FusionNaNPropagate),
      fusionPoolingAttrGet(loc, FusionPoolingSum),
      {NULL}};
  printActivation(attributes[0]);
  printActivation(fusionActivationAttrGet(loc, FusionActivationRelu, 0, 0));
  printAttribute(attributes[1]);
  printf("mode %d\n", fusionNaNModeAttrGetMode(attributes[1]));
  printAttribute(attributes[2]);
  printf("pooling %d\n", fusionPoolingAttrGetPooling(attributes[2]));
  printPredicate("activation", fusionAttributeIsAActivation, attributes);
  printPredicate("NaN mode", fusionAttributeIsANaNMode, attributes);
  printPredicate("pooling", fusionAttributeIsAPooling, attributes);
  printAttribute(fusionActivationAttrGet(loc, (FusionActivationKind)99, 0, 0));
  printAttribute(fusionActivationAttrGet(loc, FusionActivationElu, 1, 2));
  printAttribute(fusionActivationAttrGet(loc, FusionActivationClip, 6, 0));
  printAttribute(fusionNaNModeAttrGet(loc, (FusionNaNMode)7));
  printAttribute(fusionPoolingAttrGet(loc, (FusionPooling)0));
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

// CHECK-LABEL: ops
// CHECK:       func.func @ops
// CHECK:       fusion.fused_conv_bias_act leaky_relu(1.250000e-01) strides [2, 1] pad_low [0, 1] pad_high [1, 0] groups 2 {nan_mode = #fusion.nan<propagate>} ins(
// CHECK-SAME:    %arg0, %arg1 : tensor<1x4x10x12xf32>, tensor<6x2x3x3xf32>)
// CHECK-SAME:    bias(%arg2 : tensor<6xf32>) residual_after_activation(%arg3 : tensor<1x6x5x11xf32>)
// CHECK-SAME: outs(%arg3 : tensor<1x6x5x11xf32>) -> tensor<1x6x5x11xf32>
// CHECK-NEXT: fusion.fused_deconv_bias_act strides [2, 2] pad_low [1, 0] layouts(nhwc, fchw, nchw) ins(
// CHECK-SAME:    outs(%arg6 : tensor<1x6x20x24xf32>) -> tensor<1x6x20x24xf32>
// CHECK-NEXT: fusion.fused_matmul_bias_act layouts(mk, nk, mn) ins(
// CHECK-SAME:    bias(%arg9 : memref<6xf32>) outs(%arg10 : memref<4x6xf32>)
// CHECK-NEXT:  fusion.pool {kernel = array<i64: 3, 3>, layout = #fusion.layout<nchw>, pad_high = array<i64: 1, 1>,
// CHECK-SAME:    pad_low = array<i64: 1, 1>, pooling = #fusion.pooling<max>, strides = array<i64: 2, 2>}
// CHECK-SAME:    -> tensor<1x4x5x6xf32>
// CHECK-NEXT:  return
// CHECK:       verifies: 1
static void testOps(MlirContext context) {
  printf("ops\n");
  MlirLocation loc = mlirLocationUnknownGet(context);
  MlirModule module = mlirModuleCreateParse(context, string(operands));
  MlirBlock body = getBody(module);
  FusionConvolution conv = getConvolution(body);
  conv.activation =
      fusionActivationAttrGet(loc, FusionActivationLeakyRelu, 0.125f, 0);
  conv.nanMode = FusionNaNPropagate;
  conv.residualAfterActivation = true;
  append(body, fusionFusedConvBiasActCreate(loc, &conv));
  FusionConvolution deconv = getDeconvolution(body);
  append(body, fusionFusedDeconvBiasActCreate(loc, &deconv));
  FusionMatmul matmul = getMatmul(body);
  append(body, fusionFusedMatmulBiasActCreate(loc, &matmul));
  FusionPool pool = getPool(body);
  append(body, fusionPoolCreate(loc, &pool));
  printModule(module);
  printf("verifies: %d\n", mlirOperationVerify(mlirModuleGetOperation(module)));
  mlirModuleDestroy(module);
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  MlirContext context = createContext();
  if (strcmp(what, "ops") == 0) {
    testAttributes(context);
    testOps(context);
  } else if (strcmp(what, "wrong-input") == 0) {
    testWrongInput(context);
  } else if (strcmp(what, "quantized") == 0) {
    testQuantized(context);
  } else if (strcmp(what, "passes") == 0) {
    testPasses(context);
  } else if (strcmp(what, "executable") == 0) {
    testExecutable();
  } else if (strcmp(what, "quantized-calls") == 0) {
    testQuantizedCalls();
  } else if (strcmp(what, "wrong-calls") == 0) {
    testWrongCalls();
  } else {
    fprintf(stderr, "usage: fusion-capi-test "
                    "ops|quantized|wrong-input|passes|executable|"
                    "quantized-calls|wrong-calls\n");
  }
  mlirContextDestroy(context);
  return 0;
}
