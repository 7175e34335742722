//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Fuse/Epilogue.h"
#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Analysis/Quantization.h"
#include "FusionDialect/Analysis/Transpose.h"
#include "FusionDialect/Fuse/Step.h"
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

/// Fails unless `consumer`, which is `expr`, reads its operand `number` element
/// for element, and only so.
static LogicalResult checkReadsElements(Operation *consumer,
                                        const ScalarExpr &expr, unsigned number,
                                        Refusal &refusal) {
  // A destination that is not read has no node.
  const Node *value = expr.getInputNode(number);
  if (!value)
    return refusal.because("'", consumer->getName(),
                           "' overwrites the result and does not read it");
  if (!isElementForElement(
          expr.getInputMap(number),
          cast<ShapedType>(consumer->getOperand(number).getType()),
          cast<RankedTensorType>(consumer->getResult(0).getType())))
    return refusal.because(
        "'", consumer->getName(), "' reads the result by the map ",
        expr.getInputMap(number), ", expected each element at its own place");
  if (readsOtherElements(expr, *value))
    return refusal.because("'", consumer->getName(),
                           "' reads other elements of the result too");
  return success();
}

/// The order of epilogues of one op. An op that reads two fusion ops is folded
/// into the one without other users. If both have none, it is folded into the
/// later one.
static bool comesBefore(const Epilogue &a, const Epilogue &b) {
  Refusal ignored = Refusal::unread();
  bool onlyA = succeeded(a.checkOneUser(ignored));
  bool onlyB = succeeded(b.checkOneUser(ignored));
  if (onlyA != onlyB)
    return onlyA;
  Operation *opA = a.getFused(), *opB = b.getFused();
  if (opA != opB && opA->getBlock() == opB->getBlock())
    return opB->isBeforeInBlock(opA);
  return a.value->input < b.value->input;
}

std::vector<Epilogue> fusion::matchEpilogues(Operation *consumer,
                                             const FuseOptions &options,
                                             Refusal &refusal) {
  std::vector<Epilogue> epilogues;
  if (consumer->getNumResults() != 1 ||
      !isa<RankedTensorType>(consumer->getResult(0).getType())) {
    (void)refusal.because("'", consumer->getName().getStringRef(),
                          "' is not element-wise");
    return epilogues;
  }
  (void)refusal.because("no operand is the result of a fusion op");
  for (auto [number, operand] : llvm::enumerate(consumer->getOperands())) {
    SmallVector<Operation *> views;
    FusedOpInterface fused = traceToFusedOp(operand, views);
    if (!fused || failed(checkTakesSteps(fused, options, refusal)))
      continue;
    FailureOr<ScalarExpr> expr = ScalarExpr::match(consumer, refusal);
    if (failed(expr) || failed(checkNoSideEffects(consumer, refusal)))
      return epilogues;
    // An operand that reads the same elements as an earlier one shares its
    // node.
    Node *value = expr->getInputNode(number);
    bool isSeen = value && value->input != number;
    if (isSeen || failed(checkReadsElements(consumer, *expr, number, refusal)))
      continue;
    std::optional<int64_t> channelDim =
        trackThroughViews(fused.getOutputChannelDim(), views);
    epilogues.push_back(Epilogue{fused, std::move(views), consumer,
                                 std::move(*expr), value, channelDim});
  }
  llvm::sort(epilogues, comesBefore);
  return epilogues;
}

FailureOr<Epilogue> fusion::matchNextEpilogue(const Epilogue &epilogue,
                                              Refusal &refusal) {
  SmallVector<Operation *> views = epilogue.views;
  Operation *producer = epilogue.consumer;
  while (succeeded(checkOneUser(producer, refusal))) {
    OpOperand &use = *producer->use_begin();
    Operation *user = use.getOwner();
    if (isView(user)) {
      views.push_back(user);
      producer = user;
      continue;
    }
    if (user->getBlock() != epilogue.consumer->getBlock())
      return refusal.because("next op '", user->getName().getStringRef(),
                             "' at ", getLocationText(user->getLoc()),
                             " is in another block");
    // An op that is not element-wise is not a candidate for folding.
    Refusal ignored = Refusal::unread();
    FailureOr<ScalarExpr> expr = ScalarExpr::match(user, ignored);
    if (failed(expr))
      return epilogue.refuseConsumer(refusal);
    if (failed(checkNoSideEffects(user, refusal)) ||
        failed(
            checkReadsElements(user, *expr, use.getOperandNumber(), refusal)))
      return failure();
    Node *value = expr->getInputNode(use.getOperandNumber());
    std::optional<int64_t> channelDim =
        trackThroughViews(epilogue.getFused().getOutputChannelDim(), views);
    return Epilogue{epilogue.fused, std::move(views), user, std::move(*expr),
                    value,          channelDim};
  }
  return failure();
}

//===----------------------------------------------------------------------===//
// Predicates
//===----------------------------------------------------------------------===//

Node *Epilogue::getWidened() const {
  ArrayRef<Node *> users = value->users;
  Type type = getElementTypeOrSelf(value->value.getType());
  bool isWidened = users.size() == 1 && users.front()->kind == Kind::Widen &&
                   getElementTypeOrSelf(users.front()->value.getType()).isF32();
  return isWidened && (type.isBF16() || type.isF16()) ? users.front() : nullptr;
}

LogicalResult Epilogue::refuseConsumer(Refusal &refusal) const {
  return refusal.because("next op '", consumer->getName().getStringRef(),
                         "' at ", getLocationText(consumer->getLoc()),
                         " neither scales nor adds to the result nor is an "
                         "activation that is known");
}

bool fusion::isMadeByPass(Operation *op) {
  auto getPlace = [](Operation *op) {
    return op->getLoc()->findInstanceOf<FileLineColLoc>();
  };
  FileLineColLoc place = getPlace(op);
  auto isHere = [&](Operation *other) {
    return other && getPlace(other) == place;
  };
  return place && (isView(op) || isTranspose(op)) &&
         (isHere(op->getOperand(0).getDefiningOp()) ||
          llvm::any_of(op->getUsers(), isHere));
}

/// Adds `user` to `users`, or the users of its result if a pass made it.
static void addWritten(Operation *user,
                       llvm::SmallSetVector<Operation *, 4> &users) {
  if (user->use_empty() || !isMadeByPass(user))
    users.insert(user);
  else
    for (Operation *next : user->getUsers())
      addWritten(next, users);
}

LogicalResult fusion::checkOneUser(Operation *producer, Refusal &refusal) {
  llvm::SmallSetVector<Operation *, 4> users(producer->user_begin(),
                                             producer->user_end());
  if (users.size() == 1)
    return success();
  llvm::SmallSetVector<Operation *, 4> written;
  for (Operation *user : users)
    addWritten(user, written);
  if (written.size() > 1)
    users = std::move(written);
  // The order of uses depends on what was rewritten.
  SmallVector<Operation *> ordered = users.takeVector();
  Block *block = producer->getBlock();
  llvm::sort(ordered, [block](Operation *a, Operation *b) {
    Operation *outerA = block->findAncestorOpInBlock(*a);
    Operation *outerB = block->findAncestorOpInBlock(*b);
    return outerA && outerB && outerA->isBeforeInBlock(outerB);
  });
  std::string list;
  llvm::raw_string_ostream stream(list);
  llvm::interleaveComma(ordered, stream, [&](Operation *user) {
    stream << "'" << user->getName().getStringRef() << "' at "
           << getLocationText(user->getLoc());
  });
  return refusal.because("result has ", ordered.size(), " users: ", list);
}

bool Epilogue::hasSizesOfResult(const ScalarExpr::Node *addend) const {
  auto result = cast<ShapedType>(consumer->getResult(0).getType());
  llvm::SmallSetVector<const ScalarExpr::Node *, 8> nodes;
  nodes.insert(addend);
  for (size_t i = 0; i != nodes.size(); ++i) {
    nodes.insert(nodes[i]->operands.begin(), nodes[i]->operands.end());
    if (nodes[i]->kind != ScalarExpr::Kind::Input)
      continue;
    auto type = dyn_cast<ShapedType>(expr.getInput(nodes[i]->input).getType());
    if (type && type.getRank() == result.getRank() &&
        std::is_permutation(type.getShape().begin(), type.getShape().end(),
                            result.getShape().begin()))
      return true;
  }
  return false;
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

LogicalResult fusion::checkMayFoldAlone(const Epilogue &epilogue,
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
  return success();
}

LogicalResult fusion::checkMayFold(const Epilogue &epilogue,
                                   const FuseOptions &options,
                                   Refusal &refusal) {
  if (failed(checkMayFoldAlone(epilogue, options, refusal)))
    return failure();
  if (!epilogue.inner.empty())
    return success();
  // Ops that are an activation together are not folded one by one.
  Refusal ignored = Refusal::unread();
  if (FailureOr<Epilogue> whole =
          matchActivationRegion(epilogue.getFused(), options, ignored);
      succeeded(whole))
    return refusal.because("next op '",
                           epilogue.consumer->getName().getStringRef(),
                           "' is part of an activation that ends at ",
                           getLocationText(whole->consumer->getLoc()));
  return success();
}

LogicalResult fusion::checkAddsNoHalfStep(const Epilogue &epilogue,
                                          Refusal &refusal) {
  auto op = dyn_cast<linalg::LinalgOp>(epilogue.consumer);
  Refusal unread = Refusal::unread();
  FailureOr<Quantization> quantization = failure();
  if (op)
    quantization = Quantization::match(op, unread);
  if (failed(quantization) || quantization->rounding != Rounding::HalfUp)
    return success();
  return refusal.because("what is added is half a step of a quantisation, "
                         "which rounds half up");
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// Copies the consumer, a linalg op that does more than the step of `node`. The
/// copy starts behind the step: `value` replaces the old one and those that
/// inner ops computed from it.
static Value copyBehindStep(RewriterBase &rewriter, const Epilogue &epilogue,
                            Node *node, Value value, Node *rest) {
  auto linalgOp = cast<linalg::LinalgOp>(epilogue.consumer);
  Location loc = linalgOp.getLoc();
  auto resultType = cast<RankedTensorType>(linalgOp->getResult(0).getType());
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
  // Another operand may read other elements of the same tensor, if nothing in
  // the body reads it.
  OpOperand *operand =
      llvm::find_if(linalgOp->getOpOperands(), [&](OpOperand &candidate) {
        return isRead(candidate.get()) &&
               isElementForElement(linalgOp.getMatchingIndexingMap(&candidate),
                                   cast<ShapedType>(candidate.get().getType()),
                                   resultType);
      });
  Value result = body.getArgument(operand->getOperandNumber());
  if (rest && rest != epilogue.value)
    result = mapping.lookupOrDefault(rest->value);
  mapping.lookup(node->value).replaceAllUsesWith(result);
  for (auto [argument, operand] :
       llvm::zip_equal(body.getArguments(), generic->getOperands()))
    argument.setType(getElementTypeOrSelf(operand));
  // Ops that only the step needed are dead now.
  for (Operation &op : llvm::make_early_inc_range(llvm::reverse(body)))
    if (isOpTriviallyDead(&op))
      rewriter.eraseOp(&op);
  return generic.getResult(0);
}

Value fusion::buildRest(RewriterBase &rewriter, const Epilogue &epilogue,
                        Node *node, Value done, Node *rest) {
  Value value = replayViews(rewriter, epilogue.views, done);
  if (node != epilogue.expr.getRoot())
    return copyBehindStep(rewriter, epilogue, node, value, rest);
  Operation *consumer = epilogue.consumer;
  auto resultType = cast<RankedTensorType>(consumer->getResult(0).getType());
  if (value.getType() == resultType)
    return value;
  return tensor::CastOp::create(rewriter, consumer->getLoc(), resultType,
                                value);
}
