//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONHOISTLOADS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

/// True if `loop` has no loop inside and no result.
static bool isInnermost(scf::ParallelOp loop) {
  return loop.getInitVals().empty() && !loop.getBody()
                                            ->walk([](LoopLikeOpInterface) {
                                              return WalkResult::interrupt();
                                            })
                                            .wasInterrupted();
}

/// True if `loop` does nothing but load from the buffer that `load` reads. A
/// buffer that it writes under another name is left to the promise of a
/// parallel loop: no iteration writes what another one reads.
static bool onlyLoads(scf::ParallelOp loop, memref::LoadOp load) {
  return llvm::all_of(load.getMemRef().getUsers(), [&](Operation *user) {
    return isa<memref::LoadOp>(user) || !loop->isAncestor(user);
  });
}

/// The ops in the body of `loop` that compute the same in all iterations of its
/// last dimension. Empty if there is no load among them: LLVM hoists the rest.
static SmallVector<Operation *> findInvariants(scf::ParallelOp loop) {
  SmallVector<Operation *> invariants;
  DenseSet<Value> varying{loop.getInductionVars().back()};
  bool hasLoad = false;
  for (Operation &op : loop.getBody()->without_terminator()) {
    auto load = dyn_cast<memref::LoadOp>(op);
    bool isSame = op.getNumRegions() == 0 &&
                  llvm::none_of(op.getOperands(), [&](Value operand) {
                    return varying.contains(operand);
                  });
    if (isSame && (isPure(&op) || (load && onlyLoads(loop, load)))) {
      invariants.push_back(&op);
      hasLoad |= load != nullptr;
      continue;
    }
    varying.insert_range(op.getResults());
    // A load behind a write may read what is written.
    if (!isMemoryEffectFree(&op) && !hasSingleEffect<MemoryEffects::Read>(&op))
      break;
  }
  if (!hasLoad)
    invariants.clear();
  return invariants;
}

static bool isKnownToRun(Value lower, Value upper) {
  std::optional<int64_t> from = getConstantIntValue(lower),
                         to = getConstantIntValue(upper);
  return from && to && *from < *to;
}

/// Makes two loops of `loop`, one of which is over the last dimension, and
/// moves `invariants` between them.
static void splitLoop(scf::ParallelOp loop, ArrayRef<Operation *> invariants) {
  IRRewriter rewriter(loop);
  Location loc = loop.getLoc();
  OperandRange lower = loop.getLowerBound(), upper = loop.getUpperBound(),
               steps = loop.getStep();
  SmallVector<Value> variables;
  if (loop.getNumLoops() > 1) {
    auto outer = scf::ParallelOp::create(rewriter, loc, lower.drop_back(),
                                         upper.drop_back(), steps.drop_back());
    llvm::append_range(variables, outer.getInductionVars());
    rewriter.setInsertionPointToStart(outer.getBody());
  }
  // A loop without iterations loads nothing: there may be nothing to load.
  if (!isKnownToRun(lower.back(), upper.back())) {
    Value runs = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::slt,
                                       lower.back(), upper.back());
    auto guard =
        scf::IfOp::create(rewriter, loc, runs, /*withElseRegion=*/false);
    rewriter.setInsertionPointToStart(guard.thenBlock());
  }
  auto inner = scf::ParallelOp::create(rewriter, loc, lower.back(),
                                       upper.back(), steps.back());
  llvm::append_range(variables, inner.getInductionVars());
  rewriter.eraseOp(inner.getBody()->getTerminator());
  rewriter.mergeBlocks(loop.getBody(), inner.getBody(), variables);
  for (Operation *op : invariants)
    rewriter.moveOpBefore(op, inner);
  rewriter.eraseOp(loop);
}

namespace {
struct HoistLoadsPass
    : public fusion::impl::FusionHoistLoadsBase<HoistLoadsPass> {
  void runOnOperation() override {
    SmallVector<scf::ParallelOp> loops;
    getOperation()->walk([&](scf::ParallelOp loop) {
      if (isInnermost(loop))
        loops.push_back(loop);
    });
    for (scf::ParallelOp loop : loops)
      if (SmallVector<Operation *> invariants = findInvariants(loop);
          !invariants.empty())
        splitLoop(loop, invariants);
  }
};
} // namespace
