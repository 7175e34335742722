//===- Kernels.h - What is known of oneDNN's kernels -----------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_ONEDNN_KERNELS_H
#define FUSION_LIB_RUNTIME_ONEDNN_KERNELS_H

#include "FusionRuntime/fusion_runtime.h"

#include <string>

namespace fusion {
namespace runtime {

/// How good an implementation of oneDNN is.
enum class KernelClass {
  None,          // there is none
  Reference,     // plain loops, 10 to 1000 times slower
  Emulated,      // in bf16, for which the CPU has no instructions
  ScalarPostOps, // what follows the sum is computed one element at a time
  Gemm,          // im2col and matrix multiplication
  Direct,        // generated for convolution
  Fast, // from blocks of matrices ("brgemm"), or in the layout it is made for
  Winograd // fewer multiplications
};
KernelClass classifyKernel(const std::string &implementation,
                           fusion_rt_type srcType);

/// Whether the implementation is plain loops.
bool isReference(const std::string &implementation);

/// Whether the implementation, of a convolution, is made for channels in blocks
/// of 8 ("nChw8c") and takes them last as well. Then the pixels of a row lie
/// far apart, often by a power of two, and push each other out of the cache.
bool prefersBlocks(const std::string &implementation);

/// Whether it is the one of these for SSE4.1. With channels last and rows of
/// more than 11264 elements in one dimension, oneDNN takes it with AVX2 as
/// well.
bool isForNarrowVectors(const std::string &implementation);

/// With SSE4.1 alone, kernels of oneDNN 2.6 that add a tensor crash or read it
/// from the wrong places when its channels do not fill whole vectors.
bool canAddTensors();

/// Kernels of oneDNN 2.6 that read a tensor to add from the wrong places:
/// matrix multiplication where channels come last, and 1x1 convolution in bf16
/// where they do not fill vectors.
bool misreadsTensors(const std::string &implementation);

/// A copy of `name` that lives for ever, so that callers may keep it when the
/// plan is gone. There are a few dozen names.
const char *intern(const std::string &name);

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_ONEDNN_KERNELS_H
