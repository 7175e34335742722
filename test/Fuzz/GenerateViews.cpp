//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Generate.h"

#include "llvm/ADT/StringExtras.h"

using namespace fusion::fuzz;

std::string fusion::fuzz::pickView(const Value &like, char letter,
                                   Random &random) {
  size_t place = like.layout.find(letter);
  if (place == std::string::npos || random.chance(50))
    return std::string(1, letter);
  std::string view(like.layout.size(), '1');
  view[place] = letter;
  return random.chance(30) ? view.substr(place) : view;
}

/// `[[0, 1, 2]]`
static std::string formatOneGroup(size_t rank) {
  std::vector<std::string> dims;
  for (size_t i = 0; i < rank; ++i)
    dims.push_back(std::to_string(i));
  return "[[" + llvm::join(dims, ", ") + "]]";
}

/// Reshapes the vector to the shape of the view, by a reshape that `random`
/// picks.
static Value emitView(ModuleText &text, const Value &vector,
                      const Value &target, Random &random) {
  if (random.chance(65))
    return text.reshape(vector, target, formatOneGroup(target.shape.size()),
                        /*isExpand=*/true);
  Value shape{"", {static_cast<int64_t>(target.shape.size())}, "i64", "s"};
  std::vector<std::string> sizes;
  for (int64_t size : target.shape)
    sizes.push_back(text.addScalarInteger(size));
  shape = text.define(shape, "tensor.from_elements " + llvm::join(sizes, ", ") +
                                 " : " + shape.getType());
  return text.define(target, "tensor.reshape " + vector.name + "(" +
                                 shape.name + ") : (" + vector.getType() +
                                 ", " + shape.getType() + ") -> " +
                                 target.getType());
}

Operand fusion::fuzz::emitVector(ModuleText &text, const Value &like,
                                 char letter, ArgumentRange range,
                                 llvm::StringRef view, Random &random) {
  int64_t size = like.getSize(letter);
  auto make = [&](llvm::StringRef layout) {
    Value vector{"", {}, like.element, layout.str()};
    for (char place : layout)
      vector.shape.push_back(place == letter ? size : 1);
    return random.chance(35) ? text.addRandomConstant(vector, range, random)
                             : text.addArgument(vector, range);
  };
  std::string plain(1, letter);
  if (view == plain && random.chance(12)) {
    // The argument is [1, C, 1, 1], and the vector a view of it.
    std::string full = std::string("1") + letter + "11";
    Value vector = make(full);
    Value target{"", {size}, like.element, plain};
    return {text.reshape(vector, target, formatOneGroup(full.size()),
                         /*isExpand=*/false),
            plain};
  }
  if (view == plain || random.chance(20))
    return {make(view), view.str()};
  Value vector = make(plain);
  Value target{"", {}, like.element, view.str()};
  for (char place : view)
    target.shape.push_back(place == letter ? size : 1);
  return {emitView(text, vector, target, random), view.str()};
}

Value fusion::fuzz::emitTranspose(ModuleText &text, const Value &value,
                                  llvm::StringRef layout, Random &random) {
  if (value.layout == layout)
    return value;
  Value result{"", {}, value.element, layout.str()};
  std::vector<std::string> permutation;
  for (char letter : layout) {
    result.shape.push_back(value.getSize(letter));
    permutation.push_back(std::to_string(value.layout.find(letter)));
  }
  Value out = text.empty(result);
  if (random.chance(30))
    return text.generic(layout, {{value, value.layout}}, {out, layout.str()},
                        [](llvm::ArrayRef<std::string> arguments) {
                          return arguments.front();
                        });
  result.name = text.fresh();
  text.remember(result);
  text.line(result.name + " = linalg.transpose ins(" + value.name + " : " +
            value.getType() + ") outs(" + out.name + " : " + out.getType() +
            ") permutation = [" + llvm::join(permutation, ", ") + "]");
  return result;
}

Value fusion::fuzz::emitDynamicSlice(ModuleText &text, const Value &input,
                                     llvm::StringRef letters) {
  Value whole = input, part = input;
  std::vector<std::string> zeros(input.shape.size(), "0"), sizes,
      ones(input.shape.size(), "1");
  for (size_t i = 0; i < input.shape.size(); ++i)
    if (letters.contains(input.layout[i])) {
      part.shape[i] = Value::hide(part.shape[i]);
      ++whole.shape[i];
    }
  if (text.isFreshArgument(input))
    text.resizeArgument(whole);
  else
    whole = input;
  for (size_t i = 0; i < input.shape.size(); ++i)
    sizes.push_back(letters.contains(input.layout[i])
                        ? text.addIndexArgument(input.shape[i])
                        : text.getSizeOf(whole, i));
  return text.define(
      part, "tensor.extract_slice " + whole.name + "[" +
                llvm::join(zeros, ", ") + "] [" + llvm::join(sizes, ", ") +
                "] [" + llvm::join(ones, ", ") + "] : " + whole.getType() +
                " to " + part.getType());
}
