//===- Kernels.cpp - Facts about oneDNN's kernels -------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"

#include "Fork.h"

#include <dnnl.hpp>

#include <mutex>
#include <set>

using namespace fusion::runtime;

/// Whether the CPU has AVX-512 without bf16 instructions, so that kernels
/// emulate bf16. Convolutions measure 1.5 to 5.7 times slower than in f32,
/// matrix multiplications 5 to 10 times.
static bool emulatesBf16() {
  static const dnnl::cpu_isa isa = dnnl::get_effective_cpu_isa();
  return isa == dnnl::cpu_isa::avx512_core ||
         isa == dnnl::cpu_isa::avx512_core_vnni;
}

static bool contains(const std::string &name, const char *part) {
  return name.find(part) != std::string::npos;
}

static bool hasBlocksOfMatrices(const std::string &implementation) {
  return contains(implementation, "brg") || contains(implementation, "brdgmm");
}

bool fusion::runtime::isGemm(const std::string &implementation) {
  return contains(implementation, "gemm") &&
         !hasBlocksOfMatrices(implementation);
}

bool fusion::runtime::beatsGemm(const std::string &implementation) {
  // jit_1x1:avx2, with oneDNN 3 brgconv_1x1:avx2.
  return contains(implementation, "_1x1:avx2");
}

bool fusion::runtime::isSlowWithAvx2(const std::string &implementation) {
  return implementation == "brdgmm_dw:avx2" ||
         implementation == "brgconv_1x1:avx2";
}

bool fusion::runtime::beatsBlocks(const std::string &implementation) {
  return implementation == "jit_dw:avx2" || implementation == "jit_1x1:avx2" ||
         isForDepthwise(implementation) ||
         contains(implementation, "jit_int8:avx512");
}

bool fusion::runtime::isReference(const std::string &implementation) {
  return contains(implementation, "ref");
}

bool fusion::runtime::isForDepthwise(const std::string &implementation) {
  return contains(implementation, "jit_dw:avx512");
}

bool fusion::runtime::multipliesWholeBlocks(const std::string &implementation) {
  return contains(implementation, "jit:avx512") ||
         contains(implementation, "jit_bf16:avx512");
}

KernelClass fusion::runtime::classifyKernel(const std::string &implementation,
                                            fusion_rt_type srcType) {
  if (isReference(implementation))
    return KernelClass::Reference;
  if (srcType == FUSION_RT_TYPE_BF16 && emulatesBf16())
    return KernelClass::Emulated;
  if (contains(implementation, "wino"))
    return KernelClass::Winograd;
  if (hasBlocksOfMatrices(implementation) || isForDepthwise(implementation))
    return KernelClass::Fast;
  return isGemm(implementation) ? KernelClass::Gemm : KernelClass::Direct;
}

const char *fusion::runtime::intern(const std::string &name) {
  static auto *mutex = new std::mutex;
  static auto *names = new std::set<std::string>;
  Lock lock(*mutex);
  return names->insert(name).first->c_str();
}

bool fusion::runtime::isForNarrowVectors(const std::string &implementation) {
  return implementation == "jit:sse41";
}

bool fusion::runtime::prefersBlocks(const std::string &implementation) {
  return implementation == "jit:avx2" || isForNarrowVectors(implementation);
}

bool fusion::runtime::prefersChannelsFirst(fusion_rt_type srcType) {
  static const dnnl::cpu_isa isa = dnnl::get_effective_cpu_isa();
  return srcType == FUSION_RT_TYPE_F32 &&
         (isa == dnnl::cpu_isa::avx2 || isa == dnnl::cpu_isa::avx2_vnni);
}

bool fusion::runtime::canAddTensors() {
  static const bool can = dnnl::get_effective_cpu_isa() != dnnl::cpu_isa::sse41;
  return can;
}

bool fusion::runtime::misreadsTensors(const std::string &implementation) {
  return isGemm(implementation) || contains(implementation, "jit_bf16_1x1");
}

bool fusion::runtime::misreadsPadding(const std::string &implementation) {
  return implementation == "jit:avx512_core_amx_int8";
}

bool fusion::runtime::hasAmx() {
  static const auto isa = unsigned(dnnl::get_effective_cpu_isa());
  constexpr auto amx = unsigned(dnnl_cpu_isa_avx512_core_amx);
  static const bool has = (isa & amx) == amx;
  return has;
}

bool fusion::runtime::isSlowWithAmx(const std::string &implementation) {
  return contains(implementation, "amx") &&
         !hasBlocksOfMatrices(implementation);
}

bool fusion::runtime::sumsExactly(const std::string &implementation) {
  return contains(implementation, "vnni") || contains(implementation, "amx") ||
         contains(implementation, "avx10") || isGemm(implementation);
}

bool fusion::runtime::convertsSums(const std::string &implementation) {
  return !hasBlocksOfMatrices(implementation);
}
