//===- Widen.cpp - From 8 bits to f32 -------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Widen.h"

#include "VectorLoops.h"

#include <algorithm>

using namespace fusion::runtime;

/// Reads each block of integers before it is overwritten.
template <typename Integer>
FUSION_INLINED static void widenOver(const void *fromData, int64_t count,
                                     int32_t zeroPoint, float *to) {
  constexpr int64_t blockSize = 256;
  const auto *from = static_cast<const Integer *>(fromData);
  Integer block[blockSize];
  for (int64_t begin = 0; begin < count; begin += blockSize) {
    int64_t size = std::min(blockSize, count - begin);
    std::copy_n(from + begin, size, block);
    for (int64_t i = 0; i < size; ++i)
      to[begin + i] = float(block[i] - zeroPoint);
  }
}

template <typename Integer>
FUSION_WITH_AVX512 static void widenWithAvx512(const void *from, int64_t count,
                                               int32_t zeroPoint, float *to) {
  widenOver<Integer>(from, count, zeroPoint, to);
}

template <typename Integer>
FUSION_WITH_AVX2 static void widenWithAvx2(const void *from, int64_t count,
                                           int32_t zeroPoint, float *to) {
  widenOver<Integer>(from, count, zeroPoint, to);
}

template <typename Integer>
static void widenAnywhere(const void *from, int64_t count, int32_t zeroPoint,
                          float *to) {
  widenOver<Integer>(from, count, zeroPoint, to);
}

template <typename Integer> static auto *widenOnThisCpu() {
  return forThisCpu(widenWithAvx512<Integer>, widenWithAvx2<Integer>,
                    widenAnywhere<Integer>);
}

void fusion::runtime::widen(fusion_rt_type type, const void *from,
                            int64_t count, int32_t zeroPoint, float *to) {
  auto *run = type == FUSION_RT_TYPE_S8 ? widenOnThisCpu<int8_t>()
                                        : widenOnThisCpu<uint8_t>();
  run(from, count, zeroPoint, to);
}
