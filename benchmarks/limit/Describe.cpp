//===- Describe.cpp - Descriptors for oneDNN 2 and 3 ----------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Describe.h"

using dnnl::memory;
using limit::ConvolutionOperands;
using limit::Layer;
using Tag = memory::format_tag;

static const auto kInference = dnnl::prop_kind::forward_inference;

void limit::appendEltwise(dnnl::post_ops &ops, dnnl::algorithm kind,
                          float alpha, float beta) {
#if DNNL_VERSION_MAJOR >= 3
  ops.append_eltwise(kind, alpha, beta);
#else
  ops.append_eltwise(1, kind, alpha, beta);
#endif
}

dnnl::convolution_forward::primitive_desc
limit::describeConvolution(dnnl::algorithm algorithm,
                           const ConvolutionOperands &operands,
                           const Layer &layer, const dnnl::primitive_attr &attr,
                           const dnnl::engine &engine) {
  const auto &[src, weights, bias, dst] = operands;
  memory::dims strides(2, layer.stride), dilations(2, 0), pads(2, layer.pad);
#if DNNL_VERSION_MAJOR >= 3
  return {engine, kInference, algorithm, src,  weights, bias,
          dst,    strides,    dilations, pads, pads,    attr};
#else
  return {{kInference, algorithm, src, weights, bias, dst, strides, dilations,
           pads, pads},
          attr,
          engine};
#endif
}

memory::desc limit::inAnyFormat(const memory::desc &desc) {
#if DNNL_VERSION_MAJOR >= 3
  return {desc.get_dims(), desc.get_data_type(), Tag::any};
#else
  return {desc.dims(), desc.data_type(), Tag::any};
#endif
}

dnnl::pooling_forward::primitive_desc
limit::describePooling(dnnl::algorithm kind, const memory::desc &src,
                       const memory::desc &dst, const memory::dims &strides,
                       const memory::dims &kernel, const memory::dims &padLow,
                       const memory::dims &padHigh,
                       const dnnl::engine &engine) {
#if DNNL_VERSION_MAJOR >= 3
  return {engine, kInference,         kind,   src,    dst, strides,
          kernel, memory::dims(2, 0), padLow, padHigh};
#else
  return {{kInference, kind, src, dst, strides, kernel, padLow, padHigh},
          engine};
#endif
}

dnnl::inner_product_forward::primitive_desc
limit::describeLinear(const memory::desc &src, const memory::desc &weights,
                      const memory::desc &bias, const memory::desc &dst,
                      const dnnl::primitive_attr &attr,
                      const dnnl::engine &engine) {
#if DNNL_VERSION_MAJOR >= 3
  return {engine, kInference, src, weights, bias, dst, attr};
#else
  return {{kInference, src, weights, bias, dst}, attr, engine};
#endif
}

int limit::addScales(dnnl::primitive_attr &attr, int64_t channels,
                     int64_t groups, float scale) {
#if DNNL_VERSION_MAJOR >= 3
  attr.set_scales_mask(DNNL_ARG_WEIGHTS, groups == 1 ? 1 : 3);
  return DNNL_ARG_ATTR_SCALES | DNNL_ARG_WEIGHTS;
#else
  attr.set_output_scales(1 << 1, std::vector<float>(size_t(channels), scale));
  return 0;
#endif
}

void limit::addZeroPoint(dnnl::primitive_attr &attr, int argument) {
#if DNNL_VERSION_MAJOR >= 3
  attr.set_zero_points_mask(argument, 0);
#else
  attr.set_zero_points(argument, 0, {DNNL_RUNTIME_S32_VAL});
#endif
}
