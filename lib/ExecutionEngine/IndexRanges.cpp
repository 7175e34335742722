//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "IndexRanges.h"

#include "FusionDialect/Analysis/EvaluateIndex.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/LoopLikeInterface.h"

using namespace mlir;
using namespace fusion;

/// Any integer of the type of `value`.
static ConstantIntRanges getAny(Value value) {
  unsigned width = ConstantIntRanges::getStorageBitwidth(value.getType());
  return ConstantIntRanges::maxRange(std::max(width, 1u));
}

/// Indices from `least` to `most`.
static ConstantIntRanges between(int64_t least, int64_t most) {
  return ConstantIntRanges::fromSigned(APInt(64, least, /*isSigned=*/true),
                                       APInt(64, most, /*isSigned=*/true));
}

/// The indices of a dimension, or of a loop, of `size`.
static ConstantIntRanges getIndices(int64_t size) {
  if (ShapedType::isDynamic(size))
    return between(0, std::numeric_limits<int64_t>::max());
  return between(0, std::max<int64_t>(size - 1, 0));
}

static ConstantIntRanges getSizes(int64_t size) {
  return ShapedType::isDynamic(size) ? getIndices(size) : between(size, size);
}

/// Makes `value` part of `all`.
static void add(std::optional<ConstantIntRanges> &all, const APInt &value) {
  auto one = ConstantIntRanges::constant(value);
  all = all ? all->rangeUnion(one) : one;
}

/// The values of `iv`, an index of `loop`, which gets no further than the last
/// step in front of the bound.
static std::optional<ConstantIntRanges> inferIteration(LoopLikeOpInterface loop,
                                                       Value iv) {
  auto ivs = loop.getLoopInductionVars();
  auto lowers = loop.getLoopLowerBounds(), uppers = loop.getLoopUpperBounds(),
       steps = loop.getLoopSteps();
  if (!ivs || !lowers || !uppers || !steps)
    return std::nullopt;
  auto found = llvm::find(*ivs, iv);
  if (found == ivs->end())
    return std::nullopt;
  size_t i = found - ivs->begin();
  auto lower = getConstantIntValue((*lowers)[i]),
       upper = getConstantIntValue((*uppers)[i]),
       step = getConstantIntValue((*steps)[i]);
  if (!lower || !upper || !step || *lower < 0 || *step <= 0 ||
      !iv.getType().isIndex())
    return std::nullopt;
  int64_t last = std::max(*upper - 1 - *lower, int64_t(0)) / *step * *step;
  return between(*lower, *lower + last);
}

ConstantIntRanges IndexRanges::inferArgument(BlockArgument argument) {
  Operation *parent = argument.getOwner()->getParentOp();
  if (auto op = dyn_cast<linalg::LinalgOp>(parent)) {
    OpOperand *operand = op.getMatchingOpOperand(argument);
    if (!op.isDpsInput(operand))
      return getAny(argument);
    return isa<MemRefType>(operand->get().getType())
               ? getElements(operand->get())
               : get(operand->get());
  }
  if (auto loop = dyn_cast<LoopLikeOpInterface>(parent))
    if (auto range = inferIteration(loop, argument))
      return *range;
  return getAny(argument);
}

/// The integers in `buffer`, if it is a constant.
ConstantIntRanges IndexRanges::getElements(Value buffer) {
  Type type = cast<MemRefType>(buffer.getType()).getElementType();
  unsigned width = ConstantIntRanges::getStorageBitwidth(type);
  ConstantIntRanges any = ConstantIntRanges::maxRange(std::max(width, 1u));
  auto get = buffer.getDefiningOp<memref::GetGlobalOp>();
  if (!get || width == 0)
    return any;
  auto global =
      symbols.lookupNearestSymbolFrom<memref::GlobalOp>(get, get.getNameAttr());
  auto elements =
      global && global.getConstant()
          ? dyn_cast_or_null<ElementsAttr>(global.getConstantInitValue())
          : nullptr;
  if (!elements || elements.empty())
    return any;
  auto values = elements.tryGetValues<APInt>();
  if (!values)
    return any;
  if (elements.isSplat())
    return ConstantIntRanges::constant(*values->begin());
  std::optional<ConstantIntRanges> all;
  for (const APInt &value : *values)
    add(all, value);
  return *all;
}

/// The range of `value` if the body of a linalg op computes it from floats that
/// depend on the index of one loop, as resizing an image does.
static std::optional<ConstantIntRanges> inferFromLoop(Value value) {
  auto op = dyn_cast<linalg::GenericOp>(value.getDefiningOp()->getParentOp());
  if (!op || !isa<arith::FPToSIOp, arith::FPToUIOp>(value.getDefiningOp()))
    return std::nullopt;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    Refusal refusal;
    auto constants = evaluateOverLoop(op, value, loop, refusal);
    if (failed(constants))
      continue;
    std::optional<ConstantIntRanges> all;
    for (TypedAttr constant : *constants)
      add(all, cast<IntegerAttr>(constant).getValue());
    return all;
  }
  return std::nullopt;
}

ConstantIntRanges IndexRanges::infer(Value value) {
  APInt constant;
  if (matchPattern(value, m_ConstantInt(&constant)))
    return ConstantIntRanges::constant(constant);
  if (auto argument = dyn_cast<BlockArgument>(value))
    return inferArgument(argument);
  Operation *op = value.getDefiningOp();
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    return getIndices(op->getParentOfType<linalg::LinalgOp>()
                          .getStaticLoopRanges()[index.getDim()]);
  if (auto load = dyn_cast<memref::LoadOp>(op))
    return getElements(load.getMemRef());
  if (auto dim = dyn_cast<memref::DimOp>(op)) {
    auto type = dyn_cast<MemRefType>(dim.getSource().getType());
    auto number = dim.getConstantIndex();
    bool isKnown = type && number && *number >= 0 && *number < type.getRank();
    return getSizes(isKnown ? type.getDimSize(*number) : ShapedType::kDynamic);
  }
  if (auto range = inferFromLoop(value))
    return *range;
  ConstantIntRanges result = getAny(value);
  if (auto inferable = dyn_cast<InferIntRangeInterface>(op)) {
    SmallVector<ConstantIntRanges> operands;
    for (Value operand : op->getOperands())
      operands.push_back(get(operand));
    inferable.inferResultRanges(
        operands, [&](Value inferred, const ConstantIntRanges &range) {
          if (inferred == value)
            result = range;
        });
  }
  return result;
}

ConstantIntRanges IndexRanges::get(Value value) {
  auto found = known.find(value);
  if (found != known.end())
    return found->second;
  ConstantIntRanges range = infer(value);
  known.try_emplace(value, range);
  return range;
}

ConstantIntRanges IndexRanges::get(OpFoldResult value) {
  if (auto number = getConstantIntValue(value))
    return between(*number, *number);
  return get(cast<Value>(value));
}

bool IndexRanges::isInside(Value index, Value buffer, int64_t dim) {
  int64_t size = cast<MemRefType>(buffer.getType()).getDimSize(dim);
  if (ShapedType::isDynamic(size))
    return inside.contains({index, buffer, dim});
  ConstantIntRanges range = get(index);
  return range.smin().isNonNegative() && range.smax().slt(size);
}

void IndexRanges::setInside(Value index, Value buffer, int64_t dim) {
  int64_t size = cast<MemRefType>(buffer.getType()).getDimSize(dim);
  if (ShapedType::isDynamic(size))
    inside.insert({index, buffer, dim});
  else if (size > 0)
    known.insert_or_assign(index, get(index).intersection(getIndices(size)));
}
