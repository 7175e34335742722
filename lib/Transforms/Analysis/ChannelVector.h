//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TRANSFORMS_ANALYSIS_CHANNELVECTOR_H
#define FUSION_LIB_TRANSFORMS_ANALYSIS_CHANNELVECTOR_H

#include "FusionDialect/Transforms/Refusal.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/PatternMatch.h"

namespace fusion {

/// A value that varies along the channel only, or not at all.
struct ChannelVector {
  /// A tensor whose dimensions other than `dim` have size 1, or one that has a
  /// size for each channel in several dimensions, or a scalar. Null if `number`
  /// is there.
  mlir::Value base;
  /// The dimension of `base` that is the channel; none if all channels have the
  /// same value.
  std::optional<int64_t> dim;
  /// What all channels have, if it is a constant.
  std::optional<double> number;
};

struct ChannelVectorOptions {
  /// Look through tensor.reshape, expand_shape and collapse_shape.
  bool allowReshape = true;
  /// What the value is to its user, for reasons.
  llvm::StringRef role = "bias";
};

/// Decides whether `value`, a float scalar or a tensor of floats read through
/// `map` from an iteration space of which `channelDim` is the channel, varies
/// along the channel only; without a channel, whether it does not vary at all.
/// Looks through broadcasts, copies, transposes, casts, widenings and reshapes,
/// however they are spelled.
mlir::FailureOr<ChannelVector>
matchChannelVector(mlir::Value value, mlir::AffineMap map,
                   std::optional<int64_t> channelDim,
                   const ChannelVectorOptions &options, Refusal &refusal);

/// The same for a tensor read as it is.
mlir::FailureOr<ChannelVector>
matchChannelVector(mlir::Value value, int64_t channelDim,
                   const ChannelVectorOptions &options, Refusal &refusal);

/// True if `vector` is 0 for every channel.
bool isZero(const ChannelVector &vector);

/// Builds the tensor<Cxf32> of the values of `vector`, for `channels` channels.
mlir::Value materialize(mlir::OpBuilder &builder, mlir::Location loc,
                        const ChannelVector &vector,
                        mlir::OpFoldResult channels);

} // namespace fusion

#endif // FUSION_LIB_TRANSFORMS_ANALYSIS_CHANNELVECTOR_H
