//===- Convert.h - Elements of narrow floating-point types ------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_CONVERT_H
#define FUSION_LIB_RUNTIME_CONVERT_H

#include <cstdint>
#include <cstring>

namespace fusion {
namespace runtime {

inline float floatOfBits(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

inline uint32_t bitsOfFloat(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

// Elements as they are stored. They only convert to and from float. The
// conversions have no branches, so that compilers vectorise loops of them.

struct BFloat16 {
  uint16_t bits;
  BFloat16() = default;
  explicit BFloat16(float value) {
    uint32_t wide = bitsOfFloat(value);
    uint32_t rounded = (wide + 0x7fff + ((wide >> 16) & 1)) >> 16;
    uint32_t quietNaN = (wide >> 16) | 0x40; // rounding could make it infinity
    bits = static_cast<uint16_t>(value != value ? quietNaN : rounded);
  }
  explicit operator float() const {
    return floatOfBits(static_cast<uint32_t>(bits) << 16);
  }
};

struct Float16 {
  uint16_t bits;
  Float16() = default;

  /// Adding a power of two that leaves ten mantissa bits makes the FPU round to
  /// nearest even, for normal and denormal results alike.
  explicit Float16(float value) {
    uint32_t wide = bitsOfFloat(value);
    uint32_t sign = wide & 0x80000000u;
    uint32_t magnitude = wide & 0x7fffffffu;
    // Values too large overflow to infinity in the first product.
    float scaled = (floatOfBits(magnitude) * 0x1p+112f) * 0x1p-110f;
    uint32_t exponent = (magnitude << 1) & 0xff000000u;
    exponent = exponent < 0x71000000u ? 0x71000000u : exponent;
    uint32_t sum =
        bitsOfFloat(floatOfBits((exponent >> 1) + 0x07800000u) + scaled);
    uint32_t rounded = ((sum >> 13) & 0x7c00u) + (sum & 0x0fffu);
    uint32_t unsignedBits = magnitude > 0x7f800000u ? 0x7e00u : rounded;
    bits = static_cast<uint16_t>((sign >> 16) | unsignedBits);
  }

  explicit operator float() const {
    uint32_t sign = static_cast<uint32_t>(bits & 0x8000) << 16;
    uint32_t magnitude = static_cast<uint32_t>(bits & 0x7fff);
    // The exponent is rebiased by a product, which also yields infinity and NaN
    // from their large exponent; denormals are made by a subtraction.
    uint32_t normal =
        bitsOfFloat(floatOfBits((magnitude << 13) + (0xe0u << 23)) * 0x1p-112f);
    uint32_t denormal =
        bitsOfFloat(floatOfBits(magnitude | (126u << 23)) - 0.5f);
    return floatOfBits(sign | (magnitude < 0x400 ? denormal : normal));
  }
};

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_CONVERT_H
