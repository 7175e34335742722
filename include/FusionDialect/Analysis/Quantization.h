//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_QUANTIZATION_H
#define FUSION_ANALYSIS_QUANTIZATION_H

#include "FusionDialect/Analysis/AffineRounding.h"

namespace fusion {

/// True if `number` is 0 or keeps the precision of f32 in f32.
bool isNormalInF32(double number);

/// True if `value` is an integer of 8 bits, or a tensor of them.
bool isInteger8(mlir::Value value);

/// The scale of a residual next to `scale` that has 15 bits. Its products with
/// differences of two bytes are exact in f32, so that kernels may fuse them
/// with additions.
double roundResidualScale(double scale);

/// The form of the linalg op that computes `value` of one tensor.
mlir::FailureOr<AffineRounding> matchOneTensor(mlir::Value value,
                                               Refusal &refusal);

/// f32 values made of an i8 tensor: (source - zeroPoint) * scale.
struct Dequantization {
  mlir::Value source;
  int64_t zeroPoint;
  bool isUnsigned; ///< how the bits of `source` are read
  AffineRounding::Numbers scale;
  /// The dimension along which `scale` varies; none if it is one number.
  std::optional<unsigned> dim;

  /// Fails unless `value` is the result of an op that computes it, with
  /// positive scales if `isPositive`. Maxima move through such alone.
  static mlir::FailureOr<Dequantization>
  match(mlir::Value value, Refusal &refusal, bool isPositive = true);
};

/// i8 values made of an f32 tensor:
///
///   clamp(round(source * scale) + zeroPoint, lower, upper)
///
/// `scale` is what multiplies: one over what front ends call the scale.
struct Quantization {
  mlir::Value source;
  double scale;
  int64_t zeroPoint;
  /// A relu in front of it is a lower bound at `zeroPoint`.
  int64_t lower, upper;
  bool isUnsigned; ///< how the bits of the result are meant
  Rounding rounding;

  /// Fails unless `op` computes it and rounds to the nearest integer. Elements
  /// of `source` are from -`largest` to `largest`.
  static mlir::FailureOr<Quantization>
  match(mlir::linalg::LinalgOp op, Refusal &refusal,
        double largest = std::numeric_limits<double>::infinity());
};

/// i8 values made of an i8 tensor:
///
///   clamp(source + added, lower, upper)
struct ShiftedIntegers {
  mlir::Value source;
  bool isSourceUnsigned; ///< how the bits of `source` are read
  int64_t added;
  /// A sum outside of the type is bounded, and does not wrap.
  int64_t lower, upper;
  bool isUnsigned; ///< how the bits of the result are meant

  /// Fails unless `op` computes it.
  static mlir::FailureOr<ShiftedIntegers> match(mlir::linalg::LinalgOp op,
                                                Refusal &refusal);

  /// True if each value of `source` has another result.
  bool isOneToOne() const;

  /// The same bits, source and result read with the other sign. Fails if the
  /// sign matters.
  mlir::FailureOr<ShiftedIntegers> withOtherSigns(Refusal &refusal) const;
};

} // namespace fusion

#endif // FUSION_ANALYSIS_QUANTIZATION_H
