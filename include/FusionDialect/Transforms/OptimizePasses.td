//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The passes of fusion-optimize, and those that a user puts behind it. Passes.td includes
// them.

#ifndef FUSION_TRANSFORMS_OPTIMIZEPASSES_TD
#define FUSION_TRANSFORMS_OPTIMIZEPASSES_TD

include "mlir/Pass/PassBase.td"

def FusionRaise : Pass<"fusion-raise"> {
  let summary = "raise convolutions and matrix multiplications to fusion ops with nothing fused";
  let description = [{
    Rewrites each convolution, a named op of linalg or a `linalg.generic` that sums up products of
    windows, to `fusion.fused_conv_bias_act`. Group dimensions are collapsed into channels; sizes
    that a form leaves out (batch, channel, window, output) become 1. The contents of `outs`
    become the residual, or the bias if they vary along the output channel only; a zero fill is
    dropped. A convolution that accumulates into `tensor.empty` is left as it is.

    Each contraction that is a matrix multiplication, named or generic, becomes
    `fusion.fused_matmul_bias_act` in the same way. Its second operand is the filter. It is the
    first one if the second has no dimension of its own in the result, if the first alone is known
    to be constant, or, where that decides nothing, if the first alone is a broadcast. Rows, columns
    or sums that stand apart are joined by transposes where each element is used 16 times.

    A generic may compute factors of its sum of products in its body, as upstream's passes leave it:
    `sum(x * (w * s))`. If the factors make it a convolution or matrix multiplication, each that is
    computed becomes an op of its own, over the largest of its inputs; one of constants is the filter.
    Sums over one element are dropped if in the way. Factors read at one index are sliced there.

    ```mlir
    %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
    %r = linalg.conv_2d_nchw_fchw
           ins(%x, %w : tensor<1x3x10x10xf32>, tensor<6x3x3x3xf32>)
           outs(%f : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
    ```
    becomes
    ```mlir
    %r = fusion.fused_conv_bias_act
           ins(%x, %w : tensor<1x3x10x10xf32>, tensor<6x3x3x3xf32>)
           outs(%e : tensor<1x6x8x8xf32>) -> tensor<1x6x8x8xf32>
    ```
  }];
  let options = [
    Option<"allowContractRounding", "allow-contract-rounding", "bool", "true",
           "Raise ops that accumulate in bf16 or f16: the fusion op "
           "accumulates in f32 and rounds once">,
  ];
  let dependentDialects = ["::fusion::FusionDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def FusionSplitAtIntegers : Pass<"fusion-split-at-integers"> {
  let summary = "split ops in whose bodies integers of 8 bits pass";
  let description = [{
    `linalg-fuse-elementwise-ops` merges a quantisation with the dequantisation behind it, with
    the sum of a residual, or with a convolution or pool in generic form. This pass undoes it:
    it splits the body of a `linalg.generic`

    - at each integer of 8 bits that the body makes of another number and reads again,
    - at a dequantised number that is added to a product in f32, or that a window op reads,
    - at a bias that is computed of integers, and at its sum with a product of integers.

    Results are the same bit by bit. `fusion-merge-elementwise` merges what no kernel takes.

    ```mlir
    %r = linalg.generic ... ins(%x : tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.divf %in, %s : f32
      %1 = math.roundeven %0 : f32
      %2 = arith.maximumf %1, %min : f32
      %3 = arith.minimumf %2, %max : f32
      %4 = arith.fptosi %3 : f32 to i8
      %5 = arith.sitofp %4 : i8 to f32
      %6 = arith.mulf %5, %s : f32
      linalg.yield %6 : f32
    } -> tensor<5x6xf32>
    ```
    becomes
    ```mlir
    %q = linalg.generic ... ins(%x : tensor<5x6xf32>) outs(%e8 : tensor<5x6xi8>) {
    ^bb0(%in: f32, %out: i8):
      %0 = arith.divf %in, %s : f32
      %1 = math.roundeven %0 : f32
      %2 = arith.maximumf %1, %min : f32
      %3 = arith.minimumf %2, %max : f32
      %4 = arith.fptosi %3 : f32 to i8
      linalg.yield %4 : i8
    } -> tensor<5x6xi8>
    %r = linalg.generic ... ins(%q : tensor<5x6xi8>) outs(%e : tensor<5x6xf32>) {
    ^bb0(%in: i8, %out: f32):
      %5 = arith.sitofp %in : i8 to f32
      %6 = arith.mulf %5, %s : f32
      linalg.yield %6 : f32
    } -> tensor<5x6xf32>
    ```

    A remark says why an op stays as it is: what makes the integer is also read otherwise, or
    reads no input that has all of its dimensions.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

def FusionMergeQuantization : Pass<"fusion-merge-quantization"> {
  let summary = "merge the steps of a dequantisation or quantisation into one op";
  let description = [{
    Front ends may write an op for each step, with tensors of constants. Laws read one op. This
    pass merges conversions, differences and products with constants that make numbers of integers
    of 8 bits, or floats of sums; and what makes integers of 8 bits, from the product with the one
    scale on. It reads constants, not tensors that repeat them. A sum in i32 may be bounded first, have
    scales that only a call knows, and be quantised by the same op. Results stay the same.
    ```mlir
    %0 = linalg.generic ... ins(%x : tensor<5x6xi8>) ... { arith.sitofp }
    %s = linalg.fill ins(%scale : f32) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
    %r = linalg.mul ins(%0, %s : tensor<5x6xf32>, tensor<5x6xf32>) outs(%e : tensor<5x6xf32>) -> tensor<5x6xf32>
    ```
    becomes
    ```mlir
    %r = linalg.generic ... ins(%x, %scale : tensor<5x6xi8>, f32) ... { arith.sitofp, arith.mulf }
    ```
  }];
  let dependentDialects = ["mlir::linalg::LinalgDialect"];
}

def FusionFuse : Pass<"fusion-fuse"> {
  let summary = "fold what surrounds a fusion op into it";
  let description = [{
    Applies laws until none applies. A law is a rewrite pattern, or a few, that folds
    one thing into a fusion op, here `fused(x, w)`:

    | law          | rewrites                                                       |
    |--------------|----------------------------------------------------------------|
    | `pad`        | `fused(pad(x, 0), w)  ->  fused(x, w, pad)`; the padding is of spatial dimensions; a slice of the result that leaves out windows of padding makes it less |
    | `deconv`     | `fused(zeros inserted(x), w)  ->  transposed fused(x, flip(w))`; the same of a depth-to-space of the result |
    | `dilation`   | `fused(x, zeros inserted(w))  ->  fused(x, w, dilations)`; the same of integers is part of `fusion-fuse-quantized` |
    | `reshape`    | `f(expand(fused(x, w)))  ->  expand(f(fused(x, w)))`, where the output channel is split, also behind a reshape that keeps it; an operand of `f` that varies along a part of it becomes one that varies along all of it; a reshape that adds dimensions of size 1 may be merged with `f`; reshapes that follow each other become one |
    | `results`    | `(f(c), g(f(c)))  ->  r = f(c), (r, g(r)), c = fused(x, w)`, and drops unused results |
    | `transpose`  | `transpose(fused(x, w))  ->  fused(x, w), layout permuted`; the same of an operand, for a matrix multiplication also behind a reshape, of a transpose merged into the op that follows, and of one behind a reshape that splits dimensions, if it keeps the parts of each together |
    | `broadcast`  | `fused(x, broadcast(w) along b)  ->  fused(x, w)`; `b` is the batch of a matrix multiplication; reshapes and transposes may stand between |
    | `cast`       | `narrow(fused(x, w) : f32)  ->  fused(x, w) : narrow`          |
    | `bias`       | `fused(x, w) + b  ->  fused(x, w, bias = b)`; `b` varies along the output channel only, alone or in a sum; the operands of a matrix multiplication change places where that makes `b` a bias, unless the second one is constant |
    | `scale`      | `fused(x, w, b) * s  ->  fused(x, w * s, b * s)`; `s` varies along the output channel only |
    | `bn`         | `fused(x, w, b) / sqrt(v)  ->  fused(x, w / sqrt(v), b / sqrt(v))`, as of a batch norm |
    | `residual`   | `fused(x, w) + t  ->  fused(x, w, residual = t)`; `t` has the shape of the result, also behind reshapes, and may be added after the activation |
    | `activation` | `act(fused(x, w))  ->  fused(x, w, activation = act)`; a scalar function in one op or several |

    A law folds an op behind the fusion op only where nothing else uses the value
    between them. Each convolution and matrix multiplication gets a remark of the
    category `fusion`: passed with the parts that were folded, or missed with the reason.

    ```mlir
    %b4 = tensor.reshape %b(%shape) : (tensor<6xf32>, tensor<4xi64>) -> tensor<1x6x1x1xf32>
    %s = linalg.generic ... ins(%conv, %b4) { addf }
    %r = linalg.generic ... ins(%s) { maximumf 0 }
    ```
    becomes
    ```mlir
    %r = fusion.fused_conv_bias_act relu
           ins(%x, %w : ...) bias(%b : tensor<6xf32>) outs(%e : ...) -> ...
    ```
  }];
  let options = [
    Option<"allowReshape", "allow-reshape", "bool", "true",
           "Fold a bias that comes through tensor.reshape, expand_shape or "
           "collapse_shape">,
    Option<"nanMode", "nan-mode", "::fusion::NaNMode", "::fusion::NaNMode::Fast",
           "Result of an activation for a NaN",
           [{::llvm::cl::values(
             clEnumValN(::fusion::NaNMode::Fast, "fast",
                        "unspecified, as the kernel does it"),
             clEnumValN(::fusion::NaNMode::Propagate, "propagate",
                        "NaN; activations that kernels do otherwise stay outside"))}]>,
    Option<"allowContractRounding", "allow-contract-rounding", "bool", "true",
           "Fold ops that follow a rounding to bf16 or f16: the fusion op rounds "
           "once, at the end">,
    ListOption<"disable", "disable", "std::string",
               "Laws to switch off, by name">,
  ];
  let dependentDialects = ["::fusion::FusionDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::pdl::PDLDialect", "::mlir::pdl_interp::PDLInterpDialect",
    "::mlir::tensor::TensorDialect"];
}

def FusionFuseQuantized : Pass<"fusion-fuse-quantized"> {
  let summary = "make ops on integers of products of integers and of dequantised tensors";
  let description = [{
    Runs behind `fusion-fuse`, which folds what stands between a dequantisation and a
    quantisation into one op in f32, and behind `fusion-raise-pools`. These laws apply:

    | rewrites                                                                    |
    |-----------------------------------------------------------------------------|
    | `convolution or product of linalg, i8 x i8 -> i32  ->  quantized(x, w) : i32` |
    | `quantized(pad(x, zero point), w)  ->  quantized(x, w), with these pads`      |
    | `fused(dequantise(x), dequantise(w)) : f32  ->  quantized(x, w) : f32`      |
    | `transposed fused(dequantise(x), dequantise(w))  ->  depth-to-space(fused(dequantise(x), split(dequantise(w))))` |
    | `quantise(quantized(x, w) : f32) : i8  ->  quantized(x, w) : i8`            |
    | `requantise(quantized(x, w) : i32) : i8  ->  quantized(x, w) : i8`          |
    | `dequantise(quantized(x, w) : i32) : f32  ->  quantized(x, w) : f32`        |
    | `quantized(x, w) + dequantise(y)  ->  quantized(x, w, residual = y)`        |
    | `quantized(x, w) : i32 + b  ->  quantized(x, w, bias = b)`                  |
    | `f(reshape(quantized(x, w)))  ->  reshape(f(quantized(x, w)))`, and so for a transpose or slice of i32 |
    | `collapse(dequantise(x, scales))  ->  dequantise(collapse(x), collapse(scales))`, and so for a transpose |
    | `quantized(x + 128, w)  ->  quantized(x, w)`, x read with the other sign    |
    | `clamp(quantized(x, w) : i8 + 128)  ->  quantized(x, w) : i8`               |
    | bias, residual and activation of `fusion-fuse`, behind an f32 result        |
    | `move(dequantise(x))  ->  dequantise(move(x))`, also of a transpose that is merged into it |
    | `quantise(move(quantized(x, w) : f32))  ->  move(quantise(quantized(x, w)))` |
    | `quantise(concat(x, ...))  ->  concat(quantise(x), ...)`, and so of parts inserted into an empty tensor |
    | `quantise(dequantise(x))  ->  x, or one op on x`, also with a relu between    |
    | `sum over the image of dequantise(x)  ->  a loop that reads x`              |

    A convolution or matrix multiplication of linalg, named or generic, is raised if it adds
    up `(x - zero point) * w` in i32, x signed or not, also where another op extends x or w to
    i32 or pads them then. The zero point is a constant, captured, extracted of a tensor or an operand, and
    what it accumulates into is zero or varies along the output channel, which is the bias.
    A padding by another number than the zero point makes that number the zero point, and adds
    the difference times the sum of the filter, which must be constant, to the bias.

    Any element-wise op of linalg that computes `(x - zero point) * scale` of an i8 tensor
    dequantises, and one that computes `clamp(round(v * scale) + zero point)` quantises, whatever ops spell it. The
    scale of the filter may vary along the output channel, also behind ops that move its elements and factors that `fusion-fuse`
    has folded into it: of a batch norm whose numbers are arguments, too. Its zero point is 0. The size of the filter
    must be known, so that sums do not leave i32. A dequantised residual is read as integers, too.

    The scale of the result goes into `scale`, `bias` and `residual_scale` where these
    are constant and the activation allows it, and is `output_scale` otherwise. Bounds
    of the quantisation become the activation. A constant bias in f32 then becomes one of
    i32, a part of the sum: `round(bias / scale)`, if that is below 2^23 and moves no value
    in front of the rounding by more than 1/32 of a step. With `quant-rounding=exact` it must
    be a multiple of the scale. In the same way `residual_scale` is rounded to 15 bits, for
    kernels that fuse multiplication and addition, and is left as it is with `exact`.

    A slice that leaves away the end of an image is dropped where the windows of the
    convolution are the same without it.

    Integers that are added to the sum and vary along the output channel, if at all, are added
    to its bias. They are computed now where all that they depend on is constant, as a
    correction by a zero point times the sum of the filter is.

    An element-wise op of linalg that computes `clamp(round(sum * scale) + zero point)`
    requantises, in floats or in integers as `tosa.apply_scale` does, with one scale or one
    for each channel. Integers that it adds to the sum are added to the i32 bias, and numbers
    that it adds to the product are the zero point or else the bias. One that makes f32 of
    the sum, `sum * scale + bias`, is folded as well, bounds behind it included. Either may add
    a tensor of f32, or a dequantised one of i8, which becomes the residual.

    Integers of 8 bits to which 128 is added, or whose first bit is flipped, are the same bits
    with the other sign and another zero point. Bounds of an i8 result become the activation.

    A maximum pool, transpose, reshape, cast or slice moves elements, and so does a padding
    of a dequantised tensor by 0. It moves integers in place of the floats that they
    stand for, which gives the same integers, to the last bit.

    A sum over a whole image that is dequantised for nothing else, as in a mean, becomes a
    reduction of linalg, into which `fusion-merge-elementwise` merges the dequantisation. A
    kernel would read floats.

    The result of an op may be 1 off where the value lies on a tie but for the rounding of floats,
    and on a tie where the quantisation rounds half up or away from zero, or adds an odd zero point after
    the rounding, and so it may where TOSA rounds twice. With `quant-rounding=exact` a quantisation becomes part of the op only
    where it rounds half to even, without a zero point, and its scale is a power of two. A
    requantisation then has to be the formula of the op, in this order and in f32.

    A product of integers that stays as it is, an op that reads integers and stays in
    f32, one whose result another op quantises or requantises, or one that moves dequantised
    numbers, gets a remark of the category `fusion` with the reason.

    ```mlir
    %xd = linalg.generic ... ins(%x : tensor<1x3x8x8xi8>) { (x + 14) * 0.02 }
    %wd = linalg.generic ... ins(%w, %s : tensor<4x3x3x3xi8>, tensor<4xf32>) { w * s }
    %c = fusion.fused_conv_bias_act relu ins(%xd, %wd : ...) ...
    %r = linalg.generic ... ins(%c) { clamp(round(c / 0.05) - 128, -128, 127) }
    ```
    becomes
    ```mlir
    %r = fusion.quantized_conv_bias_act relu
           {input_zero_point = -14 : i32, output_zero_point = -128 : i32}
           ins(%x, %w : tensor<1x3x8x8xi8>, tensor<4x3x3x3xi8>) scale(... : tensor<4xf32>)
           outs(%e : tensor<1x4x6x6xi8>) -> tensor<1x4x6x6xi8>
    ```
  }];
  let options = [
    Option<"rounding", "quant-rounding", "::fusion::QuantRounding",
           "::fusion::QuantRounding::Nearest",
           "Quantisation that may become part of an op",
           [{::llvm::cl::values(
             clEnumValN(::fusion::QuantRounding::Nearest, "nearest",
                        "any that rounds to the nearest integer: at most 1 off"),
             clEnumValN(::fusion::QuantRounding::Exact, "exact",
                        "one that the op computes in the same way"))}]>,
    Option<"nanMode", "nan-mode", "::fusion::NaNMode", "::fusion::NaNMode::Fast",
           "Result of an activation for a NaN",
           [{::llvm::cl::values(
             clEnumValN(::fusion::NaNMode::Fast, "fast",
                        "unspecified, as the kernel does it"),
             clEnumValN(::fusion::NaNMode::Propagate, "propagate",
                        "NaN; activations that kernels do otherwise stay outside"))}]>,
  ];
  let dependentDialects = ["::fusion::FusionDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::pdl::PDLDialect", "::mlir::pdl_interp::PDLInterpDialect",
    "::mlir::tensor::TensorDialect"];
}

def FusionRaisePools : Pass<"fusion-raise-pools"> {
  let summary = "turn pools of linalg into fusion.pool";
  let description = [{
    Rewrites maximum and sum pools of linalg, named or generic, to `fusion.pool`. A
    padding of the input by the smallest number, or by 0 for a sum, becomes part of
    the op. Elements are f32, bf16 or f16, and i8 for a maximum, with a sign or, as
    `linalg.pooling_nhwc_max_unsigned` has them, without. Pools with dilations, with an
    initial value of another kind, or of other elements stay as they are.

    ```mlir
    %p = tensor.pad %x low[0, 1, 1, 0] high[0, 1, 1, 0] { tensor.yield %lowest }
    %r = linalg.pooling_nhwc_max {strides = dense<2> : tensor<2xi64>, ...}
           ins(%p, %window : tensor<1x114x114x64xf32>, tensor<3x3xf32>) outs(%filled : ...)
    ```
    becomes
    ```mlir
    %r = fusion.pool {pooling = #fusion.pooling<max>, layout = #fusion.layout<nhwc>,
           kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>,
           pad_low = array<i64: 1, 1>, pad_high = array<i64: 1, 1>}
           ins(%x : tensor<1x112x112x64xf32>) outs(%e : ...)
    ```
  }];
  let options = [
    Option<"nanMode", "nan-mode", "::fusion::NaNMode", "::fusion::NaNMode::Fast",
           "Maximum of a NaN: fast (as the kernel does it) or propagate "
           "(maximum pools stay in linalg)",
           "::llvm::cl::values("
           "clEnumValN(::fusion::NaNMode::Fast, \"fast\", \"as the kernel does it\"), "
           "clEnumValN(::fusion::NaNMode::Propagate, \"propagate\", \"NaN\"))">,
    Option<"allowContractRounding", "allow-contract-rounding", "bool", "true",
           "Raise sums in bf16 or f16: the fusion op sums in f32 and rounds once">,
  ];
  let dependentDialects = ["::fusion::FusionDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

def FusionDropTaps : Pass<"fusion-drop-taps"> {
  let summary = "drop the taps of a filter that read only padding";
  let description = [{
    A tap of a filter, one place of its kernel, reads only padding where the kernel reaches
    farther than the image: `fused(x, w)  ->  fused(x, slice(w))`, with less padding. A kernel of
    3 by 3 pixels with dilations of 36 on images of 32 by 32, as DeepLabV3 has it, is one of 1 by 1,
    with a ninth of the work. So is one without dilations on images of one pixel, as in the heads
    of an SSD.

    Each spatial dimension of known sizes is cut at both ends, in convolutions of floats and of
    integers, grouped ones included. One tap must read an element, and no pad may become negative,
    which would cut the image off. A constant filter is cut at compile time, and one that is
    computed from `fusion.constant` arguments once. Of any other the kernel reads a view in each
    call. Transposed convolutions stay as they are.

    ```mlir
    %r = fusion.fused_conv_bias_act dilations [36, 36] pad_low [36, 36] pad_high [36, 36]
           ins(%x, %w : tensor<1x2048x32x32xf32>, tensor<256x2048x3x3xf32>) ...
    ```
    becomes
    ```mlir
    %v = tensor.extract_slice %w[0, 0, 1, 1] [256, 2048, 1, 1] [1, 1, 1, 1] : ...
    %r = fusion.fused_conv_bias_act
           ins(%x, %v : tensor<1x2048x32x32xf32>, tensor<256x2048x1x1xf32>) ...
    ```
  }];
  let dependentDialects = ["::fusion::FusionDialect", "::mlir::arith::ArithDialect",
    "::mlir::tensor::TensorDialect"];
}

def FusionRaiseGathers : Pass<"fusion-raise-gathers"> {
  let summary = "turn gathers of repeated elements into broadcasts";
  let description = [{
    Front ends write the resizing of an image to its nearest elements as a generic op
    that computes an index for each element, in integers or in floats, and extracts it
    there. Where each element of the image comes out the same number of times in a row,
    as in upsampling by an integer, this is a broadcast between dimensions. Written as
    one, it takes any layout and needs no gather.

    Indices are folded by upstream's folders for each position, so that their
    spelling does not matter. Sizes have to be static, and 65536 at most, and the index of a dimension may
    depend on the loop of the same number only. Other gathers stay as they are.

    ```mlir
    %r = linalg.generic ... outs(%e : tensor<1x8x12x10xf32>) {
      ...
      %y = arith.floordivsi %i2, %c2 : index
      %x = arith.floordivsi %i3, %c2 : index
      %element = tensor.extract %image[%i0, %i1, %y, %x] : tensor<1x8x6x5xf32>
      linalg.yield %element : f32
    }
    ```
    becomes
    ```mlir
    %b = linalg.broadcast ins(%image : tensor<1x8x6x5xf32>)
           outs(%e : tensor<1x8x6x2x5x2xf32>) dimensions = [3, 5]
    %r = tensor.collapse_shape %b [[0], [1], [2, 3], [4, 5]]
           : tensor<1x8x6x2x5x2xf32> into tensor<1x8x12x10xf32>
    ```
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect",
    "::mlir::tensor::TensorDialect"];
}

def FusionConvertPrecision : Pass<"fusion-convert-precision"> {
  let summary = "compute fusion ops in a narrower float type";
  let description = [{
    Rounds the input of each fusion op with input and filter in f32. The runtime rounds
    the filter when it packs it. If the input is an argument that only this op reads,
    and the filter a constant, the filter is rounded here, and the runtime rounds the
    input. Accumulation and bias stay f32. Results that only fusion ops read, as
    input or residual, directly or through reshapes, slices, pads and maximum pools,
    become narrow too.

    ```mlir
    %r = fusion.fused_conv_bias_act ins(%x, %w : tensor<1x3x10x10xf32>, ...)
    ```
    becomes
    ```mlir
    %n = linalg.generic ... ins(%x) { truncf } -> tensor<1x3x10x10xbf16>
    %r = fusion.fused_conv_bias_act ins(%n, %w : tensor<1x3x10x10xbf16>, ...)
    ```
  }];
  let options = [
    Option<"to", "to", "std::string", "\"bf16\"",
           "Element type to compute in: bf16 or f16">,
  ];
  let dependentDialects = ["::fusion::FusionDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::pdl::PDLDialect",
    "::mlir::pdl_interp::PDLInterpDialect", "::mlir::tensor::TensorDialect"];
}

def FusionPropagateLayout : Pass<"fusion-propagate-layout"> {
  let summary = "bring networks to channels-last, with transposes only at their edges";
  let description = [{
    Gives input and result of each convolution the layout that kernels like, with the
    channels last. Ops between convolutions are computed in that layout, too, if their
    meaning does not depend on the order of the dimensions: element-wise ops, pools and
    reductions, pads, slices, concatenations, reshapes, transposes of parts of a channel, which
    shuffle it, or between channels and blocks of pixels that a convolution reads, gathers whose
    result has as many dimensions, such as resizing, and ops of other dialects that implement
    `TransposableOpInterface` ([Embedding.md](Embedding.md#under-another-layout)). A reshape that merges
    dimensions which are not adjacent then, as a group norm merges channels and pixels, moves behind
    its readers, whose loops it divides, up to one that takes it back. Transposes are left where tensors
    come from, or go to, something else: arguments, results and unknown ops. None is left of
    constants with the same element everywhere, nor where only dimensions of size 1 move,
    which is a reshape.

    A convolution that no such ops connect with another one stays as it is: the
    runtime copies its tensors if that is worth it.

    ```mlir
    %r = fusion.fused_conv_bias_act ins(%x, %w : ...)
    %p = linalg.pooling_nchw_max ins(%r, %window : ...)
    ```
    becomes
    ```mlir
    %t = linalg.transpose ins(%x : ...) permutation = [0, 2, 3, 1]
    %r = fusion.fused_conv_bias_act layouts(nhwc, fchw, nhwc) ins(%t, %w : ...)
    %q = linalg.pooling_nhwc_max ins(%r, %window : ...)
    %p = linalg.transpose ins(%q : ...) permutation = [0, 3, 1, 2]
    ```
  }];
  let dependentDialects = ["::fusion::FusionDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def FusionExplain : Pass<"fusion-explain"> {
  let summary = "say for each convolution and matrix multiplication what was fused and what refused";
  let description = [{
    Prints one line for each convolution, matrix multiplication, and pool that stays a loop: its
    location, then `fused:` with the parts that were folded, or `partly fused:` or `not fused:`
    with the first rule that refused and the values that made it refuse. A fused op may be followed
    by the operand that each call transposes or broadcasts for it. The module is not changed.

    ```
    model.mlir:12:10: fused: bias, relu
    model.mlir:31:10: partly fused: bias; result has 2 users: 'linalg.max' at model.mlir:33:10, 'func.return' at model.mlir:50:3
    model.mlir:40:10: partly fused: dequantize, bias; result is not quantised: unsupported: quantisation truncates, expected rounding to the nearest integer
    model.mlir:52:10: not fused: unsupported: element type f64, expected f32, bf16 or f16
    ```
  }];
  let options = [
    Option<"format", "format", "std::string", "\"text\"",
           "Form of the report: text or json">,
    Option<"output", "output", "std::string", "\"\"",
           "File to write the report to (default: standard error)">,
  ];
  let dependentDialects = ["::fusion::FusionDialect"];
}

#endif // FUSION_TRANSFORMS_OPTIMIZEPASSES_TD
