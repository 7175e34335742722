//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FusionDialect/Fuse/ConstantEvaluation.h"
#include "ConstantElements.h"
#include "FusionDialect/Analysis/EvaluateScalar.h"
#include "FusionDialect/Analysis/Flip.h"
#include "FusionDialect/Analysis/Padding.h"
#include "FusionDialect/Analysis/Views.h"
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Support/TensorSize.h"
#include "MoveElements.h"
#include "mlir/Analysis/FlatLinearValueConstraints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Threading.h"

using namespace mlir;
using namespace fusion;

using Kind = ScalarExpr::Kind;
using Node = ScalarExpr::Node;

//===----------------------------------------------------------------------===//
// Evaluating
//===----------------------------------------------------------------------===//

namespace {
/// Evaluates values, and remembers each result, since a value may be read on
/// many paths.
class Evaluator {
public:
  FailureOr<Elements> evaluate(Value value, Refusal &refusal);
  /// The same without a look at what is known. If `isF32`, elements that are
  /// computed may be rounded to f32 at once.
  FailureOr<Elements> evaluateNew(Value value, bool isF32, Refusal &refusal);

private:
  /// Null for values that cannot be computed.
  DenseMap<Value, Elements> known;
};

/// The elements of an operand, addressed by the index of the iteration space.
struct OperandElements {
  Elements elements;
  /// The distance of neighbours in each dimension of the iteration space.
  SmallVector<int64_t> strides;
  int64_t offset = 0;

  int64_t getPosition(ArrayRef<int64_t> index) const {
    int64_t position = offset;
    for (auto [place, stride] : llvm::zip_equal(index, strides))
      position += place * stride;
    return position;
  }
};

/// A node of the expression. `arguments` are the numbers of the steps it reads.
struct Step {
  const Node *node;
  SmallVector<unsigned, 3> arguments;
  std::optional<OperandElements> operand;
};

/// Computes an element-wise op, row by row.
class Evaluation {
public:
  Evaluation(Evaluator &evaluator, const ScalarExpr &expr,
             ArrayRef<int64_t> shape)
      : evaluator(evaluator), expr(expr), shape(shape) {}

  LogicalResult prepare(Refusal &refusal);
  FailureOr<Elements> run(bool isF32, Refusal &refusal);

private:
  using Rows = std::vector<std::vector<double>>; // one for each step

  FailureOr<unsigned> addSteps(const ScalarExpr &expr, Refusal &refusal);
  const ScalarExpr *matchProducer(Value value, AffineMap map);
  bool readsSplatsAlone() const;
  void mergeDimensions();
  void computeRow(ArrayRef<int64_t> index, size_t length, Rows &rows) const;
  void computeElements(size_t begin, size_t end, Elements &elements) const;

  Evaluator &evaluator;
  const ScalarExpr &expr;
  SmallVector<int64_t> shape;
  std::vector<std::unique_ptr<ScalarExpr>> producers;
  std::vector<Step> steps;
  unsigned root = 0;
};
} // namespace

static FailureOr<OperandElements> readOperand(Evaluator &evaluator,
                                              const ScalarExpr &expr,
                                              unsigned input,
                                              Refusal &refusal) {
  Value value = expr.getInput(input);
  FailureOr<Elements> elements = evaluator.evaluate(value, refusal);
  if (failed(elements))
    return failure();
  AffineMap map = expr.getInputMap(input);
  OperandElements operand{std::move(*elements),
                          SmallVector<int64_t>(map.getNumDims(), 0)};
  ArrayRef<int64_t> sizes = cast<ShapedType>(value.getType()).getShape();
  int64_t stride = 1;
  // A splat has the same element everywhere, so that no index counts.
  int64_t rank = operand.elements.isSplat ? 0 : sizes.size();
  for (int64_t i = rank - 1; i >= 0; --i) {
    // Each index is a sum: a factor for each dimension, and a constant.
    SmallVector<int64_t> factors;
    if (failed(getFlattenedAffineExpr(map.getResult(i), map.getNumDims(),
                                      /*numSymbols=*/0, &factors)) ||
        factors.size() != map.getNumDims() + 1)
      return refusal.because("a constant is indexed by ", map.getResult(i));
    operand.offset += factors.pop_back_val() * stride;
    for (auto [total, factor] : llvm::zip_equal(operand.strides, factors))
      total += factor * stride;
    stride *= sizes[i];
  }
  return operand;
}

LogicalResult Evaluation::prepare(Refusal &refusal) {
  FailureOr<unsigned> number = addSteps(expr, refusal);
  root = number.value_or(0);
  return number;
}

/// The element-wise op that computes `value` for no one else, read by `map`
/// element for element. Its rows need no memory of their own. Null if it is
/// another op.
const ScalarExpr *Evaluation::matchProducer(Value value, AffineMap map) {
  Refusal ignored = Refusal::unread();
  Operation *op = value.getDefiningOp();
  if (!op || !value.hasOneUse() || !map.isIdentity() ||
      !isa<FloatType>(getElementTypeOrSelf(value)))
    return nullptr;
  FailureOr<ScalarExpr> producer = ScalarExpr::match(op, ignored);
  if (failed(producer))
    return nullptr;
  producers.push_back(std::make_unique<ScalarExpr>(std::move(*producer)));
  return producers.back().get();
}

/// Adds the steps of `expr`, and returns the number of the last one.
FailureOr<unsigned> Evaluation::addSteps(const ScalarExpr &expr,
                                         Refusal &refusal) {
  DenseMap<const Node *, unsigned> numberOf;
  for (const std::unique_ptr<Node> &node : expr.getNodes()) {
    // A destination that is not read has a node, too.
    if (node->users.empty() && node.get() != expr.getRoot())
      continue;
    Step step{node.get(), {}, std::nullopt};
    for (const Node *operand : node->operands)
      step.arguments.push_back(numberOf.at(operand));
    if (node->kind == Kind::Input) {
      if (const ScalarExpr *producer = matchProducer(
              expr.getInput(node->input), expr.getInputMap(node->input))) {
        FailureOr<unsigned> number = addSteps(*producer, refusal);
        if (failed(number))
          return failure();
        numberOf[node.get()] = *number;
        continue;
      }
      FailureOr<OperandElements> operand =
          readOperand(evaluator, expr, node->input, refusal);
      if (failed(operand))
        return failure();
      step.operand = std::move(*operand);
    } else if (node->kind != Kind::Constant && !isComputable(node->kind)) {
      return refusal.because("a scalar is not known at compile time");
    }
    numberOf[node.get()] = steps.size();
    steps.push_back(std::move(step));
  }
  return numberOf.at(expr.getRoot());
}

/// Merges adjacent dimensions that all operands walk through alike, so that
/// rows are long.
void Evaluation::mergeDimensions() {
  SmallVector<int64_t> merged = {1};
  std::vector<SmallVector<int64_t>> strides(steps.size(),
                                            SmallVector<int64_t>{0});
  for (auto [dim, size] : llvm::enumerate(shape)) {
    bool continues = true;
    for (auto [i, step] : llvm::enumerate(steps))
      if (continues && step.operand)
        continues = strides[i].back() == step.operand->strides[dim] * size;
    if (continues)
      merged.back() *= size;
    else
      merged.push_back(size);
    for (auto [i, step] : llvm::enumerate(steps)) {
      if (!step.operand)
        continue;
      if (continues)
        strides[i].pop_back();
      strides[i].push_back(step.operand->strides[dim]);
    }
  }
  shape = merged;
  for (auto [i, step] : llvm::enumerate(steps))
    if (step.operand)
      step.operand->strides = strides[i];
}

/// Computes `length` elements of the row that begins at `index`.
void Evaluation::computeRow(ArrayRef<int64_t> index, size_t length,
                            Rows &rows) const {
  SmallVector<ArrayRef<double>, 3> arguments;
  for (auto [step, numbers] : llvm::zip_equal(steps, rows)) {
    MutableArrayRef<double> row =
        MutableArrayRef<double>(numbers).take_front(length);
    if (step.operand) {
      step.operand->elements.read(step.operand->getPosition(index),
                                  step.operand->strides.back(), row);
    } else if (step.node->kind != Kind::Constant) {
      arguments.clear();
      for (unsigned argument : step.arguments)
        arguments.push_back(ArrayRef(rows[argument]).take_front(length));
      evaluateScalar(*step.node, arguments, row);
    }
  }
}

void Evaluation::computeElements(size_t begin, size_t end,
                                 Elements &elements) const {
  // Rows stay in the cache.
  size_t length = std::min<size_t>(shape.back(), 1024);
  Rows rows;
  for (const Step &step : steps)
    rows.emplace_back(length, step.node->constant);
  SmallVector<int64_t> strides = computeStrides(shape);
  while (begin != end) {
    SmallVector<int64_t> index = delinearize(begin, strides);
    size_t count =
        std::min<size_t>({length, end - begin,
                          static_cast<size_t>(shape.back() - index.back())});
    computeRow(index, count, rows);
    elements.write(begin, ArrayRef(rows[root]).take_front(count));
    begin += count;
  }
}

bool Evaluation::readsSplatsAlone() const {
  return llvm::all_of(steps, [](const Step &step) {
    return !step.operand || step.operand->elements.isSplat;
  });
}

FailureOr<Elements> Evaluation::run(bool isF32, Refusal &refusal) {
  if (countElements(shape) == 0)
    return makeElements({});
  bool isSplat = readsSplatsAlone();
  if (isSplat) {
    shape.clear();
    for (Step &step : steps)
      if (step.operand)
        step.operand->strides.clear();
  } else if (failed(checkCount(shape, refusal))) {
    return failure();
  }
  mergeDimensions();
  size_t count = ShapedType::getNumElements(shape);
  Elements elements = allocateElements(count, isF32 && !isSplat, isSplat);
  constexpr size_t share = 1 << 16; // one of several threads computes so many
  parallelFor(expr.getRoot()->value.getContext(), 0,
              llvm::divideCeil(count, share), [&](size_t i) {
                computeElements(i * share, std::min((i + 1) * share, count),
                                elements);
              });
  return elements;
}

/// The elements of a tensor of `shape`: the source of `padding`, and the number
/// around it.
static FailureOr<Elements> evaluatePadding(Evaluator &evaluator,
                                           const Padding &padding,
                                           ArrayRef<int64_t> shape,
                                           Refusal &refusal) {
  auto type = cast<RankedTensorType>(padding.source.getType());
  if (!padding.number)
    return refusal.because("what is padded with is not known");
  std::optional<SmallVector<int64_t>> low = getConstantIntValues(padding.low);
  std::optional<SmallVector<int64_t>> high = getConstantIntValues(padding.high);
  auto isNegative = [](int64_t number) { return number < 0; };
  if (!low || !high || llvm::any_of(*low, isNegative) ||
      llvm::any_of(*high, isNegative))
    return refusal.because("how much is padded is not known, or negative");
  FailureOr<Elements> elements = evaluator.evaluate(padding.source, refusal);
  if (failed(elements) || failed(checkCount(shape, refusal)))
    return failure();
  FailureOr<std::vector<double>> numbers =
      expand(*elements, type.getShape(), refusal);
  if (failed(numbers))
    return failure();
  return makeElements(
      padElements(*numbers, type.getShape(), shape, *low, *padding.number));
}

static FailureOr<Elements> evaluateSlice(Evaluator &evaluator,
                                         tensor::ExtractSliceOp slice,
                                         Refusal &refusal) {
  if (!slice.getOffsets().empty() || !slice.getStrides().empty())
    return refusal.because("where a slice begins is not known at compile time");
  FailureOr<Elements> elements = evaluator.evaluate(slice.getSource(), refusal);
  if (failed(elements))
    return failure();
  return sliceElements(*elements, slice.getSourceType().getShape(),
                       slice.getStaticOffsets(), slice.getStaticSizes(),
                       slice.getStaticStrides());
}

FailureOr<Elements> Evaluator::evaluateNew(Value value, bool isF32,
                                           Refusal &refusal) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  if (!type || !type.hasStaticShape() || !isa<FloatType>(type.getElementType()))
    return refusal.because("type ", value.getType(),
                           " is not a static tensor of floats");
  if (!countElements(type.getShape()))
    return checkCount(type.getShape(), refusal);
  Attribute attr;
  if (matchPattern(value, m_Constant(&attr)))
    return readConstant(attr, type.getShape(), refusal);
  Operation *op = value.getDefiningOp();
  if (!op)
    return refusal.because("value is not known at compile time");
  // A cast or reshape keeps the row-major order of the elements.
  if (isView(op))
    return isF32 ? evaluateNew(op->getOperand(0), isF32, refusal)
                 : evaluate(op->getOperand(0), refusal);
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(op))
    return evaluateSlice(*this, slice, refusal);
  if (std::optional<Flip> flip = matchFlip(value)) {
    FailureOr<Elements> elements = evaluate(flip->source, refusal);
    if (failed(elements) || elements->isSplat)
      return elements;
    FailureOr<std::vector<double>> numbers =
        expand(*elements, type.getShape(), refusal);
    if (failed(numbers))
      return failure();
    return makeElements(
        flipElements(std::move(*numbers), type.getShape(), flip->dims));
  }
  if (std::optional<Padding> padding = findPadding(value))
    return evaluatePadding(*this, *padding, type.getShape(), refusal);
  FailureOr<ScalarExpr> expr = ScalarExpr::match(op, refusal);
  if (failed(expr))
    return failure();
  Evaluation evaluation(*this, *expr, type.getShape());
  if (failed(evaluation.prepare(refusal)))
    return failure();
  return evaluation.run(isF32, refusal);
}

FailureOr<Elements> Evaluator::evaluate(Value value, Refusal &refusal) {
  if (auto before = known.find(value); before != known.end()) {
    if (before->second)
      return before->second;
    return refusal.because("a value is not known at compile time");
  }
  FailureOr<Elements> elements = evaluateNew(value, /*isF32=*/false, refusal);
  known[value] = succeeded(elements) ? *elements : Elements();
  return elements;
}

FailureOr<std::vector<double>> fusion::evaluateConstant(Value value,
                                                        Refusal &refusal) {
  FailureOr<Elements> elements = Evaluator().evaluate(value, refusal);
  if (failed(elements))
    return failure();
  return expand(*elements, cast<ShapedType>(value.getType()).getShape(),
                refusal);
}

//===----------------------------------------------------------------------===//
// Patterns
//===----------------------------------------------------------------------===//

namespace {
struct EvaluateConstantOperands
    : public OpInterfaceRewritePattern<FusedOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(FusedOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (isa<QuantizedOpInterface>(op.getOperation()))
      return rewriter.notifyMatchFailure(op, "only floats are evaluated");
    SmallVector<Value> operands{op.getFilter()};
    if (op.getBias())
      operands.push_back(op.getBias());
    bool changed = false;
    Refusal refusal;
    for (Value operand : operands) {
      Attribute attr;
      if (matchPattern(operand, m_Constant(&attr))) {
        (void)refusal.because("filter and bias are constants already");
        continue;
      }
      // The evaluator refuses memrefs.
      FailureOr<Elements> elements = Evaluator().evaluateNew(
          operand, getElementTypeOrSelf(operand).isF32(), refusal);
      if (failed(elements))
        continue;
      Value constant = arith::ConstantOp::create(
          rewriter, operand.getLoc(),
          createConstantAttr(cast<RankedTensorType>(operand.getType()),
                             std::move(*elements)));
      rewriter.modifyOpInPlace(
          op, [&] { op->replaceUsesOfWith(operand, constant); });
      changed = true;
    }
    return changed ? success() : refusal.notify(rewriter, op);
  }
};
} // namespace

/// The elements of `scalar`, in the body of `op`, over its iteration space.
static FailureOr<Elements>
evaluateScalarInBody(linalg::GenericOp op, Value scalar, Refusal &refusal) {
  SmallVector<int64_t> shape = op.getStaticLoopRanges();
  if (llvm::any_of(shape, ShapedType::isDynamic))
    return refusal.because("sizes are not known at compile time");
  FailureOr<ScalarExpr> expr = ScalarExpr::matchScalar(op, scalar, refusal);
  if (failed(expr))
    return failure();
  Evaluator evaluator;
  Evaluation evaluation(evaluator, *expr, shape);
  if (failed(evaluation.prepare(refusal)))
    return failure();
  return evaluation.run(/*isF32=*/false, refusal);
}

/// Fails unless `condition` holds for each element.
static LogicalResult checkIsTrue(linalg::GenericOp op, arith::CmpFOp condition,
                                 Refusal &refusal) {
  auto lhs = evaluateScalarInBody(op, condition.getLhs(), refusal);
  if (failed(lhs))
    return failure();
  auto rhs = evaluateScalarInBody(op, condition.getRhs(), refusal);
  if (failed(rhs))
    return failure();
  size_t count = std::max(lhs->size(), rhs->size());
  for (size_t i = 0; i != count; ++i) {
    double a = (*lhs)[i], b = (*rhs)[i];
    if (!arith::applyCmpPredicate(condition.getPredicate(), APFloat(a),
                                  APFloat(b)))
      return refusal.because("the assertion fails for ", a, " and ", b);
  }
  return success();
}

namespace {
/// Erases an assertion about constants that is known to hold: torch-mlir's
/// batch norm asserts that no standard deviation is zero.
struct EraseProvenAssertion : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    (void)refusal.because("there is no assertion");
    for (auto assertion : op.getBlock()->getOps<cf::AssertOp>()) {
      auto condition = assertion.getArg().getDefiningOp<arith::CmpFOp>();
      if (!condition || condition->getBlock() != op.getBlock()) {
        (void)refusal.because("what is asserted is no comparison");
        continue;
      }
      if (failed(checkIsTrue(op, condition, refusal)))
        continue;
      rewriter.modifyOpInPlace(op, [&] { rewriter.eraseOp(assertion); });
      return success();
    }
    return refusal.notify(rewriter, op);
  }
};
} // namespace

void fusion::populateConstantEvaluationPatterns(RewritePatternSet &patterns) {
  patterns.add<EvaluateConstantOperands>(patterns.getContext());
}

void fusion::populateProvenAssertionPatterns(RewritePatternSet &patterns) {
  patterns.add<EraseProvenAssertion>(patterns.getContext());
}
