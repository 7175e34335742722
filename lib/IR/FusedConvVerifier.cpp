//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The constraints of `fusion.fused_conv_bias_act` and
// `fusion.fused_deconv_bias_act`, numbered as in docs/FusedConvBiasAct.md and
// docs/FusedDeconvBiasAct.md. The constraints that ODS checks are marked in
// FusionOps.td. Those of all fused ops are in FusedOpVerifier.cpp.

#include "FusedOpVerifier.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/IR/Layout.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace fusion;

/// conv_c2, deconv_c2
template <typename OpTy> static LogicalResult verifyRanks(OpTy op) {
  int64_t rank = cast<ShapedType>(op.getInput().getType()).getRank();
  for (auto [name, value] :
       {std::pair("filter", op.getFilter()), std::pair("init", op.getInit())})
    if (int64_t got = cast<ShapedType>(value.getType()).getRank(); got != rank)
      return op.emitOpError()
             << "'" << name << "' must have the rank of 'input' (" << rank
             << "), got " << got;
  return success();
}

/// conv_c6, deconv_c6, conv_c7, deconv_c7, conv_c8, deconv_c8
template <typename OpTy> static LogicalResult verifyLayouts(OpTy op) {
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

/// conv_c9, deconv_c9, conv_c10, deconv_c10, conv_c11, deconv_c11, conv_c12,
/// deconv_c12
template <typename OpTy> static LogicalResult verifySpatialArrays(OpTy op) {
  auto emitError = [&] { return op.emitOpError(); };
  int64_t rank = op.getSpatialRank();
  return failure(failed(verifyWindowValues(emitError, "strides",
                                           op.getStrides(), rank, 1)) ||
                 failed(verifyWindowValues(emitError, "dilations",
                                           op.getDilations(), rank, 1)) ||
                 failed(verifyWindowValues(emitError, "pad_low", op.getPadLow(),
                                           rank, 0)) ||
                 failed(verifyWindowValues(emitError, "pad_high",
                                           op.getPadHigh(), rank, 0)));
}

template <typename OpTy>
static LogicalResult verifyChannels(OpTy op, ArrayRef<int64_t> input,
                                    ArrayRef<int64_t> filter,
                                    ArrayRef<int64_t> output) {
  int64_t groups = op.getGroups();
  // conv_c13, deconv_c13
  if (!areCompatible(output[0], input[0]))
    return op.emitOpError() << "'init' must have the batch size of 'input' ("
                            << input[0] << "), got " << output[0];
  // conv_c14, deconv_c14
  int64_t expected =
      ShapedType::isDynamic(filter[1]) ? filter[1] : filter[1] * groups;
  if (!areCompatible(input[1], expected))
    return op.emitOpError()
           << "'input' must have 'groups' times the input channels of 'filter' "
              "("
           << groups << " * " << filter[1] << "), got " << input[1];
  // conv_c15, deconv_c15
  if (!areCompatible(output[1], filter[0]))
    return op.emitOpError()
           << "'init' must have the output channels of 'filter' (" << filter[0]
           << "), got " << output[1];
  // conv_c16, deconv_c16
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
template <typename OpTy>
static LogicalResult verifySpatialSizes(OpTy op, ArrayRef<int64_t> input,
                                        ArrayRef<int64_t> filter,
                                        ArrayRef<int64_t> output) {
  for (int64_t i = 0, e = op.getSpatialRank(); i != e; ++i) {
    int64_t in = input[i + 2], kernel = filter[i + 2], out = output[i + 2];
    if (ShapedType::isDynamic(in) || ShapedType::isDynamic(kernel) ||
        ShapedType::isDynamic(out))
      continue;
    std::optional<int64_t> room =
        countRoom(in, kernel, op.getDilations()[i], op.getPadLow()[i],
                  op.getPadHigh()[i]);
    if (!room)
      return emitLargeWindow(op, getSpatialLetters(e)[i]);
    int64_t expected = *room < 0 ? 0 : *room / op.getStrides()[i] + 1;
    if (out != expected)
      return op.emitOpError()
             << "'init' must have size " << expected << " in dimension '"
             << getSpatialLetters(e)[i] << "', got " << out;
  }
  return success();
}

/// deconv_c18: a convolution with this window makes the size of the input from
/// that of the output.
static LogicalResult verifyTransposedSizes(FusedDeconvBiasActOp op,
                                           ArrayRef<int64_t> input,
                                           ArrayRef<int64_t> filter,
                                           ArrayRef<int64_t> output) {
  for (int64_t i = 0, e = op.getSpatialRank(); i != e; ++i) {
    int64_t in = input[i + 2], kernel = filter[i + 2], out = output[i + 2];
    if (ShapedType::isDynamic(in) || ShapedType::isDynamic(kernel) ||
        ShapedType::isDynamic(out) || in == 0 || kernel == 0)
      continue;
    int64_t stride = op.getStrides()[i];
    std::optional<int64_t> reach = llvm::checkedMul(in - 1, stride);
    std::optional<int64_t> room =
        countRoom(/*size=*/0, kernel, op.getDilations()[i], op.getPadLow()[i],
                  op.getPadHigh()[i]);
    std::optional<int64_t> least =
        reach && room ? llvm::checkedSub(*reach, *room) : std::nullopt;
    std::optional<int64_t> end =
        least ? llvm::checkedAdd(*least, stride) : std::nullopt;
    if (!end)
      return emitLargeWindow(op, getSpatialLetters(e)[i]);
    if (out < *least || out >= *end)
      return op.emitOpError() << "'init' must have size " << *least << " to "
                              << *end - 1 << " in dimension '"
                              << getSpatialLetters(e)[i] << "', got " << out;
  }
  return success();
}

namespace {
/// The sizes of the operands in logical order.
struct LogicalSizes {
  SmallVector<int64_t> input, filter, output;
};
} // namespace

/// Verifies the constraints that both convolutions share, and gives the sizes.
template <typename OpTy>
static FailureOr<LogicalSizes> verifyAllButSizes(OpTy op) {
  if (failed(verifyOperands(op)) || failed(verifyRanks(op)) ||
      failed(verifyLayouts(op)) || failed(verifySpatialArrays(op)))
    return failure();
  int64_t rank = op.getSpatialRank();
  LogicalSizes sizes{getLogicalSizes(op.getInput(), op.getInputLayout(),
                                     getActivationLetters(rank)),
                     getLogicalSizes(op.getFilter(), op.getFilterLayout(),
                                     getFilterLetters(rank)),
                     getLogicalSizes(op.getInit(), op.getOutputLayout(),
                                     getActivationLetters(rank))};
  if (failed(verifyChannels(op, sizes.input, sizes.filter, sizes.output)))
    return failure();
  return sizes;
}

template <typename OpTy> static LogicalResult verifyConv(OpTy op) {
  FailureOr<LogicalSizes> sizes = verifyAllButSizes(op);
  if (failed(sizes) || failed(verifySpatialSizes(op, sizes->input,
                                                 sizes->filter, sizes->output)))
    return failure();
  if (failed(verifyResidualOrder(op)))
    return failure();
  return verifyNoAlias(op);
}

LogicalResult FusedConvBiasActOp::verify() { return verifyConv(*this); }

LogicalResult QuantizedConvBiasActOp::verify() {
  return failure(failed(verifyConv(*this)) ||
                 failed(verifyQuantization(*this)));
}

LogicalResult FusedDeconvBiasActOp::verify() {
  FailureOr<LogicalSizes> sizes = verifyAllButSizes(*this);
  if (failed(sizes) || failed(verifyTransposedSizes(
                           *this, sizes->input, sizes->filter, sizes->output)))
    return failure();
  if (failed(verifyResidualOrder(*this)))
    return failure();
  return verifyNoAlias(*this);
}
