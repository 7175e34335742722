//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DeconvolutionPlan.h"
#include "FusionDialect/IR/Layout.h"
#include "FusionDialect/Support/TensorSize.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace fusion;

static SpatialStep planStep(int64_t input, int64_t kernel, int64_t output,
                            int64_t stride, int64_t padLow) {
  SpatialStep step = {};
  step.stride = stride;
  step.taps = llvm::divideCeil(kernel, stride);
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
                                       char letter, bool mayFillKernel,
                                       Refusal &refusal) {
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
  if (!mayFillKernel && kernel % stride != 0)
    return refusal.because("runs as a transposed convolution: the kernel has ",
                           kernel, " elements in spatial dimension ", i,
                           ", no multiple of the stride of ", stride);
  return planStep(input, kernel, output, stride, op.getPadLow()[i]);
}

FailureOr<SmallVector<SpatialStep>> fusion::planSteps(FusedDeconvBiasActOp op,
                                                      bool mayFillKernel,
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
    FailureOr<SpatialStep> step =
        planStep(op, i, letter, mayFillKernel, refusal);
    if (failed(step))
      return failure();
    steps.push_back(*step);
  }
  return steps;
}

int64_t fusion::countPlaces(ArrayRef<SpatialStep> steps) {
  int64_t count = 1;
  for (const SpatialStep &step : steps)
    count *= step.stride;
  return count;
}

static PlaceStep planPlaceStep(const SpatialStep &all, int64_t input,
                               int64_t padLow, int64_t place) {
  int64_t first = padLow + place;
  PlaceStep one = {first % all.stride, {}};
  one.step.stride = 1;
  one.step.taps = all.taps;
  one.step.steps = one.step.size = llvm::divideCeil(all.size, all.stride);
  one.step.padLow = all.taps - 1 - first / all.stride;
  one.step.padHigh = one.step.steps + all.taps - 1 - one.step.padLow - input;
  return one;
}

SmallVector<PlaceStep> fusion::planPlace(FusedDeconvBiasActOp op,
                                         ArrayRef<SpatialStep> steps,
                                         ArrayRef<int64_t> place) {
  SmallVector<PlaceStep> plan;
  for (auto [i, letter] : llvm::enumerate(getSpatialLetters(steps.size())))
    plan.push_back(planPlaceStep(
        steps[i], op.getInputLayout().getDimSize(op.getInput(), letter),
        op.getPadLow()[i], place[i]));
  return plan;
}

SmallVector<int64_t> fusion::getStrides(ArrayRef<SpatialStep> steps) {
  return llvm::map_to_vector(
      steps, [](const SpatialStep &step) { return step.stride; });
}

StaticTileOffsetRange fusion::getPlaces(ArrayRef<int64_t> strides) {
  return StaticTileOffsetRange(strides,
                               SmallVector<int64_t>(strides.size(), 1));
}

bool fusion::isFasterApart(FusedDeconvBiasActOp op,
                           ArrayRef<SpatialStep> steps) {
  // With fewer channels vectors are not full. See docs/Rationale.md.
  constexpr int64_t kLeastChannels = 32;
  // Multiplications that take as long as another call.
  constexpr double kCall = 1 << 17;
  int64_t channels = op.getFilterLayout().getDimSize(op.getFilter(), 'f');
  double places = countPlaces(steps);
  double products =
      places * channels * op.getFilterLayout().getDimSize(op.getFilter(), 'c');
  double together = products, apart = products;
  for (const SpatialStep &step : steps) {
    together *= step.taps * step.steps;
    apart *= step.taps * llvm::divideCeil(step.size, step.stride);
  }
  double saved = together - apart;
  if (channels < kLeastChannels || saved < together / 8 ||
      saved < kCall * places)
    return false;
  // A convolution cannot leave out elements of the input, and windows of
  // padding alone have no fast kernel.
  SmallVector<int64_t> strides = getStrides(steps);
  return llvm::all_of(getPlaces(strides), [&](ArrayRef<int64_t> place) {
    return llvm::all_of(planPlace(op, steps, place), [](const PlaceStep &one) {
      return one.step.padLow >= 0 && one.step.padHigh >= 0 &&
             one.step.padHigh < one.step.taps;
    });
  });
}
