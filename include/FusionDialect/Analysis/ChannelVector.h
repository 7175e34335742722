//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_CHANNELVECTOR_H
#define FUSION_ANALYSIS_CHANNELVECTOR_H

#include "FusionDialect/Support/Refusal.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/PatternMatch.h"

namespace fusion {

/// A value that varies along the channel only, or not at all.
struct ChannelVector {
  /// A scalar, or a tensor: either all dimensions but `dim` have size 1, or its
  /// dimensions together are the channel. Null if `number` is set.
  mlir::Value base;
  /// The dimension of `base` that is the channel; none if the value is the same
  /// for all channels.
  std::optional<int64_t> dim;
  /// The value of all channels, if it is a constant.
  std::optional<double> number;
};

struct ChannelVectorOptions {
  /// Look through tensor.reshape, expand_shape and collapse_shape.
  bool allowReshape = true;
  /// The role of the value for its user, for messages.
  llvm::StringRef role = "bias";
};

/// Decides whether `value` varies along the channel only or, without a channel,
/// whether it does not vary at all. It is a scalar of floats or i32, or a
/// tensor of them read through `map` from an iteration space in which
/// `channelDim` is the channel. Looks through broadcasts, copies, transposes,
/// casts, widenings and reshapes, however they are spelled.
mlir::FailureOr<ChannelVector>
matchChannelVector(mlir::Value value, mlir::AffineMap map,
                   std::optional<int64_t> channelDim,
                   const ChannelVectorOptions &options, Refusal &refusal);

/// The same for a tensor that is read by the identity map.
mlir::FailureOr<ChannelVector>
matchChannelVector(mlir::Value value, int64_t channelDim,
                   const ChannelVectorOptions &options, Refusal &refusal);

/// True if `vector` is 0 for every channel.
bool isZero(const ChannelVector &vector);

} // namespace fusion

#endif // FUSION_ANALYSIS_CHANNELVECTOR_H
