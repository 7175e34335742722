//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Optimize.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LazyCallGraph.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/MergeFunctions.h"
#include "llvm/Transforms/Utils/CodeExtractor.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace fusion;

/// A function of more is one of a network whose weights are arguments.
static constexpr size_t kManyArguments = 1024;

namespace {
/// The analyses that passes need.
struct Analyses {
  explicit Analyses(llvm::TargetMachine *machine = nullptr)
      : builder(machine, getTuning(), /*PGOOpt=*/std::nullopt, &callbacks) {
    callbacks.registerShouldRunOptionalPassCallback(isWorthwhile);
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }

  static llvm::PipelineTuningOptions getTuning() {
    llvm::PipelineTuningOptions options;
    options.SLPVectorization = true;
    return options;
  }

  /// Leaves out passes whose time is quadratic. CalledValuePropagation, in the
  /// number of functions, looks for the functions that a pointer may be, for
  /// calls through pointers, of which compiled code has none.
  /// PostOrderFunctionAttrs, in the number of a function's arguments, copies
  /// the attributes of all to add one. ConstraintElimination has a column for
  /// each argument in each row of its table.
  static bool isWorthwhile(llvm::StringRef pass, llvm::Any unit) {
    if (pass == "PostOrderFunctionAttrsPass")
      if (auto *component =
              llvm::any_cast<const llvm::LazyCallGraph::SCC *>(&unit))
        return llvm::none_of(**component, [](auto &node) {
          return node.getFunction().arg_size() > kManyArguments;
        });
    if (pass == "ConstraintEliminationPass")
      if (auto *function = llvm::any_cast<const llvm::Function *>(&unit))
        return (*function)->arg_size() <= kManyArguments;
    return pass != "CalledValuePropagationPass";
  }

  llvm::PassInstrumentationCallbacks callbacks;
  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
};
} // namespace

/// Hoists loop invariants, above all addresses.
static llvm::Error optimizeQuickly(llvm::Module &module) {
  Analyses analyses;
  llvm::ModulePassManager passes;
  if (llvm::Error error = analyses.builder.parsePassPipeline(
          passes, "function(early-cse,loop-simplify,loop-mssa(licm))"))
    return error;
  passes.run(module, analyses.modules);
  return llvm::Error::success();
}

/// Functions with fewer blocks compile fast enough.
static constexpr size_t kLargeFunction = 256;

static bool isLarge(const llvm::Function &function) {
  return function.size() > kLargeFunction;
}

/// A value with more uses is one that many loop nests read.
static constexpr unsigned kManyUses = 16;

/// Gives the loop copies of its own of values that many nests read. To extract
/// a loop takes time linear in the uses of each value that the loop reads.
static void copySharedValues(const llvm::Loop &loop) {
  llvm::DenseMap<llvm::Value *, llvm::Value *> copies;
  llvm::Instruction *end = loop.getLoopPreheader()->getTerminator();
  for (llvm::BasicBlock *block : loop.blocks())
    for (llvm::Instruction &instruction : *block)
      for (llvm::Use &operand : instruction.operands()) {
        auto *value = operand.get();
        if (!llvm::isa<llvm::Instruction, llvm::Argument>(value) ||
            !loop.isLoopInvariant(value) || !value->hasNUsesOrMore(kManyUses))
          continue;
        llvm::Value *&copy = copies[value];
        if (!copy)
          copy = new llvm::BitCastInst(value, value->getType(), "",
                                       end->getIterator());
        operand.set(copy);
      }
}

/// Moves the outermost loops of `function` to functions, which it returns.
static llvm::SmallVector<llvm::Function *>
extractLoops(llvm::Function &function,
             llvm::FunctionAnalysisManager &analyses) {
  llvm::LoopSimplifyPass().run(function, analyses);
  auto &loops = analyses.getResult<llvm::LoopAnalysis>(function);
  auto &dominators = analyses.getResult<llvm::DominatorTreeAnalysis>(function);
  for (const llvm::Loop *loop : loops)
    if (loop->isLoopSimplifyForm())
      copySharedValues(*loop);
  llvm::CodeExtractorAnalysisCache cache(function);
  llvm::SmallVector<llvm::Function *> nests;
  for (const llvm::Loop *loop : loops) {
    llvm::CodeExtractor extractor(loop->getBlocks(), &dominators);
    if (loop->isLoopSimplifyForm())
      if (llvm::Function *nest = extractor.extractCodeRegion(cache))
        nests.push_back(nest);
  }
  analyses.invalidate(function, llvm::PreservedAnalyses::none());
  return nests;
}

/// Moves each outermost loop nest of a large function to a function that the
/// inliner may not inline, and nests that are equal to one function. A lowered
/// network is one function of a thousand nests, and some of LLVM's passes take
/// time quadratic in that number. The blocks of a network repeat their nests on
/// other buffers, which become arguments. LLVM's LoopExtractorPass takes
/// quadratic time: it analyses the whole function once for each loop.
static void extractLoops(llvm::Module &module) {
  Analyses analyses;
  llvm::SmallVector<llvm::Function *> functions, nests;
  for (llvm::Function &function : module)
    if (isLarge(function))
      functions.push_back(&function);
  for (llvm::Function *function : functions)
    llvm::append_range(nests, extractLoops(*function, analyses.functions));
  for (llvm::Function *nest : nests)
    nest->addFnAttr(llvm::Attribute::NoInline);
  llvm::MergeFunctionsPass::runOnFunctions(nests);
}

/// A loop of so many iterations is long. Swin-T compiles in 2.5 s with 16, in
/// 3.0 with 64, and in 4.3 with all loops left to LLVM; calls take as long.
static constexpr unsigned kLongLoop = 16;

/// True if no value but the counter goes from one iteration to the next.
static bool hasOnlyCounter(const llvm::Loop &loop) {
  return llvm::hasSingleElement(loop.getHeader()->phis());
}

namespace {
/// Keeps LLVM from unrolling loops around long ones. To unroll a window of 7x7
/// around a row of channels makes 49 copies of the loop over the row, each of
/// which is vectorized and compiled on its own. The copies are no faster.
/// Nor is a long loop of known size unrolled if its iterations are independent:
/// LLVM would do so before it looks for vectors, and find them across the loop
/// around it, with gathers.
struct KeepOuterLoopsPass : llvm::PassInfoMixin<KeepOuterLoopsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function,
                              llvm::FunctionAnalysisManager &analyses) {
    auto &loops = analyses.getResult<llvm::LoopAnalysis>(function);
    auto &evolution =
        analyses.getResult<llvm::ScalarEvolutionAnalysis>(function);
    for (llvm::Loop *loop : loops.getLoopsInPreorder()) {
      unsigned count = evolution.getSmallConstantTripCount(loop);
      if (count != 0 && count < kLongLoop)
        continue;
      for (llvm::Loop *outer = loop->getParentLoop(); outer;
           outer = outer->getParentLoop())
        outer->setLoopAlreadyUnrolled();
      if (count != 0 && loop->isInnermost() && hasOnlyCounter(*loop))
        loop->setLoopAlreadyUnrolled();
    }
    return llvm::PreservedAnalyses::all();
  }
};
} // namespace

llvm::Error fusion::optimize(llvm::Module &module, unsigned optLevel,
                             llvm::TargetMachine &machine) {
  if (optLevel == 0)
    return llvm::Error::success();
  if (optLevel == 1)
    return optimizeQuickly(module);
  extractLoops(module);
  Analyses analyses(&machine);
  analyses.builder.registerPipelineStartEPCallback(
      [](llvm::ModulePassManager &passes, llvm::OptimizationLevel) {
        passes.addPass(
            llvm::createModuleToFunctionPassAdaptor(KeepOuterLoopsPass()));
      });
  analyses.builder
      .buildPerModuleDefaultPipeline(optLevel == 2
                                         ? llvm::OptimizationLevel::O2
                                         : llvm::OptimizationLevel::O3)
      .run(module, analyses.modules);
  return llvm::Error::success();
}

/// More instructions without a call are not reordered.
static constexpr size_t kLongSequence = 4096;

static bool hasLongSequence(const llvm::Function &function) {
  return llvm::any_of(function, [](const llvm::BasicBlock &block) {
    size_t length = 0, longest = 0;
    for (const llvm::Instruction &instruction : block) {
      bool isCall = llvm::isa<llvm::CallBase>(instruction) &&
                    !llvm::isa<llvm::IntrinsicInst>(instruction);
      length = isCall ? 0 : length + 1;
      longest = std::max(longest, length);
    }
    return longest > kLongSequence;
  });
}

void ScheduleGate::add(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (hasLongSequence(function))
      units.insert(("function (" + function.getName() + ")").str());
}

bool ScheduleGate::shouldRunPass(llvm::StringRef pass,
                                 llvm::StringRef unit) const {
  return !pass.contains_insensitive("scheduler") || !units.contains(unit);
}
