//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The constraints of all fused ops. Each has its numbers in the pages of the
// ops.

#include "FusedOpVerifier.h"

#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace fusion;

SmallVector<int64_t> fusion::getLogicalSizes(Value value, LayoutAttr layout,
                                             StringRef letters) {
  return llvm::map_to_vector(
      letters, [&](char letter) { return layout.getDimSize(value, letter); });
}

bool fusion::areCompatible(int64_t a, int64_t b) {
  return ShapedType::isDynamic(a) || ShapedType::isDynamic(b) || a == b;
}

LogicalResult
fusion::verifyWindowValues(function_ref<InFlightDiagnostic()> emitError,
                           StringRef name, ArrayRef<int64_t> values,
                           int64_t rank, int64_t least) {
  if (static_cast<int64_t>(values.size()) != rank)
    return emitError() << "'" << name
                       << "' must have one element per spatial dimension ("
                       << rank << "), got " << values.size();
  for (int64_t value : values)
    if (value < least)
      return emitError() << "'" << name << "' must be at least " << least
                         << ", got " << value;
  return success();
}

std::optional<int64_t> fusion::countRoom(int64_t size, int64_t kernel,
                                         int64_t dilation, int64_t low,
                                         int64_t high) {
  std::optional<int64_t> extent =
      llvm::checkedMulAdd(kernel - 1, dilation, int64_t(1));
  std::optional<int64_t> room = llvm::checkedAdd(low, high);
  if (room)
    room = llvm::checkedAdd(*room, size);
  return room && extent ? llvm::checkedSub(*room, *extent) : std::nullopt;
}

InFlightDiagnostic fusion::emitLargeWindow(Operation *op, char letter) {
  return op->emitOpError() << "window and pads must have fewer than 2^63 "
                              "elements in dimension '"
                           << letter << "'";
}

LogicalResult fusion::verifyOperands(FusedOpInterface op) {
  auto input = cast<ShapedType>(op.getInput().getType());
  auto filter = cast<ShapedType>(op.getFilter().getType());
  auto init = cast<ShapedType>(op.getInit().getType());
  // conv_c1, deconv_c1, matmul_c1
  bool isTensor = isa<TensorType>(init);
  for (Value operand : op->getOperands())
    if (isa<TensorType>(operand.getType()) != isTensor)
      return op->emitOpError("operands must be all tensors or all memrefs");
  // conv_c3, deconv_c3, matmul_c2
  if (filter.getElementType() != input.getElementType() &&
      !filter.getElementType().isF32() && !input.getElementType().isF32())
    return op->emitOpError()
           << "'filter' must have the element type of 'input' ("
           << input.getElementType() << ") unless one of them is f32, got "
           << filter.getElementType();
  // conv_c4, deconv_c4, matmul_c3
  if (!op.getResidual())
    return success();
  auto residual = cast<ShapedType>(op.getResidual().getType());
  if (!isa<QuantizedOpInterface>(op.getOperation()) &&
      residual.getElementType() != init.getElementType() &&
      !residual.getElementType().isF32())
    return op->emitOpError()
           << "'residual' must have the element type of 'init' ("
           << init.getElementType() << ") or f32, got "
           << residual.getElementType();
  // conv_c5, deconv_c5, matmul_c4
  if (residual.getRank() != init.getRank() ||
      !llvm::equal(residual.getShape(), init.getShape(), areCompatible))
    return op->emitOpError() << "'residual' must have the shape of 'init' ("
                             << init << "), got " << residual;
  return success();
}

/// conv_c20, deconv_c20, matmul_c15: where the order makes no difference, it is
/// not given.
LogicalResult fusion::verifyResidualOrder(FusedOpInterface op) {
  if (!op.getResidualAfterActivation() ||
      (op.getResidual() && op.getActivationAttr()))
    return success();
  return op->emitOpError()
         << "'residual_after_activation' must come with a residual and an "
            "activation, has no "
         << (op.getResidual() ? "'activation'" : "'residual'");
}

/// conv_c17, deconv_c17, matmul_c13
LogicalResult fusion::verifyBias(FusedOpInterface op, int64_t outputChannels) {
  if (!op.getBias())
    return success();
  int64_t biasSize = cast<ShapedType>(op.getBias().getType()).getDimSize(0);
  if (!areCompatible(biasSize, outputChannels))
    return op->emitOpError()
           << "'bias' must have one element per output channel ("
           << outputChannels << "), got " << biasSize;
  return success();
}

/// conv_c19, deconv_c19, matmul_c14: an alias that the IR shows. Other aliases
/// are undefined behaviour.
LogicalResult fusion::verifyNoAlias(FusedOpInterface op) {
  if (!isa<MemRefType>(op.getInit().getType()))
    return success();
  if (op.getInput() == op.getInit())
    return op->emitOpError("'input' may not be 'init'");
  if (op.getFilter() == op.getInit())
    return op->emitOpError("'filter' may not be 'init'");
  return success();
}

LogicalResult fusion::verifyLayout(FusedOpInterface op, StringRef name,
                                   LayoutAttr layout, StringRef letters) {
  if (layout.isPermutationOf(letters))
    return success();
  return op->emitOpError() << "'" << name << "' must be a permutation of \""
                           << letters << "\", got \"" << layout.getLetters()
                           << "\"";
}
