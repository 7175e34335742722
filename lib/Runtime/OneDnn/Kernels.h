//===- Kernels.h - Facts about oneDNN's kernels -----------------*- C++ -*-===//
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

/// The quality of an implementation of oneDNN.
enum class KernelClass {
  None,          // there is none
  Reference,     // plain loops, 10 to 1000 times slower
  Emulated,      // in bf16, for which the CPU has no instructions
  ScalarPostOps, // post-ops are computed one element at a time
  SlowGemm,      // the next one of windows, with channels last, in f32
  Gemm,          // im2col and matrix multiplication
  WholeBlocks,   // of 16 channels by 16, for a depthwise convolution
  Direct,        // generated for convolution
  Fast, // from blocks of matrices ("brgemm"), or in the layout it is made for
  Winograd // fewer multiplications
};
KernelClass classifyKernel(const std::string &implementation,
                           fusion_rt_type srcType);

/// Whether the implementation is plain loops.
bool isReference(const std::string &implementation);

/// Whether the implementation, of oneDNN 3, is slower than the older one for
/// the same convolutions. Measured with oneDNN 3.7.2 on one thread of an AMD
/// Zen 3 over the layers of 13 networks, `jit_dw:avx2` takes 0.60 of the time
/// of `brdgmm_dw:avx2` in sum (30 shapes, each at most 0.90), and
/// `jit_1x1:avx2` 0.87 of that of `brgconv_1x1:avx2` (263 shapes).
bool isSlowWithAvx2(const std::string &implementation);

/// Whether it is one of those that are faster then.
bool beatsBlocks(const std::string &implementation);

/// Whether the implementation is made for depthwise convolutions, a few
/// channels at a time, with AVX-512. It reads channels last as fast as blocks.
bool isForDepthwise(const std::string &implementation);

/// Whether the implementation, with AVX-512, multiplies blocks of 16 channels
/// by 16, of which a depthwise convolution needs one element.
bool multipliesWholeBlocks(const std::string &implementation);

/// Whether the implementation, of a convolution, is made for blocks of 8
/// channels ("nChw8c") but also takes channels last. Then the pixels of a row
/// are far apart, often by a power of two, and evict each other from the cache.
bool prefersBlocks(const std::string &implementation);

/// Whether matrix multiplications of windows of this type are slower with
/// channels last than with channels first. With AVX-512, where other kernels
/// take nearly all of these, it was not measured.
bool prefersChannelsFirst(fusion_rt_type srcType);

/// Whether it is one of these for SSE4.1. With channels last and rows of more
/// than 11264 elements in one dimension, oneDNN uses it with AVX2, too.
bool isForNarrowVectors(const std::string &implementation);

/// Whether kernels add a tensor correctly. With SSE4.1 alone, kernels of oneDNN
/// 2.6 crash or read it from wrong places if its channels do not fill whole
/// vectors.
bool canAddTensors();

/// Whether the implementation reads a tensor to add from wrong places. Kernels
/// of oneDNN 2.6 do: matrix multiplications with channels last, and 1x1
/// convolutions in bf16 whose channels do not fill vectors.
bool misreadsTensors(const std::string &implementation);

/// Whether the implementation, of a convolution with three spatial dimensions,
/// takes padding for another number than the zero point of src. The one of
/// oneDNN 2.6 for AMX does.
bool misreadsPadding(const std::string &implementation);

/// Whether the CPU has AMX's matrix instructions, and kernels may use them.
bool hasAmx();

/// Whether the implementation is one for AMX that oneDNN 2 takes for zero
/// points. It is slower than the one from blocks of matrices, which has none.
bool isSlowWithAmx(const std::string &implementation);

/// Whether the implementation brings src to a matrix and multiplies that.
bool isGemm(const std::string &implementation);

/// Whether the implementation, of a convolution with windows of one element and
/// packed weights, is faster than a matrix multiplication that packs both of
/// its operands in each call.
bool beatsGemm(const std::string &implementation);

/// Whether the implementation, for integers, sums up without saturation on a
/// CPU with VNNI instructions: a CPU for AVX-512 may have none for AVX2.
bool sumsExactly(const std::string &implementation);

/// Whether the implementation, for integers, converts sums to f32 even where
/// dst is s32 and nothing follows them. Those from blocks of matrices do not.
bool convertsSums(const std::string &implementation);
/// Parts of the names that such implementations of convolutions have, and that
/// the others have.
constexpr const char *kernelsConvertingSums = "jit";
constexpr const char *kernelsOfBlocks = "brg";

/// A copy of `name` that lives for ever, so that callers may use it after the
/// plan is gone. There are a few dozen names.
const char *intern(const std::string &name);

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_ONEDNN_KERNELS_H
