//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Broadcast.h"
#include "FusionDialect/Analysis/ElementOrder.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace fusion;

static bool isCopy(linalg::LinalgOp op) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInputs() != 1 ||
      op.getNumDpsInits() != 1 || !op.isAllParallelLoops() ||
      !isa<RankedTensorType>(op.getDpsInputs()[0].getType()))
    return false;
  Block *body = op.getBlock();
  return body->getOperations().size() == 1 &&
         body->getTerminator()->getOperand(0) == body->getArgument(0);
}

/// The dimension of the source that each loop indexes; none unless each
/// dimension has a loop of its own, or is of size 1 and read at 0.
static std::optional<SmallVector<int64_t>>
getDimsByLoop(AffineMap map, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> dims(map.getNumDims(), IndexPart::repeated);
  for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
    if (auto zero = dyn_cast<AffineConstantExpr>(expr)) {
      if (zero.getValue() != 0 || shape[dim] != 1)
        return std::nullopt;
      continue;
    }
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (!loop || dims[loop.getPosition()] != IndexPart::repeated)
      return std::nullopt;
    dims[loop.getPosition()] = dim;
  }
  return dims;
}

std::optional<Broadcast> fusion::matchBroadcast(Operation *op) {
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
  if (!linalgOp ||
      !isa<linalg::GenericOp, linalg::BroadcastOp, linalg::TransposeOp>(op) ||
      !isCopy(linalgOp))
    return std::nullopt;
  SmallVector<AffineMap> maps = linalgOp.getIndexingMapsArray();
  if (!maps[1].isPermutation())
    return std::nullopt;
  Value source = linalgOp.getDpsInputs()[0];
  std::optional<SmallVector<int64_t>> dims = getDimsByLoop(
      maps[0], cast<RankedTensorType>(source.getType()).getShape());
  if (!dims)
    return std::nullopt;
  Broadcast broadcast{source, {}};
  for (AffineExpr expr : maps[1].getResults())
    broadcast.dims.push_back((*dims)[cast<AffineDimExpr>(expr).getPosition()]);
  return broadcast;
}

std::optional<AffineMap> fusion::getSourceMap(const Broadcast &broadcast,
                                              MLIRContext *context) {
  auto type = cast<RankedTensorType>(broadcast.source.getType());
  SmallVector<AffineExpr> places(type.getRank());
  for (auto [dim, source] : llvm::enumerate(broadcast.dims))
    if (source >= 0)
      places[source] = getAffineDimExpr(dim, context);
  if (!llvm::all_of(places, [](AffineExpr expr) { return bool(expr); }))
    return std::nullopt;
  return AffineMap::get(broadcast.dims.size(), 0, places, context);
}

bool fusion::repeatsElements(const Broadcast &broadcast, Operation *op) {
  ArrayRef<int64_t> shape =
      cast<ShapedType>(op->getResult(0).getType()).getShape();
  return llvm::any_of(llvm::zip_equal(broadcast.dims, shape), [](auto dim) {
    auto [source, size] = dim;
    return source == IndexPart::repeated && size != 1;
  });
}

bool fusion::isBroadcast(Operation *op) {
  std::optional<Broadcast> broadcast = matchBroadcast(op);
  return broadcast &&
         (repeatsElements(*broadcast, op) ||
          broadcast->dims.size() >
              cast<ShapedType>(broadcast->source.getType()).getShape().size());
}
