//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The constraints of `fusion.fused_conv_bias_act`, numbered as in
// docs/FusedConvBiasAct.md. What ODS checks is marked in FusionOps.td.

#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/IR/Layout.h"

using namespace mlir;
using namespace fusion;

/// The sizes of an operand in logical order, as `letters` names them.
static SmallVector<int64_t> getLogicalSizes(Value value, StringRef layout,
                                            StringRef letters) {
  auto type = cast<ShapedType>(value.getType());
  return llvm::map_to_vector(getPositions(layout, letters),
                             [&](int64_t dim) { return type.getDimSize(dim); });
}

static bool areCompatible(int64_t a, int64_t b) {
  return ShapedType::isDynamic(a) || ShapedType::isDynamic(b) || a == b;
}

static LogicalResult verifyRanksAndTypes(FusedConvBiasActOp op) {
  auto input = cast<ShapedType>(op.getInput().getType());
  auto filter = cast<ShapedType>(op.getFilter().getType());
  auto init = cast<ShapedType>(op.getInit().getType());
  // conv_c1
  bool isTensor = isa<TensorType>(init);
  for (Value operand : op->getOperands())
    if (isa<TensorType>(operand.getType()) != isTensor)
      return op.emitOpError("operands must be all tensors or all memrefs");
  // conv_c2
  if (filter.getRank() != input.getRank())
    return op.emitOpError() << "'filter' must have the rank of 'input' ("
                            << input.getRank() << "), got " << filter.getRank();
  if (init.getRank() != input.getRank())
    return op.emitOpError() << "'init' must have the rank of 'input' ("
                            << input.getRank() << "), got " << init.getRank();
  // conv_c3
  if (filter.getElementType() != input.getElementType() &&
      !filter.getElementType().isF32())
    return op.emitOpError()
           << "'filter' must have the element type of 'input' ("
           << input.getElementType() << ") or f32, got "
           << filter.getElementType();
  // conv_c4
  if (!op.getResidual())
    return success();
  auto residual = cast<ShapedType>(op.getResidual().getType());
  if (residual.getElementType() != init.getElementType() &&
      !residual.getElementType().isF32())
    return op.emitOpError()
           << "'residual' must have the element type of 'init' ("
           << init.getElementType() << ") or f32, got "
           << residual.getElementType();
  // conv_c5
  if (residual.getRank() != init.getRank() ||
      !llvm::equal(residual.getShape(), init.getShape(), areCompatible))
    return op.emitOpError() << "'residual' must have the shape of 'init' ("
                            << init << "), got " << residual;
  return success();
}

static LogicalResult verifyLayout(FusedConvBiasActOp op, StringRef name,
                                  StringRef layout, StringRef letters) {
  if (isPermutationOf(layout, letters))
    return success();
  return op.emitOpError() << "'" << name << "' must be a permutation of \""
                          << letters << "\", got \"" << layout << "\"";
}

/// conv_c6, conv_c7, conv_c8
static LogicalResult verifyLayouts(FusedConvBiasActOp op) {
  std::string activationLetters = getActivationLetters(op.getSpatialRank());
  if (failed(verifyLayout(op, "input_layout", op.getInputLayout(),
                          activationLetters)) ||
      failed(verifyLayout(op, "filter_layout", op.getFilterLayout(),
                          getFilterLetters(op.getSpatialRank()))) ||
      failed(verifyLayout(op, "output_layout", op.getOutputLayout(),
                          activationLetters)))
    return failure();
  return success();
}

static LogicalResult verifySpatialArray(FusedConvBiasActOp op, StringRef name,
                                        ArrayRef<int64_t> values,
                                        int64_t minimum) {
  if (static_cast<int64_t>(values.size()) != op.getSpatialRank())
    return op.emitOpError()
           << "'" << name << "' must have one element per spatial dimension ("
           << op.getSpatialRank() << "), got " << values.size();
  for (int64_t value : values)
    if (value < minimum)
      return op.emitOpError() << "'" << name << "' must be at least " << minimum
                              << ", got " << value;
  return success();
}

/// conv_c9, conv_c10, conv_c11, conv_c12
static LogicalResult verifySpatialArrays(FusedConvBiasActOp op) {
  if (failed(verifySpatialArray(op, "strides", op.getStrides(), 1)) ||
      failed(verifySpatialArray(op, "dilations", op.getDilations(), 1)) ||
      failed(verifySpatialArray(op, "pad_low", op.getPadLow(), 0)) ||
      failed(verifySpatialArray(op, "pad_high", op.getPadHigh(), 0)))
    return failure();
  return success();
}

static LogicalResult verifyChannels(FusedConvBiasActOp op,
                                    ArrayRef<int64_t> input,
                                    ArrayRef<int64_t> filter,
                                    ArrayRef<int64_t> output) {
  int64_t groups = op.getGroups();
  // conv_c13
  if (!areCompatible(output[0], input[0]))
    return op.emitOpError() << "'init' must have the batch size of 'input' ("
                            << input[0] << "), got " << output[0];
  // conv_c14
  int64_t expected =
      ShapedType::isDynamic(filter[1]) ? filter[1] : filter[1] * groups;
  if (!areCompatible(input[1], expected))
    return op.emitOpError()
           << "'input' must have 'groups' times the input channels of 'filter' "
              "("
           << groups << " * " << filter[1] << "), got " << input[1];
  // conv_c15
  if (!areCompatible(output[1], filter[0]))
    return op.emitOpError()
           << "'init' must have the output channels of 'filter' (" << filter[0]
           << "), got " << output[1];
  // conv_c16
  int64_t outputChannels =
      ShapedType::isDynamic(output[1]) ? filter[0] : output[1];
  if (!ShapedType::isDynamic(outputChannels) && outputChannels % groups != 0)
    return op.emitOpError()
           << "output channels must be a multiple of 'groups' (" << groups
           << "), got " << outputChannels;
  // conv_c17
  if (!op.getBias())
    return success();
  int64_t biasSize = cast<ShapedType>(op.getBias().getType()).getDimSize(0);
  if (!areCompatible(biasSize, outputChannels))
    return op.emitOpError()
           << "'bias' must have one element per output channel ("
           << outputChannels << "), got " << biasSize;
  return success();
}

/// conv_c18: out = floor((in + low + high - extent) / stride) + 1, and 0 if the
/// dilated kernel does not fit.
static LogicalResult verifySpatialSizes(FusedConvBiasActOp op,
                                        ArrayRef<int64_t> input,
                                        ArrayRef<int64_t> filter,
                                        ArrayRef<int64_t> output) {
  for (int64_t i = 0, e = op.getSpatialRank(); i != e; ++i) {
    int64_t in = input[i + 2], kernel = filter[i + 2], out = output[i + 2];
    if (ShapedType::isDynamic(in) || ShapedType::isDynamic(kernel) ||
        ShapedType::isDynamic(out))
      continue;
    int64_t extent = (kernel - 1) * op.getDilations()[i] + 1;
    int64_t room = in + op.getPadLow()[i] + op.getPadHigh()[i] - extent;
    int64_t expected = room < 0 ? 0 : room / op.getStrides()[i] + 1;
    if (out != expected)
      return op.emitOpError()
             << "'init' must have size " << expected << " in dimension '"
             << getSpatialLetters(e)[i] << "', got " << out;
  }
  return success();
}

LogicalResult FusedConvBiasActOp::verify() {
  if (failed(verifyRanksAndTypes(*this)) || failed(verifyLayouts(*this)) ||
      failed(verifySpatialArrays(*this)))
    return failure();
  int64_t rank = getSpatialRank();
  SmallVector<int64_t> input =
      getLogicalSizes(getInput(), getInputLayout(), getActivationLetters(rank));
  SmallVector<int64_t> filter =
      getLogicalSizes(getFilter(), getFilterLayout(), getFilterLetters(rank));
  SmallVector<int64_t> output =
      getLogicalSizes(getInit(), getOutputLayout(), getActivationLetters(rank));
  if (failed(verifyChannels(*this, input, filter, output)) ||
      failed(verifySpatialSizes(*this, input, filter, output)))
    return failure();
  // conv_c19: an alias that can be seen; others are undefined behaviour.
  if (isa<MemRefType>(getInit().getType())) {
    if (getInput() == getInit())
      return emitOpError("'input' may not be 'init'");
    if (getFilter() == getInit())
      return emitOpError("'filter' may not be 'init'");
  }
  return success();
}
