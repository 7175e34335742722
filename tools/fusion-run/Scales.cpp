//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Scales.h"

#include "Magnitudes.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include <cmath>

using namespace mlir;
using namespace fusion;
using namespace fusion::run;

void Scales::add(Value value, Scale scale) {
  auto [entry, isNew] = scales.try_emplace(value, scale);
  if (!isNew && scale.value < entry->second.value)
    entry->second = scale;
}

std::optional<Scale> Scales::find(Value value) const {
  auto entry = scales.find(value);
  return entry == scales.end() ? std::nullopt
                               : std::optional<Scale>(entry->second);
}

namespace {
/// The factors that numbers get on their way, and where the way ends.
struct Chain {
  /// A later one is better known.
  enum Target { Float, Rounded, Filter };
  Target target = Float;
  int64_t fanIn = 1;
  /// The product of factors that are known.
  double constant = 1;
  /// Those that are drawn.
  SmallVector<Value> factors, divisors;
  SmallVector<std::pair<Value, double>> constants;

  std::pair<int, size_t> getRank() const {
    return {target, factors.size() + divisors.size()};
  }
};
} // namespace

namespace fusion::run {
class ScaleFinder {
public:
  explicit ScaleFinder(Scales &scales) : scales(scales) {}
  void add(Operation *op);
  /// Behind `add` of all ops: a divisor of floats that are rounded.
  void addDivisor(arith::DivFOp op);

private:
  Chain follow(Value value, const Chain &chain);
  Chain visit(OpOperand &use, Chain chain);
  Chain visitLinalg(linalg::LinalgOp op, OpOperand &use, Chain chain);
  bool collect(Value value, bool isDivisor, Chain &chain);
  void addFactor(Value value, bool isDivisor, Chain &chain);
  void assign(const Chain &chain, double magnitude);
  void addConversion(Operation *op);
  void addRescale(double magnitude, Value multiplier, Value shift);
  void addShift(arith::ShRSIOp op);
  void addScaleOperand(QuantizedOpInterface op);

  static constexpr unsigned most = 100;
  Scales &scales;
  Magnitudes magnitudes;
  /// Values that are still looked at for one conversion.
  unsigned budget = 0;
};
} // namespace fusion::run

//===----------------------------------------------------------------------===//
// Factors
//===----------------------------------------------------------------------===//

/// Whether `value` is drawn, a number of a tensor or a scalar.
static bool isDrawn(Value value) {
  if (auto argument = dyn_cast<BlockArgument>(value))
    return isa<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return isa<arith::ConstantOp>(value.getDefiningOp());
}

/// Reads `value` as a product. False if quantised numbers are part of it.
bool ScaleFinder::collect(Value value, bool isDivisor, Chain &chain) {
  if (budget == 0)
    return false;
  --budget;
  value = traceElements(value);
  Operation *op = value.getDefiningOp();
  if (isa_and_present<arith::SIToFPOp, arith::UIToFPOp>(op))
    return false;
  if (isa_and_present<arith::MulFOp, arith::DivFOp>(op))
    return collect(op->getOperand(0), isDivisor, chain) &&
           collect(op->getOperand(1), isDivisor != isa<arith::DivFOp>(op),
                   chain);
  std::optional<double> constant = getConstantMagnitude(value);
  if (!constant && isDrawn(value)) {
    (isDivisor ? chain.divisors : chain.factors).push_back(value);
    return true;
  }
  if (constant && !isDivisor)
    chain.constants.push_back({value, *constant});
  double number = constant.value_or(floatMagnitude);
  chain.constant *= isDivisor ? 1 / number : number;
  return true;
}

void ScaleFinder::addFactor(Value value, bool isDivisor, Chain &chain) {
  Chain longer = chain;
  if (collect(value, isDivisor, longer))
    chain = longer;
  else
    chain.constant *= isDivisor ? 1 / floatMagnitude : floatMagnitude;
}

/// Gives each number that is drawn on `chain`, which begins with numbers of
/// `magnitude`, an equal part in bringing them to their target.
void ScaleFinder::assign(const Chain &chain, double magnitude) {
  double target = chain.target == Chain::Rounded ? resultMagnitude
                  : chain.target == Chain::Filter
                      ? 1 / std::sqrt(static_cast<double>(chain.fanIn))
                      : floatMagnitude;
  double quotient = target / (magnitude * chain.constant);
  if (!std::isfinite(quotient) || quotient <= 0)
    return;
  for (auto [value, number] : chain.constants)
    scales.add(value, {Scale::Factor, number});
  auto addAll = [&](ArrayRef<Value> values, double product) {
    for (Value value : values)
      scales.add(value, {Scale::Factor, std::pow(product, 1. / values.size())});
  };
  if (chain.factors.empty())
    return addAll(chain.divisors, 1 / quotient);
  for (Value divisor : chain.divisors) {
    double number = floatMagnitude / resultMagnitude;
    scales.add(divisor, {Scale::Factor, number});
    quotient *= number;
  }
  addAll(chain.factors, quotient);
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

Chain ScaleFinder::follow(Value value, const Chain &chain) {
  Chain best = chain;
  for (OpOperand &use : value.getUses()) {
    if (budget == 0)
      break;
    --budget;
    Chain next = visit(use, chain);
    if (next.getRank() > best.getRank())
      best = next;
  }
  return best;
}

Chain ScaleFinder::visit(OpOperand &use, Chain chain) {
  Operation *op = use.getOwner();
  unsigned index = use.getOperandNumber();
  if (isa<arith::MulFOp, arith::DivFOp>(op)) {
    bool isDivision = isa<arith::DivFOp>(op);
    if (isDivision && index == 1)
      return chain;
    addFactor(op->getOperand(1 - index), isDivision, chain);
    return follow(op->getResult(0), chain);
  }
  if (isa<math::RoundEvenOp, math::RoundOp, math::FloorOp, arith::FPToSIOp,
          arith::FPToUIOp>(op)) {
    chain.target = Chain::Rounded;
    return chain;
  }
  if (std::optional<int64_t> fanIn = getFilterFanIn(use)) {
    chain.target = Chain::Filter;
    chain.fanIn = *fanIn;
    return chain;
  }
  if (auto linalgOp = dyn_cast<linalg::LinalgOp>(op))
    return visitLinalg(linalgOp, use, chain);
  if (isa<linalg::YieldOp>(op))
    return follow(op->getParentOp()->getResult(index), chain);
  bool keepsMagnitude =
      isa<arith::AddFOp, arith::SubFOp, arith::NegFOp, arith::MaximumFOp,
          arith::MinimumFOp, arith::MaxNumFOp, arith::MinNumFOp>(op) ||
      (isa<arith::SelectOp>(op) && index != 0);
  if (keepsMagnitude || (movesElements(op) && index == 0))
    return follow(op->getResult(0), chain);
  return chain;
}

/// Sums end a chain: filters keep the magnitude of their input.
Chain ScaleFinder::visitLinalg(linalg::LinalgOp op, OpOperand &use,
                               Chain chain) {
  if (!op.isAllParallelLoops() || !op.isDpsInput(&use))
    return chain;
  return follow(op.getMatchingBlockArgument(&use), chain);
}

/// A conversion of integers to floats.
void ScaleFinder::addConversion(Operation *op) {
  double magnitude = magnitudes.get(op->getOperand(0));
  for (OpOperand &use : op->getResult(0).getUses()) {
    budget = most;
    Chain chain = visit(use, {});
    assign(chain, magnitude);
  }
}

void ScaleFinder::addDivisor(arith::DivFOp op) {
  Value divisor = traceElements(op.getRhs());
  budget = most;
  Chain chain = follow(op.getResult(), {});
  if (scales.find(divisor) || chain.target != Chain::Rounded)
    return;
  if (std::optional<double> constant = getConstantMagnitude(divisor))
    return scales.add(divisor, {Scale::Factor, *constant});
  if (chain.factors.empty() && chain.divisors.empty() &&
      collect(divisor, /*isDivisor=*/true, chain))
    assign(chain, floatMagnitude);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// Numbers of `magnitude` times `multiplier`, an integer of 31 bits, are
/// shifted to the right.
void ScaleFinder::addRescale(double magnitude, Value multiplier, Value shift) {
  multiplier = traceElements(multiplier);
  shift = traceElements(shift);
  double quotient = resultMagnitude / magnitude;
  std::optional<double> factor = getConstantMagnitude(multiplier);
  std::optional<double> bits = getConstantMagnitude(shift);
  if (!std::isfinite(quotient) || quotient <= 0)
    return;
  if (!factor && isDrawn(multiplier)) {
    factor = bits ? quotient * std::exp2(*bits) : 0x1p30;
    scales.add(multiplier, {Scale::Multiplier, *factor});
  }
  if (!bits && factor && isDrawn(shift))
    scales.add(shift, {Scale::Shift, std::log2(*factor / quotient)});
}

static Value skipExtensions(Value value) {
  while (isa_and_present<arith::ExtSIOp, arith::ExtUIOp>(value.getDefiningOp()))
    value = value.getDefiningOp()->getOperand(0);
  return value;
}

/// The product in front of a shift: at most two roundings are added to it.
static arith::MulIOp findProduct(Value value, int additions = 2) {
  if (auto select = value.getDefiningOp<arith::SelectOp>())
    value = select.getTrueValue();
  auto sum = value.getDefiningOp<arith::AddIOp>();
  if (!sum || additions == 0)
    return value.getDefiningOp<arith::MulIOp>();
  arith::MulIOp product = findProduct(sum.getLhs(), additions - 1);
  return product ? product : findProduct(sum.getRhs(), additions - 1);
}

/// A rescale as upstream writes `tosa.apply_scale`.
void ScaleFinder::addShift(arith::ShRSIOp op) {
  arith::MulIOp product = findProduct(op.getLhs());
  if (!product)
    return;
  Value value = skipExtensions(product.getLhs());
  Value multiplier = skipExtensions(product.getRhs());
  auto isScale = [](Value number) {
    number = traceElements(number);
    return getConstantMagnitude(number) || isDrawn(number);
  };
  if (!isScale(multiplier))
    std::swap(value, multiplier);
  if (isScale(multiplier) && !isScale(value))
    addRescale(magnitudes.get(value), multiplier, skipExtensions(op.getRhs()));
}

//===----------------------------------------------------------------------===//
// Modules
//===----------------------------------------------------------------------===//

/// The same for fusion ops, in files that have gone through our passes.
void ScaleFinder::addScaleOperand(QuantizedOpInterface op) {
  auto fused = cast<FusedOpInterface>(op.getOperation());
  if (!op.getScale())
    return;
  Chain chain;
  budget = most;
  if (getElementTypeOrSelf(fused.getInit()).isInteger(8)) {
    chain.target = Chain::Rounded;
    chain.constant = op.getOutputScale().convertToDouble();
  }
  addFactor(op.getScale(), /*isDivisor=*/false, chain);
  assign(chain, magnitudes.getSum(fused));
}

void ScaleFinder::add(Operation *op) {
  if (isa<arith::SIToFPOp, arith::UIToFPOp>(op))
    return addConversion(op);
  if (auto shift = dyn_cast<arith::ShRSIOp>(op))
    return addShift(shift);
  if (auto quantized = dyn_cast<QuantizedOpInterface>(op))
    addScaleOperand(quantized);
}

Scales::Scales(Operation *module) {
  ScaleFinder finder(*this);
  module->walk([&](Operation *op) { finder.add(op); });
  module->walk([&](arith::DivFOp op) { finder.addDivisor(op); });
}
