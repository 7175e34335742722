//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "FusionDialect/Utils/ApplyPatterns.h"
#include "mlir/Transforms/GreedyPatternRewriteDriver.h"

using namespace mlir;

LogicalResult fusion::applyToFixpoint(Operation *op,
                                      const FrozenRewritePatternSet &patterns,
                                      StringRef what, int64_t maxIterations) {
  GreedyRewriteConfig config;
  config.setMaxIterations(maxIterations);
  // No pattern changes blocks, and each iteration would simplify all of them.
  config.setRegionSimplificationLevel(GreedySimplifyRegionLevel::Disabled);
  if (succeeded(applyPatternsGreedily(op, patterns, config)))
    return success();
  return op->emitError() << what << " still find something to rewrite after "
                         << maxIterations << " iterations";
}

LogicalResult fusion::applyToFixpoint(Operation *op, ArrayRef<Operation *> ops,
                                      const FrozenRewritePatternSet &patterns,
                                      StringRef what) {
  auto config = GreedyRewriteConfig().setStrictness(
      GreedyRewriteStrictness::ExistingAndNewOps);
  if (succeeded(applyOpPatternsGreedily(ops, patterns, config)))
    return success();
  return op->emitError() << what << " still find something to rewrite";
}
