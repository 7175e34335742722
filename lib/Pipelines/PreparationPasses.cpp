//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "PreparationPasses.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Transforms/ApplyPatterns.h"
#include "FusionDialect/Transforms/Partition.h"
#include "FusionDialect/Transforms/Patterns.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

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
    if (failed(
            applyToFixpoint(getOperation(), std::move(patterns), "transposes")))
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
    if (failed(applyToFixpoint(getOperation(), std::move(patterns),
                               "element-wise ops")))
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

struct DecomposeSoftmax : public OpRewritePattern<linalg::SoftmaxOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::SoftmaxOp op,
                                PatternRewriter &rewriter) const override {
    FailureOr<SmallVector<Value>> results = op.decomposeOperation(rewriter);
    if (failed(results))
      return rewriter.notifyMatchFailure(op, "cannot be decomposed");
    for (Operation *before = op->getPrevNode(); before;
         before = before->getPrevNode())
      if (auto generic = dyn_cast<linalg::GenericOp>(before);
          generic && propagateNaN(rewriter, generic))
        break;
    rewriter.replaceOp(op, *results);
    return success();
  }

private:
  /// Makes the maximum of `op` one that keeps NaN, and starts with minus
  /// infinity; false if there is none.
  static bool propagateNaN(PatternRewriter &rewriter, linalg::GenericOp op) {
    auto maxima = op.getBody()->getOps<arith::MaxNumFOp>();
    auto fill = op.getDpsInits().front().getDefiningOp<linalg::FillOp>();
    if (maxima.empty() || !fill)
      return false;
    OpBuilder::InsertionGuard guard(rewriter);
    auto type = cast<FloatType>(fill.getInputs().front().getType());
    rewriter.setInsertionPoint(fill);
    Value start = arith::ConstantOp::create(
        rewriter, fill.getLoc(),
        rewriter.getFloatAttr(type, APFloat::getInf(type.getFloatSemantics(),
                                                    /*Negative=*/true)));
    rewriter.modifyOpInPlace(fill,
                             [&] { fill.getInputsMutable().assign(start); });
    arith::MaxNumFOp maximum = *maxima.begin();
    rewriter.setInsertionPoint(maximum);
    rewriter.replaceOpWithNewOp<arith::MaximumFOp>(maximum, maximum.getLhs(),
                                                   maximum.getRhs());
    return true;
  }
};

struct DecomposeSoftmaxPass
    : public PassWrapper<DecomposeSoftmaxPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(DecomposeSoftmaxPass)

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<arith::ArithDialect, math::MathDialect>();
  }

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<DecomposeSoftmax>(&getContext());
    if (failed(applyToFixpoint(getOperation(), std::move(patterns),
                               "decompositions of softmax")))
      signalPassFailure();
  }
};

struct ExpandArithmeticPass
    : public PassWrapper<ExpandArithmeticPass, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ExpandArithmeticPass)

  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    arith::populateExpandBFloat16Patterns(patterns);
    if (failed(applyToFixpoint(getOperation(), std::move(patterns),
                               "expansions of arithmetic")))
      signalPassFailure();
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

std::unique_ptr<Pass> fusion::createExpandArithmeticPass() {
  return std::make_unique<ExpandArithmeticPass>();
}

std::unique_ptr<Pass> fusion::createDecomposeSoftmaxPass() {
  return std::make_unique<DecomposeSoftmaxPass>();
}
