//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Transforms/SplitDeconvolutions.h"
#include "FusionDialect/Fuse/ConstantEvaluation.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/IR/Layout.h"
#include "FusionDialect/Support/Refusal.h"
#include "FusionDialect/Support/TensorSize.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/ApplyPatterns.h"
#include "FusionDialect/Utils/EmitEpilogue.h"
#include "FusionDialect/Utils/EmitFlip.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/MathExtras.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONSPLITDECONVOLUTIONS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// The window
//===----------------------------------------------------------------------===//

namespace {
/// One spatial dimension. Before anything is cut off, element a * stride + r of
/// the result is the sum over m of input[a - m] * filter[m * stride + r]. For
/// each of the `stride` places r this is a convolution with `taps` elements of
/// the filter, reversed.
struct SpatialStep {
  int64_t stride, taps;
  /// The padding of the convolution.
  int64_t padLow, padHigh;
  /// Steps of the convolution, and the slice of their elements that is the
  /// result.
  int64_t steps, offset, size;
};
} // namespace

static SpatialStep planStep(int64_t input, int64_t kernel, int64_t output,
                            int64_t stride, int64_t padLow) {
  SpatialStep step = {};
  step.stride = stride;
  step.taps = kernel / stride;
  // Steps that are cut off whole are not computed, as far as less padding
  // leaves them out.
  int64_t skipped = std::min(padLow / stride, step.taps - 1);
  int64_t end = llvm::divideCeil(padLow + output, stride);
  step.padLow = step.taps - 1 - skipped;
  step.padHigh = std::max<int64_t>(end - input, 0);
  step.steps = input + step.padLow + step.padHigh - step.taps + 1;
  step.offset = padLow - skipped * stride;
  step.size = output;
  return step;
}

/// Plans the spatial dimension `i`, which has the letter `letter`.
static FailureOr<SpatialStep> planStep(FusedDeconvBiasActOp op, int64_t i,
                                       char letter, Refusal &refusal) {
  int64_t input = op.getInputLayout().getDimSize(op.getInput(), letter);
  int64_t kernel = op.getFilterLayout().getDimSize(op.getFilter(), letter);
  int64_t output = op.getOutputLayout().getDimSize(op.getInit(), letter);
  if (ShapedType::isDynamic(input) || ShapedType::isDynamic(output))
    return refusal.because("runs as a transposed convolution: dynamic size of "
                           "spatial dimension ",
                           i);
  int64_t stride = op.getStrides()[i];
  // Padding the filter with zeros would cost more than it gains, and would
  // carry a NaN or an infinity of the input to elements that do not depend on
  // it.
  if (kernel % stride != 0)
    return refusal.because("runs as a transposed convolution: the kernel has ",
                           kernel, " elements in spatial dimension ", i,
                           ", no multiple of the stride of ", stride);
  return planStep(input, kernel, output, stride, op.getPadLow()[i]);
}

/// The plan for each spatial dimension.
static FailureOr<SmallVector<SpatialStep>> planSteps(FusedDeconvBiasActOp op,
                                                     Refusal &refusal) {
  if (!isa<RankedTensorType>(op.getInit().getType()))
    return refusal.because("runs as a transposed convolution: its operands are "
                           "buffers");
  auto isEmpty = [](Value value) {
    return llvm::is_contained(cast<ShapedType>(value.getType()).getShape(), 0);
  };
  if (isEmpty(op.getInput()) || isEmpty(op.getFilter()) ||
      isEmpty(op.getInit()))
    return refusal.because("runs as a transposed convolution: one of its "
                           "operands has no elements");
  if (op.getGroups() != 1)
    return refusal.because("runs as a transposed convolution: it has ",
                           op.getGroups(), " groups");
  for (int64_t dilation : op.getDilations())
    if (dilation != 1)
      return refusal.because(
          "runs as a transposed convolution: it has a dilation of ", dilation);
  if (!cast<ShapedType>(op.getFilter().getType()).hasStaticShape())
    return refusal.because(
        "runs as a transposed convolution: dynamic size of the filter");
  if (!countElements(cast<ShapedType>(op.getFilter().getType()).getShape()))
    return refusal.because("runs as a transposed convolution: the filter has "
                           "2^63 elements or more");
  SmallVector<SpatialStep> steps;
  for (auto [i, letter] :
       llvm::enumerate(getSpatialLetters(op.getSpatialRank()))) {
    FailureOr<SpatialStep> step = planStep(op, i, letter, refusal);
    if (failed(step))
      return failure();
    steps.push_back(*step);
  }
  return steps;
}

static int64_t countPlaces(ArrayRef<SpatialStep> steps) {
  int64_t count = 1;
  for (const SpatialStep &step : steps)
    count *= step.stride;
  return count;
}

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

static Value createConvolution(OpBuilder &builder, FusedDeconvBiasActOp op,
                               ArrayRef<SpatialStep> steps, LayoutAttr layout) {
  Location loc = op.getLoc();
  int64_t rank = steps.size();
  auto filterLayout = LayoutAttr::get(
      op.getContext(), ("f" + getSpatialLetters(rank) + "c").str());
  Value filter =
      splitFilter(builder, loc, op.getFilter(), op.getFilterLayout(), steps);
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

/// Moves the places, which are the outer part of the channel of `conv` in
/// "nhwc" or the like, behind their rows and columns.
static Value interleave(OpBuilder &builder, Location loc, Value conv,
                        ArrayRef<SpatialStep> steps, LayoutAttr layout) {
  int64_t rank = steps.size();
  auto type = cast<RankedTensorType>(conv.getType());
  SmallVector<int64_t> shape(type.getShape().drop_back());
  SmallVector<ReassociationIndices> groups;
  for (int64_t i = 0; i <= rank; ++i)
    groups.push_back({i});
  for (const SpatialStep &step : steps)
    shape.push_back(step.stride);
  shape.push_back(type.getShape().back() / countPlaces(steps));
  groups.push_back(llvm::to_vector<2>(
      llvm::seq<int64_t>(rank + 1, static_cast<int64_t>(shape.size()))));
  SmallVector<OpFoldResult> sizes =
      getAsIndexOpFoldResult(builder.getContext(), shape);
  sizes.front() = tensor::getMixedSize(builder, loc, conv, 0);
  Value parts = tensor::ExpandShapeOp::create(builder, loc, type.clone(shape),
                                              conv, groups, sizes);
  SmallVector<int64_t> order;
  SmallVector<ReassociationIndices> merged;
  for (char letter : layout.getLetters()) {
    int64_t first = order.size();
    size_t i = getSpatialLetters(rank).find(letter);
    if (i == StringRef::npos) {
      order.push_back(letter == 'n' ? 0 : 2 * rank + 1);
      merged.push_back({first});
      continue;
    }
    order.append(
        {static_cast<int64_t>(i) + 1, static_cast<int64_t>(i) + rank + 1});
    merged.push_back({first, first + 1});
  }
  return tensor::CollapseShapeOp::create(
      builder, loc, transpose(builder, loc, parts, order), merged);
}

/// The slice of `value` that is the result.
static Value cutOff(OpBuilder &builder, FusedDeconvBiasActOp op, Value value,
                    ArrayRef<SpatialStep> steps) {
  Location loc = op.getLoc();
  LayoutAttr layout = op.getOutputLayout();
  SmallVector<OpFoldResult> sizes = tensor::getMixedSizes(builder, loc, value);
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> ones(sizes.size(), builder.getIndexAttr(1));
  for (auto [step, letter] :
       llvm::zip_equal(steps, getSpatialLetters(steps.size()))) {
    offsets[layout.getPosition(letter)] = builder.getIndexAttr(step.offset);
    sizes[layout.getPosition(letter)] = builder.getIndexAttr(step.size);
  }
  Value part = builder.createOrFold<tensor::ExtractSliceOp>(loc, value, offsets,
                                                            sizes, ones);
  auto type = cast<RankedTensorType>(op.getInit().getType())
                  .clone(getElementTypeOrSelf(part));
  if (part.getType() == type)
    return part;
  return tensor::CastOp::create(builder, loc, type, part);
}

FailureOr<Value> fusion::splitDeconvolution(RewriterBase &rewriter,
                                            FusedDeconvBiasActOp op,
                                            Refusal &refusal) {
  FailureOr<SmallVector<SpatialStep>> steps = planSteps(op, refusal);
  if (failed(steps))
    return failure();
  rewriter.setInsertionPoint(op);
  LayoutAttr layout = op.getOutputLayout();
  Value value;
  if (countPlaces(*steps) == 1) {
    value = createConvolution(rewriter, op, *steps, layout);
  } else {
    value = createConvolution(rewriter, op, *steps, layout.getChannelsLast());
    value = interleave(rewriter, op.getLoc(), value, *steps, layout);
  }
  value = cutOff(rewriter, op, value, *steps);
  // The residual is added in one loop with the interleaving. Taking it apart
  // for the convolution would be another loop.
  if (op.getResidual())
    value = emitEpilogue(rewriter, op, value, /*bias=*/nullptr).getResult(0);
  rewriter.replaceOp(op, value);
  return value;
}

/// Splits `op`, or reports why it cannot.
static void splitOrReport(IRRewriter &rewriter, FusedDeconvBiasActOp op) {
  Refusal refusal;
  if (succeeded(splitDeconvolution(rewriter, op, refusal)))
    return;
  remark::missed(op.getLoc(),
                 remark::RemarkOpts::name("fusion-split-deconvolutions")
                     .category("fusion"))
      << remark::reason("{0}", refusal.str());
}

namespace {
struct SplitDeconvolutionsPass
    : public fusion::impl::FusionSplitDeconvolutionsBase<
          SplitDeconvolutionsPass> {
  void runOnOperation() override {
    SmallVector<FusedDeconvBiasActOp> ops;
    getOperation()->walk([&](FusedDeconvBiasActOp op) { ops.push_back(op); });
    if (ops.empty())
      return;
    IRRewriter rewriter(&getContext());
    for (FusedDeconvBiasActOp op : ops)
      splitOrReport(rewriter, op);
    // Evaluates the new filter, so that a constant one stays constant.
    RewritePatternSet patterns(&getContext());
    populateConstantEvaluationPatterns(patterns);
    if (failed(applyToFixpoint(getOperation(), std::move(patterns),
                               "evaluations of constants")))
      signalPassFailure();
  }
};
} // namespace
