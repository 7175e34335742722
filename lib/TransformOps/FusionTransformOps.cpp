//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/TransformOps/FusionTransformOps.h"
#include "FusionDialect/Conversion/FusionToLinalg.h"
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/Fuse/Raise.h"
#include "FusionDialect/Fuse/RaisePools.h"
#include "FusionDialect/Transforms/Passes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/PDLInterp/IR/PDLInterp.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Transform/IR/TransformDialect.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;
using namespace fusion;

#define GET_OP_CLASSES
#include "FusionDialect/TransformOps/FusionTransformOps.cpp.inc"

static SmallVector<std::string> getStrings(ArrayAttr strings) {
  return llvm::map_to_vector(strings.getAsValueRange<StringAttr>(),
                             [](StringRef string) { return string.str(); });
}

/// Emits an error of `op` if `disable` has a name that is no law.
static LogicalResult verifyDisabledLaws(Operation *op, ArrayAttr disable) {
  Refusal refusal;
  if (failed(checkLawNames(getStrings(disable), refusal)))
    return op->emitOpError() << "'disable': " << refusal.str();
  return success();
}

//===----------------------------------------------------------------------===//
// Pattern descriptors
//===----------------------------------------------------------------------===//

void ApplyRaisePatternsOp::populatePatterns(RewritePatternSet &patterns) {
  populateRaisePatterns(patterns, {getAllowContractRounding()});
}

void ApplyRaisePoolsPatternsOp::populatePatterns(RewritePatternSet &patterns) {
  FuseOptions options;
  options.allowContractRounding = getAllowContractRounding();
  populateRaisePoolsPatterns(patterns, options);
}

LogicalResult ApplyFusePatternsOp::verify() {
  return verifyDisabledLaws(*this, getDisable());
}

void ApplyFusePatternsOp::populatePatterns(RewritePatternSet &patterns) {
  FuseOptions options;
  options.allowReshape = getAllowReshape();
  options.allowContractRounding = getAllowContractRounding();
  Refusal refusal;
  if (failed(populateFusionPatterns(patterns, options, getStrings(getDisable()),
                                    refusal)))
    emitOpError() << refusal.str();
}

void ApplyFusionToLinalgPatternsOp::populatePatterns(
    RewritePatternSet &patterns) {
  populateFusionToLinalgPatterns(patterns);
}

//===----------------------------------------------------------------------===//
// Transforms of an op
//===----------------------------------------------------------------------===//

/// A silenceable failure of `transform` on `target`.
static DiagnosedSilenceableFailure
refuse(transform::TransformOpInterface transform, Operation *target,
       const Twine &reason) {
  DiagnosedSilenceableFailure failure = emitSilenceableFailure(transform)
                                        << reason;
  failure.attachNote(target->getLoc()) << "this op";
  return failure;
}

DiagnosedSilenceableFailure TransformRaiseOp::applyToOne(
    transform::TransformRewriter &rewriter, linalg::LinalgOp target,
    transform::ApplyToEachResultList &results, transform::TransformState &) {
  if (!isRaisable(target) && !computesFactors(target))
    return refuse(*this, target,
                  "cannot be raised: neither a convolution nor a matrix "
                  "multiplication");
  Refusal refusal;
  rewriter.setInsertionPoint(target);
  FailureOr<FusedOpInterface> fused =
      raise(rewriter, target, {getAllowContractRounding()}, refusal);
  if (failed(fused))
    return refuse(*this, target, "cannot be raised: " + refusal.str());
  results.push_back(*fused);
  return DiagnosedSilenceableFailure::success();
}

DiagnosedSilenceableFailure TransformDecomposeToLinalgOp::applyToOne(
    transform::TransformRewriter &rewriter, Operation *target,
    transform::ApplyToEachResultList &results, transform::TransformState &) {
  Refusal refusal;
  rewriter.setInsertionPoint(target);
  FailureOr<Operation *> decomposed =
      decomposeToLinalg(rewriter, target, refusal);
  if (failed(decomposed))
    return refuse(*this, target, "cannot be decomposed: " + refusal.str());
  results.push_back(*decomposed);
  return DiagnosedSilenceableFailure::success();
}

//===----------------------------------------------------------------------===//
// Transforms of a function
//===----------------------------------------------------------------------===//

/// Runs `pass` on `target` for `transform`.
static DiagnosedSilenceableFailure
runPass(transform::TransformOpInterface transform, std::unique_ptr<Pass> pass,
        Operation *target, transform::ApplyToEachResultList &results) {
  if (!target->hasTrait<OpTrait::IsIsolatedFromAbove>())
    return refuse(transform, target,
                  "expects ops that are isolated from above, as functions are");
  if (target->isAncestor(transform))
    return emitDefiniteFailure(transform) << "cannot transform itself";
  PassManager manager(target->getContext(), target->getName().getStringRef());
  manager.addPass(std::move(pass));
  if (failed(manager.run(target)))
    return emitDefiniteFailure(transform) << "the pass failed";
  results.push_back(target);
  return DiagnosedSilenceableFailure::success();
}

LogicalResult TransformFuseOp::verify() {
  return verifyDisabledLaws(*this, getDisable());
}

DiagnosedSilenceableFailure
TransformFuseOp::applyToOne(transform::TransformRewriter &, Operation *target,
                            transform::ApplyToEachResultList &results,
                            transform::TransformState &) {
  FusionFuseOptions options;
  options.allowReshape = getAllowReshape();
  options.allowContractRounding = getAllowContractRounding();
  options.nanMode = getNanMode();
  options.disable = getStrings(getDisable());
  return runPass(*this, createFusionFuse(options), target, results);
}

DiagnosedSilenceableFailure TransformPropagateLayoutOp::applyToOne(
    transform::TransformRewriter &, Operation *target,
    transform::ApplyToEachResultList &results, transform::TransformState &) {
  return runPass(*this, createFusionPropagateLayout(), target, results);
}

//===----------------------------------------------------------------------===//
// The extension
//===----------------------------------------------------------------------===//

namespace {
class FusionTransformDialectExtension
    : public transform::TransformDialectExtension<
          FusionTransformDialectExtension> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FusionTransformDialectExtension)

  using Base::Base;

  void init() {
    declareDependentDialect<FusionDialect>();
    declareDependentDialect<linalg::LinalgDialect>();
    declareGeneratedDialect<arith::ArithDialect>();
    declareGeneratedDialect<math::MathDialect>();
    declareGeneratedDialect<pdl::PDLDialect>();
    declareGeneratedDialect<pdl_interp::PDLInterpDialect>();
    declareGeneratedDialect<tensor::TensorDialect>();
    registerTransformOps<
#define GET_OP_LIST
#include "FusionDialect/TransformOps/FusionTransformOps.cpp.inc"
        >();
  }
};
} // namespace

void fusion::registerTransformDialectExtension(DialectRegistry &registry) {
  registry.addExtensions<FusionTransformDialectExtension>();
}
