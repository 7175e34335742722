//===- WeightsReorder.h - Reorders of weights in parts ----------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_ONEDNN_WEIGHTSREORDER_H
#define FUSION_LIB_RUNTIME_ONEDNN_WEIGHTSREORDER_H

#include <dnnl.hpp>

#include <vector>

namespace fusion {
namespace runtime {

/// Reorders weights, or some of their channels. It reads from `fromAt` bytes
/// behind the first element on, and writes from `toAt` on.
struct WeightsReorder {
  dnnl::reorder primitive;
  dnnl::memory::desc from, to, scratchpad;
  size_t fromAt = 0, toAt = 0;
};

/// Reorders that bring weights from one layout to another. Large ones are cut
/// along `dim`, so that several threads have some to do; no two write to the
/// same memory. Throws dnnl::error.
std::vector<WeightsReorder>
createWeightsReorders(const dnnl::memory::desc &from,
                      const dnnl::memory::desc &to, int dim);

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_ONEDNN_WEIGHTSREORDER_H
