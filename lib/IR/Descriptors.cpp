//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Verifies the descriptors of runtime calls. The runtime checks the sizes,
// which each call has of its own.

#include "FusedOpVerifier.h"
#include "FusionDialect/IR/FusionDialect.h"
#include "FusionDialect/IR/Layout.h"

using namespace mlir;
using namespace fusion;

using EmitError = function_ref<InFlightDiagnostic()>;

static bool isByte(Type type) {
  return type.isSignedInteger(8) || type.isUnsignedInteger(8);
}

LogicalResult OperandAttr::verify(EmitError emitError, LayoutAttr, Type type) {
  if (type.isF32() || type.isBF16() || type.isF16() || isByte(type) ||
      type.isSignedInteger(32))
    return success();
  return emitError() << "an operand must have elements of f32, bf16, f16, si8, "
                        "ui8 or si32, got "
                     << type;
}

LogicalResult QuantizationAttr::verify(EmitError emitError, int32_t, int32_t,
                                       int32_t, FloatAttr residualScale,
                                       FloatAttr outputScale, bool, bool, bool,
                                       bool) {
  for (auto [name, scale] : {std::pair("residual_scale", residualScale),
                             std::pair("output_scale", outputScale)})
    if (!scale.getType().isF32() || scale.getValue().isNaN())
      return emitError() << "'" << name << "' must be a number in f32, got "
                         << scale;
  return success();
}

/// Fails unless `operand` has the dimensions `letters`.
static LogicalResult verifyLetters(EmitError emitError, StringRef name,
                                   OperandAttr operand, StringRef letters) {
  if (operand.getLayout().isPermutationOf(letters))
    return success();
  return emitError() << "'" << name << "' must have the dimensions \""
                     << letters << "\", got \""
                     << operand.getLayout().getLetters() << "\"";
}

/// The number of spatial dimensions of `input`, which a window needs.
static FailureOr<int64_t> getSpatialRank(EmitError emitError,
                                         OperandAttr input) {
  int64_t rank = input.getLayout().getRank() - 2;
  if (rank < 1 || rank > 3)
    return emitError() << "'input' must have 3 to 5 dimensions, got "
                       << rank + 2;
  if (failed(
          verifyLetters(emitError, "input", input, getActivationLetters(rank))))
    return failure();
  return rank;
}

/// The operands of a descriptor are floats.
static LogicalResult verifyFloats(EmitError emitError, OperandAttr input,
                                  OperandAttr filter, OperandAttr init,
                                  Type residual) {
  for (auto [name, operand] :
       {std::pair("input", input), {"filter", filter}, {"init", init}})
    if (!isa<FloatType>(operand.getElementType()))
      return emitError() << "'" << name
                         << "' must be of floats without a quantization, got "
                         << operand.getElementType();
  if (residual && residual != init.getElementType() && !residual.isF32())
    return emitError() << "'residual' must have the element type of 'init' ("
                       << init.getElementType() << ") or f32, got " << residual;
  return success();
}

/// The operands of a descriptor are those of integers of 8 bits.
static LogicalResult verifyIntegers(EmitError emitError, OperandAttr input,
                                    OperandAttr filter, OperandAttr init,
                                    bool hasBias, ActivationAttr activation,
                                    Type residual, bool isAfterActivation,
                                    QuantizationAttr quantization) {
  if (!isByte(input.getElementType()))
    return emitError()
           << "'input' must be of si8 or ui8 with a quantization, got "
           << input.getElementType();
  if (!filter.getElementType().isSignedInteger(8))
    return emitError() << "'filter' must be of si8 with a quantization, got "
                       << filter.getElementType();
  if (residual && !isByte(residual) && !residual.isF32())
    return emitError()
           << "'residual' must be si8, ui8 or f32 with a quantization, got "
           << residual;
  bool hasScale = quantization.getScale();
  if (quantization.getIntegerBias() && !hasBias)
    return emitError() << "'integer_bias' must come with a bias";
  if (quantization.getConstantScale() && !hasScale && !hasBias)
    return emitError() << "'constant_scale' must come with a scale or a bias";
  if (quantization.getRoundActivation() &&
      !(isAfterActivation && isByte(init.getElementType())))
    return emitError() << "'round_activation' must come with "
                          "'residual_after_activation', and 'init' of si8 or "
                          "ui8";
  bool isSum = init.getElementType().isSignedInteger(32);
  bool hasFloats =
      hasScale || residual || (hasBias && !quantization.getIntegerBias());
  if (isSum && (hasFloats || activation))
    return emitError() << "'init' of si32 must come without a scale, an f32 "
                          "bias, a residual and an activation";
  return success();
}

/// Verifies what the descriptors of ops with a filter have.
static LogicalResult verifyOperandAttrs(EmitError emitError, OperandAttr input,
                                        OperandAttr filter, OperandAttr init,
                                        bool hasBias, ActivationAttr activation,
                                        Type residual, bool isAfterActivation,
                                        QuantizationAttr quantization) {
  if (failed(quantization
                 ? verifyIntegers(emitError, input, filter, init, hasBias,
                                  activation, residual, isAfterActivation,
                                  quantization)
                 : verifyFloats(emitError, input, filter, init, residual)))
    return failure();
  if (!isAfterActivation || (residual && activation))
    return success();
  return emitError() << "'residual_after_activation' must come with a residual "
                        "and an activation";
}

LogicalResult ConvDescAttr::verify(
    EmitError emitError, OperandAttr input, OperandAttr filter,
    OperandAttr init, DenseI64ArrayAttr strides, DenseI64ArrayAttr dilations,
    DenseI64ArrayAttr padLow, DenseI64ArrayAttr padHigh, int64_t groups,
    bool isTransposed, bool allowWinograd, bool hasBias,
    ActivationAttr activation, Type residual, bool isResidualAfterActivation,
    bool, QuantizationAttr quantization) {
  FailureOr<int64_t> rank = getSpatialRank(emitError, input);
  if (failed(rank) ||
      failed(verifyLetters(emitError, "filter", filter,
                           getFilterLetters(*rank))) ||
      failed(verifyLetters(emitError, "init", init,
                           getActivationLetters(*rank))) ||
      failed(verifyWindowValues(emitError, "strides", strides, *rank, 1)) ||
      failed(verifyWindowValues(emitError, "dilations", dilations, *rank, 1)) ||
      failed(verifyWindowValues(emitError, "pad_low", padLow, *rank, 0)) ||
      failed(verifyWindowValues(emitError, "pad_high", padHigh, *rank, 0)))
    return failure();
  if (groups < 1)
    return emitError() << "'groups' must be at least 1, got " << groups;
  if (isTransposed && allowWinograd)
    return emitError() << "'allow_winograd' must not be of a transposed "
                          "convolution";
  if (quantization && (isTransposed || allowWinograd))
    return emitError() << "'quantization' must not come with 'transposed' or "
                          "'allow_winograd'";
  return verifyOperandAttrs(emitError, input, filter, init, hasBias, activation,
                            residual, isResidualAfterActivation, quantization);
}

LogicalResult MatmulDescAttr::verify(EmitError emitError, OperandAttr input,
                                     OperandAttr filter, OperandAttr init,
                                     bool hasBias, ActivationAttr activation,
                                     Type residual,
                                     bool isResidualAfterActivation, bool,
                                     QuantizationAttr quantization) {
  for (auto [name, operand, letters] :
       {std::tuple<StringRef, OperandAttr, StringRef>("input", input, "bmk"),
        {"filter", filter, "bkn"},
        {"init", init, "bmn"}})
    for (char letter : operand.getLayout().getLetters())
      if (!letters.contains(letter))
        return emitError() << "'" << name << "' must have dimensions of \""
                           << letters << "\", got \""
                           << operand.getLayout().getLetters() << "\"";
  return verifyOperandAttrs(emitError, input, filter, init, hasBias, activation,
                            residual, isResidualAfterActivation, quantization);
}

LogicalResult PoolDescAttr::verify(EmitError emitError, Pooling pooling,
                                   OperandAttr input, DenseI64ArrayAttr kernel,
                                   DenseI64ArrayAttr strides,
                                   DenseI64ArrayAttr padLow,
                                   DenseI64ArrayAttr padHigh) {
  FailureOr<int64_t> rank = getSpatialRank(emitError, input);
  if (failed(rank) ||
      failed(verifyWindowValues(emitError, "kernel", kernel, *rank, 1)) ||
      failed(verifyWindowValues(emitError, "strides", strides, *rank, 1)) ||
      failed(verifyWindowValues(emitError, "pad_low", padLow, *rank, 0)) ||
      failed(verifyWindowValues(emitError, "pad_high", padHigh, *rank, 0)))
    return failure();
  Type type = input.getElementType();
  if (isa<FloatType>(type) || (isByte(type) && pooling == Pooling::Max))
    return success();
  return emitError() << "'input' must be of floats, or of si8 or ui8 for a "
                        "maximum, got "
                     << type;
}
