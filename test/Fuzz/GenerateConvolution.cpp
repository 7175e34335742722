//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Letters.h"
#include "Quantized.h"

#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <cmath>

using namespace fusion::fuzz;

static constexpr llvm::StringRef kSpace = "dhw";

namespace {
/// The letters of each operand, after permutation.
struct Letters {
  std::string input, filter, output;
};

class ConvEmitter {
public:
  ConvEmitter(ModuleText &text, const CaseDescription &description,
              const ConvDescription &conv)
      : text(text), description(description), conv(conv),
        form(getConvForms()[conv.form]), random(conv.choices) {}

  Value emit(const Value *input);

private:
  ModuleText &text;
  const CaseDescription &description;
  const ConvDescription &conv;
  const ConvForm &form;
  Random random;
  Letters letters;

  enum Role { Input, Filter, Output };
  int64_t getSize(char letter, Role role) const;
  Value makeValue(llvm::StringRef layout, llvm::StringRef element,
                  Role role) const;
  void pickLetters();

  /// The element types of the operands.
  const char *getElement() const {
    if (!conv.quantized.isInteger())
      return description.element;
    return conv.quantized.isExtended ? "i32" : "i8";
  }
  Value addInput(const Value &like);
  Value readInput(const Value &bytes);
  Value makeFilter(const Value &like);
  Value emitInput(const Value *given);
  Value narrow(const Value &value);
  bool isDynamic(char letter) const {
    return conv.dynamicSpace.find(letter) != std::string::npos;
  }
  Value prepare(Value input);
  Value emitPad(const Value &input);
  Value emitFilter();
  Value emitInit(const Value &flatOutput);
  Value emitNamed(const Value &input, const Value &filter, const Value &init);
  Value emitGeneric(const Value &input, const Value &filter, const Value &init);
  Value split(const Value &value, llvm::StringRef letters, Role role);
  Value join(const Value &value, const Value &flat);
};
} // namespace

//===----------------------------------------------------------------------===//
// Dimensions
//===----------------------------------------------------------------------===//

int64_t ConvEmitter::getSize(char letter, Role role) const {
  const Geometry &geometry = conv.geometry;
  switch (letter) {
  case 'n':
    return description.hasDynamicBatch
               ? Value::hide(description.convs.front().geometry.batch)
               : geometry.batch;
  case 'g':
    return geometry.groups;
  case 'c':
    return geometry.inputChannels;
  case 'f':
    return geometry.outputChannels;
  default:
    break;
  }
  unsigned dim = kSpace.find(letter);
  if (role == Filter)
    return geometry.kernel[dim];
  int64_t size = role == Input ? geometry.input[dim] + geometry.padLow[dim] +
                                     geometry.padHigh[dim]
                               : geometry.getOutput(dim);
  return isDynamic(letter) ? Value::hide(size) : size;
}

Value ConvEmitter::makeValue(llvm::StringRef layout, llvm::StringRef element,
                             Role role) const {
  Value value{"", {}, element.str(), layout.str()};
  for (char letter : layout)
    value.shape.push_back(getSize(letter, role));
  return value;
}

void ConvEmitter::pickLetters() {
  letters = {form.input, form.filter, form.output};
  if (!conv.isGeneric || random.chance(40))
    return;
  if (random.chance(50))
    letters.input = shuffle(letters.input, "gc", random);
  letters.filter = shuffle(letters.filter, "", random);
  if (random.chance(50))
    letters.output = shuffle(letters.output, "gf", random);
}

/// Expands the channels of `value` into groups, if the letters have both.
Value ConvEmitter::split(const Value &value, llvm::StringRef letters,
                         Role role) {
  if (value.layout.size() == letters.size()) {
    Value renamed = value;
    renamed.layout = letters.str();
    return renamed;
  }
  Value target = makeValue(letters, value.element, role);
  return text.reshape(value, target, formatGroups(letters), /*isExpand=*/true);
}

Value ConvEmitter::join(const Value &value, const Value &flat) {
  Value target = flat;
  target.name = value.name;
  if (value.layout.size() == flat.layout.size())
    return target;
  return text.reshape(value, target, formatGroups(value.layout),
                      /*isExpand=*/false);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// An argument, of 8 bits if the convolution is quantised.
Value ConvEmitter::addInput(const Value &like) {
  if (conv.quantized.hasFloatInput())
    return emitOperand(text, conv, Place::Input, like, {-1, 1});
  Value bytes = like;
  bytes.element = "i8";
  bytes = text.addArgument(bytes, getByteRange(conv.quantized, false));
  text.setSizeSource(bytes);
  return readInput(bytes);
}

/// The tensor that the convolution reads of an input of 8 bits.
Value ConvEmitter::readInput(const Value &bytes) {
  if (conv.quantized.hasFloatInput())
    return bytes;
  Value operand = emitOperandForm(text, bytes, conv.quantized, random);
  if (conv.quantized.isInteger())
    return operand;
  return emitDequantize(text, operand, conv.quantized.getOperand(), 0, random);
}

Value ConvEmitter::emitInput(const Value *given) {
  Value flat = makeFlat(makeValue(letters.input, getElement(), Input));
  for (size_t i = 0; i < flat.layout.size(); ++i) {
    size_t dim = kSpace.find(flat.layout[i]);
    if (dim != llvm::StringRef::npos)
      flat.shape[i] = conv.geometry.input[dim];
  }
  Value input;
  if (given) {
    text.setSizeSource(*given);
    auto emit = [&](const Value *) {
      return emitTranspose(text, readInput(narrow(*given)), flat.layout,
                           random);
    };
    input = emitSurrounded(text, conv, Place::Input, *given, emit).value;
  } else if (random.chance(12)) {
    // The argument has another layout.
    std::string other = shuffle(flat.layout, "", random);
    Value argument{"", {}, flat.element, other};
    for (char letter : other)
      argument.shape.push_back(flat.getSize(letter));
    argument = addInput(argument);
    text.setSizeSource(argument);
    return prepare(emitTranspose(text, argument, flat.layout, random));
  } else {
    input = addInput(flat);
  }
  text.setSizeSource(input);
  return prepare(input);
}

/// Computes with the input, pads it and hides sizes, in either order, then
/// splits channels into groups.
Value ConvEmitter::prepare(Value input) {
  input = emitSteps(text, description, conv, conv.front, input, {});
  bool hidesFirst = !conv.dynamicSpace.empty() &&
                    (!conv.geometry.hasPadding() || random.chance(50));
  if (hidesFirst)
    input = emitDynamicSlice(text, input, conv.dynamicSpace);
  input = emitPad(input);
  if (!hidesFirst && !conv.dynamicSpace.empty())
    input = emitDynamicSlice(text, input, conv.dynamicSpace);
  text.setSizeSource(input);
  Value result = split(input, letters.input, Input);
  for (char letter : conv.dynamicSpace) {
    int64_t size = conv.geometry.getOutput(kSpace.find(letter));
    text.setSize(letter, text.addIndexArgument(size));
  }
  return result;
}

/// Rounds `value` to the element type of the case's inputs.
Value ConvEmitter::narrow(const Value &value) {
  if (value.element == description.element || value.element == "i8")
    return value;
  Value result = value;
  result.element = description.element;
  return text.define(result, "arith.truncf " + value.name + " : " +
                                 value.getType() + " to " + result.getType());
}

Value ConvEmitter::emitPad(const Value &input) {
  const Geometry &geometry = conv.geometry;
  if (!geometry.hasPadding())
    return input;
  std::vector<std::string> low, high, zeros, ones;
  Value padded = input;
  std::string arguments;
  for (size_t i = 0; i < input.layout.size(); ++i) {
    size_t dim = kSpace.find(input.layout[i]);
    bool isSpace = dim != llvm::StringRef::npos;
    low.push_back(std::to_string(isSpace ? geometry.padLow[dim] : 0));
    high.push_back(std::to_string(isSpace ? geometry.padHigh[dim] : 0));
    ones.push_back("1");
    if (isSpace)
      padded.shape[i] = Value::grow(padded.shape[i], geometry.padLow[dim] +
                                                         geometry.padHigh[dim]);
    arguments += (i ? ", " : "") + text.fresh() + ": index";
  }
  double value = conv.padsWithOtherValue ? 0.75 : 0.0;
  if (conv.quantized.isInteger())
    value = static_cast<double>(conv.quantized.getOperand().zeroPoint +
                                conv.padsWithOtherValue);
  if (input.element == "i8")
    value = static_cast<int8_t>(value);
  if (random.chance(15) && conv.dynamicSpace.empty()) {
    Value target = random.chance(50) || !padded.isStatic()
                       ? text.fill(padded, value)
                       : text.addSplat(padded, value);
    return text.define(
        padded, "tensor.insert_slice " + input.name + " into " + target.name +
                    "[" + llvm::join(low, ", ") + "] " +
                    text.formatSizes(input) + " [" + llvm::join(ones, ", ") +
                    "] : " + input.getType() + " into " + padded.getType());
  }
  std::string scalar = text.addScalar(value, input.element);
  padded.name = text.fresh();
  text.remember(padded);
  text.line(padded.name + " = tensor.pad " + input.name + " low[" +
            llvm::join(low, ", ") + "] high[" + llvm::join(high, ", ") + "] {");
  text.line("^bb0(" + arguments + "):");
  text.line("  tensor.yield " + scalar + " : " + input.element);
  text.line("} : " + input.getType() + " to " + padded.getType());
  return padded;
}

Value ConvEmitter::makeFilter(const Value &like) {
  if (!conv.quantized.isFloat())
    return emitByteFilter(text, conv, like, random);
  // Results are of magnitude 1, whatever the number of terms.
  int64_t numTerms = conv.geometry.inputChannels * conv.geometry.kernel[0] *
                     conv.geometry.kernel[1] * conv.geometry.kernel[2];
  double bound = 3.5 / std::sqrt(static_cast<double>(numTerms));
  ArgumentRange range{-bound, bound};
  if (!conv.hasConstantFilter)
    return emitOperand(text, conv, Place::Filter, like, range);
  auto emit = [&](const Value *) {
    return text.addRandomConstant(like, range, random);
  };
  return emitSurrounded(text, conv, Place::Filter, {}, emit).value;
}

Value ConvEmitter::emitFilter() {
  Value filter = makeValue(letters.filter, getElement(), Filter);
  if (random.chance(12)) {
    std::string other = shuffle(filter.layout, "", random);
    return emitTranspose(text,
                         makeFilter(makeValue(other, filter.element, Filter)),
                         filter.layout, random);
  }
  size_t place = letters.filter.find("gf");
  if (place != std::string::npos && random.chance(50)) {
    // All output channels are one dimension, as in front ends.
    Value flat = filter;
    flat.layout.erase(place, 1);
    flat.shape[place + 1] *= flat.shape[place];
    flat.shape.erase(flat.shape.begin() + place);
    return text.reshape(makeFilter(flat), filter, formatGroups(letters.filter),
                        /*isExpand=*/true);
  }
  return makeFilter(filter);
}

//===----------------------------------------------------------------------===//
// Destination
//===----------------------------------------------------------------------===//

Value ConvEmitter::emitInit(const Value &flat) {
  Value output = makeValue(letters.output, flat.element, Output);
  switch (conv.init) {
  case InitKind::Zero:
    break;
  case InitKind::Scalar:
    return text.fill(output, random.pick({0.5, -0.75, 1.25}) *
                                 (conv.quantized.isInteger() ? 100 : 1));
  case InitKind::Residual:
    return split(emitOperand(text, conv, Place::Init, flat, {-1, 1}),
                 letters.output, Output);
  case InitKind::Bias: {
    std::string view = pickView(flat, 'c', random);
    Operand bias =
        emitVector(text, flat, 'c', getBiasRange(conv), view, random);
    Value out = text.empty(flat);
    if (view == "c" && random.chance(60)) {
      std::vector<std::string> dims;
      for (size_t i = 0; i < flat.layout.size(); ++i)
        if (flat.layout[i] != 'c')
          dims.push_back(std::to_string(i));
      Value result = flat;
      result.name = text.fresh();
      text.remember(result);
      text.line(result.name + " = linalg.broadcast ins(" + bias.value.name +
                " : " + bias.value.getType() + ") outs(" + out.name + " : " +
                out.getType() + ") dimensions = [" + llvm::join(dims, ", ") +
                "]");
      return split(result, letters.output, Output);
    }
    return split(text.generic(flat.layout, {bias}, {out, flat.layout},
                              [](llvm::ArrayRef<std::string> arguments) {
                                return arguments.front();
                              }),
                 letters.output, Output);
  }
  }
  auto emit = [&](const Value *) {
    return output.isStatic() && random.chance(25) ? text.addSplat(output, 0)
                                                  : text.fill(output, 0);
  };
  return emitSurrounded(text, conv, Place::Init, {}, emit).value;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static std::string formatSteps(llvm::ArrayRef<int64_t> steps, unsigned rank,
                               llvm::StringRef container) {
  std::vector<std::string> numbers;
  for (int64_t step : steps.take_back(rank))
    numbers.push_back(std::to_string(step));
  return "dense<[" + llvm::join(numbers, ", ") + "]> : " + container.str() +
         "<" + std::to_string(rank) + "xi64>";
}

Value ConvEmitter::emitNamed(const Value &input, const Value &filter,
                             const Value &init) {
  const char *container = random.pick({"vector", "tensor"});
  unsigned rank = form.spatialRank;
  std::string name = form.name, attributes, names, types;
  if (rank)
    attributes =
        " {dilations = " +
        formatSteps(conv.geometry.dilation, rank, container) +
        ", strides = " + formatSteps(conv.geometry.stride, rank, container) +
        "}";
  if (hasZeroPoints(conv)) {
    name = rank ? name + "_q" : "quantized_matmul";
    const QuantizedConv &quantized = conv.quantized;
    auto zeroPoint = static_cast<double>(quantized.getSubtracted());
    auto filterZeroPoint =
        static_cast<double>(quantized.getFilterOperand().zeroPoint);
    names = ", " +
            (quantized.hasRunTimeZeroPoint
                 ? text.addScalarArgument("i32", zeroPoint)
                 : text.addScalar(zeroPoint, "i32")) +
            ", " + text.addScalar(filterZeroPoint, "i32");
    types = ", i32, i32";
  }
  return text.define(init, "linalg." + name + attributes + " ins(" +
                               input.name + ", " + filter.name + names + " : " +
                               input.getType() + ", " + filter.getType() +
                               types + ") outs(" + init.name + " : " +
                               init.getType() + ") -> " + init.getType());
}

Value ConvEmitter::emitGeneric(const Value &input, const Value &filter,
                               const Value &init) {
  // Loops over the kernel have capital letters.
  std::string kernelAccess;
  std::string loops = letters.output;
  for (char letter : letters.filter) {
    bool isSpace = kSpace.contains(letter);
    kernelAccess += isSpace ? llvm::toUpper(letter) : letter;
    if (isSpace || letter == 'c')
      loops += kernelAccess.back();
  }
  if (random.chance(30))
    loops = shuffle(loops, "", random);
  std::string iterators;
  for (char letter : loops)
    iterators += letter == 'c' || llvm::isUpper(letter) ? 'r' : 'p';
  std::vector<Operand> operands = {
      {input, formatInputMap(loops, letters.input, conv.geometry, random)},
      {filter, kernelAccess}};
  bool sumFirst = random.chance(50);
  bool swapFactors = random.chance(20);
  if (conv.isFilterFirst)
    std::swap(operands[0], operands[1]);
  bool widens = input.element != init.element;
  return text.generic(
      loops, operands, {init, letters.output},
      [&](llvm::ArrayRef<std::string> arguments) {
        if (conv.quantized.isInteger())
          return emitIntegerProduct(text, conv.quantized, arguments,
                                    conv.isFilterFirst, random);
        std::string factors[2];
        for (int i = 0; i < 2; ++i) {
          factors[i] = arguments[swapFactors ? 1 - i : i];
          if (!widens)
            continue;
          std::string wide = text.fresh();
          text.line("  " + wide + " = arith.extf " + factors[i] + " : " +
                    input.element + " to " + init.element);
          factors[i] = wide;
        }
        std::string product = text.fresh(), sum = text.fresh();
        text.line("  " + product + " = arith.mulf " + factors[0] + ", " +
                  factors[1] + " : " + init.element);
        text.line("  " + sum + " = arith.addf " +
                  (sumFirst ? arguments[2] + ", " + product
                            : product + ", " + arguments[2]) +
                  " : " + init.element);
        return sum;
      },
      iterators);
}

Value ConvEmitter::emit(const Value *given) {
  pickLetters();
  Value input = emitInput(given);
  Value filter = emitFilter();
  const char *sum = conv.quantized.isInteger() ? "i32" : "f32";
  Value flat = makeFlat(makeValue(letters.output, sum, Output));
  Value init = emitInit(flat);
  Value result = conv.isGeneric ? emitGeneric(input, filter, init)
                                : emitNamed(input, filter, init);
  result = join(result, flat);
  if (!conv.quantized.correctsSum)
    return result;
  return emitCorrection(text, result, filter, conv.quantized, random);
}

Value fusion::fuzz::emitConvolution(ModuleText &text,
                                    const CaseDescription &description,
                                    const ConvDescription &conv,
                                    const Value *input) {
  return ConvEmitter(text, description, conv).emit(input);
}
