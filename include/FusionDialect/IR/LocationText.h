//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_IR_LOCATIONTEXT_H
#define FUSION_IR_LOCATIONTEXT_H

#include "mlir/IR/Location.h"
#include <string>

namespace fusion {

/// `loc` as users write it: "file.mlir:3:5"; "" if no file is known.
std::string getLocationText(mlir::Location loc);

} // namespace fusion

#endif // FUSION_IR_LOCATIONTEXT_H
