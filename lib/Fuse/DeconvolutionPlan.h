//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_LIB_FUSE_DECONVOLUTIONPLAN_H
#define FUSION_LIB_FUSE_DECONVOLUTIONPLAN_H

#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Support/Refusal.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

namespace fusion {

/// One spatial dimension. Before anything is cut off, element a * stride + r of
/// the result is the sum over m of input[a - m] * filter[m * stride + r]. For
/// each of the `stride` places r this is a convolution with `taps` elements of
/// the filter, reversed.
struct SpatialStep {
  int64_t stride, taps;
  /// The padding of the convolution.
  int64_t padLow, padHigh;
  /// Steps of the convolution, and the slice of their elements that is the
  /// result.
  int64_t steps, offset, size;
};

/// The plan for each spatial dimension of `op`. With `mayFillKernel` the filter
/// has zeros behind it, up to a multiple of the stride.
mlir::FailureOr<llvm::SmallVector<SpatialStep>>
planSteps(FusedDeconvBiasActOp op, bool mayFillKernel, Refusal &refusal);

/// The number of places, of all dimensions together.
int64_t countPlaces(llvm::ArrayRef<SpatialStep> steps);

/// The stride of each spatial dimension.
llvm::SmallVector<int64_t> getStrides(llvm::ArrayRef<SpatialStep> steps);

/// All places of steps of `strides`, the last dimension fastest.
mlir::StaticTileOffsetRange getPlaces(llvm::ArrayRef<int64_t> strides);

/// One spatial dimension of a convolution that computes the elements at
/// `place`, `place + stride`, ... of the result and no others.
struct PlaceStep {
  /// The first of the filter's elements, which are `stride` apart.
  int64_t filterOffset;
  /// The convolution, of stride 1.
  SpatialStep step;
};

/// Plans the convolution of the elements at `place`, given for each dimension.
llvm::SmallVector<PlaceStep> planPlace(FusedDeconvBiasActOp op,
                                       llvm::ArrayRef<SpatialStep> steps,
                                       llvm::ArrayRef<int64_t> place);

/// Whether a convolution for each place is faster than one of all places. That
/// one computes the same steps for each place, of which some are cut off: of
/// 4x4 pixels and a kernel of 4x4 with stride 2 it computes 5x5.
bool isFasterApart(FusedDeconvBiasActOp op, llvm::ArrayRef<SpatialStep> steps);

} // namespace fusion

#endif // FUSION_LIB_FUSE_DECONVOLUTIONPLAN_H
