//===- Network.cpp - A network as a list of primitives --------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Network.h"

#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

using namespace limit;

static void setField(Layer &layer, const std::string &name,
                     const std::string &value) {
  static const std::map<std::string, int64_t Layer::*> numbers{
      {"dst", &Layer::dst},
      {"src", &Layer::src},
      {"residual", &Layer::residual},
      {"n", &Layer::n},
      {"c", &Layer::c},
      {"h", &Layer::h},
      {"w", &Layer::w},
      {"channels", &Layer::channels},
      {"kernel", &Layer::kernel},
      {"stride", &Layer::stride},
      {"pad", &Layer::pad},
      {"end", &Layer::end},
      {"groups", &Layer::groups}};
  if (name == "activation") {
    if (value != "relu" && value != "relu6")
      throw std::invalid_argument(value);
    layer.activation = value;
    return;
  }
  layer.*numbers.at(name) = std::stoll(value);
}

Network limit::readNetwork(const std::string &path) {
  std::ifstream file(path);
  if (!file)
    throw std::runtime_error("cannot read '" + path + "'");
  Network network;
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    std::istringstream words(line);
    Layer layer;
    words >> layer.kind;
    try {
      for (std::string word; words >> word;) {
        size_t equals = word.find('=');
        setField(layer, word.substr(0, equals), word.substr(equals + 1));
      }
    } catch (const std::logic_error &) {
      throw std::runtime_error(path + ":" + std::to_string(number) +
                               ": cannot use '" + line + "'");
    }
    network.push_back(layer);
  }
  if (network.empty() || network.front().kind != "input" ||
      network.back().kind != "output")
    throw std::runtime_error(path + ": expected input first and output last");
  return network;
}

bool limit::isReadAfter(const Network &network, size_t index, int64_t number) {
  for (size_t i = index + 1; i < network.size(); ++i)
    if (network[i].src == number || network[i].residual == number)
      return true;
  return false;
}
