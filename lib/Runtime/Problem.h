//===- Problem.h - A validated convolution call -----------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_PROBLEM_H
#define FUSION_LIB_RUNTIME_PROBLEM_H

#include "Layout.h"

namespace fusion {
namespace runtime {

/// The largest size, stride, dilation and pad. With it no sum of them
/// overflows.
constexpr int64_t maxDim = INT32_MAX;

enum class OpKind { Convolution, Deconvolution, Matmul, Pool };

/// "conv", "quantized_matmul" and so on, for lines and traces.
const char *opName(fusion_rt_function function);

/// A copy of a descriptor that has passed `validateDescriptor`.
///
/// A matrix multiplication is held as the 1-D convolution that it is, with a
/// kernel of size 1: n is the batch, c is k or n, w is the row. A pool is held
/// as a convolution without weights.
struct Descriptor {
  fusion_rt_function function; // of the slot
  OpKind kind;
  fusion_rt_conv_desc raw;
  fusion_rt_quantization quantization;        // if isQuantized
  fusion_rt_pooling pooling;                  // of a pool
  int64_t kernel[FUSION_RT_MAX_SPATIAL_RANK]; // of a pool

  int rank() const { return raw.spatial_rank + 2; }
  fusion_rt_type srcType() const { return fusion_rt_type(raw.src_type); }
  fusion_rt_type weightsType() const {
    return fusion_rt_type(raw.weights_type);
  }
  fusion_rt_type dstType() const { return fusion_rt_type(raw.dst_type); }
  fusion_rt_type residualType() const {
    return fusion_rt_type(raw.residual_type);
  }
  fusion_rt_activation activation() const {
    return fusion_rt_activation(raw.activation);
  }
  bool isQuantized() const {
    return function == FUSION_RT_FUNCTION_QUANTIZED_CONV ||
           function == FUSION_RT_FUNCTION_QUANTIZED_MATMUL;
  }
  /// The element type of floating-point kernels without conversions: the
  /// narrower type. Integers are converted.
  fusion_rt_type kernelType() const {
    if (isQuantized())
      return FUSION_RT_TYPE_F32;
    return srcType() == FUSION_RT_TYPE_F32 ? weightsType() : srcType();
  }
  bool hasScales() const {
    return isQuantized() && (quantization.flags & FUSION_RT_HAS_SCALES);
  }
  bool roundsActivation() const {
    return isQuantized() && (quantization.flags & FUSION_RT_ROUND_ACTIVATION);
  }
  fusion_rt_type biasType() const {
    return isQuantized() ? fusion_rt_type(quantization.bias_type)
                         : FUSION_RT_TYPE_F32;
  }
  bool hasWeights() const { return kind != OpKind::Pool; }
  bool hasBias() const { return raw.flags & FUSION_RT_HAS_BIAS; }
  bool hasResidual() const { return raw.flags & FUSION_RT_HAS_RESIDUAL; }
  bool addsResidualAfterActivation() const {
    return raw.flags & FUSION_RT_RESIDUAL_AFTER_ACTIVATION;
  }
  bool hasConstantWeights() const {
    return raw.flags & FUSION_RT_CONSTANT_WEIGHTS;
  }
  bool allowsWinograd() const { return raw.flags & FUSION_RT_ALLOW_WINOGRAD; }
};

/// Everything about a call but its addresses. A plan is made for a problem.
struct Problem {
  View src;
  View weights; // ungrouped: oc, ic/groups, spatial; or n, k, batch
  View bias;
  View scales;
  View residual;
  View dst;
  bool inPlace = false; // residual is dst

  /// True if there is nothing to compute.
  bool isEmpty() const { return dst.elements() == 0; }
  /// True if the sum is empty: dst depends on bias and residual alone.
  bool isReductionEmpty() const {
    return src.elements() == 0 || weights.elements() == 0;
  }
};

/// The operand that follows those of `args` in a call with a quantization.
inline const fusion_rt_tensor &scalesOf(const fusion_rt_conv_args &args) {
  return reinterpret_cast<const fusion_rt_quantized_args &>(args).scales;
}

/// Whether `weights` have a channel each.
bool isDepthwise(const Descriptor &descriptor, const View &weights);

/// Whether `weights` have a channel of 1-D images of floats each.
bool isDepthwiseOfLines(const Descriptor &descriptor, const View &src,
                        const View &weights);

/// Whether the call differs from `problem` only by its addresses.
bool matches(const Problem &problem, const fusion_rt_conv_args &args,
             bool inPlace);

inline bool isInPlace(const Descriptor &descriptor,
                      const fusion_rt_conv_args &args) {
  return descriptor.hasResidual() && args.residual.data &&
         args.residual.data == args.dst.data;
}

/// Checks the descriptor at `desc`, whose type depends on `function`.
fusion_rt_status validateDescriptor(fusion_rt_function function,
                                    const void *desc, Descriptor &out);

/// Checks the shapes of `args`, and fills in `out` with canonical strides.
fusion_rt_status validateShapes(const Descriptor &descriptor,
                                const fusion_rt_conv_args &args, Problem &out);

/// Checks the addresses, which differ from call to call.
fusion_rt_status validateAddresses(const Descriptor &descriptor,
                                   const Problem &problem,
                                   const fusion_rt_conv_args &args);

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_PROBLEM_H
