//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Chain.h"
#include "CompositeMatch.h"
#include "FusionDialect/Analysis/Views.h"
#include "FusionDialect/Fuse/Epilogue.h"
#include "FusionDialect/Fuse/Raise.h"
#include "FusionDialect/IR/LocationText.h"

using namespace mlir;
using namespace fusion;

static StringRef getText(Part::Kind kind) {
  switch (kind) {
  case Part::Kind::Bias:
    return "bias";
  case Part::Kind::BatchNorm:
    return "bn";
  case Part::Kind::Sum:
    return "sum";
  case Part::Kind::Activation:
    return "activation";
  }
  llvm_unreachable("unknown part");
}

static std::string describe(ArrayRef<Part> parts) {
  if (parts.empty())
    return "nothing";
  SmallVector<StringRef> names;
  for (const Part &part : parts)
    names.push_back(part.activation ? stringifyActivationKind(*part.activation)
                                    : getText(part.kind));
  return llvm::join(names, ", ");
}

namespace {
class ChainMatcher : public CompositeMatcher {
public:
  ChainMatcher(const PatternName &name, const PartitionOptions &options,
               ChainCache &chains)
      : name(name), options(options), chains(chains) {}

  bool mayBegin(Operation *root) override {
    return chains.getKind(root) == name.root;
  }
  FailureOr<CompositeMatch> match(Operation *root, const TakenOps &taken,
                                  Refusal &refusal) override;

private:
  LogicalResult refuse(const Chain &chain, Refusal &refusal) const;
  FailureOr<CompositeMatch> matchAlone(Operation *root, const TakenOps &taken,
                                       Refusal &refusal);
  FailureOr<CompositeMatch> matchState(const Chain &chain,
                                       const Chain::State &state,
                                       const TakenOps &taken, Refusal &refusal);
  LogicalResult checkReading(ArrayRef<Operation *> ops, const Chain &chain,
                             const Chain::State &state, Refusal &refusal);
  llvm::SetVector<Operation *> keepConstantsOutside(const Chain &chain,
                                                    const Chain::State &state,
                                                    ProducerOptions &producers);
  size_t countOpsOfBias(const Chain &chain) const;
  Operation *findLaterRoot(const CompositeMatch &match);

  PatternName name;
  const PartitionOptions &options;
  ChainCache &chains;
};
} // namespace

/// Whether `ops`, those of `state`, have the meaning of the name.
LogicalResult ChainMatcher::checkReading(ArrayRef<Operation *> ops,
                                         const Chain &chain,
                                         const Chain::State &state,
                                         Refusal &refusal) {
  FailureOr<Reading> reading = chains.getProbe().read(
      ops, chain.ops.front(), chain.ops[state.size - 1]->getResult(0), refusal);
  if (failed(reading))
    return failure();
  if (reading->parts != name.parts)
    return refusal.because("followed by ", describe(reading->parts),
                           ", expected ", describe(name.parts));
  if (reading->isTransposed && !name.isTransposed)
    return refusal.because(
        "'filter' is read transposed, the pattern takes it as it is");
  if (!reading->isTransposed && name.isTransposed)
    return refusal.because(
        "'filter' is read as it is, the pattern takes it transposed");
  return success();
}

/// The ops of `state` without constant weights. Constants that the meaning
/// depends on, such as the zero of a relu, stay.
llvm::SetVector<Operation *> ChainMatcher::keepConstantsOutside(
    const Chain &chain, const Chain::State &state, ProducerOptions &producers) {
  auto main = ArrayRef<Operation *>(chain.ops).take_front(state.size);
  auto collect = [&] {
    return collectProducers(main, chain.operands, producers);
  };
  for (Operation *op : findConstants(collect())) {
    producers.outside.insert(op);
    Refusal ignored = Refusal::unread();
    if (failed(checkReading(collect().getArrayRef(), chain, state, ignored)))
      producers.outside.erase(op);
  }
  return collect();
}

/// The number of ops of `chain` up to the bias of the name. Reshapes in a batch
/// norm always belong to it.
size_t ChainMatcher::countOpsOfBias(const Chain &chain) const {
  if (name.parts.empty() || name.parts.front().kind != Part::Kind::Bias)
    return 0;
  for (const Chain::State &state : chain.states)
    if (!state.reading.parts.empty() &&
        state.reading.parts.front() == name.parts.front())
      return state.size;
  return chain.ops.size();
}

FailureOr<CompositeMatch> ChainMatcher::matchState(const Chain &chain,
                                                   const Chain::State &state,
                                                   const TakenOps &taken,
                                                   Refusal &refusal) {
  auto main = ArrayRef<Operation *>(chain.ops).take_front(state.size);
  ProducerOptions producers;
  producers.taken = &taken;
  producers.takePad = chain.takesPad;
  producers.opsWithoutReshapes = countOpsOfBias(chain);
  producers.takeFilterViews =
      name.root == PatternName::Root::Convolution || name.isTransposed;
  llvm::SetVector<Operation *> ops =
      collectProducers(main, chain.operands, producers);
  if (name.isReshaped || options.allowReshape) {
    producers.opsWithoutReshapes = 0;
    llvm::SetVector<Operation *> all =
        collectProducers(main, chain.operands, producers);
    if (name.isReshaped && all.size() == ops.size())
      return refusal.because("bias comes through no reshape");
    ops = std::move(all);
  }
  // A reshape that is needed to broadcast the bias cannot stay outside.
  if (failed(checkReading(ops.getArrayRef(), chain, state, refusal)))
    return producers.opsWithoutReshapes == 0
               ? failure()
               : refusal.because("without the reshape of the bias the ops are "
                                 "something else, and allow-reshape is off");
  if (!options.bindConstants)
    ops = keepConstantsOutside(chain, state, producers);
  CompositeMatch match;
  match.pattern = name.text;
  match.ops = std::move(ops);
  match.main.assign(main.begin(), main.end());
  match.result = main.back()->getResult(0);
  RootOperands operands = chain.operands;
  if (chain.takesPad)
    operands.input = getPaddedSource(operands.input);
  setRoles(match, operands);
  return match;
}

/// Says how `chain` differs from the name.
LogicalResult ChainMatcher::refuse(const Chain &chain, Refusal &refusal) const {
  const Chain::State &last = chain.states.back();
  if (last.reading.spatialRank != name.spatialRank)
    return refusal.because("convolution of ", last.reading.spatialRank,
                           " spatial dimensions, the pattern has ",
                           name.spatialRank);
  // If the result has other users, that is why no further op is part of it.
  if (last.reading.parts.size() < name.parts.size() &&
      failed(checkOneUser(chain.ops[last.size - 1], refusal)))
    return failure();
  return refusal.because("followed by ", describe(last.reading.parts),
                         ", expected ", describe(name.parts));
}

FailureOr<CompositeMatch> ChainMatcher::matchAlone(Operation *root,
                                                   const TakenOps &taken,
                                                   Refusal &refusal) {
  const Chain &chain = chains.get(root);
  if (chain.states.empty())
    return refusal.because(chain.reason);
  (void)refuse(chain, refusal);
  // A batch norm spans several states; the last one is complete.
  for (size_t i = chain.states.size(); i-- > 0;) {
    const Chain::State &state = chain.states[i];
    if (state.reading.spatialRank != name.spatialRank ||
        state.reading.parts != name.parts)
      continue;
    if (!chain.isWhole(i)) {
      (void)refusal.because(
          "what ends at ", getLocationText(chain.ops[state.size - 1]->getLoc()),
          " is only the beginning of an activation or a batch norm");
      continue;
    }
    FailureOr<CompositeMatch> match = matchState(chain, state, taken, refusal);
    if (failed(match))
      continue;
    if (taken.isFree(*match))
      return match;
    (void)refusal.because("a part belongs to another composite");
  }
  return failure();
}

/// The last convolution or matrix multiplication behind the root of `match`
/// that computes a residual of `match`.
Operation *ChainMatcher::findLaterRoot(const CompositeMatch &match) {
  Operation *root = match.main.front();
  Operation *later = nullptr;
  llvm::SetVector<Value> worklist;
  for (auto [value, role] : match.roles)
    if (role == "residual")
      worklist.insert(value);
  for (size_t i = 0; i != worklist.size(); ++i) {
    Operation *op = worklist[i].getDefiningOp();
    if (!op || op->getBlock() != root->getBlock() || op->isBeforeInBlock(root))
      continue;
    Refusal ignored = Refusal::unread();
    if (isRaisable(op))
      later = !later || later->isBeforeInBlock(op) ? op : later;
    else if (isView(op) || succeeded(ScalarExpr::match(op, ignored)))
      worklist.insert_range(op->getOperands());
  }
  return later;
}

FailureOr<CompositeMatch>
ChainMatcher::match(Operation *root, const TakenOps &taken, Refusal &refusal) {
  FailureOr<CompositeMatch> match = matchAlone(root, taken, refusal);
  if (failed(match))
    return failure();
  // An op that reads two roots belongs to the later one, as in `fusion-fuse`.
  Operation *later = findLaterRoot(*match);
  if (later && mayBegin(later)) {
    Refusal ignored = Refusal::unread();
    FailureOr<CompositeMatch> other = this->match(later, taken, ignored);
    if (succeeded(other) && llvm::any_of(other->main, [&](Operation *op) {
          return llvm::is_contained(match->main, op);
        }))
      return refusal.because("the sum belongs to '",
                             later->getName().getStringRef(), "' at ",
                             getLocationText(later->getLoc()));
  }
  return match;
}

std::unique_ptr<CompositeMatcher>
fusion::createChainMatcher(const PatternName &name,
                           const PartitionOptions &options,
                           ChainCache &chains) {
  return std::make_unique<ChainMatcher>(name, options, chains);
}
