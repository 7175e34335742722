//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Producers.h"
#include "CompositeMatch.h"
#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Analysis/Padding.h"
#include "FusionDialect/Analysis/ScalarExpr.h"
#include "FusionDialect/Analysis/Transpose.h"
#include "FusionDialect/Analysis/Views.h"
#include "FusionDialect/Fuse/Raise.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/CallInterfaces.h"

using namespace mlir;
using namespace fusion;

Value fusion::getPaddedSource(Value input) {
  std::optional<Padding> padding = findPadding(input);
  return padding ? padding->source : input;
}

SmallVector<Operation *>
fusion::findConstants(const llvm::SetVector<Operation *> &ops) {
  SmallVector<Operation *> constants;
  for (Operation *op : ops) {
    auto type = dyn_cast<RankedTensorType>(op->getResult(0).getType());
    if (op->hasTrait<OpTrait::ConstantLike>() && type && type.getRank() > 0 &&
        isa<FloatType>(type.getElementType()))
      constants.push_back(op);
  }
  return constants;
}

bool fusion::isDead(Operation *op) {
  // Visits each user once: there may be many paths to it.
  SmallVector<Operation *> worklist = {op};
  SmallPtrSet<Operation *, 8> seen = {op};
  while (!worklist.empty()) {
    Operation *next = worklist.pop_back_val();
    if (!wouldOpBeTriviallyDead(next))
      return false;
    for (Operation *user : next->getUsers())
      if (seen.insert(user).second)
        worklist.push_back(user);
  }
  return true;
}

/// True if at most one dimension of `type` has a size other than 1.
static bool isVectorLike(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return !tensor || llvm::count_if(tensor.getShape(),
                                   [](int64_t size) { return size != 1; }) <= 1;
}

bool fusion::isNetworkData(Value value) {
  return comesFrom(value, [](Operation *op) {
    return isRaisable(op) || isa<CallOpInterface>(op);
  });
}

namespace {
class ProducerCollector {
public:
  ProducerCollector(ArrayRef<Operation *> main, const ProducerOptions &options)
      : options(options), main(main.begin(), main.end()) {}

  void addRoot(Operation *op, const RootOperands &operands);
  void addOp(Operation *op);

  llvm::SetVector<Operation *> ops;
  /// Whether reshapes of a vector belong to the op that is added now.
  bool takesReshapes = true;

private:
  void addProducer(Value value);
  void addPadding(Value value, Value source);
  void addFilterViews(Value value);
  bool isDone(Operation *op) const;
  bool belongs(Operation *op);
  bool isVectorProducer(Operation *op);

  const ProducerOptions &options;
  SmallPtrSet<Operation *, 8> main;
  /// Values that the composite has, so that it can ask for their sizes.
  SmallPtrSet<Value, 4> known;
};
} // namespace

/// True if `op` computes or broadcasts a vector, such as a bias or the divisor
/// of a batch norm.
bool ProducerCollector::isVectorProducer(Operation *op) {
  Refusal ignored = Refusal::unread();
  if (!isMemoryEffectFree(op) || failed(ScalarExpr::match(op, ignored)))
    return false;
  auto linalgOp = dyn_cast<linalg::LinalgOp>(op);
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    bool isRead = !linalgOp || linalgOp.payloadUsesValueFromOperand(&operand);
    return !isRead || (isVectorLike(operand.get().getType()) &&
                       !isNetworkData(operand.get()));
  });
}

bool ProducerCollector::isDone(Operation *op) const {
  return options.taken && options.taken->isDone(op);
}

bool ProducerCollector::belongs(Operation *op) {
  if (isDone(op))
    return false;
  if (op->hasTrait<OpTrait::ConstantLike>())
    return !options.outside.contains(op);
  if (isa<tensor::EmptyOp, linalg::FillOp, tensor::SplatOp,
          tensor::FromElementsOp>(op))
    return true;
  if (auto dim = dyn_cast<tensor::DimOp>(op))
    return known.contains(dim.getSource());
  if (op->getNumResults() == 1 && isa<FloatType>(op->getResult(0).getType()) &&
      op->hasTrait<OpTrait::Elementwise>())
    return isMemoryEffectFree(op);
  if (!options.takeVectors)
    return false;
  // It reads a tensor with one element as a scalar.
  if (isa<tensor::ExtractOp>(op))
    return isVectorLike(op->getOperand(0).getType());
  if (isView(op)) {
    if (!isa<tensor::CastOp>(op) && !takesReshapes)
      return false;
    Value source = op->getOperand(0);
    return (isVectorLike(source.getType()) && !isNetworkData(source)) ||
           (source.getDefiningOp() && belongs(source.getDefiningOp()));
  }
  return isVectorProducer(op);
}

void ProducerCollector::addProducer(Value value) {
  Operation *op = value.getDefiningOp();
  if (op && !main.contains(op) && !ops.contains(op) && belongs(op))
    addOp(op);
}

void ProducerCollector::addOp(Operation *op) {
  for (Value value : getReadValues(op))
    addProducer(value);
  ops.insert(op);
}

/// Adds the ops that make `value` of `source` by padding it.
void ProducerCollector::addPadding(Value value, Value source) {
  if (value == source)
    return;
  Operation *op = value.getDefiningOp();
  addPadding(op->getOperand(0), source);
  addOp(op);
}

/// Adds transposes and reshapes of the filter, and the filter itself if it is a
/// constant.
void ProducerCollector::addFilterViews(Value value) {
  Operation *op = value.getDefiningOp();
  if (!op || ops.contains(op))
    return;
  // The window of a pool is a filter whose contents are not read.
  if (op->hasTrait<OpTrait::ConstantLike>() ||
      isa<tensor::EmptyOp, linalg::FillOp>(op))
    return addProducer(value);
  auto transpose = matchTranspose(op);
  if (!options.takeFilterViews || isDone(op) || (!transpose && !isView(op)))
    return;
  addFilterViews(transpose ? transpose->first : op->getOperand(0));
  addOp(op);
}

void ProducerCollector::addRoot(Operation *op, const RootOperands &operands) {
  Value source = operands.input;
  if (options.takePad)
    source = getPaddedSource(operands.input);
  known.insert(source);
  known.insert(operands.filter);
  addPadding(operands.input, source);
  addFilterViews(operands.filter);
  for (Value value : getReadValues(op))
    if (value != operands.input && value != operands.filter)
      addProducer(value);
  ops.insert(op);
}

llvm::SetVector<Operation *>
fusion::collectProducers(ArrayRef<Operation *> main,
                         std::optional<RootOperands> root,
                         const ProducerOptions &options) {
  ProducerCollector collector(main, options);
  for (auto [i, op] : llvm::enumerate(main)) {
    collector.takesReshapes = i >= options.opsWithoutReshapes;
    if (root && op == main.front())
      collector.addRoot(op, *root);
    else
      collector.addOp(op);
  }
  return collector.ops;
}
