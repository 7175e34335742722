//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Says why a product is not going to add the tensor that is added to its
// result, or to do something else with its integers. `fusion-compile` asks that
// of one op, which it has made of all steps of the sum. Here the steps may
// still be ops of their own, so that a copy of them is merged, which nothing
// else sees.

#include "FusionDialect/Analysis/Transpose.h"
#include "FusionDialect/Analysis/Views.h"
#include "FusionDialect/Fuse/RequantizedSum.h"
#include "FusionDialect/IR/LocationText.h"
#include "FusionDialect/Loops/MergeElementwise.h"
#include "FusionDialect/Utils/ApplyPatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/RegionUtils.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fusion;

/// Whether `op` computes one tensor, each element by itself.
static bool isElementwise(Operation *op) {
  if (op->getNumResults() != 1 ||
      !isa<RankedTensorType>(op->getResultTypes()[0]))
    return false;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp ? linalg::isElementwise(linalgOp)
                  : OpTrait::hasElementwiseMappableTraits(op);
}

static bool hasBytes(Operation *op) {
  return getElementTypeOrSelf(op->getResult(0)).isInteger(8);
}

namespace {
/// An op behind a product that makes integers of 8 bits.
struct Sum {
  Operation *last;
  /// A transpose, or a reshape of what other ops have computed before; null if
  /// there is none.
  Operation *reshape;
};
} // namespace

/// Adds `op` behind the element-wise ops that it alone reads.
static void collectSteps(Operation *op, SetVector<Operation *> &steps) {
  for (Value operand : op->getOperands()) {
    Operation *before = operand.getDefiningOp();
    if (before && before->hasOneUse() && before->getBlock() == op->getBlock() &&
        isElementwise(before) && !matchPattern(operand, m_Constant()))
      collectSteps(before, steps);
  }
  steps.insert(op);
}

/// True if `last` and the element-wise ops that it alone reads compute with
/// several tensors. Constants are none.
static bool readsSeveralTensors(Operation *last) {
  SetVector<Operation *> steps;
  collectSteps(last, steps);
  SetVector<Value> tensors;
  for (Operation *step : steps) {
    auto linalgOp = dyn_cast<linalg::LinalgOp>(step);
    for (Value operand : linalgOp ? SmallVector<Value>(linalgOp.getDpsInputs())
                                  : SmallVector<Value>(step->getOperands()))
      if (!steps.contains(operand.getDefiningOp()) &&
          !matchPattern(operand, m_Constant()))
        tensors.insert(operand);
  }
  return tensors.size() > 1;
}

static void findSums(Operation *op, Operation *reshape,
                     SmallVectorImpl<Sum> &sums);

/// The sums of another tensor and the integers of 8 bits that `side` makes of
/// one; none if it is no step of such a sum.
static SmallVector<Sum> findSumsOfSide(Operation *side, Operation *reshape) {
  SmallVector<Sum> sums;
  if (!side->hasOneUse() || readsSeveralTensors(side))
    return sums;
  findSums(side, reshape, sums);
  bool isSide = llvm::any_of(sums, [&](const Sum &sum) {
    return sum.last->getBlock() == side->getBlock() &&
           readsSeveralTensors(sum.last);
  });
  return isSide ? sums : SmallVector<Sum>();
}

/// Finds the element-wise ops behind `op` that make integers of 8 bits, each of
/// which reads its result by way of others. One between is `reshape`. A
/// transpose makes no other integers.
static void findSums(Operation *op, Operation *reshape,
                     SmallVectorImpl<Sum> &sums) {
  for (Operation *user : op->getUsers()) {
    if (isView(user) && user->getNumResults() == 1) {
      findSums(user, isElementwise(op) ? user : reshape, sums);
    } else if (isTranspose(user)) {
      findSums(user, user, sums);
    } else if (isElementwise(user) && hasBytes(user)) {
      SmallVector<Sum> whole = findSumsOfSide(user, reshape);
      if (whole.empty())
        whole.push_back({user, reshape});
      sums.append(whole);
    } else if (isElementwise(user) && user->hasOneUse()) {
      findSums(user, reshape, sums);
    }
  }
}

bool fusion::isSideOfSum(Operation *op) {
  return !findSumsOfSide(op, /*reshape=*/nullptr).empty();
}

namespace {
/// An op that computes what `op` in `function` does; `operands` are what that
/// one reads in the module.
struct MergedSum {
  OwningOpRef<func::FuncOp> function;
  linalg::GenericOp op; ///< null if the steps are not one op
  SmallVector<Value> operands;
};
} // namespace

/// Copies `steps` to a function of its own, whose arguments are what they read.
static OwningOpRef<func::FuncOp> copySteps(ArrayRef<Operation *> steps,
                                           SmallVectorImpl<Value> &arguments) {
  Operation *last = steps.back();
  Location loc = last->getLoc();
  OpBuilder builder(last->getContext());
  OwningOpRef<func::FuncOp> function = func::FuncOp::create(
      loc, "sum", builder.getFunctionType({}, last->getResultTypes()));
  Block *entry = function->addEntryBlock();
  builder.setInsertionPointToEnd(entry);
  IRMapping mapping;
  auto read = [&](Value value) {
    if (mapping.contains(value))
      return;
    if (matchPattern(value, m_Constant())) {
      builder.clone(*value.getDefiningOp(), mapping);
      return;
    }
    mapping.map(value, entry->addArgument(value.getType(), value.getLoc()));
    arguments.push_back(value);
  };
  for (Operation *step : steps) {
    llvm::SetVector<Value> captured;
    getUsedValuesDefinedAbove(step->getRegions(), captured);
    llvm::for_each(step->getOperands(), read);
    llvm::for_each(captured, read);
    builder.clone(*step, mapping);
  }
  func::ReturnOp::create(builder, loc, mapping.lookup(last->getResult(0)));
  function->setType(builder.getFunctionType(entry->getArgumentTypes(),
                                            last->getResultTypes()));
  return function;
}

/// Merges the steps of the sum that `last` ends.
static MergedSum mergeSteps(Operation *last) {
  SetVector<Operation *> steps;
  collectSteps(last, steps);
  SmallVector<Value> arguments;
  MergedSum sum;
  sum.function = copySteps(steps.getArrayRef(), arguments);
  MLIRContext *context = last->getContext();
  RewritePatternSet patterns(context);
  linalg::populateElementwiseToLinalgConversionPatterns(patterns);
  populateMergeElementwisePatterns(patterns);
  if (failed(applyToFixpoint(*sum.function, std::move(patterns), "a sum")))
    return sum;
  Operation *end = sum.function->getBody().front().getTerminator();
  auto merged = end->getOperand(0).getDefiningOp<linalg::LinalgOp>();
  if (!merged)
    return sum;
  sum.op = dyn_cast<linalg::GenericOp>(merged.getOperation());
  if (!sum.op) {
    IRRewriter rewriter(merged);
    sum.op = *linalg::generalizeNamedOp(rewriter, merged);
  }
  for (Value operand : sum.op->getOperands()) {
    auto argument = dyn_cast<BlockArgument>(operand);
    sum.operands.push_back(argument ? arguments[argument.getArgNumber()]
                                    : operand);
  }
  return sum;
}

/// The tensors that `op` reads. Constants are none.
static unsigned countTensors(linalg::GenericOp op) {
  return llvm::count_if(op.getInputs(), [](Value input) {
    return !matchPattern(input, m_Constant());
  });
}

/// The last of the ops of which `fusion-compile` makes one loop with `op`: each
/// alone reads the one before.
static Operation *findEnd(Operation *op) {
  while (op->hasOneUse()) {
    Operation *reader = *op->user_begin();
    if (!isElementwise(reader))
      break;
    op = reader;
  }
  return op;
}

static LogicalResult explainEnd(FusedOpInterface op, Operation *last,
                                Refusal &refusal);

/// Fails, with the reason, if `last` ends what is computed of the result of
/// `op`, and perhaps of another tensor.
static LogicalResult explainSum(FusedOpInterface op, Operation *last,
                                Refusal &refusal) {
  MergedSum sum = mergeSteps(last);
  if (!sum.op || findBestProduct(sum.operands).op != op)
    return success();
  // With several users the result is needed anyway, so that a function of it is
  // no loss.
  bool isFunction = countTensors(sum.op) == 1;
  if (isFunction && !op->hasOneUse())
    return success();
  Refusal reason;
  if (succeeded(RequantizedSum::match(sum.op, sum.operands, last->getBlock(),
                                      reason)))
    return explainEnd(op, last, refusal);
  return refusal.because("ops up to '", last->getName().getStringRef(), "' at ",
                         getLocationText(last->getLoc()),
                         ", which make other integers of 8 bits of the result, "
                         "stay a loop: ",
                         reason.str());
}

/// The same for the ops that merge with the sum that `last` ends, since they
/// alone read it.
static LogicalResult explainEnd(FusedOpInterface op, Operation *last,
                                Refusal &refusal) {
  Operation *end = findEnd(last);
  if (end == last)
    return success();
  if (hasBytes(end))
    return explainSum(op, end, refusal);
  if (findBestProduct(mergeSteps(end).operands).op != op)
    return success();
  return refusal.because(
      "the loop of the sum that '", last->getName().getStringRef(), "' at ",
      getLocationText(last->getLoc()), " makes ends with '",
      end->getName().getStringRef(), "' at ", getLocationText(end->getLoc()),
      ", which makes ", getElementTypeOrSelf(end->getResult(0)),
      " of it, expected i8");
}

/// Fails, with the reason, if the only op that reads the sums of `op` computes
/// with them, and is none that a law asks about.
static LogicalResult checkReader(FusedOpInterface op, Refusal &refusal) {
  Operation *reader = op;
  do {
    if (!reader->hasOneUse())
      return success();
    reader = *reader->user_begin();
  } while (isView(reader));
  StringRef name = reader->getName().getStringRef();
  auto linalgOp = dyn_cast<linalg::LinalgOp>(reader);
  if (!linalgOp && isElementwise(reader))
    return refusal.because("unsupported: next op '", name, "' at ",
                           getLocationText(reader->getLoc()),
                           " computes on tensors, expected an op of linalg");
  if (linalgOp && reader->getNumResults() > 1)
    return refusal.because("unsupported: next op '", name, "' at ",
                           getLocationText(reader->getLoc()), " has ",
                           reader->getNumResults(), " results");
  if (!linalgOp || !isElementwise(reader))
    return success();
  Type type = getElementTypeOrSelf(reader->getResult(0));
  if (type.isInteger(8) || type.isInteger(32) || type.isF32())
    return success();
  return refusal.because("unsupported: next op '", name, "' at ",
                         getLocationText(reader->getLoc()), " makes ", type,
                         " of the sum, expected i8 or f32");
}

LogicalResult fusion::explainReaders(FusedOpInterface op, Refusal &refusal) {
  if (op->getNumResults() == 1 &&
      op.getOutputType().getElementType().isInteger(32))
    return checkReader(op, refusal);
  if (op->getNumResults() != 1 || !hasBytes(op) ||
      !op.getContext()->getLoadedDialect<func::FuncDialect>())
    return success();
  SmallVector<Sum> sums;
  findSums(op, /*reshape=*/nullptr, sums);
  for (auto [last, reshape] : sums) {
    if (reshape && op->hasOneUse())
      return refusal.because(
          "unsupported: '", reshape->getName().getStringRef(), "' at ",
          getLocationText(reshape->getLoc()), " comes between the result and '",
          last->getName().getStringRef(), "' at ",
          getLocationText(last->getLoc()));
    if (failed(explainSum(op, last, refusal)))
      return failure();
  }
  return success();
}
