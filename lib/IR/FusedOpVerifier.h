//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Functions that the verifiers of the fused ops share.

#ifndef FUSION_LIB_IR_FUSEDOPVERIFIER_H
#define FUSION_LIB_IR_FUSEDOPVERIFIER_H

#include "FusionDialect/IR/FusionOps.h"

namespace fusion {

/// The sizes of an operand in the logical order of `letters`.
llvm::SmallVector<int64_t> getLogicalSizes(mlir::Value value, LayoutAttr layout,
                                           llvm::StringRef letters);

/// True unless both sizes are static and differ.
bool areCompatible(int64_t a, int64_t b);

/// Verifies the constraints on operands of every fused op.
mlir::LogicalResult verifyOperands(FusedOpInterface op);

/// Verifies the size of the bias against `outputChannels`.
mlir::LogicalResult verifyBias(FusedOpInterface op, int64_t outputChannels);

/// Verifies that a residual after the activation has an activation before it.
mlir::LogicalResult verifyResidualOrder(FusedOpInterface op);

/// Verifies scale, zero points and signs against the operands that they are of.
mlir::LogicalResult verifyQuantization(QuantizedOpInterface op);

/// Verifies that `values`, the attribute `name` of a window, has `rank`
/// elements, each at least `least`.
mlir::LogicalResult
verifyWindowValues(llvm::function_ref<mlir::InFlightDiagnostic()> emitError,
                   llvm::StringRef name, llvm::ArrayRef<int64_t> values,
                   int64_t rank, int64_t least);

/// The elements of a dimension of `size` elements and its pads that are left
/// beside a window: size + low + high - ((kernel - 1) * dilation + 1). None if
/// an i64 does not hold it, which `emitLargeWindow` reports.
std::optional<int64_t> countRoom(int64_t size, int64_t kernel, int64_t dilation,
                                 int64_t low, int64_t high);
mlir::InFlightDiagnostic emitLargeWindow(mlir::Operation *op, char letter);

/// On memrefs, verifies that the destination is no other operand.
mlir::LogicalResult verifyNoAlias(FusedOpInterface op);

/// Verifies that `layout`, the value of attribute `name`, has `letters`.
mlir::LogicalResult verifyLayout(FusedOpInterface op, llvm::StringRef name,
                                 LayoutAttr layout, llvm::StringRef letters);

} // namespace fusion

#endif // FUSION_LIB_IR_FUSEDOPVERIFIER_H
