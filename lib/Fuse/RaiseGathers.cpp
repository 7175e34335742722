//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Analysis/EvaluateIndex.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/ApplyPatterns.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONRAISEGATHERS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// How often each element of dimension `dim`, of size `size`, is read in a row
/// by the loop of the same number, which reads element `index`.
static FailureOr<int64_t> matchRepeat(linalg::GenericOp op, Value index,
                                      unsigned dim, int64_t size,
                                      Refusal &refusal) {
  if (ShapedType::isDynamic(size))
    return refusal.because("unsupported: size of dimension ", dim,
                           " is dynamic");
  FailureOr<SmallVector<TypedAttr>> elements =
      evaluateOverLoop(op, index, dim, refusal);
  if (failed(elements))
    return failure();
  int64_t trips = elements->size();
  if (size == 0 || trips == 0 || trips % size != 0)
    return refusal.because("result has size ", trips, " in dimension ", dim,
                           ", expected a multiple of ", size);
  int64_t repeat = trips / size;
  for (auto [i, element] : llvm::enumerate(*elements))
    if (cast<IntegerAttr>(element).getInt() != static_cast<int64_t>(i) / repeat)
      return refusal.because("reads element ", element, " of dimension ", dim,
                             " for index ", i, ", expected ", i / repeat);
  return repeat;
}

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

/// The extraction that computes each element of the result of `op`.
static FailureOr<tensor::ExtractOp> matchGather(linalg::GenericOp op,
                                                Refusal &refusal) {
  if (!op.hasPureTensorSemantics() || op.getNumResults() != 1 ||
      !op.isAllParallelLoops() ||
      !op.getMatchingIndexingMap(op.getDpsInitOperand(0)).isIdentity())
    return refusal.because("not one tensor, element for element");
  auto extract = op.getBody()
                     ->getTerminator()
                     ->getOperand(0)
                     .getDefiningOp<tensor::ExtractOp>();
  if (!extract || extract->getBlock() != op.getBody() ||
      extract.getTensor().getParentBlock() == op.getBody())
    return refusal.because("does not yield elements of a tensor");
  if (extract.getTensor().getType().getRank() != op.getNumLoops())
    return refusal.because("reads a tensor of another rank");
  if (extract.getTensor().getType().getEncoding() ||
      cast<RankedTensorType>(op.getResult(0).getType()).getEncoding())
    return refusal.because("unsupported: a tensor with an encoding");
  if (failed(checkNoSideEffects(op, refusal)))
    return failure();
  return extract;
}

/// `source` with each element of its dimension i `repeats[i]` times in a row.
static Value repeatElements(RewriterBase &rewriter, Location loc, Value source,
                            ArrayRef<int64_t> repeats) {
  auto type = cast<RankedTensorType>(source.getType());
  SmallVector<int64_t> shape, added;
  SmallVector<ReassociationIndices> groups;
  for (auto [size, repeat] : llvm::zip_equal(type.getShape(), repeats)) {
    groups.emplace_back().push_back(shape.size());
    shape.push_back(size);
    if (repeat == 1)
      continue;
    added.push_back(shape.size());
    groups.back().push_back(shape.size());
    shape.push_back(repeat);
  }
  if (added.empty())
    return source;
  Value empty =
      tensor::EmptyOp::create(rewriter, loc, shape, type.getElementType());
  Value repeated =
      linalg::BroadcastOp::create(rewriter, loc, source, empty, added)
          ->getResult(0);
  return tensor::CollapseShapeOp::create(rewriter, loc, repeated, groups);
}

namespace {
struct RaiseRepeatedElements : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    FailureOr<tensor::ExtractOp> extract = matchGather(op, refusal);
    if (failed(extract))
      return refusal.notify(rewriter, op);
    SmallVector<int64_t> repeats;
    for (auto [dim, index, size] :
         llvm::enumerate(extract->getIndices(),
                         extract->getTensor().getType().getShape())) {
      FailureOr<int64_t> repeat = matchRepeat(op, index, dim, size, refusal);
      if (failed(repeat))
        return refusal.notify(rewriter, op);
      repeats.push_back(*repeat);
    }
    Value repeated =
        repeatElements(rewriter, op.getLoc(), extract->getTensor(), repeats);
    rewriter.replaceOp(op, repeated);
    return success();
  }
};

struct RaiseGathersPass
    : public fusion::impl::FusionRaiseGathersBase<RaiseGathersPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<RaiseRepeatedElements>(&getContext());
    if (failed(applyToFixpoint(getOperation(), std::move(patterns), "gathers")))
      signalPassFailure();
  }
};
} // namespace
