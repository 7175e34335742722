//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_FUSE_MOVEELEMENTS_H
#define FUSION_LIB_FUSE_MOVEELEMENTS_H

#include "mlir/Support/LLVM.h"
#include <cstdint>
#include <vector>

namespace fusion {

/// Reverses `elements`, of a tensor of `shape`, in the dimensions `dims`.
std::vector<double> flipElements(std::vector<double> elements,
                                 llvm::ArrayRef<int64_t> shape,
                                 llvm::ArrayRef<int64_t> dims);

/// Surrounds `elements`, of a tensor of `shape`, with `number`, to a tensor of
/// `paddedShape`. `low` has the offset in each dimension. They have to fit.
std::vector<double> padElements(const std::vector<double> &elements,
                                llvm::ArrayRef<int64_t> shape,
                                llvm::ArrayRef<int64_t> paddedShape,
                                llvm::ArrayRef<int64_t> low, double number);

} // namespace fusion

#endif // FUSION_LIB_FUSE_MOVEELEMENTS_H
