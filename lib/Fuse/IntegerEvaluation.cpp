//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ConstantElements.h"
#include "FusionDialect/Analysis/Views.h"
#include "FusionDialect/Fuse/ConstantEvaluation.h"
#include "FusionDialect/Support/LLVMCompat.h"
#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fusion;

using Integers = std::vector<int64_t>;

/// The elements of a constant; only one if all are the same.
static FailureOr<Integers> readIntegers(Attribute attr, Refusal &refusal) {
  if (auto number = dyn_cast<IntegerAttr>(attr))
    return Integers{number.getValue().getSExtValue()};
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    auto type = cast<ShapedType>(resource.getType());
    if (!blob || !isValidRawBuffer(type, blob->getData()))
      return refusal.because("a resource has no data");
    attr = DenseElementsAttr::getFromRawBuffer(type, blob->getData());
  }
  auto elements = dyn_cast<DenseElementsAttr>(attr);
  if (!elements)
    return refusal.because("constant ", attr, " is not dense");
  if (elements.isSplat())
    return Integers{elements.getSplatValue<APInt>().getSExtValue()};
  Integers numbers;
  numbers.reserve(elements.getNumElements());
  for (const APInt &number : elements.getValues<APInt>())
    numbers.push_back(number.getSExtValue());
  return numbers;
}

namespace {
class IntegerEvaluator {
public:
  /// The elements of `value`; only one if all are the same.
  FailureOr<Integers> evaluate(Value value, Refusal &refusal);

private:
  /// The same without a look at what is known.
  FailureOr<Integers> evaluateNew(Value value, Refusal &refusal);

  /// In a chain whose ops read the one before twice, each would be computed
  /// twice as often as the one behind it.
  DenseMap<Value, Integers> known;
};

/// Runs the body of an op of linalg for each point of its loops.
class IntegerLoops {
public:
  IntegerLoops(IntegerEvaluator &evaluator, linalg::LinalgOp op)
      : evaluator(evaluator), op(op) {}

  FailureOr<Integers> run(Refusal &refusal);

private:
  /// An operand, and the distance of neighbours along each loop.
  struct Operand {
    Integers elements;
    SmallVector<int64_t> strides;
  };

  struct Step {
    enum { Add, Sub, Mul, ExtendUnsigned, Wrap } kind;
    unsigned result, lhs, rhs; ///< places in `numbers`
    unsigned width, sourceWidth;
  };

  LogicalResult readOperands(Refusal &refusal);
  LogicalResult readBody(Refusal &refusal);
  FailureOr<Step> readStep(Operation &inner, Refusal &refusal);
  unsigned getPlace(Value value);
  void runBody();

  IntegerEvaluator &evaluator;
  linalg::LinalgOp op;
  SmallVector<Operand> operands;
  SmallVector<Step> steps;
  /// The values of the body: its arguments first.
  DenseMap<Value, unsigned> places;
  SmallVector<int64_t> numbers;
};
} // namespace

LogicalResult IntegerLoops::readOperands(Refusal &refusal) {
  for (OpOperand &operand : op->getOpOperands()) {
    Operand read;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    read.strides.assign(op.getNumLoops(), 0);
    bool isRead = op.payloadUsesValueFromOperand(&operand);
    bool isInit = op.isDpsInit(&operand);
    auto type = dyn_cast<RankedTensorType>(operand.get().getType());
    if (type && !type.hasStaticShape())
      return refusal.because("sizes are not known at compile time");
    size_t count = type ? type.getNumElements() : 1;
    if (isRead) {
      FailureOr<Integers> elements = evaluator.evaluate(operand.get(), refusal);
      if (failed(elements))
        return failure();
      read.elements = std::move(*elements);
    }
    if (isInit)
      read.elements.resize(count, read.elements.empty() ? 0 : read.elements[0]);
    bool isUniform = !isInit && read.elements.size() <= 1;
    SmallVector<int64_t> sizes =
        type ? computeStrides(type.getShape()) : SmallVector<int64_t>();
    for (auto [expr, stride] : llvm::zip(map.getResults(), sizes)) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!isUniform && !loop)
        return refusal.because("a constant is indexed by ", expr);
      if (!isUniform)
        read.strides[loop.getPosition()] += stride;
    }
    operands.push_back(std::move(read));
  }
  return success();
}

unsigned IntegerLoops::getPlace(Value value) {
  auto [place, isNew] = places.try_emplace(value, numbers.size());
  if (isNew)
    numbers.push_back(0);
  return place->second;
}

FailureOr<IntegerLoops::Step> IntegerLoops::readStep(Operation &inner,
                                                     Refusal &refusal) {
  Step step{};
  if (!llvm::all_of(inner.getOperandTypes(), llvm::IsaPred<IntegerType>))
    return refusal.because("'", inner.getName().getStringRef(),
                           "' is not on integers");
  if (isa<arith::AddIOp>(inner))
    step.kind = Step::Add;
  else if (isa<arith::SubIOp>(inner))
    step.kind = Step::Sub;
  else if (isa<arith::MulIOp>(inner))
    step.kind = Step::Mul;
  else if (isa<arith::ExtUIOp>(inner))
    step.kind = Step::ExtendUnsigned;
  else if (isa<arith::ExtSIOp, arith::TruncIOp>(inner))
    step.kind = Step::Wrap;
  else
    return refusal.because("'", inner.getName().getStringRef(),
                           "' is not computed at compile time");
  Value result = inner.getResult(0), lhs = inner.getOperand(0);
  step.width = result.getType().getIntOrFloatBitWidth();
  step.sourceWidth = lhs.getType().getIntOrFloatBitWidth();
  step.lhs = getPlace(lhs);
  step.rhs = getPlace(inner.getOperands().back());
  step.result = getPlace(result);
  return step;
}

LogicalResult IntegerLoops::readBody(Refusal &refusal) {
  Block *body = op.getBlock();
  for (BlockArgument argument : body->getArguments())
    getPlace(argument);
  for (Operation &inner : *body) {
    for (Value operand : inner.getOperands()) {
      APInt number;
      if (matchPattern(operand, m_ConstantInt(&number)))
        numbers[getPlace(operand)] = number.getSExtValue();
      else if (operand.getParentBlock() != body)
        return refusal.because("a scalar is not known at compile time");
    }
    if (inner.hasTrait<OpTrait::IsTerminator>() ||
        inner.hasTrait<OpTrait::ConstantLike>())
      continue;
    FailureOr<Step> step = readStep(inner, refusal);
    if (failed(step))
      return failure();
    steps.push_back(*step);
  }
  return success();
}

void IntegerLoops::runBody() {
  for (const Step &step : steps) {
    // Without a sign, so that the host's integers wrap as well.
    auto lhs = static_cast<uint64_t>(numbers[step.lhs]);
    auto rhs = static_cast<uint64_t>(numbers[step.rhs]);
    switch (step.kind) {
    case Step::Add:
      lhs += rhs;
      break;
    case Step::Sub:
      lhs -= rhs;
      break;
    case Step::Mul:
      lhs *= rhs;
      break;
    case Step::ExtendUnsigned:
      lhs &= llvm::maskTrailingOnes<uint64_t>(step.sourceWidth);
      break;
    case Step::Wrap:
      break;
    }
    numbers[step.result] = llvm::SignExtend64(lhs, step.width);
  }
}

FailureOr<Integers> IntegerLoops::run(Refusal &refusal) {
  SmallVector<int64_t> shape = op.getStaticLoopRanges();
  if (op->getNumResults() != 1 || llvm::any_of(shape, ShapedType::isDynamic))
    return refusal.because("sizes are not known at compile time");
  if (failed(checkCount(shape, refusal)) || failed(readOperands(refusal)) ||
      failed(readBody(refusal)))
    return failure();
  unsigned yielded = getPlace(op.getBlock()->getTerminator()->getOperand(0));
  Integers &result = operands.back().elements;
  SmallVector<int64_t> index(shape.size(), 0), at(operands.size(), 0);
  for (int64_t left = ShapedType::getNumElements(shape); left > 0; --left) {
    for (auto [number, operand] : llvm::enumerate(operands))
      if (!operand.elements.empty())
        numbers[number] = operand.elements[at[number]];
    runBody();
    result[at.back()] = numbers[yielded];
    // The next point, the last loop first.
    for (size_t loop = shape.size(); loop-- != 0;) {
      bool isOver = ++index[loop] == shape[loop];
      for (auto [operand, position] : llvm::zip_equal(operands, at))
        position +=
            operand.strides[loop] * (isOver ? 1 - shape[loop] : int64_t(1));
      if (!isOver)
        break;
      index[loop] = 0;
    }
  }
  return std::move(result);
}

FailureOr<Integers> IntegerEvaluator::evaluateNew(Value value,
                                                  Refusal &refusal) {
  Attribute attr;
  if (matchPattern(value, m_Constant(&attr)))
    return readIntegers(attr, refusal);
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || !type.getElementType().isInteger())
    return refusal.because("type ", value.getType(),
                           " is not a static tensor of integers");
  Operation *op = value.getDefiningOp();
  if (isView(op))
    return evaluate(op->getOperand(0), refusal);
  if (auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op))
    return IntegerLoops(*this, linalgOp).run(refusal);
  return refusal.because("value is not known at compile time");
}

FailureOr<Integers> IntegerEvaluator::evaluate(Value value, Refusal &refusal) {
  if (auto before = known.find(value); before != known.end())
    return before->second;
  FailureOr<Integers> elements = evaluateNew(value, refusal);
  // Where one fails, the whole does.
  if (succeeded(elements))
    known[value] = *elements;
  return elements;
}

FailureOr<Integers> fusion::evaluateIntegers(Value value, Refusal &refusal) {
  FailureOr<Integers> elements = IntegerEvaluator().evaluate(value, refusal);
  if (succeeded(elements) && elements->size() == 1)
    elements->resize(cast<ShapedType>(value.getType()).getNumElements(),
                     elements->front());
  return elements;
}
