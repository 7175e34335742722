//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_C_OPS_H
#define FUSION_C_OPS_H

// Builders of the public ops. Each takes a struct. Zero is the default of each
// member that is not required; a null handle means that the part is absent.
//
// The builders verify the op. They return an operation in no block, which the
// caller owns. For wrong input they return a null operation and emit an error
// at `location` with the rule and the values. A value of another context and a
// missing required operand are wrong input, too. A null location gives a null
// operation and no error.
//
// An op on tensors has one result, of the type of `init`; one on memrefs has
// none.

#include "FusionDialect-c/Dialect.h"

#ifdef __cplusplus
extern "C" {
#endif

/// A convolution with its epilogue: `fusion.fused_conv_bias_act` and
/// `fusion.fused_deconv_bias_act`.
typedef struct FusionConvolution {
  MlirValue input;          // required
  MlirValue filter;         // required
  MlirValue bias;           // or null
  MlirValue residual;       // or null
  MlirValue init;           // required: the destination
  intptr_t spatialRank;     // required: 1, 2 or 3, the length of the arrays
  const int64_t *strides;   // or null: 1
  const int64_t *dilations; // or null: 1
  const int64_t *padLow;    // or null: 0
  const int64_t *padHigh;   // or null: 0
  int64_t groups;           // 0 is 1
  // required: "nchw", "fchw", ...
  MlirStringRef inputLayout, filterLayout, outputLayout;
  MlirAttribute activation; // or null
  FusionNaNMode nanMode;
  bool residualAfterActivation; // needs a residual and an activation
} FusionConvolution;

MLIR_CAPI_EXPORTED MlirOperation fusionFusedConvBiasActCreate(
    MlirLocation location, const FusionConvolution *convolution);

MLIR_CAPI_EXPORTED MlirOperation fusionFusedDeconvBiasActCreate(
    MlirLocation location, const FusionConvolution *convolution);

/// A matrix multiplication with its epilogue: `fusion.fused_matmul_bias_act`.
typedef struct FusionMatmul {
  MlirValue input;    // required
  MlirValue filter;   // required
  MlirValue bias;     // or null
  MlirValue residual; // or null
  MlirValue init;     // required: the destination
  // required: "mk", "nk", "mn", ...
  MlirStringRef inputLayout, filterLayout, outputLayout;
  MlirAttribute activation; // or null
  FusionNaNMode nanMode;
  bool residualAfterActivation; // needs a residual and an activation
} FusionMatmul;

MLIR_CAPI_EXPORTED MlirOperation fusionFusedMatmulBiasActCreate(
    MlirLocation location, const FusionMatmul *matmul);

/// The scales and zero points of an op on integers of 8 bits. The
/// `nanMode` of such an op is fast. docs/QuantizedOps.md has the formula.
typedef struct FusionQuantization {
  MlirValue scale; // or null
  int32_t inputZeroPoint, outputZeroPoint, residualZeroPoint;
  float residualScale, outputScale; // 0 is 1
  bool inputUnsigned, outputUnsigned, residualUnsigned;
  bool roundActivation; // needs residualAfterActivation and an i8 init
} FusionQuantization;

/// `fusion.quantized_conv_bias_act`.
MLIR_CAPI_EXPORTED MlirOperation fusionQuantizedConvBiasActCreate(
    MlirLocation location, const FusionConvolution *convolution,
    const FusionQuantization *quantization);

/// `fusion.quantized_matmul_bias_act`.
MLIR_CAPI_EXPORTED MlirOperation fusionQuantizedMatmulBiasActCreate(
    MlirLocation location, const FusionMatmul *matmul,
    const FusionQuantization *quantization);

/// A pool: `fusion.pool`.
typedef struct FusionPool {
  MlirValue input;        // required
  MlirValue init;         // required: the destination
  FusionPooling pooling;  // required
  intptr_t spatialRank;   // required: 1, 2 or 3, the length of the arrays
  const int64_t *kernel;  // required
  const int64_t *strides; // or null: 1
  const int64_t *padLow;  // or null: 0
  const int64_t *padHigh; // or null: 0
  MlirStringRef layout;   // required: "nhwc", ...
  bool inputUnsigned;     // i8 is 0..255; only of a maximum
} FusionPool;

MLIR_CAPI_EXPORTED MlirOperation fusionPoolCreate(MlirLocation location,
                                                  const FusionPool *pool);

#ifdef __cplusplus
}
#endif

#endif // FUSION_C_OPS_H
