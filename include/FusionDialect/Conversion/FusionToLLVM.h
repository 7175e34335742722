//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_CONVERSION_FUSIONTOLLVM_H
#define FUSION_CONVERSION_FUSIONTOLLVM_H

#include "llvm/Support/LogicalResult.h"

namespace mlir {
class ConversionTarget;
class DialectRegistry;
class LLVMTypeConverter;
class ModuleOp;
class RewritePatternSet;
class SymbolTableCollection;
} // namespace mlir

namespace fusion {

/// Makes `fusion.rt.*` ops illegal, and adds patterns that turn them into LLVM
/// globals and calls of the runtime library. Without `symbols` each call looks
/// for its call site among all ops of the module.
void populateFusionToLLVMPatterns(
    mlir::ConversionTarget &target, const mlir::LLVMTypeConverter &converter,
    mlir::RewritePatternSet &patterns,
    mlir::SymbolTableCollection *symbols = nullptr);

/// Lets upstream's `convert-to-llvm` pass convert `fusion.rt.*` ops.
void registerConvertFusionToLLVMInterface(mlir::DialectRegistry &registry);

/// Makes the initial values of globals without dimensions `dense` where they
/// are resources, which upstream's conversion of `memref.global` does not read.
/// Fails, with a diagnostic, on one without its data.
llvm::LogicalResult replaceScalarResources(mlir::ModuleOp module);

} // namespace fusion

#endif // FUSION_CONVERSION_FUSIONTOLLVM_H
