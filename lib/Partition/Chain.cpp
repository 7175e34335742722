//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Chain.h"
#include "FusionDialect/Analysis/ConvolutionMatch.h"
#include "FusionDialect/Analysis/MatmulMatch.h"
#include "FusionDialect/Analysis/ScalarExpr.h"
#include "FusionDialect/Analysis/Transpose.h"
#include "FusionDialect/Analysis/Views.h"
#include "FusionDialect/Fuse/Raise.h"

using namespace mlir;
using namespace fusion;

/// No activation is written in more ops. If so many ops behind a state are no
/// fusion op together, the search ends.
static constexpr size_t maxUnread = 32;

/// True if `op` can be part of a chain: it is element-wise, a reshape or a
/// transpose.
static bool mayFollow(Operation *op, Block *block) {
  if (op->getBlock() != block || op->getNumResults() != 1 ||
      !isMemoryEffectFree(op))
    return false;
  Refusal ignored = Refusal::unread();
  return isView(op) || isTranspose(op) ||
         succeeded(ScalarExpr::match(op, ignored));
}

/// The ops that use results of `ops` from outside, without dead ones.
static llvm::SetVector<Operation *>
findUsers(const llvm::SmallSetVector<Operation *, 16> &ops) {
  llvm::SetVector<Operation *> users;
  for (Operation *op : ops)
    for (Operation *user : op->getUsers())
      if (!ops.contains(user) && !isDead(user))
        users.insert(user);
  return users;
}

/// True if only the result of the last of `ops` is used outside.
static bool isClosed(const llvm::SmallSetVector<Operation *, 16> &ops,
                     const llvm::SetVector<Operation *> &users) {
  return !users.empty() && llvm::all_of(users, [&](Operation *user) {
    return llvm::all_of(ops, [&](Operation *op) {
      return op == ops.back() || !llvm::is_contained(op->getUsers(), user);
    });
  });
}

static FailureOr<RootOperands> readRoot(linalg::LinalgOp op, Refusal &refusal) {
  if (failed(checkMayRaise(op, {}, refusal)))
    return failure();
  if (isConvolution(op)) {
    ConvolutionMatch match = *matchConvolution(op, {}, refusal);
    return RootOperands{match.input, match.filter};
  }
  MatmulMatch match = *matchMatmul(op, {}, refusal);
  return RootOperands{match.input, match.filter};
}

namespace {
class ChainBuilder {
public:
  ChainBuilder(FuseProbe &probe, Chain &chain) : probe(probe), chain(chain) {}
  void build(linalg::LinalgOp root);

private:
  FailureOr<Reading> read(Refusal &refusal);
  void addState();

  FuseProbe &probe;
  Chain &chain;
  llvm::SmallSetVector<Operation *, 16> ops;
};
} // namespace

FailureOr<Reading> ChainBuilder::read(Refusal &refusal) {
  ProducerOptions options;
  options.takePad = chain.takesPad;
  llvm::SetVector<Operation *> all =
      collectProducers(ops.getArrayRef(), chain.operands, options);
  return probe.read(all.getArrayRef(), ops.front(), ops.back()->getResult(0),
                    refusal);
}

/// Reads the ops so far. A reshape or transpose at the end does not belong to
/// them.
void ChainBuilder::addState() {
  Operation *last = ops.back();
  if (isView(last) || isTranspose(last))
    return;
  Refusal refusal;
  FailureOr<Reading> reading = read(refusal);
  if (succeeded(reading))
    chain.states.push_back({ops.size(), *reading});
}

void ChainBuilder::build(linalg::LinalgOp root) {
  Refusal refusal;
  FailureOr<RootOperands> operands = readRoot(root, refusal);
  if (failed(operands)) {
    chain.reason = refusal.str();
    return;
  }
  chain.operands = *operands;
  ops.insert(root);
  if (isDead(root))
    (void)refusal.because("result is not used");
  chain.reason = refusal.str();
  FailureOr<Reading> alone = read(refusal);
  chain.takesPad = succeeded(alone) && alone->isPadFolded;
  while (true) {
    llvm::SetVector<Operation *> users = findUsers(ops);
    if (isClosed(ops, users))
      addState();
    size_t read = chain.states.empty() ? 0 : chain.states.back().size;
    Operation *next = nullptr;
    for (Operation *user : users)
      if (mayFollow(user, root->getBlock()) &&
          (!next || user->isBeforeInBlock(next)))
        next = user;
    if (!next || ops.size() - read > maxUnread)
      break;
    ops.insert(next);
  }
  chain.ops.assign(ops.begin(), ops.end());
}

bool Chain::isWhole(size_t number) const {
  ArrayRef<Part> parts = states[number].reading.parts;
  return llvm::all_of(
      ArrayRef<State>(states).drop_front(number + 1), [&](const State &later) {
        ArrayRef<Part> laterParts = later.reading.parts;
        if (laterParts.size() < parts.size())
          return false;
        for (auto [part, laterPart] : llvm::zip(parts, laterParts)) {
          bool isActivation = part.kind == Part::Kind::Activation &&
                              laterPart.kind == Part::Kind::Activation;
          // A relu may become a clip with the next op. It is complete without
          // that.
          if (!isActivation && !(part == laterPart))
            return false;
        }
        return true;
      });
}

const Chain &ChainCache::get(Operation *root) {
  std::unique_ptr<Chain> &chain = chains[root];
  if (!chain) {
    chain = std::make_unique<Chain>();
    ChainBuilder(probe, *chain).build(cast<linalg::LinalgOp>(root));
  }
  return *chain;
}

PatternName::Root ChainCache::getKind(Operation *op) {
  using Root = PatternName::Root;
  auto [kind, isNew] = kinds.insert({op, Root::Op});
  if (isNew)
    kind->second = isConvolution(op) ? Root::Convolution
                   : isMatmul(op)    ? Root::Matmul
                                     : Root::Op;
  return kind->second;
}
