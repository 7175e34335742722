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

using namespace fusion::fuzz;

static Surrounding drawSurrounding(Random &random, Place place) {
  using Kind = SurroundingKind;
  Surrounding around;
  around.place = place;
  bool isOperand = place != Place::Chain && place != Place::Steps;
  around.kind = random.pick({Kind::If, Kind::If, Kind::Switch, Kind::Switch,
                             Kind::For, Kind::For, Kind::While, Kind::Call,
                             Kind::Call, Kind::Call, Kind::None, Kind::Slice});
  if (isOperand && random.chance(25))
    around.kind = Kind::Slice;
  around.computes = isOperand && random.chance(60);
  around.hasReaders = random.chance(20);
  for (int64_t count = random.pick<int64_t>({0, 1, 1, 2}); count > 0; --count)
    around.companions.push_back(
        random.pick({Companion::Same, Companion::Same, Companion::View,
                     Companion::View, Companion::Part, Companion::Whole,
                     Companion::Outer, Companion::Constant}));
  around.choices = random.next();
  // Drawn from numbers of its own, so that other cases keep their seeds.
  if (place == Place::Input && Random(around.choices + 1).chance(25))
    around.kind = Kind::Stretch;
  return around;
}

static bool hasResidual(const ConvDescription &conv) {
  return conv.init == InitKind::Residual ||
         llvm::any_of(conv.steps, [](const Step &step) {
           return step.kind == StepKind::Residual;
         });
}

/// Adds a residual, because its memory may be overwritten.
static void addResidual(Random &random, ConvDescription &conv) {
  auto place = llvm::find_if(conv.steps, [](const Step &step) {
    return step.kind == StepKind::Activation || step.kind == StepKind::Round;
  });
  conv.steps.insert(place, Step{StepKind::Residual, random.next()});
}

static void drawAround(Random &random, ConvDescription &conv) {
  auto add = [&](Place place, int percent) -> Surrounding * {
    if (!random.chance(percent))
      return nullptr;
    conv.surroundings.push_back(drawSurrounding(random, place));
    return &conv.surroundings.back();
  };
  if (!hasResidual(conv) && random.chance(50))
    addResidual(random, conv);
  for (char letter : llvm::StringRef(getConvForms()[conv.form].output))
    if (llvm::is_contained({'d', 'h', 'w'}, letter) && random.chance(12))
      conv.dynamicSpace += letter;
  add(Place::Input, 15);
  add(Place::Filter, 12);
  add(Place::Init, 12);
  add(Place::Residual, hasResidual(conv) ? 45 : 0);
  add(Place::Residual, hasResidual(conv) ? 8 : 0);
  size_t numSteps = conv.steps.size();
  size_t inside = random.chance(70) ? numSteps : random.below(numSteps + 1);
  for (int percent : {30, 8})
    if (Surrounding *chain = add(Place::Chain, percent))
      chain->numSteps = inside;
  if (Surrounding *steps = add(Place::Steps, 10))
    steps->numSteps = random.below(numSteps + 1);
}

void fusion::fuzz::drawSurroundings(Random &random,
                                    CaseDescription &description) {
  for (ConvDescription &conv : description.convs)
    drawAround(random, conv);
  description.cacheBytes =
      random.pick<int64_t>({0, 0, 1, 64, 1024, 4096, 1 << 16});
  description.threads = static_cast<int>(random.pick<int64_t>({1, 1, 2, 3}));
  description.tiles = random.pick<const char *>(
      {nullptr, nullptr, nullptr, "1x2x1", "1x3x1", "1x1x2", "2x1x3", "3x2x2"});
}
