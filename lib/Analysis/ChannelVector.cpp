//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/ChannelVector.h"
#include "FusionDialect/Analysis/Dataflow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

namespace {

/// Follows a value back to one that varies along the channel only. At each step
/// `dim` is the channel's dimension in the current value, or none if all
/// channels read the same element.
class ChannelVectorMatcher {
public:
  ChannelVectorMatcher(const ChannelVectorOptions &options, Refusal &refusal)
      : options(options), refusal(refusal) {}

  FailureOr<ChannelVector> match(Value value, std::optional<int64_t> dim);

  /// Matches `operand`, read through `map` from an iteration space in which
  /// `dim` is the channel.
  FailureOr<ChannelVector> matchOperand(Value operand, AffineMap map,
                                        std::optional<int64_t> dim);

private:
  FailureOr<ChannelVector> matchLinalg(linalg::LinalgOp op, OpResult result,
                                       std::optional<int64_t> dim);
  FailureOr<ChannelVector> matchExpand(tensor::ExpandShapeOp op,
                                       std::optional<int64_t> dim);
  FailureOr<ChannelVector> matchCollapse(tensor::CollapseShapeOp op,
                                         std::optional<int64_t> dim);
  FailureOr<ChannelVector> matchReshape(tensor::ReshapeOp op,
                                        std::optional<int64_t> dim);
  FailureOr<ChannelVector> matchBase(Value value, std::optional<int64_t> dim);
  LogicalResult checkReshapeAllowed(Operation *op);

  const ChannelVectorOptions &options;
  Refusal &refusal;
  /// The refusal is more precise than that the value varies.
  bool isReasonFinal = false;
};

} // namespace

/// The number of `value`, if it is a scalar constant or a splat.
static std::optional<double> getUniformConstant(Value value) {
  Attribute attribute;
  if (!matchPattern(value, m_Constant(&attribute)))
    return std::nullopt;
  if (auto splat = dyn_cast<SplatElementsAttr>(attribute))
    attribute = splat.getSplatValue<Attribute>();
  if (auto number = dyn_cast<FloatAttr>(attribute))
    return number.getValueAsDouble();
  if (auto number = dyn_cast<IntegerAttr>(attribute);
      number &&
      (number.getType().isInteger(8) || number.getType().isInteger(32)))
    return static_cast<double>(number.getInt());
  return std::nullopt;
}

FailureOr<ChannelVector>
ChannelVectorMatcher::match(Value value, std::optional<int64_t> dim) {
  if (std::optional<double> number = getUniformConstant(value))
    return ChannelVector{Value(), std::nullopt, number};
  if (!isa<ShapedType>(value.getType()))
    return ChannelVector{value, std::nullopt, std::nullopt};
  Operation *op = value.getDefiningOp();
  if (auto linalgOp = dyn_cast_or_null<linalg::LinalgOp>(op))
    return matchLinalg(linalgOp, cast<OpResult>(value), dim);
  if (auto splat = dyn_cast_or_null<tensor::SplatOp>(op))
    return match(splat.getInput(), std::nullopt);
  if (auto cast = dyn_cast_or_null<tensor::CastOp>(op))
    if (isa<RankedTensorType>(cast.getSource().getType()))
      return match(cast.getSource(), dim);
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op))
    return matchExpand(expand, dim);
  if (auto collapse = dyn_cast_or_null<tensor::CollapseShapeOp>(op))
    return matchCollapse(collapse, dim);
  if (auto reshape = dyn_cast_or_null<tensor::ReshapeOp>(op))
    return matchReshape(reshape, dim);
  return matchBase(value, dim);
}

static std::string getSizeText(int64_t size) {
  return ShapedType::isDynamic(size) ? "?" : std::to_string(size);
}

/// The end of a message about a dimension that is not the channel `dim`.
static std::string getExpectation(std::optional<int64_t> dim) {
  if (!dim)
    return ", which is not the output channel";
  return ", expected the output channel dimension " + std::to_string(*dim);
}

FailureOr<ChannelVector>
ChannelVectorMatcher::matchBase(Value value, std::optional<int64_t> dim) {
  auto type = cast<ShapedType>(value.getType());
  for (auto [i, size] : llvm::enumerate(type.getShape())) {
    if (size == 1 || (dim && *dim == static_cast<int64_t>(i)))
      continue;
    return refusal.because(options.role, " varies along dimension ", i, " of ",
                           type, " (size ", getSizeText(size), ")",
                           getExpectation(dim));
  }
  return ChannelVector{value, dim, std::nullopt};
}

FailureOr<ChannelVector>
ChannelVectorMatcher::matchOperand(Value operand, AffineMap map,
                                   std::optional<int64_t> dim) {
  auto type = dyn_cast<ShapedType>(operand.getType());
  if (!type)
    return match(operand, std::nullopt);
  std::optional<int64_t> operandDim;
  Refusal varies;
  for (auto [i, expr] : llvm::enumerate(map.getResults())) {
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (loop && dim && loop.getPosition() == *dim) {
      if (operandDim)
        return refusal.because(options.role,
                               " is read along the output channel twice");
      operandDim = i;
    } else if (loop && type.getDimSize(i) != 1 && varies.str().empty()) {
      (void)varies.because(
          options.role, " varies along dimension ", loop.getPosition(),
          " (size ", getSizeText(type.getDimSize(i)), ")", getExpectation(dim));
    } else if (!loop && !isa<AffineConstantExpr>(expr)) {
      return refusal.because("unsupported: ", options.role, " is indexed by ",
                             expr);
    }
  }
  // An operand with other dimensions may still be a broadcast along them.
  FailureOr<ChannelVector> result = match(operand, operandDim);
  if (failed(result) && !isReasonFinal && !varies.str().empty())
    refusal = varies;
  return result;
}

/// The scalar that `op` copies or widens to each element of its result, or null
/// if it computes something else.
static Value getCopiedScalar(linalg::LinalgOp op) {
  if (op.getNumDpsInits() != 1)
    return nullptr;
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  if (auto extend = yielded.getDefiningOp<arith::ExtFOp>())
    yielded = extend.getIn();
  if (yielded.getParentBlock() != op.getBlock())
    return yielded;
  OpOperand *operand = getReadOperand(op, yielded);
  return operand && op.isDpsInput(operand) ? yielded : nullptr;
}

FailureOr<ChannelVector>
ChannelVectorMatcher::matchLinalg(linalg::LinalgOp op, OpResult result,
                                  std::optional<int64_t> dim) {
  Value scalar = getCopiedScalar(op);
  AffineMap resultMap = op.getIndexingMapMatchingResult(result);
  if (!scalar || !resultMap.isPermutation())
    return matchBase(result, dim);
  OpOperand *operand = getReadOperand(op, scalar);
  if (!operand)
    return match(scalar, std::nullopt);
  std::optional<int64_t> loop;
  if (dim)
    loop = resultMap.getDimPosition(*dim);
  return matchOperand(operand->get(), op.getMatchingIndexingMap(operand), loop);
}

LogicalResult ChannelVectorMatcher::checkReshapeAllowed(Operation *op) {
  if (options.allowReshape)
    return success();
  isReasonFinal = true;
  return refusal.because(options.role, " comes through '",
                         op->getName().getStringRef(),
                         "', and allow-reshape is off");
}

FailureOr<ChannelVector>
ChannelVectorMatcher::matchExpand(tensor::ExpandShapeOp op,
                                  std::optional<int64_t> dim) {
  if (failed(checkReshapeAllowed(op)))
    return failure();
  auto type = op.getResultType();
  if (!dim)
    return match(op.getSrc(), std::nullopt);
  for (auto [i, group] : llvm::enumerate(op.getReassociationIndices())) {
    if (!llvm::is_contained(group, *dim))
      continue;
    bool isOnlyChannel = llvm::all_of(group, [&](int64_t other) {
      return other == *dim || type.getDimSize(other) == 1;
    });
    // The value may still be the same for all channels.
    FailureOr<ChannelVector> result = match(
        op.getSrc(), isOnlyChannel ? std::optional<int64_t>(i) : std::nullopt);
    if (failed(result) && !isOnlyChannel)
      return matchBase(op.getResult(), dim);
    return result;
  }
  return matchBase(op.getResult(), dim);
}

/// The only dimension of `group` whose size in `type` is not 1; the first one
/// if all sizes are 1; none if there are several.
static std::optional<int64_t> getOnlyNonUnit(ArrayRef<int64_t> group,
                                             ShapedType type) {
  std::optional<int64_t> result;
  for (int64_t dim : group) {
    if (type.getDimSize(dim) == 1)
      continue;
    if (result)
      return std::nullopt;
    result = dim;
  }
  return result ? result : std::optional<int64_t>(group.front());
}

/// The source of a broadcast `value` whose dimensions are just those of
/// `group`, in order: the whole channel, in several dimensions. Null if there
/// is none.
static Value findBroadcastOf(Value value, ArrayRef<int64_t> group) {
  auto op = value.getDefiningOp<linalg::LinalgOp>();
  OpOperand *operand = op ? getReadOperand(op, getCopiedScalar(op)) : nullptr;
  if (!operand)
    return nullptr;
  AffineMap resultMap = op.getIndexingMapMatchingResult(cast<OpResult>(value));
  SmallVector<unsigned> dims(group.begin(), group.end());
  if (!resultMap.isPermutation() ||
      op.getMatchingIndexingMap(operand) != resultMap.getSubMap(dims))
    return nullptr;
  return operand->get();
}

FailureOr<ChannelVector>
ChannelVectorMatcher::matchCollapse(tensor::CollapseShapeOp op,
                                    std::optional<int64_t> dim) {
  if (failed(checkReshapeAllowed(op)))
    return failure();
  if (!dim)
    return match(op.getSrc(), std::nullopt);
  SmallVector<ReassociationIndices> groups = op.getReassociationIndices();
  // The value may still be the same for all channels.
  std::optional<int64_t> source = getOnlyNonUnit(groups[*dim], op.getSrcType());
  FailureOr<ChannelVector> result = match(op.getSrc(), source);
  if (succeeded(result) || source)
    return result;
  // The group may be the channel in several dimensions.
  if (Value whole = findBroadcastOf(op.getSrc(), groups[*dim]))
    return ChannelVector{whole, 0, std::nullopt};
  return matchBase(op.getResult(), dim);
}

/// The sizes of the result of `op`, as far as its type or a constant shape
/// gives them.
static SmallVector<int64_t> getKnownSizes(tensor::ReshapeOp op) {
  SmallVector<int64_t> sizes(
      cast<ShapedType>(op.getResult().getType()).getShape());
  DenseIntElementsAttr constant;
  auto elements = op.getShape().getDefiningOp<tensor::FromElementsOp>();
  bool isConstant = matchPattern(op.getShape(), m_Constant(&constant));
  for (auto [i, size] : llvm::enumerate(sizes)) {
    if (!ShapedType::isDynamic(size))
      continue;
    if (isConstant)
      size = constant.getValues<APInt>()[i].getSExtValue();
    else if (elements)
      size = getConstantIntValue(elements.getElements()[i])
                 .value_or(ShapedType::kDynamic);
  }
  return sizes;
}

FailureOr<ChannelVector>
ChannelVectorMatcher::matchReshape(tensor::ReshapeOp op,
                                   std::optional<int64_t> dim) {
  if (failed(checkReshapeAllowed(op)))
    return failure();
  auto sourceType = dyn_cast<RankedTensorType>(op.getSource().getType());
  if (!sourceType || !isa<RankedTensorType>(op.getResult().getType()))
    return refusal.because("unsupported: ", options.role,
                           " comes through 'tensor.reshape' of "
                           "an unranked tensor");
  // A reshape keeps the row-major order. If source and result have one
  // dimension each that is not 1, these are the same dimension.
  for (auto [i, size] : llvm::enumerate(getKnownSizes(op))) {
    if (size == 1 || (dim && *dim == static_cast<int64_t>(i)))
      continue;
    if (ShapedType::isDynamic(size)) {
      isReasonFinal = true;
      return refusal.because(options.role,
                             " comes through 'tensor.reshape' to a shape "
                             "known only at run time: dimension ",
                             i, " of ", op.getResult().getType(),
                             " may be other than 1");
    }
    return refusal.because(options.role,
                           " is reshaped to vary along dimension ", i,
                           " (size ", size, ")", getExpectation(dim));
  }
  SmallVector<int64_t> all =
      llvm::to_vector(llvm::seq<int64_t>(0, sourceType.getRank()));
  if (all.empty())
    return match(op.getSource(), std::nullopt);
  std::optional<int64_t> source = getOnlyNonUnit(all, sourceType);
  if (!source)
    return matchBase(op.getResult(), dim);
  return match(op.getSource(), dim ? source : std::nullopt);
}

FailureOr<ChannelVector>
fusion::matchChannelVector(Value value, int64_t channelDim,
                           const ChannelVectorOptions &options,
                           Refusal &refusal) {
  return ChannelVectorMatcher(options, refusal).match(value, channelDim);
}

FailureOr<ChannelVector> fusion::matchChannelVector(
    Value value, AffineMap map, std::optional<int64_t> channelDim,
    const ChannelVectorOptions &options, Refusal &refusal) {
  return ChannelVectorMatcher(options, refusal)
      .matchOperand(value, map, channelDim);
}

bool fusion::isZero(const ChannelVector &vector) {
  return vector.number && *vector.number == 0.0;
}
