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

/// The arrays of a convolution or pool have an element for each spatial
/// dimension. A matrix multiplication has none.
LogicalResult RtCreateOp::verify() {
  size_t rank = getStrides().size();
  bool isConvolution = getKind() != CallKind::Matmul;
  if (isConvolution ? rank < 1 || rank > 3 : rank != 0)
    return emitOpError() << "'strides' must have "
                         << (isConvolution ? "1 to 3 elements" : "no element")
                         << " for '" << stringifyCallKind(getKind())
                         << "', got " << rank;
  bool isPool = getKind() == CallKind::Pool;
  if (getPooling().has_value() != isPool ||
      getKernel().size() != (isPool ? rank : 0))
    return emitOpError() << "'pooling' and 'kernel' must be given exactly for "
                            "'pool', with "
                         << rank << " elements";
  if (getFilterType().has_value() == isPool ||
      getFilterLayout().has_value() == isPool)
    return emitOpError() << "'filter_type' and 'filter_layout' must be given "
                            "exactly for ops with a filter";
  for (auto [name, values] :
       {std::pair<StringRef, ArrayRef<int64_t>>("dilations", getDilations()),
        {"pad_low", getPadLow()},
        {"pad_high", getPadHigh()}})
    if (values.size() != rank)
      return emitOpError() << "'" << name
                           << "' must have as many elements as 'strides' ("
                           << rank << "), got " << values.size();
  if (getResidualAfterActivation() &&
      !(getResidualType() && getActivationAttr()))
    return emitOpError() << "'residual_after_activation' must come with a "
                            "residual and an activation";
  Attribute allowWinograd = (*this)->getAttr(kAllowWinogradAttr);
  if (allowWinograd &&
      (!isa<UnitAttr>(allowWinograd) || getKind() != CallKind::Conv))
    return emitOpError() << "'" << kAllowWinogradAttr
                         << "' must be a unit attribute of a 'conv', got "
                         << allowWinograd << " of a '"
                         << stringifyCallKind(getKind()) << "'";
  return success();
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

LogicalResult
RtExecuteOp::verifySymbolUses(SymbolTableCollection &symbolTable) {
  RtCreateOp create = lookupCallSite(*this, getCalleeAttr(), symbolTable);
  if (!create)
    return failure();
  if (create.getFilterType().has_value() != static_cast<bool>(getFilter()))
    return emitOpError() << "'filter' must be given exactly when "
                         << getCallee() << " has one";
  if (create.getHasBias() != static_cast<bool>(getBias()))
    return emitOpError() << "'bias' must be given exactly when " << getCallee()
                         << " has one";
  if (create.getResidualType().has_value() != static_cast<bool>(getResidual()))
    return emitOpError() << "'residual' must be given exactly when "
                         << getCallee() << " has one";
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
  for (auto [name, isGiven, isThere] :
       {std::tuple<StringRef, bool, bool>("filter_type",
                                          getFilterType().has_value(),
                                          create.getFilterType().has_value()),
        {"bias_type", getBiasType().has_value(), create.getHasBias()},
        {"residual_type", getResidualType().has_value(),
         create.getResidualType().has_value()}})
    if (isGiven != isThere)
      return emitOpError() << "'" << name << "' must be given exactly when "
                           << getCallee() << " has such an operand";
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
