//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The constraints that the quantized ops have beyond those of the fused ops,
// numbered as in docs/QuantizedOps.md.

#include "FusedOpVerifier.h"
#include "FusionDialect/IR/ByteRange.h"

using namespace mlir;
using namespace fusion;

static bool isInteger(Value value, unsigned width) {
  return value && getElementTypeOrSelf(value.getType()).isInteger(width);
}

/// quantized_c1: an i32 result is the sum itself.
static LogicalResult verifySumResult(QuantizedOpInterface op,
                                     FusedOpInterface fused) {
  if (!isInteger(fused.getInit(), 32))
    return success();
  StringRef extra = op.getScale()               ? "'scale'"
                    : fused.getResidual()       ? "'residual'"
                    : fused.getActivationAttr() ? "'activation'"
                                                : "";
  if (!extra.empty())
    return op->emitOpError() << "with an i32 'init' may have no " << extra;
  if (fused.getBias() && !isInteger(fused.getBias(), 32))
    return op->emitOpError("with an i32 'init' must have an i32 'bias'");
  return success();
}

/// quantized_c2: one scale serves all channels, or each channel has its own.
static LogicalResult verifyScale(QuantizedOpInterface op,
                                 FusedOpInterface fused) {
  if (!op.getScale())
    return success();
  int64_t size = cast<ShapedType>(op.getScale().getType()).getDimSize(0);
  int64_t channels = fused.getNumOutputChannels();
  if (size == 1 || areCompatible(size, channels))
    return success();
  return op->emitOpError()
         << "'scale' must have one element, or one per output "
            "channel ("
         << channels << "), got " << size;
}

/// quantized_c3, quantized_c4: the zero point of `operand` is one of its
/// values. Operands that are not i8 have none, and no sign.
static LogicalResult verifyZeroPoint(QuantizedOpInterface op, StringRef name,
                                     Value operand, int32_t zeroPoint,
                                     bool isUnsigned) {
  if (!isInteger(operand, 8)) {
    if (zeroPoint == 0 && !isUnsigned)
      return success();
    return op->emitOpError()
           << "'" << name << (isUnsigned ? "_unsigned" : "_zero_point")
           << "' must come with an i8 operand";
  }
  ByteRange range(isUnsigned);
  if (range.contains(zeroPoint))
    return success();
  return op->emitOpError() << "'" << name << "_zero_point' must be in "
                           << range.least << ".." << range.greatest << ", got "
                           << zeroPoint;
}

/// quantized_c5, quantized_c6: only an i8 `operand` has a factor other than 1.
/// It is a positive number.
static LogicalResult verifyFactor(QuantizedOpInterface op, StringRef name,
                                  Value operand, const APFloat &factor) {
  if (!isInteger(operand, 8)) {
    if (factor.isExactlyValue(1.0))
      return success();
    return op->emitOpError()
           << "'" << name << "_scale' must come with an i8 operand";
  }
  if (factor.isFinite() && !factor.isZero() && !factor.isNegative())
    return success();
  return op->emitOpError() << "'" << name
                           << "_scale' must be positive and finite";
}

/// quantized_c7: only in front of a residual the rounding is another one than
/// that of the result.
static LogicalResult verifyRounding(QuantizedOpInterface op,
                                    FusedOpInterface fused) {
  if (!op.getRoundActivation() ||
      (fused.getResidualAfterActivation() && isInteger(fused.getInit(), 8)))
    return success();
  return op->emitOpError("'round_activation' must come with "
                         "'residual_after_activation' and an i8 'init'");
}

LogicalResult fusion::verifyQuantization(QuantizedOpInterface op) {
  auto fused = cast<FusedOpInterface>(op.getOperation());
  if (failed(verifySumResult(op, fused)) || failed(verifyScale(op, fused)) ||
      failed(verifyZeroPoint(op, "input", fused.getInput(),
                             op.getInputZeroPoint(), op.getInputUnsigned())) ||
      failed(verifyZeroPoint(op, "output", fused.getInit(),
                             op.getOutputZeroPoint(),
                             op.getOutputUnsigned())) ||
      failed(verifyZeroPoint(op, "residual", fused.getResidual(),
                             op.getResidualZeroPoint(),
                             op.getResidualUnsigned())) ||
      failed(verifyFactor(op, "residual", fused.getResidual(),
                          op.getResidualScale())) ||
      failed(
          verifyFactor(op, "output", fused.getInit(), op.getOutputScale())) ||
      failed(verifyRounding(op, fused)))
    return failure();
  return success();
}
