//===- QuantizedTest.h - Integer ops with expected results ------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UNITTESTS_RUNTIME_QUANTIZEDTEST_H
#define FUSION_UNITTESTS_RUNTIME_QUANTIZEDTEST_H

#include "ConvTest.h"

namespace fusion {
namespace test {

/// A convolution, or a matrix multiplication of rows image[0] and columns
/// outputs.
struct QuantizedSpec {
  bool isMatmul = false;
  ConvSpec conv;
  int32_t srcZero = 0, dstZero = 0, residualZero = 0;
  float residualScale = 1, dstScale = 1;
  fusion_rt_type biasType = FUSION_RT_TYPE_S32;
  int64_t scales = -1; // as many as channels; 0 for none
  bool constantScales = true;
  bool roundsActivation = false;
  bool isExtreme = false;
};

class Quantized {
public:
  explicit Quantized(const QuantizedSpec &spec);
  ~Quantized() { fusion_rt_release(&slot); }
  Quantized(const Quantized &) = delete;
  Quantized &operator=(const Quantized &) = delete;

  fusion_rt_status run() {
    return spec.isMatmul ? fusion_rt_quantized_matmul(&slot, &args)
                         : fusion_rt_quantized_conv(&slot, &args);
  }
  void check(double tolerance = 0);

  QuantizedSpec spec;
  fusion_rt_quantized_conv_desc desc{};
  fusion_rt_quantized_matmul_desc matmulDesc{};
  fusion_rt_slot slot{};
  fusion_rt_quantized_args args{};
  Tensor src, weights, bias, scales, residual, dst;

private:
  void makeDescs();
  double expected(const Dims &at, int64_t index) const;
  int32_t sum(const Dims &at) const;
};

/// A convolution in which all sizes differ, with odd zero points.
QuantizedSpec makeQuantizedSpec();

} // namespace test
} // namespace fusion

#endif // FUSION_UNITTESTS_RUNTIME_QUANTIZEDTEST_H
