//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_FUSE_QUANTIZED_NEWRESULT_H
#define FUSION_LIB_FUSE_QUANTIZED_NEWRESULT_H

#include "FusionDialect/Analysis/Quantization.h"
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/IR/FusionOps.h"

namespace fusion {

/// The parts of an op on integers that change if it computes what an op behind
/// it does.
struct NewResult {
  mlir::linalg::LinalgOp user; ///< the op behind it
  /// Of an i8 result: how it is made of what is in front of it.
  std::optional<Quantization> quantization;
  /// The new scale, into which that of the quantisation is merged; none if that
  /// one stays an `output_scale`.
  std::optional<std::vector<double>> scale;
  std::vector<double> bias; ///< in f32; empty if it stays as it is
  /// The bias in units of the sum, in place of `bias`; empty if it is not one.
  /// It is added to one in i32.
  std::vector<int32_t> sumBias;
  /// With a new scale: what multiplies the sum with a residual in f32.
  double outputScale = 1.0;
  /// Of an op without one: the tensor that the op behind it adds. A tensor of
  /// f32 has scale 1.
  std::optional<Dequantization> residual;
  ActivationAttr activation;
  /// The new scale of a residual, if `scale` is there.
  double residualScale = 1.0;

  /// Makes `bias` a part of the sum, if that moves the value in front of the
  /// rounding by at most 1/32 of a step. Kernels sum up a bias in i32 for
  /// nothing, and need a step more for one in f32.
  void roundBias(FusedOpInterface op, QuantRounding rounding);

  /// Rounds `residualScale` to 15 bits, if that moves the value in front of the
  /// rounding by at most 1/32 of a step.
  void roundResidualScale(QuantRounding rounding);
};

/// An activation that is min(max(x, lower), upper).
struct Bounds {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
};

/// None if `activation` is of another kind.
std::optional<Bounds> matchBounds(ActivationAttr activation);

/// Bounds that `quantization` has besides those of its type, on the value in
/// front of it.
Bounds getBounds(const Quantization &quantization);

/// The activation that is `bounds`, of a value that is scaled by `factor`. In
/// place of no bound it has one at which the result saturates.
ActivationAttr createActivation(mlir::MLIRContext *context, Bounds bounds,
                                const Quantization &quantization,
                                double factor);

/// The activation that is `bounds` of f32; null for none. Fails if no
/// activation has them.
mlir::FailureOr<ActivationAttr>
createActivation(mlir::MLIRContext *context, Bounds bounds, Refusal &refusal);

/// Finds the activation of an op whose result is quantised, in f32 or i8
/// before.
mlir::LogicalResult findActivation(FusedOpInterface op, NewResult &result,
                                   Refusal &refusal);

/// The elements of `value` times `factor`; 1 where there is no value. None if
/// they are not known or leave f32.
std::optional<std::vector<double>> scaleConstant(mlir::Value value,
                                                 double factor);

/// An element-wise op with one result that reads the result of `op`, an op on
/// integers whose result has `width` bits; null if there is none whose element
/// type `isWanted`. A transpose, which computes nothing, is none.
mlir::linalg::LinalgOp
findElementwiseUser(FusedOpInterface op, unsigned width,
                    llvm::function_ref<bool(mlir::Type)> isWanted);

/// The same for a result of any type.
mlir::linalg::LinalgOp
findElementwiseUser(FusedOpInterface op,
                    llvm::function_ref<bool(mlir::Type)> isWanted);

/// Makes `residual` that of `op`.
void setResidual(QuantizedOpInterface op, const Dequantization &residual);

/// Says that a law could fold `user`, the op behind an op on integers.
mlir::LogicalResult refuseNotRun(mlir::linalg::LinalgOp user, Refusal &refusal);

/// Finds the new result of an op, or says why it keeps the one it has.
using MatchNewResult = mlir::FailureOr<NewResult> (*)(FusedOpInterface op,
                                                      QuantRounding rounding,
                                                      Refusal &refusal);

/// Adds the law that gives each op the result that `match` finds, in place of
/// its own and the op behind it.
void addResultLaw(mlir::RewritePatternSet &patterns, QuantRounding rounding,
                  MatchNewResult match, llvm::StringRef name);

/// Fails with the reason if `op` has kept its result in front of `user`, which
/// the law of `match` could fold. Without a `user` there is nothing to fold.
mlir::LogicalResult explainResultLaw(FusedOpInterface op,
                                     mlir::linalg::LinalgOp user,
                                     const FuseOptions &options,
                                     MatchNewResult match, Refusal &refusal);

} // namespace fusion

#endif // FUSION_LIB_FUSE_QUANTIZED_NEWRESULT_H
