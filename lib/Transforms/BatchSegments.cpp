//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BatchSegments.h"
#include "FusionDialect/Analysis/Views.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/Interfaces/CreateTile.h"
#include "FusionDialect/Support/ElementSize.h"
#include "FusionDialect/Support/TensorSize.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fusion;

/// The bytes of a tensor of `shape` with the element type of `type`; none if
/// they are more than a tensor can have.
static std::optional<int64_t> getBytes(RankedTensorType type,
                                       ArrayRef<int64_t> shape) {
  return countBytes(shape, getElementBytes(type.getElementTypeBitWidth()));
}

std::optional<int64_t> fusion::getBatch(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  if (!tensor || tensor.getRank() == 0 ||
      ShapedType::isDynamicShape(tensor.getShape().drop_front()) ||
      !tensor.getElementType().isIntOrFloat())
    return std::nullopt;
  // With sizes beyond those of a tensor, costs could overflow. Dynamic sizes
  // and 0 count as 1 here.
  SmallVector<int64_t> sizes;
  for (int64_t size : tensor.getShape())
    sizes.push_back(ShapedType::isDynamic(size) ? 1
                                                : std::max<int64_t>(1, size));
  if (!getBytes(tensor, sizes))
    return std::nullopt;
  return tensor.getDimSize(0);
}

/// Whether the first loop of `op` is parallel and runs over the first dimension
/// of the result. All maps must be permutations, perhaps of fewer dimensions:
/// upstream's tiling goes wrong with others, even if it tiles only the first
/// loop.
static bool hasLoopOfImages(linalg::LinalgOp op) {
  SmallVector<AffineMap> maps = op.getIndexingMapsArray();
  if (op.getNumLoops() == 0 ||
      op.getIteratorTypesArray().front() != utils::IteratorType::parallel ||
      !llvm::all_of(maps, [](AffineMap map) {
        return map.isProjectedPermutation(/*allowZeroInResults=*/true);
      }))
    return false;
  AffineExpr batch = getAffineDimExpr(0, op.getContext());
  return maps.back().getNumResults() > 0 && maps.back().getResult(0) == batch;
}

bool fusion::padsWithOneValue(tensor::PadOp pad) {
  return static_cast<bool>(pad.getConstantPaddingValue());
}

/// Whether part of the batch of the only result of `op` can be computed alone:
/// from the same part of the operands that have a batch, and from the whole of
/// the others.
static bool isComputedByImages(Operation *op) {
  if (op->getNumResults() != 1 || !getBatch(op->getResult(0).getType()) ||
      !isMemoryEffectFree(op))
    return false;
  // The host may not have registered the tiling of linalg.
  if (isa<linalg::LinalgOp, tensor::PadOp>(op) && !isa<TilingInterface>(op))
    return false;
  auto isAlone = [](ArrayRef<ReassociationIndices> groups) {
    return !groups.empty() && groups.front().size() == 1;
  };
  auto isOfBatch = [](Value value) {
    return getBatch(value.getType()).has_value();
  };
  return TypeSwitch<Operation *, bool>(op)
      .Case<FusedConvBiasActOp, FusedDeconvBiasActOp, QuantizedConvBiasActOp,
            PoolOp>([](auto op) { return getResultLetters(op).front() == 'n'; })
      .Case<FusedMatmulBiasActOp, QuantizedMatmulBiasActOp>(
          [](auto op) { return getResultLetters(op).front() != 'n'; })
      .Case([](linalg::LinalgOp op) { return hasLoopOfImages(op); })
      .Case([](tensor::PadOp op) {
        return padsWithOneValue(op) &&
               isConstantIntValue(op.getMixedLowPad().front(), 0) &&
               isConstantIntValue(op.getMixedHighPad().front(), 0);
      })
      .Case<tensor::ExpandShapeOp, tensor::CollapseShapeOp>(
          [&](auto op) { return isAlone(op.getReassociationIndices()); })
      .Case([&](tensor::ConcatOp op) {
        return op.getDim() != 0 && llvm::all_of(op.getInputs(), isOfBatch);
      })
      .Case([&](tensor::ExtractSliceOp op) {
        return isOfBatch(op.getSource()) &&
               op.getType().getRank() == op.getSourceType().getRank() &&
               isConstantIntValue(op.getMixedOffsets().front(), 0) &&
               isConstantIntValue(op.getMixedStrides().front(), 1);
      })
      .Default(false);
}

std::optional<int64_t> fusion::getBatchOfImages(Operation *op) {
  if (!isa<TilingInterface>(op) || !isComputedByImages(op))
    return std::nullopt;
  auto type = cast<RankedTensorType>(op->getResult(0).getType());
  if (type.getRank() < 3 || type.getDimSize(0) == 0)
    return std::nullopt;
  return getBatch(type);
}

/// True if `op` makes a tensor that costs nothing, in whole or in part. Tiling
/// creates it where it is needed.
static bool isFree(Operation *op) {
  return isa<tensor::EmptyOp, linalg::FillOp>(op) ||
         op->hasTrait<OpTrait::ConstantLike>();
}

/// The bytes of an image if `type` has `batch` of them, else 0.
static int64_t getBytesPerImage(Type type, int64_t batch) {
  if (getBatch(type) != batch)
    return 0;
  auto tensor = cast<RankedTensorType>(type);
  // This cannot overflow: it is less than the whole batch, which `getBatch` has
  // checked.
  return *getBytes(tensor, tensor.getShape().drop_front());
}

/// The tensors that `op` reads.
static SmallVector<Value> getInputs(Operation *op) {
  SmallVector<Value> inputs;
  auto style = dyn_cast<DestinationStyleOpInterface>(op);
  for (OpOperand &operand : op->getOpOperands())
    if (isa<RankedTensorType>(operand.get().getType()) &&
        !(style && style.isDpsInit(&operand)))
      inputs.push_back(operand.get());
  return inputs;
}

/// True if `value` is a tensor of the batch. A constant is not: a filter may
/// have as many output channels as the batch has images.
static bool isOfBatch(Value value, int64_t batch) {
  return getBatch(value.getType()) == batch &&
         !matchPattern(value, m_Constant());
}

int64_t fusion::getBytesPerImage(Operation *op, int64_t batch) {
  int64_t bytes = 0;
  for (Value input : getInputs(op))
    if (isOfBatch(input, batch))
      bytes += ::getBytesPerImage(input.getType(), batch);
  for (Type type : op->getResultTypes())
    bytes += ::getBytesPerImage(type, batch);
  return bytes;
}

//===----------------------------------------------------------------------===//
// Costs, in bytes that move through memory
//===----------------------------------------------------------------------===//

/// Images assumed in a batch whose size is known at run time only.
static constexpr int64_t assumedBatch = 4;

/// Whether the runtime packs `filter` once, and not in every call.
static bool isPackedOnce(Value filter) {
  while (Operation *op = filter.getDefiningOp()) {
    if (op->hasTrait<OpTrait::ConstantLike>() || isa<RtOnceOp>(op))
      return true;
    if (!isView(op))
      return false;
    filter = op->getOperand(0);
  }
  return isConstantArgument(filter);
}

/// The bytes of the weights, and of other tensors that `op` reads as a whole.
static int64_t getWeightBytes(Operation *op, int64_t batch) {
  auto fused = dyn_cast<FusedOpInterface>(op);
  int64_t bytes = 0;
  for (Value input : getInputs(op)) {
    auto type = cast<RankedTensorType>(input.getType());
    if (isOfBatch(input, batch) || !type.hasStaticShape() ||
        !type.getElementType().isIntOrFloat())
      continue;
    // Packing reads the weights, writes them, and the kernel reads them again.
    bool isPacked = fused && input == fused.getFilter() && !isPackedOnce(input);
    bytes += getBytes(type, type.getShape()).value_or(maxTensorBytes) *
             (isPacked ? 3 : 1);
  }
  return bytes;
}

/// The cost of an image, if `step` images are computed at a time.
static double getCost(const BatchSegment &segment, int64_t step) {
  double cost = static_cast<double>(segment.fixed) / step;
  return step == segment.batch ? cost + segment.uncached : cost;
}

static double getCost(const BatchSegment &segment) {
  return getCost(segment, segment.step);
}

/// Sets the step to the cheaper one of two: all images at once, or as many as
/// fit the cache.
static void setStep(BatchSegment &segment, const BatchCosts &costs) {
  int64_t step = costs.cacheBytes / std::max<int64_t>(1, segment.largest);
  bool isDynamic =
      getBatch(TilingInterface(segment.root)->getResult(0).getType()) ==
      ShapedType::kDynamic;
  step = std::clamp<int64_t>(step, 1, segment.batch);
  if (isDynamic && step < segment.batch)
    step = 1;
  while (segment.batch % step != 0)
    --step;
  segment.step = getCost(segment, step) < getCost(segment, segment.batch)
                     ? step
                     : segment.batch;
}

//===----------------------------------------------------------------------===//
// Segments
//===----------------------------------------------------------------------===//

/// The segment of `ops`. The last op is its root.
static BatchSegment makeSegment(ArrayRef<Operation *> ops, bool isBarred,
                                int64_t batch, const BatchCosts &costs) {
  BatchSegment segment{ops.front(), cast<TilingInterface>(ops.back()),
                       ShapedType::isDynamic(batch) ? assumedBatch : batch,
                       isBarred};
  for (Operation *op : ops) {
    // Reshapes and the like move no data.
    int64_t bytes = getBytesPerImage(op, batch);
    if (bytes == 0 || isFree(op) || !isa<TilingInterface, tensor::ConcatOp>(op))
      continue;
    segment.largest = std::max(segment.largest, bytes);
    if (bytes * segment.batch > costs.cacheBytes)
      segment.uncached += bytes;
    if (isa<TilingInterface>(op))
      segment.fixed += costs.startBytes + getWeightBytes(op, batch);
  }
  setStep(segment, costs);
  return segment;
}

/// The last op of the block that uses `op`, not counting uses of its sizes;
/// `op` if there is none.
static Operation *getLastUser(Operation *op) {
  Operation *last = op;
  for (Operation *user : op->getUsers()) {
    Operation *ancestor = op->getBlock()->findAncestorOpInBlock(*user);
    if (!ancestor) // in a block that follows
      ancestor = op->getBlock()->getTerminator();
    if (!isa<tensor::DimOp>(user) && last->isBeforeInBlock(ancestor))
      last = ancestor;
  }
  return last;
}

/// The segments of `block`, as short as they can be.
static SmallVector<BatchSegment> findShortest(Block &block,
                                              const BatchCosts &costs) {
  SmallVector<BatchSegment> segments;
  SmallVector<Operation *> ops;
  bool isBarred = true;
  // For each batch size, the last user of the tensors made so far.
  llvm::SmallDenseMap<int64_t, Operation *> lastUsers;
  for (Operation &op : block) {
    if (isFree(&op))
      continue;
    ops.push_back(&op);
    std::optional<int64_t> batch = getBatchOfImages(&op);
    Operation *lastUser = batch ? lastUsers.lookup(*batch) : nullptr;
    if (batch && !(lastUser && op.isBeforeInBlock(lastUser))) {
      segments.push_back(makeSegment(ops, isBarred, *batch, costs));
      isBarred = false;
      ops.clear();
    }
    for (Type type : op.getResultTypes()) {
      std::optional<int64_t> made = getBatch(type);
      if (!made)
        continue;
      if (!isComputedByImages(&op)) {
        ops.clear();
        isBarred = true;
      }
      Operation *&last = lastUsers[*made];
      Operation *user = getLastUser(&op);
      if (!last || last->isBeforeInBlock(user))
        last = user;
    }
  }
  return segments;
}

/// Joins the neighbours `first` and `last` to one segment.
static BatchSegment join(const BatchSegment &first, const BatchSegment &last,
                         const BatchCosts &costs) {
  BatchSegment result = last;
  result.first = first.first;
  result.isBarred = first.isBarred;
  result.largest = std::max(first.largest, last.largest);
  result.uncached += first.uncached;
  result.fixed += first.fixed;
  setStep(result, costs);
  return result;
}

/// The bytes that `first` writes to memory and `last` reads again, for an
/// image.
static double getCostBetween(const BatchSegment &first,
                             const BatchSegment &last) {
  if (first.step == first.batch && last.step == last.batch)
    return 0;
  Type type = TilingInterface(first.root)->getResult(0).getType();
  return 2.0 * getBytesPerImage(type, *getBatch(type));
}

SmallVector<BatchSegment> fusion::findBatchSegments(Block &block,
                                                    const BatchCosts &costs) {
  SmallVector<BatchSegment> segments;
  for (BatchSegment segment : findShortest(block, costs)) {
    while (!segments.empty() && !segment.isBarred &&
           segments.back().batch == segment.batch) {
      const BatchSegment &before = segments.back();
      BatchSegment joined = join(before, segment, costs);
      if (getCost(joined) >=
          getCost(before) + getCost(segment) + getCostBetween(before, segment))
        break;
      segment = joined;
      segments.pop_back();
    }
    segments.push_back(segment);
  }
  return segments;
}
