//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The native rewrite of the scale and batch norm laws, which Fuse.pdll
// declares.

#include "FoldSteps.h"
#include "FusionDialect/Analysis/Transpose.h"
#include "FusionDialect/IR/FusionDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace fusion;

/// Multiplies `tensor` with, or divides it by, `scale`, a tensor<Cxf32>, along
/// dimension `dim`, in f32.
static Value scaleAlong(OpBuilder &builder, Location loc, Value tensor,
                        int64_t dim, Value scale, bool divides) {
  auto type = cast<RankedTensorType>(tensor.getType());
  Type f32 = builder.getF32Type();
  Value empty = tensor::EmptyOp::create(
      builder, loc, tensor::getMixedSizes(builder, loc, tensor), f32);
  AffineMap identity = builder.getMultiDimIdentityMap(type.getRank());
  auto buildBody = [&](OpBuilder &b, Location loc, ValueRange args) {
    Value value = args[0];
    if (value.getType() != f32)
      value = arith::ExtFOp::create(b, loc, f32, value);
    value = divides ? arith::DivFOp::create(b, loc, value, args[1]).getResult()
                    : arith::MulFOp::create(b, loc, value, args[1]).getResult();
    linalg::YieldOp::create(b, loc, value);
  };
  SmallVector<utils::IteratorType> iterators(type.getRank(),
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, empty.getType(), ValueRange{tensor, scale}, empty,
             ArrayRef<AffineMap>{identity, identity.getSubMap(dim), identity},
             iterators, buildBody)
      .getResult(0);
}

/// Scales the filter of `op`. If a transpose makes the filter, the source is
/// scaled, so that the transpose law still sees the transpose.
static Value scaleFilter(OpBuilder &builder, Location loc, FusedOpInterface op,
                         Value scale, bool divides) {
  Value filter = op.getFilter();
  int64_t dim = op.getFilterChannelDim();
  auto transpose = matchTranspose(filter.getDefiningOp());
  if (!transpose)
    return scaleAlong(builder, loc, filter, dim, scale, divides);
  auto &[source, permutation] = *transpose;
  Value scaled =
      scaleAlong(builder, loc, source, permutation[dim], scale, divides);
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, scaled);
  applyPermutationToVector(sizes, permutation);
  Value empty =
      tensor::EmptyOp::create(builder, loc, sizes, builder.getF32Type());
  return linalg::TransposeOp::create(builder, loc, scaled, empty, permutation)
      ->getResult(0);
}

/// Notes on `op` what was folded into its filter and bias, where it does not
/// show. A batch norm's square root stands for its gamma, too.
static void recordFolded(FusedOpInterface op, bool isNormalization) {
  if (isNormalization)
    op->setAttr(kFoldedAttr, StringAttr::get(op->getContext(), "bn"));
  else if (!op->hasAttr(kFoldedAttr))
    op->setAttr(kFoldedAttr, StringAttr::get(op->getContext(), "scale"));
}

Value fusion::withScale(PatternRewriter &rewriter, Operation *step, Value fused,
                        Value factor) {
  FusedOpInterface op = copyFusedOp(rewriter, step, fused);
  Location loc = step->getLoc();
  bool divides = step->hasAttr("divides");
  op.getFilterMutable().set(scaleFilter(rewriter, loc, op, factor, divides));
  if (Value bias = op.getBias())
    op.getBiasMutable().assign(
        scaleAlong(rewriter, loc, bias, 0, factor, divides));
  if (Value residual = op.getResidual())
    op.getResidualMutable().assign(scaleAlong(
        rewriter, loc, residual, op.getOutputChannelDim(), factor, divides));
  recordFolded(op, isa<NormalizeChannelOp>(step));
  return op->getResult(0);
}
