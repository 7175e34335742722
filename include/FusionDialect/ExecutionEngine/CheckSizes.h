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

/// A pass on a bufferized module: asserts in front of each op of linalg, cast
/// and copy that the dynamic sizes of its operands fit each other, where that
/// does not show. What comes next trusts them.
std::unique_ptr<mlir::Pass> createCheckSizesPass();

} // namespace fusion

#endif // FUSION_EXECUTIONENGINE_CHECKSIZES_H
