//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FunctionPool.h"
#include "FusionDialect/IR/FusionDialect.h"
#include "FusionDialect/Partition/Partition.h"
#include "mlir/IR/OperationSupport.h"
#include "mlir/IR/SymbolTable.h"

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Places of functions
//===----------------------------------------------------------------------===//

/// The op around `op` of which nobody knows whether it is a symbol table.
static Operation *findUnknownTable(Operation *op) {
  while (op->getDialect() || op->getNumRegions() != 1)
    op = op->getParentOp();
  return op;
}

LogicalResult fusion::checkMayOutline(Operation *op, Refusal &refusal) {
  Operation *table = SymbolTable::getNearestSymbolTable(op);
  if (!table)
    return refusal.because("'", findUnknownTable(op)->getName(),
                           "' around it is not registered and may be a symbol "
                           "table");
  // A symbol table that is no module takes only its kinds of ops. It takes
  // another function if `op` is in one.
  Operation *beside = op;
  while (beside->getParentOp() != table)
    beside = beside->getParentOp();
  if (isa<ModuleOp>(table) || isa<func::FuncOp>(beside))
    return success();
  return refusal.because("'", table->getName(), "' around '", beside->getName(),
                         "' may not hold a function");
}

/// Adds `function` to `table`, in front of the terminator if there is one.
static void addToTable(Operation *table, func::FuncOp function) {
  Block &body = table->getRegion(0).front();
  bool hasTerminator =
      !body.empty() && body.back().hasTrait<OpTrait::IsTerminator>();
  body.getOperations().insert(
      hasTerminator ? Block::iterator(body.back()) : body.end(), function);
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

/// `name`, or `name` with the first number behind it for which `isTaken` does
/// not hold.
static std::string makeUnique(StringRef name,
                              function_ref<bool(StringRef)> isTaken) {
  std::string unique = name.str();
  for (unsigned i = 1; isTaken(unique); ++i)
    unique = (name + "_" + Twine(i)).str();
  return unique;
}

void FunctionPool::readSymbols(Operation *place) {
  if (hasReadSymbols)
    return;
  hasReadSymbols = true;
  while (Operation *parent = place->getParentOp())
    place = parent;
  place->walk([&](Operation *op) {
    if (auto name =
            op->getAttrOfType<StringAttr>(SymbolTable::getSymbolAttrName()))
      symbols.insert(name.getValue());
    if (auto name = op->getAttrOfType<StringAttr>(kGlobalSymbolAttr))
      globalSymbols.insert(name.getValue());
  });
}

/// Names the symbol as TVM does.
void FunctionPool::addGlobalSymbol(func::FuncOp function) {
  auto codegen = function->getAttrOfType<StringAttr>(kCodegenAttr);
  if (!codegen)
    return;
  std::string symbol = function.getName().str();
  if (function->hasAttr(kCompositeAttr))
    symbol += "_" + codegen.getValue().str();
  symbol = makeUnique(symbol, [&](StringRef name) {
    return symbols.contains(name) || globalSymbols.contains(name);
  });
  globalSymbols.insert(symbol);
  function->setAttr(kGlobalSymbolAttr,
                    StringAttr::get(function.getContext(), symbol));
}

//===----------------------------------------------------------------------===//
// Equal functions
//===----------------------------------------------------------------------===//

/// The attributes of `function` without its names.
static DictionaryAttr getAttributes(func::FuncOp function) {
  NamedAttrList attributes(function->getAttrDictionary());
  attributes.erase(SymbolTable::getSymbolAttrName());
  attributes.erase(kGlobalSymbolAttr);
  return attributes.getDictionary(function.getContext());
}

/// The function of `table` that equals `function`, or null.
func::FuncOp FunctionPool::findSame(Operation *table, func::FuncOp function,
                                    ArrayRef<Value> constants) {
  DictionaryAttr attributes = getAttributes(function);
  for (auto other : table->getRegion(0).getOps<func::FuncOp>())
    if (!other.isExternal() && getAttributes(other) == attributes &&
        (constants.empty() || constantsOf.lookup(other) == constants) &&
        OperationEquivalence::isRegionEquivalentTo(
            &other.getBody(), &function.getBody(),
            OperationEquivalence::IgnoreLocations))
      return other;
  return nullptr;
}

func::FuncOp FunctionPool::insertOrFindSame(Operation *place,
                                            func::FuncOp function,
                                            ArrayRef<Value> inputs) {
  Operation *table = SymbolTable::getNearestSymbolTable(place);
  SmallVector<Value> constants;
  for (auto [i, input] : llvm::enumerate(inputs))
    if (function.getArgAttr(i, kConstantArgAttr))
      constants.push_back(input);
  if (func::FuncOp same = findSame(table, function, constants)) {
    function.erase();
    return same;
  }
  readSymbols(table);
  function.setName(makeUnique(function.getName(), [&](StringRef name) {
    return SymbolTable::lookupSymbolIn(table, name) ||
           globalSymbols.contains(name);
  }));
  addGlobalSymbol(function);
  symbols.insert(function.getName());
  addToTable(table, function);
  constantsOf[function] = std::move(constants);
  return function;
}
