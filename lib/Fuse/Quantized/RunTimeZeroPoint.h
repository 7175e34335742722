//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
#ifndef FUSION_LIB_FUSE_QUANTIZED_RUNTIMEZEROPOINT_H
#define FUSION_LIB_FUSE_QUANTIZED_RUNTIMEZEROPOINT_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

namespace fusion {

/// A number that is subtracted from each element of an input of i8.
struct SubtractedNumber {
  mlir::OpOperand *operand; ///< of the product, or of an op in front of it
  mlir::Operation *extend;  ///< makes i32 of it; null if it is one
  mlir::Value element;      ///< of the input, in i32

  bool isConstant() const;
};

/// The number that `op`, an element-wise op, subtracts from a tensor of i8,
/// extended to i32. It may be a constant.
std::optional<SubtractedNumber>
matchSubtractedNumber(mlir::linalg::LinalgOp op);

} // namespace fusion

#endif // FUSION_LIB_FUSE_QUANTIZED_RUNTIMEZEROPOINT_H
