//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseDescription.h"
#include "Quantized.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace fusion::fuzz;

llvm::StringRef fusion::fuzz::getName(StepKind kind) {
  static const char *const names[] = {
      "bias",       "batch-norm", "affine", "scale",     "residual",
      "activation", "transpose",  "no-op",  "extra-use", "round"};
  return names[static_cast<int>(kind)];
}

llvm::StringRef fusion::fuzz::getName(SurroundingKind kind) {
  static const char *const names[] = {"beside", "slice", "stretch", "if",
                                      "switch", "for",   "while",   "call"};
  return names[static_cast<int>(kind)];
}

llvm::StringRef fusion::fuzz::getName(Place place) {
  static const char *const names[] = {"input",    "filter", "init",
                                      "residual", "chain",  "steps"};
  return names[static_cast<int>(place)];
}

llvm::StringRef fusion::fuzz::getName(Companion companion) {
  static const char *const names[] = {"same",  "view",  "part",
                                      "whole", "outer", "constant"};
  return names[static_cast<int>(companion)];
}

namespace {
/// Follows the steps of one convolution through the formulas of the op:
/// act(scale * conv + bias + residual) and act(scale * conv + bias) + residual.
class ObstacleFinder {
public:
  ObstacleFinder(const ConvDescription &conv,
                 std::vector<std::string> &obstacles)
      : conv(conv), obstacles(obstacles) {}

  void run() {
    visit(conv.quantized);
    if (conv.padsWithOtherValue)
      add("padding that is not zero");
    hasResidual = conv.init == InitKind::Residual;
    for (const Surrounding &around : conv.surroundings)
      visit(around);
    for (const Step &step : conv.steps)
      visit(step);
  }

private:
  void add(const char *obstacle) { obstacles.push_back(obstacle); }

  static bool isArithmetic(const Step &step) {
    return step.kind != StepKind::Transpose && step.kind != StepKind::NoOp &&
           step.kind != StepKind::ExtraUse;
  }

  bool hasArithmeticFrom(size_t first) const {
    return first < conv.steps.size() &&
           llvm::any_of(llvm::drop_begin(conv.steps, first), isArithmetic);
  }

  static bool isUse(Companion companion) {
    return companion != Companion::Outer && companion != Companion::Constant;
  }

  void visit(const QuantizedConv &quantized) {
    if (quantized.hasFloatInput())
      return;
    if (quantized.filterZeroPoint != 0)
      add("zero point of the filter");
    if (quantized.rounding == QuantizedRounding::Truncate)
      add("truncation");
    if (quantized.hasRunTimeZeroPoint && hasZeroPoints(conv))
      add("zero point at run time");
    // Sums of the filter make up for it.
    bool hasSums = conv.hasConstantFilter || !quantized.isInteger();
    if (quantized.isDynamic && !hasSums)
      add("zero point at run time");
    if (quantized.adds())
      visitAddition(quantized);
    if (quantized.isInteger() && conv.init == InitKind::Scalar)
      add("i32 that is no bias");
  }

  /// An op adds a tensor of its sign behind relu or clip, if it adds no other.
  void visitAddition(const QuantizedConv &quantized) {
    if (quantized.addend.isUnsigned != quantized.result.isUnsigned ||
        quantized.sum.isUnsigned != quantized.result.isUnsigned)
      add("addition of another sign");
    if (quantized.addsRescaled && quantized.hasRelu)
      add("bounds behind an addition");
    if (conv.init == InitKind::Residual ||
        llvm::any_of(conv.steps, [](const Step &step) {
          return step.kind == StepKind::Residual ||
                 (step.kind == StepKind::Activation &&
                  step.activation != ActivationKind::Relu &&
                  step.activation != ActivationKind::Clip);
        }))
      add("residual or activation in front of an addition");
  }

  void visit(const Surrounding &around) {
    bool isUsed = llvm::any_of(around.companions, isUse);
    bool isNone = around.kind == SurroundingKind::None;
    switch (around.place) {
    case Place::Init:
      // The destination is no longer known to be zero, so that it is added.
      hasResidual |= !isNone;
      break;
    case Place::Input:
      if (conv.isChained && isUsed && around.hasReaders)
        add("arithmetic on a companion");
      break;
    case Place::Filter:
    case Place::Residual:
      break;
    case Place::Chain:
    case Place::Steps:
      // The end of the one surrounding and the beginning of the other.
      if ((!isNone || (isUsed && around.place == Place::Chain)) &&
          hasArithmeticFrom(around.numSteps))
        add("region or use between steps");
      if (isUsed && around.hasReaders)
        add("arithmetic on a companion");
    }
  }

  void visit(const Step &step) {
    if (step.kind == StepKind::ExtraUse)
      add("extra use of an intermediate");
    if (step.miss != Miss::None)
      add("near miss");
    if (step.kind == StepKind::Activation) {
      if (hasActivation)
        add("second activation");
      hasActivation = true;
      return;
    }
    if (step.kind == StepKind::Round || step.kind == StepKind::Transpose ||
        step.kind == StepKind::NoOp || step.kind == StepKind::ExtraUse)
      return;
    // A residual may be added before or after the activation.
    if (hasActivation && (step.kind != StepKind::Residual || hasResidual))
      add("arithmetic behind the activation");
    if (step.kind == StepKind::Residual) {
      if (hasResidual)
        add("second residual");
      hasResidual = true;
    }
    if (hasResidual &&
        (step.kind == StepKind::BatchNorm || step.kind == StepKind::Scale ||
         step.kind == StepKind::Affine))
      add("scale behind the residual");
  }

  const ConvDescription &conv;
  std::vector<std::string> &obstacles;
  bool hasActivation = false, hasResidual = false;
};
} // namespace

/// Whether a convolution in generic form has no loop left to sum up over when
/// those of one iteration are folded away.
static bool losesSum(const CaseDescription &description) {
  bool isGeneralized = false, isFolded = false;
  for (llvm::StringRef pass : description.passes) {
    isGeneralized |=
        pass.contains("generalize") || pass.contains("-to-generic");
    isFolded |= pass.contains("fold-unit-extent-dims");
  }
  return isFolded &&
         llvm::any_of(description.convs, [&](const ConvDescription &conv) {
           return (conv.isGeneric || isGeneralized) &&
                  conv.geometry.inputChannels == 1 &&
                  llvm::all_of(conv.geometry.kernel,
                               [](int64_t size) { return size == 1; });
         });
}

std::vector<std::string>
fusion::fuzz::findObstacles(const CaseDescription &description) {
  std::vector<std::string> obstacles;
  if (losesSum(description))
    obstacles.push_back("nothing is summed up");
  for (const ConvDescription &conv : description.convs)
    ObstacleFinder(conv, obstacles).run();
  return obstacles;
}

static void listFeaturesOf(const QuantizedConv &quantized,
                           std::vector<std::string> &features) {
  if (quantized.isFloat())
    return;
  features.push_back(quantized.isInteger() ? "integers" : "dequantised");
  features.push_back(quantized.input.isUnsigned ? "u8" : "s8");
  if (quantized.isPerChannel)
    features.push_back("scales of channels");
  static const char *const numbers[] = {"all numbers", "small numbers", "ends"};
  features.push_back(numbers[quantized.numbers]);
  if (quantized.filterZeroPoint != 0)
    features.push_back("filter zero point");
  if (quantized.hasRunTimeZeroPoint)
    features.push_back("zero point at run time");
  for (const QuantizedForm &form : getQuantizedForms())
    if (quantized.*form.field)
      features.push_back(form.name);
  static const char *const roundings[] = {"to even", "half up", "double round",
                                          "truncated"};
  if (quantized.isResultQuantized)
    features.push_back(roundings[static_cast<int>(quantized.rounding)]);
}

static void listFeaturesOf(const ConvDescription &conv,
                           std::vector<std::string> &features) {
  listFeaturesOf(conv.quantized, features);
  const ConvForm &form = getConvForms()[conv.form];
  features.push_back(llvm::utostr(form.spatialRank) + "-D");
  if (conv.isGeneric)
    features.push_back("conv generic");
  if (form.has('g'))
    features.push_back(form.has('c') ? "grouped" : "depthwise");
  if (conv.geometry.hasPadding())
    features.push_back("padding");
  if (conv.geometry.hasWindowsInPadding())
    features.push_back("windows in padding");
  if (conv.isChained)
    features.push_back("chained");
  if (!conv.dynamicSpace.empty())
    features.push_back("dynamic space");
  static const char *const inits[] = {"init zero", "init bias", "init scalar",
                                      "init residual"};
  features.push_back(inits[static_cast<int>(conv.init)]);
  for (const Surrounding &around : conv.surroundings) {
    std::string place = " at " + getName(around.place).str();
    features.push_back(getName(around.kind).str() + place);
    for (Companion companion : around.companions)
      features.push_back("with " + getName(companion).str() + place);
  }
  auto getText = [](const Step &step) {
    return (step.kind == StepKind::Activation
                ? fusion::stringifyActivationKind(step.activation)
                : getName(step.kind))
        .str();
  };
  for (const Step &step : conv.front)
    features.push_back(getText(step) + " in front");
  for (const Step &step : conv.steps)
    features.push_back(getText(step));
}

std::vector<std::string>
fusion::fuzz::listFeatures(const CaseDescription &description) {
  std::vector<std::string> features = {description.element};
  if (description.isExact)
    features.push_back("exact");
  if (description.hasDynamicBatch)
    features.push_back("dynamic batch");
  if (description.cacheBytes > 1)
    features.push_back("cache of " + std::to_string(description.cacheBytes));
  if (description.threads > 1)
    features.push_back("threads");
  if (description.tiles)
    features.push_back(std::string("tiles ") + description.tiles);
  for (const std::string &pass : description.passes)
    features.push_back("--" + pass);
  for (const ConvDescription &conv : description.convs)
    listFeaturesOf(conv, features);
  return features;
}
