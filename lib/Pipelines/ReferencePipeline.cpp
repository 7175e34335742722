//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Pipelines/Pipelines.h"

#include "FusionDialect/Conversion/FusionToLLVM.h"
#include "FusionDialect/Transforms/PrepareBufferization.h"
#include "mlir/Conversion/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Bufferization/Pipelines/Passes.h"
#include "mlir/Dialect/Bufferization/Transforms/Passes.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Passes.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;
using namespace fusion;

// All passes here are upstream's: a reference that shared code with the passes
// it checks would share their mistakes. Upstream's bufferization makes
// assumptions that need not hold, so that it gets no occasion for them.

namespace {
/// Inlines every function and bufferizes without in-place writes and with
/// layouts that promise nothing.
///
/// Upstream's analysis of in-place writes does not know that two results of a
/// call or a loop may be one tensor, and functions that are called cannot be
/// bufferized without it. If a call cannot be inlined, a recursion for
/// instance, the whole module is analysed, with a warning.
struct BufferizeReferencePass
    : public PassWrapper<BufferizeReferencePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(BufferizeReferencePass)

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<bufferization::BufferizationDialect, linalg::LinalgDialect,
                    memref::MemRefDialect>();
  }

  void runOnOperation() override {
    dropIdleSteps(getOperation());
    if (findCall())
      inlineAll();
    CallOpInterface call = findCall();
    if (call)
      call->emitWarning("cannot be inlined, so that the reference trusts "
                        "upstream's analysis of in-place writes");
    OpPassManager pm(ModuleOp::getOperationName());
    bufferization::OneShotBufferizePassOptions options;
    options.bufferizeFunctionBoundaries = true;
    // A loop may carry a tensor that each iteration creates.
    options.allowReturnAllocsFromLoops = true;
    options.copyBeforeWrite = !call;
    options.functionBoundaryTypeConversion =
        bufferization::LayoutMapOption::FullyDynamicLayoutMap;
    // The buffer of tensor.empty has no layout, against upstream's default.
    options.unknownTypeConversion =
        bufferization::LayoutMapOption::IdentityLayoutMap;
    pm.addPass(bufferization::createOneShotBufferizePass(options));
    if (failed(runPipeline(pm, getOperation())) ||
        failed(replaceScalarResources(getOperation())))
      signalPassFailure();
  }

private:
  CallOpInterface findCall() {
    CallOpInterface found;
    getOperation().walk([&](CallOpInterface call) {
      found = call;
      return WalkResult::interrupt();
    });
    return found;
  }

  void inlineAll() {
    getOperation().walk(
        [](func::FuncOp function) { function.setNoInline(false); });
    getOperation().walk([](func::CallOp call) { call.setNoInline(false); });
    OpPassManager pm(ModuleOp::getOperationName());
    // Without the canonicalizer, some of whose patterns are wrong.
    pm.addPass(createInlinerPass({}, [](OpPassManager &) {}));
    pm.addPass(createSymbolDCEPass());
    if (failed(runPipeline(pm, getOperation())))
      signalPassFailure();
  }
};
} // namespace

static void addBufferization(OpPassManager &pm) {
  pm.addPass(createConvertElementwiseToLinalgPass());
  pm.addPass(std::make_unique<BufferizeReferencePass>());
  bufferization::buildBufferDeallocationPipeline(pm);
  pm.addPass(createConvertBufferizationToMemRefPass());
}

static void addLoops(OpPassManager &pm) {
  pm.addNestedPass<func::FuncOp>(createConvertLinalgToLoopsPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(createSCFToControlFlowPass());
}

static void addConversionToLLVM(OpPassManager &pm) {
  // Subviews and reshapes become arithmetic on strides, part of it affine.
  pm.addPass(memref::createExpandStridedMetadataPass());
  pm.addPass(createLowerAffinePass());
  pm.addPass(memref::createExpandOpsPass());
  addNarrowFloatExpansion(pm);
  pm.addPass(createConvertMathToLLVMPass());
  pm.addPass(createConvertMathToLibmPass());
  // In one pass: the blocks of a function change with its type.
  pm.addPass(createConvertToLLVMPass());
  pm.addPass(createReconcileUnrealizedCastsPass());
}

void fusion::buildReferencePipeline(OpPassManager &pm) {
  addBufferization(pm);
  addLoops(pm);
  addConversionToLLVM(pm);
}
