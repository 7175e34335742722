//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The laws that are written in PDLL, and the list of all laws.

#include "FusionDialect/Fuse/Laws.h"
#include "EpilogueConstraints.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/PDLInterp/IR/PDLInterp.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"

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

namespace {
struct Law {
  StringLiteral name;
  void (*populate)(RewritePatternSet &, const FuseOptions &);
};
} // namespace

/// Populates a law that has no options.
template <void (*populate)(RewritePatternSet &)>
static void ignoreOptions(RewritePatternSet &patterns, const FuseOptions &) {
  populate(patterns);
}

static constexpr Law laws[] = {
    {"pad", ignoreOptions<populatePadLawPatterns>},
    {"reshape", ignoreOptions<populateReshapeLawPatterns>},
    {"results", populateSeveralResultsLawPatterns},
    {"deconv", ignoreOptions<populateDeconvLawPatterns>},
    {"transpose", ignoreOptions<populateTransposeLawPatterns>},
    {"broadcast", ignoreOptions<populateBroadcastLawPatterns>},
    {"cast", populateCastLawPatterns},
    {"bias", populateBiasLawPatterns},
    {"scale", populateScaleLawPatterns},
    {"bn", populateBatchNormLawPatterns},
    {"residual", populateResidualLawPatterns},
    {"activation", populateActivationLawPatterns},
};

LogicalResult fusion::checkLawNames(ArrayRef<std::string> names,
                                    Refusal &refusal) {
  for (StringRef name : names)
    if (llvm::none_of(laws, [&](const Law &law) { return law.name == name; })) {
      std::string known = llvm::join(
          llvm::map_range(laws, [](const Law &law) { return law.name.str(); }),
          ", ");
      return refusal.because("no law is called '", name, "'; there are ",
                             known);
    }
  return success();
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
  for (const Law &law : laws)
    if (!llvm::is_contained(disabled, law.name))
      law.populate(patterns, options);
  return success();
}
