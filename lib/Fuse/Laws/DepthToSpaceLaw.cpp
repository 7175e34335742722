//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DepthToSpace.h"
#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Analysis/Flip.h"
#include "FusionDialect/Analysis/Padding.h"
#include "FusionDialect/Fuse/ConstantEvaluation.h"
#include "FusionDialect/Fuse/Epilogue.h"
#include "FusionDialect/Fuse/Laws.h"
#include "FusionDialect/IR/Layout.h"
#include "FusionDialect/IR/LocationText.h"
#include "FusionDialect/Utils/EmitFlip.h"
#include "FusionDialect/Utils/EmitVector.h"
#include "FusionDialect/Utils/Reorder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fusion;

using Parts = ElementOrder::Parts;

namespace {
/// The way from the filter of the convolution to that of a transposed one: its
/// output channel is split, and each part is moved behind the spatial dimension
/// whose place it is.
struct FilterPlan {
  SmallVector<int64_t> shape, permutation;
  SmallVector<ReassociationIndices> split, merged;
};

/// The transposed convolution.
struct Window {
  SmallVector<int64_t> strides, padLow, padHigh;
  FilterPlan filter;
  /// Empty if there is no bias.
  std::vector<double> bias;
};
} // namespace

//===----------------------------------------------------------------------===//
// Conditions on the convolution
//===----------------------------------------------------------------------===//

static bool areOnes(ArrayRef<int64_t> numbers) {
  return llvm::all_of(numbers, [](int64_t number) { return number == 1; });
}

/// True if all sizes but the batch are static, and none is 0.
static bool areSizesKnown(FusedConvBiasActOp op) {
  auto isKnown = [](Value value, LayoutAttr layout) {
    return llvm::all_of(
        llvm::zip_equal(cast<ShapedType>(value.getType()).getShape(),
                        layout.getLetters()),
        [](auto pair) {
          auto [size, letter] = pair;
          return letter == 'n' || size > 0;
        });
  };
  return isKnown(op.getInput(), op.getInputLayout()) &&
         isKnown(op.getFilter(), op.getFilterLayout()) &&
         isKnown(op.getInit(), op.getOutputLayout());
}

static bool hasOneTap(FusedConvBiasActOp op) {
  auto type = cast<ShapedType>(op.getFilter().getType());
  return llvm::all_of(op.getFilterLayout().getSpatialPositions(),
                      [&](int64_t dim) { return type.getDimSize(dim) == 1; });
}

static LogicalResult checkConvolution(FusedConvBiasActOp op, Refusal &refusal) {
  StringRef what = !areOnes(op.getStrides())     ? "strides"
                   : !areOnes(op.getDilations()) ? "dilations"
                   : op.getGroups() != 1         ? "groups"
                                                 : "";
  if (!what.empty())
    return refusal.because("a convolution with ", what,
                           " comes before the depth-to-space");
  // Ops that follow could not be folded behind an activation either.
  if (ActivationAttr activation = op.getActivationAttr())
    return refusal.because("'", stringifyActivationKind(activation.getKind()),
                           "' comes before the depth-to-space");
  if (op.getResidual())
    return refusal.because("unsupported: a residual comes before the "
                           "depth-to-space");
  // A transposed convolution of dynamic sizes is not run as a convolution of
  // stride 1, which would be faster.
  if (!areSizesKnown(op))
    return refusal.because("unsupported: sizes other than the batch are known "
                           "only at run time before the depth-to-space");
  // It would run with channels last, which costs more than it gains.
  LayoutAttr layout = op.getInputLayout();
  if (!layout.isChannelsLast() && hasOneTap(op))
    return refusal.because("unsupported: a convolution of single elements with "
                           "layout \"",
                           layout.getLetters(),
                           "\" comes before the depth-to-space");
  return success();
}

static LogicalResult checkUsers(FusedConvBiasActOp op,
                                const DepthToSpace &shuffle, Refusal &refusal) {
  // The op has output padding only at the high end, and is slower with it than
  // a separate pad.
  if (Operation *pad = shuffle.pad)
    return refusal.because("unsupported: '", pad->getName(), "' at ",
                           getLocationText(pad->getLoc()),
                           " pads the image behind the depth-to-space");
  if (failed(checkTransposeIsFoldable(op, shuffle.ops.back(), refusal)))
    return failure();
  for (Operation *inner : ArrayRef(shuffle.ops).drop_back())
    if (failed(checkOneUser(inner, refusal)))
      return failure();
  return success();
}

/// The bias of the channels of the image; empty if it is zero or absent. Fails
/// unless the bias of each channel is the same at all places.
static FailureOr<std::vector<double>> matchBias(FusedConvBiasActOp op,
                                                ArrayRef<IndexPart> channel,
                                                Refusal &refusal) {
  std::vector<double> repeated;
  if (!op.getBias())
    return repeated;
  Refusal notConstant = Refusal::unread();
  FailureOr<std::vector<double>> bias =
      evaluateConstant(op.getBias(), notConstant);
  auto refuse = [&] {
    return refusal.because("bias is not known to be the same at all places of "
                           "the depth-to-space");
  };
  if (failed(bias))
    return refuse();
  std::vector<std::optional<double>> found(bias->size());
  size_t count = 1;
  for (const IndexPart &part : channel)
    count *= part.size;
  for (auto [index, number] : llvm::enumerate(*bias)) {
    int64_t outer = 0;
    for (const IndexPart &part : channel)
      outer = outer * part.size +
              static_cast<int64_t>(index) / part.step % part.size;
    if (found[outer].value_or(number) != number)
      return refuse();
    found[outer] = number;
  }
  for (size_t i = 0; i != count; ++i)
    repeated.push_back(*found[i]);
  if (llvm::all_of(repeated, [](double number) { return number == 0; }))
    repeated.clear();
  return repeated;
}

//===----------------------------------------------------------------------===//
// The window
//===----------------------------------------------------------------------===//

/// Adds spatial dimension `i`, dimension `dim` of the image. Let the input of
/// the convolution be padded by all of the filter but one element. Then its
/// result a at place r is element a * stride + r of the transposed convolution,
/// before anything is cut off.
static LogicalResult addDimension(FusedConvBiasActOp op, int64_t i, int64_t dim,
                                  const Extent &extent, int64_t stride,
                                  Window &window, Refusal &refusal) {
  char letter = getSpatialLetters(op.getSpatialRank())[i];
  int64_t input = op.getInputLayout().getDimSize(op.getInput(), letter);
  int64_t reach = op.getFilterLayout().getDimSize(op.getFilter(), letter) - 1;
  int64_t skipped = (reach - op.getPadLow()[i]) * stride;
  int64_t padLow = skipped + extent.begin;
  int64_t padHigh = (input + reach) * stride - skipped - extent.end;
  // The last elements could be output padding. Kernels are slow then: the
  // convolution would have as much padding as its filter is large.
  if (padLow < 0 || padHigh < 0)
    return refusal.because(
        "unsupported: no window reaches the ", padLow < 0 ? "first" : "last",
        " ", padLow < 0 ? -padLow : -padHigh, " elements of dimension ", dim,
        " of the depth-to-space");
  window.strides.push_back(stride);
  window.padLow.push_back(padLow);
  window.padHigh.push_back(padHigh);
  return success();
}

static LogicalResult addDimensions(FusedConvBiasActOp op,
                                   const DepthToSpace &shuffle, Window &window,
                                   Refusal &refusal) {
  for (auto [i, letter] :
       llvm::enumerate(getSpatialLetters(op.getSpatialRank()))) {
    int64_t stride = 1, dim = shuffle.layout.find(letter);
    for (const IndexPart &part : getPlaces(op, shuffle, letter))
      stride *= part.size;
    if (failed(addDimension(op, i, dim, shuffle.extents[dim], stride, window,
                            refusal)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The filter
//===----------------------------------------------------------------------===//

/// Splits the output channel of the filter into `parts`.
static void splitChannel(FusedConvBiasActOp op, ArrayRef<IndexPart> parts,
                         FilterPlan &plan) {
  LayoutAttr layout = op.getFilterLayout();
  for (char letter : layout.getLetters()) {
    SmallVector<int64_t> sizes(1, layout.getDimSize(op.getFilter(), letter));
    if (letter == 'f')
      sizes = llvm::map_to_vector(parts, [](auto &part) { return part.size; });
    ReassociationIndices &group = plan.split.emplace_back();
    for (int64_t size : sizes) {
      group.push_back(plan.shape.size());
      plan.shape.push_back(size);
    }
  }
}

static FilterPlan planFilter(FusedConvBiasActOp op,
                             const DepthToSpace &shuffle) {
  Parts channel(getPlaces(op, shuffle, 'c'));
  // A channel of size 1 needs a dimension, too.
  if (channel.empty())
    channel.push_back({op.getOutputChannelDim(), /*size=*/1, /*step=*/0});
  Parts parts = channel;
  StringRef letters = getSpatialLetters(op.getSpatialRank());
  for (char letter : letters)
    llvm::append_range(parts, getPlaces(op, shuffle, letter));
  llvm::sort(parts, [](const IndexPart &a, const IndexPart &b) {
    return a.step > b.step;
  });
  FilterPlan plan;
  splitChannel(op, parts, plan);
  int64_t firstPart = plan.split[op.getFilterLayout().getPosition('f')].front();
  for (auto [dim, letter] :
       llvm::enumerate(op.getFilterLayout().getLetters())) {
    int64_t begin = plan.permutation.size();
    if (letter != 'f')
      plan.permutation.push_back(plan.split[dim].front());
    ArrayRef<IndexPart> added;
    if (letter == 'f')
      added = channel;
    else if (letters.contains(letter))
      added = getPlaces(op, shuffle, letter);
    for (const IndexPart &part : added)
      plan.permutation.push_back(firstPart +
                                 (llvm::find(parts, part) - parts.begin()));
    plan.merged.push_back(llvm::to_vector<2>(llvm::seq<int64_t>(
        begin, static_cast<int64_t>(plan.permutation.size()))));
  }
  return plan;
}

/// The filter of `op` with its spatial dimensions reversed.
static Flip flipFilter(FusedConvBiasActOp op) {
  return flip(op.getFilter(), op.getFilterLayout().getSpatialPositions());
}

/// The tensor from which reshapes and transposes make `filter` by the inverse
/// of `plan`, as TOSA's decomposition does; null if there is none.
static Value findOrigin(Value filter, const FilterPlan &plan) {
  SmallVector<Operation *> ops;
  while (ElementOrder::isReordering(filter.getDefiningOp())) {
    ops.insert(ops.begin(), filter.getDefiningOp());
    filter = filter.getDefiningOp()->getOperand(0);
    ElementOrder order(cast<ShapedType>(filter.getType()).getShape());
    bool isKnown =
        llvm::all_of(ops, [&](Operation *op) { return order.apply(op); });
    if (!isKnown || !order.expand(plan.split, plan.shape))
      continue;
    order.transpose(plan.permutation);
    order.collapse(plan.merged);
    if (order == ElementOrder(cast<ShapedType>(filter.getType()).getShape()))
      return filter;
  }
  return nullptr;
}

/// The same for the filter of `op`, which is flipped, too.
static Value findOrigin(FusedConvBiasActOp op, const FilterPlan &plan) {
  Flip flip = flipFilter(op);
  return flip.dims.empty() ? findOrigin(flip.source, plan) : nullptr;
}

static Value emitFilter(PatternRewriter &rewriter, FusedConvBiasActOp op,
                        const FilterPlan &plan) {
  if (Value origin = findOrigin(op, plan))
    return origin;
  Location loc = op.getLoc();
  Flip flip = flipFilter(op);
  Value filter = emitFlip(rewriter, loc, flip.source, flip.dims);
  auto type = cast<RankedTensorType>(filter.getType());
  filter = tensor::ExpandShapeOp::create(rewriter, loc, type.clone(plan.shape),
                                         filter, plan.split);
  filter = reorder(rewriter, loc, filter, plan.permutation);
  return tensor::CollapseShapeOp::create(rewriter, loc, filter, plan.merged);
}

//===----------------------------------------------------------------------===//
// The law
//===----------------------------------------------------------------------===//

/// Reads `op` and `shuffle` as a transposed convolution.
static FailureOr<Window> matchDeconvolution(FusedConvBiasActOp op,
                                            const DepthToSpace &shuffle,
                                            Refusal &refusal) {
  if (failed(checkDims(op, shuffle, refusal)) ||
      failed(checkConvolution(op, refusal)) ||
      failed(checkUsers(op, shuffle, refusal)))
    return failure();
  FailureOr<std::vector<double>> bias =
      matchBias(op, getPlaces(op, shuffle, 'c'), refusal);
  if (failed(bias))
    return failure();
  Window window;
  window.bias = std::move(*bias);
  window.filter = planFilter(op, shuffle);
  if (failed(addDimensions(op, shuffle, window, refusal)))
    return failure();
  if (!neverChanges(op.getFilter()) && !findOrigin(op, window.filter))
    return refusal.because("unsupported: filter is not constant, and each call "
                           "would put it into another order for a transposed "
                           "convolution");
  return window;
}

Operation *fusion::findDepthToSpace(FusedConvBiasActOp op) {
  std::optional<DepthToSpace> shuffle = matchDepthToSpace(op);
  return shuffle ? shuffle->ops.back() : nullptr;
}

LogicalResult fusion::checkDepthToSpaceIsFoldable(FusedConvBiasActOp op,
                                                  Refusal &refusal) {
  return matchDeconvolution(op, *matchDepthToSpace(op), refusal);
}

static Value emitBias(PatternRewriter &rewriter, Location loc,
                      ArrayRef<double> bias) {
  if (bias.empty())
    return nullptr;
  return emitVector(rewriter, loc, bias);
}

/// A destination of `type`. No size but that of the batch may be dynamic.
static Value emitEmpty(PatternRewriter &rewriter, FusedConvBiasActOp op,
                       RankedTensorType type) {
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(rewriter.getContext(), type.getShape());
  for (OpFoldResult &size : sizes)
    if (ShapedType::isDynamic(*getConstantIntValue(size)))
      size = tensor::getMixedSize(rewriter, op.getLoc(), op.getInput(),
                                  op.getInputLayout().getPosition('n'));
  return tensor::EmptyOp::create(rewriter, op.getLoc(), sizes,
                                 type.getElementType(), type.getEncoding());
}

namespace {

// law: depth_to_space(fused(x, w))  ->  fused transposed (x, w reordered)
struct DepthToSpaceLaw : public OpRewritePattern<FusedConvBiasActOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(FusedConvBiasActOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<DepthToSpace> shuffle = matchDepthToSpace(op);
    if (!shuffle)
      return rewriter.notifyMatchFailure(op, "no depth-to-space follows");
    // Other laws fold these into the convolution first.
    if (findPadding(op.getInput()) || readsInsertedZeros(op))
      return rewriter.notifyMatchFailure(op, "zeros surround the input");
    Refusal refusal;
    FailureOr<Window> window = matchDeconvolution(op, *shuffle, refusal);
    if (failed(window))
      return refusal.notify(rewriter, op);
    Operation *end = shuffle->ops.back();
    auto type = cast<RankedTensorType>(end->getResult(0).getType());
    SmallVector<int64_t> ones(op.getSpatialRank(), 1);
    auto deconv = FusedDeconvBiasActOp::create(
        rewriter, op.getLoc(), type, op.getInput(),
        emitFilter(rewriter, op, window->filter),
        emitBias(rewriter, op.getLoc(), window->bias), /*residual=*/Value(),
        emitEmpty(rewriter, op, type), window->strides, /*dilations=*/ones,
        window->padLow, window->padHigh, /*groups=*/1, op.getInputLayout(),
        op.getFilterLayout(), LayoutAttr::get(getContext(), shuffle->layout),
        /*activation=*/nullptr, op.getNanMode());
    deconv->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.replaceOp(end, deconv.getResult());
    for (Operation *inner : llvm::reverse(ArrayRef(shuffle->ops).drop_back()))
      rewriter.eraseOp(inner);
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void fusion::populateDepthToSpaceLawPatterns(RewritePatternSet &patterns) {
  patterns.add<DepthToSpaceLaw>(patterns.getContext());
}
