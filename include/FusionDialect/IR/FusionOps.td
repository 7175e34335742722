//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_OPS_TD
#define FUSION_OPS_TD

include "FusionDialect/IR/FusionAttrs.td"
include "FusionDialect/IR/FusionInterfaces.td"
include "mlir/Interfaces/DestinationStyleOpInterface.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/SymbolInterfaces.td"

class Fusion_Op<string mnemonic, list<Trait> traits = []>
    : Op<Fusion_Dialect, mnemonic, traits>;

defvar Fusion_Float = [F32, BF16, F16];

/// A tensor or memref of `ranks` dimensions.
class Fusion_TensorOrMemRef<list<Type> types, list<int> ranks>
    : AnyTypeOf<[TensorRankOf<types, ranks>, MemRefRankOf<types, ranks>]>;

/// Base class of the fused ops: act(linear(input, filter) + bias + residual), or
/// act(linear(input, filter) + bias) + residual. The output channel is called
/// `outputChannel` in the layout of the result and `filterChannel` in that of the
/// filter.
class Fusion_FusedOp<string mnemonic, string outputChannel, string filterChannel,
                     list<Trait> traits = []>
    : Fusion_Op<mnemonic, !listconcat(traits, [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<DestinationStyleOpInterface, ["getDpsInitsMutable"]>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>,
    DeclareOpInterfaceMethods<Fusion_FusedOpInterface,
                              ["getOutputChannelDim", "getFilterChannelDim"]>])> {
  let results = (outs /*conv_o1, deconv_o1, matmul_o1*/ Optional<AnyRankedTensor>:$result);
  let hasCustomAssemblyFormat = 1;
  let hasVerifier = 1;
  let useCustomPropertiesEncoding = 1;
  let extraClassDefinition = [{
    ::mlir::MutableOperandRange $cppClass::getDpsInitsMutable() {
      return getInitMutable();
    }
    int64_t $cppClass::getOutputChannelDim() {
      return getOutputLayout().getPosition('}] # outputChannel # [{');
    }
    int64_t $cppClass::getFilterChannelDim() {
      return getFilterLayout().getPosition('}] # filterChannel # [{');
    }
    void $cppClass::getEffects(Effects &effects) { addEffects(*this, effects); }
    ::llvm::LogicalResult $cppClass::reifyResultShapes(
        ::mlir::OpBuilder &builder, ::mlir::ReifiedRankedShapedTypeDims &shapes) {
      return reifyFromInit(*this, builder, shapes);
    }
    ::mlir::ParseResult $cppClass::parse(::mlir::OpAsmParser &parser,
                                         ::mlir::OperationState &result) {
      return parseFusedOp(parser, result);
    }
    void $cppClass::print(::mlir::OpAsmPrinter &printer) {
      printFusedOp(printer, *this);
    }
  }];
}

/// The attributes of an op with a window.
defvar Fusion_WindowAttributes = (ins
    /*conv_i6, deconv_i6*/
    DenseI64ArrayAttr:$strides,
    /*conv_i7, deconv_i7*/
    DenseI64ArrayAttr:$dilations,
    /*conv_i8, deconv_i8*/
    DenseI64ArrayAttr:$pad_low,
    /*conv_i9, deconv_i9*/
    DenseI64ArrayAttr:$pad_high,
    /*conv_i10, deconv_i10*/
    DefaultValuedAttr<ConfinedAttr<I64Attr, [IntPositive]>, "1">:$groups);

/// Base class of the convolutions, plain and transposed.
class Fusion_FusedWindowOp<string mnemonic> : Fusion_FusedOp<mnemonic, "c", "f"> {
  let arguments = !con((ins
    /*conv_i1, deconv_i1*/
    Fusion_TensorOrMemRef<Fusion_Float, [3, 4, 5]>:$input,
    /*conv_i2, deconv_i2*/
    Fusion_TensorOrMemRef<Fusion_Float, [3, 4, 5]>:$filter,
    /*conv_i3, deconv_i3*/
    Optional<Fusion_TensorOrMemRef<[F32], [1]>>:$bias,
    /*conv_i4, deconv_i4*/
    Optional<Fusion_TensorOrMemRef<Fusion_Float, [3, 4, 5]>>:$residual,
    /*conv_i5, deconv_i5*/
    Fusion_TensorOrMemRef<Fusion_Float, [3, 4, 5]>:$init),
    Fusion_WindowAttributes, (ins
    /*conv_i11, deconv_i11*/
    Fusion_LayoutAttr:$input_layout,
    /*conv_i12, deconv_i12*/
    Fusion_LayoutAttr:$filter_layout,
    /*conv_i13, deconv_i13*/
    Fusion_LayoutAttr:$output_layout,
    /*conv_i14, deconv_i14*/
    OptionalAttr<Fusion_ActivationAttr>:$activation,
    /*conv_i15, deconv_i15*/
    DefaultValuedAttr<Fusion_NaNModeAttr, "::fusion::NaNMode::Fast">:$nan_mode,
    /*conv_i16, deconv_i16*/
    UnitAttr:$residual_after_activation));
  let extraClassDeclaration = [{
    /// Number of spatial dimensions: 1, 2 or 3.
    int64_t getSpatialRank() {
      return ::llvm::cast<::mlir::ShapedType>(getInput().getType()).getRank() - 2;
    }
  }];
}

def Fusion_FusedConvBiasActOp : Fusion_FusedWindowOp<"fused_conv_bias_act"> {
  let summary = "convolution with padding, bias, residual and activation";
  let description = [{
    Computes, for G = `groups` and g = oc div (OC/G),

    ```
    acc[n,oc,o]    = sum over ic in 0..IC/G, k of
                       input[n, g*IC/G+ic, o*stride + k*dilation - pad_low]
                       * filter[oc,ic,k]
    result[n,oc,o] = act(acc[n,oc,o] + bias[oc] + residual[n,oc,o])
    ```

    in f32, in an order that is not specified, and rounds once to the element type
    of `init`. Elements of `input` out of range are 0. `bias` and `residual` are 0
    where absent. `init` is only a destination: its contents are not read.

    A residual spelled `residual_after_activation(...)` comes after the activation,
    before the rounding:

    ```
    result[n,oc,o] = act(acc[n,oc,o] + bias[oc]) + residual[n,oc,o]
    ```

    It needs an activation: without one the two are the same.

    The layouts name the dimensions of each operand, outermost first: `n` batch,
    `c` channel, `f` output channel of the filter, and `d`, `h`, `w` the spatial
    ones, of which a 1-D convolution has `w` and a 2-D one `h` and `w`. `strides`,
    `dilations`, `pad_low` and `pad_high` have one element a spatial dimension, in
    the order d, h, w whatever the layouts are. `residual` has the layout of the
    output. The filter is never split into groups: its `c` has IC/G elements. Of
    `input` and `filter`, one in f32 is first rounded to the narrower element type of
    the other.

    With `nan_mode = #fusion.nan<fast>` (the default) an activation of a NaN is
    unspecified, because kernels differ; with `#fusion.nan<propagate>` it is NaN.

    Zero sizes: N, OC or an output size of 0 computes nothing; with IC = 0 or an
    empty kernel the sum is 0.

    On memrefs the op has no result. `input`, `filter` and `bias` may not overlap
    `init`; `residual` may be exactly `init`, never a part of it.

    The text leaves out what has its default: strides and dilations of 1, pads of 0,
    one group, and the layouts of linalg's `conv_2d_nchw_fchw` and its like (`ncw`,
    `fcw`; `ncdhw`, `fcdhw`). The rest comes before `ins`, in this order:

    ```
    ACTIVATION  or  ACTIVATION(alpha)  or  ACTIVATION(alpha, beta)
    strides [2, 1] dilations [1, 3] pad_low [0, 1] pad_high [1, 0] groups 2
    layouts(nhwc, hwcf, nhwc)         input, filter, output
    {nan_mode = #fusion.nan<propagate>, ...}
    ```

    Each of these may also be an attribute in the braces.

    ```mlir
    %r = fusion.fused_conv_bias_act relu strides [2, 1] pad_low [0, 1] pad_high [1, 0]
         ins(%x, %w : tensor<1x3x10x12xf32>, tensor<6x3x3x3xf32>)
         bias(%b : tensor<6xf32>)
         outs(%e : tensor<1x6x5x11xf32>) -> tensor<1x6x5x11xf32>
    ```
  }];
}

def Fusion_FusedDeconvBiasActOp
    : Fusion_FusedWindowOp<"fused_deconv_bias_act"> {
  let summary = "transposed convolution with bias, residual and activation";
  let description = [{
    Computes, for G = `groups` and g = oc div (OC/G),

    ```
    acc[n,oc,o]    = sum over ic in 0..IC/G, i, k with
                       o = i*stride + k*dilation - pad_low  of
                       input[n, g*IC/G+ic, i] * filter[oc,ic,k]
    result[n,oc,o] = act(acc[n,oc,o] + bias[oc] + residual[n,oc,o])
    ```

    with everything else as in `fusion.fused_conv_bias_act`. The filter is not flipped:
    each element of `input` adds the whole filter, scaled, to a window of the result.
    `pad_low` and `pad_high` elements are cut off at the ends of the result. The size of
    the result may be any from which a convolution with this window would make the size
    of `input`. Elements beyond the last window (the output padding of front ends) have
    a sum of 0.

    ```mlir
    %r = fusion.fused_deconv_bias_act strides [2, 2] pad_low [1, 0]
         ins(%x, %w : tensor<1x3x10x12xf32>, tensor<6x3x3x2xf32>)
         bias(%b : tensor<6xf32>)
         outs(%e : tensor<1x6x20x24xf32>) -> tensor<1x6x20x24xf32>
    ```
  }];
}

def Fusion_FusedMatmulBiasActOp
    : Fusion_FusedOp<"fused_matmul_bias_act", "n", "n"> {
  let summary = "matrix multiplication with bias, residual and activation";
  let description = [{
    Computes

    ```
    acc[b,m,n]    = sum over k of input[b,m,k] * filter[b,k,n]
    result[b,m,n] = act(acc[b,m,n] + bias[n] + residual[b,m,n])
    ```

    in f32, in an order that is not specified, and rounds once to the element type
    of `init`. `bias` and `residual` are 0 where absent; `residual_after_activation`
    is added to the activation, as in `fusion.fused_conv_bias_act`. `init` is only a
    destination: its contents are not read.

    The layouts name the dimensions of each operand, outermost first: `b` batch, `m`
    row, `k` the dimension summed over, `n` column, which is the output channel. `input`
    may be without `b`, `m` or both, and `init` then is without them too. `filter` may
    be without `b`: it serves every batch. Of `input` and `filter`, one in f32 is first
    rounded to the narrower element type of the other.

    `nan_mode`, zero sizes and memrefs are as for `fusion.fused_conv_bias_act`: B, M
    or N of 0 computes nothing; with K = 0 the sum is 0.

    In the text, `layouts(mk, nk, mn)` are those of input, filter and output. Left out are
    those of linalg's `matmul` and its like: the last of `bmk`, `bkn` and `bmn`, as many
    as there are dimensions.

    ```mlir
    %r = fusion.fused_matmul_bias_act relu layouts(mk, nk, mn)
         ins(%x, %w : tensor<4x300xf32>, tensor<10x300xf32>)
         bias(%b : tensor<10xf32>)
         outs(%e : tensor<4x10xf32>) -> tensor<4x10xf32>
    ```
  }];
  let arguments = (ins
    /*matmul_i1*/ Fusion_TensorOrMemRef<Fusion_Float, [1, 2, 3]>:$input,
    /*matmul_i2*/ Fusion_TensorOrMemRef<Fusion_Float, [2, 3]>:$filter,
    /*matmul_i3*/ Optional<Fusion_TensorOrMemRef<[F32], [1]>>:$bias,
    /*matmul_i4*/ Optional<Fusion_TensorOrMemRef<Fusion_Float, [1, 2, 3]>>:$residual,
    /*matmul_i5*/ Fusion_TensorOrMemRef<Fusion_Float, [1, 2, 3]>:$init,
    /*matmul_i6*/ Fusion_LayoutAttr:$input_layout,
    /*matmul_i7*/ Fusion_LayoutAttr:$filter_layout,
    /*matmul_i8*/ Fusion_LayoutAttr:$output_layout,
    /*matmul_i9*/ OptionalAttr<Fusion_ActivationAttr>:$activation,
    /*matmul_i10*/ DefaultValuedAttr<Fusion_NaNModeAttr,
                                     "::fusion::NaNMode::Fast">:$nan_mode,
    /*matmul_i11*/ UnitAttr:$residual_after_activation);
}

include "FusionDialect/IR/FusionQuantizedOps.td"

//===----------------------------------------------------------------------===//
// Pools
//===----------------------------------------------------------------------===//

def Fusion_PoolOp : Fusion_Op<"pool", [
    DeclareOpInterfaceMethods<DestinationStyleOpInterface, ["getDpsInitsMutable"]>,
    DeclareOpInterfaceMethods<MemoryEffectsOpInterface>,
    DeclareOpInterfaceMethods<ReifyRankedShapedTypeOpInterface,
                              ["reifyResultShapes"]>]> {
  let summary = "maximum or sum over windows";
  let description = [{
    Computes

    ```
    result[n,c,o] = max, or sum, over k of input[n, c, o*stride + k - pad_low]
    ```

    over the elements of `input` in range; a sum in f32, rounded once. Pads are smaller
    than the kernel, so that each window has an element in range. A maximum of NaN, or of
    minus infinity alone, depends on the kernel. `init` is only a destination: its contents
    are not read. i8, which is 0..255 with `input_unsigned`, has a maximum only.

    `layout` names the dimensions of `input` and `init`, outermost first: `n` batch, `c`
    channel, `d`, `h`, `w` spatial. `kernel`, `strides`, `pad_low` and `pad_high` have one
    element a spatial dimension, in the order d, h, w.

    ```mlir
    %r = fusion.pool {pooling = #fusion.pooling<max>, layout = #fusion.layout<nhwc>,
           kernel = array<i64: 3, 3>, strides = array<i64: 2, 2>,
           pad_low = array<i64: 1, 1>, pad_high = array<i64: 1, 1>}
         ins(%x : tensor<1x112x112x64xf32>)
         outs(%e : tensor<1x56x56x64xf32>) -> tensor<1x56x56x64xf32>
    ```
  }];
  let arguments = (ins
    /*pool_i1*/ Fusion_TensorOrMemRef<[F32, BF16, F16, I8], [3, 4, 5]>:$input,
    /*pool_i2*/ Fusion_TensorOrMemRef<[F32, BF16, F16, I8], [3, 4, 5]>:$init,
    /*pool_i3*/ Fusion_PoolingAttr:$pooling,
    /*pool_i4*/ DenseI64ArrayAttr:$kernel,
    /*pool_i5*/ DenseI64ArrayAttr:$strides,
    /*pool_i6*/ DenseI64ArrayAttr:$pad_low,
    /*pool_i7*/ DenseI64ArrayAttr:$pad_high,
    /*pool_i8*/ Fusion_LayoutAttr:$layout, /*pool_i9*/ UnitAttr:$input_unsigned);
  let results = (outs /*pool_o1*/ Optional<AnyRankedTensor>:$result);
  let extraClassDeclaration = [{
    /// The neutral element in `type`: minus infinity, the least integer, or 0.
    ::mlir::TypedAttr getNeutral(::mlir::Type type);
  }];
  let useCustomPropertiesEncoding = 1;
  let assemblyFormat = [{
    `` custom<PoolAttributes>(attr-dict) `ins` `(` $input `:` type($input) `)`
    `outs` `(` $init `:` type($init) `)` (`->` type($result)^)?
  }];
  let hasVerifier = 1;
}

//===----------------------------------------------------------------------===//
// Runtime calls
//===----------------------------------------------------------------------===//

def Fusion_RtCreateOp : Fusion_Op<"rt.create", [
    Symbol]> {
  let summary = "a call site of the runtime library";
  let description = [{
    Describes a call site: its static descriptor and the slot of state behind it.
    The first `fusion.rt.execute` creates the primitive and packs constant weights.
    `descriptor` says which function of the runtime it is, and has its parameters.

    `constant_filter` in it promises that the contents of the filter do not change
    until `fusion.rt.release`.

    ```mlir
    fusion.rt.create @fusion_matmul #fusion.matmul_desc<
      input = <mk, f32>, filter = <nk, f32>, init = <mn, f32>, constant_filter = true>
    ```
  }];
  let arguments = (ins
    SymbolNameAttr:$sym_name,
    OptionalAttr<StrAttr>:$sym_visibility,
    AnyAttrOf<[Fusion_ConvDescAttr, Fusion_MatmulDescAttr, Fusion_PoolDescAttr]>
      :$descriptor);
  let assemblyFormat = "$sym_name $descriptor attr-dict";
  let extraClassDeclaration = [{
    /// The operands of a call. A pool has no filter.
    struct Operands {
      ::fusion::OperandAttr input, filter, init;
      /// Element types, or null for an operand that is not there.
      ::mlir::Type bias = nullptr, residual = nullptr, scale = nullptr;
      bool hasConstantFilter = false;
    };
    Operands getCallOperands();
  }];
  let useCustomPropertiesEncoding = 1;
}

def Fusion_RtExecuteOp : Fusion_Op<"rt.execute", [
    AttrSizedOperandSegments,
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "run the op of a call site";
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    Arg<AnyStridedMemRef, "", [MemRead]>:$input,
    Arg<Optional<AnyStridedMemRef>, "", [MemRead]>:$filter,
    Arg<Optional<AnyStridedMemRef>, "", [MemRead]>:$bias,
    Arg<Optional<AnyStridedMemRef>, "", [MemRead]>:$residual,
    Arg<AnyStridedMemRef, "", [MemWrite]>:$init,
    // Is last, so that bytecode of ops that had none reads as before.
    Arg<Optional<AnyStridedMemRef>, "", [MemRead]>:$scale);
  let assemblyFormat = [{
    $callee `ins` `(` $input (`,` $filter^)? `:` type($input) (`,` type($filter)^)? `)`
    (`bias` `(` $bias^ `:` type($bias) `)`)?
    (`scale` `(` $scale^ `:` type($scale) `)`)?
    (`residual` `(` $residual^ `:` type($residual) `)`)?
    `outs` `(` $init `:` type($init) `)` attr-dict
  }];
}

def Fusion_RtPrepareOp : Fusion_Op<"rt.prepare", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "create what a call site needs before it runs";
  let description = [{
    Creates the primitive of a call site for operands of these types, which are
    static, and packs the constant filter if `filter` is given. Nothing is executed.
    With `in_place` the residual is the init.

    ```mlir
    fusion.rt.prepare @conv ins memref<1x8x9x7xf32> filter memref<16x8x3x3xf32>
      outs memref<1x16x7x5xf32> packs(%w : memref<16x8x3x3xf32>)
    ```
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    TypeAttrOf<AnyStridedMemRef>:$input_type,
    OptionalAttr<TypeAttrOf<AnyStridedMemRef>>:$filter_type,
    OptionalAttr<TypeAttrOf<AnyStridedMemRef>>:$bias_type,
    OptionalAttr<TypeAttrOf<AnyStridedMemRef>>:$scale_type,
    OptionalAttr<TypeAttrOf<AnyStridedMemRef>>:$residual_type,
    TypeAttrOf<AnyStridedMemRef>:$init_type,
    UnitAttr:$in_place,
    Optional<AnyStridedMemRef>:$filter);
  let assemblyFormat = [{
    $callee `ins` $input_type (`filter` $filter_type^)? (`bias` $bias_type^)?
    (`scale` $scale_type^)? (`residual` $residual_type^)? `outs` $init_type
    (`in_place` $in_place^)? (`packs` `(` $filter^ `:` type($filter) `)`)? attr-dict
  }];
  let extraClassDeclaration = [{
    /// True if the sizes and strides of `type` are static.
    static bool hasStaticLayout(::mlir::MemRefType type);
  }];
  let useCustomPropertiesEncoding = 1;
  let hasVerifier = 1;
}

def Fusion_RtOnceOp : Fusion_Op<"rt.once", [
    Pure, DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "values computed once from constant arguments";
  let description = [{
    Gives the results of the function `callee` for `constants`, arguments marked
    `fusion.constant`. The function runs once for each set of addresses of the
    constants; later the op gives the same results, which may only be read. They live
    until `fusion.rt.release`. Shapes are static.
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    Variadic<AnyTypeOf<[AnyStaticShapeTensor, AnyStaticShapeMemRef]>>:$constants);
  let results = (outs
    Variadic<AnyTypeOf<[AnyStaticShapeTensor, AnyStaticShapeMemRef]>>:$results);
  let assemblyFormat = [{
    $callee `(` $constants `)` attr-dict `:` functional-type($constants, $results)
  }];
}

def Fusion_RtReleaseOp : Fusion_Op<"rt.release", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "free what the runtime holds for a call site";
  let description = [{
    `callee` is a `fusion.rt.create`, or with `once` the function of a
    `fusion.rt.once`.
  }];
  let arguments = (ins FlatSymbolRefAttr:$callee, UnitAttr:$once);
  let assemblyFormat = "$callee (`once` $once^)? attr-dict";
}

def Fusion_RtArenaBeginOp : Fusion_Op<"rt.arena_begin"> {
  let summary = "memory for the tensors between the ops of a call";
  let description = [{
    Gives memory that the calling thread keeps from call to call, aligned to 64 bytes,
    until `fusion.rt.arena_end`. Its contents are unspecified. The arena begun last is
    ended first. The bytes are those of the type, or `size`:

    ```mlir
    %a = fusion.rt.arena_begin : memref<4096xi8>
    %b = fusion.rt.arena_begin(%size) : memref<?xi8>
    ```
  }];
  let arguments = (ins Optional<Index>:$size);
  let results = (outs Res<MemRefRankOf<[I8], [1]>, "", [MemAlloc]>:$arena);
  let assemblyFormat = "(`(` $size^ `)`)? attr-dict `:` type($arena)";
  let hasVerifier = 1;
}

def Fusion_RtArenaEndOp : Fusion_Op<"rt.arena_end"> {
  let summary = "give back what `fusion.rt.arena_begin` gave";
  let arguments = (ins Arg<MemRefRankOf<[I8], [1]>, "", [MemFree]>:$arena);
  let assemblyFormat = "$arena attr-dict `:` type($arena)";
}

def Fusion_RtParallelForOp : Fusion_Op<"rt.parallel_for", [
    DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "run a loop on the threads of the runtime";
  let description = [{
    Calls the function `callee` over disjoint ranges of iterations that cover 0..`size`,
    each but the last of at least `grain`, on the threads that the kernels use. The
    function takes the first iteration of a range, the one behind its last, and
    `captures`. A loop of fewer than 2 * `grain` iterations is one call, on the calling
    thread.

    ```mlir
    fusion.rt.parallel_for @main_loop_0 for %size grain %grain (%x, %y)
      : memref<200704xf32>, memref<200704xf32>
    ```
  }];
  let arguments = (ins
    FlatSymbolRefAttr:$callee,
    Index:$size,
    Index:$grain,
    Variadic<AnyType>:$captures);
  let assemblyFormat = [{
    $callee `for` $size `grain` $grain `(` $captures `)` attr-dict
    (`:` type($captures)^)?
  }];
}

include "FusionDialect/IR/FusionSteps.td"

#endif // FUSION_OPS_TD
