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
#include "mlir/IR/Value.h"

namespace fusion::run {

/// What a tensor is used as, which decides what values keep a network's numbers
/// within bounds.
struct Role {
  enum Kind {
    /// Anything else.
    Data,
    /// Weights of a convolution or matmul.
    Filter,
    /// Goes under a square root or a logarithm, as a variance does.
    Positive,
    /// Divides, or is compared with: a bound of an activation, a count.
    Fixed
  };
  Kind kind = Data;
  /// Filter: the number of products in one sum.
  int64_t fanIn = 1;
};

/// Follows the uses of `value`, a function argument or constant on tensors,
/// through what only moves, casts or offsets it.
Role inferRole(mlir::Value value);

/// The range to draw values from: filters keep the variance of what they are
/// applied to.
Interval getInterval(const Role &role, const HostType &type);

} // namespace fusion::run

#endif // FUSION_TOOLS_FUSION_RUN_ROLES_H
