//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_CONVERSION_FUSIONTOLLVM_H
#define FUSION_CONVERSION_FUSIONTOLLVM_H

namespace mlir {
class DialectRegistry;
class LLVMTypeConverter;
class RewritePatternSet;
} // namespace mlir

namespace fusion {

/// Adds patterns that turn `fusion.rt.*` ops into LLVM globals and calls of the
/// runtime library.
void populateFusionToLLVMPatterns(const mlir::LLVMTypeConverter &converter,
                                  mlir::RewritePatternSet &patterns);

/// Lets upstream's `convert-to-llvm` pass convert `fusion.rt.*` ops.
void registerConvertFusionToLLVMInterface(mlir::DialectRegistry &registry);

} // namespace fusion

#endif // FUSION_CONVERSION_FUSIONTOLLVM_H
