//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_CONVERSION_PASSES_TD
#define FUSION_CONVERSION_PASSES_TD

include "mlir/Pass/PassBase.td"

def ConvertFusionToLinalg : Pass<"convert-fusion-to-linalg"> {
  let summary = "decompose fusion ops on tensors to linalg";
  let description = [{
    Rewrites each fusion op on tensors to `tensor.pad`, a `linalg.generic`
    convolution or matrix multiplication that accumulates in f32 into a zero fill, and
    one element-wise `linalg.generic` that adds bias and residual, applies the
    activation and rounds. A transposed convolution becomes a convolution of an input
    with inserted zeros. A `fusion.pool` becomes a `tensor.pad` by minus infinity or 0
    and the pool of linalg, named where its layout has a name. It is the way to run
    without the runtime library, and a second oracle for tests.

    The pass fails on fusion ops on memrefs, with groups and a dynamic number of
    channels, and on transposed convolutions of dynamic spatial sizes.

    ```mlir
    %r = fusion.fused_conv_bias_act relu
           ins(%x, %w : ...) bias(%b : tensor<6xf32>) outs(%e : ...) -> ...
    ```
    becomes
    ```mlir
    %acc = linalg.generic ... ins(%x, %w) outs(%zero) { mulf, addf }
    %r = linalg.generic ... ins(%acc, %b) outs(%e) { addf, maximumf }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"];
}

def ConvertFusionToRuntime : Pass<"convert-fusion-to-runtime", "mlir::ModuleOp"> {
  let summary = "turn fusion ops on memrefs into calls of the runtime library";
  let description = [{
    Rewrites each fusion op on memrefs to one `fusion.rt.create` at the end of the
    module, which describes the call site, and one `fusion.rt.execute` where the op was.
    A filter that is constant (a `memref.get_global` of a constant global, or a
    function argument marked `fusion.constant`, also behind casts and reshapes) is
    marked `constant_filter`, so that it is packed once. `fusion-convert-to-llvm`, or
    upstream's `convert-to-llvm`, lowers these ops.

    A function `_fusion_release_<module>` frees the state that the runtime holds.
    Another, `_fusion_prepare_<module>`, creates the primitives of calls whose shapes
    are static before the first call, and packs filters that are constant globals.

    An activation under `nan_mode = propagate` whose kernels may lose a NaN becomes a
    `linalg.generic` on the result. If a residual comes after it, the sum is
    written to a buffer of its own first.

    ```mlir
    fusion.fused_conv_bias_act ins(%x, %w : memref<...>, memref<...>)
      bias(%b : memref<6xf32>) outs(%y : memref<...>)
    ```
    becomes
    ```mlir
    fusion.rt.execute @fusion_conv_0 ins(%x, %w : ...) bias(%b : ...) outs(%y : ...)
    ...
    fusion.rt.create @fusion_conv_0 #fusion.conv_desc<..., bias = true, constant_filter = true>
    ```

    With `allow-winograd` the runtime may compute f32 convolutions of constant filters
    of 3x3 and stride 1 by [minimal filtering](Runtime.md#winograd) where it expects
    that to be faster. Errors are then relative to the largest value of a tile and not
    of a window. NaN and infinities also reach outputs whose windows are near them.
  }];
  let options = [
    Option<"allowWinograd", "allow-winograd", "bool", /*default=*/"false",
      "Let the runtime compute 3x3 convolutions by Winograd's minimal filtering">
  ];
  let dependentDialects = ["::fusion::FusionDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::cf::ControlFlowDialect",
    "::mlir::memref::MemRefDialect"];
}

def FusionConvertToLLVM : Pass<"fusion-convert-to-llvm", "mlir::ModuleOp"> {
  let summary = "convert-to-llvm with a symbol table for calls of the runtime";
  let description = [{
    Converts what upstream's `convert-to-llvm` converts, `fusion.rt` ops included, by the
    same interface of all dialects. That pass gives no symbol table to its patterns, so that
    each call of a kernel looks for its call site among all ops of the module, in time
    that grows with the square of the number of calls. Nor does it convert a global without
    dimensions whose value is a resource.

    ```mlir
    fusion.rt.execute @fusion_conv_0 ins(%x, %w : ...) outs(%y : ...)
    ```
    becomes
    ```mlir
    llvm.call @fusion_call_conv_input_filter_init(%slot, %args, %0, %1, %2) : (...) -> ()
    ```
  }];
  let dependentDialects = ["::mlir::LLVM::LLVMDialect"];
}

#endif // FUSION_CONVERSION_PASSES_TD
