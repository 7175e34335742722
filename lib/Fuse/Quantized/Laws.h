//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_FUSE_QUANTIZED_LAWS_H
#define FUSION_LIB_FUSE_QUANTIZED_LAWS_H

#include "FusionDialect/Analysis/Quantization.h"
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Support/Refusal.h"
#include "mlir/IR/PatternMatch.h"

namespace fusion {

/// The patterns of the laws, which `getQuantizedLaws` lists.
void populateMovedExtensionLaw(mlir::RewritePatternSet &patterns,
                               const FuseOptions &options);
void populatePaddedInputLaw(mlir::RewritePatternSet &patterns,
                            const FuseOptions &options);
void populateCroppedInputLaw(mlir::RewritePatternSet &patterns,
                             const FuseOptions &options);
void populateDequantizedDeconvolutionLaw(mlir::RewritePatternSet &patterns,
                                         const FuseOptions &);
void populateDequantizedOperandsLaw(mlir::RewritePatternSet &patterns,
                                    const FuseOptions &options);
void populateDequantizedResidualLaw(mlir::RewritePatternSet &patterns,
                                    const FuseOptions &options);
void populateQuantizedResultLaw(mlir::RewritePatternSet &patterns,
                                const FuseOptions &options);
void populateRescaledSumLaw(mlir::RewritePatternSet &patterns,
                            const FuseOptions &options);
void populateRunTimeScaleLaw(mlir::RewritePatternSet &patterns,
                             const FuseOptions &options);
void populateRunTimeZeroPointLaw(mlir::RewritePatternSet &patterns,
                                 const FuseOptions &options);
void populateTransposedRescaleLaw(mlir::RewritePatternSet &patterns,
                                  const FuseOptions &options);
void populateMovedSumLaw(mlir::RewritePatternSet &patterns,
                         const FuseOptions &options);
void populateSumBiasLaw(mlir::RewritePatternSet &patterns,
                        const FuseOptions &options);
void populateReshapedResultLaw(mlir::RewritePatternSet &patterns,
                               const FuseOptions &options);
void populateReshapedScalesLaw(mlir::RewritePatternSet &patterns,
                               const FuseOptions &options);
void populateShiftedInputLaw(mlir::RewritePatternSet &patterns,
                             const FuseOptions &options);
void populateShiftedResultLaw(mlir::RewritePatternSet &patterns,
                              const FuseOptions &options);
void populateMovedIntegersLaws(mlir::RewritePatternSet &patterns,
                               const FuseOptions &options);
void populateRequantizationLaw(mlir::RewritePatternSet &patterns,
                               const FuseOptions &options);
void populateSummedImageLaw(mlir::RewritePatternSet &patterns,
                            const FuseOptions &options);

/// Makes operands of ops on integers, the last ones, of all numbers that their
/// bodies read.
void populateNumberPatterns(mlir::RewritePatternSet &patterns);

/// Splits factors off the dequantisation of filters into ops of their own.
void populateMergedFilterPatterns(mlir::RewritePatternSet &patterns);

/// Each fails, with the reason, if its law could have rewritten `op` but did
/// not.
llvm::LogicalResult explainPaddedInput(FusedOpInterface op,
                                       const FuseOptions &options,
                                       Refusal &refusal);
llvm::LogicalResult explainDequantizedDeconvolution(FusedOpInterface op,
                                                    const FuseOptions &options,
                                                    Refusal &refusal);
llvm::LogicalResult explainDequantizedOperands(FusedOpInterface op,
                                               const FuseOptions &options,
                                               Refusal &refusal);
llvm::LogicalResult explainDequantizedResidual(FusedOpInterface op,
                                               const FuseOptions &options,
                                               Refusal &refusal);
llvm::LogicalResult explainFloatResult(FusedOpInterface op,
                                       const FuseOptions &options,
                                       Refusal &refusal);
llvm::LogicalResult explainQuantizedResult(FusedOpInterface op,
                                           const FuseOptions &options,
                                           Refusal &refusal);
llvm::LogicalResult explainRescaledSum(FusedOpInterface op,
                                       const FuseOptions &options,
                                       Refusal &refusal);
llvm::LogicalResult explainRunTimeScale(FusedOpInterface op,
                                        const FuseOptions &options,
                                        Refusal &refusal);
llvm::LogicalResult explainSumBias(FusedOpInterface op,
                                   const FuseOptions &options,
                                   Refusal &refusal);
llvm::LogicalResult explainShiftedResult(FusedOpInterface op,
                                         const FuseOptions &options,
                                         Refusal &refusal);

/// Fails, with the reason, if the input of `op` has a zero point that only a
/// call knows, and its law leaves it.
llvm::LogicalResult explainRunTimeZeroPoint(mlir::linalg::LinalgOp op,
                                            Refusal &refusal);

/// Fails, with the reason, if zeros are put around the input of `op`, a
/// product, behind the difference with such a number, and no law puts the
/// number around the integers.
llvm::LogicalResult explainPaddedDifference(mlir::linalg::LinalgOp op,
                                            Refusal &refusal);

/// Fails, with the reason, if `op` moves dequantised numbers where it could
/// move integers.
llvm::LogicalResult explainMovedFloats(mlir::Operation *op, Refusal &refusal);

/// True if an op computes `value` from integers of 8 bits.
bool readsIntegers(mlir::Value value);

/// A bias in i32 is smaller than this.
constexpr int64_t biasLimit = 1 << 23;

/// Refuses sums that may leave i32, where they would wrap, with a bias or
/// without. The filter of `op` has 8 bits.
llvm::LogicalResult checkSum(FusedOpInterface op, int64_t zeroPoint,
                             bool isUnsigned, Refusal &refusal);

/// True if `op` is read once. Reshapes that have moved are dead, and are erased
/// later.
bool isReadOnce(mlir::Operation *op);

/// True if `value` is the result of an op on integers, perhaps reshaped, and if
/// it is i32 also transposed or sliced, and nothing else reads any of these.
bool isMovedResult(mlir::Value value);

/// True if `op` moves dequantised numbers, and a law moves integers instead.
bool isMovedDequantization(mlir::Operation *op);

/// A tensor of f32 times constants, which may vary along loop `dim`.
struct ScaledTensor {
  mlir::Value tensor;
  AffineRounding::Numbers factors;
  std::optional<unsigned> dim;
};

/// Reads `op`, if it multiplies a tensor of f32 by constants.
std::optional<ScaledTensor> matchConstantScale(mlir::linalg::LinalgOp op);

/// `residual` in front of ops that multiply it by one positive number.
mlir::Value skipFactors(mlir::Value residual);

/// A residual as integers. Fails if it has to stay in f32.
mlir::FailureOr<Dequantization> matchResidual(mlir::Value residual,
                                              Refusal &refusal);

} // namespace fusion

#endif // FUSION_LIB_FUSE_QUANTIZED_LAWS_H
