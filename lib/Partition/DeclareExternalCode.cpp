//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Partition/Partition.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONDECLAREEXTERNALCODE
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

namespace {
struct DeclareExternalCodePass
    : public fusion::impl::FusionDeclareExternalCodeBase<
          DeclareExternalCodePass> {
  void runOnOperation() override {
    called.clear();
    auto functions = llvm::to_vector(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions) {
      auto codegen = function->getAttrOfType<StringAttr>(kCodegenAttr);
      if (codegen && codegen.getValue() != kDefaultCodegen &&
          !function.isExternal() && failed(declare(function)))
        return signalPassFailure();
    }
    eraseUnused();
  }

  /// Erases composites that only functions with external code have called, and
  /// then those that only these have called.
  void eraseUnused() {
    while (!called.empty()) {
      func::FuncOp function = called.pop_back_val();
      if (!function.isPrivate() ||
          !SymbolTable::symbolKnownUseEmpty(function, getOperation()))
        continue;
      noteCalls(function);
      function.erase();
    }
  }

  /// Adds the composites that `function` calls to `called`.
  void noteCalls(func::FuncOp function) {
    function.walk([&](func::CallOp call) {
      auto callee = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
          call, call.getCalleeAttr());
      if (callee && callee != function && callee->hasAttr(kCompositeAttr))
        called.insert(callee);
    });
  }

  LogicalResult declare(func::FuncOp function) {
    if (!function.isPrivate())
      return function.emitError() << "a function with '" << kCodegenAttr
                                  << "' must be private: what calls it from "
                                     "outside would find no code";
    auto symbol = function->getAttrOfType<StringAttr>(kGlobalSymbolAttr);
    if (!symbol || symbol.getValue().empty())
      return function.emitError()
             << "a function with '" << kCodegenAttr << "' must have a '"
             << kGlobalSymbolAttr << "'";
    bool isTaken = symbol != function.getSymNameAttr() &&
                   SymbolTable::lookupSymbolIn(getOperation(), symbol);
    if (isTaken)
      return function.emitError() << "the symbol '" << symbol.getValue()
                                  << "' has another meaning in this module";
    if (failed(SymbolTable::replaceAllSymbolUses(function, symbol,
                                                 getOperation())))
      return function.emitError()
             << "not all uses of '" << function.getName() << "' are known";
    function.setName(symbol.getValue());
    noteCalls(function);
    function.eraseBody();
    UnitAttr unit = UnitAttr::get(&getContext());
    function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(), unit);
    // Without a body bufferization would assume that each argument is written.
    for (unsigned i = 0, e = function.getNumArguments(); i != e; ++i) {
      function.removeArgAttr(
          i, bufferization::BufferizationDialect::kWritableAttrName);
      function.setArgAttr(
          i, bufferization::BufferizationDialect::kBufferAccessAttrName,
          StringAttr::get(&getContext(), "read"));
    }
    return success();
  }

  /// Composites that may have lost their last call.
  llvm::SetVector<func::FuncOp> called;
};
} // namespace
