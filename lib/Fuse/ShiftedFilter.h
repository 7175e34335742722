//===- ShiftedFilter.h - Filters with a zero point --------------*- C++ -*-===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM
// Exceptions. See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_FUSE_SHIFTEDFILTER_H
#define FUSION_LIB_FUSE_SHIFTEDFILTER_H

#include "FusionDialect/Analysis/MultiplyAdd.h"

namespace fusion {

/// Fails unless an op on integers, whose filter is signed and has zero point 0,
/// can have `filter`: it is so, or a constant that fits in i8 less its zero
/// point.
mlir::LogicalResult checkFilterFactor(const IntegerFactor &filter,
                                      Refusal &refusal);

/// `filter`, for which `checkFilterFactor` holds, less its zero point.
mlir::Value emitShiftedFilter(mlir::OpBuilder &builder, mlir::Location loc,
                              const IntegerFactor &filter);

} // namespace fusion

#endif // FUSION_LIB_FUSE_SHIFTEDFILTER_H
