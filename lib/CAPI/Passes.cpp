//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect-c/Passes.h"
#include "FusionDialect/Conversion/Passes.h"
#include "FusionDialect/InitAll.h"
#include "FusionDialect/Pipelines/Pipelines.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/CAPI/Pass.h"
#include "mlir/CAPI/Support.h"

using namespace mlir;
using namespace fusion;

#include "FusionDialect/Conversion/Passes.capi.cpp.inc"
#include "FusionDialect/Transforms/Passes.capi.cpp.inc"

void fusionRegisterAllPasses(void) { fusion::registerAllPasses(); }

void fusionRegisterAllPipelines(void) { fusion::registerAllPipelines(); }

/// Calls `add`, and passes its messages to `callback`.
template <typename Add>
static MlirLogicalResult
addPipeline(Add add, MlirOpPassManager passManager, MlirStringRef options,
            MlirStringCallback callback, void *userData) {
  return wrap(add(*unwrap(passManager), unwrap(options),
                  [&](const Twine &message) -> LogicalResult {
                    std::string text = message.str();
                    if (callback)
                      callback(wrap(StringRef(text)), userData);
                    return failure();
                  }));
}

MlirLogicalResult fusionAddOptimizePipeline(MlirOpPassManager passManager,
                                            MlirStringRef options,
                                            MlirStringCallback callback,
                                            void *userData) {
  return addPipeline(addOptimizePipeline, passManager, options, callback,
                     userData);
}

MlirLogicalResult fusionAddCompilePipeline(MlirOpPassManager passManager,
                                           MlirStringRef options,
                                           MlirStringCallback callback,
                                           void *userData) {
  return addPipeline(addCompilePipeline, passManager, options, callback,
                     userData);
}
