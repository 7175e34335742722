//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_EXECUTE_DECOMPOSE_H
#define FUSION_EXECUTE_DECOMPOSE_H

#include "mlir/IR/BuiltinOps.h"

namespace fusion {

/// Rewrites the ops of linalg for which upstream has a decomposition but no
/// pass that applies it: pack and unpack. An op that cannot be decomposed
/// stays, and is reported where it is lowered.
void decomposeAggregates(mlir::ModuleOp module);

/// The same for softmax, for the reference. Fusion's pipeline has a
/// decomposition of its own.
void decomposeSoftmax(mlir::ModuleOp module);

} // namespace fusion

#endif // FUSION_EXECUTE_DECOMPOSE_H
