//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Neighbouring composites of one code generator become one function. Ops of a
// block are grouped, each alone at first, and a group knows all groups that it
// depends on; two groups become one where no third one lies on a way from one
// to the other.

#include "CompositeMatch.h"
#include "FusionDialect/Transforms/Dataflow.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace fusion;

/// The code generator of the composite that `op` calls; empty if it calls none,
/// or one that stands for itself.
static StringRef getGenerator(Operation *op, SymbolTableCollection &symbols) {
  auto call = dyn_cast<func::CallOp>(op);
  if (!call)
    return "";
  auto callee =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  if (!callee || callee->hasAttr(kCodegenAttr))
    return "";
  auto composite = callee->getAttrOfType<StringAttr>(kCompositeAttr);
  return composite ? composite.getValue().split('.').first : "";
}

namespace {
class BlockMerger {
public:
  BlockMerger(Block &block, SymbolTableCollection &symbols);

  /// The groups of calls that become one function each.
  SmallVector<SmallVector<Operation *>> getGroups() const;

private:
  void addDependences(unsigned number);
  void mergeWithProducers(unsigned number);
  bool liesBetween(unsigned from, unsigned to) const;
  void merge(unsigned kept, unsigned gone);
  std::optional<unsigned> getNumber(Value value) const;

  Block &block;
  SmallVector<Operation *> ops;
  DenseMap<Operation *, unsigned> numberOf;
  SmallVector<StringRef> generators;
  /// The group of each op, called after one of its ops, and all groups that a
  /// group depends on, directly or not.
  SmallVector<unsigned> groupOf;
  std::vector<llvm::BitVector> dependences;
  std::optional<unsigned> lastEffect;
};
} // namespace

BlockMerger::BlockMerger(Block &block, SymbolTableCollection &symbols)
    : block(block) {
  for (Operation &op : block) {
    numberOf[&op] = ops.size();
    ops.push_back(&op);
    generators.push_back(getGenerator(&op, symbols));
  }
  dependences.resize(ops.size(), llvm::BitVector(ops.size()));
  for (unsigned i = 0, e = ops.size(); i != e; ++i) {
    groupOf.push_back(i);
    addDependences(i);
    if (!generators[i].empty())
      mergeWithProducers(i);
  }
}

/// The op of the block that makes `value`.
std::optional<unsigned> BlockMerger::getNumber(Value value) const {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != &block)
    return std::nullopt;
  return numberOf.lookup(op);
}

void BlockMerger::addDependences(unsigned number) {
  auto dependOn = [&](unsigned other) {
    dependences[number] |= dependences[groupOf[other]];
    dependences[number].set(groupOf[other]);
  };
  for (Value value : getReadValues(ops[number]))
    if (std::optional<unsigned> other = getNumber(value))
      dependOn(*other);
  // Effects keep their order.
  if (!generators[number].empty() || isMemoryEffectFree(ops[number]))
    return;
  if (lastEffect)
    dependOn(*lastEffect);
  lastEffect = number;
}

/// True if `to` depends on `from` through a third group.
bool BlockMerger::liesBetween(unsigned from, unsigned to) const {
  return llvm::any_of(dependences[to].set_bits(), [&](unsigned between) {
    return between != from && dependences[between].test(from);
  });
}

void BlockMerger::merge(unsigned kept, unsigned gone) {
  dependences[kept] |= dependences[gone];
  dependences[kept].reset(kept);
  dependences[kept].reset(gone);
  for (unsigned &group : groupOf)
    if (group == gone)
      group = kept;
  for (auto [i, set] : llvm::enumerate(dependences)) {
    if (i == kept || (!set.test(gone) && !set.test(kept)))
      continue;
    set.reset(gone);
    set.set(kept);
    set |= dependences[kept];
  }
}

void BlockMerger::mergeWithProducers(unsigned number) {
  for (Value value : getReadValues(ops[number])) {
    std::optional<unsigned> producer = getNumber(value);
    if (!producer || generators[*producer] != generators[number])
      continue;
    unsigned group = groupOf[number], other = groupOf[*producer];
    if (group != other && !liesBetween(group, other) &&
        !liesBetween(other, group))
      merge(other, group);
  }
}

SmallVector<SmallVector<Operation *>> BlockMerger::getGroups() const {
  SmallVector<SmallVector<Operation *>> groups;
  DenseMap<unsigned, size_t> position;
  for (auto [i, op] : llvm::enumerate(ops)) {
    if (generators[i].empty())
      continue;
    auto [entry, isNew] = position.insert({groupOf[i], groups.size()});
    if (isNew)
      groups.emplace_back();
    groups[entry->second].push_back(op);
  }
  return groups;
}

/// Moves what stands between the calls of `group` and uses one of their results
/// behind `call`, which has taken their place at the last of them.
static void moveUsersBehind(Operation *first, func::CallOp call) {
  llvm::SmallPtrSet<Operation *, 8> moved = {call};
  Operation *last = call;
  bool movedEffect = false;
  for (Operation *op = first; op != call.getOperation();) {
    Operation *next = op->getNextNode();
    bool hasEffect = !isMemoryEffectFree(op);
    bool mustMove = (hasEffect && movedEffect) ||
                    llvm::any_of(getReadValues(op), [&](Value value) {
                      return moved.contains(value.getDefiningOp());
                    });
    if (mustMove) {
      op->moveAfter(last);
      last = op;
      moved.insert(op);
      movedEffect |= hasEffect;
    }
    op = next;
  }
}

/// Makes one function of the calls in `group`, and calls it.
static void outlineGroup(ArrayRef<Operation *> group, StringRef generator) {
  SmallPtrSet<Operation *, 8> inside(group.begin(), group.end());
  SmallVector<Value> results;
  for (Operation *op : group)
    for (Value result : op->getResults())
      if (llvm::any_of(result.getUsers(),
                       [&](Operation *user) { return !inside.contains(user); }))
        results.push_back(result);
  if (results.empty())
    return;
  Operation *last = group.back();
  auto module = last->getParentOfType<ModuleOp>();
  llvm::SetVector<Value> inputs = findInputs(group);
  func::FuncOp function = copyToFunction((generator + "_region").str(), group,
                                         inputs.getArrayRef(), results)
                              .release();
  function.setPrivate();
  function.setNoInline(true);
  function->setAttr(kCodegenAttr,
                    StringAttr::get(module.getContext(), generator));
  function = insertOrFindSame(module, function);
  OpBuilder builder(last);
  auto call = func::CallOp::create(builder, last->getLoc(), function,
                                   inputs.getArrayRef());
  for (auto [before, after] : llvm::zip_equal(results, call.getResults()))
    before.replaceAllUsesWith(after);
  Operation *first = group.front();
  while (inside.contains(first) && first != last)
    first = first->getNextNode();
  if (first != last)
    moveUsersBehind(first, call);
  for (Operation *op : llvm::reverse(group))
    op->erase();
}

void fusion::mergeComposites(ModuleOp module) {
  SmallVector<Block *> blocks;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto function = dyn_cast<func::FuncOp>(op);
        function && isPartitioned(function))
      return WalkResult::skip();
    for (Region &region : op->getRegions())
      for (Block &block : region)
        blocks.push_back(&block);
    return WalkResult::advance();
  });
  SymbolTableCollection symbols;
  for (Block *block : blocks)
    for (ArrayRef<Operation *> group : BlockMerger(*block, symbols).getGroups())
      outlineGroup(group, getGenerator(group.front(), symbols));
}
