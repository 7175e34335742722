//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The passes on tensors that fusion-compile runs behind fusion-optimize. Passes.td
// includes them.

#ifndef FUSION_TRANSFORMS_RUNTIMEPASSES_TD
#define FUSION_TRANSFORMS_RUNTIMEPASSES_TD

include "mlir/Pass/PassBase.td"

def FusionDeclareExternalCode : Pass<"fusion-declare-external-code", "::mlir::ModuleOp"> {
  let summary = "leave declarations of functions that another code generator compiles";
  let description = [{
    A function that `fusion-partition` made for another code generator than `dnnl` loses
    its body. A declaration under its global symbol is left, which is called through the
    C interface, `_mlir_ciface_SYMBOL`, with descriptors of memrefs. The external code
    must only read its arguments, and allocate its results. Composites that only such
    functions called are removed. It is an error if such a function has no
    `fusion.global_symbol`, has one that the module uses for something else, or is not
    private.

    ```mlir
    func.func private @acme_region(%x: tensor<5x3xf32>) -> tensor<5x3xf32>
        attributes {fusion.codegen = "acme", fusion.global_symbol = "acme_0"} { ... }
    ```
    becomes
    ```mlir
    func.func private @acme_0(tensor<5x3xf32> {bufferization.access = "read"}) -> tensor<5x3xf32>
        attributes {fusion.codegen = "acme", fusion.global_symbol = "acme_0", llvm.emit_c_interface}
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
    "::mlir::LLVM::LLVMDialect"];
}

def FusionAbsorbTransposes : Pass<"fusion-absorb-transposes"> {
  let summary = "make transposes part of the fusion ops on either side";
  let description = [{
    A transpose of the input or filter of fusion ops becomes part of all of them. A
    transpose that is the only reader of a fusion op becomes part of that op, and its
    residual is transposed. The layouts of the ops express the transposes, and the
    runtime copies if a kernel is faster for it. The transposes that
    `fusion-propagate-layout` leaves at the edges of a network disappear this way.

    ```mlir
    %t = linalg.transpose ins(%x : tensor<1x3x11x9xf32>) ... permutation = [0, 2, 3, 1]
    %r = fusion.fused_conv_bias_act layouts(nhwc, fchw, nchw) ins(%t, %w : ...)
    ```
    becomes
    ```mlir
    %r = fusion.fused_conv_bias_act ins(%x, %w : ...)
    ```
  }];
  let dependentDialects = [
    "::fusion::FusionDialect", "::mlir::pdl::PDLDialect",
    "::mlir::pdl_interp::PDLInterpDialect", "::mlir::tensor::TensorDialect"
  ];
}

def FusionSplitDeconvolutions : Pass<"fusion-split-deconvolutions"> {
  let summary = "compute transposed convolutions as convolutions of stride 1";
  let description = [{
    Rewrites `fusion.fused_deconv_bias_act` to a convolution of stride 1 with an output
    channel for each position within a stride, and a depth-to-space of its result. The
    filter, rows and columns must be static, the kernel a multiple of the stride, and
    there must be neither groups nor dilations nor empty operands. A remark says which
    of these rules leaves an op as it is. oneDNN 2.6 is many times slower at the
    transposed convolution itself: see docs/Rationale.md.

    One convolution computes the same steps for each position, some of which are cut
    off. Where that is at least one multiplication in eight, and there are 32 output
    channels or more, each position gets a convolution of its own, with a part of the
    filter, which writes its part of one tensor. They must not leave out elements of
    the input.

    With strides of 2 and 3
    ```mlir
    %r = fusion.fused_deconv_bias_act ... ins(%x, %w : tensor<2x5x7x3xf32>, tensor<4x4x6x3xf32>) ... -> tensor<2x10x21x4xf32>
    ```
    becomes
    ```mlir
    %v = ... : tensor<24x2x2x3xf32>  // the filter in 2 x 3 parts, each backwards
    %c = fusion.fused_conv_bias_act ... ins(%x, %v : ...) ... -> tensor<2x6x7x24xf32>
    %p = tensor.expand_shape %c [[0], [1], [2], [3, 4, 5]] ... into tensor<2x6x7x2x3x4xf32>
    %t = linalg.transpose ins(%p : ...) permutation = [0, 1, 3, 2, 4, 5]
    %s = tensor.collapse_shape %t [[0], [1, 2], [3, 4], [5]] : ... into tensor<2x12x21x4xf32>
    %r = tensor.extract_slice %s[0, 1, 0, 0] [2, 10, 21, 4] [1, 1, 1, 1] : ...
    ```
  }];
  let dependentDialects = ["::fusion::FusionDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::math::MathDialect",
    "::mlir::tensor::TensorDialect"];
}

def FusionConvToMatmul : Pass<"fusion-conv-to-matmul"> {
  let summary = "compute convolutions of images of few pixels as matrix multiplications";
  let description = [{
    A convolution whose input, kernel and result have one pixel is a matrix
    multiplication, with an image in each row: TOSA writes linear layers so, with
    tokens as images. Kernels of matrix multiplications share the filter between rows,
    and those of convolutions read it for each image. The reshapes around the new op
    are views. There must be neither groups nor padding, and spatial sizes must be
    static. Strides and dilations mean nothing here. Bias, residual, activation and
    scales stay as they are. Ops on integers are rewritten, too.

    So is a convolution of images of up to 4 pixels by a kernel of one pixel, in channels
    last: each pixel is a row.

    ```mlir
    %r = fusion.fused_conv_bias_act relu layouts(nhwc, fhwc, nhwc)
           ins(%x, %w : tensor<197x1x1x768xf32>, tensor<3072x1x1x768xf32>) bias(%b : tensor<3072xf32>) ...
    ```
    becomes
    ```mlir
    %m = tensor.collapse_shape %x [[0, 1, 2], [3]] : ... into tensor<197x768xf32>
    %v = tensor.collapse_shape %w [[0, 1, 2], [3]] : ... into tensor<3072x768xf32>
    %p = fusion.fused_matmul_bias_act relu layouts(mk, nk, mn)
           ins(%m, %v : tensor<197x768xf32>, tensor<3072x768xf32>) bias(%b : tensor<3072xf32>) ...
    %r = tensor.expand_shape %p [[0, 1, 2], [3]] ... into tensor<197x1x1x3072xf32>
    ```
  }];
  let dependentDialects = ["::fusion::FusionDialect", "::mlir::affine::AffineDialect",
    "::mlir::tensor::TensorDialect"];
}

def FusionHoistConstants : Pass<"fusion-hoist-constants", "::mlir::ModuleOp"> {
  let summary = "compute once what depends on constants only";
  let description = [{
    Moves the ops that compute from arguments marked `fusion.constant`, alone or with
    constants, into a function of their own. `fusion.rt.once` runs it the first time
    that the arguments come at their addresses. Examples are filters scaled by a batch
    norm, and transposed weights. Filters of fusion ops that are computed from constants
    alone, such as dequantised ones, and transposes of constants go there, too; anything
    else of these would cost memory. Tensors and arguments with dynamic shapes stay
    where they are, and so do reshapes and ops that may fail, such as a division.

    An argument of a function that is called in the module stays a constant only where
    each call passes one: a constant of the module or another such argument, as they are
    or reshaped. A computed or sliced tensor lies in memory that is used again, so that
    its address does not stand for its contents. A remark names the call.

    ```mlir
    func.func @main(%x: ..., %w: tensor<6x3x3x3xf32> {fusion.constant},
                    %s: tensor<6xf32> {fusion.constant}) -> ... {
      %scaled = linalg.generic ... ins(%w, %s) { mulf }
      %r = fusion.fused_conv_bias_act ... ins(%x, %scaled : ...)
    ```
    becomes
    ```mlir
    func.func private @main_constants(%w: tensor<6x3x3x3xf32>, %s: tensor<6xf32>) -> tensor<6x3x3x3xf32>
    func.func @main(...) -> ... {
      %scaled = fusion.rt.once @main_constants(%w, %s) : (...) -> tensor<6x3x3x3xf32>
      %r = fusion.fused_conv_bias_act ... ins(%x, %scaled : ...)
    ```
  }];
  let dependentDialects = ["::fusion::FusionDialect", "::mlir::func::FuncDialect"];
}

def FusionReuseResiduals : Pass<"fusion-reuse-residuals"> {
  let summary = "let fusion ops write their results over their residuals";
  let description = [{
    Makes the residual of a fusion op its destination, if that is an empty tensor of the
    same type and at most seven results are written over one another: bufferization
    compares all their reads and writes, and takes another buffer where the residual is
    read later. On buffers an op writes over a residual that is freed behind it.

    ```mlir
    %r = fusion.fused_conv_bias_act ... ins(%x, %w : ...) residual(%s : ...) outs(%e : tensor<1x4x6x6xf32>)
    ```
    becomes
    ```mlir
    %r = fusion.fused_conv_bias_act ... ins(%x, %w : ...) residual(%s : ...) outs(%s : tensor<1x4x6x6xf32>)
    ```
  }];
}

def FusionDecomposeSoftmax : Pass<"fusion-decompose-softmax"> {
  let summary = "decompose linalg.softmax into maximum, exponentials, sum and division";
  let description = [{
    Works as upstream's decomposition of `linalg.softmax`, but for the maximum. Upstream
    uses `arith.maxnumf`, which ignores NaN, and for which LLVM has no vectors on many
    CPUs. This pass uses `arith.maximumf`, starting with minus infinity. Results are the
    same, since the sum of a row with a NaN is NaN.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::tensor::TensorDialect"];
}

def FusionSplitSums : Pass<"fusion-split-sums"> {
  let summary = "reduce along outer dimensions first, and then along the last ones";
  let description = [{
    A group norm with channels last sums up an image `HxWxGxS` along all but `G`. In any order of loops
    elements lie apart, or a vector has only the few channels of a group. This pass makes two ops of such a
    reduction: the first has a sum for each channel, the second reduces these. Inputs that are one number for a
    group are repeated for each channel. linalg does not specify the order of a reduction.
    ```mlir
    %r = linalg.generic {... (g, s, h, w) -> (h, w, g, s) ..., (g, s, h, w) -> (g) ...} ins(%x) outs(%init)
    // becomes
    %p = linalg.generic {... (h, w, g, s) -> (h, w, g, s) ..., (h, w, g, s) -> (g, s) ...} ins(%x) outs(%zeros)
    %r = linalg.generic {... (g, s) -> (g, s) ..., (g, s) -> (g) ...} ins(%p) outs(%init)
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def FusionTabulateIndices : Pass<"fusion-tabulate-indices"> {
  let summary = "read what a gather computes of one loop from tables";
  let description = [{
    Resizing an image computes, for each element of the result, the places that it reads
    and their weights: chains of scalar ops on the index of one loop, which LLVM finds
    no vectors in. This pass evaluates such chains for each index, by upstream's
    folders, and makes constants of one dimension of them, which the op reads along that
    loop. It does so in ops that extract elements, where the size of the loop is static, and 65536 at most.
    Places that grow evenly stay computed: they need no gather.

    ```mlir
    %r = linalg.generic ... outs(%e : tensor<1x8x64x64xf32>) {
    ^bb0(%out: f32):
      %i3 = linalg.index 3 : index
      %x, %weight = ... of %i3
      %element = tensor.extract %image[%i0, %i1, %y, %x] : tensor<1x8x12x12xf32>
      ...
    ```
    becomes
    ```mlir
    %xs = arith.constant dense<[0, 0, 0, 1, ...]> : tensor<64xindex>
    %weights = arith.constant dense<[...]> : tensor<64xf32>
    %r = linalg.generic ... ins(%ys, %xs, %weights : ...) outs(%e : tensor<1x8x64x64xf32>) {
    ^bb0(%y: index, %x: index, %weight: f32, %out: f32):
      %element = tensor.extract %image[%i0, %i1, %y, %x] : tensor<1x8x12x12xf32>
      ...
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect"];
}

def FusionMergeElementwise : Pass<"fusion-merge-elementwise"> {
  let summary = "merge the element-wise linalg ops that are left";
  let description = [{
    Works as `linalg-fuse-elementwise-ops` where the result of an op has one reader, in
    the same block, and for named ops such as `linalg.add`, too. An op that only makes wider floats, as of f32 for a variance in
    f64, may have several: each makes them again. It does not merge across reshapes, and not an op that has side effects. It does
    not merge a division or a function of the math library into a reader that broadcasts it, since it would be computed again
    and again, nor an op that makes integers of 8 bits into a reduction. It does not merge an op that reads its destination: if the
    reader broadcasts the result, upstream's rewrite computes it again for each element, on top of its previous
    result.

    ```mlir
    %a = linalg.generic ... ins(%x : tensor<3x5xf32>) { math.exp }
    %b = linalg.generic ... ins(%a, %y : tensor<3x5xf32>, tensor<3x5xf32>) { arith.addf }
    ```
    becomes
    ```mlir
    %b = linalg.generic ... ins(%x, %y : tensor<3x5xf32>, tensor<3x5xf32>) { math.exp, arith.addf }
    ```
  }];
  let dependentDialects = ["::mlir::affine::AffineDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def FusionCombineScales : Pass<"fusion-combine-scales"> {
  let summary = "compute a chain of constant scales and shifts as one of each";
  let description = [{
    A batch norm in front of a convolution, with a relu in between, is in no filter: a loop
    reads a mean, a variance, a scale and a shift for each element. This pass computes
    `factor * x + addend` in place of a chain of additions and multiplications, in f32, by constants
    along one dimension. It computes the two constants in f64 and rounds each once. It does so
    where the chain reads more than two constant tensors, nothing else reads a value in between, and
    the two constants are finite. Run it behind `fusion-merge-elementwise`, which makes one op of the chain.

    ```mlir
    %y = linalg.generic ... ins(%x, %mean, %deviation, %gamma, %beta : tensor<1x8x8x64xf32>, tensor<64xf32>, ...) {
    ^bb0(%in: f32, %m: f32, %d: f32, %g: f32, %b: f32, %out: f32):
      %0 = arith.subf %in, %m : f32
      %1 = arith.divf %0, %d : f32
      %2 = arith.mulf %1, %g : f32
      %3 = arith.addf %2, %b : f32
    ```
    becomes
    ```mlir
    %y = linalg.generic ... ins(%x, %factor, %addend : tensor<1x8x8x64xf32>, tensor<64xf32>, tensor<64xf32>) {
    ^bb0(%in: f32, %f: f32, %a: f32, %out: f32):
      %0 = arith.mulf %in, %f : f32
      %1 = arith.addf %0, %a : f32
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect"];
}

def FusionFuseRequantizedSums : Pass<"fusion-fuse-requantized-sums"> {
  let summary = "let products of integers add the tensors that are added to their results";
  let description = [{
    A residual block of a quantised network rounds the result of its last convolution to
    8 bits, and then adds another tensor of 8 bits and rounds again. This pass makes both
    one op with `round_activation`, so that kernels add while they have the numbers in
    registers:

        requantise(quantized(x, w) : i8 + y)  ->  quantized(x, w, residual = y) : i8

    It does so for whatever the body of the op behind the product computes, if that is a
    sum over real numbers of the two tensors, which have the sign of the result. The product
    may be behind reshapes, as that of images of one pixel is. Nothing else reads its
    result, and no bounds but those of the type are behind the sum. The factor of the
    residual is rounded to 15 bits. Each rounding is at most 1 off, near a tie; the first
    one's step is `output_scale` steps of the result. Thus `fusion-compile` runs the pass
    with `quant-rounding=nearest`, and not with `exact`.

    ```mlir
    %p = fusion.quantized_conv_bias_act ... -> tensor<1x56x56x64xi8>
    %r = linalg.generic ... ins(%p, %y : ...) outs(%e : tensor<1x56x56x64xi8>) {
    ^bb0(%a: i8, %b: i8, %out: i8):
      ...
      %0 = arith.addf %pa, %pb : f32
      %1 = math.roundeven %0 : f32
      ...
    ```
    becomes
    ```mlir
    %r = fusion.quantized_conv_bias_act clip(...) {output_scale = ..., residual_scale = ..., round_activation}
         ... residual_after_activation(%y : tensor<1x56x56x64xi8>) ... -> tensor<1x56x56x64xi8>
    ```
  }];
  let dependentDialects = ["::fusion::FusionDialect", "::mlir::tensor::TensorDialect"];
}

def FusionSimplifyRequantization : Pass<"fusion-simplify-requantization"> {
  let summary = "compute loops from i8 to i8 in few steps";
  let description = [{
    Element-wise ops that are left between quantised ops read integers of 8 bits and
    round to 8 bits again: they add two tensors of different scales, or change a scale.
    Front ends write them as a subtraction and a multiplication for each operand, in f32
    or in integers of 64 bits, and a division. This pass writes each as one sum,

        clamp(roundeven(factor * input + ... + offset) + zero point)

    in f32. It does so for whatever the body computes, if that is a sum over real numbers
    that is rounded to the nearest integer. Roundings on the way, as in TFLite's sums in
    units of 2^-20, may move the sum by half a step at most. If only numbers are rounded
    that are added, as in StableHLO's sums, they may move it by one step. The sum is less than 2^-8
    off where it is below 2^16; others stay as they are. A result is at most 1 off: near
    a tie, or where two numbers were rounded in one direction, which is a quarter of them. Thus
    `fusion-compile` runs the pass with `quant-rounding=nearest`, and not with `exact`.

    ```mlir
    ^bb0(%in: i8, %out: i8):
      %0 = arith.extui %in : i8 to i64
      %1 = arith.subi %0, %c121 : i64
      %2 = arith.sitofp %1 : i64 to f32
      %3 = arith.mulf %2, %s : f32
      %4 = arith.divf %3, %t : f32
      ...
    ```
    becomes
    ```mlir
    ^bb0(%in: i8, %out: i8):
      %0 = arith.extui %in : i8 to i32
      %1 = arith.sitofp %0 : i32 to f32
      %2 = arith.mulf %1, %factor : f32
      %3 = arith.addf %2, %offset : f32
      ...
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
    "::mlir::math::MathDialect"];
}

def FusionSplitBatch : Pass<"fusion-split-batch"> {
  let summary = "compute a batch a few images at a time";
  let description = [{
    If an op reads and writes more than `cache-bytes` for all images of a batch, its
    result is out of the cache before the next op reads it. This pass puts neighbouring
    ops into loops that compute part of the batch at a time. The parts are equal, each
    as large as fits the cache in every op of the loop.

    More iterations read weights more often, and start more kernels. The pass ends a
    loop, or leaves ops outside, wherever that moves fewer bytes through memory for an
    image; a start counts as `start-bytes`. The default is the number of bytes that
    memory moves while sleeping threads are woken, 50 us at 20 GB/s. So the last ops of
    a network, with small images and large weights, compute more at a time than the
    first ones. Weights that are not constant are packed in every iteration, and count
    three times.

    A loop ends with the op that makes the only tensor of the batch that is used behind
    the loop, so that it yields one tensor. It takes fusion ops, linalg ops whose maps
    are permutations and broadcasts, pads, reshapes, slices and concatenations. They
    must have one result, and one image of it must depend on one image of each operand.
    The batch is the first dimension. If it is dynamic, the pass assumes four images,
    and splits it into single images. Other sizes must be static. If an op is in the
    way, a remark says why.

    Element-wise ops have to be linalg already, and softmax decomposed; `fusion-compile`
    takes care of both.

    With `cache-bytes=8192 start-bytes=0`
    ```mlir
    %a = fusion.fused_conv_bias_act ... ins(%x, %v : tensor<4x8x8x4xf32>, ...) ... -> tensor<4x8x8x8xf32>
    %b = fusion.fused_conv_bias_act ... ins(%a, %w : ...) ... -> tensor<4x8x8x4xf32>
    ```
    becomes
    ```mlir
    %b = scf.for %i = %c0 to %c4 step %c2 iter_args(%all = %e) -> (tensor<4x8x8x4xf32>) {
      %xi = tensor.extract_slice %x[%i, 0, 0, 0] [2, 8, 8, 4] [1, 1, 1, 1] : ...
      %ai = fusion.fused_conv_bias_act ... ins(%xi, %v : ...) ... -> tensor<2x8x8x8xf32>
      %ei = tensor.extract_slice %all[%i, 0, 0, 0] [2, 8, 8, 4] [1, 1, 1, 1] : ...
      %bi = fusion.fused_conv_bias_act ... ins(%ai, %w : ...) outs(%ei : ...)
      %r = tensor.insert_slice %bi into %all[%i, 0, 0, 0] [2, 8, 8, 4] [1, 1, 1, 1] : ...
      scf.yield %r : tensor<4x8x8x4xf32>
    }
    ```
  }];
  let options = [
    Option<"cacheBytes", "cache-bytes", "int64_t", "8388608",
           "Bytes of tensors of a batch that fit the cache; 0: never split">,
    Option<"startBytes", "start-bytes", "int64_t", "1048576",
           "Bytes that memory moves while a kernel starts">,
  ];
  let dependentDialects = ["::mlir::affine::AffineDialect", "::mlir::arith::ArithDialect",
    "::mlir::scf::SCFDialect", "::mlir::tensor::TensorDialect"];
}

def FusionSeparateDestinations : Pass<"fusion-separate-destinations"> {
  let summary = "give each op a destination of its own";
  let description = [{
    Runs in front of `eliminate-empty-tensors` and `one-shot-bufferize`. Their analysis
    compares all reads and writes of tensors that may share a buffer, so its time grows
    with the third or fourth power of their number. This pass keeps that number small,
    whatever the number of ops:

    - Each op that writes to a `tensor.empty`, or adds to a `linalg.fill`, gets one of its
      own, in front of the op. CSE gives all ops with results of one shape the same.
    - A tensor that more than 64 ops read, and nothing writes to, is read as several: an
      argument of the function, a constant, or what an op computes in a `tensor.empty`.
    - A chain of 16 or more `tensor.insert_slice`, of known parts into a new tensor, becomes
      a buffer that the parts are stored in. A part that an op computes in a `tensor.empty`,
      and that is used nowhere else, is computed in its place in that buffer if no two parts
      overlap. Other parts are copied. Shorter chains stay: the analysis may find that a
      part with other users can be computed in place, too.

    ```mlir
    %e = tensor.empty() : tensor<4x5xf32>
    %a = linalg.exp ins(%x : tensor<4x5xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
    %b = linalg.abs ins(%a : tensor<4x5xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
    ```
    becomes
    ```mlir
    %e = tensor.empty() : tensor<4x5xf32>
    %a = linalg.exp ins(%x : tensor<4x5xf32>) outs(%e : tensor<4x5xf32>) -> tensor<4x5xf32>
    %f = tensor.empty() : tensor<4x5xf32>
    %b = linalg.abs ins(%a : tensor<4x5xf32>) outs(%f : tensor<4x5xf32>) -> tensor<4x5xf32>
    ```
  }];
  let dependentDialects = ["::mlir::bufferization::BufferizationDialect",
    "::mlir::memref::MemRefDialect", "::mlir::tensor::TensorDialect"];
}

def FusionPrepareBufferization : Pass<"fusion-prepare-bufferization"> {
  let summary = "copy tensors that bufferization would wrongly take as separate";
  let description = [{
    Runs directly in front of `one-shot-bufferize`, and makes the assumptions of its
    analysis true:

    - Results of a function, and tensors passed to the next iteration of `scf.for` and
      `scf.while`, are buffers of their own. A tensor that is passed on twice, together
      with a view of itself, or together with a tensor that it is inserted into, is
      copied. So is a constant, and a tensor from outside that an `scf.while` yields.
    - Tensors that cross the boundary of a function are contiguous. A slice that is
      passed to a function or returned is copied.
    - The analysis knows which tensors an `scf.if` yields, but not which an
      `scf.index_switch` does. A switch between tensors becomes a chain of `scf.if`.
    - A slice with one element in a dimension has a step of 1 there.

    The pass assumes that a result of a call may be any of its arguments.

    ```mlir
    func.func private @twice(%x: tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>) {
      %a = "acme.op"(%x) : (tensor<4x5xf32>) -> tensor<4x5xf32>
      return %a, %a : tensor<4x5xf32>, tensor<4x5xf32>
    }
    ```
    becomes
    ```mlir
    func.func private @twice(%x: tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<4x5xf32>) {
      %a = "acme.op"(%x) : (tensor<4x5xf32>) -> tensor<4x5xf32>
      %b = bufferization.alloc_tensor() copy(%a) : tensor<4x5xf32>
      return %a, %b : tensor<4x5xf32>, tensor<4x5xf32>
    }
    ```
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect",
    "::mlir::bufferization::BufferizationDialect", "::mlir::scf::SCFDialect"];
}

#endif // FUSION_TRANSFORMS_RUNTIMEPASSES_TD
