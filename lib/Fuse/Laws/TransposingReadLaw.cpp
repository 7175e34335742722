//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The transpose law for a transpose that is merged into the op that follows,
// and for one behind a reshape.

#include "FusionDialect/Analysis/Transpose.h"
#include "FusionDialect/Fuse/Epilogue.h"
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/IR/LocationText.h"
#include "FusionDialect/Utils/Reorder.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace fusion;

LogicalResult fusion::checkTransposeIsFoldable(FusedOpInterface op,
                                               Operation *transpose,
                                               Refusal &refusal) {
  if (failed(checkOneUser(op, refusal)))
    return failure();
  if (op->getBlock() != transpose->getBlock())
    return refusal.because("next op '", transpose->getName().getStringRef(),
                           "' at ", getLocationText(transpose->getLoc()),
                           " is in another block");
  return success();
}

/// The map by which `op` reads `value`, if it is a permutation of the loops;
/// null if it is not, or if `op` reads `value` by several maps.
static AffineMap findPermutation(linalg::LinalgOp op, Value value) {
  AffineMap map;
  for (OpOperand &operand : op->getOpOperands()) {
    if (operand.get() != value)
      continue;
    AffineMap operandMap = op.getMatchingIndexingMap(&operand);
    if (!operandMap.isPermutation() || (map && map != operandMap))
      return AffineMap();
    map = operandMap;
  }
  return map;
}

std::optional<SmallVector<int64_t>>
fusion::matchTransposingRead(FusedOpInterface fused, Operation *op) {
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  if (!linalgOp || !linalgOp.hasPureTensorSemantics() ||
      linalgOp.getNumDpsInits() != 1 || linalgOp.hasIndexSemantics() ||
      !linalgOp.isAllParallelLoops() || isTranspose(op))
    return std::nullopt;
  AffineMap result = linalgOp.getIndexingMapsArray().back();
  AffineMap read = findPermutation(linalgOp, fused->getResult(0));
  if (!read || !result.isPermutation() ||
      (read.isIdentity() && result.isIdentity()))
    return std::nullopt;
  AffineMap toRead = read.compose(inversePermutation(result));
  return invertPermutationVector(
      llvm::map_to_vector(toRead.getResults(), [](AffineExpr expr) -> int64_t {
        return cast<AffineDimExpr>(expr).getPosition();
      }));
}

/// The dimensions of the source of `expand` in the order in which `permutation`
/// has their parts; nothing if it does not keep the parts of each together.
static std::optional<SmallVector<int64_t>>
permuteSource(tensor::ExpandShapeOp expand, ArrayRef<int64_t> permutation) {
  SmallVector<int64_t> order;
  SmallVector<ReassociationIndices> groups = expand.getReassociationIndices();
  while (!permutation.empty()) {
    auto *group = llvm::find_if(groups, [&](ArrayRef<int64_t> parts) {
      return permutation.take_front(parts.size()) == parts;
    });
    if (group == groups.end())
      return std::nullopt;
    order.push_back(group - groups.begin());
    permutation = permutation.drop_front(group->size());
  }
  return order;
}

namespace {

// law: transpose(expand(fused(x, w)))  ->  expand(transpose(fused(x, w))),
//      where the parts of each dimension stay together
struct TransposedPartsLaw : public OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto expand = op.getInput().getDefiningOp<tensor::ExpandShapeOp>();
    if (!expand || !expand->hasOneUse())
      return rewriter.notifyMatchFailure(op, "not of a reshape of its own");
    auto fused = expand.getSrc().getDefiningOp<FusedOpInterface>();
    if (!fused)
      return rewriter.notifyMatchFailure(op, "not of a fusion op");
    Refusal refusal;
    if (failed(checkTransposeIsFoldable(fused, op, refusal)))
      return refusal.notify(rewriter, op);
    ArrayRef<int64_t> permutation = op.getPermutation();
    std::optional<SmallVector<int64_t>> order =
        permuteSource(expand, permutation);
    if (!order)
      return rewriter.notifyMatchFailure(
          op, "parts of one dimension do not stay together");
    Value source = reorder(rewriter, op.getLoc(), expand.getSrc(), *order);
    SmallVector<OpFoldResult> sizes = expand.getMixedOutputShape();
    applyPermutationToVector(sizes, permutation);
    Value expanded = tensor::ExpandShapeOp::create(
        rewriter, expand.getLoc(),
        reorderType(expand.getResultType(), permutation), source,
        reorderGroups(expand.getReassociationIndices(), *order), sizes);
    rewriter.replaceOp(op, castTo(rewriter, op.getLoc(), expanded,
                                  op->getResult(0).getType()));
    return success();
  }
};

// law: f(fused(x, w) read by a permutation)  ->  f(transpose(fused(x, w)))
struct TransposingReadLaw : public OpInterfaceRewritePattern<FusedOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(FusedOpInterface fused,
                                PatternRewriter &rewriter) const override {
    // On memrefs there is no result.
    if (fused->use_empty())
      return rewriter.notifyMatchFailure(fused, "the result is not used");
    Operation *user = *fused->user_begin();
    auto permutation = matchTransposingRead(fused, user);
    if (!permutation)
      return rewriter.notifyMatchFailure(fused, "not read by a permutation");
    Refusal refusal;
    if (failed(checkTransposeIsFoldable(fused, user, refusal)))
      return refusal.notify(rewriter, fused);
    rewriter.setInsertionPoint(user);
    auto generic = dyn_cast<linalg::GenericOp>(user);
    if (!generic)
      generic =
          *linalg::generalizeNamedOp(rewriter, cast<linalg::LinalgOp>(user));
    generic = orderLoopsByResult(rewriter, generic);
    if (!isIdentityPermutation(*permutation))
      transposeOperand(rewriter, generic, fused, *permutation);
    return success();
  }

private:
  /// Brings the loops of `op` into the order of the dimensions of its result.
  static linalg::GenericOp orderLoopsByResult(PatternRewriter &rewriter,
                                              linalg::GenericOp op) {
    AffineMap result = op.getIndexingMapsArray().back();
    if (result.isIdentity())
      return op;
    SmallVector<unsigned> loops =
        llvm::map_to_vector(result.getResults(), [](AffineExpr expr) {
          return cast<AffineDimExpr>(expr).getPosition();
        });
    return *linalg::interchangeGenericOp(rewriter, op, loops);
  }

  /// Makes `op` read a transpose of the result of `fused`, element for element.
  static void transposeOperand(PatternRewriter &rewriter, linalg::GenericOp op,
                               FusedOpInterface fused,
                               ArrayRef<int64_t> permutation) {
    Location loc = op.getLoc();
    Value value = fused->getResult(0);
    rewriter.setInsertionPoint(op);
    SmallVector<OpFoldResult> sizes =
        tensor::getMixedSizes(rewriter, loc, fused.getInit());
    applyPermutationToVector(sizes, permutation);
    Value empty = tensor::EmptyOp::create(rewriter, loc, sizes,
                                          getElementTypeOrSelf(value));
    Value transposed =
        linalg::TransposeOp::create(rewriter, loc, value, empty, permutation)
            ->getResult(0);
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    for (OpOperand &operand : op->getOpOperands())
      if (operand.get() == value)
        maps[operand.getOperandNumber()] =
            rewriter.getMultiDimIdentityMap(permutation.size());
    rewriter.modifyOpInPlace(op, [&] {
      op->replaceUsesOfWith(value, transposed);
      op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
  }
};

} // namespace

void fusion::populateTransposingReadLawPatterns(RewritePatternSet &patterns) {
  patterns.add<TransposedPartsLaw, TransposingReadLaw>(patterns.getContext());
}
