//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Says which op keeps an activation from being folded that only moves what
// convolutions compute. No law moves an activation in front of it.

#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Analysis/Transpose.h"
#include "FusionDialect/Analysis/Views.h"
#include "FusionDialect/Fuse/Step.h"
#include "FusionDialect/IR/LocationText.h"
#include "Laws/FoldSteps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fusion;

/// The tensors whose elements the result of `op` consists of; none if `op`
/// computes others. An activation commutes with such an op, and with a pad if
/// that has the activation of its number.
static SmallVector<Value> getMovedTensors(Operation *op) {
  if (isView(op) || isTranspose(op) ||
      isa<tensor::ExtractSliceOp, tensor::PadOp>(op))
    return {op->getOperand(0)};
  if (auto concat = dyn_cast<tensor::ConcatOp>(op))
    return concat.getInputs();
  if (auto insert = dyn_cast<tensor::InsertSliceOp>(op))
    return {insert.getSource(), insert.getDest()};
  return {};
}

/// True if all elements of `value` have one value, or none that is read.
static bool hasOneNumber(Value value) {
  SplatElementsAttr splat;
  return isa_and_nonnull<tensor::EmptyOp, linalg::FillOp>(
             value.getDefiningOp()) ||
         matchPattern(value, m_Constant(&splat));
}

/// True if `value` consists of results of fusion ops for which `takes` is true,
/// and of nothing else that an activation would have to be computed of. Nothing
/// else may read the ops that move these results.
static bool
consistsOfResults(Value value,
                  llvm::function_ref<bool(FusedOpInterface)> takes) {
  Operation *op = value.getDefiningOp();
  if (hasOneNumber(value))
    return true;
  if (auto fused = dyn_cast_or_null<FusedOpInterface>(op))
    return takes(fused);
  Refusal ignored = Refusal::unread();
  if (!op || failed(checkOneUser(op, ignored)))
    return false;
  SmallVector<Value> moved = getMovedTensors(op);
  return !moved.empty() && llvm::all_of(moved, [&](Value part) {
    return consistsOfResults(part, takes);
  });
}

/// The last op that moves elements, of `move` and of those behind it that
/// nothing else reads.
static Operation *findLastMove(Operation *move) {
  Refusal ignored = Refusal::unread();
  while (succeeded(checkOneUser(move, ignored)) &&
         !getMovedTensors(*move->user_begin()).empty())
    move = *move->user_begin();
  return move;
}

/// The dimension of `value` that is the output channel of `op`; none if other
/// ops come between than such that cut, transpose or reshape the result.
static std::optional<int64_t> findChannel(FusedOpInterface op, Value value) {
  Operation *move = value.getDefiningOp();
  if (move == op)
    return op.getOutputChannelDim();
  auto slice = dyn_cast_or_null<tensor::ExtractSliceOp>(move);
  auto transpose = matchTranspose(move);
  if (!slice && !transpose && !isView(move))
    return std::nullopt;
  std::optional<int64_t> dim = findChannel(op, move->getOperand(0));
  if (!dim || isView(move))
    return dim ? trackThroughViews(*dim, move) : dim;
  if (transpose)
    return llvm::find(transpose->second, *dim) - transpose->second.begin();
  llvm::SmallBitVector dropped = slice.getDroppedDims();
  if (dropped.test(*dim))
    return std::nullopt;
  return *dim -
         static_cast<int64_t>(dropped.reset(*dim, dropped.size()).count());
}

/// The ops that read `value`, elements of results, as an epilogue of `op`: one,
/// or several that are an activation together.
static std::optional<Epilogue> matchReaders(FusedOpInterface op, Value value) {
  Refusal ignored = Refusal::unread();
  FailureOr<Epilogue> whole =
      matchActivationRegion(op, value, {}, FuseOptions(), ignored);
  if (succeeded(whole))
    return std::move(*whole);
  OpOperand &use = *value.use_begin();
  Operation *consumer = use.getOwner();
  FailureOr<ScalarExpr> expr = ScalarExpr::match(consumer, ignored);
  if (failed(checkOneUser(value.getDefiningOp(), ignored)) ||
      consumer->getBlock() != op->getBlock() || failed(expr) ||
      failed(checkNoSideEffects(consumer, ignored)))
    return std::nullopt;
  unsigned number = use.getOperandNumber();
  ScalarExpr::Node *node = expr->getInputNode(number);
  if (!node)
    return std::nullopt;
  bool isAtItsPlace = isElementForElement(
      expr->getInputMap(number), cast<ShapedType>(value.getType()),
      cast<ShapedType>(consumer->getResult(0).getType()));
  return Epilogue{
      op,       {},
      consumer, std::move(*expr),
      node,     isAtItsPlace ? findChannel(op, value) : std::nullopt};
}

/// True if what follows is a bias or a scale.
static bool isAlongChannel(const Epilogue &epilogue) {
  Refusal ignored = Refusal::unread();
  FailureOr<Step> step = failure();
  if (epilogue.channelDim)
    step = matchFirstStep(epilogue, FuseOptions(), ignored);
  return succeeded(step) && (step->kind == Step::Kind::AddChannel ||
                             step->kind == Step::Kind::Scale ||
                             step->kind == Step::Kind::Normalize);
}

LogicalResult fusion::explainMove(FusedOpInterface op, Operation *move,
                                  const FuseOptions &options,
                                  Refusal &refusal) {
  Operation *last = findLastMove(move);
  if (getMovedTensors(last).empty() || last->use_empty() ||
      last->getBlock() != op->getBlock())
    return success();
  std::optional<Epilogue> epilogue = matchReaders(op, last->getResult(0));
  if (!epilogue)
    return success();
  Refusal ignored = Refusal::unread();
  auto takesStep = [&](FusedOpInterface fused) {
    epilogue->fused = fused;
    return (fused == op || succeeded(checkOneUser(fused, ignored))) &&
           succeeded(checkTakesSteps(fused, options, ignored)) &&
           (succeeded(matchActivationStep(*epilogue, FuseOptions(), ignored)) ||
            isAlongChannel(*epilogue));
  };
  if (!llvm::all_of(getMovedTensors(last), [&](Value part) {
        return consistsOfResults(part, takesStep);
      }))
    return success();
  epilogue->fused = op;
  if (failed(checkActivationAllowed(*epilogue, options, refusal)))
    return failure();
  auto first = llvm::find_if_not(epilogue->inner, isView);
  Operation *next =
      first == epilogue->inner.end() ? epilogue->consumer : *first;
  return refusal.because("unsupported: '", move->getName(), "' at ",
                         getLocationText(move->getLoc()),
                         " comes between the result and next op '",
                         next->getName(), "' at ",
                         getLocationText(next->getLoc()));
}

LogicalResult fusion::explainSlices(FusedOpInterface op,
                                    ArrayRef<Operation *> consumers,
                                    const FuseOptions &options,
                                    Refusal &refusal) {
  for (Operation *consumer : consumers)
    if (!isa<tensor::ExtractSliceOp>(consumer) ||
        consumer->getBlock() != op->getBlock())
      return success();
  // The order of uses depends on what was rewritten; the first slice is told.
  SmallVector<Operation *> slices(consumers);
  llvm::sort(slices,
             [](Operation *a, Operation *b) { return b->isBeforeInBlock(a); });
  for (Operation *slice : slices)
    if (succeeded(explainMove(op, slice, options, refusal)))
      return success();
  return failure();
}
