//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_ATTRS_TD
#define FUSION_ATTRS_TD

include "FusionDialect/IR/FusionDialect.td"
include "mlir/IR/AttrTypeBase.td"
include "mlir/IR/EnumAttr.td"

//===----------------------------------------------------------------------===//
// Layout
//===----------------------------------------------------------------------===//

def Fusion_LayoutAttr : AttrDef<Fusion_Dialect, "Layout"> {
  let mnemonic = "layout";
  let summary = "the order of dimensions, a letter each";
  let description = [{
    `#fusion.layout<nchw>` names the dimensions of a tensor or memref, outermost first.
    Each letter is there at most once:

    | letters       | dimension                                                     |
    |---------------|---------------------------------------------------------------|
    | `n`           | batch; in a matrix multiplication, column                     |
    | `c`           | channel                                                       |
    | `f`           | output channel of a filter                                    |
    | `g`           | group                                                         |
    | `d`, `h`, `w` | spatial: a 1-D convolution has `w`, a 2-D one `h` and `w`     |
    | `b`, `m`, `k` | batch and row of a matrix multiplication, and what it sums over |

    The ops say which of them an operand has. A string such as `"nchw"`, which former
    versions wrote, is read as a layout in the braces of an op and in bytecode; not in the
    generic form.
  }];
  let parameters = (ins StringRefParameter<"a letter a dimension">:$letters);
  let extraClassDeclaration = [{
    /// The number of dimensions.
    int64_t getRank() const { return getLetters().size(); }
    /// Whether a dimension is called `letter`.
    bool has(char letter) const { return getLetters().contains(letter); }
    /// The position of dimension `letter`, or -1 if there is none.
    int64_t getPosition(char letter) const;
    /// The position of each of `letters`, or -1 for one that there is not.
    ::llvm::SmallVector<int64_t> getPositions(::llvm::StringRef letters) const;
    /// The positions of the spatial dimensions, in the order d, h, w.
    ::llvm::SmallVector<int64_t> getSpatialPositions() const;
    /// The size of dimension `letter` of `value`, of a shaped type; may be dynamic.
    int64_t getDimSize(::mlir::Value value, char letter) const;

    /// True if the dimensions are `letters`, in any order.
    bool isPermutationOf(::llvm::StringRef letters) const;
    /// The layout after a transpose that makes dimension `permutation[i]`
    /// dimension i.
    LayoutAttr permute(::llvm::ArrayRef<int64_t> permutation) const;
    /// The layout with n first, then the spatial dimensions, and the channel last:
    /// `nhwc` for `nchw`.
    LayoutAttr getChannelsLast() const;
    bool isChannelsLast() const { return *this == getChannelsLast(); }

    /// Parses the letters without brackets. Null after an error.
    static LayoutAttr parseLetters(::mlir::AsmParser &parser);
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// Activation
//===----------------------------------------------------------------------===//

def Fusion_ActivationAttr : AttrDef<Fusion_Dialect, "Activation"> {
  let mnemonic = "activation";
  let summary = "an activation with its parameters";
  let description = [{
    `#fusion.activation<relu>`, `#fusion.activation<clip, 0.0, 6.0>`: the name of
    a scalar function, computed in f32, and its parameters `alpha` and `beta` as
    far as it has them.

    [The table](FusedConvBiasAct.md#activations) has all of them.
    `silu` is `swish` with `alpha = 1`; `relu6` is `clip` with `0, 6`.
  }];
  let parameters = (ins
    "::fusion::ActivationKind":$kind,
    APFloatParameter<"first parameter">:$alpha,
    APFloatParameter<"second parameter">:$beta);
  let builders = [
    AttrBuilder<(ins "::fusion::ActivationKind":$kind,
                     CArg<"float", "0.0f">:$alpha, CArg<"float", "0.0f">:$beta)>
  ];
  let extraClassDeclaration = [{
    /// How many of `alpha`, `beta` the activation `kind` has: 0, 1 or 2.
    static unsigned getNumParameters(::fusion::ActivationKind kind);

    /// Parses the parameters of `kind` in parentheses, if it has any. Null after
    /// an error.
    static ActivationAttr parseParameters(::mlir::AsmParser &parser,
                                          ::llvm::SMLoc loc,
                                          ::fusion::ActivationKind kind);
    /// Prints the parameters in parentheses, if there are any.
    void printParameters(::mlir::AsmPrinter &printer) const;

    /// True if every known kernel returns NaN for NaN, so that the activation
    /// may be folded under `nan_mode = propagate` too.
    bool propagatesNaN();
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

//===----------------------------------------------------------------------===//
// NaN mode
//===----------------------------------------------------------------------===//

def Fusion_NaNMode : I32EnumAttr<"NaNMode", "what a NaN becomes in an activation", [
      I32EnumAttrCase<"Fast", 0, "fast">,
      I32EnumAttrCase<"Propagate", 1, "propagate">,
    ]> {
  let cppNamespace = "::fusion";
  let genSpecializedAttr = 0;
}

def Fusion_NaNModeAttr : EnumAttr<Fusion_Dialect, Fusion_NaNMode, "nan"> {
  let assemblyFormat = "`<` $value `>`";
}

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

def Fusion_Pooling : I32EnumAttr<"Pooling", "what a pool makes of a window", [
      I32EnumAttrCase<"Max", 1, "max">,
      I32EnumAttrCase<"Sum", 2, "sum">,
    ]> {
  let cppNamespace = "::fusion";
  let genSpecializedAttr = 0;
}

def Fusion_PoolingAttr : EnumAttr<Fusion_Dialect, Fusion_Pooling, "pooling"> {
  let assemblyFormat = "`<` $value `>`";
}

//===----------------------------------------------------------------------===//
// Runtime calls
//===----------------------------------------------------------------------===//

def Fusion_OperandAttr : AttrDef<Fusion_Dialect, "Operand"> {
  let mnemonic = "operand";
  let summary = "layout and element type of an operand of a runtime call";
  let description = [{
    For example `#fusion.operand<nchw, f32>`. The type is f32, bf16 or f16, or si8, ui8
    or si32 of a call with a quantization. A memref of i8 or i32 is such an operand.
  }];
  let parameters = (ins "::fusion::LayoutAttr":$layout, "::mlir::Type":$element_type);
  let assemblyFormat = "`<` custom<Letters>($layout) `,` $element_type `>`";
  let genVerifyDecl = 1;
}

/// A factor of numbers before they are rounded.
def Fusion_FactorParameter : DefaultValuedParameter<"::mlir::FloatAttr",
    "::mlir::FloatAttr::get(::mlir::Float32Type::get($_ctxt), 1.0)">;

def Fusion_QuantizationAttr : AttrDef<Fusion_Dialect, "Quantization"> {
  let mnemonic = "quantization";
  let summary = "the parameters that only a runtime call on integers has";
  let description = [{
    The parameters of `fusion.quantized_conv_bias_act` that a float op is without. The
    bias is si32 with `integer_bias`, else f32. `scale` says that there are scales.
    `constant_scale` promises that scales and bias do not change until
    `fusion.rt.release`.

    ```mlir
    #fusion.quantization<input_zero_point = 3, output_scale = 5.0e-01 : f32, scale = true>
    ```
  }];
  let parameters = (ins
    DefaultValuedParameter<"int32_t", "0">:$input_zero_point,
    DefaultValuedParameter<"int32_t", "0">:$output_zero_point,
    DefaultValuedParameter<"int32_t", "0">:$residual_zero_point,
    Fusion_FactorParameter:$residual_scale, Fusion_FactorParameter:$output_scale,
    DefaultValuedParameter<"bool", "false">:$integer_bias,
    DefaultValuedParameter<"bool", "false">:$scale,
    DefaultValuedParameter<"bool", "false">:$constant_scale,
    DefaultValuedParameter<"bool", "false">:$round_activation);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

/// Base class of the descriptors of ops with a filter: the operands, `window`, then
/// what is done with the sum.
class Fusion_LinearDescAttr<string name, string attrMnemonic, dag window>
    : AttrDef<Fusion_Dialect, name> {
  let mnemonic = attrMnemonic;
  let parameters = !con(
    (ins "::fusion::OperandAttr":$input, "::fusion::OperandAttr":$filter,
         "::fusion::OperandAttr":$init),
    window,
    (ins
      DefaultValuedParameter<"bool", "false">:$bias,
      OptionalParameter<"::fusion::ActivationAttr">:$activation,
      OptionalParameter<"::mlir::Type", "element type of the residual">:$residual,
      DefaultValuedParameter<"bool", "false">:$residual_after_activation,
      DefaultValuedParameter<"bool", "false">:$constant_filter,
      OptionalParameter<"::fusion::QuantizationAttr">:$quantization));
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

def Fusion_ConvDescAttr : Fusion_LinearDescAttr<"ConvDesc", "conv_desc", (ins
    "::mlir::DenseI64ArrayAttr":$strides, "::mlir::DenseI64ArrayAttr":$dilations,
    "::mlir::DenseI64ArrayAttr":$pad_low, "::mlir::DenseI64ArrayAttr":$pad_high,
    DefaultValuedParameter<"int64_t", "1">:$groups,
    DefaultValuedParameter<"bool", "false">:$transposed,
    DefaultValuedParameter<"bool", "false">:$allow_winograd)> {
  let summary = "a call of the runtime that computes a convolution";
  let description = [{
    Has what the op has, `fusion.fused_deconv_bias_act` if it is `transposed`, and
    `fusion.quantized_conv_bias_act` if it has a `quantization`. With `allow_winograd`
    the runtime may compute it with Winograd's minimal filtering.

    ```mlir
    #fusion.conv_desc<input = <nhwc, f32>, filter = <hwcf, f32>, init = <nhwc, f32>,
                      strides = [2, 1], dilations = [1, 1], pad_low = [0, 0],
                      pad_high = [0, 0], bias = true, activation = <relu>>
    ```
  }];
}

def Fusion_MatmulDescAttr
    : Fusion_LinearDescAttr<"MatmulDesc", "matmul_desc", (ins)> {
  let summary = "a call of the runtime that computes a matrix multiplication";
  let description = [{
    ```mlir
    #fusion.matmul_desc<input = <mk, f32>, filter = <nk, f32>, init = <mn, f32>,
                        residual = f32, constant_filter = true>
    ```
  }];
}

def Fusion_PoolDescAttr : AttrDef<Fusion_Dialect, "PoolDesc"> {
  let mnemonic = "pool_desc";
  let summary = "a call of the runtime that computes a pool";
  let description = [{
    The init is as the input.

    ```mlir
    #fusion.pool_desc<pooling = max, input = <nhwc, f32>, kernel = [3, 3],
                      strides = [2, 2], pad_low = [1, 1], pad_high = [0, 0]>
    ```
  }];
  let parameters = (ins
    EnumParameter<Fusion_Pooling>:$pooling,
    "::fusion::OperandAttr":$input,
    "::mlir::DenseI64ArrayAttr":$kernel, "::mlir::DenseI64ArrayAttr":$strides,
    "::mlir::DenseI64ArrayAttr":$pad_low, "::mlir::DenseI64ArrayAttr":$pad_high);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
}

// Bytecode from before version 0.3 has it in place of a descriptor.
def Fusion_CallKind : I32EnumAttr<"CallKind", "which function of the runtime is called", [
      I32EnumAttrCase<"Conv", 0, "conv">,
      I32EnumAttrCase<"Matmul", 1, "matmul">,
      I32EnumAttrCase<"Deconv", 2, "deconv">,
      I32EnumAttrCase<"Pool", 3, "pool">,
    ]> {
  let cppNamespace = "::fusion";
  let genSpecializedAttr = 0;
}

def Fusion_CallKindAttr : EnumAttr<Fusion_Dialect, Fusion_CallKind, "call"> {
  let description = "Is read in old bytecode, and no op has it any more.";
  let assemblyFormat = "`<` $value `>`";
}

#endif // FUSION_ATTRS_TD
