//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/ExecutionEngine/SymbolNames.h"

#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Names within a module
//===----------------------------------------------------------------------===//

/// True if compiled code uses `name` for something else.
static bool isReserved(StringRef name,
                       const llvm::TargetLibraryInfoImpl &library) {
  // Names with a leading underscore belong to compilers and to upstream's
  // wrappers.
  for (StringRef prefix : {"_", "fusion_", "llvm."})
    if (name.starts_with(prefix))
      return true;
  llvm::LibFunc function;
  return name == "memrefCopy" || library.getLibFunc(name, function);
}

/// True if every file format accepts `name` as it is.
static bool isPlain(StringRef name) {
  return !name.empty() && llvm::all_of(name, [](char c) {
    return llvm::isAlnum(c) || c == '_' || c == '.' || c == '$';
  });
}

llvm::Error fusion::renameReservedSymbols(ModuleOp module) {
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  llvm::TargetLibraryInfoImpl library(triple);
  SymbolTable symbols(module);
  for (Operation &op : *module.getBody()) {
    auto symbol = dyn_cast<SymbolOpInterface>(op);
    if (!symbol || symbol.isDeclaration())
      continue;
    std::string name = symbol.getName().str();
    if (isPlain(name) && !isReserved(name, library))
      continue;
    unsigned counter = 0;
    auto free = SymbolTable::generateSymbolName<64>(
        "user_" + toIdentifier(name),
        [&](StringRef name) { return symbols.lookup(name) != nullptr; },
        counter);
    if (failed(symbols.rename(&op, free)))
      return llvm::createStringError(
          "'" + name +
          "' is a name that compiled code needs, and not all uses of it are "
          "known: give the function another one");
  }
  return llvm::Error::success();
}

//===----------------------------------------------------------------------===//
// Names in C
//===----------------------------------------------------------------------===//

std::string fusion::toIdentifier(StringRef text) {
  std::string result = text.str();
  for (char &c : result)
    if (!llvm::isAlnum(c))
      c = '_';
  if (result.empty() || llvm::isDigit(result.front()))
    result.insert(result.begin(), '_');
  return result;
}

llvm::Error fusion::checkSymbolPrefix(StringRef prefix) {
  if (prefix.empty() || toIdentifier(prefix) != prefix ||
      prefix.starts_with("_"))
    return llvm::createStringError(
        "--symbol-prefix must be a letter and then letters, digits and "
        "underscores, got '" +
        prefix + "'");
  for (StringRef ours : {"fusion", "make_fusion"})
    if (prefix == ours || prefix.starts_with((ours + "_").str()))
      return llvm::createStringError(
          "--symbol-prefix must not be '" + ours + "' or begin with '" + ours +
          "_', as names of the runtime do, got '" + prefix + "'");
  return llvm::Error::success();
}

llvm::Error fusion::checkNoKeyword(StringRef name) {
  // Only keywords with an underscore: a name is a prefix, an underscore, and
  // more.
  static const llvm::StringSet<> keywords = {
      "and_eq",       "char16_t",     "char32_t",        "char8_t",
      "co_await",     "co_return",    "co_yield",        "const_cast",
      "dynamic_cast", "int16_t",      "int32_t",         "int64_t",
      "int8_t",       "intptr_t",     "nullptr_t",       "not_eq",
      "or_eq",        "ptrdiff_t",    "size_t",          "static_assert",
      "static_cast",  "thread_local", "typeof_unqual",   "uint16_t",
      "uint32_t",     "uint64_t",     "uint8_t",         "uintptr_t",
      "wchar_t",      "xor_eq",       "reinterpret_cast"};
  if (!keywords.contains(name))
    return llvm::Error::success();
  return llvm::createStringError(
      "'" + name + "' is a name of C or C++: choose another --symbol-prefix");
}
