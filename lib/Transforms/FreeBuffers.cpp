//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONFREEBUFFERS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

using Aliases = BufferViewFlowAnalysis::ValueSetT;

static SmallVector<memref::DeallocOp> findDeallocs(const Aliases &aliases) {
  SmallVector<memref::DeallocOp> deallocs;
  for (Value alias : aliases)
    for (Operation *user : alias.getUsers())
      if (auto dealloc = dyn_cast<memref::DeallocOp>(user))
        deallocs.push_back(dealloc);
  return deallocs;
}

/// Whether `aliases` of `alloc` are views in its block or inside of its ops,
/// which no terminator passes on.
static bool staysInBlock(memref::AllocOp alloc, const Aliases &aliases) {
  return llvm::all_of(aliases, [&](Value alias) {
    return (alias == alloc.getResult() ||
            alias.getDefiningOp<ViewLikeOpInterface>()) &&
           llvm::none_of(alias.getUsers(), [](Operation *user) {
             return user->hasTrait<OpTrait::IsTerminator>();
           });
  });
}

/// The last op of the block of `alloc` that uses `aliases`, other than
/// `dealloc`. Null if another block uses them, which only upstream's passes
/// follow.
static Operation *findLastUser(memref::AllocOp alloc, Operation *dealloc,
                               const Aliases &aliases) {
  Operation *last = alloc;
  for (Value alias : aliases)
    for (Operation *user : alias.getUsers()) {
      Operation *ancestor = alloc->getBlock()->findAncestorOpInBlock(*user);
      if (!ancestor)
        return nullptr;
      if (user != dealloc && last->isBeforeInBlock(ancestor))
        last = ancestor;
    }
  return last;
}

namespace {
/// Where a buffer is freed.
struct Place {
  memref::AllocOp alloc;
  memref::DeallocOp dealloc;
  Operation *lastUser;
};

struct FreeBuffersPass
    : public fusion::impl::FusionFreeBuffersBase<FreeBuffersPass> {
  void runOnOperation() override {
    getOperation()->walk([&](FunctionOpInterface function) {
      if (!function.isExternal())
        freeBuffers(function);
    });
  }

  static void freeBuffers(FunctionOpInterface function) {
    BufferViewFlowAnalysis analysis(function);
    SmallVector<Place> places;
    function->walk([&](memref::AllocOp alloc) {
      Aliases aliases = analysis.resolve(alloc.getResult());
      SmallVector<memref::DeallocOp> deallocs = findDeallocs(aliases);
      memref::DeallocOp dealloc;
      if (deallocs.size() == 1 &&
          deallocs[0].getMemref() == alloc.getResult() &&
          deallocs[0]->getBlock() == alloc->getBlock())
        dealloc = deallocs[0];
      else if (!deallocs.empty() || !staysInBlock(alloc, aliases))
        return;
      if (Operation *lastUser = findLastUser(alloc, dealloc, aliases))
        places.push_back({alloc, dealloc, lastUser});
    });
    // Only now: a new op makes MLIR number all ops of the block again.
    for (auto [alloc, dealloc, lastUser] : places)
      freeBehind(alloc, dealloc, lastUser);
  }

  static void freeBehind(memref::AllocOp alloc, memref::DeallocOp dealloc,
                         Operation *lastUser) {
    if (dealloc)
      return dealloc->moveAfter(lastUser);
    OpBuilder builder(alloc->getContext());
    builder.setInsertionPointAfter(lastUser);
    dealloc = memref::DeallocOp::create(builder, alloc.getLoc(), alloc);
    for (Operation *op : {alloc.getOperation(), dealloc.getOperation()})
      op->setAttr(bufferization::BufferizationDialect::kManualDeallocation,
                  builder.getUnitAttr());
  }
};
} // namespace
