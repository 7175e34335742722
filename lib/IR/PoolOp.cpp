//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusedOpAssembly.h"
#include "FusedOpVerifier.h"
#include "FusionDialect/IR/FusionOps.h"
#include "FusionDialect/IR/Layout.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"

using namespace mlir;
using namespace fusion;

MutableOperandRange PoolOp::getDpsInitsMutable() { return getInitMutable(); }

void PoolOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  if (getResult())
    return;
  effects.emplace_back(MemoryEffects::Read::get(), &getInputMutable());
  effects.emplace_back(MemoryEffects::Write::get(), &getInitMutable());
}

LogicalResult PoolOp::reifyResultShapes(OpBuilder &builder,
                                        ReifiedRankedShapedTypeDims &shapes) {
  if (getResult())
    shapes.push_back(tensor::getMixedSizes(builder, getLoc(), getInit()));
  return success();
}

/// pool_c11, pool_c12
static LogicalResult verifyIntegers(PoolOp op) {
  bool isInteger =
      cast<ShapedType>(op.getInput().getType()).getElementType().isInteger();
  if (isInteger && op.getPooling() != Pooling::Max)
    return op.emitOpError("'pooling' of i8 must be max");
  if (!isInteger && op.getInputUnsigned())
    return op.emitOpError("'input_unsigned' must come with an i8 'input'");
  return success();
}

/// pool_c1, pool_c2, pool_c3, pool_c10
static LogicalResult verifyTypes(PoolOp op) {
  auto input = cast<ShapedType>(op.getInput().getType());
  auto init = cast<ShapedType>(op.getInit().getType());
  bool isOnTensors = isa<RankedTensorType>(input);
  if (isOnTensors != isa<RankedTensorType>(init))
    return op.emitOpError()
           << "operands must be all tensors or all memrefs, got " << input
           << " and " << init;
  if (isOnTensors != static_cast<bool>(op.getResult()))
    return op.emitOpError() << (isOnTensors ? "must have a result on tensors"
                                            : "must have no result on memrefs");
  if (op.getResult() && op.getResult().getType() != init)
    return op.emitOpError() << "result must have the type of 'init' (" << init
                            << "), got " << op.getResult().getType();
  if (input.getElementType() != init.getElementType())
    return op.emitOpError()
           << "'init' must have the element type of 'input' ("
           << input.getElementType() << "), got " << init.getElementType();
  if (input.getRank() != init.getRank())
    return op.emitOpError() << "'init' must have the rank of 'input' ("
                            << input.getRank() << "), got " << init.getRank();
  if (!isOnTensors && op.getInput() == op.getInit())
    return op.emitOpError() << "'init' must not be 'input'";
  return success();
}

/// pool_c5, pool_c6, pool_c7
static LogicalResult verifyWindow(PoolOp op, int64_t rank) {
  for (auto [name, values, least] :
       {std::tuple<StringRef, ArrayRef<int64_t>, int64_t>("kernel",
                                                          op.getKernel(), 1),
        {"strides", op.getStrides(), 1},
        {"pad_low", op.getPadLow(), 0},
        {"pad_high", op.getPadHigh(), 0}}) {
    if (failed(verifyWindowValues([&] { return op.emitOpError(); }, name,
                                  values, rank, least)))
      return failure();
  }
  for (int64_t i = 0; i < rank; ++i)
    if (std::max(op.getPadLow()[i], op.getPadHigh()[i]) >= op.getKernel()[i])
      return op.emitOpError()
             << "pads must be less than the kernel (" << op.getKernel()[i]
             << "), got " << op.getPadLow()[i] << " and " << op.getPadHigh()[i];
  return success();
}

/// The size of the result is floor((in + pads - kernel) / stride) + 1.
/// pool_c8, pool_c9
static LogicalResult verifySizes(PoolOp op, StringRef letters) {
  SmallVector<int64_t> input =
      getLogicalSizes(op.getInput(), op.getLayout(), letters);
  SmallVector<int64_t> init =
      getLogicalSizes(op.getInit(), op.getLayout(), letters);
  for (auto [dim, letter] : llvm::enumerate(letters)) {
    int64_t expected = input[dim];
    if (dim >= 2 && !ShapedType::isDynamic(expected)) {
      int64_t i = static_cast<int64_t>(dim) - 2;
      std::optional<int64_t> room =
          countRoom(expected, op.getKernel()[i], /*dilation=*/1,
                    op.getPadLow()[i], op.getPadHigh()[i]);
      if (!room)
        return emitLargeWindow(op, letter);
      expected = *room < 0 ? 0 : *room / op.getStrides()[i] + 1;
    }
    if (!areCompatible(init[dim], expected))
      return op.emitOpError()
             << "'init' must have size " << expected << " in dimension '"
             << letter << "', got " << init[dim];
  }
  return success();
}

/// pool_c4
LogicalResult PoolOp::verify() {
  if (failed(verifyTypes(*this)) || failed(verifyIntegers(*this)))
    return failure();
  int64_t spatialRank = cast<ShapedType>(getInput().getType()).getRank() - 2;
  std::string letters = getActivationLetters(spatialRank);
  if (!getLayout().isPermutationOf(letters))
    return emitOpError() << "'layout' must have the letters \"" << letters
                         << "\", got \"" << getLayout().getLetters() << "\"";
  if (failed(verifyWindow(*this, spatialRank)))
    return failure();
  return verifySizes(*this, letters);
}

TypedAttr PoolOp::getNeutral(Type type) {
  bool isMax = getPooling() == Pooling::Max;
  auto floats = dyn_cast<FloatType>(type);
  if (isMax && floats)
    return FloatAttr::get(type, APFloat::getInf(floats.getFloatSemantics(),
                                                /*Negative=*/true));
  if (isMax && !getInputUnsigned())
    return IntegerAttr::get(
        type, APInt::getSignedMinValue(type.getIntOrFloatBitWidth()));
  return Builder(getContext()).getZeroAttr(type);
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

ParseResult fusion::parsePoolAttributes(OpAsmParser &parser,
                                        NamedAttrList &attributes) {
  SMLoc loc = parser.getCurrentLocation();
  auto emitError = [&] { return parser.emitError(loc); };
  OperationName name(PoolOp::getOperationName(), parser.getContext());
  if (parser.parseOptionalAttrDict(attributes) ||
      failed(readLayouts(name, attributes, emitError)))
    return failure();
  return PoolOp::verifyInherentAttrs(name, attributes, [&] {
    return emitError() << "'" << name.getStringRef() << "' op ";
  });
}

void fusion::printPoolAttributes(OpAsmPrinter &printer, PoolOp,
                                 DictionaryAttr attributes) {
  printer.printOptionalAttrDict(attributes.getValue());
}
