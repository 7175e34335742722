//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_TRANSPOSE_H
#define FUSION_ANALYSIS_TRANSPOSE_H

#include "mlir/IR/Operation.h"
#include <optional>

namespace fusion {

/// The source and the permutation of `op` if it is a transpose, named or
/// generic: dimension i of the result is dimension `permutation[i]` of the
/// source.
std::optional<std::pair<mlir::Value, llvm::SmallVector<int64_t>>>
matchTranspose(mlir::Operation *op);

/// True if `op` is a transpose, named or generic.
bool isTranspose(mlir::Operation *op);

} // namespace fusion

#endif // FUSION_ANALYSIS_TRANSPOSE_H
