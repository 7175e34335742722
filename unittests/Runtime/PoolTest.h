//===- PoolTest.h - Pools with expected results -----------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UNITTESTS_RUNTIME_POOLTEST_H
#define FUSION_UNITTESTS_RUNTIME_POOLTEST_H

#include "ConvTest.h"

namespace fusion {
namespace test {

/// The parameters of a pool in a test. By default it is a small 2-D one in
/// which all sizes differ and each edge has another padding.
struct PoolSpec {
  fusion_rt_pooling pooling = FUSION_RT_POOL_MAX;
  int64_t batch = 2, channels = 5;
  Dims image{11, 8};
  Dims kernel{4, 3};
  Dims strides{2, 1};
  Dims padLow{1, 2};
  Dims padHigh{3, 0};
  fusion_rt_type type = FUSION_RT_TYPE_F32;
  Layout srcLayout = Layout::ChannelsLast;
  Layout dstLayout = Layout::ChannelsLast;
  int64_t slack = 0; // of src and dst
};

/// A slot with operands and the result that a plain loop computes for them.
class Pool {
public:
  explicit Pool(const PoolSpec &spec);
  ~Pool() { fusion_rt_release(&slot); }
  Pool(const Pool &) = delete;
  Pool &operator=(const Pool &) = delete;

  /// Fills dst with its contents before a call, and runs.
  fusion_rt_status run();
  /// Runs and compares all elements of dst.
  void check();
  /// Creates operands of other sizes for the same slot.
  void resize(int64_t batch, Dims image);
  /// The name of the kernel that ran last.
  std::string kernel() const;

  PoolSpec spec;
  fusion_rt_pool_desc desc{};
  fusion_rt_slot slot{};
  fusion_rt_conv_args args{};
  Tensor src, dst;

private:
  void makeOperands();
  double reference(int64_t index) const;
};

} // namespace test
} // namespace fusion

#endif // FUSION_UNITTESTS_RUNTIME_POOLTEST_H
