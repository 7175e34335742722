//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SurroundingEmitter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include <algorithm>

using namespace fusion::fuzz;

/// Makes a name for an argument: that of one of several results is not valid
/// there.
static std::string makePlain(std::string name) {
  std::replace(name.begin(), name.end(), '#', 'r');
  return name;
}

static bool isTensor(const Value &value) { return !value.shape.empty(); }

/// Pads the last dimension by one element.
static Value padByOne(ModuleText &text, const Value &value) {
  Value padded = value;
  padded.shape.back() = Value::grow(padded.shape.back(), 1);
  std::string low, high, arguments;
  for (size_t i = 0; i < value.shape.size(); ++i) {
    bool isLast = i + 1 == value.shape.size();
    low += i ? ", 0" : "0";
    high += std::string(i ? ", " : "") + (isLast ? "1" : "0");
    arguments += (i ? ", " : "") + text.fresh() + ": index";
  }
  std::string scalar = text.addScalar(0.5, value.element);
  padded = text.define(padded, "tensor.pad " + value.name + " low[" + low +
                                   "] high[" + high + "] {");
  text.line("^bb0(" + arguments + "):");
  text.line("  tensor.yield " + scalar + " : " + value.element);
  text.line("} : " + value.getType() + " to " + padded.getType());
  return padded;
}

/// A value that the function uses. Some tensors are passed as a slice of
/// dynamic size of a larger one.
SurroundingEmitter::Parameter
SurroundingEmitter::makeParameter(const Free &free) {
  const Value &value = free.value;
  std::string name = makePlain(value.name);
  Parameter parameter{free, value, name, ""};
  if (!isTensor(value) || random.chance(60))
    return parameter;
  Window window;
  window.whole = padByOne(text, value);
  window.offsets.assign(value.shape.size(), 0);
  window.steps.assign(value.shape.size(), 1);
  parameter.passed = extract(window, value, value, /*isDynamic=*/true, random);
  if (isInterchangeable(parameter.passed, value))
    return parameter;
  parameter.name = name + "d";
  parameter.prologue = "  " + name + " = tensor.cast " + parameter.name +
                       " : " + parameter.passed.getType() + " to " +
                       value.getType() + "\n";
  return parameter;
}

/// Renames results of ops with several results in lines that get them as
/// arguments.
static std::string renameFree(std::string lines, std::vector<Free> frees) {
  // The longest name first: one name may be the beginning of another.
  llvm::sort(frees, [](const Free &a, const Free &b) {
    return a.value.name.size() > b.value.name.size();
  });
  for (const Free &free : frees) {
    std::string plain = makePlain(free.value.name);
    if (plain == free.value.name)
      continue;
    for (size_t i = lines.find(free.value.name); i != std::string::npos;
         i = lines.find(free.value.name, i + plain.size()))
      lines.replace(i, plain.size(), plain);
  }
  return lines;
}

Surrounded SurroundingEmitter::runCall() {
  std::string name = text.freshFunction();
  Block block = writeBlock(start);
  std::string types = joinTypes(block.yields);
  std::string lines = block.lines + "  return " + joinNames(block.yields) +
                      " : " + types + "\n";
  std::vector<Free> frees = text.findFree(lines);

  std::string constants, prologues;
  std::vector<std::string> typed;
  std::vector<Value> passed;
  for (const Free &free : frees) {
    if (!free.constant.empty()) {
      constants +=
          "  " + free.value.name + " = arith.constant " + free.constant + "\n";
      continue;
    }
    if (free.value.element.empty())
      llvm::report_fatal_error(
          llvm::Twine("the generator does not know the type of ") +
          free.value.name + " in\n" + lines);
    Parameter parameter = makeParameter(free);
    typed.push_back(parameter.name + ": " + parameter.passed.getType());
    passed.push_back(parameter.passed);
    prologues += parameter.prologue;
  }
  text.addFunction(
      "func.func " + llvm::Twine(random.chance(75) ? "private " : "") + "@" +
      name + "(" + llvm::join(typed, ", ") + ") -> (" + types + ") {\n" +
      constants + prologues + renameFree(lines, frees) + "}\n");

  std::vector<Value> results;
  for (int64_t count = random.chance(15) ? 2 : 1; count > 0; --count) {
    std::vector<Value> again = std::move(results);
    results.clear();
    std::string names = nameResults(block.yields, results);
    text.line(names + " = func.call @" + name + "(" + joinNames(passed) +
              ") : (" + joinTypes(passed) + ") -> (" + types + ")");
    if (!again.empty()) {
      text.remember(again.front());
      text.addResult(again.front());
    }
  }
  return finish(block, results);
}
