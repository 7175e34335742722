//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
// Quantised numbers in the spellings of front ends.

#include "BodyWriter.h"
#include "Quantized.h"

#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace fusion::fuzz;

static bool isPowerOfTwo(double number) {
  int exponent;
  return std::frexp(number, &exponent) == 0.5;
}

ArgumentRange fusion::fuzz::getByteRange(const QuantizedConv &quantized,
                                         bool isFilter) {
  const QuantizedType &type = quantized.input;
  switch (quantized.numbers) {
  case QuantizedConv::All:
    return {isFilter ? -127. : -128., 128};
  case QuantizedConv::Ends:
    if (isFilter)
      return {0, 0, {-127, 127, -128}};
    return {0, 0, {-128, 127, -1, 0}};
  case QuantizedConv::Small:
    break;
  }
  ArgumentRange range;
  int64_t zeroPoint = isFilter ? quantized.filterZeroPoint : type.zeroPoint;
  int64_t least = isFilter ? -128 : type.getLeast();
  for (int64_t number = zeroPoint - 7; number <= zeroPoint + 7; ++number)
    if (number >= least && number <= least + 255)
      range.choices.push_back(static_cast<int8_t>(number));
  return range;
}

ArgumentRange fusion::fuzz::getBiasRange(const ConvDescription &conv) {
  const QuantizedConv &quantized = conv.quantized;
  if (quantized.isInteger())
    return {-4000, 4000};
  ArgumentRange range;
  // Steps of the sum. Then sums are exact in f32.
  if (!quantized.isFloat() && isPowerOfTwo(quantized.filterScale))
    range.step = quantized.input.scale * quantized.filterScale / 4;
  return range;
}

/// Whether linalg has the convolution with zero points as well.
static bool isNamedWithZeroPoints(llvm::StringRef name) {
  return llvm::is_contained(
      llvm::ArrayRef<llvm::StringRef>{
          "conv_2d_nhwc_hwcf", "conv_2d_nhwc_fhwc", "conv_2d_nchw_fchw",
          "conv_2d_ngchw_gfchw", "conv_2d_nhwgc_gfhwc", "conv_3d_ndhwc_dhwcf",
          "depthwise_conv_2d_nhwc_hwc", "depthwise_conv_2d_nhwc_hwcm",
          "matmul"},
      name);
}

bool fusion::fuzz::hasZeroPoints(const ConvDescription &conv) {
  const QuantizedConv &quantized = conv.quantized;
  return quantized.isInteger() && (quantized.getSubtracted() != 0 ||
                                   quantized.getFilterOperand().zeroPoint != 0);
}

bool fusion::fuzz::needsGeneric(const ConvDescription &conv) {
  // The named ops read with a sign.
  return conv.quantized.isInteger() &&
         (conv.quantized.getOperand().isUnsigned ||
          (hasZeroPoints(conv) &&
           !isNamedWithZeroPoints(getConvForms()[conv.form].name)));
}

/// The letter of the output channels of a filter; 0 if they are two dimensions.
static char getChannelLetter(llvm::StringRef layout) {
  bool hasGroup = layout.contains('g'), hasChannel = layout.contains('f');
  return hasGroup && hasChannel ? 0 : hasChannel ? 'f' : 'g';
}

Value fusion::fuzz::emitByteFilter(ModuleText &text,
                                   const ConvDescription &conv,
                                   const Value &like, Random &random) {
  const QuantizedConv &quantized = conv.quantized;
  Value bytes = like;
  bytes.element = "i8";
  ArgumentRange range = getByteRange(quantized, true);
  // Upstream writes a constant of one element into the body of the product.
  bool isNumber =
      llvm::all_of(bytes.shape, [](int64_t size) { return size == 1; });
  bytes = conv.hasConstantFilter && !isNumber
              ? text.addRandomConstant(bytes, range, random)
              : text.addArgument(bytes, range);
  if (quantized.isInteger())
    return quantized.isExtended ? emitExtension(text, bytes,
                                                {quantized.filterScale,
                                                 quantized.filterZeroPoint})
                                : bytes;
  QuantizedType type{quantized.filterScale, quantized.filterZeroPoint};
  char letter = quantized.isPerChannel ? getChannelLetter(like.layout) : 0;
  return emitDequantize(text, bytes, type, letter, random);
}

Value fusion::fuzz::emitElementwise(ModuleText &text, const Value &value,
                                    llvm::StringRef element,
                                    llvm::ArrayRef<Operand> others,
                                    ModuleText::BodyFn makeBody) {
  Value like = value;
  like.element = element.str();
  llvm::SmallVector<Operand> inputs = {{value, value.layout}};
  inputs.append(others.begin(), others.end());
  return text.generic(value.layout, inputs, {text.empty(like), value.layout},
                      makeBody);
}

//===----------------------------------------------------------------------===//
// Between f32 and 8 bits
//===----------------------------------------------------------------------===//

Operand fusion::fuzz::emitScales(ModuleText &text, const Value &like,
                                 char letter, double scale, Random &random) {
  Value vector{"", {like.getSize(letter)}, "f32", std::string(1, letter)};
  ArgumentRange range{0.5 * scale, scale};
  if (isPowerOfTwo(scale))
    range.choices = {0.25 * scale, 0.5 * scale, scale};
  return {text.addRandomConstant(vector, range, random), vector.layout};
}

Value fusion::fuzz::emitDequantize(ModuleText &text, const Value &bytes,
                                   const QuantizedType &type, char letter,
                                   Random &random) {
  if (type.isAtRunTime) {
    QuantizedConv numbers;
    numbers.input = type;
    Value extended = emitExtension(text, bytes, type);
    return emitRunTimeScale(text, extended, numbers, random);
  }
  llvm::SmallVector<Operand> vectors;
  if (letter)
    vectors.push_back(emitScales(text, bytes, letter, type.scale, random));
  bool isWide = random.chance(50);
  return emitElementwise(
      text, bytes, "f32", vectors, [&](llvm::ArrayRef<std::string> arguments) {
        BodyWriter body(text);
        std::string value = arguments[0], from = "i8";
        bool isUnsigned = type.isUnsigned;
        if (isWide) {
          from = random.pick({"i32", "i64"});
          value =
              body.convert(isUnsigned ? "extui" : "extsi", value, "i8", from);
          if (type.zeroPoint != 0)
            value =
                body.op("subi", value, body.number(type.zeroPoint, from), from);
          isUnsigned = false;
        }
        value =
            body.convert(isUnsigned ? "uitofp" : "sitofp", value, from, "f32");
        if (type.zeroPoint != 0 && !isWide)
          value =
              body.op("subf", value, body.number(type.zeroPoint, "f32"), "f32");
        return body.op("mulf", value,
                       letter ? arguments[1] : body.number(type.scale, "f32"),
                       "f32");
      });
}

/// `value`, of f32, as an integer of 8 bits: rounded, and the zero point added.
static std::string writeQuantize(BodyWriter &body, std::string value,
                                 const QuantizedConv &quantized,
                                 Random &random) {
  const QuantizedType &type = quantized.result;
  int64_t least = type.getLeast(), most = least + 255;
  std::string zeroPoint = body.number(type.zeroPoint, "f32");
  auto round = [&] {
    if (quantized.rounding == QuantizedRounding::HalfEven)
      return body.unary("math.roundeven", value);
    if (quantized.rounding == QuantizedRounding::Truncate)
      return body.unary("math.trunc", value);
    return body.unary("math.floor",
                      body.op("addf", value, body.number(0.5, "f32"), "f32"));
  };
  // StableHLO adds the zero point first.
  bool addsFirst = random.chance(25);
  if (addsFirst)
    value = body.op("addf", value, zeroPoint, "f32");
  value = round();
  if (!addsFirst && random.chance(30)) {
    // Without these bounds those of the sum may tell that none wraps.
    if (random.chance(50))
      value = body.clamp(value, -(1 << 20), 1 << 20, "f32");
    value = body.convert("fptosi", value, "f32", "i32");
    value = body.op("addi", value, body.number(type.zeroPoint, "i32"), "i32");
    value = body.clamp(value, least, most, "i32");
    return body.convert("trunci", value, "i32", "i8");
  }
  if (!addsFirst)
    value = body.op("addf", value, zeroPoint, "f32");
  value = body.clamp(value, least, most, "f32");
  return body.convert(type.isUnsigned ? "fptoui" : "fptosi", value, "f32",
                      "i8");
}

Value fusion::fuzz::emitQuantize(ModuleText &text, const Value &value,
                                 const QuantizedConv &quantized,
                                 Random &random) {
  return emitElementwise(
      text, value, "i8", {}, [&](llvm::ArrayRef<std::string> arguments) {
        BodyWriter body(text);
        double scale = quantized.result.scale;
        bool divides = random.chance(50);
        std::string scaled =
            body.op(divides ? "divf" : "mulf", arguments[0],
                    body.number(divides ? scale : 1 / scale, "f32"), "f32");
        return writeQuantize(body, scaled, quantized, random);
      });
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

std::string fusion::fuzz::emitIntegerProduct(
    ModuleText &text, const QuantizedConv &quantized,
    llvm::ArrayRef<std::string> arguments, bool isFilterFirst, Random &random) {
  BodyWriter body(text);
  std::string input = arguments[isFilterFirst];
  std::string filter = arguments[!isFilterFirst];
  if (!quantized.isExtended) {
    QuantizedType operand = quantized.getOperand();
    operand.zeroPoint = quantized.getSubtracted();
    input = body.extend(input, operand);
    filter = body.extend(filter, quantized.getFilterOperand());
  }
  if (random.chance(30))
    std::swap(input, filter);
  std::string product = body.op("muli", input, filter, "i32");
  bool isSumFirst = random.chance(50);
  return body.op("addi", isSumFirst ? arguments[2] : product,
                 isSumFirst ? product : arguments[2], "i32");
}

/// The scale of the sum, in steps of the result.
static double getScale(const QuantizedConv &quantized) {
  return quantized.input.scale * quantized.filterScale / quantized.result.scale;
}

/// TOSA's: multiplied by an integer of 31 bits, and shifted with rounding,
/// which is double for large shifts only.
static std::string writeShift(BodyWriter &body, std::string value,
                              const std::string &multiplier, int shift,
                              QuantizedRounding rounding) {
  auto number = [&](int64_t value) { return body.number(value, "i64"); };
  auto zero = body.number(0, "i32");
  std::string sum = body.convert("extsi", value, "i32", "i64");
  sum = body.op("muli", sum, body.convert("extsi", multiplier, "i32", "i64"),
                "i64");
  sum = body.op("addi", sum, number(int64_t(1) << (shift - 1)), "i64");
  if (rounding == QuantizedRounding::Double && shift > 31) {
    std::string isPositive = body.op("cmpi sge,", value, zero, "i32");
    std::string towards = body.select(isPositive, number(int64_t(1) << 30),
                                      number(-(int64_t(1) << 30)), "i64");
    sum = body.op("addi", sum, towards, "i64");
  }
  sum = body.op("shrsi", sum, number(shift), "i64");
  return body.convert("trunci", sum, "i64", "i32");
}

/// A relu, and the bounds of the type.
static std::string writeBounds(BodyWriter &body, std::string value,
                               const QuantizedConv &quantized) {
  const QuantizedType &type = quantized.result;
  int64_t least = type.getLeast();
  value = body.op("addi", value, body.number(type.zeroPoint, "i32"), "i32");
  value = body.clamp(value, quantized.hasRelu ? type.zeroPoint : least,
                     least + 255, "i32");
  return body.convert("trunci", value, "i32", "i8");
}

namespace {
/// A multiplier of 31 bits and a shift that stand for a scale.
struct Rescale {
  double multiplier;
  int shift;

  explicit Rescale(double scale) {
    int exponent;
    multiplier = std::nearbyint(std::ldexp(std::frexp(scale, &exponent), 31));
    if (multiplier == 0x1p31)
      multiplier = 0x1p30, ++exponent;
    shift = 31 - exponent;
  }
};
} // namespace

static Value emitShift(ModuleText &text, const Value &sum, double scale,
                       const QuantizedConv &quantized, Random &random) {
  Rescale rescale(scale);
  llvm::SmallVector<Operand> vectors;
  if (quantized.isPerChannel)
    vectors.push_back(
        {text.addRandomConstant({"", {sum.getSize('c')}, "i32", "c"},
                                {0x1p30, rescale.multiplier + 1}, random),
         "c"});
  return emitElementwise(
      text, sum, "i8", vectors, [&](llvm::ArrayRef<std::string> arguments) {
        BodyWriter body(text);
        std::string factor = quantized.isPerChannel
                                 ? arguments[1]
                                 : body.number(rescale.multiplier, "i32");
        return writeBounds(body,
                           writeShift(body, arguments[0], factor, rescale.shift,
                                      quantized.rounding),
                           quantized);
      });
}

/// torch-mlir's: by way of f32.
static Value emitFloatScale(ModuleText &text, const Value &sum,
                            const QuantizedConv &quantized, Random &random) {
  llvm::SmallVector<Operand> vectors;
  double scale = getScale(quantized);
  if (quantized.isPerChannel)
    vectors.push_back(emitScales(text, sum, 'c', scale, random));
  return emitElementwise(
      text, sum, "i8", vectors, [&](llvm::ArrayRef<std::string> arguments) {
        BodyWriter body(text);
        std::string value = body.convert("sitofp", arguments[0], "i32", "f32");
        value = body.op("mulf", value,
                        quantized.isPerChannel ? arguments[1]
                                               : body.number(scale, "f32"),
                        "f32");
        if (quantized.hasRelu)
          value = body.op("maximumf", value, body.number(0, "f32"), "f32");
        return writeQuantize(body, value, quantized, random);
      });
}

Value fusion::fuzz::emitRequantize(ModuleText &text, const Value &sum,
                                   const QuantizedConv &quantized,
                                   Random &random) {
  Value value = sum;
  if (quantized.addsBias) {
    Operand bias{
        text.addArgument({"", {sum.getSize('c')}, "i32", "c"}, {-4000, 4000}),
        "c"};
    value = emitElementwise(
        text, value, "i32", {bias}, [&](llvm::ArrayRef<std::string> arguments) {
          return BodyWriter(text).op("addi", arguments[0], arguments[1], "i32");
        });
  }
  if (quantized.isDynamic)
    return emitRunTimeScale(text, value, quantized, random);
  if (!quantized.isResultQuantized)
    return value;
  bool isInFloat = quantized.rounding == QuantizedRounding::HalfEven ||
                   quantized.rounding == QuantizedRounding::Truncate;
  return isInFloat
             ? emitFloatScale(text, value, quantized, random)
             : emitShift(text, value, getScale(quantized), quantized, random);
}

//===----------------------------------------------------------------------===//
// Additions behind the result
//===----------------------------------------------------------------------===//

/// TFLite's: `bytes` in i32, in steps of `unit`.
static Value emitRescale(ModuleText &text, const Value &bytes,
                         const QuantizedType &type, double unit) {
  Rescale rescale(type.scale / unit);
  return emitElementwise(
      text, bytes, "i32", {}, [&](llvm::ArrayRef<std::string> arguments) {
        BodyWriter body(text);
        return writeShift(body, body.extend(arguments[0], type),
                          body.number(rescale.multiplier, "i32"), rescale.shift,
                          QuantizedRounding::HalfUp);
      });
}

static Value emitSum(ModuleText &text, const Value &a, const Value &b,
                     llvm::StringRef op) {
  return emitElementwise(text, a, a.element, {{b, b.layout}},
                         [&](llvm::ArrayRef<std::string> arguments) {
                           return BodyWriter(text).op(op, arguments[0],
                                                      arguments[1], a.element);
                         });
}

Value fusion::fuzz::emitAddition(ModuleText &text, const Value &bytes,
                                 const QuantizedConv &quantized,
                                 Random &random) {
  QuantizedConv end = quantized;
  end.result = quantized.sum;
  end.isPerChannel = false;
  end.input = quantized.addend;
  Value addend = text.addArgument(bytes, getByteRange(end, false));
  bool isSwapped = random.chance(50);
  auto add = [&](const Value &a, const Value &b, llvm::StringRef op) {
    return isSwapped ? emitSum(text, b, a, op) : emitSum(text, a, b, op);
  };
  if (quantized.addsDequantized) {
    Value a = emitDequantize(text, bytes, quantized.result, 0, random);
    Value b = emitDequantize(text, addend, quantized.addend, 0, random);
    return emitQuantize(text, add(a, b, "addf"), end, random);
  }
  double unit = std::ldexp(
      std::max(quantized.result.scale, quantized.addend.scale), 1 - 20);
  Value a = emitRescale(text, bytes, quantized.result, unit);
  Value b = emitRescale(text, addend, quantized.addend, unit);
  return emitShift(text, add(a, b, "addi"), unit / quantized.sum.scale, end,
                   random);
}
