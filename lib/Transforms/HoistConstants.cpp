//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FusionDialect/Analysis/Broadcast.h"
#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Analysis/Views.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/IRMapping.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONHOISTCONSTANTS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

static bool isStaticTensor(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor && tensor.hasStaticShape() && !tensor.getEncoding();
}

namespace {
/// The ops of a function that compute from its constant arguments and from
/// constants.
class ConstantSlice {
public:
  explicit ConstantSlice(func::FuncOp function);

  /// Moves the ops to a function of their own.
  void outline(SymbolTable &symbols);

private:
  bool isConstant(Value value);
  bool isMovable(Operation *op);
  bool isWanted(Operation *op);
  void findResults();
  func::FuncOp createFunction(SymbolTable &symbols);

  func::FuncOp function;
  /// All of them in program order, and those that depend on an argument.
  llvm::SetVector<Operation *> ops;
  SmallPtrSet<Operation *, 16> ofArguments;
  /// Results of `ops` that are used elsewhere.
  SmallVector<Value> results;
  /// The arguments that the results are computed from.
  llvm::SetVector<Value> arguments;
};
} // namespace

/// True if `value` is a constant argument of static shape, which can be a key.
static bool isKeyArgument(Value value) {
  return isStaticTensor(value.getType()) && isConstantArgument(value);
}

/// True if a fusion op has a result of `op` as its filter, maybe reshaped.
static bool isFilter(Operation *op) {
  return llvm::any_of(op->getUsers(), [&](Operation *user) {
    auto fused = dyn_cast<FusedOpInterface>(user);
    return (fused && fused.getFilter().getDefiningOp() == op) ||
           (isView(user) && isFilter(user));
  });
}

/// True if `op` moves elements, and repeats none.
static bool isPermutation(Operation *op) {
  std::optional<Broadcast> copy = matchBroadcast(op);
  return copy && !repeatsElements(*copy, op);
}

bool ConstantSlice::isConstant(Value value) {
  return isKeyArgument(value) ||
         (value.getDefiningOp() && ops.contains(value.getDefiningOp()));
}

bool ConstantSlice::isMovable(Operation *op) {
  // An earlier run has made it; it is computed once already.
  return !isa<RtOnceOp>(op) && isPure(op) &&
         !op->hasTrait<OpTrait::IsTerminator>() &&
         llvm::all_of(getReadValues(op),
                      [&](Value value) { return isConstant(value); });
}

/// Tensors that depend on constants alone, and that no pass has folded, are
/// larger than these, but for permutations. Of the larger ones only filters are
/// worth the memory: they are packed then.
bool ConstantSlice::isWanted(Operation *op) {
  if (op->hasTrait<OpTrait::ConstantLike>() || isView(op) ||
      !llvm::all_of(op->getResultTypes(), isStaticTensor))
    return false;
  return ofArguments.contains(op) || isFilter(op) || isPermutation(op);
}

/// Finds the results: those of wanted ops with a reader that stays.
void ConstantSlice::findResults() {
  SmallPtrSet<Operation *, 16> moved;
  auto isReadByOthers = [&](Operation *op) {
    return llvm::any_of(op->getUsers(), [&](Operation *user) {
      return !moved.contains(function.front().findAncestorOpInBlock(*user));
    });
  };
  // Backwards, since an op without readers that stay is moved with them.
  for (Operation *op : llvm::reverse(ops)) {
    bool isResult = isReadByOthers(op);
    if (isResult && !isWanted(op))
      continue;
    moved.insert(op);
    if (isResult)
      results.insert(results.begin(), op->result_begin(), op->result_end());
  }
}

ConstantSlice::ConstantSlice(func::FuncOp function) : function(function) {
  for (Operation &op : function.front()) {
    if (!isMovable(&op))
      continue;
    ops.insert(&op);
    if (llvm::any_of(getReadValues(&op), [&](Value value) {
          return isKeyArgument(value) ||
                 ofArguments.contains(value.getDefiningOp());
        }))
      ofArguments.insert(&op);
  }
  findResults();
  SmallVector<Value> worklist(results);
  // Keeps only those of `ops` that the results need.
  llvm::SetVector<Operation *> needed;
  while (!worklist.empty()) {
    Value value = worklist.pop_back_val();
    if (!value.getDefiningOp())
      arguments.insert(value);
    else if (needed.insert(value.getDefiningOp()))
      llvm::append_range(worklist, getReadValues(value.getDefiningOp()));
  }
  ops.remove_if([&](Operation *op) { return !needed.contains(op); });
}

/// `base`, with a number behind it if necessary. The symbols that the lowering
/// derives from the name are free, too.
static std::string getFreeName(SymbolTable &symbols, const std::string &base) {
  std::string name = base;
  auto isTaken = [&](StringRef suffix) {
    return symbols.lookup(name + suffix.str()) != nullptr;
  };
  for (unsigned i = 0; llvm::any_of(
           ArrayRef<StringRef>{"", "_desc", "_loc", "_slot", "_compute"},
           isTaken);
       ++i)
    name = base + "_" + std::to_string(i);
  return name;
}

func::FuncOp ConstantSlice::createFunction(SymbolTable &symbols) {
  OpBuilder builder(function.getContext());
  auto type = builder.getFunctionType(
      llvm::map_to_vector(arguments, [](Value v) { return v.getType(); }),
      llvm::map_to_vector(results, [](Value v) { return v.getType(); }));
  auto constants = func::FuncOp::create(
      builder, function.getLoc(),
      getFreeName(symbols, function.getName().str() + "_constants"), type);
  constants.setPrivate();
  symbols.insert(constants);
  IRMapping mapping;
  mapping.map(arguments.getArrayRef(),
              constants.addEntryBlock()->getArguments());
  builder.setInsertionPointToStart(&constants.front());
  for (Operation *op : ops)
    builder.clone(*op, mapping);
  func::ReturnOp::create(
      builder, function.getLoc(),
      llvm::map_to_vector(results, [&](Value v) { return mapping.lookup(v); }));
  // The arguments are the caller's weights: nothing may write to them.
  for (unsigned i = 0, e = arguments.size(); i != e; ++i)
    constants.setArgAttr(i, "bufferization.writable",
                         builder.getBoolAttr(false));
  return constants;
}

void ConstantSlice::outline(SymbolTable &symbols) {
  if (results.empty())
    return;
  func::FuncOp constants = createFunction(symbols);
  auto builder = OpBuilder::atBlockBegin(&function.front());
  auto once = RtOnceOp::create(
      builder, function.getLoc(), constants.getResultTypes(),
      FlatSymbolRefAttr::get(constants), arguments.getArrayRef());
  for (auto [before, after] : llvm::zip_equal(results, once.getResults()))
    before.replaceAllUsesWith(after);
  for (Operation *op : llvm::reverse(ops))
    if (isOpTriviallyDead(op))
      op->erase();
}

/// True if `value` is a constant with memory of its own, so that its address
/// stands for its contents.
static bool isConstantInPlace(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (isa<RtOnceOp>(op) || op->hasTrait<OpTrait::ConstantLike>())
      return true;
    if (!isView(op))
      return false;
    value = op->getOperand(0);
  }
  return isConstantArgument(value);
}

/// Forbids writes to the memory of constant arguments.
static void protectConstants(func::FuncOp function) {
  Builder builder(function.getContext());
  for (BlockArgument argument : function.getArguments())
    if (isConstantArgument(argument) && isa<TensorType>(argument.getType()))
      function.setArgAttr(argument.getArgNumber(), "bufferization.writable",
                          builder.getBoolAttr(false));
}

namespace {
struct HoistConstantsPass
    : public fusion::impl::FusionHoistConstantsBase<HoistConstantsPass> {
  using FusionHoistConstantsBase::FusionHoistConstantsBase;

  void runOnOperation() override {
    unmarkChangingArguments(getOperation(), isConstantInPlace);
    SymbolTable symbols(getOperation());
    // Functions of an earlier run are computed once already.
    llvm::DenseSet<StringAttr> done;
    getOperation()->walk(
        [&](RtOnceOp once) { done.insert(once.getCalleeAttr().getAttr()); });
    for (auto function :
         llvm::to_vector(getOperation().getOps<func::FuncOp>())) {
      if (function.isExternal() || done.contains(function.getSymNameAttr()))
        continue;
      ConstantSlice(function).outline(symbols);
      protectConstants(function);
    }
  }
};
} // namespace
