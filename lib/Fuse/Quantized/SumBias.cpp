//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/AffineRounding.h"
#include "FusionDialect/Analysis/ChannelVector.h"
#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Analysis/Transpose.h"
#include "FusionDialect/Fuse/ConstantEvaluation.h"
#include "FusionDialect/Fuse/Epilogue.h"
#include "FusionDialect/IR/LocationText.h"
#include "FusionDialect/Utils/EmitVector.h"
#include "FusionDialect/Utils/Materialize.h"
#include "FusionDialect/Utils/Moves.h"
#include "Laws.h"
#include "NewResult.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fusion;

/// An op on integers whose result is the sum.
static bool isSum(FusedOpInterface op) {
  return isa<QuantizedOpInterface>(op.getOperation()) &&
         op->getNumResults() == 1 &&
         op.getOutputType().getElementType().isInteger(32);
}

/// An element-wise op that makes i32 of the result of `op`; null if there is
/// none.
static linalg::LinalgOp findUser(FusedOpInterface op) {
  return findElementwiseUser(op, 32,
                             [](Type type) { return type.isInteger(32); });
}

namespace {
struct Addend {
  ChannelVector vector;
  bool isNegated;
  /// In place of `vector`: constants, one for each channel.
  std::vector<int32_t> numbers = {};
};

/// Reads the body of an op as the sum of an op on integers and addends, which
/// vary along its output channel.
class SumReader {
public:
  SumReader(FusedOpInterface op, linalg::LinalgOp user, Refusal &refusal)
      : op(op), user(user), refusal(refusal) {}

  LogicalResult read(Value value, bool isNegated);

  SmallVector<Addend> addends;
  unsigned sums = 0; ///< how often the sum itself is read

private:
  LogicalResult readOperand(OpOperand *operand, bool isNegated);

  FusedOpInterface op;
  linalg::LinalgOp user;
  Refusal &refusal;
};
} // namespace

LogicalResult SumReader::read(Value value, bool isNegated) {
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number))) {
    addends.push_back(
        {ChannelVector{Value(), std::nullopt, number.roundToDouble(true)},
         isNegated});
    return success();
  }
  if (OpOperand *operand = getReadOperand(user, value))
    return readOperand(operand, isNegated);
  Operation *inner = value.getDefiningOp();
  if (!isa_and_nonnull<arith::AddIOp, arith::SubIOp>(inner) ||
      inner->getBlock() != user.getBlock())
    return refusal.because("what is added to the sum is no operand");
  if (failed(read(inner->getOperand(0), isNegated)))
    return failure();
  return read(inner->getOperand(1), isNegated != isa<arith::SubIOp>(inner));
}

LogicalResult SumReader::readOperand(OpOperand *operand, bool isNegated) {
  AffineMap map = user.getMatchingIndexingMap(operand);
  if (operand->get() == op->getResult(0)) {
    if (isNegated || !map.isIdentity())
      return refusal.because("the sum is negated or not read element for "
                             "element");
    ++sums;
    return success();
  }
  Refusal reason;
  FailureOr<ChannelVector> vector =
      matchChannelVector(operand->get(), map, op.getOutputChannelDim(),
                         ChannelVectorOptions(), reason);
  if (failed(vector))
    return refusal.because("what is added to the sum is no bias of the output "
                           "channel: ",
                           reason.str());
  addends.push_back({*vector, isNegated});
  return success();
}

/// The constants that `user` adds to the sum, whatever ops compute them: one,
/// or one for each channel.
static FailureOr<std::vector<int32_t>>
matchConstants(FusedOpInterface op, linalg::LinalgOp user, Refusal &refusal) {
  FailureOr<AffineRounding> form = AffineRounding::match(user, refusal);
  if (failed(form))
    return failure();
  if (form->terms.size() != 1 || form->rounding != Rounding::None)
    return refusal.because("more than constants is added");
  const AffineRounding::Term &term = form->terms[0];
  if (user->getOperand(term.input) != op->getResult(0))
    return refusal.because("constants are added to another tensor");
  bool isAlone = llvm::all_of(term.factor, [](double f) { return f == 1.0; }) &&
                 llvm::all_of(form->offset, [](double o) { return o == 0.0; });
  if (!isAlone || form->lower > term.least || form->upper < term.greatest)
    return refusal.because("the sum is scaled or bounded");
  if (term.addend.size() != 1 && form->dim != op.getOutputChannelDim())
    return refusal.because("what is added varies along dimension ", *form->dim);
  std::vector<int32_t> numbers;
  for (double number : term.addend)
    // Wraps as the sum does.
    numbers.push_back(static_cast<int32_t>(static_cast<int64_t>(number)));
  return numbers;
}

static FailureOr<SmallVector<Addend>>
matchAddends(FusedOpInterface op, linalg::LinalgOp user, Refusal &refusal) {
  if (!user)
    return refusal.because("no op adds to the sum");
  if (failed(checkOneUser(op, refusal)))
    return failure();
  if (user->getBlock() != op->getBlock())
    return refusal.because("something is added to the sum in another block");
  if (!user.getIndexingMapMatchingResult(user->getResult(0)).isIdentity())
    return refusal.because("the sum is written in another order");
  if (failed(checkNoSideEffects(user, refusal)))
    return failure();
  Refusal notConstant = Refusal::unread();
  if (FailureOr<std::vector<int32_t>> numbers =
          matchConstants(op, user, notConstant);
      succeeded(numbers)) {
    if (numbers->size() > 1)
      return SmallVector<Addend>{Addend{{}, false, std::move(*numbers)}};
    return SmallVector<Addend>{
        Addend{{Value(), std::nullopt, numbers->front()}, false}};
  }
  Value sum = user.getBlock()->getTerminator()->getOperand(0);
  Operation *last = sum.getDefiningOp();
  if (last && !isa<arith::AddIOp, arith::SubIOp, arith::ConstantOp>(last))
    return refusal.because("next op ends in '", last->getName().getStringRef(),
                           "', expected a sum of integers");
  SumReader reader(op, user, refusal);
  if (failed(reader.read(sum, /*isNegated=*/false)))
    return failure();
  if (reader.sums != 1)
    return refusal.because("the sum is added ", reader.sums, " times");
  return std::move(reader.addends);
}

static bool isElementwise(Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalgOp.isAllParallelLoops();
}

/// Refuses an op that moves `value`, a sum, for one that adds to it.
static LogicalResult checkNotMoved(Value value, Refusal &refusal) {
  for (Operation *move : value.getUsers()) {
    OpOperand *source = getMovedOperand(move);
    if (!source || source->get() != value)
      continue;
    Value moved = move->getResult(0);
    for (Operation *user : moved.getUsers())
      if (isElementwise(user) && !isTranspose(user))
        return refusal.because("unsupported: '", move->getName(), "' at ",
                               getLocationText(move->getLoc()),
                               " comes between the sum and '", user->getName(),
                               "' at ", getLocationText(user->getLoc()));
    if (failed(checkNotMoved(moved, refusal)))
      return failure();
  }
  return success();
}

LogicalResult fusion::explainSumBias(FusedOpInterface op, const FuseOptions &,
                                     Refusal &refusal) {
  linalg::LinalgOp user = findUser(op);
  if (!user)
    return isSum(op) ? checkNotMoved(op->getResult(0), refusal) : success();
  if (failed(matchAddends(op, user, refusal)))
    return failure();
  return refuseNotRun(user, refusal);
}

namespace {
struct SumBiasLaw : public OpInterfaceRewritePattern<FusedOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(FusedOpInterface op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    linalg::LinalgOp user = findUser(op);
    FailureOr<SmallVector<Addend>> addends = matchAddends(op, user, refusal);
    if (failed(addends))
      return refusal.notify(rewriter, op);
    rewriter.setInsertionPoint(user);
    Location loc = user.getLoc();
    OpFoldResult channels = tensor::getMixedSize(rewriter, loc, op.getInit(),
                                                 op.getOutputChannelDim());
    Value bias = op.getBias();
    for (const Addend &addend : *addends) {
      Value vector =
          addend.numbers.empty()
              ? materializeI32(rewriter, loc, addend.vector, channels)
              : emitVector(rewriter, loc, addend.numbers);
      if (addend.isNegated)
        vector = emitNegatedVector(rewriter, loc, vector);
      bias = bias ? emitVectorSum(rewriter, loc, bias, vector) : vector;
    }
    auto copy = cast<FusedOpInterface>(rewriter.clone(*op));
    copy.getBiasMutable().assign(bias);
    // The sum itself may be the destination.
    Value init = user.getDpsInits()[0];
    if (init != op->getResult(0)) {
      copy.getInitMutable().set(init);
      copy->getResult(0).setType(user->getResult(0).getType());
    }
    rewriter.replaceOp(user, copy);
    rewriter.eraseOp(op);
    return success();
  }
};

/// True if a tensor has at most one number for each output channel of `op`,
/// with the channel in parts or next to dimensions of size 1.
static bool isVector(RankedTensorType type, FusedOpInterface op) {
  return type.getRank() <= 1 ||
         (type.hasStaticShape() &&
          type.getNumElements() <= op.getNumOutputChannels());
}

/// Makes constants of integers that are computed from constants, where they are
/// a bias or are read together with a sum.
struct EvaluateIntegers : public OpInterfaceRewritePattern<FusedOpInterface> {
  // The other laws read constants.
  EvaluateIntegers(MLIRContext *context)
      : OpInterfaceRewritePattern(context, /*benefit=*/3) {}

  LogicalResult matchAndRewrite(FusedOpInterface op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    (void)refusal.because("no integers are computed from constants");
    if (!isa<QuantizedOpInterface>(op.getOperation()))
      return refusal.notify(rewriter, op);
    bool changed = op.getBias() &&
                   succeeded(evaluate(rewriter, op, op.getBias(), refusal));
    for (Operation *user : isSum(op) ? llvm::to_vector(op->getUsers())
                                     : SmallVector<Operation *>())
      if (auto reader = dyn_cast<linalg::LinalgOp>(user))
        for (Value operand : reader.getDpsInputs())
          changed |= succeeded(evaluate(rewriter, op, operand, refusal));
    return changed ? success() : refusal.notify(rewriter, op);
  }

  static LogicalResult evaluate(PatternRewriter &rewriter, FusedOpInterface op,
                                Value value, Refusal &refusal) {
    auto type = dyn_cast<RankedTensorType>(value.getType());
    Operation *producer = value.getDefiningOp();
    if (!type ||
        !isa_and_nonnull<linalg::LinalgOp, tensor::CollapseShapeOp,
                         tensor::ExpandShapeOp>(producer) ||
        !type.getElementType().isInteger(32) || !isVector(type, op))
      return refusal.because("an operand is no vector that is computed");
    FailureOr<std::vector<int64_t>> numbers = evaluateIntegers(value, refusal);
    if (failed(numbers))
      return failure();
    auto elements = llvm::map_to_vector(
        *numbers, [](int64_t number) { return APInt(32, number, true); });
    rewriter.setInsertionPoint(producer);
    rewriter.replaceOpWithNewOp<arith::ConstantOp>(
        producer, DenseElementsAttr::get(type, elements));
    return success();
  }
};
} // namespace

void fusion::populateSumBiasLaw(RewritePatternSet &patterns,
                                const FuseOptions &) {
  patterns.add<SumBiasLaw, EvaluateIntegers>(patterns.getContext());
}
