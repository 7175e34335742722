//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PatternConstraints.h"
#include "Chain.h"
#include "FusionDialect/Analysis/ChannelVector.h"
#include "FusionDialect/Analysis/ConvolutionMatch.h"
#include "FusionDialect/Analysis/MatmulMatch.h"
#include "FusionDialect/Analysis/Views.h"
#include "FusionDialect/Fuse/Epilogue.h"
#include "FusionDialect/Fuse/Raise.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace fusion;

static constexpr NativeSignature signatures[] = {
    {"IsConvolution", "v", ""},  {"IsMatmul", "v", ""},
    {"HasOneUser", "v", ""},     {"IsPattern", "va", ""},
    {"ReadsPattern", "oa", "v"}, {"ReadsPatternAt", "oaa", "v"},
    {"IsElementwise", "o", ""},  {"IsActivation", "oa", ""},
    {"IsRelu", "o", ""},         {"IsBias", "vv", ""}};

ArrayRef<NativeSignature> fusion::getPatternConstraints() { return signatures; }

PatternConstraints::PatternConstraints(const PartitionOptions &options,
                                       ChainCache &chains)
    : options(options), chains(chains) {}

ArrayRef<Operation *> PatternConstraints::getOpsOf(Value value) const {
  auto found = opsOf.find(value);
  return found == opsOf.end() ? ArrayRef<Operation *>()
                              : ArrayRef<Operation *>(found->second);
}

//===----------------------------------------------------------------------===//
// Patterns by name
//===----------------------------------------------------------------------===//

FailureOr<ArrayRef<std::unique_ptr<CompositeMatcher>>>
PatternConstraints::getMatchers(Attribute name, Refusal &refusal) {
  auto text = dyn_cast<StringAttr>(name);
  if (!text)
    return refusal.because("the name of a pattern must be a string, got ",
                           name);
  auto [found, isNew] = matchers.try_emplace(text.getValue());
  if (isNew) {
    FailureOr<SmallVector<NamedPattern>> parsed =
        parsePatterns(text.getValue().str(), /*fromFile=*/{}, refusal);
    if (failed(parsed)) {
      matchers.erase(found);
      return failure();
    }
    for (const NamedPattern &pattern : *parsed)
      for (const PatternName &alternative : pattern.alternatives)
        found->second.push_back(createMatcher(alternative, options, chains));
  }
  return ArrayRef<std::unique_ptr<CompositeMatcher>>(found->second);
}

/// Tries `matcher` on the ops that `value` is computed from, the nearest one
/// first: a match begins with its first op.
LogicalResult PatternConstraints::matchAnyRoot(CompositeMatcher &matcher,
                                               Value value, Refusal &refusal) {
  Operation *last = value.getDefiningOp();
  if (!last)
    return refusal.because("an argument is not made by a pattern");
  (void)refusal.because("no op in front begins the pattern");
  llvm::SetVector<Operation *> worklist;
  worklist.insert(last);
  for (size_t i = 0; i != worklist.size(); ++i) {
    Operation *root = worklist[i];
    FailureOr<CompositeMatch> match = failure();
    if (matcher.mayBegin(root))
      match = matcher.match(root, TakenOps(), refusal);
    if (succeeded(match) && match->result == value) {
      opsOf[value].assign(match->main.begin(), std::prev(match->main.end()));
      return success();
    }
    if (succeeded(match))
      (void)refusal.because("the pattern does not end there");
    // Nothing in front of a convolution or matrix multiplication is part of it.
    if (chains.getKind(root) != PatternName::Root::Op)
      continue;
    for (Value operand : root->getOperands())
      if (Operation *op = operand.getDefiningOp();
          op && op->getBlock() == last->getBlock())
        worklist.insert(op);
  }
  return failure();
}

LogicalResult PatternConstraints::checkIsPattern(Value value, Attribute name,
                                                 Refusal &refusal) {
  auto found = getMatchers(name, refusal);
  if (failed(found))
    return failure();
  for (const std::unique_ptr<CompositeMatcher> &matcher : *found)
    if (succeeded(matchAnyRoot(*matcher, value, refusal)))
      return success();
  return failure();
}

//===----------------------------------------------------------------------===//
// Ops and values
//===----------------------------------------------------------------------===//

static LogicalResult checkIsRoot(Value value, bool wantsConvolution,
                                 Refusal &refusal) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!op || (wantsConvolution ? !isConvolution(op) : !isMatmul(op)))
    return refusal.because("not the result of a ", wantsConvolution
                                                       ? "convolution"
                                                       : "matrix "
                                                         "multiplication");
  return checkMayRaise(op, {}, refusal);
}

static LogicalResult checkHasOneUser(Value value, Refusal &refusal) {
  if (Operation *op = value.getDefiningOp())
    return checkOneUser(op, refusal);
  return refusal.because("an argument is the result of no op");
}

static LogicalResult checkIsElementwise(Operation *op, Refusal &refusal) {
  return ScalarExpr::match(op, refusal);
}

/// The dimension of `result` that is the output channel of its op.
static FailureOr<int64_t> findChannel(Value result, Refusal &refusal) {
  auto op = result.getDefiningOp<linalg::LinalgOp>();
  if (!op || failed(checkMayRaise(op, {}, refusal)))
    return refusal.because("not the result of a convolution or matrix "
                           "multiplication");
  std::string letters = isConvolution(op)
                            ? matchConvolution(op, {}, refusal)->outputLetters
                            : matchMatmul(op, {}, refusal)->outputLetters;
  // Depthwise convolutions have their channels in groups.
  StringRef channels = isConvolution(op) ? "fg" : "n";
  size_t channel = letters.find_first_of(channels);
  if (channel == std::string::npos ||
      letters.find_first_of(channels, channel + 1) != std::string::npos)
    return refusal.because("the output channels are not one dimension");
  return channel;
}

/// The loop of `op` along which it reads dimension `dim` of `operand`; none if
/// there is no such loop. For an op on whole tensors, the loops are the
/// dimensions of the result.
static std::optional<int64_t> getLoop(OpOperand &operand, int64_t dim) {
  Operation *op = operand.getOwner();
  if (isView(op))
    return trackThroughViews(dim, op);
  if (op->hasTrait<OpTrait::Elementwise>())
    return dim;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return std::nullopt;
  auto loop = dyn_cast<AffineDimExpr>(
      linalgOp.getMatchingIndexingMap(&operand).getResult(dim));
  return loop ? std::optional<int64_t>(loop.getPosition()) : std::nullopt;
}

/// The dimension of the only result of `op` that loop `loop` runs over.
static std::optional<int64_t> getResultDim(Operation *op, int64_t loop) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp)
    return loop;
  std::optional<unsigned> dim =
      linalgOp.getMatchingIndexingMap(linalgOp.getDpsInitOperand(0))
          .getResultPosition(getAffineDimExpr(loop, op->getContext()));
  return dim ? std::optional<int64_t>(*dim) : std::nullopt;
}

/// Values, each with the dimension that corresponds to one of another value.
using TrackedDims = llvm::MapVector<Value, int64_t>;

/// Adds the result of `user` with the tracked dimension, which it reads along
/// `loop`. Does not go on behind convolutions and matrix multiplications.
static void trackThrough(Operation *user, std::optional<int64_t> loop,
                         TrackedDims &tracked) {
  if (loop && user->getNumResults() == 1 && !isRaisable(user))
    if (std::optional<int64_t> dim = getResultDim(user, *loop))
      tracked.insert({user->getResult(0), *dim});
}

/// Tracks dimension `dim` of `value` through the values computed from it.
static TrackedDims trackForward(Value value, int64_t dim) {
  TrackedDims tracked;
  tracked.insert({value, dim});
  for (size_t i = 0; i != tracked.size(); ++i) {
    auto [next, nextDim] = *std::next(tracked.begin(), i);
    for (OpOperand &use : next.getUses())
      trackThrough(use.getOwner(), getLoop(use, nextDim), tracked);
  }
  return tracked;
}

/// The loop of `op` along which it reads, or writes, `tracked` values.
static std::optional<int64_t> findLoop(Operation *op,
                                       const TrackedDims &tracked) {
  if (!isRaisable(op))
    for (OpOperand &operand : op->getOpOperands())
      if (auto found = tracked.find(operand.get()); found != tracked.end())
        return getLoop(operand, found->second);
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (linalgOp && op->getNumResults() == 1)
    if (auto found = tracked.find(op->getResult(0)); found != tracked.end())
      return getLoop(*linalgOp.getDpsInitOperand(0), found->second);
  return std::nullopt;
}

/// Whether each op that combines `result` with `vector`, which has one
/// dimension, reads the vector along dimension `channel` of the result.
static LogicalResult checkMeetsChannel(Value vector, Value result,
                                       int64_t channel, Refusal &refusal) {
  TrackedDims data = trackForward(result, channel), vectors;
  vectors.insert({vector, 0});
  bool meets = false;
  for (size_t i = 0; i != vectors.size(); ++i) {
    auto [next, dim] = *std::next(vectors.begin(), i);
    for (OpOperand &use : next.getUses()) {
      Operation *user = use.getOwner();
      std::optional<int64_t> loop = getLoop(use, dim);
      std::optional<int64_t> channelLoop = findLoop(user, data);
      if (!channelLoop) {
        trackThrough(user, loop, vectors);
        continue;
      }
      if (loop != channelLoop)
        return refusal.because("'", user->getName(),
                               "' reads the vector along another dimension "
                               "than the output channel");
      meets = true;
    }
  }
  return meets ? success()
               : refusal.because("no op reads the vector along the output "
                                 "channel");
}

static LogicalResult checkIsBias(Value value, Value result, Refusal &refusal) {
  FailureOr<int64_t> channel = findChannel(result, refusal);
  if (failed(channel))
    return failure();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  auto resultType = cast<RankedTensorType>(result.getType());
  if (!type || (type.getRank() != resultType.getRank() && type.getRank() != 1))
    return refusal.because("a bias has the rank of the result, or one "
                           "dimension");
  if (type.getRank() == 1 && resultType.getRank() != 1) {
    if (type.getDimSize(0) == resultType.getDimSize(*channel))
      return checkMeetsChannel(value, result, *channel, refusal);
    return refusal.because("a bias has one element per output channel (",
                           resultType.getDimSize(*channel), "), got ",
                           type.getDimSize(0));
  }
  return matchChannelVector(value, *channel, ChannelVectorOptions(), refusal);
}

//===----------------------------------------------------------------------===//
// Registering
//===----------------------------------------------------------------------===//

static LogicalResult report(PatternRewriter &rewriter, Operation *op,
                            LogicalResult result, Refusal &refusal) {
  return succeeded(result) || !op ? result : refusal.notify(rewriter, op);
}

/// Makes a constraint of `check`, which takes values and gives a reason.
template <typename... Args>
static auto makeConstraint(
    llvm::type_identity_t<std::function<LogicalResult(Args..., Refusal &)>>
        check) {
  return [check](PatternRewriter &rewriter, Args... args) -> LogicalResult {
    Refusal refusal;
    Operation *op = nullptr;
    auto note = [&](auto arg) {
      if constexpr (std::is_same_v<decltype(arg), Operation *>)
        op = arg;
      else if constexpr (std::is_same_v<decltype(arg), Value>)
        op = op ? op : arg.getDefiningOp();
    };
    (note(args), ...);
    return report(rewriter, op, check(args..., refusal), refusal);
  };
}

/// Returns the first of `operands` of `op` that is a match of pattern `name`.
LogicalResult PatternConstraints::giveOperand(PatternRewriter &rewriter,
                                              PDLResultList &results,
                                              Operation *op,
                                              ValueRange operands,
                                              Attribute name) {
  Refusal refusal;
  (void)refusal.because("'", op->getName(), "' has no such operand");
  for (Value operand : operands) {
    if (failed(checkIsPattern(operand, name, refusal)))
      continue;
    results.push_back(operand);
    return success();
  }
  return refusal.notify(rewriter, op);
}

void PatternConstraints::registerIn(PDLPatternModule &patterns) {
  auto isActivation = [this](Operation *op, Attribute name, Refusal &refusal) {
    if (op->getNumResults() != 1)
      return LogicalResult(refusal.because("the op has not one result"));
    return checkIsPattern(op->getResult(0), name, refusal);
  };
  patterns.registerConstraintFunction(
      "IsConvolution", makeConstraint<Value>([](Value value, Refusal &refusal) {
        return checkIsRoot(value, /*wantsConvolution=*/true, refusal);
      }));
  patterns.registerConstraintFunction(
      "IsMatmul", makeConstraint<Value>([](Value value, Refusal &refusal) {
        return checkIsRoot(value, /*wantsConvolution=*/false, refusal);
      }));
  patterns.registerConstraintFunction("HasOneUser",
                                      makeConstraint<Value>(checkHasOneUser));
  patterns.registerConstraintFunction(
      "IsElementwise", makeConstraint<Operation *>(checkIsElementwise));
  patterns.registerConstraintFunction(
      "IsBias", makeConstraint<Value, Value>(checkIsBias));
  patterns.registerConstraintFunction(
      "IsPattern", makeConstraint<Value, Attribute>(
                       [this](Value value, Attribute name, Refusal &refusal) {
                         return checkIsPattern(value, name, refusal);
                       }));
  patterns.registerConstraintFunction(
      "IsActivation", makeConstraint<Operation *, Attribute>(isActivation));
  patterns.registerConstraintFunction(
      "IsRelu", makeConstraint<Operation *>([isActivation](Operation *op,
                                                           Refusal &refusal) {
        return isActivation(op, StringAttr::get(op->getContext(), "relu"),
                            refusal);
      }));
  patterns.registerConstraintFunction(
      "ReadsPattern", [this](PatternRewriter &rewriter, PDLResultList &results,
                             ArrayRef<PDLValue> args) {
        auto *op = args[0].cast<Operation *>();
        return giveOperand(rewriter, results, op, op->getOperands(),
                           args[1].cast<Attribute>());
      });
  patterns.registerConstraintFunction(
      "ReadsPatternAt",
      [this](PatternRewriter &rewriter, PDLResultList &results,
             ArrayRef<PDLValue> args) {
        auto *op = args[0].cast<Operation *>();
        auto number = dyn_cast<IntegerAttr>(args[2].cast<Attribute>());
        ValueRange operands = op->getOperands();
        if (!number || number.getValue().uge(operands.size()))
          operands = {};
        else
          operands = operands.slice(number.getValue().getZExtValue(), 1);
        return giveOperand(rewriter, results, op, operands,
                           args[1].cast<Attribute>());
      });
}
