// RUN: split-file %s %t
// RUN: fusion-opt %t/good.mlir --fusion-compile | FileCheck %s --implicit-check-not=fused_add
// RUN: fusion-opt %t/good.mlir --fusion-optimize | FileCheck %s --check-prefix=OPTIMIZED
// RUN: not fusion-opt %t/unnamed.mlir --fusion-compile 2>&1 | FileCheck %s --check-prefix=UNNAMED
// RUN: not fusion-opt %t/taken.mlir --fusion-compile 2>&1 | FileCheck %s --check-prefix=TAKEN

// fusion-compile leaves a declaration of a function that another code generator
// compiles, under its global symbol, and nothing of what that alone calls. Those of
// "dnnl" are compiled.

// CHECK-DAG: llvm.call @made_elsewhere(
// CHECK-DAG: llvm.call @dnnl_region(
// CHECK-DAG: llvm.call @_mlir_ciface_made_elsewhere(
// CHECK-DAG: llvm.func @_mlir_ciface_made_elsewhere({{.*}}) attributes {{{[^{}]*}}}{{$}}
// CHECK-DAG: llvm.func @dnnl_region({{.*}} {{{$}}

// Until then it has its body.
// OPTIMIZED:      func.func private @acme_region(
// OPTIMIZED-NEXT:   call @fused_add(

// UNNAMED: error: a function with 'fusion.codegen' must have a 'fusion.global_symbol'
// TAKEN: error: the symbol 'main' has another meaning in this module

//--- good.mlir
func.func @main(%x: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %a = call @acme_region(%x) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  %b = call @dnnl_region(%a) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  return %b : tensor<5x3xf32>
}
func.func private @acme_region(%x: tensor<5x3xf32>) -> tensor<5x3xf32> attributes {fusion.codegen = "acme", fusion.global_symbol = "made_elsewhere", no_inline} {
  %a = call @fused_add(%x, %x) : (tensor<5x3xf32>, tensor<5x3xf32>) -> tensor<5x3xf32>
  return %a : tensor<5x3xf32>
}
func.func private @fused_add(%x: tensor<5x3xf32>, %y: tensor<5x3xf32>) -> tensor<5x3xf32> attributes {fusion.composite = "acme.add", no_inline} {
  %a = arith.addf %x, %y : tensor<5x3xf32>
  return %a : tensor<5x3xf32>
}
func.func private @dnnl_region(%x: tensor<5x3xf32>) -> tensor<5x3xf32> attributes {fusion.codegen = "dnnl", fusion.global_symbol = "dnnl_region", no_inline} {
  %a = math.tanh %x : tensor<5x3xf32>
  return %a : tensor<5x3xf32>
}

//--- unnamed.mlir
func.func private @region(%x: tensor<5x3xf32>) -> tensor<5x3xf32> attributes {fusion.codegen = "acme", no_inline} {
  return %x : tensor<5x3xf32>
}

//--- taken.mlir
func.func @main(%x: tensor<5x3xf32>) -> tensor<5x3xf32> {
  %a = call @region(%x) : (tensor<5x3xf32>) -> tensor<5x3xf32>
  return %a : tensor<5x3xf32>
}
func.func private @region(%x: tensor<5x3xf32>) -> tensor<5x3xf32> attributes {fusion.codegen = "acme", fusion.global_symbol = "main", no_inline} {
  return %x : tensor<5x3xf32>
}
