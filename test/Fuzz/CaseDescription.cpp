//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CaseDescription.h"
#include "Random.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace fusion::fuzz;

llvm::ArrayRef<ConvForm> fusion::fuzz::getConvForms() {
  static const ConvForm forms[] = {
      {"conv_2d_nchw_fchw", 2, "nchw", "fchw", "nfhw"},
      {"conv_2d_nhwc_hwcf", 2, "nhwc", "hwcf", "nhwf"},
      {"conv_2d_nhwc_fhwc", 2, "nhwc", "fhwc", "nhwf"},
      {"conv_1d_nwc_wcf", 1, "nwc", "wcf", "nwf"},
      {"conv_1d_ncw_fcw", 1, "ncw", "fcw", "nfw"},
      {"conv_3d_ndhwc_dhwcf", 3, "ndhwc", "dhwcf", "ndhwf"},
      {"conv_3d_ncdhw_fcdhw", 3, "ncdhw", "fcdhw", "nfdhw"},
      {"conv_2d_ngchw_fgchw", 2, "ngchw", "fgchw", "ngfhw"},
      {"conv_2d_ngchw_gfchw", 2, "ngchw", "gfchw", "ngfhw"},
      {"conv_2d_nhwgc_gfhwc", 2, "nhwgc", "gfhwc", "nhwgf"},
      {"depthwise_conv_1d_nwc_wc", 1, "nwg", "wg", "nwg"},
      {"depthwise_conv_1d_ncw_cw", 1, "ngw", "gw", "ngw"},
      {"depthwise_conv_1d_nwc_wcm", 1, "nwg", "wgf", "nwgf"},
      {"depthwise_conv_2d_nhwc_hwc", 2, "nhwg", "hwg", "nhwg"},
      {"depthwise_conv_2d_nchw_chw", 2, "nghw", "ghw", "nghw"},
      {"depthwise_conv_2d_nhwc_hwcm", 2, "nhwg", "hwgf", "nhwgf"},
      {"depthwise_conv_3d_ndhwc_dhwc", 3, "ndhwg", "dhwg", "ndhwg"},
      {"depthwise_conv_3d_ncdhw_cdhw", 3, "ngdhw", "gdhw", "ngdhw"},
      {"depthwise_conv_3d_ndhwc_dhwcm", 3, "ndhwg", "dhwgf", "ndhwgf"},
      {"matmul", 0, "nc", "cf", "nf"},
  };
  return forms;
}

bool Geometry::hasPadding() const {
  return llvm::any_of(padLow, [](int64_t size) { return size > 0; }) ||
         llvm::any_of(padHigh, [](int64_t size) { return size > 0; });
}

bool Geometry::hasWindowsInPadding() const {
  for (unsigned dim = 0; dim < 3; ++dim)
    if (padLow[dim] >= getExtent(dim) || padHigh[dim] >= getExtent(dim))
      return true;
  return false;
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

/// Adapts the geometry to the dimensions that the form has, and makes kernels
/// fit.
static void fitForm(Geometry &geometry, const ConvForm &form) {
  if (!form.has('c'))
    geometry.inputChannels = 1;
  if (!form.has('f'))
    geometry.outputChannels = 1;
  if (!form.has('g'))
    geometry.groups = 1;
  for (unsigned dim = 0; dim < 3; ++dim) {
    if (dim < 3 - form.spatialRank) {
      geometry.input[dim] = geometry.kernel[dim] = geometry.stride[dim] =
          geometry.dilation[dim] = 1;
      geometry.padLow[dim] = geometry.padHigh[dim] = 0;
    }
    int64_t room =
        geometry.input[dim] + geometry.padLow[dim] + geometry.padHigh[dim];
    if (geometry.getExtent(dim) > room)
      geometry.dilation[dim] = 1;
    if (geometry.getExtent(dim) > room)
      geometry.kernel[dim] = 1;
  }
}

/// Makes `conv` read the result of `previous`.
static void fitChain(ConvDescription &conv, const ConvDescription &previous) {
  const ConvForm &form = getConvForms()[conv.form];
  Geometry &geometry = conv.geometry;
  const Geometry &from = previous.geometry;
  geometry.batch = from.batch;
  for (unsigned dim = 0; dim < 3; ++dim)
    geometry.input[dim] = from.getOutput(dim);
  int64_t channels = from.groups * from.outputChannels;
  if (!form.has('g'))
    geometry.groups = 1;
  else if (!form.has('c'))
    geometry.groups = channels;
  else if (channels % geometry.groups != 0)
    geometry.groups = 1;
  geometry.inputChannels = channels / geometry.groups;
}

/// The multiplications of a plain loop.
static int64_t countMultiplications(const Geometry &geometry) {
  int64_t count = geometry.batch * geometry.groups * geometry.inputChannels *
                  geometry.outputChannels;
  for (unsigned dim = 0; dim < 3; ++dim)
    count *= geometry.getOutput(dim) * geometry.kernel[dim];
  return count;
}

static bool hasActivationBehind(const ConvDescription &conv, size_t index) {
  return llvm::any_of(
      llvm::drop_begin(conv.steps, index + 1),
      [](const Step &step) { return step.kind == StepKind::Activation; });
}

/// Replaces steps that make NaN or large numbers, but for those at the end: an
/// activation of a NaN may be anything, and spellings overflow for different
/// numbers. Roots of bf16 and f16 go everywhere: near 0, rounding decides
/// whether they are NaN.
static void avoidExtremes(CaseDescription &description) {
  bool isNarrow = description.element != llvm::StringRef("f32");
  for (ConvDescription &conv : description.convs)
    for (size_t i = 0; i < conv.steps.size(); ++i) {
      bool isEnd =
          &conv == &description.convs.back() && !hasActivationBehind(conv, i);
      ActivationKind &activation = conv.steps[i].activation;
      if ((!isEnd || isNarrow) && activation == ActivationKind::Sqrt)
        activation = ActivationKind::Abs;
      if (!isEnd && activation == ActivationKind::Exp)
        activation = ActivationKind::Tanh;
    }
}

void fusion::fuzz::normalize(CaseDescription &description) {
  avoidExtremes(description);
  auto &convs = description.convs;
  for (size_t i = 0; i < convs.size(); ++i) {
    const ConvForm &form = getConvForms()[convs[i].form];
    convs[i].isChained &=
        i > 0 &&
        getConvForms()[convs[i - 1].form].spatialRank == form.spatialRank;
    if (convs[i].isChained)
      fitChain(convs[i], convs[i - 1]);
    fitForm(convs[i].geometry, form);
    if (convs[i].isChained || description.isQuantized)
      convs[i].front.clear();
    // There must be no arithmetic between one convolution and the next.
    for (Surrounding &around : convs[i].surroundings)
      around.computes &= !(around.place == Place::Input && convs[i].isChained);
    // These need a static size.
    if (llvm::any_of(convs[i].steps,
                     [](const Step &step) { return step.miss != Miss::None; }))
      convs[i].dynamicSpace.clear();
  }
  if (description.isQuantized)
    normalizeQuantized(description);
}

static void drawSpace(Random &random, Geometry &geometry, unsigned dim,
                      unsigned rank) {
  geometry.input[dim] = random.between(3, rank == 3 ? 7 : 12);
  geometry.kernel[dim] = random.pick<int64_t>({1, 1, 2, 3, 3, 3, 4, 5});
  geometry.stride[dim] = random.pick<int64_t>({1, 1, 1, 2, 3});
  geometry.dilation[dim] = random.pick<int64_t>({1, 1, 1, 1, 2, 3});
  if (random.chance(50)) {
    geometry.padLow[dim] = random.between(0, 2);
    geometry.padHigh[dim] = random.between(0, 3);
  }
  // Rows that see nothing but padding shall be rare.
  if (random.chance(92)) {
    int64_t most = geometry.getExtent(dim) - 1;
    geometry.padLow[dim] = std::min(geometry.padLow[dim], most);
    geometry.padHigh[dim] = std::min(geometry.padHigh[dim], most);
  }
}

static Geometry drawGeometry(Random &random, const ConvForm &form) {
  Geometry geometry;
  geometry.batch = random.pick<int64_t>({1, 1, 1, 2, 3});
  if (form.has('g'))
    geometry.groups =
        form.has('c') ? random.between(1, 4) : random.between(1, 12);
  geometry.inputChannels = random.between(1, 12 / (form.has('g') ? 4 : 1));
  geometry.outputChannels = random.between(1, 12 / (form.has('g') ? 4 : 1));
  bool isPointwise = random.chance(15);
  for (unsigned dim = 3 - form.spatialRank; dim < 3; ++dim) {
    drawSpace(random, geometry, dim, form.spatialRank);
    if (isPointwise)
      geometry.kernel[dim] = 1;
  }
  fitForm(geometry, form);
  while (countMultiplications(geometry) > 60000) {
    int64_t &size = geometry.inputChannels > geometry.outputChannels
                        ? geometry.inputChannels
                        : geometry.outputChannels;
    if (size > 2)
      size /= 2;
    else
      geometry.batch = 1, geometry.kernel = {1, 1, 1};
  }
  return geometry;
}

/// Makes a square image with as many channels as rows: equal sizes must not
/// confuse anything.
static void makeCube(Random &random, Geometry &geometry, const ConvForm &form) {
  int64_t size = random.between(3, 6);
  for (unsigned dim = 3 - form.spatialRank; dim < 3; ++dim) {
    geometry.input[dim] = size;
    geometry.kernel[dim] = geometry.stride[dim] = geometry.dilation[dim] = 1;
    geometry.padLow[dim] = geometry.padHigh[dim] = 0;
  }
  if (form.has('f'))
    geometry.groups = 1, geometry.outputChannels = size;
  else
    geometry.groups = size;
  if (!form.has('c'))
    geometry.inputChannels = 1;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

static ActivationKind drawActivation(Random &random) {
  if (random.chance(25))
    return ActivationKind::Relu;
  // A root turns half of the values into NaN. It is last, so that it is rare.
  auto kinds = llvm::to_vector(fusion::getActivationKinds());
  llvm::erase(kinds, ActivationKind::Sqrt);
  if (random.chance(10))
    kinds.push_back(ActivationKind::Sqrt);
  return kinds[random.below(kinds.size())];
}

static Miss drawMiss(Random &random, const Step &step) {
  switch (step.kind) {
  case StepKind::Bias:
    return random.pick({Miss::WrongAxis, Miss::PerImage});
  case StepKind::Residual:
    return Miss::TransposedResidual;
  case StepKind::Activation:
    return random.pick({Miss::OffConstant, Miss::SwappedSelect});
  default:
    return Miss::None;
  }
}

/// Whether the activation's constants are exact in any type.
static bool hasExactConstants(ActivationKind activation) {
  return activation == ActivationKind::Relu ||
         activation == ActivationKind::Clip ||
         activation == ActivationKind::Abs ||
         activation == ActivationKind::Tanh ||
         activation == ActivationKind::Square ||
         activation == ActivationKind::Exp;
}

/// Moves rounding behind activations that would become others if their
/// constants were rounded to the narrow type.
static void roundLate(std::vector<Step> &steps) {
  for (size_t i = 0; i + 1 < steps.size(); ++i)
    if (steps[i].kind == StepKind::Round &&
        steps[i + 1].kind == StepKind::Activation &&
        !hasExactConstants(steps[i + 1].activation))
      std::swap(steps[i], steps[i + 1]);
}

static std::vector<Step> drawSteps(Random &random, bool hasBias,
                                   bool isNarrow) {
  std::vector<Step> steps;
  auto add = [&](StepKind kind, int percent) {
    if (!random.chance(percent))
      return;
    Step step{kind};
    step.activation = drawActivation(random);
    steps.push_back(step);
  };
  add(StepKind::Bias, hasBias ? 8 : 55);
  add(StepKind::Bias, 6);
  add(StepKind::Residual, 3);
  add(StepKind::BatchNorm, 30);
  add(StepKind::Affine, 8);
  add(StepKind::Scale, 5);
  add(StepKind::Residual, 25);
  if (isNarrow)
    add(StepKind::Round, 40);
  add(StepKind::Activation, 75);
  add(StepKind::Activation, 3);
  add(StepKind::Scale, 2);
  add(StepKind::Residual, 2);
  roundLate(steps);
  return steps;
}

static void insertOthers(Random &random, std::vector<Step> &steps) {
  auto insert = [&](StepKind kind, int percent) {
    if (random.chance(percent))
      steps.insert(steps.begin() + random.below(steps.size() + 1), Step{kind});
  };
  insert(StepKind::Transpose, 12);
  insert(StepKind::Transpose, 3);
  insert(StepKind::NoOp, 12);
  insert(StepKind::ExtraUse, 7);
}

static ConvDescription drawConv(Random &random, bool isFirst, bool isNarrow) {
  ConvDescription conv;
  auto forms = getConvForms().take_front(numFloatForms);
  // The first three are the convolutions of most networks.
  conv.form = random.chance(45) ? random.below(3) : random.below(forms.size());
  conv.isGeneric = random.chance(20);
  conv.isFilterFirst = conv.isGeneric && random.chance(25);
  conv.isChained = !isFirst && random.chance(70);
  conv.hasConstantFilter = random.chance(40);
  conv.choices = random.next();
  conv.geometry = drawGeometry(random, forms[conv.form]);
  conv.padsWithOtherValue = conv.geometry.hasPadding() && random.chance(2);
  if (random.chance(45))
    conv.init = random.pick({InitKind::Bias, InitKind::Bias, InitKind::Bias,
                             InitKind::Scalar, InitKind::Residual});
  conv.steps = drawSteps(random, conv.init == InitKind::Bias, isNarrow);
  insertOthers(random, conv.steps);
  for (Step &step : conv.steps) {
    step.choices = random.next();
    step.mergeWithNext = random.chance(25);
    if (random.chance(4))
      step.miss = drawMiss(random, step);
    if (step.miss == Miss::WrongAxis || step.miss == Miss::TransposedResidual)
      makeCube(random, conv.geometry, forms[conv.form]);
  }
  if (isNarrow && llvm::none_of(conv.steps, [](const Step &step) {
        return step.kind == StepKind::Round;
      }))
    conv.steps.push_back({StepKind::Round, random.next()});
  return conv;
}

static std::vector<std::string> drawPasses(Random &random) {
  static const std::initializer_list<const char *> passes = {
      "linalg-fuse-elementwise-ops",
      "linalg-fuse-elementwise-ops",
      "linalg-fold-unit-extent-dims",
      "linalg-generalize-named-ops",
      "linalg-inline-scalar-operands",
      "linalg-morph-ops{named-to-category}",
      "linalg-morph-ops{named-to-category category-to-generic}",
      "linalg-morph-ops{named-to-generic}",
      "linalg-morph-ops{generic-to-named}",
      "linalg-fold-into-elementwise",
      "linalg-specialize-generic-ops",
      "convert-elementwise-to-linalg",
      "canonicalize",
      "cse",
  };
  std::vector<std::string> result;
  if (random.chance(40))
    return result;
  for (int64_t count = random.between(1, 5); count > 0; --count)
    result.push_back(random.pick(passes));
  return result;
}

/// Draws steps in front of some convolutions. Roots and powers would make NaN.
static void drawFront(Random &random, ConvDescription &conv) {
  if (!random.chance(20))
    return;
  for (StepKind kind :
       {StepKind::BatchNorm, StepKind::Affine, StepKind::Activation}) {
    Step step{kind, random.next()};
    step.activation =
        random.chance(50)
            ? ActivationKind::Relu
            : random.pick({ActivationKind::Clip, ActivationKind::Tanh,
                           ActivationKind::Sigmoid});
    step.mergeWithNext = random.chance(25);
    if (random.chance(60))
      conv.front.push_back(step);
  }
}

/// The passes of compilers that make one op of several.
static std::vector<std::string> drawMergingPasses(Random &random) {
  std::vector<std::string> passes = {"linalg-fold-unit-extent-dims",
                                     "linalg-fuse-elementwise-ops"};
  if (random.chance(30))
    std::swap(passes[0], passes[1]);
  passes.insert(passes.begin(), "linalg-generalize-named-ops");
  return passes;
}

/// The pass that computes arithmetic on `element` in f32, and rounds after each
/// op.
static std::string getEmulationPass(llvm::StringRef element) {
  return "arith-emulate-unsupported-floats{source-types=" + element.str() +
         " target-type=f32}";
}

CaseDescription fusion::fuzz::draw(uint64_t seed) {
  Random random(seed);
  CaseDescription description;
  description.seed = seed;
  description.hasDynamicBatch = random.chance(20);
  if (random.chance(15))
    description.element = random.pick({"bf16", "bf16", "f16"});
  bool isNarrow = description.element != llvm::StringRef("f32");
  int64_t numConvs = random.pick<int64_t>({1, 1, 1, 1, 2, 2, 3});
  for (int64_t i = 0; i < numConvs; ++i)
    description.convs.push_back(drawConv(random, i == 0, isNarrow));
  description.passes = drawPasses(random);
  description.cacheBytes = seed % 2;
  // From a stream of its own, so that the rest of the case does not depend on
  // it.
  Random outside(seed ^ 0x5a5a5a5a);
  if (outside.chance(60))
    drawSurroundings(outside, description);
  for (ConvDescription &conv : description.convs)
    drawFront(outside, conv);
  if (outside.chance(10))
    description.passes = drawMergingPasses(outside);
  if (isNarrow && outside.chance(30))
    description.passes.push_back(getEmulationPass(description.element));
  normalize(description);
  return description;
}
