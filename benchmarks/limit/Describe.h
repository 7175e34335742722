//===- Describe.h - Descriptors for oneDNN 2 and 3 --------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_BENCHMARKS_LIMIT_DESCRIBE_H
#define FUSION_BENCHMARKS_LIMIT_DESCRIBE_H

#include "Network.h"

#include <dnnl.hpp>

namespace limit {

struct ConvolutionOperands {
  dnnl::memory::desc src, weights, bias, dst;
};

dnnl::convolution_forward::primitive_desc
describeConvolution(dnnl::algorithm algorithm,
                    const ConvolutionOperands &operands, const Layer &layer,
                    const dnnl::primitive_attr &attr,
                    const dnnl::engine &engine);

dnnl::pooling_forward::primitive_desc describePooling(
    dnnl::algorithm kind, const dnnl::memory::desc &src,
    const dnnl::memory::desc &dst, const dnnl::memory::dims &strides,
    const dnnl::memory::dims &kernel, const dnnl::memory::dims &padLow,
    const dnnl::memory::dims &padHigh, const dnnl::engine &engine);

dnnl::inner_product_forward::primitive_desc
describeLinear(const dnnl::memory::desc &src, const dnnl::memory::desc &weights,
               const dnnl::memory::desc &bias, const dnnl::memory::desc &dst,
               const dnnl::primitive_attr &attr, const dnnl::engine &engine);

dnnl::memory::desc inAnyFormat(const dnnl::memory::desc &desc);

void appendEltwise(dnnl::post_ops &ops, dnnl::algorithm kind, float alpha,
                   float beta);

/// Multiplies the sum of each output channel by `scale`. Returns the argument
/// that execution takes the scales as; 0 if it takes none.
int addScales(dnnl::primitive_attr &attr, int64_t channels, int64_t groups,
              float scale);

/// Gives a kernel a zero point of `argument`, which each execution sets.
void addZeroPoint(dnnl::primitive_attr &attr, int argument);

} // namespace limit

#endif // FUSION_BENCHMARKS_LIMIT_DESCRIBE_H
