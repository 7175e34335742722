//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Letters.h"

#include "llvm/ADT/StringExtras.h"

using namespace fusion::fuzz;

std::string fusion::fuzz::shuffle(llvm::StringRef letters, llvm::StringRef pair,
                                  Random &random) {
  std::string result = letters.str();
  size_t place = result.find(pair);
  bool isPaired = pair.size() == 2 && place != std::string::npos;
  if (isPaired)
    result.erase(place, 1);
  for (size_t i = result.size(); i-- > 1;)
    std::swap(result[i], result[random.below(i + 1)]);
  if (isPaired)
    result.insert(result.find(pair[1]), 1, pair[0]);
  return result;
}

std::string fusion::fuzz::flatten(llvm::StringRef letters) {
  std::string result;
  for (char letter : letters) {
    if (letter == 'g' && (llvm::StringRef(letters).contains('c') ||
                          llvm::StringRef(letters).contains('f')))
      continue;
    result += letter == 'g' || letter == 'f' ? 'c' : letter;
  }
  return result;
}

Value fusion::fuzz::makeFlat(const Value &value) {
  Value flat = value;
  flat.layout = flatten(value.layout);
  if (flat.layout.size() == value.layout.size())
    return flat;
  size_t place = value.layout.find('g');
  flat.shape[place + 1] *= flat.shape[place];
  flat.shape.erase(flat.shape.begin() + place);
  return flat;
}

std::string fusion::fuzz::formatGroups(llvm::StringRef letters) {
  std::vector<std::string> groups;
  for (size_t i = 0; i < letters.size(); ++i) {
    bool isPair = letters[i] == 'g' && i + 1 < letters.size() &&
                  (letters[i + 1] == 'c' || letters[i + 1] == 'f');
    groups.push_back("[" + std::to_string(i) +
                     (isPair ? ", " + std::to_string(i + 1) : "") + "]");
    i += isPair;
  }
  return "[" + llvm::join(groups, ", ") + "]";
}

std::string fusion::fuzz::formatInputMap(llvm::StringRef loops,
                                         llvm::StringRef letters,
                                         const Geometry &geometry,
                                         Random &random) {
  std::vector<std::string> results;
  auto term = [&](char letter, int64_t factor) {
    std::string loop = "d" + std::to_string(loops.find(letter));
    return factor == 1 ? loop : loop + " * " + std::to_string(factor);
  };
  for (char letter : letters) {
    size_t dim = llvm::StringRef("dhw").find(letter);
    if (dim == llvm::StringRef::npos) {
      results.push_back(term(letter, 1));
      continue;
    }
    std::string outer = term(letter, geometry.stride[dim]);
    std::string inner = term(llvm::toUpper(letter), geometry.dilation[dim]);
    if (random.chance(30))
      std::swap(outer, inner);
    results.push_back(outer + " + " + inner);
  }
  return formatMap(loops.size(), results);
}
