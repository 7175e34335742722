//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "DequantizedFilter.h"
#include "FusionDialect/Analysis/Dataflow.h"
#include "FusionDialect/Analysis/MultiplyAdd.h"
#include "FusionDialect/Analysis/Padding.h"
#include "FusionDialect/Analysis/Quantization.h"
#include "FusionDialect/Fuse/ConstantEvaluation.h"
#include "FusionDialect/IR/LocationText.h"
#include "FusionDialect/Utils/EmitEpilogue.h"
#include "FusionDialect/Utils/EmitPad.h"
#include "FusionDialect/Utils/EmitVector.h"
#include "FusionDialect/Utils/Moves.h"
#include "IntegerSources.h"
#include "Laws.h"
#include "NumberRange.h"
#include "RunTimeDequantization.h"
#include "ShiftedFilter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include <cmath>

using namespace mlir;
using namespace fusion;

namespace {
/// How the operands of a fused op in f32 are made of integers.
struct DequantizedOperands {
  Dequantization input;
  /// Of an input with parameters that only a call knows: `input` has those that
  /// are left, and scale 1.
  std::optional<RunTimeDequantization> runTimeInput;
  /// Whether a bias in i32 makes up for its zero point.
  bool hasIntegerBias = false;
  DequantizedFilter filter;
  /// None if the residual stays in f32.
  std::optional<Dequantization> residual;
  SmallVector<double> scale; ///< of the sum
};
} // namespace

//===----------------------------------------------------------------------===//
// Matching
//===----------------------------------------------------------------------===//

static LogicalResult checkFilter(FusedOpInterface op,
                                 const Dequantization &filter,
                                 Refusal &refusal) {
  if (filter.dim && *filter.dim != op.getFilterChannelDim())
    return refusal.because(
        "scale of the filter varies along dimension ", *filter.dim,
        ", expected the output channel dimension ", op.getFilterChannelDim());
  return success();
}

/// Refuses an op that no op on integers can be like, whatever its operands are.
static LogicalResult checkOp(FusedOpInterface op, Refusal &refusal) {
  if (!hasIntegerOperand(op) || op->getNumResults() != 1)
    return refusal.because("no operand is dequantised");
  if (op.getActivationAttr() && op.getNanMode() != NaNMode::Fast)
    return refusal.because(
        "unsupported: nan-mode=propagate of an activation on integers");
  return success();
}

static IntegerFactor getFactor(const Dequantization &filter) {
  return {filter.zeroPoint, filter.isUnsigned, filter.source};
}

/// Reads an input whose parameters are constants.
static FailureOr<Dequantization> matchKnownInput(FusedOpInterface op,
                                                 Refusal &refusal) {
  Refusal reason;
  FailureOr<Dequantization> input =
      Dequantization::match(op.getInput(), reason);
  if (failed(input))
    return refusal.because("input is not dequantised: ", reason.str());
  if (input->dim)
    return refusal.because("scale of the input varies along dimension ",
                           *input->dim, ", expected one number");
  return input;
}

/// Fails unless a bias can make up for a zero point of the input that only a
/// call knows: it is the zero point times the sums of the filter. Around the
/// input must stand the zero point, for which it needs to be an i8.
static LogicalResult checkRunTimeZeroPoint(FusedOpInterface op,
                                           const RunTimeDequantization &input,
                                           Refusal &refusal) {
  auto isNotZero = [](int64_t amount) { return amount != 0; };
  auto conv = dyn_cast<FusedConvBiasActOp>(op.getOperation());
  bool hasPads = conv && (llvm::any_of(conv.getPadLow(), isNotZero) ||
                          llvm::any_of(conv.getPadHigh(), isNotZero));
  ByteRange range(input.isUnsigned);
  if (hasPads && !getNumberRange(input.zeroPoint->value).isWithin(range))
    return refusal.because("unsupported: zero point of the input is not a "
                           "constant and not known to be ",
                           range.least, " to ", range.greatest,
                           ", and the op has pads");
  auto type = cast<RankedTensorType>(op.getFilter().getType());
  if (!conv && type.getRank() != 2)
    return refusal.because("unsupported: zero point of the input is not a "
                           "constant, and the filter differs between batches");
  if (!type.hasStaticShape())
    return refusal.because("unsupported: zero point of the input is not a "
                           "constant, and the filter is ",
                           type);
  return success();
}

/// True if the zero point times the sums of the filter may be a bias in i32,
/// which the op adds before it rounds: neither it nor the whole sum leaves i32.
static bool mayHaveIntegerBias(FusedOpInterface op,
                               const RunTimeDequantization &input) {
  if (!input.zeroPoint || (op.getBias() && input.rowFactors.empty()))
    return false;
  NumberRange numbers = getNumberRange(input.zeroPoint->value);
  ByteRange range(input.isUnsigned);
  Refusal unread = Refusal::unread();
  return !numbers.mayBeNaN && numbers.isWithin(range) &&
         succeeded(
             checkSum(op, /*zeroPoint=*/range.least, input.isUnsigned, unread));
}

/// Fails unless rows of the input are rows of the result.
static LogicalResult checkRows(FusedOpInterface op, Refusal &refusal) {
  auto matmul = dyn_cast<FusedMatmulBiasActOp>(op.getOperation());
  if (!matmul)
    return refusal.because("unsupported: the input of a convolution has a "
                           "scale for each row");
  StringRef input = matmul.getInputLayout().getLetters();
  StringRef output = matmul.getOutputLayout().getLetters();
  if (input.back() != 'k' || output.back() != 'n' ||
      input.drop_back() != output.drop_back())
    return refusal.because("unsupported: the input has a scale for each row, "
                           "and layouts are ",
                           input, " and ", output);
  return success();
}

static FailureOr<DequantizedOperands> matchInput(FusedOpInterface op,
                                                 Refusal &refusal) {
  Refusal reason;
  auto input = RunTimeDequantization::match(op.getInput(), reason);
  bool isRead = succeeded(input) && *input;
  bool isRefused = failed(input) && comesFromIntegers(op.getInput());
  if (failed(checkSources(op, isRead || isRefused, refusal)))
    return failure();
  if (failed(input))
    return refusal.because("input is not dequantised: ", reason.str());
  DequantizedOperands operands;
  if (!isRead) {
    FailureOr<Dequantization> known = matchKnownInput(op, refusal);
    if (failed(known))
      return failure();
    operands.input = *known;
    return operands;
  }
  operands.runTimeInput = std::move(*input);
  const RunTimeDequantization &runTime = *operands.runTimeInput;
  if ((runTime.zeroPoint &&
       failed(checkRunTimeZeroPoint(op, runTime, refusal))) ||
      (!runTime.rowFactors.empty() && failed(checkRows(op, refusal))))
    return failure();
  operands.hasIntegerBias = mayHaveIntegerBias(op, runTime);
  operands.input = {runTime.source,
                    runTime.knownZeroPoint,
                    runTime.isUnsigned,
                    {1.0},
                    std::nullopt};
  return operands;
}

static FailureOr<DequantizedOperands> matchOperands(FusedOpInterface op,
                                                    Refusal &refusal) {
  if (failed(checkOp(op, refusal)))
    return failure();
  FailureOr<DequantizedOperands> operands = matchInput(op, refusal);
  if (failed(operands))
    return failure();
  Refusal reason;
  FailureOr<DequantizedFilter> filter =
      matchDequantizedFilter(op.getFilter(), reason);
  if (failed(filter))
    return refusal.because("filter is not dequantised: ", reason.str());
  const Dequantization &input = operands->input;
  if (failed(checkInputFactor({input.zeroPoint, input.isUnsigned}, refusal)) ||
      failed(checkFilterFactor(getFactor(*filter), refusal)) ||
      failed(checkFilter(op, *filter, refusal)) ||
      failed(checkSum(op, input.zeroPoint, input.isUnsigned, refusal)))
    return failure();
  operands->filter = *filter;
  for (double factor : filter->scale)
    operands->scale.push_back(factor * input.scale[0]);
  if (!llvm::all_of(operands->scale, isNormalInF32))
    return refusal.because("unsupported: product of the scales is no f32");
  Refusal unread = Refusal::unread();
  if (Value residual = op.getResidual())
    if (auto integers = matchResidual(residual, unread); succeeded(integers))
      operands->residual = *integers;
  return operands;
}

LogicalResult fusion::explainDequantizedOperands(FusedOpInterface op,
                                                 const FuseOptions &,
                                                 Refusal &refusal) {
  if (!hasIntegerOperand(op))
    return checkNoOtherFilter(op, refusal);
  if (failed(matchOperands(op, refusal)))
    return failure();
  return refusal.because("dequantised operands can be read as integers; "
                         "'fusion-fuse-quantized' has not run");
}

//===----------------------------------------------------------------------===//
// Rewriting
//===----------------------------------------------------------------------===//

/// True if rows of the result have factors of their own, so that bias,
/// activation and residual stay behind them.
static bool hasRows(const DequantizedOperands &operands) {
  return operands.runTimeInput && !operands.runTimeInput->rowFactors.empty();
}

static bool hasRunTimeZeroPoint(const DequantizedOperands &operands) {
  return operands.runTimeInput && operands.runTimeInput->zeroPoint;
}

/// The attributes of the op on integers: those of `op`, and how the integers
/// are meant.
static NamedAttrList getAttributes(OpBuilder &builder, FusedOpInterface op,
                                   const DequantizedOperands &operands) {
  NamedAttrList attributes(op->getAttrDictionary());
  attributes.erase("nan_mode");
  attributes.set("input_zero_point",
                 builder.getI32IntegerAttr(operands.input.zeroPoint));
  if (operands.input.isUnsigned)
    attributes.set("input_unsigned", builder.getUnitAttr());
  if (auto conv = dyn_cast<FusedConvBiasActOp>(op.getOperation());
      conv && hasRunTimeZeroPoint(operands)) {
    SmallVector<int64_t> zeros(conv.getPadLow().size(), 0);
    attributes.set("pad_low", builder.getDenseI64ArrayAttr(zeros));
    attributes.set("pad_high", builder.getDenseI64ArrayAttr(zeros));
  }
  if (hasRows(operands)) {
    attributes.erase("activation");
    attributes.erase("residual_after_activation");
  } else if (const std::optional<Dequantization> &residual =
                 operands.residual) {
    attributes.set("residual_zero_point",
                   builder.getI32IntegerAttr(residual->zeroPoint));
    attributes.set("residual_scale",
                   builder.getF32FloatAttr(residual->scale[0]));
    if (residual->isUnsigned)
      attributes.set("residual_unsigned", builder.getUnitAttr());
  }
  return attributes;
}

/// The scale of the sum, a vector.
static Value emitScale(OpBuilder &builder, FusedOpInterface op,
                       const DequantizedOperands &operands) {
  Location loc = op.getLoc();
  SmallVector<double> numbers = operands.scale;
  ArrayRef<RunTimeFactor> factors = operands.filter.factors;
  auto filterType = cast<ShapedType>(op.getFilter().getType());
  bool hasVector = llvm::any_of(
      factors, [](const RunTimeFactor &factor) { return factor.vector; });
  if (numbers.size() == 1 && (hasVector || (hasRunTimeZeroPoint(operands) &&
                                            !operands.hasIntegerBias)))
    numbers.assign(filterType.getDimSize(op.getFilterChannelDim()), numbers[0]);
  Value scale = emitVector(builder, loc, numbers);
  for (RunTimeFactor factor : factors) {
    if (factor.number)
      factor.vector = factor.number->emit(builder, loc, numbers.size(),
                                          builder.getF32Type());
    scale = emitScaledVector(builder, loc, scale, factor);
  }
  if (operands.runTimeInput)
    scale = operands.runTimeInput->emitScaled(builder, loc, scale);
  return scale;
}

/// The bias of the op on integers; null for none. `filter` and `scale` are
/// those of that op.
static Value emitBias(OpBuilder &builder, FusedOpInterface op,
                      const DequantizedOperands &operands, Value filter,
                      Value scale) {
  Value given = hasRows(operands) ? Value() : op.getBias();
  if (!hasRunTimeZeroPoint(operands))
    return given;
  Location loc = op.getLoc();
  Type type = operands.hasIntegerBias ? Type(builder.getI32Type())
                                      : Type(builder.getF32Type());
  Value sums =
      emitNegatedSums(builder, loc, filter, op.getFilterChannelDim(), type);
  int64_t channels = cast<ShapedType>(sums.getType()).getDimSize(0);
  Value zeroPoint =
      operands.runTimeInput->zeroPoint->emit(builder, loc, channels, type);
  Value bias = emitScaledVector(builder, loc, zeroPoint, {sums});
  if (operands.hasIntegerBias)
    return bias;
  bias = emitScaledVector(builder, loc, bias, {scale});
  return given ? emitVectorSum(builder, loc, given, bias) : bias;
}

/// The i8 tensor behind the moves of its dequantisation. Around it stands a
/// zero point that only a call knows, in place of pads of `op`.
static Value emitInput(OpBuilder &builder, FusedOpInterface op,
                       const DequantizedOperands &operands) {
  Value input = operands.input.source;
  if (operands.runTimeInput)
    for (Operation *move : llvm::reverse(operands.runTimeInput->moves))
      input = recreateMove(builder, move, input, {})->getResult(0);
  auto conv = dyn_cast<FusedConvBiasActOp>(op.getOperation());
  if (!conv || !hasRunTimeZeroPoint(operands))
    return input;
  return emitPad(builder, op.getLoc(), input, conv.getInputLayout(),
                 conv.getPadLow(), conv.getPadHigh(), [&] {
                   return operands.runTimeInput->zeroPoint->emitByte(
                       builder, op.getLoc());
                 });
}

static Value emitFilter(OpBuilder &builder, Location loc,
                        const DequantizedFilter &match) {
  Value filter = emitShiftedFilter(builder, loc, getFactor(match));
  TypedAttr zero = builder.getI8IntegerAttr(0);
  for (Operation *move : match.moves)
    filter = recreateMove(builder, move, filter, zero)->getResult(0);
  return filter;
}

/// The op on integers, with all of `op` but what stays behind factors of rows.
static Value emitOp(OpBuilder &builder, FusedOpInterface op,
                    const DequantizedOperands &operands) {
  OperationState state(op.getLoc(),
                       isa<FusedConvBiasActOp>(op.getOperation())
                           ? QuantizedConvBiasActOp::getOperationName()
                           : QuantizedMatmulBiasActOp::getOperationName());
  Value input = emitInput(builder, op, operands);
  Value filter = emitFilter(builder, op.getLoc(), operands.filter);
  Value scale = emitScale(builder, op, operands);
  Value bias = emitBias(builder, op, operands, filter, scale);
  Value residual =
      operands.residual ? operands.residual->source : Value(op.getResidual());
  Value init = op.getInit();
  if (hasRows(operands)) {
    residual = Value();
    init = createEmptyLike(builder, init, builder.getF32Type());
  }
  state.addOperands({input, filter});
  if (bias)
    state.addOperands(bias);
  state.addOperands(scale);
  if (residual)
    state.addOperands(residual);
  state.addOperands(init);
  state.addTypes(init.getType());
  state.addAttributes(getAttributes(builder, op, operands));
  state.attributes.set("operandSegmentSizes",
                       builder.getDenseI32ArrayAttr(
                           {1, 1, bias ? 1 : 0, 1, residual ? 1 : 0, 1}));
  return builder.create(state)->getResult(0);
}

namespace {
struct DequantizedOperandsLaw
    : public OpInterfaceRewritePattern<FusedOpInterface> {
  using OpInterfaceRewritePattern::OpInterfaceRewritePattern;

  LogicalResult matchAndRewrite(FusedOpInterface op,
                                PatternRewriter &rewriter) const override {
    if (!isa<FusedConvBiasActOp, FusedMatmulBiasActOp>(op.getOperation()))
      return rewriter.notifyMatchFailure(op, "the op is split first");
    Refusal refusal;
    FailureOr<DequantizedOperands> match = matchOperands(op, refusal);
    if (failed(match))
      return refusal.notify(rewriter, op);
    Value result = emitOp(rewriter, op, *match);
    if (hasRows(*match)) {
      result =
          match->runTimeInput->emitScaledRows(rewriter, op.getLoc(), result);
      if (op.getBias() || op.getResidual() || op.getActivationAttr())
        result = emitEpilogue(rewriter, op, result, op.getBias()).getResult(0);
    }
    rewriter.replaceOp(op, result);
    return success();
  }
};
} // namespace

void fusion::populateDequantizedOperandsLaw(RewritePatternSet &patterns,
                                            const FuseOptions &) {
  patterns.add<DequantizedOperandsLaw>(patterns.getContext());
  populateMergedFilterPatterns(patterns);
}
