//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UTILS_EMITFLIP_H
#define FUSION_UTILS_EMITFLIP_H

#include "mlir/IR/Builders.h"

namespace fusion {

/// Emits `tensor`, of static sizes in `dims`, with these dimensions read
/// backwards.
mlir::Value emitFlip(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value tensor, llvm::ArrayRef<int64_t> dims);

} // namespace fusion

#endif // FUSION_UTILS_EMITFLIP_H
