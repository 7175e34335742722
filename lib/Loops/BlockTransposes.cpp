//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockTransposes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Recognition
//===----------------------------------------------------------------------===//

namespace {
/// An op that only moves elements, whose source and target have another
/// innermost dimension.
struct Transpose {
  Value source, target;
  AffineMap sourceMap, targetMap;
  /// The loops along which the elements of source and target lie side by side.
  unsigned sourceLoop, targetLoop;
  /// The number of rows of a block, which is that of their elements.
  int64_t blockSize;
};
} // namespace

/// Rows of a cache line of 64 bytes, but not more than 16, which is as many
/// vectors as a CPU without AVX-512 has; 0 for elements that are not whole
/// bytes.
static int64_t getBlockSize(Type elementType) {
  if (!elementType.isIntOrFloat())
    return 0;
  unsigned width = elementType.getIntOrFloatBitWidth();
  if (width != 8 && width != 16 && width != 32 && width != 64)
    return 0;
  return std::min<int64_t>(16, 512 / width);
}

static bool onlyMoves(linalg::GenericOp op) {
  if (op.getNumDpsInputs() != 1 || op.getNumDpsInits() != 1 ||
      !op.isAllParallelLoops() || !llvm::hasSingleElement(*op.getBody()))
    return false;
  return op.getBody()->getTerminator()->getOperand(0) ==
         op.getBody()->getArgument(0);
}

static std::optional<Transpose> matchBlocks(linalg::GenericOp op) {
  if (!op.hasPureBufferSemantics() || !onlyMoves(op))
    return std::nullopt;
  OpOperand &source = *op.getDpsInputOperand(0),
            &target = *op.getDpsInitOperand(0);
  auto sourceType = cast<MemRefType>(source.get().getType()),
       targetType = cast<MemRefType>(target.get().getType());
  AffineMap sourceMap = op.getMatchingIndexingMap(&source),
            targetMap = op.getMatchingIndexingMap(&target);
  if (op.getNumLoops() == 0 || !sourceMap.isPermutation() ||
      !targetMap.isPermutation() || !sourceType.isLastDimUnitStride() ||
      !targetType.isLastDimUnitStride())
    return std::nullopt;
  Transpose transpose{source.get(),
                      target.get(),
                      sourceMap,
                      targetMap,
                      sourceMap.getDimPosition(op.getNumLoops() - 1),
                      targetMap.getDimPosition(op.getNumLoops() - 1),
                      getBlockSize(targetType.getElementType())};
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  auto hasBlocks = [&](unsigned loop) {
    return !ShapedType::isDynamic(sizes[loop]) &&
           sizes[loop] >= transpose.blockSize;
  };
  if (transpose.blockSize == 0 ||
      transpose.sourceLoop == transpose.targetLoop ||
      !hasBlocks(transpose.sourceLoop) || !hasBlocks(transpose.targetLoop))
    return std::nullopt;
  return transpose;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Those of `values`, one for each loop, that the results of `map` stand for.
template <typename Range>
static auto follow(AffineMap map, const Range &values) {
  return llvm::map_to_vector(map.getResults(), [&](AffineExpr result) {
    return values[cast<AffineDimExpr>(result).getPosition()];
  });
}

/// Transposes the square of `rows`: its quarters, whose size doubles in each
/// step, change places.
static void transposeRows(OpBuilder &builder, Location loc,
                          MutableArrayRef<Value> rows) {
  int64_t size = rows.size();
  for (int64_t step = 1; step < size; step *= 2) {
    SmallVector<int64_t> upper, lower;
    for (int64_t i = 0; i < size; ++i) {
      bool isLeft = (i & step) == 0;
      upper.push_back(isLeft ? i : size + i - step);
      lower.push_back(isLeft ? i + step : size + i);
    }
    for (int64_t i = 0; i < size; ++i) {
      if ((i & step) != 0)
        continue;
      Value first = rows[i], second = rows[i + step];
      rows[i] = vector::ShuffleOp::create(builder, loc, first, second, upper);
      rows[i + step] =
          vector::ShuffleOp::create(builder, loc, first, second, lower);
    }
  }
}

/// `indices` of the loops, with `distance` added to that of `loop`.
static SmallVector<Value> addToIndex(OpBuilder &builder, Location loc,
                                     ValueRange indices, unsigned loop,
                                     int64_t distance) {
  SmallVector<Value> moved(indices);
  if (distance != 0)
    moved[loop] = arith::AddIOp::create(
        builder, loc, moved[loop],
        arith::ConstantIndexOp::create(builder, loc, distance));
  return moved;
}

/// Moves the block that begins at `indices` of the loops.
static void moveBlock(OpBuilder &builder, Location loc,
                      const Transpose &transpose, ValueRange indices) {
  auto elementType =
      cast<MemRefType>(transpose.source.getType()).getElementType();
  auto type = VectorType::get(transpose.blockSize, elementType);
  SmallVector<Value> rows;
  for (int64_t i = 0; i < transpose.blockSize; ++i) {
    SmallVector<Value> place =
        addToIndex(builder, loc, indices, transpose.targetLoop, i);
    rows.push_back(vector::LoadOp::create(builder, loc, type, transpose.source,
                                          follow(transpose.sourceMap, place)));
  }
  transposeRows(builder, loc, rows);
  for (auto [i, row] : llvm::enumerate(rows)) {
    SmallVector<Value> place =
        addToIndex(builder, loc, indices, transpose.sourceLoop, i);
    vector::StoreOp::create(builder, loc, row, transpose.target,
                            follow(transpose.targetMap, place));
  }
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The number of iterations of each loop.
static SmallVector<OpFoldResult> getLoopSizes(OpBuilder &builder, Location loc,
                                              const Transpose &transpose) {
  return follow(inversePermutation(transpose.targetMap),
                memref::getMixedSizes(builder, loc, transpose.target));
}

/// Creates `op` again for `sizes` iterations of the loops from `offsets` on.
static void createPart(OpBuilder &builder, linalg::GenericOp op,
                       ArrayRef<OpFoldResult> offsets,
                       ArrayRef<OpFoldResult> sizes) {
  SmallVector<OpFoldResult> strides(sizes.size(), builder.getIndexAttr(1));
  IRMapping mapping;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    mapping.map(operand.get(),
                memref::SubViewOp::create(builder, op.getLoc(), operand.get(),
                                          follow(map, offsets),
                                          follow(map, sizes), strides));
  }
  builder.clone(*op, mapping);
}

/// Creates `op` again for the iterations behind the first `covered` ones of
/// `loop`, and lets `sizes` have these alone.
static void splitOff(OpBuilder &builder, linalg::GenericOp op,
                     SmallVectorImpl<OpFoldResult> &sizes, unsigned loop,
                     int64_t covered) {
  int64_t rest = *getConstantIntValue(sizes[loop]) - covered;
  sizes[loop] = builder.getIndexAttr(rest);
  SmallVector<OpFoldResult> offsets(sizes.size(), builder.getIndexAttr(0));
  offsets[loop] = builder.getIndexAttr(covered);
  if (rest > 0)
    createPart(builder, op, offsets, sizes);
  sizes[loop] = builder.getIndexAttr(covered);
}

namespace {
struct BlockTranspose : public OpRewritePattern<linalg::GenericOp> {
  // Before it becomes a loop over elements.
  explicit BlockTranspose(MLIRContext *context)
      : OpRewritePattern(context, /*benefit=*/2) {}

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    std::optional<Transpose> transpose = matchBlocks(op);
    if (!transpose)
      return rewriter.notifyMatchFailure(op, "no transpose with whole blocks");
    Location loc = op.getLoc();
    SmallVector<OpFoldResult> sizes = getLoopSizes(rewriter, loc, *transpose);
    int64_t size = transpose->blockSize;
    for (unsigned loop : {transpose->sourceLoop, transpose->targetLoop})
      splitOff(rewriter, op, sizes, loop,
               llvm::alignDown(*getConstantIntValue(sizes[loop]), size));
    SmallVector<OpFoldResult> steps(sizes.size(), rewriter.getIndexAttr(1));
    steps[transpose->sourceLoop] = steps[transpose->targetLoop] =
        rewriter.getIndexAttr(size);
    SmallVector<OpFoldResult> begin(sizes.size(), rewriter.getIndexAttr(0));
    auto toValues = [&](ArrayRef<OpFoldResult> numbers) {
      return getValueOrCreateConstantIndexOp(rewriter, loc, numbers);
    };
    scf::ParallelOp::create(
        rewriter, loc, toValues(begin), toValues(sizes), toValues(steps),
        [&](OpBuilder &builder, Location loc, ValueRange indices) {
          moveBlock(builder, loc, *transpose, indices);
        });
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void fusion::populateBlockTransposesPatterns(RewritePatternSet &patterns) {
  patterns.add<BlockTranspose>(patterns.getContext());
}
