//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_PADDING_H
#define FUSION_ANALYSIS_PADDING_H

#include "mlir/IR/OpDefinition.h"
#include <optional>

namespace fusion {

/// The constant that `value` is, a scalar or every element of a tensor; none if
/// it is not known.
std::optional<double> getUniformNumber(mlir::Value value);

/// A tensor surrounded with one value.
struct Padding {
  /// The op that surrounds it.
  mlir::Operation *op;
  mlir::Value source;
  /// Numbers of elements before and after, for each dimension.
  llvm::SmallVector<mlir::OpFoldResult> low, high;
  /// The value, if it is a constant.
  std::optional<double> number;
};

/// Reads `input` as a padded tensor: `tensor.pad`, or `tensor.insert_slice`
/// into a tensor with one value. Reshapes around it may drop dimensions of size
/// 1 and add them again.
std::optional<Padding> findPadding(mlir::Value input);

} // namespace fusion

#endif // FUSION_ANALYSIS_PADDING_H
