//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Quantized.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace fusion::fuzz;

namespace {
/// Writes convolutions one after the other.
class NetworkEmitter {
public:
  explicit NetworkEmitter(const CaseDescription &description)
      : description(description) {}

  GeneratedModule run();

private:
  const CaseDescription &description;
  ModuleText text;
  /// The values that residuals may use: results of convolutions and companions.
  std::vector<Value> earlier;
  Value last;

  void emit(const ConvDescription &conv);
  Value showSizes(const ConvDescription &conv, const Value &value);
  void keep(const Surrounded &surrounded);
  void quantize(const QuantizedConv &quantized, uint64_t choices);
};
} // namespace

void NetworkEmitter::keep(const Surrounded &surrounded) {
  for (const Value &companion : surrounded.companions)
    earlier.push_back(companion);
}

static size_t countSteps(const ConvDescription &conv, Place place,
                         size_t otherwise) {
  for (const Surrounding &around : conv.surroundings)
    if (around.place == place)
      return std::min<size_t>(around.numSteps, conv.steps.size());
  return otherwise;
}

/// Casts `value` to static sizes for the convolutions behind it.
Value NetworkEmitter::showSizes(const ConvDescription &conv,
                                const Value &value) {
  Value shown = value;
  for (auto [size, letter] : llvm::zip(shown.shape, shown.layout))
    if (letter != 'n')
      size = Value::getExtent(size);
  if (conv.dynamicSpace.empty())
    return value;
  return text.define(shown, "tensor.cast " + value.name + " : " +
                                value.getType() + " to " + shown.getType());
}

/// Writes the convolution with the steps inside its surroundings, further
/// steps, and the steps at the end inside theirs.
void NetworkEmitter::emit(const ConvDescription &conv) {
  llvm::ArrayRef<Step> steps = conv.steps;
  size_t inside = countSteps(conv, Place::Chain, 0);
  size_t outside =
      std::max(inside, countSteps(conv, Place::Steps, steps.size()));
  auto emitPart = [&](size_t first, size_t end, const Value &from) {
    return emitSteps(text, description, conv, steps.slice(first, end - first),
                     from, earlier);
  };
  Surrounded chain =
      emitSurrounded(text, conv, Place::Chain, earlier, [&](const Value *) {
        return emitPart(0, inside,
                        emitConvolution(text, description, conv,
                                        conv.isChained ? &last : nullptr));
      });
  Value value = emitPart(inside, outside, chain.value);
  Surrounded end = emitSurrounded(
      text, conv, Place::Steps, earlier,
      [&](const Value *start) {
        return emitPart(outside, steps.size(), *start);
      },
      &value);
  keep(chain);
  keep(end);
  last = showSizes(conv, end.value);
  if (!conv.quantized.isFloat())
    quantize(conv.quantized, conv.choices);
  earlier.push_back(last);
}

/// Makes the result one of 8 bits, which residuals read dequantised.
void NetworkEmitter::quantize(const QuantizedConv &quantized,
                              uint64_t choices) {
  Random random(choices + 1);
  if (quantized.isInteger())
    last = emitRequantize(text, last, quantized, random);
  else if (quantized.isResultQuantized)
    last = emitQuantize(text, last, quantized, random);
  if (quantized.adds())
    last = emitAddition(text, last, quantized, random);
  if (quantized.isResultQuantized)
    earlier.push_back(
        emitDequantize(text, last, quantized.getResult(), 0, random));
}

GeneratedModule NetworkEmitter::run() {
  const size_t numConvs = description.convs.size();
  for (size_t i = 0; i < numConvs; ++i) {
    emit(description.convs[i]);
    if (i + 1 == numConvs || !description.convs[i + 1].isChained)
      text.addResult(last);
  }
  return {text.finish(), text.getArguments()};
}

GeneratedModule fusion::fuzz::generate(const CaseDescription &description) {
  return NetworkEmitter(description).run();
}
