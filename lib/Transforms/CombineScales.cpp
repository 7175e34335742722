//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/ChannelExpr.h"
#include "FusionDialect/Analysis/EvaluateScalar.h"
#include "FusionDialect/Fuse/ConstantEvaluation.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/ApplyPatterns.h"
#include "FusionDialect/Utils/EmitVector.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include <cmath>

namespace fusion {
#define GEN_PASS_DEF_FUSIONCOMBINESCALES
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

using Kind = ScalarExpr::Kind;
using Node = ScalarExpr::Node;

namespace {
/// Numbers, one for each channel.
struct Numbers {
  std::vector<double> values;
  /// How many tensors they are computed from.
  unsigned numTensors = 0;
};

/// factor * value + addend, where `value` is an operand of an element-wise op,
/// and the others are constants along dimension `dim` of its iteration space.
struct Chain {
  Node *value;
  int64_t dim;
  /// The node that is computed so.
  Node *result;
  std::vector<double> factor;
  std::vector<double> addend;
  /// How many constant tensors the chain reads.
  unsigned numTensors = 0;
};
} // namespace

/// The numbers of a leaf of a channel expression.
static FailureOr<Numbers> evaluateLeaf(const ChannelVector &leaf,
                                       size_t channels, Refusal &refusal) {
  if (leaf.number)
    return Numbers{std::vector<double>(channels, *leaf.number)};
  if (!leaf.dim)
    return refusal.because("a factor or an addend is not a constant");
  FailureOr<std::vector<double>> elements =
      evaluateConstant(leaf.base, refusal);
  if (failed(elements))
    return failure();
  return Numbers{std::move(*elements), /*numTensors=*/1};
}

/// The numbers of `node`, which must be computed from constants along the
/// dimension of `chain`.
static FailureOr<Numbers> evaluate(const ScalarExpr &expr, Node *node,
                                   const Chain &chain, Refusal &refusal) {
  FailureOr<ChannelExpr> part = ChannelExpr::match(
      expr, node, chain.dim, {/*allowReshape=*/true, "constant"}, refusal);
  if (failed(part))
    return failure();
  size_t channels = chain.factor.size();
  unsigned numTensors = 0;
  DenseMap<Node *, std::vector<double>> valuesOf;
  for (Node *inside : part->getNodes()) {
    std::vector<double> values(channels);
    auto leaf = part->getLeaves().find(inside);
    if (leaf != part->getLeaves().end()) {
      FailureOr<Numbers> numbers =
          evaluateLeaf(leaf->second, channels, refusal);
      if (failed(numbers))
        return failure();
      numTensors += numbers->numTensors;
      values = std::move(numbers->values);
    } else {
      SmallVector<ArrayRef<double>, 3> operands;
      for (Node *operand : inside->operands)
        operands.push_back(valuesOf.at(operand));
      evaluateScalar(*inside, operands, values);
    }
    valuesOf.try_emplace(inside, std::move(values));
  }
  return Numbers{std::move(valuesOf.at(node)), numTensors};
}

/// Makes the only reader of the result the result, if it adds constants to it
/// or multiplies it by constants.
static LogicalResult extend(Chain &chain, const ScalarExpr &expr,
                            Refusal &refusal) {
  if (chain.result->users.size() != 1)
    return refusal.because("a value in between is read again");
  Node *step = chain.result->users.front();
  bool isBinary = llvm::is_contained(
      {Kind::Add, Kind::Sub, Kind::Mul, Kind::Div}, step->kind);
  if (!isBinary || !step->value.getType().isF32())
    return refusal.because("the next step is no arithmetic in f32");
  bool isLeft = step->operands[0] == chain.result;
  if (step->kind == Kind::Div && !isLeft)
    return refusal.because("the value is a divisor");
  FailureOr<Numbers> numbers =
      evaluate(expr, step->operands[isLeft ? 1 : 0], chain, refusal);
  if (failed(numbers))
    return failure();
  for (auto [factor, addend, number] :
       llvm::zip_equal(chain.factor, chain.addend, numbers->values)) {
    if (step->kind == Kind::Mul || step->kind == Kind::Div) {
      double scale = step->kind == Kind::Mul ? number : 1 / number;
      factor *= scale;
      addend *= scale;
      continue;
    }
    if (step->kind == Kind::Sub && !isLeft) {
      factor = -factor;
      addend = -addend;
    }
    addend += step->kind == Kind::Sub && isLeft ? -number : number;
  }
  chain.numTensors += numbers->numTensors;
  chain.result = step;
  return success();
}

/// True if the numbers are finite in f32. A deviation of 0 makes a factor and
/// an addend that are not, whose sum would be NaN in place of an infinity.
static bool isFinite(const Chain &chain) {
  return llvm::all_of(
      llvm::concat<const double>(chain.factor, chain.addend),
      [](double number) { return std::isfinite(static_cast<float>(number)); });
}

/// The longest chain that begins with an operand of `op`, along any dimension,
/// if it reads more tensors than a factor and an addend would be.
static FailureOr<Chain> findChain(linalg::GenericOp op, const ScalarExpr &expr,
                                  Refusal &refusal) {
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  for (unsigned input : llvm::seq(expr.getNumInputs())) {
    Node *value = expr.getInputNode(input);
    if (!value || !value->value.getType().isF32())
      continue;
    for (auto [dim, size] : llvm::enumerate(sizes)) {
      if (ShapedType::isDynamic(size))
        continue;
      Chain chain{value, static_cast<int64_t>(dim), value,
                  std::vector<double>(size, 1.0),
                  std::vector<double>(size, 0.0)};
      while (succeeded(extend(chain, expr, refusal)))
        continue;
      if (chain.numTensors > 2 && isFinite(chain))
        return chain;
    }
  }
  return refusal.because("no chain of additions and multiplications by finite "
                         "numbers reads more than two constant tensors");
}

namespace {
struct CombineChain : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    Refusal refusal;
    if (!op.hasPureTensorSemantics() || op.getNumResults() != 1)
      return rewriter.notifyMatchFailure(op, "expected one tensor as result");
    FailureOr<ScalarExpr> expr = ScalarExpr::match(op, refusal);
    if (failed(expr))
      return refusal.notify(rewriter, op);
    FailureOr<Chain> chain = findChain(op, *expr, refusal);
    if (failed(chain))
      return refusal.notify(rewriter, op);
    replace(op, *chain, rewriter);
    return success();
  }

private:
  /// Computes the result of `chain` from its value and two constants.
  static void replace(linalg::GenericOp op, const Chain &chain,
                      PatternRewriter &rewriter) {
    Location loc = op.getLoc();
    SmallVector<Value> inputs(op.getInputs());
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    AffineMap along = rewriter.getMultiDimIdentityMap(op.getNumLoops())
                          .getSubMap(static_cast<unsigned>(chain.dim));
    maps.insert(maps.begin() + inputs.size(), 2, along);
    inputs.push_back(emitVector(rewriter, loc, chain.factor));
    inputs.push_back(emitVector(rewriter, loc, chain.addend));
    auto combined = linalg::GenericOp::create(
        rewriter, loc, op.getResultTypes(), inputs, op.getOutputs(), maps,
        op.getIteratorTypesArray());
    combined->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    unsigned position = op.getNumDpsInputs();
    Region &region = combined.getRegion();
    rewriter.inlineRegionBefore(op.getRegion(), region, region.end());
    Block *body = combined.getBody();
    Type f32 = rewriter.getF32Type();
    Value factor = body->insertArgument(position, f32, loc);
    Value addend = body->insertArgument(position + 1, f32, loc);
    rewriter.setInsertionPoint(chain.result->value.getDefiningOp());
    Value product =
        arith::MulFOp::create(rewriter, loc, chain.value->value, factor);
    rewriter.replaceAllUsesWith(
        chain.result->value,
        arith::AddFOp::create(rewriter, loc, product, addend));
    rewriter.replaceOp(op, combined);
  }
};

struct CombineScalesPass
    : public fusion::impl::FusionCombineScalesBase<CombineScalesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<CombineChain>(&getContext());
    linalg::populateEraseUnusedOperandsAndResultsPatterns(patterns);
    if (failed(applyToFixpoint(getOperation(), std::move(patterns),
                               "chains of scales")))
      signalPassFailure();
  }
};
} // namespace
