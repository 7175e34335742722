//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_TRANSFORMS_REFINESIZES_H
#define FUSION_LIB_TRANSFORMS_REFINESIZES_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace fusion {

/// Makes types static that the static sizes in `function` determine: those of
/// values, by upstream's canonicalization and some patterns that it does not
/// have, and those of the results. Does nothing if all is static. Fails with a
/// diagnostic, and leaves `function` half done, if sizes that have to be equal
/// differ.
mlir::LogicalResult refineSizes(mlir::FunctionOpInterface function);

} // namespace fusion

#endif // FUSION_LIB_TRANSFORMS_REFINESIZES_H
