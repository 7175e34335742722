//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TOOLS_FUSION_RUN_ROLES_H
#define FUSION_TOOLS_FUSION_RUN_ROLES_H

#include "Random.h"
#include "Scales.h"
#include "mlir/IR/Value.h"

namespace fusion::run {

/// The use of a tensor. It decides which values keep a network's numbers within
/// bounds.
struct Role {
  enum Kind {
    /// Anything else.
    Data,
    /// Weights of a convolution or matmul.
    Filter,
    /// Is under a square root or a logarithm, as a variance is.
    Positive,
    /// Is a divisor, or compared with: a bound of an activation, a count.
    Fixed,
    /// Multiplies quantised numbers, or divides others to quantise them.
    Scale
  };
  Kind kind = Data;
  /// The number of products in one sum of the filter.
  int64_t fanIn = 1;
  run::Scale scale = {};
};

/// Follows the uses of `value`, a function argument or constant on tensors,
/// through ops that only move, cast or offset it. `scales` are those of its
/// module.
Role inferRole(mlir::Value value, const Scales &scales);

/// The range of random values for a role. Filters keep the variance of their
/// inputs.
Interval getInterval(const Role &role, const HostType &type);

} // namespace fusion::run

#endif // FUSION_TOOLS_FUSION_RUN_ROLES_H
