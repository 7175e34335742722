//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Support/LLVMCompat.h"
#include "ScalarReader.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/Format.h"

using namespace mlir;
using namespace fusion;

using Term = AffineRounding::Term;

static Scalar makeConstant(Numbers numbers) {
  Scalar scalar;
  scalar.offset = std::move(numbers);
  return scalar;
}

FailureOr<Scalar> ScalarReader::read(Value value) {
  if (auto found = known.find(value); found != known.end())
    return found->second;
  FailureOr<Scalar> scalar = readNew(value);
  if (failed(scalar))
    return failure();
  scalar->foldConstant();
  known[value] = *scalar;
  return scalar;
}

FailureOr<Scalar> ScalarReader::readNew(Value value) {
  Attribute attr;
  if (matchPattern(value, m_Constant(&attr)))
    return readConstant(attr, value.getType(), AffineMap());
  if (value.getParentBlock() != op.getBlock())
    return refusal.because("a scalar is not known at compile time");
  if (auto argument = dyn_cast<BlockArgument>(value))
    return readInput(argument);
  return readOp(value.getDefiningOp());
}

/// The elements of a constant; null if they are not known, or if it is a
/// resource with more than a vector.
static DenseElementsAttr getElements(Attribute attr) {
  auto resource = dyn_cast<DenseResourceElementsAttr>(attr);
  if (!resource)
    return dyn_cast<DenseElementsAttr>(attr);
  auto type = cast<ShapedType>(resource.getType());
  AsmResourceBlob *blob = resource.getRawHandle().getBlob();
  bool isVector = llvm::count_if(type.getShape(),
                                 [](int64_t size) { return size != 1; }) <= 1;
  if (!isVector || !blob || !isValidRawBuffer(type, blob->getData()))
    return nullptr;
  return DenseElementsAttr::getFromRawBuffer(type, blob->getData());
}

/// The elements of a constant that is read through `map`, or a constant scalar.
FailureOr<Scalar> ScalarReader::readConstant(Attribute attr, Type type,
                                             AffineMap map) {
  bool isBit = type.isInteger(1);
  auto toDouble = [&](const APInt &number) {
    return isBit ? number.getZExtValue() : number.roundToDouble(true);
  };
  if (auto number = dyn_cast<FloatAttr>(attr)) {
    if (number.getValue().isNaN())
      return refusal.because("a constant is not a number");
    return makeConstant({number.getValueAsDouble()});
  }
  if (auto number = dyn_cast<IntegerAttr>(attr))
    return makeConstant({toDouble(number.getValue())});
  DenseElementsAttr elements = getElements(attr);
  if (!elements || elements.empty())
    return refusal.because("the elements of a constant are not known");
  if (elements.isSplat())
    return readConstant(elements.getSplatValue<Attribute>(), type, map);
  ArrayRef<int64_t> shape = elements.getType().getShape();
  std::optional<unsigned> along;
  for (auto [size, expr] : llvm::zip_equal(shape, map.getResults())) {
    if (size == 1)
      continue;
    auto loop = dyn_cast<AffineDimExpr>(expr);
    if (!loop)
      return refusal.because("unsupported: a constant is indexed by ", expr);
    if (along)
      return refusal.because("a constant varies along dimensions ", *along,
                             " and ", loop.getPosition(), ", expected one");
    along = loop.getPosition();
  }
  if (dim && dim != along)
    return refusal.because("constants vary along dimensions ", *dim, " and ",
                           *along);
  dim = along;
  Numbers numbers;
  if (isa<FloatType>(type))
    for (const APFloat &number : elements.getValues<APFloat>())
      numbers.push_back(FloatAttr::get(type, number).getValueAsDouble());
  else
    for (const APInt &number : elements.getValues<APInt>())
      numbers.push_back(toDouble(number));
  return makeConstant(std::move(numbers));
}

bool fusion::readsEachElement(linalg::LinalgOp op, AffineMap map) {
  if (map.getNumResults() != map.getNumDims())
    return false;
  SmallVector<int64_t> sizes = op.getStaticLoopRanges();
  return llvm::all_of(llvm::enumerate(map.getResults()), [&](auto indexed) {
    auto [i, expr] = indexed;
    auto zero = dyn_cast<AffineConstantExpr>(expr);
    return expr == getAffineDimExpr(i, map.getContext()) ||
           (zero && zero.getValue() == 0 && sizes[i] == 1);
  });
}

FailureOr<Scalar> ScalarReader::readInput(BlockArgument argument) {
  OpOperand *operand = op.getMatchingOpOperand(argument);
  if (!op.isDpsInput(operand))
    return refusal.because("it reads what is in its destination");
  AffineMap map = op.getMatchingIndexingMap(operand);
  Type type = argument.getType();
  // A constant filter is data: integers of its own for each element.
  bool isData = isa<IntegerType>(type) && readsEachElement(op, map);
  Attribute attr;
  if (!isData && matchPattern(operand->get(), m_Constant(&attr)))
    return readConstant(attr, type, map);
  if (!readsEachElement(op, map))
    return refusal.because("operand ", operand->getOperandNumber(),
                           " is neither constant nor read element for element");
  bool isFloat = type.isF32() || type.isF64();
  unsigned width = isa<IntegerType>(type) ? type.getIntOrFloatBitWidth() : 0;
  if (!isFloat && (width < 8 || width > 64))
    return refusal.because("unsupported: element type ", type);
  Scalar scalar;
  scalar.isRaw = !isFloat && width < 32;
  scalar.terms.push_back({operand->getOperandNumber(),
                          {1.0},
                          /*isUnsigned=*/false,
                          isFloat ? -largestFloat : getLeast(type, false),
                          isFloat ? largestFloat : getGreatest(type, false)});
  return scalar;
}

/// Gives the bits of `scalar` their sign.
FailureOr<Scalar> ScalarReader::resolve(Scalar scalar, Type type,
                                        bool isUnsigned) {
  if (scalar.isConstant() && isUnsigned)
    scalar.offset = map(scalar.offset, [&](double number) {
      return number < 0.0 ? number + getGreatest(type, true) + 1.0 : number;
    });
  if (!scalar.isRaw && isa<IntegerType>(type)) {
    auto [least, greatest] = scalar.getRange();
    if (least < getLeast(type, isUnsigned) ||
        greatest > getGreatest(type, isUnsigned))
      return refusal.because("a number is read with another sign than it has");
    scalar.isUnsigned = false;
  }
  if (!scalar.isRaw)
    return scalar;
  // Adding half of the type's size makes unsigned of signed and back.
  double size = std::ldexp(1.0, type.getIntOrFloatBitWidth());
  double offset = scalar.offset[0] - size * std::floor(scalar.offset[0] / size);
  if (offset != 0.0 && offset != size / 2.0)
    return refusal.because("may wrap: ", static_cast<int64_t>(scalar.offset[0]),
                           " is added in ", type);
  Term &term = scalar.terms[0];
  term.isUnsigned = isUnsigned == (offset == 0.0);
  term.least = getLeast(type, term.isUnsigned);
  term.greatest = getGreatest(type, term.isUnsigned);
  scalar.offset = {getLeast(type, isUnsigned) - term.least};
  scalar.isRaw = false;
  return scalar;
}

LogicalResult ScalarReader::refuseToWrap(Type type, double least,
                                         double greatest) {
  // An i64 could not hold all of them. Half a step may be on them, and a zero
  // may be negative.
  auto write = [](double number) {
    return llvm::format("%.0f", std::trunc(number) + 0.0);
  };
  return refusal.because("may wrap: ", type, " for ", write(least), " to ",
                         write(greatest));
}

FailureOr<Scalar> ScalarReader::checkNoWrap(FailureOr<Scalar> scalar,
                                            Type type) {
  if (failed(scalar) || !isa<IntegerType>(type))
    return scalar;
  auto [least, greatest] = scalar->getRange();
  scalar->isUnsigned = false;
  if (least < getLeast(type, false) || greatest > getGreatest(type, false))
    return refuseToWrap(type, least, greatest);
  return scalar;
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static bool isWideFloat(Type type) { return type.isF32() || type.isF64(); }

FailureOr<Scalar> ScalarReader::readOp(Operation *inner) {
  Value result = inner->getResult(0);
  if (isa<FloatType>(result.getType()) && !isWideFloat(result.getType()))
    return refusal.because("rounds to ", result.getType());
  if (failed(checkRoundsToNearest(inner, refusal)))
    return failure();
  auto clamp = [&](bool isMax, bool isUnsigned) {
    return readClamp(inner->getOperand(0), inner->getOperand(1), isMax,
                     isUnsigned);
  };
  if (inner->getName().getStringRef() == "tosa.apply_scale")
    return readApplyScale(inner);
  using R = FailureOr<Scalar>;
  return llvm::TypeSwitch<Operation *, R>(inner)
      .Case<arith::AddIOp, arith::AddFOp>(
          [&](auto) { return readSum(inner, /*isDifference=*/false); })
      .Case<arith::SubIOp, arith::SubFOp>(
          [&](auto) { return readSum(inner, /*isDifference=*/true); })
      .Case<arith::XOrIOp>([&](auto flip) { return readFlippedSign(flip); })
      .Case<arith::MulIOp, arith::MulFOp>([&](auto) {
        return readProduct(inner->getOperand(0), inner->getOperand(1));
      })
      .Case<math::FmaOp>([&](auto fma) { return readMultiplyAdd(fma); })
      .Case<arith::DivFOp>([&](auto) { return readQuotient(inner); })
      .Case<arith::NegFOp>([&](auto) {
        R a = read(inner->getOperand(0));
        return failed(a) ? a : scale(*a, {-1.0});
      })
      .Case<arith::ExtFOp, arith::TruncFOp>(
          [&](auto) { return read(inner->getOperand(0)); })
      .Case<arith::ExtSIOp, arith::SIToFPOp>(
          [&](auto) { return readExact(inner->getOperand(0)); })
      .Case<arith::ExtUIOp, arith::UIToFPOp>([&](auto) {
        return readExact(inner->getOperand(0), /*isUnsigned=*/true);
      })
      .Case<arith::MaxSIOp, arith::MaximumFOp, arith::MaxNumFOp>(
          [&](auto) { return clamp(/*isMax=*/true, /*isUnsigned=*/false); })
      .Case<arith::MinSIOp, arith::MinimumFOp, arith::MinNumFOp>(
          [&](auto) { return clamp(/*isMax=*/false, /*isUnsigned=*/false); })
      .Case<arith::MaxUIOp>([&](auto) { return clamp(true, true); })
      .Case<arith::MinUIOp>([&](auto) { return clamp(false, true); })
      .Case<arith::SelectOp>([&](auto select) { return readSelect(select); })
      .Case<arith::ShLIOp, arith::ShRSIOp>(
          [&](auto) { return readShift(inner, /*isUnsigned=*/false); })
      .Case<arith::ShRUIOp>(
          [&](auto) { return readShift(inner, /*isUnsigned=*/true); })
      .Case<math::RoundEvenOp, math::RoundOp, math::FloorOp, math::TruncOp>(
          [&](auto) { return readRounding(inner); })
      .Case<arith::FPToSIOp>([&](auto) { return toInteger(inner, false); })
      .Case<arith::FPToUIOp>([&](auto) { return toInteger(inner, true); })
      .Case<arith::TruncIOp>([&](auto trunc) { return truncate(trunc); })
      .Case<tensor::ExtractOp>([&](auto) -> R {
        return refusal.because(
            "unsupported: 'tensor.extract' looks a number up, as in a table");
      })
      .Default([&](auto) -> R {
        return refusal.because("'", inner->getName().getStringRef(),
                               "' is not part of a quantisation");
      });
}

LogicalResult fusion::checkComputesElements(linalg::LinalgOp op,
                                            Refusal &refusal) {
  StringRef name = op->getName().getStringRef();
  if (!op.hasPureTensorSemantics() || !op.isAllParallelLoops())
    return refusal.because("'", name, "' is not element-wise");
  if (op->getNumResults() != 1)
    return refusal.because("unsupported: '", name, "' has ",
                           op->getNumResults(), " results, expected 1");
  auto result = cast<OpResult>(op->getResult(0));
  if (!op.getIndexingMapMatchingResult(result).isIdentity())
    return refusal.because("unsupported: result of '", name, "' is permuted");
  if (failed(checkBodySize(op, refusal)))
    return failure();
  return checkNoSideEffects(op, refusal);
}

FailureOr<AffineRounding> AffineRounding::match(linalg::LinalgOp op,
                                                Refusal &refusal,
                                                bool mayRoundBetween,
                                                double largestFloat) {
  if (failed(checkComputesElements(op, refusal)))
    return failure();
  ScalarReader reader(op, refusal, mayRoundBetween, largestFloat);
  Value yielded = op.getBlock()->getTerminator()->getOperand(0);
  FailureOr<Scalar> scalar = reader.read(yielded);
  if (failed(scalar))
    return failure();
  Type type = yielded.getType();
  bool isUnsigned = scalar->isUnsigned;
  if (scalar->isRaw &&
      failed(scalar = reader.resolve(*scalar, type, isUnsigned)))
    return failure();
  if (scalar->hasStep())
    return refusal.because("a choice is neither a bound nor by sign");
  if (isa<IntegerType>(type))
    scalar->clamp(getLeast(type, isUnsigned), getGreatest(type, isUnsigned));
  scalar->dim = reader.getDim();
  return static_cast<AffineRounding>(*scalar);
}

/// Below it an f32 is less than 1/256 off, so that a result is at most 1 off.
static constexpr double largestNumber = 1 << 16;

/// Roundings on the way that move a sum by at most this move its rounding by 1
/// at most.
static constexpr double largestError = 0.5;

/// The same for roundings of all that is added, which leave a sum of integers:
/// the nearest integer to the sum of the numbers is at most 1 off from it.
static constexpr double largestErrorOfIntegers = 1.0;

FailureOr<AffineRounding>
AffineRounding::matchRequantization(linalg::LinalgOp op, Refusal &refusal) {
  FailureOr<AffineRounding> function =
      match(op, refusal, /*mayRoundBetween=*/true);
  if (failed(function))
    return failure();
  bool isSumOfIntegers = function->rounding == Rounding::None;
  if (function->rounding == Rounding::Truncate)
    return refusal.because("it does not round to the nearest integer");
  if (function->dim)
    return refusal.because("its constants vary along a dimension");
  if (function->error >
      (isSumOfIntegers ? largestErrorOfIntegers : largestError))
    return refusal.because("roundings on the way move the sum by up to ",
                           function->error);
  double largest = std::abs(function->offset[0]);
  for (const Term &term : function->terms) {
    Type type = getElementTypeOrSelf(op->getOperand(term.input));
    if (!type.isInteger(8))
      return refusal.because("operand ", term.input, " has element type ", type,
                             ", expected i8");
    largest += std::abs(term.factor[0]) *
               std::max(std::abs(term.least), std::abs(term.greatest));
  }
  if (largest > largestNumber)
    return refusal.because("f32 does not hold sums up to ", largest,
                           " with a fraction");
  return function;
}
