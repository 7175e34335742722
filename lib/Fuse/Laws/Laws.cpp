//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Fuse/Laws.h"
#include "FoldSteps.h"
#include "FusionDialect/Fuse/Step.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/PDLInterp/IR/PDLInterp.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace fusion;

namespace {
#include "Fuse.h.inc"
} // namespace

/// Adds patterns that have no options.
template <void (*populate)(RewritePatternSet &)>
static void ignoreOptions(RewritePatternSet &patterns, const FuseOptions &) {
  populate(patterns);
}

/// Adds patterns of Fuse.pdll.
template <typename... Patterns>
static void add(RewritePatternSet &patterns, const FuseOptions &) {
  patterns.add<Patterns...>(patterns.getContext());
}

static void populateDeconv(RewritePatternSet &patterns,
                           const FuseOptions &options) {
  add<DeconvLaw>(patterns, options);
  populateNameInsertedZerosPatterns(patterns);
  populateDepthToSpaceLawPatterns(patterns);
}

static void populateBias(RewritePatternSet &patterns,
                         const FuseOptions &options) {
  add<BiasLaw>(patterns, options);
  populateChannelPartsBiasLaw(patterns, options);
  populateSwappedOperandsLaw(patterns, options);
}

static void populateTranspose(RewritePatternSet &patterns,
                              const FuseOptions &options) {
  add<TransposedConvInputLaw, TransposedDeconvInputLaw,
      TransposedMatmulInputLaw, TransposedConvFilterLaw,
      TransposedDeconvFilterLaw, TransposedMatmulFilterLaw,
      TransposedResultLaw>(patterns, options);
  populateNameTransposesPatterns(patterns);
  populateReorderedOperandLawPatterns(patterns);
  populateTransposingReadLawPatterns(patterns);
}

/// Adds patterns of Fuse.pdll, and one that gives a name to the op they match.
template <void (*populateNames)(RewritePatternSet &), typename... Patterns>
static void addNamed(RewritePatternSet &patterns, const FuseOptions &options) {
  add<Patterns...>(patterns, options);
  populateNames(patterns);
}

// In the order of the table in the description of fusion-fuse. The first reason
// of a law that is not folded is the one that `fusion-explain` gives.
static constexpr Law laws[] = {
    {"pad", "fused(pad(x, 0), w)  ->  fused(x, w, pad)",
     addNamed<populateNamePadPatterns, PadLaw, SlicedResultLaw>, explainPad},
    {"deconv", "fused(zeros inserted(x), w)  ->  transposed fused(x, flip(w))",
     populateDeconv, explainDeconv},
    {"dilation", "fused(x, zeros inserted(w))  ->  fused(x, w, dilations)",
     populateDilationLaw, explainDilation},
    {"reshape", "f(expand(fused(x, w)))  ->  expand(f(fused(x, w)))",
     ignoreOptions<populateReshapeLawPatterns>},
    {"results", "(f(c), g(f(c)))  ->  r = f(c), (r, g(r)), c = fused(x, w)",
     populateSeveralResultsLawPatterns},
    {"transpose", "transpose(fused(x, w))  ->  fused(x, w), layout permuted",
     populateTranspose},
    {"broadcast", "fused(x, broadcast(w) along b)  ->  fused(x, w)",
     ignoreOptions<populateSharedFilterLawPatterns>, explainBroadcast},
    {"cast", "narrow(fused(x, w) : f32)  ->  fused(x, w) : narrow",
     add<CastLaw, WideningLaw>},
    {"bias", "fused(x, w) + b  ->  fused(x, w, bias = b)", populateBias},
    {"scale", "fused(x, w, b) * s  ->  fused(x, w * s, b * s)", add<ScaleLaw>},
    {"bn", "fused(x, w, b) / sqrt(v)  ->  fused(x, w / sqrt(v), b / sqrt(v))",
     add<BatchNormLaw>},
    {"residual", "fused(x, w) + t  ->  fused(x, w, residual = t)",
     add<ResidualLaw, ResidualAfterActivationLaw>},
    // Tells of all laws that fold what reads the result.
    {"activation", "act(fused(x, w))  ->  fused(x, w, activation = act)",
     add<ActivationLaw>, explainUsers},
};

ArrayRef<Law> fusion::getLaws() { return laws; }

static auto getLawNames() {
  return llvm::map_range(laws, [](const Law &law) { return law.name; });
}

LogicalResult fusion::checkLawNames(ArrayRef<std::string> names,
                                    Refusal &refusal) {
  for (StringRef name : names)
    if (!llvm::is_contained(getLawNames(), name))
      return refusal.because("no law is called '", name, "'; there are ",
                             llvm::join(getLawNames(), ", "));
  return success();
}

void fusion::populateLawPatterns(RewritePatternSet &patterns,
                                 ArrayRef<StringRef> names,
                                 const FuseOptions &options) {
  for (const Law &law : laws)
    if (llvm::is_contained(names, law.name))
      law.populate(patterns, options);
  if (llvm::any_of(names, isStepLawName))
    populateNameStepsPatterns(patterns, options, names);
  registerFoldSteps(patterns.getPDLPatterns(), options);
  registerFoldInputs(patterns.getPDLPatterns());
  registerFoldSlice(patterns.getPDLPatterns());
}

void fusion::populateFoldStepsPatterns(RewritePatternSet &patterns,
                                       const FuseOptions &options) {
  populateGeneratedPDLLPatterns(patterns);
  registerFoldSteps(patterns.getPDLPatterns(), options);
  registerFoldInputs(patterns.getPDLPatterns());
  registerFoldSlice(patterns.getPDLPatterns());
}

LogicalResult fusion::populateFusionPatterns(RewritePatternSet &patterns,
                                             const FuseOptions &options,
                                             ArrayRef<std::string> disabled,
                                             Refusal &refusal) {
  if (failed(checkLawNames(disabled, refusal)))
    return failure();
  // Loads the dependent dialects of the pass, for callers outside of a pass.
  patterns.getContext()
      ->loadDialect<FusionDialect, arith::ArithDialect, linalg::LinalgDialect,
                    math::MathDialect, pdl::PDLDialect,
                    pdl_interp::PDLInterpDialect, tensor::TensorDialect>();
  SmallVector<StringRef> enabled;
  for (StringRef name : getLawNames())
    if (!llvm::is_contained(disabled, name))
      enabled.push_back(name);
  populateLawPatterns(patterns, enabled, options);
  return success();
}
