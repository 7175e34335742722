//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Acme.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace acme;

#include "AcmeDialect.cpp.inc"
#define GET_OP_CLASSES
#include "AcmeOps.cpp.inc"

void AcmeDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "AcmeOps.cpp.inc"
      >();
}
