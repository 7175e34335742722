//===- Verbose.h - Lines for FUSION_VERBOSE ---------------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_VERBOSE_H
#define FUSION_LIB_RUNTIME_VERBOSE_H

#include "Slot.h"

#include <string>

namespace fusion {
namespace runtime {

// One line each on standard error, when FUSION_VERBOSE=1.
void verboseCreate(const Descriptor &descriptor, const Entry &entry, int64_t ns,
                   const char *location);
void verbosePack(const Entry &entry, const KeptWeights &weights, int64_t ns,
                 const char *location);
void verboseExecute(fusion_rt_function function, const Entry &entry, int64_t ns,
                    const char *location);
void verboseRefuse(fusion_rt_function function, fusion_rt_status status,
                   const char *location);

/// The type and sizes of a tensor: "f32 1x64x56x56".
std::string text(const View &view);

/// The name of the kernel that runs for `entry`, or null if nothing runs.
const char *kernelName(const Entry &entry);

/// The steps of each call beside the kernel, such as copies: each with a comma
/// in front.
std::string stepsOfCall(const Descriptor &descriptor, const Entry &entry);

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_VERBOSE_H
