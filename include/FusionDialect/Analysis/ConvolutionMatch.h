//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_CONVOLUTIONMATCH_H
#define FUSION_ANALYSIS_CONVOLUTIONMATCH_H

#include "FusionDialect/Analysis/MultiplyAdd.h"

namespace fusion {

/// True if `op` multiplies windows of an input with a filter and adds up: a
/// convolution of linalg, quantised ones included, named or generic.
bool isConvolution(mlir::Operation *op);

/// The number of the operand that is read by windows or pixels, the input: 1 if
/// the filter comes first, else 0. `isConvolution` must hold for `op`.
unsigned getInputNumber(mlir::linalg::LinalgOp op);

/// A linalg convolution in terms of the fusion op. The letters name each
/// dimension of an operand as it is: `n` batch, `g` group, `c` input channel
/// within a group, `f` output channel within a group, and d, h, w.
struct ConvolutionMatch {
  mlir::Value input, filter, init;
  std::string inputLetters, filterLetters, outputLetters;
  llvm::SmallVector<int64_t> strides, dilations;
  int64_t spatialRank;
  /// Number of groups; 1 if no operand has a group dimension.
  int64_t groups;
  /// How an op on integers reads input and filter.
  IntegerFactor inputFactor, filterFactor;
};

/// Reads `op`, for which `isConvolution` holds, or says why the fusion op
/// cannot do what it does.
mlir::FailureOr<ConvolutionMatch> matchConvolution(mlir::linalg::LinalgOp op,
                                                   const RaiseOptions &options,
                                                   Refusal &refusal);

/// Fails unless a sum of products of `lhs` and `rhs`, one of which is read by
/// windows, is a convolution. `maps` are those of `lhs`, `rhs` and `init`, of
/// which the sizes alone matter.
mlir::LogicalResult checkConvolutionMaps(llvm::ArrayRef<mlir::AffineMap> maps,
                                         mlir::Value lhs, mlir::Value rhs,
                                         mlir::Value init, Refusal &refusal);

} // namespace fusion

#endif // FUSION_ANALYSIS_CONVOLUTIONMATCH_H
