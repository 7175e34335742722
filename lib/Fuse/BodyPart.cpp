//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "BodyPart.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace fusion;

/// The first result of `map` that is `expr`, a sum of loops perhaps.
static std::optional<unsigned> findPlace(AffineMap map, AffineExpr expr) {
  const auto *place = llvm::find(map.getResults(), expr);
  if (place == map.getResults().end())
    return std::nullopt;
  return place - map.getResults().begin();
}

/// Fails unless inputs that are read by the same windows have the same sizes:
/// windows need not reach the end.
static LogicalResult checkWindows(linalg::GenericOp op, const BodyPart &part,
                                  StringRef name, Refusal &refusal) {
  ArrayRef<int64_t> sizes = op.getShape(part.largest);
  for (OpOperand *input : part.inputs)
    for (auto [expr, size] :
         llvm::zip_equal(op.getMatchingIndexingMap(input).getResults(),
                         op.getShape(input))) {
      if (input == part.largest || isa<AffineDimExpr, AffineConstantExpr>(expr))
        continue;
      int64_t other = sizes[*findPlace(part.map, expr)];
      if (other != size || ShapedType::isDynamic(size))
        return refusal.because("windows of inputs of ", name,
                               " may be those of different sizes");
    }
  return success();
}

/// Finds the operand that has all dimensions of the inputs of `part`.
static LogicalResult findLargest(linalg::GenericOp op, BodyPart &part,
                                 StringRef name, Refusal &refusal) {
  auto hasAll = [&](AffineMap map) {
    return llvm::all_of(part.inputs, [&](OpOperand *input) {
      return llvm::all_of(op.getMatchingIndexingMap(input).getResults(),
                          [&](AffineExpr expr) {
                            return isa<AffineConstantExpr>(expr) ||
                                   findPlace(map, expr).has_value();
                          });
    });
  };
  SmallVector<OpOperand *> operands = part.inputs;
  if (op.getNumReductionLoops() == 0)
    operands.push_back(op.getDpsInitOperand(0));
  for (OpOperand *operand : operands)
    if (AffineMap map = op.getMatchingIndexingMap(operand); hasAll(map)) {
      part.largest = operand;
      part.map = map;
      return checkWindows(op, part, name, refusal);
    }
  return refusal.because("no input of ", name, " has all of its dimensions");
}

FailureOr<BodyPart> BodyPart::match(linalg::GenericOp op, Value value,
                                    StringRef name, Refusal &refusal) {
  BodyPart part;
  part.value = value;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *inner) {
    return inner->getBlock() == op.getBody();
  };
  if (Operation *last = value.getDefiningOp();
      last && failed(getBackwardSlice(last, &part.ops, options)))
    return refusal.because(name, " cannot be followed");
  SmallVector<Value> read(1, value);
  for (Operation *inner : part.ops) {
    // The op computes it even if the body runs for no element.
    if (inner->getNumRegions() || !isPure(inner) || isa<linalg::IndexOp>(inner))
      return refusal.because(name, " is computed by '",
                             inner->getName().getStringRef(), "'");
    llvm::append_range(read, inner->getOperands());
  }
  for (OpOperand *input : op.getDpsInputOperands())
    if (llvm::is_contained(read, op.getMatchingBlockArgument(input)))
      part.inputs.push_back(input);
  for (Value destination : op.getRegionOutputArgs())
    if (llvm::is_contained(read, destination))
      return refusal.because(name, " reads the destination");
  if (part.inputs.empty())
    return refusal.because(name, " reads no input");
  if (failed(findLargest(op, part, name, refusal)))
    return failure();
  return part;
}

/// The size of each dimension of `part`, a constant where a type shows it.
static SmallVector<OpFoldResult>
getSizes(OpBuilder &builder, linalg::GenericOp op, const BodyPart &part) {
  SmallVector<OpFoldResult> sizes =
      tensor::getMixedSizes(builder, op.getLoc(), part.largest->get());
  for (OpOperand *input : part.inputs)
    for (auto [expr, size] : llvm::zip_equal(
             op.getMatchingIndexingMap(input).getResults(), op.getShape(input)))
      if (isa<AffineDimExpr>(expr) && ShapedType::isStatic(size))
        sizes[*findPlace(part.map, expr)] = builder.getIndexAttr(size);
  return sizes;
}

Value BodyPart::emit(OpBuilder &builder, linalg::GenericOp op) const {
  Location loc = op.getLoc();
  unsigned rank = map.getNumResults();
  SmallVector<Value> tensors;
  SmallVector<AffineMap> maps;
  for (OpOperand *input : inputs) {
    auto getPlace = [&](AffineExpr expr) {
      return isa<AffineConstantExpr>(expr)
                 ? expr
                 : builder.getAffineDimExpr(*findPlace(map, expr));
    };
    AffineMap read = op.getMatchingIndexingMap(input);
    tensors.push_back(input->get());
    maps.push_back(
        input == largest
            ? builder.getMultiDimIdentityMap(rank)
            : AffineMap::get(rank, 0,
                             llvm::map_to_vector(read.getResults(), getPlace),
                             builder.getContext()));
  }
  maps.push_back(builder.getMultiDimIdentityMap(rank));
  Value init = tensor::EmptyOp::create(
      builder, loc, getSizes(builder, op, *this), value.getType());
  auto computeElement = [&](OpBuilder &builder, Location loc, ValueRange args) {
    IRMapping mapping;
    for (auto [input, arg] : llvm::zip(inputs, args))
      mapping.map(op.getMatchingBlockArgument(input), arg);
    for (Operation *inner : ops)
      builder.clone(*inner, mapping);
    linalg::YieldOp::create(builder, loc, mapping.lookup(value));
  };
  return linalg::GenericOp::create(builder, loc, init.getType(), tensors, init,
                                   maps,
                                   SmallVector<utils::IteratorType>(
                                       rank, utils::IteratorType::parallel),
                                   computeElement)
      .getResult(0);
}
