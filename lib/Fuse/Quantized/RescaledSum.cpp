//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Fuse/ConstantEvaluation.h"
#include "FusionDialect/Fuse/Epilogue.h"
#include "FusionDialect/IR/ByteRange.h"
#include "FusionDialect/IR/LocationText.h"
#include "Laws.h"
#include "NewResult.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/Matchers.h"
#include <cmath>
#include <utility>

using namespace mlir;
using namespace fusion;

using Numbers = AffineRounding::Numbers;

/// An element-wise op that makes integers of 8 bits or floats of the i32 result
/// of `op`; null if there is none.
static linalg::LinalgOp findUser(FusedOpInterface op) {
  return findElementwiseUser(op, 32, [](Type type) {
    return type.isInteger(8) || isa<FloatType>(type);
  });
}

static bool isQuantized(linalg::LinalgOp user) {
  return getElementTypeOrSelf(user->getResult(0)).isInteger(8);
}

/// Takes the zero point of `residual` out of the offset of `form`. It is chosen
/// so that the rest is the zero point of the result at which a relu has its
/// bound, if `mayBeRelu`, or else nothing.
static int64_t takeZeroPoint(AffineRounding &form,
                             const AffineRounding::Term &residual,
                             bool mayBeRelu) {
  SmallVector<double> rests = {0.0};
  ByteRange range(form.isUnsigned);
  if (mayBeRelu && form.lower > range.least && form.upper >= range.greatest)
    rests.insert(rests.begin(), form.lower - form.added);
  for (double rest : rests) {
    double factor = residual.factor[0];
    double number = std::nearbyint((rest - form.offset[0]) / factor);
    bool isExact = std::abs(form.offset[0] + number * factor - rest) <= 1e-4;
    if (!isExact || number < residual.least || number > residual.greatest)
      continue;
    form.offset = {rest};
    return static_cast<int64_t>(number);
  }
  return 0;
}

/// Makes the sum the first term of `form`, and takes another term out of it as
/// a residual. If `mayMoveOffset`, what is added may be in front of another
/// sum.
static LogicalResult takeResidual(FusedOpInterface op, linalg::LinalgOp user,
                                  bool mayMoveOffset, AffineRounding &form,
                                  NewResult &result, Refusal &refusal) {
  auto isSum = [&](const AffineRounding::Term &term) {
    return user->getOperand(term.input) == op->getResult(0);
  };
  if (form.terms.size() > 2 || llvm::count_if(form.terms, isSum) != 1)
    return refusal.because("unsupported: result is computed from ",
                           form.terms.size(),
                           " tensors, expected the sum and a residual");
  if (!isSum(form.terms[0]))
    std::swap(form.terms[0], form.terms[1]);
  if (form.terms.size() == 1)
    return success();
  AffineRounding::Term term = form.terms.pop_back_val();
  Value source = user->getOperand(term.input);
  Type type = getElementTypeOrSelf(source);
  double factor = term.factor[0];
  bool isInteger = type.isInteger(8);
  if (!isInteger && !type.isF32())
    return refusal.because("unsupported: a tensor of ", type,
                           " is added to the sum, expected i8 or f32");
  if (term.factor.size() != 1)
    return refusal.because("unsupported: a tensor of ", type,
                           " is added to the sum with factors that vary along "
                           "dimension ",
                           *form.dim, ", expected one number");
  if (!(factor > 0.0) || !isNormalInF32(factor))
    return refusal.because("unsupported: a tensor of ", type,
                           " is added to the sum with factor ", factor,
                           ", expected a positive f32");
  int64_t zeroPoint = 0;
  if (isInteger && llvm::all_equal(form.offset))
    zeroPoint = takeZeroPoint(form, term, mayMoveOffset && isQuantized(user));
  result.residual =
      Dequantization{source, zeroPoint, term.isUnsigned, term.factor, {}};
  return success();
}

static bool hasFloatResidual(const NewResult &result) {
  return result.residual &&
         getElementTypeOrSelf(result.residual->source).isF32();
}

/// The part of `form`, a function of a sum, that is no single number; empty if
/// there is none.
static StringRef getVaryingPart(const AffineRounding &form) {
  if (form.terms[0].factor.size() > 1)
    return "scale";
  if (form.terms[0].addend.size() > 1)
    return "bias";
  return form.offset.size() > 1 ? "offset" : "";
}

/// Reads `user` as a function of the sum that `op` computes.
static FailureOr<AffineRounding> matchForm(FusedOpInterface op,
                                           linalg::LinalgOp user, bool isExact,
                                           NewResult &result,
                                           Refusal &refusal) {
  if (failed(checkOneUser(op, refusal)))
    return failure();
  if (user->getBlock() != op->getBlock())
    return refusal.because("sum is rescaled in another block");
  Refusal reason;
  FailureOr<AffineRounding> form = AffineRounding::match(user, reason);
  if (failed(form))
    return refusal.because("sum is not rescaled: ", reason.str());
  if (failed(takeResidual(op, user, /*mayMoveOffset=*/!isExact, *form, result,
                          refusal)))
    return failure();
  const AffineRounding::Term &term = form->terms[0];
  StringRef varying = getVaryingPart(*form);
  if (!varying.empty() && form->dim != op.getOutputChannelDim())
    return refusal.because(varying, " of the sum varies along dimension ",
                           *form->dim,
                           ", expected the output channel "
                           "dimension ",
                           op.getOutputChannelDim());
  if (!llvm::all_of(term.factor, isNormalInF32))
    return refusal.because("unsupported: a scale of the sum is no f32");
  return form;
}

/// Refuses what may give other bits than the formula of the op: it converts the
/// sum, multiplies, adds and rounds, once each.
static LogicalResult checkFormula(linalg::LinalgOp user,
                                  const AffineRounding &form,
                                  Refusal &refusal) {
  if (form.rounding != Rounding::HalfEven && form.rounding != Rounding::None)
    return refusal.because("quant-rounding is exact, and the sum is not "
                           "rounded half to even");
  if (form.rounding != Rounding::None && form.added != 0.0)
    return refusal.because("quant-rounding is exact, and ",
                           static_cast<int64_t>(form.added),
                           " is added to a rounded number");
  Operation *conversion = nullptr, *product = nullptr, *sum = nullptr;
  bool isBounded = false;
  for (Operation &inner : user.getBlock()->without_terminator()) {
    Type type = getElementTypeOrSelf(inner.getResult(0));
    Operation **place = nullptr;
    if (isa<arith::SIToFPOp>(inner))
      place = &conversion;
    else if (isa<arith::MulFOp>(inner))
      place = &product;
    else if (isa<arith::AddFOp, arith::SubFOp>(inner))
      place = &sum;
    bool isBound =
        isa<arith::MaximumFOp, arith::MaxNumFOp, arith::MinimumFOp,
            arith::MinNumFOp, arith::CmpFOp, arith::SelectOp, arith::MaxSIOp,
            arith::MinSIOp, arith::AddIOp, arith::SubIOp, arith::TruncIOp,
            math::RoundEvenOp, arith::FPToSIOp, arith::FPToUIOp>(inner);
    // A factor of the sum of both would round in another order, and so would
    // one of a bound.
    bool isInOrder = place != &product || (!sum && !isBounded);
    isInOrder &= place != &sum || !isBounded;
    if (type.isF64() || (place ? *place || !isInOrder : !isBound))
      return refusal.because("quant-rounding is exact, and '",
                             inner.getName().getStringRef(),
                             "' may round otherwise than one product and one "
                             "sum in f32");
    if (place)
      *place = &inner;
    isBounded |= isBound && !isa<arith::AddIOp, arith::SubIOp>(inner);
  }
  return success();
}

/// The zero point of the result, an integer of its type. The rest stays in
/// `bias`.
static int64_t splitZeroPoint(const AffineRounding &form, bool isExact,
                              std::vector<double> &bias) {
  auto toZeroPoint = [&](double number) -> std::optional<int64_t> {
    double nearest = std::nearbyint(number);
    if (std::abs(number - nearest) > (isExact ? 0.0 : 1e-4) ||
        !ByteRange(form.isUnsigned).contains(nearest))
      return std::nullopt;
    return static_cast<int64_t>(nearest);
  };
  if (llvm::all_equal(form.offset))
    if (auto zeroPoint = toZeroPoint(form.offset[0] + form.added))
      return *zeroPoint;
  int64_t zeroPoint = toZeroPoint(form.added).value_or(0);
  for (double offset : form.offset)
    bias.push_back(offset + form.added - static_cast<double>(zeroPoint));
  return zeroPoint;
}

/// Makes the addends of `form` the bias of `op`.
static LogicalResult addBias(FusedOpInterface op, QuantRounding rounding,
                             const AffineRounding &form, NewResult &result,
                             Refusal &refusal) {
  const Numbers &addend = form.terms[0].addend;
  size_t channels = op.getNumOutputChannels();
  bool isSummed = op.getBias() || isNotZero(addend);
  if (ShapedType::isDynamic(op.getNumOutputChannels())) {
    if (!isNotZero(addend) && result.bias.empty())
      return success();
    return refusal.because("unsupported: number of output channels is not "
                           "known");
  }
  if (isNotZero(addend))
    for (size_t i = 0; i != channels; ++i)
      // Wraps as the sum does.
      result.sumBias.push_back(
          static_cast<int32_t>(static_cast<int64_t>(at(addend, i))));
  if (result.bias.empty())
    return success();
  if (isSummed)
    return refusal.because("unsupported: what is added to the scaled sum is no "
                           "zero point, and there is a bias in i32");
  if (result.bias.size() == 1)
    result.bias.assign(channels, result.bias[0]);
  // With other scales than powers of two the sum of the products rounds
  // otherwise than the product of the sum. Floats are not rounded to steps.
  if (rounding == QuantRounding::Nearest && result.quantization)
    result.roundBias(op, rounding);
  if (result.sumBias.empty() && !llvm::all_of(result.bias, isNormalInF32))
    return refusal.because("unsupported: what is added to the scaled sum is no "
                           "f32");
  return success();
}

/// True if the integers that are `value` in the body of `user` are `numbers`,
/// one for each channel or one for all.
static bool hasElements(linalg::LinalgOp user, Value value,
                        const Numbers &numbers) {
  if (OpOperand *operand = getReadOperand(user, value))
    value = operand->get();
  APInt number;
  if (matchPattern(value, m_ConstantInt(&number)))
    return llvm::all_equal(numbers) &&
           static_cast<double>(number.getSExtValue()) == numbers[0];
  DenseIntElementsAttr elements;
  if (!matchPattern(value, m_Constant(&elements)) ||
      elements.getNumElements() != static_cast<int64_t>(numbers.size()))
    return false;
  return llvm::all_of(
      llvm::zip(elements.getValues<APInt>(), numbers), [](auto pair) {
        auto [element, number] = pair;
        return static_cast<double>(element.getSExtValue()) == number;
      });
}

/// True if the body of `user` adds `numbers` to a sum in i32 in front of a
/// shift.
static bool addsInFrontOfShift(linalg::LinalgOp user, const Numbers &numbers) {
  for (Operation &inner : *user.getBlock()) {
    if (isa<arith::ShRSIOp, arith::ShRUIOp>(inner))
      return false;
    if (isa<arith::AddIOp>(inner) &&
        inner.getResult(0).getType().isInteger(32) &&
        llvm::any_of(inner.getOperands(), [&](Value operand) {
          return hasElements(user, operand, numbers);
        }))
      return true;
  }
  return false;
}

/// Refuses a sum in i32 that may wrap where one of `halves` is added, so that
/// without it another result would come out.
static LogicalResult checkHalves(FusedOpInterface op, const Numbers &halves,
                                 Refusal &refusal) {
  auto quantized = cast<QuantizedOpInterface>(op.getOperation());
  if (failed(checkSum(op, quantized.getInputZeroPoint(),
                      quantized.getInputUnsigned(), refusal)))
    return failure();
  std::vector<int64_t> biases = {0};
  if (op.getBias()) {
    Refusal unread = Refusal::unread();
    FailureOr<std::vector<int64_t>> constants =
        evaluateIntegers(op.getBias(), unread);
    if (failed(constants))
      return refusal.because("sum may leave i32: the bias is not known");
    biases = std::move(*constants);
  }
  double half = 0.0;
  for (double number : halves)
    half = std::max(half, std::abs(number));
  for (int64_t bias : biases)
    if (std::abs(static_cast<double>(bias)) + half >=
        static_cast<double>(biasLimit))
      return refusal.because("sum may leave i32: half a step is added to the "
                             "bias ",
                             bias);
  return success();
}

/// Takes half a step, which `user` adds to the sum in front of a shift, out of
/// the addends of `form`: the shift rounds half up.
static LogicalResult takeHalfStep(FusedOpInterface op, linalg::LinalgOp user,
                                  AffineRounding &form, Refusal &refusal) {
  AffineRounding::Term &sum = form.terms[0];
  if (form.rounding != Rounding::HalfUp)
    return success();
  Numbers halves = llvm::map_to_vector<1>(
      sum.factor, [](double factor) { return 0.5 / factor; });
  if (!isNotZero(sum.addend) || !addsInFrontOfShift(user, halves))
    return success();
  if (failed(checkHalves(op, halves, refusal)))
    return failure();
  size_t channels = std::max(halves.size(), sum.addend.size());
  Numbers rest;
  for (size_t i = 0; i != channels; ++i)
    rest.push_back(at(sum.addend, i) - at(halves, i));
  sum.addend = rest;
  for (double &offset : form.offset)
    offset += 0.5;
  return success();
}

/// Takes the factor of a residual in f32, which the op adds as it is, out of
/// `form`: the op scales the sum of both.
static LogicalResult takeOutputScale(AffineRounding &form, bool isExact,
                                     NewResult &result, Refusal &refusal) {
  if (!hasFloatResidual(result))
    return success();
  result.outputScale = std::exchange(result.residual->scale[0], 1.0);
  if (isExact && result.outputScale != 1.0)
    return refusal.because("quant-rounding is exact, and a tensor of f32 is "
                           "added to the sum with factor ",
                           result.outputScale);
  for (double &factor : form.terms[0].factor) {
    factor /= result.outputScale;
    // The product with any sum is to stay an f32.
    if (!isNormalInF32(factor) || !isNormalInF32(std::ldexp(factor, 31)))
      return refusal.because("unsupported: a scale of the sum is no f32");
  }
  return success();
}

/// Makes the result of `op` integers of 8 bits.
static LogicalResult quantize(FusedOpInterface op, AffineRounding &form,
                              bool isExact, NewResult &result,
                              Refusal &refusal) {
  if (failed(takeHalfStep(op, result.user, form, refusal)))
    return failure();
  if (form.rounding == Rounding::Truncate)
    return refusal.because("unsupported: requantisation truncates, expected "
                           "rounding to the nearest integer");
  // floor(x) is x - 1/2, rounded half up.
  double down = form.offset[0] + 0.5;
  if (form.rounding == Rounding::HalfUp && llvm::all_equal(form.offset) &&
      down == std::floor(down)) {
    bool hasBias = op.getBias() || isNotZero(form.terms[0].addend);
    return refusal.because(
        "unsupported: requantisation rounds down, expected ",
        hasBias ? "half a step to be added to the sum apart from the bias"
                : "rounding to the nearest integer");
  }
  if (failed(takeOutputScale(form, isExact, result, refusal)))
    return failure();
  int64_t zeroPoint = splitZeroPoint(form, isExact, result.bias);
  for (double &bias : result.bias)
    bias /= result.outputScale;
  result.quantization = Quantization{op->getResult(0),
                                     result.outputScale,
                                     zeroPoint,
                                     static_cast<int64_t>(form.lower),
                                     static_cast<int64_t>(form.upper),
                                     form.isUnsigned,
                                     form.rounding};
  result.activation = createActivation(
      op->getContext(), getBounds(*result.quantization), *result.quantization,
      /*factor=*/1.0);
  return success();
}

/// Makes the result of `op` floats.
static LogicalResult dequantize(FusedOpInterface op, const AffineRounding &form,
                                NewResult &result, Refusal &refusal) {
  Type type = getElementTypeOrSelf(result.user->getResult(0));
  if (!type.isF32())
    return refusal.because("unsupported: next op '",
                           result.user->getName().getStringRef(), "' at ",
                           getLocationText(result.user->getLoc()), " makes ",
                           type, " of the sum, expected i8 or f32");
  if (form.rounding != Rounding::None)
    return refusal.because("unsupported: the scaled sum is rounded to a float");
  FailureOr<ActivationAttr> activation =
      createActivation(op->getContext(), {form.lower, form.upper}, refusal);
  if (failed(activation))
    return failure();
  result.activation = *activation;
  if (hasFloatResidual(result) && result.residual->scale[0] != 1.0)
    return refusal.because(
        "unsupported: a tensor of f32 is added to the sum with factor ",
        result.residual->scale[0], ", expected 1 in front of a result in f32");
  if (*activation && hasFloatResidual(result))
    return refusal.because("unsupported: the activation of a sum with a "
                           "tensor of f32, which may be NaN");
  if (isNotZero(form.offset))
    result.bias.assign(form.offset.begin(), form.offset.end());
  return success();
}

static FailureOr<NewResult>
matchResult(FusedOpInterface op, QuantRounding rounding, Refusal &refusal) {
  linalg::LinalgOp user = findUser(op);
  if (!user)
    return refusal.because("no op rescales the sum");
  NewResult result;
  result.user = user;
  bool isExact = rounding == QuantRounding::Exact;
  FailureOr<AffineRounding> form =
      matchForm(op, user, isExact, result, refusal);
  if (failed(form))
    return failure();
  if (isExact && failed(checkFormula(user, *form, refusal)))
    return failure();
  if (failed(isQuantized(user) ? quantize(op, *form, isExact, result, refusal)
                               : dequantize(op, *form, result, refusal)))
    return failure();
  result.scale.emplace(form->terms[0].factor.begin(),
                       form->terms[0].factor.end());
  if (failed(addBias(op, rounding, *form, result, refusal)))
    return failure();
  return result;
}

LogicalResult fusion::explainRescaledSum(FusedOpInterface op,
                                         const FuseOptions &options,
                                         Refusal &refusal) {
  return explainResultLaw(op, findUser(op), options, matchResult, refusal);
}

void fusion::populateRescaledSumLaw(RewritePatternSet &patterns,
                                    const FuseOptions &options) {
  addResultLaw(patterns, options.quantRounding, matchResult, "RescaledSumLaw");
}
