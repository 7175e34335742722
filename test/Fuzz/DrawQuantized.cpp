//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#include "Quantized.h"

#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace fusion::fuzz;

/// A scale near `scale`, a power of two if there shall be ties.
static double drawScale(Random &random, double scale, bool isPower) {
  if (isPower)
    return std::exp2(std::round(std::log2(scale)));
  // As f32 has it.
  return static_cast<float>(scale * random.real(0.6, 1.2));
}

static QuantizedType drawType(Random &random, double scale, bool isPower) {
  QuantizedType type;
  type.scale = drawScale(random, scale, isPower);
  type.isUnsigned = random.chance(40);
  type.zeroPoint = type.getLeast() + random.pick<int64_t>({0, 127, 128, 255});
  if (random.chance(60))
    type.zeroPoint = type.getLeast() + random.below(256);
  if (random.chance(20))
    type.zeroPoint = 0;
  return type;
}

/// Scales by which results of small numbers are of magnitude 1 and have a few
/// bits behind the point.
static void makeSmall(Random &random, QuantizedConv &quantized,
                      double numTerms) {
  quantized.numbers = QuantizedConv::Small;
  quantized.input.scale = 0.25;
  quantized.filterScale = drawScale(random, 0.25 / std::sqrt(numTerms), true);
  quantized.result.scale =
      quantized.input.scale * quantized.filterScale * random.pick({2., 4., 8.});
}

static QuantizedConv drawConv(Random &random, const Geometry &geometry,
                              bool isExact) {
  QuantizedConv quantized;
  bool isPower = isExact || random.chance(40);
  quantized.arithmetic =
      random.chance(50) ? Arithmetic::Dequantized : Arithmetic::Integer;
  // Results are of magnitude 1, as in f32.
  auto numTerms =
      static_cast<double>(geometry.inputChannels * geometry.kernel[0] *
                          geometry.kernel[1] * geometry.kernel[2]);
  quantized.input = drawType(random, 1.0 / 127, isPower);
  quantized.filterScale =
      drawScale(random, 3.5 / std::sqrt(numTerms) / 127, isPower);
  quantized.result = drawType(random, 2.5 / 127, isPower);
  quantized.isPerChannel = random.chance(50);
  if (random.chance(15))
    quantized.numbers = QuantizedConv::Ends;
  else if (isPower && random.chance(60))
    makeSmall(random, quantized, numTerms);
  quantized.isResultQuantized = random.chance(80);
  quantized.rounding =
      random.pick({QuantizedRounding::HalfEven, QuantizedRounding::HalfEven,
                   QuantizedRounding::HalfUp, QuantizedRounding::Double});
  quantized.addsBias = random.chance(30);
  quantized.hasRelu = random.chance(40);
  if (random.chance(3))
    quantized.filterZeroPoint = random.between(-3, 3);
  if (random.chance(3))
    quantized.rounding = QuantizedRounding::Truncate;
  quantized.hasRunTimeZeroPoint = random.chance(25);
  return quantized;
}

/// Whether f32 computes the step on multiples of a small power of two without
/// rounding.
static bool isExactStep(const Step &step) {
  switch (step.kind) {
  case StepKind::BatchNorm:
  case StepKind::Affine:
  case StepKind::Scale:
    return false;
  case StepKind::Activation:
    return step.activation == ActivationKind::Relu ||
           step.activation == ActivationKind::Clip ||
           step.activation == ActivationKind::Abs;
  default:
    return true;
  }
}

llvm::ArrayRef<QuantizedForm> fusion::fuzz::getQuantizedForms() {
  static const QuantizedForm forms[] = {
      {"moved-sign", &QuantizedConv::movesSign},
      {"idle-bounds", &QuantizedConv::hasIdleBounds},
      {"extended", &QuantizedConv::isExtended},
      {"corrected-sum", &QuantizedConv::correctsSum},
      {"weight-only", &QuantizedConv::isWeightOnly},
      {"dynamic", &QuantizedConv::isDynamic},
      {"rescaled-addition", &QuantizedConv::addsRescaled},
      {"dequantised-addition", &QuantizedConv::addsDequantized},
  };
  return forms;
}

/// Draws the forms from a stream of its own, so that the rest of the case does
/// not depend on it.
static void drawForms(CaseDescription &description, llvm::StringRef name) {
  Random random(description.seed ^ 0xf0f0f0f0);
  if (name.empty() && !random.chance(40))
    return;
  for (ConvDescription &conv : description.convs) {
    QuantizedConv &quantized = conv.quantized;
    for (const QuantizedForm &form : getQuantizedForms())
      quantized.*form.field =
          name.empty() ? random.chance(25) : name == form.name;
    bool isPower = description.isExact || random.chance(30);
    quantized.addend = drawType(random, 1.0 / 127, isPower);
    quantized.sum = drawType(random, 3.0 / 127, isPower);
    // One step of the result is at most one of the sum.
    quantized.sum.scale = std::max(quantized.sum.scale, quantized.result.scale);
    // Kernels add what has the sign of the sum.
    if (random.chance(80))
      for (QuantizedType *type : {&quantized.addend, &quantized.sum})
        *type = {type->scale,
                 type->zeroPoint - type->getLeast() +
                     quantized.result.getLeast(),
                 quantized.result.isUnsigned};
  }
}

CaseDescription fusion::fuzz::drawQuantized(uint64_t seed,
                                            llvm::StringRef form) {
  CaseDescription description = draw(seed);
  Random random(seed ^ 0x8b8b8b8b);
  description.isQuantized = true;
  description.isExact = random.chance(30);
  description.element = "f32";
  for (ConvDescription &conv : description.convs) {
    conv.surroundings.clear();
    conv.dynamicSpace.clear();
    if (random.chance(20)) {
      conv.form = numFloatForms;
      conv.geometry.batch = random.between(1, 9);
    }
    llvm::erase_if(conv.steps, [](const Step &step) {
      return step.kind == StepKind::Round;
    });
  }
  // It ends the process for some bodies on i64.
  llvm::erase(description.passes, "linalg-specialize-generic-ops");
  // It reads a transposed matrix as if it were none, which is out of range
  // where the size of the batch is not known (docs/Upstream.md).
  if (description.hasDynamicBatch &&
      llvm::any_of(description.convs, [](const ConvDescription &conv) {
        return getConvForms()[conv.form].spatialRank == 0;
      }))
    llvm::erase(description.passes, "linalg-morph-ops{generic-to-named}");
  normalize(description);
  for (ConvDescription &conv : description.convs)
    conv.quantized = drawConv(random, conv.geometry, description.isExact);
  drawForms(description, form);
  normalize(description);
  return description;
}

/// Makes one form of a case that of all its convolutions.
static void normalizeWeightOnly(CaseDescription &description) {
  bool isWeightOnly = description.convs.front().quantized.isWeightOnly;
  description.isExact &= !isWeightOnly;
  for (ConvDescription &conv : description.convs) {
    conv.quantized.isWeightOnly = isWeightOnly;
    conv.quantized.isResultQuantized &= !isWeightOnly;
  }
}

/// Keeps the forms that the convolution can have.
static void normalizeForms(QuantizedConv &quantized) {
  quantized.movesSign &= quantized.input.isUnsigned && !quantized.isWeightOnly;
  quantized.hasIdleBounds &= !quantized.isWeightOnly;
  quantized.isDynamic &= !quantized.isWeightOnly;
  quantized.isExtended |= quantized.isDynamic;
  quantized.isExtended &= quantized.isInteger();
  quantized.correctsSum &= quantized.isInteger() && !quantized.isDynamic;
  // StableHLO has no filters with a zero point.
  if (quantized.correctsSum)
    quantized.filterZeroPoint = 0;
}

void fusion::fuzz::normalizeQuantized(CaseDescription &description) {
  normalizeWeightOnly(description);
  auto &convs = description.convs;
  for (size_t i = 0; i < convs.size(); ++i) {
    ConvDescription &conv = convs[i];
    QuantizedConv &quantized = conv.quantized;
    if (quantized.isInteger()) {
      conv.steps.clear();
      if (conv.init == InitKind::Residual)
        conv.init = InitKind::Bias;
    }
    if (description.isExact)
      llvm::erase_if(conv.steps,
                     [](const Step &step) { return !isExactStep(step); });
    // A NaN has no integer.
    for (Step &step : conv.steps)
      if (step.activation == ActivationKind::Sqrt)
        step.activation = ActivationKind::Abs;
    // These make several steps of one by which an input may differ.
    if (i > 0 && !description.isExact)
      for (Step &step : conv.steps)
        if (step.activation == ActivationKind::Square ||
            step.activation == ActivationKind::Exp)
          step.activation = ActivationKind::Tanh;
    // f32 has no such rounding.
    if (!quantized.isInteger() &&
        quantized.rounding == QuantizedRounding::Double)
      quantized.rounding = QuantizedRounding::HalfEven;
    if (conv.isChained && !quantized.isWeightOnly) {
      convs[i - 1].quantized.isResultQuantized = true;
      quantized.input = convs[i - 1].quantized.getResult();
    }
    normalizeForms(quantized);
    // No type of 8 bits is known for the result.
    if (quantized.isInteger() && quantized.isDynamic) {
      quantized.isResultQuantized = false;
      if (i + 1 < convs.size())
        convs[i + 1].isChained = false;
    }
    quantized.addsRescaled &= quantized.isResultQuantized;
    quantized.addsDequantized &=
        quantized.isResultQuantized && !quantized.addsRescaled;
    conv.isGeneric |= needsGeneric(conv);
    // Of two matrices that are arguments the first one is the input, whose
    // scale is one number.
    if (getConvForms()[conv.form].spatialRank == 0 && !conv.hasConstantFilter &&
        quantized.isPerChannel)
      conv.isFilterFirst = false;
    // A matrix has neither rows nor columns of an image.
    if (getConvForms()[conv.form].spatialRank == 0)
      for (Step &step : conv.steps)
        if (step.miss == Miss::WrongAxis)
          step.miss = Miss::None;
  }
}
