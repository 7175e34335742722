//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/ExecutionEngine/CheckSizes.h"

#include "FusionDialect/IR/LocationText.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinOps.h"

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
    registry.insert<arith::ArithDialect, cf::ControlFlowDialect,
                    memref::MemRefDialect>();
  }
  void runOnOperation() override;
};
} // namespace

/// Asserts in front of `op` that `a` and `b` are equal, unless the types show
/// it.
static void check(Operation *op, Extent a, Extent b) {
  bool isStatic = ShapedType::isStatic(a.getStaticSize()) &&
                  ShapedType::isStatic(b.getStaticSize());
  if (isStatic || (a.buffer == b.buffer && a.dim == b.dim))
    return;
  Location loc = op->getLoc();
  OpBuilder builder(op);
  auto getSize = [&](Extent extent) -> Value {
    if (ShapedType::isStatic(extent.getStaticSize()))
      return arith::ConstantIndexOp::create(builder, loc,
                                            extent.getStaticSize());
    return memref::DimOp::create(builder, loc, extent.buffer, extent.dim);
  };
  Value areEqual = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         getSize(a), getSize(b));
  cf::AssertOp::create(builder, loc, areEqual,
                       "sizes that '" + op->getName().getStringRef().str() +
                           "' takes for equal must be (" +
                           getLocationText(loc) + ")");
}

/// Checks that dimensions that one loop runs over have one size.
static void checkLoops(linalg::LinalgOp op) {
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
        check(op, *first, extent);
    }
  }
}

/// Checks that two buffers have one shape.
static void checkShapes(Operation *op, Value a, Value b) {
  auto first = dyn_cast<MemRefType>(a.getType());
  auto second = dyn_cast<MemRefType>(b.getType());
  if (first && second && first.getRank() == second.getRank())
    for (int64_t dim = 0; dim < first.getRank(); ++dim)
      check(op, {a, dim}, {b, dim});
}

/// Checks the sizes that a cast makes static.
static void checkCast(memref::CastOp cast) {
  auto from = dyn_cast<MemRefType>(cast.getSource().getType());
  auto to = dyn_cast<MemRefType>(cast.getType());
  if (!from || !to)
    return;
  for (int64_t dim = 0; dim < from.getRank(); ++dim)
    if (from.isDynamicDim(dim) && !to.isDynamicDim(dim))
      check(cast, {cast.getSource(), dim}, {cast.getResult(), dim});
}

void CheckSizesPass::runOnOperation() {
  SmallVector<Operation *> ops;
  getOperation().walk([&](Operation *op) { ops.push_back(op); });
  for (Operation *op : ops) {
    if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
      checkLoops(linalgOp);
    else if (auto cast = dyn_cast<memref::CastOp>(op))
      checkCast(cast);
    else if (auto copy = dyn_cast<memref::CopyOp>(op))
      checkShapes(copy, copy.getSource(), copy.getTarget());
  }
}

std::unique_ptr<Pass> fusion::createCheckSizesPass() {
  return std::make_unique<CheckSizesPass>();
}
