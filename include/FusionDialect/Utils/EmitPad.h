//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UTILS_EMITPAD_H
#define FUSION_UTILS_EMITPAD_H

#include "FusionDialect/IR/FusionOps.h"
#include "mlir/IR/Builders.h"

namespace fusion {

/// The element of the input of `op` that is out of range: 0, or the integer
/// that means 0.
mlir::TypedAttr getPaddingNumber(FusedOpInterface op);

/// Emits `tensor`, whose dimensions `layout` names, with `low[i]` elements
/// `number` before and `high[i]` behind spatial dimension i; they are in the
/// order d, h, w. Gives `tensor` itself if all are 0.
mlir::Value emitPad(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value tensor, LayoutAttr layout,
                    llvm::ArrayRef<int64_t> low, llvm::ArrayRef<int64_t> high,
                    mlir::TypedAttr number);
mlir::Value emitPad(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::Value tensor, LayoutAttr layout,
                    llvm::ArrayRef<int64_t> low, llvm::ArrayRef<int64_t> high,
                    llvm::function_ref<mlir::Value()> emitNumber);

} // namespace fusion

#endif // FUSION_UTILS_EMITPAD_H
