//===----------------------------------------------------------------------===//
//
// Part of the Fusion project, under the Apache License v2.0 with LLVM Exceptions.
// See LICENSE for license information.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

// The passes that a user may put in front of all others: one makes constants of
// arguments, one moves what patterns match to a code generator. Passes.td includes them.

#ifndef FUSION_TRANSFORMS_PARTITIONPASSES_TD
#define FUSION_TRANSFORMS_PARTITIONPASSES_TD

include "mlir/Pass/PassBase.td"

def FusionBindParams : Pass<"fusion-bind-params", "::mlir::ModuleOp"> {
  let summary = "replace arguments of a function by constants from .npy files";
  let description = [{
    Replaces each argument named in `bind`, by its `fusion.name` or by its index, by the
    array in a `.npy` file, and takes it out of the function's signature. Indices are
    those before anything is bound. Constants of 1024 elements or more become
    `dense_resource`. An argument of scalar type takes an array without dimensions. The
    element type must be that of the argument. NumPy has no bf16: an array of 16-bit
    words is taken as its bits, and one of f32 is rounded.

    Dynamic sizes become those of the array. Upstream's canonicalization then refines
    the whole function: types of values, `tensor.dim`, types of results. A function
    without dynamic sizes is not canonicalized. Sizes of two arguments that differ are
    an error only where an op needs them to be equal. Arguments that are not bound keep
    their types.

    The function must not be used in the module, since callers would go on passing the
    bound arguments. If the pass fails, the module is unchanged.

    With `bind=w=w.npy`, an array of 3x2 numbers,
    ```mlir
    func.func @main(%x: tensor<4x3xf32>, %w: tensor<3x?xf32> {fusion.name = "w"}) -> tensor<4x?xf32> {
      %zero = arith.constant 0.0 : f32
      %one = arith.constant 1 : index
      %n = tensor.dim %w, %one : tensor<3x?xf32>
      %e = tensor.empty(%n) : tensor<4x?xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x?xf32>) -> tensor<4x?xf32>
      %r = linalg.matmul ins(%x, %w : tensor<4x3xf32>, tensor<3x?xf32>) outs(%f : tensor<4x?xf32>) -> tensor<4x?xf32>
      return %r : tensor<4x?xf32>
    }
    ```
    becomes
    ```mlir
    func.func @main(%x: tensor<4x3xf32>) -> tensor<4x2xf32> {
      %w = arith.constant dense<[[...], [...], [...]]> : tensor<3x2xf32>
      %zero = arith.constant 0.0 : f32
      %e = tensor.empty() : tensor<4x2xf32>
      %f = linalg.fill ins(%zero : f32) outs(%e : tensor<4x2xf32>) -> tensor<4x2xf32>
      %r = linalg.matmul ins(%x, %w : tensor<4x3xf32>, tensor<3x2xf32>) outs(%f : tensor<4x2xf32>) -> tensor<4x2xf32>
      return %r : tensor<4x2xf32>
    }
    ```
  }];
  let options = [
    Option<"function", "function", "std::string", "\"main\"",
           "Function whose arguments to bind">,
    ListOption<"bind", "bind", "std::string",
               "Arrays to bind: NAME_OR_INDEX=FILE.npy,...">,
  ];
  let dependentDialects = ["::fusion::FusionDialect", "::mlir::arith::ArithDialect",
    "::mlir::linalg::LinalgDialect", "::mlir::tensor::TensorDialect"];
}

def FusionPartition : Pass<"fusion-partition", "::mlir::ModuleOp"> {
  let summary = "move what patterns match into functions for a code generator";
  let description = [{
    Runs on linalg, before anything is raised. For each pattern, in the order given, the
    module is matched from top to bottom. Ops that one pattern has taken are gone for
    later patterns, even if these would take more. Each match becomes a composite: a
    private function with the ops as they were, called in their place, and marked not to
    be inlined. Equal composites are one function.

    | pattern                                   | takes                               |
    |-------------------------------------------|-------------------------------------|
    | `conv{1,2,3}d[_bias][_bn][_sum][_ACT]`    | a convolution and what follows it, with the padding of its input |
    | `matmul[_transposed_b][_bias][_ACT]`      | a matrix multiplication, its filter as it is or transposed |
    | `maxpool`, `avgpool`                      | a pool with its padding, and the division of an average |
    | `add`, `softmax`, `concat`, ACT           | one op: a sum of two tensors, `linalg.softmax`, `tensor.concat` (or `tensor.insert_slice` for each part), an activation |

    ACT is an activation of `fusion.activation`. Every part of a name is required, and
    nothing else is taken. `fusion-fuse` decides what counts as a part: the ops of a
    match are those that it would make one op of. `bn` is a factor along the output
    channel, with a subtraction before it and an addition after it. With `reshape_add`
    in place of `bias` the bias comes through a reshape, which is taken as well. `A|B`
    stands for the one of both that takes more ops. `NAME:acme.cbr` names the composite
    `acme.cbr`. The part before the point is the code generator; the default is `dnnl`.
    The pattern `dnnl` stands for all patterns that the runtime has kernels for, the
    largest first.

    ```mlir
    func.func @main(%x: ..., %w: ..., %b: tensor<5xf32>) -> tensor<1x5x7x6xf32> {
      %v = linalg.broadcast ins(%b : tensor<5xf32>) outs(%e : ...) dimensions = [0, 2, 3]
      %c = linalg.conv_2d_nchw_fchw ins(%x, %w : ...) outs(%v : ...)
      %r = linalg.max ins(%c, %zero : ...) outs(%e : ...)
      return %r : tensor<1x5x7x6xf32>
    }
    ```
    becomes, with `patterns=conv2d_bias_relu annotate-codegen=true`,
    ```mlir
    func.func @main(%x: ..., %w: ..., %b: tensor<5xf32>) -> tensor<1x5x7x6xf32> {
      %r = call @fused_conv2d_bias_relu(%x, %w, %b) : (...) -> tensor<1x5x7x6xf32>
      return %r : tensor<1x5x7x6xf32>
    }
    func.func private @fused_conv2d_bias_relu(
        %x: ... {fusion.role = "input"}, %w: ... {fusion.role = "filter"},
        %b: tensor<5xf32> {fusion.role = "bias"}) -> tensor<1x5x7x6xf32>
        attributes {fusion.composite = "dnnl.conv2d_bias_relu", fusion.codegen = "dnnl",
                    fusion.global_symbol = "fused_conv2d_bias_relu_dnnl", no_inline} {
      ...
    }
    ```
    With `merge=true` neighbouring composites of one code generator are called from one
    function, `dnnl_region` for `dnnl`, which has the code generator and the global
    symbol. Without patterns these are the composites that the module has. Merging makes
    no two functions that need each other's results. Composites with the attribute
    `fusion.codegen` are not merged.

    `pattern-file=FILE` has patterns of your own: PDLL that includes
    `FusionDialect/Transforms/Partition.pdll`, compiled with `mlir-pdll -x=mlir`. Those
    that `patterns` names stand where it names them, any others in front of all, in the
    order of the file. docs/Patterns.md shows how they are written.

    `fusion-compile` compiles functions of the code generator `dnnl` as any other
    function. For those of another generator it keeps a declaration under the global
    symbol, called through `_mlir_ciface_SYMBOL` with descriptors of memrefs.
  }];
  let options = [
    ListOption<"patterns", "patterns", "std::string",
               "Names of patterns, the first one to be tried first, or dnnl for a "
               "list that is recommended">,
    Option<"bindConstants", "bind-constants", "bool", "true",
           "Constant weights stand inside the composites (false: they are "
           "arguments)">,
    Option<"annotateCodegen", "annotate-codegen", "bool", "false",
           "Give each composite its code generator and a global symbol">,
    Option<"merge", "merge", "bool", "false",
           "Merge neighbouring composites of one code generator">,
    Option<"allowReshape", "allow-reshape", "bool", "false",
           "Take the reshape of a bias into the composite">,
    Option<"patternFile", "pattern-file", "std::string", "",
           "Patterns of your own: PDLL compiled with 'mlir-pdll -x=mlir'">,
  ];
  let dependentDialects = ["::fusion::FusionDialect", "::mlir::arith::ArithDialect",
    "::mlir::func::FuncDialect", "::mlir::linalg::LinalgDialect",
    "::mlir::math::MathDialect", "::mlir::pdl::PDLDialect",
    "::mlir::pdl_interp::PDLInterpDialect", "::mlir::tensor::TensorDialect"];
}

#endif // FUSION_TRANSFORMS_PARTITIONPASSES_TD
