//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The constraints of `fusion.fused_conv_bias_act`, numbered as in
// docs/FusedConvBiasAct.md. What ODS checks is marked in FusionOps.td, what
// holds for all fused ops in VerifyFusedOp.cpp.

#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/IR/Layout.h"
#include "VerifyFusedOp.h"

using namespace mlir;
using namespace fusion;

/// conv_c2
static LogicalResult verifyRanks(FusedConvBiasActOp op) {
  int64_t rank = cast<ShapedType>(op.getInput().getType()).getRank();
  for (auto [name, value] :
       {std::pair("filter", op.getFilter()), std::pair("init", op.getInit())})
    if (int64_t got = cast<ShapedType>(value.getType()).getRank(); got != rank)
      return op.emitOpError()
             << "'" << name << "' must have the rank of 'input' (" << rank
             << "), got " << got;
  return success();
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
  return verifyBias(op, outputChannels);
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
  if (failed(verifyOperands(*this)) || failed(verifyRanks(*this)) ||
      failed(verifyLayouts(*this)) || failed(verifySpatialArrays(*this)))
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
  return verifyNoAlias(*this);
}
