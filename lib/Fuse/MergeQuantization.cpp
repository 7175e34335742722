//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Front ends write a dequantisation or quantisation as one op or as one for
// each of its steps: a conversion, a difference, a product. This pass makes one
// op of the steps, so that the laws on integers see the whole.

#include "FusionDialect/Analysis/Padding.h"
#include "FusionDialect/Analysis/Quantization.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/ApplyPatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONMERGEQUANTIZATION
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

/// True if `op` computes each element of its one result by itself.
static bool computesEachElement(linalg::LinalgOp op) {
  return op && op.hasPureTensorSemantics() && op->getNumResults() == 1 &&
         op.isAllParallelLoops() &&
         op.getIndexingMapMatchingResult(op->getResult(0)).isIdentity() &&
         !op.payloadUsesValueFromOperand(op.getDpsInitOperand(0));
}

/// True if all ops in the body of `op` are of the types `Ops`.
template <typename... Ops> static bool computesOnly(linalg::LinalgOp op) {
  return llvm::all_of(op.getBlock()->without_terminator(),
                      llvm::IsaPred<arith::ConstantOp, Ops...>);
}

template <typename... Ops> static bool computesAny(linalg::LinalgOp op) {
  return llvm::any_of(*op.getBlock(), llvm::IsaPred<Ops...>);
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

/// The operand of which the op of `value` makes a larger tensor, or null.
static OpOperand *getRepeated(Value value) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  if (!computesEachElement(op) || op.getNumDpsInputs() != 1 ||
      !computesOnly<>(op))
    return nullptr;
  OpOperand *input = op.getDpsInputOperand(0);
  bool isYielded = op.getBlock()->getTerminator()->getOperand(0) ==
                   op.getMatchingBlockArgument(input);
  AffineMap map = op.getMatchingIndexingMap(input);
  return isYielded && map.getNumResults() < map.getNumDims() ? input : nullptr;
}

static bool isConstant(Value value) {
  OpOperand *repeated = getRepeated(value);
  return matchPattern(repeated ? repeated->get() : value, m_Constant());
}

/// True if all elements of `op` read `input` by themselves.
static bool isData(linalg::LinalgOp op, OpOperand *input) {
  return op.getMatchingIndexingMap(input).isIdentity() &&
         !getRepeated(input->get());
}

/// The inputs of `op` that are no constants. A constant filter of 8 bits is
/// data, as any other.
static SmallVector<OpOperand *> getVariables(linalg::LinalgOp op) {
  SmallVector<OpOperand *> variables;
  for (OpOperand *input : op.getDpsInputOperands())
    if ((isInteger8(input->get()) &&
         op.getMatchingIndexingMap(input).isIdentity()) ||
        !isConstant(input->get()))
      variables.push_back(input);
  return variables;
}

/// The one input of `op` that is neither a constant nor a parameter, which all
/// elements or those of a channel share; null if there is none.
static OpOperand *getSource(linalg::LinalgOp op) {
  SmallVector<OpOperand *> variables = getVariables(op);
  if (variables.size() > 1)
    llvm::erase_if(variables,
                   [&](OpOperand *input) { return !isData(op, input); });
  return variables.size() == 1 ? variables[0] : nullptr;
}

/// True if `op` has parameters that only a call knows.
static bool hasRunTimeParameters(linalg::LinalgOp op) {
  return getVariables(op).size() > 1;
}

static bool readsSum(linalg::LinalgOp op) {
  OpOperand *source = getSource(op);
  return source && getElementTypeOrSelf(source->get()).isInteger(32);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

/// True if `op` may have parameters that only a call knows: where a sum is
/// scaled, or a zero point subtracted from integers. Scales of other numbers
/// have laws of their own, which read a product.
static bool mayHaveRunTimeParameters(linalg::LinalgOp op) {
  if (computesAny<arith::SIToFPOp>(op))
    return readsSum(op);
  return computesOnly<arith::MulFOp>(op) ||
         computesOnly<arith::ExtSIOp, arith::ExtUIOp, arith::SubIOp>(op);
}

/// True if `op` may be a step between integers and the floats, or longer
/// integers, that they mean.
static bool isDequantizingStep(linalg::LinalgOp op) {
  if (!computesEachElement(op) || isInteger8(op->getResult(0)) ||
      !getSource(op) ||
      (hasRunTimeParameters(op) && !mayHaveRunTimeParameters(op)))
    return false;
  // A sum may have bounds in front of its conversion.
  if (readsSum(op) && computesAny<arith::SIToFPOp>(op))
    return computesOnly<arith::MaxSIOp, arith::MinSIOp, arith::SIToFPOp,
                        arith::AddIOp, arith::SubIOp, arith::AddFOp,
                        arith::SubFOp, arith::MulFOp, arith::DivFOp>(op);
  return computesOnly<arith::ExtSIOp, arith::ExtUIOp, arith::SIToFPOp,
                      arith::UIToFPOp, arith::AddIOp, arith::SubIOp,
                      arith::AddFOp, arith::SubFOp, arith::MulFOp,
                      arith::DivFOp, math::FmaOp>(op);
}

/// The same for one that reads integers of 8 bits, or makes floats of sums.
static bool beginsDequantization(linalg::LinalgOp op) {
  return isDequantizingStep(op) &&
         (isInteger8(getSource(op)->get()) ||
          computesAny<arith::SIToFPOp, arith::UIToFPOp>(op));
}

/// True if `op` may be a step between floats and integers of 8 bits. All
/// elements have one scale and one zero point.
static bool isQuantizingStep(linalg::LinalgOp op) {
  OpOperand *source = computesEachElement(op) ? getSource(op) : nullptr;
  if (!source || isInteger8(source->get()))
    return false;
  for (OpOperand *input : op.getDpsInputOperands())
    if (input != source && !getUniformNumber(input->get()))
      return false;
  return computesOnly<
      arith::AddFOp, arith::SubFOp, arith::MulFOp, arith::DivFOp,
      arith::MaximumFOp, arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp,
      arith::CmpFOp, arith::SelectOp, math::FmaOp, math::RoundEvenOp,
      math::RoundOp, math::FloorOp, math::TruncOp, arith::FPToSIOp,
      arith::FPToUIOp, arith::AddIOp, arith::SubIOp, arith::MaxSIOp,
      arith::MinSIOp, arith::MaxUIOp, arith::MinUIOp, arith::CmpIOp,
      arith::ShRSIOp, arith::TruncIOp>(op);
}

/// True if `op` bounds sums by numbers.
static bool isBoundOfSum(linalg::LinalgOp op) {
  return isQuantizingStep(op) && readsSum(op) &&
         computesOnly<arith::MaxSIOp, arith::MinSIOp>(op);
}

/// The same for the last one, as far as it goes: behind the scale.
static bool endsQuantization(linalg::LinalgOp op) {
  return isQuantizingStep(op) && isInteger8(op->getResult(0)) &&
         !computesAny<arith::MulFOp, arith::DivFOp>(op);
}

/// True if `op` makes integers of 8 bits of sums by a product.
static bool rescalesSum(linalg::LinalgOp op) {
  auto isProduct = [](Operation &inner) {
    return isa<arith::MulIOp, arith::MulFOp, arith::DivFOp>(inner) ||
           inner.getName().getStringRef() == "tosa.apply_scale";
  };
  return computesEachElement(op) && readsSum(op) &&
         isInteger8(op->getResult(0)) &&
         llvm::any_of(*op.getBlock(), isProduct);
}

/// True if `op` makes floats of sums, by one product, and may become part of a
/// quantisation behind it: what it adds may be the zero point.
static bool isRescalingStep(linalg::LinalgOp op) {
  auto isProduct = llvm::IsaPred<arith::MulFOp, arith::DivFOp>;
  return isDequantizingStep(op) && readsSum(op) && !hasRunTimeParameters(op) &&
         llvm::count_if(*op.getBlock(), isProduct) <= 1;
}

/// True if the two ops are steps of one dequantisation or quantisation, or of
/// both.
static bool areSteps(linalg::LinalgOp before, linalg::LinalgOp op) {
  if (rescalesSum(op))
    return isBoundOfSum(before);
  if (endsQuantization(op))
    return isQuantizingStep(before) || isRescalingStep(before);
  if (!isDequantizingStep(op))
    return false;
  if (isBoundOfSum(before))
    return computesAny<arith::SIToFPOp>(op);
  bool isFactor = hasRunTimeParameters(op) && computesOnly<arith::MulFOp>(op);
  return beginsDequantization(before) && (!isFactor || readsSum(before));
}

/// The op in front of `op` that is a step of the same quantisation or
/// dequantisation; null if there is none.
static linalg::LinalgOp findStepBefore(linalg::LinalgOp op) {
  OpOperand *source = computesEachElement(op) ? getSource(op) : nullptr;
  auto before =
      source ? source->get().getDefiningOp<linalg::LinalgOp>() : nullptr;
  if (!before || !before->hasOneUse() || isInteger8(before->getResult(0)) ||
      !op.getMatchingIndexingMap(source).isIdentity())
    return nullptr;
  return areSteps(before, op) ? before : nullptr;
}

//===----------------------------------------------------------------------===//
// Merging
//===----------------------------------------------------------------------===//

static linalg::GenericOp generalize(RewriterBase &rewriter,
                                    linalg::LinalgOp op) {
  if (auto generic = dyn_cast<linalg::GenericOp>(op.getOperation()))
    return generic;
  rewriter.setInsertionPoint(op);
  return *linalg::generalizeNamedOp(rewriter, op);
}

namespace {
struct MergeSteps : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    linalg::LinalgOp before = findStepBefore(op);
    if (!before)
      return rewriter.notifyMatchFailure(op, "no step stands before it");
    unsigned number = getSource(op)->getOperandNumber();
    generalize(rewriter, before);
    linalg::GenericOp last = generalize(rewriter, op);
    rewriter.setInsertionPoint(last);
    FailureOr<linalg::ElementwiseOpFusionResult> merged =
        linalg::fuseElementwiseOps(rewriter, &last->getOpOperand(number));
    if (failed(merged))
      return rewriter.notifyMatchFailure(last, "upstream merges no such ops");
    rewriter.replaceOp(last, merged->replacements.lookup(last->getResult(0)));
    return success();
  }
};

/// Reads a constant, or a parameter that only a call knows, in place of the
/// tensor that repeats it.
struct ReadRepeated : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!beginsDequantization(op) &&
        !(isQuantizingStep(op) && isInteger8(op->getResult(0))))
      return rewriter.notifyMatchFailure(op, "neither begins a dequantisation "
                                             "nor ends a quantisation");
    for (OpOperand *input : op.getDpsInputOperands()) {
      OpOperand *repeated = getRepeated(input->get());
      if (!repeated)
        continue;
      auto repeat = cast<linalg::LinalgOp>(repeated->getOwner());
      unsigned number = input->getOperandNumber();
      linalg::GenericOp generic = generalize(rewriter, op);
      SmallVector<AffineMap> maps = generic.getIndexingMapsArray();
      maps[number] =
          repeat.getMatchingIndexingMap(repeated).compose(maps[number]);
      rewriter.modifyOpInPlace(generic, [&] {
        generic->setOperand(number, repeated->get());
        generic.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
      });
      return success();
    }
    return rewriter.notifyMatchFailure(op, "reads nothing that is repeated");
  }
};

struct MergeQuantizationPass
    : public fusion::impl::FusionMergeQuantizationBase<MergeQuantizationPass> {
  LogicalResult initialize(MLIRContext *context) override {
    RewritePatternSet set(context);
    set.add<MergeSteps, ReadRepeated>(context);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    if (failed(applyToFixpoint(getOperation(), patterns,
                               "steps of quantisations")))
      signalPassFailure();
  }

  FrozenRewritePatternSet patterns;
};
} // namespace
