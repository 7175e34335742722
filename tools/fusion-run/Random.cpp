//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Random.h"

#include <cmath>

using namespace fusion;
using namespace fusion::run;

/// The output function of splitmix64.
static uint64_t mix(uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return bits ^ (bits >> 31);
}

static constexpr uint64_t kGolden = 0x9e3779b97f4a7c15u;

void fusion::run::fillRandom(HostTensor &tensor, uint64_t seed, uint64_t stream,
                             Interval range) {
  uint64_t state = mix(mix(seed + kGolden) + (stream + 1) * kGolden);
  double width = range.high - range.low;
  bool isInteger = !isFloat(tensor.getKind());
  for (int64_t i = 0; i < tensor.getNumElements(); ++i) {
    state += kGolden;
    // 24 bits are exact in f32.
    double unit = static_cast<double>(mix(state) >> 40) * 0x1p-24;
    double value = range.low + unit * width;
    tensor.set(i, isInteger ? std::floor(value) : value);
  }
}
