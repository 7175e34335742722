//===- Sigmoids.cpp - Swish, sigmoid and tanh in vectors ------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sigmoids.h"

#include "VectorLoops.h"

#include <algorithm>
#include <cmath>
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

static FUSION_INLINED void sigmoidAnywhere(float *data, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    data[i] = 1 / onePlusExp(-data[i]);
}

FUSION_WITH_AVX512 static void sigmoidWithAvx512(float *data, int64_t count) {
  sigmoidAnywhere(data, count);
}

FUSION_WITH_AVX2 static void sigmoidWithAvx2(float *data, int64_t count) {
  sigmoidAnywhere(data, count);
}

/// Below 0.625, x plus x^3 times a polynomial of x^2: the one of degree 4 with
/// the least relative error of the sum, 4.4e-9 (Lawson's algorithm). From there
/// on, 1 - 2 / (1 + e^2x), which is less exact for small numbers.
static FUSION_INLINED float tanhOf(float x) {
  const float size = std::fabs(x), square = x * x;
  float p = -0.00570498174f * square + 0.0206390824f;
  p = p * square - 0.0537397154f;
  p = p * square + 0.133314416f;
  p = p * square - 0.333332807f;
  const float small = x + x * (square * p);
  const float large = std::copysign(1 - 2 / onePlusExp(2 * size), x);
  return size < 0.625f ? small : large;
}

static FUSION_INLINED void tanhAnywhere(float *data, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    data[i] = tanhOf(data[i]);
}

FUSION_WITH_AVX512 static void tanhWithAvx512(float *data, int64_t count) {
  tanhAnywhere(data, count);
}

FUSION_WITH_AVX2 static void tanhWithAvx2(float *data, int64_t count) {
  tanhAnywhere(data, count);
}

bool fusion::runtime::hasSigmoidLoops() { return vectorBits() >= 256; }

void fusion::runtime::runSwish(float alpha, float *data, const float *residual,
                               int64_t count) {
  forThisCpu(swishWithAvx512, swishWithAvx2, swishAnywhere)(alpha, data,
                                                            residual, count);
}

void fusion::runtime::runSigmoid(float *data, int64_t count) {
  forThisCpu(sigmoidWithAvx512, sigmoidWithAvx2, sigmoidAnywhere)(data, count);
}

void fusion::runtime::runTanh(float *data, int64_t count) {
  forThisCpu(tanhWithAvx512, tanhWithAvx2, tanhAnywhere)(data, count);
}
