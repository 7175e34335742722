//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_FUSION_RUN_MAGNITUDES_H
#define FUSION_TOOLS_FUSION_RUN_MAGNITUDES_H

#include "FusionDialect/IR/FusionOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace fusion::run {

/// Root mean squares of numbers that are drawn or computed of those: of a float
/// in [-1, 1), which filters and scales keep, and of 8 bits of a result, which
/// leave three times as much before they saturate.
inline constexpr double floatMagnitude = 0.577;
inline constexpr double resultMagnitude = 32;

/// Whether `op` gives an element of its first operand as it is, or in another
/// type of floats.
bool movesElements(mlir::Operation *op);

/// Where the elements of `value`, a tensor or a scalar in the body of an op,
/// come from: another result, or an argument of a function.
mlir::Value traceElements(mlir::Value value);

/// The root mean square of a constant; none for other values and for constants
/// without data.
std::optional<double> getConstantMagnitude(mlir::Value value);

/// The number of products in one sum if `use` is the filter of a convolution or
/// matrix multiplication.
std::optional<int64_t> getFilterFanIn(mlir::OpOperand &use);

/// Estimates root mean squares of integers.
class Magnitudes {
public:
  double get(mlir::Value value);
  /// That of the sum in i32 of `op`.
  double getSum(FusedOpInterface op);

private:
  double compute(mlir::Value value);
  double getOfSum(mlir::linalg::LinalgOp op, mlir::Value yielded);

  llvm::DenseMap<mlir::Value, double> known;
  /// Of the calls in progress.
  int depth = 0;
};

} // namespace fusion::run

#endif // FUSION_TOOLS_FUSION_RUN_MAGNITUDES_H
