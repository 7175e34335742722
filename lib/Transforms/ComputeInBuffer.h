//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// For passes that let ops on tensors compute in parts of a buffer, in front of
// bufferization.

#ifndef FUSION_TRANSFORMS_COMPUTEINBUFFER_H
#define FUSION_TRANSFORMS_COMPUTEINBUFFER_H

#include "mlir/IR/PatternMatch.h"
#include "mlir/Interfaces/DestinationStyleOpInterface.h"

namespace fusion {

/// The op that computes `value` in a tensor.empty that nothing else uses; else
/// null.
mlir::DestinationStyleOpInterface getComputationInEmpty(mlir::Value value);

/// That op, if `value` has one use; else null.
mlir::DestinationStyleOpInterface getOnlyComputation(mlir::Value value);

/// A buffer of this type, aligned to 64 bytes.
mlir::Value createBuffer(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::RankedTensorType type);

/// The contents of `buffer`, which no other tensor shows that is in use.
mlir::Value createToTensor(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Type type, mlir::Value buffer);

/// Lets `op` compute its result, which is `value`, in `buffer` in place of a
/// tensor.empty.
void computeIn(mlir::RewriterBase &rewriter,
               mlir::DestinationStyleOpInterface op, mlir::Value value,
               mlir::Value buffer);

/// Copies `value` to `buffer`, unless it has been computed there.
void storeIn(mlir::RewriterBase &rewriter, mlir::Location loc,
             mlir::Value value, mlir::Value buffer);

} // namespace fusion

#endif // FUSION_TRANSFORMS_COMPUTEINBUFFER_H
