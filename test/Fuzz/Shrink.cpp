//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Shrink.h"

#include <functional>

using namespace fusion::fuzz;

using Edit = std::function<void(CaseDescription &)>;

static void addCaseEdits(const CaseDescription &description,
                         std::vector<Edit> &edits) {
  if (!description.passes.empty())
    edits.push_back([](CaseDescription &d) { d.passes.clear(); });
  for (size_t i = 0; i < description.passes.size(); ++i)
    edits.push_back(
        [i](CaseDescription &d) { d.passes.erase(d.passes.begin() + i); });
  if (description.convs.size() > 1)
    for (size_t i = 0; i < description.convs.size(); ++i)
      edits.push_back(
          [i](CaseDescription &d) { d.convs.erase(d.convs.begin() + i); });
  if (description.hasDynamicBatch)
    edits.push_back([](CaseDescription &d) { d.hasDynamicBatch = false; });
  if (description.element != llvm::StringRef("f32"))
    edits.push_back([](CaseDescription &d) { d.element = "f32"; });
  if (description.cacheBytes != 0)
    edits.push_back([](CaseDescription &d) { d.cacheBytes = 0; });
  if (description.threads != 1)
    edits.push_back([](CaseDescription &d) { d.threads = 1; });
  if (description.isExact)
    edits.push_back([](CaseDescription &d) { d.isExact = false; });
  if (description.tiles)
    edits.push_back([](CaseDescription &d) { d.tiles = nullptr; });
}

/// Adds edits that make a number smaller: 1 or `least`, then half.
static void addSizeEdits(std::vector<Edit> &edits, int64_t least,
                         int64_t current,
                         std::function<int64_t &(CaseDescription &)> get) {
  for (int64_t size : {least, current / 2, current - 1})
    if (size >= least && size < current)
      edits.push_back([=](CaseDescription &d) { get(d) = size; });
}

static void addGeometryEdits(const CaseDescription &description, size_t index,
                             std::vector<Edit> &edits) {
  const Geometry &geometry = description.convs[index].geometry;
  auto addNumber = [&](int64_t Geometry::*field) {
    addSizeEdits(edits, 1, geometry.*field,
                 [=](CaseDescription &d) -> int64_t & {
                   return d.convs[index].geometry.*field;
                 });
  };
  addNumber(&Geometry::batch);
  addNumber(&Geometry::groups);
  addNumber(&Geometry::inputChannels);
  addNumber(&Geometry::outputChannels);
  auto addArray = [&](std::array<int64_t, 3> Geometry::*field, int64_t least) {
    for (unsigned dim = 0; dim < 3; ++dim)
      addSizeEdits(edits, least, (geometry.*field)[dim],
                   [=](CaseDescription &d) -> int64_t & {
                     return (d.convs[index].geometry.*field)[dim];
                   });
  };
  addArray(&Geometry::padLow, 0);
  addArray(&Geometry::padHigh, 0);
  addArray(&Geometry::dilation, 1);
  addArray(&Geometry::stride, 1);
  addArray(&Geometry::kernel, 1);
  addArray(&Geometry::input, 1);
}

static void addConvEdits(const CaseDescription &description, size_t index,
                         std::vector<Edit> &edits) {
  const ConvDescription &conv = description.convs[index];
  auto add = [&](std::function<void(ConvDescription &)> edit) {
    edits.push_back([=](CaseDescription &d) { edit(d.convs[index]); });
  };
  for (size_t i = 0; i < conv.steps.size(); ++i)
    add([i](ConvDescription &c) { c.steps.erase(c.steps.begin() + i); });
  for (size_t i = 0; i < conv.front.size(); ++i)
    add([i](ConvDescription &c) { c.front.erase(c.front.begin() + i); });
  if (conv.init != InitKind::Zero)
    add([](ConvDescription &c) { c.init = InitKind::Zero; });
  if (!conv.dynamicSpace.empty())
    add([](ConvDescription &c) { c.dynamicSpace.clear(); });
  if (conv.isChained)
    add([](ConvDescription &c) { c.isChained = false; });
  if (conv.isGeneric)
    add([](ConvDescription &c) { c.isGeneric = false; });
  if (conv.isFilterFirst)
    add([](ConvDescription &c) { c.isFilterFirst = false; });
  if (conv.hasConstantFilter)
    add([](ConvDescription &c) { c.hasConstantFilter = false; });
  if (conv.form != 0)
    add([](ConvDescription &c) { c.form = 0; });
  // Other choices may give a plainer spelling.
  for (uint64_t choices : {0, 1, 2, 3})
    if (conv.choices > choices)
      add([choices](ConvDescription &c) { c.choices = choices; });
  for (size_t i = 0; i < conv.steps.size(); ++i) {
    const Step &step = conv.steps[i];
    if (step.mergeWithNext)
      add([i](ConvDescription &c) { c.steps[i].mergeWithNext = false; });
    if (step.miss != Miss::None)
      add([i](ConvDescription &c) { c.steps[i].miss = Miss::None; });
    if (step.kind == StepKind::Activation &&
        step.activation != ActivationKind::Relu)
      add([i](ConvDescription &c) {
        c.steps[i].activation = ActivationKind::Relu;
      });
    for (uint64_t choices : {0, 1, 2, 3, 4, 5})
      if (step.choices > choices)
        add([i, choices](ConvDescription &c) { c.steps[i].choices = choices; });
  }
}

static void addQuantizedEdits(const CaseDescription &description, size_t index,
                              std::vector<Edit> &edits) {
  const QuantizedConv &quantized = description.convs[index].quantized;
  auto add = [&](bool isApplicable, auto edit) {
    if (isApplicable)
      edits.push_back(
          [=](CaseDescription &d) { edit(d.convs[index].quantized); });
  };
  add(quantized.isPerChannel, [](QuantizedConv &q) { q.isPerChannel = false; });
  add(quantized.numbers != QuantizedConv::All,
      [](QuantizedConv &q) { q.numbers = QuantizedConv::All; });
  add(quantized.addsBias, [](QuantizedConv &q) { q.addsBias = false; });
  add(quantized.hasRelu, [](QuantizedConv &q) { q.hasRelu = false; });
  add(quantized.hasRunTimeZeroPoint,
      [](QuantizedConv &q) { q.hasRunTimeZeroPoint = false; });
  add(quantized.isResultQuantized,
      [](QuantizedConv &q) { q.isResultQuantized = false; });
  add(quantized.rounding != QuantizedRounding::HalfEven,
      [](QuantizedConv &q) { q.rounding = QuantizedRounding::HalfEven; });
  for (const QuantizedForm &form : getQuantizedForms())
    add(quantized.*form.field,
        [=](QuantizedConv &q) { q.*form.field = false; });
  for (auto type : {&QuantizedConv::input, &QuantizedConv::result}) {
    add((quantized.*type).zeroPoint != 0,
        [=](QuantizedConv &q) { (q.*type).zeroPoint = 0; });
    add((quantized.*type).isUnsigned,
        [=](QuantizedConv &q) { (q.*type) = {(q.*type).scale}; });
  }
}

static void addSurroundingEdits(const CaseDescription &description,
                                size_t index, std::vector<Edit> &edits) {
  const auto &surroundings = description.convs[index].surroundings;
  for (size_t i = 0; i < surroundings.size(); ++i) {
    const Surrounding &around = surroundings[i];
    auto add = [&](std::function<void(Surrounding &)> edit) {
      edits.push_back(
          [=](CaseDescription &d) { edit(d.convs[index].surroundings[i]); });
    };
    edits.push_back([=](CaseDescription &d) {
      auto &all = d.convs[index].surroundings;
      all.erase(all.begin() + i);
    });
    for (size_t j = 0; j < around.companions.size(); ++j)
      add([j](Surrounding &s) {
        s.companions.erase(s.companions.begin() + j);
      });
    if (around.kind != SurroundingKind::None)
      add([](Surrounding &s) { s.kind = SurroundingKind::None; });
    if (around.computes)
      add([](Surrounding &s) { s.computes = false; });
    if (around.hasReaders)
      add([](Surrounding &s) { s.hasReaders = false; });
    for (uint64_t choices : {0, 1, 2, 3, 4, 5})
      if (around.choices > choices)
        add([choices](Surrounding &s) { s.choices = choices; });
  }
}

CaseDescription fusion::fuzz::shrink(
    CaseDescription description,
    llvm::function_ref<bool(const CaseDescription &)> isStillBad) {
  bool hasChanged = true;
  int budget = 600;
  while (hasChanged && budget > 0) {
    hasChanged = false;
    std::vector<Edit> edits;
    addCaseEdits(description, edits);
    for (size_t i = 0; i < description.convs.size(); ++i) {
      addSurroundingEdits(description, i, edits);
      addConvEdits(description, i, edits);
      if (description.isQuantized)
        addQuantizedEdits(description, i, edits);
      addGeometryEdits(description, i, edits);
    }
    for (const Edit &edit : edits) {
      CaseDescription smaller = description;
      edit(smaller);
      normalize(smaller);
      if (budget-- <= 0)
        break;
      if (!isStillBad(smaller))
        continue;
      // The other edits were made for the description before.
      description = smaller;
      hasChanged = true;
      break;
    }
  }
  return description;
}
