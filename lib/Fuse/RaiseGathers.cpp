//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Support/Refusal.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/ApplyPatterns.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONRAISEGATHERS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Indices
//===----------------------------------------------------------------------===//

/// The ops in the body of `op` that `index` is computed by, in order. Fails
/// unless they depend on constants and on the index of loop `loop` alone.
static FailureOr<SetVector<Operation *>> findIndexOps(Value index,
                                                      linalg::GenericOp op,
                                                      unsigned loop,
                                                      Refusal &refusal) {
  SetVector<Operation *> ops;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *inner) {
    return inner->getBlock() == op.getBlock() &&
           !matchPattern(inner, m_Constant());
  };
  if (isa<BlockArgument>(index) ||
      failed(getBackwardSlice(index, &ops, options)))
    return refusal.because("index of dimension ", loop, " is an element");
  for (Operation *inner : ops) {
    if (inner->getNumRegions() != 0 || !isPure(inner))
      return refusal.because("unsupported: '", inner->getName(),
                             "' in the index of dimension ", loop);
    auto loopIndex = dyn_cast<linalg::IndexOp>(inner);
    if (loopIndex && loopIndex.getDim() != loop)
      return refusal.because("index of dimension ", loop, " depends on loop ",
                             loopIndex.getDim());
  }
  return ops;
}

/// Folds `op` with `operands`; null where upstream has no folder for it.
static Attribute foldOp(Operation *op, ArrayRef<Attribute> operands) {
  // A folder may change the op.
  OwningOpRef<Operation *> copy(op->clone());
  SmallVector<OpFoldResult> results;
  if (op->getNumResults() != 1 || failed(copy->fold(operands, results)) ||
      results.size() != 1)
    return {};
  if (auto attribute = dyn_cast<Attribute>(results.front()))
    return attribute;
  for (auto [operand, attribute] :
       llvm::zip_equal(copy->getOperands(), operands))
    if (operand == cast<Value>(results.front()))
      return attribute;
  return {};
}

/// The number that `index`, which `ops` compute, is in iteration `i` of its
/// loop; none if upstream cannot fold it.
static std::optional<int64_t>
evaluateIndex(Value index, ArrayRef<Operation *> ops, int64_t i) {
  llvm::SmallDenseMap<Value, Attribute> known;
  auto find = [&](Value value) -> Attribute {
    Attribute constant;
    return matchPattern(value, m_Constant(&constant)) ? constant
                                                      : known.lookup(value);
  };
  for (Operation *op : ops) {
    SmallVector<Attribute> operands =
        llvm::map_to_vector(op->getOperands(), find);
    if (isa<linalg::IndexOp>(op))
      known[op->getResult(0)] =
          IntegerAttr::get(IndexType::get(op->getContext()), i);
    else if (!llvm::is_contained(operands, Attribute()))
      known[op->getResult(0)] = foldOp(op, operands);
  }
  if (auto number = dyn_cast_or_null<IntegerAttr>(find(index)))
    return number.getInt();
  return std::nullopt;
}

/// How often each element of dimension `dim`, of size `size`, is read in a row
/// by the loop of `trips` iterations of the same number, whose index is
/// `index`.
static FailureOr<int64_t> matchRepeat(linalg::GenericOp op, Value index,
                                      unsigned dim, int64_t size, int64_t trips,
                                      Refusal &refusal) {
  if (ShapedType::isDynamic(size) || ShapedType::isDynamic(trips))
    return refusal.because("unsupported: size of dimension ", dim,
                           " is dynamic");
  if (size == 0 || trips == 0 || trips % size != 0)
    return refusal.because("result has size ", trips, " in dimension ", dim,
                           ", expected a multiple of ", size);
  FailureOr<SetVector<Operation *>> ops = findIndexOps(index, op, dim, refusal);
  if (failed(ops))
    return failure();
  int64_t repeat = trips / size;
  for (int64_t i = 0; i < trips; ++i) {
    std::optional<int64_t> element =
        evaluateIndex(index, ops->getArrayRef(), i);
    if (!element)
      return refusal.because("unsupported: index of dimension ", dim,
                             " cannot be folded");
    if (*element != i / repeat)
      return refusal.because("reads element ", *element, " of dimension ", dim,
                             " for index ", i, ", expected ", i / repeat);
  }
  return repeat;
}

//===----------------------------------------------------------------------===//
// Gathers
//===----------------------------------------------------------------------===//

/// The extraction that computes each element of the result of `op`.
static FailureOr<tensor::ExtractOp> matchGather(linalg::GenericOp op,
                                                Refusal &refusal) {
  if (!op.hasPureTensorSemantics() || op.getNumResults() != 1 ||
      op.getNumParallelLoops() != op.getNumLoops() ||
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
    for (auto [dim, index, size, trips] : llvm::enumerate(
             extract->getIndices(), extract->getTensor().getType().getShape(),
             op.getStaticLoopRanges())) {
      FailureOr<int64_t> repeat =
          matchRepeat(op, index, dim, size, trips, refusal);
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
