//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PatternFile.h"
#include "Chain.h"
#include "FusionDialect/Analysis/Padding.h"
#include "FusionDialect/Support/ReadFile.h"
#include "PatternConstraints.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// The constant attribute `value`; null if it is no constant attribute.
static Attribute getConstant(Value value) {
  auto attribute = value.getDefiningOp<pdl::AttributeOp>();
  return attribute ? attribute.getValueAttr() : Attribute();
}

/// Fails if `given`, a constant argument of `constraint`, is not the name of a
/// pattern or an activation.
static LogicalResult checkPatternName(pdl::ApplyNativeConstraintOp constraint,
                                      Attribute given) {
  auto name = dyn_cast<StringAttr>(given);
  if (!name)
    return constraint.emitError()
           << "the name of a pattern must be a string, got " << given;
  Refusal refusal;
  if (failed(parsePatterns(name.str(), /*fromFile=*/{}, refusal)))
    return constraint.emitError() << refusal.str();
  if (constraint.getName() == "IsActivation" &&
      !symbolizeActivationKind(name.getValue()))
    return constraint.emitError()
           << "'" << name.getValue() << "' is no activation";
  return success();
}

/// The first attribute of a native constraint is always a name.
static LogicalResult checkConstants(pdl::ApplyNativeConstraintOp constraint) {
  SmallVector<Attribute> constants;
  for (Value argument : constraint.getArgs())
    if (isa<pdl::AttributeType>(argument.getType()))
      constants.push_back(getConstant(argument));
  if (!constants.empty() && constants.front() &&
      failed(checkPatternName(constraint, constants.front())))
    return failure();
  if (constants.size() < 2 || !constants[1])
    return success();
  auto number = dyn_cast<IntegerAttr>(constants[1]);
  if (number && !number.getValue().isNegative())
    return success();
  return constraint.emitError()
         << "the number of an operand must be an integer from 0, got "
         << constants[1];
}

/// The name of a composite, with its generator.
static std::string getCompositeName(StringRef name) {
  return name.contains('.') ? name.str() : (kDefaultCodegen + "." + name).str();
}

/// Fails if `rewrite` gives its composite a constant that is no name.
static LogicalResult checkCompositeName(pdl::ApplyNativeRewriteOp rewrite) {
  Attribute given = getConstant(rewrite.getArgs().front());
  auto name = dyn_cast_or_null<StringAttr>(given);
  if (!given || (name && isCompositeName(getCompositeName(name))))
    return success();
  return rewrite.emitError()
         << "the name of a composite must be a string, GENERATOR.NAME or NAME, "
            "got "
         << given;
}

/// The letters of `NativeSignature` for `types`.
static std::string getLetters(TypeRange types) {
  std::string letters;
  for (Type type : types)
    letters += isa<pdl::ValueType>(type)       ? 'v'
               : isa<pdl::OperationType>(type) ? 'o'
               : isa<pdl::AttributeType>(type) ? 'a'
                                               : '?';
  return letters;
}

/// Fails if the native function `name` does not exist or has another signature:
/// the library of PDL would end the program.
static LogicalResult checkSignature(Operation *op, StringRef what,
                                    StringRef name,
                                    ArrayRef<NativeSignature> known) {
  auto found = llvm::find_if(known, [&](const NativeSignature &signature) {
    return signature.name == name;
  });
  if (found == known.end())
    return op->emitError()
           << "there is no native " << what << " '" << name << "'; there are "
           << llvm::join(llvm::map_range(known,
                                         [](const NativeSignature &signature) {
                                           return signature.name;
                                         }),
                         ", ");
  if (getLetters(op->getOperandTypes()) == found->arguments &&
      getLetters(op->getResultTypes()) == found->results)
    return success();
  return op->emitError() << "native " << what << " '" << name
                         << "' is declared otherwise in "
                            "FusionDialect/Transforms/Partition.pdll";
}

static LogicalResult checkNatives(pdl::PatternOp pattern) {
  constexpr NativeSignature composite{"Composite", "avo", ""};
  WalkResult result = pattern.walk([&](Operation *op) -> WalkResult {
    if (auto constraint = dyn_cast<pdl::ApplyNativeConstraintOp>(op)) {
      if (failed(checkSignature(op, "constraint", constraint.getName(),
                                getPatternConstraints())))
        return WalkResult::interrupt();
      return checkConstants(constraint);
    }
    if (auto rewrite = dyn_cast<pdl::ApplyNativeRewriteOp>(op)) {
      if (failed(checkSignature(op, "rewrite", rewrite.getName(), composite)))
        return WalkResult::interrupt();
      return checkCompositeName(rewrite);
    }
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

/// A rewrite only marks the match. The module is changed after all are found.
static LogicalResult checkRewrite(pdl::PatternOp pattern) {
  pdl::RewriteOp rewrite = pattern.getRewriter();
  if (rewrite.getName())
    return rewrite.emitError()
           << "the rewrite must have a body that calls 'Composite', got the "
              "external rewrite '"
           << *rewrite.getName() << "'";
  unsigned calls = 0;
  for (Operation &op : rewrite.getBodyRegion().front()) {
    calls += isa<pdl::ApplyNativeRewriteOp>(op);
    if (!isa<pdl::ApplyNativeRewriteOp, pdl::AttributeOp, pdl::ResultOp>(op))
      return op.emitError("the rewrite may do nothing but call 'Composite'");
  }
  if (calls == 1)
    return success();
  return rewrite.emitError() << "the rewrite must call 'Composite' once, does "
                             << "so " << calls << " times";
}

static LogicalResult checkPattern(pdl::PatternOp pattern) {
  if (!pattern.getSymName())
    return pattern.emitError("a pattern of 'fusion-partition' needs a name");
  return success(succeeded(checkNatives(pattern)) &&
                 succeeded(checkRewrite(pattern)));
}

FailureOr<PatternFile> PatternFile::load(StringRef path, MLIRContext *context) {
  auto fail = [&](const Twine &message) {
    return emitError(FileLineColLoc::get(context, path, 0, 0)) << message;
  };
  auto buffer = readFile(path);
  if (!buffer)
    return fail("cannot read the patterns: " +
                llvm::toString(buffer.takeError()));
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(*buffer), llvm::SMLoc());
  SourceMgrDiagnosticHandler diagnostics(sources, context);
  PatternFile file;
  file.module = parseSourceFile<ModuleOp>(sources, context);
  if (!file.module)
    return fail(
        "expected patterns in MLIR, as 'mlir-pdll -x=mlir' writes them");
  if (file.module->getOps<pdl::PatternOp>().empty())
    return fail("there is no 'pdl.pattern'");
  for (auto pattern : file.module->getOps<pdl::PatternOp>())
    if (failed(checkPattern(pattern)))
      return failure();
  return file;
}

SmallVector<StringRef> PatternFile::getNames() {
  SmallVector<StringRef> names;
  for (auto pattern : module->getOps<pdl::PatternOp>())
    names.push_back(*pattern.getSymName());
  return names;
}

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

namespace {
class FileMatcher : public CompositeMatcher {
public:
  FileMatcher(pdl::PatternOp pattern, const PartitionOptions &options,
              ChainCache &chains);

  /// A pattern of a file begins with its last op. That may be any op but a dead
  /// one, which is erased with the composite that it reads.
  bool mayBegin(Operation *root) override { return !isDead(root); }
  FailureOr<CompositeMatch> match(Operation *root, const TakenOps &taken,
                                  Refusal &refusal) override;

private:
  /// The arguments of a call of `Composite`.
  struct Call {
    std::string name;
    Value first;
    Operation *root;
  };

  FailureOr<CompositeMatch> makeMatch(const Call &call, const TakenOps &taken,
                                      Refusal &refusal);
  std::optional<RootOperands> readRoot(ArrayRef<Operation *> main,
                                       bool &takesPad);

  std::string name;
  const PartitionOptions &options;
  ChainCache &chains;
  PatternConstraints constraints;
  std::optional<Call> called;
  FrozenRewritePatternSet patterns;
};
} // namespace

FileMatcher::FileMatcher(pdl::PatternOp pattern,
                         const PartitionOptions &options, ChainCache &chains)
    : name(*pattern.getSymName()), options(options), chains(chains),
      constraints(options, chains) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(pattern.getLoc());
  module->push_back(pattern->clone());
  PDLPatternModule pdl(std::move(module));
  constraints.registerIn(pdl);
  pdl.registerRewriteFunction(
      "Composite",
      [this](PatternRewriter &, Attribute name, Value first, Operation *root) {
        auto text = dyn_cast<StringAttr>(name);
        called = Call{text ? text.str() : "", first, root};
      });
  RewritePatternSet set(pattern.getContext());
  set.getPDLPatterns() = std::move(pdl);
  patterns = FrozenRewritePatternSet(std::move(set));
}

/// The ops on paths from `first` to `last`, both included, in program order.
static FailureOr<SmallVector<Operation *>>
findOpsBetween(Operation *first, Operation *last, Refusal &refusal) {
  llvm::SetVector<Operation *> behind, before;
  getForwardSlice(first, &behind);
  BackwardSliceOptions options;
  options.inclusive = true;
  (void)getBackwardSlice(last, &before, options);
  behind.insert(first);
  SmallVector<Operation *> ops;
  for (Operation *op : before)
    if (behind.contains(op))
      ops.push_back(op);
  if (!llvm::is_contained(ops, first))
    return refusal.because("'", last->getName(),
                           "' is not computed from the first value");
  for (Operation *op : ops)
    if (op->getBlock() != last->getBlock())
      return refusal.because("'", op->getName(), "' is in another block");
  llvm::sort(ops,
             [](Operation *a, Operation *b) { return a->isBeforeInBlock(b); });
  return ops;
}

/// Fails if a result of `ops` is used outside, but for the last one.
static LogicalResult checkClosed(ArrayRef<Operation *> ops, Refusal &refusal) {
  for (Operation *op : ops.drop_back())
    for (Operation *user : op->getUsers())
      if (!llvm::is_contained(ops, user) && !isDead(user))
        return refusal.because("what '", op->getName(), "' makes is used by '",
                               user->getName(), "' outside");
  return success();
}

/// The operands of the convolution or matrix multiplication in `main`; none if
/// there is no such op.
std::optional<RootOperands> FileMatcher::readRoot(ArrayRef<Operation *> main,
                                                  bool &takesPad) {
  for (Operation *op : main) {
    if (chains.getKind(op) == PatternName::Root::Op)
      continue;
    const Chain &chain = chains.get(op);
    if (!chain.operands.input)
      continue;
    takesPad = chain.takesPad;
    return chain.operands;
  }
  return std::nullopt;
}

FailureOr<CompositeMatch> FileMatcher::makeMatch(const Call &call,
                                                 const TakenOps &taken,
                                                 Refusal &refusal) {
  if (!isCompositeName(getCompositeName(call.name)))
    return refusal.because("'", call.name, "' is no name of a composite");
  if (isDead(call.root))
    return refusal.because("result is not used");
  Operation *first = call.first.getDefiningOp();
  if (!first || call.root->getNumResults() != 1)
    return refusal.because("a composite begins with a result of an op, and "
                           "ends with an op of one result");
  FailureOr<SmallVector<Operation *>> main =
      findOpsBetween(first, call.root, refusal);
  if (failed(main))
    return failure();
  main->insert(main->begin(), constraints.getOpsOf(call.first).begin(),
               constraints.getOpsOf(call.first).end());
  if (failed(checkClosed(*main, refusal)))
    return failure();
  ProducerOptions producers;
  producers.taken = &taken;
  std::optional<RootOperands> operands = readRoot(*main, producers.takePad);
  producers.opsWithoutReshapes = options.allowReshape ? 0 : main->size();
  CompositeMatch match;
  match.ops = collectProducers(*main, operands, producers);
  if (!options.bindConstants) {
    // A constant with equal elements is part of the computation, not a weight.
    for (Operation *op : findConstants(match.ops))
      if (!getUniformNumber(op->getResult(0)))
        producers.outside.insert(op);
    match.ops = collectProducers(*main, operands, producers);
  }
  match.pattern = name;
  match.composite = getCompositeName(call.name);
  match.main = std::move(*main);
  match.result = call.root->getResult(0);
  if (operands && producers.takePad)
    operands->input = getPaddedSource(operands->input);
  setRoles(match, operands);
  return match;
}

FailureOr<CompositeMatch> FileMatcher::match(Operation *root,
                                             const TakenOps &taken, Refusal &) {
  // Its caller does not want the reasons: `root` is the last op, so that they
  // do not say why a convolution is in no composite.
  Refusal refusal;
  called.reset();
  constraints.forgetOps();
  PatternApplicator applicator(patterns);
  applicator.applyDefaultCostModel();
  PatternRewriter rewriter(root->getContext());
  rewriter.setInsertionPoint(root);
  if (failed(applicator.matchAndRewrite(root, rewriter)) || !called)
    return refusal.because("pattern '", name, "' does not match");
  FailureOr<CompositeMatch> match = makeMatch(*called, taken, refusal);
  if (succeeded(match) && !taken.isFree(*match))
    return refusal.because("a part belongs to another composite");
  return match;
}

std::unique_ptr<CompositeMatcher>
PatternFile::createMatcher(StringRef name, const PartitionOptions &options,
                           ChainCache &chains) {
  for (auto pattern : module->getOps<pdl::PatternOp>())
    if (pattern.getSymName() == name)
      return std::make_unique<FileMatcher>(pattern, options, chains);
  return nullptr;
}
