//===- Sigmoids.cpp - Swish, sigmoid, tanh and gelu in vectors ------------===//
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

/// e^z, infinite from z = 88.4 on, and 1.6e-38 below -87. With n the integer
/// next to z / ln 2, e^z is 2^n times a polynomial of z - n ln 2: the one of
/// degree 5 with the least relative error, 1.4e-7, on [-ln 2 / 2, ln 2 / 2]
/// (Lawson's algorithm).
static FUSION_INLINED float expOf(float z) {
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
  return p * power;
}

static FUSION_INLINED float onePlusExp(float z) { return 1 + expOf(z); }

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

static FUSION_INLINED float sigmoidOf(float x) { return 1 / onePlusExp(-x); }

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

/// x Phi(x), with the normal distribution Phi. Below 0, Phi(x) is e^(-x^2 / 2)
/// times a polynomial of t = 1 / (1 + 0.3025 |x|) without a constant term: the
/// one of degree 8 with the least relative error for |x| up to 13.2, 9.1e-8
/// (Lawson's algorithm). The form is that of Abramowitz and Stegun, 7.1.26.
static FUSION_INLINED float geluOf(float x) {
  const float t = 1 / (1 + 0.3025f * std::fabs(x));
  float p = 0.0366580971f * t - 0.157016054f;
  p = p * t + 0.199113563f;
  p = p * t - 0.0484855883f;
  p = p * t + 0.12615943f;
  p = p * t + 0.101265885f;
  p = p * t + 0.121674255f;
  p = p * t + 0.120630383f;
  const float tail = p * t * expOf(-0.5f * x * x);
  return x * (x > 0 ? 1 - tail : tail);
}

/// x / 2 * (1 + tanh(u)) is x * sigmoid(2 u).
static FUSION_INLINED float geluTanhOf(float x) {
  constexpr float scale = 1.59576912f; // 2 * sqrt(2 / pi)
  return x / onePlusExp(-scale * x * (1 + 0.044715f * x * x));
}

template <float (*function)(float)>
static FUSION_INLINED void applyAnywhere(float *data, int64_t count) {
  for (int64_t i = 0; i < count; ++i)
    data[i] = function(data[i]);
}

template <float (*function)(float)>
FUSION_WITH_AVX512 static void applyWithAvx512(float *data, int64_t count) {
  applyAnywhere<function>(data, count);
}

template <float (*function)(float)>
FUSION_WITH_AVX2 static void applyWithAvx2(float *data, int64_t count) {
  applyAnywhere<function>(data, count);
}

template <float (*function)(float)>
static void apply(float *data, int64_t count) {
  forThisCpu(applyWithAvx512<function>, applyWithAvx2<function>,
             applyAnywhere<function>)(data, count);
}

bool fusion::runtime::hasSigmoidLoops() { return vectorBits() >= 256; }

void fusion::runtime::runSwish(float alpha, float *data, const float *residual,
                               int64_t count) {
  forThisCpu(swishWithAvx512, swishWithAvx2, swishAnywhere)(alpha, data,
                                                            residual, count);
}

void fusion::runtime::runSigmoid(float *data, int64_t count) {
  apply<sigmoidOf>(data, count);
}

void fusion::runtime::runTanh(float *data, int64_t count) {
  apply<tanhOf>(data, count);
}

void fusion::runtime::runGelu(float *data, int64_t count) {
  apply<geluOf>(data, count);
}

void fusion::runtime::runGeluTanh(float *data, int64_t count) {
  apply<geluTanhOf>(data, count);
}
