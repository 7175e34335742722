//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef FUSION_TRANSFORM_OPS_TD
#define FUSION_TRANSFORM_OPS_TD

include "FusionDialect/IR/FusionAttrs.td"
include "mlir/Dialect/Transform/IR/TransformDialect.td"
include "mlir/Dialect/Transform/Interfaces/TransformInterfaces.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/IR/OpBase.td"

//===----------------------------------------------------------------------===//
// Pattern descriptors
//===----------------------------------------------------------------------===//

class FusionPatternsOp<string mnemonic, list<Trait> traits = []>
    : Op<Transform_Dialect, "apply_patterns.fusion." # mnemonic,
         [DeclareOpInterfaceMethods<PatternDescriptorOpInterface>] # traits> {
  let cppNamespace = "::fusion";
  let assemblyFormat = "attr-dict";
}

def ApplyRaisePatternsOp : FusionPatternsOp<"raise"> {
  let summary = "patterns that make fusion ops of convolutions and matmuls";
  let description = [{
    `populateRaisePatterns`: they do what the pass `fusion-raise` does. An op that they
    refuse stays as it is.
  }];
  let arguments = (ins
    DefaultValuedAttr<BoolAttr, "true">:$allow_contract_rounding);
}

def ApplyRaisePoolsPatternsOp : FusionPatternsOp<"raise_pools"> {
  let summary = "patterns that make `fusion.pool` of pools";
  let description = [{
    `populateRaisePoolsPatterns`: they do what the pass `fusion-raise-pools` does.
  }];
  let arguments = (ins
    DefaultValuedAttr<BoolAttr, "true">:$allow_contract_rounding);
}

def ApplyFusePatternsOp : FusionPatternsOp<"fuse"> {
  let summary = "the laws of `fusion-fuse` as patterns";
  let description = [{
    `populateFusionPatterns`: they fold pad, bias, scale, batch norm, residual,
    activation and more into fusion ops. `disable` names laws to leave out, as the
    option of the pass does.

    The NaN mode is `fast`. Where a scale is folded, ops that compute the new filter
    from constants stay; `transform.fusion.fuse` evaluates these, and has both modes.

    ```mlir
    transform.apply_patterns to %func {
      transform.apply_patterns.fusion.raise
      transform.apply_patterns.fusion.fuse {disable = ["residual"]}
    } : !transform.any_op
    ```
  }];
  let arguments = (ins
    DefaultValuedAttr<BoolAttr, "true">:$allow_reshape,
    DefaultValuedAttr<BoolAttr, "true">:$allow_contract_rounding,
    DefaultValuedAttr<StrArrayAttr, "{}">:$disable);
  let hasVerifier = 1;
}

def ApplyFusionToLinalgPatternsOp : FusionPatternsOp<"fusion_to_linalg"> {
  let summary = "patterns that decompose fusion ops to linalg";
  let description = [{
    `populateFusionToLinalgPatterns`: they do what the pass `convert-fusion-to-linalg`
    does.
  }];
}

//===----------------------------------------------------------------------===//
// Transforms
//===----------------------------------------------------------------------===//

class FusionTransformOp<string mnemonic, string target>
    : Op<Transform_Dialect, "fusion." # mnemonic,
         [FunctionalStyleTransformOpTrait, MemoryEffectsOpInterface,
          TransformOpInterface, TransformEachOpTrait,
          ReportTrackingListenerFailuresOpTrait]> {
  let cppNamespace = "::fusion";
  let arguments = (ins TransformHandleTypeInterface:$target);
  let results = (outs TransformHandleTypeInterface:$transformed);
  let assemblyFormat =
      "$target attr-dict `:` functional-type(operands, results)";
  let extraClassDeclaration = [{
    ::mlir::DiagnosedSilenceableFailure applyToOne(
        ::mlir::transform::TransformRewriter &rewriter,
        }] # target # [{ target,
        ::mlir::transform::ApplyToEachResultList &results,
        ::mlir::transform::TransformState &state);
  }];
}

def TransformRaiseOp : FusionTransformOp<"raise", "::mlir::linalg::LinalgOp"> {
  let summary = "make a fusion op of a convolution or matmul";
  let description = [{
    Replaces each linalg op of `target` by a fusion op with nothing fused, as
    `fusion-raise` does, and returns these. Consumes `target`.

    If an op cannot be raised, that is a silenceable failure with the reason, one of
    those in docs/Reasons.md.

    ```mlir
    %conv = transform.structured.match ops{["linalg.conv_2d_nchw_fchw"]} in %func
      : (!transform.any_op) -> !transform.any_op
    %fused = transform.fusion.raise %conv
      : (!transform.any_op) -> !transform.any_op
    ```
  }];
  let arguments = (ins
    TransformHandleTypeInterface:$target,
    DefaultValuedAttr<BoolAttr, "true">:$allow_contract_rounding);
}

def TransformDecomposeToLinalgOp
    : FusionTransformOp<"decompose_to_linalg", "::mlir::Operation *"> {
  let summary = "decompose a fusion op to linalg";
  let description = [{
    Replaces each fusion op of `target` by linalg ops, as `convert-fusion-to-linalg`
    does, and returns the op that makes the result: bias, residual and activation. Its
    first input is the sum. Consumes `target`.

    If an op cannot be decomposed, that is a silenceable failure with the reason: it is
    on memrefs, has groups and a dynamic number of channels, or is a transposed
    convolution of dynamic spatial sizes.
  }];
}

class FusionPassOp<string mnemonic, string pass>
    : FusionTransformOp<mnemonic, "::mlir::Operation *"> {
  let description = [{
    Runs the pass `}] # pass # [{` on each op of `target`, functions for example,
    and returns these. Consumes `target`: what it held may have been replaced.
  }];
}

def TransformFuseOp : FusionPassOp<"fuse", "fusion-fuse"> {
  let summary = "fold into fusion ops what is around them";
  let arguments = (ins
    TransformHandleTypeInterface:$target,
    DefaultValuedAttr<BoolAttr, "true">:$allow_reshape,
    DefaultValuedAttr<BoolAttr, "true">:$allow_contract_rounding,
    DefaultValuedAttr<Fusion_NaNModeAttr, "::fusion::NaNMode::Fast">:$nan_mode,
    DefaultValuedAttr<StrArrayAttr, "{}">:$disable);
  let hasVerifier = 1;
}

def TransformPropagateLayoutOp
    : FusionPassOp<"propagate_layout", "fusion-propagate-layout"> {
  let summary = "bring a network to channels-last";
}

#endif // FUSION_TRANSFORM_OPS_TD
