//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_MULTIPLYADD_H
#define FUSION_ANALYSIS_MULTIPLYADD_H

#include "FusionDialect/Support/Refusal.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fusion {

struct RaiseOptions {
  /// Take ops that accumulate in bf16 or f16.
  bool allowContractRounding = true;
};

/// The first multiplication in the body of `op` whose product is added last, or
/// whose factors are computed from one of the first two inputs each; null if
/// there is none.
mlir::Operation *getMultiply(mlir::linalg::LinalgOp op);

/// Fails unless `op`, which has a product, computes acc + input * filter and
/// nothing else, of types that the fusion ops have. In messages `what` names
/// `op`, and operand number `input` is the input.
mlir::LogicalResult checkMultiplyAdd(mlir::linalg::LinalgOp op,
                                     llvm::StringRef what,
                                     const RaiseOptions &options,
                                     Refusal &refusal, unsigned input = 0);

} // namespace fusion

#endif // FUSION_ANALYSIS_MULTIPLYADD_H
