//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Quantised ops that a builder of the C API makes, each in a module that is
// compiled and called from C. The expected integers are those of
// residual-sums.mlir, as upstream's passes lower it.

// That build is made with GCC: examples/c-api/README.md says what then fails.

// UNSUPPORTED: asan
// RUN: rm -rf %t && mkdir %t
// RUN: fusion-capi-test quantized-calls > %t/got.txt
// RUN: FileCheck %s --input-file=%t/got.txt

// RUN: %npy write %t/x.npy '|i1' 1x10x13x3 '(i * 37 + i // 7 + 11) %% 256 - 128'
// RUN: %npy write %t/w.npy '|i1' 3x2x3x6 '(i * 53 + i // 7 + 29) %% 256 - 128'
// RUN: %npy write %t/b.npy '<i4' 6 'i * 2711 %% 8009 - 4000'
// RUN: %npy write %t/s.npy '<f4' 6 '(i * 5 %% 7 + 3) / 3000'
// RUN: %npy write %t/y.npy '|i1' 1x5x14x6 '(i * 71 + i // 7 + 5) %% 256 - 128'
// RUN: fusion-run %S/Inputs/residual-sums.mlir --entry=conv --mode=unfused --quant-rounding=exact --input=%t/x.npy,%t/w.npy,%t/b.npy,%t/s.npy,%t/y.npy --verify --lsb=0 --output=%t/conv
// RUN: %npy show %t/conv/result0.npy > %t/expected.txt

// RUN: %npy write %t/x.npy '|i1' 5x11 '(i * 37 + i // 7 + 11) %% 256 - 128'
// RUN: %npy write %t/w.npy '|i1' 11x9 '(i * 53 + i // 7 + 29) %% 256 - 128'
// RUN: %npy write %t/b.npy '<i4' 9 'i * 2711 %% 8009 - 4000'
// RUN: %npy write %t/s.npy '<f4' 9 '(i * 5 %% 7 + 3) / 3000'
// RUN: %npy write %t/y.npy '|i1' 5x9 '(i * 71 + i // 7 + 5) %% 256 - 128'
// RUN: fusion-run %S/Inputs/residual-sums.mlir --entry=matmul --mode=unfused --quant-rounding=exact --input=%t/x.npy,%t/w.npy,%t/b.npy,%t/s.npy,%t/y.npy --verify --lsb=0 --output=%t/matmul
// RUN: %npy show %t/matmul/result0.npy >> %t/expected.txt
// RUN: grep i1 %t/got.txt | diff %t/expected.txt -

#include "Executable.h"

enum { INPUT, FILTER, BIAS, SCALE, RESIDUAL, NUM_OPERANDS };

/// Functions that return what `insertOp` makes of their arguments.
static const char *const convolution =
    "func.func @conv(%x: tensor<1x10x13x3xi8>, %w: tensor<3x2x3x6xi8>,\n"
    "    %b: tensor<6xi32>, %s: tensor<6xf32>, %y: tensor<1x5x14x6xi8>)\n"
    "    -> tensor<1x5x14x6xi8> {\n"
    "  %e = tensor.empty() : tensor<1x5x14x6xi8>\n"
    "  return %e : tensor<1x5x14x6xi8>\n"
    "}\n";
static const char *const product =
    "func.func @matmul(%x: tensor<5x11xi8>, %w: tensor<11x9xi8>,\n"
    "    %b: tensor<9xi32>, %s: tensor<9xf32>, %y: tensor<5x9xi8>)\n"
    "    -> tensor<5x9xi8> {\n"
    "  %e = tensor.empty() : tensor<5x9xi8>\n"
    "  return %e : tensor<5x9xi8>\n"
    "}\n";

static MlirOperation makeConvolution(MlirLocation loc, MlirBlock body,
                                     MlirValue init, bool rounds) {
  static const int64_t strides[] = {2, 1}, padLow[] = {1, 0},
                       padHigh[] = {0, 2};
  FusionConvolution conv = {0};
  conv.input = mlirBlockGetArgument(body, INPUT);
  conv.filter = mlirBlockGetArgument(body, FILTER);
  conv.bias = mlirBlockGetArgument(body, BIAS);
  conv.residual = mlirBlockGetArgument(body, RESIDUAL);
  conv.init = init;
  conv.spatialRank = 2;
  conv.strides = strides;
  conv.padLow = padLow;
  conv.padHigh = padHigh;
  conv.inputLayout = conv.outputLayout = string("nhwc");
  conv.filterLayout = string("hwcf");
  // The bounds 0 and 255, less the zero point of the sum that is rounded.
  conv.activation =
      fusionActivationAttrGet(loc, FusionActivationClip, -121.0f, 134.0f);
  conv.residualAfterActivation = true;
  FusionQuantization numbers = {0};
  numbers.scale = mlirBlockGetArgument(body, SCALE);
  numbers.inputUnsigned = numbers.outputUnsigned = true;
  numbers.residualUnsigned = true;
  numbers.inputZeroPoint = 7;
  numbers.outputZeroPoint = 9;
  numbers.residualZeroPoint = 3;
  numbers.residualScale = 0.0813f / 0.0625f;
  numbers.outputScale = 0.0625f / 0.1137f;
  numbers.roundActivation = rounds;
  return fusionQuantizedConvBiasActCreate(loc, &conv, &numbers);
}

static MlirOperation makeMatmul(MlirLocation loc, MlirBlock body,
                                MlirValue init, bool rounds) {
  FusionMatmul matmul = {0};
  matmul.input = mlirBlockGetArgument(body, INPUT);
  matmul.filter = mlirBlockGetArgument(body, FILTER);
  matmul.bias = mlirBlockGetArgument(body, BIAS);
  matmul.residual = mlirBlockGetArgument(body, RESIDUAL);
  matmul.init = init;
  matmul.inputLayout = string("mk");
  matmul.filterLayout = string("kn");
  matmul.outputLayout = string("mn");
  matmul.activation = fusionActivationAttrGet(loc, FusionActivationRelu, 0, 0);
  matmul.residualAfterActivation = true;
  FusionQuantization numbers = {0};
  numbers.scale = mlirBlockGetArgument(body, SCALE);
  numbers.inputZeroPoint = -14;
  numbers.residualScale = 0.37f / 0.52f;
  numbers.outputScale = 0.52f;
  numbers.roundActivation = rounds;
  return fusionQuantizedMatmulBiasActCreate(loc, &matmul, &numbers);
}

typedef MlirOperation (*Maker)(MlirLocation, MlirBlock, MlirValue, bool);

/// The function of `text`, which returns the result of an op of `make`.
static FusionExecutable compileOp(const char *text, Maker make, bool rounds) {
  MlirContext context = createContext();
  FusionSource source = {0};
  source.module = mlirModuleCreateParse(context, string(text));
  MlirBlock body = getBody(source.module);
  MlirValue init = mlirOperationGetResult(mlirBlockGetFirstOperation(body), 0);
  MlirOperation op = make(mlirLocationUnknownGet(context), body, init, rounds);
  append(body, op);
  mlirOperationSetOperand(mlirBlockGetTerminator(body), 0,
                          mlirOperationGetResult(op, 0));
  FusionExecutable executable;
  printStatus(fusionExecutableCreate(&source, NULL, &executable));
  mlirModuleDestroy(source.module);
  mlirContextDestroy(context);
  return executable;
}

static int64_t getCount(FusionTensor tensor) {
  int64_t count = 1;
  for (int i = 0; i < tensor.rank; ++i)
    count *= tensor.sizes[i];
  return count;
}

static void fill(int8_t *elements, int64_t count, int factor, int addend) {
  for (int i = 0; i < count; ++i)
    elements[i] = (int8_t)((i * factor + i / 7 + addend) % 256 - 128);
}

/// Fills an argument of `executable` by the formulas above.
static void fillArgument(FusionExecutable executable, int index,
                         FusionTensor *tensor) {
  static int8_t integers[NUM_OPERANDS][512];
  static int32_t biases[16];
  static float scales[16];
  static const int factors[] = {37, 53, 0, 0, 71},
                   addends[] = {11, 29, 0, 0, 5};
  FusionValueInfo info;
  fusionExecutableGetArgument(executable, 0, index, &info);
  *tensor = (FusionTensor){
      integers[index], info.elementType, info.rank, info.sizes, NULL, NULL};
  int64_t count = getCount(*tensor);
  if (info.elementType == FusionElementTypeI8) {
    fill(integers[index], count, factors[index], addends[index]);
    return;
  }
  for (int i = 0; i < count; ++i) {
    biases[i] = i * 2711 % 8009 - 4000;
    scales[i] = (float)((i * 5 % 7 + 3) / 3000.0);
  }
  tensor->data = index == BIAS ? (void *)biases : (void *)scales;
}

static FusionTensor call(FusionExecutable executable) {
  FusionTensor arguments[NUM_OPERANDS];
  FusionTensor result = {NULL, FusionElementTypeI8, 0, NULL, NULL, NULL};
  for (int i = 0; i < NUM_OPERANDS; ++i)
    fillArgument(executable, i, &arguments[i]);
  printStatus(
      fusionExecutableCall(executable, 0, arguments, NUM_OPERANDS, &result, 1));
  return result;
}

/// Prints as npy.py does.
static void printIntegers(FusionTensor tensor) {
  printf("|i1 (");
  for (int i = 0; i < tensor.rank; ++i)
    printf("%s%d", i ? ", " : "", (int)tensor.sizes[i]);
  printf(") [");
  for (int64_t i = 0; i < getCount(tensor); ++i)
    printf("%s%d", i ? ", " : "", ((int8_t *)tensor.data)[i]);
  printf("]\n");
}

static void testOp(const char *text, Maker make) {
  FusionExecutable rounding = compileOp(text, make, true);
  FusionExecutable plain = compileOp(text, make, false);
  FusionTensor result = call(rounding), other = call(plain);
  printIntegers(result);
  int64_t numOthers = 0;
  for (int64_t i = 0; i < getCount(result); ++i)
    numOthers += ((int8_t *)result.data)[i] != ((int8_t *)other.data)[i];
  printf("of %d elements %d need the rounding\n", (int)getCount(result),
         (int)numOthers);
  fusionTensorRelease(&result);
  fusionTensorRelease(&other);
  fusionExecutableDestroy(rounding);
  fusionExecutableDestroy(plain);
}

// CHECK-COUNT-4: status 0
// CHECK-NEXT:    |i1 (1, 5, 14, 6) [
// CHECK-NEXT:    of 420 elements {{[1-9][0-9]}} need the rounding
// CHECK-COUNT-4: status 0
// CHECK-NEXT:    |i1 (5, 9) [
// CHECK-NEXT:    of 45 elements {{[1-9]}} need the rounding
void testQuantizedCalls(void) {
  testOp(convolution, makeConvolution);
  testOp(product, makeMatmul);
}
