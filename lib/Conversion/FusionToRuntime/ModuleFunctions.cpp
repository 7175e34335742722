//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleFunctions.h"
#include "FusionDialect/Conversion/FusionToRuntime.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace fusion;

/// Whether `module` has the function marked with `attribute`: the pass has run
/// before.
static bool hasFunction(ModuleOp module, StringRef attribute) {
  return llvm::any_of(module.getOps<func::FuncOp>(),
                      [&](auto op) { return op->hasAttr(attribute); });
}

/// Adds `_fusion_<purpose>_<module>`, or a similar name if the module has a
/// function of this one, and leaves `builder` at its beginning.
static func::FuncOp createFunction(OpBuilder &builder, ModuleOp module,
                                   SymbolTable &symbols, StringRef purpose,
                                   ArrayRef<Type> arguments) {
  StringRef name = module.getSymName().value_or("module");
  builder.setInsertionPointToEnd(module.getBody());
  auto function = func::FuncOp::create(
      builder, module.getLoc(), ("_fusion_" + purpose + "_" + name).str(),
      builder.getFunctionType(arguments, {}));
  symbols.insert(function);
  builder.setInsertionPointToStart(function.addEntryBlock());
  return function;
}

//===----------------------------------------------------------------------===//
// Preparation
//===----------------------------------------------------------------------===//

/// Whether the shapes of all operands are known.
static bool isPreparable(RtExecuteOp op) {
  return llvm::all_of(op->getOperandTypes(), [](Type type) {
    return RtPrepareOp::hasStaticLayout(cast<MemRefType>(type));
  });
}

/// Makes `value` again at `builder`, if it is a constant global behind ops that
/// only look at it another way; else gives null.
static Value cloneConstant(OpBuilder &builder, Value value) {
  SmallVector<Operation *> views;
  Operation *op = value.getDefiningOp();
  while (isa_and_nonnull<memref::CastOp, memref::CollapseShapeOp,
                         memref::ExpandShapeOp>(op)) {
    views.push_back(op);
    op = op->getOperand(0).getDefiningOp();
  }
  auto global = dyn_cast_or_null<memref::GetGlobalOp>(op);
  // Computed shapes cannot be cloned.
  if (!global || llvm::any_of(views, [](Operation *view) {
        return view->getNumOperands() != 1;
      }))
    return nullptr;
  IRMapping mapping;
  builder.clone(*global, mapping);
  for (Operation *view : llvm::reverse(views))
    builder.clone(*view, mapping);
  return mapping.lookup(value);
}

static void createPrepare(OpBuilder &builder, RtExecuteOp op,
                          SymbolTable &symbols) {
  auto getType = [](Value value) {
    return value ? TypeAttr::get(value.getType()) : TypeAttr();
  };
  auto callSite = symbols.lookup<RtCreateOp>(op.getCallee());
  Value filter;
  if (callSite.getCallOperands().hasConstantFilter)
    filter = cloneConstant(builder, op.getFilter());
  UnitAttr inPlace;
  if (op.getResidual() == op.getInit())
    inPlace = builder.getUnitAttr();
  RtPrepareOp::create(
      builder, op.getLoc(), op.getCalleeAttr(), getType(op.getInput()),
      getType(op.getFilter()), getType(op.getBias()), getType(op.getScale()),
      getType(op.getResidual()), getType(op.getInit()), inPlace, filter);
}

/// A function that prepares the calls of a range of their numbers: a loop
/// around a switch, in blocks, which `convert-to-llvm` lowers.
static func::FuncOp createRangeFunction(OpBuilder &builder, ModuleOp module,
                                        SymbolTable &symbols,
                                        ArrayRef<RtExecuteOp> calls) {
  Location loc = module.getLoc();
  Type index = builder.getIndexType();
  func::FuncOp function =
      createFunction(builder, module, symbols, "prepare_range", {index, index});
  function.setPrivate();
  Block *head = builder.createBlock(&function.getBody(), {}, {index}, {loc});
  Block *body = builder.createBlock(&function.getBody());
  Block *next = builder.createBlock(&function.getBody());
  Block *exit = builder.createBlock(&function.getBody());
  builder.setInsertionPointToEnd(&function.getBody().front());
  cf::BranchOp::create(builder, loc, head, ValueRange{function.getArgument(0)});

  Value number = head->getArgument(0);
  builder.setInsertionPointToEnd(head);
  Value isInRange = arith::CmpIOp::create(
      builder, loc, arith::CmpIPredicate::slt, number, function.getArgument(1));
  cf::CondBranchOp::create(builder, loc, isInRange, body, exit);

  SmallVector<APInt> numbers;
  SmallVector<Block *> cases;
  for (auto [i, call] : llvm::enumerate(calls)) {
    numbers.push_back(APInt(64, i));
    cases.push_back(builder.createBlock(next));
    createPrepare(builder, call, symbols);
    cf::BranchOp::create(builder, loc, next);
  }
  builder.setInsertionPointToEnd(body);
  Value flag =
      arith::IndexCastOp::create(builder, loc, builder.getI64Type(), number);
  cf::SwitchOp::create(builder, loc, flag, next, ValueRange(), numbers, cases,
                       SmallVector<ValueRange>(cases.size()));

  builder.setInsertionPointToEnd(next);
  Value step = arith::ConstantIndexOp::create(builder, loc, 1);
  Value sum = arith::AddIOp::create(builder, loc, number, step);
  cf::BranchOp::create(builder, loc, head, ValueRange{sum});
  builder.setInsertionPointToEnd(exit);
  func::ReturnOp::create(builder, loc);
  return function;
}

void fusion::createPrepareFunction(ModuleOp module, SymbolTable &symbols) {
  if (hasFunction(module, kPrepareAttr))
    return;
  SmallVector<RtExecuteOp> calls;
  module.walk([&](RtExecuteOp op) {
    if (op->getParentOfType<ModuleOp>() == module && isPreparable(op))
      calls.push_back(op);
  });
  if (calls.empty())
    return;
  OpBuilder builder(module.getContext());
  func::FuncOp range = createRangeFunction(builder, module, symbols, calls);
  func::FuncOp function =
      createFunction(builder, module, symbols, "prepare", {});
  function->setAttr(kPrepareAttr, builder.getUnitAttr());
  Location loc = module.getLoc();
  Value size = arith::ConstantIndexOp::create(builder, loc, calls.size());
  Value grain = arith::ConstantIndexOp::create(builder, loc, 1);
  RtParallelForOp::create(builder, loc, range.getSymName(), size, grain,
                          /*captures=*/ValueRange());
  func::ReturnOp::create(builder, loc);
}

//===----------------------------------------------------------------------===//
// Release
//===----------------------------------------------------------------------===//

void fusion::createReleaseFunction(ModuleOp module, SymbolTable &symbols) {
  auto callSites = llvm::to_vector(module.getOps<RtCreateOp>());
  llvm::SetVector<StringAttr> computedOnce;
  module.walk(
      [&](RtOnceOp op) { computedOnce.insert(op.getCalleeAttr().getAttr()); });
  if ((callSites.empty() && computedOnce.empty()) ||
      hasFunction(module, kReleaseAttr))
    return;
  OpBuilder builder(module.getContext());
  func::FuncOp function =
      createFunction(builder, module, symbols, "release", {});
  function->setAttr(kReleaseAttr, builder.getUnitAttr());
  for (RtCreateOp callSite : callSites)
    RtReleaseOp::create(builder, callSite.getLoc(), callSite.getSymName(),
                        /*once=*/false);
  for (StringAttr callee : computedOnce)
    RtReleaseOp::create(builder, module.getLoc(), callee, /*once=*/true);
  func::ReturnOp::create(builder, module.getLoc());
}
