//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSFORMS_PASSES_TD
#define FUSION_TRANSFORMS_PASSES_TD

include "FusionDialect/Transforms/BufferPasses.td"
include "FusionDialect/Transforms/CastPasses.td"
include "FusionDialect/Transforms/ConcatPasses.td"
include "FusionDialect/Transforms/OptimizePasses.td"
include "FusionDialect/Transforms/PartitionPasses.td"
include "FusionDialect/Transforms/QuantizedPasses.td"
include "FusionDialect/Transforms/RuntimePasses.td"

#endif // FUSION_TRANSFORMS_PASSES_TD
