//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The body that dequantises a filter may also multiply it by a factor that only
// a call knows: upstream's fusion of element-wise ops merges both. The laws
// read the factor in an op of its own.

#include "BodyPart.h"
#include "DequantizedFilter.h"
#include "FusionDialect/Analysis/Dataflow.h"
#include "Laws.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fusion;

namespace {
/// A dequantisation of a filter, and the factor behind it.
struct MergedFilter {
  linalg::GenericOp op;
  Operation *step; ///< the product or quotient that the body yields
  BodyPart dequantized;
  Value factor;
};
} // namespace

/// True if only a call knows a number that `op` computes a filter with.
static bool hasUnknownNumber(linalg::GenericOp op) {
  return llvm::any_of(op.getDpsInputs(), [](Value input) {
    return !getElementTypeOrSelf(input).isInteger(8) &&
           !matchPattern(input, m_Constant());
  });
}

/// True if `factor` is a number or varies along one dimension of `op`.
static bool isFactor(linalg::GenericOp op, Value factor) {
  OpOperand *operand = getReadOperand(op, factor);
  if (!operand)
    return factor.getParentBlock() != op.getBody();
  AffineMap map = op.getMatchingIndexingMap(operand);
  return op.isDpsInput(operand) &&
         (map.isConstant() || map.getNumResults() == 1);
}

static FailureOr<MergedFilter> matchMergedFilter(Value filter,
                                                 Refusal &refusal) {
  auto op = filter.getDefiningOp<linalg::GenericOp>();
  if (!op || !readsIntegers(filter) || op->getNumResults() != 1 ||
      !op.isAllParallelLoops() ||
      !op.getIndexingMapMatchingResult(op->getOpResult(0)).isIdentity())
    return refusal.because("no element-wise op dequantises the filter");
  if (!hasUnknownNumber(op))
    return refusal.because("the filter is computed from constants");
  if (failed(checkNoSideEffects(op, refusal)))
    return failure();
  Operation *step =
      op.getBody()->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::DivFOp>(step) ||
      step->getBlock() != op.getBody())
    return refusal.because("the filter is no product");
  Value value = step->getOperand(0), factor = step->getOperand(1);
  if (isa<arith::MulFOp>(step) && isFactor(op, value))
    std::swap(value, factor);
  if (!isFactor(op, factor) || isFactor(op, value))
    return refusal.because("the filter is no product with a vector");
  FailureOr<BodyPart> part =
      BodyPart::match(op, value, "a dequantised filter", refusal);
  if (failed(part))
    return failure();
  if (!part->map.isIdentity() || !value.getType().isF32())
    return refusal.because("the filter is not made element for element");
  return MergedFilter{op, step, std::move(*part), factor};
}

namespace {
struct SplitFilterFactor : public OpInterfaceRewritePattern<FusedOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(FusedOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (!readsIntegers(skipMovesAndScales(op.getInput())))
      return rewriter.notifyMatchFailure(op, "the input is not dequantised");
    Refusal refusal;
    FailureOr<MergedFilter> match =
        matchMergedFilter(skipMovesAndScales(op.getFilter()), refusal);
    if (failed(match))
      return refusal.notify(rewriter, op);
    linalg::GenericOp merged = match->op;
    rewriter.setInsertionPoint(merged);
    SmallVector<Value> inputs = {match->dequantized.emit(rewriter, merged)};
    AffineMap identity = rewriter.getMultiDimIdentityMap(merged.getNumLoops());
    SmallVector<AffineMap> maps = {identity};
    if (OpOperand *operand = getReadOperand(merged, match->factor)) {
      inputs.push_back(operand->get());
      maps.push_back(merged.getMatchingIndexingMap(operand));
    }
    maps.push_back(identity);
    auto computeStep = [&](OpBuilder &builder, Location loc, ValueRange args) {
      IRMapping mapping;
      mapping.map(match->dequantized.value, args[0]);
      if (inputs.size() == 2)
        mapping.map(match->factor, args[1]);
      Operation *step = builder.clone(*match->step, mapping);
      linalg::YieldOp::create(builder, loc, step->getResult(0));
    };
    rewriter.replaceOpWithNewOp<linalg::GenericOp>(
        merged, merged->getResultTypes(), inputs, merged.getDpsInits(), maps,
        merged.getIteratorTypesArray(), computeStep);
    return success();
  }
};
} // namespace

void fusion::populateMergedFilterPatterns(RewritePatternSet &patterns) {
  patterns.add<SplitFilterFactor>(patterns.getContext());
}
