//===- MatmulTest.h - Matrix products with expected results -----*- C++ -*-===//
//-*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UNITTESTS_RUNTIME_MATMULTEST_H
#define FUSION_UNITTESTS_RUNTIME_MATMULTEST_H

#include "ConvTest.h"

namespace fusion {
namespace test {

/// The parameters of a matrix multiplication in a test. By default it is a
/// small one in which all sizes differ.
struct MatmulSpec {
  int64_t batch = 1, rows = 7, depth = 13, columns = 10;
  int64_t weightsBatch = 1;
  fusion_rt_type srcType = FUSION_RT_TYPE_F32;
  fusion_rt_type weightsType = FUSION_RT_TYPE_NONE; // none: srcType
  fusion_rt_type dstType = FUSION_RT_TYPE_F32;
  // Dimensions from the innermost to the outermost.
  std::vector<int> srcOrder{2, 1, 0};
  std::vector<int> weightsOrder{2, 1, 0};
  std::vector<int> dstOrder{2, 1, 0};
  int64_t slack = 0; // of src and dst
  bool bias = true;
  Residual residual = Residual::None;
  fusion_rt_type residualType = FUSION_RT_TYPE_NONE; // none: dstType
  bool residualAfter = false;                        // the activation
  std::vector<int> residualOrder{2, 1, 0};
  fusion_rt_activation activation = FUSION_RT_ACT_NONE;
  bool constantWeights = true;
};

class Matmul {
public:
  explicit Matmul(const MatmulSpec &spec);
  ~Matmul() { fusion_rt_release(&slot); }
  Matmul(const Matmul &) = delete;
  Matmul &operator=(const Matmul &) = delete;

  fusion_rt_status run();
  void check();

  MatmulSpec spec;
  fusion_rt_matmul_desc desc{};
  fusion_rt_slot slot{};
  fusion_rt_matmul_args args{};
  Tensor src, weights, bias, residual, dst;

private:
  double reference(int64_t index) const;
};
} // namespace test
} // namespace fusion

#endif // FUSION_UNITTESTS_RUNTIME_MATMULTEST_H
