//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Fuse/RequantizedSum.h"
#include "FusionDialect/Analysis/Quantization.h"
#include "FusionDialect/Analysis/Views.h"
#include "FusionDialect/IR/ByteRange.h"
#include <cmath>

using namespace mlir;
using namespace fusion;

/// The move of a sum, in steps of the result, that is taken for none.
static constexpr double tolerance = 1.0 / 1024.0;

/// Finds the bounds of the rounded result of the product, less its zero point.
/// Fails if its activation is more than a bound.
static LogicalResult findBounds(RequantizedSum &sum, Refusal &refusal) {
  QuantizedOpInterface product = sum.product.op;
  double zero = product.getOutputZeroPoint();
  ByteRange range(product.getOutputUnsigned());
  sum.least = range.least - zero;
  sum.greatest = range.greatest - zero;
  auto fused = cast<FusedOpInterface>(product.getOperation());
  ActivationAttr activation = fused.getActivationAttr();
  if (!activation)
    return success();
  double lower = 0, upper = sum.greatest;
  // The product rounds bounds with its zero point.
  auto round = [&](const APFloat &bound) {
    return std::nearbyint(bound.convertToFloat() + zero) - zero;
  };
  if (activation.getKind() == ActivationKind::Clip) {
    lower = round(activation.getAlpha());
    upper = round(activation.getBeta());
  } else if (activation.getKind() != ActivationKind::Relu) {
    return refusal.because("'", stringifyActivationKind(activation.getKind()),
                           "' comes before the sum");
  }
  auto clamp = [&](double x) {
    return std::min(std::max(x, range.least - zero), range.greatest - zero);
  };
  sum.least = clamp(lower);
  sum.greatest = clamp(upper);
  return success();
}

ViewedProduct ViewedProduct::find(Value value) {
  ViewedProduct product;
  for (; Operation *view = value.getDefiningOp(); value = view->getOperand(0)) {
    if (!canRevertView(view))
      break;
    product.views.push_back(view);
  }
  std::reverse(product.views.begin(), product.views.end());
  product.op = value.getDefiningOp<QuantizedOpInterface>();
  return product;
}

bool ViewedProduct::hasOneUse() const {
  return op->hasOneUse() &&
         llvm::all_of(views, [](Operation *view) { return view->hasOneUse(); });
}

/// Whether `product`, rather than `other`, should add the other operand of a
/// sum: nothing else reads its result, and it is the later one, whose result is
/// in the cache.
static bool isBetter(const ViewedProduct &product, const ViewedProduct &other) {
  if (!product.op || !other.op)
    return product.op != nullptr;
  if (product.hasOneUse() != other.hasOneUse())
    return product.hasOneUse();
  return product.op->getBlock() == other.op->getBlock() &&
         other.op->isBeforeInBlock(product.op);
}

ViewedProduct fusion::findBestProduct(ValueRange operands) {
  ViewedProduct best;
  for (Value operand : operands)
    if (ViewedProduct product = ViewedProduct::find(operand);
        getElementTypeOrSelf(operand).isInteger(8) && isBetter(product, best))
      best = std::move(product);
  return best;
}

/// Fails unless the result of `product` is an integer of 8 bits that is only
/// `term` of a sum in `block`.
static LogicalResult checkProduct(const ViewedProduct &viewed, Block *block,
                                  const AffineRounding::Term &term,
                                  Refusal &refusal) {
  if (!viewed.hasOneUse())
    return refusal.because("the product has other users");
  QuantizedOpInterface product = viewed.op;
  if (product->getBlock() != block)
    return refusal.because("the product is in another block");
  auto fused = cast<FusedOpInterface>(product.getOperation());
  if (fused.getResidual())
    return refusal.because("the product has a residual already");
  if (term.isUnsigned != product.getOutputUnsigned())
    return refusal.because("the result of the product is read with the other "
                           "sign");
  if (!product.getOutputScale().isExactlyValue(1.0))
    return refusal.because("the product has an output scale");
  if (term.factor[0] <= 0)
    return refusal.because("the product is subtracted");
  return success();
}

/// Finds zero points, both of their types, that add up to `offset`:
/// outputZeroPoint - factor * residualZeroPoint, but for a small rest.
static LogicalResult findZeroPoints(double offset, double factor,
                                    RequantizedSum &sum, Refusal &refusal) {
  ByteRange range(sum.isUnsigned);
  double least = tolerance;
  for (int64_t zero = range.least; zero <= range.greatest; ++zero) {
    double output = std::nearbyint(offset + factor * zero);
    double rest = std::abs(offset + factor * zero - output);
    if (rest > least || !range.contains(output))
      continue;
    // Of equal ones the first.
    least = std::nextafter(rest, -1.0);
    sum.residualZeroPoint = static_cast<int32_t>(zero);
    sum.outputZeroPoint = static_cast<int32_t>(output);
  }
  if (least == tolerance)
    return refusal.because("no zero points make up for the offset ", offset);
  return success();
}

/// Finds the factors and zero points of `result`, of which all else is known.
static LogicalResult findNumbers(const AffineRounding &sum,
                                 const AffineRounding::Term &term,
                                 const AffineRounding::Term &addend,
                                 RequantizedSum &result, Refusal &refusal) {
  result.outputScale = term.factor[0];
  result.residualScale = roundResidualScale(addend.factor[0] / term.factor[0]);
  if (result.residualScale <= 0)
    return refusal.because("the residual is subtracted");
  double rest = result.residualScale * term.factor[0] - addend.factor[0];
  if (255.0 * std::abs(rest) > 1.0 / 32.0)
    return refusal.because(
        "the residual's scale of 15 bits moves the sum by up "
        "to ",
        255.0 * std::abs(rest));
  if (!isNormalInF32(result.outputScale) ||
      !isNormalInF32(result.residualScale))
    return refusal.because("unsupported: a scale is no f32");
  QuantizedOpInterface product = result.product.op;
  double zero = product.getOutputZeroPoint();
  return findZeroPoints(sum.offset[0] + term.factor[0] * zero + sum.added,
                        addend.factor[0], result, refusal);
}

FailureOr<RequantizedSum> RequantizedSum::match(linalg::GenericOp op,
                                                ValueRange operands,
                                                Block *block,
                                                Refusal &refusal) {
  FailureOr<AffineRounding> sum =
      AffineRounding::matchRequantization(op, refusal);
  if (failed(sum))
    return failure();
  if (sum->terms.size() != 2)
    return refusal.because("it is computed from ", sum->terms.size(),
                           " tensors, expected 2");
  ByteRange range(sum->isUnsigned);
  if (sum->lower > range.least || sum->upper < range.greatest)
    return refusal.because("the sum is clamped to ",
                           static_cast<int64_t>(sum->lower), " and ",
                           static_cast<int64_t>(sum->upper));
  ViewedProduct products[] = {
      ViewedProduct::find(operands[sum->terms[0].input]),
      ViewedProduct::find(operands[sum->terms[1].input])};
  unsigned index = isBetter(products[1], products[0]);
  const AffineRounding::Term &term = sum->terms[index];
  const AffineRounding::Term &addend = sum->terms[1 - index];
  RequantizedSum result;
  result.product = products[index];
  if (!result.product.op)
    return refusal.because("no operand is a product of integers");
  if (op->getOperand(term.input).getType() != op->getResult(0).getType())
    return refusal.because("product and sum have different types");
  if (failed(checkProduct(result.product, block, term, refusal)))
    return failure();
  if (addend.isUnsigned != sum->isUnsigned)
    return refusal.because("residual and result have different signs");
  if (failed(findBounds(result, refusal)))
    return failure();
  result.residual = operands[addend.input];
  result.isUnsigned = sum->isUnsigned;
  if (failed(findNumbers(*sum, term, addend, result, refusal)))
    return failure();
  return result;
}
