//===- LoopsPlan.h - A plan that runs plain loops ---------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_PORTABLE_LOOPSPLAN_H
#define FUSION_LIB_RUNTIME_PORTABLE_LOOPSPLAN_H

#include "Backend.h"

namespace fusion {
namespace runtime {

/// The plan that computes any problem with plain loops.
std::unique_ptr<BackendPlan> makeLoopsPlan(const Descriptor &descriptor,
                                           const Problem &problem);

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_PORTABLE_LOOPSPLAN_H
