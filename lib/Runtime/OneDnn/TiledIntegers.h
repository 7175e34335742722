//===- TiledIntegers.h - A call on integers as tiles ------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_ONEDNN_TILEDINTEGERS_H
#define FUSION_LIB_RUNTIME_ONEDNN_TILEDINTEGERS_H

#include "Backend.h"

#include <memory>

namespace fusion {
namespace runtime {

/// A plan for src of s8 or u8, whose sums oneDNN computes exactly, on at most
/// `threads` threads. Null if it has no such kernel, or, unless `takesSlow`,
/// none that is faster than those for f32. Throws dnnl::error.
std::unique_ptr<BackendPlan> makeIntegerPlan(const Descriptor &descriptor,
                                             const Problem &problem,
                                             int threads, bool takesSlow);

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_ONEDNN_TILEDINTEGERS_H
