//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// That build is made with GCC: examples/c-api/README.md says what then fails.

// UNSUPPORTED: asan
// RUN: fusion-capi-test wrong-calls | FileCheck %s

// Modules that cannot be compiled, and calls that cannot be made: each gives a
// status and a sentence, and the process lives on.

#include "Executable.h"

// CHECK-LABEL: wrong modules
// CHECK-NEXT:  status 64
// CHECK-NEXT:    <module>:1:14: expected non-function type
// CHECK-NEXT:  The file does not parse with MLIR
// CHECK-NEXT:  status 64
// CHECK-NEXT:    '<module>' has no function to run
// CHECK-NEXT:  status 64
// CHECK-NEXT:    argument 0 of 'f' has type tensor<*xf32>: expected a ranked tensor
// CHECK-NEXT:    0 at '<module>:1:{{[0-9]+}}': {{.*}}2^47 bytes
// CHECK-NEXT:  status 64
// CHECK-NEXT:    'f' does not fit into memory
// CHECK-NEXT:  status 64
// CHECK-NEXT:    out of memory: a constant has 70368744177664 bytes
// CHECK-NEXT:  status 64
// CHECK-NEXT:    <module>:2:{{[0-9]+}}: the function 'g', declared at <module>:1:1, has no body, and no
// CHECK-NEXT:  status 1
// CHECK-NEXT:    invalid options of pipeline 'fusion-compile': speed=11
// CHECK:       status 1
// CHECK-NEXT:    'precision' must be f32, bf16 or f16, got 'f64'
// CHECK-NEXT:  status 64
// CHECK-NEXT:    there is no function 'nobody'; there are: main, hidden, scale
// CHECK-NEXT:  status 1
// CHECK-NEXT:    'threads' must be between 0 and 1024, got -1
// CHECK-NEXT:  status 64
// CHECK-NEXT:    one of 'contents', 'path' and 'module' of a source must be set, got 0
// CHECK-NEXT:  status 64
// CHECK-NEXT:    cannot open 'no-such-file.mlir': No such file or directory
// CHECK-NEXT:  status 64
// CHECK-NEXT:    'f' could not be lowered with Fusion's passes: <module>:1:{{[0-9]+}}: op was not bufferized
// CHECK-NEXT:  status 1
// CHECK-NEXT:    'source' and 'executable' must not be null
// CHECK-NEXT:  all are null: 1
static void testWrongModules(void) {
  printf("wrong modules\n");
  FusionExecutable made[13];
  made[0] = compile(string("func.func @f( {"), "");
  made[1] = compile(string("module {}"), "");
  made[2] = compile(string("func.func @f(%x: tensor<*xf32>) { return }"), "");
  made[3] =
      compile(string("func.func @f() -> f32 { "
                     "%e = tensor.empty() : tensor<70368744177664xf32> "
                     "%i = arith.constant 0 : index "
                     "%x = tensor.extract %e[%i] : tensor<70368744177664xf32> "
                     "return %x : f32 }"),
              "");
  made[9] = compile(
      string("func.func @f() -> tensor<17592186044416xf32> { "
             "%e = arith.constant dense<1.0> : tensor<17592186044416xf32> "
             "return %e : tensor<17592186044416xf32> }"),
      "");
  made[10] = compile(string("func.func private @g() -> f32\n"
                            "func.func @f() -> f32 { "
                            "%x = func.call @g() : () -> f32 "
                            "return %x : f32 }"),
                     "");
  made[4] = compile(string(network), "speed=11");
  made[11] = compile(string(network), "precision=f64");
  FusionSource source = {0};
  source.contents = string(network);
  FusionCompilerOptions options = {0};
  options.entry = string("nobody");
  printStatus(fusionExecutableCreate(&source, &options, &made[5]));
  options.entry = string("main");
  options.threads = -1;
  printStatus(fusionExecutableCreate(&source, &options, &made[6]));
  source.contents = string("");
  source.contents.data = NULL;
  printStatus(fusionExecutableCreate(&source, NULL, &made[7]));
  source.path = string("no-such-file.mlir");
  printStatus(fusionExecutableCreate(&source, NULL, &made[8]));
  // Nobody has seen what the passes report.
  source.path.data = NULL;
  source.contents = string(
      "func.func @f(%a: tensor<4xf32>, %i: tensor<2x1xindex>) -> tensor<2xf32> "
      "{ %g = tensor.gather %a[%i] gather_dims([0]) : "
      "(tensor<4xf32>, tensor<2x1xindex>) -> tensor<2xf32> "
      "return %g : tensor<2xf32> }");
  printStatus(fusionExecutableCreate(&source, NULL, &made[12]));
  printStatus(fusionExecutableCreate(NULL, NULL, NULL));
  int areNull = 1;
  for (int i = 0; i < 13; ++i)
    areNull &= made[i].ptr == NULL;
  printf("all are null: %d\n", areNull);
}

// CHECK-LABEL: wrong arguments
// CHECK-NEXT:  status 1
// CHECK-NEXT:    'main' has 3 arguments, got 2
// CHECK-NEXT:  status 1
// CHECK-NEXT:    'main' has 1 results, got 0
// CHECK-NEXT:  status 1
// CHECK-NEXT:    'entry' must be below 2, got 2
// CHECK-NEXT:  status 1
// CHECK-NEXT:    'executable' must not be null
// CHECK-NEXT:  status 1
// CHECK-NEXT:    'arguments' must not be null, nor their number negative
static void testWrongCounts(FusionExecutable executable,
                            const FusionTensor *arguments) {
  printf("wrong arguments\n");
  FusionExecutable null = {NULL};
  FusionTensor result = {0};
  printStatus(fusionExecutableCall(executable, 0, arguments, 2, &result, 1));
  printStatus(fusionExecutableCall(executable, 0, arguments, 3, NULL, 0));
  printStatus(fusionExecutableCall(executable, 2, arguments, 3, &result, 1));
  printStatus(fusionExecutableCall(null, 0, arguments, 3, &result, 1));
  printStatus(fusionExecutableCall(executable, 0, NULL, 3, &result, 1));
}

// CHECK-NEXT:  status 1
// CHECK-NEXT:    'argument0' must be 2x3xf32, got 2x4xf32
// CHECK-NEXT:  status 1
// CHECK-NEXT:    'argument0' must be 2x3xf32, got a tensor of rank 1
// CHECK-NEXT:  status 1
// CHECK-NEXT:    'argument0' must be 2x3xf32, got 2x3xi32
// CHECK-NEXT:  status 1
// CHECK-NEXT:    'argument0' must be row-major, with stride 1 in dimension 1, got 2
// CHECK-NEXT:  status 1
// CHECK-NEXT:    the data of 'argument0' must not be null
// CHECK-NEXT:  status 1
// CHECK-NEXT:    the data of 'argument0' must be aligned to 4 bytes
// CHECK-NEXT:  status 1
// CHECK-NEXT:    'argument0' has the unknown element type 77
static void testWrongTensors(FusionExecutable executable,
                             FusionTensor *arguments) {
  static const int64_t wide[] = {2, 4}, columns[] = {1, 2};
  FusionTensor right = arguments[0], wrong[7];
  for (int i = 0; i < 7; ++i)
    wrong[i] = right;
  wrong[0].sizes = wide;
  wrong[1].rank = 1;
  wrong[2].elementType = FusionElementTypeI32;
  wrong[3].strides = columns;
  wrong[4].data = NULL;
  wrong[5].data = (char *)right.data + 1;
  wrong[6].elementType = (FusionElementType)77;
  for (int i = 0; i < 7; ++i) {
    FusionTensor result = {0};
    arguments[0] = wrong[i];
    printStatus(fusionExecutableCall(executable, 0, arguments, 3, &result, 1));
    if (result.data || result.owner)
      printf("a result of a call that failed\n");
  }
  arguments[0] = right;
}

// CHECK-LABEL: wrong results
// CHECK-NEXT:  status 1
// CHECK-NEXT:    'result0' must be 2x4xf32, got 4x2xf32
// CHECK-NEXT:  status 1
// CHECK-NEXT:    the strides of 'result0' must keep its elements apart, within the address space
// CHECK-NEXT:  status 1
// CHECK-NEXT:    the strides of 'result0' must keep its elements apart, within the address space
// CHECK-NEXT:  status 1
// CHECK-NEXT:    the strides of 'result0' must keep its elements apart, within the address space
// CHECK-NEXT:  status 1
// CHECK-NEXT:    'result0' must be 2x4xf32, got 2x4xf64
// CHECK-NEXT:  untouched 1
static void testWrongResults(FusionExecutable executable,
                             const FusionTensor *arguments) {
  printf("wrong results\n");
  static const int64_t sizes[] = {4, 2, 4}, repeated[] = {0, 1};
  static const int64_t close[] = {3, 1}, far[] = {INT64_MAX, 1};
  double own[16] = {0};
  FusionTensor results[] = {
      {own, FusionElementTypeF32, 2, sizes, NULL, NULL},
      {own, FusionElementTypeF32, 2, sizes + 1, repeated, NULL},
      {own, FusionElementTypeF32, 2, sizes + 1, close, NULL},
      {own, FusionElementTypeF32, 2, sizes + 1, far, NULL},
      {own, FusionElementTypeF64, 2, sizes + 1, NULL, NULL}};
  for (int i = 0; i < 5; ++i)
    printStatus(
        fusionExecutableCall(executable, 0, arguments, 3, &results[i], 1));
  printf("untouched %d\n", own[0] == 0 && own[3] == 0);
}

// CHECK-LABEL: wrong dlpack
// CHECK-NEXT:  status 1
// CHECK-NEXT:    'argument0' must be on the CPU, got device type 2
// CHECK-NEXT:  status 1
// CHECK-NEXT:    'argument0' must be of float32 (2x3xf32), got int32
// CHECK-NEXT:  status 1
// CHECK-NEXT:    'argument1' must not be null
// CHECK-NEXT:  status 1
// CHECK-NEXT:    'main' has 3 arguments, got 2
static void testWrongDLPack(FusionExecutable executable, float *x) {
  printf("wrong dlpack\n");
  DLTensor arguments[3];
  fillDLArguments(arguments, x);
  const void *pointers[] = {&arguments[0], &arguments[1], &arguments[2]};
  void *result = NULL;
  arguments[0].device = 2;
  printStatus(
      fusionExecutableCallDLPack(executable, 0, pointers, 3, &result, 1));
  arguments[0].device = 1;
  arguments[0].code = 0;
  printStatus(
      fusionExecutableCallDLPack(executable, 0, pointers, 3, &result, 1));
  arguments[0].code = 2;
  pointers[1] = NULL;
  printStatus(
      fusionExecutableCallDLPack(executable, 0, pointers, 3, &result, 1));
  pointers[1] = &arguments[1];
  printStatus(
      fusionExecutableCallDLPack(executable, 0, pointers, 2, &result, 1));
  if (result)
    printf("a result of a call that failed\n");
}

// Sizes that do not fit each other or that no tensor has, an assertion of the
// program, and memory that does not exist end the call alone.
// CHECK-LABEL: failures in compiled code
// CHECK-NEXT:  status 0
// CHECK-NEXT:  status 0
// CHECK-NEXT:  status 1
// CHECK-NEXT:    sizes that 'linalg.generic' takes for equal must be, got 3 and 2 (
// CHECK-NEXT:  status 1
// CHECK-NEXT:    an assertion of the program must hold: n must be small
// CHECK-NEXT:  status 1
// CHECK-NEXT:    a tensor must have sizes of at least 0 and at most 2^47 bytes, got 144115188075855875xf32 (
// CHECK-NEXT:  status 3
// CHECK-NEXT:    cannot allocate {{[0-9]+}} bytes
// CHECK-NEXT:  status 0
static void testFailures(void) {
  printf("failures in compiled code\n");
  FusionExecutable executable = compile(
      string("#m = affine_map<(i) -> (i)>\n"
             "func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>, %n: index)"
             " -> tensor<?xf32> {\n"
             "  %zero = arith.constant 0.0 : f32\n"
             "  %most = arith.constant 4611686018427387904 : index\n"
             "  %isSmall = arith.cmpi slt, %n, %most : index\n"
             "  cf.assert %isSmall, \"n must be small\"\n"
             "  %c = arith.constant 0 : index\n"
             "  %s = tensor.dim %x, %c : tensor<?xf32>\n"
             "  %e = tensor.empty(%s) : tensor<?xf32>\n"
             "  %r = linalg.generic {indexing_maps = [#m, #m, #m],\n"
             "    iterator_types = [\"parallel\"]}\n"
             "    ins(%x, %y : tensor<?xf32>, tensor<?xf32>)\n"
             "    outs(%e : tensor<?xf32>) {\n"
             "  ^bb0(%a: f32, %b: f32, %o: f32):\n"
             "    %t = arith.addf %a, %b : f32\n"
             "    linalg.yield %t : f32\n"
             "  } -> tensor<?xf32>\n"
             "  %p = tensor.pad %r low[0] high[%n] {\n"
             "  ^bb0(%i: index):\n"
             "    tensor.yield %zero : f32\n"
             "  } : tensor<?xf32> to tensor<?xf32>\n"
             "  return %p : tensor<?xf32>\n"
             "}\n"),
      "");
  float x[] = {1, 2, 3};
  static const int64_t sizes[] = {3, 2};
  static int64_t n[] = {
      0, 0, INT64_MAX, (int64_t)1 << 57, ((int64_t)1 << 45) - 64, 1};
  for (int i = 0; i < 6; ++i) {
    FusionTensor arguments[] = {
        {x, FusionElementTypeF32, 1, sizes, NULL, NULL},
        {x, FusionElementTypeF32, 1, i == 1 ? sizes + 1 : sizes, NULL, NULL},
        {&n[i], FusionElementTypeIndex, 0, NULL, NULL, NULL}};
    FusionTensor result = {0};
    printStatus(fusionExecutableCall(executable, 0, arguments, 3, &result, 1));
    fusionTensorRelease(&result);
  }
  fusionExecutableDestroy(executable);
}

void testWrongCalls(void) {
  testWrongModules();
  FusionExecutable executable = compile(string(network), "");
  float x[] = {1, -2, 3, 0, 1, -1};
  FusionTensor arguments[3];
  fillArguments(arguments, x);
  testWrongCounts(executable, arguments);
  testWrongTensors(executable, arguments);
  testWrongResults(executable, arguments);
  testWrongDLPack(executable, x);
  fusionExecutableDestroy(executable);
  testFailures();
}
