//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_INITALL_H
#define FUSION_INITALL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace fusion {

/// Adds the fusion dialect to `registry`.
void registerAllDialects(mlir::DialectRegistry &registry);

/// Adds the extensions of the dialect: bufferization, tiling, transposition,
/// the conversion to LLVM, reductions, and the ops of the transform dialect.
void registerAllExtensions(mlir::DialectRegistry &registry);

/// Registers every pass of the project.
void registerAllPasses();

/// Registers every pipeline of the project.
void registerAllPipelines();

} // namespace fusion

#endif // FUSION_INITALL_H
