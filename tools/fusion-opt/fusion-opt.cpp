//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/InitAll.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Tools/mlir-opt/MlirOptMain.h"

/// The first lines of --help, in front of thousands of options.
static constexpr const char *kOverview =
    R"(MLIR optimizer with the Fusion dialect

  fusion-opt net.mlir --fusion-optimize             fuse, tensors to tensors
  fusion-opt net.mlir --fusion-optimize --fusion-explain -o fused.mlir
                                                    and say what was fused, and what was not, and why
  fusion-opt net.mlir --fusion-compile              down to the LLVM dialect, with calls of the runtime

The options of a pass or pipeline go behind it: --fusion-optimize="disable=bias nan-mode=propagate".
fusion-run compiles and runs a file, and compares it with upstream's lowering.
)";

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  mlir::registerAllPasses();
  fusion::registerAllDialects(registry);
  fusion::registerAllExtensions(registry);
  fusion::registerAllPasses();
  fusion::registerAllPipelines();
  return mlir::asMainReturnCode(
      mlir::MlirOptMain(argc, argv, kOverview, registry));
}
