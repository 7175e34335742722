//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// Verifies the descriptors of runtime calls. The runtime checks the sizes,
// which each call has of its own.

#include "FusionDialect/IR/FusionDialect.h"
#include "FusionDialect/IR/Layout.h"

using namespace mlir;
using namespace fusion;

using EmitError = function_ref<InFlightDiagnostic()>;

LogicalResult OperandAttr::verify(EmitError emitError, LayoutAttr, Type type) {
  if (type.isF32() || type.isBF16() || type.isF16())
    return success();
  return emitError()
         << "an operand must have elements of f32, bf16 or f16, got " << type;
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

/// Fails unless `values` has `rank` elements, each at least `least`.
static LogicalResult verifyArray(EmitError emitError, StringRef name,
                                 DenseI64ArrayAttr values, int64_t rank,
                                 int64_t least) {
  if (values.size() != rank)
    return emitError() << "'" << name
                       << "' must have one element per spatial dimension ("
                       << rank << "), got " << values.size();
  for (int64_t value : values.asArrayRef())
    if (value < least)
      return emitError() << "'" << name << "' must be at least " << least
                         << ", got " << value;
  return success();
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

static LogicalResult verifyResidual(EmitError emitError, OperandAttr init,
                                    ActivationAttr activation, Type residual,
                                    bool isAfterActivation) {
  if (residual && residual != init.getElementType() && !residual.isF32())
    return emitError() << "'residual' must have the element type of 'init' ("
                       << init.getElementType() << ") or f32, got " << residual;
  if (!isAfterActivation || (residual && activation))
    return success();
  return emitError() << "'residual_after_activation' must come with a residual "
                        "and an activation";
}

LogicalResult ConvDescAttr::verify(
    EmitError emitError, OperandAttr input, OperandAttr filter,
    OperandAttr init, DenseI64ArrayAttr strides, DenseI64ArrayAttr dilations,
    DenseI64ArrayAttr padLow, DenseI64ArrayAttr padHigh, int64_t groups,
    bool isTransposed, bool allowWinograd, bool, ActivationAttr activation,
    Type residual, bool isResidualAfterActivation, bool) {
  FailureOr<int64_t> rank = getSpatialRank(emitError, input);
  if (failed(rank) ||
      failed(verifyLetters(emitError, "filter", filter,
                           getFilterLetters(*rank))) ||
      failed(verifyLetters(emitError, "init", init,
                           getActivationLetters(*rank))) ||
      failed(verifyArray(emitError, "strides", strides, *rank, 1)) ||
      failed(verifyArray(emitError, "dilations", dilations, *rank, 1)) ||
      failed(verifyArray(emitError, "pad_low", padLow, *rank, 0)) ||
      failed(verifyArray(emitError, "pad_high", padHigh, *rank, 0)))
    return failure();
  if (groups < 1)
    return emitError() << "'groups' must be at least 1, got " << groups;
  if (isTransposed && allowWinograd)
    return emitError() << "'allow_winograd' must not be of a transposed "
                          "convolution";
  return verifyResidual(emitError, init, activation, residual,
                        isResidualAfterActivation);
}

LogicalResult MatmulDescAttr::verify(EmitError emitError, OperandAttr input,
                                     OperandAttr filter, OperandAttr init, bool,
                                     ActivationAttr activation, Type residual,
                                     bool isResidualAfterActivation, bool) {
  for (auto [name, operand, letters] :
       {std::tuple<StringRef, OperandAttr, StringRef>("input", input, "bmk"),
        {"filter", filter, "bkn"},
        {"init", init, "bmn"}})
    for (char letter : operand.getLayout().getLetters())
      if (!letters.contains(letter))
        return emitError() << "'" << name << "' must have dimensions of \""
                           << letters << "\", got \""
                           << operand.getLayout().getLetters() << "\"";
  return verifyResidual(emitError, init, activation, residual,
                        isResidualAfterActivation);
}

LogicalResult PoolDescAttr::verify(EmitError emitError, Pooling,
                                   OperandAttr input, DenseI64ArrayAttr kernel,
                                   DenseI64ArrayAttr strides,
                                   DenseI64ArrayAttr padLow,
                                   DenseI64ArrayAttr padHigh) {
  FailureOr<int64_t> rank = getSpatialRank(emitError, input);
  if (failed(rank) ||
      failed(verifyArray(emitError, "kernel", kernel, *rank, 1)) ||
      failed(verifyArray(emitError, "strides", strides, *rank, 1)) ||
      failed(verifyArray(emitError, "pad_low", padLow, *rank, 0)) ||
      failed(verifyArray(emitError, "pad_high", padHigh, *rank, 0)))
    return failure();
  return success();
}
