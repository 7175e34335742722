//===- SignatureTest.cpp - Calls with wrong signatures --------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Signatures that no compiler writes. The calls refuse them and read no memory
// that they do not have.

#include "FusionRuntime/fusion_runtime.h"
#include "gtest/gtest.h"

#include <string>

static void expectRefused(fusion_rt_status status, const std::string &message) {
  EXPECT_EQ(status, FUSION_RT_INVALID_ARGUMENT);
  EXPECT_EQ(fusion_rt_last_error(), message);
}

static void enterNothing(void *, void *const *) {}

TEST(SignatureTest, WrongMembers) {
  int64_t result = 5;
  auto expectSignatureRefused = [&](auto change, const char *sentence) {
    fusion_rt_value_desc value = {"i64", 1, 0, nullptr};
    fusion_rt_signature signature = {FUSION_RT_ABI_VERSION,
                                     sizeof(fusion_rt_signature),
                                     "f",
                                     1,
                                     1,
                                     &value,
                                     &value,
                                     sizeof(int64_t)};
    change(signature, value);
    void *arguments[] = {&result};
    expectRefused(fusion_rt_call(&signature, enterNothing, &result, arguments),
                  sentence);
  };
  using Signature = fusion_rt_signature;
  using Value = fusion_rt_value_desc;
  expectSignatureRefused(
      [](Signature &signature, Value &) { signature.results_size = -1; },
      "'results_size' must not be negative, got -1");
  EXPECT_EQ(result, 5);
  expectSignatureRefused(
      [](Signature &signature, Value &) { signature.num_arguments = -5; },
      "'num_arguments' must not be negative, got -5");
  expectSignatureRefused(
      [](Signature &signature, Value &) { signature.num_results = -6; },
      "'num_results' must not be negative, got -6");
  expectSignatureRefused(
      [](Signature &signature, Value &) { signature.arguments = nullptr; },
      "'arguments' of the signature must not be null");
  const char *told =
      "'arguments[0]' must have a type, a rank of at least 0 and sizes";
  expectSignatureRefused([](Signature &, Value &value) { value.rank = -1; },
                         told);
  expectSignatureRefused([](Signature &, Value &value) { value.rank = 1; },
                         told);
  expectSignatureRefused(
      [](Signature &, Value &value) { value.type = nullptr; }, told);
}

TEST(SignatureTest, AStructOfResultsWithoutAResult) {
  fusion_rt_signature signature = {};
  signature.abi_version = FUSION_RT_ABI_VERSION;
  signature.struct_size = sizeof(signature);
  signature.results_size = sizeof(int64_t);
  expectRefused(fusion_rt_call(&signature, enterNothing, nullptr, nullptr),
                "'results' must not be null");
}

TEST(SignatureTest, ResultsThatDoNotFitTheirStruct) {
  fusion_rt_value_desc value = {"i64", 1, 0, nullptr};
  fusion_rt_signature signature = {};
  signature.abi_version = FUSION_RT_ABI_VERSION;
  signature.struct_size = sizeof(signature);
  signature.num_results = 1;
  signature.results = &value;
  signature.results_size = 4;
  fusion_rt_entry_info entry = {};
  entry.abi_version = FUSION_RT_ABI_VERSION;
  entry.struct_size = sizeof(entry);
  entry.signature = &signature;
  entry.function = enterNothing;
  int64_t result = 5;
  expectRefused(
      fusion_rt_call_entry_into(&entry, &result, nullptr),
      "'results_size' must be at least 8, the bytes of the results, got 4");
  signature.results = nullptr;
  expectRefused(fusion_rt_call_entry_into(&entry, &result, nullptr),
                "'results' of the signature must not be null");
  signature.results = &value;
  value.type = "i0";
  expectRefused(fusion_rt_call_entry_into(&entry, &result, nullptr),
                "the type of 'results[0]' must be one as 'f32', got 'i0'");
}
