//===- TensorSizeTest.cpp - Counts that do not wrap around ----------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Support/TensorSize.h"
#include "FusionDialect/Support/ElementSize.h"

#include <gtest/gtest.h>

using namespace fusion;

static constexpr int64_t most = INT64_MAX;

TEST(TensorSizeTest, CountsElements) {
  EXPECT_EQ(countElements({}), 1);
  EXPECT_EQ(countElements({3, 4, 5}), 60);
  EXPECT_EQ(countElements({most}), most);
  EXPECT_EQ(countElements({most, 1}), most);
  EXPECT_EQ(countElements({most, 2}), std::nullopt);
  // 0, and 1, modulo 2^64.
  EXPECT_EQ(countElements({int64_t(1) << 32, int64_t(1) << 32}), std::nullopt);
  EXPECT_EQ(countElements({most, most}), std::nullopt);
}

TEST(TensorSizeTest, NothingIsNothingInAnyOrder) {
  EXPECT_EQ(countElements({0}), 0);
  EXPECT_EQ(countElements({0, most, most}), 0);
  EXPECT_EQ(countElements({most, most, 0}), 0);
  EXPECT_EQ(countBytes({most, 0}, 8), 0);
}

TEST(TensorSizeTest, CountsBytes) {
  EXPECT_EQ(countBytes({}, 8), 8);
  EXPECT_EQ(countBytes({3, 5}, 2), 30);
  EXPECT_EQ(countBytes({maxTensorBytes}, 1), maxTensorBytes);
  EXPECT_EQ(countBytes({maxTensorBytes / 4}, 4), maxTensorBytes);
  EXPECT_EQ(countBytes({maxTensorBytes / 4 + 1}, 4), std::nullopt);
  EXPECT_EQ(countBytes({int64_t(1) << 62}, 4), std::nullopt);
}

// As LLVM's layout for x86-64 has them.
TEST(TensorSizeTest, AlignsElements) {
  EXPECT_EQ(getElementBytes(1), 1);
  EXPECT_EQ(getElementBytes(8), 1);
  EXPECT_EQ(getElementBytes(16), 2);
  EXPECT_EQ(getElementBytes(19), 4);
  EXPECT_EQ(getElementBytes(24), 4);
  EXPECT_EQ(getElementBytes(40), 8);
  EXPECT_EQ(getElementBytes(64), 8);
  EXPECT_EQ(getElementBytes(80), 16);
  EXPECT_EQ(getElementBytes(136), 32);
  EXPECT_EQ(getElementBytes(320), 48);
}

TEST(TensorSizeTest, SomeMemoryIsThere) {
  EXPECT_GT(getAvailableMemory(), size_t(1) << 20);
  EXPECT_LT(getAvailableMemory(), size_t(maxTensorBytes));
}
