//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PreparationPasses.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Transforms/Partition.h"
#include "FusionDialect/Transforms/Patterns.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;
using namespace fusion;

namespace {
struct AbsorbTransposesPass
    : public PassWrapper<AbsorbTransposesPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AbsorbTransposesPass)

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    populateTransposeLawPatterns(patterns);
    linalg::TransposeOp::getCanonicalizationPatterns(patterns, &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }
};

struct ReuseResidualsPass
    : public PassWrapper<ReuseResidualsPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ReuseResidualsPass)

  void runOnOperation() override {
    getOperation()->walk([](FusedOpInterface op) {
      Value residual = op.getResidual();
      if (residual && residual.getType() == op.getInit().getType() &&
          op.getInit().getDefiningOp<tensor::EmptyOp>())
        op.getInitMutable().set(residual);
    });
  }
};

struct MergeElementwisePass
    : public PassWrapper<MergeElementwisePass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(MergeElementwisePass)

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    linalg::populateElementwiseOpsFusionPatterns(patterns, mayMerge);
    affine::AffineApplyOp::getCanonicalizationPatterns(patterns, &getContext());
    linalg::GenericOp::getCanonicalizationPatterns(patterns, &getContext());
    tensor::ExpandShapeOp::getCanonicalizationPatterns(patterns, &getContext());
    tensor::CollapseShapeOp::getCanonicalizationPatterns(patterns,
                                                         &getContext());
    if (failed(applyPatternsGreedily(getOperation(), std::move(patterns))))
      signalPassFailure();
  }

  static bool mayMerge(OpOperand *operand) {
    auto producer = operand->get().getDefiningOp<linalg::LinalgOp>();
    return producer && producer->hasOneUse() &&
           llvm::none_of(producer.getDpsInitsMutable(), [&](OpOperand &init) {
             return producer.payloadUsesValueFromOperand(&init);
           });
  }
};

struct DeclareExternalCodePass
    : public PassWrapper<DeclareExternalCodePass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DeclareExternalCodePass)

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<bufferization::BufferizationDialect>();
  }

  void runOnOperation() override {
    auto functions = llvm::to_vector(getOperation().getOps<func::FuncOp>());
    for (func::FuncOp function : functions) {
      auto codegen = function->getAttrOfType<StringAttr>(kCodegenAttr);
      if (codegen && codegen.getValue() != kDefaultCodegen &&
          !function.isExternal() && failed(declare(function)))
        return signalPassFailure();
    }
    // What only such functions have called is nobody's now.
    for (func::FuncOp function : functions)
      if (function->hasAttr(kCompositeAttr) && !function.isExternal() &&
          SymbolTable::symbolKnownUseEmpty(function, getOperation()))
        function.erase();
  }

  LogicalResult declare(func::FuncOp function) {
    auto symbol = function->getAttrOfType<StringAttr>(kGlobalSymbolAttr);
    if (!symbol)
      return function.emitError()
             << "a function with '" << kCodegenAttr << "' must have a '"
             << kGlobalSymbolAttr << "'";
    bool isTaken = symbol != function.getSymNameAttr() &&
                   SymbolTable::lookupSymbolIn(getOperation(), symbol);
    if (isTaken)
      return function.emitError() << "the symbol '" << symbol.getValue()
                                  << "' has another meaning in this module";
    if (failed(SymbolTable::replaceAllSymbolUses(function, symbol,
                                                 getOperation())))
      return function.emitError()
             << "not all uses of '" << function.getName() << "' are known";
    function.setName(symbol.getValue());
    function.eraseBody();
    function.setPrivate();
    UnitAttr unit = UnitAttr::get(&getContext());
    function->setAttr(LLVM::LLVMDialect::getEmitCWrapperAttrName(), unit);
    // Without a body each argument would count as written.
    for (unsigned i = 0, e = function.getNumArguments(); i != e; ++i)
      function.setArgAttr(
          i, bufferization::BufferizationDialect::kBufferAccessAttrName,
          StringAttr::get(&getContext(), "read"));
    return success();
  }
};
} // namespace

std::unique_ptr<Pass> fusion::createDeclareExternalCodePass() {
  return std::make_unique<DeclareExternalCodePass>();
}

std::unique_ptr<Pass> fusion::createAbsorbTransposesPass() {
  return std::make_unique<AbsorbTransposesPass>();
}

std::unique_ptr<Pass> fusion::createReuseResidualsPass() {
  return std::make_unique<ReuseResidualsPass>();
}

std::unique_ptr<Pass> fusion::createMergeElementwisePass() {
  return std::make_unique<MergeElementwisePass>();
}
