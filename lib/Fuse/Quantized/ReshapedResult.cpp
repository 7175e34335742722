//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Fuse/ConstantEvaluation.h"
#include "FusionDialect/Fuse/Step.h"
#include "FusionDialect/IR/LocationText.h"
#include "FusionDialect/Utils/Moves.h"
#include "Laws.h"
#include "Laws/FoldSteps.h"
#include "Laws/SplitChannel.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace fusion;

/// The value that reshapes make `value` of, which nothing else reads.
static Value skipReshapes(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (!isa<tensor::CollapseShapeOp, tensor::ExpandShapeOp>(op) ||
        !isReadOnce(op))
      break;
    value = op->getOperand(0);
  }
  return value;
}

/// True if a reshape of `source` in front of `reader` moves behind it. A
/// dequantisation of i8 stays behind the reshape: MovedIntegers.cpp moves it
/// there.
static bool moves(Value source, Operation *reader) {
  if (getElementTypeOrSelf(source).isInteger(8) &&
      isa<FloatType>(getElementTypeOrSelf(reader->getResult(0))))
    return false;
  return isMovedResult(source);
}

/// True if a reshape of `source` in front of `reader` moves behind it, and does
/// not become a reshape of another result, which would move back. Sums of i32
/// need their reader more than results of i8.
static bool movesBehind(Value source, Operation *reader) {
  auto getWidth = [](Value value) {
    return getElementTypeOrSelf(value).getIntOrFloatBitWidth();
  };
  return moves(source, reader) &&
         llvm::none_of(reader->getOperands(), [&](Value other) {
           return skipReshapes(other) != skipReshapes(source) &&
                  moves(other, reader) && getWidth(other) >= getWidth(source);
         });
}

/// True if `operand` is the result of an op on integers behind a reshape that
/// nothing else reads. MovedIntegers.cpp moves a quantisation in front.
template <typename ReshapeOp> static bool isReshapedResult(OpOperand *operand) {
  auto reshape = operand->get().getDefiningOp<ReshapeOp>();
  if (!reshape || !reshape->hasOneUse())
    return false;
  // Moving an expansion leaves a collapse of it, which would move it back. They
  // are to become one reshape, or none.
  if (isa<tensor::CollapseShapeOp>(reshape) &&
      reshape.getSrc().template getDefiningOp<tensor::ExpandShapeOp>())
    return false;
  Operation *reader = operand->getOwner();
  if (!movesBehind(reshape.getSrc(), reader))
    return false;
  Refusal unread = Refusal::unread();
  auto op = skipReshapes(reshape).template getDefiningOp<FusedOpInterface>();
  FailureOr<SplitChannel> channel = failure();
  if (op)
    channel = matchSplitResult(op, /*areUnitsParts=*/true, unread);
  if (succeeded(channel) && readsChannelPart(*channel))
    return false;
  auto user = dyn_cast<linalg::LinalgOp>(reader);
  return !user || failed(Quantization::match(user, unread));
}

/// Refuses a step that only stricter options than `options` keep from the op,
/// which the pass may have run with: `exact`, under which the op takes nothing
/// but residuals, or that NaN has to stay.
static LogicalResult checkStrictStep(FusedOpInterface op,
                                     const FuseOptions &options,
                                     Refusal &refusal) {
  Refusal unread = Refusal::unread();
  FailureOr<FoundStep> found = findNextStep(op, options, unread);
  if (failed(found) || found->step.kind == Step::Kind::AddTensor)
    return success();
  Operation *next = found->epilogue.consumer;
  FuseOptions strict = options;
  strict.nanMode = NaNMode::Propagate;
  bool mayLoseNaN =
      options.quantRounding != QuantRounding::Exact &&
      found->step.kind == Step::Kind::Activate &&
      failed(checkKeepsNaN(found->step.activation, strict, unread));
  return refusal.because("quant-rounding is exact, and next op '",
                         next->getName().getStringRef(), "' at ",
                         getLocationText(next->getLoc()),
                         " may round otherwise as part of the op",
                         mayLoseNaN ? "; or nan-mode is propagate, and it may "
                                      "lose a NaN"
                                    : "");
}

LogicalResult fusion::explainFloatResult(FusedOpInterface op,
                                         const FuseOptions &options,
                                         Refusal &refusal) {
  if (!isa<QuantizedOpInterface>(op.getOperation()) ||
      !op.getOutputType().getElementType().isF32())
    return success();
  FuseOptions onIntegers = options;
  onIntegers.integers = true;
  if (failed(checkStrictStep(op, onIntegers, refusal)))
    return failure();
  return explainUsers(op, onIntegers, refusal);
}

/// True if `floats` are dequantised by scales along several dimensions. An op
/// that also reads other tensors element for element adds to them, for example.
static bool hasScalesAlongSeveralDims(Value floats) {
  auto op = floats.getDefiningOp<linalg::LinalgOp>();
  if (!op || op->getNumResults() != 1 || !readsIntegers(floats) ||
      !llvm::all_of(op.getDpsInputOperands(), [&](OpOperand *input) {
        AffineMap map = op.getMatchingIndexingMap(input);
        return getElementTypeOrSelf(input->get()).isInteger(8) ||
               map.getNumResults() < map.getNumDims();
      }))
    return false;
  Refusal unread = Refusal::unread();
  return floats.hasOneUse() && getElementTypeOrSelf(floats).isF32() &&
         failed(Dequantization::match(floats, unread));
}

/// True if `operand` is read by a reshape that makes one dimension of those
/// along which its dequantisation has scales. `linalg-fuse-elementwise-ops`
/// moves dequantisations behind `expand_shape`.
static bool isScaledAlongSeveralDims(OpOperand *operand) {
  return isa<tensor::CollapseShapeOp>(operand->getOwner()) &&
         hasScalesAlongSeveralDims(operand->get());
}

/// `vector`, read by `map` in an op that is transposed by `permutation`, with
/// its dimensions in the order of the loops. Sets `map` to the new one.
static Value transposeScales(OpBuilder &builder, Value vector, AffineMap &map,
                             ArrayRef<int64_t> permutation) {
  SmallVector<unsigned> loops;
  for (AffineExpr expr : map.getResults())
    loops.push_back(
        llvm::find(permutation, cast<AffineDimExpr>(expr).getPosition()) -
        permutation.begin());
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(0, map.getNumResults()));
  llvm::sort(order, [&](int64_t a, int64_t b) { return loops[a] < loops[b]; });
  llvm::sort(loops);
  map = builder.getMultiDimIdentityMap(permutation.size()).getSubMap(loops);
  if (llvm::is_sorted(order))
    return vector;
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, vector.getLoc(), vector);
  applyPermutationToVector(sizes, order);
  Value empty = tensor::EmptyOp::create(builder, vector.getLoc(), sizes,
                                        getElementTypeOrSelf(vector));
  auto transpose = linalg::TransposeOp::create(builder, vector.getLoc(), vector,
                                               empty, order);
  return emitEvaluated(builder, transpose->getResult(0));
}

namespace {
/// Transposes integers in place of floats that have such scales.
struct TransposedScales : public OpRewritePattern<linalg::TransposeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::TransposeOp op,
                                PatternRewriter &rewriter) const override {
    auto generic = op.getInput().getDefiningOp<linalg::GenericOp>();
    if (!generic || !hasScalesAlongSeveralDims(op.getInput()) ||
        !generic.isAllParallelLoops() || generic.hasIndexSemantics() ||
        generic->getNumResults() != 1 ||
        !llvm::all_of(generic.getIndexingMapsArray(), [](AffineMap map) {
          return map.isProjectedPermutation();
        }))
      return rewriter.notifyMatchFailure(
          op, "input is not dequantised by scales along several dimensions");
    SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
    if (!maps.back().isIdentity())
      return rewriter.notifyMatchFailure(
          op, "input is dequantised in another order");
    SmallVector<Value> inputs;
    for (auto [input, map] : llvm::zip(generic.getInputs(), maps))
      inputs.push_back(
          map.isIdentity()
              ? recreateMove(rewriter, op, input, {})->getResult(0)
              : transposeScales(rewriter, input, map, op.getPermutation()));
    auto transposed = linalg::GenericOp::create(
        rewriter, generic.getLoc(), op->getResultTypes(), inputs,
        ValueRange{op.getInit()}, maps, generic.getIteratorTypesArray());
    rewriter.inlineRegionBefore(generic.getRegion(), transposed.getRegion(),
                                transposed.getRegion().begin());
    rewriter.replaceOp(op, transposed);
    rewriter.eraseOp(generic);
    return success();
  }
};
} // namespace

void fusion::populateReshapedScalesLaw(RewritePatternSet &patterns,
                                       const FuseOptions &) {
  linalg::populateFoldReshapeOpsByCollapsingPatterns(patterns,
                                                     isScaledAlongSeveralDims);
  patterns.add<TransposedScales>(patterns.getContext());
}

void fusion::populateReshapedResultLaw(RewritePatternSet &patterns,
                                       const FuseOptions &) {
  linalg::populateFoldReshapeOpsByCollapsingPatterns(
      patterns, isReshapedResult<tensor::ExpandShapeOp>);
  linalg::populateFoldReshapeOpsByExpansionPatterns(
      patterns, isReshapedResult<tensor::CollapseShapeOp>);
  memref::populateResolveRankedShapedTypeResultDimsPatterns(patterns);
}
