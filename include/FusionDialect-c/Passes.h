//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_C_PASSES_H
#define FUSION_C_PASSES_H

// Passes and pipelines in C. A function that makes each pass, with its default
// options, is in the generated headers:
// mlirCreateFusionTransformsFusionFuse() is `fusion-fuse`. With options a pass
// is made from its text, by mlirOpPassManagerAddPipeline.

#include "FusionDialect/Conversion/Passes.capi.h.inc"
#include "FusionDialect/Transforms/Passes.capi.h.inc"
#include "mlir-c/Pass.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Registers every pass of the project, so that the text of a pipeline may name
/// it.
MLIR_CAPI_EXPORTED void fusionRegisterAllPasses(void);

/// Registers `fusion-optimize` and `fusion-compile` in the same way.
MLIR_CAPI_EXPORTED void fusionRegisterAllPipelines(void);

/// Adds the passes of `fusion-optimize` to `passManager`, which runs on a
/// module. `options` is what stands in braces behind its name in the text of a
/// pipeline: "nan-mode=propagate precision=bf16", or nothing. Nothing needs to
/// be registered. Fails, and calls `callback` with pieces of the message, if an
/// option is unknown or the pass manager runs on another op; the pass manager
/// is then as it was.
MLIR_CAPI_EXPORTED MlirLogicalResult
fusionAddOptimizePipeline(MlirOpPassManager passManager, MlirStringRef options,
                          MlirStringCallback callback, void *userData);

/// The same for `fusion-compile`, which needs the extensions of upstream's
/// dialects and of ours in the context: mlirRegisterAllDialects and
/// fusionRegisterAllExtensions.
MLIR_CAPI_EXPORTED MlirLogicalResult
fusionAddCompilePipeline(MlirOpPassManager passManager, MlirStringRef options,
                         MlirStringCallback callback, void *userData);

#ifdef __cplusplus
}
#endif

#endif // FUSION_C_PASSES_H
