//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UTILS_EMITELEMENTWISE_H
#define FUSION_UTILS_EMITELEMENTWISE_H

#include "FusionDialect/Support/Refusal.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fusion {

/// The function of each element of `input` that an element-wise op computes.
/// The op has one result, and `input` is one of its operands.
struct ElementwiseStep {
  mlir::linalg::LinalgOp op;
  mlir::Value input;
};

/// Fails unless `emitElementwise` can compute `step`: its other operands are
/// numbers, constant or not.
llvm::LogicalResult checkElementwise(ElementwiseStep step, Refusal &refusal);

/// Emits an op that computes `steps`, one after the other, of each element of
/// `tensor`, which may have other sizes than their operands.
mlir::Value emitElementwise(mlir::OpBuilder &builder,
                            llvm::ArrayRef<ElementwiseStep> steps,
                            mlir::Value tensor);

} // namespace fusion

#endif // FUSION_UTILS_EMITELEMENTWISE_H
