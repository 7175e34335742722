//===- AmxTest.cpp - Instructions of AMX, emulated or not -----------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Passes on a CPU with AMX, and elsewhere if the emulation is preloaded.
//
//===----------------------------------------------------------------------===//

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <immintrin.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace {
/// LDTILECFG's operand.
struct alignas(64) Config {
  uint8_t palette = 1, startRow = 0, reserved[14] = {};
  uint16_t columnBytes[16] = {};
  uint8_t rows[16] = {};

  void set(int tile, int numRows, int bytes) {
    rows[tile] = numRows;
    columnBytes[tile] = bytes;
  }
};

class AmxTest : public testing::Test {
protected:
  /// Asks Linux for the tile registers, which it gives on request only.
  static void SetUpTestSuite() {
    constexpr long requestPermission = 0x1023, tileData = 18;
    ASSERT_EQ(syscall(SYS_arch_prctl, requestPermission, tileData), 0);
  }
};
} // namespace

static uint16_t toBf16(float value) {
  uint32_t bits;
  memcpy(&bits, &value, 4);
  return bits >> 16;
}

/// Small whole numbers, which are exact in bf16 and in sums of products.
static float numberAt(int row, int column) {
  return (row * 7 + column * 3) % 11 - 5;
}

static void configure(const Config &config) { _tile_loadconfig(&config); }

TEST_F(AmxTest, ConfigurationIsReadBack) {
  Config config, read;
  config.set(0, 3, 20);
  config.set(7, 16, 64);
  configure(config);
  memset(static_cast<void *>(&read), 0xFF, sizeof(read));
  _tile_storeconfig(&read);
  EXPECT_EQ(memcmp(&config, &read, sizeof(config)), 0);
  _tile_release();
  _tile_storeconfig(&read);
  EXPECT_EQ(read.palette, 0);
  EXPECT_EQ(read.rows[7], 0);
}

TEST_F(AmxTest, RowsAreAStrideApart) {
  constexpr int rows = 5, bytes = 24, from = 40, to = 31;
  Config config;
  config.set(3, rows, bytes);
  configure(config);
  uint8_t source[rows * from], result[rows * to];
  for (size_t i = 0; i < sizeof(source); ++i)
    source[i] = i;
  memset(result, 0xEE, sizeof(result));
  _tile_loadd(3, source, from);
  _tile_stored(3, result, to);
  _tile_release();
  for (int row = 0; row < rows; ++row)
    for (int i = 0; i < to && row * to + i < int(sizeof(result)); ++i)
      EXPECT_EQ(result[row * to + i], i < bytes ? source[row * from + i] : 0xEE)
          << "row " << row << ", byte " << i;
}

TEST_F(AmxTest, BackwardsAndWithAHint) {
  Config config;
  config.set(1, 2, 4);
  configure(config);
  uint32_t source[] = {1, 2}, result[] = {0, 0};
  _tile_stream_loadd(1, source + 1, -4);
  _tile_stored(1, result, 4);
  _tile_release();
  EXPECT_EQ(result[0], 2u);
  EXPECT_EQ(result[1], 1u);
}

TEST_F(AmxTest, AddressesOfAllForms) {
  Config config;
  config.set(2, 2, 4);
  configure(config);
  uint32_t source[300] = {}, result[2] = {};
  source[8] = 11;
  source[200] = 22;
  source[10] = 33;
  source[202] = 44;
  const uint32_t *base = source;
  int64_t index = 2;
  // A base and a displacement of 1 byte or 4, an index times 4.
  asm volatile("tileloadd 32(%0,%1,4), %%tmm2" ::"r"(base), "r"(index)
               : "memory");
  _tile_stored(2, result, 4);
  EXPECT_EQ(result[0], 11u);
  EXPECT_EQ(result[1], 33u);
  asm volatile("tileloadd 800(%0,%1,4), %%tmm2" ::"r"(base), "r"(index)
               : "memory");
  _tile_stored(2, result, 4);
  EXPECT_EQ(result[0], 22u);
  EXPECT_EQ(result[1], 44u);
  // The numbers of r12 and r13 differ from those of rsp and rbp in one bit.
  // Without an index the stride is 0.
  asm volatile("mov %0, %%r12\n\ttileloadd 32(%%r12), %%tmm2" ::"r"(base)
               : "memory", "r12");
  _tile_stored(2, result, 4);
  EXPECT_EQ(result[0], 11u);
  EXPECT_EQ(result[1], 11u);
  asm volatile("mov %0, %%r13\n\tmov %1, %%r12\n\t"
               "tileloadd 32(%%r13,%%r12,4), %%tmm2" ::"r"(base),
               "r"(index)
               : "memory", "r12", "r13");
  _tile_stored(2, result, 4);
  _tile_release();
  EXPECT_EQ(result[0], 11u);
  EXPECT_EQ(result[1], 33u);
}

TEST_F(AmxTest, ZeroAndReconfiguringClear) {
  Config config;
  config.set(4, 1, 4);
  configure(config);
  uint32_t source = 9, result = 1;
  _tile_loadd(4, &source, 4);
  _tile_zero(4);
  _tile_stored(4, &result, 4);
  EXPECT_EQ(result, 0u);
  _tile_loadd(4, &source, 4);
  configure(config);
  result = 1;
  _tile_stored(4, &result, 4);
  _tile_release();
  EXPECT_EQ(result, 0u);
}

TEST_F(AmxTest, ProductsAreAddedToTheSum) {
  constexpr int m = 5, n = 7, k = 6; // k: numbers, in pairs
  Config config;
  config.set(0, m, n * 4);
  config.set(1, m, k * 2);
  config.set(2, k / 2, n * 4);
  configure(config);
  float sum[m][n];
  uint16_t left[m][k], right[k / 2][n][2];
  for (int row = 0; row < m; ++row) {
    for (int column = 0; column < n; ++column)
      sum[row][column] = row - column;
    for (int i = 0; i < k; ++i)
      left[row][i] = toBf16(numberAt(row, i));
  }
  for (int i = 0; i < k; ++i)
    for (int column = 0; column < n; ++column)
      right[i / 2][column][i % 2] = toBf16(numberAt(i + 1, column));
  _tile_loadd(0, sum, n * 4);
  _tile_loadd(1, left, k * 2);
  _tile_loadd(2, right, n * 4);
  _tile_dpbf16ps(0, 1, 2);
  float result[m][n];
  _tile_stored(0, result, n * 4);
  _tile_release();
  for (int row = 0; row < m; ++row)
    for (int column = 0; column < n; ++column) {
      float expected = row - column;
      for (int i = 0; i < k; ++i)
        expected += numberAt(row, i) * numberAt(i + 1, column);
      EXPECT_EQ(result[row][column], expected) << row << ", " << column;
    }
}

/// The product of two pairs, added to `sum`, in tiles of one element.
static float multiplyPairs(float sum, float left0, float right0,
                           float left1 = 0, float right1 = 0) {
  Config config;
  for (int tile : {0, 1, 2})
    config.set(tile, 1, 4);
  configure(config);
  uint16_t left[] = {toBf16(left0), toBf16(left1)};
  uint16_t right[] = {toBf16(right0), toBf16(right1)};
  _tile_loadd(0, &sum, 4);
  _tile_loadd(1, left, 4);
  _tile_loadd(2, right, 4);
  _tile_dpbf16ps(0, 1, 2);
  _tile_stored(0, &sum, 4);
  _tile_release();
  return sum;
}

TEST_F(AmxTest, SubnormalNumbersAreZeros) {
  EXPECT_EQ(multiplyPairs(0, 0x1p-128f, 0x1p127f), 0.0f);
  EXPECT_EQ(multiplyPairs(0, 0x1p-70f, 0x1p-70f), 0.0f);
  EXPECT_EQ(multiplyPairs(0x1.8p-126f, 0x1p-63f, -0x1p-63f), 0.0f);
}

/// 1 + 1 is half a unit in the last place of 2^25, and rounds to even, up or
/// down. Added one after the other, both would be lost.
TEST_F(AmxTest, PairsAreSummedBeforeTheyAreAddedAndRounded) {
  EXPECT_EQ(multiplyPairs(0x1p24f, 1, 1, 1, 1), 16777218.0f);
  EXPECT_EQ(multiplyPairs(0x1p25f, 1, 1, 1, 1), 33554432.0f);
  EXPECT_EQ(multiplyPairs(0x1p25f + 4, 1, 1, 1, 1), 33554440.0f);
}

/// Each of the four products of bytes, of which the first or the second factor
/// may be signed; bytes from one end of their range to the other.
TEST_F(AmxTest, ProductsOfBytesAreAddedToTheSum) {
  constexpr int m = 5, n = 7, k = 12; // k: bytes, in fours
  Config config;
  config.set(0, m, n * 4);
  config.set(1, m, k);
  config.set(2, k / 4, n * 4);
  uint32_t sum[m][n];
  uint8_t left[m][k], right[k / 4][n][4];
  for (int row = 0; row < m; ++row) {
    for (int column = 0; column < n; ++column)
      sum[row][column] = 0x7fffffffu - row * column; // wraps
    for (int i = 0; i < k; ++i)
      left[row][i] = row * 53 + i * 91;
  }
  for (int i = 0; i < k; ++i)
    for (int column = 0; column < n; ++column)
      right[i / 4][column][i % 4] = i * 67 + column * 37;
  for (bool isFirstSigned : {false, true})
    for (bool isSecondSigned : {false, true}) {
      configure(config);
      _tile_loadd(0, sum, n * 4);
      _tile_loadd(1, left, k);
      _tile_loadd(2, right, n * 4);
      if (isFirstSigned && isSecondSigned)
        _tile_dpbssd(0, 1, 2);
      else if (isFirstSigned)
        _tile_dpbsud(0, 1, 2);
      else if (isSecondSigned)
        _tile_dpbusd(0, 1, 2);
      else
        _tile_dpbuud(0, 1, 2);
      uint32_t result[m][n];
      _tile_stored(0, result, n * 4);
      _tile_release();
      for (int row = 0; row < m; ++row)
        for (int column = 0; column < n; ++column) {
          int64_t expected = sum[row][column];
          for (int i = 0; i < k; ++i) {
            int a = left[row][i], b = right[i / 4][column][i % 4];
            expected += (isFirstSigned && a > 127 ? a - 256 : a) *
                        (isSecondSigned && b > 127 ? b - 256 : b);
          }
          EXPECT_EQ(result[row][column], static_cast<uint32_t>(expected))
              << row << ", " << column;
        }
    }
}
