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
#include "FusionDialect/Fuse/QuantRounding.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Support/Refusal.h"
#include "mlir/IR/PatternMatch.h"
#include <cmath>

namespace fusion {

/// Adds the law
///
///   fused(dequantise(x), dequantise(w)) : f32  ->  quantized(x, w) : f32
void populateDequantizedOperandsLaw(mlir::RewritePatternSet &patterns);

/// Adds the law
///
///   quantized(x, w) + dequantise(y)  ->  quantized(x, w, residual = y)
void populateDequantizedResidualLaw(mlir::RewritePatternSet &patterns,
                                    QuantRounding rounding);

/// Adds the law
///
///   quantized(pad(x, zero point), w)  ->  quantized(x, w), with these pads
void populatePaddedInputLaw(mlir::RewritePatternSet &patterns);

/// Adds the law
///
///   product(pad(extend(x), c), w)  ->  product(extend(pad(x, c')), w)
void populatePaddedExtensionLaw(mlir::RewritePatternSet &patterns);

/// Adds the law
///
///   quantise(quantized(x, w) : f32) : i8  ->  quantized(x, w) : i8
void populateQuantizedResultLaw(mlir::RewritePatternSet &patterns,
                                QuantRounding rounding);

/// Adds the laws
///
///   requantise(quantized(x, w) : i32) : i8   ->  quantized(x, w) : i8
///   dequantise(quantized(x, w) : i32) : f32  ->  quantized(x, w) : f32
void populateRescaledSumLaw(mlir::RewritePatternSet &patterns,
                            QuantRounding rounding);

/// Adds the laws
///
///   f(reshape(quantized(x, w)))  ->  reshape(f(quantized(x, w)))
void populateReshapedResultLaw(mlir::RewritePatternSet &patterns);

/// Adds the law
///
///   quantized(x + 128, w)  ->  quantized(x, w), x read with the other sign
void populateMovedInputLaw(mlir::RewritePatternSet &patterns);

/// Adds the law
///
///   clamp(quantized(x, w) : i8 + 128)  ->  quantized(x, w) : i8
void populateMovedResultLaw(mlir::RewritePatternSet &patterns,
                            QuantRounding rounding);

/// Adds the law
///
///   quantized(x, w) : i32 + b  ->  quantized(x, w, bias = b)
///
/// and patterns that compute biases that are computed from constants.
void populateSumBiasLaw(mlir::RewritePatternSet &patterns);

/// Adds the laws
///
///   move(dequantise(x))              ->  dequantise(move(x))
///   quantise(move(quantized : f32))  ->  move(quantise(quantized : f32))
///   quantise(concat(x, ...))         ->  concat(quantise(x), ...)
///
/// where `move` is an op that moves elements or a maximum pool.
void populateMovedIntegersLaws(mlir::RewritePatternSet &patterns);

/// Adds the law
///
///   quantise(dequantise(x))  ->  x, or one op on x
void populateRequantizationLaw(mlir::RewritePatternSet &patterns);

/// Adds the law
///
///   sum over the image of dequantise(x)  ->  a loop that adds it up
void populateSummedImageLaw(mlir::RewritePatternSet &patterns);

/// Why the law leaves `op` alone. None if it rewrites it, or if `op` has
/// nothing to do with integers.
std::optional<std::string> explainDequantizedOperands(FusedOpInterface op);
std::optional<std::string> explainPaddedInput(FusedOpInterface op);
std::optional<std::string> explainQuantizedResult(FusedOpInterface op,
                                                  QuantRounding rounding);
std::optional<std::string> explainRescaledSum(FusedOpInterface op,
                                              QuantRounding rounding);
std::optional<std::string> explainSumBias(FusedOpInterface op);
std::optional<std::string> explainMovedResult(FusedOpInterface op,
                                              QuantRounding rounding);
std::optional<std::string> explainMovedFloats(mlir::Operation *op);

/// True if an op computes `value` from integers of 8 bits.
bool readsIntegers(mlir::Value value);

/// A bias in i32 is smaller than this.
constexpr int64_t biasLimit = 1 << 23;

/// Refuses sums that may leave i32, where they would wrap, with a bias or
/// without. The filter of `op` has 8 bits.
llvm::LogicalResult checkSum(FusedOpInterface op, int64_t zeroPoint,
                             bool isUnsigned, Refusal &refusal);

/// A residual as integers; none if it has to stay in f32.
std::optional<Dequantization> matchResidual(mlir::Value residual);

/// True if `number` is 0 or keeps the precision of f32 in f32.
inline bool isNormalInF32(double number) {
  return number == 0.0 || std::isnormal(static_cast<float>(number));
}

} // namespace fusion

#endif // FUSION_LIB_FUSE_QUANTIZED_LAWS_H
