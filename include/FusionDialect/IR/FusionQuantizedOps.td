//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The fused ops on integers of 8 bits. FusionOps.td includes this file.

#ifndef FUSION_QUANTIZED_OPS_TD
#define FUSION_QUANTIZED_OPS_TD

/// A zero point. Its type in C++ has a sign, that of I32Attr none.
def Fusion_ZeroPointAttr
    : TypedSignlessIntegerAttrBase<I32, "int32_t", "32-bit signless integer attribute"> {
  let convertFromStorage = "static_cast<int32_t>($_self.getInt())";
}

/// Base class of the quantized ops. `ranks` are those of input, residual and init.
class Fusion_QuantizedOp<string mnemonic, string outputChannel, string filterChannel,
                         list<int> ranks, list<int> filterRanks, dag window>
    : Fusion_FusedOp<mnemonic, outputChannel, filterChannel,
                     [DeclareOpInterfaceMethods<Fusion_QuantizedOpInterface>]> {
  let arguments = !con((ins
    /*quantized_i1*/ Fusion_TensorOrMemRef<[I8], ranks>:$input,
    /*quantized_i2*/ Fusion_TensorOrMemRef<[I8], filterRanks>:$filter,
    /*quantized_i3*/ Optional<Fusion_TensorOrMemRef<[I32, F32], [1]>>:$bias,
    /*quantized_i4*/ Optional<Fusion_TensorOrMemRef<[F32], [1]>>:$scale,
    /*quantized_i5*/ Optional<Fusion_TensorOrMemRef<[I8, F32], ranks>>:$residual,
    /*quantized_i6*/ Fusion_TensorOrMemRef<[I8, I32, F32, BF16, F16], ranks>:$init),
    window, (ins
    Fusion_LayoutAttr:$input_layout,
    Fusion_LayoutAttr:$filter_layout,
    Fusion_LayoutAttr:$output_layout,
    OptionalAttr<Fusion_ActivationAttr>:$activation,
    UnitAttr:$residual_after_activation,
    /*quantized_i7*/ DefaultValuedAttr<Fusion_ZeroPointAttr, "0">:$input_zero_point,
    /*quantized_i8*/ DefaultValuedAttr<Fusion_ZeroPointAttr, "0">:$output_zero_point,
    /*quantized_i9*/ DefaultValuedAttr<Fusion_ZeroPointAttr, "0">:$residual_zero_point,
    /*quantized_i10*/ DefaultValuedAttr<F32Attr, "1.0f">:$residual_scale,
    /*quantized_i11*/ DefaultValuedAttr<F32Attr, "1.0f">:$output_scale,
    /*quantized_i12*/ UnitAttr:$input_unsigned,
    /*quantized_i13*/ UnitAttr:$output_unsigned,
    /*quantized_i14*/ UnitAttr:$residual_unsigned,
    /*quantized_i15*/ UnitAttr:$round_activation));
}

def Fusion_QuantizedConvBiasActOp
    : Fusion_QuantizedOp<"quantized_conv_bias_act", "c", "f", [3, 4, 5], [3, 4, 5],
                         Fusion_WindowAttributes> {
  let summary = "convolution of 8-bit integers with bias, scale, residual and activation";
  let description = [{
    Computes the sum of `fusion.fused_conv_bias_act` over integers, in i32 and with
    wrapping, and scales it. For ZX = `input_zero_point`, ZR = `residual_zero_point`,
    ZY = `output_zero_point`, RS = `residual_scale` and S = `output_scale`:

    ```
    acc[n,oc,o]    = sum of (input[...] - ZX) * filter[oc,ic,k]
                     + bias[oc], if the bias is i32
    v[n,oc,o]      = act(float(acc) * scale[oc] + bias[oc] + RS * float(residual - ZR))
                     bias only if it is f32
    result[n,oc,o] = acc                                              init is i32
                   = v, rounded once                      init is f32, bf16 or f16
                   = saturate(rint(v * S + float(ZY)))                 init is i8
    ```

    `v` is computed in f32, from left to right. `rint` rounds half to even. `saturate`
    clamps to -128..127, and to 0..255 with `output_unsigned`. An f32 residual is added
    as it is. `residual_after_activation(...)` is added to the activation, which
    `round_activation` rounds to an integer first, halves to even: so does a sum of two
    quantised tensors.

    Elements of `input` out of range are ZX: they add nothing. The filter is signed, and
    its zero point is 0. `scale` has one element for all channels or one for each, and is
    1 where absent. An i32 result has no scale, residual or activation, and an f32 bias
    needs another result. `input_unsigned`, `output_unsigned` and `residual_unsigned` say
    that the bits of an i8 are 0..255, since linalg's i8 has no sign. The activation of a
    NaN is unspecified.

    Layouts, windows, groups, memrefs and the text are those of
    `fusion.fused_conv_bias_act`; `scale(...)` stands behind `bias(...)`.

    ```mlir
    %r = fusion.quantized_conv_bias_act relu strides [2, 1]
         {input_zero_point = 3 : i32, output_unsigned, output_zero_point = 7 : i32}
         ins(%x, %w : tensor<1x3x10x12xi8>, tensor<6x3x3x3xi8>)
         bias(%b : tensor<6xi32>) scale(%s : tensor<6xf32>)
         outs(%e : tensor<1x6x4x10xi8>) -> tensor<1x6x4x10xi8>
    ```
  }];
  let extraClassDeclaration = [{
    /// Number of spatial dimensions: 1, 2 or 3.
    int64_t getSpatialRank() {
      return ::llvm::cast<::mlir::ShapedType>(getInput().getType()).getRank() - 2;
    }
  }];
}

def Fusion_QuantizedMatmulBiasActOp
    : Fusion_QuantizedOp<"quantized_matmul_bias_act", "n", "n", [1, 2, 3], [2, 3],
                         (ins)> {
  let summary = "matrix multiplication of 8-bit integers with bias, scale and activation";
  let description = [{
    Computes

    ```
    acc[b,m,n] = sum over k of (input[b,m,k] - ZX) * filter[b,k,n]
    ```

    with bias, scale, residual, activation and rounding as in
    `fusion.quantized_conv_bias_act`, and with layouts as in
    `fusion.fused_matmul_bias_act`.

    ```mlir
    %r = fusion.quantized_matmul_bias_act {input_zero_point = 3 : i32}
         ins(%x, %w : tensor<4x300xi8>, tensor<300x10xi8>) scale(%s : tensor<1xf32>)
         outs(%e : tensor<4x10xf32>) -> tensor<4x10xf32>
    ```
  }];
}

#endif // FUSION_QUANTIZED_OPS_TD
