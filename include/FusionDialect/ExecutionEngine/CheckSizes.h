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

/// A pass on a bufferized module. In front of each linalg op, cast and copy it
/// asserts that the dynamic sizes of the operands fit each other, unless their
/// types prove it. Later passes rely on these sizes without a check.
std::unique_ptr<mlir::Pass> createCheckSizesPass();

} // namespace fusion

#endif // FUSION_EXECUTIONENGINE_CHECKSIZES_H
