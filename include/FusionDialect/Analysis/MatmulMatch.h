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

/// True if a sum of products with these maps of both factors and the result is
/// one.
bool areMapsOfMatmul(mlir::AffineMap lhs, mlir::AffineMap rhs,
                     mlir::AffineMap result);

/// A contraction of linalg in terms of the fusion op. The letters name each
/// dimension of an operand as it is: `b` batch, `m` row, `k` the dimension
/// summed over, `n` column. Neighbours of one letter are to be collapsed.
struct MatmulMatch {
  mlir::Value input, filter, init;
  std::string inputLetters, filterLetters, outputLetters;
  /// How an op on integers reads the input.
  IntegerFactor inputFactor;
};

/// Reads `op`, for which `isMatmul` holds, or says why the fusion op cannot do
/// what it does.
mlir::FailureOr<MatmulMatch> matchMatmul(mlir::linalg::LinalgOp op,
                                         const RaiseOptions &options,
                                         Refusal &refusal);

} // namespace fusion

#endif // FUSION_ANALYSIS_MATMULMATCH_H
