//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "FusionDialect/IR/FusionOps.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace fusion;

/// Finds the call site that `user` names, or reports an error.
static RtCreateOp lookupCallSite(Operation *user, FlatSymbolRefAttr callee,
                                 SymbolTableCollection &symbolTable) {
  auto create = symbolTable.lookupNearestSymbolFrom<RtCreateOp>(user, callee);
  if (!create)
    user->emitOpError() << "'callee' must name a 'fusion.rt.create', got "
                        << callee;
  return create;
}

RtCreateOp::Operands RtCreateOp::getCallOperands() {
  if (auto pool = dyn_cast<PoolDescAttr>(getDescriptor()))
    return {pool.getInput(), /*filter=*/nullptr, pool.getInput()};
  Type f32 = Float32Type::get(getContext());
  Type si32 = IntegerType::get(getContext(), 32, IntegerType::Signed);
  auto read = [&](auto desc) -> Operands {
    QuantizationAttr quantization = desc.getQuantization();
    bool isInteger = quantization && quantization.getIntegerBias();
    bool hasScale = quantization && quantization.getScale();
    return {desc.getInput(),
            desc.getFilter(),
            desc.getInit(),
            desc.getBias() ? (isInteger ? si32 : f32) : Type(),
            desc.getResidual(),
            hasScale ? f32 : Type(),
            desc.getConstantFilter()};
  };
  if (auto matmul = dyn_cast<MatmulDescAttr>(getDescriptor()))
    return read(matmul);
  return read(cast<ConvDescAttr>(getDescriptor()));
}

LogicalResult RtArenaBeginOp::verify() {
  MemRefType type = getArena().getType();
  if (!type.getLayout().isIdentity())
    return emitOpError() << "result must have no layout, got " << type;
  if (type.hasStaticShape() == !getSize())
    return success();
  return emitOpError() << "'size' must be given exactly when that of the "
                          "result is dynamic, got "
                       << type;
}

/// Fails unless `type`, of the operand called `name`, has `rank` dimensions and
/// elements of type `element`, as `callee` describes it. An integer in memory
/// has no sign.
static LogicalResult verifyDescribed(Operation *op, StringRef name,
                                     FlatSymbolRefAttr callee, Type type,
                                     int64_t rank, Type element) {
  auto memref = cast<MemRefType>(type);
  if (element.isInteger())
    element =
        IntegerType::get(op->getContext(), element.getIntOrFloatBitWidth());
  if (memref.getRank() == rank && memref.getElementType() == element)
    return success();
  return op->emitOpError() << "'" << name << "' must have rank " << rank
                           << " and elements of type " << element << ", as "
                           << callee << " says, got " << type;
}

LogicalResult
RtExecuteOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  RtCreateOp create = lookupCallSite(*this, getCalleeAttr(), symbolTable);
  if (!create)
    return failure();
  RtCreateOp::Operands operands = create.getCallOperands();
  if (static_cast<bool>(operands.filter) != static_cast<bool>(getFilter()))
    return emitOpError() << "'filter' must be given exactly when "
                         << getCallee() << " has one";
  for (auto [name, value, type] :
       {std::tuple<StringRef, Value, Type>("bias", getBias(), operands.bias),
        {"scale", getScale(), operands.scale},
        {"residual", getResidual(), operands.residual}})
    if (static_cast<bool>(value) != static_cast<bool>(type))
      return emitOpError() << "'" << name << "' must be given exactly when "
                           << getCallee() << " has one";
  auto verify = [&](StringRef name, Value value, OperandAttr operand,
                    Type element) {
    return verifyDescribed(*this, name, getCalleeAttr(), value.getType(),
                           operand.getLayout().getRank(), element);
  };
  if (failed(verify("input", getInput(), operands.input,
                    operands.input.getElementType())) ||
      failed(verify("init", getInit(), operands.init,
                    operands.init.getElementType())) ||
      (getFilter() && failed(verify("filter", getFilter(), operands.filter,
                                    operands.filter.getElementType()))) ||
      (getBias() &&
       failed(verifyDescribed(*this, "bias", getCalleeAttr(),
                              getBias().getType(), 1, operands.bias))) ||
      (getScale() &&
       failed(verifyDescribed(*this, "scale", getCalleeAttr(),
                              getScale().getType(), 1, operands.scale))) ||
      (getResidual() && failed(verify("residual", getResidual(), operands.init,
                                      operands.residual))))
    return failure();
  return success();
}

bool RtPrepareOp::hasStaticLayout(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return type.hasStaticShape() &&
         succeeded(type.getStridesAndOffset(strides, offset)) &&
         ShapedType::isStaticShape(strides);
}

LogicalResult RtPrepareOp::verify() {
  for (auto [name, type] :
       {std::pair<StringRef, std::optional<Type>>("input_type", getInputType()),
        {"filter_type", getFilterType()},
        {"bias_type", getBiasType()},
        {"scale_type", getScaleType()},
        {"residual_type", getResidualType()},
        {"init_type", getInitType()}}) {
    auto memref = cast_or_null<MemRefType>(type.value_or(nullptr));
    if (memref && !hasStaticLayout(memref))
      return emitOpError() << "'" << name
                           << "' must have static sizes and strides, got "
                           << memref;
  }
  if (getFilter() && getFilterType() != getFilter().getType())
    return emitOpError() << "'filter' must have the type 'filter_type', got "
                         << getFilter().getType();
  if (getInPlace() && !getResidualType())
    return emitOpError() << "'in_place' must not be given without a residual";
  return success();
}

LogicalResult
RtPrepareOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  RtCreateOp create = lookupCallSite(*this, getCalleeAttr(), symbolTable);
  if (!create)
    return failure();
  RtCreateOp::Operands operands = create.getCallOperands();
  for (auto [name, isGiven, isThere] :
       {std::tuple<StringRef, bool, bool>("filter_type",
                                          getFilterType().has_value(),
                                          static_cast<bool>(operands.filter)),
        {"bias_type", getBiasType().has_value(),
         static_cast<bool>(operands.bias)},
        {"scale_type", getScaleType().has_value(),
         static_cast<bool>(operands.scale)},
        {"residual_type", getResidualType().has_value(),
         static_cast<bool>(operands.residual)}})
    if (isGiven != isThere)
      return emitOpError() << "'" << name << "' must be given exactly when "
                           << getCallee() << " has such an operand";
  auto verifyRank = [&](StringRef name, std::optional<Type> type, int64_t rank,
                        Type element) {
    return success(!type ||
                   succeeded(verifyDescribed(*this, name, getCalleeAttr(),
                                             *type, rank, element)));
  };
  auto verify = [&](StringRef name, std::optional<Type> type,
                    OperandAttr operand, Type element) {
    return verifyRank(name, type, operand.getLayout().getRank(), element);
  };
  if (failed(verify("input_type", getInputType(), operands.input,
                    operands.input.getElementType())) ||
      failed(verify("init_type", getInitType(), operands.init,
                    operands.init.getElementType())) ||
      (operands.filter &&
       failed(verify("filter_type", getFilterType(), operands.filter,
                     operands.filter.getElementType()))) ||
      failed(verifyRank("bias_type", getBiasType(), 1, operands.bias)) ||
      failed(verifyRank("scale_type", getScaleType(), 1, operands.scale)) ||
      failed(verify("residual_type", getResidualType(), operands.init,
                    operands.residual)))
    return failure();
  return success();
}

/// Finds the function that `user` names, or reports an error.
static FunctionOpInterface lookupFunction(Operation *user,
                                          FlatSymbolRefAttr callee,
                                          SymbolTableCollection &symbolTable) {
  auto function =
      symbolTable.lookupNearestSymbolFrom<FunctionOpInterface>(user, callee);
  if (!function)
    user->emitOpError() << "'callee' must name a function, got " << callee;
  return function;
}

LogicalResult RtOnceOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  FunctionOpInterface function =
      lookupFunction(*this, getCalleeAttr(), symbolTable);
  if (!function)
    return failure();
  if (!llvm::equal(function.getArgumentTypes(), getOperandTypes()))
    return emitOpError() << "'constants' must have the types of the arguments "
                            "of "
                         << getCallee();
  if (!llvm::equal(function.getResultTypes(), getResultTypes()))
    return emitOpError() << "results must have the types of those of "
                         << getCallee();
  return success();
}

LogicalResult
RtParallelForOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  FunctionOpInterface function =
      lookupFunction(*this, getCalleeAttr(), symbolTable);
  if (!function)
    return failure();
  Type index = IndexType::get(getContext());
  SmallVector<Type> types = {index, index};
  llvm::append_range(types, getCaptures().getTypes());
  if (llvm::equal(function.getArgumentTypes(), types) &&
      function.getNumResults() == 0)
    return success();
  return emitOpError() << "'callee' must take two indices and 'captures' and "
                          "return nothing, got "
                       << getCalleeAttr();
}

LogicalResult
RtReleaseOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  if (getOnce())
    return success(
        static_cast<bool>(lookupFunction(*this, getCalleeAttr(), symbolTable)));
  return success(lookupCallSite(*this, getCalleeAttr(), symbolTable) !=
                 nullptr);
}
