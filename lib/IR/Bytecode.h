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

/// Makes bytecode files carry the version of the dialect, and refuses to read
/// those of a newer one.
void addBytecodeInterface(FusionDialect &dialect);

} // namespace fusion

#endif // FUSION_LIB_IR_BYTECODE_H
