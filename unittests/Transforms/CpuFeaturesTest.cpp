//===- CpuFeaturesTest.cpp - Instruction sets of this CPU -----------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The runtime and LLVM, which it does not know, read the same from a CPU.

#include "FusionRuntime/fusion_runtime.h"
#include "llvm/TargetParser/Host.h"

#include <gtest/gtest.h>

static bool isRun = false;

/// Whether the runtime calls code that needs `feature`. If not, it tells.
static bool runs(fusion_rt_cpu_feature feature, llvm::StringRef name) {
  fusion_rt_signature signature = {};
  signature.abi_version = FUSION_RT_ABI_VERSION;
  signature.struct_size = sizeof(signature);
  signature.name = "f";
  fusion_rt_entry_info entry = {};
  entry.abi_version = FUSION_RT_ABI_VERSION;
  entry.struct_size = sizeof(entry);
  entry.signature = &signature;
  entry.cpu = "other";
  entry.cpu_features = uint64_t(1) << feature;
  entry.function = [](void *, void *const *) { isRun = true; };
  isRun = false;
  fusion_rt_status status = fusion_rt_call_entry(&entry, nullptr, nullptr);
  EXPECT_EQ(status == FUSION_RT_SUCCESS, isRun);
  if (status != FUSION_RT_SUCCESS) {
    EXPECT_EQ(status, FUSION_RT_UNSUPPORTED);
    EXPECT_EQ("the CPU must have the instruction sets of 'other', which 'f' is "
              "compiled for; it lacks " +
                  name.str(),
              fusion_rt_last_error());
  }
  return isRun;
}

TEST(CpuFeaturesTest, AreThoseThatLLVMFinds) {
#ifdef __x86_64__
  llvm::StringMap<bool> found = llvm::sys::getHostCPUFeatures();
  int refused = 0;
  auto compare = [&](fusion_rt_cpu_feature feature, llvm::StringRef name) {
    bool isThere = runs(feature, name);
    EXPECT_EQ(isThere, found.lookup(name)) << name.str();
    refused += !isThere;
  };
#define FUSION_CPU_FEATURE(NAME, name, ...) compare(FUSION_RT_CPU_##NAME, name);
#include "FusionRuntime/cpu_features.def"
  // No CPU has all: XOP is of AMD's before Zen.
  EXPECT_GT(refused, 0);
#else
  GTEST_SKIP() << "only x86-64 has such bits";
#endif
}
