// RUN: fusion-opt %s --fusion-partition="patterns=add:acme.add,relu annotate-codegen=true" | FileCheck %s
// RUN: fusion-opt %s --fusion-partition="patterns=add:acme.add merge=true" | FileCheck %s --check-prefix=MERGED

// Generated code has a global symbol, which nothing else that it is linked with may have:
// no function, of this module or of one inside, and no other code.

// CHECK-LABEL:  func.func private @fused_add(
// CHECK-SAME:     fusion.global_symbol = "fused_add_acme_1"
// CHECK-LABEL:  func.func private @fused_relu_1(
// CHECK-SAME:     fusion.global_symbol = "fused_relu_1_dnnl"
// MERGED-LABEL: func.func private @acme_region(%
// MERGED-SAME:    fusion.global_symbol = "acme_region_1"
func.func @fused_add_acme(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %r = math.tanh %x : tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
module @inside {
  func.func private @acme_region(tensor<2x3xf32>)
}
func.func private @code(tensor<2x3xf32>) attributes {fusion.codegen = "other", fusion.global_symbol = "fused_relu"}
func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %z = arith.constant dense<0.0> : tensor<2x3xf32>
  %e = tensor.empty() : tensor<2x3xf32>
  %s = linalg.add ins(%x, %y : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  %r = linalg.max ins(%s, %z : tensor<2x3xf32>, tensor<2x3xf32>) outs(%e : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
