//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/EvaluateIndex.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace fusion;

/// Longer loops would take long to evaluate, and their constants much memory.
static constexpr int64_t mostTrips = 1 << 16;

/// The ops in the body of `op` that `value` is computed by, in order, without
/// constants.
static FailureOr<SetVector<Operation *>>
findOps(linalg::GenericOp op, Value value, unsigned loop, Refusal &refusal) {
  SetVector<Operation *> ops;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *inner) {
    return inner->getBlock() == op.getBlock() &&
           !matchPattern(inner, m_Constant());
  };
  if (isa<BlockArgument>(value) ||
      failed(getBackwardSlice(value, &ops, options)))
    return refusal.because("depends on an element");
  for (Operation *inner : ops) {
    if (inner->getNumRegions() != 0 || !isPure(inner))
      return refusal.because("unsupported: depends on '", inner->getName(),
                             "'");
    auto index = dyn_cast<linalg::IndexOp>(inner);
    if (index && index.getDim() != loop)
      return refusal.because("depends on the index of loop ", index.getDim(),
                             ", expected ", loop);
  }
  return ops;
}

/// Folds `op` with `operands`; null where upstream has no folder for it.
static Attribute foldOp(Operation *op, ArrayRef<Attribute> operands) {
  // A folder may change the op.
  OwningOpRef<Operation *> copy(op->clone());
  SmallVector<OpFoldResult> results;
  if (failed(copy->fold(operands, results)) || results.size() != 1)
    return {};
  if (auto attribute = dyn_cast<Attribute>(results.front()))
    return attribute;
  for (auto [operand, attribute] :
       llvm::zip_equal(copy->getOperands(), operands))
    if (operand == cast<Value>(results.front()))
      return attribute;
  return {};
}

/// The constant that `value`, which `ops` compute, is in iteration `i`; null if
/// it cannot be folded.
static TypedAttr evaluateIn(int64_t i, Value value, ArrayRef<Operation *> ops) {
  llvm::SmallDenseMap<Value, Attribute> known;
  auto find = [&](Value operand) -> Attribute {
    Attribute constant;
    return matchPattern(operand, m_Constant(&constant)) ? constant
                                                        : known.lookup(operand);
  };
  for (Operation *op : ops) {
    SmallVector<Attribute> operands =
        llvm::map_to_vector(op->getOperands(), find);
    if (op->getNumResults() != 1 || llvm::is_contained(operands, Attribute()))
      return {};
    known[op->getResult(0)] =
        isa<linalg::IndexOp>(op)
            ? IntegerAttr::get(IndexType::get(op->getContext()), i)
            : foldOp(op, operands);
  }
  return dyn_cast_or_null<TypedAttr>(find(value));
}

FailureOr<SmallVector<TypedAttr>> fusion::evaluateOverLoop(linalg::GenericOp op,
                                                           Value value,
                                                           unsigned loop,
                                                           Refusal &refusal) {
  int64_t trips = op.getStaticLoopRanges()[loop];
  if (ShapedType::isDynamic(trips))
    return refusal.because("unsupported: size of loop ", loop, " is dynamic");
  if (trips > mostTrips)
    return refusal.because("unsupported: loop of ", trips,
                           " iterations, expected at most ", mostTrips);
  FailureOr<SetVector<Operation *>> ops = findOps(op, value, loop, refusal);
  if (failed(ops))
    return failure();
  SmallVector<TypedAttr> constants;
  for (int64_t i = 0; i < trips; ++i) {
    constants.push_back(evaluateIn(i, value, ops->getArrayRef()));
    if (!constants.back())
      return refusal.because("unsupported: a value without a folder");
  }
  return constants;
}
