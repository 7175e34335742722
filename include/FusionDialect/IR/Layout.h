//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_IR_LAYOUT_H
#define FUSION_IR_LAYOUT_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace fusion {

/// The letters of the spatial dimensions of a convolution, outermost first:
/// "w", "hw" or "dhw".
llvm::StringRef getSpatialLetters(int64_t spatialRank);

/// The dimensions of an input or output in logical order: "nchw" for a 2-D
/// convolution.
std::string getActivationLetters(int64_t spatialRank);

/// The dimensions of a filter in logical order: "fchw" for a 2-D convolution.
std::string getFilterLetters(int64_t spatialRank);

} // namespace fusion

#endif // FUSION_IR_LAYOUT_H
