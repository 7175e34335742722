//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSFORMS_PREPAREBUFFERIZATION_H
#define FUSION_TRANSFORMS_PREPAREBUFFERIZATION_H

#include "mlir/IR/Operation.h"

namespace fusion {

/// Sets the steps of `tensor.extract_slice` and `tensor.insert_slice` below
/// `root` to 1 in each dimension with one element, where the step has no
/// meaning. Upstream's `memref::SubViewOp::getDroppedDims` ends the process at
/// other steps there.
void dropIdleSteps(mlir::Operation *root);

} // namespace fusion

#endif // FUSION_TRANSFORMS_PREPAREBUFFERIZATION_H
