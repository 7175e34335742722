//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Fuse/Raise.h"
#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace fusion;

namespace {
/// A factor of the product, as the body computes it.
struct Factor {
  Value value;                     ///< in front of `widening`
  arith::ExtFOp widening;          ///< or null
  SetVector<Operation *> ops;      ///< that compute `value`, in their order
  SmallVector<OpOperand *> inputs; ///< that they read
  /// The map of the input that has all dimensions of the others.
  AffineMap map;
};

/// A sum of products of two factors.
struct Product {
  Operation *multiply, *add;
  BlockArgument accumulator;
  SmallVector<Factor, 2> factors;
};
} // namespace

/// True if the factor is an input, so that nothing computes it.
static bool isInput(const Factor &factor) {
  return isa<BlockArgument>(factor.value);
}

/// The map of the input with the most dimensions, if each of the others has
/// only such dimensions.
static LogicalResult findMap(linalg::GenericOp op, Factor &factor,
                             Refusal &refusal) {
  for (OpOperand *input : factor.inputs)
    if (AffineMap map = op.getMatchingIndexingMap(input);
        !factor.map || map.getNumResults() > factor.map.getNumResults())
      factor.map = map;
  for (OpOperand *input : factor.inputs)
    for (AffineExpr expr : op.getMatchingIndexingMap(input).getResults())
      if (!llvm::is_contained(factor.map.getResults(), expr))
        return refusal.because("input ", input->getOperandNumber(),
                               " of a factor has a dimension that no input of "
                               "the factor has together with all others");
  return success();
}

static LogicalResult readFactor(linalg::GenericOp op, Value value,
                                Factor &factor, Refusal &refusal) {
  factor.value = value;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.omitBlockArguments = true;
  options.filter = [&](Operation *inner) {
    return inner->getBlock() == op.getBody();
  };
  if (Operation *last = factor.value.getDefiningOp();
      last && failed(getBackwardSlice(last, &factor.ops, options)))
    return refusal.because("a factor of the product cannot be followed");
  SmallVector<Value> read(1, factor.value);
  for (Operation *inner : factor.ops) {
    if (inner->getNumRegions() || !isMemoryEffectFree(inner) ||
        isa<linalg::IndexOp>(inner))
      return refusal.because("a factor of the product is computed by '",
                             inner->getName().getStringRef(), "'");
    llvm::append_range(read, inner->getOperands());
  }
  for (OpOperand *input : op.getDpsInputOperands())
    if (llvm::is_contained(read, op.getMatchingBlockArgument(input)))
      factor.inputs.push_back(input);
  if (llvm::is_contained(read, op.getRegionOutputArgs().front()))
    return refusal.because("a factor of the product reads the sum");
  if (factor.inputs.empty())
    return refusal.because("a factor of the product reads no input");
  return findMap(op, factor, refusal);
}

static FailureOr<Product> matchProduct(linalg::GenericOp op, Refusal &refusal) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0)
    return refusal.because("no sum on tensors");
  auto add = op.getBody()
                 ->getTerminator()
                 ->getOperand(0)
                 .getDefiningOp<arith::AddFOp>();
  if (!add)
    return refusal.because("no sum of floats");
  Product product;
  product.add = add;
  product.accumulator = op.getRegionOutputArgs().front();
  Value term =
      add.getLhs() == product.accumulator ? add.getRhs() : add.getLhs();
  auto multiply = term.getDefiningOp<arith::MulFOp>();
  if (!multiply || !llvm::is_contained(add->getOperands(), product.accumulator))
    return refusal.because("no sum of products");
  product.multiply = multiply;
  // A matrix multiplication may widen its operands, if they have one type.
  auto lhs = multiply.getLhs().getDefiningOp<arith::ExtFOp>();
  auto rhs = multiply.getRhs().getDefiningOp<arith::ExtFOp>();
  bool areWidened =
      lhs && rhs && lhs.getIn().getType() == rhs.getIn().getType();
  for (Value value : multiply->getOperands()) {
    Factor &factor = product.factors.emplace_back();
    if (areWidened)
      factor.widening = value.getDefiningOp<arith::ExtFOp>();
    Value source = areWidened ? factor.widening.getIn() : value;
    if (failed(readFactor(op, source, factor, refusal)))
      return failure();
  }
  // In the order of the inputs: the first one is the input of the fusion op.
  auto getFirst = [](const Factor &factor) {
    return factor.inputs.front()->getOperandNumber();
  };
  if (getFirst(product.factors[0]) > getFirst(product.factors[1]))
    std::swap(product.factors[0], product.factors[1]);
  if (llvm::all_of(product.factors, isInput))
    return refusal.because("the factors are inputs");
  if (!areMapsOfMatmul(product.factors[0].map, product.factors[1].map,
                       op.getMatchingIndexingMap(op.getDpsInitOperand(0))))
    return refusal.because("no matrix multiplication of the factors");
  return product;
}

/// Computes `factor` for each element of the input that has all its dimensions.
static Value computeFactor(RewriterBase &rewriter, linalg::GenericOp op,
                           const Factor &factor) {
  Location loc = op.getLoc();
  unsigned rank = factor.map.getNumResults();
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  Value whole;
  for (OpOperand *input : factor.inputs) {
    AffineMap map = op.getMatchingIndexingMap(input);
    if (map == factor.map)
      whole = input->get();
    SmallVector<AffineExpr> dims;
    for (AffineExpr expr : map.getResults())
      dims.push_back(
          rewriter.getAffineDimExpr(*factor.map.getResultPosition(expr)));
    inputs.push_back(input->get());
    maps.push_back(AffineMap::get(rank, 0, dims, rewriter.getContext()));
  }
  maps.push_back(rewriter.getMultiDimIdentityMap(rank));
  Value init = tensor::EmptyOp::create(
      rewriter, loc, tensor::getMixedSizes(rewriter, loc, whole),
      factor.value.getType());
  auto computeElement = [&](OpBuilder &builder, Location loc, ValueRange args) {
    IRMapping mapping;
    for (auto [input, arg] : llvm::zip(factor.inputs, args))
      mapping.map(op.getMatchingBlockArgument(input), arg);
    for (Operation *inner : factor.ops)
      builder.clone(*inner, mapping);
    linalg::YieldOp::create(builder, loc, mapping.lookup(factor.value));
  };
  return linalg::GenericOp::create(rewriter, loc, init.getType(), inputs, init,
                                   maps,
                                   SmallVector<utils::IteratorType>(
                                       rank, utils::IteratorType::parallel),
                                   computeElement)
      .getResult(0);
}

LogicalResult fusion::splitFactors(RewriterBase &rewriter, linalg::GenericOp op,
                                   Refusal &refusal) {
  FailureOr<Product> product = matchProduct(op, refusal);
  if (failed(product))
    return failure();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (const Factor &factor : product->factors) {
    inputs.push_back(isInput(factor) ? factor.inputs.front()->get()
                                     : computeFactor(rewriter, op, factor));
    maps.push_back(factor.map);
  }
  maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(0)));
  auto multiplyAndAdd = [&](OpBuilder &builder, Location loc, ValueRange args) {
    IRMapping mapping;
    mapping.map(product->accumulator, args.back());
    for (auto [factor, arg] : llvm::zip(product->factors, args)) {
      mapping.map(factor.value, arg);
      if (factor.widening)
        builder.clone(*factor.widening, mapping);
    }
    builder.clone(*product->multiply, mapping);
    Operation *sum = builder.clone(*product->add, mapping);
    linalg::YieldOp::create(builder, loc, sum->getResult(0));
  };
  auto multiplication = linalg::GenericOp::create(
      rewriter, op.getLoc(), op.getResultTypes(), inputs, op.getOutputs(), maps,
      op.getIteratorTypesArray(), multiplyAndAdd);
  multiplication->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  rewriter.replaceOp(op, multiplication);
  return success();
}
