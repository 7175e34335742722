//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Says for each law why it has not folded more into a fusion op.

#include "FusionDialect/Analysis/Broadcast.h"
#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Analysis/Padding.h"
#include "FusionDialect/Analysis/Transpose.h"
#include "FusionDialect/Fuse/Step.h"
#include "FusionDialect/IR/LocationText.h"
#include "FusionDialect/Support/ElementSize.h"
#include "FusionDialect/Support/TensorSize.h"
#include "Laws/FoldSteps.h"
#include <set>

using namespace mlir;
using namespace fusion;

/// True if `use` reads the shape, but no element.
static bool readsNoElement(OpOperand &use) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(use.getOwner());
  return linalgOp && linalgOp.isDpsInput(&use) &&
         !linalgOp.payloadUsesValueFromOperand(&use);
}

/// The ops that read the result of `op`, directly or behind casts and reshapes.
static SmallVector<Operation *> findConsumers(Operation *op) {
  SetVector<Operation *> users;
  auto addUsers = [&](Operation *made) {
    for (OpOperand &use : made->getUses())
      if (!readsNoElement(use))
        users.insert(use.getOwner());
  };
  addUsers(op);
  SmallVector<Operation *> consumers;
  for (size_t i = 0; i != users.size(); ++i)
    if (isView(users[i]))
      addUsers(users[i]);
    else
      consumers.push_back(users[i]);
  return consumers;
}

static LogicalResult refuseNotRun(Operation *consumer, Refusal &refusal) {
  return refusal.because(
      "next op '", consumer->getName().getStringRef(), "' at ",
      getLocationText(consumer->getLoc()),
      " can be folded; its law has not run or is switched off");
}

/// Fails with the reason if `epilogue` could have been folded but was not, or
/// if it is the only use of the result and cannot be folded.
static LogicalResult checkEpilogue(const Epilogue &epilogue,
                                   const FuseOptions &options,
                                   Refusal &refusal) {
  if (failed(matchFirstStep(epilogue, options, refusal))) {
    // With several users the result is needed anyway, so that this is no loss.
    Refusal severalUsers = Refusal::unread();
    return success(failed(epilogue.checkOneUser(severalUsers)));
  }
  if (failed(checkMayFold(epilogue, options, refusal)))
    return failure();
  // It could be folded but was not: either stricter options refuse it, or the
  // law has not run.
  FuseOptions strict = options;
  strict.allowReshape = strict.allowContractRounding = false;
  if (failed(checkMayFold(epilogue, strict, refusal)) ||
      failed(matchFirstStep(epilogue, strict, refusal)))
    return failure();
  return refuseNotRun(epilogue.consumer, refusal);
}

/// The same for `consumer`, which has several results, if it alone reads the
/// result of `op`.
static LogicalResult checkSeveralResults(FusedOpInterface op,
                                         linalg::GenericOp consumer,
                                         const FuseOptions &options,
                                         Refusal &refusal) {
  // An op that is not element-wise is not a candidate for folding.
  Refusal ignored = Refusal::unread();
  if (failed(ScalarExpr::matchScalar(
          consumer, consumer.getBlock()->getTerminator()->getOperand(0),
          ignored)))
    return success();
  if (isa<QuantizedOpInterface>(op.getOperation()))
    return refusal.because("unsupported: next op '", consumer->getName(),
                           "' at ", getLocationText(consumer->getLoc()),
                           " has ", consumer->getNumResults(), " results");
  if (failed(findFirstResult(op, consumer, options, refusal)))
    return failure();
  return refuseNotRun(consumer, refusal);
}

/// True if an element-wise op reads the result of `op`, also behind reshapes,
/// transposes, slices and pads.
static bool feedsElementwise(Operation *op) {
  return llvm::any_of(findConsumers(op), [](Operation *user) {
    if (isa<tensor::ExtractSliceOp, tensor::PadOp>(user) || isTranspose(user))
      return feedsElementwise(user);
    Refusal ignored = Refusal::unread();
    return succeeded(ScalarExpr::match(user, ignored));
  });
}

/// The same for a transpose that reads the result of `op`. Without an
/// element-wise op behind it, it is where the channels-last part of a network
/// ends.
static LogicalResult checkTranspose(FusedOpInterface op, Operation *transpose,
                                    Refusal &refusal) {
  auto name = transpose->getName().getStringRef();
  bool isDirect =
      llvm::is_contained(transpose->getOperands(), op->getResult(0));
  if (isDirect && op.getOutputLayout().isChannelsLast() &&
      !feedsElementwise(transpose))
    return success();
  if (failed(checkTransposeIsFoldable(op, transpose, refusal)))
    return failure();
  if (!isDirect && !feedsElementwise(transpose))
    return success();
  if (!isDirect)
    return refusal.because("unsupported: next op '", name, "' at ",
                           getLocationText(transpose->getLoc()),
                           " transposes a reshape of the result");
  if (op.getOutputLayout().isChannelsLast())
    return success();
  return refusal.because("next op '", name, "' at ",
                         getLocationText(transpose->getLoc()),
                         " can be folded; law 'transpose' has not run");
}

/// The same for a transpose behind an op on integers. It moves integers as far
/// as it can: left are floats that are computed with before they become some.
static LogicalResult checkTransposedFloats(Operation *transpose,
                                           Refusal &refusal) {
  if (!feedsElementwise(transpose))
    return success();
  return refusal.because("unsupported: next op '",
                         transpose->getName().getStringRef(), "' at ",
                         getLocationText(transpose->getLoc()),
                         " transposes the result of an op on integers");
}

/// True if `op` computes each element by itself, if it were not for its place.
static bool computesWithIndex(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  return generic && generic.hasIndexSemantics() &&
         generic.isAllParallelLoops() && generic.getNumResults() == 1;
}

/// True if `consumer` makes more elements than the result of `op` has, at any
/// batch whose size is dynamic.
static bool makesMoreElements(FusedOpInterface op, Operation *consumer) {
  auto count = [](ShapedType type) {
    SmallVector<int64_t> sizes(type.getShape());
    llvm::erase(sizes, ShapedType::kDynamic);
    return countElements(sizes);
  };
  std::optional<int64_t> own = count(op.getOutputType());
  std::optional<int64_t> all =
      count(cast<RankedTensorType>(consumer->getResult(0).getType()));
  return own && all && *own < *all;
}

/// The same for any op that reads the result of `op`.
static LogicalResult checkConsumer(FusedOpInterface op, Operation *consumer,
                                   bool isOnlyConsumer,
                                   const FuseOptions &options,
                                   Refusal &refusal) {
  bool isOnIntegers = isa<QuantizedOpInterface>(op.getOperation());
  if (isTranspose(consumer) && isOnIntegers)
    return checkTransposedFloats(consumer, refusal);
  if (!isOnIntegers &&
      (isTranspose(consumer) || matchTransposingRead(op, consumer)))
    return checkTranspose(op, consumer, refusal);
  auto generic = dyn_cast<linalg::GenericOp>(consumer);
  if (generic && generic->getNumResults() > 1)
    return success(!isOnlyConsumer || succeeded(checkSeveralResults(
                                          op, generic, options, refusal)));
  Refusal notElementForElement;
  std::vector<Epilogue> epilogues =
      matchEpilogues(consumer, options, notElementForElement);
  for (const Epilogue &epilogue : epilogues)
    if (epilogue.getFused() == op)
      return checkEpilogue(epilogue, options, refusal);
  auto linalgOp = dyn_cast<linalg::LinalgOp>(consumer);
  if (isOnlyConsumer && linalgOp && failed(checkBodySize(linalgOp, refusal)))
    return failure();
  // An op that is not element-wise is not a candidate for folding.
  Refusal ignored = Refusal::unread();
  if (isOnlyConsumer && computesWithIndex(consumer))
    return refusal.because("unsupported: next op '", consumer->getName(),
                           "' at ", getLocationText(consumer->getLoc()),
                           " computes with 'linalg.index'");
  if (isOnlyConsumer && failed(explainMove(op, consumer, options, refusal)))
    return failure();
  if (!isOnlyConsumer || failed(ScalarExpr::match(consumer, ignored)) ||
      notElementForElement.str().empty())
    return success();
  // Without an activation there is something to do: to fold it, and to repeat
  // what it computes.
  if (op.getActivationAttr() && makesMoreElements(op, consumer))
    return refusal.because("unsupported: next op '", consumer->getName(),
                           "' at ", getLocationText(consumer->getLoc()),
                           " repeats the result");
  return refusal.because(notElementForElement.str());
}

LogicalResult fusion::explainPad(FusedOpInterface op, const FuseOptions &,
                                 Refusal &refusal) {
  auto conv = dyn_cast<FusedConvBiasActOp>(op.getOperation());
  std::optional<Padding> padding =
      conv ? findPadding(conv.getInput()) : std::nullopt;
  if (!padding)
    return conv ? checkNoPaddedGroups(conv.getInput(), refusal) : success();
  if (failed(checkPadIsFoldable(conv, *padding, refusal)))
    return failure();
  return refusal.because("'", padding->op->getName(),
                         "' of the input can be folded; law 'pad' has not "
                         "run");
}

LogicalResult fusion::explainDeconv(FusedOpInterface op, const FuseOptions &,
                                    Refusal &refusal) {
  auto conv = dyn_cast<FusedConvBiasActOp>(op.getOperation());
  if (!conv)
    return success();
  if (readsInsertedZeros(conv)) {
    if (failed(checkZerosAreFoldable(conv, refusal)))
      return failure();
    return refusal.because("'tensor.insert_slice' of the input can be folded; "
                           "law 'deconv' has not run");
  }
  // Without an element-wise op behind a depth-to-space there is nothing to
  // fold.
  Operation *end = findDepthToSpace(conv);
  if (!end || !feedsElementwise(end))
    return success();
  if (failed(checkDepthToSpaceIsFoldable(conv, refusal)))
    return failure();
  return refusal.because("depth-to-space of the result that ends with '",
                         end->getName().getStringRef(), "' at ",
                         getLocationText(end->getLoc()),
                         " can be folded; law 'deconv' has not run");
}

/// The bytes of `value`, a tensor; none if its size is dynamic.
static std::optional<int64_t> getNumBytes(Value value) {
  auto type = cast<ShapedType>(value.getType());
  if (!type.hasStaticShape())
    return std::nullopt;
  return countBytes(type.getShape(),
                    getElementBytes(type.getElementTypeBitWidth()));
}

/// Completes `reason` with the bytes of `copy`, which each call makes.
static LogicalResult refuseCopy(StringRef reason, Value copy,
                                Refusal &refusal) {
  std::optional<int64_t> bytes = getNumBytes(copy);
  std::string size = bytes ? std::to_string(*bytes) + " bytes" : "all";
  return refusal.because(reason, "; each call makes ", size, " of it");
}

LogicalResult fusion::explainBroadcast(FusedOpInterface op, const FuseOptions &,
                                       Refusal &refusal) {
  auto matmul = dyn_cast<FusedMatmulBiasActOp>(op.getOperation());
  Refusal whyCopied;
  // A filter that never changes is copied once. To find that out takes long.
  if (!matmul || succeeded(checkFilterIsShared(matmul, whyCopied)) ||
      neverChanges(matmul.getFilter()))
    return success();
  return refuseCopy(whyCopied.str(), matmul.getFilter(), refusal);
}

/// Copies of fewer bytes take no time that one would look for.
static constexpr int64_t kFewBytes = 4096;

/// How `maker` copies a tensor for an operand, in a word; none if it does not.
/// A transpose that the op reads directly becomes part of its layout, and so do
/// pads that are a constant.
static StringRef findCopy(Operation *maker, bool isDirect) {
  std::optional<Broadcast> broadcast = matchBroadcast(maker);
  if (broadcast && repeatsElements(*broadcast, maker))
    return "broadcast";
  if (!isDirect && isTranspose(maker))
    return "transposed";
  if (auto pad = dyn_cast<tensor::PadOp>(maker);
      pad && !findPadding(pad)->number)
    return "padded";
  return "";
}

/// Fails with the reason if each call copies the elements of `operand`, and
/// they are not few.
static LogicalResult checkNotMoved(StringRef role, Value operand,
                                   Refusal &refusal) {
  if (!operand)
    return success();
  Operation *maker = operand.getDefiningOp();
  bool isDirect = !isView(maker);
  while (isView(maker))
    maker = maker->getOperand(0).getDefiningOp();
  if (!maker)
    return success();
  StringRef copy = findCopy(maker, isDirect);
  if (copy.empty())
    return success();
  std::optional<int64_t> bytes = getNumBytes(maker->getResult(0));
  // The last question takes long.
  if ((bytes && *bytes < kFewBytes) || neverChanges(operand))
    return success();
  Refusal moved;
  if (isMadeByPass(maker))
    (void)moved.because("'", role, "' is brought to the layout of this op");
  else
    (void)moved.because("'", role, "' is ", copy, " by '",
                        maker->getName().getStringRef(), "' at ",
                        getLocationText(maker->getLoc()));
  return refuseCopy(moved.str(), maker->getResult(0), refusal);
}

LogicalResult fusion::explainMovedOperands(FusedOpInterface op,
                                           Refusal &refusal) {
  return success(
      succeeded(checkNotMoved("input", op.getInput(), refusal)) &&
      succeeded(checkNotMoved("filter", op.getFilter(), refusal)) &&
      succeeded(checkNotMoved("residual", op.getResidual(), refusal)));
}

/// True if `op` reads the result of a fusion op and computes each element by
/// itself, or only gives it another shape.
static bool isBetween(Operation *op) {
  Refusal ignored = Refusal::unread();
  return isView(op) || succeeded(ScalarExpr::match(op, ignored));
}

/// The ops from `op` to the element-wise one that all ops behind it lead to, by
/// element-wise ops alone; empty if there is none.
static SmallVector<Operation *> findRegionBehind(Operation *op) {
  auto isBefore = [](Operation *a, Operation *b) {
    return a->isBeforeInBlock(b);
  };
  std::set<Operation *, decltype(isBefore)> open(isBefore);
  SmallVector<Operation *> region = {op};
  do {
    for (Operation *user : region.back()->getUsers()) {
      if (user->getBlock() != op->getBlock() || !isBetween(user))
        return {};
      open.insert(user);
    }
    if (open.empty())
      return {};
    region.push_back(*open.begin());
    open.erase(open.begin());
  } while (!open.empty() || isView(region.back()));
  return region;
}

/// Fails if several ops read the result of `op`, and one behind them reads what
/// they compute: together they are an activation, but none that is known.
static LogicalResult checkNoUnknownActivation(FusedOpInterface op,
                                              Refusal &refusal) {
  SmallVector<Operation *> region = findRegionBehind(op);
  if (region.empty() || op.getActivationAttr())
    return success();
  for (Operation *inner : ArrayRef(region).drop_front())
    if (failed(checkNoSideEffects(inner, refusal)))
      return failure();
  Operation *end = region.back();
  return refusal.because("ops that read the result several times, up to '",
                         end->getName().getStringRef(), "' at ",
                         getLocationText(end->getLoc()),
                         ", are no activation that is known");
}

/// The element-wise ops that lead from the result of `op` by themselves.
static SetVector<Operation *> findElementwiseBehind(Operation *op) {
  SetVector<Operation *> found;
  auto addConsumers = [&](Operation *made) {
    for (Operation *consumer : findConsumers(made)) {
      Refusal ignored = Refusal::unread();
      if (succeeded(ScalarExpr::match(consumer, ignored)))
        found.insert(consumer);
    }
  };
  addConsumers(op);
  for (size_t i = 0; i != found.size(); ++i)
    addConsumers(found[i]);
  return found;
}

/// Fails if an element-wise op joins two of `consumers`, slices of a result, as
/// in a gated linear unit.
static LogicalResult checkNoGate(ArrayRef<Operation *> consumers,
                                 Refusal &refusal) {
  DenseSet<Operation *> reached;
  for (Operation *slice : consumers) {
    if (!isa<tensor::ExtractSliceOp>(slice))
      continue;
    for (Operation *next : findElementwiseBehind(slice))
      if (!reached.insert(next).second)
        return refusal.because("unsupported: next op '", next->getName(),
                               "' at ", getLocationText(next->getLoc()),
                               " joins slices of the result");
  }
  return success();
}

LogicalResult fusion::explainUsers(FusedOpInterface op,
                                   const FuseOptions &options,
                                   Refusal &refusal) {
  // Several ops that are an activation together count as one.
  Refusal ignored = Refusal::unread();
  if (FailureOr<Epilogue> whole =
          matchActivationRegion(op, FuseOptions(), ignored);
      succeeded(whole) &&
      failed(checkActivationAllowed(*whole, options, refusal)))
    return failure();
  SmallVector<Operation *> consumers = findConsumers(op);
  for (Operation *consumer : consumers)
    if (failed(checkConsumer(op, consumer, consumers.size() == 1, options,
                             refusal)))
      return failure();
  if (consumers.size() < 2)
    return success();
  if (failed(checkNoGate(consumers, refusal)) ||
      failed(explainSlices(op, consumers, options, refusal)))
    return failure();
  return checkNoUnknownActivation(op, refusal);
}
