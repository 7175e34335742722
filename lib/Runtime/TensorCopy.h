//===- TensorCopy.h - Copies between layouts and types ----------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_RUNTIME_TENSORCOPY_H
#define FUSION_LIB_RUNTIME_TENSORCOPY_H

#include "Layout.h"

namespace fusion {
namespace runtime {

/// Copies `from` to `to`, rounding to nearest even if the type gets narrower.
/// `to` has the sizes of `from`, or more channels (dimension 1), which become
/// 0. With blocks of channels it must not have more. Integers that become f32
/// lose their `zeroPoint`; then `to` is dense and has no more channels.
///
/// oneDNN's reorders are not used here: 2.6 has none for f16, nor for bf16
/// below AVX-512, and they cannot pad channels.
void copyTensor(const View &from, const void *fromData, const View &to,
                void *toData, int32_t zeroPoint = 0);

/// Sets the elements `first` to `end` of dimension `dim` to the one at `value`.
void fillElements(const View &to, void *data, int dim, int64_t first,
                  int64_t end, const void *value);

/// As copyTensor, where spatial dimensions of `to` have further elements, as
/// many in front of those of `from` as `padLow` says. They become `pad`, or 0
/// if `to` has floats. Integers must not become floats.
void copyPadded(const View &from, const void *fromData, const View &to,
                void *toData, const int64_t *padLow, int32_t pad = 0);

} // namespace runtime
} // namespace fusion

#endif // FUSION_LIB_RUNTIME_TENSORCOPY_H
