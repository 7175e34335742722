//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// One walk in program order. A result of a fusion op becomes narrow if only
// fusion ops, or ops that move elements, read it. A widening behind it serves
// readers that have not been visited yet. An op that moves elements then moves
// the narrow ones. Widenings without readers are erased in the end. A tensor
// from outside is narrowed by the op that reads it, if that has a constant
// filter: the narrow filter tells the op to do so, and the copy that a kernel
// makes anyway can do it.

#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Fuse/ConstantEvaluation.h"
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/ApplyPatterns.h"
#include "FusionDialect/Utils/EmitCast.h"
#include "FusionDialect/Utils/Moves.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/PDLInterp/IR/PDLInterp.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONCONVERTPRECISION
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Casts
//===----------------------------------------------------------------------===//

/// Casts the elements of `value` to `type`, rounded or widened.
static Value createCast(OpBuilder &builder, Location loc, Value value,
                        Type type) {
  return emitCast(builder, loc, value, createEmptyLike(builder, value, type));
}

static bool isF32(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getElementType().isF32();
}

//===----------------------------------------------------------------------===//
// Ops that move elements
//===----------------------------------------------------------------------===//

/// Creates `op` again on the elements of `narrow`; null if it adds an element
/// that is not constant.
static Operation *narrowMove(OpBuilder &builder, Operation *op, Value narrow,
                             Type type) {
  FloatAttr number;
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    if (!matchPattern(pad.getConstantPaddingValue(), m_Constant(&number)))
      return nullptr;
    number = FloatAttr::get(type, number.getValueAsDouble());
  }
  return recreateMove(builder, op, narrow, number);
}

//===----------------------------------------------------------------------===//
// The walk
//===----------------------------------------------------------------------===//

namespace {
class PrecisionConverter {
public:
  PrecisionConverter(MLIRContext *context, Type type)
      : rewriter(context), type(type) {}

  void run(Operation *root);

private:
  bool isReadNarrow(Value value) const;
  /// The narrow value that a widening makes `value` from, or null.
  Value findNarrow(Value value) const { return widened.lookup(value); }
  void widen(Value narrow);
  void narrowInput(FusedOpInterface op);
  void visitFused(FusedOpInterface op);
  void visitMove(Operation *op, OpOperand &moved);

  IRRewriter rewriter;
  Type type;
  llvm::DenseMap<Value, Value> widened;
  SmallVector<Operation *> widenings;
};
} // namespace

/// True if only fusion ops read `value`, directly or behind ops that move
/// elements.
bool PrecisionConverter::isReadNarrow(Value value) const {
  return !value.use_empty() &&
         llvm::all_of(value.getUses(), [&](OpOperand &use) {
           Operation *user = use.getOwner();
           if (isa<tensor::DimOp>(user))
             return true;
           // These read integers, and residuals of f32.
           if (isa<QuantizedOpInterface>(user))
             return false;
           if (auto fused = dyn_cast<FusedOpInterface>(user))
             return use.get() == fused.getInput() ||
                    use.get() == fused.getResidual();
           return getMovedOperand(user) == &use && isF32(user->getResult(0)) &&
                  isReadNarrow(user->getResult(0));
         });
}

/// Makes the readers of `narrow` read it widened to f32.
void PrecisionConverter::widen(Value narrow) {
  rewriter.setInsertionPointAfterValue(narrow);
  Value wide =
      createCast(rewriter, narrow.getLoc(), narrow, rewriter.getF32Type());
  Operation *widening = wide.getDefiningOp();
  rewriter.replaceUsesWithIf(narrow, wide, [&](OpOperand &use) {
    return use.getOwner() != widening && !isa<tensor::DimOp>(use.getOwner());
  });
  widened[wide] = narrow;
  widenings.push_back(widening);
}

/// True if one op alone reads the elements of `value`, once.
static bool isReadOnce(Value value) {
  return llvm::count_if(value.getUsers(), [](Operation *user) {
           return !isa<tensor::DimOp>(user);
         }) == 1;
}

/// True if `op` can round its input itself: it is an argument that `op` alone
/// reads. The op that computes another input rounds it on the way, and one cast
/// is better for several readers. The filter must be constant.
static bool canNarrowItself(FusedOpInterface op) {
  return isa<BlockArgument>(op.getInput()) && isReadOnce(op.getInput()) &&
         matchPattern(op.getFilter(), m_Constant());
}

/// Makes `op` multiply narrow numbers, by a cast of its input or its filter.
void PrecisionConverter::narrowInput(FusedOpInterface op) {
  OpOperand &operand =
      canNarrowItself(op) ? op.getFilterMutable() : op.getInputMutable();
  Value narrow = findNarrow(operand.get());
  operand.set(narrow ? narrow
                     : createCast(rewriter, op.getLoc(), operand.get(), type));
}

void PrecisionConverter::visitFused(FusedOpInterface op) {
  if (!isF32(op.getInput()) || !isF32(op.getFilter()))
    return;
  narrowInput(op);
  if (op->getNumResults() == 0 || !isF32(op->getResult(0)) ||
      !isReadNarrow(op->getResult(0)))
    return;
  Value init = createEmptyLike(rewriter, op.getInit(), type);
  op.getInitMutable().set(init);
  op->getResult(0).setType(init.getType());
  if (Value residual = op.getResidual())
    if (Value narrowResidual = findNarrow(residual))
      op.getResidualMutable().assign(narrowResidual);
  widen(op->getResult(0));
}

void PrecisionConverter::visitMove(Operation *op, OpOperand &moved) {
  Value narrow = findNarrow(moved.get());
  if (!narrow || !isF32(op->getResult(0)))
    return;
  Operation *replacement = narrowMove(rewriter, op, narrow, type);
  if (!replacement)
    return;
  rewriter.replaceAllUsesWith(op->getResult(0), replacement->getResult(0));
  rewriter.eraseOp(op);
  widen(replacement->getResult(0));
}

void PrecisionConverter::run(Operation *root) {
  for (Operation *op : getTensorOps(root)) {
    rewriter.setInsertionPoint(op);
    if (auto fused = dyn_cast<FusedOpInterface>(op))
      visitFused(fused);
    else if (OpOperand *moved = getMovedOperand(op))
      visitMove(op, *moved);
  }
  for (Operation *widening : llvm::reverse(widenings))
    if (widening->use_empty())
      rewriter.eraseOp(widening);
}

namespace {
struct ConvertPrecisionPass
    : public fusion::impl::FusionConvertPrecisionBase<ConvertPrecisionPass> {
  using FusionConvertPrecisionBase::FusionConvertPrecisionBase;

  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    populateLawPatterns(set, {"cast"}, FuseOptions());
    populateConstantEvaluationPatterns(set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    Builder builder(&getContext());
    Type type = llvm::StringSwitch<Type>(to)
                    .Case("bf16", builder.getBF16Type())
                    .Case("f16", builder.getF16Type())
                    .Default(Type());
    if (!type) {
      // An error on the op itself would print all of it.
      emitError(getOperation()->getLoc())
          << "'to' must be bf16 or f16, got '" << to << "'";
      return signalPassFailure();
    }
    PrecisionConverter(&getContext(), type).run(getOperation());
    if (failed(applyToFixpoint(getOperation(), patterns, "conversions")))
      signalPassFailure();
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
