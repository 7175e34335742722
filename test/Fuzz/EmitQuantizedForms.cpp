//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Forms in which quantised operands and results come.

#include "BodyWriter.h"
#include "Letters.h"
#include "Quantized.h"

using namespace fusion::fuzz;

/// A number that only a call knows.
static Operand addNumber(ModuleText &text, const char *element, double value) {
  return {text.addArgument({"", {}, element, ""}, {0, 0, {value}}), ""};
}

Value fusion::fuzz::emitExtension(ModuleText &text, const Value &bytes,
                                  const QuantizedType &type) {
  llvm::SmallVector<Operand> zeroPoint;
  if (type.isAtRunTime)
    zeroPoint.push_back(addNumber(
        text, "i8", static_cast<double>(static_cast<int8_t>(type.zeroPoint))));
  return emitElementwise(text, bytes, "i32", zeroPoint,
                         [&](llvm::ArrayRef<std::string> arguments) {
                           BodyWriter body(text);
                           return type.isAtRunTime
                                      ? body.extend(arguments[0], arguments[1],
                                                    type.isUnsigned)
                                      : body.extend(arguments[0], type);
                         });
}

Value fusion::fuzz::emitRunTimeScale(ModuleText &text, const Value &sum,
                                     const QuantizedConv &quantized,
                                     Random &random) {
  llvm::SmallVector<Operand> scales = {
      addNumber(text, "f32", quantized.input.scale)};
  if (quantized.isPerChannel)
    scales.push_back(emitScales(text, sum, 'c', quantized.filterScale, random));
  bool multipliesFirst = random.chance(60);
  return emitElementwise(
      text, sum, "f32", scales, [&](llvm::ArrayRef<std::string> arguments) {
        BodyWriter body(text);
        std::string value = body.convert("sitofp", arguments[0], "i32", "f32");
        std::string factor = quantized.isPerChannel
                                 ? arguments[2]
                                 : body.number(quantized.filterScale, "f32");
        if (multipliesFirst)
          factor = body.op("mulf", arguments[1], factor, "f32");
        else
          value = body.op("mulf", value, arguments[1], "f32");
        return body.op("mulf", value, factor, "f32");
      });
}

Value fusion::fuzz::emitOperandForm(ModuleText &text, const Value &bytes,
                                    const QuantizedConv &quantized,
                                    Random &random) {
  Value value = bytes;
  QuantizedType type = quantized.input;
  BodyWriter body(text);
  if (quantized.movesSign) {
    const char *move = random.pick({"addi", "subi", "xori"});
    value = emitElementwise(
        text, value, "i8", {}, [&](llvm::ArrayRef<std::string> arguments) {
          return body.op(move, arguments[0], body.number(-128, "i8"), "i8");
        });
    type.zeroPoint -= 128;
    type.isUnsigned = false;
  }
  if (quantized.hasIdleBounds)
    value = emitElementwise(
        text, value, "i8", {}, [&](llvm::ArrayRef<std::string> arguments) {
          return body.clampByte(arguments[0], type.isUnsigned);
        });
  if (!quantized.isExtended)
    return value;
  type.zeroPoint -= quantized.getOperand().zeroPoint;
  type.isAtRunTime = quantized.isDynamic;
  return emitExtension(text, value, type);
}

/// The sums of `filter`, of i32, for each output channel.
static Value emitFilterSums(ModuleText &text, const Value &filter,
                            Random &random) {
  std::string channels, iterators, dims;
  for (char letter : filter.layout)
    iterators += letter == 'g' || letter == 'f' ? 'p' : 'r';
  for (char letter : {'g', 'f'})
    if (llvm::StringRef(filter.layout).contains(letter))
      channels += letter;
  Value sums{"", {}, "i32", channels};
  for (char letter : channels)
    sums.shape.push_back(filter.getSize(letter));
  sums = text.generic(
      filter.layout, {{filter, filter.layout}}, {text.fill(sums, 0), channels},
      [&](llvm::ArrayRef<std::string> arguments) {
        bool isSumFirst = random.chance(50);
        return BodyWriter(text).op("addi", arguments[isSumFirst],
                                   arguments[!isSumFirst], "i32");
      },
      iterators);
  Value flat = makeFlat(sums);
  return sums.shape.size() == 1
             ? Value{sums.name, sums.shape, "i32", "c"}
             : text.reshape(sums, flat, formatGroups(channels),
                            /*isExpand=*/false);
}

Value fusion::fuzz::emitCorrection(ModuleText &text, const Value &sum,
                                   const Value &filter,
                                   const QuantizedConv &quantized,
                                   Random &random) {
  Value wide = quantized.isExtended ? filter : emitExtension(text, filter, {});
  Value sums = emitFilterSums(text, wide, random);
  auto zeroPoint = static_cast<double>(quantized.getOperand().zeroPoint);
  std::string number = quantized.hasRunTimeZeroPoint
                           ? text.addScalarArgument("i32", zeroPoint)
                           : text.addScalar(zeroPoint, "i32");
  BodyWriter body(text);
  Value products = emitElementwise(
      text, sums, "i32", {}, [&](llvm::ArrayRef<std::string> arguments) {
        return body.op("muli", arguments[0], number, "i32");
      });
  bool negates = random.chance(30);
  return emitElementwise(
      text, sum, "i32", {{products, "c"}},
      [&](llvm::ArrayRef<std::string> arguments) {
        if (!negates)
          return body.op("subi", arguments[0], arguments[1], "i32");
        std::string negated =
            body.op("subi", body.number(0, "i32"), arguments[1], "i32");
        return body.op("addi", arguments[0], negated, "i32");
      });
}
