//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/EvaluateIndex.h"
#include "FusionDialect/Transforms/Passes.h"
#include "FusionDialect/Utils/ApplyPatterns.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

namespace fusion {
#define GEN_PASS_DEF_FUSIONTABULATEINDICES
#include "FusionDialect/Transforms/Passes.h.inc"
} // namespace fusion

using namespace mlir;
using namespace fusion;

//===----------------------------------------------------------------------===//
// Values of one loop
//===----------------------------------------------------------------------===//

/// For each scalar in the body of `op` that depends on the index of one loop
/// and on constants alone, the number of that loop.
static llvm::MapVector<Value, unsigned>
findValuesOfOneLoop(linalg::GenericOp op) {
  llvm::MapVector<Value, unsigned> loops;
  for (Operation &inner : *op.getBody()) {
    if (inner.getNumResults() != 1 || inner.getNumRegions() != 0 ||
        !isPure(&inner) || !inner.getResult(0).getType().isIntOrIndexOrFloat())
      continue;
    if (auto index = dyn_cast<linalg::IndexOp>(inner)) {
      loops[index] = index.getDim();
      continue;
    }
    std::optional<unsigned> loop;
    bool isOfOne = llvm::all_of(inner.getOperands(), [&](Value operand) {
      if (matchPattern(operand, m_Constant()))
        return true;
      auto known = loops.find(operand);
      if (known == loops.end() || (loop && *loop != known->second))
        return false;
      loop = known->second;
      return true;
    });
    if (isOfOne && loop)
      loops[inner.getResult(0)] = *loop;
  }
  return loops;
}

/// True if `constants` are integers that grow by the same number each: elements
/// at such places are loaded without a gather.
static bool growsEvenly(ArrayRef<TypedAttr> constants) {
  auto numberAt = [&](size_t i) {
    return cast<IntegerAttr>(constants[i]).getValue();
  };
  if (!isa<IntegerAttr>(constants.front()))
    return false;
  for (size_t i = 2; i < constants.size(); ++i)
    if (numberAt(i) - numberAt(i - 1) != numberAt(1) - numberAt(0))
      return false;
  return true;
}

namespace {
/// The values of `value` in each iteration of loop `loop`.
struct Table {
  Value value;
  unsigned loop;
  DenseElementsAttr constants;
};
} // namespace

/// Tables for the values of one loop that others are computed from. Empty if
/// `op` does not gather: LLVM finds vectors in it as it is.
static SmallVector<Table> findTables(linalg::GenericOp op, Refusal &refusal) {
  SmallVector<Table> tables;
  if (op.getBody()->getOps<tensor::ExtractOp>().empty()) {
    (void)refusal.because("extracts no element");
    return tables;
  }
  (void)refusal.because("no value depends on one loop alone");
  llvm::MapVector<Value, unsigned> loops = findValuesOfOneLoop(op);
  for (auto [value, loop] : loops) {
    bool isLast = llvm::any_of(value.getUsers(), [&](Operation *user) {
      return user->getNumResults() != 1 || !loops.contains(user->getResult(0));
    });
    if (!isLast || value.getDefiningOp<linalg::IndexOp>())
      continue;
    FailureOr<SmallVector<TypedAttr>> constants =
        evaluateOverLoop(op, value, loop, refusal);
    if (failed(constants) || constants->empty() || growsEvenly(*constants))
      continue;
    auto type = RankedTensorType::get(constants->size(), value.getType());
    tables.push_back({value, loop,
                      DenseElementsAttr::get(
                          type, SmallVector<Attribute>(constants->begin(),
                                                       constants->end()))});
  }
  return tables;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {
struct TabulateIndices : public OpRewritePattern<linalg::GenericOp> {
  using OpRewritePattern::OpRewritePattern;

  LogicalResult matchAndRewrite(linalg::GenericOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureTensorSemantics())
      return rewriter.notifyMatchFailure(op, "not on tensors");
    Refusal refusal;
    SmallVector<Table> tables = findTables(op, refusal);
    if (tables.empty())
      return refusal.notify(rewriter, op);
    SmallVector<Value> inputs = op.getDpsInputs();
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    size_t first = inputs.size();
    for (const Table &table : tables) {
      maps.insert(maps.begin() + inputs.size(),
                  AffineMap::get(op.getNumLoops(), 0,
                                 rewriter.getAffineDimExpr(table.loop)));
      inputs.push_back(
          arith::ConstantOp::create(rewriter, op.getLoc(), table.constants));
    }
    auto generic = linalg::GenericOp::create(
        rewriter, op.getLoc(), op->getResultTypes(), inputs, op.getDpsInits(),
        maps, op.getIteratorTypesArray());
    rewriter.inlineRegionBefore(op.getRegion(), generic.getRegion(),
                                generic.getRegion().end());
    for (auto [i, table] : llvm::enumerate(tables))
      rewriter.replaceAllUsesWith(
          table.value, generic.getBody()->insertArgument(
                           first + i, table.value.getType(), op.getLoc()));
    rewriter.replaceOp(op, generic.getResults());
    return success();
  }
};

struct TabulateIndicesPass
    : public fusion::impl::FusionTabulateIndicesBase<TabulateIndicesPass> {
  void runOnOperation() override {
    RewritePatternSet patterns(&getContext());
    patterns.add<TabulateIndices>(&getContext());
    if (failed(applyToFixpoint(getOperation(), std::move(patterns), "tables")))
      signalPassFailure();
  }
};
} // namespace
