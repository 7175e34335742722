//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The steps of fusion-fuse. The pass gives a name to the first thing that an
// element-wise op computes from the result of a fusion op, and to the op that makes its
// input, so that a rewrite pattern can match it by name, whatever spelled it. It names
// a step only if a law folds it, so that no step that it named is left. The arithmetic
// is that of the fusion ops: in f32, rounded once, to the type of the result.
// FusionOps.td includes this file.

#ifndef FUSION_STEPS_TD
#define FUSION_STEPS_TD

/// Base class of the steps.
class Fusion_Step<string mnemonic, list<Trait> traits = []>
    : Fusion_Op<mnemonic, !listconcat([Pure], traits)> {
  let results = (outs AnyRankedTensor:$result);
}

def Fusion_AddChannelOp : Fusion_Step<"add_channel", [
    AllTypesMatch<["input", "result"]>]> {
  let summary = "step of fusion-fuse: add a vector along the output channel";
  let description = "`result = input + addend[oc]`.";
  let arguments = (ins AnyRankedTensor:$input, 1DTensorOf<[F32]>:$addend);
  let assemblyFormat = [{
    $input `,` $addend attr-dict `:` type($input) `,` type($addend)
  }];
}

class Fusion_ScaleStep<string mnemonic>
    : Fusion_Step<mnemonic, [AllTypesMatch<["input", "result"]>]> {
  let arguments = (ins AnyRankedTensor:$input, 1DTensorOf<[F32]>:$factor,
                       UnitAttr:$divides);
  let assemblyFormat = [{
    $input `,` $factor attr-dict `:` type($input) `,` type($factor)
  }];
}

def Fusion_ScaleChannelOp : Fusion_ScaleStep<"scale_channel"> {
  let summary = "step of fusion-fuse: scale by a vector along the output channel";
  let description = [{
    `result = input * factor[oc]`, or with `divides` `input / factor[oc]`.
  }];
}

def Fusion_NormalizeChannelOp : Fusion_ScaleStep<"normalize_channel"> {
  let summary = "step of fusion-fuse: scale by a vector that is or has a square root";
  let description = [{
    As `fusion.scale_channel`, where the factor is computed with a square root, as that
    of a batch norm is.
  }];
}

def Fusion_AddTensorOp : Fusion_Step<"add_tensor", [
    AllTypesMatch<["input", "result"]>]> {
  let summary = "step of fusion-fuse: add a tensor of the same size";
  let description = "`result = input + addend`, element for element.";
  let arguments = (ins AnyRankedTensor:$input, AnyRankedTensor:$addend);
  let assemblyFormat = [{
    $input `,` $addend attr-dict `:` type($input) `,` type($addend)
  }];
}

def Fusion_ActivateOp : Fusion_Step<"activate", [
    AllTypesMatch<["input", "result"]>]> {
  let summary = "step of fusion-fuse: apply an activation";
  let description = [{
    An activation of `input`, which is the result of a fusion op. `activation` replaces
    that op's own. If the op has one already, `activation` is both in one, a function of
    the sum and not of `input`.
  }];
  let arguments = (ins AnyRankedTensor:$input, Fusion_ActivationAttr:$activation);
  let assemblyFormat = "$input `by` $activation attr-dict `:` type($input)";
}

def Fusion_RoundOp : Fusion_Step<"round"> {
  let summary = "step of fusion-fuse: round to a narrower float type";
  let description = "`result = input`, rounded to bf16 or f16.";
  let arguments = (ins AnyRankedTensor:$input);
  let assemblyFormat = "$input attr-dict `:` type($input) `to` type($result)";
}

def Fusion_WidenOp : Fusion_Step<"widen"> {
  let summary = "step of fusion-fuse: do not round";
  let description = "`result` is `input` as it was before it was rounded, in f32.";
  let arguments = (ins AnyRankedTensor:$input);
  let assemblyFormat = "$input attr-dict `:` type($input) `to` type($result)";
}

def Fusion_PadOp : Fusion_Step<"pad"> {
  let summary = "step of fusion-fuse: surround the input with zeros";
  let description = [{
    Puts `low[i]` zeros before and `high[i]` zeros behind the elements of dimension i.
  }];
  let arguments = (ins AnyRankedTensor:$input, DenseI64ArrayAttr:$low,
                       DenseI64ArrayAttr:$high);
  let assemblyFormat = [{
    $input `low` $low `high` $high attr-dict `:` type($input) `to` type($result)
  }];
  let hasVerifier = 1;
}

def Fusion_InsertZerosOp : Fusion_Step<"insert_zeros"> {
  let summary = "step of fusion-fuse: insert zeros between elements of the input";
  let description = [{
    Puts `strides[i] - 1` zeros between two elements of dimension i, `low[i]` zeros
    before the first and `high[i]` zeros behind the last. Numbers below 0 crop as many.
  }];
  let arguments = (ins AnyRankedTensor:$input, DenseI64ArrayAttr:$strides,
                       DenseI64ArrayAttr:$low, DenseI64ArrayAttr:$high);
  let assemblyFormat = [{
    $input `strides` $strides `low` $low `high` $high attr-dict `:` type($input) `to`
    type($result)
  }];
  let hasVerifier = 1;
}

#endif // FUSION_STEPS_TD
