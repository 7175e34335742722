//===- Backend.h - What the runtime asks of a backend -----------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_BACKEND_H
#define FUSION_LIB_RUNTIME_BACKEND_H

#include "FusionRuntime/fusion_runtime.h"

namespace fusion {
namespace runtime {

/// What `fusion_rt_backend` returns.
const char *backendName();

/// To be called in a catch block: the status and sentence that belong to the
/// exception under way if it is one of the backend's. Others it throws on.
fusion_rt_status failFromBackendException();

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_BACKEND_H
