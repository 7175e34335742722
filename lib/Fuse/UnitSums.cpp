//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "UnitSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"

using namespace mlir;
using namespace fusion;

/// True if `loop` is a part of an index of `op`, as with windows. Without it
/// the index may have too few values for its dimension, and upstream does not
/// look.
static bool isPartOfIndex(linalg::GenericOp op, unsigned loop) {
  return llvm::any_of(op.getIndexingMapsArray(), [&](AffineMap map) {
    return llvm::any_of(map.getResults(), [&](AffineExpr index) {
      return !isa<AffineDimExpr>(index) && index.isFunctionOfDim(loop);
    });
  });
}

SmallVector<unsigned> fusion::findUnitSums(linalg::LinalgOp op) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic || !generic.hasPureTensorSemantics() ||
      generic.getNumDpsInits() != 1)
    return {};
  auto add = generic.getBody()
                 ->getTerminator()
                 ->getOperand(0)
                 .getDefiningOp<arith::AddFOp>();
  if (!add || llvm::none_of(add->getOperands(), [](Value value) {
        return value.getDefiningOp<arith::MulFOp>();
      }))
    return {};
  SmallVector<unsigned> sums, unitSums;
  generic.getReductionDims(sums);
  SmallVector<int64_t> sizes = generic.getStaticLoopRanges();
  llvm::copy_if(sums, std::back_inserter(unitSums), [&](unsigned loop) {
    return sizes[loop] == 1 && !isPartOfIndex(generic, loop);
  });
  return unitSums.size() == sums.size() ? SmallVector<unsigned>() : unitSums;
}

linalg::LinalgOp fusion::dropUnitSums(RewriterBase &rewriter,
                                      linalg::LinalgOp op) {
  SmallVector<unsigned> unitSums = findUnitSums(op);
  if (unitSums.empty())
    return nullptr;
  auto generic = cast<linalg::GenericOp>(op.getOperation());
  linalg::ControlDropUnitDims control;
  control.controlFn = [&](Operation *) { return unitSums; };
  rewriter.setInsertionPoint(op);
  FailureOr<linalg::DropUnitDimsResult> dropped =
      linalg::dropUnitDims(rewriter, generic, control);
  if (failed(dropped))
    return nullptr;
  rewriter.replaceOp(op, dropped->replacements);
  return cast<linalg::LinalgOp>(dropped->resultOp.getOperation());
}
