//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The pass acme-fuse: Fusion's laws and Acme's, in one set.

#include "Acme.h"

#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/IR/FusionDialect.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Support/Refusal.h"
#include "FusionDialect/Utils/ApplyPatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/PDL/IR/PDL.h"
#include "mlir/Dialect/PDLInterp/IR/PDLInterp.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;

namespace {
#include "AcmeLaws.h.inc"

struct AcmeFuse : PassWrapper<AcmeFuse, OperationPass<>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AcmeFuse)

  StringRef getArgument() const final { return "acme-fuse"; }
  StringRef getDescription() const final {
    return "the laws of Fusion and those of Acme";
  }
  void getDependentDialects(DialectRegistry &registry) const final {
    registry.insert<fusion::FusionDialect, arith::ArithDialect,
                    linalg::LinalgDialect, math::MathDialect, pdl::PDLDialect,
                    pdl_interp::PDLInterpDialect, tensor::TensorDialect>();
  }

  LogicalResult initialize(MLIRContext *context) final {
    RewritePatternSet set(context);
    fusion::Refusal refusal;
    if (failed(fusion::populateFusionPatterns(set, fusion::FuseOptions(),
                                              /*disabled=*/{}, refusal)))
      return emitError(UnknownLoc::get(context), refusal.str());
    populateGeneratedPDLLPatterns(set);
    laws = std::move(set);
    return success();
  }
  void runOnOperation() final {
    if (failed(fusion::applyToFixpoint(getOperation(), laws, "laws")))
      signalPassFailure();
  }

  FrozenRewritePatternSet laws;
};
} // namespace

void acme::registerAcmeFuse() { PassRegistration<AcmeFuse>(); }
