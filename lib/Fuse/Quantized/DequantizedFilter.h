//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_FUSE_QUANTIZED_DEQUANTIZEDFILTER_H
#define FUSION_LIB_FUSE_QUANTIZED_DEQUANTIZEDFILTER_H

#include "FusionDialect/Analysis/Quantization.h"
#include "RunTimeDequantization.h"

namespace fusion {

/// A factor of a scale that only a call knows: a vector or a number.
struct RunTimeFactor {
  mlir::Value vector = nullptr;
  bool divides = false; ///< whether the scale is divided by it
  std::optional<UniformScalar> number = std::nullopt; ///< if it is no vector
};

/// `vector`, a tensor<Cxf32>, times or by `factor`.
mlir::Value emitScaledVector(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::Value vector, const RunTimeFactor &factor);

/// A filter made of integers by a dequantisation, ops that move its elements,
/// and factors that were folded into it.
struct DequantizedFilter : Dequantization {
  llvm::SmallVector<mlir::Operation *>
      moves; ///< from `source` on, paddings by 0 among them
  llvm::SmallVector<RunTimeFactor> factors; ///< of the scale; vectors: of `dim`
};

/// Reads `value` as such a filter.
mlir::FailureOr<DequantizedFilter> matchDequantizedFilter(mlir::Value value,
                                                          Refusal &refusal);

/// The sums of `filter`, signed integers of 8 bits, over all dimensions but
/// `channelDim`, negated: a tensor<Cxi32>, or of f32 if `type` is that. They
/// are a constant if it is one.
mlir::Value emitNegatedSums(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value filter, unsigned channelDim,
                            mlir::Type type);

/// `filter` in front of moves and of factors that were folded into it.
mlir::Value skipMovesAndScales(mlir::Value filter);

} // namespace fusion

#endif // FUSION_LIB_FUSE_QUANTIZED_DEQUANTIZEDFILTER_H
