//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_INTERFACES_TRANSPOSABLEOPINTERFACE_H
#define FUSION_INTERFACES_TRANSPOSABLEOPINTERFACE_H

#include "FusionDialect/Utils/Reorder.h"
#include "mlir/IR/OpDefinition.h"

namespace fusion {

/// A tensor with the elements of another, whose dimensions `permutation` brings
/// to those of `value`.
struct TransposedValue {
  mlir::Value value;
  DimOrder permutation;
};

} // namespace fusion

#include "FusionDialect/Interfaces/TransposableOpInterface.h.inc"

namespace fusion {

/// Lets ops of tensor and linalg, and `fusion.pool`, be computed on transposed
/// tensors.
void registerTransposableOpInterfaceExternalModels(
    mlir::DialectRegistry &registry);

} // namespace fusion

#endif // FUSION_INTERFACES_TRANSPOSABLEOPINTERFACE_H
