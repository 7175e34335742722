//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_EXECUTIONENGINE_INSTRUMENTLOOPS_H
#define FUSION_EXECUTIONENGINE_INSTRUMENTLOOPS_H

#include "mlir/Pass/Pass.h"
#include "llvm/ADT/StringRef.h"
#include <memory>

namespace fusion {

inline constexpr llvm::StringLiteral kMovesText = " moves ";

/// A pass on a bufferized module: puts `fusion_rt_trace_begin` and
/// `fusion_rt_trace_end` around each op that becomes a loop nest (linalg on
/// memrefs, loops, copies) and stands directly in a function. Runtime calls
/// trace themselves. A nest is named after its op and reported with its
/// location. If it only copies, transposes or broadcasts, `kMovesText` and the
/// bytes that it writes follow the name.
std::unique_ptr<mlir::Pass> createInstrumentLoopsPass();

} // namespace fusion

#endif // FUSION_EXECUTIONENGINE_INSTRUMENTLOOPS_H
