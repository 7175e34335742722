//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/InitAll.h"
#include "FusionDialect/Conversion/FusionToLLVM.h"
#include "FusionDialect/Conversion/Passes.h"
#include "FusionDialect/IR/FusionDialect.h"
#include "FusionDialect/Interfaces/BufferizableOpInterfaceImpl.h"
#include "FusionDialect/Interfaces/TilingInterfaceImpl.h"
#include "FusionDialect/Interfaces/TransposableOpInterface.h"
#include "FusionDialect/Pipelines/Pipelines.h"
#include "FusionDialect/TransformOps/FusionTransformOps.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Transforms/ReductionPatterns.h"

using namespace mlir;

void fusion::registerAllDialects(DialectRegistry &registry) {
  registry.insert<FusionDialect>();
}

void fusion::registerAllExtensions(DialectRegistry &registry) {
  registerBufferizableOpInterfaceExternalModels(registry);
  registerConvertFusionToLLVMInterface(registry);
  registerReductionPatterns(registry);
  registerTilingInterfaceExternalModels(registry);
  registerTransformDialectExtension(registry);
  registerTransposableOpInterfaceExternalModels(registry);
}

void fusion::registerAllPasses() {
  registerFusionTransformsPasses();
  registerFusionConversionPasses();
}

void fusion::registerAllPipelines() { registerPipelines(); }
