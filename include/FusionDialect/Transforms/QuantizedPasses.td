//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The passes of fusion-compile on products of integers. Passes.td includes them.

#ifndef FUSION_TRANSFORMS_QUANTIZEDPASSES_TD
#define FUSION_TRANSFORMS_QUANTIZEDPASSES_TD

include "mlir/Pass/PassBase.td"

def FusionPreferUnsigned : Pass<"fusion-prefer-unsigned"> {
  let summary = "make tensors unsigned that are signed with the zero point -128";
  let description = [{
    TFLite's tensors behind a relu are signed, with the zero point -128. Kernels correct sums
    for the sign and the zero point of the input, most of all where windows reach into padding.
    The same tensor with the first bit of each number flipped is unsigned and has the zero point 0.
    This pass makes it so where ops that have the sign as an attribute alone write and read it:
    convolutions, matrix multiplications and maximum pools, with reshapes, slices, concatenations
    and transposes between them. Other zero points grow by 128, too.

    Tensors between which nothing changes the sign become unsigned together: a residual and the
    result that it is added to, since kernels add a residual of the type of the result, and input
    and result of an op that moves elements. They do if a product of integers reads one of them
    with the zero point -128. A remark says which op keeps the sign of its input.

    A result that is at most 2^-17 from a tie may differ by 1, which fewer than 8 in a million are:
    f32 holds the sum with another zero point with more bits, or fewer. Thus `fusion-compile` runs
    the pass with `quant-rounding=nearest`, and not with `exact`.

    ```mlir
    %r = fusion.quantized_conv_bias_act relu {input_zero_point = 5 : i32, output_zero_point = -128 : i32}
           ins(%x, %w : tensor<1x8x9x3xi8>, ...) ... -> tensor<1x7x5x6xi8>
    %s = fusion.quantized_conv_bias_act {input_zero_point = -128 : i32, output_zero_point = 3 : i32}
           ins(%r, %v : tensor<1x7x5x6xi8>, ...) ... -> tensor<1x7x5x4xi8>
    ```
    becomes
    ```mlir
    %r = fusion.quantized_conv_bias_act relu {input_zero_point = 5 : i32, output_unsigned}
           ins(%x, %w : tensor<1x8x9x3xi8>, ...) ... -> tensor<1x7x5x6xi8>
    %s = fusion.quantized_conv_bias_act {input_unsigned, output_zero_point = 3 : i32}
           ins(%r, %v : tensor<1x7x5x6xi8>, ...) ... -> tensor<1x7x5x4xi8>
    ```
  }];
}

#endif // FUSION_TRANSFORMS_QUANTIZEDPASSES_TD
