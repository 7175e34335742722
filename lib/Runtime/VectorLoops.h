//===- VectorLoops.h - Loops for CPUs with wide vectors ---------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The library runs on every CPU of its architecture. A loop that is worth it is
// compiled once for each width of vectors: an inlined function has it, others
// call that one, and the CPU decides which of these runs. Where results must
// not depend on that, the file is compiled with -ffp-contract=off: a fused
// multiplication and addition rounds less.

#ifndef FUSION_LIB_RUNTIME_VECTORLOOPS_H
#define FUSION_LIB_RUNTIME_VECTORLOOPS_H

#include "Backend.h"

#define FUSION_INLINED __attribute__((always_inline)) inline

#if defined(__x86_64__)
// oneDNN's kernels for AVX2 have these instructions, too.
#define FUSION_WITH_AVX2 __attribute__((target("avx2,fma")))
#define FUSION_WITH_AVX512                                                     \
  __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl")))
#else
#define FUSION_WITH_AVX2
#define FUSION_WITH_AVX512
#endif

namespace fusion {
namespace runtime {

/// The function for this CPU, of three that compute the same.
template <typename Function>
Function forThisCpu([[maybe_unused]] Function withAvx512,
                    [[maybe_unused]] Function withAvx2, Function anywhere) {
#if defined(__x86_64__)
  if (vectorBits() >= 512)
    return withAvx512;
  if (vectorBits() >= 256)
    return withAvx2;
#endif
  return anywhere;
}

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_VECTORLOOPS_H
