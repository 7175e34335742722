//===- Trace.h - Spans of time for a profiler -------------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_TRACE_H
#define FUSION_LIB_RUNTIME_TRACE_H

#include "FusionRuntime/fusion_runtime.h"

namespace fusion {
namespace runtime {

/// Costs one relaxed load.
bool isTracing();

/// Calls the callback, if there is one. Null strings become "".
void trace(const char *name, const char *location, const char *kernel,
           int64_t beginNs, int64_t endNs, const char *steps = "");

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_TRACE_H
