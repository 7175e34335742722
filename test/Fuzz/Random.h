//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TEST_FUZZ_RANDOM_H
#define FUSION_TEST_FUZZ_RANDOM_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <initializer_list>

namespace fusion::fuzz {

/// A stream of numbers that depends only on a seed, on every machine
/// (splitmix64). The distributions of the standard library differ between
/// implementations.
class Random {
public:
  explicit Random(uint64_t seed) : state(mix(seed + kGolden)) {}

  uint64_t next() {
    state += kGolden;
    return mix(state);
  }
  /// 0 to `count` - 1.
  int64_t below(int64_t count) {
    return static_cast<int64_t>(next() % static_cast<uint64_t>(count));
  }
  /// `low` to `high`, both included.
  int64_t between(int64_t low, int64_t high) {
    return low + below(high - low + 1);
  }
  bool chance(int percent) { return below(100) < percent; }
  /// 24 bits are exact in f32.
  double real(double low, double high) {
    return low + static_cast<double>(next() >> 40) * 0x1p-24 * (high - low);
  }
  template <typename T> T pick(std::initializer_list<T> items) {
    return items.begin()[below(static_cast<int64_t>(items.size()))];
  }
  template <typename T> T pick(llvm::ArrayRef<T> items) {
    return items[below(static_cast<int64_t>(items.size()))];
  }

private:
  static constexpr uint64_t kGolden = 0x9e3779b97f4a7c15u;
  static uint64_t mix(uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
  }

  uint64_t state;
};

} // namespace fusion::fuzz

#endif // FUSION_TEST_FUZZ_RANDOM_H
