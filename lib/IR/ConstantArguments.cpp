//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/FusionDialect.h"
#include "mlir/IR/Remarks.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace fusion;

bool fusion::isConstantArgument(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || !argument.getOwner()->isEntryBlock())
    return false;
  auto function = dyn_cast_if_present<FunctionOpInterface>(
      argument.getOwner()->getParentOp());
  return function &&
         function.getArgAttr(argument.getArgNumber(), kConstantArgAttr);
}

/// The operand that `user` passes as argument `index` of `function`; null if it
/// does not call it.
static Value getPassed(Operation *user, FunctionOpInterface function,
                       unsigned index) {
  auto call = dyn_cast<CallOpInterface>(user);
  if (!call || call.getArgOperands().size() != function.getNumArguments())
    return nullptr;
  return call.getArgOperands()[index];
}

static void explain(FunctionOpInterface function, unsigned index,
                    Operation *user) {
  remark::missed(
      user->getLoc(),
      remark::RemarkOpts::name("fusion-constants").category("fusion"))
      << remark::reason("argument {0} of '@{1}' is used as any other, not as a "
                        "constant: what is passed for it here may change",
                        index, function.getName().str());
}

/// Takes the mark off each argument of `function` to which a user passes
/// another value than a constant. True if there was one.
static bool unmark(FunctionOpInterface function, ArrayRef<Operation *> users,
                   function_ref<bool(Value)> isConstant) {
  bool isChanged = false;
  for (unsigned i = 0, e = function.getNumArguments(); i != e; ++i) {
    if (!function.getArgAttr(i, kConstantArgAttr))
      continue;
    const auto *user = llvm::find_if(users, [&](Operation *user) {
      Value passed = getPassed(user, function, i);
      return !passed || !isConstant(passed);
    });
    if (user == users.end())
      continue;
    explain(function, i, *user);
    function.removeArgAttr(i, kConstantArgAttr);
    isChanged = true;
  }
  return isChanged;
}

void fusion::unmarkChangingArguments(Operation *module,
                                     function_ref<bool(Value)> isConstant) {
  SmallVector<FunctionOpInterface> marked;
  module->walk([&](FunctionOpInterface function) {
    for (unsigned i = 0, e = function.getNumArguments(); i != e; ++i)
      if (function.getArgAttr(i, kConstantArgAttr))
        return marked.push_back(function);
  });
  if (marked.empty())
    return;
  SymbolTableCollection tables;
  SymbolUserMap users(tables, module);
  // An argument that has lost its mark may have been passed on.
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    for (FunctionOpInterface function : marked)
      isChanged |= unmark(function, users.getUsers(function), isConstant);
  }
}
