//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The laws that are written in PDLL, and the list of all laws.

#include "FusionDialect/Transforms/EpilogueConstraints.h"
#include "FusionDialect/Transforms/Patterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/PDLInterp/IR/PDLInterp.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace fusion;

namespace {
namespace bias {
#include "Bias.h.inc"
} // namespace bias
namespace scale {
#include "Scale.h.inc"
} // namespace scale
namespace batchnorm {
#include "BatchNorm.h.inc"
} // namespace batchnorm
namespace residual {
#include "Residual.h.inc"
} // namespace residual
namespace activation {
#include "Activation.h.inc"
} // namespace activation
namespace cast {
#include "Cast.h.inc"
} // namespace cast
} // namespace

void fusion::populateBiasLawPatterns(RewritePatternSet &patterns,
                                     const FuseOptions &options) {
  bias::populateGeneratedPDLLPatterns(patterns);
  populateBroadcastResidualLawPatterns(patterns, options);
  registerEpilogueConstraints(patterns.getPDLPatterns(), options);
}

void fusion::populateScaleLawPatterns(RewritePatternSet &patterns,
                                      const FuseOptions &options) {
  scale::populateGeneratedPDLLPatterns(patterns);
  registerEpilogueConstraints(patterns.getPDLPatterns(), options);
}

void fusion::populateBatchNormLawPatterns(RewritePatternSet &patterns,
                                          const FuseOptions &options) {
  batchnorm::populateGeneratedPDLLPatterns(patterns);
  registerEpilogueConstraints(patterns.getPDLPatterns(), options);
}

void fusion::populateResidualLawPatterns(RewritePatternSet &patterns,
                                         const FuseOptions &options) {
  residual::populateGeneratedPDLLPatterns(patterns);
  registerEpilogueConstraints(patterns.getPDLPatterns(), options);
}

void fusion::populateActivationLawPatterns(RewritePatternSet &patterns,
                                           const FuseOptions &options) {
  activation::populateGeneratedPDLLPatterns(patterns);
  populateActivationRegionLawPatterns(patterns, options);
  registerEpilogueConstraints(patterns.getPDLPatterns(), options);
}

void fusion::populateCastLawPatterns(RewritePatternSet &patterns,
                                     const FuseOptions &options) {
  cast::populateGeneratedPDLLPatterns(patterns);
  registerEpilogueConstraints(patterns.getPDLPatterns(), options);
}

LogicalResult fusion::populateFusionPatterns(RewritePatternSet &patterns,
                                             const FuseOptions &options,
                                             ArrayRef<std::string> disabled,
                                             Refusal &refusal) {
  // Those of the pass, for whoever calls this outside of one.
  patterns.getContext()
      ->loadDialect<FusionDialect, arith::ArithDialect, linalg::LinalgDialect,
                    math::MathDialect, pdl::PDLDialect,
                    pdl_interp::PDLInterpDialect, tensor::TensorDialect>();
  std::pair<StringRef, std::function<void()>> laws[] = {
      {"pad", [&] { populatePadLawPatterns(patterns); }},
      {"reshape", [&] { populateReshapeLawPatterns(patterns); }},
      {"results",
       [&] { populateSeveralResultsLawPatterns(patterns, options); }},
      {"deconv", [&] { populateDeconvLawPatterns(patterns); }},
      {"transpose", [&] { populateTransposeLawPatterns(patterns); }},
      {"broadcast", [&] { populateBroadcastLawPatterns(patterns); }},
      {"cast", [&] { populateCastLawPatterns(patterns, options); }},
      {"bias", [&] { populateBiasLawPatterns(patterns, options); }},
      {"scale", [&] { populateScaleLawPatterns(patterns, options); }},
      {"bn", [&] { populateBatchNormLawPatterns(patterns, options); }},
      {"residual", [&] { populateResidualLawPatterns(patterns, options); }},
      {"activation", [&] { populateActivationLawPatterns(patterns, options); }},
  };
  for (StringRef name : disabled)
    if (llvm::none_of(laws, [&](auto &law) { return law.first == name; })) {
      std::string names;
      for (auto &law : laws)
        names += (names.empty() ? "" : ", ") + law.first.str();
      return refusal.because("no law is called '", name, "'; there are ",
                             names);
    }
  for (auto &[name, populate] : laws)
    if (!llvm::is_contained(disabled, name))
      populate();
  return success();
}
