//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Utils/Canonicalize.h"

#include "mlir/Rewrite/FrozenRewritePatternSet.h"
#include "mlir/Transforms/Passes.h"

using namespace mlir;

llvm::SmallVector<std::string> fusion::getWrongCanonicalizations() {
  // This pattern folds a `tensor.pad` into the `tensor.insert_slice` behind it,
  // and adds the low padding to the offsets without multiplying it by the
  // strides. The name of a pattern is that of its type, as the compiler of LLVM
  // spells it.
  return {"(anonymous namespace)::FoldInsertPadIntoFill",
          "{anonymous}::FoldInsertPadIntoFill"};
}

std::unique_ptr<Pass> fusion::createCanonicalizer() {
  // The defaults of the pass differ from those of the driver.
  auto config =
      GreedyRewriteConfig()
          .setUseTopDownTraversal(true)
          .setRegionSimplificationLevel(GreedySimplifyRegionLevel::Normal);
  return createCanonicalizerPass(config, getWrongCanonicalizations());
}
