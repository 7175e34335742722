//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/FusionDialect.h"
#include "Bytecode.h"
#include "FusionDialect/IR/FusionOps.h"

using namespace mlir;
using namespace fusion;

#include "FusionDialect/IR/FusionDialect.cpp.inc"

void FusionDialect::initialize() {
  registerAttributes();
  addBytecodeInterface(*this);
  addOperations<
#define GET_OP_LIST
#include "FusionDialect/IR/FusionOps.cpp.inc"
      >();
}

LogicalResult
FusionDialect::verifyRegionArgAttribute(Operation *op, unsigned regionIndex,
                                        unsigned argIndex,
                                        NamedAttribute attribute) {
  if (attribute.getName() == kConstantArgAttr) {
    if (!isa<UnitAttr>(attribute.getValue()))
      return op->emitError()
             << "'" << kConstantArgAttr << "' must be a unit attribute, got "
             << attribute.getValue();
    return success();
  }
  if (attribute.getName() == kNameArgAttr ||
      attribute.getName() == kRoleArgAttr) {
    if (!isa<StringAttr>(attribute.getValue()))
      return op->emitError()
             << "'" << attribute.getName().getValue()
             << "' must be a string, got " << attribute.getValue();
    return success();
  }
  return op->emitError() << "unknown argument attribute "
                         << attribute.getName();
}
