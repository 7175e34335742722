//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// RUN: fusion-capi-test quantized | FileCheck %s

#include "Support.h"
#include <stddef.h>

/// A function whose arguments are operands of the ops: the first four are those
/// of `getConvolution`.
static const char *const integers =
    "func.func @ops(%x: tensor<1x4x10x12xi8>, %w: tensor<6x2x3x3xi8>,\n"
    "               %b: tensor<6xi32>, %r: tensor<1x6x5x11xi8>,\n"
    "               %s: tensor<6xf32>, %mx: memref<4x300xi8>,\n"
    "               %mw: memref<6x300xi8>, %mi: memref<4x6xi32>,\n"
    "               %mr: memref<4x6xi8>) {\n"
    "  return\n"
    "}\n";
enum { SCALE = 4, MX8, MW8, MI32, MR8 };

static MlirValue operand(MlirBlock body, int index) {
  return mlirBlockGetArgument(body, index);
}

/// The same ops, with a residual that is added to the rounded activation.
static void testRoundActivation(MlirLocation loc, MlirBlock body,
                                FusionConvolution *conv, FusionMatmul *matmul) {
  FusionQuantization rounded = {{NULL}, 0,     0,     0,     0,
                                0,      false, false, false, true};
  conv->activation = fusionActivationAttrGet(loc, FusionActivationRelu, 0, 0);
  conv->residualAfterActivation = true;
  append(body, fusionQuantizedConvBiasActCreate(loc, conv, &rounded));
  matmul->activation = conv->activation;
  matmul->residual = matmul->init = operand(body, MR8);
  matmul->residualAfterActivation = true;
  append(body, fusionQuantizedMatmulBiasActCreate(loc, matmul, &rounded));
}

// CHECK-LABEL: quantized
// CHECK:       fusion.quantized_conv_bias_act strides [2, 1] pad_low [0, 1] pad_high [1, 0] groups 2
// CHECK-SAME:    {input_unsigned, input_zero_point = 7 : i32, output_scale = 5.000000e-01 : f32, output_unsigned,
// CHECK-SAME:    output_zero_point = 200 : i32, residual_scale = 2.500000e-01 : f32, residual_unsigned, residual_zero_point = 9 : i32}
// CHECK-SAME:    ins(%arg0, %arg1 : tensor<1x4x10x12xi8>, tensor<6x2x3x3xi8>)
// CHECK-SAME:    bias(%arg2 : tensor<6xi32>) scale(%arg4 : tensor<6xf32>) residual(%arg3 : tensor<1x6x5x11xi8>)
// CHECK-SAME:    outs(%arg3 : tensor<1x6x5x11xi8>) -> tensor<1x6x5x11xi8>
// CHECK-NEXT:  fusion.quantized_matmul_bias_act layouts(mk, nk, mn) ins(
// CHECK-SAME:    outs(%arg7 : memref<4x6xi32>)
// CHECK-NEXT:  fusion.quantized_conv_bias_act relu {{.*}}{round_activation}
// CHECK-SAME:    residual_after_activation(%arg3 :
// CHECK-NEXT:  fusion.quantized_matmul_bias_act relu {{.*}}{round_activation}
// CHECK-SAME:    residual_after_activation(%arg8 :
// CHECK-NEXT:  return
// CHECK:       verifies: 1
static void testCreation(MlirLocation loc, MlirModule module, MlirBlock body) {
  printf("quantized\n");
  FusionConvolution conv = getConvolution(body);
  FusionQuantization quantization = {
      operand(body, SCALE), 7, 200, 9, 0.25f, 0.5f, true, true, true, false};
  append(body, fusionQuantizedConvBiasActCreate(loc, &conv, &quantization));
  FusionMatmul matmul = {0};
  matmul.input = operand(body, MX8);
  matmul.filter = operand(body, MW8);
  matmul.init = operand(body, MI32);
  matmul.inputLayout = string("mk");
  matmul.filterLayout = string("nk");
  matmul.outputLayout = string("mn");
  FusionQuantization none = {{NULL}, 0, 0, 0, 0, 0, false, false, false, false};
  append(body, fusionQuantizedMatmulBiasActCreate(loc, &matmul, &none));
  testRoundActivation(loc, body, &conv, &matmul);
  printModule(module);
  printf("verifies: %d\n", mlirOperationVerify(mlirModuleGetOperation(module)));
}

// CHECK-LABEL: wrong quantized
// CHECK-NEXT:    said: the quantization must not be null
// CHECK-NEXT:  null
// CHECK-NEXT:    said: 'nanMode' must be fast: integers have no NaN
// CHECK-NEXT:  null
// CHECK-NEXT:    said: 'fusion.quantized_conv_bias_act' op {{.*}}200
// CHECK-NEXT:  null
// CHECK-NEXT:    said: parameters of an op must not be null
// CHECK-NEXT:  null
static void testWrong(MlirLocation loc, MlirBlock body) {
  printf("wrong quantized\n");
  FusionConvolution conv = getConvolution(body);
  append(body, fusionQuantizedConvBiasActCreate(loc, &conv, NULL));
  FusionQuantization quantization = {
      operand(body, SCALE), 0, 200, 0, 0, 0, false, false, false, false};
  conv.nanMode = FusionNaNPropagate;
  append(body, fusionQuantizedConvBiasActCreate(loc, &conv, &quantization));
  conv.nanMode = FusionNaNFast;
  append(body, fusionQuantizedConvBiasActCreate(loc, &conv, &quantization));
  append(body, fusionQuantizedMatmulBiasActCreate(loc, NULL, &quantization));
}

void testQuantized(MlirContext context) {
  MlirModule module = mlirModuleCreateParse(context, string(integers));
  MlirLocation loc = mlirLocationUnknownGet(context);
  testCreation(loc, module, getBody(module));
  testWrong(loc, getBody(module));
  mlirModuleDestroy(module);
}
