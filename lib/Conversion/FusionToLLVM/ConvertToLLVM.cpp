//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Conversion/FusionToLLVM.h"
#include "FusionDialect/Conversion/Passes.h"
#include "FusionDialect/IR/FusionDialect.h"
#include "FusionDialect/Support/ConstantAttr.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMInterface.h"
#include "mlir/Conversion/ConvertToLLVM/ToLLVMPass.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Transforms/DialectConversion.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONCONVERTTOLLVM
#include "FusionDialect/Conversion/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

LogicalResult fusion::replaceScalarResources(ModuleOp module) {
  WalkResult result = module.walk([](memref::GlobalOp global) {
    Attribute value = global.getInitialValueAttr();
    auto resource = dyn_cast_or_null<DenseResourceElementsAttr>(value);
    if (!resource || resource.getType().getRank() != 0)
      return WalkResult::advance();
    ArrayRef<char> bytes = getElementBytes(resource);
    if (bytes.empty()) {
      global.emitError("constant 'dense_resource<")
          << resource.getRawHandle().getKey()
          << ">' does not have the bytes of one element";
      return WalkResult::interrupt();
    }
    global.setInitialValueAttr(
        DenseElementsAttr::getFromRawBuffer(resource.getType(), bytes));
    return WalkResult::advance();
  });
  return failure(result.wasInterrupted());
}

namespace {
struct ConvertToLLVMPass
    : public fusion::impl::FusionConvertToLLVMBase<ConvertToLLVMPass> {
  using FusionConvertToLLVMBase::FusionConvertToLLVMBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    FusionConvertToLLVMBase::getDependentDialects(registry);
    registerConvertToLLVMDependentDialectLoading(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (failed(replaceScalarResources(module)))
      return signalPassFailure();
    MLIRContext *context = &getContext();
    LLVMTypeConverter converter(context);
    LLVMConversionTarget target(*context);
    RewritePatternSet patterns(context);
    for (Dialect *dialect : context->getLoadedDialects())
      if (auto *interface = dyn_cast<ConvertToLLVMPatternInterface>(dialect);
          interface && !isa<FusionDialect>(dialect))
        interface->populateConvertToLLVMConversionPatterns(target, converter,
                                                           patterns);
    // The tables are made before the conversion, which has two functions of one
    // name for a while.
    SymbolTableCollection symbols;
    module->walk([&](Operation *op) {
      if (op->hasTrait<OpTrait::SymbolTable>())
        symbols.getSymbolTable(op);
    });
    populateFusionToLLVMPatterns(target, converter, patterns, &symbols);
    // They have call sites that are converted before their last call.
    ConversionConfig config;
    config.allowPatternRollback = true;
    if (failed(applyPartialConversion(module, target, std::move(patterns),
                                      config)))
      signalPassFailure();
  }
};
} // namespace
