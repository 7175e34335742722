//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// An op with several results cannot be folded as a step. This law drops its
// unused results, and makes its first step an op of its own. A destination of
// an unused result that the op reads becomes an input: upstream leaves one
// where it merges an op that adds to its destination.

#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Fuse/Step.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;
using namespace fusion;

static unsigned countUsedResults(linalg::GenericOp op) {
  return llvm::count_if(op->getOpResults(),
                        [](OpResult result) { return !result.use_empty(); });
}

/// True if no iteration of `op` reads what another one wrote to the destination
/// of an unused result.
static bool areUnusedWrittenOnce(linalg::GenericOp op) {
  return llvm::all_of(op->getOpResults(), [&](OpResult result) {
    OpOperand *init = op.getTiedOpOperand(result);
    return !result.use_empty() || !op.payloadUsesValueFromOperand(init) ||
           op.getMatchingIndexingMap(init).isPermutation();
  });
}

/// Creates `op` again without its unused results, whose destinations are
/// inputs.
static void makeInputs(PatternRewriter &rewriter, linalg::GenericOp op) {
  SmallVector<OpOperand *> inputs = op.getDpsInputOperands(), inits;
  SmallVector<Value> results;
  for (OpResult result : op->getOpResults()) {
    (result.use_empty() ? inputs : inits)
        .push_back(op.getTiedOpOperand(result));
    if (!result.use_empty())
      results.push_back(result);
  }
  auto getValues = [](ArrayRef<OpOperand *> operands) {
    return llvm::map_to_vector(
        operands, [](OpOperand *operand) { return operand->get(); });
  };
  auto operands = llvm::to_vector(llvm::concat<OpOperand *>(inputs, inits));
  auto maps = llvm::map_to_vector(operands, [&](OpOperand *operand) {
    return op.getMatchingIndexingMap(operand);
  });
  auto emitBody = [&](OpBuilder &builder, Location loc, ValueRange arguments) {
    IRMapping mapping;
    for (auto [operand, argument] : llvm::zip_equal(operands, arguments))
      mapping.map(op.getMatchingBlockArgument(operand), argument);
    for (Operation &inner : op.getBlock()->without_terminator())
      builder.clone(inner, mapping);
    auto yielded = llvm::map_to_vector(inits, [&](OpOperand *init) {
      return mapping.lookupOrDefault(op.getMatchingYieldValue(init)->get());
    });
    linalg::YieldOp::create(builder, loc, yielded);
  };
  auto smaller = linalg::GenericOp::create(
      rewriter, op.getLoc(), TypeRange(ValueRange(results)), getValues(inputs),
      getValues(inits), maps, op.getIteratorTypesArray(), emitBody);
  for (auto [result, replacement] :
       llvm::zip_equal(results, smaller->getResults()))
    rewriter.replaceAllUsesWith(result, replacement);
  rewriter.eraseOp(op);
}

/// True if results of `op` depend on its operand `value` only through `scalar`.
static bool isOnlyWay(linalg::GenericOp op, Value value, Value scalar) {
  SmallVector<Value> worklist;
  for (OpOperand &operand : op->getOpOperands())
    if (operand.get() == value)
      worklist.push_back(op.getMatchingBlockArgument(&operand));
  SmallPtrSet<Operation *, 8> seen;
  while (!worklist.empty()) {
    Value next = worklist.pop_back_val();
    if (next == scalar)
      continue;
    for (Operation *user : next.getUsers()) {
      user = op.getBlock()->findAncestorOpInBlock(*user);
      if (user == op.getBlock()->getTerminator())
        return false;
      if (seen.insert(user).second)
        worklist.append(user->result_begin(), user->result_end());
    }
  }
  return true;
}

/// The first operand of `op` that is the result of `fused`; null if `op` reads
/// a reshape of it.
static OpOperand *findOperand(linalg::GenericOp op, FusedOpInterface fused) {
  for (OpOperand &operand : op->getOpOperands())
    if (operand.get() == fused->getResult(0))
      return &operand;
  return nullptr;
}

/// True if `op` reads the result of `fused` element for element.
static bool isReadElementForElement(linalg::GenericOp op,
                                    FusedOpInterface fused) {
  ShapedType type = fused.getOutputType();
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    return operand.get() != fused->getResult(0) ||
           isElementForElement(op.getMatchingIndexingMap(&operand), type, type);
  });
}

/// Result `number` of `op` as an epilogue of `fused`.
static FailureOr<Epilogue> matchResult(FusedOpInterface fused,
                                       linalg::GenericOp op, unsigned number,
                                       Refusal &refusal) {
  Value scalar = op.getBlock()->getTerminator()->getOperand(number);
  FailureOr<ScalarExpr> expr = ScalarExpr::matchScalar(op, scalar, refusal);
  if (failed(expr))
    return failure();
  OpResult result = op->getOpResult(number);
  OpOperand *operand = findOperand(op, fused);
  ScalarExpr::Node *value =
      operand ? expr->getInputNode(operand->getOperandNumber()) : nullptr;
  if (value && value != expr->getRoot() &&
      result.getType() == fused.getOutputType() &&
      op.getIndexingMapMatchingResult(result).isIdentity() &&
      isReadElementForElement(op, fused) &&
      isOnlyWay(op, operand->get(), scalar))
    return Epilogue{
        fused, {}, op, std::move(*expr), value, fused.getOutputChannelDim()};
  return refusal.because("'", op->getName(), "' computes ",
                         countUsedResults(op),
                         " results from the result, expected 1 "
                         "that the others are computed from");
}

FailureOr<unsigned> fusion::findFirstResult(FusedOpInterface fused,
                                            linalg::GenericOp op,
                                            const FuseOptions &options,
                                            Refusal &refusal) {
  if (failed(checkTakesSteps(fused, options, refusal)))
    return failure();
  if (failed(checkNoSideEffects(op, refusal)))
    return failure();
  // Its parts would keep each other's destinations, and be split again.
  for (OpOperand &init : op.getDpsInitsMutable())
    if (op.payloadUsesValueFromOperand(&init))
      return refusal.because("unsupported: result is read as a destination");
  for (unsigned number = 0, e = op->getNumResults(); number != e; ++number) {
    FailureOr<Epilogue> epilogue = matchResult(fused, op, number, refusal);
    if (failed(epilogue))
      continue;
    // There is only one such result.
    if (failed(checkMayFold(*epilogue, options, refusal)) ||
        failed(matchFirstStep(*epilogue, options, refusal)))
      return failure();
    return number;
  }
  return failure();
}

/// Makes result `number` of `op`, computed from that of `fused`, an op of its
/// own. The rest of `op` reads it in place of the result of `fused`.
static void splitOff(PatternRewriter &rewriter, FusedOpInterface fused,
                     linalg::GenericOp op, unsigned number) {
  auto first = cast<linalg::GenericOp>(rewriter.clone(*op));
  Value result = first->getResult(number);
  rewriter.replaceAllUsesWith(op->getResult(number), result);
  rewriter.replaceAllUsesWith(
      op.getBlock()->getTerminator()->getOperand(number),
      op.getMatchingBlockArgument(findOperand(op, fused)));
  rewriter.modifyOpInPlace(
      op, [&] { op->replaceUsesOfWith(fused->getResult(0), result); });
  for (linalg::GenericOp part : {first, op}) {
    rewriter.setInsertionPoint(part);
    (void)linalg::deduplicateOperandsAndRemoveDeadResults(
        rewriter, part, /*removeOutputs=*/true);
  }
}

namespace {

// law: (f(c), g(f(c)))  ->  r = f(c), (r, g(r)), where c = fused(x, w)
struct SeveralResultsLaw : public OpInterfaceRewritePattern<FusedOpInterface> {
  SeveralResultsLaw(MLIRContext *context, const FuseOptions &options)
      : OpInterfaceRewritePattern(context), options(options) {}

  LogicalResult matchAndRewrite(FusedOpInterface fused,
                                PatternRewriter &rewriter) const override {
    // On memrefs there is no result.
    if (fused->use_empty())
      return rewriter.notifyMatchFailure(fused, "the result is not used");
    auto generic = dyn_cast<linalg::GenericOp>(*fused->user_begin());
    if (!generic || generic->getNumResults() < 2)
      return rewriter.notifyMatchFailure(
          fused, "next op is no 'linalg.generic' with several results");
    rewriter.setInsertionPoint(generic);
    if (countUsedResults(generic) != generic->getNumResults())
      return dropUnused(rewriter, generic);
    // The conditions on the user, being the only one for example, are checked
    // there.
    Refusal refusal;
    FailureOr<unsigned> number =
        findFirstResult(fused, generic, options, refusal);
    if (failed(number))
      return refusal.notify(rewriter, fused);
    splitOff(rewriter, fused, generic, *number);
    return success();
  }

private:
  static LogicalResult dropUnused(PatternRewriter &rewriter,
                                  linalg::GenericOp op) {
    // A sum that another result is computed from, for example.
    if (!areUnusedWrittenOnce(op))
      return rewriter.notifyMatchFailure(
          op, "an iteration reads an unused result of another one");
    FailureOr<linalg::GenericOp> smaller =
        linalg::deduplicateOperandsAndRemoveDeadResults(rewriter, op,
                                                        /*removeOutputs=*/true);
    if (failed(smaller) || *smaller == op)
      makeInputs(rewriter, op);
    return success();
  }

  FuseOptions options;
};

} // namespace

void fusion::populateSeveralResultsLawPatterns(RewritePatternSet &patterns,
                                               const FuseOptions &options) {
  patterns.add<SeveralResultsLaw>(patterns.getContext(), options);
}
