//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_IR_BYTECODE_H
#define FUSION_LIB_IR_BYTECODE_H

#include "FusionDialect/IR/FusionDialect.h"

namespace fusion {

/// Adds the version of the dialect to bytecode files, and refuses to read files
/// of a newer version.
void addBytecodeInterface(FusionDialect &dialect);

} // namespace fusion

#endif // FUSION_LIB_IR_BYTECODE_H
