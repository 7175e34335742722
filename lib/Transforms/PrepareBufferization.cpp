//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Transforms/PrepareBufferization.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Transforms/OneShotAnalysis.h"
#include "mlir/Dialect/MemRef/Utils/MemRefUtils.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "mlir/Interfaces/SubsetOpInterface.h"

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

/// The operands of branches that are passed as block argument `arg`; none for
/// an argument of a function or a region.
static void addForwarded(BlockArgument arg, SmallVectorImpl<Value> &sources) {
  Block *block = arg.getOwner();
  for (auto it = block->pred_begin(); it != block->pred_end(); ++it) {
    if (auto branch = dyn_cast<BranchOpInterface>((*it)->getTerminator()))
      if (Value value = branch.getSuccessorOperands(
              it.getSuccessorIndex())[arg.getArgNumber()])
        sources.push_back(value);
  }
}

namespace {
/// The possible origins of a value's buffer.
struct Origin {
  /// Values whose buffer it may be, unchanged.
  SmallVector<Value> shared;
  /// Values whose buffer it may be, overwritten.
  SmallVector<Value> written;
  /// Whether the value may have contents of its own.
  bool isNew = false;
};
} // namespace

static Origin getOrigin(Value value, const AnalysisState &state) {
  Origin origin;
  if (auto arg = dyn_cast<BlockArgument>(value)) {
    addForwarded(arg, origin.shared);
    origin.isNew = true;
    return origin;
  }
  Operation *op = value.getDefiningOp();
  // Only an analysis of the callee would know which arguments a call returns.
  if (isa<CallOpInterface>(op)) {
    llvm::append_range(origin.shared, op->getOperands());
    origin.isNew = true;
    return origin;
  }
  AliasingOpOperandList aliases = state.getAliasingOpOperands(value);
  for (const AliasingOpOperand &alias : aliases) {
    bool isWritten = state.bufferizesToMemoryWrite(*alias.opOperand);
    (isWritten ? origin.written : origin.shared)
        .push_back(alias.opOperand->get());
  }
  // The inserted tensor may have been computed in the place of its insertion.
  if (auto insertion = dyn_cast<SubsetInsertionOpInterface>(op))
    origin.shared.push_back(insertion.getSourceOperand().get());
  // A loop may yield a tensor that it has made.
  origin.isNew = isa<LoopLikeOpInterface>(op) || !origin.written.empty() ||
                 aliases.getNumAliases() == 0;
  return origin;
}

namespace {
/// Facts about the buffers that a value may be in.
struct Buffers {
  /// The last values written to them. One-shot analysis makes sure that a value
  /// that an op writes does not share its buffer with another one that is read
  /// later.
  SetVector<Value> contents;
  /// The first values in them.
  SetVector<Value> first;
};
} // namespace

static Buffers getBuffers(Value value, const AnalysisState &state) {
  Buffers buffers;
  // Each step has a value, and whether it has been overwritten since.
  using Step = llvm::PointerIntPair<Value, 1, bool>;
  SetVector<Step> steps;
  steps.insert({value, false});
  for (size_t i = 0; i < steps.size(); ++i) {
    Value current = steps[i].getPointer();
    bool isOld = steps[i].getInt();
    Origin origin = getOrigin(current, state);
    if (origin.isNew && !isOld)
      buffers.contents.insert(current);
    if (origin.isNew && origin.written.empty())
      buffers.first.insert(current);
    for (Value source : origin.shared)
      if (isa<TensorType>(source.getType()))
        steps.insert({source, isOld});
    for (Value source : origin.written)
      steps.insert({source, true});
  }
  return buffers;
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

static bool isReturn(Operation *op) {
  return op->hasTrait<OpTrait::ReturnLike>() &&
         isa<FunctionOpInterface>(op->getParentOp());
}

/// Whether bufferization assumes, without proof, that the tensors that
/// `terminator` passes on are separate from each other. It knows the tensors of
/// an `scf.if`, and copies those of `scf.condition` unless it has proof.
static bool passesSeparateTensors(Operation *terminator) {
  return isReturn(terminator) ||
         (isa<scf::YieldOp>(terminator) &&
          isa<scf::ForOp, scf::WhileOp>(terminator->getParentOp()));
}

/// Whether a tensor that `terminator` passes on must not be in `buffers`,
/// because they cannot be written, or come from outside of an `scf.while`. For
/// `scf.for` tensors from outside are copied anyway, and the analysis knows
/// which arguments a function returns.
static bool isForeign(const Buffers &buffers, Operation *terminator,
                      const AnalysisState &state) {
  if (isa<scf::WhileOp>(terminator->getParentOp()) &&
      llvm::any_of(buffers.first, [&](Value value) {
        return !terminator->getParentRegion()->isAncestor(
            value.getParentRegion());
      }))
    return true;
  return llvm::any_of(buffers.contents, [&](Value value) {
    auto op = value.getDefiningOp<BufferizableOpInterface>();
    return op && !op.isWritable(value, state);
  });
}

/// Gives each tensor that `terminator` passes on a buffer that it shares with
/// no other one.
static LogicalResult separateOperands(Operation *terminator,
                                      const AnalysisState &state) {
  SetVector<Value> taken;
  for (OpOperand &operand : terminator->getOpOperands()) {
    if (!isa<TensorType>(operand.get().getType()))
      continue;
    Buffers buffers = getBuffers(operand.get(), state);
    bool isShared = llvm::any_of(
        buffers.contents, [&](Value value) { return taken.contains(value); });
    if (!isShared && !isForeign(buffers, terminator, state)) {
      taken.set_union(buffers.contents);
      continue;
    }
    if (!isa<RankedTensorType>(operand.get().getType()))
      return terminator->emitError("operand #")
             << operand.getOperandNumber()
             << " may share its buffer with another, and cannot be copied "
                "without a rank; cast it to a ranked tensor";
    copyOperand(operand);
  }
  return success();
}

/// Whether a buffer of `type` can be passed as one of identity layout.
static bool isContiguous(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset = 0;
  return type.getLayout().isIdentity() ||
         (memref::isStaticShapeAndContiguousRowMajor(type) &&
          succeeded(type.getStridesAndOffset(strides, offset)) && offset == 0);
}

/// Copies tensors at the boundary of a function that may be views without
/// contiguous elements: the types there promise contiguous ones.
static void makeContiguous(Operation *op, const BufferizationOptions &options) {
  BufferizationState state;
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<RankedTensorType>(operand.get().getType()))
      continue;
    auto type = getBufferType(operand.get(), options, state);
    if (failed(type))
      continue; // bufferization says why
    auto buffer = dyn_cast<MemRefType>(Type(*type));
    if (!buffer || !isContiguous(buffer))
      copyOperand(operand);
  }
}

//===----------------------------------------------------------------------===//
// Switches
//===----------------------------------------------------------------------===//

/// Replaces `op` by a chain of `scf.if`: the analysis does not know that a
/// result of a switch may be a tensor that a case yields.
static void replaceBySelections(RewriterBase &rewriter, scf::IndexSwitchOp op) {
  if (op.getCases().empty()) {
    Block &block = op.getDefaultBlock();
    Operation *yield = block.getTerminator();
    rewriter.inlineBlockBefore(&block, op);
    rewriter.replaceOp(op, yield->getOperands());
    rewriter.eraseOp(yield);
    return;
  }
  Location loc = op.getLoc();
  rewriter.setInsertionPoint(op);
  scf::IfOp first, previous;
  for (auto [number, region] :
       llvm::zip_equal(op.getCases(), op.getCaseRegions())) {
    if (previous)
      rewriter.createBlock(&previous.getElseRegion());
    Value isCase = arith::CmpIOp::create(
        rewriter, loc, arith::CmpIPredicate::eq, op.getArg(),
        arith::ConstantIndexOp::create(rewriter, loc, number));
    auto selection = scf::IfOp::create(rewriter, loc, op.getResultTypes(),
                                       isCase, /*addThenBlock=*/false,
                                       /*addElseBlock=*/false);
    if (previous)
      scf::YieldOp::create(rewriter, loc, selection.getResults());
    else
      first = selection;
    selection.getThenRegion().takeBody(region);
    previous = selection;
  }
  previous.getElseRegion().takeBody(op.getDefaultRegion());
  rewriter.replaceOp(op, first.getResults());
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
    // An op without other information creates a buffer of its own.
    // LLVM 23 has interfaces in place of both types.
    using Buffer = BufferizationOptions::UnknownTypeConverterFn::result_type;
    options.unknownTypeConverterFn = [](auto type, Attribute memorySpace,
                                        const BufferizationOptions &) {
      return cast<Buffer>(getMemRefTypeWithStaticIdentityLayout(
          cast<TensorType>(type), memorySpace));
    };
    AnalysisState state(options);
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](scf::IndexSwitchOp op) {
      if (llvm::any_of(op.getResultTypes(), llvm::IsaPred<TensorType>))
        replaceBySelections(rewriter, op);
    });
    dropIdleSteps(getOperation());
    getOperation()->walk([&](Operation *op) {
      if (isa<CallOpInterface>(op) || isReturn(op))
        makeContiguous(op, options);
    });
    WalkResult result = getOperation()->walk([&](Operation *op) {
      return passesSeparateTensors(op) && failed(separateOperands(op, state))
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (result.wasInterrupted())
      signalPassFailure();
  }
};
} // namespace
