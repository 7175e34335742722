//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Transforms/Patterns.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONPREPAREBUFFERIZATION
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace mlir::bufferization;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Buffers that values may share
//===----------------------------------------------------------------------===//

/// The operands of branches that become block argument `arg`; nothing for an
/// argument of a function or a region.
static void addForwarded(BlockArgument arg, SmallVectorImpl<Value> &sources) {
  Block *block = arg.getOwner();
  for (auto it = block->pred_begin(); it != block->pred_end(); ++it) {
    if (auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator()))
      if (Value value = branch.getSuccessorOperands(
              it.getSuccessorIndex())[arg.getArgNumber()])
        sources.push_back(value);
  }
}

/// Adds to `sources` the values in whose buffers `result` may be without having
/// been written there by its op, and returns true if `result` may also be in a
/// buffer of its own. One-shot analysis keeps a value that an op writes apart
/// from whatever is read later.
static bool addSources(OpResult result, const AnalysisState &state,
                       SmallVectorImpl<Value> &sources) {
  Operation *op = result.getOwner();
  // The interface of calls wants an analysis of the callee.
  if (isa<CallOpInterface>(op)) {
    llvm::append_range(sources, op->getOperands());
    return true;
  }
  bool isOwn = isa<LoopLikeOpInterface>(op);
  auto aliases = state.getAliasingOpOperands(result);
  for (AliasingOpOperand alias : aliases) {
    if (state.bufferizesToMemoryWrite(*alias.opOperand))
      isOwn = true;
    else
      sources.push_back(alias.opOperand->get());
  }
  return isOwn || aliases.getNumAliases() == 0;
}

/// The values that were last written to the buffers in which `value` may be.
static SetVector<Value> getRoots(Value value, const AnalysisState &state) {
  SetVector<Value> roots;
  DenseSet<Value> visited = {value};
  SmallVector<Value> worklist = {value};
  while (!worklist.empty()) {
    Value current = worklist.pop_back_val();
    SmallVector<Value> sources;
    bool isRoot = true;
    if (auto arg = dyn_cast<BlockArgument>(current))
      addForwarded(arg, sources);
    else
      isRoot = addSources(cast<OpResult>(current), state, sources);
    if (isRoot)
      roots.insert(current);
    for (Value source : sources)
      if (isa<TensorType>(source.getType()) && visited.insert(source).second)
        worklist.push_back(source);
  }
  return roots;
}

//===----------------------------------------------------------------------===//
// Copies
//===----------------------------------------------------------------------===//

static void copyOperand(OpOperand &operand) {
  OpBuilder builder(operand.getOwner());
  Value value = operand.get();
  operand.set(AllocTensorOp::create(
      builder, value.getLoc(), cast<RankedTensorType>(value.getType()),
      /*dynamicSizes=*/ValueRange(), /*copy=*/value));
}

/// Whether bufferization of the op around `terminator` takes its results as
/// separate from each other, and from all that is not an operand of the op.
static bool makesSeparateResults(Operation *terminator) {
  Operation *parent = terminator->getParentOp();
  if (isa<FunctionOpInterface>(parent))
    return terminator->hasTrait<OpTrait::ReturnLike>();
  return isa<scf::ForOp, scf::IndexSwitchOp>(parent);
}

/// Whether a result of the op around `terminator` must not be in the buffer of
/// `root`. The analysis sees that a result of a function may be an argument,
/// and copies what a loop yields of other values; of the values that an
/// `scf.index_switch` yields it knows nothing.
static bool isForeign(Value root, Operation *terminator,
                      const AnalysisState &state) {
  if (isa<scf::IndexSwitchOp>(terminator->getParentOp()) &&
      !terminator->getParentRegion()->isAncestor(root.getParentRegion()))
    return true;
  Operation *definition = root.getDefiningOp();
  auto bufferizable = dyn_cast_or_null<BufferizableOpInterface>(definition);
  return bufferizable && !bufferizable.isWritable(root, state);
}

/// Makes each tensor that `terminator` returns one that shares its buffer with
/// no other.
static void separateResults(Operation *terminator, const AnalysisState &state) {
  SetVector<Value> taken;
  for (OpOperand &operand : terminator->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    SetVector<Value> roots = getRoots(operand.get(), state);
    if (llvm::any_of(roots, [&](Value root) {
          return taken.contains(root) || isForeign(root, terminator, state);
        }))
      copyOperand(operand);
    else
      taken.set_union(roots);
  }
}

/// Copies what crosses the boundary of a function and is a view whose elements
/// may not follow each other: the types there promise that they do.
static void makeContiguous(Operation *op, const BufferizationOptions &options) {
  BufferizationState state;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    auto type = getBufferType(operand.get(), options, state);
    if (failed(type))
      continue; // bufferization says why
    auto buffer = dyn_cast<MemRefType>(Type(*type));
    if (!buffer || !buffer.getLayout().isIdentity())
      copyOperand(operand);
  }
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

template <typename SliceOp> static void dropIdleSteps(SliceOp slice) {
  SmallVector<int64_t> strides(slice.getStaticStrides());
  unsigned dynamic = 0;
  for (auto [dim, size] : llvm::enumerate(slice.getStaticSizes())) {
    bool isDynamic = ShapedType::isDynamic(strides[dim]);
    if (size == 1 && isDynamic)
      slice.getStridesMutable().erase(dynamic);
    else if (isDynamic)
      ++dynamic;
    if (size == 1)
      strides[dim] = 1;
  }
  slice.setStaticStrides(strides);
}

void fusion::dropIdleSteps(Operation *root) {
  root->walk([](Operation *op) {
    if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
      ::dropIdleSteps(slice);
    else if (auto slice = dyn_cast<tensor::InsertSliceOp>(op))
      ::dropIdleSteps(slice);
  });
}

namespace {
struct PrepareBufferizationPass
    : public fusion::impl::FusionPrepareBufferizationBase<
          PrepareBufferizationPass> {
  void runOnOperation() override {
    OneShotBufferizationOptions options;
    options.bufferizeFunctionBoundaries = true;
    options.setFunctionBoundaryTypeConversion(
        LayoutMapOption::IdentityLayoutMap);
    // What is neither a view nor an argument is a buffer of its own.
    options.unknownTypeConverterFn = [](TensorType type, Attribute memorySpace,
                                        const BufferizationOptions &) {
      return getMemRefTypeWithStaticIdentityLayout(type, memorySpace);
    };
    AnalysisState state(options);
    dropIdleSteps(getOperation());
    getOperation()->walk([&](Operation *op) {
      if (op->hasTrait<OpTrait::IsTerminator>() && makesSeparateResults(op))
        separateResults(op, state);
    });
    getOperation()->walk([&](Operation *op) {
      if (isa<CallOpInterface>(op) ||
          (op->hasTrait<OpTrait::ReturnLike>() &&
           isa<FunctionOpInterface>(op->getParentOp())))
        makeContiguous(op, options);
    });
  }
};
} // namespace
