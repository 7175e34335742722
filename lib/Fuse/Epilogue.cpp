//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Fuse/Epilogue.h"
#include "FusionDialect/IR/LocationText.h"
#include "FusionDialect/Utils/ReplayViews.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace fusion;

using Kind = ScalarExpr::Kind;
using Node = ScalarExpr::Node;

//===----------------------------------------------------------------------===//
// From the consumer back to the fusion op
//===----------------------------------------------------------------------===//

/// Follows `value` back through casts and reshapes to a fusion op.
static FusedOpInterface traceToFusedOp(Value value,
                                       SmallVectorImpl<Operation *> &views) {
  while (isView(value.getDefiningOp())) {
    views.push_back(value.getDefiningOp());
    value = views.back()->getOperand(0);
  }
  std::reverse(views.begin(), views.end());
  return value.getDefiningOp<FusedOpInterface>();
}

/// True if `map` reads each element of an operand of type `type` at its own
/// place: the identity, or 0 where a dimension has size 1 in both.
bool fusion::isElementForElement(AffineMap map, ShapedType type,
                                 ShapedType resultType) {
  if (map.getNumResults() != map.getNumDims())
    return false;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    if (auto dim = dyn_cast<AffineDimExpr>(expr); dim && dim.getPosition() == i)
      continue;
    if (type.getDimSize(i) != 1 || resultType.getDimSize(i) != 1)
      return false;
  }
  return true;
}

/// True if `expr` reads the tensor of the input `value` by another map, too.
static bool readsOtherElements(const ScalarExpr &expr, const Node &value) {
  for (unsigned i = 0, e = expr.getNumInputs(); i != e; ++i)
    if (expr.getInput(i) == expr.getInput(value.input) &&
        expr.getInputNode(i) && expr.getInputNode(i) != &value)
      return true;
  return false;
}

/// The first op in the body of `op` that has side effects, or null.
static Operation *findSideEffect(Operation *op) {
  for (Region &region : op->getRegions())
    for (Operation &inner : region.getOps())
      if (!isMemoryEffectFree(&inner))
        return &inner;
  return nullptr;
}

std::vector<Epilogue> fusion::matchEpilogues(Operation *consumer,
                                             Refusal &refusal) {
  std::vector<Epilogue> epilogues;
  if (consumer->getNumResults() != 1 ||
      !isa<RankedTensorType>(consumer->getResult(0).getType())) {
    (void)refusal.because("'", consumer->getName().getStringRef(),
                          "' is not element-wise");
    return epilogues;
  }
  (void)refusal.because("no operand is the result of a fusion op");
  auto resultType = cast<RankedTensorType>(consumer->getResult(0).getType());
  for (auto [number, operand] : llvm::enumerate(consumer->getOperands())) {
    SmallVector<Operation *> views;
    FusedOpInterface fused = traceToFusedOp(operand, views);
    if (!fused)
      continue;
    FailureOr<ScalarExpr> expr = ScalarExpr::match(consumer, refusal);
    if (failed(expr))
      return epilogues;
    // An assertion, for example, would be lost with the op.
    if (Operation *effect = findSideEffect(consumer)) {
      (void)refusal.because("unsupported: '", effect->getName(), "' in '",
                            consumer->getName(), "' has side effects");
      return epilogues;
    }
    // A destination that is not read has no node. An operand that reads the
    // same elements as an earlier one shares its node.
    Node *value = expr->getInputNode(number);
    if (!value)
      (void)refusal.because("'", consumer->getName(),
                            "' overwrites the result and does not read it");
    if (!value || value->input != number)
      continue;
    if (!isElementForElement(expr->getInputMap(number),
                             cast<ShapedType>(operand.getType()), resultType)) {
      (void)refusal.because("'", consumer->getName().getStringRef(),
                            "' reads the result by the map ",
                            expr->getInputMap(number),
                            ", expected each element at its own place");
      continue;
    }
    if (readsOtherElements(*expr, *value)) {
      (void)refusal.because("'", consumer->getName().getStringRef(),
                            "' reads other elements of the result too");
      continue;
    }
    std::optional<int64_t> channelDim =
        trackThroughViews(fused.getOutputChannelDim(), views);
    epilogues.push_back(Epilogue{fused, std::move(views), consumer,
                                 std::move(*expr), value, channelDim});
  }
  // An op that reads two fusion ops is folded into the one without other users.
  // If both have none, it is folded into the later one.
  llvm::sort(epilogues, [](const Epilogue &a, const Epilogue &b) {
    Refusal ignored;
    bool onlyA = succeeded(a.checkOneUser(ignored));
    bool onlyB = succeeded(b.checkOneUser(ignored));
    if (onlyA != onlyB)
      return onlyA;
    Operation *opA = a.getFused(), *opB = b.getFused();
    if (opA != opB && opA->getBlock() == opB->getBlock())
      return opB->isBeforeInBlock(opA);
    return a.value->input < b.value->input;
  });
  return epilogues;
}

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

LogicalResult fusion::checkOneUser(Operation *producer, Refusal &refusal) {
  llvm::SmallSetVector<Operation *, 4> users(producer->user_begin(),
                                             producer->user_end());
  if (users.size() == 1)
    return success();
  std::string list;
  llvm::raw_string_ostream stream(list);
  llvm::interleaveComma(users, stream, [&](Operation *user) {
    stream << "'" << user->getName().getStringRef() << "' at "
           << getLocationText(user->getLoc());
  });
  return refusal.because("result has ", users.size(), " users: ", list);
}

LogicalResult Epilogue::checkOneUser(Refusal &refusal) const {
  // A region of several ops is matched only if nothing else uses the values
  // that they read.
  if (!inner.empty())
    return success();
  if (failed(fusion::checkOneUser(fused, refusal)))
    return failure();
  for (Operation *view : views)
    if (failed(fusion::checkOneUser(view, refusal)))
      return failure();
  return success();
}

LogicalResult fusion::checkMayFold(const Epilogue &epilogue,
                                   const FuseOptions &options,
                                   Refusal &refusal) {
  if (failed(epilogue.checkOneUser(refusal)))
    return failure();
  // Inside a loop the convolution would be computed again and again.
  if (epilogue.consumer->getBlock() != epilogue.getFused()->getBlock())
    return refusal.because(
        "next op '", epilogue.consumer->getName().getStringRef(), "' at ",
        getLocationText(epilogue.consumer->getLoc()), " is in another block");
  Type type = epilogue.getFused().getOutputType().getElementType();
  if (!type.isF32() && !options.allowContractRounding)
    return refusal.because("result is rounded to ", type,
                           " first, and allow-contract-rounding is off");
  Refusal ignored;
  if (!epilogue.inner.empty())
    return success();
  // Ops that are an activation together are not folded one by one.
  if (FailureOr<Epilogue> whole =
          matchActivationRegion(epilogue.getFused(), options, ignored);
      succeeded(whole))
    return refusal.because("next op '",
                           epilogue.consumer->getName().getStringRef(),
                           "' is part of an activation that ends at ",
                           getLocationText(whole->consumer->getLoc()));
  return success();
}

/// Adds the step that folds `addend`, and the steps that fold a part of it,
/// since a sum has no order.
static void addSteps(Node *sum, Node *rest, Node *addend, bool isNegated,
                     SmallVectorImpl<AddStep> &steps) {
  steps.push_back({sum, rest, addend, isNegated});
  if (addend->users.size() != 1)
    return;
  if (addend->kind == Kind::Add || addend->kind == Kind::Sub)
    addSteps(addend, addend->operands[0], addend->operands[1],
             isNegated != (addend->kind == Kind::Sub), steps);
  // Not for a in a - b: without it no node is left.
  if (addend->kind == Kind::Add)
    addSteps(addend, addend->operands[1], addend->operands[0], isNegated,
             steps);
}

FailureOr<SmallVector<AddStep>> fusion::matchAddSteps(const Epilogue &epilogue,
                                                      Refusal &refusal) {
  Node *value = epilogue.value;
  if (value->users.size() != 1)
    return refusal.because("result is read ", value->users.size(),
                           " times by the next op");
  Node *sum = value->users.front();
  bool isDifference = sum->kind == Kind::Sub && sum->operands[0] == value;
  if (sum->kind != Kind::Add && !isDifference)
    return refusal.because("next op does not add to the result");
  SmallVector<AddStep> steps;
  addSteps(sum, value, sum->operands[sum->operands[0] == value ? 1 : 0],
           isDifference, steps);
  return steps;
}

FailureOr<ScaleStep> fusion::matchScaleStep(const Epilogue &epilogue,
                                            Refusal &refusal) {
  Node *value = epilogue.value;
  if (value->users.size() != 1)
    return refusal.because("result is read ", value->users.size(),
                           " times by the next op");
  ScaleStep step{value->users.front()};
  ArrayRef<Node *> operands = step.node->operands;
  if (step.node->kind == Kind::Neg)
    return step;
  if (step.node->kind == Kind::Mul) {
    step.factor = operands[operands[0] == value ? 1 : 0];
    return step;
  }
  if (step.node->kind == Kind::Div && operands[0] == value) {
    step.factor = operands[1];
    step.divides = true;
    return step;
  }
  if (step.node->kind == Kind::Sub && operands[1] == value) {
    step.addend = operands[0];
    return step;
  }
  return refusal.because("next op does not scale the result");
}

/// True if `node` is certain to be NaN if `leaf` is.
static bool keepsNaN(Node *node, Node *leaf) {
  if (node == leaf)
    return true;
  auto keeps = [&](Node *operand) { return keepsNaN(operand, leaf); };
  ArrayRef<Node *> operands = node->operands;
  switch (node->kind) {
  case Kind::Max:
  case Kind::Min:
    if (isa_and_nonnull<arith::MaximumFOp, arith::MinimumFOp>(
            node->value.getDefiningOp()))
      return llvm::any_of(operands, keeps);
    return llvm::all_of(operands, keeps);
  case Kind::Select: // of either branch
  case Kind::IfNaN:
    return llvm::all_of(operands.take_back(2), keeps);
  case Kind::Pow: // 1 to the power of NaN is 1
    return keeps(operands[0]) && operands[1]->kind == Kind::Constant &&
           operands[1]->constant != 0.0;
  case Kind::Compare:
  case Kind::Other:
    return false;
  default:
    return llvm::any_of(operands, keeps);
  }
}

/// Fails if the ops of `node`, an activation of the value, treat NaN or
/// rounding in a way that `options` do not allow to change.
static LogicalResult checkIsExact(Node *node, const Epilogue &epilogue,
                                  const FuseOptions &options,
                                  Refusal &refusal) {
  if (options.nanMode != NaNMode::Fast && !keepsNaN(node, epilogue.value))
    return refusal.because("nan-mode=propagate: next op may lose a NaN");
  bool isRounded =
      llvm::any_of(ScalarExpr::getCone(node, epilogue.value),
                   [](Node *inside) { return inside->kind == Kind::Narrow; });
  if (isRounded && !options.allowContractRounding)
    return refusal.because("next op rounds on the way, and "
                           "allow-contract-rounding is off");
  return success();
}

FailureOr<ActivationStep>
fusion::matchActivationStep(const Epilogue &epilogue,
                            const FuseOptions &options, Refusal &refusal) {
  ActivationAttr before = epilogue.getFused().getActivationAttr();
  for (const std::unique_ptr<Node> &node :
       llvm::reverse(epilogue.expr.getNodes())) {
    if (!ScalarExpr::isFunctionOf(node.get(), epilogue.value))
      continue;
    ActivationAttr activation =
        matchActivation(node.get(), epilogue.value, before);
    if (!activation)
      continue;
    // If the options forbid the activation itself, its caller gives the reason.
    if (succeeded(checkKeepsNaN(activation, options, refusal)) &&
        failed(checkIsExact(node.get(), epilogue, options, refusal)))
      return failure();
    return ActivationStep{node.get(), activation};
  }
  return refusal.because("next op computes no activation that is known");
}

FailureOr<Node *> fusion::matchCastStep(const Epilogue &epilogue,
                                        Refusal &refusal) {
  Node *value = epilogue.value;
  if (value->users.size() != 1 || value->users.front()->kind != Kind::Narrow)
    return refusal.because("next op does not round the result");
  Node *narrow = value->users.front();
  Type type = getElementTypeOrSelf(narrow->value.getType());
  if (!type.isBF16() && !type.isF16())
    return refusal.because("unsupported: result rounded to ", type,
                           ", expected bf16 or f16");
  auto destination = dyn_cast<DestinationStyleOpInterface>(epilogue.consumer);
  if (destination && narrow != epilogue.expr.getRoot() &&
      value->input >= destination.getNumDpsInputs())
    return refusal.because("unsupported: result is read as a destination");
  return narrow;
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

FusedOpInterface fusion::cloneFusedOp(RewriterBase &rewriter,
                                      const Epilogue &epilogue) {
  rewriter.setInsertionPoint(epilogue.consumer);
  return cast<FusedOpInterface>(rewriter.clone(*epilogue.getFused()));
}

Value fusion::buildRest(RewriterBase &rewriter, const Epilogue &epilogue,
                        Node *step, FusedOpInterface replacement, Node *rest) {
  Operation *consumer = epilogue.consumer;
  Location loc = consumer->getLoc();
  Value value =
      replayViews(rewriter, epilogue.views, replacement->getResult(0));
  auto resultType = cast<RankedTensorType>(consumer->getResult(0).getType());
  if (step == epilogue.expr.getRoot()) {
    if (value.getType() != resultType)
      value = tensor::CastOp::create(rewriter, loc, resultType, value);
    return value;
  }
  // The consumer does more than the step, so that it is a linalg op. Its copy
  // starts behind the step: the new value replaces the old one and those that
  // inner ops computed from it.
  auto linalgOp = cast<linalg::LinalgOp>(consumer);
  Value old = epilogue.expr.getInput(epilogue.value->input);
  auto isRead = [&](Value operand) {
    return operand == old ||
           llvm::is_contained(epilogue.inner, operand.getDefiningOp());
  };
  SmallVector<Value> inputs = linalgOp.getDpsInputs();
  SmallVector<Value> outputs(linalgOp.getDpsInits());
  std::replace_if(inputs.begin(), inputs.end(), isRead, value);
  if (outputs.front() == old)
    outputs.front() =
        value.getType() == resultType
            ? value
            : tensor::EmptyOp::create(
                  rewriter, loc, tensor::getMixedSizes(rewriter, loc, value),
                  resultType.getElementType());
  auto generic = linalg::GenericOp::create(
      rewriter, loc, TypeRange(resultType), inputs, outputs,
      linalgOp.getIndexingMapsArray(), linalgOp.getIteratorTypesArray());
  IRMapping mapping;
  rewriter.cloneRegionBefore(*linalgOp.getBlock()->getParent(),
                             generic.getRegion(), generic.getRegion().end(),
                             mapping);
  Block &body = generic.getRegion().front();
  auto operands = linalgOp->getOperands();
  Value result =
      body.getArgument(llvm::find_if(operands, isRead) - operands.begin());
  if (rest && rest != epilogue.value)
    result = mapping.lookupOrDefault(rest->value);
  mapping.lookup(step->value).replaceAllUsesWith(result);
  for (auto [argument, operand] :
       llvm::zip_equal(body.getArguments(), generic->getOperands()))
    argument.setType(getElementTypeOrSelf(operand));
  // Ops that only the step needed are dead now.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      rewriter.eraseOp(&op);
  return generic.getResult(0);
}
