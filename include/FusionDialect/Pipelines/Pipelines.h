//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_PIPELINES_PIPELINES_H
#define FUSION_PIPELINES_PIPELINES_H

#include "FusionDialect/IR/FusionDialect.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassOptions.h"
#include "llvm/Support/Error.h"

namespace fusion {

/// Options of `fusion-optimize`. Those that passes have, too, mean the same.
struct OptimizeOptions : public mlir::PassPipelineOptions<OptimizeOptions> {
  Option<bool> allowReshape{
      *this, "allow-reshape",
      llvm::cl::desc("Fold a bias that comes through a reshape"),
      llvm::cl::init(true)};
  Option<NaNMode> nanMode{
      *this, "nan-mode", llvm::cl::desc("Result of an activation for a NaN"),
      llvm::cl::init(NaNMode::Fast),
      llvm::cl::values(
          clEnumValN(NaNMode::Fast, "fast", "as the kernel does it"),
          clEnumValN(NaNMode::Propagate, "propagate", "NaN"))};
  Option<bool> allowContractRounding{
      *this, "allow-contract-rounding",
      llvm::cl::desc("Accumulate in f32 and round once what the input rounds "
                     "between steps"),
      llvm::cl::init(true)};
  Option<QuantRounding> quantRounding{
      *this, "quant-rounding",
      llvm::cl::desc("Quantisation that may become part of an op"),
      llvm::cl::init(QuantRounding::Nearest),
      llvm::cl::values(clEnumValN(QuantRounding::Nearest, "nearest",
                                  "any that rounds to the nearest integer: at "
                                  "most 1 off"),
                       clEnumValN(QuantRounding::Exact, "exact",
                                  "one that the op computes in the same way"))};
  Option<std::string> precision{
      *this, "precision",
      llvm::cl::desc(
          "Element type to compute convolutions in: f32 (as they are), "
          "bf16 or f16"),
      llvm::cl::init("f32")};
  Option<bool> propagateLayout{
      *this, "propagate-layout",
      llvm::cl::desc(
          "Bring networks to channels-last, with transposes at their "
          "edges"),
      llvm::cl::init(true)};
  ListOption<std::string> disable{
      *this, "disable", llvm::cl::desc("Laws to switch off, by name")};
};

/// Options of `fusion-compile`: those of `fusion-optimize`, whether to fuse at
/// all, how much of a batch to compute at a time, and whether kernels may use
/// Winograd's filtering.
struct CompileOptions : public OptimizeOptions {
  Option<bool> fuse{
      *this, "fuse",
      llvm::cl::desc("Fold neighbouring ops into convolutions (false: each "
                     "convolution is a kernel call without post-ops)"),
      llvm::cl::init(true)};
  Option<int64_t> cacheBytes{
      *this, "cache-bytes",
      llvm::cl::desc("Bytes of tensors of a batch that fit the cache: larger "
                     "batches are computed a few images at a time (0: never)"),
      llvm::cl::init(FusionSplitBatchOptions().cacheBytes)};
  Option<bool> allowWinograd{
      *this, "allow-winograd",
      llvm::cl::desc("Let the runtime compute 3x3 convolutions by Winograd's "
                     "minimal filtering"),
      llvm::cl::init(false)};
};

/// Sets `options` from the text of a pipeline. Fails if an option is unknown or
/// has a wrong value.
llvm::Error parseCompileOptions(llvm::StringRef text, CompileOptions &options);

/// Adds passes that raise linalg convolutions to fusion ops and fold the ops
/// around them; tensors to tensors. Anchored on a module.
void buildOptimizePipeline(mlir::OpPassManager &pm,
                           const OptimizeOptions &options);

/// Adds passes that take a module of linalg on tensors to the LLVM dialect with
/// calls of the runtime library: optimize, bufferize, lower. Anchored on a
/// module. Function arguments and results become memrefs of identity layout;
/// results are allocated by the callee and freed by the caller.
void buildCompilePipeline(mlir::OpPassManager &pm,
                          const CompileOptions &options);

/// Adds `fusion-optimize`, or `fusion-compile`, with `options` as in the text
/// of a pipeline. If an option is unknown, or has a wrong value, or `pm` is not
/// anchored on a module, `pm` stays unchanged, and the functions return
/// `error(message)`.
llvm::LogicalResult addOptimizePipeline(
    mlir::OpPassManager &pm, llvm::StringRef options,
    llvm::function_ref<llvm::LogicalResult(const llvm::Twine &)> error);
llvm::LogicalResult addCompilePipeline(
    mlir::OpPassManager &pm, llvm::StringRef options,
    llvm::function_ref<llvm::LogicalResult(const llvm::Twine &)> error);

/// Adds the first part of the compile pipeline, up to fusion ops on tensors:
/// `fusion-optimize`, or with `fuse=false` ops with nothing folded into them.
void buildFusionOpsPipeline(mlir::OpPassManager &pm,
                            const CompileOptions &options);

/// Adds the part of the compile pipeline between `fusion-optimize` and
/// bufferization: it changes ops to those that the runtime has fast kernels
/// for, and hoists values that depend on constants alone.
void buildRuntimeOpsPipeline(mlir::OpPassManager &pm,
                             const OptimizeOptions &options);

/// Adds passes that merge the element-wise ops that are left, split batches,
/// bufferize, functions included, with identity layouts at their boundaries,
/// free what is allocated, and plan memory. Anchored on a module.
void buildBufferizePipeline(mlir::OpPassManager &pm,
                            const CompileOptions &options = CompileOptions());

/// Adds the part of the compile pipeline behind bufferization: fusion ops and
/// linalg on memrefs to the LLVM dialect.
void buildLowerToLLVMPipeline(mlir::OpPassManager &pm,
                              const CompileOptions &options = CompileOptions());

/// Adds upstream's passes that expand arithmetic on bf16 and conversions to and
/// from it. On CPUs without bf16 instructions LLVM calls a helper for these,
/// which the runtime library of GCC 12 does not have. The rounding of each op
/// stays.
void addNarrowFloatExpansion(mlir::OpPassManager &pm);

/// Adds passes of upstream MLIR only that lower linalg on tensors to the LLVM
/// dialect with plain loops: the reference that results are verified against.
void buildReferencePipeline(mlir::OpPassManager &pm);

/// Registers `fusion-optimize` and `fusion-compile`.
void registerPipelines();

} // namespace fusion

#endif // FUSION_PIPELINES_PIPELINES_H
