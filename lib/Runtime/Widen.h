//===- Widen.h - From 8 bits to f32 -----------------------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_WIDEN_H
#define FUSION_LIB_RUNTIME_WIDEN_H

#include "FusionRuntime/fusion_runtime.h"

#include <cstdint>

namespace fusion {
namespace runtime {

/// Widens `count` integers of `type`, S8 or U8, less their zero point. They may
/// be the last bytes of the result.
void widen(fusion_rt_type type, const void *from, int64_t count,
           int32_t zeroPoint, float *to);

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_WIDEN_H
