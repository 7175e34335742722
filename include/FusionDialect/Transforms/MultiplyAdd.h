//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSFORMS_MULTIPLYADD_H
#define FUSION_TRANSFORMS_MULTIPLYADD_H

#include "FusionDialect/Transforms/Refusal.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fusion {

struct RaiseOptions {
  /// Take ops that accumulate in bf16 or f16.
  bool allowContractRounding = true;
};

/// A product that `op` adds to its accumulator, or one of its two first inputs
/// or what is computed from each of them; null if there is none.
mlir::Operation *getMultiply(mlir::linalg::LinalgOp op);

/// Fails unless `op`, which has a product, computes acc + input * filter and
/// nothing else, of types that the fusion ops have. `what` names it in
/// messages, and `input` is the number of the operand that they call the input.
mlir::LogicalResult checkMultiplyAdd(mlir::linalg::LinalgOp op,
                                     llvm::StringRef what,
                                     const RaiseOptions &options,
                                     Refusal &refusal, unsigned input = 0);

} // namespace fusion

#endif // FUSION_TRANSFORMS_MULTIPLYADD_H
