//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CommandLine.h"

#include <cmath>

using namespace fusion;
using namespace fusion::run;
using llvm::createStringError;
using llvm::SmallVector;
using llvm::StringRef;
using llvm::Twine;

StringRef fusion::run::getName(Precision precision) {
  switch (precision) {
  case Precision::F32:
    return "f32";
  case Precision::BF16:
    return "bf16";
  case Precision::F16:
    return "f16";
  }
  llvm_unreachable("a precision that is none");
}

static llvm::Error givenTwice(StringRef option, unsigned index) {
  return createStringError(option + " is given twice for argument " +
                           Twine(index));
}

/// "ARG:LO:HI"
static llvm::Error parseRange(StringRef text, Options &options) {
  SmallVector<StringRef> parts;
  text.split(parts, ':');
  unsigned index;
  Interval range;
  if (parts.size() != 3 || parts[0].getAsInteger(10, index) ||
      parts[1].getAsDouble(range.low) || parts[2].getAsDouble(range.high))
    return createStringError(
        "--random expects ARG:LOW:HIGH, for instance 0:-1:1, got '" + text +
        "'");
  if (!(range.low <= range.high) || !std::isfinite(range.high - range.low))
    return createStringError(
        "--random expects LOW <= HIGH, both finite, got '" + text + "'");
  if (!options.ranges.insert({index, range}).second)
    return givenTwice("--random", index);
  return llvm::Error::success();
}

/// "ARG:1x3x224x224"
static llvm::Error parseShape(StringRef text, Options &options) {
  auto [indexText, shapeText] = text.split(':');
  unsigned index;
  SmallVector<int64_t> shape;
  bool isBad = indexText.getAsInteger(10, index);
  for (StringRef part : llvm::split(shapeText, 'x'))
    isBad |= part.getAsInteger(10, shape.emplace_back()) || shape.back() < 0;
  if (isBad)
    return createStringError(
        "--shape expects ARG:SIZExSIZE, for instance 0:1x3x224x224, got '" +
        text + "'");
  if (!options.shapes.insert({index, shape}).second)
    return givenTwice("--shape", index);
  return llvm::Error::success();
}

static llvm::Error badIndexList(StringRef text) {
  return createStringError("--constant-args expects indices and ranges, for "
                           "instance 1,3-5,7-, got '" +
                           text + "'");
}

llvm::Expected<SmallVector<unsigned>>
fusion::run::parseIndexList(StringRef text, unsigned numArguments) {
  SmallVector<unsigned> indices;
  for (StringRef part : llvm::split(text, ',')) {
    auto [first, last] = part.split('-');
    bool isRange = part.contains('-');
    unsigned begin, end;
    if (first.getAsInteger(10, begin))
      return badIndexList(text);
    end = begin;
    if (isRange && last.empty())
      end = std::max(begin, numArguments) - 1;
    else if (isRange && last.getAsInteger(10, end))
      return badIndexList(text);
    if (begin >= numArguments || end >= numArguments || end < begin)
      return createStringError("--constant-args: '" + part +
                               "' names no arguments, the function has " +
                               Twine(numArguments));
    for (unsigned index = begin; index <= end; ++index)
      indices.push_back(index);
  }
  return indices;
}

static llvm::Error readTolerances(const CommandLine &line, Options &options) {
  options.verify = line.verify.getNumOccurrences() > 0;
  options.absoluteTolerance = line.atol;
  if (line.rtol.getNumOccurrences())
    options.relativeTolerance = line.rtol;
  if (line.lsb.getNumOccurrences())
    options.integerTolerance = line.lsb;
  if (!line.verify.empty()) {
    double tolerance;
    if (StringRef(line.verify).getAsDouble(tolerance))
      return createStringError(
          "--verify expects a relative tolerance, for instance 1e-4, got '" +
          line.verify + "'");
    options.relativeTolerance = tolerance;
  }
  for (double number :
       {options.relativeTolerance.value_or(0), options.absoluteTolerance})
    if (!(number >= 0) || !std::isfinite(number))
      return createStringError("tolerances must be finite and not negative");
  return llvm::Error::success();
}

llvm::Error fusion::run::readValues(const CommandLine &line, Options &options) {
  for (const std::string &text : line.bind) {
    llvm::Expected<ParamBinding> binding = parseParamBinding(text);
    if (!binding)
      return createStringError("--bind: " +
                               llvm::toString(binding.takeError()));
    options.bindings.push_back(std::move(*binding));
  }
  for (const std::string &text : line.random)
    if (llvm::Error error = parseRange(text, options))
      return error;
  for (const std::string &text : line.shape)
    if (llvm::Error error = parseShape(text, options))
      return error;
  return readTolerances(line, options);
}
