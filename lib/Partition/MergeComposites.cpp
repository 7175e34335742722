//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Neighbouring composites of one code generator become one function. At first
// each op of a block is a group of its own. A group knows all groups that it
// depends on. Two groups are merged if no third one is on a path between them.
// Then the block is reordered so that each group is contiguous.

#include "CompositeMatch.h"
#include "FusionDialect/Analysis/Dataflow.h"
#include "mlir/IR/RegionKindInterface.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "llvm/ADT/BitVector.h"
#include <queue>

using namespace mlir;
using namespace fusion;

/// The composite or other function of a partition that `op` calls, or null.
static func::FuncOp getPartitioned(Operation *op,
                                   SymbolTableCollection &symbols) {
  auto call = dyn_cast<func::CallOp>(op);
  if (!call)
    return nullptr;
  auto callee =
      symbols.lookupNearestSymbolFrom<func::FuncOp>(call, call.getCalleeAttr());
  return callee && isPartitioned(callee) ? callee : nullptr;
}

/// The code generator of the composite that `op` calls. Empty if it calls none,
/// or one with a code generator of its own.
static StringRef getGenerator(Operation *op, SymbolTableCollection &symbols) {
  func::FuncOp callee = getPartitioned(op, symbols);
  if (!callee || callee->hasAttr(kCodegenAttr))
    return "";
  return callee->getAttrOfType<StringAttr>(kCompositeAttr)
      .getValue()
      .split('.')
      .first;
}

/// True if `op`, with its regions, may be moved behind anything that it does
/// not feed. Functions of a partition only compute, which a call does not show.
static bool isEffectFree(Operation *op, SymbolTableCollection &symbols) {
  if (getPartitioned(op, symbols))
    return true;
  bool isRecursive = op->hasTrait<OpTrait::HasRecursiveMemoryEffects>();
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (effects ? !effects.hasNoEffect() : !isRecursive)
    return false;
  if (!isRecursive)
    return true;
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      if (!isEffectFree(&inner, symbols))
        return false;
  return true;
}

namespace {
class BlockMerger {
public:
  BlockMerger(Block &block, SymbolTableCollection &symbols);

  /// The groups of calls that become one function each.
  SmallVector<SmallVector<Operation *>> getGroups() const;
  /// Reorders the block so that the calls of each group are neighbours, at the
  /// place of the last one.
  void reorder();

private:
  void addDependences(unsigned number, SymbolTableCollection &symbols);
  void mergeWithProducers(unsigned number);
  bool liesBetween(unsigned from, unsigned to) const;
  void merge(unsigned kept, unsigned gone);
  std::optional<unsigned> getNumber(Value value) const;

  Block &block;
  SmallVector<Operation *> ops;
  DenseMap<Operation *, unsigned> numberOf;
  SmallVector<StringRef> generators;
  /// The group of each op, named after one of its ops, and all groups that a
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
    addDependences(i, symbols);
    if (!generators[i].empty())
      mergeWithProducers(i);
  }
}

/// The number of the op in the block that makes `value`; none if there is none.
std::optional<unsigned> BlockMerger::getNumber(Value value) const {
  Operation *op = value.getDefiningOp();
  if (!op || op->getBlock() != &block)
    return std::nullopt;
  return numberOf.lookup(op);
}

void BlockMerger::addDependences(unsigned number,
                                 SymbolTableCollection &symbols) {
  auto dependOn = [&](unsigned other) {
    dependences[number] |= dependences[groupOf[other]];
    dependences[number].set(groupOf[other]);
  };
  for (Value value : getReadValues(ops[number]))
    if (std::optional<unsigned> other = getNumber(value))
      dependOn(*other);
  // Ops with effects keep their order.
  if (isEffectFree(ops[number], symbols))
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

void BlockMerger::reorder() {
  SmallVector<SmallVector<Operation *>> members(ops.size());
  SmallVector<unsigned> last(ops.size()), waitsFor(ops.size());
  for (auto [i, op] : llvm::enumerate(ops)) {
    members[groupOf[i]].push_back(op);
    last[groupOf[i]] = i;
    waitsFor[i] = dependences[i].count();
  }
  // Of the groups that may come next, this takes the one that ends first, so
  // that no op moves without need.
  using Entry = std::pair<unsigned, unsigned>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> ready;
  auto addIfReady = [&](unsigned group) {
    if (!members[group].empty() && waitsFor[group] == 0)
      ready.push({last[group], group});
  };
  for (unsigned group = 0, e = ops.size(); group != e; ++group)
    addIfReady(group);
  while (!ready.empty()) {
    unsigned group = ready.top().second;
    ready.pop();
    for (Operation *op : members[group])
      op->moveBefore(&block, block.end());
    for (unsigned other = 0, e = ops.size(); other != e; ++other)
      if (dependences[other].test(group) && --waitsFor[other] == 0)
        addIfReady(other);
  }
}

/// Creates a function of the calls in `group`, and calls it.
static void outlineGroup(ArrayRef<Operation *> group, StringRef generator,
                         FunctionPool &functions) {
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
  llvm::SetVector<Value> inputs = findInputs(group);
  func::FuncOp function = copyToFunction((generator + "_region").str(), group,
                                         inputs.getArrayRef(), results)
                              .release();
  function.setPrivate();
  function.setNoInline(true);
  function->setAttr(kCodegenAttr,
                    StringAttr::get(last->getContext(), generator));
  function = functions.insertOrFindSame(last, function, inputs.getArrayRef());
  OpBuilder builder(last);
  auto call = func::CallOp::create(builder, last->getLoc(), function,
                                   inputs.getArrayRef());
  for (auto [before, after] : llvm::zip_equal(results, call.getResults()))
    before.replaceAllUsesWith(after);
  for (Operation *op : llvm::reverse(group))
    op->erase();
}

/// Merges the composites that are called in `block`.
static void mergeBlock(Block &block, SymbolTableCollection &symbols,
                       FunctionPool &functions) {
  BlockMerger merger(block, symbols);
  SmallVector<SmallVector<Operation *>> groups = merger.getGroups();
  if (groups.empty())
    return;
  merger.reorder();
  for (ArrayRef<Operation *> group : groups)
    outlineGroup(group, getGenerator(group.front(), symbols), functions);
}

void fusion::mergeComposites(ModuleOp module) {
  SmallVector<Block *> blocks;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto function = dyn_cast<func::FuncOp>(op);
        function && isPartitioned(function))
      return WalkResult::skip();
    for (Region &region : op->getRegions())
      // Without an order of the ops no call is the last one.
      if (mayHaveSSADominance(region))
        for (Block &block : region)
          blocks.push_back(&block);
    return WalkResult::advance();
  });
  SymbolTableCollection symbols;
  FunctionPool functions;
  for (Block *block : blocks)
    mergeBlock(*block, symbols, functions);
}
