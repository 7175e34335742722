//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_C_PASSES_H
#define FUSION_C_PASSES_H

// Passes and pipelines in C. The generated headers have a function for each
// pass, which creates it with its default options:
// mlirCreateFusionTransformsFusionFuse() is `fusion-fuse`. For a pass with
// options, give its text to mlirOpPassManagerAddPipeline.

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
/// module. `options` is the text in braces after the name of a pipeline:
/// "nan-mode=propagate precision=bf16", or empty. Nothing needs to be
/// registered. Fails if an option is unknown or the pass manager runs on
/// another op. Then it calls `callback` with pieces of the message, and the
/// pass manager is unchanged.
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
