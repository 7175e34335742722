//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Check.h"
#include "Compare.h"
#include "Random.h"

#include "FusionDialect/ExecutionEngine/Executable.h"
#include "FusionDialect/Fuse/Explain.h"
#include "FusionDialect/Pipelines/Pipelines.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionRuntime/fusion_runtime.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace mlir;
using namespace fusion;
using namespace fusion::fuzz;

//===----------------------------------------------------------------------===//
// Arithmetic that is left
//===----------------------------------------------------------------------===//

static bool isAnyConvolution(Operation *op) {
  if (isa<FusedConvBiasActOp, QuantizedOpInterface>(op))
    return true;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return linalgOp && linalg::isaConvolutionOpInterface(linalgOp);
}

/// Whether `op` computes elements of a tensor and does not only move them.
static bool isArithmetic(Operation *op) {
  if (op->getNumResults() == 0 || !isa<TensorType>(op->getResult(0).getType()))
    return false;
  if (op->hasTrait<OpTrait::Elementwise>())
    return !isa<arith::ConstantOp>(op);
  if (isa<linalg::TransposeOp, linalg::CopyOp, linalg::FillOp,
          linalg::BroadcastOp>(op))
    return false;
  auto generic = dyn_cast<linalg::LinalgOp>(op);
  // A body that consists of the yield only moves elements.
  return generic && !generic.getBlock()->without_terminator().empty();
}

/// Finds arithmetic on the result of a convolution.
static Operation *findLeftOver(ModuleOp module) {
  llvm::SmallPtrSet<Operation *, 32> behind;
  Operation *found = nullptr;
  module.walk<WalkOrder::PreOrder>([&](Operation *op) {
    bool isBehind = llvm::any_of(op->getOperands(), [&](mlir::Value operand) {
      Operation *def = operand.getDefiningOp();
      return def && (behind.contains(def) || isAnyConvolution(def));
    });
    if (isBehind)
      behind.insert(op);
    if (isBehind && !found && !isAnyConvolution(op) && isArithmetic(op))
      found = op;
  });
  return found;
}

/// `module` behind the passes that add to results of ops on integers.
static OwningOpRef<ModuleOp> fuseAdditions(ModuleOp module) {
  OwningOpRef<ModuleOp> clone(module.clone());
  PassManager pm(module.getContext());
  pm.addPass(createConvertElementwiseToLinalgPass());
  pm.addPass(createFusionMergeElementwise());
  pm.addPass(createFusionFuseRequantizedSums());
  if (failed(pm.run(*clone)))
    llvm::report_fatal_error("passes fail that the reference does not need");
  return clone;
}

/// Whether convolutions shall become ops on integers. Filters alone do not make
/// them.
static bool isOnIntegers(const CaseDescription &description) {
  return description.isQuantized &&
         !description.convs.front().quantized.isWeightOnly;
}

static void judge(ModuleOp module, const CaseDescription &description,
                  Outcome &outcome) {
  size_t numFused = 0, numConvs = description.convs.size();
  for (const Explanation &explanation : explainAll(module, ExplainOptions())) {
    numFused += isOnIntegers(description)
                    ? isa<QuantizedOpInterface>(explanation.op)
                    : isa<FusedOpInterface>(explanation.op);
    if (!explanation.reason.empty())
      outcome.reasons.push_back(explanation.reason);
  }
  bool adds = llvm::any_of(description.convs, [](const ConvDescription &conv) {
    return conv.quantized.adds();
  });
  OwningOpRef<ModuleOp> added;
  if (adds && !description.isExact)
    added = fuseAdditions(module);
  // Exact rounding leaves what the formula of an op rounds otherwise.
  Operation *leftOver =
      description.isExact ? nullptr : findLeftOver(added ? *added : module);
  outcome.isFused = numFused == numConvs && !leftOver;
  if (outcome.isFused || !outcome.reasons.empty())
    return;
  outcome.reasons.push_back(
      leftOver ? "no reason given; left over: " +
                     leftOver->getName().getStringRef().str()
               : "no reason given; " + std::to_string(numFused) +
                     " fused ops of " + std::to_string(numConvs));
}

//===----------------------------------------------------------------------===//
// Stages
//===----------------------------------------------------------------------===//

namespace {
class Checker {
public:
  Checker(MLIRContext &context, const CaseDescription &description)
      : context(context), description(description),
        generated(generate(description)),
        handler(&context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            messages += diagnostic.str() + "\n";
          return success();
        }) {}

  Outcome run();

private:
  using BuildFn = llvm::function_ref<void(OpPassManager &)>;

  MLIRContext &context;
  const CaseDescription &description;
  GeneratedModule generated;
  ScopedDiagnosticHandler handler;
  std::string messages;
  Outcome outcome;
  std::vector<HostTensor> arguments;

  /// Records a failure in `stage`; returns false.
  bool fail(llvm::StringRef stage, Outcome::Status status = Outcome::Failed) {
    outcome.status = status;
    outcome.stage = stage.str();
    outcome.message = messages.empty() ? "no message" : messages;
    return false;
  }
  bool fail(llvm::StringRef stage, llvm::Error error) {
    messages += llvm::toString(std::move(error));
    return fail(stage);
  }

  bool runPipeline(ModuleOp module, BuildFn build, llvm::StringRef stage,
                   Outcome::Status status = Outcome::Failed);
  bool runPasses(ModuleOp module);
  bool execute(ModuleOp module, const Signature &signature,
               llvm::StringRef stage, llvm::SmallVector<HostTensor> &results);
  bool runReference(ModuleOp module, const Signature &signature,
                    llvm::SmallVector<HostTensor> &results);
  bool runFused(ModuleOp module, const Signature &signature,
                QuantRounding rounding, llvm::SmallVector<HostTensor> &results);
  bool agreesExactly(ModuleOp module, const Signature &signature,
                     llvm::ArrayRef<HostTensor> expected);
  void makeArguments(const Signature &signature);
  std::string compare(llvm::ArrayRef<HostTensor> results,
                      llvm::ArrayRef<HostTensor> expected) const;
  void blameUpstream(ModuleOp module, const Signature &signature,
                     llvm::ArrayRef<HostTensor> expected);
};
} // namespace

static void enterStage(llvm::StringRef stage) {
  llvm::errs() << kStageMark << stage << "\n";
}

bool Checker::runPipeline(ModuleOp module, BuildFn build, llvm::StringRef stage,
                          Outcome::Status status) {
  enterStage(stage);
  PassManager pm(&context, ModuleOp::getOperationName(),
                 OpPassManager::Nesting::Implicit);
  build(pm);
  return succeeded(pm.run(module)) || fail(stage, status);
}

/// Runs the passes drawn for the case, one pipeline for each, so that a message
/// tells which one fails.
bool Checker::runPasses(ModuleOp module) {
  for (const std::string &pass : description.passes) {
    auto build = [&](OpPassManager &pm) {
      if (failed(parsePassPipeline(pass, pm)))
        llvm::report_fatal_error("unknown pass in the generator");
    };
    if (!runPipeline(module, build, pass, Outcome::UpstreamFault))
      return false;
  }
  return true;
}

bool Checker::execute(ModuleOp module, const Signature &signature,
                      llvm::StringRef stage,
                      llvm::SmallVector<HostTensor> &results) {
  enterStage(stage);
  auto constants = externalizeConstants(module);
  if (!constants)
    return fail(stage, constants.takeError());
  auto executable = Executable::create(module, signature, std::move(*constants),
                                       /*optLevel=*/0, Host::Tool);
  if (!executable)
    return fail(stage, executable.takeError());
  fusion_rt_set_num_threads(description.threads);
  if (description.tiles)
    setenv("FUSION_TILES", description.tiles, /*overwrite=*/1);
  else
    unsetenv("FUSION_TILES");
  Invocation invocation(**executable, arguments);
  invocation.call();
  results = invocation.copyResults();
  return true;
}

bool Checker::runReference(ModuleOp module, const Signature &signature,
                           llvm::SmallVector<HostTensor> &results) {
  return runPipeline(module, buildReferencePipeline, "reference") &&
         execute(module, signature, "reference", results);
}

bool Checker::runFused(ModuleOp module, const Signature &signature,
                       QuantRounding rounding,
                       llvm::SmallVector<HostTensor> &results) {
  CompileOptions options;
  options.quantRounding = rounding;
  auto optimize = [&](OpPassManager &pm) {
    buildOptimizePipeline(pm, options);
  };
  FusionSplitBatchOptions split;
  split.cacheBytes = description.cacheBytes;
  split.startBytes = 0;
  auto lower = [&](OpPassManager &pm) {
    buildRuntimeOpsPipeline(pm, options);
    pm.addPass(createFusionSplitBatch(split));
    buildBufferizePipeline(pm, options);
    buildLowerToLLVMPipeline(pm);
  };
  if (!runPipeline(module, optimize, "fusion-optimize"))
    return false;
  judge(module, description, outcome);
  return runPipeline(module, lower, "fusion-compile") &&
         execute(module, signature, "execution", results);
}

void Checker::makeArguments(const Signature &signature) {
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    const ArgumentData &data = generated.arguments[i];
    HostType type = signature.arguments[i];
    type.shape = data.shape;
    HostTensor &tensor = arguments.emplace_back(type);
    Random random(description.seed * 1000 + i);
    for (int64_t element = 0; element < tensor.getNumElements(); ++element)
      tensor.set(element, data.range.draw(random));
  }
}

/// Whether a result is exp of something. With other activations errors grow no
/// more than the values.
static bool hasExponential(const CaseDescription &description) {
  return llvm::any_of(description.convs, [](const ConvDescription &conv) {
    return llvm::any_of(conv.steps, [](const Step &step) {
      return step.kind == StepKind::Activation &&
             step.activation == fuzz::ActivationKind::Exp;
    });
  });
}

/// The most convolutions of which each reads a result of the one before.
static size_t getDepth(const CaseDescription &description) {
  size_t depth = 1, deepest = 1;
  for (const ConvDescription &conv : description.convs) {
    depth = conv.isChained ? depth + 1 : 1;
    // A residual may be the result of any convolution before.
    bool hasResidual = llvm::any_of(conv.steps, [](const Step &step) {
      return step.kind == StepKind::Residual;
    });
    depth = std::max(
        depth,
        hasResidual ? deepest + (&conv != &description.convs.front()) : 1);
    deepest = std::max(deepest, depth);
  }
  return deepest;
}

/// A result of 8 bits may be 1 off unless the case is exact. One that is
/// computed from such results may be more.
static void allowRounding(const CaseDescription &description,
                          Tolerance &tolerance) {
  size_t deepest = getDepth(description);
  if (description.isExact)
    return;
  tolerance.integer = static_cast<double>(3 * deepest - 2);
  // An addition rounds once more.
  for (const ConvDescription &conv : description.convs)
    tolerance.integer += conv.quantized.adds();
  if (deepest > 1)
    tolerance.error = tolerance.sum = 0.05 * static_cast<double>(deepest);
}

std::string Checker::compare(llvm::ArrayRef<HostTensor> results,
                             llvm::ArrayRef<HostTensor> expected) const {
  bool isNarrow = llvm::StringRef(description.element) != "f32";
  Tolerance tolerance{isNarrow ? 3e-2 : 1e-4, hasExponential(description)};
  if (isOnIntegers(description))
    allowRounding(description, tolerance);
  return compareResults(results, expected, tolerance);
}

/// Whether results that convolutions compute from others are only off because
/// these are: a filter's large numbers make many steps of one. Then they are
/// not if no rounding is another one than that of the module.
bool Checker::agreesExactly(ModuleOp module, const Signature &signature,
                            llvm::ArrayRef<HostTensor> expected) {
  if (!isOnIntegers(description) || description.isExact ||
      getDepth(description) == 1)
    return false;
  OwningOpRef<ModuleOp> clone(module.clone());
  Outcome saved = outcome;
  llvm::SmallVector<HostTensor> results;
  bool agrees = runFused(*clone, signature, QuantRounding::Exact, results) &&
                compare(results, expected).empty();
  outcome = saved;
  return agrees;
}

/// Blames upstream if the module after upstream's passes, lowered by upstream
/// alone, computes something else.
void Checker::blameUpstream(ModuleOp module, const Signature &signature,
                            llvm::ArrayRef<HostTensor> expected) {
  OwningOpRef<ModuleOp> clone(module.clone());
  Outcome saved = outcome;
  llvm::SmallVector<HostTensor> results;
  std::string difference;
  if (runReference(*clone, signature, results))
    difference = compare(results, expected);
  else
    difference = outcome.message;
  outcome = saved;
  if (difference.empty())
    return;
  outcome.status = Outcome::UpstreamFault;
  outcome.message = "upstream's passes alone: " + difference;
}

Outcome Checker::run() {
  auto module = parseSourceString<ModuleOp>(generated.text, &context);
  if (!module) {
    fail("generator");
    return outcome;
  }
  auto function = *module->getOps<func::FuncOp>().begin();
  auto signature = getSignature(function);
  if (!signature) {
    fail("generator", signature.takeError());
    return outcome;
  }
  prepareEntry(function);
  makeArguments(*signature);
  OwningOpRef<ModuleOp> reference(module->clone());
  llvm::SmallVector<HostTensor> expected, results;
  if (!runReference(*reference, *signature, expected) || !runPasses(*module))
    return outcome;

  OwningOpRef<ModuleOp> prepared(module->clone());
  if (runFused(*module, *signature,
               description.isExact ? QuantRounding::Exact
                                   : QuantRounding::Nearest,
               results)) {
    outcome.message = compare(results, expected);
    if (!outcome.message.empty() &&
        !agreesExactly(*prepared, *signature, expected))
      outcome.status = Outcome::Differs;
  }
  if (outcome.isBad() && !description.passes.empty())
    blameUpstream(*prepared, *signature, expected);
  return outcome;
}

Outcome fusion::fuzz::check(MLIRContext &context,
                            const CaseDescription &description) {
  return Checker(context, description).run();
}
