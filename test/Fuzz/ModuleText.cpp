//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cassert>

using namespace fusion::fuzz;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static std::string formatSize(int64_t size) {
  return size == Value::kDynamic ? "?" : std::to_string(size);
}

bool Value::isStatic() const { return !llvm::is_contained(shape, kDynamic); }

std::string Value::getType() const {
  std::string type = "tensor<";
  for (int64_t size : shape)
    type += formatSize(size) + "x";
  return type + element + ">";
}

int64_t Value::getSize(char letter) const {
  size_t dim = layout.find(letter);
  assert(dim != std::string::npos && "no such dimension");
  return shape[dim];
}

std::string fusion::fuzz::formatFloat(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.9e", value);
  return text;
}

std::string fusion::fuzz::formatMap(size_t numLoops,
                                    llvm::ArrayRef<std::string> results) {
  std::vector<std::string> loops;
  for (size_t i = 0; i < numLoops; ++i)
    loops.push_back("d" + std::to_string(i));
  return "affine_map<(" + llvm::join(loops, ", ") + ") -> (" +
         llvm::join(results, ", ") + ")>";
}

std::string fusion::fuzz::formatMap(llvm::StringRef loops,
                                    llvm::StringRef access) {
  std::vector<std::string> results;
  for (char letter : access)
    results.push_back(letter == '1' ? "0"
                                    : "d" + std::to_string(loops.find(letter)));
  return formatMap(loops.size(), results);
}

//===----------------------------------------------------------------------===//
// Arguments and constants
//===----------------------------------------------------------------------===//

Value ModuleText::define(const Value &like, const llvm::Twine &text) {
  Value value = like;
  value.name = fresh();
  line(value.name + " = " + text);
  return value;
}

Value ModuleText::addArgument(Value like, ArgumentRange range) {
  like.name = "%a" + std::to_string(arguments.size());
  arguments.push_back(like);
  ranges.push_back(range);
  return like;
}

std::string ModuleText::nameConstant(const std::string &text) {
  std::string &name = constantNames[text];
  if (name.empty()) {
    name = "%c" + std::to_string(constantNames.size());
    constants += "  " + name + " = arith.constant " + text + "\n";
  }
  return name;
}

std::string ModuleText::addIndex(int64_t value) {
  return nameConstant(std::to_string(value) + " : index");
}

std::string ModuleText::addScalarInteger(int64_t value) {
  return nameConstant(std::to_string(value) + " : i64");
}

std::string ModuleText::addScalar(double value, llvm::StringRef element) {
  return nameConstant(formatFloat(value) + " : " + element.str());
}

Value ModuleText::addSplat(Value like, double value) {
  like.name =
      nameConstant("dense<" + formatFloat(value) + "> : " + like.getType());
  return like;
}

/// `[[1.0, 2.0], [3.0, 4.0]]`
static std::string formatElements(llvm::ArrayRef<int64_t> shape,
                                  llvm::function_ref<double()> next) {
  if (shape.empty())
    return formatFloat(next());
  std::vector<std::string> parts;
  for (int64_t i = 0; i < shape.front(); ++i)
    parts.push_back(formatElements(shape.drop_front(), next));
  return "[" + llvm::join(parts, ", ") + "]";
}

Value ModuleText::addRandomConstant(Value like, ArgumentRange range,
                                    Random &random) {
  auto next = [&] { return random.real(range.low, range.high); };
  like.name = nameConstant("dense<" + formatElements(like.shape, next) +
                           "> : " + like.getType());
  return like;
}

//===----------------------------------------------------------------------===//
// Dynamic sizes
//===----------------------------------------------------------------------===//

std::string ModuleText::getBatchSize() {
  std::string &name = batchSizes[batchSource.name];
  if (name.empty()) {
    name = fresh();
    line(name + " = tensor.dim " + batchSource.name + ", " +
         addIndex(batchSource.layout.find('n')) + " : " +
         batchSource.getType());
  }
  return name;
}

std::string ModuleText::formatSizes(llvm::ArrayRef<int64_t> shape) {
  std::vector<std::string> sizes;
  for (int64_t size : shape)
    sizes.push_back(size == Value::kDynamic ? getBatchSize()
                                            : std::to_string(size));
  return "[" + llvm::join(sizes, ", ") + "]";
}

std::string ModuleText::listDynamicSizes(const Value &value) {
  return value.isStatic() ? "" : getBatchSize();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

Value ModuleText::empty(const Value &like) {
  std::string sizes = listDynamicSizes(like);
  return define(like, "tensor.empty(" + sizes + ") : " + like.getType());
}

Value ModuleText::fill(const Value &like, double value) {
  Value out = empty(like);
  std::string scalar = addScalar(value, like.element);
  return define(like, "linalg.fill ins(" + scalar + " : " + like.element +
                          ") outs(" + out.name + " : " + out.getType() +
                          ") -> " + out.getType());
}

/// `ins(%a, %b : t, u)`
static std::string formatOperands(llvm::StringRef keyword,
                                  llvm::ArrayRef<Operand> operands) {
  std::vector<std::string> names, types;
  for (const Operand &operand : operands) {
    names.push_back(operand.value.name);
    types.push_back(operand.value.getType());
  }
  return (keyword + "(" + llvm::join(names, ", ") + " : " +
          llvm::join(types, ", ") + ")")
      .str();
}

static std::string formatIterators(llvm::StringRef loops,
                                   llvm::StringRef iterators) {
  std::vector<std::string> names;
  for (size_t i = 0; i < loops.size(); ++i)
    names.push_back(!iterators.empty() && iterators[i] == 'r' ? "\"reduction\""
                                                              : "\"parallel\"");
  return "[" + llvm::join(names, ", ") + "]";
}

Value ModuleText::generic(llvm::StringRef loops, llvm::ArrayRef<Operand> inputs,
                          const Operand &output, BodyFn makeBody,
                          llvm::StringRef iterators) {
  std::vector<std::string> maps, arguments, typed;
  auto addOperand = [&](const Operand &operand) {
    // A map that is written out already.
    llvm::StringRef access = operand.access;
    maps.push_back(access.starts_with("affine_map") ? operand.access
                                                    : formatMap(loops, access));
    arguments.push_back(fresh());
    typed.push_back(arguments.back() + ": " + operand.value.element);
  };
  for (const Operand &input : inputs)
    addOperand(input);
  addOperand(output);

  Value result = output.value;
  result.name = fresh();
  std::string ins = inputs.empty() ? "" : formatOperands(" ins", inputs);
  line(result.name + " = linalg.generic {indexing_maps = [" +
       llvm::join(maps, ", ") +
       "], iterator_types = " + formatIterators(loops, iterators) + "}" + ins +
       " " + formatOperands("outs", output) + " {");
  line("^bb0(" + llvm::join(typed, ", ") + "):");
  std::string yielded = makeBody(arguments);
  line("  linalg.yield " + yielded + " : " + result.element);
  line("} -> " + result.getType());
  return result;
}

Value ModuleText::reshape(const Value &from, const Value &to,
                          llvm::StringRef reassociation, bool isExpand) {
  std::string sizes =
      isExpand ? " output_shape " + formatSizes(to.shape) : std::string();
  return define(to, llvm::Twine("tensor.") +
                        (isExpand ? "expand_shape " : "collapse_shape ") +
                        from.name + " " + reassociation + sizes + " : " +
                        from.getType() + " into " + to.getType());
}

std::string ModuleText::str() const {
  std::vector<std::string> typedArguments, names, types;
  for (const Value &argument : arguments)
    typedArguments.push_back(argument.name + ": " + argument.getType());
  for (const Value &result : results) {
    names.push_back(result.name);
    types.push_back(result.getType());
  }
  return "func.func @main(" + llvm::join(typedArguments, ", ") + ") -> (" +
         llvm::join(types, ", ") + ") {\n" + constants + body + "  return " +
         llvm::join(names, ", ") + " : " + llvm::join(types, ", ") + "\n}\n";
}
