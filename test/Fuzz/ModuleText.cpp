//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "ModuleText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <cassert>
#include <cmath>
#include <set>

using namespace fusion::fuzz;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

static std::string formatSize(int64_t size) {
  return Value::isDynamic(size) ? "?" : std::to_string(size);
}

static bool isIndex(const Value &value) { return value.element == "index"; }

bool Value::isStatic() const { return llvm::none_of(shape, isDynamic); }

std::string Value::getType() const {
  if (isIndex(*this))
    return element;
  std::string type = "tensor<";
  for (int64_t size : shape)
    type += formatSize(size) + "x";
  return type + element + ">";
}

llvm::SmallVector<int64_t> Value::getExtents() const {
  return llvm::map_to_vector(shape, getExtent);
}

bool fusion::fuzz::isInterchangeable(const Value &a, const Value &b) {
  return a.shape == b.shape && a.element == b.element;
}

int64_t Value::getSize(char letter) const {
  size_t dim = layout.find(letter);
  assert(dim != std::string::npos && "no such dimension");
  return shape[dim];
}

double ArgumentRange::draw(Random &random) const {
  if (!choices.empty())
    return random.pick(llvm::ArrayRef<double>(choices));
  double value = random.real(low, high);
  return step == 0 ? value : std::nearbyint(value / step) * step;
}

std::string fusion::fuzz::formatNumber(double value, llvm::StringRef element) {
  if (element.starts_with("i"))
    return std::to_string(static_cast<int64_t>(value));
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
  remember(value);
  return value;
}

Value ModuleText::addArgument(Value like, ArgumentRange range) {
  like.name = "%a" + std::to_string(arguments.size());
  arguments.push_back(like);
  data.push_back({like.getExtents(), range, isIndex(like), !like.isStatic()});
  remember(like);
  return like;
}

std::string ModuleText::addIndexArgument(int64_t value) {
  double number = static_cast<double>(value);
  return addArgument({"", {}, "index", ""}, {number, number}).name;
}

std::string ModuleText::addScalarArgument(llvm::StringRef element,
                                          double value) {
  Value tensor = addArgument({"", {}, element.str(), ""}, {0, 0, {value}});
  std::string name = fresh();
  line(name + " = tensor.extract " + tensor.name + "[] : " + tensor.getType());
  return name;
}

bool ModuleText::isFreshArgument(const Value &value) const {
  return !arguments.empty() && arguments.back().name == value.name &&
         body.find(value.name) == std::string::npos &&
         llvm::none_of(results, [&](const Result &result) {
           return result.value.name == value.name;
         });
}

void ModuleText::resizeArgument(const Value &value) {
  size_t index = llvm::find_if(arguments,
                               [&](const Value &argument) {
                                 return argument.name == value.name;
                               }) -
                 arguments.begin();
  arguments[index].shape = value.shape;
  data[index].shape = value.getExtents();
  remember(arguments[index]);
}

std::string ModuleText::nameConstant(const std::string &text) {
  std::string &name = constantNames[text];
  if (name.empty()) {
    name = "%c" + std::to_string(constantNames.size());
    constants += "  " + name + " = arith.constant " + text + "\n";
    constantTexts[name] = text;
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
  return nameConstant(formatNumber(value, element) + " : " + element.str());
}

Value ModuleText::addSplat(Value like, double value) {
  like.name = nameConstant("dense<" + formatNumber(value, like.element) +
                           "> : " + like.getType());
  return like;
}

/// `[[1.0, 2.0], [3.0, 4.0]]`
static std::string formatElements(llvm::ArrayRef<int64_t> shape,
                                  llvm::function_ref<std::string()> next) {
  if (shape.empty())
    return next();
  std::vector<std::string> parts;
  for (int64_t i = 0; i < shape.front(); ++i)
    parts.push_back(formatElements(shape.drop_front(), next));
  return "[" + llvm::join(parts, ", ") + "]";
}

Value ModuleText::addRandomConstant(Value like, ArgumentRange range,
                                    Random &random) {
  auto next = [&] { return formatNumber(range.draw(random), like.element); };
  like.name = nameConstant("dense<" + formatElements(like.shape, next) +
                           "> : " + like.getType());
  return like;
}

//===----------------------------------------------------------------------===//
// Dynamic sizes
//===----------------------------------------------------------------------===//

void ModuleText::setSizeSource(const Value &value) {
  remember(value);
  for (auto [size, letter] : llvm::zip(value.shape, value.layout))
    if (Value::isDynamic(size))
      sizes[letter].source = value, sizes[letter].name.clear();
}

void ModuleText::setSize(char letter, llvm::StringRef name) {
  sizes[letter] = {Value(), name.str()};
}

static std::string formatDim(const Value &value, const std::string &index) {
  return "tensor.dim " + value.name + ", " + index + " : " + value.getType();
}

std::string ModuleText::getSize(char letter) {
  Size &size = sizes[letter];
  if (size.name.empty())
    size.name = define({"", {}, "index", ""},
                       formatDim(size.source,
                                 addIndex(size.source.layout.find(letter))))
                    .name;
  return size.name;
}

std::string ModuleText::getSizeOf(const Value &value, size_t dim) {
  if (!Value::isDynamic(value.shape[dim]))
    return std::to_string(value.shape[dim]);
  return define({"", {}, "index", ""}, formatDim(value, addIndex(dim))).name;
}

std::string ModuleText::formatSizes(const Value &value) {
  std::vector<std::string> names;
  for (auto [size, letter] : llvm::zip(value.shape, value.layout))
    names.push_back(Value::isDynamic(size) ? getSize(letter)
                                           : std::to_string(size));
  return "[" + llvm::join(names, ", ") + "]";
}

std::string ModuleText::listDynamicSizes(const Value &value) {
  std::vector<std::string> names;
  for (auto [size, letter] : llvm::zip(value.shape, value.layout))
    if (Value::isDynamic(size))
      names.push_back(getSize(letter));
  return llvm::join(names, ", ");
}

//===----------------------------------------------------------------------===//
// Passages
//===----------------------------------------------------------------------===//

Passage ModuleText::capture(llvm::function_ref<void()> write) {
  std::string outerBody;
  std::vector<Result> outerResults;
  std::swap(body, outerBody);
  std::swap(results, outerResults);
  std::map<char, Size> outerSizes = sizes;
  write();
  std::swap(body, outerBody);
  std::swap(results, outerResults);
  sizes = std::move(outerSizes);
  return {std::move(outerBody), std::move(outerResults)};
}

void ModuleText::remember(const Value &value) { known[value.name] = value; }

/// The names in the lines, in order: `%v1`, `%v2#1`.
static std::vector<std::string> listNames(llvm::StringRef lines) {
  auto isPart = [](char c) { return llvm::isAlnum(c) || c == '#'; };
  std::vector<std::string> names;
  while (!(lines = lines.drop_until([](char c) { return c == '%'; })).empty()) {
    names.push_back("%" + lines.drop_front().take_while(isPart).str());
    lines = lines.drop_front(names.back().size());
  }
  return names;
}

/// Whether the lines define the value: `%v1 = `, `%v1:2 = ` for `%v1#0`, or
/// `%v1: f32` as the argument of a block.
static bool defines(llvm::StringRef lines, llvm::StringRef name) {
  llvm::StringRef op = name.split('#').first;
  return lines.contains((op + " = ").str()) || lines.contains((op + ":").str());
}

std::vector<Free> ModuleText::findFree(llvm::StringRef lines) const {
  std::vector<Free> result;
  std::set<std::string> seen;
  for (const std::string &name : listNames(lines)) {
    if (!seen.insert(name).second || defines(lines, name))
      continue;
    Free free;
    if (auto value = known.find(name); value != known.end())
      free.value = value->second;
    free.value.name = name;
    if (auto text = constantTexts.find(name); text != constantTexts.end())
      free.constant = text->second;
    result.push_back(free);
  }
  return result;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

Value ModuleText::empty(const Value &like) {
  std::string names = listDynamicSizes(like);
  return define(like, "tensor.empty(" + names + ") : " + like.getType());
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
  remember(result);
  return result;
}

Value ModuleText::reshape(const Value &from, const Value &to,
                          llvm::StringRef reassociation, bool isExpand) {
  std::string shape =
      isExpand ? " output_shape " + formatSizes(to) : std::string();
  return define(to, llvm::Twine("tensor.") +
                        (isExpand ? "expand_shape " : "collapse_shape ") +
                        from.name + " " + reassociation + shape + " : " +
                        from.getType() + " into " + to.getType());
}

std::string ModuleText::finish() {
  std::vector<std::string> typedArguments, names, types;
  for (const Value &argument : arguments)
    typedArguments.push_back(argument.name + ": " + argument.getType());
  for (const Result &result : results) {
    Value value = result.value;
    std::string type = value.getType();
    if (result.reading == Reading::Compute)
      value = define(value, "math.absf " + value.name + " : " + type);
    if (result.reading == Reading::Copy && value.isStatic())
      value = define(value, "linalg.copy ins(" + value.name + " : " + type +
                                ") outs(" + empty(value).name + " : " + type +
                                ") -> " + type);
    names.push_back(value.name);
    types.push_back(type);
  }
  return "func.func @main(" + llvm::join(typedArguments, ", ") + ") -> (" +
         llvm::join(types, ", ") + ") {\n" + constants + body + "  return " +
         llvm::join(names, ", ") + " : " + llvm::join(types, ", ") + "\n}\n" +
         functions;
}
