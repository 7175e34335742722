//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Patterns of one op: pools, element-wise ops, concat and softmax.

#include "CompositeMatch.h"
#include "FusionDialect/Analysis/Padding.h"
#include "FusionDialect/Analysis/ScalarExpr.h"
#include "FusionDialect/Fuse/Raise.h"

using namespace mlir;
using namespace fusion;

using Kind = ScalarExpr::Kind;

namespace {
class OpMatcher : public CompositeMatcher {
public:
  OpMatcher(const PatternName &name, const PartitionOptions &options,
            FuseProbe &probe)
      : name(name), options(options), probe(probe) {}

  bool mayBegin(Operation *root) override {
    return root->getNumResults() == 1 &&
           isa<RankedTensorType>(root->getResult(0).getType()) &&
           !isRaisable(root) && !isDead(root);
  }
  FailureOr<CompositeMatch> match(Operation *root, const TakenOps &taken,
                                  Refusal &refusal) override;

private:
  FailureOr<CompositeMatch>
  matchOps(Operation *root, const ProducerOptions &producers, Refusal &refusal);
  LogicalResult matchPool(Operation *root, Pooling pooling,
                          const ProducerOptions &producers,
                          CompositeMatch &match, Refusal &refusal);
  LogicalResult matchAverage(Operation *root, const ProducerOptions &producers,
                             CompositeMatch &match, Refusal &refusal);
  LogicalResult checkComputes(Operation *root, const CompositeMatch &match,
                              Refusal &refusal);

  PatternName name;
  const PartitionOptions &options;
  FuseProbe &probe;
};
} // namespace

/// The only op that uses the result of `op`; null if there are several.
static Operation *getOnlyUser(Operation *op) {
  Operation *only = nullptr;
  for (Operation *user : op->getUsers()) {
    if (isDead(user))
      continue;
    if (only && only != user)
      return nullptr;
    only = user;
  }
  return only;
}

/// Whether `op` divides `sum`, a sum over windows of `size` elements, by
/// `size`.
static LogicalResult checkIsAverage(Operation *op, Value sum, double size,
                                    Refusal &refusal) {
  FailureOr<ScalarExpr> expr = ScalarExpr::match(op, refusal);
  if (failed(expr))
    return failure();
  ScalarExpr::Node *root = expr->getRoot();
  bool divides = root->kind == Kind::Div;
  if (!divides && root->kind != Kind::Mul)
    return refusal.because("the sum of a window is not divided");
  auto isSum = [&](ScalarExpr::Node *node) {
    return node->kind == Kind::Input && expr->getInput(node->input) == sum;
  };
  ScalarExpr::Node *value = root->operands[0], *factor = root->operands[1];
  if (!divides && !isSum(value))
    std::swap(value, factor);
  std::optional<double> number;
  if (factor->kind == Kind::Constant)
    number = factor->constant;
  else if (factor->kind == Kind::Input)
    number = getUniformNumber(expr->getInput(factor->input));
  // The inverse of the size is rounded to the type of the elements.
  if (!isSum(value) || !number ||
      std::abs((divides ? *number : 1.0 / *number) - size) > 1e-3 * size)
    return refusal.because("the sum of a window is not divided by ", size,
                           ", the number of its elements");
  return success();
}

/// The insertions, ending with `last`, that fill an empty tensor. Empty if
/// something else uses a part of it, or if other ops write to it.
static SmallVector<Operation *> findInsertions(tensor::InsertSliceOp last) {
  SmallVector<Operation *> insertions;
  for (auto insert = last; insert;
       insert = insert.getDest().getDefiningOp<tensor::InsertSliceOp>()) {
    if (insert != last &&
        (!insert->hasOneUse() || insert->getBlock() != last->getBlock()))
      return {};
    insertions.push_back(insert);
    if (insert.getDest().getDefiningOp<tensor::EmptyOp>()) {
      std::reverse(insertions.begin(), insertions.end());
      return insertions;
    }
  }
  return {};
}

/// Whether `insertions` put whole tensors one behind the other along one
/// dimension, and fill the result.
static LogicalResult checkIsConcat(ArrayRef<Operation *> insertions,
                                   Refusal &refusal) {
  if (insertions.size() < 2)
    return refusal.because("'tensor.insert_slice' fills no empty tensor with "
                           "other ones");
  auto type =
      cast<RankedTensorType>(insertions.front()->getResult(0).getType());
  SmallVector<int64_t> filled(type.getRank(), 0);
  std::optional<int64_t> along;
  for (Operation *op : insertions) {
    auto insert = cast<tensor::InsertSliceOp>(op);
    if (!insert.hasUnitStride() || !type.hasStaticShape() ||
        insert.getSourceType().getRank() != type.getRank() ||
        !insert.getSourceType().hasStaticShape())
      return refusal.because("unsupported: 'tensor.insert_slice' with strides, "
                             "dynamic sizes or another rank");
    for (auto [dim, size] :
         llvm::enumerate(insert.getSourceType().getShape())) {
      bool isPart = size != type.getDimSize(dim);
      if (isPart && along.value_or(dim) != static_cast<int64_t>(dim))
        return refusal.because("parts are inserted along several dimensions");
      if (isPart)
        along = dim;
      if (insert.getStaticOffsets()[dim] != (isPart ? filled[dim] : 0))
        return refusal.because("parts are not inserted one behind the other");
      filled[dim] += isPart ? size : 0;
    }
  }
  if (!along || filled[*along] != type.getDimSize(*along))
    return refusal.because("a part of the tensor is not filled");
  return success();
}

/// Whether `root` is a pool.
LogicalResult OpMatcher::matchPool(Operation *root, Pooling pooling,
                                   const ProducerOptions &producers,
                                   CompositeMatch &match, Refusal &refusal) {
  auto pool = dyn_cast<linalg::LinalgOp>(root);
  if (!pool || !linalg::isaConvolutionOpInterface(pool) ||
      pool.getNumDpsInputs() != 2)
    return refusal.because("'", root->getName().getStringRef(), "' is no pool");
  RootOperands operands{pool.getDpsInputs()[0], pool.getDpsInputs()[1]};
  Value source = getPaddedSource(operands.input);
  // A padding that cannot be folded into the pool stays outside.
  FailureOr<Pooling> read = failure();
  for (bool takesPad : {true, false}) {
    ProducerOptions each = producers;
    each.takePad = takesPad;
    match.ops = collectProducers(match.main, operands, each);
    read = probe.readPool(match.ops.getArrayRef(), root->getResult(0), refusal);
    if (succeeded(read) || source == operands.input)
      break;
  }
  if (failed(read))
    return failure();
  if (*read != pooling)
    return refusal.because("a pool of another kind");
  return success();
}

/// Adds the op that divides the sums of the pool `root` by the window's size.
LogicalResult OpMatcher::matchAverage(Operation *root,
                                      const ProducerOptions &producers,
                                      CompositeMatch &match, Refusal &refusal) {
  Operation *average = getOnlyUser(root);
  if (!average || average->getBlock() != root->getBlock())
    return refusal.because("the sums of a pool are used in several places");
  auto window = cast<ShapedType>(root->getOperand(1).getType());
  match.main.push_back(average);
  match.ops.insert_range(collectProducers(average, std::nullopt, producers));
  return checkIsAverage(average, root->getResult(0),
                        static_cast<double>(window.getNumElements()), refusal);
}

/// Whether `root` is the element-wise op that the name asks for.
LogicalResult OpMatcher::checkComputes(Operation *root,
                                       const CompositeMatch &match,
                                       Refusal &refusal) {
  FailureOr<ScalarExpr> expr = ScalarExpr::match(root, refusal);
  if (failed(expr))
    return failure();
  if (!isMemoryEffectFree(root))
    return refusal.because("'", root->getName().getStringRef(),
                           "' has side effects");
  ScalarExpr::Node *result = expr->getRoot();
  if (name.op == "add") {
    bool isSum = result->kind == Kind::Add &&
                 llvm::all_of(result->operands, [](ScalarExpr::Node *operand) {
                   return operand->kind == Kind::Input;
                 });
    return isSum ? success()
                 : refusal.because("'", root->getName().getStringRef(),
                                   "' is no sum of two tensors");
  }
  ActivationKind wanted = *name.parts.front().activation;
  for (unsigned i = 0, e = expr->getNumInputs(); i != e; ++i) {
    ScalarExpr::Node *input = expr->getInputNode(i);
    if (!input || !ScalarExpr::isFunctionOf(result, input))
      continue;
    ActivationAttr activation = matchActivation(result, input, nullptr);
    if (activation && getNamedKind(activation) == wanted)
      return success();
  }
  return refusal.because("'", root->getName().getStringRef(),
                         "' does not compute ",
                         stringifyActivationKind(wanted));
}

FailureOr<CompositeMatch> OpMatcher::matchOps(Operation *root,
                                              const ProducerOptions &producers,
                                              Refusal &refusal) {
  CompositeMatch match;
  match.pattern = name.text;
  match.main = {root};
  if (name.op == "maxpool" || name.op == "avgpool") {
    bool isAverage = name.op == "avgpool";
    if (failed(matchPool(root, isAverage ? Pooling::Sum : Pooling::Max,
                         producers, match, refusal)) ||
        (isAverage && failed(matchAverage(root, producers, match, refusal))))
      return failure();
  } else {
    if (auto insert = dyn_cast<tensor::InsertSliceOp>(root);
        insert && name.op == "concat") {
      match.main = findInsertions(insert);
      if (failed(checkIsConcat(match.main, refusal)))
        return failure();
    }
    match.ops = collectProducers(match.main, std::nullopt, producers);
    // The constants of an activation are part of it.
    if (!options.bindConstants && !name.op.empty()) {
      ProducerOptions unbound = producers;
      unbound.outside.insert_range(findConstants(match.ops));
      match.ops = collectProducers(match.main, std::nullopt, unbound);
    }
    if (name.op == "softmax" || name.op == "concat") {
      bool isNamed = name.op == "concat"
                         ? isa<tensor::ConcatOp, tensor::InsertSliceOp>(root)
                         : isa<linalg::SoftmaxOp>(root);
      if (!isNamed)
        return refusal.because("'", root->getName().getStringRef(), "' is no ",
                               name.op);
    } else if (failed(checkComputes(root, match, refusal))) {
      return failure();
    }
  }
  match.result = match.main.back()->getResult(0);
  setRoles(match, std::nullopt);
  return match;
}

FailureOr<CompositeMatch>
OpMatcher::match(Operation *root, const TakenOps &taken, Refusal &refusal) {
  ProducerOptions producers;
  producers.takeVectors = false;
  producers.taken = &taken;
  FailureOr<CompositeMatch> match = matchOps(root, producers, refusal);
  if (failed(match))
    return failure();
  if (!taken.isFree(*match))
    return refusal.because("a part belongs to another composite");
  return match;
}

std::unique_ptr<CompositeMatcher>
fusion::createOpMatcher(const PatternName &name,
                        const PartitionOptions &options, FuseProbe &probe) {
  return std::make_unique<OpMatcher>(name, options, probe);
}
