//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_MATMULMATCH_H
#define FUSION_ANALYSIS_MATMULMATCH_H

#include "FusionDialect/Analysis/MultiplyAdd.h"

namespace fusion {

/// True if `op` multiplies two tensors, each read by a permutation of some
/// loops, and sums over dimensions that both have: a contraction of linalg,
/// named or generic. A convolution is not one.
bool isMatmul(mlir::Operation *op);

/// Fails unless a sum of products of operands with these maps is a matrix
/// multiplication that the fusion op can do.
mlir::LogicalResult checkMatmulMaps(mlir::AffineMap input,
                                    mlir::AffineMap filter,
                                    mlir::AffineMap init, Refusal &refusal);

/// True if `value` never changes between calls: a constant, or an argument that
/// is marked so, behind casts, reshapes, transposes and broadcasts, or what an
/// element-wise op computes of such values.
bool isWeights(mlir::Value value);

/// True if `value` has elements of a smaller tensor several times, behind such
/// ops.
bool isRepeated(mlir::Value value);

/// A contraction of linalg in terms of the fusion op. The letters name each
/// dimension of an operand as it is: `b` batch, `m` row, `k` the dimension
/// summed over, `n` column. Neighbours of one letter are to be collapsed, after
/// the dimensions are brought into an order, unless that is empty.
struct MatmulMatch {
  mlir::Value input, filter, init;
  std::string inputLetters, filterLetters, outputLetters;
  llvm::SmallVector<int64_t> inputOrder, filterOrder, outputOrder;
  /// How an op on integers reads input and filter.
  IntegerFactor inputFactor, filterFactor;
};

/// Reads `op`, for which `isMatmul` holds, or says why the fusion op cannot do
/// what it does.
mlir::FailureOr<MatmulMatch> matchMatmul(mlir::linalg::LinalgOp op,
                                         const RaiseOptions &options,
                                         Refusal &refusal);

} // namespace fusion

#endif // FUSION_ANALYSIS_MATMULMATCH_H
