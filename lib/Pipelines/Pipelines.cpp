//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Pipelines/Pipelines.h"
#include "FusionDialect/Conversion/Passes.h"
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/Support/Refusal.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/Canonicalize.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/Math/Transforms/Passes.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Dialect/SCF/Transforms/Passes.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace fusion;

static void addRaise(OpPassManager &pm, const OptimizeOptions &options) {
  FusionRaiseOptions raise;
  raise.allowContractRounding = options.allowContractRounding;
  pm.addPass(createFusionRaise(raise));
}

static void addRaisePools(OpPassManager &pm, const OptimizeOptions &options) {
  FusionRaisePoolsOptions pools;
  pools.nanMode = options.nanMode;
  pools.allowContractRounding = options.allowContractRounding;
  pm.addPass(createFusionRaisePools(pools));
}

static void addConvertPrecision(OpPassManager &pm,
                                const OptimizeOptions &options) {
  if (options.precision == "f32")
    return;
  FusionConvertPrecisionOptions convert;
  convert.to = options.precision;
  pm.addPass(createFusionConvertPrecision(convert));
}

void fusion::buildOptimizePipeline(OpPassManager &pm,
                                   const OptimizeOptions &options) {
  // Canonicalization takes a cast to a quantised type and back for nothing.
  pm.addPass(createFusionLowerQuantCasts());
  // Folds constant conditions of assertions between the ops of a network, and
  // merges equal values: two equal reshapes of a result would be two users.
  pm.addPass(createCanonicalizer());
  pm.addPass(createCSEPass());
  pm.addPass(createFusionSplitAtIntegers());
  pm.addPass(createFusionMergeQuantization());
  addRaise(pm, options);
  FusionFuseOptions fuse;
  fuse.allowReshape = options.allowReshape;
  fuse.nanMode = options.nanMode;
  fuse.allowContractRounding = options.allowContractRounding;
  fuse.disable.assign(options.disable.begin(), options.disable.end());
  pm.addPass(createFusionFuse(fuse));
  FusionFuseQuantizedOptions quantized;
  quantized.rounding = options.quantRounding;
  quantized.nanMode = options.nanMode;
  // Pools are raised first: dequantisations move behind them.
  addRaisePools(pm, options);
  pm.addPass(createFusionFuseQuantized(quantized));
  // Padding is folded, and filters have their last form.
  pm.addPass(createFusionDropTaps());
  pm.addPass(createFusionRaiseGathers());
  addConvertPrecision(pm, options);
  if (options.propagateLayout)
    pm.addPass(createFusionPropagateLayout());
  pm.addPass(createCanonicalizer());
  pm.addPass(createCSEPass());
}

void fusion::buildRuntimeOpsPipeline(OpPassManager &pm,
                                     const OptimizeOptions &options) {
  pm.addPass(createFusionDeclareExternalCode());
  pm.addPass(createFusionAbsorbTransposes());
  pm.addPass(createFusionSplitDeconvolutions());
  // Behind everything that reads convolutions as such.
  pm.addPass(createFusionConvToMatmul());
  // Behind fusion-optimize these are pools that it gave another layout: none of
  // linalg's is named ncdhw. Without it all pools are still there.
  addRaisePools(pm, options);
  pm.addPass(createFusionHoistConstants());
}

void fusion::buildBufferizePipeline(OpPassManager &pm,
                                    const CompileOptions &options) {
  bufferization::OneShotBufferizePassOptions bufferize;
  bufferize.bufferizeFunctionBoundaries = true;
  // A loop may carry a tensor that each iteration creates.
  bufferize.allowReturnAllocsFromLoops = true;
  bufferize.functionBoundaryTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  // An op that does not say which buffer it creates, such as tensor.empty,
  // creates one without a layout. Upstream's default promises another type than
  // it creates.
  bufferize.unknownTypeConversion =
      bufferization::LayoutMapOption::IdentityLayoutMap;
  pm.addPass(createFusionDecomposeSoftmax());
  pm.addPass(createFusionTabulateIndices());
  // The remaining element-wise ops, in linalg or on tensors, become as few loop
  // nests as possible.
  pm.addPass(createConvertElementwiseToLinalgPass());
  pm.addPass(createFusionMergeElementwise());
  pm.addPass(createFusionCombineScales());
  if (options.quantRounding == QuantRounding::Nearest) {
    pm.addPass(createFusionFuseRequantizedSums());
    pm.addPass(createFusionSimplifyRequantization());
    // Behind all that makes products of integers.
    pm.addPass(createFusionPreferUnsigned());
  }
  pm.addPass(createFusionSplitSums());
  pm.addPass(createFusionReuseResiduals());
  pm.addPass(createCanonicalizer());
  FusionSplitBatchOptions split;
  split.cacheBytes = options.cacheBytes;
  pm.addPass(createFusionSplitBatch(split));
  pm.addPass(createCanonicalizer());
  pm.addPass(createFusionShareConcats());
  pm.addPass(createFusionSeparateDestinations());
  pm.addPass(createFusionPlaceConcats());
  pm.addPass(bufferization::createEmptyTensorEliminationPass());
  pm.addPass(createFusionPrepareBufferization());
  pm.addPass(bufferization::createOneShotBufferizePass(bufferize));
  pm.addPass(createCanonicalizer());
  pm.addPass(createCSEPass());
  // Upstream's passes see only those buffers that leave a block.
  pm.addPass(createFusionFreeBuffers());
  pm.addPass(createFusionReuseResiduals());
  bufferization::BufferDeallocationPipelineOptions deallocation;
  bufferization::buildBufferDeallocationPipeline(pm, deallocation);
  pm.addPass(createConvertBufferizationToMemRefPass());
  // Frees these early, too.
  pm.addPass(createFusionFreeBuffers());
  pm.addPass(createFusionPlanMemory());
}

static void addNarrowFloatEmulation(OpPassManager &pm) {
  pm.addPass(math::createMathExtendToSupportedTypes());
  arith::ArithEmulateUnsupportedFloatsOptions emulate;
  emulate.sourceTypeStrs = {"bf16"};
  pm.addPass(arith::createArithEmulateUnsupportedFloats(emulate));
}

void fusion::addNarrowFloatExpansion(OpPassManager &pm) {
  addNarrowFloatEmulation(pm);
  arith::ArithExpandOpsPassOptions expand;
  expand.includeBf16 = true;
  pm.addPass(arith::createArithExpandOpsPass(expand));
}

/// Call it after passes that extend narrow types.
static void addKeepRounding(OpPassManager &pm, const CompileOptions &options) {
  if (!options.allowContractRounding)
    pm.addPass(createFusionKeepRounding());
}

void fusion::buildLowerToLLVMPipeline(OpPassManager &pm,
                                      const CompileOptions &options) {
  ConvertFusionToRuntimeOptions convert;
  convert.allowWinograd = options.allowWinograd;
  pm.addPass(createConvertFusionToRuntime(convert));
  pm.addPass(createFusionLowerToLoops());
  pm.addPass(createForallToParallelLoopPass());
  pm.addPass(math::createMathExtendToSupportedTypes());
  addKeepRounding(pm, options);
  pm.addPass(createFusionApproximateMath());
  pm.addPass(createCanonicalizer());
  pm.addPass(createFusionHoistLoads());
  pm.addPass(createFusionParallelizeLoops());
  pm.addPass(createFusionConvertToBlocks());
  pm.addPass(memref::createExpandOpsPass());
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  addNarrowFloatEmulation(pm);
  addKeepRounding(pm, options);
  pm.addPass(createFusionExpandArithmetic());
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  pm.addPass(createFusionConvertToLLVM());
  pm.addPass(createReconcileUnrealizedCastsPass());
  pm.addPass(createCanonicalizer());
  pm.addPass(createCSEPass());
}

void fusion::buildFusionOpsPipeline(OpPassManager &pm,
                                    const CompileOptions &options) {
  if (options.fuse)
    return buildOptimizePipeline(pm, options);
  pm.addPass(createCanonicalizer());
  addRaise(pm, options);
  addConvertPrecision(pm, options);
}

void fusion::buildCompilePipeline(OpPassManager &pm,
                                  const CompileOptions &options) {
  buildFusionOpsPipeline(pm, options);
  buildRuntimeOpsPipeline(pm, options);
  buildBufferizePipeline(pm, options);
  buildLowerToLLVMPipeline(pm, options);
}

/// Fails if an option has a value that its type allows and no pass does.
static llvm::Error checkValues(const OptimizeOptions &options) {
  const std::string &precision = options.precision;
  if (precision != "f32" && precision != "bf16" && precision != "f16")
    return llvm::createStringError(
        "'precision' must be f32, bf16 or f16, got '" + precision + "'");
  SmallVector<std::string> disable(options.disable.begin(),
                                   options.disable.end());
  Refusal refusal;
  if (failed(checkLawNames(disable, refusal)))
    return llvm::createStringError(refusal.str());
  return llvm::Error::success();
}

template <typename Options>
static llvm::Error parseOptions(StringRef name, StringRef text,
                                Options &options) {
  // The command line parser reports invalid values on standard error.
  std::string reason;
  llvm::raw_string_ostream stream(reason);
  if (failed(options.parseFromString(text, stream)))
    return llvm::createStringError("invalid options of pipeline '" + name +
                                   "': " + text +
                                   (reason.empty() ? "" : "\n" + reason));
  return checkValues(options);
}

llvm::Error fusion::parseCompileOptions(StringRef text,
                                        CompileOptions &options) {
  return parseOptions("fusion-compile", text, options);
}

/// Adds a pipeline that must be anchored on a module. On another op its passes
/// would silently find nothing to do.
template <typename Options>
static LogicalResult
addModulePipeline(OpPassManager &pm, StringRef name, StringRef text,
                  void (*build)(OpPassManager &, const Options &),
                  function_ref<LogicalResult(const Twine &)> error) {
  if (pm.getOpAnchorName() != ModuleOp::getOperationName() &&
      pm.getOpAnchorName() != OpPassManager::getAnyOpAnchorName())
    return error("pipeline '" + name + "' runs on 'builtin.module', not on '" +
                 pm.getOpAnchorName() + "': write builtin.module(" + name +
                 ")");
  Options options;
  if (llvm::Error reason = parseOptions(name, text, options))
    return error(llvm::toString(std::move(reason)));
  build(pm, options);
  return success();
}

LogicalResult
fusion::addOptimizePipeline(OpPassManager &pm, StringRef options,
                            function_ref<LogicalResult(const Twine &)> error) {
  return addModulePipeline<OptimizeOptions>(pm, "fusion-optimize", options,
                                            buildOptimizePipeline, error);
}

LogicalResult
fusion::addCompilePipeline(OpPassManager &pm, StringRef options,
                           function_ref<LogicalResult(const Twine &)> error) {
  return addModulePipeline<CompileOptions>(pm, "fusion-compile", options,
                                           buildCompilePipeline, error);
}

void fusion::registerPipelines() {
  registerPassPipeline(
      "fusion-optimize",
      "Raise convolutions to fusion ops and fold into them what surrounds them",
      addOptimizePipeline,
      [](function_ref<void(const mlir::detail::PassOptions &)> handle) {
        handle(OptimizeOptions());
      });
  registerPassPipeline(
      "fusion-compile",
      "Take linalg on tensors to the LLVM dialect with calls of the runtime",
      addCompilePipeline,
      [](function_ref<void(const mlir::detail::PassOptions &)> handle) {
        handle(CompileOptions());
      });
}
