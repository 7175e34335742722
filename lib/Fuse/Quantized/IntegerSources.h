//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_FUSE_QUANTIZED_INTEGERSOURCES_H
#define FUSION_LIB_FUSE_QUANTIZED_INTEGERSOURCES_H

#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Support/Refusal.h"

namespace fusion {

/// True if element-wise ops compute `value` of integers of 8 bits.
bool comesFromIntegers(mlir::Value value);

/// True if input or filter of `op`, an op in f32, are made of integers.
bool hasIntegerOperand(FusedOpInterface op);

/// Fails if the filter of `op`, which has no operand of 8-bit integers, is made
/// of others, such as i4.
mlir::LogicalResult checkNoOtherFilter(FusedOpInterface op, Refusal &refusal);

/// Fails unless both operands are made of integers, with nothing between. Those
/// of the input may have been seen already.
mlir::LogicalResult checkSources(FusedOpInterface op, bool isInputIntegers,
                                 Refusal &refusal);

} // namespace fusion

#endif // FUSION_LIB_FUSE_QUANTIZED_INTEGERSOURCES_H
