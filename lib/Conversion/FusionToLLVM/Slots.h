//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FUSION_LIB_CONVERSION_FUSIONTOLLVM_SLOTS_H
#define FUSION_LIB_CONVERSION_FUSIONTOLLVM_SLOTS_H

#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace fusion {

/// The global constant `name` of these bytes.
void createBytes(mlir::OpBuilder &builder, mlir::Location loc,
                 const std::string &name, llvm::StringRef bytes);

/// The slot of the call site `name`, which points at the global `name`_desc and
/// holds the state; and the text of its location.
void createSlot(mlir::ConversionPatternRewriter &rewriter, mlir::Location loc,
                const std::string &name);

/// The address of the slot of the call site `name`.
mlir::Value createSlotAddress(mlir::OpBuilder &builder, mlir::Location loc,
                              llvm::StringRef name);

/// A call of a function of the runtime.
mlir::FailureOr<mlir::LLVM::CallOp>
createRuntimeCall(mlir::ConversionPatternRewriter &rewriter,
                  mlir::Operation *op, llvm::StringRef name,
                  mlir::Type resultType, mlir::ValueRange operands);

/// Room for `type` on the stack of the function around `op`: made once at its
/// entry, so that a loop does not pile it up.
mlir::Value createStackSlot(mlir::ConversionPatternRewriter &rewriter,
                            mlir::Operation *op, mlir::Type type);

/// Adds the pattern that converts `fusion.rt.parallel_for`.
void populateParallelForToLLVMPatterns(const mlir::LLVMTypeConverter &converter,
                                       mlir::RewritePatternSet &patterns);

/// Adds the pattern that converts `fusion.rt.once`.
void populateOnceToLLVMPatterns(const mlir::LLVMTypeConverter &converter,
                                mlir::RewritePatternSet &patterns);

} // namespace fusion

#endif // FUSION_LIB_CONVERSION_FUSIONTOLLVM_SLOTS_H
