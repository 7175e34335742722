//===- Swish.cpp - Swish behind a kernel ----------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Swish.h"

#include "VectorLoops.h"

#include <algorithm>
#include <cstring>

using namespace fusion::runtime;

/// 1 + e^z, infinite from z = 88.4 on. With n the integer next to z / ln 2, e^z
/// is 2^n times a polynomial of z - n ln 2: the one of degree 5 with the least
/// relative error, 1.4e-7, on [-ln 2 / 2, ln 2 / 2] (Lawson's algorithm).
static FUSION_INLINED float onePlusExp(float z) {
  z = std::min(std::max(z, -87.0f), 89.0f);
  // Adding 1.5 * 2^23 rounds to an integer, which then is in the last bits.
  // With 127 more these are the exponent of 2^n.
  constexpr float shift = 12582912.0f + 127;
  const float shifted = z * 1.44269504f + shift;
  const float r = z - (shifted - shift) * 0.693147182f;
  float p = 0.00829764828f * r + 0.0419154316f;
  p = p * r + 0.166675746f;
  p = p * r + 0.499988943f;
  p = p * r + 0.999999702f;
  p = p * r + 1.00000012f;
  uint32_t bits;
  std::memcpy(&bits, &shifted, sizeof bits);
  bits <<= 23;
  float power;
  std::memcpy(&power, &bits, sizeof power);
  return 1 + p * power;
}

static FUSION_INLINED void swishAnywhere(float alpha, float *data,
                                         const float *residual, int64_t count) {
  if (!residual) {
    for (int64_t i = 0; i < count; ++i)
      data[i] /= onePlusExp(-alpha * data[i]);
    return;
  }
  for (int64_t i = 0; i < count; ++i)
    data[i] = data[i] / onePlusExp(-alpha * data[i]) + residual[i];
}

FUSION_WITH_AVX512 static void swishWithAvx512(float alpha, float *data,
                                               const float *residual,
                                               int64_t count) {
  swishAnywhere(alpha, data, residual, count);
}

FUSION_WITH_AVX2 static void
swishWithAvx2(float alpha, float *data, const float *residual, int64_t count) {
  swishAnywhere(alpha, data, residual, count);
}

bool fusion::runtime::hasSwishLoop() { return vectorBits() >= 256; }

void fusion::runtime::runSwish(float alpha, float *data, const float *residual,
                               int64_t count) {
  forThisCpu(swishWithAvx512, swishWithAvx2, swishAnywhere)(alpha, data,
                                                            residual, count);
}
