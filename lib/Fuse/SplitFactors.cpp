//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SplitFactors.h"
#include "BodyPart.h"
#include "FusionDialect/Analysis/ConvolutionMatch.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace fusion;

namespace {
/// A factor of the product, as the body computes it, in front of `widening`.
struct Factor : BodyPart {
  arith::ExtFOp widening; ///< or null
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

/// True if nothing but constants computes the factor.
static bool isWeights(const Factor &factor) {
  return llvm::all_of(factor.inputs, [](OpOperand *input) {
    return fusion::isWeights(input->get());
  });
}

static bool isRepeated(const Factor &factor) {
  return isInput(factor) && fusion::isRepeated(factor.inputs[0]->get());
}

static FailureOr<Factor> readFactor(linalg::GenericOp op, Value value,
                                    arith::ExtFOp widening, Refusal &refusal) {
  FailureOr<BodyPart> part =
      BodyPart::match(op, value, "a factor of the product", refusal);
  if (failed(part))
    return failure();
  return Factor{std::move(*part), widening};
}

/// Reads what the body of `op` adds up, and refuses effects.
static LogicalResult readProduct(linalg::GenericOp op, Product &product,
                                 Refusal &refusal) {
  Value sum = op.getBody()->getTerminator()->getOperand(0);
  auto add = sum.getDefiningOp<arith::AddFOp>();
  product.accumulator = op.getRegionOutputArgs().front();
  if (!add || !llvm::is_contained(add->getOperands(), product.accumulator))
    return refusal.because("no sum of floats");
  Value term =
      add.getLhs() == product.accumulator ? add.getRhs() : add.getLhs();
  auto multiply = term.getDefiningOp<arith::MulFOp>();
  if (!multiply || multiply->getBlock() != op.getBody())
    return refusal.because("no sum of products");
  for (Operation &inner : *op.getBody())
    if (!isMemoryEffectFree(&inner))
      return refusal.because("the body has an effect: '",
                             inner.getName().getStringRef(), "'");
  product.add = add;
  product.multiply = multiply;
  // A matrix multiplication may widen its operands, if they have one type.
  auto lhs = multiply.getLhs().getDefiningOp<arith::ExtFOp>();
  auto rhs = multiply.getRhs().getDefiningOp<arith::ExtFOp>();
  bool areWidened =
      lhs && rhs && lhs.getIn().getType() == rhs.getIn().getType();
  for (Value value : multiply->getOperands()) {
    auto widening =
        areWidened ? value.getDefiningOp<arith::ExtFOp>() : arith::ExtFOp();
    FailureOr<Factor> factor =
        readFactor(op, widening ? widening.getIn() : value, widening, refusal);
    if (failed(factor))
      return failure();
    product.factors.push_back(std::move(*factor));
  }
  return success();
}

/// Fails unless the types of all operands agree on the size of each loop.
static LogicalResult checkSizes(linalg::GenericOp op, Refusal &refusal) {
  auto conflict =
      findLoopConflict(op.getIndexingMapsArray(), op->getOperandTypes());
  if (!conflict)
    return success();
  return refusal.because("loop ", conflict->loop, " has ", conflict->sizes[0],
                         " and ", conflict->sizes[1], " iterations");
}

/// Refuses a product with a vector whose other factor is computed, of more than
/// weights: it reads each number once, as the sum does.
static LogicalResult checkReuse(const Factor &lhs, const Factor &rhs,
                                Refusal &refusal) {
  auto hasAll = [](const Factor &factor, const Factor &other) {
    return llvm::all_of(other.map.getResults(), [&](AffineExpr expr) {
      return llvm::is_contained(factor.map.getResults(), expr);
    });
  };
  auto isRead = [](const Factor &factor) {
    return isInput(factor) || isWeights(factor);
  };
  // An op on integers reads them, and no op of their own is left.
  auto readsIntegers = [](const Factor &factor) {
    return llvm::any_of(factor.inputs, [](OpOperand *input) {
      return getElementTypeOrSelf(input->get()).isInteger(8);
    });
  };
  bool isCopied =
      (hasAll(lhs, rhs) && !isRead(lhs)) || (hasAll(rhs, lhs) && !isRead(rhs));
  if (isCopied && !(readsIntegers(lhs) && readsIntegers(rhs)))
    return refusal.because("a product with a vector reads each factor once");
  return success();
}

static FailureOr<Product> matchProduct(linalg::GenericOp op, Refusal &refusal) {
  if (!op.hasPureTensorSemantics() || op.getNumDpsInits() != 1 ||
      op.getNumReductionLoops() == 0)
    return refusal.because("no sum on tensors");
  Product product;
  if (failed(readProduct(op, product, refusal)))
    return failure();
  Factor &lhs = product.factors[0], &rhs = product.factors[1];
  if (isInput(lhs) && isInput(rhs))
    return refusal.because("the factors are inputs");
  // In the order of the inputs, but the filter is the second factor, by the
  // rule for matrix multiplications.
  if (rhs.inputs.front()->getOperandNumber() <
      lhs.inputs.front()->getOperandNumber())
    std::swap(lhs, rhs);
  bool isFilterFirst = isWeights(lhs) != isWeights(rhs)
                           ? isWeights(lhs)
                           : isRepeated(lhs) && !isRepeated(rhs);
  if (isFilterFirst)
    std::swap(lhs, rhs);
  AffineMap init = op.getMatchingIndexingMap(op.getDpsInitOperand(0));
  AffineMap lhsMap = replaceZeros(op, lhs.map, op.getShape(lhs.largest),
                                  /*other=*/rhs.map);
  AffineMap rhsMap = replaceZeros(op, rhs.map, op.getShape(rhs.largest),
                                  /*other=*/lhsMap);
  Refusal noConvolution = Refusal::unread();
  bool hasWindows = succeeded(checkConvolutionMaps(
      {lhsMap, rhsMap, init}, lhs.largest->get(), rhs.largest->get(),
      op.getDpsInitOperand(0)->get(), noConvolution));
  if (!hasWindows && failed(checkMatmulMaps(lhsMap, rhsMap, init, refusal)))
    return failure();
  if (failed(checkSizes(op, refusal)) || failed(checkReuse(lhs, rhs, refusal)))
    return failure();
  Type type = lhs.value.getType(), sum = product.accumulator.getType();
  if (!(type.isF32() || type.isBF16() || type.isF16()) ||
      !(sum.isF32() || sum == type))
    return refusal.because("factors of ", type, " are added up in ", sum);
  return product;
}

bool fusion::computesFactors(Operation *op) {
  auto generic = dyn_cast<linalg::GenericOp>(op);
  Refusal ignored = Refusal::unread();
  return generic && succeeded(matchProduct(generic, ignored));
}

static FailureOr<Product> matchProduct(linalg::LinalgOp op,
                                       const RaiseOptions &options,
                                       Refusal &refusal) {
  auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
  if (!generic)
    return refusal.because("no body");
  FailureOr<Product> product = matchProduct(generic, refusal);
  if (failed(product))
    return failure();
  Value init = op.getDpsInitOperand(0)->get();
  Type sum = getElementTypeOrSelf(init);
  if (options.integers)
    return refusal.because("unsupported: element type ", sum, ", expected i32");
  if (!sum.isF32() && !options.allowContractRounding)
    return refusal.because("rounds each step to ", sum,
                           ", and allow-contract-rounding is off");
  if (failed(checkAccumulator(init, refusal)))
    return failure();
  return product;
}

LogicalResult fusion::checkMaySplitFactors(linalg::LinalgOp op,
                                           const RaiseOptions &options,
                                           Refusal &refusal) {
  return matchProduct(op, options, refusal);
}

FailureOr<linalg::LinalgOp> fusion::splitFactors(RewriterBase &rewriter,
                                                 linalg::LinalgOp linalgOp,
                                                 const RaiseOptions &options,
                                                 Refusal &refusal) {
  FailureOr<Product> product = matchProduct(linalgOp, options, refusal);
  if (failed(product))
    return failure();
  auto op = cast<linalg::GenericOp>(linalgOp.getOperation());
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  for (const Factor &factor : product->factors) {
    inputs.push_back(isInput(factor) ? factor.inputs.front()->get()
                                     : factor.emit(rewriter, op));
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
  return cast<linalg::LinalgOp>(multiplication.getOperation());
}
