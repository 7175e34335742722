//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Flip.h"
#include "FusionDialect/Analysis/Dataflow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;
using namespace fusion;

namespace {
enum class Direction { Forwards, Backwards };
} // namespace

/// The value of `index` if it is constant or a difference of constants.
static std::optional<int64_t> getConstant(Value index) {
  if (std::optional<int64_t> constant = getConstantIntValue(index))
    return constant;
  auto difference = index.getDefiningOp<arith::SubIOp>();
  if (!difference)
    return std::nullopt;
  auto lhs = getConstantIntValue(difference.getLhs());
  auto rhs = getConstantIntValue(difference.getRhs());
  return lhs && rhs ? std::optional<int64_t>(*lhs - *rhs) : std::nullopt;
}

/// Whether `index` is loop `dim` of `size` steps, and its direction; none if it
/// is something else.
static std::optional<Direction> matchIndex(Value index, int64_t dim,
                                           int64_t size) {
  // The index of a loop of one step folds to 0.
  if (size == 1 && getConstant(index) == 0)
    return Direction::Forwards;
  auto difference = index.getDefiningOp<arith::SubIOp>();
  if (difference && getConstant(difference.getLhs()) != size - 1)
    return std::nullopt;
  if (difference)
    index = difference.getRhs();
  auto loop = index.getDefiningOp<linalg::IndexOp>();
  if (!loop || static_cast<int64_t>(loop.getDim()) != dim)
    return std::nullopt;
  return difference ? Direction::Backwards : Direction::Forwards;
}

/// The same for a result of an indexing map.
static std::optional<Direction> matchIndex(AffineExpr index, int64_t dim,
                                           int64_t size) {
  AffineExpr loop = getAffineDimExpr(dim, index.getContext());
  if (index == loop)
    return Direction::Forwards;
  if (index == -loop + (size - 1))
    return Direction::Backwards;
  return std::nullopt;
}

/// Reads the tensor of `operand`, indexed by `indices`, as a flip: each must be
/// a loop of `type`.
template <typename Indices>
static std::optional<Flip> matchIndices(OpOperand &operand, Indices indices,
                                        RankedTensorType type) {
  if (operand.get().getType() != type)
    return std::nullopt;
  Flip flip{operand.get(), {}, &operand};
  for (auto [dim, index] : llvm::enumerate(indices)) {
    std::optional<Direction> direction =
        matchIndex(index, dim, type.getDimSize(dim));
    if (!direction)
      return std::nullopt;
    if (*direction == Direction::Backwards)
      flip.dims.push_back(dim);
  }
  return flip;
}

/// Reads `value` as a single flip.
static std::optional<Flip> matchOneFlip(Value value) {
  auto op = value.getDefiningOp<linalg::GenericOp>();
  if (!op || op->getNumResults() != 1 || !op.isAllParallelLoops() ||
      !op.getIndexingMapsArray().back().isIdentity())
    return std::nullopt;
  auto type = cast<RankedTensorType>(value.getType());
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  auto extract = yielded.getDefiningOp<tensor::ExtractOp>();
  if (extract && extract->getBlock() == op.getBlock() &&
      extract.getTensor().getParentBlock() != op.getBlock())
    return matchIndices(extract.getTensorMutable(), extract.getIndices(), type);
  OpOperand *operand = getReadOperand(op, yielded);
  if (!operand)
    return std::nullopt;
  return matchIndices(*operand, op.getMatchingIndexingMap(operand).getResults(),
                      type);
}

/// Flips the dimensions `dims` of `flip` once more. Two flips of one dimension
/// cancel out.
static void flipAgain(Flip &flip, ArrayRef<int64_t> dims) {
  for (int64_t dim : dims)
    if (llvm::is_contained(flip.dims, dim))
      llvm::erase(flip.dims, dim);
    else
      flip.dims.push_back(dim);
}

std::optional<Flip> fusion::matchFlip(Value value) {
  std::optional<Flip> flip = matchOneFlip(value);
  if (!flip)
    return std::nullopt;
  while (std::optional<Flip> inner = matchOneFlip(flip->source)) {
    flip->source = inner->source;
    flip->operand = inner->operand;
    flipAgain(*flip, inner->dims);
  }
  return flip;
}

Flip fusion::flip(Value value, ArrayRef<int64_t> dims) {
  Flip flip = matchFlip(value).value_or(Flip{value, {}});
  flipAgain(flip, dims);
  auto type = cast<ShapedType>(value.getType());
  llvm::erase_if(flip.dims,
                 [&](int64_t dim) { return type.getDimSize(dim) == 1; });
  return flip;
}
