//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Padding.h"
#include "FusionDialect/Analysis/ChannelVector.h"
#include "FusionDialect/IR/FusionOps.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ValueBoundsOpInterface.h"

using namespace mlir;
using namespace fusion;

std::optional<double> fusion::getUniformNumber(Value value) {
  Refusal ignored = Refusal::unread();
  auto type = dyn_cast<RankedTensorType>(value.getType());
  AffineMap map = AffineMap::getMultiDimIdentityMap(type ? type.getRank() : 0,
                                                    value.getContext());
  FailureOr<ChannelVector> vector =
      matchChannelVector(value, map, std::nullopt, {}, ignored);
  return succeeded(vector) ? vector->number : std::nullopt;
}

static Padding readPad(tensor::PadOp pad) {
  Value number = pad.getConstantPaddingValue();
  return {pad, pad.getSource(), pad.getMixedLowPad(), pad.getMixedHighPad(),
          number ? getUniformNumber(number) : std::nullopt};
}

static Padding readPad(fusion::PadOp pad) {
  MLIRContext *context = pad.getContext();
  return {pad, pad.getInput(), getAsIndexOpFoldResult(context, pad.getLow()),
          getAsIndexOpFoldResult(context, pad.getHigh()), 0.0};
}

/// The number of elements of dimension `dim` of a tensor behind those that
/// `insert` inserts; none if it is not known.
static std::optional<int64_t> countBehind(tensor::InsertSliceOp insert,
                                          int64_t dim) {
  int64_t offset = insert.getStaticOffset(dim);
  int64_t size = insert.getStaticSize(dim);
  int64_t whole = insert.getDestType().getDimSize(dim);
  if (!ShapedType::isDynamic(offset) && !ShapedType::isDynamic(size) &&
      !ShapedType::isDynamic(whole))
    return whole - size - offset;
  // A batch is inserted whole.
  using Variable = ValueBoundsConstraintSet::Variable;
  FailureOr<bool> isWhole = ValueBoundsConstraintSet::areEqual(
      insert.getMixedSizes()[dim], Variable(insert.getDest(), dim));
  if (offset == 0 && succeeded(isWhole) && *isWhole)
    return 0;
  return std::nullopt;
}

/// Reads an insertion into a larger tensor that has one value everywhere.
static std::optional<Padding> readInsertSlice(tensor::InsertSliceOp insert) {
  bool isDense = llvm::all_of(insert.getMixedStrides(), isOneInteger);
  int64_t rank = insert.getDestType().getRank();
  if (!isDense || insert.getSourceType().getRank() != rank)
    return std::nullopt;
  std::optional<double> number = getUniformNumber(insert.getDest());
  if (!number)
    return std::nullopt;
  Padding padding{
      insert, insert.getSource(), insert.getMixedOffsets(), {}, number};
  Builder builder(insert.getContext());
  for (int64_t dim = 0; dim != rank; ++dim) {
    std::optional<int64_t> behind = countBehind(insert, dim);
    if (!behind)
      return std::nullopt;
    padding.high.push_back(builder.getIndexAttr(*behind));
  }
  return padding;
}

/// Converts `padding`, of a tensor without some dimensions of size 1, to the
/// tensor with them: linalg-fold-unit-extent-dims drops them around a pad.
static std::optional<Padding> expandPadding(const Padding &padding,
                                            tensor::ExpandShapeOp expand) {
  auto collapse = padding.source.getDefiningOp<tensor::CollapseShapeOp>();
  if (!collapse ||
      collapse.getReassociationIndices() != expand.getReassociationIndices())
    return std::nullopt;
  ArrayRef<int64_t> before = collapse.getSrcType().getShape();
  ArrayRef<int64_t> after = expand.getResultType().getShape();
  OpFoldResult zero = Builder(expand.getContext()).getIndexAttr(0);
  Padding result{padding.op, collapse.getSrc(),
                 SmallVector<OpFoldResult>(before.size(), zero),
                 SmallVector<OpFoldResult>(before.size(), zero),
                 padding.number};
  for (auto [i, group] : llvm::enumerate(expand.getReassociationIndices())) {
    // The padding goes to the dimension of the group whose size is not 1.
    int64_t padded = group.front();
    for (int64_t dim : group) {
      bool isUnit = before[dim] == 1 && after[dim] == 1;
      if (!isUnit && before[padded] == 1 && after[padded] == 1)
        padded = dim;
      else if (!isUnit && dim != padded)
        return std::nullopt;
    }
    result.low[padded] = padding.low[i];
    result.high[padded] = padding.high[i];
  }
  return result;
}

std::optional<Padding> fusion::findPadding(Value input) {
  Operation *op = input.getDefiningOp();
  if (auto pad = dyn_cast_or_null<tensor::PadOp>(op))
    return readPad(pad);
  if (auto pad = dyn_cast_or_null<fusion::PadOp>(op))
    return readPad(pad);
  if (auto insert = dyn_cast_or_null<tensor::InsertSliceOp>(op))
    return readInsertSlice(insert);
  if (auto expand = dyn_cast_or_null<tensor::ExpandShapeOp>(op))
    if (std::optional<Padding> padding = findPadding(expand.getSrc()))
      return expandPadding(*padding, expand);
  return std::nullopt;
}
