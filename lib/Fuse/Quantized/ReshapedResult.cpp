//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Laws.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fusion;

/// True if `operand` is the result of an op on integers behind a reshape that
/// nothing else reads. A dequantisation of i8 stays behind the reshape:
/// MovedIntegers.cpp moves it there. It also moves a quantisation in front.
template <typename ReshapeOp> static bool isReshapedResult(OpOperand *operand) {
  auto reshape = operand->get().getDefiningOp<ReshapeOp>();
  if (!reshape || !reshape->hasOneUse())
    return false;
  Value result = operand->getOwner()->getResult(0);
  if (getElementTypeOrSelf(reshape.getSrc()).isInteger(8) &&
      isa<FloatType>(getElementTypeOrSelf(result)))
    return false;
  Refusal unread = Refusal::unread();
  auto user = dyn_cast<linalg::LinalgOp>(operand->getOwner());
  if (user && succeeded(Quantization::match(user, unread)))
    return false;
  auto op = reshape.getSrc().template getDefiningOp<QuantizedOpInterface>();
  return op && op->hasOneUse();
}

/// True if `operand` is read by a reshape that makes one dimension of those
/// along which its dequantisation has scales. `linalg-fuse-elementwise-ops`
/// moves dequantisations behind `expand_shape`.
static bool isScaledAlongSeveralDims(OpOperand *operand) {
  Refusal unread = Refusal::unread();
  Value floats = operand->get();
  return isa<tensor::CollapseShapeOp>(operand->getOwner()) &&
         floats.hasOneUse() && getElementTypeOrSelf(floats).isF32() &&
         readsIntegers(floats) && failed(Dequantization::match(floats, unread));
}

void fusion::populateReshapedScalesLaw(RewritePatternSet &patterns,
                                       const FuseOptions &) {
  linalg::populateFoldReshapeOpsByCollapsingPatterns(patterns,
                                                     isScaledAlongSeveralDims);
}

void fusion::populateReshapedResultLaw(RewritePatternSet &patterns,
                                       const FuseOptions &) {
  linalg::populateFoldReshapeOpsByCollapsingPatterns(
      patterns, isReshapedResult<tensor::ExpandShapeOp>);
  linalg::populateFoldReshapeOpsByExpansionPatterns(
      patterns, isReshapedResult<tensor::CollapseShapeOp>);
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
}
