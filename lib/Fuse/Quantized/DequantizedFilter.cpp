//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DequantizedFilter.h"
#include "FusionDialect/Analysis/Flip.h"
#include "FusionDialect/Analysis/Transpose.h"
#include "FusionDialect/Analysis/Views.h"
#include "FusionDialect/Fuse/ConstantEvaluation.h"
#include "FusionDialect/IR/LocationText.h"
#include "FusionDialect/Utils/EmitVector.h"
#include "FusionDialect/Utils/Moves.h"
#include "Laws.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fusion;

namespace {
/// A tensor of f32 times constants or a vector.
struct ScaledFilter : ScaledTensor {
  RunTimeFactor factor = {}; ///< in place of constants
};
} // namespace

/// Reads a product with a vector that an op computes, as that of a batch norm
/// is, or with a number.
static std::optional<ScaledFilter> matchComputedScale(linalg::LinalgOp op) {
  Operation *last =
      op.getBlock()->getTerminator()->getOperand(0).getDefiningOp();
  if (!isa_and_nonnull<arith::MulFOp, arith::DivFOp>(last) ||
      op.getNumDpsInputs() != 2 || op->getNumResults() != 1 ||
      !op.isAllParallelLoops() ||
      !op.getIndexingMapMatchingResult(cast<OpResult>(op->getResult(0)))
           .isIdentity())
    return std::nullopt;
  bool divides = isa<arith::DivFOp>(last);
  Value lhs = last->getOperand(0), rhs = last->getOperand(1);
  for (unsigned i : {0, 1}) {
    Value tensor = op.getDpsInputs()[i], vector = op.getDpsInputs()[1 - i];
    Value element = op.getBlock()->getArgument(i);
    Value factor = op.getBlock()->getArgument(1 - i);
    AffineMap map = op.getIndexingMapsArray()[1 - i];
    bool readsBoth = (lhs == element && rhs == factor) ||
                     (!divides && lhs == factor && rhs == element);
    if (!readsBoth || !op.getIndexingMapsArray()[i].isIdentity() ||
        !getElementTypeOrSelf(tensor).isF32() ||
        !getElementTypeOrSelf(vector).isF32())
      continue;
    if (map.isConstant())
      return ScaledFilter{{tensor, {}, {}},
                          {nullptr, divides, UniformScalar{op, factor}}};
    if (map.getNumResults() != 1)
      continue;
    auto dim = dyn_cast<AffineDimExpr>(map.getResult(0));
    if (!dim || !cast<RankedTensorType>(vector.getType()).hasStaticShape())
      continue;
    Refusal unread = Refusal::unread();
    FailureOr<std::vector<double>> factors = evaluateConstant(vector, unread);
    if (failed(factors))
      return ScaledFilter{{tensor, {}, dim.getPosition()}, {vector, divides}};
    AffineRounding::Numbers numbers(factors->begin(), factors->end());
    if (divides)
      for (double &number : numbers)
        number = 1.0 / number;
    return ScaledFilter{{tensor, std::move(numbers), dim.getPosition()}};
  }
  return std::nullopt;
}

/// Reads `op`, if it multiplies a tensor of f32 by constants or by a vector.
static std::optional<ScaledFilter> matchScale(Operation *op) {
  auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op);
  if (!linalgOp)
    return std::nullopt;
  if (std::optional<ScaledTensor> scaled = matchConstantScale(linalgOp))
    return ScaledFilter{*scaled};
  return matchComputedScale(linalgOp);
}

/// The filter that `op` reshapes, transposes, slices, flips or pads by 0; null
/// if it does something else.
static Value getMovedFilter(Operation *op) {
  if (!op || isa<PoolOp>(op))
    return nullptr;
  if (auto pad = dyn_cast<tensor::PadOp>(op)) {
    Value number = pad.getConstantPaddingValue();
    return number && getUniformNumber(number) == 0.0 ? pad.getSource()
                                                     : Value();
  }
  if (isView(op))
    return op->getOperand(0);
  OpOperand *moved = getMovedOperand(op);
  return moved ? moved->get() : Value();
}

/// Where dimension `dim` of the operand of `slice` is in its result; none if it
/// is not there as a whole.
static std::optional<unsigned> trackThroughSlice(unsigned dim,
                                                 tensor::ExtractSliceOp slice) {
  bool isWhole = isConstantIntValue(slice.getMixedOffsets()[dim], 0) &&
                 isConstantIntValue(slice.getMixedStrides()[dim], 1) &&
                 isConstantIntValue(slice.getMixedSizes()[dim],
                                    slice.getSourceType().getDimSize(dim));
  if (!isWhole || slice.getDroppedDims().any())
    return std::nullopt;
  return dim;
}

/// Where dimension `dim` of the operand of `move` is in its result; none if it
/// is merged with others, split, sliced, flipped or padded.
static std::optional<unsigned> trackThroughMove(unsigned dim, Operation *move) {
  if (auto transpose = matchTranspose(move))
    return llvm::find(transpose->second, dim) - transpose->second.begin();
  if (auto slice = dyn_cast<tensor::ExtractSliceOp>(move))
    return trackThroughSlice(dim, slice);
  if (auto pad = dyn_cast<tensor::PadOp>(move)) {
    bool isPadded = !isConstantIntValue(pad.getMixedLowPad()[dim], 0) ||
                    !isConstantIntValue(pad.getMixedHighPad()[dim], 0);
    return isPadded ? std::nullopt : std::optional(dim);
  }
  if (isView(move))
    return trackThroughViews(dim, move);
  std::optional<Flip> flip = matchFlip(move->getResult(0));
  if (!flip || llvm::is_contained(flip->dims, dim))
    return std::nullopt;
  return dim;
}

Value fusion::skipMovesAndScales(Value filter) {
  while (Operation *op = filter.getDefiningOp()) {
    std::optional<ScaledFilter> scaled = matchScale(op);
    Value moved = scaled ? Value() : getMovedFilter(op);
    if (!scaled && !moved)
      break;
    filter = scaled ? scaled->tensor : moved;
  }
  return filter;
}

/// Multiplies the scales of `filter` by those of `scaled`.
static LogicalResult multiplyScales(DequantizedFilter &filter,
                                    const ScaledFilter &scaled,
                                    Refusal &refusal) {
  ArrayRef<double> factors = scaled.factors;
  if (scaled.factor.number) {
    filter.factors.push_back(scaled.factor);
    return success();
  }
  if (factors.size() != 1) {
    if (filter.dim && filter.dim != scaled.dim)
      return refusal.because("scales vary along dimensions ", *filter.dim,
                             " and ", *scaled.dim);
    filter.dim = scaled.dim;
    if (scaled.factor.vector) {
      filter.factors.push_back(scaled.factor);
      return success();
    }
    if (filter.scale.size() == 1)
      filter.scale.assign(factors.size(), filter.scale[0]);
  }
  for (auto [i, scale] : llvm::enumerate(filter.scale))
    scale *= factors.size() == 1 ? factors[0] : factors[i];
  return success();
}

/// Repeats the scales of `filter` along the dimensions that `op` merges with
/// the one along which they vary: a group and its channels share them.
static bool repeatScales(DequantizedFilter &filter, Operation *op) {
  auto collapse = dyn_cast<tensor::CollapseShapeOp>(op);
  if (!collapse || !collapse.getSrcType().hasStaticShape() ||
      !filter.factors.empty())
    return false;
  ArrayRef<int64_t> shape = collapse.getSrcType().getShape();
  for (auto [i, group] : llvm::enumerate(collapse.getReassociationIndices())) {
    if (!llvm::is_contained(group, *filter.dim))
      continue;
    auto sizes = shape.slice(group.front(), group.size());
    auto inner = shape.slice(*filter.dim + 1, group.back() - *filter.dim);
    AffineRounding::Numbers scales;
    for (int64_t j = 0, e = ShapedType::getNumElements(sizes); j != e; ++j)
      scales.push_back(filter.scale[j / ShapedType::getNumElements(inner) %
                                    shape[*filter.dim]]);
    filter.scale = std::move(scales);
    filter.dim = i;
    return true;
  }
  return false;
}

/// Reads `filter` behind `move`.
static LogicalResult moveFilter(DequantizedFilter &filter, Operation *move,
                                Refusal &refusal) {
  filter.moves.push_back(move);
  if (!filter.dim)
    return success();
  if (std::optional<unsigned> dim = trackThroughMove(*filter.dim, move)) {
    filter.dim = dim;
    return success();
  }
  if (repeatScales(filter, move))
    return success();
  return refusal.because("unsupported: '", move->getName().getStringRef(),
                         "' at ", getLocationText(move->getLoc()),
                         " changes dimension ", *filter.dim,
                         ", along which scales vary");
}

FailureOr<DequantizedFilter> fusion::matchDequantizedFilter(Value value,
                                                            Refusal &refusal) {
  Operation *op = value.getDefiningOp();
  if (Value moved = getMovedFilter(op)) {
    FailureOr<DequantizedFilter> filter =
        matchDequantizedFilter(moved, refusal);
    if (failed(filter) || failed(moveFilter(*filter, op, refusal)))
      return failure();
    return filter;
  }
  std::optional<ScaledFilter> scaled = matchScale(op);
  if (!scaled) {
    // Products take any sign.
    FailureOr<Dequantization> match =
        Dequantization::match(value, refusal, /*isPositive=*/false);
    if (failed(match))
      return failure();
    return DequantizedFilter{*match, {}, {}};
  }
  FailureOr<DequantizedFilter> filter =
      matchDequantizedFilter(scaled->tensor, refusal);
  if (failed(filter) || failed(multiplyScales(*filter, *scaled, refusal)))
    return failure();
  return filter;
}

Value fusion::emitScaledVector(OpBuilder &builder, Location loc, Value vector,
                               const RunTimeFactor &factor) {
  auto type = cast<RankedTensorType>(vector.getType());
  Value empty = tensor::EmptyOp::create(builder, loc, type.getShape(),
                                        type.getElementType());
  SmallVector<Value> inputs = {vector, factor.vector};
  return factor.divides
             ? linalg::DivOp::create(builder, loc, inputs, empty).getResult(0)
             : linalg::MulOp::create(builder, loc, inputs, empty).getResult(0);
}

Value fusion::emitNegatedSums(OpBuilder &builder, Location loc, Value filter,
                              unsigned channelDim, Type type) {
  auto filterType = cast<RankedTensorType>(filter.getType());
  int64_t channels = filterType.getDimSize(channelDim);
  Type i32 = builder.getI32Type();
  Value empty =
      tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>{channels}, i32);
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(0));
  Value zeros = linalg::FillOp::create(builder, loc, zero, empty).getResult(0);
  AffineMap identity = builder.getMultiDimIdentityMap(filterType.getRank());
  SmallVector<utils::IteratorType> iterators(filterType.getRank(),
                                             utils::IteratorType::reduction);
  iterators[channelDim] = utils::IteratorType::parallel;
  auto subtract = [&](OpBuilder &b, Location loc, ValueRange args) {
    Value number = arith::ExtSIOp::create(b, loc, i32, args[0]);
    linalg::YieldOp::create(
        b, loc, arith::SubIOp::create(b, loc, args[1], number).getResult());
  };
  Value sums =
      linalg::GenericOp::create(
          builder, loc, zeros.getType(), filter, zeros,
          ArrayRef<AffineMap>{identity, identity.getSubMap(channelDim)},
          iterators, subtract)
          .getResult(0);
  Refusal unread = Refusal::unread();
  if (auto numbers = evaluateIntegers(sums, unread); succeeded(numbers))
    return type == i32
               ? emitVector(builder, loc, llvm::to_vector_of<int32_t>(*numbers))
               : emitVector(builder, loc, llvm::to_vector_of<double>(*numbers));
  if (type == i32)
    return sums;
  auto convert = [](OpBuilder &b, Location loc, ValueRange args) {
    linalg::YieldOp::create(
        b, loc,
        arith::SIToFPOp::create(b, loc, b.getF32Type(), args[0]).getResult());
  };
  empty = tensor::EmptyOp::create(builder, loc, ArrayRef<int64_t>{channels},
                                  builder.getF32Type());
  AffineMap vector = builder.getMultiDimIdentityMap(1);
  return linalg::GenericOp::create(builder, loc, empty.getType(), sums, empty,
                                   ArrayRef<AffineMap>{vector, vector},
                                   utils::IteratorType::parallel, convert)
      .getResult(0);
}
