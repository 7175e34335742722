//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/ExecutionEngine/CheckSizes.h"

#include "Checks.h"
#include "IndexRanges.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Index/IR/IndexOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace fusion;

namespace {
/// One dimension of a buffer.
struct Extent {
  Value buffer;
  int64_t dim;

  int64_t getStaticSize() const {
    return cast<MemRefType>(buffer.getType()).getDimSize(dim);
  }
};

struct CheckSizesPass
    : public PassWrapper<CheckSizesPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckSizesPass)

  StringRef getArgument() const override { return "fusion-check-sizes"; }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry
        .insert<affine::AffineDialect, arith::ArithDialect, LLVM::LLVMDialect,
                memref::MemRefDialect, scf::SCFDialect>();
  }
  void runOnOperation() override;
};
} // namespace

/// Checks in front of `op` that `a` and `b` are equal, unless the types show
/// it.
static void requireEqual(Checks &checks, Operation *op, Extent a, Extent b) {
  bool isStatic = ShapedType::isStatic(a.getStaticSize()) &&
                  ShapedType::isStatic(b.getStaticSize());
  if (isStatic || (a.buffer == b.buffer && a.dim == b.dim))
    return;
  Location loc = op->getLoc();
  OpBuilder builder(op);
  Value first = getSize(builder, loc, a.buffer, a.dim);
  Value second = getSize(builder, loc, b.buffer, b.dim);
  Value differ = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ne,
                                       first, second);
  checks.failIf(builder, op, differ,
                "sizes that '" + op->getName().getStringRef().str() +
                    "' takes for equal must be, got {} and {}",
                {first, second});
}

/// Checks that dimensions that one loop runs over have one size.
static void checkLoops(Checks &checks, linalg::LinalgOp op) {
  SmallVector<std::optional<Extent>> loops(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isa<MemRefType>(operand.get().getType()))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    for (auto [dim, expr] : llvm::enumerate(map.getResults())) {
      auto loop = dyn_cast<AffineDimExpr>(expr);
      if (!loop)
        continue;
      Extent extent{operand.get(), static_cast<int64_t>(dim)};
      std::optional<Extent> &first = loops[loop.getPosition()];
      if (!first)
        first = extent;
      else
        requireEqual(checks, op, *first, extent);
    }
  }
}

/// Checks that two buffers have one shape.
static void checkShapes(Checks &checks, Operation *op, Value a, Value b) {
  auto first = dyn_cast<MemRefType>(a.getType());
  auto second = dyn_cast<MemRefType>(b.getType());
  if (first && second && first.getRank() == second.getRank())
    for (int64_t dim = 0; dim < first.getRank(); ++dim)
      requireEqual(checks, op, {a, dim}, {b, dim});
}

/// Checks the sizes that a cast makes static.
static void checkCast(Checks &checks, memref::CastOp cast) {
  auto from = dyn_cast<MemRefType>(cast.getSource().getType());
  auto to = dyn_cast<MemRefType>(cast.getType());
  if (!from || !to)
    return;
  for (int64_t dim = 0; dim < from.getRank(); ++dim)
    if (from.isDynamicDim(dim) && !to.isDynamicDim(dim))
      requireEqual(checks, cast, {cast.getSource(), dim},
                   {cast.getResult(), dim});
}

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

/// True if a slice of `size` elements from `offset` on, with `stride`, is known
/// to be in a dimension of `dimSize`.
static bool isInside(IndexRanges &ranges, OpFoldResult offset,
                     OpFoldResult size, OpFoldResult stride, int64_t dimSize) {
  ConstantIntRanges offsets = ranges.get(offset), sizes = ranges.get(size),
                    strides = ranges.get(stride);
  if (ShapedType::isDynamic(dimSize) || offsets.smin().isNegative() ||
      sizes.smin().isNegative() || strides.smin().isNegative() ||
      offsets.smax().sgt(dimSize))
    return false;
  if (!sizes.smax().isStrictlyPositive())
    return true;
  bool overflows[2] = {};
  APInt last = offsets.smax().sadd_ov(
      (sizes.smax() - 1).smul_ov(strides.smax(), overflows[0]), overflows[1]);
  return !overflows[0] && !overflows[1] && last.slt(dimSize);
}

/// True if a slice of `size` elements from `offset` on is not in a dimension of
/// size `room`. An empty one may be behind the last element. As unsigned
/// numbers negative ones are beyond any size.
static Value isSliceOutside(ImplicitLocOpBuilder &b, Value offset, Value size,
                            Value stride, Value room) {
  using Predicate = arith::CmpIPredicate;
  auto compare = [&](Predicate predicate, Value x, Value y) -> Value {
    return arith::CmpIOp::create(b, predicate, x, y);
  };
  Value zero = arith::ConstantIntOp::create(b, 0, 64);
  Value one = arith::ConstantIntOp::create(b, 1, 64);
  auto length = arith::MulSIExtendedOp::create(
      b, arith::SubIOp::create(b, size, one), stride);
  Value sign = arith::ShRSIOp::create(b, length.getLow(),
                                      arith::ConstantIntOp::create(b, 63, 64));
  Value last = arith::AddIOp::create(b, offset, length.getLow());
  Value fails = compare(Predicate::uge, offset, room);
  for (Value more : {compare(Predicate::uge, last, room),
                     compare(Predicate::ne, length.getHigh(), sign)})
    fails = arith::OrIOp::create(b, fails, more);
  fails = arith::SelectOp::create(b, compare(Predicate::eq, size, zero),
                                  compare(Predicate::ugt, offset, room), fails);
  return arith::OrIOp::create(b, fails, compare(Predicate::slt, size, zero));
}

static void checkSlice(Checks &checks, IndexRanges &ranges,
                       memref::SubViewOp op) {
  for (int64_t dim = 0; dim < op.getSourceType().getRank(); ++dim) {
    OpFoldResult offsets = op.getMixedOffsets()[dim],
                 sizes = op.getMixedSizes()[dim],
                 strides = op.getMixedStrides()[dim];
    if (isInside(ranges, offsets, sizes, strides,
                 op.getSourceType().getDimSize(dim)))
      continue;
    ImplicitLocOpBuilder b(op.getLoc(), op);
    auto getValue = [&](OpFoldResult number) {
      return toI64(b, getValueOrCreateConstantIndexOp(b, op.getLoc(), number));
    };
    Value offset = getValue(offsets), size = getValue(sizes),
          stride = getValue(strides),
          room = toI64(b, getSize(b, op.getLoc(), op.getSource(), dim));
    checks.failIf(b, op, isSliceOutside(b, offset, size, stride, room),
                  "'memref.subview' must stay in dimension " +
                      std::to_string(dim) +
                      ", of size {}, got offset {}, size {}, stride {}",
                  {room, offset, size, stride});
  }
}

/// Checks that the product of `sizes` is `expected`, which `what` tells.
static void requireProduct(Checks &checks, ImplicitLocOpBuilder &b,
                           Operation *op, Value expected, ValueRange sizes,
                           const Twine &what) {
  SizeProduct product = multiplySizes(b, sizes);
  SmallVector<Value> numbers = {toI64(b, expected)};
  Value differs = arith::CmpIOp::create(b, arith::CmpIPredicate::ne,
                                        product.value, numbers.front());
  numbers.append(product.sizes);
  checks.failIf(b, op, arith::OrIOp::create(b, product.fails, differs),
                "'" + op->getName().getStringRef().str() + "' must keep the " +
                    what.str() + ", {}, got " + product.text,
                numbers);
}

static void checkExpansion(Checks &checks, memref::ExpandShapeOp op) {
  for (auto [dim, group] : llvm::enumerate(op.getReassociationIndices())) {
    // With static sizes the verifier has looked at it.
    bool isDynamic = llvm::any_of(
        group, [&](int64_t i) { return op.getResultType().isDynamicDim(i); });
    if (!isDynamic && !op.getSrcType().isDynamicDim(dim))
      continue;
    ImplicitLocOpBuilder b(op.getLoc(), op);
    SmallVector<Value> sizes;
    for (int64_t i : group)
      sizes.push_back(getValueOrCreateConstantIndexOp(
          b, op.getLoc(), op.getMixedOutputShape()[i]));
    requireProduct(checks, b, op, getSize(b, op.getLoc(), op.getSrc(), dim),
                   sizes, "size of dimension " + Twine(dim));
  }
}

static void checkReshape(Checks &checks, memref::ReshapeOp op) {
  auto source = dyn_cast<MemRefType>(op.getSource().getType());
  auto result = dyn_cast<MemRefType>(op.getType());
  if (!source || !result ||
      (source.hasStaticShape() && result.hasStaticShape() &&
       source.getNumElements() == result.getNumElements()))
    return;
  ImplicitLocOpBuilder b(op.getLoc(), op);
  Value elements = arith::ConstantIndexOp::create(b, 1);
  for (int64_t dim = 0; dim < source.getRank(); ++dim)
    elements = arith::MulIOp::create(
        b, elements, getSize(b, op.getLoc(), op.getSource(), dim));
  SmallVector<Value> sizes;
  for (int64_t dim = 0; dim < result.getRank(); ++dim) {
    Value size = arith::ConstantIndexOp::create(b, dim);
    if (result.isDynamicDim(dim)) {
      size = memref::LoadOp::create(b, op.getShape(), size);
      if (!size.getType().isIndex())
        size = arith::IndexCastOp::create(b, b.getIndexType(), size);
    } else {
      size = arith::ConstantIndexOp::create(b, result.getDimSize(dim));
    }
    sizes.push_back(size);
  }
  requireProduct(checks, b, op, elements, sizes, "number of elements");
}

void CheckSizesPass::runOnOperation() {
  Checks checks(getOperation());
  IndexRanges ranges;
  SmallVector<Operation *> ops;
  // A linalg op comes in front of its body, whose checks rely on its own.
  getOperation().walk<WalkOrder::PreOrder>(
      [&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops)
    TypeSwitch<Operation *>(op)
        .Case([&](linalg::LinalgOp op) {
          checkLoops(checks, op);
          checkWindows(checks, op);
        })
        .Case([&](memref::AllocOp op) { checkAllocation(checks, op); })
        .Case([&](RtArenaBeginOp op) { checkArena(checks, op); })
        .Case([&](memref::CastOp op) { checkCast(checks, op); })
        .Case([&](memref::CopyOp op) {
          checkShapes(checks, op, op.getSource(), op.getTarget());
        })
        .Case([&](memref::SubViewOp op) { checkSlice(checks, ranges, op); })
        .Case([&](memref::ExpandShapeOp op) { checkExpansion(checks, op); })
        .Case([&](memref::ReshapeOp op) { checkReshape(checks, op); })
        .Case<memref::LoadOp, memref::StoreOp>([&](auto op) {
          checkIndices(checks, ranges, op, op.getMemRef(), op.getIndices());
        })
        .Case<arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp,
              arith::CeilDivUIOp, arith::FloorDivSIOp, arith::RemSIOp,
              arith::RemUIOp, index::DivSOp, index::DivUOp, index::CeilDivSOp,
              index::CeilDivUOp, index::FloorDivSOp, index::RemSOp,
              index::RemUOp>(
            [&](auto op) { checkDivision(checks, ranges, op); })
        .Case<affine::AffineApplyOp, affine::AffineMinOp, affine::AffineMaxOp>(
            [&](auto op) {
              checkAffineDivisors(checks, ranges, op, op.getMap());
            })
        .Case([&](LoopLikeOpInterface op) { checkSteps(checks, ranges, op); });
  if (checks.empty())
    return;
  // Most of what they compute is there already, or folds.
  OpPassManager cleanUp(ModuleOp::getOperationName(),
                        OpPassManager::Nesting::Implicit);
  cleanUp.addPass(createCanonicalizerPass());
  cleanUp.addPass(createCSEPass());
  cleanUp.addPass(createCanonicalizerPass());
  if (failed(runPipeline(cleanUp, getOperation())))
    signalPassFailure();
}

std::unique_ptr<Pass> fusion::createCheckSizesPass() {
  return std::make_unique<CheckSizesPass>();
}
