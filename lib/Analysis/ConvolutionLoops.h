//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_CONVOLUTIONLOOPS_H
#define FUSION_ANALYSIS_CONVOLUTIONLOOPS_H

#include "FusionDialect/Support/Refusal.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/AffineMap.h"
#include <optional>

namespace fusion {

/// A loop and its factor.
using ScaledLoop = std::pair<unsigned, int64_t>;

/// Reads `expr` as loop * factor with a constant factor.
std::optional<ScaledLoop> matchScaledLoop(mlir::AffineExpr expr);

/// Reads `expr` as output * stride, a window of one element whose loop is gone.
std::optional<ScaledLoop> matchStride(mlir::AffineExpr expr);

/// Reads `expr` as the sum of two loops, each times a constant.
std::optional<std::pair<ScaledLoop, ScaledLoop>>
matchWindow(mlir::AffineExpr expr);

/// True if all results of `map` for which `pred` holds lie side by side.
bool areAdjacent(mlir::AffineMap map,
                 llvm::function_ref<bool(mlir::AffineExpr)> pred);

/// Classifies the loops by the operands that they index: `maps` are those of
/// input, filter and output. `inferConvolutionDims` does it, too, but takes the
/// first operand for the input, and puts loops of some ops into two classes.
mlir::FailureOr<mlir::linalg::ConvolutionDimensions>
classifyLoops(llvm::ArrayRef<mlir::AffineMap> maps, Refusal &refusal);

} // namespace fusion

#endif // FUSION_ANALYSIS_CONVOLUTIONLOOPS_H
