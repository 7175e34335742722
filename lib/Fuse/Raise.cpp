//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Fuse/Raise.h"
#include "ConstantIndices.h"
#include "FusionDialect/Analysis/Broadcast.h"
#include "FusionDialect/Analysis/ChannelVector.h"
#include "FusionDialect/Analysis/ConvolutionMatch.h"
#include "FusionDialect/Analysis/MatmulMatch.h"
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/IR/Layout.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/Materialize.h"
#include "FusionDialect/Utils/Reorder.h"
#include "OperandForm.h"
#include "ShiftedFilter.h"
#include "SplitFactors.h"
#include "UnitSums.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONRAISE
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Operands in the form of the fusion op
//===----------------------------------------------------------------------===//

/// The position in `layout` of a missing dimension `letter`, in linalg's order.
static size_t getInsertPosition(StringRef layout, char letter) {
  constexpr StringRef spatial = "dhw";
  if (size_t i = spatial.find(letter); i != StringRef::npos) {
    if (size_t next = layout.find_first_of(spatial.substr(i));
        next != StringRef::npos)
      return next;
    if (size_t last = layout.find_last_of(spatial); last != StringRef::npos)
      return last + 1;
    return layout.starts_with("f") ? layout.size() : 0;
  }
  if (letter == 'n' || letter == 'f')
    return 0;
  // 'c': behind a leading 'n' or 'f', else in front of the trailing 'f'.
  if (layout.starts_with("n") || layout.starts_with("f"))
    return 1;
  return layout.contains('f') ? layout.find('f') : 0;
}

/// The form of an operand whose dimensions are `letters`. `channel` is the
/// channel that a group is merged with, and `wanted` the letters that the
/// fusion op needs.
static OperandForm getOperandForm(StringRef letters, char channel,
                                  StringRef wanted) {
  OperandForm form;
  size_t group = letters.find('g');
  std::string layout = letters.str();
  if (group != StringRef::npos) {
    if (letters.contains(channel)) {
      for (size_t i = 0, e = letters.size(); i != e; ++i) {
        if (i == group + 1)
          form.collapse.back().push_back(i);
        else
          form.collapse.push_back({static_cast<int64_t>(i)});
      }
      layout.erase(group, 1);
    } else {
      layout[group] = channel;
    }
  }
  std::string collapsed = layout;
  for (char letter : wanted)
    if (layout.find(letter) == std::string::npos)
      layout.insert(getInsertPosition(layout, letter), 1, letter);
  if (layout != collapsed)
    form.expand = getExpansion(collapsed, layout);
  if (form.expand && !collapsed.empty())
    form.numTrailing = layout.size() - 1 - layout.find(collapsed.back());
  form.layout = layout;
  return form;
}

/// Moves the group dimension of a filter in front of its output channel.
static Value transposeGroupToChannel(OpBuilder &builder, Location loc,
                                     Value filter, std::string &letters) {
  size_t group = letters.find('g'), channel = letters.find('f');
  if (group == std::string::npos || channel == std::string::npos ||
      channel == group + 1)
    return filter;
  SmallVector<int64_t> permutation;
  for (size_t i = 0, e = letters.size(); i != e; ++i) {
    if (i == channel)
      permutation.push_back(group);
    if (i != group)
      permutation.push_back(i);
  }
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, filter);
  applyPermutationToVector(sizes, permutation);
  Value empty = tensor::EmptyOp::create(builder, loc, sizes,
                                        getElementTypeOrSelf(filter));
  letters = LayoutAttr::get(builder.getContext(), letters)
                .permute(permutation)
                .getLetters()
                .str();
  return linalg::TransposeOp::create(builder, loc, filter, empty, permutation)
      .getResult()[0];
}

//===----------------------------------------------------------------------===//
// Contents of the accumulator
//===----------------------------------------------------------------------===//

/// The destination of the op that computes `value`, behind ops that only fill
/// it or change its type. It has a rank, as `value` does.
static Value getDestination(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      value = linalgOp.getTiedOpOperand(cast<OpResult>(value))->get();
    else if (auto cast = dyn_cast<tensor::CastOp>(op);
             cast && isa<RankedTensorType>(cast.getSource().getType()))
      value = cast.getSource();
    else
      break;
  }
  return value;
}

/// True if `value` has no contents: it is `tensor.empty`, or a buffer just
/// allocated, behind casts and reshapes.
static bool isUndefined(Value value) {
  while (Operation *op = value.getDefiningOp()) {
    if (isa<tensor::EmptyOp>(op))
      return true;
    if (auto alloc = dyn_cast<bufferization::AllocTensorOp>(op))
      return !alloc.getCopy();
    if (!isa<tensor::CastOp, tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
            op))
      return false;
    value = op->getOperand(0);
  }
  return false;
}

/// An empty tensor with the sizes of `like`. It does not read `like` if the
/// sizes are known otherwise.
static Value createEmptyLike(OpBuilder &builder, Location loc, Value like) {
  auto type = cast<RankedTensorType>(like.getType());
  Value destination = getDestination(like);
  if (destination.getDefiningOp<tensor::EmptyOp>() &&
      destination.getType() == type)
    return destination;
  Value source =
      cast<RankedTensorType>(destination.getType()).getRank() == type.getRank()
          ? destination
          : like;
  // If there is a cast, the type has other static sizes than the source.
  SmallVector<Value> dynamicSizes;
  for (int64_t dim = 0; dim < type.getRank(); ++dim)
    if (type.isDynamicDim(dim))
      dynamicSizes.push_back(getValueOrCreateConstantIndexOp(
          builder, loc, tensor::getMixedSize(builder, loc, source, dim)));
  return tensor::EmptyOp::create(builder, loc, type, dynamicSizes);
}

//===----------------------------------------------------------------------===//
// The rewrite
//===----------------------------------------------------------------------===//

LogicalResult fusion::checkAccumulator(Value init, Refusal &refusal) {
  if (isUndefined(init))
    return refusal.because(
        "accumulates into 'tensor.empty', whose contents are "
        "undefined; fill it with zero first");
  return success();
}

LogicalResult fusion::checkMayRaise(linalg::LinalgOp op,
                                    const RaiseOptions &options,
                                    Refusal &refusal) {
  auto check = [&](auto match) -> LogicalResult {
    if (failed(match) || failed(checkAccumulator(match->init, refusal)))
      return failure();
    return checkFilterFactor(match->filterFactor, refusal);
  };
  return isConvolution(op) ? check(matchConvolution(op, options, refusal))
                           : check(matchMatmul(op, options, refusal));
}

/// The filter of `match`. One of integers has zero point 0.
template <typename Match>
static Value getFilter(OpBuilder &builder, Location loc, const Match &match) {
  return match.filterFactor.source
             ? emitShiftedFilter(builder, loc, match.filterFactor)
             : match.filter;
}

namespace {
/// The parts that replace the accumulator: a destination that is not read, and
/// the addends.
struct Addends {
  Value init, bias, residual;
  bool isAddedBehind = false; ///< the accumulator, by an op of its own
};

struct RaisedOp {
  FusedOpInterface op;
  OperandForm outputForm;
  bool isAccumulatorAddedBehind;
  /// The order of the dimensions of the result, empty if it is the same.
  SmallVector<int64_t> outputOrder = {};
};
} // namespace

/// Reads `accumulator`, in the form of the fusion op: zero, a bias along
/// dimension `channelDim`, or a residual. Ops on integers have no residual of
/// i32.
static Addends readAccumulator(OpBuilder &builder, Location loc,
                               Value accumulator, int64_t channelDim) {
  Addends addends;
  addends.init = createEmptyLike(builder, loc, accumulator);
  Refusal notChannelVector = Refusal::unread();
  FailureOr<ChannelVector> vector = matchChannelVector(
      accumulator, channelDim, ChannelVectorOptions(), notChannelVector);
  bool isInteger = getElementTypeOrSelf(accumulator).isInteger(32);
  if (failed(vector) && isInteger)
    addends.isAddedBehind = true;
  else if (failed(vector))
    addends.residual = accumulator;
  else if (!isZero(*vector)) {
    OpFoldResult channels =
        tensor::getMixedSize(builder, loc, addends.init, channelDim);
    addends.bias = isInteger ? materializeI32(builder, loc, *vector, channels)
                             : materialize(builder, loc, *vector, channels);
  }
  return addends;
}

static RaisedOp raiseConvolution(RewriterBase &rewriter, Location loc,
                                 const ConvolutionMatch &match) {
  std::string activationLetters = getActivationLetters(match.spatialRank);
  std::string outputLetters = match.outputLetters;
  llvm::replace(outputLetters, 'f', 'c');
  OperandForm outputForm =
      getOperandForm(outputLetters, 'c', activationLetters);
  OperandForm inputForm =
      getOperandForm(match.inputLetters, 'c', activationLetters);
  Value input = applyForm(rewriter, loc, match.input, inputForm);
  std::string filterLetters = match.filterLetters;
  Value filter = transposeGroupToChannel(
      rewriter, loc, getFilter(rewriter, loc, match), filterLetters);
  OperandForm filterForm =
      getOperandForm(filterLetters, 'f', getFilterLetters(match.spatialRank));
  filter = applyForm(rewriter, loc, filter, filterForm);
  Addends addends = readAccumulator(
      rewriter, loc, applyForm(rewriter, loc, match.init, outputForm),
      outputForm.layout.find('c'));
  SmallVector<int64_t> noPadding(match.spatialRank, 0);
  if (getElementTypeOrSelf(match.init).isInteger(32))
    return RaisedOp{
        QuantizedConvBiasActOp::create(
            rewriter, loc, addends.init.getType(), input, filter, addends.bias,
            /*scale=*/nullptr, /*residual=*/nullptr, addends.init,
            match.strides, match.dilations, noPadding, noPadding, match.groups,
            inputForm.getLayout(rewriter), filterForm.getLayout(rewriter),
            outputForm.getLayout(rewriter), /*activation=*/nullptr,
            /*residual_after_activation=*/false, match.inputFactor.zeroPoint,
            /*output_zero_point=*/0, /*residual_zero_point=*/0,
            /*residual_scale=*/APFloat(1.0f), /*output_scale=*/APFloat(1.0f),
            match.inputFactor.isUnsigned),
        outputForm, addends.isAddedBehind};
  return RaisedOp{
      FusedConvBiasActOp::create(
          rewriter, loc, addends.init.getType(), input, filter, addends.bias,
          addends.residual, addends.init, match.strides, match.dilations,
          noPadding, noPadding, match.groups, inputForm.getLayout(rewriter),
          filterForm.getLayout(rewriter), outputForm.getLayout(rewriter),
          /*activation=*/nullptr, NaNMode::Fast),
      outputForm, false};
}

/// The form of an operand of a matrix multiplication, whose dimensions are
/// brought into `order` first: neighbours with the same letter are collapsed.
static OperandForm getMatrixForm(StringRef unordered, ArrayRef<int64_t> order) {
  std::string letters = unordered.str();
  for (auto [i, dim] : llvm::enumerate(order))
    letters[i] = unordered[dim];
  OperandForm form;
  for (auto [i, letter] : llvm::enumerate(letters)) {
    if (!form.layout.empty() && form.layout.back() == letter) {
      form.collapse.back().push_back(i);
      continue;
    }
    form.layout += letter;
    form.collapse.push_back({static_cast<int64_t>(i)});
  }
  if (form.layout.size() == letters.size())
    form.collapse.clear();
  return form;
}

/// `value` with its dimensions in `order`, or as it is if that is empty.
static Value applyOrder(RewriterBase &rewriter, Location loc, Value value,
                        ArrayRef<int64_t> order) {
  return order.empty() ? value : reorder(rewriter, loc, value, order);
}

static RaisedOp raiseMatmul(RewriterBase &rewriter, Location loc,
                            const MatmulMatch &match) {
  OperandForm inputForm = getMatrixForm(match.inputLetters, match.inputOrder);
  OperandForm filterForm =
      getMatrixForm(match.filterLetters, match.filterOrder);
  OperandForm outputForm =
      getMatrixForm(match.outputLetters, match.outputOrder);
  auto apply = [&](Value value, ArrayRef<int64_t> order,
                   const OperandForm &form) {
    return applyForm(rewriter, loc, applyOrder(rewriter, loc, value, order),
                     form);
  };
  Value input = apply(match.input, match.inputOrder, inputForm);
  Value filter =
      apply(getFilter(rewriter, loc, match), match.filterOrder, filterForm);
  Addends addends = readAccumulator(
      rewriter, loc, apply(match.init, match.outputOrder, outputForm),
      outputForm.layout.find('n'));
  if (getElementTypeOrSelf(match.init).isInteger(32))
    return RaisedOp{
        QuantizedMatmulBiasActOp::create(
            rewriter, loc, addends.init.getType(), input, filter, addends.bias,
            /*scale=*/nullptr, /*residual=*/nullptr, addends.init,
            inputForm.getLayout(rewriter), filterForm.getLayout(rewriter),
            outputForm.getLayout(rewriter), /*activation=*/nullptr,
            /*residual_after_activation=*/false, match.inputFactor.zeroPoint,
            /*output_zero_point=*/0, /*residual_zero_point=*/0,
            /*residual_scale=*/APFloat(1.0f), /*output_scale=*/APFloat(1.0f),
            match.inputFactor.isUnsigned),
        outputForm, addends.isAddedBehind, match.outputOrder};
  return RaisedOp{
      FusedMatmulBiasActOp::create(
          rewriter, loc, addends.init.getType(), input, filter, addends.bias,
          addends.residual, addends.init, inputForm.getLayout(rewriter),
          filterForm.getLayout(rewriter), outputForm.getLayout(rewriter),
          /*activation=*/nullptr, NaNMode::Fast),
      outputForm, false, match.outputOrder};
}

/// Adds an accumulator of i32 to `sum`, or what it is a broadcast of. Other
/// laws fold that as they do any op that adds to a sum.
static Value emitAccumulatorSum(OpBuilder &builder, Location loc, Value sum,
                                Value accumulator) {
  int64_t rank = cast<RankedTensorType>(sum.getType()).getRank();
  AffineMap identity = builder.getMultiDimIdentityMap(rank);
  AffineMap maps[] = {identity, identity, identity};
  Value addend = accumulator;
  Operation *op = accumulator.getDefiningOp();
  if (std::optional<Broadcast> broadcast =
          op ? matchBroadcast(op) : std::nullopt)
    if (auto map = getSourceMap(*broadcast, builder.getContext())) {
      addend = broadcast->source;
      maps[1] = *map;
    }
  SmallVector<utils::IteratorType> iterators(rank,
                                             utils::IteratorType::parallel);
  return linalg::GenericOp::create(
             builder, loc, sum.getType(), ValueRange{sum, addend},
             createEmptyLike(builder, loc, accumulator), maps, iterators,
             [](OpBuilder &b, Location loc, ValueRange args) {
               Value sum = arith::AddIOp::create(b, loc, args[0], args[1]);
               linalg::YieldOp::create(b, loc, sum);
             })
      .getResult(0);
}

FailureOr<FusedOpInterface> fusion::raise(RewriterBase &rewriter,
                                          linalg::LinalgOp op,
                                          const RaiseOptions &options,
                                          Refusal &refusal) {
  // First: a product whose factor is computed may look like a matrix
  // multiplication that no fusion op can do.
  if (computesFactors(op)) {
    FailureOr<linalg::LinalgOp> product =
        splitFactors(rewriter, op, options, refusal);
    if (failed(product))
      return failure();
    op = *product;
  }
  if (failed(checkMayRaise(op, options, refusal)))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  RaisedOp raised =
      isConvolution(op)
          ? raiseConvolution(rewriter, op.getLoc(),
                             *matchConvolution(op, options, refusal))
          : raiseMatmul(rewriter, op.getLoc(),
                        *matchMatmul(op, options, refusal));
  Value init = op.getDpsInitOperand(0)->get();
  Value result = revertForm(
      rewriter, op.getLoc(), raised.op->getResult(0), raised.outputForm,
      applyOrder(rewriter, op.getLoc(), init, raised.outputOrder));
  result = applyOrder(rewriter, op.getLoc(), result,
                      invertPermutationVector(raised.outputOrder));
  if (raised.isAccumulatorAddedBehind)
    result = emitAccumulatorSum(rewriter, op.getLoc(), result, init);
  rewriter.replaceOp(op, result);
  return raised.op;
}

namespace {
struct RaisePattern : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  RaisePattern(MLIRContext *context, const RaiseOptions &options,
               RaiseControlFn control)
      : OpInterfaceRewritePattern(context), options(options),
        control(std::move(control)) {}

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!isRaisable(op) && !computesFactors(op))
      return rewriter.notifyMatchFailure(
          op, "neither a convolution nor a matrix multiplication");
    if (control && !control(op))
      return rewriter.notifyMatchFailure(op, "the control function refuses");
    Refusal refusal;
    if (succeeded(raise(rewriter, op, options, refusal)))
      return success();
    return refusal.notify(rewriter, op);
  }

  RaiseOptions options;
  RaiseControlFn control;
};
} // namespace

void fusion::populateRaisePatterns(RewritePatternSet &patterns,
                                   const RaiseOptions &options,
                                   RaiseControlFn control) {
  patterns.add<RaisePattern>(patterns.getContext(), options,
                             std::move(control));
}

namespace {
struct RaisePass : public fusion::impl::FusionRaiseBase<RaisePass> {
  using FusionRaiseBase::FusionRaiseBase;

  void runOnOperation() override {
    SmallVector<linalg::LinalgOp> ops;
    getOperation()->walk([&](linalg::LinalgOp op) {
      if (isRaisable(op) || computesFactors(op) || !findUnitSums(op).empty() ||
          !findConstantIndices(op).empty())
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    // An op that is refused stays, perhaps on slices or with fewer loops;
    // `fusion-fuse` and `fusion-explain` say why.
    Refusal refusal;
    RaiseOptions options{allowContractRounding};
    for (linalg::LinalgOp op : ops) {
      auto isReady = [&] {
        return computesFactors(op) ||
               (isRaisable(op) &&
                succeeded(checkMayRaise(op, options, refusal)));
      };
      if (!isReady())
        sliceConstantIndices(rewriter, op);
      if (!isReady())
        if (linalg::LinalgOp smaller = dropUnitSums(rewriter, op))
          op = smaller;
      if (isRaisable(op) || computesFactors(op))
        (void)raise(rewriter, op, options, refusal);
    }
  }
};
} // namespace
