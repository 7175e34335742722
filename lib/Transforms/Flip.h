//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TRANSFORMS_FLIP_H
#define FUSION_LIB_TRANSFORMS_FLIP_H

#include "mlir/IR/Value.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace fusion {

/// A tensor with some dimensions read backwards.
struct Flip {
  mlir::Value source;
  llvm::SmallVector<int64_t> dims;
};

/// Reads `value` as a flip, in the body of a `linalg.generic` that extracts its
/// elements or by an indexing map; nothing if it is none. Several flips of each
/// other are one.
std::optional<Flip> matchFlip(mlir::Value value);

/// Reads the dimensions `dims` backwards, once more where they are already.
void flipAgain(Flip &flip, llvm::ArrayRef<int64_t> dims);

} // namespace fusion

#endif // FUSION_LIB_TRANSFORMS_FLIP_H
