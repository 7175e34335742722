//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_C_EXECUTABLE_H
#define FUSION_C_EXECUTABLE_H

// The compiler that runs: a module in, a function that can be called out. It
// needs no context of MLIR, and its functions are in a shared library of their
// own, libFusionC.
//
// No function throws, aborts or exits. Each may be called from several threads
// at once, but for those that destroy or release what another thread uses.

#include "FusionDialect-c/Dialect.h"
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

//===----------------------------------------------------------------------===//
// Status
//===----------------------------------------------------------------------===//

/// The outcome of a function. Numbers below 64 are those of
/// `fusion_rt_status`.
typedef enum FusionStatus FUSION_CAPI_ENUM_TYPE {
  FusionStatusSuccess = 0,
  FusionStatusInvalidArgument = 1, // the caller's mistake
  FusionStatusUnsupported = 2,     // valid, but no kernel can do it
  FusionStatusOutOfMemory = 3,
  FusionStatusUnsupportedVersion = 4,
  FusionStatusBackendError = 5,
  FusionStatusBrokenPromise = 6, // a constant argument changed in place
  FusionStatusCancelled = 7,     // see fusionExecutableCall
  FusionStatusDeadlineExceeded = 8,
  FusionStatusNotCompiled = 64 // the module cannot be read or compiled
} FusionStatus;

/// The sentence that belongs to the last status other than success that a
/// function of this header returned on this thread; empty if there was none.
/// Valid until the next one.
MLIR_CAPI_EXPORTED MlirStringRef fusionGetLastError(void);

//===----------------------------------------------------------------------===//
// Modules and options
//===----------------------------------------------------------------------===//

/// A module, of which one member is set and the others are zero.
typedef struct FusionSource {
  MlirStringRef contents; // text or bytecode
  MlirStringRef path;     // of a file with these
  MlirModule module;      // is copied; its context is not used later on
} FusionSource;

typedef enum FusionSeverity FUSION_CAPI_ENUM_TYPE {
  FusionSeverityError = 0,
  FusionSeverityWarning = 1,
  FusionSeverityRemark = 2,
  FusionSeverityNote = 3
} FusionSeverity;

/// A message of the compiler, with its place as "net.mlir:3:8" or empty. It is
/// called on any thread, never twice at once, and not after the function that
/// it was given to has returned.
typedef void (*FusionDiagnosticCallback)(FusionSeverity severity,
                                         MlirStringRef location,
                                         MlirStringRef message, void *userData);

/// All zero is the default.
typedef struct FusionCompilerOptions {
  /// The options of the pipeline, `fusion-compile` or `fusion-optimize`, as in
  /// the text of one: "precision=bf16 nan-mode=propagate".
  MlirStringRef pipeline;
  /// The only entry; or empty: every public function is one.
  MlirStringRef entry;
  /// The most threads of a kernel or loop in a call, the calling one included;
  /// or 0: that of the process, by default one for each core.
  int32_t threads;
  FusionDiagnosticCallback diagnose; // or null
  void *userData;
} FusionCompilerOptions;

/// Runs `fusion-optimize` and calls `callback` with pieces of the module's
/// text. `options` may be null, here and below.
MLIR_CAPI_EXPORTED FusionStatus
fusionOptimize(const FusionSource *source, const FusionCompilerOptions *options,
               MlirStringCallback callback, void *userData);

/// The outcome for one convolution or matrix multiplication.
typedef enum FusionOutcome FUSION_CAPI_ENUM_TYPE {
  FusionOutcomeFused = 0,
  FusionOutcomePartlyFused = 1,
  FusionOutcomeNotFused = 2
} FusionOutcome;

typedef struct FusionExplanation {
  MlirStringRef location; // "net.mlir:3:8" or empty
  MlirStringRef op;       // its name, after `fusion-optimize`
  FusionOutcome outcome;
  intptr_t numFolded;
  const MlirStringRef *folded; // "pad", "bias", "relu"
  MlirStringRef reason;        // what refused; empty if fused
  MlirStringRef text;          // all but the location, in a line
} FusionExplanation;

typedef void (*FusionExplanationCallback)(const FusionExplanation *explanation,
                                          void *userData);

/// Runs `fusion-optimize` and calls `callback` for each convolution, matrix
/// multiplication, and pool that stays a loop, as `fusion-explain` explains it.
MLIR_CAPI_EXPORTED FusionStatus
fusionExplain(const FusionSource *source, const FusionCompilerOptions *options,
              FusionExplanationCallback callback, void *userData);

//===----------------------------------------------------------------------===//
// Executables
//===----------------------------------------------------------------------===//

/// Compiled code.
typedef struct FusionExecutable {
  void *ptr;
} FusionExecutable;

/// Compiles for this machine by `fusion-compile`. A failure leaves `executable`
/// null.
MLIR_CAPI_EXPORTED FusionStatus fusionExecutableCreate(
    const FusionSource *source, const FusionCompilerOptions *options,
    FusionExecutable *executable);

/// Frees the code, its constants and kernels. No call may be running. Results
/// of earlier calls stay.
MLIR_CAPI_EXPORTED void fusionExecutableDestroy(FusionExecutable executable);

/// Creates kernels and packs weights that do not depend on arguments, which the
/// first call does otherwise.
MLIR_CAPI_EXPORTED FusionStatus
fusionExecutablePrepare(FusionExecutable executable);

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

typedef enum FusionElementType FUSION_CAPI_ENUM_TYPE {
  FusionElementTypeI1 = 1, // a byte, 0 or 1
  FusionElementTypeI8 = 2, // integers are signed or not, as ops take them
  FusionElementTypeI16 = 3,
  FusionElementTypeI32 = 4,
  FusionElementTypeI64 = 5,
  FusionElementTypeIndex = 6, // 64 bits
  FusionElementTypeF16 = 7,
  FusionElementTypeBF16 = 8,
  FusionElementTypeF32 = 9,
  FusionElementTypeF64 = 10
} FusionElementType;

/// A size that each call may have another of.
enum { FusionDynamicSize = -1 };

/// An argument or result.
typedef struct FusionValueInfo {
  FusionElementType elementType;
  int32_t rank;         // 0 for a scalar
  const int64_t *sizes; // `rank` of them, or FusionDynamicSize
  bool isConstant;      // marked `fusion.constant`, see fusionExecutableCall
  bool isScalar;        // f32, and not tensor<f32>
  MlirStringRef name;   // its `fusion.name`, or empty
} FusionValueInfo;

typedef struct FusionEntryInfo {
  MlirStringRef name;
  intptr_t numArguments, numResults;
} FusionEntryInfo;

/// Entries are numbered from 0. The first is `main`, else `forward`, else the
/// first function; others come in the order of the module. All strings and
/// sizes live as long as the executable.
MLIR_CAPI_EXPORTED intptr_t
fusionExecutableGetNumEntries(FusionExecutable executable);
/// The number of the entry `name`, or -1.
MLIR_CAPI_EXPORTED intptr_t
fusionExecutableFindEntry(FusionExecutable executable, MlirStringRef name);
MLIR_CAPI_EXPORTED FusionStatus fusionExecutableGetEntry(
    FusionExecutable executable, intptr_t entry, FusionEntryInfo *info);
MLIR_CAPI_EXPORTED FusionStatus
fusionExecutableGetArgument(FusionExecutable executable, intptr_t entry,
                            intptr_t index, FusionValueInfo *info);
MLIR_CAPI_EXPORTED FusionStatus
fusionExecutableGetResult(FusionExecutable executable, intptr_t entry,
                          intptr_t index, FusionValueInfo *info);

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

/// A tensor, or with rank 0 a scalar, in memory.
typedef struct FusionTensor {
  void *data;
  FusionElementType elementType;
  int32_t rank;
  const int64_t *sizes;
  const int64_t *strides; // in elements; or null: row-major
  void *owner;            // of a result that was allocated
} FusionTensor;

/// Calls an entry. Arguments are row-major, which other strides are refused
/// for, and are not written to. A result whose `data` is null is allocated and
/// becomes the caller's, who releases it. Any other is the caller's memory, of
/// the result's sizes, which the result is copied to: with any strides that
/// keep its elements apart, so that it may be a slice of a larger tensor.
///
/// An argument that is marked `fusion.constant` promises that the contents at
/// its address never change until the executable is destroyed.
///
/// A failure allocates nothing, and `results` are as they were.
///
/// A call on a thread that is in a context of FusionRuntime/context.h takes its
/// settings, and ends if that is cancelled or its deadline passes.
MLIR_CAPI_EXPORTED FusionStatus fusionExecutableCall(
    FusionExecutable executable, intptr_t entry, const FusionTensor *arguments,
    intptr_t numArguments, FusionTensor *results, intptr_t numResults);

/// Frees a result that a call has allocated, and sets it to zero.
MLIR_CAPI_EXPORTED void fusionTensorRelease(FusionTensor *tensor);

/// The same call on tensors of DLPack: each argument is a `DLTensor *` of
/// dlpack.h, on the CPU. A result that is null becomes a `DLManagedTensor *`,
/// whose `deleter` releases it. Any other is a `DLTensor *` of the caller's to
/// copy the result to. Unsigned integers are taken for signless ones, and bytes
/// for booleans; booleans among the results are DLPack's.
MLIR_CAPI_EXPORTED FusionStatus fusionExecutableCallDLPack(
    FusionExecutable executable, intptr_t entry, const void *const *arguments,
    intptr_t numArguments, void **results, intptr_t numResults);

#ifdef __cplusplus
}
#endif

#endif // FUSION_C_EXECUTABLE_H
