//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BlockTransposes.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/ApplyPatterns.h"
#include "ShortVectors.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Transforms/LoopInvariantCodeMotionUtils.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONLOWERTOLOOPS
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Fewer and longer loops
//===----------------------------------------------------------------------===//

namespace {
/// Upstream lowers a copy between strided buffers to a function that moves
/// single elements.
struct CopyToLinalg : public OpRewritePattern<memref::CopyOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::CopyOp op,
                                PatternRewriter &rewriter) const override {
    if (!isa<MemRefType>(op.getSource().getType()) ||
        !isa<MemRefType>(op.getTarget().getType()))
      return rewriter.notifyMatchFailure(op, "operand has no rank");
    linalg::makeMemRefCopyOp(rewriter, op.getLoc(), op.getSource(),
                             op.getTarget());
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

namespace {
/// The process ends in upstream's lowering of a dimension that is expanded to
/// several ones of dynamic size.
struct ReinterpretExpansion : public OpRewritePattern<memref::ExpandShapeOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(memref::ExpandShapeOp op,
                                PatternRewriter &rewriter) const override {
    MemRefType type = op.getResultType();
    auto isSeveral = [&](ArrayRef<int64_t> group) {
      return llvm::count_if(group, [&](int64_t dim) {
               return type.isDynamicDim(dim);
             }) > 1;
    };
    if (llvm::none_of(op.getReassociationIndices(), isSeveral))
      return rewriter.notifyMatchFailure(op, "upstream lowers it");
    Location loc = op.getLoc();
    auto source =
        memref::ExtractStridedMetadataOp::create(rewriter, loc, op.getSrc());
    SmallVector<OpFoldResult> sizes = op.getMixedOutputShape();
    SmallVector<OpFoldResult> strides(type.getRank());
    AffineExpr product =
        rewriter.getAffineSymbolExpr(0) * rewriter.getAffineSymbolExpr(1);
    for (auto [group, stride] : llvm::zip_equal(
             op.getReassociationIndices(), source.getConstifiedMixedStrides()))
      for (int64_t dim : llvm::reverse(group)) {
        strides[dim] = stride;
        stride = affine::makeComposedFoldedAffineApply(rewriter, loc, product,
                                                       {stride, sizes[dim]});
      }
    rewriter.replaceOpWithNewOp<memref::ReinterpretCastOp>(
        op, type, source.getBaseBuffer(), source.getConstifiedMixedOffset(),
        sizes, strides);
    return success();
  }
};
} // namespace

/// `memref` without the dimensions that `map` fixes, and the map for it.
static std::pair<Value, AffineMap>
dropFixedDims(OpBuilder &builder, Location loc, Value memref, AffineMap map) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<OpFoldResult> offsets(type.getRank(), builder.getIndexAttr(0)),
      sizes = memref::getMixedSizes(builder, loc, memref),
      strides(type.getRank(), builder.getIndexAttr(1));
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> results;
  for (auto [dim, result] : llvm::enumerate(map.getResults()))
    if (auto fixed = dyn_cast<AffineConstantExpr>(result)) {
      offsets[dim] = builder.getIndexAttr(fixed.getValue());
      sizes[dim] = builder.getIndexAttr(1);
    } else {
      shape.push_back(type.getDimSize(dim));
      results.push_back(result);
    }
  MemRefType reduced = memref::SubViewOp::inferRankReducedResultType(
      shape, type, offsets, sizes, strides);
  return {memref::SubViewOp::create(builder, loc, reduced, memref, offsets,
                                    sizes, strides),
          AffineMap::get(map.getNumDims(), 0, results, map.getContext())};
}

namespace {
/// Front ends keep a dimension of size 1 that is reduced or broadcast. Without
/// it the other patterns see permutations.
struct DropFixedDims : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureBufferSemantics())
      return rewriter.notifyMatchFailure(op, "operands are not memrefs");
    SmallVector<Value> operands(op->getOperands());
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    for (auto [operand, map] : llvm::zip_equal(operands, maps)) {
      auto type = dyn_cast<MemRefType>(operand.getType());
      if (type && type.isStrided() &&
          llvm::any_of(map.getResults(), llvm::IsaPred<AffineConstantExpr>))
        std::tie(operand, map) =
            dropFixedDims(rewriter, op.getLoc(), operand, map);
    }
    if (maps == op.getIndexingMapsArray())
      return rewriter.notifyMatchFailure(op, "no dimension is fixed");
    rewriter.modifyOpInPlace(op, [&] {
      op->setOperands(operands);
      op.setIndexingMapsAttr(rewriter.getAffineMapArrayAttr(maps));
    });
    return success();
  }
};
} // namespace

/// True if the body of `op` reads the index of loop `dim`.
static bool readsIndex(linalg::LinalgOp op, unsigned dim) {
  return op.getBlock()
      ->walk([&](linalg::IndexOp index) {
        return index.getDim() == dim ? WalkResult::interrupt()
                                     : WalkResult::advance();
      })
      .wasInterrupted();
}

/// True if dimensions `dim` and `dim` + 1 can be merged in each operand. An
/// index that the body reads would be a remainder or a quotient then, of which
/// LLVM makes no vectors.
static bool continueEachOther(linalg::LinalgOp op, unsigned dim) {
  if (readsIndex(op, dim) || readsIndex(op, dim + 1) ||
      op.getIteratorTypesArray()[dim] != op.getIteratorTypesArray()[dim + 1] ||
      !linalg::areDimSequencesPreserved(op.getIndexingMapsArray(),
                                        {{dim, dim + 1}}))
    return false;
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    auto type = dyn_cast<MemRefType>(operand.get().getType());
    std::optional<unsigned> position =
        op.getMatchingIndexingMap(&operand).getResultPosition(
            getAffineDimExpr(dim, op.getContext()));
    return !type || !position ||
           memref::CollapseShapeOp::isGuaranteedCollapsible(
               type, {{*position, *position + 1}});
  });
}

static SmallVector<ReassociationIndices>
getMergedDimensions(linalg::LinalgOp op) {
  SmallVector<ReassociationIndices> groups;
  if (!op.hasPureBufferSemantics() || !op.hasOnlyProjectedPermutations())
    return groups;
  for (unsigned dim = 0; dim < op.getNumLoops(); ++dim)
    if (dim > 0 && continueEachOther(op, dim - 1))
      groups.back().push_back(dim);
    else
      groups.push_back({dim});
  llvm::erase_if(groups, [](const ReassociationIndices &group) {
    return group.size() == 1;
  });
  return groups;
}

//===----------------------------------------------------------------------===//
// Order of loops
//===----------------------------------------------------------------------===//

/// True if `op` is a pool: its window has a shape, but no element is read.
static bool isPool(linalg::LinalgOp op) {
  return linalg::isaConvolutionOpInterface(op) &&
         !op.payloadUsesValueFromOperand(op.getDpsInputOperand(1));
}

/// LLVM unrolls a reduction of up to so many iterations (measured), and finds
/// vectors in the loop around it. In longer chains of maxima that keep NaN it
/// finds others: it gathers the elements of one result. Of windows it unrolls
/// larger ones, whose two loops are short.
static int64_t getShortReduction(linalg::LinalgOp op) {
  if (isPool(op))
    return 64;
  bool hasExtremum = llvm::any_of(
      *op.getBlock(), llvm::IsaPred<arith::MaximumFOp, arith::MinimumFOp>);
  return hasExtremum ? 12 : 24;
}

/// True if the reductions of `op` have more iterations.
static bool isLongReduction(linalg::LinalgOp op) {
  int64_t enough = getShortReduction(op) + 1;
  SmallVector<unsigned> reductions;
  op.getReductionDims(reductions);
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  int64_t iterations = 1;
  for (unsigned dim : reductions) {
    int64_t size = ShapedType::isDynamic(sizes[dim]) ? enough : sizes[dim];
    iterations = std::min(iterations * std::min(size, enough), enough);
  }
  return iterations == enough;
}

/// The place of `loop` in `operand`.
enum class Place { None, SideBySide, Apart };

static Place getPlace(linalg::LinalgOp op, OpOperand &operand, unsigned loop) {
  auto type = dyn_cast<MemRefType>(operand.get().getType());
  AffineMap map = op.getMatchingIndexingMap(&operand);
  if (!type || !map.isFunctionOfDim(loop))
    return Place::None;
  bool isLast =
      map.getResults().back() == getAffineDimExpr(loop, op->getContext());
  return isLast && type.isLastDimUnitStride() ? Place::SideBySide
                                              : Place::Apart;
}

/// The parallel loop along which all elements that depend on it lie side by
/// side, those of a result among them; none if there is no such loop.
static std::optional<unsigned> findVectorLoop(linalg::LinalgOp op) {
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  for (unsigned loop : parallel)
    if (llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
          Place place = getPlace(op, operand, loop);
          return place == Place::SideBySide ||
                 (place == Place::None && op.isDpsInput(&operand));
        }))
      return loop;
  return std::nullopt;
}

namespace {
/// Adds up vectors where a reduction would jump from element to element.
struct ReduceVectors : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    auto linalgOp = cast<linalg::LinalgOp>(op.getOperation());
    if (!op.hasPureBufferSemantics() ||
        (!linalgOp.hasOnlyProjectedPermutations() && !isPool(linalgOp)))
      return rewriter.notifyMatchFailure(op, "operands are no plain memrefs");
    if (!isLongReduction(linalgOp))
      return rewriter.notifyMatchFailure(op, "no reduction, or a short one");
    std::optional<unsigned> last = findVectorLoop(linalgOp);
    if (!last || *last + 1 == op.getNumLoops())
      return rewriter.notifyMatchFailure(
          op, "no other loop goes along the elements of all operands");
    SmallVector<unsigned> order;
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      if (loop != *last)
        order.push_back(loop);
    order.push_back(*last);
    if (failed(linalg::interchangeGenericOp(rewriter, op, order)))
      return rewriter.notifyMatchFailure(op, "loops keep their order");
    return success();
  }
};
} // namespace

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

/// The load in `loop` of what `store` writes back, if that is in the same place
/// in all iterations; else null.
template <typename LoadOp, typename StoreOp>
static LoadOp findLoad(scf::ForOp loop, StoreOp store) {
  for (auto load : loop.getBody()->getOps<LoadOp>())
    if (load->getOperand(0) == store->getOperand(1) &&
        isEqualConstantIntOrValueArray(getAsOpFoldResult(load.getIndices()),
                                       getAsOpFoldResult(store.getIndices())) &&
        llvm::all_of(store->getOperands().drop_front(), [&](Value operand) {
          return loop.isDefinedOutsideOfLoop(operand);
        }))
      return load;
  return nullptr;
}

/// Keeps in a register what each iteration of `loop` reads with `load` and
/// writes back with `store`. Returns the new loop.
static scf::ForOp keepInRegister(RewriterBase &rewriter, scf::ForOp loop,
                                 Operation *load, Operation *store) {
  rewriter.setInsertionPoint(loop);
  Value before = rewriter.clone(*load)->getResult(0);
  auto yield = [&](OpBuilder &, Location, ArrayRef<BlockArgument> arguments) {
    rewriter.replaceAllUsesWith(load->getResult(0), arguments.back());
    return SmallVector<Value>{store->getOperand(0)};
  };
  auto replaced = cast<scf::ForOp>(**loop.replaceWithAdditionalYields(
      rewriter, before, /*replaceInitOperandUsesInLoop=*/false, yield));
  rewriter.setInsertionPointAfter(replaced);
  rewriter.clone(*store)->setOperand(0, replaced->getResults().back());
  rewriter.eraseOp(store);
  rewriter.eraseOp(load);
  return replaced;
}

/// Keeps in registers what the iterations of `loop` read with a `LoadOp` and
/// write back with a `StoreOp`.
template <typename LoadOp, typename StoreOp>
static scf::ForOp keepAllInRegisters(RewriterBase &rewriter, scf::ForOp loop) {
  for (auto store : llvm::to_vector(loop.getBody()->getOps<StoreOp>()))
    if (LoadOp load = findLoad<LoadOp>(loop, store))
      loop = keepInRegister(rewriter, loop, load, store);
  return loop;
}

/// Makes equal indices in `loop` one value.
static void foldIndices(RewriterBase &rewriter, LoopLikeOpInterface loop) {
  Block &body = loop.getLoopRegions().front()->front();
  for (auto apply : llvm::to_vector(body.getOps<affine::AffineApplyOp>())) {
    SmallVector<Value> folded;
    rewriter.setInsertionPoint(apply);
    if (succeeded(rewriter.tryFold(apply, folded)))
      rewriter.replaceOp(apply, folded);
  }
}

/// Keeps the accumulators of `loop` in registers. linalg promises that no other
/// operand overlaps them.
static void keepInRegisters(RewriterBase &rewriter, scf::ForOp loop) {
  foldIndices(rewriter, loop);
  moveLoopInvariantCode(loop);
  loop = keepAllInRegisters<memref::LoadOp, memref::StoreOp>(rewriter, loop);
  keepAllInRegisters<vector::LoadOp, vector::StoreOp>(rewriter, loop);
}

/// Allows to reorder the sum. Its order is not specified, but LLVM would keep
/// it otherwise, and not use vectors.
static void allowAnyOrder(linalg::LinalgOp op) {
  if (op.getNumReductionLoops() == 0)
    return;
  for (BlockArgument accumulator : op.getRegionOutputArgs())
    for (Operation *user : accumulator.getUsers())
      if (auto add = dyn_cast<arith::AddFOp>(user))
        add.setFastmath(add.getFastmath() | arith::FastMathFlags::reassoc);
}

/// True if no two iterations of the parallel dimensions write to one element.
static bool writesApart(linalg::LinalgOp op) {
  SmallVector<unsigned> parallel;
  op.getParallelDims(parallel);
  return llvm::all_of(op.getDpsInitsMutable(), [&](OpOperand &init) {
    AffineMap map = op.getMatchingIndexingMap(&init);
    return llvm::all_of(parallel, [&](unsigned dim) {
      return map.getResultPosition(getAffineDimExpr(dim, op.getContext()));
    });
  });
}

namespace {
struct LinalgToLoops : public OpInterfaceRewritePattern<linalg::LinalgOp> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(linalg::LinalgOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureBufferSemantics())
      return rewriter.notifyMatchFailure(op, "operands are not memrefs");
    allowAnyOrder(op);
    FailureOr<linalg::LinalgLoops> loops =
        writesApart(op) ? linalg::linalgOpToParallelLoops(rewriter, op)
                        : linalg::linalgOpToLoops(rewriter, op);
    if (failed(loops))
      return rewriter.notifyMatchFailure(op, "has no loops");
    for (Operation *nest : llvm::reverse(*loops))
      if (auto loop = dyn_cast<scf::ForOp>(nest)) {
        keepInRegisters(rewriter, loop);
      } else if (nest == loops->back()) {
        auto innermost = cast<scf::ParallelOp>(nest);
        foldIndices(rewriter, innermost);
        replaceByVectors(rewriter, innermost);
      }
    rewriter.eraseOp(op);
    return success();
  }
};

struct LowerToLoopsPass
    : public fusion::impl::FusionLowerToLoopsBase<LowerToLoopsPass> {
  using FusionLowerToLoopsBase::FusionLowerToLoopsBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    FusionLowerToLoopsBase::getDependentDialects(registry);
    // No op of `vector` need be in the source.
    vector::registerConvertVectorToLLVMInterface(registry);
  }

  void runOnOperation() override {
    RewritePatternSet merge(&getContext());
    merge.add<CopyToLinalg, DropFixedDims, ReduceVectors>(&getContext());
    linalg::populateLinalgNamedOpsGeneralizationPatterns(merge);
    linalg::populateCollapseDimensions(merge, getMergedDimensions);
    RewritePatternSet lower(&getContext());
    populateBlockTransposesPatterns(lower);
    lower.add<LinalgToLoops>(&getContext());
    lower.add<ReinterpretExpansion>(&getContext());
    memref::DimOp::getCanonicalizationPatterns(lower, &getContext());
    // Removes dimensions of one iteration.
    scf::ParallelOp::getCanonicalizationPatterns(lower, &getContext());
    if (failed(applyToFixpoint(getOperation(), std::move(merge),
                               "merged loops")) ||
        failed(applyToFixpoint(getOperation(), std::move(lower), "loops")))
      signalPassFailure();
  }
};
} // namespace
