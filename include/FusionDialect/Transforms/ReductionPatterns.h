//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSFORMS_REDUCTIONPATTERNS_H
#define FUSION_TRANSFORMS_REDUCTIONPATTERNS_H

#include "mlir/IR/DialectRegistry.h"

namespace fusion {

/// Makes reducers (`fusion-reduce --reduction-tree`) simplify the ops of the
/// dialect: residual, bias, activation and other attributes go one at a time,
/// strides, dilations and pads become 1 and 0 where the types allow it. A step
/// is kept if the module stays interesting.
void registerReductionPatterns(mlir::DialectRegistry &registry);

} // namespace fusion

#endif // FUSION_TRANSFORMS_REDUCTIONPATTERNS_H
