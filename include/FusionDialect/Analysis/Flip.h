//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ANALYSIS_FLIP_H
#define FUSION_ANALYSIS_FLIP_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace fusion {

/// A tensor that is read backwards in some dimensions.
struct Flip {
  mlir::Value source;
  llvm::SmallVector<int64_t> dims;
  /// The operand that reads the source; null if no op does.
  mlir::OpOperand *operand = nullptr;
};

/// Reads `value` as a flip: a `linalg.generic` that reads its source backwards
/// in its body or by an indexing map. None if it is not a flip. A flip of a
/// flip becomes one.
std::optional<Flip> matchFlip(mlir::Value value);

/// Describes `value` with its dimensions `dims` flipped. A flip that makes
/// `value` is combined with that one. Dimensions of size 1 are left out.
Flip flip(mlir::Value value, llvm::ArrayRef<int64_t> dims);

} // namespace fusion

#endif // FUSION_ANALYSIS_FLIP_H
