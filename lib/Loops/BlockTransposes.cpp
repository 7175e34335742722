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

namespace {
/// Rows, or columns, of a block.
struct Part {
  /// The distance of the first one from the index of the loop.
  int64_t offset;
  /// Those in front that another block moves.
  int64_t skipped;
};

/// Iterations of one of the two loops that blocks have, and the blocks that
/// each of them moves.
struct BlockLoop {
  int64_t begin, end;
  SmallVector<Part> parts;
};
} // namespace

/// Moves a block from `indices` of the loops on.
static void moveBlock(OpBuilder &builder, Location loc,
                      const Transpose &transpose, const Part &rows,
                      const Part &columns, ValueRange indices) {
  auto elementType =
      cast<MemRefType>(transpose.source.getType()).getElementType();
  int64_t size = transpose.blockSize;
  auto type = VectorType::get(size, elementType);
  auto getPlace = [&](int64_t row, int64_t column) {
    SmallVector<Value> place = addToIndex(
        builder, loc, indices, transpose.targetLoop, rows.offset + row);
    return addToIndex(builder, loc, place, transpose.sourceLoop,
                      columns.offset + column);
  };
  SmallVector<Value> vectors;
  for (int64_t i = 0; i < size; ++i)
    vectors.push_back(
        vector::LoadOp::create(builder, loc, type, transpose.source,
                               follow(transpose.sourceMap, getPlace(i, 0))));
  transposeRows(builder, loc, vectors);
  for (int64_t i = columns.skipped; i < size; ++i)
    vector::StoreOp::create(builder, loc, vectors[i], transpose.target,
                            follow(transpose.targetMap, getPlace(0, i)));
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

/// Splits `size` rows or columns into whole blocks. Each iteration moves one;
/// the last one another one for the rest of them, which overlaps the first:
/// both are parts of the same cache lines, and of the same thread.
static SmallVector<BlockLoop> split(int64_t size, int64_t block) {
  Part whole{0, 0};
  int64_t rest = size % block, end = size - rest;
  if (rest == 0)
    return {{0, end, {whole}}};
  SmallVector<BlockLoop> loops;
  if (end > block)
    loops.push_back({0, end - block, {whole}});
  loops.push_back({end - block, end, {whole, {rest, block - rest}}});
  return loops;
}

/// Moves the blocks of `rows` and `columns` for all iterations of other loops.
static void moveBlocks(OpBuilder &builder, Location loc,
                       const Transpose &transpose, ArrayRef<OpFoldResult> sizes,
                       const BlockLoop &rows, const BlockLoop &columns) {
  SmallVector<OpFoldResult> begin(sizes.size(), builder.getIndexAttr(0)),
      end(sizes), steps(sizes.size(), builder.getIndexAttr(1));
  auto setLoop = [&](unsigned loop, const BlockLoop &blocks) {
    begin[loop] = builder.getIndexAttr(blocks.begin);
    end[loop] = builder.getIndexAttr(blocks.end);
    steps[loop] = builder.getIndexAttr(transpose.blockSize);
  };
  setLoop(transpose.targetLoop, rows);
  setLoop(transpose.sourceLoop, columns);
  auto toValues = [&](ArrayRef<OpFoldResult> numbers) {
    return getValueOrCreateConstantIndexOp(builder, loc, numbers);
  };
  scf::ParallelOp::create(
      builder, loc, toValues(begin), toValues(end), toValues(steps),
      [&](OpBuilder &inside, Location loc, ValueRange indices) {
        for (const Part &row : rows.parts)
          for (const Part &column : columns.parts)
            moveBlock(inside, loc, transpose, row, column, indices);
      });
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
    int64_t block = transpose->blockSize;
    for (const BlockLoop &rows :
         split(*getConstantIntValue(sizes[transpose->targetLoop]), block))
      for (const BlockLoop &columns :
           split(*getConstantIntValue(sizes[transpose->sourceLoop]), block))
        moveBlocks(rewriter, loc, *transpose, sizes, rows, columns);
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void fusion::populateBlockTransposesPatterns(RewritePatternSet &patterns) {
  patterns.add<BlockTranspose>(patterns.getContext());
}
