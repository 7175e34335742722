//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UTILS_CANONICALIZE_H
#define FUSION_UTILS_CANONICALIZE_H

#include "mlir/Pass/Pass.h"
#include "llvm/ADT/SmallVector.h"

namespace fusion {

/// The names of upstream's canonicalizations that change results, as
/// `canonicalize{disable-patterns=...}` takes them.
llvm::SmallVector<std::string> getWrongCanonicalizations();

/// Upstream's canonicalizer without the canonicalizations that change results.
std::unique_ptr<mlir::Pass> createCanonicalizer();

} // namespace fusion

#endif // FUSION_UTILS_CANONICALIZE_H
