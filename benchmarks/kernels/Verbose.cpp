//===- Verbose.cpp - Primitives in oneDNN's own words ---------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Verbose.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <stdexcept>
#include <utility>

using namespace kernels;
using dnnl::memory;
using Dims = memory::dims;

std::vector<std::string> kernels::split(const std::string &text,
                                        char separator) {
  std::vector<std::string> parts(1);
  for (char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

static memory::data_type readType(const std::string &name) {
  static const std::map<std::string, memory::data_type> types{
      {"f32", memory::data_type::f32}, {"bf16", memory::data_type::bf16},
      {"f16", memory::data_type::f16}, {"s8", memory::data_type::s8},
      {"u8", memory::data_type::u8},   {"s32", memory::data_type::s32}};
  auto type = types.find(name);
  if (type == types.end())
    throw std::invalid_argument("type " + name);
  return type->second;
}

std::string Execution::key() const {
  std::string key = kind + "," + postOps + "," + problem;
  for (const auto &[operand, tag] : tags)
    key += "," + operand + std::to_string(int(types.at(operand))) + tag;
  return key;
}

std::optional<Execution> kernels::readExecution(const std::string &line) {
  constexpr const char *begin = ",exec,cpu,";
  size_t at = line.find(begin);
  if (at == std::string::npos)
    return std::nullopt;
  // kind, implementation, propagation, operands, attributes, algorithm,
  // problem, time.
  std::vector<std::string> fields =
      split(line.substr(at + std::string(begin).size()), ',');
  if (fields[0] != "convolution" && fields[0] != "matmul")
    return std::nullopt;
  if (fields.size() != 8)
    throw std::invalid_argument(line);
  Execution result{fields[0], fields[1], {}, {}, {}, fields[6]};
  for (const std::string &operand : split(fields[3], ' ')) {
    // src_f32::blocked:acdb:f0, or with oneDNN 3.7 src:f32::blocked:acdb::f0.
    std::vector<std::string> parts = split(operand, ':');
    if (parts[0].size() > 4)
      parts.insert(parts.begin() + 1, parts[0].substr(4));
    if (parts.size() < 5)
      throw std::invalid_argument(line);
    std::string name = parts[0].substr(0, 3);
    if (parts[1] == "undef") // an operand that is not there
      continue;
    result.types[name] = readType(parts[1]);
    result.tags[name] = parts[4];
  }
  for (const std::string &attribute : split(fields[4], ' '))
    if (attribute.starts_with("attr-post-ops:"))
      result.postOps = attribute.substr(attribute.find(':') + 1);
  return result;
}

/// A dense tensor whose dimensions lie in memory in the order of the letters of
/// `tag`; in any layout if that has blocks.
static memory::desc inOrder(const Dims &sizes, memory::data_type type,
                            const std::string &tag) {
  if (tag.size() != sizes.size() ||
      !std::all_of(tag.begin(), tag.end(),
                   [](unsigned char c) { return std::islower(c); }))
    return {sizes, type, memory::format_tag::any};
  Dims strides(sizes.size());
  int64_t stride = 1;
  for (auto letter = tag.rbegin(); letter != tag.rend(); ++letter) {
    strides[size_t(*letter - 'a')] = stride;
    stride *= sizes[size_t(*letter - 'a')];
  }
  return {sizes, type, strides};
}

/// The numbers of "mb1_ic64oc64_ih56oh56kh3", by their names.
static std::map<std::string, int64_t> readNumbers(const std::string &problem) {
  std::map<std::string, int64_t> numbers;
  std::string name;
  for (size_t i = 0; i < problem.size();) {
    if (!std::isdigit(static_cast<unsigned char>(problem[i]))) {
      if (problem[i] != '_')
        name += problem[i];
      ++i;
      continue;
    }
    int64_t number = 0;
    const char *begin = problem.data() + i;
    auto [end, error] =
        std::from_chars(begin, problem.data() + problem.size(), number);
    if (error != std::errc())
      throw std::invalid_argument(problem);
    numbers[std::exchange(name, "")] = number;
    i += size_t(end - begin);
  }
  return numbers;
}

static Operands describeConvolution(const Execution &execution) {
  std::map<std::string, int64_t> numbers = readNumbers(execution.problem);
  Operands result;
  int64_t groups = numbers.count("g") ? numbers["g"] : 1;
  int64_t in = numbers.at("ic"), out = numbers.at("oc");
  Dims src{numbers.at("mb"), in}, dst{numbers.at("mb"), out};
  Dims weights =
      groups == 1 ? Dims{out, in} : Dims{groups, out / groups, in / groups};
  for (const char *dim : {"d", "h", "w"}) {
    auto number = [&, dim](const char *what) {
      return numbers.at(what + std::string(dim));
    };
    if (!numbers.count(std::string("i") + dim))
      continue;
    int64_t size = number("i"), kernel = number("k"), stride = number("s");
    int64_t reach =
        (number("o") - 1) * stride + (kernel - 1) * (number("d") + 1);
    src.push_back(size);
    dst.push_back(number("o"));
    weights.push_back(kernel);
    result.strides.push_back(stride);
    result.dilations.push_back(number("d"));
    result.padLow.push_back(number("p"));
    result.padHigh.push_back(reach + 1 - size - number("p"));
  }
  const auto &types = execution.types;
  result.src = inOrder(src, types.at("src"), execution.tags.at("src"));
  result.dst = inOrder(dst, types.at("dst"), execution.tags.at("dst"));
  result.weights = {weights, types.at("wei"), memory::format_tag::any};
  result.hasBias = types.count("bia");
  if (result.hasBias)
    result.bias = {{out}, types.at("bia"), memory::format_tag::x};
  return result;
}

/// The sizes of src, weights and dst of "6x24:24x8:6x8". oneDNN 3 leaves dst
/// out. A batch of 1 is broadcast.
static std::vector<Dims> readMatmulSizes(const std::string &problem) {
  std::vector<Dims> sizes;
  for (const std::string &operand : split(problem, ':')) {
    sizes.emplace_back();
    for (const std::string &size : split(operand, 'x'))
      sizes.back().push_back(std::stoll(size));
  }
  if (sizes.size() < 2 || sizes[0].size() != sizes[1].size())
    throw std::invalid_argument(problem);
  if (sizes.size() == 2) {
    Dims dst = sizes[0];
    std::transform(dst.begin(), dst.end(), sizes[1].begin(), dst.begin(),
                   [](int64_t a, int64_t b) { return std::max(a, b); });
    dst[dst.size() - 2] = sizes[0][dst.size() - 2];
    dst.back() = sizes[1].back();
    sizes.push_back(dst);
  }
  return sizes;
}

static Operands describeMatmul(const Execution &execution) {
  std::vector<Dims> sizes = readMatmulSizes(execution.problem);
  const auto &types = execution.types;
  Operands result;
  result.src = inOrder(sizes.at(0), types.at("src"), execution.tags.at("src"));
  result.weights =
      inOrder(sizes.at(1), types.at("wei"), execution.tags.at("wei"));
  result.dst = inOrder(sizes.at(2), types.at("dst"), execution.tags.at("dst"));
  result.hasBias = types.count("bia");
  if (result.hasBias) {
    Dims bias(sizes[2].size(), 1);
    bias.back() = sizes[2].back();
    result.bias =
        inOrder(bias, types.at("bia"), std::string("abcdef", bias.size()));
  }
  return result;
}

Operands kernels::describe(const Execution &execution) {
  return execution.kind == "matmul" ? describeMatmul(execution)
                                    : describeConvolution(execution);
}
