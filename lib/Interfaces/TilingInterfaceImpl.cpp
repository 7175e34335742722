//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Interfaces/TilingInterfaceImpl.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Interfaces/CreateTile.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/TilingInterface.h"

using namespace mlir;
using namespace fusion;

/// The tile of the result that is made from the given parts of operands, by the
/// dimensions that they share. Dimensions that they do not share must be whole.
static FailureOr<Part>
getTileOfOperands(OpBuilder &builder, Operation *op, ArrayRef<unsigned> numbers,
                  ArrayRef<SmallVector<OpFoldResult>> allOffsets,
                  ArrayRef<SmallVector<OpFoldResult>> allSizes,
                  Refusal &refusal) {
  Value init = cast<DestinationStyleOpInterface>(op).getDpsInits().front();
  Part tile = getWhole(builder, op->getLoc(), init);
  std::string result = getResultLetters(op);
  llvm::SmallDenseSet<size_t> known;
  for (auto [number, offsets, sizes] :
       llvm::zip_equal(numbers, allOffsets, allSizes)) {
    OpOperand &operand = op->getOpOperand(number);
    Sharing sharing = getSharing(op, operand);
    Part part{offsets, sizes};
    for (size_t dim : llvm::seq(sharing.layout.size())) {
      std::optional<size_t> to = sharing.getResultDim(dim, result);
      if (!to) {
        if (!isWhole(part, operand.get(), dim))
          return refusal.because("operand ", number,
                                 " must be whole in dimension ", dim,
                                 ", which a tile reads all of");
        continue;
      }
      if (!known.insert(*to).second &&
          (tile.offsets[*to] != offsets[dim] || tile.sizes[*to] != sizes[dim]))
        return refusal.because("operand ", number, " in dimension ", dim,
                               " asks for another tile than one before it");
      tile.offsets[*to] = offsets[dim];
      tile.sizes[*to] = sizes[dim];
    }
  }
  return tile;
}

namespace {
template <typename OpTy>
struct FusionOpTiling
    : public TilingInterface::ExternalModel<FusionOpTiling<OpTy>, OpTy> {
  // LLVM 23 has overloads with one more argument, which call those here.
  using Model = TilingInterface::ExternalModel<FusionOpTiling<OpTy>, OpTy>;
  using Model::generateResultTileValue;
  using Model::getIterationDomainTileFromOperandTiles;
  using Model::getTiledImplementation;
  using Model::getTiledImplementationFromOperandTiles;

  SmallVector<utils::IteratorType> getLoopIteratorTypes(Operation *op) const {
    return SmallVector<utils::IteratorType>(getResultLetters(op).size(),
                                            utils::IteratorType::parallel);
  }

  SmallVector<Range> getIterationDomain(Operation *op,
                                        OpBuilder &builder) const {
    Value init = cast<DestinationStyleOpInterface>(op).getDpsInits().front();
    Part whole = getWhole(builder, op->getLoc(), init);
    return llvm::map_to_vector(
        llvm::zip_equal(whole.offsets, whole.sizes), [&](auto range) {
          auto [offset, size] = range;
          return Range{offset, size, builder.getIndexAttr(1)};
        });
  }

  FailureOr<TilingResult>
  getTiledImplementation(Operation *op, OpBuilder &builder,
                         ArrayRef<OpFoldResult> offsets,
                         ArrayRef<OpFoldResult> sizes) const {
    Refusal refusal;
    Part tile{llvm::to_vector(offsets), llvm::to_vector(sizes)};
    FailureOr<TilingResult> result = createTile(builder, op, tile, refusal);
    if (failed(result))
      op->emitRemark("not tiled: ") << refusal.str();
    return result;
  }

  /// The iteration domain is the result, so that their tiles are the same.
  LogicalResult
  getResultTilePosition(Operation *op, OpBuilder &builder, unsigned number,
                        ArrayRef<OpFoldResult> offsets,
                        ArrayRef<OpFoldResult> sizes,
                        SmallVector<OpFoldResult> &resultOffsets,
                        SmallVector<OpFoldResult> &resultSizes) const {
    return getIterationDomainTileFromResultTile(
        op, builder, number, offsets, sizes, resultOffsets, resultSizes);
  }

  LogicalResult getIterationDomainTileFromResultTile(
      Operation *, OpBuilder &, unsigned, ArrayRef<OpFoldResult> offsets,
      ArrayRef<OpFoldResult> sizes, SmallVectorImpl<OpFoldResult> &tileOffsets,
      SmallVectorImpl<OpFoldResult> &tileSizes) const {
    tileOffsets.assign(offsets.begin(), offsets.end());
    tileSizes.assign(sizes.begin(), sizes.end());
    return success();
  }

  FailureOr<TilingResult>
  generateResultTileValue(Operation *op, OpBuilder &builder, unsigned,
                          ArrayRef<OpFoldResult> offsets,
                          ArrayRef<OpFoldResult> sizes) const {
    return getTiledImplementation(op, builder, offsets, sizes);
  }

  LogicalResult getIterationDomainTileFromOperandTiles(
      Operation *op, OpBuilder &builder, ArrayRef<unsigned> numbers,
      ArrayRef<SmallVector<OpFoldResult>> allOffsets,
      ArrayRef<SmallVector<OpFoldResult>> allSizes,
      SmallVectorImpl<OpFoldResult> &tileOffsets,
      SmallVectorImpl<OpFoldResult> &tileSizes) const {
    Refusal refusal;
    FailureOr<Part> tile =
        getTileOfOperands(builder, op, numbers, allOffsets, allSizes, refusal);
    if (failed(tile)) {
      op->emitRemark("not tiled with what computes its operands: ")
          << refusal.str();
      return failure();
    }
    tileOffsets.assign(tile->offsets.begin(), tile->offsets.end());
    tileSizes.assign(tile->sizes.begin(), tile->sizes.end());
    return success();
  }

  FailureOr<TilingResult> getTiledImplementationFromOperandTiles(
      Operation *op, OpBuilder &builder, ArrayRef<unsigned> numbers,
      ArrayRef<SmallVector<OpFoldResult>> allOffsets,
      ArrayRef<SmallVector<OpFoldResult>> allSizes) const {
    SmallVector<OpFoldResult> offsets, sizes;
    if (failed(getIterationDomainTileFromOperandTiles(
            op, builder, numbers, allOffsets, allSizes, offsets, sizes)))
      return failure();
    return getTiledImplementation(op, builder, offsets, sizes);
  }
};
} // namespace

template <typename... Ops> static void attachTo(MLIRContext &context) {
  (Ops::template attachInterface<FusionOpTiling<Ops>>(context), ...);
}

void fusion::registerTilingInterfaceExternalModels(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, FusionDialect *) {
    attachTo<FusedConvBiasActOp, FusedDeconvBiasActOp, FusedMatmulBiasActOp,
             QuantizedConvBiasActOp, QuantizedMatmulBiasActOp, PoolOp>(
        *context);
    // Tiles use ops of these dialects.
    context->loadDialect<affine::AffineDialect, arith::ArithDialect,
                         memref::MemRefDialect, tensor::TensorDialect>();
  });
}
