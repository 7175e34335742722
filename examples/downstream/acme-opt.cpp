//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Acme.h"

#include "FusionDialect/InitAll.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  fusion::registerAllDialects(registry);
  fusion::registerAllExtensions(registry);
  fusion::registerAllPasses();
  fusion::registerAllPipelines();
  registry.insert<acme::AcmeDialect>();
  acme::registerAcmePasses();
  acme::registerAcmeFuse();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, "Acme's optimizer\n", registry));
}
