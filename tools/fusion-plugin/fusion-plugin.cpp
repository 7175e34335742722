//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Makes the dialect, its passes and its pipelines available to a stock
// mlir-opt:
//   mlir-opt --load-dialect-plugin=FusionDialectPlugin.so
//            --load-pass-plugin=FusionDialectPlugin.so
//            --pass-pipeline='builtin.module(fusion-optimize)'

#include "FusionDialect/InitAll.h"
#include "mlir/Tools/Plugins/DialectPlugin.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Config/llvm-config.h"

extern "C" LLVM_ATTRIBUTE_WEAK mlir::DialectPluginLibraryInfo
mlirGetDialectPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Fusion", LLVM_VERSION_STRING,
          [](mlir::DialectRegistry *registry) {
            fusion::registerAllDialects(*registry);
            fusion::registerAllExtensions(*registry);
          }};
}

extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo
mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Fusion", LLVM_VERSION_STRING, [] {
            fusion::registerAllPasses();
            fusion::registerAllPipelines();
          }};
}
