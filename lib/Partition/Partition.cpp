//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Partition/Partition.h"
#include "Chain.h"
#include "CompositeMatch.h"
#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Fuse/Raise.h"
#include "FusionDialect/Transforms/Passes.h"
#include "PatternFile.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/PDLInterp/IR/PDLInterp.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"
#include <queue>

namespace fusion {
#define GEN_PASS_DEF_FUSIONPARTITION
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Taken ops
//===----------------------------------------------------------------------===//

void TakenOps::take(const CompositeMatch &match) {
  main.insert_range(match.main);
  copied.insert_range(match.ops);
  for (Operation *op : match.main)
    for (Value value : getReadValues(op))
      if (match.ops.contains(value.getDefiningOp()))
        readInside.insert({value.getDefiningOp(), op});
}

/// `op`, or the op around it, that is in `ops`; null if there is none.
static Operation *findAround(Operation *op,
                             const llvm::DenseSet<Operation *> &ops) {
  while (op && !ops.contains(op))
    op = op->getParentOp();
  return op;
}

/// True if the module still needs `op` after all composites so far are created.
bool TakenOps::isStillUsed(Operation *op) const {
  llvm::SetVector<Operation *> worklist;
  worklist.insert(op);
  for (size_t i = 0; i != worklist.size(); ++i)
    for (Operation *user : worklist[i]->getUsers()) {
      if (Operation *done = findAround(user, main)) {
        if (!readInside.contains({worklist[i], done}))
          return true;
      } else if (Operation *copy = findAround(user, copied)) {
        worklist.insert(copy);
      } else if (!isDead(user)) {
        return true;
      }
    }
  return false;
}

bool TakenOps::isFree(const CompositeMatch &match) const {
  return llvm::none_of(match.ops, [&](Operation *op) { return isDone(op); }) &&
         llvm::all_of(match.main, [&](Operation *op) {
           return !copied.contains(op) || isStillUsed(op);
         });
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

namespace {
/// A pattern with the matchers of its alternatives.
struct CompositePattern {
  std::string composite;
  SmallVector<std::unique_ptr<CompositeMatcher>> alternatives;
  /// Alternatives may take the same ops from different roots: a pattern of a
  /// file begins with its last op, any other with its first.
  bool overlapsAnywhere = false;

  /// The match that takes most ops. `refusal` has a reason if there is none and
  /// `root` is an op that a match may begin with.
  std::optional<CompositeMatch> match(Operation *root, const TakenOps &taken,
                                      Refusal &refusal);
};

struct FoundMatch {
  CompositeMatch match;
  std::string composite;
};
} // namespace

std::optional<CompositeMatch> CompositePattern::match(Operation *root,
                                                      const TakenOps &taken,
                                                      Refusal &refusal) {
  std::optional<CompositeMatch> largest;
  for (std::unique_ptr<CompositeMatcher> &matcher : alternatives) {
    if (!matcher->mayBegin(root))
      continue;
    FailureOr<CompositeMatch> match = matcher->match(root, taken, refusal);
    if (succeeded(match) &&
        (!largest || match->main.size() > largest->main.size()))
      largest = std::move(*match);
  }
  return largest;
}

/// The ops that a pattern may begin with, in program order. Ops of composites
/// are matched already.
static SmallVector<Operation *> findRoots(ModuleOp module) {
  SmallVector<Operation *> roots;
  module->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (auto function = dyn_cast<func::FuncOp>(op);
        function && isPartitioned(function))
      return WalkResult::skip();
    if (isa<linalg::LinalgOp>(op)) {
      roots.push_back(op);
      return WalkResult::skip();
    }
    if (op->getNumResults() == 1 && op->getNumRegions() == 0)
      roots.push_back(op);
    return WalkResult::advance();
  });
  return roots;
}

namespace {
/// The outcome for each convolution and matrix multiplication.
class Report {
public:
  explicit Report(ArrayRef<Operation *> roots) {
    for (Operation *root : roots)
      if (isRaisable(root))
        outcomes[root];
  }
  void addMatch(const FoundMatch &found);
  /// Adds the reason of a refusal. The first one is reported.
  void addRefusal(Operation *root, const Refusal &refusal);
  void emit() const;

private:
  struct Outcome {
    std::string composite, reason;
  };
  llvm::MapVector<Operation *, Outcome> outcomes;
};
} // namespace

void Report::addMatch(const FoundMatch &found) {
  for (Operation *op : found.match.main)
    if (auto outcome = outcomes.find(op); outcome != outcomes.end())
      outcome->second.composite = found.composite;
}

void Report::addRefusal(Operation *root, const Refusal &refusal) {
  auto outcome = outcomes.find(root);
  if (outcome != outcomes.end() && outcome->second.reason.empty())
    outcome->second.reason = refusal.str().str();
}

void Report::emit() const {
  for (const auto &[root, outcome] : outcomes) {
    remark::RemarkOpts opts =
        remark::RemarkOpts::name("fusion-partition").category("fusion");
    if (!outcome.composite.empty())
      remark::passed(root->getLoc(), opts)
          << "in composite: " + outcome.composite;
    else if (!outcome.reason.empty())
      remark::missed(root->getLoc(), opts)
          << remark::reason("{0}", "in no composite: " + outcome.reason);
  }
}

namespace {
/// Finds the matches of one pattern after the other. The module must not
/// change.
class MatchFinder {
public:
  explicit MatchFinder(ModuleOp module);

  void find(CompositePattern &pattern);
  SmallVector<FoundMatch> finish();

private:
  std::optional<CompositeMatch> match(CompositePattern &pattern,
                                      Operation *root);
  void takeInOrder(CompositePattern &pattern);
  void takeLargestFirst(CompositePattern &pattern);
  void take(const CompositePattern &pattern, CompositeMatch match);

  SmallVector<Operation *> roots;
  Report report;
  TakenOps taken;
  SmallVector<FoundMatch> found;
};
} // namespace

MatchFinder::MatchFinder(ModuleOp module)
    : roots(findRoots(module)), report(roots) {
  llvm::erase_if(roots, [&](Operation *root) {
    Refusal refusal;
    if (succeeded(checkMayOutline(root, refusal)))
      return false;
    report.addRefusal(root, refusal);
    return true;
  });
}

std::optional<CompositeMatch> MatchFinder::match(CompositePattern &pattern,
                                                 Operation *root) {
  Refusal refusal;
  std::optional<CompositeMatch> match = pattern.match(root, taken, refusal);
  if (!match)
    report.addRefusal(root, refusal);
  return match;
}

void MatchFinder::take(const CompositePattern &pattern, CompositeMatch match) {
  taken.take(match);
  std::string composite = pattern.composite;
  if (composite.empty())
    composite = match.composite;
  if (composite.empty())
    composite = (kDefaultCodegen + "." + match.pattern).str();
  found.push_back({std::move(match), composite});
  report.addMatch(found.back());
}

void MatchFinder::takeInOrder(CompositePattern &pattern) {
  for (Operation *root : roots)
    if (std::optional<CompositeMatch> found = match(pattern, root))
      take(pattern, std::move(*found));
}

void MatchFinder::takeLargestFirst(CompositePattern &pattern) {
  // Of matches with equal sizes the first one in the module comes first.
  std::priority_queue<std::pair<size_t, int64_t>> sizes;
  auto add = [&](int64_t number) {
    if (std::optional<CompositeMatch> found = match(pattern, roots[number]))
      sizes.push({found->main.size(), -number});
  };
  for (int64_t number = 0, e = roots.size(); number != e; ++number)
    add(number);
  while (!sizes.empty()) {
    auto [size, number] = sizes.top();
    sizes.pop();
    // Ops that were taken since may leave a smaller match, or none.
    std::optional<CompositeMatch> found = match(pattern, roots[-number]);
    if (found && found->main.size() == size)
      take(pattern, std::move(*found));
    else if (found)
      sizes.push({found->main.size(), number});
  }
}

void MatchFinder::find(CompositePattern &pattern) {
  if (pattern.overlapsAnywhere)
    takeLargestFirst(pattern);
  else
    takeInOrder(pattern);
}

SmallVector<FoundMatch> MatchFinder::finish() {
  report.emit();
  return std::move(found);
}

std::unique_ptr<CompositeMatcher>
fusion::createMatcher(const PatternName &name, const PartitionOptions &options,
                      ChainCache &chains) {
  return name.root == PatternName::Root::Op
             ? createOpMatcher(name, options, chains.getProbe())
             : createChainMatcher(name, options, chains);
}

static void partitionBy(ModuleOp module, ArrayRef<NamedPattern> names,
                        const PartitionOptions &options, PatternFile *file) {
  FuseProbe probe(module.getContext());
  ChainCache chains(probe);
  SmallVector<CompositePattern> patterns;
  for (const NamedPattern &name : names) {
    CompositePattern &pattern = patterns.emplace_back();
    pattern.composite = name.composite;
    pattern.overlapsAnywhere =
        name.alternatives.size() > 1 &&
        llvm::any_of(name.alternatives, [](const PatternName &alternative) {
          return alternative.root == PatternName::Root::File;
        });
    for (const PatternName &alternative : name.alternatives)
      pattern.alternatives.push_back(
          alternative.root == PatternName::Root::File
              ? file->createMatcher(alternative.text, options, chains)
              : createMatcher(alternative, options, chains));
  }
  // The module changes only after all matches are found, so that cached answers
  // stay true.
  MatchFinder finder(module);
  for (CompositePattern &pattern : patterns)
    finder.find(pattern);
  Outliner outliner(options);
  for (const FoundMatch &each : finder.finish())
    outliner.outline(each.match, each.composite);
}

/// The patterns in order. Those of `file` that `texts` does not name come
/// first.
static FailureOr<SmallVector<NamedPattern>>
orderPatterns(ArrayRef<std::string> texts, PatternFile *file,
              Refusal &refusal) {
  SmallVector<StringRef> fromFile;
  if (file)
    fromFile = file->getNames();
  FailureOr<SmallVector<NamedPattern>> listed =
      parsePatterns(texts, fromFile, refusal);
  if (failed(listed))
    return failure();
  auto isListed = [&](StringRef name) {
    return llvm::any_of(*listed, [&](const NamedPattern &pattern) {
      return llvm::any_of(pattern.alternatives, [&](const PatternName &other) {
        return other.text == name;
      });
    });
  };
  SmallVector<NamedPattern> patterns;
  for (StringRef name : fromFile)
    if (!isListed(name))
      patterns.push_back({{{name.str(), PatternName::Root::File}}, ""});
  llvm::append_range(patterns, *listed);
  return patterns;
}

LogicalResult fusion::partition(ModuleOp module,
                                const PartitionOptions &options) {
  // Loads the dependent dialects of the pass, for callers outside of a pass.
  module.getContext()
      ->loadDialect<FusionDialect, arith::ArithDialect, func::FuncDialect,
                    linalg::LinalgDialect, math::MathDialect, pdl::PDLDialect,
                    pdl_interp::PDLInterpDialect, tensor::TensorDialect>();
  std::optional<PatternFile> file;
  if (!options.patternFile.empty()) {
    FailureOr<PatternFile> loaded =
        PatternFile::load(options.patternFile, module.getContext());
    if (failed(loaded))
      return failure();
    file = std::move(*loaded);
  }
  PatternFile *patternFile = file ? &*file : nullptr;
  Refusal refusal;
  FailureOr<SmallVector<NamedPattern>> names =
      orderPatterns(options.patterns, patternFile, refusal);
  if (failed(names))
    return emitError(UnknownLoc::get(module.getContext()), refusal.str());
  if (!names->empty())
    partitionBy(module, *names, options, patternFile);
  if (options.merge)
    mergeComposites(module);
  return success();
}

namespace {
struct PartitionPass : public fusion::impl::FusionPartitionBase<PartitionPass> {
  using FusionPartitionBase::FusionPartitionBase;

  void runOnOperation() override {
    PartitionOptions options;
    options.patterns.assign(patterns.begin(), patterns.end());
    options.bindConstants = bindConstants;
    options.annotateCodegen = annotateCodegen;
    options.merge = merge;
    options.allowReshape = allowReshape;
    options.patternFile = patternFile;
    if (failed(partition(getOperation(), options)))
      signalPassFailure();
  }
};
} // namespace
