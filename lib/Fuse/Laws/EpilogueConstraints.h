//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_FUSE_LAWS_EPILOGUECONSTRAINTS_H
#define FUSION_LIB_FUSE_LAWS_EPILOGUECONSTRAINTS_H

#include "FusionDialect/Fuse/Laws.h"
#include "mlir/IR/PatternMatch.h"

namespace fusion {

/// Registers the native constraints and rewrites that lib/Fuse/Laws/
/// Epilogue.pdll declares.
void registerEpilogueConstraints(mlir::PDLPatternModule &patterns,
                                 const FuseOptions &options);

} // namespace fusion

#endif // FUSION_LIB_FUSE_LAWS_EPILOGUECONSTRAINTS_H
