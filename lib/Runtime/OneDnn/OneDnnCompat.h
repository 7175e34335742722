//===- OneDnnCompat.h - Differences of oneDNN 2 and 3 -----------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All code that differs between oneDNN 2.x and 3.x. The rest of the runtime
// uses only the API that both have: memory descriptors, memories, reorders,
// primitive attributes and dnnl_primitive_execute.
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_ONEDNN_ONEDNNCOMPAT_H
#define FUSION_LIB_RUNTIME_ONEDNN_ONEDNNCOMPAT_H

#include "FusionRuntime/fusion_runtime.h"

#include <dnnl.hpp>

#include <optional>
#include <string>
#include <vector>

namespace fusion {
namespace runtime {

/// A forward convolution as both versions understand it. Dilations are
/// oneDNN's: 0 is dense.
struct ConvolutionSpec {
  dnnl::memory::desc src;
  dnnl::memory::desc weights;
  const dnnl::memory::desc *bias; // null: none
  dnnl::memory::desc dst;
  dnnl::memory::dims strides;
  dnnl::memory::dims dilations;
  dnnl::memory::dims padLow;
  dnnl::memory::dims padHigh;
  dnnl::algorithm algorithm = dnnl::algorithm::convolution_direct;
  // No implementation with one of these in its name.
  std::vector<const char *> avoided = {};
};

/// Facts about the convolution implementation made of blocks of matrices.
struct BlockedConvolution {
  const char *name;     // part of the implementation's name
  bool misreadsColumns; // some outputs of one column come out wrong
};
extern const BlockedConvolution blockedConvolution;

/// Whether depthwise convolutions of narrow types are slower in blocks of
/// matrices, which begin anew for each element of the window. Those of oneDNN 3
/// do not.
constexpr bool hasSlowDepthwiseBlocks = DNNL_VERSION_MAJOR < 3;

/// Whether a few rows of 8-bit integers are multiplied slowly in tiles of AMX.
constexpr bool hasSlowTilesOfFewRows = DNNL_VERSION_MAJOR < 3;

/// Part of the names of convolutions that are computed as a matrix
/// multiplication, and come out wrong with one output channel; null if none do.
extern const char *const matrixConvolution;

/// Parts of the names of convolutions, and transposed ones, that take images
/// with channels last for contiguous, whatever their stride is.
std::vector<const char *> kernelsIgnoringGaps();

/// The primitive descriptor, which is empty (`!pd`) if no implementation takes
/// the spec. Throws oneDNN's exceptions for other errors.
dnnl::convolution_forward::primitive_desc
createConvolution(const ConvolutionSpec &spec, const dnnl::primitive_attr &attr,
                  const dnnl::engine &engine);

/// The same for a transposed convolution.
dnnl::deconvolution_forward::primitive_desc
createDeconvolution(const ConvolutionSpec &spec,
                    const dnnl::primitive_attr &attr,
                    const dnnl::engine &engine);

/// A matrix multiplication as both versions understand it.
struct MatmulSpec {
  dnnl::memory::desc src;
  dnnl::memory::desc weights;
  const dnnl::memory::desc *bias; // null: none
  dnnl::memory::desc dst;
  // No implementation with one of these in its name.
  std::vector<const char *> avoided = {};
};

/// The same for a matrix multiplication.
dnnl::matmul::primitive_desc createMatmul(const MatmulSpec &spec,
                                          const dnnl::primitive_attr &attr,
                                          const dnnl::engine &engine);

/// A pool as both versions understand it. A sum is an average including padding
/// with a scale, which `appendScale` appends.
struct PoolSpec {
  fusion_rt_pooling pooling;
  dnnl::memory::desc src;
  dnnl::memory::desc dst;
  dnnl::memory::dims strides;
  dnnl::memory::dims kernel;
  dnnl::memory::dims padLow;
  dnnl::memory::dims padHigh;
  // No implementation with one of these in its name.
  std::vector<const char *> avoided = {};
};

/// The same for a pool.
dnnl::primitive_desc_base createPool(const PoolSpec &spec,
                                     const dnnl::primitive_attr &attr,
                                     const dnnl::engine &engine);

/// An element-wise operation on two tensors. Sizes of `src1` may be 1, which
/// repeats it. In oneDNN's terms dst has the sizes of `src0`.
struct BinarySpec {
  dnnl::algorithm algorithm;
  dnnl::memory::desc src0;
  dnnl::memory::desc src1;
  dnnl::memory::desc dst;
};

/// The same for an element-wise operation.
dnnl::binary::primitive_desc createBinary(const BinarySpec &spec,
                                          const dnnl::primitive_attr &attr,
                                          const dnnl::engine &engine);

/// Whether `implementation`, of a convolution or a transposed one, computes its
/// post-ops element by element, with decisions for each: up to 50 times the
/// time of the rest. For a transposed one that includes bias and sum.
bool hasScalarPostOps(const std::string &implementation, bool isTransposed);

/// Appends a multiplication by `factor`.
void appendScale(dnnl::post_ops &ops, float factor);

/// Appends a rounding to integers, halves to even.
void appendRounding(dnnl::post_ops &ops);

/// Appends the post-ops of `activation`: none, one or two.
void appendActivation(dnnl::post_ops &ops, fusion_rt_activation activation,
                      float alpha, float beta);

/// Gives a kernel a zero point of `argument`, src or dst, which each execution
/// sets.
void addZeroPoint(dnnl::primitive_attr &attr, int argument);

/// Tells a layout from others, in bytes that are the same in another process.
/// The caller adds what decides a compensation for signs and zero points: with
/// oneDNN 3 only that can be asked for.
std::string layoutBytes(const dnnl::memory::desc &desc);

/// Whether scales are an operand of the first post-op. oneDNN 2 has scales of
/// the sum and the bias, which are parts of the kernel; oneDNN 3 would add the
/// bias behind its scales.
constexpr bool scalesAreOperand = DNNL_VERSION_MAJOR >= 3;

/// Makes a kernel multiply the sum and the bias by `scales`: one number, or one
/// for each index of the dimension of `operand` that has as many. `ops` must be
/// empty.
void addScales(dnnl::primitive_attr &attr, dnnl::post_ops &ops,
               const std::vector<float> &scales,
               const dnnl::memory::desc &operand);

/// Whether this CPU has VNNI instructions, for vectors of 512 or 256 bits.
/// Without them kernels saturate pairs of products of 8-bit integers to 16
/// bits.
bool sumsBytesExactly();

dnnl::memory::dims sizesOf(const dnnl::memory::desc &desc);
dnnl::memory::data_type typeOf(const dnnl::memory::desc &desc);

/// The strides of `desc` if it is a plain strided layout without padding, else
/// (a blocked layout) nothing.
dnnl::memory::dims plainStrides(const dnnl::memory::desc &desc);

/// The offset in bytes, in memory laid out as `whole`, of the elements from
/// `begin` on along `dim`, if their layout is that of `part`. Nothing if their
/// layout is another one.
std::optional<size_t> findSlice(const dnnl::memory::desc &whole,
                                const dnnl::memory::desc &part, int dim,
                                int64_t begin);

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_ONEDNN_ONEDNNCOMPAT_H
