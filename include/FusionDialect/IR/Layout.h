//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_IR_LAYOUT_H
#define FUSION_IR_LAYOUT_H

#include "mlir/IR/Value.h"
#include "mlir/Support/LLVM.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace fusion {

/// The letters of the spatial dimensions of a convolution, outermost first:
/// "w", "hw" or "dhw".
llvm::StringRef getSpatialLetters(int64_t spatialRank);

/// The dimensions of an input or output in logical order: "nchw" for a 2-D
/// convolution.
std::string getActivationLetters(int64_t spatialRank);

/// The layout with the channels last that has as many dimensions as `layout`:
/// "nhwc" for a 2-D convolution.
std::string getChannelsLast(llvm::StringRef layout);

/// The dimensions of a filter in logical order: "fchw" for a 2-D convolution.
std::string getFilterLetters(int64_t spatialRank);

/// True if `layout` has each letter of `letters` exactly once.
bool isPermutationOf(llvm::StringRef layout, llvm::StringRef letters);

/// For each letter of `letters`, the position at which `layout` has it. Both
/// have the same letters.
llvm::SmallVector<int64_t> getPositions(llvm::StringRef layout,
                                        llvm::StringRef letters);

/// `layout` after a transpose that makes dimension `permutation[i]` dimension
/// i.
std::string permuteLayout(llvm::StringRef layout,
                          llvm::ArrayRef<int64_t> permutation);

/// The size of the dimension of `value`, of a shaped type, that `layout` calls
/// `letter`; may be dynamic.
int64_t getDimSize(mlir::Value value, llvm::StringRef layout, char letter);

} // namespace fusion

#endif // FUSION_IR_LAYOUT_H
