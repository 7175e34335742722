//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSFORMS_PASSES_H
#define FUSION_TRANSFORMS_PASSES_H

#include "FusionDialect/Fuse/QuantRounding.h"
#include "FusionDialect/IR/FusionDialect.h"
#include "mlir/Pass/Pass.h"

namespace fusion {

#define GEN_PASS_DECL
#include "FusionDialect/Transforms/Passes.h.inc"

#define GEN_PASS_REGISTRATION
#include "FusionDialect/Transforms/Passes.h.inc"

} // namespace fusion

#endif // FUSION_TRANSFORMS_PASSES_H
