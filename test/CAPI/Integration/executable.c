//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// That build is made with GCC: examples/c-api/README.md says what then fails.

// UNSUPPORTED: asan
// RUN: fusion-capi-test executable | FileCheck %s

// Modules that are compiled and called from C: the signature, calls on memory
// of the caller's and on DLPack tensors, four threads at once, and a module of
// a context that is gone.

#include "Executable.h"
#include "FusionRuntime/fusion_runtime.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

void diagnose(FusionSeverity severity, MlirStringRef location,
              MlirStringRef message, void *userData) {
  ++*(int *)userData;
  printf("  %d at '%.*s': %.*s\n", (int)severity, (int)location.length,
         location.data, (int)message.length, message.data);
}

FusionExecutable compile(MlirStringRef text, const char *options) {
  int numMessages = 0;
  FusionSource source = {0};
  source.contents = text;
  FusionCompilerOptions compiler = {0};
  compiler.pipeline = string(options);
  compiler.diagnose = diagnose;
  compiler.userData = &numMessages;
  FusionExecutable executable;
  printStatus(fusionExecutableCreate(&source, &compiler, &executable));
  return executable;
}

//===----------------------------------------------------------------------===//
// Signature
//===----------------------------------------------------------------------===//

static void printValue(const char *what, FusionValueInfo info) {
  printf("  %s: type %d [", what, (int)info.elementType);
  for (int i = 0; i < info.rank; ++i)
    printf(" %d", (int)info.sizes[i]);
  printf(" ]%s%s '%.*s'\n", info.isConstant ? " constant" : "",
         info.isScalar ? " scalar" : "", (int)info.name.length, info.name.data);
}

// CHECK-LABEL: signature
// CHECK-NEXT:  main
// CHECK-NEXT:    argument: type 9 [ 2 3 ] 'x'
// CHECK-NEXT:    argument: type 9 [ 3 4 ] constant 'w'
// CHECK-NEXT:    argument: type 9 [ 4 ] ''
// CHECK-NEXT:    result: type 9 [ 2 4 ] 'y'
// CHECK-NEXT:  scale
// CHECK-NEXT:    argument: type 4 [ -1 2 ] ''
// CHECK-NEXT:    argument: type 4 [ ] scalar 'k'
// CHECK-NEXT:    result: type 4 [ -1 2 ] ''
// CHECK-NEXT:    result: type 4 [ ] scalar ''
// CHECK-NEXT:  found 1 and -1
static void testSignature(FusionExecutable executable) {
  printf("signature\n");
  for (int i = 0; i < fusionExecutableGetNumEntries(executable); ++i) {
    FusionEntryInfo entry;
    FusionValueInfo value;
    fusionExecutableGetEntry(executable, i, &entry);
    printf("%.*s\n", (int)entry.name.length, entry.name.data);
    for (int j = 0; j < entry.numArguments; ++j) {
      fusionExecutableGetArgument(executable, i, j, &value);
      printValue("argument", value);
    }
    for (int j = 0; j < entry.numResults; ++j) {
      fusionExecutableGetResult(executable, i, j, &value);
      printValue("result", value);
    }
  }
  printf("found %d and %d\n",
         (int)fusionExecutableFindEntry(executable, string("scale")),
         (int)fusionExecutableFindEntry(executable, string("hidden")));
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static void printTensor(const FusionTensor *tensor) {
  int64_t count = 1;
  for (int i = 0; i < tensor->rank; ++i)
    count *= tensor->sizes[i];
  printf("  ");
  for (int64_t i = 0; i < count; ++i)
    printf("%g ", ((float *)tensor->data)[i]);
  printf("\n");
}

// CHECK-LABEL: calls
// CHECK-NEXT:  status 0
// CHECK-NEXT:    7 0 0 2 0 3 0 2
// CHECK-NEXT:  status 0
// CHECK-NEXT:    7 0 0 2 0 3 0 2
// CHECK-NEXT:  kept 1
// CHECK-NEXT:  status 0
// CHECK-NEXT:    7 -1 0 -1 0 -1 2 -1 0 -1 3 -1 0 -1 2 -1
// CHECK-NEXT:  status 0
// CHECK-NEXT:    2 2 0 0 3 0 0 7
// CHECK-NEXT:  status 0
// CHECK-NEXT:  sizes 3 2, scalar 22, elements 11 -22 33 0 55 -66
static void testCalls(FusionExecutable executable) {
  printf("calls\n");
  float x[] = {1, -2, 3, 0, 1, -1}, own[8];
  FusionTensor arguments[3], result = {0};
  fillArguments(arguments, x);
  printStatus(fusionExecutableCall(executable, 0, arguments, 3, &result, 1));
  printTensor(&result);
  fusionTensorRelease(&result);
  static const int64_t sizes[] = {2, 4}, strides[] = {4, 1};
  FusionTensor given = {own, FusionElementTypeF32, 2, sizes, strides, NULL};
  printStatus(fusionExecutableCall(executable, 0, arguments, 3, &given, 1));
  printTensor(&given);
  printf("kept %d\n", given.data == own && !given.owner);

  // Every second element of a larger tensor, and columns that go backwards.
  static const int64_t steps[] = {8, 2}, backwards[] = {-1, -2}, all = 16;
  float large[16];
  for (int i = 0; i < 16; ++i)
    large[i] = -1;
  FusionTensor slice = {large, FusionElementTypeF32, 2, sizes, steps, NULL};
  printStatus(fusionExecutableCall(executable, 0, arguments, 3, &slice, 1));
  printTensor(
      &(FusionTensor){large, FusionElementTypeF32, 1, &all, NULL, NULL});
  given.data = own + 7;
  given.strides = backwards;
  printStatus(fusionExecutableCall(executable, 0, arguments, 3, &given, 1));
  given.data = own;
  printTensor(&given);

  int numbers[] = {1, -2, 3, 0, 5, -6}, k = 11;
  static const int64_t threeByTwo[] = {3, 2};
  FusionTensor scaled[2] = {
      {numbers, FusionElementTypeI32, 2, threeByTwo, NULL, NULL},
      {&k, FusionElementTypeI32, 0, NULL, NULL, NULL}};
  FusionTensor results[2] = {{0}};
  printStatus(fusionExecutableCall(executable, 1, scaled, 2, results, 2));
  int *elements = results[0].data;
  printf("sizes %d %d, scalar %d, elements %d %d %d %d %d %d\n",
         (int)results[0].sizes[0], (int)results[0].sizes[1],
         *(int *)results[1].data, elements[0], elements[1], elements[2],
         elements[3], elements[4], elements[5]);
  fusionTensorRelease(&results[0]);
  fusionTensorRelease(&results[1]);
}

// CHECK-LABEL: dlpack
// CHECK-NEXT:  status 0
// CHECK-NEXT:  7 and 3, 2 dimensions of 2 and 4, code 2 of 32 bits
// CHECK-NEXT:  status 0
// CHECK-NEXT:  7 and 3 in memory of the caller
static void testDLPack(FusionExecutable executable) {
  printf("dlpack\n");
  float x[] = {0, 1, -2, 3, 0, 1, -1}, own[8] = {0};
  DLTensor arguments[3];
  fillDLArguments(arguments, x);
  arguments[0].byteOffset = sizeof(float);
  const void *pointers[] = {&arguments[0], &arguments[1], &arguments[2]};
  void *result = NULL;
  printStatus(
      fusionExecutableCallDLPack(executable, 0, pointers, 3, &result, 1));
  DLManagedTensor *managed = result;
  DLTensor *tensor = &managed->tensor;
  printf("%g and %g, %d dimensions of %d and %d, code %d of %d bits\n",
         ((float *)tensor->data)[0], ((float *)tensor->data)[5], tensor->ndim,
         (int)tensor->shape[0], (int)tensor->shape[1], tensor->code,
         tensor->bits);
  managed->deleter(managed);
  DLTensor target = arguments[0];
  int64_t sizes[] = {2, 4};
  target.data = own;
  target.byteOffset = 0;
  target.shape = sizes;
  result = &target;
  printStatus(
      fusionExecutableCallDLPack(executable, 0, pointers, 3, &result, 1));
  printf("%g and %g in memory of the caller\n", own[0], own[5]);
}

//===----------------------------------------------------------------------===//
// Threads
//===----------------------------------------------------------------------===//

struct Caller {
  FusionExecutable executable;
  int number, numWrong;
};

/// Calls with numbers of its own, and compares with a plain loop.
static void *runCaller(void *data) {
  struct Caller *caller = data;
  for (int run = 0; run < 200; ++run) {
    float x[6];
    for (int i = 0; i < 6; ++i)
      x[i] = (float)((i * 5 + run) % 7 - 3 + caller->number);
    FusionTensor arguments[3], result = {0};
    fillArguments(arguments, x);
    if (fusionExecutableCall(caller->executable, 0, arguments, 3, &result, 1)) {
      ++caller->numWrong;
      continue;
    }
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 4; ++j) {
        float sum = bias[j];
        for (int k = 0; k < 3; ++k)
          sum += x[3 * i + k] * weights[4 * k + j];
        caller->numWrong +=
            ((float *)result.data)[4 * i + j] != (sum > 0 ? sum : 0);
      }
    fusionTensorRelease(&result);
  }
  return NULL;
}

// CHECK-LABEL: threads
// CHECK-NEXT:  0 0 0 0 wrong
static void testThreads(FusionExecutable executable) {
  printf("threads\n");
  pthread_t threads[4];
  struct Caller callers[4];
  for (int i = 0; i < 4; ++i) {
    callers[i] = (struct Caller){executable, i, 0};
    pthread_create(&threads[i], NULL, runCaller, &callers[i]);
  }
  for (int i = 0; i < 4; ++i) {
    pthread_join(threads[i], NULL);
    printf("%d ", callers[i].numWrong);
  }
  printf("wrong\n");
}

/// Runs the tasks of a loop that is shared, one after the other, and counts
/// such loops.
static void runAll(int32_t count, fusion_rt_task_fn task, void *data,
                   void *context) {
  ++*(int *)context;
  for (int32_t i = 0; i < count; ++i)
    task(i, data);
}

// CHECK-LABEL: number of threads
// CHECK-NEXT:  1: shares nothing, wrong 0
// CHECK-NEXT:  2: shares its loop, wrong 0
// CHECK-NEXT:  and then 3
static void testNumThreads(void) {
  printf("number of threads\n");
  fusion_rt_set_num_threads(3);
  static int numbers[1 << 20];
  static const int64_t sizes[] = {1 << 19, 2};
  for (int i = 0; i < 1 << 20; ++i)
    numbers[i] = i;
  for (int threads = 1; threads <= 2; ++threads) {
    FusionSource source = {0};
    source.contents = string(network);
    FusionCompilerOptions options = {0};
    options.entry = string("scale");
    options.threads = threads;
    FusionExecutable executable;
    fusionExecutableCreate(&source, &options, &executable);
    int k = 7, shared = 0, numWrong = 0;
    FusionTensor arguments[] = {
        {numbers, FusionElementTypeI32, 2, sizes, NULL, NULL},
        {&k, FusionElementTypeI32, 0, NULL, NULL, NULL}};
    FusionTensor results[2] = {{0}};
    fusion_rt_set_parallel(runAll, &shared);
    fusionExecutableCall(executable, 0, arguments, 2, results, 2);
    fusion_rt_set_parallel(NULL, NULL);
    for (int i = 0; i < 1 << 20; ++i)
      numWrong += ((int *)results[0].data)[i] != 7 * i;
    printf("%d: shares %s, wrong %d\n", threads,
           shared ? "its loop" : "nothing", numWrong);
    fusionTensorRelease(&results[0]);
    fusionTensorRelease(&results[1]);
    fusionExecutableDestroy(executable);
  }
  printf("and then %d\n", fusion_rt_get_num_threads());
  fusion_rt_set_num_threads(0);
}

// CHECK-LABEL: contexts
// CHECK-NEXT:  status 7
// CHECK-NEXT:    the context was cancelled
// CHECK-NEXT:  status 8
// CHECK-NEXT:    the deadline of the context has passed
// CHECK-NEXT:  nothing allocated
// CHECK-NEXT:  status 0
static void testContexts(FusionExecutable executable) {
  printf("contexts\n");
  float x[6] = {0};
  FusionTensor arguments[3], result = {0};
  fillArguments(arguments, x);
  fusion_rt_context *context;
  fusion_rt_context_create(&context);
  fusion_rt_context_enter(context);
  fusion_rt_context_cancel(context);
  printStatus(fusionExecutableCall(executable, 0, arguments, 3, &result, 1));
  fusion_rt_context_reset(context);
  fusion_rt_context_set_deadline(context, 1);
  printStatus(fusionExecutableCall(executable, 0, arguments, 3, &result, 1));
  printf("%s allocated\n", result.data ? "a result" : "nothing");
  fusion_rt_context_enter(NULL);
  printStatus(fusionExecutableCall(executable, 0, arguments, 3, &result, 1));
  fusion_rt_context_destroy(context);
  fusionTensorRelease(&result);
}

static void *allocate(size_t bytes, size_t alignment, void *live) {
  ++*(int *)live;
  return aligned_alloc(alignment, bytes);
}

static void release(void *block, void *live) {
  --*(int *)live;
  free(block);
}

// Both a result that compiled code allocates and a copy of one that lies in
// another: the same sum twice.
// CHECK-LABEL: allocator
// CHECK-NEXT:  status 0
// CHECK-NEXT:  status 0
// CHECK-NEXT:    0 3 6 9
// CHECK-NEXT:    0 3 6 9
// CHECK-NEXT:  2 blocks, then 0
static void testAllocator(void) {
  printf("allocator\n");
  FusionExecutable executable =
      compile(string("func.func @twice(%x: tensor<4xf32>) -> (tensor<4xf32>, "
                     "tensor<4xf32>) {\n"
                     "  %y = arith.addf %x, %x : tensor<4xf32>\n"
                     "  %z = arith.addf %y, %x : tensor<4xf32>\n"
                     "  return %z, %z : tensor<4xf32>, tensor<4xf32>\n"
                     "}\n"),
              "");
  float x[] = {0, 1, 2, 3};
  static const int64_t four = 4;
  FusionTensor argument = {x, FusionElementTypeF32, 1, &four, NULL, NULL};
  FusionTensor results[2] = {{0}};
  int live = 0;
  fusion_rt_context *context;
  fusion_rt_context_create(&context);
  fusion_rt_context_set_allocator(context, allocate, release, &live);
  fusion_rt_context_enter(context);
  printStatus(fusionExecutableCall(executable, 0, &argument, 1, results, 2));
  fusion_rt_context_enter(NULL);
  fusion_rt_context_destroy(context);
  fusionExecutableDestroy(executable);
  printTensor(&results[0]);
  printTensor(&results[1]);
  int before = live;
  fusionTensorRelease(&results[0]);
  fusionTensorRelease(&results[1]);
  printf("%d blocks, then %d\n", before, live);
}

//===----------------------------------------------------------------------===//
// Other sources, explanations
//===----------------------------------------------------------------------===//

static void explain(const FusionExplanation *explanation, void *userData) {
  (void)userData;
  printf("outcome %d, %d folded, at '%.*s': %.*s\n", (int)explanation->outcome,
         (int)explanation->numFolded, (int)explanation->location.length,
         explanation->location.data, (int)explanation->text.length,
         explanation->text.data);
}

// CHECK-LABEL: from a module
// CHECK-NEXT:  status 0
// CHECK-NEXT:  status 0
// CHECK-NEXT:    7 0 0 2 0 3 0 2
// CHECK:       fusion.fused_matmul_bias_act relu
// CHECK:       status 0
// CHECK-NEXT:  outcome 0, 2 folded, at '<module>:8:8': fused: bias, relu
// CHECK-NEXT:  status 0
static void testModule(void) {
  printf("from a module\n");
  MlirContext context = createContext();
  FusionSource source = {0};
  source.module = mlirModuleCreateParse(context, string(network));
  FusionCompilerOptions options = {0};
  options.entry = string("main");
  options.threads = 1;
  FusionExecutable executable;
  printStatus(fusionExecutableCreate(&source, &options, &executable));
  mlirModuleDestroy(source.module);
  mlirContextDestroy(context);
  float x[] = {1, -2, 3, 0, 1, -1};
  FusionTensor arguments[3], result = {0};
  fillArguments(arguments, x);
  fusionExecutablePrepare(executable);
  printStatus(fusionExecutableCall(executable, 0, arguments, 3, &result, 1));
  // The result outlives the code.
  fusionExecutableDestroy(executable);
  printTensor(&result);
  fusionTensorRelease(&result);
  source.module = (MlirModule){NULL};
  source.contents = string(network);
  printStatus(fusionOptimize(&source, NULL, print, NULL));
  printStatus(fusionExplain(&source, NULL, explain, NULL));
}

void testExecutable(void) {
  FusionExecutable executable = compile(string(network), "");
  testSignature(executable);
  testCalls(executable);
  testDLPack(executable);
  testThreads(executable);
  testNumThreads();
  testContexts(executable);
  testAllocator();
  fusionExecutableDestroy(executable);
  testModule();
}
