//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_EXECUTIONENGINE_SYMBOLNAMES_H
#define FUSION_EXECUTIONENGINE_SYMBOLNAMES_H

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"
#include <string>

namespace fusion {

/// Renames each definition of `module` whose name compiled code may need for
/// something else: functions of the runtime and of the C library, wrappers,
/// symbols that the lowering adds. Declarations keep their names.
llvm::Error renameReservedSymbols(mlir::ModuleOp module);

/// `text` as an identifier of C: a letter, digit or underscore for each
/// character, and no digit in front.
std::string toIdentifier(llvm::StringRef text);

/// Fails if `prefix` cannot begin the names of an object file.
llvm::Error checkSymbolPrefix(llvm::StringRef prefix);

/// Fails if `name`, an identifier, is a word of C or C++.
llvm::Error checkNoKeyword(llvm::StringRef name);

} // namespace fusion

#endif // FUSION_EXECUTIONENGINE_SYMBOLNAMES_H
