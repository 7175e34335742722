//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_C_DIALECT_H
#define FUSION_C_DIALECT_H

// The dialect and its attributes in C. No function of FusionDialect-c aborts on
// wrong input: it reports an error through the diagnostics of the context and
// returns null.

#include "mlir-c/IR.h"

// C may pass any number. In C++ only an enum with a type may hold it.
#ifdef __cplusplus
#define FUSION_CAPI_ENUM_TYPE : unsigned
#else
#define FUSION_CAPI_ENUM_TYPE
#endif

#ifdef __cplusplus
extern "C" {
#endif

/// Declares mlirGetDialectHandle__fusion__().
MLIR_DECLARE_CAPI_DIALECT_REGISTRATION(Fusion, fusion);

/// Adds the dialect to `registry`.
MLIR_CAPI_EXPORTED void fusionRegisterAllDialects(MlirDialectRegistry registry);

/// Adds the extensions of the dialect to `registry`: the interfaces that
/// `fusion-compile` needs, tiling, reductions, and the ops of the transform
/// dialect.
MLIR_CAPI_EXPORTED void
fusionRegisterAllExtensions(MlirDialectRegistry registry);

//===----------------------------------------------------------------------===//
// Activation
//===----------------------------------------------------------------------===//

/// The scalar functions: FusionActivationRelu = 1 and so on, with the numbers
/// of `fusion_rt_activation`.
typedef enum FusionActivationKind FUSION_CAPI_ENUM_TYPE {
#define FUSION_ACTIVATION(Name, NAME, name, number, ...)                       \
  FusionActivation##Name = number,
#include "FusionRuntime/activations.def"
} FusionActivationKind;

/// `#fusion.activation<kind, alpha, beta>`. A parameter that the kind does not
/// have must be 0. Gives a null attribute and an error at `location` for an
/// unknown kind, a parameter that is NaN or not the kind's, bounds of `clip` in
/// the wrong order, or a context in which the dialect is not loaded.
MLIR_CAPI_EXPORTED MlirAttribute fusionActivationAttrGet(
    MlirLocation location, FusionActivationKind kind, float alpha, float beta);

/// True if `attribute` is an activation; false for a null attribute.
MLIR_CAPI_EXPORTED bool fusionAttributeIsAActivation(MlirAttribute attribute);

/// The kind and parameters of an activation. `alpha` and `beta` are 0 if the
/// kind does not have them. `attribute` must be an activation.
MLIR_CAPI_EXPORTED FusionActivationKind
fusionActivationAttrGetKind(MlirAttribute attribute);
MLIR_CAPI_EXPORTED float fusionActivationAttrGetAlpha(MlirAttribute attribute);
MLIR_CAPI_EXPORTED float fusionActivationAttrGetBeta(MlirAttribute attribute);

/// How many of `alpha`, `beta` the kind has: 0, 1 or 2; 0 for an unknown kind.
MLIR_CAPI_EXPORTED int
fusionActivationGetNumParameters(FusionActivationKind kind);

//===----------------------------------------------------------------------===//
// NaN mode and pooling
//===----------------------------------------------------------------------===//

/// The result of an activation for a NaN.
typedef enum FusionNaNMode FUSION_CAPI_ENUM_TYPE {
  FusionNaNFast = 0,     // as the kernel does it
  FusionNaNPropagate = 1 // NaN
} FusionNaNMode;

/// `#fusion.nan<mode>`. Gives a null attribute and an error at `location` for
/// an unknown mode or a context in which the dialect is not loaded.
MLIR_CAPI_EXPORTED MlirAttribute fusionNaNModeAttrGet(MlirLocation location,
                                                      FusionNaNMode mode);

/// True if `attribute` is a NaN mode; false for a null attribute.
MLIR_CAPI_EXPORTED bool fusionAttributeIsANaNMode(MlirAttribute attribute);

/// The mode. `attribute` must be a NaN mode.
MLIR_CAPI_EXPORTED FusionNaNMode
fusionNaNModeAttrGetMode(MlirAttribute attribute);

/// The reduction that a pool computes over each window.
typedef enum FusionPooling FUSION_CAPI_ENUM_TYPE {
  FusionPoolingMax = 1,
  FusionPoolingSum = 2
} FusionPooling;

/// `#fusion.pooling<pooling>`. Gives a null attribute and an error at
/// `location` for an unknown pooling or a context in which the dialect is not
/// loaded.
MLIR_CAPI_EXPORTED MlirAttribute fusionPoolingAttrGet(MlirLocation location,
                                                      FusionPooling pooling);

/// True if `attribute` is a pooling; false for a null attribute.
MLIR_CAPI_EXPORTED bool fusionAttributeIsAPooling(MlirAttribute attribute);

/// The pooling. `attribute` must be a pooling.
MLIR_CAPI_EXPORTED FusionPooling
fusionPoolingAttrGetPooling(MlirAttribute attribute);

#ifdef __cplusplus
}
#endif

#endif // FUSION_C_DIALECT_H
