//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Fuse/SplitDeconvolution.h"
#include "DeconvolutionPlan.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/IR/Layout.h"
#include "FusionDialect/Support/Refusal.h"
#include "FusionDialect/Utils/EmitEpilogue.h"
#include "FusionDialect/Utils/EmitFlip.h"
#include "FusionDialect/Utils/EmitPad.h"
#include "FusionDialect/Utils/Reorder.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// The operands
//===----------------------------------------------------------------------===//

static Value transpose(OpBuilder &builder, Location loc, Value value,
                       ArrayRef<int64_t> order) {
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, value);
  Value empty =
      tensor::EmptyOp::create(builder, loc, applyPermutation(sizes, order),
                              getElementTypeOrSelf(value));
  return linalg::TransposeOp::create(builder, loc, value, empty, order)
      ->getResult(0);
}

/// The filter of the convolution, in the layout "fhwc" or the like. Its output
/// channels are (place in the step, channel).
static Value splitFilter(OpBuilder &builder, Location loc, Value filter,
                         LayoutAttr layout, ArrayRef<SpatialStep> steps) {
  int64_t rank = steps.size();
  auto type = cast<RankedTensorType>(filter.getType());
  SmallVector<int64_t> shape, places(rank), taps(rank);
  SmallVector<ReassociationIndices> groups;
  int64_t outputChannel = 0, inputChannel = 0;
  for (auto [dim, letter] : llvm::enumerate(layout.getLetters())) {
    int64_t first = shape.size();
    size_t i = getSpatialLetters(rank).find(letter);
    if (i == StringRef::npos) {
      (letter == 'f' ? outputChannel : inputChannel) = first;
      shape.push_back(type.getDimSize(dim));
      groups.push_back({first});
      continue;
    }
    taps[i] = first;
    places[i] = first + 1;
    shape.append({steps[i].taps, steps[i].stride});
    groups.push_back({first, first + 1});
  }
  Value parts = tensor::ExpandShapeOp::create(builder, loc, type.clone(shape),
                                              filter, groups);
  SmallVector<int64_t> order = places;
  order.push_back(outputChannel);
  order.append(taps);
  order.push_back(inputChannel);
  parts = transpose(builder, loc, parts, order);
  SmallVector<ReassociationIndices> merged(
      1, llvm::to_vector<2>(llvm::seq<int64_t>(0, rank + 1)));
  SmallVector<int64_t> backwards;
  for (int64_t i = 0; i <= rank; ++i) {
    merged.push_back({rank + 1 + i});
    if (i < rank && steps[i].taps != 1)
      backwards.push_back(i + 1);
  }
  Value split = tensor::CollapseShapeOp::create(builder, loc, parts, merged);
  return emitFlip(builder, loc, split, backwards);
}

/// The filter of `op`, with zeros behind it so that each place has as many
/// taps.
static Value fillKernel(OpBuilder &builder, FusedDeconvBiasActOp op,
                        ArrayRef<SpatialStep> steps) {
  LayoutAttr layout = op.getFilterLayout();
  SmallVector<int64_t> low(steps.size(), 0), high;
  for (auto [step, letter] :
       llvm::zip_equal(steps, getSpatialLetters(steps.size())))
    high.push_back(step.taps * step.stride -
                   layout.getDimSize(op.getFilter(), letter));
  return emitPad(builder, op.getLoc(), op.getFilter(), layout, low, high,
                 builder.getZeroAttr(getElementTypeOrSelf(op.getFilter())));
}

/// The elements of the filter that the convolution `plan` reads.
static Value sliceFilter(OpBuilder &builder, FusedDeconvBiasActOp op,
                         Value filter, ArrayRef<SpatialStep> steps,
                         ArrayRef<PlaceStep> plan) {
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, op.getLoc(), filter);
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
  for (auto [step, one, letter] :
       llvm::zip_equal(steps, plan, getSpatialLetters(steps.size()))) {
    int64_t dim = op.getFilterLayout().getPosition(letter);
    offsets[dim] = builder.getIndexAttr(one.filterOffset);
    sizes[dim] = builder.getIndexAttr(one.step.taps);
    strides[dim] = builder.getIndexAttr(step.stride);
  }
  return tensor::ExtractSliceOp::create(builder, op.getLoc(), filter, offsets,
                                        sizes, strides);
}

/// Repeats the bias for each place.
static Value splitBias(OpBuilder &builder, Location loc, Value bias,
                       int64_t channels, ArrayRef<SpatialStep> steps) {
  if (!bias || countPlaces(steps) == 1)
    return bias;
  auto type = cast<RankedTensorType>(bias.getType()).clone({channels});
  if (bias.getType() != type)
    bias = tensor::CastOp::create(builder, loc, type, bias);
  SmallVector<int64_t> shape;
  for (const SpatialStep &step : steps)
    shape.push_back(step.stride);
  shape.push_back(type.getDimSize(0));
  Value empty =
      tensor::EmptyOp::create(builder, loc, shape, type.getElementType());
  auto added = llvm::to_vector(llvm::seq<int64_t>(0, steps.size()));
  Value all = linalg::BroadcastOp::create(builder, loc, bias, empty, added)
                  ->getResult(0);
  ReassociationIndices one =
      llvm::to_vector<2>(llvm::seq<int64_t>(0, shape.size()));
  return tensor::CollapseShapeOp::create(builder, loc, all,
                                         ArrayRef<ReassociationIndices>(one));
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

/// `op` with the elements `filter` of its filter, as a convolution.
static Value createConvolution(OpBuilder &builder, FusedDeconvBiasActOp op,
                               Value filter, ArrayRef<SpatialStep> steps,
                               LayoutAttr layout) {
  Location loc = op.getLoc();
  int64_t rank = steps.size();
  auto filterLayout = LayoutAttr::get(
      op.getContext(), ("f" + getSpatialLetters(rank) + "c").str());
  filter = splitFilter(builder, loc, filter, op.getFilterLayout(), steps);
  SmallVector<OpFoldResult> sizes(rank + 2);
  sizes[layout.getPosition('n')] = tensor::getMixedSize(
      builder, loc, op.getInput(), op.getInputLayout().getPosition('n'));
  sizes[layout.getPosition('c')] =
      builder.getIndexAttr(cast<ShapedType>(filter.getType()).getDimSize(0));
  SmallVector<int64_t> ones(rank, 1), padLow, padHigh;
  for (auto [step, letter] : llvm::zip_equal(steps, getSpatialLetters(rank))) {
    sizes[layout.getPosition(letter)] = builder.getIndexAttr(step.steps);
    padLow.push_back(step.padLow);
    padHigh.push_back(step.padHigh);
  }
  // A residual and the activation, in either order, come behind the
  // interleaving, and so does the rounding.
  bool hasResidual = op.getResidual() != nullptr;
  Value init = tensor::EmptyOp::create(
      builder, loc, sizes,
      hasResidual ? builder.getF32Type() : getElementTypeOrSelf(op.getInit()));
  auto conv = FusedConvBiasActOp::create(
      builder, loc, init.getType(), op.getInput(), filter,
      splitBias(builder, loc, op.getBias(),
                op.getFilterLayout().getDimSize(op.getFilter(), 'f'), steps),
      /*residual=*/Value(), init, ones, ones, padLow, padHigh, /*groups=*/1,
      op.getInputLayout(), filterLayout, layout,
      hasResidual ? ActivationAttr() : op.getActivationAttr(), op.getNanMode());
  conv->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return conv.getResult();
}

namespace {
/// The dimensions of the elements of all places before they are interleaved:
/// the batch, the first of the steps and the first of the places. The channels
/// are last.
struct PlaceDims {
  int64_t batch, steps, places;
};
} // namespace

/// Moves the places in `parts` behind their rows and columns.
static Value interleave(OpBuilder &builder, Location loc, Value parts,
                        int64_t rank, PlaceDims dims, LayoutAttr layout) {
  SmallVector<int64_t> order;
  SmallVector<ReassociationIndices> merged;
  for (char letter : layout.getLetters()) {
    int64_t first = order.size();
    size_t i = getSpatialLetters(rank).find(letter);
    if (i == StringRef::npos) {
      order.push_back(letter == 'n' ? dims.batch : 2 * rank + 1);
      merged.push_back({first});
      continue;
    }
    order.append({dims.steps + static_cast<int64_t>(i),
                  dims.places + static_cast<int64_t>(i)});
    merged.push_back({first, first + 1});
  }
  return tensor::CollapseShapeOp::create(
      builder, loc, transpose(builder, loc, parts, order), merged);
}

/// All places by one convolution, as the outer part of its channels.
static Value convolveTogether(OpBuilder &builder, FusedDeconvBiasActOp op,
                              Value filter, ArrayRef<SpatialStep> steps,
                              LayoutAttr layout) {
  Location loc = op.getLoc();
  int64_t rank = steps.size();
  Value conv = createConvolution(builder, op, filter, steps,
                                 op.getOutputLayout().getChannelsLast());
  auto type = cast<RankedTensorType>(conv.getType());
  SmallVector<int64_t> shape(type.getShape().drop_back());
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0; i <= rank; ++i)
    groups.push_back({i});
  llvm::append_range(shape, getStrides(steps));
  shape.push_back(type.getShape().back() / countPlaces(steps));
  groups.push_back(llvm::to_vector<2>(
      llvm::seq<int64_t>(rank + 1, static_cast<int64_t>(shape.size()))));
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(builder.getContext(), shape);
  sizes.front() = tensor::getMixedSize(builder, loc, conv, 0);
  Value parts = tensor::ExpandShapeOp::create(builder, loc, type.clone(shape),
                                              conv, groups, sizes);
  return interleave(builder, loc, parts, rank,
                    {/*batch=*/0, /*steps=*/1, /*places=*/rank + 1}, layout);
}

/// Each place by a convolution, which writes its own part of one tensor.
static Value convolveApart(OpBuilder &builder, FusedDeconvBiasActOp op,
                           Value filter, ArrayRef<SpatialStep> steps,
                           LayoutAttr layout) {
  Location loc = op.getLoc();
  int64_t rank = steps.size();
  Value parts;
  SmallVector<int64_t> strides = getStrides(steps);
  for (SmallVector<int64_t> place : getPlaces(strides)) {
    SmallVector<PlaceStep> plan = planPlace(op, steps, place);
    SmallVector<SpatialStep> planSteps = llvm::map_to_vector(
        plan, [](const PlaceStep &one) { return one.step; });
    Value conv = createConvolution(
        builder, op, sliceFilter(builder, op, filter, steps, plan), planSteps,
        op.getOutputLayout().getChannelsLast());
    SmallVector<OpFoldResult> offsets =
        getAsIndexOpFoldResult(builder.getContext(), place);
    SmallVector<OpFoldResult> sizes(rank, builder.getIndexAttr(1));
    llvm::append_range(sizes, tensor::getMixedSizes(builder, loc, conv));
    offsets.append(rank + 2, builder.getIndexAttr(0));
    if (!parts) {
      SmallVector<OpFoldResult> shape =
          getAsIndexOpFoldResult(builder.getContext(), strides);
      llvm::append_range(shape, ArrayRef(sizes).drop_front(rank));
      parts = tensor::EmptyOp::create(builder, loc, shape,
                                      getElementTypeOrSelf(conv));
    }
    SmallVector<OpFoldResult> ones(sizes.size(), builder.getIndexAttr(1));
    parts = tensor::InsertSliceOp::create(builder, loc, conv, parts, offsets,
                                          sizes, ones);
  }
  return interleave(builder, loc, parts, rank,
                    {/*batch=*/rank, /*steps=*/rank + 1, /*places=*/0}, layout);
}

/// The slice of `value`, which has `layout`, that is the result, from the first
/// element on or behind those that are cut off.
static Value cutOff(RewriterBase &builder, FusedDeconvBiasActOp op, Value value,
                    ArrayRef<SpatialStep> steps, bool fromFirst,
                    LayoutAttr layout) {
  Location loc = op.getLoc();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, value);
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(sizes.size(), builder.getIndexAttr(1));
  for (auto [step, letter] :
       llvm::zip_equal(steps, getSpatialLetters(steps.size()))) {
    offsets[layout.getPosition(letter)] =
        builder.getIndexAttr(fromFirst ? 0 : step.offset);
    sizes[layout.getPosition(letter)] = builder.getIndexAttr(step.size);
  }
  Value part = builder.createOrFold<tensor::ExtractSliceOp>(loc, value, offsets,
                                                            sizes, ones);
  StringRef letters = op.getOutputLayout().getLetters();
  if (layout != op.getOutputLayout())
    part = reorder(builder, loc, part, layout.getPositions(letters));
  auto type = cast<RankedTensorType>(op.getInit().getType())
                  .clone(getElementTypeOrSelf(part));
  return castTo(builder, loc, part, type);
}

LogicalResult fusion::checkSplit(FusedDeconvBiasActOp op,
                                 const SplitDeconvolutionOptions &options,
                                 Refusal &refusal) {
  return planSteps(op, options.mayFillKernel, refusal);
}

FailureOr<Value>
fusion::splitDeconvolution(RewriterBase &rewriter, FusedDeconvBiasActOp op,
                           const SplitDeconvolutionOptions &options,
                           Refusal &refusal) {
  FailureOr<SmallVector<SpatialStep>> steps =
      planSteps(op, options.mayFillKernel, refusal);
  if (failed(steps))
    return failure();
  rewriter.setInsertionPoint(op);
  LayoutAttr layout = options.layout;
  Value filter = fillKernel(rewriter, op, *steps);
  Value value;
  bool apart = isFasterApart(op, *steps);
  if (countPlaces(*steps) == 1)
    value = createConvolution(rewriter, op, filter, *steps, layout);
  else if (apart)
    value = convolveApart(rewriter, op, filter, *steps, layout);
  else
    value = convolveTogether(rewriter, op, filter, *steps, layout);
  value = cutOff(rewriter, op, value, *steps, apart, layout);
  // The residual is added in one loop with the interleaving. Taking it apart
  // for the convolution would be another loop.
  if (op.getResidual())
    value = emitEpilogue(rewriter, op, value, /*bias=*/nullptr).getResult(0);
  rewriter.replaceOp(op, value);
  return value;
}
