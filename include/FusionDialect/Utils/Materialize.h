//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_UTILS_MATERIALIZE_H
#define FUSION_UTILS_MATERIALIZE_H

#include "FusionDialect/Analysis/ChannelExpr.h"
#include "mlir/IR/Builders.h"

namespace fusion {

/// Builds the tensor<Cxf32> of the values of `vector`, for `channels` channels.
mlir::Value materialize(mlir::OpBuilder &builder, mlir::Location loc,
                        const ChannelVector &vector,
                        mlir::OpFoldResult channels);

/// The same as tensor<Cxi32>, for values of i32.
mlir::Value materializeI32(mlir::OpBuilder &builder, mlir::Location loc,
                           const ChannelVector &vector,
                           mlir::OpFoldResult channels);

/// The same for `expr`.
mlir::Value materialize(mlir::OpBuilder &builder, mlir::Location loc,
                        const ChannelExpr &expr, mlir::OpFoldResult channels);

} // namespace fusion

#endif // FUSION_UTILS_MATERIALIZE_H
