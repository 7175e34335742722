//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_INTERFACES_TILINGINTERFACEIMPL_H
#define FUSION_INTERFACES_TILINGINTERFACEIMPL_H

namespace mlir {
class DialectRegistry;
} // namespace mlir

namespace fusion {

/// Lets upstream's tiling and fusion of tiles take fusion ops. The iteration
/// domain is the result, dimension by dimension in the order of its layout. The
/// dimensions summed over are not tiled. A tile is the same op on slices of the
/// operands:
///
/// - Output channels of an op with groups are tiled by whole groups.
/// - The padding of a dimension that is tiled becomes a `tensor.pad` before the
///   loops.
/// - The spatial dimensions of a transposed convolution are not tiled.
///
/// An op that cannot be tiled gets a remark that says why.
void registerTilingInterfaceExternalModels(mlir::DialectRegistry &registry);

} // namespace fusion

#endif // FUSION_INTERFACES_TILINGINTERFACEIMPL_H
