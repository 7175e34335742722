//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Compile.h"
#include "Decompose.h"

#include "FusionDialect/Analysis/MatmulMatch.h"
#include "FusionDialect/ExecutionEngine/CheckSizes.h"
#include "FusionDialect/ExecutionEngine/InstrumentLoops.h"
#include "FusionDialect/ExecutionEngine/SymbolNames.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/IR/LocationText.h"
#include "FusionDialect/Pipelines/Pipelines.h"
#include "FusionDialect/Support/TensorSize.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/Canonicalize.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace fusion;
using namespace fusion::run;
using llvm::createStringError;

/// The number of multiplications with an addition: the elements of the filter
/// times the places of the result, or of the input if `op` is transposed. In a
/// matrix multiplication they are counted within the batch.
static std::optional<int64_t> countMultiplyAdds(FusedOpInterface op) {
  bool isTransposed = isa<FusedDeconvBiasActOp>(op.getOperation());
  auto filter = cast<ShapedType>(op.getFilter().getType());
  auto places = isTransposed ? cast<ShapedType>(op.getInput().getType())
                             : op.getOutputType();
  if (!filter.hasStaticShape() || !places.hasStaticShape())
    return std::nullopt;
  int64_t channel = isTransposed ? op.getInputLayout().getPosition('c')
                                 : op.getOutputChannelDim();
  LayoutAttr layout = op.getFilterLayout();
  int64_t batches =
      layout.has('b') ? layout.getDimSize(op.getFilter(), 'b') : 1;
  int64_t channels = places.getDimSize(channel);
  std::optional<int64_t> numPlaces = countElements(places.getShape()),
                         numProducts = countElements(filter.getShape());
  if (channels * batches == 0)
    return 0;
  if (!numPlaces || !numProducts)
    return std::nullopt;
  return countElements({*numPlaces / channels, *numProducts / batches});
}

namespace {
/// Counts convolutions and matrix multiplications at its place in the pipeline.
class CountPass : public PassWrapper<CountPass, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CountPass)

  explicit CountPass(CompileInfo &info) : info(info) {}
  void runOnOperation() override {
    getOperation().walk([&](Operation *op) {
      if (auto fused = dyn_cast<FusedOpInterface>(op)) {
        ++info.fusedOps;
        if (std::optional<int64_t> count = countMultiplyAdds(fused))
          info.multiplyAdds[getLocationText(op->getLoc())] += *count;
      }
      if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
        info.otherConvolutions +=
            isMatmul(op) || (linalg::isaConvolutionOpInterface(linalgOp) &&
                             !isPooling(linalgOp));
    });
  }

private:
  /// linalg takes a pool for a convolution whose filter is the window. The
  /// contents of that are not read.
  static bool isPooling(linalg::LinalgOp op) {
    auto dims = linalg::inferConvolutionDims(op);
    return succeeded(dims) && dims->inputChannel.empty() &&
           !op.payloadUsesValueFromOperand(op.getDpsInputOperand(1));
  }

  CompileInfo &info;
};
} // namespace

//===----------------------------------------------------------------------===//
// Pipelines
//===----------------------------------------------------------------------===//

static void copyOptions(const Options &options, CompileOptions &result) {
  result.allowReshape = options.allowReshape;
  result.allowContractRounding = options.allowContractRounding;
  result.allowWinograd = options.allowWinograd;
  result.nanMode = options.nanMode;
  result.quantRounding = options.quantRounding;
  if (options.cacheBytes)
    result.cacheBytes = *options.cacheBytes;
  result.precision = getName(options.precision).str();
  for (const std::string &law : options.disabledLaws)
    result.disable.push_back(law);
}

/// Adds the passes up to fusion ops on tensors.
static void addOptimization(OpPassManager &pm, const Options &options,
                            const OptimizeOptions &optimize) {
  if (options.mode == Mode::Fused) {
    buildOptimizePipeline(pm, optimize);
    return;
  }
  pm.addPass(createCanonicalizer());
  FusionRaiseOptions raise;
  raise.allowContractRounding = options.allowContractRounding;
  pm.addPass(createFusionRaise(raise));
  if (options.precision != Precision::F32) {
    FusionConvertPrecisionOptions convert;
    convert.to = getName(options.precision).str();
    pm.addPass(createFusionConvertPrecision(convert));
  }
}

/// Begins a pipeline: functions that the entry does not reach need not be
/// lowerable.
static llvm::Error addReachability(OpPassManager &pm, Program &program) {
  if (llvm::Error error = renameReservedSymbols(*program.module))
    return error;
  program.signature.symbol = program.entry.getName().str();
  for (auto function : program.module->getOps<FunctionOpInterface>())
    if (function != program.entry)
      SymbolTable::setSymbolVisibility(function,
                                       SymbolTable::Visibility::Private);
  prepareEntry(program.entry);
  pm.addPass(createSymbolDCEPass());
  return llvm::Error::success();
}

static llvm::Error runPasses(PassManager &pm, Program &program,
                             StringRef what) {
  if (failed(applyPassManagerCLOptions(pm)))
    return createStringError(
        "the pass manager's options contradict each other");
  if (succeeded(pm.run(*program.module)))
    return llvm::Error::success();
  return createStringError("'" + program.signature.name +
                           "' could not be lowered " + what +
                           "; the messages above say where");
}

llvm::Error fusion::run::lowerWithFusion(Program &program,
                                         const Options &options,
                                         CompileInfo &info) {
  PassManager pm(&program.context, ModuleOp::getOperationName(),
                 OpPassManager::Nesting::Implicit);
  if (llvm::Error error = addReachability(pm, program))
    return error;
  CompileOptions compile;
  copyOptions(options, compile);
  addOptimization(pm, options, compile);
  pm.addPass(std::make_unique<CountPass>(info));
  buildRuntimeOpsPipeline(pm, compile);
  buildBufferizePipeline(pm, compile);
  // An object file may be called many times with any sizes. So an assertion
  // must be an error of one call, and sizes are checked.
  if (!options.objectFile.empty()) {
    pm.addPass(createCheckSizesPass());
    pm.addPass(createCanonicalizerPass());
    pm.addPass(createCSEPass());
    pm.addPass(createCanonicalizerPass());
  }
  if (options.profile)
    pm.addPass(createInstrumentLoopsPass());
  buildLowerToLLVMPipeline(pm, compile);
  return runPasses(pm, program, "with Fusion's passes");
}

llvm::Error fusion::run::lowerWithReference(Program &program) {
  PassManager pm(&program.context, ModuleOp::getOperationName());
  if (llvm::Error error = addReachability(pm, program))
    return error;
  decomposeSoftmax(*program.module);
  buildReferencePipeline(pm);
  return runPasses(pm, program, "with upstream's passes");
}

/// Fails for ops of other dialects, which the export to LLVM IR does not know.
static llvm::Error checkLowered(ModuleOp module) {
  Operation *found = nullptr;
  module.walk([&](Operation *op) {
    if (op == module || isa_and_nonnull<LLVM::LLVMDialect>(op->getDialect()))
      return WalkResult::advance();
    // A cast is between two ops of which one was not lowered; report that op.
    if (!found || isa<UnrealizedConversionCastOp>(found))
      found = op;
    return WalkResult::advance();
  });
  if (!found)
    return llvm::Error::success();
  found->emitError("this op was not lowered to the LLVM dialect");
  return createStringError("'" + found->getName().getStringRef() +
                           "' cannot be compiled");
}

llvm::Expected<ConstantTable> fusion::run::takeConstants(Program &program) {
  if (llvm::Error error = checkLowered(*program.module))
    return error;
  auto constants = externalizeConstants(*program.module);
  if (constants)
    releaseOtherResources(program.context, *constants);
  return constants;
}

llvm::Expected<std::unique_ptr<Executable>>
fusion::run::makeExecutable(Program &program, unsigned optLevel) {
  auto constants = takeConstants(program);
  if (!constants)
    return constants.takeError();
  return Executable::create(*program.module, program.signature,
                            std::move(*constants), optLevel);
}
