//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_INITALL_H
#define FUSION_INITALL_H

#include "FusionDialect/Conversion/FusionToLLVM.h"
#include "FusionDialect/Conversion/Passes.h"
#include "FusionDialect/IR/FusionDialect.h"
#include "FusionDialect/Pipelines/Pipelines.h"
#include "FusionDialect/Transforms/BufferizableOpInterfaceImpl.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Transforms/ReductionPatterns.h"

namespace fusion {

/// Adds the fusion dialect to `registry`.
inline void registerAllDialects(mlir::DialectRegistry &registry) {
  registry.insert<FusionDialect>();
}

/// Adds the interfaces that are implemented apart from the dialect:
/// bufferization, the conversion to LLVM and reductions.
inline void registerAllExtensions(mlir::DialectRegistry &registry) {
  registerBufferizableOpInterfaceExternalModels(registry);
  registerConvertFusionToLLVMInterface(registry);
  registerReductionPatterns(registry);
}

/// Registers every pass of the project.
inline void registerAllPasses() {
  registerFusionTransformsPasses();
  registerFusionConversionPasses();
}

/// Registers every pipeline of the project.
inline void registerAllPipelines() { registerPipelines(); }

} // namespace fusion

#endif // FUSION_INITALL_H
