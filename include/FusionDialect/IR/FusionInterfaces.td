//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_INTERFACES_TD
#define FUSION_INTERFACES_TD

include "mlir/IR/OpBase.td"

def Fusion_FusedOpInterface : OpInterface<"FusedOpInterface"> {
  let cppNamespace = "::fusion";
  let description = [{
    An op that computes `act(linear(input, filter) + bias + residual)`, or
    `act(linear(input, filter) + bias) + residual`. The laws of `fusion-fuse` are
    written once, against this interface.
  }];
  let methods = [
    InterfaceMethod<"The images, or the left factor.",
      "::mlir::Value", "getInput">,
    InterfaceMethod<"The weights.", "::mlir::Value", "getFilter">,
    InterfaceMethod<"The input, as an operand to set.",
      "::mlir::OpOperand &", "getInputMutable">,
    InterfaceMethod<"The bias, one f32 per output channel, or null.",
      "::mlir::Value", "getBias">,
    InterfaceMethod<"The tensor added to each element, or null.",
      "::mlir::Value", "getResidual">,
    InterfaceMethod<"The destination. Its contents are not read.",
      "::mlir::Value", "getInit">,
    InterfaceMethod<"The weights, as an operand to set.",
      "::mlir::OpOperand &", "getFilterMutable">,
    InterfaceMethod<"The destination, as an operand to set.",
      "::mlir::OpOperand &", "getInitMutable">,
    InterfaceMethod<"The dimensions of the input, a letter each.",
      "::fusion::LayoutAttr", "getInputLayout">,
    InterfaceMethod<"Sets the dimensions of the input.", "void", "setInputLayoutAttr",
      (ins "::fusion::LayoutAttr":$layout)>,
    InterfaceMethod<"The dimensions of the filter, a letter each.",
      "::fusion::LayoutAttr", "getFilterLayout">,
    InterfaceMethod<"Sets the dimensions of the filter.", "void", "setFilterLayoutAttr",
      (ins "::fusion::LayoutAttr":$layout)>,
    InterfaceMethod<"The dimensions of the result, a letter each.",
      "::fusion::LayoutAttr", "getOutputLayout">,
    InterfaceMethod<"Sets the dimensions of the result.", "void", "setOutputLayoutAttr",
      (ins "::fusion::LayoutAttr":$layout)>,
    InterfaceMethod<"The bias as a range to assign to.",
      "::mlir::MutableOperandRange", "getBiasMutable">,
    InterfaceMethod<"The residual as a range to assign to.",
      "::mlir::MutableOperandRange", "getResidualMutable">,
    InterfaceMethod<"The activation, or null for none.",
      "::fusion::ActivationAttr", "getActivationAttr">,
    InterfaceMethod<"Sets the activation.", "void", "setActivationAttr",
      (ins "::fusion::ActivationAttr":$activation)>,
    InterfaceMethod<"True if the residual is added after the activation; then there are both.",
      "bool", "getResidualAfterActivation">,
    InterfaceMethod<"Sets whether the residual is added after the activation.",
      "void", "setResidualAfterActivation", (ins "bool":$isAfter)>,
    InterfaceMethod<"The result of the activation for a NaN; by default it is unspecified.",
      "::fusion::NaNMode", "getNanMode", (ins), "",
      [{ return ::fusion::NaNMode::Fast; }]>,
    InterfaceMethod<"Sets the result of the activation for a NaN, if the op has a choice.",
      "void", "setNanMode", (ins "::fusion::NaNMode":$mode), "",
      [{ (void)mode; }]>,
    InterfaceMethod<"The dimension of the result that is the output channel.",
      "int64_t", "getOutputChannelDim">,
    InterfaceMethod<"The dimension of the weights that is the output channel.",
      "int64_t", "getFilterChannelDim">,
  ];
  let extraSharedClassDeclaration = [{
    /// Type of the result (tensor) or of the destination (memref).
    ::mlir::ShapedType getOutputType() {
      return ::llvm::cast<::mlir::ShapedType>($_op.getInit().getType());
    }
    /// Number of output channels, or ShapedType::kDynamic.
    int64_t getNumOutputChannels() {
      return getOutputType().getDimSize($_op.getOutputChannelDim());
    }
  }];
}

def Fusion_QuantizedOpInterface : OpInterface<"QuantizedOpInterface"> {
  let cppNamespace = "::fusion";
  let description = [{
    A fused op on integers of 8 bits. Laws on floats may not touch it.
  }];
  let methods = [
    InterfaceMethod<"The factors of the sums, one or one per output channel, or null.",
      "::mlir::Value", "getScale">,
    InterfaceMethod<"The factors as a range to assign to.",
      "::mlir::MutableOperandRange", "getScaleMutable">,
    InterfaceMethod<"The integer of the input that means 0.",
      "int32_t", "getInputZeroPoint">,
    InterfaceMethod<"The integer of the result that means 0.",
      "int32_t", "getOutputZeroPoint">,
    InterfaceMethod<"The integer of the residual that means 0.",
      "int32_t", "getResidualZeroPoint">,
    InterfaceMethod<"The factor of an integer residual.",
      "::llvm::APFloat", "getResidualScale">,
    InterfaceMethod<"The factor of an integer result before its rounding.",
      "::llvm::APFloat", "getOutputScale">,
    InterfaceMethod<"True if the input is 0 to 255.", "bool", "getInputUnsigned">,
    InterfaceMethod<"True if the result is 0 to 255.", "bool", "getOutputUnsigned">,
    InterfaceMethod<"True if the residual is 0 to 255.", "bool", "getResidualUnsigned">,
    InterfaceMethod<"True if the activation is rounded before the residual is added.",
      "bool", "getRoundActivation">,
    InterfaceMethod<"Sets whether the activation is rounded.",
      "void", "setRoundActivation", (ins "bool":$isRounded)>,
  ];
}

#endif // FUSION_INTERFACES_TD
