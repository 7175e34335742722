//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_EXECUTIONENGINE_CHECKSIZES_H
#define FUSION_EXECUTIONENGINE_CHECKSIZES_H

#include "mlir/Pass/Pass.h"
#include <memory>

namespace fusion {

/// A pass on a bufferized module. It adds code that fails the call, with a
/// sentence, where sizes of operands of linalg ops, casts and copies do not fit
/// each other, where slices, reshapes and indices leave their buffer, where a
/// buffer is too large, where a division of integers would end the process, and
/// where the step of a loop is not positive. A condition that is known to hold
/// gets no code. Later passes rely on all of them without a check.
std::unique_ptr<mlir::Pass> createCheckSizesPass();

} // namespace fusion

#endif // FUSION_EXECUTIONENGINE_CHECKSIZES_H
